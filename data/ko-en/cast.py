"""Draws who and what a sentence is about, and when it happens."""

from __future__ import annotations

import zlib

from lexicon import Entry, Lexicon
from nouns import Actor, Phrase, Thing
from rows import Draft
from times import HOURS, TIMES
from tokens import Both, Dice, En

STRICT = {"kin", "honoured", "grand", "parent", "sibling"}  # nobody else comes along in their place
HELD_OUT = 16  # one of so many combinations of a verb and its object is kept from training


def held_out(verb: str, noun: str) -> bool:
    """Whether this verb with this object is kept for `test_composition`."""
    return zlib.crc32(f"{verb}|{noun}".encode()) % HELD_OUT == 0


class Role(Thing):
    """Somebody in the place of a thing: with Minsu, to his mother, to her."""

    def __init__(self, actor: Actor, register: str) -> None:
        super().__init__(actor.entry)  # type: ignore[arg-type]
        self.actor, self.register = actor, register

    def again(self) -> Thing:
        told = Role(self.actor, self.register)
        told.known = True
        return told

    def variant(self) -> str:
        """Who was named before is "him" or "her" in English; Korean says the name again."""
        return "it" if self.known else ""

    def phrase(self, variant: str = "", owner: str = "") -> Phrase:
        phrase = self.actor.phrase(self.register)
        again = variant == "it" and self.actor.gender != owner  # not: she eats with her
        if self.actor.gender and (again or variant == "him" and self.known):
            word = En(self.actor.pronoun(1).text, phrase.ko)
            return Phrase(phrase.ko, [word], word, honoured=phrase.honoured)
        if variant == "they" and self.known and self.actor.gender not in ("", owner):
            word = En(self.actor.pronoun(0).text, phrase.ko)
            return Phrase(phrase.ko, [word], word, honoured=phrase.honoured)
        if variant == "poss":
            phrase.en[-1].text += "'s"
        return phrase


