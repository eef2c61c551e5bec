"""Sentences of one clause: what somebody does, wants, can, must, or asks leave to do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from frames import Frame, read_frames
from joining import Clause
from lexicon import Entry, Lexicon
from nouns import Actor, Thing
from predicates import SKILLS, Mood
from rows import Draft, fixed
from scenes import read_scenes
from stories import Stories
from telling import Teller
from tokens import NOTHING, Both, Dice, En, Ko, eojeol

FREQUENCY = [("자주", "often"), ("가끔", "sometimes")]
PEOPLE = (
    "human",
    "named",
    "me",
    "young",
    "grown",
)  # who of a frame that is no class of the lexicon
TENSES = {"past": 4.0, "future": 1.2, "now": 1.3, "habit": 1.6, "soon": 1.5, "always": 2.0}
DETERMINERS = {"this": "이", "that": "그"}
# Construction -> the use that a frame must have for it.
MODALS = {"want": "want", "must": "must", "perf": "ever", "decide": "decide"}
MODALS |= {"can": "can", "know": "know"}
WENT = ("가", "여행하", "살")  # has been to, has lived in
COLORS = {"red", "blue", "yellow", "white", "black"}
ANY_ONE = ("식당", "카페")  # a restaurant: nobody asks which


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
        self.plain = [f for f in self.frames if f.tenses and not {"beast", "only"} & f.uses]
        self.beasts = [f for f in self.frames if "beast" in f.uses]
        self.anyone = [f for f in self.frames if f.who in PEOPLE]

    # Drawing ----------------------------------------------------------------------------------

    def some(self, pool: list[Frame]) -> Frame:
        """A frame; a verb with four is twice as likely as a verb with one."""
        count: dict[str, int] = {}
        for frame in pool:
            count[frame.event.verb.stem] = count.get(frame.event.verb.stem, 0) + 1
        stem = self.dice.weighted({stem: number**0.5 for stem, number in sorted(count.items())})
        return self.dice.pick([f for f in pool if f.event.verb.stem == stem])

    def used_for(self, use: str) -> list[Frame]:
        """The frames that people have in this construction."""
        return [f for f in self.anyone if use in f.uses]

    def doing(
        self, frame: Frame, hero: Actor, richness: float = 0.5, bare: bool = False
    ) -> Doing | None:
        """The words of a frame; `bare` has no numbers and no adjectives."""
        things: dict[str, Thing] = {}
        objects = frame.event.objects()
        for letter, spec in frame.slots:
            if bare:
                plural = "+" if "+" in spec else ""
                spec = spec.split("#")[0].rstrip("*+") + plural
            thing = self.pointed(spec, frame.event.verb.stem if letter in objects else "")
            if thing is None:
                return None
            things[letter] = thing
        if frame.event.verb.stem == "입" and not self.worn(things["x"], hero):
            return None
        if "w" in frame.event.slots():
            friend = "friend" in frame.uses or self.dice.chance(0.4)
            spec = "named" if "known" in frame.uses else "friend" if friend else "family"
            mate = self.mate(spec, hero)
            if mate is None:
                return None
            things["w"] = self.companion(mate)
        return Doing(frame, things, self.place(frame, hero, richness))

    def worn(self, clothes: Thing, hero: Actor) -> bool:
        """Gives them a color, and no man a skirt: what one wears, one says of a red shirt."""
        found = self.lexicon.of_kind["adjective"]
        found = [e for e in found if e.en in COLORS and e.classes & clothes.entry.classes]
        clothes.adjective = self.dice.pick(found)
        return hero.gender == "f" or clothes.entry.ko not in ("치마", "원피스")

    def pointed(self, spec: str, verb: str = "") -> Thing | None:
        """A thing of these classes; "this:goods" is this bag, "that:readable" that book."""
        determiner, _, classes = spec.rpartition(":")
        thing = self.slot(classes, verb)
        if thing is not None and determiner:
            thing.determiner = DETERMINERS[determiner]
        return thing

    def place(self, frame: Frame, hero: Actor, richness: float) -> Both:
        """Where it is done, and with whom."""
        dice = self.dice
        ko: list[Ko] = []
        en: list[En] = []
        if frame.places and ("place" in frame.uses or dice.chance(richness)):
            entry = self.fresh(self.lexicon.find("place", frame.places))
            if entry is not None:
                ko, en = self.at(entry, "from" if "from" in frame.uses else "")
        if "with" in frame.uses and hero.group != "1pl" and dice.chance(richness * 0.4):
            mate = self.mate("friend" if dice.chance(0.6) else "family", hero)
            if mate is not None:
                more_ko, more_en = self.along(mate)
                ko, en = [*ko, *more_ko], [*more_en, *en]
        return ko, en

    def at(self, entry: Entry, preposition: str = "") -> Both:
        """공원에서, in the park: where something is done."""
        phrase = Thing(entry).phrase(
            "0" if entry.ko == "집" else "a" if entry.ko in ANY_ONE else "the"
        )
        marked = phrase.marked("from")
        word = preposition or entry.more.get("at", "at")
        return marked, [En(word, marked[-1:], phrase.head.sure), *phrase.en]

    def along(self, mate: Actor) -> Both:
        """민수와 함께, with Minsu."""
        phrase = mate.phrase(self.register)
        marked = phrase.marked("with")
        word = eojeol("같이" if self.register == "polite" else "함께")
        return [*marked, *word], [En("with", [marked[-1], *word]), *phrase.en]

    def subject(self, frame: Frame) -> Actor | None:
        """Somebody who can do what the frame says: people with a name, the family, I; a group."""
        dice, who = self.dice, frame.who
        if "beast" in frame.uses:
            entry = self.fresh(self.lexicon.find("animal", who))
            at_home = who in ("pet", "milk-drinker")
            return entry and Actor(entry, beast=True, known=at_home)
        if who not in PEOPLE:
            entry = self.fresh(self.lexicon.find("person", who))
            return entry and Actor(entry, "pl", many=True, known=who == "student-group")
        if who == "me":
            return self.me()
        near = 0.0 if who == "named" else 1.0
        kind = dice.weighted({"name": 5.0, "kin": 2.0 * near, "me": 1.8, "we": 0.3 * near})
        if kind == "kin":
            return self.kin(self.me(), {"young": "sibling", "grown": "grown"}.get(who, "family"))
        if kind == "me":
            return self.me()
        if kind == "we" and who == "human" and not {"place", "friend"} & frame.uses:
            own = any("my" in (item.text, item.kind) for item in frame.event.en)  # our diary
            together = frame.times != "live" and "w" not in frame.event.slots()
            return self.we() if together and not own else None
        return self.named()

    def negation(self, frame: Frame, mood: Mood) -> str:
        """-지 않다, in speech 안 where one says so; 못 where something prevents it."""
        stem = frame.event.verb.stem
        compound = stem.endswith("하") and len(stem) > 1
        if "could" in frame.uses or "maybe" in frame.uses and self.dice.chance(0.5):
            return "unable"
        able = "denied" in frame.uses
        if mood.tense == "past" and not able and self.dice.chance(0.4 if compound else 0.3):
            return "unable"
        if self.register == "formal" or compound or len(stem) > 2 or self.dice.chance(0.4):
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
        unsaid: float = 0.45,
    ) -> Draft | None:
        """One clause as a sentence; `unsaid` is how often the *I* is left out in Korean."""
        silent = actor.group == "1sg" and self.dice.chance(unsaid)
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
        frame = self.some(self.beasts if dice.chance(0.05) else self.plain)
        tense = dice.weighted({name: TENSES[name] for name in frame.tenses})
        mood = Mood("past" if tense == "past" else "future" if tense == "future" else "habit")
        if tense == "future":
            mood = replace(mood, modal="plan")  # is going to: what one has in mind
        if tense == "now":
            mood = replace(mood, modal="now")
        kind = "clause"
        untrue = "not" in frame.uses and tense in ("past", "always") and dice.chance(0.2)
        if untrue or "denied" in frame.uses:
            mood, kind = replace(mood, negated=self.negation(frame, mood)), "negation"
        actor = self.subject(frame)
        if actor is None:
            return None
        richness = 0.0 if kind == "negation" else dice.pick([0.2, 0.5, 0.9])
        if frame.places == "kitchen" and tense == "past":
            richness = 0.0  # where else?
        uncounted = kind == "negation" or tense in ("habit", "now") and frame.times != ""
        doing = self.doing(frame, actor, richness, bare=uncounted)
        if doing is None:
            return None
        time, adverb = NOTHING, NOTHING
        if tense == "habit" and dice.chance(0.35):
            word = dice.pick(FREQUENCY)
            adverb = fixed(word[0], f"{word[1]}:0")
        elif tense == "habit":
            time = self.time("habit", frame.habits)
        elif tense in ("future", "soon"):
            time = self.time("future", frame.times, hours="timed" in frame.uses)
        elif tense == "now" and frame.times and dice.chance(0.3):
            time = self.time("now", "day")
        elif tense == "past" and (not doing.place[0] and kind == "clause" or dice.chance(0.85)):
            hours = "timed" in frame.uses and kind == "clause"
            time = self.time("past", frame.times, hours=hours)
        if tense in ("future", "soon", "habit") and not (time[0] or adverb[0]):
            return None
        seen = tense == "now" and (actor.many or actor.beast)
        front = bool(time[0]) and tense in ("past", "future") and kind == "clause"
        front = front and len(time[1]) > 1  # yesterday and today are said last in English
        return self.tell(
            doing,
            actor,
            mood,
            kind,
            time=time,
            mark="subject" if seen else "topic",
            adverb=adverb,
            front=front and dice.chance(0.3),
        )

    def modal(self, modal: str, kind: str) -> Draft | None:
        """-고 싶다, -(으)ㄹ 수 있다, -(으)ㄹ 줄 알다, -아야 하다, -(으)ㄴ 적이 있다, -기로 하다."""
        dice = self.dice
        frame = self.some(self.used_for(MODALS[modal]))
        # What others want, Korean says with -고 싶어 하다.
        actor = self.me() if modal == "want" else self.subject(frame)
        if actor is None:
            return None
        denied = modal in ("can", "know", "perf") and dice.chance(0.4 if modal == "can" else 0.25)
        event = frame.event
        if modal == "can" and actor.me and event.verb.stem == "오":
            return None  # 갈 수 있다, of oneself
        if modal == "know" and (event.base not in {*SKILLS, "cook"} or event.verb.stem == "연주하"):
            denied = False  # what one cannot bake nobody asks
        if modal == "can" and "due" not in frame.uses:
            denied = False
        if modal in ("can", "know", "decide", "perf") and actor.group == "1pl":
            return None
        doing = self.doing(frame, actor, 0.3 if modal == "want" else 0.0, bare=True)
        if doing is None:
            return None
        dated = modal == "must" and "dated" in frame.uses
        past = dated and not doing.place[0] and dice.chance(0.2)
        tense = "past" if past or modal == "decide" else "habit"
        mood = Mood(tense, modal, "long" if denied else "")
        if denied and (modal == "know" or modal == "can" and dice.chance(0.5)):  # 못 치다
            mood = Mood("habit", "", "unable")
        time = NOTHING
        planned = "future" in frame.tenses if modal in ("want", "decide") else "due" in frame.uses
        if dated or planned and frame.times and dice.chance(0.45):
            scale = "live" if modal == "want" and frame.times in ("long", "trip") else frame.times
            time = self.time("past" if past else "future", scale)
        draft = self.tell(doing, actor, mood, kind, time=time)
        if draft and modal == "perf" and not denied and frame.event.verb.stem not in WENT:
            ko, en = draft.sentence
            en.append(En("before", [], [token for token in ko if token.text == "적"]))
        return draft

    def promise(self) -> Draft | None:
        """제가 창문을 닫겠습니다, I will close the window."""
        frame = self.some(self.used_for("promise"))
        self.register = "formal"
        actor = self.me()
        doing = self.doing(frame, actor, 0.0, bare=True)
        if doing is None:
            return None
        timely = (frame.times == "meal" or "timed" in frame.uses) and self.dice.chance(0.6)
        time = self.time("future", frame.times) if timely else NOTHING
        offered = frame.event.verb.stem not in ("공부하", "오", "돌아오", "전화하", "사")
        return self.tell(
            doing,
            actor,
            Mood("habit", "will"),
            "promise",
            time=time,
            mark="subject",
            unsaid=0.4 if offered else 1.0,  # 제가 하겠습니다: I, and not you
        )

    def permission(self) -> Draft | None:
        """여기에 앉아도 돼요, may I sit here?"""
        if self.register == "plain":
            self.register = "polite"
        frame = self.some(self.used_for("may"))
        doing = self.doing(frame, self.me(), 0.0, bare=True)
        if doing is None:
            return None
        draft = self.may_i(
            Clause(frame.event, self.me(), things=doing.things, silent=True, owner="1sg")
        )
        return draft if self.allowed(draft) else None

    def guess(self) -> Draft | None:
        """민수가 내일 회사에 늦을 것 같다, I think Minsu will be late for work tomorrow."""
        frame = self.some(self.used_for("guess"))
        actor = self.subject(frame)
        if actor is None or actor.me:
            return None
        doing = self.doing(frame, actor, 0.0, bare=True)
        if doing is None:
            return None
        timely = frame.times and ("timed" in frame.uses or self.dice.chance(0.6))
        draft = self.i_think(
            Clause(
                frame.event,
                actor,
                things=doing.things,
                time=self.time("future", frame.times) if timely else NOTHING,
                mark="subject",
                owner=actor.group,
            )
        )
        return draft if self.allowed(draft) else None


__all__ = ["Doing", "Singles"]
