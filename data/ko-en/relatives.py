"""Clauses within clauses: the book that Minsu bought, the woman who is reading; he said that."""

from __future__ import annotations

from dataclasses import replace

from events import Saying, realise
from lexicon import Entry
from nouns import Actor, Phrase, Thing
from predicates import Mood, conjugate
from rows import Draft
from states import States
from tokens import En, eojeol, words

# verb of the main clause -> what may have been done with the thing before: the book Minsu bought
HISTORIES = {
    "먹": "사 만들 굽",
    "읽": "쓰 사 빌리",
    "찾": "잃어버리",
}
# What is worth saying before it is done.
PLANNED = {"가", "만나", "여행하", "떠나", "배우", "사", "초대하", "준비하", "보내", "도착하", "주"}
WATCHED = {"읽", "마시", "쓰", "그리", "찍", "기다리", "듣", "치", "산책하", "구경하", "먹"}


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
            and f.event.objects() == ["x"]
            and len(f.slots) == 1
            and entry
            in self.lexicon.things(dict(f.slots)["x"].rstrip("#*+0123456789").replace(",", " "))
        ]
        if not fitting:
            return None
        frame = dice.pick(fitting)
        maker = dice.pick([self.named, self.named, self.me, lambda: self.kin(self.me())])()
        if maker is None or maker.me and actor is not None and actor.me:
            return None
        event = replace(frame.event, ko=(), en=())
        food = {"meal", "snack", "fruit", "vegetable", "bakery", "makeable-food"} & entry.classes
        time = self.time("past", "meal") if dice.chance(0.35) and not food else ([], [])
        alone = "with" not in frame.flags and not time[0]  # a time or a place, not both
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
        several = "many" in entry.more and "mass" not in entry.more or "bulk" in entry.classes
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
        frame = self.some(
            [f for f in self.anyone if f.event.verb.stem in HISTORIES and "gift" not in f.flags]
        )
        letter = "x"
        if letter not in dict(frame.slots) or "made" in frame.flags:
            return None
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
        future = "past" not in frame.flags and dice.chance(0.2)
        draft = self.tell(doing, actor, Mood("future" if future else "past"), "relative")
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
        made = phrase and entry and self.quality(phrase, entry, past=dice.chance(0.5))
        if not phrase or not made:
            return None
        ko = [*phrase.marked("topic"), *made[0]]
        draft = Draft(
            (ko, [*phrase.en, *made[1]]), "relative", ends=[ko[-1]], combinations=set(self.combined)
        )
        return draft if self.allowed(draft) else None

    def described_person(self) -> Draft | None:
        """저기에서 책을 읽고 있는 여자는 의사다, the woman who is reading a book is a doctor."""
        dice = self.dice
        frame = self.some(
            [
                f
                for f in self.anyone
                if f.event.verb.stem in WATCHED
                and f.places
                and f.times == "day"
                and "w" not in f.event.slots()
            ]
        )
        entry = self.fresh([e for e in self.lexicon.of_kind["person"] if e.ko in ("남자", "여자")])
        work = self.fresh(self.lexicon.find("person", "worker"))
        if entry is None or work is None:
            return None
        actor = Actor(entry, gender="m" if entry.ko == "남자" else "f")
        doing = self.doing(frame, actor, 0.5, bare=True)
        if doing is None or doing.place[0] and doing.place[0][0].text == "집":
            return None
        how = Saying("rel", Mood("habit", "now"), self.register, before=tuple(doing.place[0]))
        parts = realise(frame.event, doing.things, self.lexicon, how)
        noun = eojeol(entry.ko)
        body = words(entry.en, noun)
        opening = En("the", [], noun)
        en = [opening, *body, En("who", [], parts.ko[-1:]), *parts.finite(), *doing.place[1]]
        subject = Phrase([*parts.ko, *noun], en, body[-1], opening=opening)
        made = self.is_a(subject, work)
        ko = [*subject.marked("topic"), *made[0]]
        pairs = {
            (frame.event.verb.stem, doing.things[s].entry.ko)
            for s in frame.event.objects()
            if s in doing.things
        }
        draft = Draft((ko, [*subject.en, *made[1]]), "relative", ends=[ko[-1]], combinations=pairs)
        return draft if self.allowed(draft) and dice.chance(1) else None

    def reported(self) -> Draft | None:
        """민수는 수진이 사과를 샀다고 말했다, Minsu said that Sujin bought an apple."""
        dice = self.dice
        speaker = self.named() if dice.chance(0.6) else self.kin(self.me())
        mood = Mood(dice.weighted({"past": 3.0, "future": 1.0}))
        pool = [f for f in self.anyone if f.times in ("day", "long", "trip", "meal")]
        if mood.tense == "future":
            pool = [f for f in pool if f.event.verb.stem in PLANNED]
        frame = self.some(pool)
        actor = self.named() if dice.chance(0.7) else self.kin(self.me(), "sibling")
        if speaker is None or actor is None or "generic" in frame.flags:
            return None
        doing = self.doing(frame, actor, 0.4, bare=True)
        if doing is None:
            return None
        if "past" in frame.flags:
            mood = Mood("past")
        time = self.time(mood.tense, frame.times) if dice.chance(0.4) else ([], [])
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
