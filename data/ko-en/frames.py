"""frames.tsv and questions.tsv: which verb goes with what, where and in which construction."""

from __future__ import annotations

from dataclasses import dataclass

from events import Event, parse
from lexicon import Lexicon
from tokens import read_table

Slots = tuple[tuple[str, str], ...]  # letter -> classes, and # * +


@dataclass(frozen=True)
class Frame:
    """One line of frames.tsv."""

    who: str
    event: Event
    slots: Slots
    places: str
    times: str  # of the past and the future
    habits: str  # of what is done again and again
    tenses: tuple[str, ...]
    uses: frozenset[str]


@dataclass(frozen=True)
class Question:
    """One line of questions.tsv."""

    when: str
    times: tuple[str, ...]  # tense and scale; empty where no time is said
    timed: bool  # never without a time
    slots: Slots
    formal: Event  # with 무엇
    spoken: Event  # with 뭘


def _slots(text: str) -> Slots:
    pairs = [part.partition("=") for part in text.split() if part != "-"]
    return tuple((letter, spec) for letter, _, spec in pairs)


def read_frames(lexicon: Lexicon) -> list[Frame]:
    frames = []
    for who, ko, en, slots, places, times, tenses, uses in read_table("frames.tsv"):
        scale, _, habits = times.replace("-", "").partition("/")
        event = parse(ko, en, lexicon)
        where = places.replace("-", "") if places == "-" else places
        tense = () if tenses == "-" else tuple(tenses.split())
        flags = frozenset(uses.split()) - {"-"}
        frames.append(Frame(who, event, _slots(slots), where, scale, habits or scale, tense, flags))
    return frames


def read_questions(lexicon: Lexicon) -> list[Question]:
    questions = []
    for when, times, slots, ko, en in read_table("questions.tsv"):
        spoken = parse(ko.replace("무엇|을", "뭘"), en.replace("/무엇", "/뭘"), lexicon)
        scale = () if times == "-" else tuple(times.rstrip("!").split())
        timed = times.endswith("!")
        formal = parse(ko, en, lexicon)
        questions.append(Question(when, scale, timed, _slots(slots), formal, spoken))
    return questions
