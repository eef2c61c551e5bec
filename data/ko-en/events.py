"""Events: one verb with what belongs to it, written once for both languages.

    {x}을 {p}에서 사 = buy {x} at {p}
    {비}가 오 = it/비 :: rain
    일찍 일어나 = get up early

Braces hold a slot (a letter) or a noun of the lexicon; a particle follows them as in Korean, in
either form. Before the closing brace of the English side may stand how the noun is said there:
{the 시장}, {my 손}, {+꽃} (plural), {0 x} (bare), {it x}. An English preposition before a brace
belongs to its particle; any other word to the Korean word that it glosses, to the one named after
a slash (early/일찍), or else to the verb. "subject :: verb" gives an event a subject of its own.
"|" cuts a Korean word into pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hangul import Verb
from lexicon import Lexicon
from nouns import Phrase, Thing
from predicates import Group, Mood, Predicate, conjugate, english_group
from tokens import En, Ko, eojeol

PARTICLES = {
    "을": "object", "를": "object", "이": "subject", "가": "subject", "은": "topic", "는": "topic",
    "에": "at", "에서": "from", "로": "by", "으로": "by", "와": "with", "과": "with",
    "에게": "to", "한테": "to (spoken)", "도": "also", "만": "only", "의": "of", "부터": "since",
    "까지": "until", "보다": "than", "마다": "every", "": "",
}  # fmt: skip
PLURALS = {"they", "we", "roads", "tickets", "flowers"}
GRAMMATICAL = {"object", "subject", "topic", ""}
_SLOT = re.compile(r"\{([a-z]|[가-힣]+)\}([가-힣]*)")
_ENGLISH = re.compile(r"\{(?:([a-z0+]+) ?)??([a-z]|[가-힣]+)\}")


@dataclass(frozen=True)
class Item:
    """One Korean word of an event, or one English one."""

    text: str = ""
    slot: str = ""
    kind: str = ""  # particle of a slot; how an English noun is said
    ref: str = ""  # the Korean word an English word glosses


@dataclass(frozen=True)
class Event:
    """A verb with what belongs to it, in both languages."""

    ko: tuple[Item, ...]
    verb: Verb
    base: str  # the English verb
    glossed: str  # Korean words, beside the verb, that it stands for: catch/걸리+감기
    en: tuple[Item, ...]  # what follows the verb
    own: tuple[Item, ...] = ()  # a subject of its own
    source: str = field(default="", compare=False)

    def objects(self) -> list[str]:
        """The slots and nouns that the verb governs with 을/를."""
        return [item.slot for item in self.ko if item.kind == "object"]

    def slots(self) -> list[str]:
        return [item.slot for item in self.ko if item.slot]


def parse(korean: str, english_side: str, lexicon: Lexicon) -> Event:
    """An event from its two sides; raises KeyError for a verb or noun the lexicon lacks."""
    *front, last = korean.split()
    verb = lexicon.verbs[last]
    ko = []
    for word in front:
        match = _SLOT.fullmatch(word)
        if match is None:
            ko.append(Item(text=word))
        else:
            if len(match[1]) > 1 or ord(match[1]) > 128:
                _ = lexicon.by_ko[match[1]]
            ko.append(Item(slot=match[1], kind=PARTICLES[match[2]]))
    own, _, rest = english_side.rpartition(" :: ")
    plain = {item.text.replace("|", ""): item.text for item in ko if item.text}
    glosses = {lexicon.adverbs[text]: text for text in plain if text in lexicon.adverbs}
    items = _english_items(rest, glosses)
    subject = _english_items(own, glosses)
    glossed = "+".join(name for name in items[0].ref.split("+") if name not in ("", "V", last))
    return Event(tuple(ko), verb, items[0].text, glossed, tuple(items[1:]), tuple(subject),
                 f"{korean} = {english_side}")  # fmt: skip


def _english_items(text: str, glosses: dict[str, str]) -> list[Item]:
    items = []
    for word in re.findall(r"\{[^}]*\}|[^\s{]+", text):
        match = _ENGLISH.fullmatch(word)
        if match:
            items.append(Item(slot=match[2], kind=match[1] or ""))
        else:
            shown, _, ref = word.partition("/")
            items.append(Item(text=shown, ref=ref or glosses.get(shown, "")))
    return items


@dataclass
class Parts:
    """An event said in both languages, not yet put together."""

    ko: list[Ko]  # without a subject
    predicate: Predicate
    own: list[En]  # a subject of its own
    group: Group
    after: list[En]  # what follows the English verb

    def finite(self, adverb: list[En] | None = None) -> list[En]:
        """Auxiliaries, verb and the rest; an adverb of frequency stands before the verb."""
        return [*self.group.aux, *(adverb or []), *self.group.verb, *self.after]


@dataclass
class Saying:
    """How an event is to be said."""

    ending: str = "final"
    mood: Mood = Mood()
    register: str = "formal"
    honoured: bool = False
    agrees: str = "3sg"
    form: str = "finite"
    asked: bool = False
    short: bool = False
    owner: str = "n"  # whose {my ...} is: a row of the pronouns
    before: tuple[Ko, ...] = ()  # Korean words that stand first: a time, a place
    near: tuple[Ko, ...] = ()  # ... or right before the verb


def realise(event: Event, things: dict[str, Thing], lexicon: Lexicon, how: Saying) -> Parts:
    """Both sides of an event, with its links."""
    phrases: dict[str, Phrase] = {}
    marks: dict[str, tuple[str, Ko]] = {}
    plain: dict[str, list[Ko]] = {}
    variants = {i.slot: i.kind for i in (*event.en, *event.own) if i.slot}
    ko: list[Ko] = list(how.before)
    content: list[Ko] = []
    for item in event.ko:
        if item.text:
            pieces = eojeol(*item.text.split("|"))
            plain[item.text.replace("|", "")] = pieces
            for number, piece in enumerate(pieces):
                plain.setdefault(piece.text, pieces if not number else [piece])
            ko += pieces
            content += pieces
            continue
        thing = things.get(item.slot) or Thing(lexicon.by_ko[item.slot])
        phrase = thing.phrase(variants.get(item.slot, ""), how.owner)
        tokens = phrase.marked(item.kind)
        phrases[item.slot] = phrase
        if phrase.ko:
            marks[item.slot] = item.kind, tokens[-1]
            plain[item.slot] = tokens[:-1] if item.kind else tokens
        ko += tokens
        content += tokens
    for item in (*event.own, *event.en):  # what English says and Korean leaves out
        if item.slot and item.slot not in phrases:
            thing = things.get(item.slot) or Thing(lexicon.by_ko[item.slot])
            phrases[item.slot] = thing.phrase(item.kind, how.owner)
    elder = any(phrases[i.slot].honoured for i in event.own if i.slot)
    predicate = conjugate(
        event.verb, how.mood, how.ending, how.register, how.honoured or elder
    )
    agrees = how.agrees
    own = _spoken(event.own, phrases, marks, plain, predicate)
    if event.own:
        there = event.own[0].text == "there"
        slot = next((i.slot for i in (event.en if there else event.own) if i.slot), "")
        plural = any(i.text in PLURALS for i in event.own)
        agrees = phrases[slot].agrees if slot else "pl" if plural else "3sg"
    group = english_group(
        event.base, how.mood, agrees, predicate, how.form, asked=how.asked, short=how.short
    )
    for name in event.glossed.split("+") if event.glossed else ():
        group.verb[-1].sure += _referred(name, plain, marks, predicate)
    after = _spoken(event.en, phrases, marks, plain, predicate)
    linked = {id(k) for e in [*own, *group.aux, *group.verb, *after] for k in (*e.sure, *e.maybe)}
    main = next((e for e in (*group.verb, *after) if e.sure), None) or [*group.verb, *after][-1]
    main.maybe += [k for k in content if id(k) not in linked]
    return Parts([*ko, *how.near, *predicate.ko], predicate, own, group, after)


def _spoken(
    items: tuple[Item, ...], phrases: dict[str, Phrase], marks: dict[str, tuple[str, Ko]],
    plain: dict[str, list[Ko]], predicate: Predicate,
) -> list[En]:  # fmt: skip
    """English words of one side of an event."""
    en: list[En] = []
    main, rest = predicate.main, predicate.rest()
    for number, item in enumerate(items):
        following = items[number + 1].slot if number + 1 < len(items) else ""
        if item.slot:
            phrase = phrases[item.slot]
            if item.slot not in marks:  # it, them: Korean does not say it
                phrase.head.maybe += [main, *rest]
            en += phrase.en
        elif item.ref:
            tokens = [k for name in item.ref.split("+") for k in _referred(name, plain, marks, predicate)]
            strong = item.text not in ("a", "the", "of", "it")
            en.append(En(item.text, tokens if strong else [], [] if strong else tokens))
        elif following and following in marks and item.text not in ("a", "the"):
            kind, mark = marks[following]
            sure = [] if kind in GRAMMATICAL else [mark]
            en.append(En(item.text, sure, [] if sure else [mark, *phrases[following].head.sure]))
        else:
            helps = item.text in ("a", "an", "the", "of", "to", "it", "there")
            en.append(En(item.text, [] if helps else [main], [main, *rest] if helps else rest))
    return en


def _referred(
    name: str, plain: dict[str, list[Ko]], marks: dict[str, tuple[str, Ko]], predicate: Predicate
) -> list[Ko]:
    """The tokens of a Korean word; V is the verb; a trailing colon means its particle."""
    if name == "V" or name not in plain and name.rstrip(":") not in plain:
        return [predicate.main]
    word = name.rstrip(":")
    if name.endswith(":"):
        return [marks[word][1]] if word in marks else plain[word][-1:]
    return plain[word][:1]
