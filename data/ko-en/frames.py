"""frames.tsv: which verb goes with what, where and when."""

from __future__ import annotations

from dataclasses import dataclass

from events import Event, parse
from lexicon import Lexicon
from tokens import read_table


@dataclass(frozen=True)
class Frame:
    """One line of frames.tsv."""

    who: str
    event: Event
    slots: tuple[tuple[str, str], ...]  # letter -> classes, and # * +
    places: str
    times: str
    flags: frozenset[str]


def read_frames(lexicon: Lexicon) -> list[Frame]:
    frames = []
    for who, korean, english, slots, places, times, flags in read_table("frames.tsv"):
        pairs = [part.split("=") for part in slots.split() if part != "-"]
        frames.append(
            Frame(
                who,
                parse(korean, english, lexicon),
                tuple((letter, spec) for letter, spec in pairs),
                "" if places == "-" else places,
                "" if times == "-" else times,
                frozenset(flags.split()) - {"-"},
            )
        )
    return frames
