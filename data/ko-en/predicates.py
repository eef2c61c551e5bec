"""Verbs in both languages: tense, mood and negation, and which word stands for which."""

from __future__ import annotations

from dataclasses import dataclass, field

import english
import hangul
from hangul import Verb
from tokens import En, Ko, eojeol, words

# How the clause is meant beside its tense: now (the progressive), want, can, must, may, decide,
# try, perf (has done it before), know (how to do it), will (-겠-, a promise or a forecast), and
# plan (the future as one asks for it: are you going to).


@dataclass
class Predicate:
    """A conjugated verb: its tokens, and those among them that English words stand for."""

    ko: list[Ko]
    main: Ko
    negation: list[Ko] = field(default_factory=list)
    helpers: list[Ko] = field(default_factory=list)  # 있 of the progressive, 것 of the future, ...

    def rest(self) -> list[Ko]:
        return [token for token in self.ko if token is not self.main]

    @property
    def ending(self) -> Ko:
        """What leads to the next clause."""
        return self.ko[-1]


@dataclass(frozen=True)
class Mood:
    """Tense, mood and negation of a clause."""

    tense: str = "past"  # past, habit (the simple present), future
    modal: str = ""
    negated: str = ""  # "", short 안, long -지 않다, unable 못


Words = list[tuple[str, ...]]


def conjugate(
    verb: Verb, mood: Mood, ending: str, register: str, honoured: bool = False
) -> Predicate:
    """The Korean verb at the end of its clause; `ending` is one of `finish`'s."""
    compound = verb.stem.endswith("하") and len(verb.stem) > 1  # 공부하지 못했다, not 못 공부했다
    negated = mood.negated
    unskilled = negated == "unable" and verb.stem == "하" and mood.tense == "habit"
    if unskilled:  # 수영을 못한다, of a skill, is one word
        verb, negated = Verb("못하"), ""
    raised = honoured and mood.modal not in ("now", "want", "decide", "perf", "know")
    later = negated == "long" or negated == "unable" and compound  # 끄지 않으셨다
    later = raised and later and not mood.modal and verb.stem not in hangul.HONOURED
    if raised and not later:
        verb = hangul.honoured(verb)
    before: Words = []
    negation: list[int] = [0] if unskilled else []
    parted = negated == "short" or negated == "unable" and not compound
    if parted and mood.modal not in ("can", "want"):
        before.append(("안" if negated == "short" else "못",))
        negation = [0]
        negated = ""
    main = len(before)
    verb, helper_words, gone = _modal(verb, mood, before, bool(negated), honoured)
    if gone:  # -(으)ㄹ 수 없다: one word says both
        negation = helper_words[-1:]
    elif negated:
        before.append((verb.stem, "지"))
        negation = [len(before)]
        verb = Verb("못하") if negated == "unable" else Verb("않", "", verb.adjective)
        verb = hangul.honoured(verb) if later else verb
    tense = "habit" if mood.modal == "seem" else mood.tense
    if ending == "dont":
        negation = [len(before) + 1]
    if tense == "future" and ending in ("final", "question", "say") and mood.modal != "will":
        before.append((hangul.with_l(verb),))
        helper_words = [*helper_words, len(before)]
    elif mood.modal == "will":
        helper_words = [len(before)]
    last = finish(verb, "will" if mood.modal == "will" else tense, ending, register)
    spelled = [eojeol(*word) for word in [*before, *last]]
    helpers = [spelled[n][0] for n in helper_words]
    if mood.modal == "will" and len(spelled[-1]) > 1:
        helpers = spelled[-1][1:2]
    return Predicate(
        [token for word in spelled for token in word],
        spelled[main][0],
        [spelled[n][0] for n in negation],
        [*helpers, *([spelled[main][1]] if mood.modal in ("must", "may") else [])],
    )


def _modal(
    verb: Verb, mood: Mood, before: Words, negated: bool, honoured: bool
) -> tuple[Verb, list[int], bool]:
    """The verb that carries the ending, which words help, whether negation is said with them."""
    modal = mood.modal
    if modal == "now":
        before.append((verb.stem, "고"))
        verb = Verb("계시", "시") if honoured else Verb("있", "", adjective=True)
    elif modal == "want":
        before.append((verb.stem, "고"))
        verb = Verb("싶으시", "시", True) if honoured else Verb("싶", "", True)
    elif modal in ("can", "perf"):
        if modal == "can":
            before += [(hangul.with_l(verb),), ("수",)]
        else:  # 가 본 적이 있다, but 본 적이 있다
            tried = [] if verb.stem == "보" else [(hangul.infinitive(verb),)]
            before += [*tried, ("보신" if honoured else "본",), ("적", "이")]
        gone = negated
        verb = Verb("없" if gone else "있", "", adjective=True)
        if gone and honoured and modal == "perf":
            verb = Verb("없으시", "시", True)
        return verb, [len(before)] if modal == "can" else [len(before) - 1, len(before)], gone
    elif modal == "know":  # -(으)ㄹ 줄 알다
        before += [(hangul.with_l(verb),), ("줄",)]
        verb = Verb("아시", "시") if honoured else Verb("알")
        return verb, [len(before) - 1, len(before)], False
    elif modal in ("must", "may", "try"):
        form = hangul.infinitive(verb)
        before.append((form, {"must": "야", "may": "도", "try": ""}[modal]))
        verb = {"must": Verb("하"), "may": Verb("되"), "try": Verb("보")}[modal]
    elif modal == "decide":
        before.append((verb.stem, "기로"))
        verb = Verb("하시", "시") if honoured else Verb("하")
    elif modal == "seem":  # -(으)ㄹ 것 같다
        before += [(hangul.with_l(verb),), ("것",)]
        return Verb("같", "", True), [len(before) - 1], False
    else:
        return verb, [], False
    return verb, [len(before)], False


