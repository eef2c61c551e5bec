"""Small stories: scenes.txt read, and walked from step to step."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from events import Event, parse
from joining import UNDER
from lexicon import Lexicon
from predicates import Mood
from tokens import HERE

_MODAL = re.compile(r"\[(\w+)\] ?")
_CLAUSE = re.compile(r"(?:([^;=]+); )?(.+?) = (.+)")
SHOWN = {"pres": "habit", "past": "past", "future": "future"}  # a tense of its own
LATER = ("다음", "이틀", "며칠")
NEGATIONS = {"not": "long", "unable": "unable"}


@dataclass(frozen=True)
class Beat:
    """One clause of a step: what happens, and how it leads on."""

    events: tuple[Event, Event]  # with 함께, with 같이
    link: str
    opener: str = ""
    modal: str = ""
    negated: str = ""
    joins: bool = False  # &w: what follows is done together
    alone: bool = False  # [alone]: by the one whom the story is about
    both: bool = False  # [both]: this, too

    def causes(self) -> int:
        """How many times it says *so*."""
        return (self.link == "so") + (self.opener == "그래서")

    def contrasts(self) -> int:
        """How many times it says *but*."""
        return (self.link in ("but", "yet")) + (self.opener in ("그런데", "하지만"))

    def mood(self, tense: str) -> Mood:
        """[pres] tells of what is so now, [past] of what was, [future] of what will be; what
        somebody is going to do is a plan."""
        if self.modal in SHOWN:
            return Mood(SHOWN[self.modal], "", self.negated)
        plan = tense == "future" and not self.modal and self.link not in UNDER
        return Mood(tense, "plan" if plan else self.modal, self.negated)

    def later(self) -> bool:
        """Whether it tells of another day than what came before."""
        said = [self.opener, *(item.text for item in self.events[0].ko)]
        return any(text.startswith(LATER) for text in said)


@dataclass
class Step:
    """One thing after another, each told in one of several ways."""

    ways: list[tuple[Beat, ...]] = field(default_factory=list)
    needed: bool = True
    opens: bool = False


@dataclass
class Scene:
    """A story with its roles."""

    name: str
    who: dict[str, str]  # S and w -> who may be it
    things: dict[str, str]  # letter -> classes, and # * +
    tenses: list[str]
    scale: str
    steps: list[Step]

    def letters(self, ways: list[tuple[Beat, ...]]) -> set[str]:
        """The roles that are needed to tell these steps."""
        return {slot for way in ways for beat in way for slot in beat.events[0].slots()} | {
            item.slot for way in ways for beat in way for item in beat.events[0].en if item.slot
        }


def _beat(text: str, lexicon: Lexicon) -> Beat:
    body, _, link = text.rpartition(" > ")
    alone, both = "[alone] " in body, "[both] " in body
    body = body.replace("[alone] ", "").replace("[both] ", "")
    modal = _MODAL.search(body)
    name = modal[1] if modal else ""
    body = _MODAL.sub("", body)
    match = _CLAUSE.fullmatch(body.strip())
    if match is None:
        raise ValueError(f"scenes.txt: a clause is 'Korean = English', got {text!r}")
    opener, korean, english = match[1] or "", match[2], match[3]
    events = []
    for word in ("함께", "같이"):
        ko = korean.replace("&w", f"{{w}}와 {word}")
        en = english.replace("&w", f"with/{word}+w: {{w}}")
        events.append(parse(ko, en, lexicon))
    negated = NEGATIONS.get(name, "")
    return Beat(
        (events[0], events[1]),
        link.strip(),
        opener.strip(),
        "" if negated else name,
        negated,
        joins="&w" in korean,
        alone=alone,
        both=both,
    )


def _header(line: str) -> Scene:
    name, who, things, times = (part.strip() for part in line[2:].split(" | "))
    *tenses, scale = times.split()
    roles = dict(part.split("=") for part in who.split())
    slots = dict(part.split("=", 1) for part in things.split() if part != "-")
    return Scene(name, roles, slots, tenses, scale, [])


def read_scenes(lexicon: Lexicon) -> list[Scene]:
    """All scenes of scenes.txt."""
    scenes: list[Scene] = []
    for line in (HERE / "scenes.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("@ "):
            scenes.append(_header(line))
            continue
        sign, text = line[0], line[2:]
        steps = scenes[-1].steps
        if sign != "|":
            steps.append(Step([], sign != "?", sign == "*" or not steps))
        way = tuple(_beat(part, lexicon) for part in _clauses(text))
        steps[-1].ways.append(way)
    return scenes


def _clauses(text: str) -> list[str]:
    return [part.strip() for part in text.split(" // ")]
