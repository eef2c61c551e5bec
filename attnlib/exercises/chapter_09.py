"""Checks of chapter 9: from n-gram counts to BLEU, chrF and the bootstrap."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from .. import bleu
from ..bleu import Real, tokenize_13a
from .spec import Call, Exercise, Mistake

Inputs: TypeAlias = Iterator[dict[str, Any]]
Grams: TypeAlias = Counter[tuple[str, ...]]
Numbers: TypeAlias = Sequence[Real]
ORDERS = (1, 2, 3, 4)
REFERENCE = "the cat sat on the mat"


def _sentences(seed: int, count: int, right: float, damage: int = 0) -> tuple[list[str], list[str]]:
    """Sentences of a small language with some words exchanged or lost, and as they were."""
    draw, chance = random.Random(seed), random.Random(damage)
    words = ["the", "cat", "dog", "sat", "ran", "on", "under", "a", "mat", "hat", "and"]
    references: list[str] = []
    hypotheses: list[str] = []
    for _ in range(count):
        reference = [words[int(draw.random() * len(words))] for _ in range(6 + len(references) % 5)]
        hypothesis = []
        for word in reference:
            luck = chance.random()
            if luck < right:
                hypothesis.append(word)
            elif luck < right + (1 - right) / 2:
                hypothesis.append(words[int(chance.random() * len(words))])
        references.append(" ".join(reference) + ".")
        hypotheses.append(" ".join(hypothesis) + ".")
    return hypotheses, references


def _ratio(numerator: Real, denominator: Real) -> float:
    return numerator / denominator if denominator else 0.0


# 9.1 ----------------------------------------------------------------------------------------------


def _tokens_and_order() -> Inputs:
    yield {"tokens": ["a", "b", "a", "b"], "n": 2}
    yield {"tokens": ["the", "cat", "sat", "on", "the", "mat"], "n": 1}
    yield {"tokens": ["the", "cat", "the", "cat", "the", "cat", "sat"], "n": 3}
    yield {"tokens": ["나는", "집에"], "n": 4}


def _windows(tokens: Sequence[str], starts: range, n: int) -> Grams:
    return Counter(tuple(tokens[i : i + n]) for i in starts)


NGRAM_COUNTS = Exercise(
    "ngram_counts",
    reference=bleu.ngram_counts,
    inputs=_tokens_and_order,
    rules={
        "T tokens have T − n + 1 n-grams, or none": lambda call: (
            sum(call.result.values()) == max(0, len(call.tokens) - call.n + 1)
        ),
        "every key is a tuple of n tokens": lambda call: all(
            isinstance(gram, tuple) and len(gram) == call.n for gram in call.result
        ),
    },
    mistakes=[
        Mistake(
            "The windows do not overlap: after the n-gram that begins at token i comes the one "
            "that begins at i + 1, not at i + n.",
            lambda tokens, n: _windows(tokens, range(0, len(tokens) - n + 1, n), n),
        ),
        Mistake(
            "The last n-gram is missing: with T tokens and n = 1 there are T of them. Where does "
            "the last one begin?",
            lambda tokens, n: _windows(tokens, range(len(tokens) - n), n),
        ),
        Mistake(
            "Stumps shorter than n stand at the end of the sentence. Stop when fewer than n "
            "tokens are left.",
            lambda tokens, n: _windows(tokens, range(len(tokens)), n),
        ),
        Mistake(
            "Every n-gram has the count 1: an n-gram that occurs twice should count 2.",
            lambda tokens, n: dict.fromkeys(bleu.ngram_counts(tokens, n), 1),
        ),
        Mistake(
            "The keys are strings: take tuples of tokens, so that (ab, c) and (a, bc) cannot be "
            "taken for one another.",
            lambda tokens, n: {" ".join(g): c for g, c in bleu.ngram_counts(tokens, n).items()},
        ),
        Mistake(
            "All orders from 1 to n are counted together. Only runs of exactly n tokens are asked.",
            lambda tokens, n: sum(
                (bleu.ngram_counts(tokens, k) for k in range(1, n + 1)), Counter()
            ),
        ),
        Mistake(
            "The tokens of a key are sorted: (the, cat) and (cat, the) are different bigrams, and "
            "that is what n-grams are for.",
            lambda tokens, n: Counter(
                tuple(sorted(g)) for g in bleu.ngram_counts(tokens, n).elements()
            ),
        ),
    ],
)


# 9.2 ----------------------------------------------------------------------------------------------


def _two_texts() -> Inputs:
    yield {"hypothesis": "the the the", "reference": "the cat", "n": 1}
    yield {"hypothesis": "the the the the the the", "reference": REFERENCE, "n": 1}
    yield {"hypothesis": "the mat sat on the cat", "reference": REFERENCE, "n": 2}
    yield {"hypothesis": "The cat sat.", "reference": "The black cat sat on the mat.", "n": 1}
    yield {"hypothesis": "the cat", "reference": REFERENCE, "n": 3}


def _measures(
    hypothesis: str,
    reference: str,
    n: int,
    shared: Callable[[Grams, Grams], Real] = lambda h, r: (h & r).total(),
    tokenize: Callable[[str], list[str]] = tokenize_13a,
) -> tuple[float, float, float]:
    one, other = (bleu.ngram_counts(tokenize(text), n) for text in (hypothesis, reference))
    both = shared(one, other)
    precision, recall = _ratio(both, one.total()), _ratio(both, other.total())
    return precision, recall, _ratio(2 * precision * recall, precision + recall)


def _of_kinds(hypothesis: str, reference: str, n: int) -> tuple[float, float, float]:
    one, other = (set(bleu.ngram_counts(tokenize_13a(t), n)) for t in (hypothesis, reference))
    precision, recall = _ratio(len(one & other), len(one)), _ratio(len(one & other), len(other))
    return precision, recall, _ratio(2 * precision * recall, precision + recall)


def _never_above_one(call: Call) -> str | None:
    largest = max(call.result)
    if largest <= 1 + 1e-9:
        return None
    return f"One of the three is {largest:.2f}. A share cannot be larger than 1: is it clipped?"


def _mirror(call: Call) -> str | None:
    precision, recall, _ = call(hypothesis=call.reference, reference=call.hypothesis)
    if math.isclose(precision, call.result[1]) and math.isclose(recall, call.result[0]):
        return None
    return "When hypothesis and reference change places, precision and recall should do so too."


OVERLAP = Exercise(
    "overlap",
    reference=lambda hypothesis, reference, n: _measures(hypothesis, reference, n),
    inputs=_two_texts,
    rules={
        "precision, recall and F1 lie between 0 and 1": _never_above_one,
        "the other way round, precision and recall change places": _mirror,
        "a text has precision and recall 1 with itself": lambda call: (
            call(hypothesis=REFERENCE, reference=REFERENCE, n=2) == (1.0, 1.0, 1.0)
        ),
    },
    mistakes=[
        Mistake(
            'Not clipped: "the" occurs once in the reference "the cat", so only one "the" of three '
            "may count as a match.",
            lambda hypothesis, reference, n: _measures(
                hypothesis, reference, n, lambda h, r: sum(c for g, c in h.items() if g in r)
            ),
        ),
        Mistake(
            "Kinds of n-grams are counted, not occurrences: in a set, three times the is as good "
            "as once.",
            _of_kinds,
        ),
        Mistake(
            "Precision and recall are exchanged: precision divides by the n-grams of the "
            "hypothesis (how much of what I said is right?).",
            lambda hypothesis, reference, n: _measures(reference, hypothesis, n),
        ),
        Mistake(
            "The third number is the plain mean. F1 is the harmonic mean, 2 P R / (P + R), which "
            "stays near the smaller of the two.",
            lambda hypothesis, reference, n: (
                *(p := _measures(hypothesis, reference, n)[:2]),
                sum(p) / 2,
            ),
        ),
        Mistake(
            "n has no effect: these are the shares of single words.",
            lambda hypothesis, reference, n: _measures(hypothesis, reference, 1),
        ),
        Mistake(
            'Split at spaces, "sat." is another token than "sat": cut with bleu.tokenize_13a.',
            lambda hypothesis, reference, n: _measures(
                hypothesis, reference, n, tokenize=str.split
            ),
        ),
        Mistake(
            "The matches are divided by the number of tokens. How many n-grams does a sentence of "
            "T tokens have?",
            lambda hypothesis, reference, n: _by_tokens(hypothesis, reference, n),
        ),
    ],
)


def _by_tokens(hypothesis: str, reference: str, n: int) -> tuple[float, float, float]:
    one, other = tokenize_13a(hypothesis), tokenize_13a(reference)
    shared = (bleu.ngram_counts(one, n) & bleu.ngram_counts(other, n)).total()
    precision, recall = shared / len(one), shared / len(other)
    return precision, recall, _ratio(2 * precision * recall, precision + recall)


# 9.3 ----------------------------------------------------------------------------------------------


def _lengths() -> Inputs:
    for c, r in ((5, 10), (10, 10), (12, 10), (9, 10), (0, 7), (40, 41)):
        yield {"hypothesis_length": c, "reference_length": r}


def _long_is_free(call: Call) -> str | None:
    penalty = call(hypothesis_length=20, reference_length=10)
    if abs(penalty - 1) < 1e-9:
        return None
    return (
        f"With c = 20 and r = 10 the factor is {penalty:.3g}. What is too long has lost precision "
        "already; this factor is for what is too short, and is 1 here."
    )


def _below_the_ratio(call: Call) -> str | None:
    penalty = call(hypothesis_length=5, reference_length=10)
    if penalty < 0.5 - 1e-9:
        return None
    return (
        f"With c = 5 and r = 10 the factor is {penalty:.3g}. By Papineni et al. half the length "
        "costs more than half of the score: e⁻¹ of it is left."
    )


def _silence(call: Call) -> str | None:
    problem = call.error(hypothesis_length=0, reference_length=7)
    if problem is not None:
        return f"With c = 0 it raises {type(problem).__name__}. Who says nothing at all gets 0."
    return None


BREVITY_PENALTY = Exercise(
    "brevity_penalty",
    reference=lambda hypothesis_length, reference_length: bleu.brevity_penalty(
        hypothesis_length, reference_length
    ),
    inputs=_lengths,
    rules={
        "an empty hypothesis is no error": _silence,
        "what is long enough costs nothing": _long_is_free,
        "what is short costs more than its share": _below_the_ratio,
    },
    mistakes=[
        Mistake(
            "This is min(1, c/r), as in the lecture and many a blog: the paper has an exponential, "
            "exp(1 − r/c), which is always the harsher of the two below r.",
            lambda hypothesis_length, reference_length: min(
                1.0, hypothesis_length / reference_length
            ),
        ),
        Mistake(
            "c and r have changed places: this spares the short and punishes the long.",
            lambda hypothesis_length, reference_length: bleu.brevity_penalty(
                reference_length, hypothesis_length
            ),
        ),
        Mistake(
            "Above r the factor grows beyond 1: being long is rewarded. It is 1 there.",
            lambda hypothesis_length, reference_length: (
                math.exp(1 - reference_length / hypothesis_length) if hypothesis_length else 0.0
            ),
        ),
        Mistake(
            "The fraction is upside down: exp(1 − c/r) is *larger* than 1 for c < r.",
            lambda hypothesis_length, reference_length: (
                1.0
                if hypothesis_length >= reference_length
                else math.exp(1 - hypothesis_length / reference_length)
            ),
        ),
        Mistake(
            "The 1 is missing in exp(1 − r/c): at c just below r the factor jumps from 1 to 0.37.",
            lambda hypothesis_length, reference_length: (
                1.0
                if hypothesis_length >= reference_length
                else math.exp(-reference_length / hypothesis_length)
                if hypothesis_length
                else 0.0
            ),
        ),
        Mistake(
            "What is too long is punished as well. It has lost precision already: the factor is 1.",
            lambda hypothesis_length, reference_length: min(
                bleu.brevity_penalty(hypothesis_length, reference_length),
                bleu.brevity_penalty(reference_length, hypothesis_length),
            ),
        ),
    ],
)


# 9.4 ----------------------------------------------------------------------------------------------


def _corpora() -> Inputs:
    yield {
        "hypotheses": ["the cat sat on the mat", "a dog ran"],
        "references": ["the cat sat on a mat", "a dog ran under the hat"],
    }
    yield {
        "hypotheses": ["the cat sat on the mat.", "the the the the dog ran on the mat."],
        "references": ["the cat sat on the mat and ran.", "a dog ran on the mat."],
    }
    yield {"hypotheses": ["a dog ran"], "references": ["a dog ran on"]}
    hypotheses, references = _sentences(1, 6, 0.8)
    yield {"hypotheses": hypotheses, "references": references}


def _rows(hypotheses: Sequence[str], references: Sequence[str]) -> list[list[Real]]:
    """c, r, matches of n = 1 … 4, totals of n = 1 … 4 of every sentence."""
    rows: list[list[Real]] = []
    for pair in zip(hypotheses, references):
        one, other = map(tokenize_13a, pair)
        grams = [(bleu.ngram_counts(one, n), bleu.ngram_counts(other, n)) for n in ORDERS]
        rows.append([len(one), len(other)])
        rows[-1] += [(h & r).total() for h, r in grams] + [h.total() for h, _ in grams]
    return rows


def _sums(rows: Sequence[Numbers]) -> list[Real]:
    return [sum(column) for column in zip(*rows)]


def _geometric(numbers: Numbers) -> float:
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if min(numbers) > 0 else 0.0


def _precisions(sums: Numbers) -> list[float]:
    return [_ratio(m, t) for m, t in zip(sums[2:6], sums[6:])]


def _from_sums(sums: Numbers, mean: Callable[[Numbers], Real] = _geometric) -> float:
    penalty = bleu.brevity_penalty(int(sums[0]), int(sums[1]))
    return 100 * penalty * mean(_precisions(sums))


def _corpus_bleu(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    return _from_sums(_sums(_rows(hypotheses, references)))


def _mean_of_precisions(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    rows = _rows(hypotheses, references)
    means = [sum(p) / len(rows) for p in zip(*map(_precisions, rows))]
    sums = _sums(rows)
    return 100 * bleu.brevity_penalty(int(sums[0]), int(sums[1])) * _geometric(means)


def _unclipped(hypotheses: Sequence[str], references: Sequence[str]) -> float:
    rows = _rows(hypotheses, references)
    for row, h, r in zip(rows, hypotheses, references):
        for n in ORDERS:
            known = bleu.ngram_counts(tokenize_13a(r), n)
            grams = bleu.ngram_counts(tokenize_13a(h), n)
            row[1 + n] = sum(count for gram, count in grams.items() if gram in known)
    return _from_sums(_sums(rows))


def _order_of_sentences(call: Call) -> bool:
    turned = call(hypotheses=call.hypotheses[::-1], references=call.references[::-1])
    return math.isclose(turned, call.result, rel_tol=1e-9, abs_tol=1e-9)


def _a_word_more_or_less(call: Call) -> str | None:
    score = call(hypotheses=[REFERENCE, "a dog ran"], references=[REFERENCE, "a dog ran"])
    if abs(score - 100) < 1e-6:
        return None
    return (
        f"Two perfect sentences, one of them of three words, get {score:.1f} and not 100. A "
        "sentence without 4-grams adds 0 to the matches and 0 to the total: sum first, then divide."
    )


CORPUS_BLEU = Exercise(
    "corpus_bleu",
    reference=_corpus_bleu,
    inputs=_corpora,
    rules={
        "a perfect translation scores 100": _a_word_more_or_less,
        "the order of the sentences does not matter": _order_of_sentences,
        "where no 4-gram matches, the score is 0": lambda call: (
            call(hypotheses=["a cat ran"], references=["a dog ran"]) == 0
        ),
    },
    mistakes=[
        Mistake(
            "This is the mean of the sentences' scores. Add up the counts of all sentences first, "
            "and divide once.",
            lambda hypotheses, references: (
                sum(map(_from_sums, _rows(hypotheses, references))) / len(hypotheses)
            ),
        ),
        Mistake(
            "The precisions of the sentences are averaged. p_n is all matches of the corpus over "
            "all n-grams of the corpus.",
            _mean_of_precisions,
        ),
        Mistake(
            "The brevity penalty is missing: here a translation may stop early, and that is free.",
            lambda hypotheses, references: (
                100 * _geometric(_precisions(_sums(_rows(hypotheses, references))))
            ),
        ),
        Mistake(
            "The four precisions are averaged with the plain mean. BLEU takes the geometric one, "
            "exp of the mean of the logarithms.",
            lambda hypotheses, references: _from_sums(
                _sums(_rows(hypotheses, references)), lambda p: sum(p) / len(p)
            ),
        ),
        Mistake(
            'The matches are not clipped: "the the the" finds its one "the" three times.',
            _unclipped,
        ),
        Mistake(
            "The sentences are glued together before counting: n-grams cross their borders, and a "
            "word may be found in another sentence's reference. Count in each sentence.",
            lambda hypotheses, references: _corpus_bleu(
                [" ".join(hypotheses)], [" ".join(references)]
            ),
        ),
        Mistake(
            "The value lies between 0 and 1. BLEU is written from 0 to 100.",
            lambda hypotheses, references: _corpus_bleu(hypotheses, references) / 100,
        ),
        Mistake(
            "The precisions are multiplied, and the fourth root is missing.",
            lambda hypotheses, references: _from_sums(
                _sums(_rows(hypotheses, references)), math.prod
            ),
        ),
        Mistake(
            "The brevity penalty is min(1, c/r) here. Use exp(1 − r/c) below r.",
            lambda hypotheses, references: _linear(_sums(_rows(hypotheses, references))),
        ),
    ],
)


def _linear(sums: Numbers) -> float:
    return 100 * min(1.0, sums[0] / sums[1]) * _geometric(_precisions(sums))


# 9.5 ----------------------------------------------------------------------------------------------


def _counts_and_kind() -> Inputs:
    for smoothing in ("none", "floor", "add-k", "exp"):
        yield {"matches": [3, 1, 0, 0], "totals": [4, 3, 2, 1], "smoothing": smoothing}
        yield {"matches": [5, 0, 0, 0], "totals": [7, 6, 5, 4], "smoothing": smoothing}
        yield {"matches": [0, 0, 0, 0], "totals": [6, 5, 4, 3], "smoothing": smoothing}
    yield {"matches": [4, 3, 2, 1], "totals": [5, 4, 3, 2], "smoothing": "exp"}


def _smoothed(
    matches: Numbers,
    totals: Numbers,
    smoothing: str,
    *,
    halving: Callable[[int, int], Real] = lambda j, n: 0.5**j,
    floor: Callable[[Real], Real] = lambda total: 0.1 / total,
    first: int = 2,
    below: bool = True,
    nothing: bool = True,
) -> list[float]:
    """sacreBLEU's smoothing; the options are ways to get it wrong."""
    if nothing and not any(matches):
        return [0.0] * len(matches)
    found, zeros = [], 0
    for n, (match, total) in enumerate(zip(matches, totals), 1):
        if smoothing == "add-k" and n >= first:
            match, total = match + 1, total + below
        p = match / total
        if match == 0 and smoothing == "exp":
            zeros += 1
            p = halving(zeros, n) / total
        elif match == 0 and smoothing == "floor":
            p = floor(total)
        found.append(p)
    return found


