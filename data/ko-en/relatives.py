"""Clauses within clauses: the book that Minsu bought, the woman who is reading; he said that."""

from __future__ import annotations

from dataclasses import replace

import english
import hangul
from events import Event, Saying, parse, realise
from frames import Frame
from lexicon import Entry, Lexicon
from nouns import Actor, Phrase, Thing
from predicates import Mood, conjugate
from rows import Draft, fixed
from single import Doing
from states import EATEN, LASTING, MANY, PASSED, States
from tokens import NOTHING, Both, Dice, En, Ko, eojeol, words

# What may have been done with a thing before one says what it is like.
MADE = ["사", "만들", "쓰", "그리", "빌리", "찍", "굽", "보"]
SHOWN = ["만들", "그리", "찍", "굽", "쓰"]  # ... and of which one says: this is what I ...
MINE = {"빌리", "보"}  # what only who did it can say more of
UNSAID = ("clean", "dirty")  # of what somebody bought
SEEN = {"clothes", "costly", "goods"}  # what others bought, one sees


class Given(Thing):
    """A noun phrase that is spelled out already: the book that Minsu bought."""

    def __init__(self, entry: Entry, made: Phrase) -> None:
        super().__init__(entry)
        self.made = made

    def again(self) -> Thing:
        return self

    def phrase(self, variant: str = "", owner: str = "") -> Phrase:
        return self.made


