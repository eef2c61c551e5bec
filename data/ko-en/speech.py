"""What people say to each other: questions and requests."""

from __future__ import annotations

from cast import Role
from frames import Question, read_questions
from joining import Clause
from lexicon import Lexicon
from nouns import Actor, Phrase, Thing
from predicates import Mood
from relatives import Relatives
from rows import Draft, fixed
from telling import Teller
from tokens import NOTHING, Dice, En, eojeol

# When a question of questions.tsv asks -> how its verb is said.
MOODS = {
    "past": Mood("past"),
    "present": Mood("habit"),
    "usual": Mood("habit"),
    "now": Mood("habit", "now"),
    "plan": Mood("future", "plan"),
    "can": Mood("habit", "can"),
    "know": Mood("habit", "know"),
    "ever": Mood("habit", "perf"),
    "why-not": Mood("past", "", "short"),
}


FORMAL = ("present", "usual")  # of shops, trains and others


class Named(Role):
    """Somebody as one speaks of them: 수진 씨, among friends 수진이."""

    def phrase(self, variant: str = "", owner: str = "") -> Phrase:
        return self.actor.phrase(self.register, spoken=True)


class Speech(Relatives):
    """Questions and requests."""

    def __init__(self, dice: Dice, lexicon: Lexicon) -> None:
        super().__init__(dice, lexicon)
        self.questions = read_questions(lexicon)

    def question(self) -> Draft | None:
        """One of questions.tsv, with its words drawn."""
        dice = self.dice
        asked = dice.pick(self.questions)
        personal = asked.when not in FORMAL or any(i.text == "you" for i in asked.formal.own)
        if personal and self.register == "formal":
            return None  # 몇 시에 문을 엽니까, but nobody asks a friend 자고 있습니까
        things = self.asked_about(asked)
        if things is None:
            return None
        time = NOTHING
        if asked.times and (asked.timed or dice.chance(0.5)):
            time = self.time(*asked.times)
        event = asked.formal if self.register == "formal" else asked.spoken
        clause = Clause(event, None, ".", MOODS[asked.when], things, time=time, owner="2")
        if asked.when == "usual":
            clause.adverb = fixed("보통", "usually:0")
        ever = En("ever")
        if asked.when == "ever":
            clause.adverb = [], [ever]
        teller = Teller(self.lexicon, self.register)
        draft = teller.tell([clause], "question", stop="?", ending="question")
        ever.sure = [token for token in draft.sentence[0] if token.text == "적"]
        alone = [item.text for item in event.own][-1:] == ["you"] and not time[0]
        if alone and asked.when in FORMAL and self.register == "plain" and dice.chance(0.4):
            self.address(draft)
        return draft if self.allowed(draft) else None

    def address(self, draft: Draft) -> None:
        """너 언제 자니? Friends may say the *you*."""
        ko, en = draft.sentence
        you = eojeol("너")
        word = next(word for word in en if word.text == "you")
        word.sure, word.maybe = you, []
        draft.sentence = [*you, *ko], en

    def asked_about(self, asked: Question) -> dict[str, Thing] | None:
        """The things and people of a question."""
        things: dict[str, Thing] = {}
        for letter, spec in asked.slots:
            thing = self.pointed(spec)
            if thing is None:
                return None
            things[letter] = thing
        if "s" in asked.formal.slots():
            actor = self.named()
            if actor is None:
                return None
            things["s"] = Named(actor, self.register)
        return things

    def command(self) -> Draft | None:
        """문을 여세요, please open the door; 열지 마세요, don't; 같이 갈까요? shall we go?"""
        dice = self.dice
        use = dice.weighted({"please": 4.0, "dont": 1.6, "shall": 1.8})
        frame = self.some(self.used_for(use))
        hero = self.we() if use == "shall" else Actor(None, "2")
        counted = "counted" in frame.uses  # 커피 두 잔 주세요
        doing = self.doing(frame, hero, 0.25, bare=not counted)
        if doing is None or counted and not any(x.number for x in doing.things.values()):
            return None
        ending = use
        if use == "shall" and self.register != "polite":
            ending = "lets"
        return self.tell(
            doing,
            Actor(None, "2"),
            Mood("habit"),
            "request",
            ending=ending,
            stop="?" if ending == "shall" else ".",
        )


__all__ = ["Speech"]