def _variant(**options: Any) -> Callable[..., list[float]]:
    return lambda matches, totals, smoothing: _smoothed(matches, totals, smoothing, **options)


def _untouched(call: Call) -> str | None:
    given = {"matches": [4, 3, 2, 1], "totals": [5, 4, 3, 2]}
    for smoothing in ("none", "floor", "exp"):
        found = call(**given, smoothing=smoothing)
        if any(abs(p - m / t) > 1e-9 for p, m, t in zip(found, *given.values())):
            return f'"{smoothing}" changes a precision that is not 0. It has no need to.'
    return None


SMOOTHED_PRECISIONS = Exercise(
    "smoothed_precisions",
    reference=lambda matches, totals, smoothing: _smoothed(matches, totals, smoothing),
    inputs=_counts_and_kind,
    rules={"none, floor and exp leave alone what is not 0": _untouched},
    mistakes=[
        Mistake(
            "exp gives ½ of a match to every order that is 0. The second such order gets ¼.",
            _variant(halving=lambda j, n: 0.5),
        ),
        Mistake(
            "exp halves by the order n. It halves once more for each order that is *0*: the first "
            "of them gets ½ of a match, whatever its n.",
            _variant(halving=lambda j, n: 0.5**n),
        ),
        Mistake(
            "exp puts ½, ¼, … in the place of the precision. It is that much of a *match*: divide "
            "by the total.",
            lambda matches, totals, smoothing: _undivided(matches, totals, smoothing),
        ),
        Mistake(
            "floor puts 0.1 in the place of the precision. It is a tenth of a *match*: divide by "
            "the total.",
            _variant(floor=lambda total: 0.1),
        ),
        Mistake(
            "add-k adds to the single words as well. It leaves n = 1 alone (Lin and Och 2004).",
            _variant(first=1),
        ),
        Mistake(
            "add-k adds 1 to the matches alone. To the total as well: a perfect order stays 1.",
            _variant(below=False),
        ),
        Mistake(
            "Where not even one word matches, there is nothing to smooth: all four are 0.",
            _variant(nothing=False),
        ),
        Mistake(
            "Nothing is smoothed: the argument smoothing has no effect.",
            lambda matches, totals, smoothing: [m / t for m, t in zip(matches, totals)],
        ),
    ],
)


