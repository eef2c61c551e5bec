"""Events: one verb with what belongs to it, written once for both languages.

    {x}을 {p}에서 사 = buy {x} at {p}
    {비}가 오 = it/비 :: rain
    일찍 일어나 = get up early

Braces hold a slot (a letter) or a noun of the lexicon; a particle follows them as in Korean, in
either form. 싸~ is the adjective (cheap) where a verb has the same stem (pack). Before the closing
brace of the English side may stand how the noun is said there: {the 시장}, {my 손}, {+ 꽃}
(plural), {0 x} (bare), {it x}, {they x}; for somebody {him w}, {poss w} and {name w} (never him).
"me" and "my" are those of whom the story is about. An English preposition before a brace belongs to
its particle; any other word to the Korean word that it glosses, to the one named after a slash
(early/일찍; V is the verb, a colon the particle of a word), or else to the verb. in/?아침 is linked
only possibly, keep/?계속 with 계속 and only possibly with the verb. ^also stands before the
verb. "subject :: verb" gives an event a subject of its own; in a question, where and what stand
before it. "|" cuts a word into pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import english
import hangul
from hangul import Verb
from lexicon import Lexicon
from nouns import Phrase, Thing
from predicates import Group, Mood, Predicate, conjugate, english_group
from tokens import En, Ko, eojeol

PARTICLES = {
    "을": "object",
    "를": "object",
    "이": "subject",
    "가": "subject",
    "은": "topic",
    "는": "topic",
    "에": "at",
    "에는": "at, as for",
    "에서": "from",
    "로": "by",
    "으로": "by",
    "와": "with",
    "과": "with",
    "에게": "to",
    "에게서": "from (somebody)",
    "한테": "to (spoken)",
    "도": "also",
    "만": "only",
    "의": "of",
    "부터": "since",
    "까지": "until",
    "보다": "than",
    "마다": "every",
    "": "",
}
PLURALS = {
    "they",
    "we",
    "tickets",
    "flowers",
    "questions",
    "roads",
    "neighbors",
    "guests",
    "hands",
    "paintings",
}
PERSONS = {"I": "1sg", "you": "2"}
# Words that only help another, and pronouns that Korean does not say: linked, but never surely.
HELPING = {"a", "an", "the", "of", "to", "it", "there", "I", "you", "we", "they"}
HELPING |= {form for forms in english.PRONOUNS.values() for form in forms}
# What *to* stands for: a particle before a noun, -(으)러 and -(으)려고 before a verb. That of an
# infinitive (want to, decided to) has no Korean word.
TO = {"에", "에게", "한테", "께", "로", "으로", "까지", "러", "려고"}
RAISED = {"생일": "생신"}
PARTED = {"away", "down", "off", "on", "out", "up"}  # of a verb of two words: throw away
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
    before: tuple[Item, ...] = ()  # adverbs before the English verb: also, suddenly
    weak: bool = False  # the English verb is linked with the Korean one only possibly
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
    if last.endswith("~"):  # 싸~ is cheap, 싸 to pack
        last = last[:-1]
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
    before = [replace(i, text=i.text[1:]) for i in items if i.text.startswith("^")]
    items = items[len(before) :]
    subject = _english_items(own, glosses)
    weak = items[0].ref.startswith("?")
    names = items[0].ref.lstrip("?").split("+")
    glossed = "+".join(name for name in names if name not in ("", "V", last))
    return Event(
        tuple(ko),
        verb,
        items[0].text,
        glossed,
        tuple(items[1:]),
        tuple(subject),
        tuple(before),
        weak,
        f"{korean} = {english_side}",
    )


def _english_items(text: str, glosses: dict[str, str]) -> list[Item]:
    items = []
    for word in re.findall(r"\{[^}]*\}|[^\s{]+", text):
        match = _ENGLISH.fullmatch(word)
        if match:
            items.append(Item(slot=match[2], kind=match[1] or ""))
        else:
            shown, _, ref = word.partition("/")
            items.append(Item(text=shown, ref=ref or glosses.get(shown.lstrip("^"), "")))
    return items


@dataclass
class Parts:
    """An event said in both languages, not yet put together."""

    ko: list[Ko]  # without a subject
    predicate: Predicate
    own: list[En]  # a subject of its own
    group: Group
    after: list[En]  # what follows the English verb
    before: list[En]  # adverbs that stand before it

    def finite(self, adverb: list[En] | None = None) -> list[En]:
        """Auxiliaries, verb and the rest; an adverb of frequency stands before the verb."""
        return [*self.group.aux, *(adverb or []), *self.before, *self.group.verb, *self.after]


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


@dataclass
class Korean:
    """The Korean side of an event while it is put together."""

    phrases: dict[str, Phrase] = field(default_factory=dict)
    marks: dict[str, tuple[str, Ko]] = field(default_factory=dict)  # particle of each slot
    plain: dict[str, list[Ko]] = field(
        default_factory=dict
    )  # words by what the template calls them
    content: list[Ko] = field(default_factory=list)
    eojeols: list[list[Ko]] = field(default_factory=list)  # a word with its endings or particle

    def word(self, text: str, raised: bool = False) -> None:
        """A word that the template spells out; ``raised`` where it is an elder's: 생신 for 생일."""
        noun, *rest = text.split("|")
        pieces = eojeol(RAISED.get(noun, noun) if raised else noun, *rest)
        self.eojeols.append(pieces)
        self.plain[text.replace("|", "")] = pieces
        for number, piece in enumerate(pieces):
            self.plain.setdefault(piece.text, pieces if not number else [piece])
        self.plain.setdefault(noun, pieces)
        self.content += pieces

    def slot(self, item: Item, phrase: Phrase) -> None:
        """A noun with its particle."""
        tokens = phrase.marked(item.kind)
        self.phrases[item.slot] = phrase
        if phrase.ko:
            self.marks[item.slot] = item.kind, tokens[-1]
            self.eojeols.append(tokens[-2:])
            self.plain[item.slot] = tokens[:-1] if item.kind else tokens
        self.content += tokens


