"""Tokens, the lexicon, and the phrases both languages share: who, what, where, when.

A phrase holds its Korean tokens and its English tokens; every English token knows the Korean
tokens it stands for (`sure`) and those it may be counted for (`maybe`).
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import english
import hangul

Item = TypeVar("Item")
HERE = Path(__file__).parent


class Dice:
    """Choices made from `random.Random(seed).random()` only: its numbers are the same in every
    version of Python, those of `choice` and `shuffle` are not."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed).random

    def pick(self, items: Sequence[Item]) -> Item:
        return items[int(self.random() * len(items))]

    def chance(self, probability: float) -> bool:
        return self.random() < probability

    def weighted(self, items: dict[Item, float]) -> Item:
        point = self.random() * sum(items.values())
        for item, weight in items.items():
            point -= weight
            if point < 0:
                return item
        return item


class Ko:
    """A Korean token; `glued` to the one before it if it is not the first of its eojeol."""

    __slots__ = ("text", "glued")

    def __init__(self, text: str, glued: bool = False) -> None:
        self.text, self.glued = text, glued


class En:
    """An English token and its links."""

    __slots__ = ("text", "sure", "maybe")

    def __init__(self, text: str, sure: Sequence[Ko] = (), maybe: Sequence[Ko] = ()) -> None:
        self.text, self.sure, self.maybe = text, list(sure), list(maybe)


def eojeol(*pieces: str) -> list[Ko]:
    """One written word of Korean, cut into these pieces."""
    return [Ko(piece, glued=number > 0) for number, piece in enumerate(pieces)]


@dataclass(frozen=True)
class Entry:
    """One line of lexicon.tsv."""

    kind: str
    ko: str
    en: str
    classes: frozenset[str]
    more: dict[str, str] = field(hash=False, compare=False)

    def plural(self) -> str:
        return self.more.get("plural", "").replace("|", " ") or english.plural(self.en)

    @property
    def verb(self) -> hangul.Verb:
        return hangul.Verb(self.ko, self.more.get("irregular", ""), adjective=True)


def read_table(name: str) -> list[list[str]]:
    """The rows of a tab-separated table beside this file, comments left out."""
    with open(HERE / name, encoding="utf-8", newline="") as lines:
        rows = csv.reader((line for line in lines if not line.startswith("#")), delimiter="\t")
        return [row for row in rows if row]


def read_lexicon() -> list[Entry]:
    entries = []
    for kind, ko, en, classes, *more in read_table("lexicon.tsv"):
        pairs = (word.partition("=") for word in " ".join(more).split())
        values = {name: value or "yes" for name, _, value in pairs}
        entries.append(Entry(kind, ko, en, frozenset([*classes.split(), kind]), values))
    return entries


@dataclass
class Phrase:
    """A noun phrase. `head` is the English token that particles and the verb may lean on."""

    ko: list[Ko]
    en: list[En]
    head: En
    agrees: str = "3sg"  # 1sg, 2, 3sg or pl: for the English verb
    honoured: bool = False
    opening: En | None = None  # an article whose possible links grow with the phrase

    def marked(self, kind: str) -> list[Ko]:
        """The Korean side with a particle attached."""
        before = self.ko[-1].text
        if self.honoured and kind in ("topic", "subject", "to"):
            kind = "honoured " + kind
        if kind == "subject" and before in ("저", "나", "너"):
            # 저 and 나 change before 가: 제가, 내가, 네가.
            self.ko[-1].text = {"저": "제", "나": "내", "너": "네"}[before]
        mark = Ko(hangul.particle(before, kind), glued=True)
        self.head.maybe.append(mark)
        if self.opening:
            self.opening.maybe.append(mark)
        return [*self.ko, mark]

    def after_preposition(self, word: str, kind: str) -> tuple[list[Ko], list[En]]:
        """Both sides with a particle and the preposition that translates it."""
        marked = self.marked(kind)
        return marked, [En(word, [marked[-1]], self.head.sure), *self.en]


def words(text: str, sure: Sequence[Ko], maybe: Sequence[Ko] = ()) -> list[En]:
    """English words that all stand for the same Korean tokens; articles only possibly."""
    return [
        En(word, [], [*sure, *maybe]) if word in ("a", "the", "of", "to") else En(word, sure, maybe)
        for word in text.split()
    ]


def and_between(first: Phrase, second: Phrase) -> Phrase:
    """사과와 배, an apple and a pear."""
    joined = first.marked("with")
    link = En("and", [joined[-1]])
    return Phrase(
        [*joined, *second.ko], [*first.en, link, *second.en], second.head, "pl", opening=None
    )