def _undivided(matches: Numbers, totals: Numbers, smoothing: str) -> list[float]:
    found = _smoothed(matches, totals, smoothing)
    if smoothing != "exp" or not any(matches):
        return found
    return [p * t if m == 0 else p for p, m, t in zip(found, matches, totals)]


# 9.6 ----------------------------------------------------------------------------------------------


def _letters() -> Inputs:
    yield {"hypothesis": "cat", "reference": "cats"}
    yield {"hypothesis": "갔다", "reference": "갔습니다"}
    yield {"hypothesis": "the mat sat on the cat", "reference": REFERENCE}
    yield {"hypothesis": "나는 학교에 갔다", "reference": "나는 어제 학교에 갔습니다"}
    yield {"hypothesis": "the the the the", "reference": REFERENCE}


def _chrf(
    hypothesis: str,
    reference: str,
    *,
    beta: float = 2.0,
    spaces: bool = False,
    orders: Sequence[int] = (1, 2, 3, 4, 5, 6),
    every: bool = False,
    kinds: bool = False,
    each: bool = False,
) -> float:
    """chrF; the options are ways to get it wrong."""
    one, other = (
        list(text) if spaces else list("".join(text.split())) for text in (hypothesis, reference)
    )
    pairs: list[tuple[float, float]] = []
    for n in orders:
        h, r = bleu.ngram_counts(one, n), bleu.ngram_counts(other, n)
        if kinds:
            h, r = Counter(set(h)), Counter(set(r))
        if every or (h and r):
            shared = (h & r).total()
            pairs.append((_ratio(shared, h.total()), _ratio(shared, r.total())))
    if not pairs:
        return 0.0
    if each:
        return 100 * sum(_f(p, r, beta) for p, r in pairs) / len(pairs)
    precision, recall = (sum(column) / len(pairs) for column in zip(*pairs))
    return 100 * _f(precision, recall, beta)