def realise(event: Event, things: dict[str, Thing], lexicon: Lexicon, how: Saying) -> Parts:
    """Both sides of an event, with its links."""
    subject = {i.slot for i in event.own}
    variants = {i.slot: i.kind for i in (*event.en, *event.own) if i.slot}

    def phrase(slot: str) -> Phrase:
        thing = things.get(slot) or Thing(lexicon.by_ko[slot])
        spelled = "" if slot in subject else thing.variant()
        return thing.phrase(variants.get(slot, "") or spelled, how.owner)

    korean = Korean()
    raised = any(i.kind in ("of", "to") and phrase(i.slot).honoured for i in event.ko if i.slot)
    for item in event.ko:
        if item.text:
            korean.word(item.text, raised)
        elif item.kind == "to" and how.register == "polite":  # 친구한테, as one says it
            korean.slot(replace(item, kind="to (spoken)"), phrase(item.slot))
        else:
            korean.slot(item, phrase(item.slot))
    phrases = korean.phrases
    for slot in variants:  # what English says and Korean leaves out
        if slot not in phrases:
            phrases[slot] = phrase(slot)
    elder = any(phrases[i.slot].honoured for i in event.own if i.slot and i.kind != "poss")
    verb = _verb(event, phrases, how)
    predicate = conjugate(verb, how.mood, how.ending, how.register, how.honoured or elder)
    own = _spoken(event.own, korean, predicate, how.owner)
    agrees = _agreement(event, phrases) if event.own else how.agrees
    group = english_group(
        event.base, how.mood, agrees, predicate, how.form, asked=how.asked, short=how.short
    )
    if event.weak:
        word = (group.verb or group.aux)[-1]
        word.sure, word.maybe = [], [*word.sure, *word.maybe]
    for name in event.glossed.split("+") if event.glossed else ():
        (group.verb or group.aux)[-1].sure += _referred(name, korean, predicate)
    after = _spoken(event.en, korean, predicate, how.owner)
    before = _spoken(event.before, korean, predicate, how.owner)
    _link_the_rest(korean, [*own, *group.aux], [*group.verb, *after, *before])
    ko = [*how.before, *korean.content, *how.near, *predicate.ko]
    return Parts(ko, predicate, own, group, after, before)


