"""The easy subset: a small part of the grammar in which long sentences are only long."""

from __future__ import annotations

from clauses import Both, Clauses, Frame, conjugate, english_verb
from hangul import Verb
from phrases import En, Phrase, eojeol
from sentences import Draft, joined

EASY_WORDS = frozenset(
    [
        "민수",
        "지호",
        "현우",
        "수진",
        "유나",
        "소라",
        "학생",
        "의사",
        "기자",
        "화가",
        "사과",
        "배",
        "바나나",
        "책",
        "소설",
        "편지",
        "꽃",
        "나무",
        "지도",
        "의자",
        "자전거",
        "시계",
        "우산",
        "가방",
        "모자",
        "공원",
        "학교",
        "도서관",
        "시장",
        "가게",
        "집",
        "카페",
        "크",
        "작",
        "빨갛",
        "노랗",
        "예쁘",
        "비싸",
        "재미있",
        "두",
        "세",
        "네",
        "다섯",
    ]
)
# verb, objects, places: only what an easy sentence needs.
EASY_VERBS = {
    "먹": ("사과 배 바나나", "공원 학교 집"),
    "사": ("사과 배 바나나 책 소설 꽃 의자 자전거 시계 우산 가방 모자", "시장 가게"),
    "읽": ("책 소설 편지", "공원 학교 도서관 집 카페"),
    "그리": ("꽃 나무 지도", "공원 학교 집"),
    "빌리": ("책 소설 자전거 우산", "학교 도서관"),
    "쓰": ("소설 편지", "학교 도서관 집 카페"),
    "잃어버리": ("책 시계 우산 가방 모자", "공원 학교 시장 카페"),
    "고치": ("의자 자전거 시계", "학교 집 가게"),
}


# Verbs without an object, for the shortest sentences.
EASY_ALONE = {"웃": ("smile", "smiled"), "울": ("cry", "cried"), "쉬": ("rest", "rested"),
              "일하": ("work", "worked"), "떠나": ("leave", "left")}  # fmt: skip


class EasySentences(Clauses):
    """The easy subset: one register, the past tense, people who do things to things."""

    def easy_frame(self) -> tuple[Frame, str, str]:
        stem = self.dice.pick(list(EASY_VERBS))
        frame = next(f for f in self.frames if f.verb.stem == stem and f.objects)
        return frame, *EASY_VERBS[stem]

    def easy_clause(self, ending: str, full: bool) -> Both | None:
        dice = self.dice
        frame, objects, places = self.easy_frame()
        subject = self.easy_subject()
        noun = self.fresh([e for e in self.of_kind["noun"] if e.ko in objects.split()])
        if subject is None or noun is None:
            return None
        fitting = self.find("adjective", noun.classes)
        adjective = dice.pick(fitting) if fitting and dice.chance(0.5 if full else 0.2) else None
        number = dice.pick(self.of_kind["number"]) if dice.chance(0.5 if full else 0.2) else None
        thing = self.noun(noun, adjective=adjective, number=number)
        place: Both = ([], [])
        if dice.chance(0.8 if full else 0.3):
            entry = dice.pick([e for e in self.of_kind["place"] if e.ko in places.split()])
            place = self.at(entry, "from" if "borrow" in frame.flags else "")
        inner = self.clause(frame, subject, "past", ending, richness=0.0, thing=thing)
        if inner is None:
            return None
        ko, en = inner
        cut = len(subject.ko) + 1  # the place stands after the subject and its particle
        return [*ko[:cut], *place[0], *ko[cut:]], [*en, *place[1]]

    def easy_subject(self) -> Phrase | None:
        if self.dice.chance(0.7):
            return self.name()
        entry = self.fresh(self.find("person", "person"))
        return self.noun(entry, "the") if entry else None

    def easy_short(self) -> Draft | None:
        """누가 사과를 샀습니까? Who bought an apple? 어제 민수는 웃었습니다. ..."""
        self.used = set()
        self.register = "formal"
        dice = self.dice
        asking = dice.chance(0.5)
        ending = "question" if asking else "final"
        if asking:
            ko = eojeol("누가")
            en = [En("who", ko)]
        else:
            subject = self.easy_subject()
            if subject is None:
                return None
            ko, en = subject.marked("topic"), subject.en
        middle: Both = ([], [])
        if dice.chance(0.5):
            stem = dice.pick(list(EASY_ALONE))
            verb, (base, past) = Verb(stem), EASY_ALONE[stem]
        else:
            frame, objects, _ = self.easy_frame()
            verb, base, past = frame.verb, frame.base, frame.past
            noun = self.fresh([e for e in self.of_kind["noun"] if e.ko in objects.split()])
            if noun is None:
                return None
            fitting = self.find("adjective", noun.classes)
            adjective = dice.pick(fitting) if fitting and dice.chance(0.6) else None
            thing = self.noun(noun, adjective=adjective)
            middle = thing.marked("object"), thing.en
        predicate = conjugate(verb, "past", ending, self.register)
        _, main = english_verb(base, past, "past", "3sg", predicate)
        sentence = [*ko, *middle[0], *predicate.ko], [*en, *main, *middle[1]]
        if dice.chance(0.4):
            day = dice.pick([("어제", "yesterday"), ("오늘", "today")])
            time = eojeol(day[0])
            sentence = [*time, *sentence[0]], [*sentence[1], En(day[1], time)]
        return Draft(sentence, "easy", "?" if asking else ".")

    def easy(self, clauses: int) -> Draft | None:
        """A sentence of so many clauses, or None if the words ran out."""
        self.used = set()
        self.register = "formal"
        links = self.connectives(clauses - 1)
        parts = []
        for ending in [*links, "final"]:
            part = self.easy_clause(ending, full=clauses > 1)
            if part is None:
                return None
            parts.append(part)
        return Draft(joined(parts, links), "easy")