FUTURE = {
    ("formal", False): ("것", "입니다"),
    ("formal", True): ("것", "입니까"),
    ("polite", False): ("거", "예요"),
    ("polite", True): ("거", "예요"),
    ("plain", False): ("것", "이다"),
    ("plain", True): ("거", "니"),
}


def finish(verb: Verb, tense: str, ending: str, register: str) -> Words:
    """The last words of a predicate, cut into pieces.

    Endings: final, question; those of `hangul.connected`; rel (before a noun), say (reported),
    ttae (when), jeon (before), dwi (after), gi_ttaemun (because), geos (doing, as a noun).
    """
    past_tense = tense == "past"
    if tense == "will":
        return [(verb.stem, "겠", *_after_gess(ending, register))]
    if ending == "rel":
        if past_tense:
            return [(hangul.with_n(verb),)]
        return [hangul.with_neun(verb) if not verb.adjective else (verb.stem, "는")]
    if ending == "say":
        if tense == "future":
            return [("거", "라고") if register == "polite" else ("것", "이라고")]
        if past_tense:
            return [(hangul.past(verb), "다고")]
        stem, mark = hangul.present(verb, "plain", False)
        return [(stem, mark + "고")]
    if ending == "ttae":
        return [(hangul.with_l(verb),), ("때",)]
    if ending == "jeon":
        return [(verb.stem, "기"), ("전", "에")]
    if ending == "dwi":
        return [(hangul.with_n(verb),), ("뒤", "에")]
    if ending == "because":
        return [(hangul.past(verb) if past_tense else verb.stem, "기"), ("때문", "에")]
    if ending in ASKING:
        return _asked(verb, ending, register)
    if ending not in ("final", "question"):
        dated = past_tense and ending in ("jiman", "neunde", "nikka", "and")
        if tense == "future" and ending in ("jiman", "neunde"):
            return [(verb.stem, "겠", "지만" if ending == "jiman" else "는데")]
        return [hangul.connected(verb, "go" if ending == "and" else ending, dated)]
    question = ending == "question"
    if tense == "future":
        return [FUTURE[register, question]]
    if past_tense:
        return [hangul.past_final(verb, register, question)]
    return [hangul.present(verb, register, question)]


def _asked(verb: Verb, ending: str, register: str) -> Words:
    """-(으)세요, -지 마세요, -(으)ㅂ시다 and -자, -(으)ㄹ까요."""
    if ending == "dont":
        last = {"formal": ("마십", "시오"), "polite": ("마세", "요"), "plain": ("마", "라")}
        return [(verb.stem, "지"), last[register]]
    if ending == "shall":
        return [(hangul.with_l(verb), "까요" if register != "plain" else "까")]
    if ending == "lets":
        if register == "plain":
            return [(verb.stem, "자")]
        return [(hangul.set_coda(hangul.eu(verb, drop_l=True), "ㅂ"), "시다")]
    if register == "plain":
        return [(hangul.infinitive(verb), "라")]
    raised = hangul.honoured(verb).stem
    if register == "formal":
        return [(hangul.set_coda(raised, "ㅂ"), "시오")]
    return [(raised[:-1] + "세", "요")]


# Endings that ask somebody to do something: commands, their negation, proposals.
ASKING = {"please", "dont", "lets", "shall"}


def _after_gess(ending: str, register: str) -> tuple[str, ...]:
    marks = {"jiman": "지만", "neunde": "는데"}
    if ending in marks:
        return (marks[ending],)
    if ending == "question":
        return ({"formal": "습니까", "polite": "어요", "plain": "니"}[register],)
    return ({"formal": "습니다", "polite": "어요", "plain": "다"}[register],)


@dataclass
class Group:
    """The English verb: auxiliaries (with not), and the verb itself, ready for its objects."""

    aux: list[En]
    verb: list[En]


