"""Clauses joined: what stands before, what after, and where English says the subject once."""

from __future__ import annotations

from dataclasses import dataclass, field

from events import Event, Parts
from nouns import Actor, Thing
from predicates import Mood
from tokens import Both, En, Ko

# How a clause leads to the next -> its Korean ending.
ENDINGS = {
    "and": "and",
    "then": "seo",
    "so": "seo",
    "that": "seo",
    "since": "nikka",
    "but": "jiman",
    "yet": "neunde",
    "and-so": "neunde",
    "and-then": "seo",
    "given": "neunde",
    "as": "neunde",
    "when": "ttae",
    "if": "myeon",
    "before": "jeon",
    "after": "dwi",
    "while": "myeonseo",
    "during": "daga",
    "to": "ryeogo",
    "for": "reo",
    "because": "because",
}
UNDER = {"when", "if", "before", "after", "while", "during", "to", "for", "because"}
STOPS = {".", "!", "$"}  # after "." a story may go on with -고; at "$" it may end
FINITE = {"when", "if", "because"}
BARE = {"before": "before", "after": "after", "while": "while", "during": "while"}  # + -ing
LATER = {"while", "before"}  # Minsu sang while cooking: English says these last
JOINED = {
    "and": "and",
    "then": "and",
    "so": "so",
    "that": "that",
    "since": "so",
    "but": "but",
    "yet": "but",
    "and-so": "and",
    "and-then": "and",
    "as": "when",
    "given": ".",  # what a question comes from: 배가 고픈데 뭐 먹을까요?
}
# A word that opens a sentence or a clause: Korean pieces, English words and what they gloss.
OPENERS = {
    "그래서": ("그래서", "so:0"),
    "하지만": ("하지만", "however:0"),
    "그런데": ("그런데", "but:0"),
    "그다음에": ("그다음|에", "after:1 that:0"),
    "다음 날": ("다음 날", "the:?1 next:0 day:1"),
    "다음 날 아침": ("다음 날 아침", "the:?1 next:0 morning:2"),
    "다음 날 아침 일찍": ("다음 날 아침 일찍", "early:3 the:?1 next:0 morning:2"),
    "오전에는": ("오전|에는", "in:1 the:?0 morning:0"),
    "오후에는": ("오후|에는", "in:1 the:?0 afternoon:0"),
    "저녁에는": ("저녁|에는", "in:1 the:?0 evening:0"),
    "잠시 후": ("잠시 후", "a:?0 little:0 later:1"),
    "마지막으로": ("마지막|으로", "finally:0"),
    "밤에는": ("밤|에는", "at:1 night:0"),
    "결국": ("결국", "in:?0 the:?0 end:0"),
    "다행히": ("다행히", "luckily:0"),
    "주말에는": ("주말|에는", "that:?0 weekend:0"),
    "그날 저녁에": ("그날 저녁|에", "that:0 evening:1"),
}
UNPAUSED = {"그래서", "그런데"}  # no comma after so and but


@dataclass
class Clause:
    """One event of a story, and how it leads to the next."""

    event: Event
    actor: Actor | None = None  # None: the event has a subject of its own
    link: str = "."
    mood: Mood = Mood()
    things: dict[str, Thing] = field(default_factory=dict)
    opener: str = ""
    mark: str = "topic"
    adverb: Both = ([], [])
    place: Both = ([], [])
    time: Both = ([], [])  # after the subject in Korean, last in English
    silent: bool = False  # the subject is never said
    owner: str = "n"  # whose {my ...} is
    hero: Actor | None = None  # ... if it is somebody with a name


@dataclass
class Said:
    """A clause in both languages."""

    clause: Clause
    parts: Parts
    ko: list[Ko]
    subject: list[En]  # empty where English leaves it out
    front: list[En]  # an opener, at the start of a sentence

    def verbal(self) -> list[En]:
        tail = [*self.clause.place[1], *self.clause.time[1]]
        return [*self.parts.finite(self.clause.adverb[1]), *tail]


@dataclass
class Unit:
    """A main clause with the clauses under it."""

    main: Said
    front: list[En]  # before the subject: When it rains,
    subject: list[En]
    tail: list[En]  # after the verb: before eating
    pause: list[Ko]

    @property
    def link(self) -> str:
        return self.main.clause.link

    @property
    def ending(self) -> Ko:
        return self.main.parts.predicate.ending


