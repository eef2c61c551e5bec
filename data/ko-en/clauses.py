"""Verbs and clauses: what a predicate looks like in both languages, and what it takes with it."""

from __future__ import annotations

from dataclasses import dataclass, field

import english
import hangul
from hangul import Verb
from phrases import Dice, En, Entry, Ko, Phrase, Phrases, eojeol, read_table, words

Both = tuple[list[Ko], list[En]]
# Who speaks: the pronouns that go with a register.
SELF = {"formal": "저", "polite": "저", "plain": "나"}
MY = {"formal": "제", "polite": "제", "plain": "내"}


@dataclass(frozen=True)
class Frame:
    """One line of frames.tsv: a verb and what it goes with."""

    verb: Verb
    base: str
    past: str
    subjects: frozenset[str]
    objects: str
    preposition: str
    places: str
    times: str
    flags: dict[str, str] = field(hash=False, compare=False)


def read_frames() -> list[Frame]:
    frames = []
    for ko, kind, en, subjects, objects, prep, places, times, flags in read_table("frames.tsv"):
        base, _, past = en.partition(" ")
        pairs = (flag.partition("=") for flag in flags.split() if flag != "-")
        frames.append(
            Frame(
                Verb(ko, kind),
                base.replace("|", " "),
                (past or english.past_form(base)).replace("|", " "),
                frozenset(subjects.split()),
                "" if objects == "-" else objects,
                "" if prep == "-" else prep,
                "" if places == "-" else places,
                "" if times == "-" else times,
                {name: value or "yes" for name, _, value in pairs},
            )
        )
    return frames


@dataclass
class Predicate:
    """A conjugated verb: its tokens, and those among them that English words stand for."""

    ko: list[Ko]
    main: Ko
    negation: Ko | None = None
    helper: Ko | None = None  # 있 of the progressive, 것 of the future, 싶 of wishing, ...

    def rest(self) -> list[Ko]:
        return [token for token in self.ko if token is not self.main]


def conjugate(
    verb: Verb, tense: str, ending: str, register: str, negated: str = "", honoured: bool = False
) -> Predicate:
    """The Korean verb at the end of its clause.

    tense: past, habit (the simple present), now (the progressive), future, want, can, must.
    ending: final, question, go (and), jiman (but), rel (before a noun), say (reported).
    negated: "" no, "short" 안, "long" -지 않다.
    """
    if honoured and tense not in ("now", "want"):
        verb = hangul.honoured(verb)
    before: list[tuple[str, ...]] = []
    main = 0
    helper_word = negation_word = -1
    if negated == "short" and tense != "can":
        before.append(("안",))
        main, negation_word = 1, 0
    if tense == "now":
        before.append((verb.stem, "고"))
        verb = Verb("계시", "시") if honoured else Verb("있", "", adjective=True)
        helper_word, tense = len(before), "habit"
    elif tense == "want":
        before.append((verb.stem, "고"))
        verb = Verb("싶으시", "시", True) if honoured else Verb("싶", "", True)
        helper_word, tense = len(before), "habit"
    elif tense == "can":
        before += [(hangul.with_l(verb),), ("수",)]
        verb = Verb("없" if negated else "있", "", adjective=True)
        helper_word, tense = len(before), "habit"
        if negated:  # -(으)ㄹ 수 없다: one word says both
            negation_word, negated = helper_word, ""
    elif tense == "must":
        before.append((hangul.infinitive(verb), "야"))
        verb = Verb("하")
        helper_word, tense = len(before), "habit"
    if negated == "long":
        before.append((verb.stem, "지"))
        verb = Verb("않", "", verb.adjective)
        negation_word = len(before)
    if tense == "future":
        before.append((hangul.with_l(verb),))
        helper_word = len(before)
    last = finish(verb, tense, ending, register)
    pieces = [eojeol(*word) for word in [*before, last]]
    return Predicate(
        [token for word in pieces for token in word],
        pieces[main][0],
        pieces[negation_word][0] if negation_word >= 0 else None,
        pieces[helper_word][0] if helper_word >= 0 else None,
    )