def english_group(
    base: str,
    mood: Mood,
    agrees: str,
    predicate: Predicate,
    form: str = "finite",
    *,
    asked: bool = False,
    short: bool = False,
) -> Group:
    """Auxiliaries and main verb: (did not | go), ( | went), (is | going), (will | go).

    form: finite, base (after an auxiliary said before: will eat and *go*), ing, to. `asked` adds
    the auxiliary that a question needs; `short` writes didn't for did not.
    """
    main, rest = predicate.main, predicate.rest()
    first, *more = base.split()
    if first == "cannot":  # 잠이 안 오다, cannot sleep
        can = "could" if mood.tense == "past" else "can"
        if short:
            return Group([En(english.contracted(can), [], [main, *rest])], [])
        return Group([En(can, [], [main, *rest]), En("not", [], [main, *rest])], [])
    word = "never" if mood.modal == "perf" else "not"
    not_ = [En(word, predicate.negation, rest)] if predicate.negation else []
    if form != "finite":
        word = english.ing_form(first) if form == "ing" else first
        return Group(not_, _verb_words(word, more, main, rest))
    aux, word, to_verb = _finite(first, mood, agrees, predicate, asked)
    if predicate.negation and aux:
        if aux[-1].text == "cannot":
            aux[-1].sure += predicate.negation
            if short:
                aux[-1].text = "can't"
        elif short and aux[-1].text not in ("am", "may") and mood.modal != "perf":
            aux[-1].text = english.contracted(aux[-1].text)
            aux[-1].sure += predicate.negation
        else:
            aux += not_
    verb = _verb_words(word, more, main, rest)
    if first == "be" and not to_verb and aux:
        verb = verb[1:] if aux[0].text.split("n't")[0] in BE_FORMS else verb
    return Group(aux, [*to_verb, *verb])


BE_FORMS = {"am", "is", "are", "was", "were"}


def _finite(
    first: str, mood: Mood, agrees: str, predicate: Predicate, asked: bool
) -> tuple[list[En], str, list[En]]:
    """Auxiliaries, the form of the verb, and what stands between (want to)."""
    main, rest, helpers = predicate.main, predicate.rest(), predicate.helpers
    past_tense, third = mood.tense == "past", agrees == "3sg"
    support = "did" if past_tense else "does" if third else "do"
    needs = asked or bool(predicate.negation)
    modal = mood.modal
    if mood.negated == "unable":
        name = "could" if past_tense else "cannot"
        return [En(name, [], [main, *rest])], first, []
    if modal == "now":
        return [En(english.be(agrees, past_tense), helpers, [main])], english.ing_form(first), []
    if modal in ("want", "decide", "try"):
        name = modal
        shown = (
            name
            if needs
            else english.past_form(name)
            if past_tense
            else (english.third_person(name) if third else name)
        )
        future = mood.tense == "future"
        aux = (
            [En("will", helpers[-1:], rest)]
            if future
            else ([En(support, [], [*helpers, *rest])] if needs else [])
        )
        verb = En(name if future else shown, helpers[:1], rest)
        return aux, first, [verb, En("to", [], [main, *rest])]
    if modal == "perf":
        return [En("has" if third else "have", helpers, rest)], english.participle(first), []
    if modal == "plan":
        be = En(english.be(agrees, False), [], [*helpers, *rest])
        if first in GOING:
            return [be], english.ing_form(first), []
        return [be], first, [En("going", helpers, rest), En("to", [], [main, *rest])]
    if modal == "know" and first not in SKILLS:
        aux = [En(support, [], [*helpers, *rest])] if asked else []
        name = "knows" if third and not asked else "know"
        know, how = En(name, helpers[-1:], rest), En("how", helpers[:1], rest)
        return aux, first, [know, how, En("to", [], [main, *rest])]
    if modal in ("can", "may", "must", "will", "know") or mood.tense == "future":
        return _auxiliary(first, mood, agrees, predicate)
    if first == "be":
        return [En(english.be(agrees, past_tense), [], [main, *rest])], first, []
    if needs:
        return [En(support, [], [main, *rest])], first, []
    if past_tense:
        return [], english.past_form(first), []
    return [], english.third_person(first) if third else first, []


# Verbs whose present progressive says that one is going to.
GOING = {"go", "come", "leave"}
# Skills of which English says that one can; of others that one knows how to.
SKILLS = {"speak", "play", "swim", "drive", "ride"}


def _auxiliary(
    first: str, mood: Mood, agrees: str, predicate: Predicate
) -> tuple[list[En], str, list[En]]:
    """can, may, have to, will."""
    main, rest, helpers = predicate.main, predicate.rest(), predicate.helpers
    past_tense, modal = mood.tense == "past", mood.modal
    if modal == "must":
        has = "had" if past_tense else "has" if agrees == "3sg" else "have"
        return [], first, [En(has, helpers, rest), En("to", [], [main, *rest])]
    if modal in ("can", "know"):
        negative = bool(predicate.negation) and not past_tense
        name = "could" if past_tense else "cannot" if negative else "can"
    else:
        name = "may" if modal == "may" else "will"
    return [En(name, helpers, rest)], first, []


def _verb_words(word: str, more: list[str], main: Ko, rest: list[Ko]) -> list[En]:
    be = word in ("be", "being")
    return [
        En(word, [] if be else [main], [main, *rest] if be else rest),
        *words(" ".join(more), [main], rest),
    ]
