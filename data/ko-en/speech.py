"""What people say to each other: questions and requests."""

from __future__ import annotations

from dataclasses import replace

from events import Parts, Saying, realise
from frames import Frame
from nouns import Actor, Phrase, Thing
from predicates import Mood
from relatives import Given, Relatives
from rows import Draft
from single import TASTED, Doing
from times import TIMES
from tokens import Both, En, Ko, eojeol

# What nobody asks with 무엇.
OPEN = {
    "읽",
    "쓰",
    "사",
    "먹",
    "마시",
    "만들",
    "그리",
    "배우",
    "공부하",
    "듣",
    "빌리",
    "보",
    "잃어버리",
    "팔",
}
# What one tells others not to do.
FORBIDDEN = {"사", "열", "닫", "켜", "끄", "타", "옮기", "버리", "앉", "기다리"}
DAILY = ("human", "young")
# What one asks about others.
ASKED = {
    *OPEN,
    "가",
    "만나",
    "살",
    "다니",
    "여행하",
    "전화하",
    "타",
    "찍",
    "좋아하",
    "일어나",
    "자",
    "떠나",
    "운동하",
    "수영하",
    "산책하",
    "초대하",
    "보내",
    "치",
    "준비하",
    "고치",
    "이야기하",
}
# What is asked about is in sight or was spoken of: 이 책을 어디에서 샀어요? 그 영화를 봤어요?
SPOKEN_OF = {"읽", "보", "듣", "부르", "그리", "찍", "빌리", "쓰"}


class Speech(Relatives):
    """Questions and requests."""

    def question(self) -> Draft | None:
        """Yes or no, who, what, where, when."""
        dice = self.dice
        kind = dice.pick(["yes", "yes", "who", "what", "where", "when"])
        frame = self.some([f for f in self.human if f.who in DAILY and f.event.verb.stem in ASKED])
        if frame.event.verb.stem == "입" or kind != "yes" and frame.event.verb.stem == "일어나":
            return None  # nobody asks whether you put on pants, or when you got up early
        if kind == "what" and frame.event.verb.stem not in OPEN:
            return None
        if kind == "where" and not ({"goal"} & frame.flags or frame.places):
            return None
        mood = self.tense_for(frame)
        if mood.tense == "habit" and kind in ("when", "who") and "generic" not in frame.flags:
            return None
        if mood.tense == "future" and self.register == "formal":
            return None  # nobody asks -(으)ㄹ 것입니까
        if kind == "when" and (mood.modal or not frame.times or "generic" in frame.flags):
            return None
        you = frame.who in DAILY and kind != "who" and dice.chance(0.6)
        actor = Actor(self.lexicon.by_ko["친구"], "2") if you else self.subject(frame)
        if actor is None or actor.me or actor.whose is not None and not you:
            return None
        if "w" in frame.event.slots() and kind == "who":
            return None
        return self.asked(frame, kind, mood, actor, you)

    def at_time(self, frame: Frame, kind: str, shown: str) -> Both | None:
        """When it is, if that is said; None where a habit would need it."""
        time: Both = ([], [])
        generic = "generic" in frame.flags
        timely = kind not in ("when", "where") and not generic and TIMES.get((shown, frame.times))
        if timely and (shown == "habit" or self.dice.chance(0.55)):
            time = self.time(shown, frame.times)
        always = generic or frame.times == "live" or kind == "where"
        return None if shown == "habit" and not (time[0] or always) else time

    def asked(self, frame: Frame, kind: str, mood: Mood, actor: Actor, you: bool) -> Draft | None:
        """A question of one of these kinds, with its words drawn."""
        doing = self.doing(frame, self.someone() if you else actor, 0.35, bare=True)
        if doing is None or "w" in doing.things and you and "friend" not in frame.flags:
            return None
        event, things = frame.event, dict(doing.things)
        if not self.known(frame, kind, mood, doing):
            return None
        place = ([], []) if kind in ("where", "when") else doing.place
        word: Both = ([], [])
        near: tuple[Ko, ...] = ()
        if kind == "what":
            if event.objects() != ["x"] or place[0]:
                return None
            ko = eojeol("무엇")
            if self.register == "plain":  # 뭐 샀니, with no particle
                ko = eojeol("뭐")
                event = replace(event, ko=tuple(replace(item, kind="") for item in event.ko))
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
        time = self.at_time(frame, kind, mood.modal or mood.tense)
        if time is None:
            return None
        honoured = actor.honoured or (you and self.register != "plain")
        how = Saying(
            "question",
            mood,
            self.register,
            honoured,
            actor.agrees,
            asked=kind != "who",
            owner=actor.group,
            before=(*time[0], *near, *place[0]),
        )
        if kind == "who":
            how.agrees = "3sg"
        parts = realise(event, things, self.lexicon, how)
        draft = self._questioned(parts, kind, actor, you, word, place, time)
        if draft is not None and kind != "what":
            draft.combinations = {
                (event.verb.stem, things[slot].entry.ko)
                for slot in event.objects()
                if slot in things
            }
        return draft if draft is not None and self.allowed(draft) else None

    def known(self, frame: Frame, kind: str, mood: Mood, doing: Doing) -> bool:
        """Makes the thing one that both know, where a question needs it; False: nobody asks so."""
        x = doing.things.get("x")
        plain = any(item.slot == "x" and not item.kind for item in frame.event.en)
        if x is None or not plain or kind == "what":
            return True
        stem = frame.event.verb.stem
        if stem in TASTED and (kind == "who" or frame.times != "meal" and kind != "yes"):
            return False  # when did you eat an apple? who ate?
        if x.mass or "the" in x.entry.more or stem in TASTED:
            return True
        if kind == "yes" and (stem not in SPOKEN_OF or mood.tense == "future"):
            return True
        if "made" in frame.flags and mood.tense != "past":
            return kind == "yes"
        x.determiner = "그" if kind == "yes" or stem in ("읽", "보") else "이"
        x.number = x.adjective = None
        return True

    def someone(self) -> Actor:
        return Actor(None, "2")

    def _questioned(
        self, parts: Parts, kind: str, actor: Actor, you: bool, word: Both, place: Both, time: Both
    ) -> Draft | None:
        group = parts.group
        tail = [*group.verb, *parts.after, *place[1], *time[1]]
        if kind == "who":
            who = eojeol("누가")
            ko = [*who, *parts.ko] if not time[0] else [*time[0], *who, *parts.ko[len(time[0]) :]]
            en = [En("who", who), *group.aux, *tail]
        else:
            if you:
                front = (
                    eojeol("너", "는") if self.register == "plain" and self.dice.chance(0.5) else []
                )
                subject = [En("you", front[:1], front[1:] or parts.predicate.ko)]
            else:
                phrase = actor.phrase(self.register, spoken=True)
                entry = actor.entry
                anybody = entry and entry.kind == "person" and "honoured" not in entry.classes
                if entry and anybody and not actor.many:  # that man: it is clear which one
                    phrase = Thing(entry, determiner="그").phrase()
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
        if kind == "dont":
            pool = [f for f in pool if f.event.verb.stem in FORBIDDEN]
        if kind == "lets":
            pool = [
                f
                for f in self.anyone
                if {"shall", "please", "with"} & f.flags
                and f.times not in ("long", "trip")
                and not {"friend", "known", "noprog"} & f.flags
            ]
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


__all__ = ["Speech"]