FUTURE = {
    ("formal", False): ("것", "입니다"), ("formal", True): ("것", "입니까"),
    ("polite", False): ("거", "예요"), ("polite", True): ("거", "예요"),
    ("plain", False): ("것", "이다"), ("plain", True): ("거", "니"),
}  # fmt: skip


def finish(verb: Verb, tense: str, ending: str, register: str) -> tuple[str, ...]:
    """The last word of a predicate, cut into pieces."""
    if ending in ("go", "jiman"):
        mark = {"go": "고", "jiman": "지만"}[ending]
        if tense == "past":
            return hangul.past(verb), mark
        return ("것", "이" + mark) if tense == "future" else (verb.stem, mark)
    if ending == "rel":
        if tense == "past":
            return (hangul.with_n(verb),)
        return hangul.with_neun(verb) if not verb.adjective else (verb.stem, "는")
    if ending == "say":
        if tense == "future":
            return "것", "이라고"
        if tense == "past":
            return hangul.past(verb), "다고"
        stem, mark = hangul.present(verb, "plain", False)
        return stem, mark + "고"
    question = ending == "question"
    if tense == "future":
        return FUTURE[register, question]
    if tense == "past":
        return hangul.past_final(verb, register, question)
    return hangul.present(verb, register, question)


BE = {"1sg": "am", "2": "are", "3sg": "is", "pl": "are"}
WAS = {"1sg": "was", "2": "were", "3sg": "was", "pl": "were"}


def english_verb(
    base: str,
    past: str,
    tense: str,
    agrees: str,
    predicate: Predicate,
    bare: bool = False,
    asked: bool = False,
) -> tuple[list[En], list[En]]:
    """Auxiliaries and main verb: (did not, go), (, went), (is, going), (will, go).

    `bare` leaves out an auxiliary that an earlier verb has already given: "will eat and go";
    `asked` adds the one that a question needs: (did, go).
    """
    main, rest = predicate.main, predicate.rest()
    word, *more = base.split()
    negated = predicate.negation is not None
    helper = [predicate.helper] if predicate.helper else []
    aux: list[En] = []
    if tense == "now":
        aux = [En(BE[agrees], helper, [main])]
        word = english.ing_form(word)
    elif tense in ("future", "can", "must"):
        name = "will" if tense == "future" else "cannot" if tense == "can" and negated else tense
        negated = negated and tense != "can"
        aux = [] if bare else [En(name, helper, rest)]
    elif tense == "want":
        third = agrees == "3sg"
        if negated or asked:
            aux = [En("does" if third else "do", [], [*helper, *rest])]
        wish = En("wants" if third and not (negated or asked) else "want", helper, rest)
        to = En("to", [], [main, *rest])
        return [*aux, *_not(predicate)], [wish, to, *_verb_words(word, more, main, rest)]
    elif negated or asked:
        does = {"past": "did", "habit": "does" if agrees == "3sg" else "do"}[tense]
        aux = [En(does, [], [main, *rest])]
    elif tense == "past":
        word, *more = past.split()
    elif agrees == "3sg":
        word = english.third_person(word)
    return [*aux, *(_not(predicate) if negated else [])], _verb_words(word, more, main, rest)


def _not(predicate: Predicate) -> list[En]:
    if predicate.negation is None:
        return []
    return [En("not", [predicate.negation], predicate.rest())]


def _verb_words(word: str, more: list[str], main: Ko, rest: list[Ko]) -> list[En]:
    return [En(word, [main], rest), *words(" ".join(more), [main], rest)]


