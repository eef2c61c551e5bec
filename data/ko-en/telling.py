"""From clauses to sentences: who is named and who is not, how clauses are joined, the links."""

from __future__ import annotations

from dataclasses import dataclass, field

from events import Event, Parts, Saying, realise
from lexicon import Lexicon
from nouns import Actor, Thing
from predicates import ASKING, Mood
from rows import Draft, fixed
from tokens import Both, En, Ko

# How a clause leads to the next -> its Korean ending.
ENDINGS = {
    "and": "and", "then": "seo", "so": "seo", "since": "nikka", "but": "jiman", "yet": "neunde",
    "and-so": "neunde", "when": "ttae", "if": "myeon", "before": "jeon", "after": "dwi",
    "while": "myeonseo", "during": "daga", "to": "ryeogo", "for": "reo", "because": "because",
}  # fmt: skip
UNDER = {"when", "if", "before", "after", "while", "during", "to", "for", "because"}
STOPS = {".", "!"}  # "!": always; a story may go on with -고 after "."
FINITE = {"when", "if", "because"}
BARE = {"before": "before", "after": "after", "while": "while", "during": "while"}  # + -ing
JOINED = {"and": "and", "then": "and", "so": "so", "since": "so", "but": "but", "yet": "but",
          "and-so": "and"}  # fmt: skip
# A word that opens a sentence or a clause: Korean pieces, English words and what they gloss.
OPENERS = {
    "그래서": ("그래서", "so:0"), "하지만": ("하지만", "however:0"), "그런데": ("그런데", "but:0"),
    "그다음에": ("그다음|에", "after:1 that:0"), "다음 날": ("다음 날", "the:?1 next:0 day:1"),
    "오전에는": ("오전|에는", "in:1 the:?0 morning:0"),
    "오후에는": ("오후|에는", "in:1 the:?0 afternoon:0"),
    "저녁에는": ("저녁|에는", "in:1 the:?0 evening:0"),
    "잠시 후": ("잠시 후", "a:?0 little:0 later:1"), "마지막으로": ("마지막|으로", "finally:0"),
    "밤에는": ("밤|에는", "at:1 night:0"), "결국": ("결국", "in:?0 the:?0 end:0"),
    "다행히": ("다행히", "luckily:0"), "그날": ("그날", "that:0 day:0"),
    "주말에는": ("주말|에는", "on:1 the:?0 weekend:0"),
}  # fmt: skip
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


class Teller:
    """Tells clauses as sentences, in one register."""

    def __init__(self, lexicon: Lexicon, register: str, spoken: bool = False) -> None:
        self.lexicon, self.register, self.spoken = lexicon, register, spoken
        self.met: list[Actor] = []  # who has been named
        self.last: Actor | None = None  # whom Korean need not name again

    def tell(self, clauses: list[Clause], kind: str, time: Both = ([], []), *,
             stop: str = ".", ending: str = "final") -> Draft:  # fmt: skip
        """A story; clauses whose link is "." end a sentence."""
        ko: list[Ko] = [*time[0]]
        en: list[En] = [*time[1]]
        if time[0]:
            en.append(En(",", [], time[0][-1:]))
        ends: list[Ko] = []
        start = 0
        for number, clause in enumerate(clauses):
            if clause.link not in STOPS and number < len(clauses) - 1:
                continue
            more_ko, more_en, more_ends = self._sentence(clauses[start : number + 1], ending)
            if start:
                end = Ko(".", glued=True)
                en.append(En(".", [], [end, ko[-1]]))
                ko.append(end)
                more_en[0].text = more_en[0].text[0].upper() + more_en[0].text[1:]
            ko, en, start = [*ko, *more_ko], [*en, *more_en], number + 1
            ends += more_ends
        return Draft((ko, en), kind, stop, ends, combinations(clauses))

    def _sentence(self, clauses: list[Clause], ending: str) -> tuple[list[Ko], list[En], list[Ko]]:
        said = [self._say(clauses, number, ending) for number in range(len(clauses))]
        _share_will(said)
        ko: list[Ko] = []
        ends = []
        pauses: list[list[Ko]] = []
        for number, one in enumerate(said):
            ko += one.ko
            ends.append(ko[-1])
            pauses.append([])
            if number + 1 < len(said) and self._pause(said, number):
                pauses[-1] = [Ko(",", glued=True)]
                ko += pauses[-1]
        return ko, self._english(said, pauses), ends

    def _pause(self, said: list[Said], number: int) -> bool:
        """Whether Korean writes a comma: where the subject changes in a longer sentence."""
        link = said[number].clause.link
        changes = said[number + 1].clause.actor is not said[number].clause.actor
        if link in ("but", "yet", "and-so"):
            return changes or len(said) > 2
        return link == "and" and changes

    # One clause -------------------------------------------------------------------------------

    def _say(self, clauses: list[Clause], number: int, ending: str) -> Said:
        clause = clauses[number]
        last = number == len(clauses) - 1
        following = None if last else clauses[number + 1]
        link = "." if last or clause.link in STOPS else clause.link
        mark = ending if link == "." else ENDINGS[link]
        same = following is not None and following.actor is clause.actor is not None
        if mark == "and" and same and not clause.mood.negated:
            mark = "go"
        actor = clause.actor
        form = "ing" if link in BARE and not clause.event.own else "finite"
        if link in ("to", "for") or mark in ASKING:
            form = "base"
        subject_ko, subject_en = ([], []) if mark in ASKING else self._subject(clause, link)
        how = Saying(
            mark, clause.mood, self.register, actor is not None and actor.honoured,
            actor.agrees if actor else "3sg", form, short=self.register == "polite",
            owner=clause.owner if actor is None else actor.group,
            before=(*clause.time[0], *clause.adverb[0], *clause.place[0]),
        )  # fmt: skip
        if link in ("if", "when") and clause.mood.tense == "future":
            how.mood = Mood("habit", clause.mood.modal, clause.mood.negated)
        parts = realise(clause.event, clause.things, self.lexicon, how)
        for key in clause.event.slots():
            if key in clause.things:
                clause.things[key] = clause.things[key].again()
        front_ko, front_en = fixed(*OPENERS[clause.opener]) if clause.opener else ([], [])
        said = Said(clause, parts, [*front_ko, *subject_ko, *parts.ko], subject_en, front_en)
        if mark in ASKING:
            said.subject = _request(mark, parts, self.register)
        elif parts.own:
            said.subject = parts.own
        elif actor is not None and not subject_en:
            said.subject = [actor.pronoun(0, parts.predicate.ko)]
        return said

    def _subject(self, clause: Clause, link: str) -> Both:
        """The subject where it is said; ([], []) where Korean leaves it out."""
        actor = clause.actor
        if actor is None:
            return [], []
        if actor is self.last or clause.silent:
            self.last = actor
            if actor not in self.met:
                self.met.append(actor)
            return [], []
        known = actor in self.met
        phrase = actor.phrase(self.register, self.spoken)
        apart = link in ("if", "when", "so", "since", "because") and self.last is not None
        mark = "subject" if apart and not known else clause.mark
        ko = phrase.marked(mark)
        en = phrase.en
        if known and not self._confusing(actor):
            en = [En(actor.pronoun(0).text, ko[:-1], ko[-1:])]
        self.last = actor
        if not known:
            self.met.append(actor)
        return ko, en

    def _confusing(self, actor: Actor) -> bool:
        """Whether a pronoun could also be somebody else who has been named."""
        unknown = actor.agrees == "3sg" and not actor.gender
        return unknown or any(o is not actor and o.group == actor.group for o in self.met)

    # English ----------------------------------------------------------------------------------

    def _english(self, said: list[Said], pauses: list[list[Ko]]) -> list[En]:
        units = _units(said, pauses)
        runs = [units[:1]]
        for unit in units[1:]:
            before = runs[-1][-1]
            if before.link in ("and", "then") and _same_subject(before, unit):
                runs[-1].append(unit)
            else:
                runs.append([unit])
        en = _run(runs[0])
        for before, run in zip(runs, runs[1:]):
            end = before[-1]
            en.append(En(",", [], [*end.pause, end.ending]))
            en += [En(JOINED[end.link], [end.ending], end.pause), *_run(run)]
        return en


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


