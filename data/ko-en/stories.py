"""Tells scenes: draws who and what, walks the steps, and hands the clauses to the teller."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from cast import Cast
from events import Event
from joining import ENDINGS, STOPS, UNDER, Clause
from nouns import Actor, Thing
from predicates import Mood
from rows import Draft
from scenes import Beat, Scene, read_scenes
from telling import Teller
from tokens import Both, En

Way = tuple[Beat, ...]


class Stories(Cast):
    """Stories of one clause or many."""

    def story(self, clauses: int, scenes: list[Scene] | None = None) -> Draft | None:
        """A story of about so many clauses, from the beginning of a scene or from within."""
        self.start()
        dice = self.dice
        scene = dice.pick(scenes or self.scenes)
        ways = self.walk(scene, clauses)
        if ways is None:
            return None
        tense = dice.pick(scene.tenses) if dice.chance(0.6) else scene.tenses[0]
        if tense == "ask" and self.register == "plain":
            self.register = "polite"
        if tense == "request" and self.register == "polite":
            self.register = "plain"  # a reason and "let's": "so shall we" is not said
        hero = self.hero(scene.who["S"])
        if hero.group == "1pl" and "w" in scene.letters(ways):
            return None  # we with our friend: who is that?
        mate = None
        letters = scene.letters(ways)
        if hero.entry is not None and hero.entry.kind == "family" and "가족" in letters:
            return None  # my father with his family: that is us
        things: dict[str, Thing] = {}
        if "w" in letters:
            apart = sum(map(len, ways)) > 2  # she is one of them, and he the other
            mate = self.mate(scene.who.get("w", "friend"), hero, told_often(ways), apart)
            if mate is None:
                return None
        for letter in sorted(letters):
            if letter in scene.things:
                thing = self.slot(scene.things[letter])
                if thing is None:
                    return None
                things[letter] = thing
        if tense in ("ask", "seem"):
            return self.wondered(ways, mate, things, tense)
        asked = tense in ("request", "please", "question")
        ending, stop = self.request() if tense == "request" else ("final", ".")
        if tense == "please":
            ending = "please"
        if tense == "question":
            ending, stop = ("question", "?") if scene.name == "asking" else ("shall", "?")
        told = self.clauses(ways, hero, mate, things, "habit" if asked else tense)
        if scene.name == "everyday":
            told[0].silent = True
        later = tense == "past" and any(beat.later() for way in ways for beat in way)
        scale = {"day": "then", "work": "school"}.get(scene.scale) if later else None
        time = self.opening(tense, scale or scene.scale) if timely(ways[0][0]) else ([], [])
        teller = Teller(self.lexicon, self.register)
        kind = scene.name if scene.name in SINGLE and len(told) == 1 else kind_of(told)
        kind = "question" if stop == "?" and tense == "question" else kind
        draft = teller.tell(told, kind, time, stop=stop, ending=ending)
        if len(told) > 2 and self.repeats(draft, told):
            return None
        return draft if self.allowed(draft) else None

    def repeats(self, draft: Draft, told: list[Clause]) -> bool:
        """Whether a story says a noun or an English word three times, or does the same twice
        running."""
        stems = [clause.event.verb.stem for clause in told]
        if any(one == two not in HELPERS for one, two in zip(stems, stems[1:])):
            return True
        nouns = [ko.text for ko in draft.sentence[0] if ko.text in self.lexicon.by_ko]
        words = [en.text.lower() for en in draft.sentence[1] if len(en.text) > 3]
        said = Counter([*nouns, *(word for word in words if word not in PLAIN)])
        return max(said.values(), default=0) > (2 if len(told) < 9 else 3)

    def walk(self, scene: Scene, clauses: int) -> list[Way] | None:
        """Steps in order; those that may be left out are, now and then."""
        dice = self.dice
        starts = [n for n, step in enumerate(scene.steps) if step.opens]
        first = dice.pick(starts)
        ways: list[Way] = []
        length = 0
        for step in scene.steps[first:]:
            if length >= clauses and ways[-1][-1].link == "$":
                break
            if not step.needed and dice.chance(0.45 if clauses < 6 else 0.15):
                continue
            found = [way for way in step.ways if fits(ways, way, 1 if clauses < 6 else 2)]
            if not found and step.needed:
                return None
            if found:
                ways.append(dice.pick(found))
                length += len(ways[-1])
        beats = [beat for way in ways for beat in way]
        if sum(beat.link in STOPS for beat in beats) <= 3 and any(
            sum(map(counted, beats)) > 1 for counted in (Beat.causes, Beat.contrasts)
        ):
            return None
        return ways if clauses - 1 <= length <= clauses + 1 else None

    def clauses(
        self, ways: list[Way], hero: Actor, mate: Actor | None, things: dict[str, Thing], tense: str
    ) -> list[Clause]:
        """The clauses of a walk, with links that keep sentences short enough to read."""
        dice = self.dice
        told: list[Clause] = []
        rival = any(
            beat.link in ("but", "yet")
            and way[-1].events[0].own
            and way[-1].events[0].own[0].slot == "w"
            for way in ways
            for beat in way
        )
        known = not rival and not ways[0][0].events[0].own
        silent = hero.group == "1sg" and known and dice.chance(0.7) or hero.group == "2"
        pair = self.together(hero)
        joint = False  # whether what comes is done together
        joins = False  # ... from the next sentence on
        which = 1 if self.register == "polite" else 0
        roles: dict[str, Thing] = dict(things)
        if mate is not None:
            roles["w"] = self.companion(mate)
        for way in ways:
            for number, beat in enumerate(way):
                event = beat.events[which]
                joint = joint or beat.both
                both = joint and not beat.alone
                actor = None if event.own else pair if both else hero
                joins = joins or beat.joins or beat.both
                link = beat.link
                last = number == len(way) - 1
                if last and link == "." and dice.chance(0.5):
                    link = "and"
                if link == "and" and event.verb.adjective:
                    link = "."
                if link in STOPS:
                    joint = joins
                told.append(
                    Clause(
                        event,
                        actor,
                        link,
                        beat.mood(tense),
                        roles,
                        beat.opener,
                        silent=silent or actor is pair,
                        owner=pair.group if both and not _of_mate(event) else hero.group,
                        hero=hero,
                    )
                )
        _mend(told)
        return told

    def wondered(
        self, ways: list[Way], mate: Actor | None, things: dict[str, Thing], tense: str
    ) -> Draft | None:
        """May I ...? -아도 됩니까; I think it will rain, 비가 올 것 같다."""
        told = self.clauses(ways[:1], self.me(), mate, things, "habit")
        told[0].silent, told[0].link = True, "."
        draft = self.may_i(told[0]) if tense == "ask" else self.i_think(told[0])
        return draft if self.allowed(draft) else None

    def may_i(self, clause: Clause) -> Draft:
        """창문을 열어도 됩니까, may I open the window?"""
        clause.mood = Mood("habit", "may")
        teller = Teller(self.lexicon, self.register)
        return teller.tell([clause], "permission", stop="?", ending="question")

    def i_think(self, clause: Clause) -> Draft:
        """민수가 늦을 것 같다, I think Minsu will be late."""
        clause.mood = Mood("future", "seem")
        draft = Teller(self.lexicon, self.register).tell([clause], "guess")
        ko, en = draft.sentence
        think = [En("I", [], ko[-2:]), En("think", ko[-2:-1], ko[-3:-2])]
        return replace(draft, sentence=(ko, [*think, *en]))

    def request(self) -> tuple[str, str]:
        """How somebody is asked to do something, and the mark at the end."""
        if self.dice.chance(0.65):
            return "please", "."
        return ("shall", "?") if self.register == "polite" else ("lets", ".")

    def opening(self, tense: str, scale: str) -> Both:
        """A time at the very beginning."""
        if not self.dice.chance(0.6):
            return [], []
        return self.time(tense, {"day": "meal", "day0": "meal"}.get(scale, scale))


def _of_mate(event: Event) -> bool:
    """Whether an event has as its subject who came along: he told me stories, not us."""
    return any(item.slot == "w" for item in event.own)


def timely(beat: Beat) -> bool:
    """Whether a time may stand before a beat: not before a state, nor before a reason, unless it
    is the weather."""
    event = beat.events[0]
    if any(item.text.startswith(("비|", "눈|")) for item in event.ko):
        return True
    return beat.link not in ("so", "that") and not event.verb.adjective


def fits(ways: list[Way], way: Way, most: int) -> bool:
    """Whether a story may go on with a way: so and but do not follow upon themselves, and are
    not said more than so many times."""
    for counted in (Beat.causes, Beat.contrasts):
        said = [sum(counted(beat) for beat in one) for one in (*ways, way)]
        if sum(said) > max(most, said[-1]) or said[-1] and said[-2:-1] not in ([], [0]):
            return False
    return True


def told_often(ways: list[Way]) -> bool:
    """Whether a walk speaks of w more than once, or tells what w does."""
    beats = [beat.events[0] for way in ways for beat in way]
    spoken_of = [item for event in beats for item in (*event.own, *event.en) if item.slot == "w"]
    return len(spoken_of) > 1 or any(item.slot == "w" for event in beats for item in event.own)


def _mend(told: list[Clause]) -> None:
    """Links that fit what is around them: a sentence has three clauses at most beside those
    under another, one -고, one -아서, one reason, and at most two of so and but."""
    sentence: list[Clause] = []  # of the clauses so far
    for number, one in enumerate(told):
        rest = told[number + 1 :]
        sentence.append(one)
        if rest and one.link in ("and", "then") and not _joins(sentence, rest):
            one.link = "."
        if one.link in SEO and any(c.link in SEO for c in sentence[:-1]):
            one.link = "."
        if one.link in STOPS:
            sentence = []


def _joins(sentence: list[Clause], rest: list[Clause]) -> bool:
    """Whether the next clause may go on in the same sentence after "and"."""
    one, two = sentence[-1], rest[0]
    main = next(c for c in rest if c.link not in UNDER)
    links = [c.link for c in sentence[:-1]]
    if one.actor is None or one.actor is not two.actor or main.actor is None:
        return False
    if two.opener or len([c for c in sentence if c.link not in UNDER]) > 2:
        return False
    if one.link == "then":
        return main.link not in SEO and not SEO.intersection(links)
    if CAUSES.intersection((*links, main.link)) or "and" in links:
        return False  # what has a cause of its own is a sentence of its own
    return not main.event.verb.adjective  # not: swam all day and was happy


SEO = {link for link, ending in ENDINGS.items() if ending == "seo"}
HELPERS = {"주", "하"}  # 고쳐 주다: not the same thing twice
PLAIN = {"that", "them", "they", "their", "there", "then", "with", "from", "were", "when"}
CAUSES = {"so", "that", "but", "yet", "and-so", "as"}
SINGLE = {"particle", "passive", "gerund", "habitual", "everyday"}
KINDS = {
    "so": "reason",
    "that": "reason",
    "but": "contrast",
    "yet": "contrast",
    "before": "before",
    "after": "after",
    "while": "while",
    "during": "while",
    "to": "purpose",
    "for": "purpose",
    "if": "condition",
    "when": "when",
    "and": "sequence",
    "then": "sequence",
    "since": "reason",
    "and-then": "sequence",
}


def kind_of(told: list[Clause]) -> str:
    """The construction of a story: that of its only link, or a story where there are several."""
    if len(told) == 1:
        return "clause"
    if len(told) > 3 or any(c.link in STOPS for c in told[:-1]):
        return "story"
    for name in ("contrast", "reason", "condition", "when", "before", "after", "while", "purpose"):
        if name in {KINDS.get(c.link) for c in told[:-1]}:
            return name
    return "sequence"


__all__ = ["Stories", "read_scenes"]