class Clauses(Phrases):
    """Draws clauses; a sentence has one register, and one set of words already used."""

    def __init__(self, dice: Dice, entries: list[Entry], frames: list[Frame]) -> None:
        super().__init__(dice, entries)
        self.frames = frames
        self.register = "formal"
        self.done: set[str] = set()  # verbs of this sentence
        self.habitual = False  # every day one does something to *a* thing, not to this one
        self.inner_times = True  # whether a relative clause may have a time of its own

    # Who --------------------------------------------------------------------------------------

    def person(self, classes: frozenset[str], article: str = "the") -> Phrase | None:
        """A human being as subject, receiver or companion."""
        dice = self.dice
        human = "human" in classes or "grown" in classes
        kind = dice.weighted({"name": 5.0, "noun": 3.0, "family": 1.4, "self": 1.0})
        if kind == "name" and (human or "young" in classes):
            return self.name()
        if kind == "family" and human:
            entry = self.fresh(self.of_kind["family"])
            return self.mine(entry) if entry else None
        if kind == "self" and human:
            if self.used & {"저", "우리"}:
                return None
            return self.speaker()
        wanted = classes | {"person"} if human else classes
        found = [e for e in self.find("person", wanted) if not human or "young" not in e.classes
                 or "grown" not in classes]  # fmt: skip
        entry = self.fresh(found)
        if entry is None:
            return None
        if entry.ko == "친구":
            return self.mine(entry)
        if "honoured" in entry.classes:
            return self.noun(entry, "the")
        several = dice.chance(0.25)
        if article == "a" and dice.chance(0.35):
            return self.noun(entry, number=self.number(5))
        if "worker" not in entry.classes and dice.chance(0.15):
            return self.noun(entry, determiner=dice.pick(["이", "그"]))
        adjective = self.adjective_for(entry) if dice.chance(0.2) else None
        return self.noun(entry, "the" if several else article, adjective=adjective, many=several)

    def mine(self, entry: Entry) -> Phrase:
        """우리 어머니, 제 동생: my mother, my younger brother; elders are "ours" in Korean."""
        owner = "우리" if "ours" in entry.classes else MY[self.register]
        ko = [*eojeol(owner), *eojeol(entry.ko)]
        en = [En("my", ko[:1]), *words(entry.en, ko[1:])]
        return Phrase(ko, en, en[-1], honoured="honoured" in entry.classes)

    def speaker(self) -> Phrase:
        """I or we, as the register has it."""
        self.used |= {"저", "우리"}
        if self.dice.chance(0.3):
            ko = eojeol("우리")
            en = [En("we", ko)]
            return Phrase(ko, en, en[0], "pl")
        ko = eojeol(SELF[self.register])
        en = [En("I", ko)]
        return Phrase(ko, en, en[0], "1sg")

    def subject(self, frame: Frame, article: str = "the") -> Phrase | None:
        """A subject that can do what the frame says."""
        beasts = self.find("animal", frame.subjects)
        if beasts:
            entry = self.fresh(beasts)
            if entry is None:
                return None
            if article == "a" and self.dice.chance(0.5):
                return self.noun(entry, number=self.number(6))
            adjective = self.adjective_for(entry) if self.dice.chance(0.3) else None
            return self.noun(entry, article, adjective=adjective)
        return self.person(frame.subjects, article)

    def someone(
        self, classes: str = "group", honoured: bool = False, counted: bool = True
    ) -> Phrase | None:
        """Another person: a friend, Minsu, my younger sister, three students."""
        dice = self.dice
        if honoured:
            pool = [e for e in self.of_kind["family"] if "honoured" in e.classes]
            entry = self.fresh(pool)
            return self.mine(entry) if entry else None
        kind = dice.weighted({"name": 3.0, "noun": 2.0, "family": 1.0})
        if kind == "name":
            return self.name()
        if kind == "family":
            entry = self.fresh([e for e in self.of_kind["family"] if "sibling" in e.classes])
            return self.mine(entry) if entry else None
        entry = self.fresh(self.find("person", classes))
        if entry is None:
            return None
        if entry.ko == "친구":
            return self.mine(entry)
        number = dice.pick(self.of_kind["number"][1:4]) if counted and dice.chance(0.25) else None
        return self.noun(entry, "a", number=number)

    # What, where, with whom -------------------------------------------------------------------

    def complements(
        self,
        frame: Frame,
        richness: float,
        plain: bool = False,
        thing: Phrase | None = None,
        place: Entry | None = None,
    ) -> Both | None:
        """Everything between subject and verb: place, companion, receiver, tool, object.

        Korean puts the object last, English first. None where the lexicon has no words left.
        """
        dice, flags = self.dice, frame.flags
        ko: list[Ko] = []
        tail: list[En] = []
        if (
            place is None
            and frame.places
            and (("placed" in flags and richness >= 0) or dice.chance(richness))
        ):
            place = self.fresh(self.find("place", frame.places))
        if place is not None:
            place_ko, place_en = self.at(place, "from" if "borrow" in flags else "")
            ko += place_ko
            tail = place_en
        if "needs-with" in flags or ("with" in flags and dice.chance(richness * 0.35)):
            friend = self.someone()
            if friend is None:
                return None
            friend_ko, friend_en = friend.after_preposition("with", "with")
            ko += friend_ko
            tail = [*friend_en, *tail]
        if "to" in flags:
            friend = self.someone(
                "young" if flags["to"] == "young" else "group", flags["to"] == "honoured", False
            )
            if friend is None:
                return None
            friend_ko, friend_en = friend.after_preposition("to", "to")
            ko += friend_ko
            tail = [*friend_en, *tail]
        if "tool" in flags and not tail and dice.chance(richness * 0.7):
            entry = self.fresh(self.find("tool", flags["tool"]))
            if entry is not None:
                tool_ko = eojeol(entry.ko)
                tool = Phrase(tool_ko, words(entry.en, tool_ko), En("", tool_ko))
                tool.head = tool.en[-1]
                more_ko, more_en = tool.after_preposition(
                    "with" if "with" in entry.more else "on", "by"
                )
                ko += more_ko
                tail = [*more_en, *tail]
        goal = self.goal(frame, richness)
        if goal is None:
            return None
        ko += goal[0]
        object_en: list[En] = goal[1]
        if frame.objects:
            if thing is None:
                thing = self.object(frame, plain)
            if thing is None:
                return None
            thing_ko = thing.marked("object")
            ko += thing_ko
            if frame.preposition:
                object_en = [En(frame.preposition, [], [thing_ko[-1], *thing.head.sure])]
            object_en = [*object_en, *thing.en]
        return ko, [*object_en, *tail]

    def object(self, frame: Frame, plain: bool = False) -> Phrase | None:
        """What the verb is done to."""
        if "someone" in frame.objects.split() and (
            "transport" not in frame.objects or self.dice.chance(0.6)
        ):
            return self.someone()
        if "generic" in frame.flags:
            classes = frozenset(frame.objects.split())
            entry = self.fresh([*self.find("noun", classes), *self.find("animal", classes)])
            if entry is None:
                return None
            phrase = self.noun(entry, article="")
            if "mass" not in entry.more and "many" not in entry.more:
                phrase.en = words(entry.plural(), phrase.ko)
                phrase.head = phrase.en[-1]
            return phrase
        flags = frame.flags
        alone = plain or "single" in flags or "bulk" in flags
        return self.thing(
            frame.objects,
            most=0 if alone else 2 if "few" in flags else 6,
            described="noadj" not in flags,
            pointed=not alone and not self.habitual and frame.verb.stem not in CREATING,
            bulk="bulk" in flags,
        )

    def goal(self, frame: Frame, richness: float) -> Both | None:
        """Where somebody goes, and by what: 버스로 시장에, to the market by bus."""
        flags, dice = frame.flags, self.dice
        ways = {
            "go": ("goto", "at", "to"),
            "go-city": ("city", "at", "to"),
            "arrive": ("station tourist-place city", "at", "at"),
            "return": ("city", "by", "to"),
            "head": ("city", "by", "for"),
            "walk": ("goto", "by", "to"),
            "around": ("city", "object", "around"),
        }
        way = next((ways[name] for name in ways if name in flags), None)
        if way is None:
            return [], []
        classes, kind, word = way
        entry = self.fresh(self.find("place", classes))
        if entry is None:
            return None
        if "arrive" in flags and "city" in entry.classes:
            word = "in"
        ko, en = self.toward(entry, kind, word)
        if "by" in flags and dice.chance(richness * 0.4):
            far = "city" in entry.classes
            pool = [t for t in self.of_kind["transport"] if ("long" in t.classes) == far]
            transport = dice.pick(pool)
            ride_ko = eojeol(transport.ko)
            ride = Phrase(ride_ko, [], En(transport.en, ride_ko))
            ride.en = [ride.head]
            more_ko, more_en = ride.after_preposition("by", "by")
            ko, en = [*more_ko, *ko], [*en, *more_en]
        return ko, en

    # Clauses ----------------------------------------------------------------------------------

    def negation(self, frame: Frame) -> str:
        """-지 않다, or in speech 안 where it is said with this verb."""
        stem = frame.verb.stem
        sino = stem.endswith("하") and stem not in ("하", "좋아하", "싫어하")
        if self.register == "formal" or sino or len(stem) > 2 or self.dice.chance(0.5):
            return "long"
        return "short"

    def verb_phrase(
        self,
        frame: Frame,
        subject: Phrase,
        tense: str,
        ending: str,
        *,
        richness: float = 0.5,
        negated: bool = False,
        often: bool = False,
        thing: Phrase | None = None,
        place: Entry | None = None,
        spoken: str = "",
        bare: bool = False,
    ) -> Both | None:
        """Verb and complements: 시장에서 사과를 샀다, bought an apple at the market.

        `spoken` is the English tense where it is not the Korean one: 먹고 ..., ate and ...
        """
        inner = self.complements(frame, richness, negated, thing, place)
        if inner is None:
            return None
        predicate = conjugate(
            frame.verb, tense, ending, self.register,
            self.negation(frame) if negated else "", subject.honoured,
        )  # fmt: skip
        aux, verb = english_verb(
            frame.base, frame.past, spoken or tense, subject.agrees, predicate, bare
        )
        adverb_ko, adverb_en = self.frequency() if often else ([], [])
        ko = [*adverb_ko, *inner[0], *predicate.ko]
        return ko, [*aux, *adverb_en, *verb, *inner[1]]

    def clause(
        self,
        frame: Frame,
        subject: Phrase,
        tense: str,
        ending: str,
        *,
        mark: str = "topic",
        richness: float = 0.5,
        time: Both | None = None,
        negated: bool = False,
        often: bool = False,
        thing: Phrase | None = None,
        place: Entry | None = None,
    ) -> Both | None:
        """One subject, one verb: 민수는 어제 시장에서 사과를 샀다, Minsu bought ... yesterday."""
        phrase = self.verb_phrase(
            frame, subject, tense, ending,
            richness=richness, negated=negated, often=often, thing=thing, place=place,
        )  # fmt: skip
        if phrase is None:
            return None
        time_ko, time_en = time or ([], [])
        ko = [*subject.marked(mark), *time_ko, *phrase[0]]
        return ko, [*subject.en, *phrase[1], *time_en]

    def connectives(self, count: int) -> list[str]:
        """-고 everywhere, and -지만 in at most one place: one contrast a sentence is enough."""
        links = ["go"] * count
        if count and self.dice.chance(0.6):
            links[int(self.dice.random() * count)] = "jiman"
        return links

    def frequency(self) -> Both:
        """자주, often."""
        ko_word, en_word = self.dice.pick(FREQUENCY)
        ko = eojeol(ko_word)
        return ko, [En(en_word, ko)]


# What comes into being by the verb cannot be pointed at before.
CREATING = {"쓰", "그리", "만들", "찍", "요리하"}
FREQUENCY = [("자주", "often"), ("가끔", "sometimes"), ("보통", "usually"), ("항상", "always")]
