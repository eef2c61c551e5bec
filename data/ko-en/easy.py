"""The easy subset: a small part of the grammar in which long sentences are only long."""

from __future__ import annotations

from cast import Cast
from events import parse
from joining import Clause
from lexicon import Entry, Lexicon
from nouns import Actor, Phrase, Thing
from predicates import Mood
from rows import Draft
from telling import Teller
from tokens import Both, Dice, En, eojeol

NAMES = {"민수", "지호", "현우", "수진", "유나", "소라"}
PEOPLE = {"학생", "의사", "기자", "화가"}
ADJECTIVES = {"크", "작", "빨갛", "노랗", "예쁘", "비싸", "재미있"}
NUMBERS = {"두", "세", "네", "다섯"}
# verb -> its English, objects and places: only what an easy sentence needs.
VERBS = {
    "먹": ("eat", "사과 배 바나나", "공원 학교 집"),
    "사": ("buy", "사과 배 바나나 책 소설 꽃 의자 자전거 시계 우산 가방 모자", "시장 가게"),
    "읽": ("read", "책 소설 편지", "공원 학교 도서관 집 카페"),
    "그리": ("draw", "꽃 나무 지도", "공원 학교 집"),
    "빌리": ("borrow", "책 소설 자전거 우산", "학교 도서관"),
    "쓰": ("write", "소설 편지", "학교 도서관 집 카페"),
    "잃어버리": ("lose", "책 시계 우산 가방 모자", "공원 학교 시장 카페"),
    "고치": ("fix", "의자 자전거 시계", "학교 집 가게"),
}
# Combinations for the composition test: both words are common in training, together they are not.
HELD_OUT = {
    ("먹", "배"),
    ("사", "모자"),
    ("읽", "편지"),
    ("그리", "꽃"),
    ("빌리", "우산"),
    ("잃어버리", "시계"),
    ("고치", "자전거"),
}
# Verbs without an object, for the shortest sentences.
ALONE = ["웃 = smile", "울 = cry", "쉬 = rest", "일하 = work", "떠나 = leave"]
OPPOSITE = {"크": "작", "작": "크", "빨갛": "노랗", "노랗": "빨갛"}


