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
SPOTS = [
    "식탁 위 table on",
    "책상 위 desk on",
    "의자 밑 chair under",
    "침대 밑 bed under",
    "상자 옆 box beside",
    "상자 안 box in",
    "가방 안 bag in",
    "소파 위 sofa on",
]
FOOD_SPOTS = ["식탁 위 table on", "상자 안 box in", "냉장고 안 refrigerator in"]
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
# Places of which one compares two.
ALIKE = "식당 카페 빵집 백화점 가게 편의점 서점 공원 놀이터 도서관 수영장 체육관"
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
AFFIRMED = {"delicious", "beautiful", "sad", "scary", "dirty", "big", "small"}  # one says 맛이 없다
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
        self, subject: Phrase, entry: Entry, past: bool = False, unsaid: tuple[str, ...] = ()
    ) -> Both | None:
        """아주 재미있다, is very interesting; 싸고 튼튼하다, is cheap and sturdy; 별로 안 ..."""
        dice = self.dice
        one = self.adjective(entry, predicative=True)
        if one is None or one.en in unsaid:
            return None
        alive = entry.kind in ("person", "family", "animal")
        plain = not alive and one.en not in COLORS | AFFIRMED
        negated = "long" if dice.chance(0.2) and plain and not past else ""
        ko: list[Ko] = []
        en: list[En] = []
        if not negated and dice.chance(0.3):
            two = self.adjective(entry, predicative=True)
            if two is None or two.en in unsaid or not compatible(one.en, two.en):
                return None
            verb = hangul.honoured(two.verb) if subject.honoured else two.verb
            ko = eojeol(verb.stem, "고")
            en = [*words(two.en, ko[:1]), En("and", ko[1:])]
        elif one.en not in COLORS and dice.chance(0.45):
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
        kind = dice.weighted({"noun": 4.0, "place": 1.0, "person": 1.2, "animal": 0.7, "kin": 1.5})
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
            found = self.fresh(
                [e for e in pool if e.ko not in ("집", "친구", "친구분", "소년", "소녀")]
            )
            if found is None:
                return None
            entry = found
            owned = kind == "noun" and "own" in entry.classes and dice.chance(0.5)
            past = dice.chance(0.4) and bool(entry.classes & PASSED) and not owned
            if owned:
                subject, unsaid = self.owned(entry), ("cheap", "expensive")
            else:
                here = bool(entry.classes & EATEN)  # what is on the table, or what one had
                determiner = "그" if past else "이" if here else dice.pick(["이", "그"])
                bulk = bool(entry.classes & MANY) and "mass" not in entry.more
                subject = Thing(entry, determiner=determiner, bulk=bulk).phrase()
        if past:
            unsaid = LASTING
        elif kind == "person":
            unsaid = ("busy", "healthy")
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
        kind = dice.pick(["fruit", "wear", "vehicle", "animal", "place"])
        determined = kind in ("wear", "vehicle", "place")
        if kind == "place":
            pool = [self.lexicon.by_ko[name] for name in ALIKE.split()]
        else:
            pool = self.lexicon.of_kind["animal"] if kind == "animal" else self.lexicon.things(kind)
        one = self.fresh(pool)
        two = one if kind in ("wear", "vehicle", "place") else self.fresh(pool)
        if one is None or two is None:
            return None
        shared = [
            a
            for a in self.lexicon.of_kind["adjective"]
            if a.classes & one.classes & two.classes
            and a.en not in {*COLORS, "fresh", "cute", "dirty", "clean"}
            and "before" not in a.more
        ]
        if not shared:
            return None
        adjective = dice.pick(shared)
        if adjective.en in ("big", "small") and not determined:  # elephants are bigger than ducks
            small, big = sorted((one, two), key=lambda e: int(e.more["size"]))
            apart = int(big.more["size"]) - int(small.more["size"])
            if not 0 < apart < 4 or "mass" in big.more:
                return None
            one, two = (big, small) if adjective.en == "big" else (small, big)
        makes = [
            Thing(
                e,
                determiner="이" if determined and n == 0 else "그" if determined else "",
                bulk=not determined and "mass" not in e.more,
            )
            for n, e in enumerate((one, two))
        ]
        first, second = (m.phrase("" if determined else "0") for m in makes)
        return self.compared(first, second, adjective)

    def compared(self, first: Phrase, second: Phrase, adjective: Entry) -> Draft:
        than = second.marked("than")
        more = eojeol("더")
        predicate = conjugate(adjective.verb, Mood("habit"), "final", self.register)
        main, rest = predicate.main, predicate.rest()
        ko = [*first.marked("topic"), *than, *more, *predicate.ko]
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
        actor = dice.pick([self.named, lambda: self.kin(self.me()), self.me])()
        entry = self.fresh(self.lexicon.find("person", "worker studying"))
        if actor is None or entry is None:
            return None
        young = self.lexicon.find("family", "young")
        if "studying" in entry.classes and actor.whose and actor.entry not in young:
            return None
        subject = actor.phrase(self.register)
        made = self.is_a(subject, entry, negated=dice.chance(0.22))
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
            ending = hangul.be_noun(entry.ko, self.register, False, False)
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
            entry = self.fresh(self.lexicon.find("noun", "small-thing"))
            food = entry is not None and entry.classes & {"fruit", "vegetable", "snack"}
            spots = FOOD_SPOTS if food else SPOTS
            if entry is not None and "dish" in entry.classes:
                spots = SPOTS[:1]
            elif entry is not None and not food and "desk-thing" not in entry.classes:
                spots = SPOTS[3:]  # no hats on the desk
            support, where, support_en, word = dice.pick(spots).split()
            if entry is None or "counter" not in entry.more or entry.ko == support:
                return None
            few = support in ("의자", "침대", "소파", "가방")  # no four watches under a chair
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


DEGREES = [("아주", "very"), ("정말", "really")]
__all__ = ["Actor", "States"]