def _f(precision: float, recall: float, beta: float) -> float:
    return _ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall)


def _chrf_variant(**options: Any) -> Callable[..., float]:
    return lambda hypothesis, reference: _chrf(hypothesis, reference, **options)


def _spaces_do_not_count(call: Call) -> str | None:
    one, other = (
        call(hypothesis="thecat", reference="the cat"),
        call(hypothesis="the cat", reference="the cat"),
    )
    if abs(one - other) < 1e-6:
        return None
    return (
        f'"thecat" gets {one:.1f} for "the cat", and "the cat" {other:.1f}: leave out the spaces.'
    )


def _short_words_can_be_perfect(call: Call) -> str | None:
    score = call(hypothesis="cat", reference="cat")
    if abs(score - 100) < 1e-6:
        return None
    return (
        f'"cat" for "cat" gets {score:.1f}: it has no 4-grams. Average over those n for which both '
        "sides have n-grams."
    )


SENTENCE_CHRF = Exercise(
    "sentence_chrf",
    reference=lambda hypothesis, reference: _chrf(hypothesis, reference),
    inputs=_letters,
    rules={
        "white space does not count": _spaces_do_not_count,
        "a word shorter than six letters can be perfect": _short_words_can_be_perfect,
    },
    mistakes=[
        Mistake(
            "This is F1. chrF weighs recall twice as much as precision: β = 2.",
            _chrf_variant(beta=1.0),
        ),
        Mistake(
            "β stands on the wrong side: β² belongs to the precision in the denominator, and that "
            "makes *recall* count more.",
            _chrf_variant(beta=0.5),
        ),
        Mistake(
            "F is taken for each n and then averaged. Average the precisions and the recalls "
            "first, and take F once.",
            _chrf_variant(each=True),
        ),
        Mistake(
            "The spaces are counted as letters. Join the words first.",
            _chrf_variant(spaces=True),
        ),
        Mistake(
            "The sum is divided by 6 even where the words are too short for 6-grams. Average over "
            "those n for which both sides have n-grams.",
            _chrf_variant(every=True),
        ),
        Mistake(
            "Only 6-grams are counted. All orders from 1 to 6 are.",
            _chrf_variant(orders=(6,)),
        ),
        Mistake(
            "The orders stop at 4, as in BLEU. chrF goes to 6 letters.",
            _chrf_variant(orders=ORDERS),
        ),
        Mistake(
            "Kinds of n-grams are counted, not occurrences.",
            _chrf_variant(kinds=True),
        ),
        Mistake(
            "The value lies between 0 and 1. chrF is written from 0 to 100.",
            lambda hypothesis, reference: _chrf(hypothesis, reference) / 100,
        ),
    ],
)


