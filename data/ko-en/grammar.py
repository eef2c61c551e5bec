"""The constructions of the full corpus: each method draws one kind of sentence, or None.

None means that the words drawn do not make a good sentence; the caller tries again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import english
import hangul
from clauses import Both, Clauses, Frame, Predicate, conjugate, english_verb
from hangul import Verb
from phrases import PAST_DAY, TIMES, Dice, En, Entry, Ko, Phrase, eojeol, words
from sentences import Draft, comma, joined

# verb of the main clause -> what may have been done with the thing before: "the book Minsu bought"
HISTORIES = {
    "먹": "사 만들", "마시": "사", "읽": "쓰 사 빌리", "고치": "사", "씻": "사", "빨": "사",
    "잃어버리": "사 빌리", "보내": "쓰 사", "주": "사 그리 만들", "빌려주": "사",
    "보여주": "그리 찍", "드리": "사", "심": "사", "쓰": "", "요리하": "사", "그리": "",
}  # fmt: skip
# What one does before or after something else, and what one does while doing something else.
ERRANDS = {"먹": "mealtime", "가": "", "보": "watchable", "청소하": "cleanable",
           "운동하": "", "산책하": "", "수영하": "", "만나": "someone", "씻": "fruit vegetable",
           "읽": "readable", "공부하": "subject", "연습하": "instrument"}  # fmt: skip
BACKGROUNDS = {"듣": "hearable hearable-news", "마시": "cafe-drink"}
FOREGROUNDS = {"듣": {"요리하", "청소하", "그리", "운동하", "산책하", "쓰", "고치", "씻"},
               "마시": {"읽", "쓰", "이야기하"}}  # fmt: skip
PURPOSES = {"사", "빌리", "만나", "먹", "마시", "보", "수영하", "산책하", "보내", "일하", "공부하"}
ABILITIES = {"연주하", "수영하", "고치", "만들", "타", "부르", "그리", "요리하"}
DUTIES = {"가", "만나", "읽", "쓰", "보내", "청소하", "공부하", "연습하", "일하", "돕",
          "고치"}  # fmt: skip
WISHES = {"먹", "마시", "읽", "사", "보", "듣", "배우", "만나", "가", "여행하", "쉬", "수영하",
          "타", "그리", "심", "공부하", "산책하"}  # fmt: skip
COMMANDS = {"열", "닫", "읽", "쓰", "사", "청소하", "공부하", "연습하", "고치", "씻", "보내",
            "주", "돕", "기다리", "듣", "쉬", "그리"}  # fmt: skip
# Subject, verb, English verb: weather that drives people in (bad) or out (good).
WEATHER = [
    ("비", Verb("오"), "it rained", "bad"), ("눈", Verb("오"), "it snowed", "bad"),
    ("날씨", Verb("춥", "ㅂ", True), "the weather was cold", "bad"),
    ("날씨", Verb("덥", "ㅂ", True), "the weather was hot", "bad"),
    ("날씨", Verb("흐리", "", True), "the weather was cloudy", "bad"),
    ("날씨", Verb("좋", "", True), "the weather was nice", "good"),
    ("날씨", Verb("맑", "", True), "the weather was clear", "good"),
    ("날씨", Verb("따뜻하", "", True), "the weather was warm", "good"),
]  # fmt: skip
OUTSIDE = [
    ("산책하", "walk"),
    ("운동하", "rest"),
    ("타", "open-air"),
    ("놀", "play-place"),
    ("달리", "walk"),
]
INSIDE = [("읽", "home"), ("보", "living"), ("쉬", "home"), ("연습하", "home"), ("하", "home"),
          ("듣", "living"), ("마시", "home"), ("먹", "home")]  # fmt: skip


class Grammar(Clauses):
    """All constructions."""

    def __init__(self, dice: Dice, entries: list[Entry], frames: list[Frame]) -> None:
        super().__init__(dice, entries, frames)
        self.with_stem: dict[str, list[Frame]] = {}
        for frame in frames:
            self.with_stem.setdefault(frame.verb.stem, []).append(frame)
        human = {"human", "worker", "writer", "cook", "painter", "singer", "teacher", "grown",
                 "photographer", "young", "medic", "seller", "farmer"}  # fmt: skip
        self.human = [f for f in frames if f.subjects & human]
        self.beasts = [f for f in frames if not f.subjects & human]
        self.anyone = [f for f in frames if "human" in f.subjects]

    def start(self) -> None:
        self.used = set()
        self.inner_times, self.habitual, self.done = True, False, set()
        self.register = self.dice.weighted({"formal": 0.4, "polite": 0.3, "plain": 0.3})

    def draw(self, construction: Callable[[], Draft | None]) -> Draft | None:
        self.start()
        return construction()

    def constructions(self) -> dict[str, Callable[[], Draft | None]]:
        """Every construction by its name."""
        shapes = {name: self.shape(name) for name in ("chain", "go", "errand", "purpose", "said")}
        return shapes | {
            "single": self.single, "modal": self.modal, "weather": self.weather_only,
            "weather_and": self.weather_and, "described": self.described,
            "is_somebody": self.is_somebody, "there_is": self.there_is,
            "question": self.question, "command": self.command, "relative": self.histories,
            "schedule": self.schedule,
            "several2": lambda: self.several(2), "several3": lambda: self.several(3),
            "several4": lambda: self.several(4), "several5": lambda: self.several(5, 0.2),
        }  # fmt: skip

    def shape(self, name: str) -> Callable[[], Draft | None]:
        return lambda: self.one_of(name)

    # One clause -------------------------------------------------------------------------------

    def tense_for(self, frame: Frame) -> str:
        """A tense in which the verb makes sense."""
        dice, flags = self.dice, frame.flags
        if "generic" in flags:
            return "habit"
        if "pastonly" in flags:
            return "past"
        choices = {"past": 4.0, "future": 1.2}
        if "habit" in flags:
            choices["habit"] = 1.5
        if "noprog" not in flags and frame.times != "meal":
            choices["now"] = 1.2
        if frame.times == "live":
            choices = {"past": 1.0, "habit": 2.0, "future": 1.0}
        tense = dice.weighted(choices)
        self.habitual = tense == "habit"
        return tense

    def single(self) -> Draft | None:
        """One clause, with everything that may stand in it."""
        dice = self.dice
        frame = dice.pick(self.beasts if dice.chance(0.1) else self.human)
        tense = self.tense_for(frame)
        generic = "generic" in frame.flags
        negated = dice.chance(0.12) and (generic or tense in ("past", "future", "now"))
        negated = negated and "pastonly" not in frame.flags
        told = generic or negated or tense == "habit"  # of somebody known
        mark = "topic" if told or dice.chance(0.6) else "subject"
        subject = self.subject(frame, "a" if mark == "subject" else "the")
        if subject is None or (subject.agrees == "1sg" and mark == "subject"):
            return None
        often, time = False, None
        if frame.times and dice.chance(0.9 if tense == "habit" else 0.7):
            if tense == "habit" and dice.chance(0.35) and frame.times in ("day", "meal"):
                often = True
            elif TIMES[tense, frame.times] and not (tense == "now" and dice.chance(0.6)):
                time = self.time(tense, frame.times)
        if tense == "habit" and not (often or time or generic or frame.times == "live"):
            return None
        first = time is not None and dice.chance(0.35)
        made = self.clause(
            frame, subject, tense, "final", mark=mark, richness=dice.pick([0.2, 0.5, 0.9]),
            time=None if first else time, negated=negated, often=often,
        )  # fmt: skip
        if made is None:
            return None
        return Draft(self.opened(time, made) if first and time else made, "clause")

    def opened(self, time: Both, clause: Both) -> Both:
        """The time first: 어제 민수는 ..., Yesterday, Minsu ..."""
        pause = En(",", [], [time[0][-1]])
        return [*time[0], *clause[0]], [*time[1], pause, *clause[1]]

    def modal(self) -> Draft | None:
        """-고 싶다 want to, -(으)ㄹ 수 있다 can, -아야 하다 must."""
        dice = self.dice
        tense = dice.pick(["want", "can", "must"])
        stems = {"want": WISHES, "can": ABILITIES, "must": DUTIES}[tense]
        frame = dice.pick([f for f in self.anyone if f.verb.stem in stems])
        subject = self.speaker() if tense == "want" else self.subject(frame)
        if subject is None:
            return None
        time = None
        if tense != "can" and dice.chance(0.5):
            time = self.time("future", frame.times)
        negated = tense != "must" and dice.chance(0.25)
        made = self.clause(
            frame, subject, tense, "final", time=time, negated=negated,
            richness=0.0 if tense == "can" else 0.5,
            thing=self.plain_object(frame) if tense == "can" else None,
        )  # fmt: skip
        return made and Draft(made, "modal")

    def plain_object(self, frame: Frame) -> Phrase | None:
        if not frame.objects:
            return None
        entry = self.fresh(self.find("noun", frame.objects))
        if entry is None:
            return None
        return self.noun(entry, "the" if "the" in entry.more else "a")

    def weather_only(self) -> Draft | None:
        """비가 왔다. 날씨가 아주 춥다."""
        dice = self.dice
        made = self.weather(dice.pick(WEATHER), "final")
        if dice.chance(0.6):
            time = dice.pick(PAST_DAY)(dice)
            made = self.opened(time, made) if dice.chance(0.5) else self.closed(time, made)
        return Draft(made, "weather")

    def closed(self, time: Both, clause: Both) -> Both:
        """The time first in Korean, last in English."""
        return [*time[0], *clause[0]], [*clause[1], *time[1]]

    def weather(self, kind: tuple[str, Verb, str, str], ending: str) -> Both:
        """비가 왔다, it rained; as a reason 비가 와서, because it rained."""
        noun_ko, verb, text, _ = kind
        noun = eojeol(noun_ko)
        ko = [*noun, Ko(hangul.particle(noun_ko, "subject"), glued=True)]
        if ending == "because":
            end = eojeol(hangul.infinitive(verb), "서")
        else:
            end = conjugate(verb, "past", ending, self.register).ko
        en: list[En] = []
        first, *more = text.split()
        if first == "it":
            en = [En("it", [], [noun[0], ko[-1]]), En(more[0], [noun[0], end[0]], end[1:])]
        else:
            en = [En("the", [], ko), En("weather", noun, ko[1:]), En("was", [], end)]
            en.append(En(more[-1], end[:1], end[1:]))
        if ending == "because":
            en.insert(0, En("because", end[-1:]))
        return [*ko, *end], en

    def weather_and(self) -> Draft | None:
        """비가 와서 ..., because it rained; 비가 왔지만 ..., it rained, but."""
        dice = self.dice
        kind = dice.pick(WEATHER)
        because = dice.chance(0.5)
        outside = (kind[3] == "good") == because
        stem, where = dice.pick(OUTSIDE if outside else INSIDE)
        frame = next(
            f
            for f in self.with_stem[stem]
            if where in f.places.split() and f.subjects & {"human", "young"}
        )
        subject = self.subject(frame)
        place = self.fresh(self.find("place", where))
        if subject is None or place is None:
            return None
        made = self.clause(frame, subject, "past", "final", richness=0.0, place=place)
        if made is None:
            return None
        reason = self.weather(kind, "because" if because else "jiman")
        pause = comma()
        ko = [*reason[0], *([] if because else [pause]), *made[0]]
        ending = reason[0][-1]
        middle = [En(",", [], [ending] if because else [pause, ending])]
        if not because:
            middle.append(En("but", [ending]))
        sentence: Both = ko, [*reason[1], *middle, *made[1]]
        if dice.chance(0.5):
            time = dice.pick(PAST_DAY)(dice)
            sentence = self.opened(time, sentence) if not because else self.closed(time, sentence)
        return Draft(sentence, "weather")

    # Being ------------------------------------------------------------------------------------

    def quality(self, subject: Phrase, entry: Entry, past: bool = False) -> Both | None:
        """이 책은 아주 재미있다, this book is very interesting; also with two adjectives."""
        dice = self.dice
        one = self.adjective_for(entry, predicative=True)
        if one is None:
            return None
        tense = "past" if past else "habit"
        be = {"pl": "were", "3sg": "was"} if past else {"pl": "are", "3sg": "is"}
        negated = "long" if dice.chance(0.2) else ""
        ko: list[Ko] = []
        en: list[En] = []
        honoured = subject.honoured
        if not negated and dice.chance(0.15):
            two = self.adjective_for(entry, predicative=True)
            if two is None or opposite(one.en, two.en):
                return None
            verb = hangul.honoured(two.verb) if honoured else two.verb
            ko = eojeol(verb.stem, "고")
            en = [*words(two.en, ko[:1]), En("and", ko[1:])]
        elif one.en not in COLOURS and dice.chance(0.35):
            degree = dice.pick([("아주", "very"), ("정말", "really")])
            if not (negated and degree[0] == "정말"):
                word = ("별로", "very") if negated else degree
                ko = eojeol(word[0])
                en = [En(word[1], ko)]
        predicate = conjugate(one.verb, tense, "final", self.register, negated, honoured)
        negation = [En("not", [predicate.negation], predicate.rest())] if negated else []
        is_ = En(be[subject.agrees], [], predicate.ko)
        adjective = words(one.en, [predicate.main], predicate.rest())
        return [*ko, *predicate.ko], [is_, *negation, *en, *adjective]

    def described(self) -> Draft | None:
        """A thing, a place or somebody, and what it is like."""
        dice = self.dice
        kind = dice.weighted({"noun": 4.0, "place": 1.0, "person": 2.0, "animal": 1.0})
        pool = [
            e
            for e in self.of_kind[kind]
            if self.find("adjective", e.classes) and "the" not in e.more
        ]
        entry = self.fresh(pool)
        if entry is None or "honoured" in entry.classes or "city" in entry.classes:
            return None
        if kind == "noun" and dice.chance(0.5):
            subject = self.with_history(entry, sorted(HISTORY_VERBS))
            if subject is None:
                return None
            made = self.quality(subject, entry, past=True)
        else:
            many = kind in ("person", "animal") and dice.chance(0.2)
            if many and kind == "animal":
                return None
            determiner = dice.pick(["이", "그"])
            subject = self.noun(entry, determiner=determiner, many=many)
            made = self.quality(subject, entry)
        if made is None:
            return None
        return Draft(([*subject.marked("topic"), *made[0]], [*subject.en, *made[1]]), "adjective")

    def is_somebody(self) -> Draft | None:
        """민수는 의사입니다, Minsu is a doctor; 의사가 아닙니다, is not a doctor."""
        subject = self.whose()
        if subject is None:
            return None
        entry = self.fresh(self.find("person", "worker" if subject.honoured else "worker studying"))
        if entry is None:
            return None
        made = self.copula(subject, entry)
        ending = "?" if False else "."
        sentence = [*subject.marked("topic"), *made[0]], [*subject.en, *made[1]]
        return Draft(sentence, "copula", ending)

    def whose(self) -> Phrase | None:
        """Somebody about whom something is said."""
        dice = self.dice
        kind = dice.weighted({"name": 3.0, "family": 3.0, "friend": 1.5, "self": 1.0, "gap": 2.0})
        if kind == "name":
            return self.name()
        if kind == "self":
            return self.speaker() if not self.used & {"저", "우리"} else None
        if kind == "gap":
            return self.who_did("stranger", now=True)
        if kind == "friend":
            entry = next(e for e in self.of_kind["person"] if e.ko == "친구")
            return self.mine(entry)
        entry = self.fresh(self.of_kind["family"])
        return self.mine(entry) if entry else None

    def copula(self, subject: Phrase, entry: Entry) -> Both:
        negated = self.dice.chance(0.2)
        plural = subject.agrees == "pl"
        be = {"1sg": "am", "3sg": "is", "pl": "are"}[subject.agrees]
        noun = eojeol(entry.ko)
        if plural:
            noun.append(Ko("들", glued=True)) if self.dice.chance(0.3) else None
        stem = noun[-1].text
        no: list[En] = []
        if negated:
            mark = Ko(hangul.particle(stem, "subject"), glued=True)
            verb = Verb("아니", "", True)
            if subject.honoured:
                verb = hangul.honoured(verb)
            last = eojeol(*hangul.present(verb, self.register, False))
            if self.register == "polite" and not subject.honoured:
                last = eojeol("아니", "에요")
            ko = [*noun, mark, *last]
            no = [En("not", last[:1], last[1:])]
            link: list[Ko] = last
        else:
            ending = hangul.be_noun(stem, self.register, False, False)
            if subject.honoured:
                ending = {"formal": "이십니다", "polite": "이세요", "plain": "이시다"}[
                    self.register
                ]
            ko = [*noun, Ko(ending, glued=True)]
            link = ko[-1:]
        text = entry.plural() if plural else entry.en
        is_ = En(be, [] if negated else link, link)
        article = [] if plural else [En("a", [], ko)]
        return ko, [is_, *no, *article, *words(text, noun[:1], ko[1:])]

    def there_is(self) -> Draft | None:
        """교실에 학생 세 명이 있다, there are three students in the classroom."""
        dice = self.dice
        past = dice.chance(0.35)
        scene = dice.weighted({"person": 3.0, "animal": 2.0, "thing": 3.0})
        number = self.number(8)
        if scene == "thing":
            thing = self.fresh(
                self.find("noun", "fruit story stationery goods portable toy clothes gift")
            )
            support, where, support_en, word = dice.pick(SPOTS).split()
            if thing is None or "counter" not in thing.more or thing.ko == support:
                return None
            front = [*eojeol(support), *eojeol(where, "에")]
            place_en = [
                En(word, front[1:2], front[2:]),
                En("the", [], front),
                En(support_en, front[:1]),
            ]
        else:
            classes, where = dice.pick(SCENES[scene])
            thing = self.fresh([e for e in self.find(scene, classes) if e.ko != "친구"])
            place = self.fresh([p for p in self.find("place", where)
                                if "bare" not in p.more and p.ko not in ("집", "산")])  # fmt: skip
            if thing is None or place is None:
                return None
            front, place_en = self.place_noun(place).after_preposition(place.more["at"], "at")
        adjective = self.adjective_for(thing) if dice.chance(0.3) else None
        phrase = self.noun(thing, number=number, adjective=adjective)
        predicate = conjugate(
            Verb("있", "", True), "past" if past else "habit", "final", self.register
        )
        if past:
            be = "were" if phrase.agrees == "pl" else "was"
        else:
            be = "are" if phrase.agrees == "pl" else "is"
        ko = [*front, *phrase.marked("subject"), *predicate.ko]
        en = [En("there", [], predicate.ko), En(be, [predicate.main], predicate.rest()),
              *phrase.en, *place_en]  # fmt: skip
        sentence: Both = ko, en
        if past and dice.chance(0.5):
            time = self.time("past", "day")
            sentence = self.closed(time, sentence)
        return Draft(sentence, "existence")

    # Relative clauses -------------------------------------------------------------------------

    def with_history(self, entry: Entry, stems: list[str]) -> Phrase | None:
        """민수가 어제 산 책, the book that Minsu bought yesterday."""
        dice = self.dice
        if "mass" in entry.more and "counter" not in entry.more:
            return None
        fitting = [f for s in stems for f in self.with_stem.get(s, [])
                   if "human" in f.subjects and set(f.objects.split()) & entry.classes]  # fmt: skip
        if not fitting:
            return None
        frame = dice.pick(fitting)
        kind = dice.weighted({"name": 4.0, "self": 1.5, "family": 2.0})
        if kind == "self" and self.used & {"저", "우리"}:
            return None
        subject = (
            self.name() if kind == "name" else self.speaker() if kind == "self" else self.relative()
        )
        if subject is None:
            return None
        kept = {name: value for name, value in frame.flags.items() if name == "borrow"}
        bare = replace(frame, objects="", preposition="", flags=kept)
        timed = self.inner_times and frame.times == "day" and dice.chance(0.35)
        time = self.time("past", "day") if timed else None
        clause = self.clause(bare, subject, "past", "rel", mark="subject", richness=0.4, time=time)
        if clause is None:
            return None
        noun = eojeol(entry.ko)
        several = bool({"many", "bulk"} & {*entry.more, *entry.classes})
        text = entry.plural() if several and entry.en[-1] != "s" else entry.en
        opening = En("the", [], noun)
        en = [opening, *words(text, noun), En("that", [], clause[0][-1:]), *clause[1]]
        head = en[len(text.split())]
        return Phrase([*clause[0], *noun], en, head, "pl" if several else "3sg", opening=opening)

    def relative(self) -> Phrase | None:
        """One of the family."""
        entry = self.fresh(self.of_kind["family"])
        return self.mine(entry) if entry else None

    def who_did(self, classes: str = "group young", now: bool = False) -> Phrase | None:
        """어제 꽃을 산 여자, the woman who bought a flower yesterday."""
        dice = self.dice
        frame = dice.pick(
            [
                f
                for f in self.anyone
                if "generic" not in f.flags and f.times == "day" and (f.objects or "go" in f.flags)
            ]
        )
        entry = self.fresh([e for e in self.find("person", classes) if e.ko != "친구"])
        if entry is None:
            return None
        running = now and not {"noprog", "pastonly"} & set(frame.flags) and dice.chance(0.5)
        tense = "now" if running else "past"
        nobody = Phrase([], [], En(""))
        timed = self.inner_times and tense == "past" and dice.chance(0.4)
        time = self.time("past", "day") if timed else ([], [])
        phrase = self.verb_phrase(frame, nobody, tense, "rel", richness=0.4)
        if phrase is None:
            return None
        noun = eojeol(entry.ko)
        opening = En("the", [], noun)
        ko = [*time[0], *phrase[0], *noun]
        en = [opening, *words(entry.en, noun), En("who", [], phrase[0][-1:]), *phrase[1], *time[1]]
        return Phrase(ko, en, en[len(entry.en.split())], opening=opening)

    # Several verbs ----------------------------------------------------------------------------

    def plain_frame(
        self, tense: str, pool: list[Frame] | None = None, chain: bool = False
    ) -> Frame | None:
        """A frame for everyday things on a day, in this tense."""
        frame = self.dice.pick(pool or self.human)
        flags = frame.flags
        if frame.times != "day" or "generic" in flags:
            return None
        if chain and {"alone", "go", "go-city", "return", "walk"} & set(flags):
            return None
        if tense != "past" and "pastonly" in flags or (tense == "now" and "noprog" in flags):
            return None
        if (tense == "habit" and "habit" not in flags) or frame.base in self.done:
            return None
        self.done.add(frame.base)
        return frame

    def any_clause(self, tense: str, ending: str, richness: float) -> Both | None:
        """A clause of some inner shape for longer sentences."""
        shape = self.dice.weighted(
            {
                "plain": 4.0,
                "chain": 1.2,
                "go": 0.8,
                "history": 1.2,
                "who": 0.8,
                "errand": 1.2,
                "purpose": 0.8,
            }
        )
        if tense == "now" and shape not in ("plain", "who"):
            shape = "plain"
        if self.habitual and shape in ("history", "who"):  # these tell of one thing that was done
            shape = "plain"
        if shape == "chain":
            return self.chain(tense, ending, 2, richness)
        if shape == "go":
            return self.go_and(tense, ending)
        if shape == "errand":
            return self.errand(tense, ending)
        if shape == "purpose":
            return self.purpose(tense, ending)
        frame = self.plain_frame(tense, self.anyone if shape == "who" else None)
        if frame is None or (shape == "who" and not frame.objects):
            return None
        subject = self.who_did() if shape == "who" else self.subject(frame)
        thing = None
        if shape == "history":
            if not frame.objects or not HISTORIES.get(frame.verb.stem):
                return None
            entry = self.fresh(self.find("noun", frame.objects))
            if entry is None or "the" in entry.more:
                return None
            thing = self.with_history(entry, HISTORIES[frame.verb.stem].split())
            if thing is None:
                return None
        if subject is None:
            return None
        if thing is not None:
            richness = 0.0  # "the noodles that she made at the restaurant": who was there?
        return self.clause(frame, subject, tense, ending, richness=richness, thing=thing)

    def chain(self, tense: str, ending: str, count: int, richness: float = 0.5,
              subject: Phrase | None = None) -> Both | None:  # fmt: skip
        """One person, several things in a row: 아침을 먹고 학교에 갔다, had breakfast and went."""
        frames: list[Frame] = []
        for _ in range(count):
            frame = self.plain_frame(tense, self.anyone, chain=True)
            if frame is None or frame.base in [f.base for f in frames]:
                return None
            frames.append(frame)
        subject = subject or self.subject(frames[0])
        if subject is None:
            return None
        ko, en = subject.marked("topic"), [*subject.en]
        for number, frame in enumerate(frames):
            last = number == count - 1
            phrase = self.verb_phrase(
                frame, subject, tense if last else "habit", ending if last else "go",
                richness=richness, spoken=tense, bare=number > 0,
            )  # fmt: skip
            if phrase is None:
                return None
            ko += phrase[0]
            en += phrase[1]
            if last:
                break
            link = phrase[0][-1]
            if count > 2:
                ko.append(comma())
                en.append(En(",", [], [ko[-1], link]))
            if number == count - 2:
                en.append(En("and", [link]))
        if tense == "future":  # said once: in English with the first verb, in Korean with the last
            will = next(word for word in en if word.text == "will")
            will.sure = [token for token in phrase[0] if token.text in ("것", "거")]
        return ko, en

    def errand(self, tense: str, ending: str) -> Both | None:
        """-기 전에 before, -(으)ㄴ 뒤에 after, -(으)면서 while: one person, two actions."""
        dice = self.dice
        how = dice.pick(["before", "after", "while"])
        stems = BACKGROUNDS if how == "while" else ERRANDS
        stem = dice.pick(list(stems))
        pool = [f for f in self.with_stem[stem] if "human" in f.subjects
                and set(f.objects.split()) >= set(stems[stem].split())
                and "go-city" not in f.flags]  # fmt: skip
        inner_frame = dice.pick(pool)
        outer = (
            [f for f in self.anyone if f.verb.stem in FOREGROUNDS[stem]] if how == "while" else None
        )
        frame = self.plain_frame(tense, outer or self.anyone, chain=True)
        if frame is None or frame.base == inner_frame.base or "to" in frame.flags:
            return None
        subject = self.subject(frame)
        inner = self.complements(inner_frame, -1.0, plain=True)
        if subject is None or inner is None:
            return None
        verb = hangul.honoured(inner_frame.verb) if subject.honoured else inner_frame.verb
        if how == "before":
            tail = [*eojeol(verb.stem, "기"), *eojeol("전", "에")]
        elif how == "after":
            tail = [*eojeol(hangul.with_n(verb)), *eojeol("뒤", "에")]
        else:
            tail = eojeol(hangul.eu(verb), "면서")
        key = tail[-1] if how == "while" else tail[-2]
        base, *more = inner_frame.base.split()
        rest = [token for token in tail if token not in (tail[0], key)]
        adverbial = [
            En(how, [key], rest),
            En(english.ing_form(base), [tail[0]], rest),
            *words(" ".join(more), [tail[0]]),
            *inner[1],
        ]
        phrase = self.verb_phrase(frame, subject, tense, ending, richness=0.4)
        if phrase is None:
            return None
        ko = [*subject.marked("topic"), *inner[0], *tail, *phrase[0]]
        return ko, [*subject.en, *phrase[1], *adverbial]

    def purpose(self, tense: str, ending: str) -> Both | None:
        """책을 빌리러 도서관에 갔다, went to the library to borrow a book."""
        dice = self.dice
        frame = dice.pick(
            [f for f in self.anyone if f.verb.stem in PURPOSES and f.times in ("day", "meal")]
        )
        places = [p for p in self.find("place", frame.places or "-") if "goto" in p.classes]
        if not places or "to" in frame.flags:
            return None
        place = self.fresh(places)
        subject = self.subject(frame)
        if place is None or subject is None:
            return None
        inner = self.complements(frame, -1.0)
        if inner is None:
            return None
        verb = hangul.honoured(frame.verb) if subject.honoured else frame.verb
        to = eojeol(hangul.eu(verb), "러")
        goal = self.toward(place, "at", "to")
        predicate = conjugate(Verb("가"), tense, ending, self.register, honoured=subject.honoured)
        aux, main = english_verb("go", "went", tense, subject.agrees, predicate)
        base, *more = frame.base.split()
        aim = [En("to", to[1:]), En(base, to[:1]), *words(" ".join(more), to[:1]), *inner[1]]
        ko = [*subject.marked("topic"), *inner[0], *to, *goal[0], *predicate.ko]
        return ko, [*subject.en, *aux, *main, *goal[1], *aim]

    def go_and(self, tense: str, ending: str) -> Both | None:
        """도서관에 가서 책을 빌렸다, went to the library and borrowed a book."""
        frame = self.plain_frame(tense, self.anyone, chain=True)
        if frame is None:
            return None
        place = self.fresh(
            [p for p in self.find("place", frame.places or "-") if "goto" in p.classes]
        )
        subject = self.subject(frame)
        if place is None or subject is None:
            return None
        goal = self.toward(place, "at", "to")
        going = hangul.honoured(Verb("가")) if subject.honoured else Verb("가")
        go = eojeol(hangul.infinitive(going), "서")
        predicate = Predicate(go, go[0])
        aux, main = english_verb("go", "went", tense, subject.agrees, predicate)
        phrase = self.verb_phrase(frame, subject, tense, ending, richness=-1.0)
        if phrase is None:
            return None
        if tense == "future":  # one "will" for both verbs, which stands with the first
            aux = [phrase[1].pop(0)]
        ko = [*subject.marked("topic"), *goal[0], *go, *phrase[0]]
        return ko, [*subject.en, *aux, *main, *goal[1], En("and", go[1:]), *phrase[1]]

    def several(self, count: int, richness: float = 0.4) -> Draft | None:
        """Clauses with different subjects, joined by -고 and -지만, at one time."""
        dice = self.dice
        self.inner_times = False  # the sentence has one time
        tense = dice.weighted({"past": 5.0, "future": 1.5, "habit": 1.0, "now": 1.2})
        self.habitual = tense == "habit"
        links = self.connectives(count - 1)
        parts = []
        for ending in [*links, "final"]:
            part = None
            for _ in range(4):
                part = self.any_clause(tense, ending, richness)
                if part is not None:
                    break
            if part is None:
                return None
            parts.append(part)
        sentence = joined(parts, links)
        if tense == "habit" or dice.chance(0.5):
            sentence = self.opened(self.shared_time(tense), sentence)
        return Draft(sentence, "coordination")

    def shared_time(self, tense: str) -> Both:
        return self.time(tense, "meal")

    def one_of(self, shape: str) -> Draft | None:
        """A single clause of one of the longer shapes."""
        dice = self.dice
        tense = dice.weighted({"past": 4.0, "future": 1.0})
        made: Both | None
        if shape == "chain":
            made = self.chain(tense, "final", dice.pick([2, 2, 3]))
        elif shape == "errand":
            made = self.errand(tense, "final")
        elif shape == "go":
            made = self.go_and(tense, "final")
        elif shape == "purpose":
            made = self.purpose(tense, "final")
        else:
            made = self.said()
            return made and Draft(made, "reported")
        if made is None:
            return None
        if dice.chance(0.5):
            time = self.shared_time(tense)
            made = self.opened(time, made)
        kinds = {"errand": "adverbial", "chain": "sequence", "go": "sequence"}
        return Draft(made, kinds.get(shape, shape))

    def histories(self) -> Draft | None:
        """An object or a subject with a relative clause."""
        dice = self.dice
        tense = dice.weighted({"past": 4.0, "future": 1.0})
        for _ in range(30):
            frame = self.plain_frame(tense)
            if frame and frame.objects and HISTORIES.get(frame.verb.stem):
                break
        else:
            return None
        if dice.chance(0.3):
            frame = self.plain_frame(tense, self.anyone)
            subject = self.who_did()
            if frame is None or subject is None or not frame.objects:
                return None
            made = self.clause(frame, subject, tense, "final", richness=0.4)
        else:
            subject = self.subject(frame)
            entry = self.fresh(self.find("noun", frame.objects))
            if entry is None or subject is None or "the" in entry.more:
                return None
            thing = self.with_history(entry, HISTORIES[frame.verb.stem].split())
            if thing is None:
                return None
            made = self.clause(frame, subject, tense, "final", richness=0.0, thing=thing)
        return made and Draft(made, "relative")

    def said(self) -> Both | None:
        """민수는 수진이 사과를 샀다고 말했다, Minsu said that Sujin bought an apple."""
        speaker = self.name() if self.dice.chance(0.6) else self.relative()
        frame = self.plain_frame("past")
        if speaker is None or frame is None:
            return None
        subject = self.subject(frame)
        if subject is None or subject.honoured and not speaker:
            return None
        time = self.time("past", frame.times) if self.dice.chance(0.5) else None
        mark = "subject"
        inner = self.clause(frame, subject, "past", "say", mark=mark, richness=0.5, time=time)
        if inner is None:
            return None
        predicate = conjugate(
            Verb("말하"), "past", "final", self.register, honoured=speaker.honoured
        )
        said = En("said", [predicate.main], predicate.rest())
        that = En("that", [], inner[0][-1:])
        ko = [*speaker.marked("topic"), *inner[0], *predicate.ko]
        return ko, [*speaker.en, said, that, *inner[1]]

    def schedule(self) -> Draft | None:
        """A day of one person: 오전에는 ..., 오후에는 ..., 저녁에는 ..."""
        dice = self.dice
        tense = dice.weighted({"past": 3.0, "future": 1.0})
        subject = self.subject(self.with_stem["읽"][0])
        if subject is None:
            return None
        parts_of_day = [("오전", "morning"), ("오후", "afternoon"), ("저녁", "evening")]
        if dice.chance(0.3):
            parts_of_day = parts_of_day[1:]
        count = len(parts_of_day)
        ko, en = subject.marked("topic"), [*subject.en]
        bases: list[str] = []
        for number, (part, part_en) in enumerate(parts_of_day):
            frame = None
            for _ in range(20):
                frame = self.plain_frame(tense, self.anyone, chain=True)
                if frame is not None and frame.base not in bases:
                    break
                frame = None
            if frame is None:
                return None
            bases.append(frame.base)
            last = number == count - 1
            when = eojeol(part, "에", "는")
            phrase = self.verb_phrase(
                frame, subject, tense, "final" if last else "go", richness=0.5, bare=number > 0,
            )  # fmt: skip
            if phrase is None:
                return None
            ko += [*when, *phrase[0]]
            when_en = [En("in", when[1:2]), En("the", [], when), En(part_en, when[:1], when[2:])]
            en += [*phrase[1], *when_en]
            if last:
                break
            ko.append(comma())
            link = phrase[0][-1]
            if count > 2:
                en.append(En(",", [], [ko[-1], link]))
            if number == count - 2:
                en.append(En("and", [link], [ko[-1]]))
        sentence: Both = ko, en
        if dice.chance(0.6):
            sentence = self.opened(self.time(tense, "meal"), sentence)
        return Draft(sentence, "sequence")

    # Asking and telling -----------------------------------------------------------------------

    def question(self) -> Draft | None:
        """Yes or no, who, what, where, when."""
        dice = self.dice
        kind = dice.pick(["yes", "yes", "who", "what", "where", "when"])
        frame = dice.pick(self.human)
        flags = frame.flags
        tense = self.tense_for(frame)
        if (
            "generic" in flags
            and kind not in ("yes", "who")
            or (kind == "when" and tense not in ("past", "future"))
        ):
            return None
        if frame.times == "live" and tense == "habit" and kind != "where":
            return None
        you = kind != "who" and "human" in frame.subjects and dice.chance(0.4)
        subject = self.you() if you else None
        if kind == "who":
            if "human" not in frame.subjects:
                return None
            who = eojeol("누가")
            subject = Phrase(who, [En("who", who)], En("", who))
        elif subject is None:
            subject = self.person(frame.subjects)
        if subject is None or (not you and "저" in self.used):  # nobody asks what I did
            return None
        time: Both = ([], [])
        timely = kind != "when" and "generic" not in flags and (tense, frame.times) in TIMES
        if timely and TIMES[tense, frame.times] and (tense == "habit" or dice.chance(0.6)):
            time = self.time(tense, frame.times)
        if tense == "habit" and not (time[0] or "generic" in flags or frame.times == "live"):
            return None
        thing, asked_ko, asked_en = None, [], []
        place_free = frame
        if kind == "what":
            if not frame.objects or set(frame.objects.split()) & NOT_ASKED_FOR:
                return None
            asked_ko = eojeol("무엇")
            asked_en = [En("what", asked_ko)]
            thing = Phrase(asked_ko, [], asked_en[0])
        elif kind == "where":
            goals = {"go", "go-city", "arrive"}
            goal = bool(goals & set(flags))
            if not (frame.places or goal) or {"walk", "head", "around"} & set(flags):
                return None
            asked_ko = eojeol("어디", "에" if goal else "에서")
            asked_en = [En("where", asked_ko[:1], asked_ko[1:])]
            if goal and frame.base != "go":
                return None
            kept = {name: value for name, value in flags.items() if name not in goals}
            place_free = replace(frame, places="", flags=kept)
        elif kind == "when":
            asked_ko = eojeol("언제")
            asked_en = [En("when", asked_ko)]
        inner = self.complements(place_free, 0.4, True, thing)
        if inner is None:
            return None
        predicate = conjugate(frame.verb, tense, "question", self.register, "", subject.honoured)
        asking = kind != "who"
        aux, verb = english_verb(
            frame.base, frame.past, tense, subject.agrees, predicate, asked=asking
        )
        if kind == "who":
            ko = [*time[0], *subject.ko, *inner[0], *predicate.ko]
            en = [*subject.en, *aux, *verb, *inner[1], *time[1]]
        else:
            middle = inner[0] if kind == "what" else [*asked_ko, *inner[0]]
            marked = subject.marked("topic") if subject.ko else []
            ko = [*marked, *time[0], *middle, *predicate.ko]
            en = [*asked_en, *aux, *subject.en, *verb, *inner[1], *time[1]]
            if you and not subject.ko:
                subject.en[0].maybe += predicate.ko
        return Draft((ko, en), "question", "?")

    def you(self) -> Phrase:
        """너 to a friend; unspoken, with the honorific verb, to anyone else."""
        if self.register == "plain":
            ko = eojeol("너")
            en = [En("you", ko)]
            return Phrase(ko, en, en[0], "2")
        en = [En("you")]
        return Phrase([], en, en[0], "2", honoured=True)

    def command(self) -> Draft | None:
        """문을 여세요, please open the door; 열지 마세요, please do not open the door; 가자."""
        dice = self.dice
        frame = dice.pick([f for f in self.anyone if f.verb.stem in COMMANDS])
        negated = dice.chance(0.25)
        inner = self.complements(frame, 0.25, negated)
        if inner is None or "저" in self.used:
            return None
        together = not negated and self.register != "polite" and dice.chance(0.4)
        verb = frame.verb
        en: list[En] = []
        if together:
            end = eojeol(verb.stem, "자") if self.register == "plain" else let_us(verb)
            en = [En("let's", end[1:])]
        elif negated:
            last = {"formal": ("마십", "시오"), "polite": ("마세", "요"), "plain": ("마", "라")}
            end = [*eojeol(verb.stem, "지"), *eojeol(*last[self.register])]
            polite = self.register != "plain"
            en = [En("please", [], end[2:])] if polite else []
            en += [En("do", [], end[1:]), En("not", end[2:3], end[1:])]
        elif self.register == "plain":
            end = eojeol(hangul.infinitive(verb), "라")
        else:
            raised = hangul.honoured(verb).stem
            end = (eojeol(hangul.set_coda(raised, "ㅂ"), "시오") if self.register == "formal"
                   else eojeol(raised[:-1] + "세", "요"))  # fmt: skip
            en = [En("please", [], end[1:])]
        base, *more = frame.base.split()
        en += [En(base, end[:1], end[1:]), *words(" ".join(more), end[:1]), *inner[1]]
        return Draft(([*inner[0], *end], en), "command")


SPOTS = ["식탁 위 table on", "책상 위 desk on", "의자 아래 chair under", "침대 아래 bed under",
         "상자 옆 box beside", "의자 위 chair on"]  # fmt: skip
# Who may be where.
SCENES = {
    "person": [("group", "goto study-place play-place outdoors")],
    "animal": [("farm-animal", "farm-place"), ("garden-animal", "garden-place"),
               ("zoo-animal", "zoo")],
}  # fmt: skip
# What nobody asks with 무엇.
NOT_ASKED_FOR = {"someone", "mealtime", "homework", "television", "openable", "cleanable",
                 "rideable", "kite", "taken", "sport"}  # fmt: skip
HISTORY_VERBS = {"사", "쓰", "만들", "그리", "빌리", "찍", "읽", "고치"}
OPPOSITES = [{"big", "small"}, {"long", "short"}, {"expensive", "cheap"}, {"thick", "thin"},
             {"interesting", "boring"}, {"difficult", "easy"}, {"heavy", "light"},
             {"clean", "dirty"}, {"hot", "cold"}, {"hot", "warm"}, {"warm", "cold"}]  # fmt: skip
COLOURS = {"red", "blue", "yellow", "white", "black"}


def opposite(one: str, two: str) -> bool:
    """Whether no thing is both."""
    return {one, two} in OPPOSITES or {one, two} <= COLOURS


def let_us(verb: Verb) -> list[Ko]:
    """-(으)ㅂ시다: 갑시다, 읽읍시다."""
    return eojeol(hangul.set_coda(hangul.eu(verb, drop_l=True), "ㅂ"), "시다")