class Easy(Cast):
    """The easy subset: one register, the past tense, people who do things to things."""

    def __init__(self, dice: Dice, lexicon: Lexicon) -> None:
        super().__init__(dice, lexicon)
        self.events = {
            stem: parse(f"{{x}}을 {stem}", f"{says} {{x}}", lexicon)
            for stem, (says, *_) in VERBS.items()
        }
        self.alone = [parse(*text.split(" = "), lexicon) for text in ALONE]

    def start(self) -> None:
        super().start()
        self.register = "formal"

    # Drawing ----------------------------------------------------------------------------------

    def combination(self) -> tuple[str, str] | None:
        """A verb and its object, of those that are wanted here."""
        pairs = [
            (v, n)
            for v, (_, nouns, _) in VERBS.items()
            for n in nouns.split()
            if ((v, n) in HELD_OUT) == self.composing and n not in self.used
        ]
        if not pairs:
            return None
        verb = self.dice.pick(sorted({v for v, _ in pairs}))
        noun = self.dice.pick([n for v, n in pairs if v == verb])
        self.used.add(noun)
        return verb, noun

    def somebody(self) -> Actor | None:
        if self.dice.chance(0.7):
            entry = self.fresh([e for e in self.lexicon.of_kind["name"] if e.ko in NAMES])
            return entry and Actor(entry, gender="m" if "m" in entry.classes else "f")
        entry = self.fresh([e for e in self.lexicon.of_kind["person"] if e.ko in PEOPLE])
        return entry and Actor(entry)

    def described(self, noun: str, full: float) -> Thing:
        """An object, with an adjective and a number now and then."""
        dice, entry = self.dice, self.lexicon.by_ko[noun]
        fitting = self.fitting(entry)
        adjective = dice.pick(fitting) if fitting and dice.chance(full) else None
        number = dice.pick(self.numbers()) if dice.chance(full) else None
        return Thing(entry, number, adjective=adjective)

    def fitting(self, entry: Entry) -> list[Entry]:
        return [
            a
            for a in self.lexicon.of_kind["adjective"]
            if a.ko in ADJECTIVES and a.classes & entry.classes
        ]

    def numbers(self) -> list[Entry]:
        return [e for e in self.lexicon.of_kind["number"] if e.ko in NUMBERS]

    def contrast(self, thing: Thing) -> Thing | None:
        """The same thing, but small where the first is big, or another number of it."""
        adjective, number = thing.adjective, thing.number
        if adjective is not None and adjective.ko in OPPOSITE:
            other = OPPOSITE[adjective.ko]
            found = [a for a in self.fitting(thing.entry) if a.ko == other]
            return Thing(thing.entry, number, adjective=found[0]) if found else None
        if number is None:
            return None
        more = [n for n in self.numbers() if n is not number]
        return Thing(thing.entry, self.dice.pick(more), adjective=adjective)

    def place(self, verb: str) -> Both:
        pool = VERBS[verb][2].split()
        entry = self.lexicon.by_ko[self.dice.pick(pool)]
        phrase = Thing(entry).phrase("0" if entry.ko == "집" else "the")
        marked = phrase.marked("from")
        word = "from" if verb == "빌리" else entry.more["at"]
        return marked, [En(word, marked[-1:], phrase.head.sure), *phrase.en]

    # Sentences --------------------------------------------------------------------------------

    def clause(self, full: bool) -> Clause | None:
        chosen, actor = self.combination(), self.somebody()
        if chosen is None or actor is None:
            return None
        verb, noun = chosen
        thing = self.described(noun, 0.5 if full else 0.2)
        place = self.place(verb) if self.dice.chance(0.8 if full else 0.3) else ([], [])
        event = self.events[verb]
        return Clause(event, actor, "and", Mood("past"), {"x": thing}, place=place)

    def sentence(self, clauses: int) -> Draft | None:
        """A sentence of so many clauses; -지만 where two of them contrast."""
        self.start()
        told: list[Clause] = []
        while len(told) < clauses:
            made = self.clause(full=clauses > 1)
            if made is None:
                return None
            told.append(made)
            other = self.contrast(made.things["x"]) if self.dice.chance(0.5) else None
            actor = self.somebody() if other and len(told) < clauses and self.once(told) else None
            if other is not None and actor is not None:
                told[-1].link = "but"
                told.append(Clause(made.event, actor, "and", Mood("past"), {"x": other}))
        return Teller(self.lexicon, self.register).tell(told, "easy")

    def once(self, told: list[Clause]) -> bool:
        """One contrast a sentence is enough."""
        return all(clause.link != "but" for clause in told)

    def short(self) -> Draft | None:
        """누가 사과를 샀습니까? Who bought an apple? 어제 민수는 웃었습니다. ..."""
        self.start()
        dice = self.dice
        things: dict[str, Thing] = {}
        asking = dice.chance(0.5)
        if dice.chance(0.5) and not self.composing:
            event = dice.pick(self.alone)
        else:
            chosen = self.combination()
            if chosen is None:
                return None
            event = self.events[chosen[0]]
            entry = self.lexicon.by_ko[chosen[1]]
            fitting = self.fitting(entry)
            adjective = dice.pick(fitting) if fitting and dice.chance(0.6) else None
            things["x"] = Thing(entry, adjective=adjective)
        actor = Who() if asking else self.somebody()
        if actor is None:
            return None
        clause = Clause(event, actor, ".", Mood("past"), things, mark="" if asking else "topic")
        teller = Teller(self.lexicon, self.register)
        ending, stop = ("question", "?") if asking else ("final", ".")
        draft = teller.tell([clause], "easy", stop=stop, ending=ending)
        if dice.chance(0.4):
            day = dice.pick([("어제", "yesterday"), ("오늘", "today")])
            time = eojeol(day[0])
            ko, en = draft.sentence
            draft.sentence = [*time, *ko], [*en, En(day[1], time)]
        return draft


class Who(Actor):
    """누가, who: what a question asks for."""

    def __init__(self) -> None:
        super().__init__(None)

    def phrase(self, register: str, spoken: bool = False) -> Phrase:
        ko = eojeol("누가")
        word = En("who", ko)
        return Phrase(ko, [word], word)