# 9.7 ----------------------------------------------------------------------------------------------


def _two_systems() -> Inputs:
    first, references = _sentences(5, 4, 0.8, damage=1)
    second = _sentences(5, 4, 0.8, damage=2)[0]
    yield {
        "first": first, "second": second, "references": references, "samples": 10, "seed": 3
    }  # fmt: skip
    one, references = _sentences(7, 5, 0.8, damage=1)
    other = [*one[:2], *_sentences(7, 5, 0.8, damage=2)[0][2:4], references[4]]
    yield {
        "first": one, "second": other, "references": references, "samples": 16, "seed": 4
    }  # fmt: skip


def _texts(texts: Sequence[str], picks: Sequence[int]) -> list[str]:
    return [texts[i] for i in picks]


def _score(system: Sequence[str], references: Sequence[str], picks: Sequence[int]) -> float:
    return bleu.corpus_bleu(_texts(system, picks), _texts(references, picks)).score


def _paired(
    first: Sequence[str],
    second: Sequence[str],
    references: Sequence[str],
    samples: int,
    seed: int,
    *,
    again: bool = False,
    apart: bool = False,
    without: bool = False,
    ties: bool = False,
) -> tuple[float, float]:
    """Koehn's paired bootstrap; the options are ways to get it wrong."""
    draw, everyone = random.Random(seed), range(len(references))
    wins = losses = 0
    for _ in range(samples):
        draw = random.Random(seed) if again else draw
        many = len(everyone)
        picks = draw.sample(everyone, k=many) if without else draw.choices(everyone, k=many)
        others = draw.choices(everyone, k=many) if apart else picks
        a, b = _score(first, references, picks), _score(second, references, others)
        wins += a >= b if ties else a > b
        losses += a < b
    return wins / samples, losses / samples


