"""Noun phrases in both languages: somebody, something, so many of it, and what stands for it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import english
import hangul
from lexicon import Entry
from tokens import En, Ko, eojeol, marked, words

# Who speaks: the pronouns that go with a register.
SELF = {"formal": "저", "polite": "저", "plain": "나"}
MY = {"formal": "제", "polite": "제", "plain": "내"}
SUBJECT_FORMS = {"저": "제", "나": "내", "너": "네"}  # before 가
RAISED = ("topic", "subject", "also", "to", "to (spoken)")  # particles that change for an elder


@dataclass
class Phrase:
    """A noun phrase. `head` is the English token that particles and the verb may lean on."""

    ko: list[Ko]
    en: list[En]
    head: En
    agrees: str = "3sg"  # 1sg, 2, 3sg or pl: for the English verb
    honoured: bool = False
    opening: En | None = None  # an article whose possible links grow with the phrase
    done_by: str = ""  # the verb for what others are done (하다): 치 of tennis

    def marked(self, kind: str) -> list[Ko]:
        """The Korean side with a particle attached; what is not said has none."""
        if not self.ko or not kind:
            return self.ko
        before = self.ko[-1].text
        if self.honoured and kind in RAISED:
            kind = "honoured " + kind.removesuffix(" (spoken)")
        if kind == "subject" and before in SUBJECT_FORMS:
            self.ko[-1].text = SUBJECT_FORMS[before]
        mark = Ko(hangul.particle(before, kind), glued=True)
        self.head.maybe.append(mark)
        if self.opening:
            self.opening.maybe.append(mark)
        return [*self.ko, mark]


@dataclass
class Thing:
    """What a clause speaks of: the word, how many, what it is like, and whether it is known."""

    entry: Entry
    number: Entry | None = None
    digits: bool = False
    adjective: Entry | None = None
    determiner: str = ""
    bulk: bool = False  # no number in Korean, a plural in English: 감자, potatoes
    known: bool = False  # spoken of before: the apples

    @property
    def mass(self) -> bool:
        return "mass" in self.entry.more

    @property
    def several(self) -> bool:
        """Whether English has the plural."""
        counted = self.number is not None and self.number.classes - {"number", "1"} != set()
        if self.mass:
            return counted
        return counted or self.bulk or "many" in self.entry.more

    def again(self) -> Thing:
        """The same thing when it is spoken of once more: the apples."""
        plural = self.several and not self.mass
        return replace(self, number=None, adjective=None, determiner="", bulk=plural, known=True)

    def variant(self) -> str:
        """How it is said where nothing else is asked for."""
        return ""

    def phrase(self, variant: str = "", owner: str = "") -> Phrase:
        """Its words. Variants: the, a, 0 (bare), + (plural), my (whose: `owner`), it, that."""
        if variant in ("it", "they"):
            row = "pl" if self.several and not self.mass else "n"
            word = En(english.PRONOUNS[row][0 if variant == "they" else 1])
            return Phrase([], [word], word, "pl" if row == "pl" else "3sg")
        thing = self
        if "+" in variant:
            thing, variant = replace(self, bulk=True), variant.replace("+", "") or "0"
        if variant == "a":
            thing = replace(self, known=False)
        if "the" in self.entry.more and not variant:
            variant = "the"
        made = _spelled(thing, variant, owner)
        made.honoured = "honoured" in self.entry.classes
        made.done_by = self.entry.more.get("do", "")
        return made


def _spelled(thing: Thing, variant: str, owner: str) -> Phrase:
    entry, front, en = thing.entry, [], []
    if thing.determiner:
        front += eojeol(thing.determiner)
    if thing.adjective is not None:
        adjective = thing.adjective
        form = adjective.ko if adjective.kind == "determiner" else hangul.with_n(adjective.verb)
        front += eojeol(form)
        en += words(adjective.en, front[-1:])
    noun = eojeol(*entry.more.get("cut", entry.ko).split("|"))
    ko = [*front, *noun]
    plural = thing.several and not thing.mass
    body = words(entry.plural() if plural else entry.en, noun)
    if thing.number is not None:
        return _counted(thing, ko, noun, en, body)
    en = [*en, *body]
    opening = None
    if thing.determiner:
        word = {"이": "these", "그": "those"} if plural else {"이": "this", "그": "that"}
        en = [En(word[thing.determiner], front[:1]), *en]
    elif variant == "my":
        en = [En(english.PRONOUNS[owner][2], [], ko), *en]
    elif "bare" not in entry.more and (variant == "the" or thing.known and variant != "0"):
        opening = En("the", [], [*ko])
    elif _takes_a(thing, variant, plural):
        opening = En("a", [], [*ko])
    if opening:
        en = [opening, *en]
    return Phrase(ko, en, body[-1], "pl" if plural else "3sg", opening=opening)


def _takes_a(thing: Thing, variant: str, plural: bool) -> bool:
    """An apple, a cake that somebody makes; but ate cake."""
    if variant == "a" and "whole" in thing.entry.more:
        return True
    return variant != "0" and not (thing.mass or plural or "bare" in thing.entry.more)


def _counted(thing: Thing, ko: list[Ko], noun: list[Ko], en: list[En], body: list[En]) -> Phrase:
    """사과 세 개, 사과 3개, 커피 두 잔, 사과 한 개 (an apple)."""
    entry, number = thing.entry, thing.number
    assert number is not None
    counter, _, measure = entry.more.get("counter", "").partition(":")
    if not counter:
        counter = {"person": "명", "animal": "마리"}.get(entry.kind, "개")
    amount = int(min(number.classes - {"number"}))
    if thing.digits:
        tail = eojeol(str(amount), counter)
    else:
        tail = [*eojeol(number.ko), *eojeol(counter)]
    count = En("a" if amount == 1 else number.en, tail[:1], tail[1:])
    if measure:
        unit = En(english.plural(measure) if amount > 1 else measure, tail[1:])
        en = [count, unit, En("of", [], [tail[1], *noun]), *en, *body]
    else:
        body[-1].maybe.append(tail[1])
        en = [count, *en, *body]
    agrees = "pl" if amount > 1 else "3sg"
    return Phrase([*ko, *tail], en, body[-1], agrees)


@dataclass
class Actor:
    """Somebody a sentence is about: Minsu, my mother, the doctor, I."""

    entry: Entry | None  # None: I or we
    agrees: str = "3sg"
    gender: str = ""  # m, f, or "" where it is not known
    known: bool = True  # the doctor; else a doctor
    determiner: str = ""  # 그, that
    whose: Actor | None = None  # family and friends: his mother
    number: Entry | None = None
    many: bool = False
    beast: bool = False
    things: dict[str, Thing] = field(default_factory=dict)

    @property
    def honoured(self) -> bool:
        return self.entry is not None and "honoured" in self.entry.classes

    @property
    def me(self) -> bool:
        return self.entry is None

    @property
    def alone(self) -> bool:
        """I, and not we."""
        return self.me and self.agrees == "1sg"

    @property
    def group(self) -> str:
        """The row of the table of pronouns."""
        if self.me and self.agrees != "2":
            return "1pl" if self.agrees == "pl" else "1sg"
        if self.agrees in ("pl", "2"):
            return self.agrees
        return self.gender or ("n" if self.beast else "pl")

    def pronoun(self, case: int = 0, links: list[Ko] | None = None) -> En:
        """I, he, them: 0 subject, 1 object, 2 possessive."""
        return En(english.PRONOUNS[self.group][case], [], links or [])

    def phrase(self, register: str, spoken: bool = False) -> Phrase:
        """Its first mention; a `spoken` name is 수진이는 among friends, else 수진 씨는."""
        if self.me:
            ko = eojeol("우리" if self.agrees == "pl" else SELF[register])
            word = En("we" if self.agrees == "pl" else "I", ko)
            return Phrase(ko, [word], word, self.agrees)
        entry = self.entry
        assert entry is not None
        if entry.kind == "name":
            soft = spoken and register == "plain" and hangul.coda(entry.ko)
            ko = eojeol(entry.ko, "이" if soft else "")
            if spoken and register != "plain":
                ko += eojeol("씨")
            word = En(entry.en, ko[:1], ko[1:])
            return Phrase(ko, [word], word)
        if self.whose is not None:
            return self._owned(register)
        thing = Thing(entry, self.number, determiner=self.determiner, known=self.known)
        phrase = thing.phrase("the" if self.known else "")
        if self.many:
            text = entry.plural().split()
            more = [Ko("들", glued=True)]
            phrase.ko += more
            en = words(" ".join(text), phrase.ko[:1], more)
            opening = En("the", [], [*phrase.ko]) if self.known else None
            phrase = Phrase(
                phrase.ko, [*([opening] if opening else []), *en], en[-1], "pl", opening=opening
            )
        phrase.honoured = self.honoured
        return phrase

    def _owned(self, register: str) -> Phrase:
        """우리 어머니, 제 동생: elders are "ours"; of somebody else only 어머니, his mother."""
        assert self.whose is not None and self.entry is not None
        front: list[Ko] = []
        if self.whose.me and self.whose.agrees == "1sg" and self.known:
            front = eojeol("우리" if "ours" in self.entry.classes else MY[register])
        noun = eojeol(self.entry.ko)
        en = words(self.entry.en, noun)
        owner = self.whose.pronoun(2, front or noun)
        if front:
            owner = En(owner.text, front)
        return Phrase([*front, *noun], [owner, *en], en[-1], honoured=self.honoured)


__all__ = ["Actor", "Phrase", "Thing", "marked"]
