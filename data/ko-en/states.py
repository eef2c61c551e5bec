"""What something or somebody is, what it is like, where it is: no deeds, only states."""

from __future__ import annotations

import english
import hangul
from hangul import Verb
from lexicon import Entry
from nouns import Actor, Phrase, Thing
from predicates import Mood, conjugate
from rows import Draft
from single import COLORS
from tokens import Both, En, Ko, eojeol, words
from weather import Weather

SOMEBODY = Entry("person", "사람", "person", frozenset({"person"}), {})
ELDER = Entry("person", "어른", "elder", frozenset({"elder"}), {})
# Where things are, and which.
SPOTS = {
    "식탁 위 table on": "사과 배 귤 바나나 그릇 접시 컵 달걀 편지",
    "책상 위 desk on": "책 소설 잡지 편지 엽서 사진 연필 볼펜 공책 지도 컵",
    "침대 밑 bed under": "공 상자 장난감",
    "상자 안 box in": "책 인형 장난감 공 사과 배 귤 감자 사진 편지 컵",
    "가방 안 bag in": "책 공책 연필 볼펜 사과 귤 편지",
    "소파 위 sofa on": "책 잡지 인형 장난감",
    "냉장고 안 refrigerator in": "사과 배 귤 달걀 토마토 오이 당근",
}
SCENES = {
    "person": [("kid", "kid-place"), ("visitor", "eat-place cafe-place")],
    "animal": [
        ("farm-animal", "farm-place"),
        ("garden-animal", "garden-place"),
        ("zoo-animal", "zoo"),
    ],
}
OPPOSITES = [
    {"big", "small"},
    {"long", "short"},
    {"expensive", "cheap"},
    {"thick", "thin"},
    {"interesting", "boring"},
    {"difficult", "easy"},
    {"heavy", "light"},
    {"clean", "dirty"},
    {"hot", "cold"},
    {"hot", "warm"},
    {"warm", "cold"},
    {"noisy", "quiet"},
    {"bright", "dark"},
    {"short", "thick"},
    {"long", "thin"},
]
PRAISE = {
    "pretty",
    "cute",
    "delicious",
    "interesting",
    "kind",
    "fresh",
    "beautiful",
    "sturdy",
    "comfortable",
    "warm",
    "smart",
    "hardworking",
    "clean",
    "cheap",
}


# Of what one says what it was like.
PASSED = {"story", "study-text", "watchable", "stage", "meal", "bakery", "scheduled"}
LASTING = ("thick", "thin", "cheap", "expensive", "big", "small", "fresh")
# What one also says that things are not.
DENIED = {"heavy", "expensive", "interesting", "difficult", "spicy", "long", "thick", "sweet"}
DENIED |= {"comfortable", "hot", "quiet"}
EATEN = {
    "meal",
    "rice-dish",
    "snack",
    "bakery",
    "fruit",
    "vegetable",
    "makeable-food",
    "cookable",
    "drink",
}
MANY = {"bulk", "flowerish", "fruit"}  # 이 튤립, these tulips

# What is neither praise nor blame.
PLAIN = {"big", "small", "long", "short", "thick", "thin", "light", "hot", "cold", "quiet", "large"}


def compatible(one: str, two: str) -> bool:
    """Whether a speaker joins the two with *and*: two good things, not a good and a bad one."""
    both = {one, two}
    if both & PLAIN and both != {"quiet", "large"}:
        return False
    return both not in OPPOSITES and not both <= COLORS and (one in PRAISE) == (two in PRAISE)


