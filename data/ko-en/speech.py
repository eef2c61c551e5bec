"""What people say to each other: questions, requests, reports; and who did what, in a clause that
describes a noun."""

from __future__ import annotations

from dataclasses import replace

from events import Parts, Saying, realise
from frames import Frame
from lexicon import Entry
from nouns import Actor, Phrase, Thing
from predicates import Mood, conjugate
from rows import Draft
from states import States
from times import TIMES
from tokens import Both, En, Ko, eojeol, words

# verb of the main clause -> what may have been done with the thing before: the book Minsu bought
HISTORIES = {
    "먹": "사 만들 굽", "읽": "쓰 사 빌리", "고치": "사", "잃어버리": "사 빌리", "보내": "쓰",
    "주": "사 그리 만들", "빌려주": "사", "보여주": "그리 찍", "찾": "잃어버리",
}  # fmt: skip
# What nobody asks with 무엇.
OPEN = {"읽", "쓰", "사", "먹", "마시", "만들", "그리", "배우", "공부하", "듣", "빌리", "보", "잃어버리", "팔"}
DAILY = ("human", "young")
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


class Speech(States):
    """Questions, requests, reports, relative clauses."""

    def question(self) -> Draft | None:
        """Yes or no, who, what, where, when."""
        dice = self.dice
        kind = dice.pick(["yes", "yes", "who", "what", "where", "when"])
        frame = self.some([f for f in self.human if f.who in DAILY])
        if kind == "what" and frame.event.verb.stem not in OPEN:
            return None
        if kind == "where" and not ({"goal"} & frame.flags or frame.places):
            return None
        mood = self.tense_for(frame)
        if mood.tense == "habit" and kind in ("when", "who") and "generic" not in frame.flags:
            return None
        if kind == "when" and (mood.modal or not frame.times or "generic" in frame.flags):
            return None
        you = frame.who in DAILY and kind != "who" and dice.chance(0.6)
        actor = Actor(self.lexicon.by_ko["친구"], "2") if you else self.subject(frame)
        if actor is None or actor.me or actor.whose is not None and not you:
            return None
        if "w" in frame.event.slots() and kind == "who":
            return None
        return self.asked(frame, kind, mood, actor, you)

    def asked(self, frame: Frame, kind: str, mood: Mood, actor: Actor, you: bool) -> Draft | None:
        dice = self.dice
        doing = self.doing(frame, self.someone() if you else actor, 0.35, bare=True)
        if doing is None or "w" in doing.things and you and "friend" not in frame.flags:
            return None
        event, things = frame.event, dict(doing.things)
        place = ([], []) if kind == "where" else doing.place
        word: Both = ([], [])
        near: tuple[Ko, ...] = ()
        if kind == "what":
            if event.objects() != ["x"] or place[0]:
                return None
            ko = eojeol("무엇") if self.register != "plain" else eojeol("뭐")
            word = ko, [En("what", ko)]
            things["x"] = Given(things["x"].entry, Phrase(ko, [], word[1][0]))
        elif kind == "where":
            if "goal" in frame.flags and event.slots() == ["p"]:
                ko = eojeol("어디", "에")
                event = replace(event, ko=(), en=())
            elif frame.places and "goal" not in frame.flags:
                ko = eojeol("어디", "에서")
            else:
                return None
            word, near = (ko, [En("where", ko[:1], ko[1:])]), tuple(ko)
        elif kind == "when":
            ko = eojeol("언제")
            word, near = (ko, [En("when", ko)]), tuple(ko)
        shown = mood.modal or mood.tense
        time: Both = ([], [])
        generic = "generic" in frame.flags
        if kind != "when" and not generic and TIMES.get((shown, frame.times)):
            if shown == "habit" or dice.chance(0.55):
                time = self.time(shown, frame.times)
        if shown == "habit" and not (time[0] or generic or frame.times == "live"):
            return None
        honoured = actor.honoured or (you and self.register != "plain")
        how = Saying("question", mood, self.register, honoured, actor.agrees, asked=kind != "who",
                     owner=actor.group, before=(*time[0], *near, *place[0]))  # fmt: skip
        if kind == "who":
            how.agrees = "3sg"
        parts = realise(event, things, self.lexicon, how)
        return self._questioned(parts, kind, actor, you, word, place, time)

    def someone(self) -> Actor:
        return Actor(None, "2")

    def _questioned(self, parts: Parts, kind: str, actor: Actor, you: bool, word: Both,
                    place: Both, time: Both) -> Draft | None:  # fmt: skip
        group = parts.group
        tail = [*group.verb, *parts.after, *place[1], *time[1]]
        if kind == "who":
            who = eojeol("누가")
            ko = [*who, *parts.ko] if not time[0] else [*time[0], *who, *parts.ko[len(time[0]):]]
            en = [En("who", who), *group.aux, *tail]
        else:
            if you:
                front = eojeol("너", "는") if self.register == "plain" and self.dice.chance(0.5) else []
                subject = [En("you", front[:1], front[1:] or parts.predicate.ko)]
            else:
                phrase = actor.phrase(self.register, spoken=self.register == "plain")
                front, subject = phrase.marked("topic"), phrase.en
            ko = [*front, *parts.ko]
            en = [*word[1], *group.aux, *subject, *tail]
        return Draft((ko, en), "question", "?", ends=[ko[-1]])

    def request(self) -> tuple[str, str]:
        """How somebody is asked to do something, and the mark at the end."""
        if self.dice.chance(0.65):
            return "please", "."
        return ("shall", "?") if self.register == "polite" else ("lets", ".")

    def command(self) -> Draft | None:
        """문을 여세요, please open the door; 열지 마세요, don't; 같이 갈까요? shall we go?"""
        dice = self.dice
        kind = dice.weighted({"please": 4.0, "dont": 1.2, "lets": 1.5})
        pool = [f for f in self.anyone if {"please"} & f.flags]
        if kind == "lets":
            pool = [f for f in self.anyone if {"shall", "please", "with"} & f.flags
                    and f.times != "long" and not {"friend", "known", "noprog"} & f.flags]  # fmt: skip
        frame = self.some(pool)
        doing = self.doing(frame, self.we() if kind == "lets" else self.someone(), 0.25, True)
        if doing is None:
            return None
        if kind == "lets" and self.register == "polite":
            kind = "shall"
        stop = "?" if kind == "shall" else "."
        if frame.event.objects() == ["x"] and frame.event.verb.stem in ("씻", "옮기"):
            doing.things["x"].known = True
        hero = self.someone()
        made = self.tell(doing, hero, Mood("habit"), "request", ending=kind, stop=stop)
        return made

    # Clauses that describe a noun -------------------------------------------------------------

    def with_history(self, entry: Entry, stems: list[str]) -> Phrase | None:
        """민수가 어제 산 책, the book that Minsu bought yesterday."""
        dice = self.dice
        if "mass" in entry.more and "counter" not in entry.more:
            return None
        fitting = [f for f in self.anyone if f.event.verb.stem in stems
                   and f.event.objects() == ["x"] and len(f.slots) == 1
                   and entry in self.lexicon.things(
                       dict(f.slots)["x"].rstrip("#*+0123456789").replace(",", " "))]  # fmt: skip
        if not fitting:
            return None
        frame = dice.pick(fitting)
        maker = dice.pick([self.named, self.named, self.me, lambda: self.kin(self.me())])()
        if maker is None:
            return None
        event = replace(frame.event, ko=(), en=())
        time = self.time("past", "meal") if dice.chance(0.35) else ([], [])
        place = self.place(frame, maker, 0.35) if "with" not in frame.flags else ([], [])
        how = Saying("rel", Mood("past"), self.register, maker.honoured, maker.agrees,
                     before=(*time[0], *place[0]))  # fmt: skip
        parts = realise(event, {}, self.lexicon, how)
        who = maker.phrase(self.register)
        front = [*who.marked("subject"), *parts.ko]
        noun = eojeol(entry.ko)
        several = "many" in entry.more and "mass" not in entry.more or "bulk" in entry.classes
        text = entry.plural() if several else entry.en
        opening = En("the", [], noun)
        body = words(text, noun)
        en = [opening, *body, En("that", [], parts.ko[-1:]), *who.en, *parts.finite(),
              *place[1], *time[1]]  # fmt: skip
        self.combined = {(frame.event.verb.stem, entry.ko)}
        return Phrase([*front, *noun], en, body[-1], "pl" if several else "3sg", opening=opening)

    combined: set[tuple[str, str]] = set()

    def relative(self) -> Draft | None:
        """나는 민수가 산 빵을 먹었다; 민수가 산 책은 재미있다."""
        dice = self.dice
        self.combined = set()
        if dice.chance(0.4):
            pool = [e for e in self.lexicon.of_kind["noun"] if "the" not in e.more
                    and any(a.classes & e.classes for a in self.lexicon.of_kind["adjective"])]  # fmt: skip
            entry = self.fresh(pool)
            phrase = entry and self.with_history(entry, ["사", "만들", "쓰", "그리", "빌리", "찍", "굽"])
            made = phrase and entry and self.quality(phrase, entry, past=dice.chance(0.5))
            if not phrase or not made:
                return None
            ko = [*phrase.marked("topic"), *made[0]]
            draft = Draft((ko, [*phrase.en, *made[1]]), "relative", ends=[ko[-1]],
                          combinations=set(self.combined))  # fmt: skip
            return draft if self.allowed(draft) else None
        frame = self.some([f for f in self.anyone if f.event.verb.stem in HISTORIES
                           and ("gift" in f.flags) == ("double" in f.flags)])  # fmt: skip
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
        phrase = self.with_history(entry, HISTORIES[frame.event.verb.stem].split())
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

    def described_person(self) -> Draft | None:
        """저기에서 책을 읽고 있는 여자는 의사다, the woman who is reading a book is a doctor."""
        dice = self.dice
        frame = self.some([f for f in self.anyone if f.event.verb.stem in WATCHED and f.places
                           and f.times == "day" and "w" not in f.event.slots()])  # fmt: skip
        entry = self.fresh([e for e in self.lexicon.of_kind["person"] if e.ko in ("남자", "여자")])
        work = self.fresh(self.lexicon.find("person", "worker"))
        if entry is None or work is None:
            return None
        actor = Actor(entry, gender="m" if entry.ko == "남자" else "f")
        doing = self.doing(frame, actor, 0.5, bare=True)
        if doing is None:
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
        pairs = {(frame.event.verb.stem, doing.things[s].entry.ko) for s in frame.event.objects()
                 if s in doing.things}  # fmt: skip
        draft = Draft((ko, [*subject.en, *made[1]]), "relative", ends=[ko[-1]], combinations=pairs)
        return draft if self.allowed(draft) and dice.chance(1) else None

    def reported(self) -> Draft | None:
        """민수는 수진이 사과를 샀다고 말했다, Minsu said that Sujin bought an apple."""
        dice = self.dice
        speaker = self.named() if dice.chance(0.6) else self.kin(self.me())
        frame = self.some([f for f in self.anyone if f.times in ("day", "long", "meal")])
        actor = self.named() if dice.chance(0.7) else self.kin(self.me(), "sibling")
        if speaker is None or actor is None or "generic" in frame.flags:
            return None
        doing = self.doing(frame, actor, 0.4, bare=True)
        if doing is None:
            return None
        mood = Mood(dice.weighted({"past": 3.0, "future": 1.0}))
        if "past" in frame.flags:
            mood = Mood("past")
        time = self.time(mood.tense, frame.times) if dice.chance(0.4) else ([], [])
        how = Saying("say", mood, self.register, actor.honoured, actor.agrees,
                     owner=actor.group, before=(*time[0], *doing.place[0]))  # fmt: skip
        parts = realise(frame.event, doing.things, self.lexicon, how)
        who, whom = speaker.phrase(self.register), actor.phrase(self.register)
        verb = self.lexicon.verbs["말하"]
        predicate = conjugate(verb, Mood("past"), "final", self.register, speaker.honoured)
        inner = [*whom.marked("subject"), *parts.ko]
        ko = [*who.marked("topic"), *inner, *predicate.ko]
        if mood.tense == "future":
            for token in parts.group.aux:
                token.text = "would" if token.text == "will" else token.text
        en = [*who.en, En("said", [predicate.main], predicate.rest()),
              En("that", [], inner[-1:]), *whom.en, *parts.finite(), *doing.place[1], *time[1]]  # fmt: skip
        pairs = {(frame.event.verb.stem, doing.things[s].entry.ko) for s in frame.event.objects()
                 if s in doing.things}  # fmt: skip
        draft = Draft((ko, en), "reported", ends=[inner[-1], ko[-1]], combinations=pairs)
        return draft if self.allowed(draft) else None


__all__ = ["Speech"]
