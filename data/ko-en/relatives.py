"""Clauses within clauses: the book that Minsu bought, the woman who is reading; he said that."""

from __future__ import annotations

from dataclasses import replace

import english
import hangul
from events import Saying, realise
from lexicon import Entry
from nouns import Actor, Phrase, Thing
from predicates import Mood, conjugate
from rows import Draft, fixed
from states import LASTING, MANY, PASSED, States
from tokens import Both, En, Ko, eojeol, words

# verb of the main clause -> what may have been done with the thing before: the book Minsu bought
HISTORIES = {"먹": "사 만들 굽", "읽": "사 빌리", "찾": "잃어버리"}


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

    def with_history(
        self, entry: Entry, stems: list[str], actor: Actor | None = None
    ) -> Phrase | None:
        """민수가 어제 산 책, the book that Minsu bought yesterday; not I, where `actor` is."""
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
        makers = [self.named, self.named, self.me, lambda: self.kin(self.me())]
        if "잃어버리" in stems:  # no grandmother loses a textbook
            makers = makers[:3]
        if actor is not None and (actor.me or actor.whose is not None):
            makers = makers[:2]  # not: 우리 언니는 우리 할머니께서 ..., 내가 ...
        maker = dice.pick(makers)()
        if maker is None:
            return None
        event = replace(frame.event, ko=(), en=())
        food = {"meal", "snack", "fruit", "vegetable", "bakery", "makeable-food"} & entry.classes
        time = self.time("past", "meal") if dice.chance(0.35) and not food else ([], [])
        alone = "with" not in frame.uses and not time[0]  # a time or a place, not both
        place = self.place(frame, maker, 0.35) if alone else ([], [])
        how = Saying(
            "rel",
            Mood("past"),
            self.register,
            maker.honoured,
            maker.agrees,
            before=(*time[0], *place[0]),
        )
        parts = realise(event, {}, self.lexicon, how)
        who = maker.phrase(self.register)
        front = [*who.marked("subject"), *parts.ko]
        noun = eojeol(entry.ko)
        several = "mass" not in entry.more and ("many" in entry.more or entry.classes & MANY)
        text = entry.plural() if several else entry.en
        opening = En("the", [], noun)
        body = words(text, noun)
        en = [
            opening,
            *body,
            En("that", [], parts.ko[-1:]),
            *who.en,
            *parts.finite(),
            *place[1],
            *time[1],
        ]
        self.combined = {(frame.event.verb.stem, entry.ko)}
        return Phrase([*front, *noun], en, body[-1], "pl" if several else "3sg", opening=opening)

    combined: set[tuple[str, str]] = set()

    def relative(self) -> Draft | None:
        """나는 민수가 산 빵을 먹었다; 민수가 산 책은 재미있다."""
        dice = self.dice
        self.combined = set()
        if dice.chance(0.4):
            return self.thing_made()
        pool = [
            f
            for f in self.anyone
            if f.event.verb.stem in HISTORIES
            and "past" in f.tenses
            and f.event.slots() == ["x"]
            and f.times != "meal"
            and "place" not in f.uses
        ]
        frame = self.some(pool)
        letter = "x"
        actor = self.subject(frame)
        if actor is None:
            return None
        doing = self.doing(frame, actor, 0.0, bare=True)
        if doing is None:
            return None
        entry = doing.things[letter].entry
        phrase = self.with_history(entry, HISTORIES[frame.event.verb.stem].split(), actor)
        if phrase is None:
            return None
        doing.things[letter] = Given(entry, phrase)
        inner = set(self.combined)
        draft = self.tell(doing, actor, Mood("past"), "relative")
        if draft is None:
            return None
        draft.combinations |= inner
        return draft if self.allowed(draft) else None

    def thing_made(self) -> Draft | None:
        """민수가 산 책은 재미있다, the book that Minsu bought is interesting."""
        dice = self.dice
        entry = self.fresh([e for e in self.lexicon.described("noun") if "the" not in e.more])
        phrase = entry and self.with_history(
            entry, ["사", "만들", "쓰", "그리", "빌리", "찍", "굽"]
        )
        if phrase is None or entry is None:
            return None
        past = bool(entry.classes & PASSED) and dice.chance(0.5)
        cooked = {verb for verb, _ in self.combined} & {"굽", "만들"}
        unsaid = LASTING if past else ("fresh",) if cooked else ()
        made = self.quality(phrase, entry, past, unsaid)
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
        ending = Ko(hangul.be_noun(phrase.ko[-1].text, self.register, False, False), glued=True)
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
                token.text = "would" if token.text == "will" else token.text
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