def _verb(event: Event, phrases: dict[str, Phrase], how: Saying) -> Verb:
    """The verb, as whom it is done to and what is done ask for it."""
    verb = event.verb
    said = {i.slot for i in event.ko}
    receivers = [i.slot for i in event.ko if i.kind in ("to", "object")]
    receivers += [i.slot for i in event.en if i.kind == "him" and i.slot not in said]
    if any(phrases[slot].honoured for slot in receivers):
        verb = hangul.humble(verb)  # 할머니께 드렸다, not 줬다; 할머니를 뵀다, not 만났다
    for slot in event.objects():  # 테니스를 치다, not 하다
        done = phrases[slot].done_by
        verb = verb._replace(stem=done) if done and verb.stem == "하" else verb
    return verb


def _link_the_rest(korean: Korean, front: list[En], verbal: list[En]) -> None:
    """Possible links for Korean tokens that have none: a particle goes with its noun, an ending
    with its verb, and what English does not say with the first word that has a sure link."""
    said = [*front, *verbal]
    linked = {id(k) for e in said for k in (*e.sure, *e.maybe)}
    for first, *rest in korean.eojeols:
        rest = [k for k in rest if id(k) not in linked]
        those = [e for e in said if any(k is first for k in (*e.sure, *e.maybe))]
        for word in those:
            word.maybe += rest
        if those:
            linked.update(id(k) for k in rest)
    main = next((e for e in verbal if e.sure), (verbal or front)[-1])
    main.maybe += [k for k in korean.content if id(k) not in linked]


def _agreement(event: Event, phrases: dict[str, Phrase]) -> str:
    """3sg or pl, of a subject that the event brings with it."""
    side = event.en if event.own[0].text == "there" else event.own
    slot = next((i.slot for i in side if i.slot), "")
    if slot:
        return phrases[slot].agrees
    if event.own[-1].text in PERSONS:
        return PERSONS[event.own[-1].text]
    return "pl" if any(i.text in PLURALS for i in side) else "3sg"


def _spoken(items: tuple[Item, ...], korean: Korean, predicate: Predicate, owner: str) -> list[En]:
    """English words of one side of an event; its "me" and "my" are those of whom it is about."""
    en: list[En] = []
    main, rest = predicate.main, predicate.rest()
    for number, item in enumerate(items):
        following = items[number + 1].slot if number + 1 < len(items) else ""
        spoken = item.text == "me" and item.ref.startswith("?")  # give me: who speaks
        if item.text in ("me", "my") and not spoken:
            item = replace(item, text=english.PRONOUNS[owner][2 if item.text == "my" else 1])
        if item.slot:
            phrase = korean.phrases[item.slot]
            if item.slot not in korean.marks:  # it, them: Korean does not say it
                for word in phrase.en:
                    word.maybe += [main, *rest]
            en += phrase.en
        elif item.ref:
            names = item.ref.lstrip("?").split("+")
            tokens = [k for name in names for k in _referred(name, korean, predicate)]
            strong = item.text not in HELPING or item.ref == "한"
            strong = strong or item.text == "to" and TO.issuperset(k.text for k in tokens)
            strong = strong and not item.ref.startswith("?")
            en.append(En(item.text, tokens if strong else [], [] if strong else tokens))
        elif following in korean.marks and item.text not in ("a", "the"):
            kind, mark = korean.marks[following]
            if kind in GRAMMATICAL and item.text in PARTED:
                en.append(En(item.text, [main], rest))
                continue
            sure = [] if kind in GRAMMATICAL else [mark]
            en.append(
                En(item.text, sure, [] if sure else [mark, *korean.phrases[following].head.sure])
            )
        else:
            helps = item.text in HELPING
            en.append(En(item.text, [] if helps else [main], [main, *rest] if helps else rest))
    return en


def _referred(name: str, korean: Korean, predicate: Predicate) -> list[Ko]:
    """The tokens of a Korean word; V is the verb; a trailing colon means its particle."""
    word = name.rstrip(":")
    if name == "V" or word not in korean.plain:
        return [predicate.main]
    if name.endswith(":"):
        return [korean.marks[word][1]] if word in korean.marks else korean.plain[word][-1:]
    return korean.plain[word][:1]