def _paired_variant(**options: Any) -> Callable[..., tuple[float, float]]:
    return lambda first, second, references, samples, seed: _paired(
        first, second, references, samples, seed, **options
    )


def _by_sentences(
    first: Sequence[str],
    second: Sequence[str],
    references: Sequence[str],
    samples: int,
    seed: int,
) -> tuple[float, float]:
    """No resampling: in how many sentences is one better?"""
    pairs = [
        (_score(first, references, [i]), _score(second, references, [i]))
        for i in range(len(references))
    ]
    return sum(a > b for a, b in pairs) / len(pairs), sum(a < b for a, b in pairs) / len(pairs)


def _equals_never_win(call: Call) -> str | None:
    shares = call(second=call.first)
    if max(shares) == 0:
        return None
    return (
        f"A system against itself wins {max(shares):.0%} of the samples. On the *same* sentences "
        "it would tie every time, and a tie is no win."
    )


def _the_other_way_round(call: Call) -> bool:
    one, other = call(first=call.second, second=call.first)
    return math.isclose(one, call.result[1]) and math.isclose(other, call.result[0])


PAIRED_BOOTSTRAP = Exercise(
    "paired_bootstrap",
    reference=lambda first, second, references, samples, seed: _paired(
        first, second, references, samples, seed
    ),
    inputs=_two_systems,
    rules={
        "a system never wins against itself": _equals_never_win,
        "when the systems change places, so do the shares": _the_other_way_round,
    },
    mistakes=[
        Mistake(
            "The two systems are scored on different samples: then chance alone makes one win. "
            "Draw once a sample, and score both on it.",
            _paired_variant(apart=True),
        ),
        Mistake(
            "Drawn without replacement, all sentences are in every sample, and nothing varies. "
            "Draw with replacement: draw.choices.",
            _paired_variant(without=True),
        ),
        Mistake(
            "The generator begins anew for every sample, so that all samples are one and the same. "
            "Make it once, before the loop.",
            _paired_variant(again=True),
        ),
        Mistake(
            "A tie is counted as a win of the first.",
            _paired_variant(ties=True),
        ),
        Mistake(
            "These are the shares of single sentences. BLEU belongs to a corpus: score whole "
            "resampled test sets.",
            _by_sentences,
        ),
        Mistake(
            "These are numbers of samples. Divide by how many there are.",
            lambda first, second, references, samples, seed: tuple(
                share * samples for share in _paired(first, second, references, samples, seed)
            ),
        ),
    ],
    seconds=20.0,
)