class Cast:
    """Draws people, things and times; a sentence has one register, and names no word twice."""

    def __init__(self, dice: Dice, lexicon: Lexicon) -> None:
        self.dice, self.lexicon = dice, lexicon
        self.composing = False  # only combinations that training does not have
        self.start()

    def start(self) -> None:
        """A new sentence."""
        dice = self.dice
        self.register = dice.weighted({"formal": 0.3, "polite": 0.35, "plain": 0.35})
        self.woman = dice.chance(0.5)  # who speaks: a woman has an 언니, a man a 누나
        self.used: set[str] = set()

    def allowed(self, draft: Draft) -> bool:
        """Whether a draft may stand where it is wanted: in training, or in the composition test."""
        kept = [held_out(*pair) for pair in draft.combinations]
        return bool(kept) and all(kept) if self.composing else not any(kept)

    def fresh(self, entries: list[Entry]) -> Entry | None:
        """One that the sentence has not used yet; None if there is none."""
        left = [entry for entry in entries if entry.ko not in self.used]
        if not left:
            return None
        entry = self.dice.pick(left)
        self.used.add(entry.ko)
        return entry

    # People -----------------------------------------------------------------------------------

    def named(self, gender: str = "") -> Actor | None:
        entry = self.fresh(self.lexicon.find("name", gender or "m f"))
        return entry and Actor(entry, gender="m" if "m" in entry.classes else "f")

    def me(self) -> Actor:
        return Actor(None, "1sg")

    def we(self) -> Actor:
        return Actor(None, "pl")

    def kin(self, whose: Actor, classes: str = "family", gender: str = "m f") -> Actor | None:
        """One of somebody's family, named as this person names them: 누나 or 언니."""
        woman = self.woman if whose.me else whose.gender == "f"
        called = "of-women" if not woman else "of-men"
        pool = [e for e in self.lexicon.find("family", classes) if called not in e.classes]
        pool = [e for e in pool if e.classes & set(gender.split())]
        entry = self.fresh(pool)
        if entry is None:
            return None
        return Actor(entry, gender="m" if "m" in entry.classes else "f", whose=whose)

    def hero(self, spec: str) -> Actor:
        """Whom a story is about."""
        dice = self.dice
        weights = {
            "any": {"name": 5.0, "me": 4.0, "we": 0.5, "kin": 1.0},
            "one": {"name": 5.0, "me": 4.0, "kin": 1.0},
            "you": {"you": 1.0},
            "me": {"me": 1.0},
            "me-name": {"name": 5.0, "me": 4.0},
            "pupil": {"name": 5.0, "me": 4.0, "kin": 1.0},
            "us": {"we": 1.0, "me": 1.0, "name": 2.0},
        }[spec]
        kind = dice.weighted(weights)
        actor: Actor | None = None
        if kind == "name":
            actor = self.named()
        elif kind == "we":
            actor = self.we()
        elif kind == "kin":
            actor = self.kin(self.me(), "sibling")
        elif kind == "you":
            actor = Actor(self.lexicon.by_ko["친구"], "2")
        return actor or self.me()

    def mate(
        self, spec: str, hero: Actor, often: bool = False, apart: bool = False
    ) -> Actor | None:
        """Somebody who comes along, but no aunt and no uncle (are their verbs honorific?). Who is
        told of `often` is no "my friend"; who is to be told `apart` is no second she."""
        dice = self.dice
        gender = {"m": "f", "f": "m"}.get(hero.gender, "m f") if often or apart else "m f"
        self.used |= {"삼촌", "이모"}
        if hero.entry is not None and hero.entry.kind == "family":  # my sister's Sora: who is that?
            return None if often or spec in STRICT or spec == "named" else self.friend(hero)
        relative = spec not in ("friend", "named") and hero.group in ("1sg", "m", "f")
        if relative and (spec in STRICT or dice.chance(0.75)):
            actor = self.kin(hero, "family" if spec == "kin" else spec, gender)
            if actor is not None:
                actor.known = False
            return actor
        if spec in STRICT:
            return None  # whose grandmother?
        by_name = often or spec == "named" or dice.chance(0.5)
        return self.named(gender) if by_name else self.friend(hero)

    def friend(self, hero: Actor) -> Actor:
        entry = self.lexicon.by_ko["친구"]
        self.used.add("친구")
        return Actor(entry, known=False)

    def together(self, hero: Actor) -> Actor:
        """Somebody and who came along: we, they. Korean says neither."""
        if hero.me:
            return self.we()
        return Actor(hero.entry if hero.honoured else self.lexicon.by_ko["친구"], "pl")

    def companion(self, actor: Actor) -> Role:
        return Role(actor, self.register)

    # Things -----------------------------------------------------------------------------------

    def slot(self, spec: str, verb: str = "") -> Thing | None:
        """A thing of these classes: "fruit,snack#*+" may be counted, described, plural."""
        classes = spec.rstrip("#*+0123456789")
        flags = spec[len(classes) :]
        pool = self.lexicon.things(classes.replace(",", " "))
        if verb:
            pool = [e for e in pool if held_out(verb, e.ko) == self.composing]
        entry = self.fresh(pool)
        if entry is None:
            return None
        return self.thing(entry, flags)

    def thing(self, entry: Entry, flags: str) -> Thing:
        dice = self.dice
        adjective = number = None
        digits = False
        if "*" in flags and dice.chance(0.3):
            adjective = self.adjective(entry)
        if "#" in flags and "counter" in entry.more and dice.chance(0.5):
            number = self.number(int(flags.split("#")[1].strip("*+") or 6))
            if "1" in number.classes and "market-goods" in entry.classes:
                number = self.number(4)  # seldom one potato
            amount = int(min(number.classes - {"number"}))
            digits = amount > 1 and dice.chance(0.2) and self.register != "formal"
        counted = "mass" not in entry.more and number is None
        bulk = counted and ("bulk" in entry.classes or "+" in flags)
        return Thing(entry, number, digits, adjective, bulk=bulk)

    def adjective(self, entry: Entry, predicative: bool = False) -> Entry | None:
        """An adjective that makes sense with this noun."""
        found = [e for e in self.lexicon.of_kind["adjective"] if e.classes & entry.classes]
        if predicative:
            found = [e for e in found if "before" not in e.more]
        else:
            found += self.lexicon.find("determiner", " ".join(sorted(entry.classes)))
            found = [e for e in found if "after" not in e.more]
        return self.fresh(found)

    def number(self, most: int) -> Entry:
        small = self.lexicon.of_kind["number"][:most]
        return self.dice.pick(small[:4] if self.dice.chance(0.7) else small)

    def time(self, tense: str, scale: str, hours: bool = False) -> Both:
        """어제 오후에, yesterday afternoon: a time that fits the tense and the kind of action;
        `hours`: at three yesterday afternoon, too."""
        if hours and scale == "day" and tense in HOURS and self.dice.chance(0.4):
            return HOURS[tense](self.dice)
        kinds = TIMES.get((tense, scale), [])
        return self.dice.pick(kinds)(self.dice) if kinds else ([], [])
