"""Sentences of one clause: what somebody does, wants, can, must, asks or is asked to do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from frames import Frame, read_frames
from joining import Clause
from lexicon import Entry, Lexicon
from nouns import Actor, Thing
from predicates import Mood
from rows import Draft, fixed
from scenes import read_scenes
from stories import Stories
from telling import Teller
from times import TIMES
from tokens import NOTHING, Both, Dice, En, Ko, eojeol

FREQUENCY = [("자주", "often"), ("가끔", "sometimes"), ("보통", "usually")]
TASTED = {"먹", "마시"}  # nobody plans an apple
TRIFLES = {*TASTED, "열", "닫", "켜", "끄", "씻", "빨", "닦", "기다리", "일하"}


@dataclass
class Doing:
    """A frame with its words drawn."""

    frame: Frame
    things: dict[str, Thing]
    place: Both = field(default_factory=lambda: ([], []))


class Singles(Stories):
    """Sentences of one clause, drawn from frames.tsv."""

    def __init__(self, dice: Dice, lexicon: Lexicon) -> None:
        super().__init__(dice, lexicon)
        self.scenes = read_scenes(lexicon)
        self.frames = read_frames(lexicon)
        self.human = [f for f in self.frames if not {"beast", "asked"} & f.flags]
        self.beasts = [f for f in self.frames if "beast" in f.flags]
        self.anyone = [f for f in self.frames if f.who == "human"]

    # Drawing ----------------------------------------------------------------------------------

    def some(self, pool: list[Frame]) -> Frame:
        """A frame; each verb is as likely as any other, however many frames it has."""
        stem = self.dice.pick(sorted({f.event.verb.stem for f in pool}))
        return self.dice.pick([f for f in pool if f.event.verb.stem == stem])

    def doing(
        self, frame: Frame, hero: Actor, richness: float = 0.5, bare: bool = False
    ) -> Doing | None:
        """The words of a frame; `bare` has no numbers and no adjectives."""
        dice = self.dice
        things: dict[str, Thing] = {}
        objects = frame.event.objects()
        for letter, spec in frame.slots:
            if bare:
                plural = "+" if "+" in spec else ""
                spec = spec.split("#")[0].rstrip("*+") + plural
            thing = self.slot(spec, frame.event.verb.stem if letter in objects else "")
            if thing is None:
                return None
            things[letter] = thing
        if "w" in frame.event.slots():
            friend = "friend" in frame.flags or dice.chance(0.5)
            mate = self.mate("friend" if friend else "family", hero)
            if mate is None:
                return None
            things["w"] = self.companion(mate)
        return Doing(frame, things, self.place(frame, hero, richness))

    def place(self, frame: Frame, hero: Actor, richness: float) -> Both:
        """Where it is done, and with whom."""
        dice = self.dice
        ko: list[Ko] = []
        en: list[En] = []
        if frame.places and ("place" in frame.flags or dice.chance(richness)):
            entry = self.fresh(self.lexicon.find("place", frame.places))
            if entry is not None:
                ko, en = self.at(entry, "from" if "from" in frame.flags else "")
        if "with" in frame.flags and hero.group != "1pl" and dice.chance(richness * 0.4):
            mate = self.mate("friend" if dice.chance(0.6) else "family", hero)
            if mate is not None:
                more_ko, more_en = self.along(mate)
                ko, en = [*ko, *more_ko], [*more_en, *en]
        return ko, en

    def at(self, entry: Entry, preposition: str = "") -> Both:
        """공원에서, in the park: where something is done."""
        phrase = Thing(entry).phrase("0" if entry.ko == "집" else "the")
        marked = phrase.marked("from")
        word = preposition or entry.more.get("at", "at")
        return marked, [En(word, marked[-1:], phrase.head.sure), *phrase.en]

    def along(self, mate: Actor) -> Both:
        """민수와 함께, with Minsu."""
        phrase = mate.phrase(self.register)
        marked = phrase.marked("with")
        word = eojeol("같이" if self.register == "polite" else "함께")
        return [*marked, *word], [En("with", [marked[-1], *word]), *phrase.en]

    def subject(self, frame: Frame, known: bool = True) -> Actor | None:
        """Somebody who can do what the frame says."""
        dice, who = self.dice, frame.who
        if "beast" in frame.flags:
            entry = self.fresh(self.lexicon.find("animal", who))
            return entry and Actor(entry, known=known, beast=True)
        kind = dice.weighted({"name": 5.0, "noun": 1.5, "kin": 2.0, "me": 1.5, "we": 0.4})
        if who not in ("human", "young") or kind == "noun":
            pool = self.lexicon.find("person", "anybody" if who == "human" else who)
            entry = self.fresh(pool)
            if entry is None:
                return None
            many = known and dice.chance(0.15) and "honoured" not in entry.classes
            many = many and frame.event.verb.stem != "타"  # they do not ride one bicycle
            which = "그" if who == "human" and not many else ""  # that man: who else would it be
            gender = {"소년": "m", "남자": "m", "소녀": "f", "여자": "f"}.get(entry.ko, "")
            agrees = "pl" if many else "3sg"
            return Actor(entry, agrees, gender, known=known, many=many, determiner=which)
        if kind == "kin" and who == "human":
            return self.kin(self.me())
        if kind == "me" and who == "human":
            return self.me()
        if kind == "we" and who == "human" and frame.event.verb.stem != "타":
            return self.we()
        return self.named()

    def tense_for(self, frame: Frame) -> Mood:
        """A tense in which the verb makes sense."""
        flags = frame.flags
        if "generic" in flags:
            return Mood("habit")
        if "past" in flags:
            return Mood("past")
        choices = {"past": 4.0, "future": 1.5}
        if frame.event.verb.stem in TRIFLES and frame.times != "meal":
            choices = {"past": 4.0}
        if "habit" in flags:
            choices["habit"] = 1.5
        if "noprog" not in flags and frame.times not in ("meal", "live"):
            choices["now"] = 1.0
        if frame.times == "live":
            choices = {"habit": 1.0}
        tense = self.dice.weighted(choices)
        return Mood("habit", "now") if tense == "now" else Mood(tense)

    def negation(self, frame: Frame, mood: Mood) -> str:
        """-지 않다, in speech 안 where one says so; 못 where something prevents it."""
        stem = frame.event.verb.stem
        if self.dice.chance(0.3) and mood.tense == "past" and not mood.modal:
            return "unable"
        sino = stem.endswith("하") and len(stem) > 1
        if self.register == "formal" or sino or len(stem) > 2 or self.dice.chance(0.4):
            return "long"
        return "short"

    # Telling ----------------------------------------------------------------------------------

    def tell(
        self,
        doing: Doing,
        actor: Actor,
        mood: Mood,
        kind: str,
        *,
        time: Both = NOTHING,
        front: bool = False,
        adverb: Both = NOTHING,
        mark: str = "topic",
        ending: str = "final",
        stop: str = ".",
    ) -> Draft | None:
        """One clause as a sentence."""
        silent = actor.group == "1sg" and self.dice.chance(0.45)
        clause = Clause(
            doing.frame.event,
            actor,
            ".",
            mood,
            doing.things,
            place=doing.place,
            adverb=adverb,
            time=([], []) if front else time,
            mark=mark,
            silent=silent,
            owner=actor.group,
        )
        teller = Teller(self.lexicon, self.register)
        draft = teller.tell([clause], kind, time if front else ([], []), stop=stop, ending=ending)
        return draft if self.allowed(draft) else None

    def clause(self) -> Draft | None:
        """One clause, with everything that may stand in it."""
        dice = self.dice
        frame = self.some(self.beasts) if dice.chance(0.06) else self.some(self.human)
        mood = self.tense_for(frame)
        kind = "clause"
        generic = "generic" in frame.flags
        able = (
            frame.event.verb.stem in REFUSED
            and "past" not in frame.flags
            and "made" not in frame.flags
            and frame.times != "live"
        )
        able = able and mood.modal != "now" and "beast" not in frame.flags
        able = able and mood.tense != "future"
        if (generic or able) and dice.chance(0.13):
            mood, kind = replace(mood, negated=self.negation(frame, mood)), "negation"
        known = kind == "negation" or generic or mood.tense != "past" or frame.times == "night"
        known = known or dice.chance(0.75)
        actor = self.subject(frame, known)
        if actor is None:
            return None
        richness = 0.0 if kind == "negation" else dice.pick([0.2, 0.5, 0.9])
        plain = kind == "negation" or mood == Mood("habit")
        doing = self.doing(frame, actor, richness, bare=plain)
        if doing is None:
            return None
        shown = "now" if mood.modal == "now" else mood.tense
        if shown == "habit" and not generic and frame.event.verb.stem in SEVERAL:
            for thing in doing.things.values():  # often reads comic books
                thing.bulk = not thing.mass
        scale = "meal" if "beast" in frame.flags and shown != "now" else frame.times
        time, adverb = NOTHING, NOTHING
        if "beast" in frame.flags and shown in ("past", "habit"):
            scale = "" if shown == "past" else "night"  # no weekdays for a cat
        if shown == "habit" and scale in ("day", "meal") and dice.chance(0.45):
            if kind == "negation":
                return None
            hard = any(item.text in ("열심히", "푹", "일찍") for item in frame.event.ko)
            if hard or frame.event.verb.stem in ("일하", "팔"):
                return None  # often *and* hard; a doctor often works
            seldom = "beast" in frame.flags or not doing.place[0]
            word = dice.pick(FREQUENCY[:2] if seldom else FREQUENCY)
            adverb = fixed(word[0], f"{word[1]}:0")
        elif TIMES.get((shown, scale)) and (shown == "habit" or dice.chance(0.6)):
            time = self.time(shown, scale, hours=frame.event.verb.stem in TIMED)
        if shown == "habit" and not (time[0] or adverb[0] or generic or frame.times == "live"):
            return None
        if kind == "negation" and shown == "habit" and not generic:
            return None
        mark = "subject" if actor.entry and actor.entry.kind != "name" and not known else "topic"
        return self.tell(
            doing,
            actor,
            mood,
            kind,
            time=time,
            mark=mark,
            adverb=adverb,
            front=bool(time[0]) and shown != "now" and dice.chance(0.35),
        )

    def modal(self, modal: str, kind: str) -> Draft | None:
        """-고 싶다, -(으)ㄹ 수 있다, -아야 하다, -아 보다, -(으)ㄴ 적이 있다, -기로 하다."""
        dice = self.dice
        flag = {
            "want": "want",
            "can": "can",
            "must": "must",
            "try": "want",
            "perf": "want",
            "decide": "want",
        }[modal]
        pool = [f for f in self.anyone if flag in f.flags]
        if modal == "perf":
            pool = [
                f
                for f in pool
                if f.event.verb.stem in PERFECT
                and f.times != "meal"
                and not {"movie*", "television,drama", "goto", "often"}
                & {spec for _, spec in f.slots}
            ]
        if modal == "decide":
            pool = [f for f in pool if f.event.verb.stem not in {*TASTED, "이야기하", "만나"}]
        frame = self.some(pool)
        actor = self.me() if modal == "want" and dice.chance(0.8) else self.subject(frame)
        if modal == "want" and (actor is None or not actor.me):
            return None  # what others want, Korean says with -고 싶어 하다
        if actor is None:
            return None
        denied = modal in ("can", "want", "perf") and dice.chance(0.25)
        denied = denied and not (modal == "want" and "made" in frame.flags)
        denied = denied and (modal != "can" or frame.event.verb.stem == "걸어가")
        denied = denied and not any(item.text == "푹" for item in frame.event.ko)
        rich = 0.4 if modal in ("want", "must") else 0.0
        doing = self.doing(frame, actor, 0.0 if denied else rich, bare=True)
        if doing is None:
            return None
        tense = {"try": "past", "decide": "past"}.get(modal, "habit")
        if modal in ("must", "want") and dice.chance(0.2):
            tense = "past"
        negated = "long" if denied and tense == "habit" else ""
        time = NOTHING
        timely = modal in ("want", "must", "decide") and tense != "past" and not denied
        timely = timely and frame.event.verb.stem not in TASTED
        if timely and dice.chance(0.45):
            time = self.time("future", frame.times)
        return self.tell(doing, actor, Mood(tense, modal, negated), kind, time=time)

    def promise(self) -> Draft | None:
        """제가 창문을 닫겠습니다, I will close the window."""
        frame = self.some(
            [
                f
                for f in self.anyone
                if {"please", "gift"} & f.flags
                and "asked" not in f.flags
                and f.event.verb.stem != "쉬"
            ]
        )
        self.register = "formal"
        actor = self.me()
        doing = self.doing(frame, actor, 0.2, bare=True)
        if doing is None:
            return None
        time = self.time("future", "day") if self.dice.chance(0.35) else ([], [])
        return self.tell(doing, actor, Mood("habit", "will"), "promise", time=time, mark="subject")

    def permission(self) -> Draft | None:
        """여기에 앉아도 돼요, may I sit here?"""
        if self.register == "plain":
            self.register = "polite"
        frame = self.some(
            [
                f
                for f in self.anyone
                if f.event.verb.stem in ALLOWED
                and f.times not in ("long", "live")
                and "푹" not in f.event.source
            ]
        )
        doing = self.doing(frame, self.me(), 0.3, bare=True)
        if doing is None:
            return None
        draft = self.may_i(
            Clause(
                frame.event,
                self.me(),
                things=doing.things,
                place=doing.place,
                silent=True,
                owner="1sg",
            )
        )
        return draft if self.allowed(draft) else None

    def guess(self) -> Draft | None:
        """민수가 내일 도서관에 갈 것 같다, I think Minsu will go to the library tomorrow."""
        frame = self.some(
            [
                f
                for f in self.anyone
                if f.times in ("day", "meal") and not {"past", "gift"} & f.flags
            ]
        )
        actor = self.named() if self.dice.chance(0.6) else self.kin(self.me())
        doing = actor and self.doing(frame, actor, 0.3, bare=True)
        if not doing:
            return None
        time = self.time("future", frame.times) if self.dice.chance(0.6) else NOTHING
        draft = self.i_think(
            Clause(
                frame.event,
                actor,
                things=doing.things,
                place=doing.place,
                time=time,
                mark="subject",
                owner=actor.group,
            )
        )
        return draft if self.allowed(draft) else None


# What has its hour.
TIMED = {"가", "만나", "도착하", "떠나", "전화하", "일하", "운동하", "수영하", "일어나", "자"}
# What one does again and again with another one.
SEVERAL = {"읽", "쓰", "먹", "사", "그리"}
PERFECT = {"가", "여행하", "보", "만들", "굽"}
# What one asks leave to do.
ALLOWED = {
    "먹",
    "마시",
    "보",
    "빌리",
    "타",
    "열",
    "닫",
    "켜",
    "끄",
    "쉬",
    "앉",
    "찍",
    "치",
    "놀",
    "듣",
    "산책하",
    "이야기하",
}
# What is worth saying when it is not done.
REFUSED = {
    "먹",
    "마시",
    "읽",
    "사",
    "가",
    "만나",
    "자",
    "쉬",
    "하",
    "보",
    "전화하",
    "청소하",
    "씻",
    "쓰",
    "공부하",
    "연습하",
    "운동하",
    "산책하",
    "심",
    "닫",
    "열",
    "끄",
    "일어나",
    "찾",
    "초대하",
}