def _units(said: list[Said], pauses: list[list[Ko]], dated: bool) -> list[Unit]:
    units: list[Unit] = []
    under: list[Said] = []
    for number, one in enumerate(said):
        if one.clause.link in UNDER and number + 1 < len(said):
            under.append(one)
            continue
        front, tail = _under(under, first=not units and not dated)
        subject = one.subject
        for lower in reversed(under):  # After eating, *Minsu* went.
            same = lower.clause.actor is one.clause.actor and lower.clause.link not in FINITE
            if same and any(word.sure for word in lower.subject):  # Korean says it there, too
                subject = lower.subject
        units.append(Unit(one, front, subject, tail, pauses[number]))
        under = []
    return units


def _under(under: list[Said], first: bool) -> tuple[list[En], list[En]]:
    """What stands before the subject, and what after the verb; one thing at most before it, a
    time among them: not *Yesterday, while reading, Minsu ...*"""
    front: list[En] = []
    tail: list[En] = []
    for lower in under:
        link, predicate = lower.clause.link, lower.parts.predicate
        key = predicate.ko[-2:-1] if link in ("before", "after", "because") else predicate.ko[-1:]
        rest = [k for k in predicate.rest() if k not in key]
        pause = En(",", [], predicate.ko[-1:])
        opener = [*lower.front, En(",", [], lower.front[-1].sure)] if lower.front else []
        body = lower.verbal()
        if link in ("to", "for"):
            tail += [En("to", key), *body, *lower.front]
        elif link in FINITE:
            front += [*opener, En(link, key, rest), *lower.subject, *body, pause]
        elif lower.parts.own and first:
            front += [*opener, En(BARE[link], key, rest), *lower.subject, *body, pause]
        elif first and len(under) == 1 and link not in LATER:
            front += [*opener, En(BARE[link], key, rest), *body, pause]
        else:
            who = lower.subject if lower.parts.own else []
            tail += [En(BARE[link], key, rest), *who, *body, *lower.front]
    return front, tail


def _same_subject(one: Unit, two: Unit) -> bool:
    """Whether English says the subject once for both: went home and slept."""
    same = one.main.clause.actor is two.main.clause.actor is not None
    return same and not two.front and not one.main.parts.own and not two.main.parts.own


def _run(run: list[Unit]) -> list[En]:
    """Units with one subject: S did this, did that, and went there."""
    first = run[0]
    en: list[En] = [*first.main.front]
    if en and first.main.clause.opener not in UNPAUSED:
        en.append(En(",", [], en[-1].sure or en[-1].maybe))
    en += [*first.front, *first.subject, *first.main.verbal(), *first.tail]
    for number, (before, unit) in enumerate(zip(run, run[1:]), 1):
        if len(run) > 2:
            en.append(En(",", [], [*before.pause, before.ending]))
        if number == len(run) - 1:
            en.append(En("and", [before.ending], before.pause))
        verbal = unit.main.verbal()
        en += verbal[1:] if _will(unit.main) else verbal
        en += [*unit.tail, *unit.main.front]
    return en


def _will(one: Said) -> bool:
    aux = one.parts.group.aux
    return len(aux) == 1 and aux[0].text == "will"


def english_of(said: list[Said], pauses: list[list[Ko]], dated: bool = False) -> list[En]:
    """The English of the clauses of a sentence, put together; `dated`: a time comes first."""
    units = _units(said, pauses, dated)
    runs = [units[:1]]
    for unit in units[1:]:
        before = runs[-1][-1]
        if before.link in ("and", "then") and _same_subject(before, unit):
            runs[-1].append(unit)
        else:
            runs.append([unit])
    en = _run(runs[0])
    for number, (before, run) in enumerate(zip(runs, runs[1:]), 1):
        end = before[-1]
        if JOINED[end.link] == ".":
            en.append(En(".", [], [*end.pause, end.ending]))
            asked = _run(run)
            asked[0].text = asked[0].text[0].upper() + asked[0].text[1:]
            en += asked
            continue
        if JOINED[end.link] not in ("when", "that"):  # so tired that she went to bed
            en.append(En(",", [], [*end.pause, end.ending]))
        goes_on = number + 1 < len(runs) and run[-1].link == end.link == "and"
        if not goes_on:  # of a series only the last "and" is said
            en.append(En(JOINED[end.link], [end.ending], end.pause))
        en += _run(run)
    return en
