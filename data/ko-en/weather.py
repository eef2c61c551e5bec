"""비가 왔다, it rained: the weather."""

from __future__ import annotations

import english
import hangul
from predicates import Mood, conjugate
from rows import Draft, fixed
from single import Singles
from tokens import Both, En, Ko, eojeol

# Subject, verb, English subject and predicate.
WEATHER = [
    ("비", "오", "it", "rain"),
    ("눈", "오", "it", "snow"),
    ("날씨", "춥", "it", "be cold"),
    ("날씨", "덥", "it", "be hot"),
    ("날씨", "흐리", "it", "be cloudy"),
    ("날씨", "좋", "weather", "be nice"),
    ("날씨", "맑", "weather", "be clear"),
    ("날씨", "따뜻하", "it", "be warm"),
    ("바람", "불", "it", "be windy"),
]


class Weather(Singles):
    """What the weather was, and will be."""

    def weather(self) -> Draft | None:
        """비가 왔다. 내일은 비가 오겠습니다. 날씨가 아주 춥다."""
        dice = self.dice
        noun_ko, stem, subject, text = dice.pick(WEATHER)
        tense = dice.weighted({"past": 3.0, "will": 1.5, "future": 1.0})
        if tense == "will":
            self.register = "formal"
        mood = Mood("habit", "will") if tense == "will" else Mood(tense)
        noun = eojeol(noun_ko)
        mark = Ko(hangul.particle(noun_ko, "subject"), glued=True)
        predicate = conjugate(self.lexicon.verbs[stem], mood, "final", self.register)
        adverb: Both = ([], [])
        if dice.chance(0.45) and stem != "따뜻하":
            korean, says = ("아주", "very:0") if noun_ko == "날씨" else ("많이", "a:?0 lot:0")
            if noun_ko == "바람":
                korean, says = "많이", "very:0"
            adverb = fixed(korean, says)
        ko = [*noun, mark, *adverb[0], *predicate.ko]
        main, rest = predicate.main, predicate.rest()
        aux = [En("will", predicate.helpers, rest)] if tense != "past" else []
        be, _, state = text.rpartition(" ")
        if be:
            word = En(state, [main], rest)
            en = [*aux, En("be" if aux else "was", [], predicate.ko), *adverb[1], word]
            if subject == "it":
                word.sure += noun if noun_ko == "바람" else []
                en = [En("it", [], [*noun, mark]), *en]
            else:
                en = [En("the", [], [*noun, mark]), En(subject, noun, [mark]), *en]
        else:
            verb = En(text if aux else english.past_form(text), [main], rest)
            en = [En("it", [], [*noun, mark, main]), *aux, verb, *adverb[1]]
            verb.sure.append(noun[0])
        time = self.time("past", "lately") if tense == "past" else self.time("future", "meal")
        if tense != "past" or dice.chance(0.6):
            return Draft(self.opened(time, (ko, en)), "weather", ends=[ko[-1]])
        return Draft((ko, en), "weather", ends=[ko[-1]])

    def opened(self, time: Both, clause: Both) -> Both:
        """The time first (어제는, 어제); in English first or last."""
        ko = time[0]
        if ko[-1].text in ("어제", "그저께", "내일", "모레", "에"):
            if ko[-1].text == "에":
                ko[-1].text = "에는"
            else:
                ko = [*ko, Ko(hangul.particle(ko[-1].text, "topic"), glued=True)]
                time[1][-1].maybe.append(ko[-1])
        if self.dice.chance(0.5):
            return [*ko, *clause[0]], [*clause[1], *time[1]]
        return [*ko, *clause[0]], [*time[1], En(",", [], [ko[-1]]), *clause[1]]