class Phrases:
    """Draws phrases from the lexicon."""

    def __init__(self, dice: Dice, entries: list[Entry]) -> None:
        self.dice = dice
        self.of_kind: dict[str, list[Entry]] = {}
        for entry in entries:
            self.of_kind.setdefault(entry.kind, []).append(entry)
        self._found: dict[tuple[str, frozenset[str]], list[Entry]] = {}
        self.used: set[str] = set()  # no noun twice in a sentence

    def find(self, kind: str, classes: str | frozenset[str]) -> list[Entry]:
        """All entries of a kind that belong to one of the classes."""
        wanted = frozenset(classes.split()) if isinstance(classes, str) else classes
        key = (kind, wanted)
        if key not in self._found:
            self._found[key] = [e for e in self.of_kind[kind] if e.classes & wanted]
        return self._found[key]

    def fresh(self, entries: Sequence[Entry]) -> Entry | None:
        """One that the sentence has not used yet; None if there is none."""
        left = [entry for entry in entries if entry.ko not in self.used]
        if not left:
            return None
        entry = self.dice.pick(left)
        self.used.add(entry.ko)
        return entry

    # Nouns ------------------------------------------------------------------------------------

    def name(self) -> Phrase | None:
        entry = self.fresh(self.of_kind["name"])
        if entry is None:
            return None
        ko = eojeol(entry.ko)
        en = [En(entry.en, ko)]
        return Phrase(ko, en, en[0])

    def noun(
        self,
        entry: Entry,
        article: str = "a",
        *,
        number: Entry | None = None,
        adjective: Entry | None = None,
        determiner: str = "",
        many: bool = False,
        bulk: bool = False,
    ) -> Phrase:
        """A noun with what may stand around it: 이 빨간 사과, 사과 세 개, 학생들, 커피 두 잔."""
        front: list[Ko] = []
        en: list[En] = []
        if determiner:
            front += eojeol(determiner)
        if adjective is not None:
            form = adjective.ko if adjective.kind == "determiner" else hangul.with_n(adjective.verb)
            front += eojeol(form)
            en += words(adjective.en, front[-1:])
        noun_ko = eojeol(entry.ko)
        ko = [*front, *noun_ko]
        counter, _, measure = entry.more.get("counter", "").partition(":")
        if entry.kind in ("person", "animal") and not counter:
            counter = "명" if entry.kind == "person" else "마리"
        amount = int(min(number.classes)) if number is not None else 1
        mass, only_many = "mass" in entry.more, "many" in entry.more
        # What is bought and eaten by the handful has no number in Korean and a plural in English.
        bulk = number is None and (bulk or "bulk" in entry.classes)
        several = amount > 1 or many or bulk
        if several and not mass or only_many:
            text = entry.plural() if not only_many or entry.en[-1] != "s" else entry.en
        else:
            text = entry.en
        noun_en = words(text, noun_ko)
        if many:
            ko.append(Ko("들", glued=True))
            noun_en[-1].maybe.append(ko[-1])
        opening = None
        if number is not None:
            ko += [*eojeol(number.ko), *eojeol(counter)]
            count = En(number.en, [ko[-2]], [ko[-1]])
            if measure:
                unit = En(english.plural(measure) if amount > 1 else measure, [ko[-1]])
                en = [count, unit, En("of", [], [ko[-1], *noun_ko]), *en, *noun_en]
            else:
                noun_en[-1].maybe.append(ko[-1])
                en = [count, *en, *noun_en]
            opening = count if not measure else None
        elif determiner:
            plenty = several or only_many
            word = {"이": "these" if plenty else "this", "그": "those" if plenty else "that"}
            en = [En(word[determiner], front[:1]), *en, *noun_en]
        else:
            en = [*en, *noun_en]
            if article == "the" or (article == "a" and not (mass or several or only_many)):
                opening = En(article, [], [*ko])
                en.insert(0, opening)
        agrees = "pl" if several or (only_many and not mass) else "3sg"
        if number is not None and measure:
            agrees = "pl" if amount > 1 else "3sg"
        return Phrase(ko, en, noun_en[-1], agrees, "honoured" in entry.classes, opening)

    def adjective_for(self, entry: Entry, predicative: bool = False) -> Entry | None:
        """An adjective that makes sense with this noun."""
        fitting = list(self.find("adjective", entry.classes))
        if not predicative:
            fitting += self.find("determiner", entry.classes)
        fitting = [a for a in fitting if a.ko not in self.used]
        if not fitting:
            return None
        adjective = self.dice.pick(fitting)
        self.used.add(adjective.ko)
        return adjective

    def number(self, most: int = 10) -> Entry:
        small = self.of_kind["number"][:most]
        return self.dice.pick(small[:4] if self.dice.chance(0.7) else small)

    def thing(
        self,
        classes: str,
        *,
        most: int = 6,
        described: bool = True,
        pointed: bool = True,
        bulk: bool = False,
    ) -> Phrase | None:
        """An object of a verb, often with a number (up to `most`), an adjective, or both.

        `described`: it may have an adjective; `pointed`: it may have 이 or 그; `bulk`: English has
        the plural where Korean has no number.
        """
        entry = self.fresh(self.find("noun", classes))
        if entry is None:
            return None
        dice = self.dice
        if "the" in entry.more:
            return self.noun(entry, "the")
        adjective = self.adjective_for(entry) if described and dice.chance(0.3) else None
        determiner = ""
        number = None
        if most and "counter" in entry.more and dice.chance(0.35):
            number = self.number(most)
        elif pointed and dice.chance(0.08) and "mass" not in entry.more:
            determiner = dice.pick(["이", "그"])
        return self.noun(
            entry, number=number, adjective=adjective, determiner=determiner, bulk=bulk
        )

    # Places -----------------------------------------------------------------------------------

    def place_noun(self, entry: Entry) -> Phrase:
        ko = eojeol(entry.ko)
        en = words(entry.en, ko)
        opening = None
        if "bare" not in entry.more and entry.ko != "집":
            opening = En("the", [], ko)
            en.insert(0, opening)
        return Phrase(ko, en, en[-1], opening=opening)

    def at(self, entry: Entry, preposition: str = "") -> tuple[list[Ko], list[En]]:
        """공원에서, in the park: where something is done."""
        return self.place_noun(entry).after_preposition(preposition or entry.more["at"], "from")

    def toward(self, entry: Entry, kind: str, word: str) -> tuple[list[Ko], list[En]]:
        """공원에, 공원으로: to the park. Home takes no preposition in English."""
        place = self.place_noun(entry)
        if entry.ko == "집":
            return place.marked(kind), place.en
        return place.after_preposition(word, kind)

    # Times ------------------------------------------------------------------------------------

    def time(self, tense: str, scale: str) -> tuple[list[Ko], list[En]]:
        """어제 오후에, yesterday afternoon: a time that fits the tense and the kind of action."""
        dice = self.dice
        kinds = TIMES[tense, scale]
        return dice.pick(kinds)(dice)


