"""Tells scenes: draws who and what, walks the steps, and hands the clauses to the teller."""

from __future__ import annotations

from dataclasses import replace

from cast import Cast
from joining import UNDER, Clause
from nouns import Actor, Thing
from predicates import Mood
from rows import Draft
from scenes import Beat, Scene, Step, read_scenes
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
        hero = self.hero(scene.who["S"])
        if hero.group == "1pl" and "w" in scene.letters(ways):
            return None  # we with our friend: who is that?
        mate = None
        letters = scene.letters(ways)
        things: dict[str, Thing] = {}
        if "w" in letters:
            mate = self.mate(scene.who.get("w", "friend"), hero)
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
        asked = tense in ("request", "question")
        ending, stop = self.request() if tense == "request" else ("final", ".")
        if tense == "question":
            ending, stop = ("question", "?") if scene.name == "asking" else ("shall", "?")
        told = self.clauses(ways, hero, mate, things, "habit" if asked else tense)
        if scene.name == "everyday":
            told[0].silent = True
        time = self.opening(tense, scene.scale)
        teller = Teller(self.lexicon, self.register)
        kind = scene.name if scene.name in SINGLE and len(told) == 1 else kind_of(told)
        kind = "question" if stop == "?" and tense == "question" else kind
        draft = teller.tell(told, kind, time, stop=stop, ending=ending)
        return draft if self.allowed(draft) else None

    def walk(self, scene: Scene, clauses: int) -> list[Way] | None:
        """Steps in order; those that may be left out are, now and then."""
        dice = self.dice
        starts = [n for n, step in enumerate(scene.steps) if step.opens]
        first = dice.pick(starts)
        ways: list[Way] = []
        length = 0
        for step in scene.steps[first:]:
            if length >= clauses:
                break
            if not step.needed and dice.chance(0.45):
                continue
            way = dice.pick(self.fitting(step, clauses - length))
            ways.append(way)
            length += len(way)
        return ways if length >= clauses - 1 else None

    def fitting(self, step: Step, room: int) -> list[Way]:
        """Ways that are no longer than there is room for, if there are any."""
        return [way for way in step.ways if len(way) <= room + 1] or step.ways

    def clauses(
        self, ways: list[Way], hero: Actor, mate: Actor | None, things: dict[str, Thing], tense: str
    ) -> list[Clause]:
        """The clauses of a walk, with links that keep sentences short enough to read."""
        dice = self.dice
        told: list[Clause] = []
        since = 0  # clauses of this sentence
        joined = False  # by -고, once a sentence: more is a list and no story
        rival = any(
            beat.link in ("but", "yet")
            and way[-1].events[0].own
            and way[-1].events[0].own[0].slot == "w"
            for way in ways
            for beat in way
        )
        silent = hero.group == "1sg" and not rival and dice.chance(0.7) or hero.group == "2"
        which = 1 if self.register == "polite" else 0
        roles: dict[str, Thing] = dict(things)
        if mate is not None:
            roles["w"] = self.companion(mate)
        for way in ways:
            for number, beat in enumerate(way):
                event = beat.events[which]
                actor = None if event.own else hero
                link = beat.link
                since += 1
                last = number == len(way) - 1
                if link in UNDER and last:
                    link = "."
                if last and link in ("and", "."):
                    stop = since >= 3 or joined or dice.chance(0.5 if since > 1 else 0.2)
                    link = "." if stop else "and"
                if link == "and" and event.verb.adjective:
                    link = "."
                joined = joined or link == "and"
                if link in (".", "!"):
                    since, joined = 0, False
                told.append(
                    Clause(
                        event,
                        actor,
                        link,
                        beat.mood(tense),
                        roles,
                        beat.opener,
                        silent=silent,
                        owner=hero.group,
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


def _mend(told: list[Clause]) -> None:
    """Links that fit what follows: openers such as "but" begin a sentence, "and" joins the rest."""
    joined = 0
    for number, (one, two) in enumerate(zip(told, told[1:])):
        if two.opener in SENTENCE_OPENERS and one.link in ("and", "then"):
            one.link = "."
        if one.link == "then" and (one.actor is not two.actor or two.actor is None):
            one.link = "and"
        if one.link == "and" and (one.actor is None or two.actor is None):
            one.link = "."
        if one.link == "and" and two.event.verb.adjective:  # not: swam all day and was happy
            one.link = "."
        if one.link == "and" and (two.opener or two.link in ("so", "but", "yet", "and-so", "as")):
            one.link = "."  # what has a cause or a time of its own is a sentence of its own
        joined = joined + 1 if one.link in ("and", "then") else 0
        if one.link == "and" and joined > 2:
            one.link, joined = ".", 0
        if one.link == two.link == "so":  # one -아서 for a reason is enough
            two.link = "."
            for three in told[number + 2 : number + 3]:
                three.opener = three.opener or "그래서"


SINGLE = {"particle", "passive", "gerund", "habitual", "everyday"}
SENTENCE_OPENERS = {"그래서", "하지만", "그런데", "그다음에", "결국", "다행히", "다음 날"}
KINDS = {
    "so": "reason",
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
    if len(told) > 3 or any(c.link in (".", "!") for c in told[:-1]):
        return "story"
    for name in ("contrast", "reason", "condition", "when", "before", "after", "while", "purpose"):
        if name in {KINDS.get(c.link) for c in told[:-1]}:
            return name
    return "sequence"


__all__ = ["Stories", "read_scenes"]