class States(Weather):
    """Adjectives, copulas, existence, comparison."""

    # What it is like --------------------------------------------------------------------------

    def quality(
        self,
        subject: Phrase,
        entry: Entry,
        past: bool = False,
        unsaid: tuple[str, ...] = (),
        sure: bool = False,
    ) -> Both | None:
        """아주 재미있다, is very interesting; 싸고 튼튼하다, is cheap and sturdy; 별로 안 ..."""
        dice = self.dice
        one = self.adjective(entry, predicative=True)
        if one is None or one.en in unsaid:
            return None
        alive = entry.kind in ("person", "family", "animal")
        plain = not alive and one.en in DENIED
        negated = "long" if dice.chance(0.12) and plain and not past and not sure else ""
        ko: list[Ko] = []
        en: list[En] = []
        if not negated and dice.chance(0.3):
            two = self.adjective(entry, predicative=True)
            if two is None or two.en in unsaid or not compatible(one.en, two.en):
                return None
            verb = hangul.honoured(two.verb) if subject.honoured else two.verb
            ko = eojeol(verb.stem, "고")
            en = [*words(two.en, ko[:1]), En("and", ko[1:])]
        elif one.en not in COLORS and (negated or dice.chance(0.45)):
            degrees = DEGREES[1:] if one.en == "delicious" else DEGREES
            korean, says = ("별로", "very") if negated else dice.pick(degrees)
            ko = eojeol(korean)
            en = [En(says, ko)]
        mood = Mood("past" if past else "habit", "", negated)
        predicate = conjugate(one.verb, mood, "final", self.register, subject.honoured)
        main, rest = predicate.main, predicate.rest()
        is_ = En(english.be(subject.agrees, past), [], predicate.ko)
        no = [En("not", predicate.negation, rest)] if negated else []
        if negated and self.register == "polite":
            is_, no = En(english.contracted(is_.text), predicate.negation, predicate.ko), []
        return [*ko, *predicate.ko], [is_, *no, *en, *words(one.en, [main], rest)]

    def adjective_sentence(self) -> Draft | None:
        """이 책은 아주 재미있다; 민수의 가방은 가볍다; 우리 형은 부지런하다."""
        dice = self.dice
        kind = dice.weighted({"noun": 4.0, "place": 1.0, "person": 1.2, "animal": 0.5, "kin": 1.5})
        past = False
        unsaid: tuple[str, ...] = ()
        if kind == "kin":
            actor = self.kin(self.me())
            if actor is None or actor.entry is None:
                return None
            subject, entry = actor.phrase(self.register), ELDER if actor.honoured else SOMEBODY
        else:
            apart = {"honoured", "city", "country", "riverside", "stranger"}
            pool = [e for e in self.lexicon.described(kind) if not e.classes & apart]
            found = self.fresh([e for e in pool if e.ko not in ("집", "친구", "소년", "소녀")])
            if (
                found is None
                or kind == "animal"
                and not (found.ko == "물고기" or "pet" in found.classes)
            ):
                return None
            entry = found
            owned = kind == "noun" and "own" in entry.classes and dice.chance(0.5)
            past = dice.chance(0.4) and bool(entry.classes & PASSED) and not owned
            if owned:
                subject, unsaid = (
                    self.owned(entry),
                    ("cheap", "expensive", "clean", "dirty", "small"),
                )
            else:
                here = bool(entry.classes & EATEN)  # what is on the table, or what one had
                determiner = (
                    "그"
                    if past or kind == "person" and "young" not in entry.classes
                    else "이"
                    if here
                    else dice.pick(["이", "그"])
                )
                bulk = bool(entry.classes & MANY) and "mass" not in entry.more
                subject = Thing(entry, determiner=determiner, bulk=bulk).phrase()
        if past:
            unsaid = LASTING
        elif kind == "person":
            unsaid = ("busy", "healthy", "young", *(() if "young" in entry.classes else ("smart",)))
        made = self.quality(subject, entry, past, unsaid)
        if made is None:
            return None
        ko = [*subject.marked("topic"), *made[0]]
        return Draft((ko, [*subject.en, *made[1]]), "adjective", ends=[ko[-1]])

    def owned(self, entry: Entry) -> Phrase:
        """민수의 가방, Minsu's bag; 제 가방, my bag."""
        owner = self.named()
        noun = eojeol(entry.ko)
        plural = "many" in entry.more and "mass" not in entry.more
        en = words(entry.plural() if plural else entry.en, noun)
        if owner is None or owner.entry is None or self.dice.chance(0.35):
            mine = eojeol({"plain": "내"}.get(self.register, "제"))
            front, whose = mine, En("my", mine)
        else:
            front = eojeol(owner.entry.ko, "의")
            whose = En(owner.entry.en + "'s", front)
        return Phrase([*front, *noun], [whose, *en], en[-1], "pl" if plural else "3sg")

    def comparison(self) -> Draft | None:
        """사과가 배보다 더 비싸다, apples are more expensive than pears."""
        dice = self.dice
        if dice.chance(0.4):
            return self.taller()
        kind = dice.weighted({"wear": 2.0, "book": 2.0, "costly": 1.0, "city": 1.0, "subject": 1.0})
        if kind in ("city", "subject"):
            return self.ranked(kind)
        pool = self.lexicon.things({"book": "bookstore"}.get(kind, kind))
        entry = self.fresh(pool)
        if entry is None:
            return None
        shared = [
            a
            for a in self.lexicon.of_kind["adjective"]
            if a.classes & entry.classes
            and a.en not in {*COLORS, "dirty", "clean"}
            and not {"before", "after"} & set(a.more)
        ]
        several = "many" in entry.more
        first = Thing(entry, determiner="이").phrase()
        second = Thing(entry, determiner="그").phrase()
        noun = second.en[-1]
        if several:  # than those
            second.en[0].maybe += noun.sure
            del second.en[1:]
        else:  # than that one
            noun.text = "one"
            second.en[1:] = [noun]
        return self.compared(first, second, dice.pick(shared), "subject")

    def ranked(self, kind: str) -> Draft | None:
        """서울은 부산보다 더 크다; 수학은 역사보다 더 어렵다."""
        dice = self.dice
        if kind == "city":
            pool = [e for e in self.lexicon.of_kind["place"] if "size" in e.more]
            country = dice.chance(0.5)
            pool = [e for e in pool if ("city" in e.classes) != country]
            text = dice.pick(["big", "small"])
        else:
            pool = self.lexicon.things("school-subject")
            text = dice.pick(["difficult", "easy", "interesting"])
        one, two = self.fresh(pool), self.fresh(pool)
        if one is None or two is None:
            return None
        if kind == "city":
            small, big = sorted((one, two), key=lambda e: int(e.more["size"]))
            if small.more["size"] == big.more["size"]:
                return None
            one, two = (big, small) if text == "big" else (small, big)
        adjective = next(a for a in self.lexicon.of_kind["adjective"] if a.en == text)
        first, second = Thing(one).phrase("0"), Thing(two).phrase("0")
        return self.compared(first, second, adjective)

    def compared(
        self, first: Phrase, second: Phrase, adjective: Entry, mark: str = "topic"
    ) -> Draft:
        than = second.marked("than")
        more = eojeol("더")
        predicate = conjugate(adjective.verb, Mood("habit"), "final", self.register)
        main, rest = predicate.main, predicate.rest()
        ko = [*first.marked(mark), *than, *more, *predicate.ko]
        form = english.comparative(adjective.en).split()
        adjectives = (
            [En("more", more), En(form[1], [main], rest)]
            if len(form) > 1
            else [En(form[0], [main, *more], rest)]
        )
        is_ = En(english.be(first.agrees, False), [], predicate.ko)
        en = [*first.en, is_, *adjectives, En("than", than[-1:]), *second.en]
        return Draft((ko, en), "comparison", ends=[ko[-1]])

    def taller(self) -> Draft | None:
        """민수는 지호보다 키가 더 크다, Minsu is taller than Jiho."""
        one = self.named() if self.dice.chance(0.6) else self.kin(self.me(), "sibling")
        two = self.named()
        if one is None or two is None:
            return None
        first, second = one.phrase(self.register), two.phrase(self.register)
        than = second.marked("than")
        height, more = eojeol("키", "가"), eojeol("더")
        verb, text = self.dice.pick(
            [(Verb("크", "", True), "taller"), (Verb("작", "", True), "shorter")]
        )
        predicate = conjugate(verb, Mood("habit"), "final", self.register)
        ko = [*first.marked("topic"), *than, *height, *more, *predicate.ko]
        is_ = En("is", [], predicate.ko)
        word = En(text, [predicate.main, height[0], *more], [height[1], *predicate.rest()])
        en = [*first.en, is_, word, En("than", than[-1:]), *second.en]
        return Draft((ko, en), "comparison", ends=[ko[-1]])

    # Being ------------------------------------------------------------------------------------

    def copula(self) -> Draft | None:
        """민수는 의사입니다, Minsu is a doctor; 의사가 아닙니다, is not a doctor."""
        dice = self.dice
        kin = dice.pick(["parent", "grown", "young"])
        actor = dice.pick([self.named, self.named, lambda: self.kin(self.me(), kin), self.me])()
        negated = dice.chance(0.12)
        pool = self.lexicon.find("person", "studying" if negated else "worker studying")
        if actor is None or "grand" in (actor.entry.classes if actor.entry else ()):
            return None
        if actor.honoured:
            pool = [e for e in pool if e.ko in PARENTS]
        elif actor.entry is not None and "young" in actor.entry.classes:
            pool = self.lexicon.find("person", "studying")
        elif actor.whose is not None:
            pool = self.lexicon.find("person", "worker")
        entry = self.fresh(pool)
        if entry is None or negated and (actor.honoured or actor.whose is not None):
            return None
        subject = actor.phrase(self.register)
        made = self.is_a(subject, entry, negated)
        ko = [*subject.marked("topic"), *made[0]]
        return Draft((ko, [*subject.en, *made[1]]), "copula", ends=[ko[-1]])

    def is_a(self, subject: Phrase, entry: Entry, negated: bool = False) -> Both:
        """의사입니다, is a doctor; 의사가 아닙니다, is not a doctor."""
        noun = eojeol(entry.ko)
        be = english.be(subject.agrees, False)
        if negated:
            mark = Ko(hangul.particle(entry.ko, "subject"), glued=True)
            verb = Verb("아니", "", True)
            verb = hangul.honoured(verb) if subject.honoured else verb
            last = eojeol(*hangul.present(verb, self.register, False))
            if self.register == "polite" and not subject.honoured:
                last = eojeol("아니", "에요")
            tail = [*noun, mark, *last]
            middle = [En(be, [], last), En("not", last[:1], last[1:])]
            if self.register == "polite" and be != "am":
                middle = [En(english.contracted(be), last[:1], last[1:])]
        else:
            ending = hangul.be_noun(entry.ko, self.register, False)
            if subject.honoured:
                polite = "이세요" if hangul.coda(entry.ko) else "세요"
                ending = {"formal": "이십니다", "polite": polite, "plain": "이시다"}[self.register]
            tail = [*noun, Ko(ending, glued=True)]
            middle = [En(be, tail[-1:])]
        return tail, [*middle, En("a", [], tail), *words(entry.en, noun, tail[1:])]

    def existence(self) -> Draft | None:
        """교실에 학생 세 명이 있다, there are three students in the classroom."""
        dice = self.dice
        past, few = dice.chance(0.35), False
        kind = dice.weighted({"person": 2.0, "animal": 2.0, "thing": 4.0})
        if kind == "thing":
            spot = dice.pick(list(SPOTS))
            entry = self.fresh([self.lexicon.by_ko[name] for name in SPOTS[spot].split()])
            support, where, support_en, word = spot.split()
            if entry is None:
                return None
            few = support in ("침대", "소파", "가방")
            front = [*eojeol(support), *eojeol(where, "에")]
            place_en = [
                En(word, front[1:2], front[2:]),
                En("the", [], front),
                En(support_en, front[:1]),
            ]
        else:
            classes, where = dice.pick(SCENES[kind])
            entry = self.fresh(self.lexicon.find(kind, classes))
            place = self.fresh(
                [
                    p
                    for p in self.lexicon.find("place", where)
                    if "bare" not in p.more and p.ko != "집"
                ]
            )
            if entry is None or place is None:
                return None
            phrase = Thing(place).phrase("the")
            front = phrase.marked("at")
            place_en = [En(place.more["at"], front[-1:], phrase.head.sure), *phrase.en]
        thing = self.thing(entry, "#3" if kind == "thing" else "#8")
        if thing.number is None or few and "1" not in thing.number.classes:
            thing.number = self.number(2 if few else 4)
            thing.digits = False
        single = kind == "thing" and "1" in thing.number.classes
        if single and entry.more.get("counter", "개") == "개":
            return None  # one says 모자가 하나
        thing.bulk = False  # one tangerine, not one tangerines
        phrase = thing.phrase()
        mood = Mood("past" if past else "habit")
        predicate = conjugate(Verb("있", "", True), mood, "final", self.register)
        ko = [*front, *phrase.marked("subject"), *predicate.ko]
        be = En(english.be(phrase.agrees, past), [predicate.main], predicate.rest())
        en = [En("there", [], predicate.ko), be, *phrase.en, *place_en]
        return Draft((ko, en), "existence", ends=[ko[-1]])


PARENTS = {"의사", "간호사", "기자", "화가", "작가", "농부", "변호사", "과학자", "회사원", "선생님"}
DEGREES = [("아주", "very"), ("정말", "really")]
__all__ = ["Actor", "States"]