Time = Callable[[Dice], tuple[list[Ko], list[En]]]


def fixed(korean: str, english_words: str) -> Time:
    """A time written "지난주|에" and translated word for word: "last:0 week:0".

    The number after the colon is the Korean token a word stands for; "?" makes it possible only.
    """

    def make(dice: Dice) -> tuple[list[Ko], list[En]]:
        ko = [piece for word in korean.split() for piece in eojeol(*word.split("|"))]
        en = []
        for item in english_words.split():
            word, _, numbers = item.partition(":")
            sure = [ko[int(n)] for n in numbers.split(",") if n and "?" not in n]
            maybe = [ko[int(n.strip("?"))] for n in numbers.split(",") if "?" in n]
            en.append(En(word, sure, maybe))
        if korean.endswith("|에"):
            en[-1].maybe.append(ko[-1])
        return ko, en

    return make


DAYS = {
    "월요일": "Monday", "화요일": "Tuesday", "수요일": "Wednesday", "목요일": "Thursday",
    "금요일": "Friday", "토요일": "Saturday", "일요일": "Sunday",
}  # fmt: skip
HOURS = {"오전": ("morning", 6, 11), "오후": ("afternoon", 1, 5), "저녁": ("evening", 6, 9)}
CLOCK = ["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한"]
CLOCK_EN = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]


def weekday(ko_before: str, en_before: str) -> Time:
    """지난 토요일에, last Saturday."""

    def make(dice: Dice) -> tuple[list[Ko], list[En]]:
        day = dice.pick(list(DAYS))
        return fixed(f"{ko_before} {day}|에", f"{en_before}:0 {DAYS[day]}:1")(dice)

    return make


def every_weekday(dice: Dice) -> tuple[list[Ko], list[En]]:
    """토요일마다, every Saturday."""
    day = dice.pick(list(DAYS))
    return fixed(f"{day}|마다", f"every:1 {DAYS[day]}:0")(dice)