class Relatives(States):
    """Relative clauses and reports."""

    def __init__(self, dice: Dice, lexicon: Lexicon) -> None:
        super().__init__(dice, lexicon)
        self.enjoy = parse("{x}을 맛있게 먹", "enjoy/맛있게 {x}", lexicon)
        self.finish = parse("{x}을 다 읽", "finish/다 reading/읽 {x}", lexicon)
        self.read = parse("{x}을 읽", "read {x}", lexicon)
        self.wear = parse("{x}을 입", "wear {x}", lexicon)
        self.find = parse("{x}을 찾", "find {x}", lexicon)
        self.lend = parse("빌려주", "lend me", lexicon)
        self.give = parse("선물하", "give me", lexicon)
        self.buy = parse("사 주", "buy/사 me", lexicon)
        self.lose = parse("잃어버리", "lose", lexicon)

    def given(
        self,
        entry: Entry,
        event: Event,
        maker: Actor,
        hero: Actor | None = None,
        time: Both = NOTHING,
        place: Both = NOTHING,
        silent: bool = False,
    ) -> Phrase:
        """민수가 어제 산 책, the book that Minsu bought yesterday; `hero` is "me" in the event.

        Where the maker is the hero, or silent, Korean does not say it, and English "he" or "I".
        """
        how = Saying(
            "rel",
            Mood("past"),
            self.register,
            maker.honoured,
            maker.agrees,
            owner=(hero or maker).group,
            before=(*time[0], *place[0]),
        )
        parts = realise(event, {}, self.lexicon, how)
        front: list[Ko] = []
        if maker is hero or silent:
            who_en = [maker.pronoun(0, parts.predicate.ko)]
        else:
            who = maker.phrase(self.register)
            front, who_en = who.marked("subject"), who.en
        noun = eojeol(entry.ko)
        several = "mass" not in entry.more and ("many" in entry.more or entry.classes & MANY)
        opening = En("the", [], noun)
        body = words(entry.plural() if several else entry.en, noun)
        that = En("that", [], parts.ko[-1:])
        en = [opening, *body, that, *who_en, *parts.finite(), *place[1], *time[1]]
        ko = [*front, *parts.ko, *noun]
        return Phrase(ko, en, body[-1], "pl" if several else "3sg", opening=opening)

    combined: set[tuple[str, str]] = set()

    def with_history(self, entry: Entry, stems: list[str], mine: bool = False) -> Phrase | None:
        """민수가 그린 그림, the picture that Minsu painted; 어제 본 영화, the movie that I saw."""
        dice = self.dice
        if "mass" in entry.more and "counter" not in entry.more:
            return None
        fitting = [
            f
            for f in self.anyone
            if f.event.verb.stem in stems
            and "past" in f.tenses
            and f.event.objects() == ["x"]
            and len(f.slots) == 1
            and entry
            in self.lexicon.things(dict(f.slots)["x"].rstrip("#*+0123456789").replace(",", " "))
        ]
        if not fitting:
            return None
        frame = dice.pick(fitting)
        stem = frame.event.verb.stem
        makers = [self.named, self.named, self.me, lambda: self.kin(self.me())]
        if stem in MINE or stem == "사" and (mine or not entry.classes & SEEN):
            makers = [self.me]
        maker = dice.pick(makers)()
        if maker is None:
            return None
        event = replace(frame.event, ko=(), en=())
        food = bool(entry.classes & EATEN)
        dated = maker.me and not food and dice.chance(0.6)
        time = self.time("past", "lately") if dated else NOTHING
        alone = maker.me and "with" not in frame.uses and not time[0]  # a time or a place
        place = self.place(frame, maker, 0.8 if food else 0.5) if alone else NOTHING
        silent = maker.me and bool(time[0] or place[0]) and dice.chance(0.6)
        self.combined = {(stem, entry.ko)}
        return self.given(entry, event, maker, None, time, place, silent)

    def relative(self) -> Draft | None:
        """나는 어머니께서 만드신 만두를 먹었다; 민수가 그린 그림은 아름답다."""
        self.combined = set()
        make = self.dice.weighted(
            {self.thing_made: 3.0, self.this_is: 2.0, self.thing_used: 3.0, self.thing_found: 0.7}
        )
        return make()

    def this_is(self) -> Draft | None:
        """이것은 제가 만든 쿠키입니다, these are the cookies that I made."""
        if self.register == "plain":  # one who shows something speaks
            self.register = "polite"
        entry = self.fresh([e for e in self.lexicon.of_kind["noun"] if "the" not in e.more])
        stems = SHOWN if self.dice.chance(0.7) else ["사"]
        phrase = entry and self.with_history(entry, stems, mine=True)
        if phrase is None or entry is None:
            return None
        this = eojeol("이것", "은") if self.register == "formal" else eojeol("이건")
        made = self.is_one(phrase, phrase)
        word = En("these" if phrase.agrees == "pl" else "this", this[:1], this[1:])
        ko = [*this, *made[0]]
        draft = Draft(
            (ko, [word, *made[1]]), "relative", ends=[ko[-1]], combinations=set(self.combined)
        )
        return draft if self.allowed(draft) else None

    def thing_used(self) -> Draft | None:
        """저는 형이 사 준 셔츠를 입고 있어요, I am wearing the shirt that my brother bought me."""
        dice = self.dice
        hero = self.me() if dice.chance(0.5) else self.named()
        if hero is None:
            return None
        kind = dice.weighted({"eat": 1.0, "read": 1.0, "wear": 0.7})
        related = kind == "wear" or kind == "eat" and dice.chance(0.7)
        older = "grown grand" if kind == "wear" else "family"
        maker = self.kin(hero, older) if related else self.named()
        if maker is None or maker.gender == hero.gender:  # not: the book that he lent him
            return None
        mood = Mood("past")
        if kind == "eat":
            inner = dice.pick([f for f in self.anyone if f.event.verb.stem in ("만들", "굽")])
            if "past" not in inner.tenses:
                return None
            thing = self.pointed(dict(inner.slots)["x"].rstrip("+"), "먹")
            event, outer = replace(inner.event, ko=(), en=()), self.enjoy
        elif kind == "read":
            event = dice.pick([self.lend, self.give])
            books = "home-reading,=책" if event is self.lend else "=책,=소설"
            thing = self.pointed(books, "읽")
            outer = dice.pick([self.finish, self.read])
            if outer is self.read:
                mood = Mood("habit", "now")
        else:
            thing = self.pointed("clothes-worn", "입")
            event, outer, mood = self.buy, self.wear, Mood("habit", "now")
            if thing is not None and not self.worn(thing, hero):
                return None
        if thing is None:
            return None
        entry = thing.entry
        self.combined = {(event.verb.stem, entry.ko)}
        return self.whole(hero, outer, mood, entry, self.given(entry, event, maker, hero))

    def thing_found(self) -> Draft | None:
        """민수는 그저께 잃어버린 지갑을 찾았다, found the wallet that he lost ..."""
        hero = self.me() if self.dice.chance(0.4) else self.named()
        thing = self.pointed("missed", "찾")
        if hero is None or thing is None:
            return None
        time = (
            self.time("past", self.dice.pick(["lately", "day"]))
            if self.dice.chance(0.8)
            else NOTHING
        )
        self.combined = {("잃어버리", thing.entry.ko)}
        phrase = self.given(thing.entry, self.lose, hero, hero, time)
        return self.whole(hero, self.find, Mood("past"), thing.entry, phrase)

    def whole(
        self, hero: Actor, event: Event, mood: Mood, entry: Entry, phrase: Phrase
    ) -> Draft | None:
        """A sentence about somebody and a thing with a relative clause."""
        frame = Frame("named", event, (), "", "", "", (), frozenset())
        inner = set(self.combined)
        draft = self.tell(Doing(frame, {"x": Given(entry, phrase)}), hero, mood, "relative")
        if draft is None:
            return None
        draft.combinations |= inner
        return draft if self.allowed(draft) else None

    def thing_made(self) -> Draft | None:
        """민수가 그린 그림은 아름답다, the picture that Minsu painted is beautiful."""
        dice = self.dice
        entry = self.fresh([e for e in self.lexicon.described("noun") if "the" not in e.more])
        phrase = entry and self.with_history(entry, MADE)
        if phrase is None or entry is None:
            return None
        past = bool(entry.classes & PASSED) and dice.chance(0.5)
        verbs = {verb for verb, _ in self.combined}
        past = past or "보" in verbs
        unsaid = LASTING if past else (*UNSAID, *(("fresh",) if verbs & {"굽", "만들"} else ()))
        made = self.quality(phrase, entry, past, unsaid, sure=True)
        if made is None:
            return None
        ko = [*phrase.marked("topic"), *made[0]]
        draft = Draft(
            (ko, [*phrase.en, *made[1]]), "relative", ends=[ko[-1]], combinations=set(self.combined)
        )
        return draft if self.allowed(draft) else None

    def described_person(self) -> Draft | None:
        """저기에서 책을 읽고 있는 여자가 수진이다, the woman reading a book over there is Sujin."""
        dice = self.dice
        if self.register == "plain":  # one who points at somebody speaks
            self.register = dice.pick(["formal", "polite"])
        frame = self.some(self.used_for("watched"))
        noun_ko, gender = dice.pick([("남자", "m"), ("여자", "f")])
        entry = self.lexicon.by_ko[noun_ko]
        actor = Actor(entry, gender=gender)
        worn = frame.event.verb.stem == "입"
        doing = self.doing(frame, actor, 0.0, bare=not worn)
        if doing is None:
            return None
        there = ([], []) if worn else fixed("저기|에서", "over:0 there:0")
        now = Mood("habit", "now")
        how = Saying("rel", now, self.register, form="ing", before=tuple(there[0]))
        parts = realise(frame.event, doing.things, self.lexicon, how)
        noun = eojeol(entry.ko)
        body = words(entry.en, noun)
        opening = En("the", [], noun)
        en = [opening, *body, *parts.finite(), *there[1]]
        subject = Phrase([*parts.ko, *noun], en, body[-1], opening=opening)
        made = self.is_who(subject, gender)
        if made is None:
            return None
        ko = [*subject.marked("subject"), *made[0]]
        pairs = {
            (frame.event.verb.stem, doing.things[s].entry.ko)
            for s in frame.event.objects()
            if s in doing.things
        }
        draft = Draft((ko, [*subject.en, *made[1]]), "relative", ends=[ko[-1]], combinations=pairs)
        return draft if self.allowed(draft) else None

    def is_who(self, subject: Phrase, gender: str) -> Both | None:
        """민수다, is Minsu; 우리 누나다, is my older sister."""
        actor = self.named() if self.dice.chance(0.75) else self.kin(self.me(), "sibling")
        if actor is None or actor.gender != gender or actor.honoured:
            return None
        return self.is_one(subject, actor.phrase(self.register))

    def is_one(self, subject: Phrase, phrase: Phrase) -> Both:
        """민수다, is Minsu: somebody who is known."""
        ending = Ko(hangul.be_noun(phrase.ko[-1].text, self.register, False), glued=True)
        phrase.head.maybe.append(ending)
        tail = [*phrase.ko, ending]
        return tail, [En(english.be(subject.agrees, False), [ending]), *phrase.en]

    def reported(self) -> Draft | None:
        """민수는 수진이 사과를 샀다고 말했다, Minsu said that Sujin bought an apple."""
        dice = self.dice
        speaker = self.named() if dice.chance(0.6) else self.kin(self.me())
        frame = self.some(self.used_for("said"))
        tenses = [tense for tense in ("past", "future") if tense in frame.tenses]
        if speaker is None or not tenses:
            return None
        mood = Mood(dice.pick(tenses))
        if mood.tense == "future":
            mood = replace(mood, modal="plan")
        actor = self.named()  # of one's own family nobody else brings the news
        if actor is None:
            return None
        doing = self.doing(frame, actor, 0.0, bare=True)
        if doing is None:
            return None
        time = self.time(mood.tense, frame.times) if dice.chance(0.5) else ([], [])
        how = Saying(
            "say",
            mood,
            self.register,
            actor.honoured,
            actor.agrees,
            owner=actor.group,
            before=(*time[0], *doing.place[0]),
        )
        parts = realise(frame.event, doing.things, self.lexicon, how)
        who, whom = speaker.phrase(self.register), actor.phrase(self.register)
        verb = self.lexicon.verbs["말하"]
        predicate = conjugate(verb, Mood("past"), "final", self.register, speaker.honoured)
        inner = [*whom.marked("subject"), *parts.ko]
        ko = [*who.marked("topic"), *inner, *predicate.ko]
        if mood.tense == "future":
            for token in parts.group.aux:
                token.text = "was" if token.text == "is" else token.text
        en = [
            *who.en,
            En("said", [predicate.main], predicate.rest()),
            En("that", [], inner[-1:]),
            *whom.en,
            *parts.finite(),
            *doing.place[1],
            *time[1],
        ]
        pairs = {
            (frame.event.verb.stem, doing.things[s].entry.ko)
            for s in frame.event.objects()
            if s in doing.things
        }
        draft = Draft((ko, en), "reported", ends=[inner[-1], ko[-1]], combinations=pairs)
        return draft if self.allowed(draft) else None