def _units(said: list[Said], pauses: list[list[Ko]]) -> list[Unit]:
    units: list[Unit] = []
    under: list[Said] = []
    for number, one in enumerate(said):
        if one.clause.link in UNDER and number + 1 < len(said):
            under.append(one)
            continue
        front, tail = _under(under, first=not units)
        subject = one.subject
        for lower in reversed(under):  # After eating, *Minsu* went.
            if lower.clause.actor is one.clause.actor and lower.clause.link not in FINITE:
                subject = lower.subject
        units.append(Unit(one, front, subject, tail, pauses[number]))
        under = []
    return units


def _under(under: list[Said], first: bool) -> tuple[list[En], list[En]]:
    """What stands before the subject, and what after the verb."""
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
            tail += [En("to", key), *body]
        elif link in FINITE:
            front += [*opener, En(link, key, rest), *lower.subject, *body, pause]
        elif lower.parts.own:
            front += [*opener, En(BARE[link], key, rest), *lower.subject, *body, pause]
        elif first and len(under) == 1:
            front += [*opener, En(BARE[link], key, rest), *body, pause]
        else:
            tail += [En(BARE[link], key, rest), *body]
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


def _request(ending: str, parts: Parts, register: str) -> list[En]:
    """please, please do not, let's, shall we: what stands before the verb."""
    tail = parts.predicate.rest()
    if ending == "lets":
        return [En("let's", tail)]
    if ending == "shall":
        return [En("shall", tail), En("we", [], tail)]
    polite = [En("please", [], tail)] if register != "plain" else []
    if ending == "dont":
        parts.group.verb[:0] = parts.group.aux
        parts.group.aux = []
        no = parts.group.verb.pop(0)
        if register == "formal":
            return [*polite, En("do", [], tail), no]
        return [*polite, En("don't", no.sure, tail)]
    return polite


def combinations(clauses: list[Clause]) -> set[tuple[str, str]]:
    """Which verb has which object in these clauses."""
    return {
        (clause.event.verb.stem, clause.things[slot].entry.ko)
        for clause in clauses
        for slot in clause.event.objects()
        if slot in clause.things
    }


def _will(one: Said) -> bool:
    aux = one.parts.group.aux
    return len(aux) == 1 and aux[0].text == "will"


def _share_will(said: list[Said]) -> None:
    """The future is said once in Korean, at the end: every *will* stands for that."""
    last = said[-1].parts.predicate
    for one in said:
        for token in one.parts.group.aux:
            if token.text == "will" and not token.sure:
                token.sure = list(last.helpers)