def clock(day_ko: str, day_en: str) -> Time:
    """어제 오후 세 시에, at three yesterday afternoon; 내일 오전 아홉 시에."""

    def make(dice: Dice) -> tuple[list[Ko], list[En]]:
        part = dice.pick(list(HOURS))
        name, first, last = HOURS[part]
        hour = first + int(dice.random() * (last - first + 1)) - 1
        ko = f"{day_ko} {part} {CLOCK[hour]} 시|에"
        return fixed(ko, f"at:4 {CLOCK_EN[hour]}:2,3? {day_en}:0 {name}:1")(dice)

    return make


def every_day_at(dice: Dice) -> tuple[list[Ko], list[En]]:
    """매일 오전 일곱 시에, at seven every morning."""
    part = dice.pick(list(HOURS))
    name, first, last = HOURS[part]
    hour = first + int(dice.random() * (last - first + 1)) - 1
    return fixed(
        f"매일 {part} {CLOCK[hour]} 시|에", f"at:4 {CLOCK_EN[hour]}:2,3? every:0 {name}:1"
    )(dice)


PAST_DAY = [
    fixed("어제", "yesterday:0"),
    fixed("그저께", "the:?0 day:0 before:0 yesterday:0"),
    weekday("지난", "last"),
]
PAST_HOUR = [
    fixed("어제 아침|에", "yesterday:0 morning:1"),
    fixed("어제 오후|에", "yesterday:0 afternoon:1"),
    fixed("어제 저녁|에", "yesterday:0 evening:1"),
    fixed("오늘 아침|에", "this:0 morning:1"),
    clock("어제", "yesterday"),
]
PAST_LONG = [
    fixed("지난주|에", "last:0 week:0"),
    fixed("지난달|에", "last:0 month:0"),
    fixed("작년|에", "last:0 year:0"),
    fixed("지난여름|에", "last:0 summer:0"),
    fixed("지난겨울|에", "last:0 winter:0"),
]
FUTURE_DAY = [
    fixed("내일", "tomorrow:0"),
    fixed("모레", "the:?0 day:0 after:0 tomorrow:0"),
    weekday("이번", "this"),
]
FUTURE_HOUR = [
    fixed("내일 아침|에", "tomorrow:0 morning:1"),
    fixed("내일 오후|에", "tomorrow:0 afternoon:1"),
    fixed("내일 저녁|에", "tomorrow:0 evening:1"),
    fixed("오늘 저녁|에", "this:0 evening:1"),
    clock("내일", "tomorrow"),
]
FUTURE_LONG = [
    fixed("다음 주|에", "next:0 week:1"),
    fixed("다음 달|에", "next:0 month:1"),
    fixed("내년|에", "next:0 year:0"),
    fixed("내년 여름|에", "next:0 summer:1"),
]
HABIT_DAY = [
    fixed("매일", "every:0 day:0"),
    fixed("주말|마다", "every:1 weekend:0"),
    every_weekday,
]
HABIT_HOUR = [
    fixed("아침|마다", "every:1 morning:0"),
    fixed("저녁|마다", "every:1 evening:0"),
    every_day_at,
]
NOW = [fixed("지금", "now:0")]
TIMES: dict[tuple[str, str], list[Time]] = {
    ("past", "day"): [*PAST_DAY, *PAST_HOUR],
    ("past", "long"): [*PAST_DAY[2:], *PAST_LONG],
    ("past", "live"): PAST_LONG[2:],
    ("past", "meal"): PAST_DAY,
    ("past", "night"): [fixed("어젯밤|에", "last:0 night:0")],
    ("future", "day"): [*FUTURE_DAY, *FUTURE_HOUR],
    ("future", "long"): [*FUTURE_DAY[2:], *FUTURE_LONG],
    ("future", "live"): FUTURE_LONG[2:],
    ("future", "meal"): FUTURE_DAY,
    ("future", "night"): FUTURE_DAY,
    ("habit", "day"): [*HABIT_DAY, *HABIT_HOUR],
    ("habit", "long"): HABIT_DAY,
    ("habit", "live"): [],
    ("habit", "meal"): HABIT_DAY,
    ("habit", "night"): HABIT_DAY[:1],
    ("now", "day"): NOW,
    ("now", "long"): NOW,
    ("now", "live"): NOW,
    ("now", "meal"): NOW,
    ("now", "night"): NOW,
}
