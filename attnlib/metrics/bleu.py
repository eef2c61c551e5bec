"""From n-gram counts to precision, recall, F and BLEU; equal to sacreBLEU.

What is wanted of a corpus are sums of counts: they are taken first, and divided once.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from typing import NamedTuple

from ..checks import Number, as_bool, as_int, as_number, check_name
from .tokenizers import TOKENIZERS, References, check_string, corpus_pairs, tokenized

MAX_NGRAM_ORDER = 4  # BLEU counts n-grams of 1 to 4 tokens
SMOOTHINGS = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None}  # and what they add


def ngram_counts(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each run of n tokens occurs. Raises ValueError for an n below 1.

    >>> ngram_counts(["a", "b", "a", "b"], 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(_ngrams(tokens, as_int("n", n)))


class Overlap(NamedTuple):
    """Clipped overlap of a hypothesis and a reference: Σ_g min(count_hyp(g), count_ref(g))."""

    precision: float  # overlap / n-grams of the hypothesis
    recall: float  # overlap / n-grams of the reference
    f1: float  # 2 P R / (P + R)


def overlap(hypothesis: str, reference: str, n: int = 1, tokenize: str = "13a") -> Overlap:
    """Precision, recall and F1 of n-grams, each counted at most as often as the reference has it
    (Papineni et al. 2002, §2.1). The order of the n-grams does not matter to any of the three.

    Arguments: two texts; n, tokens in a run; tokenize, as in ``Settings``. Returns fractions from
    0 to 1; what would divide by zero is 0. Raises ValueError for an n below 1, or another name, and
    what is no text.

    >>> overlap("the the the the the the", "the cat sat on the mat").precision  # 2 of 6
    0.3333333333333333
    """
    check_string(hypothesis)
    check_string(reference, "reference")
    texts = (hypothesis, reference)
    counts, expected = (ngram_counts(tokenized(text, tokenize), n) for text in texts)
    shared = (counts & expected).total()
    precision, recall = safe_divide(shared, counts.total()), safe_divide(shared, expected.total())
    return Overlap(precision, recall, safe_divide(2 * precision * recall, precision + recall))


def brevity_penalty(hypothesis_length: int, reference_length: int) -> float:
    """BP = 1 if c ≥ r, else exp(1 − r/c)   (Papineni et al. 2002, §2.3), c and r in tokens.

    Returns 0 to 1: 0 for no tokens where some were wanted. Raises ValueError for a length below 0.

    >>> brevity_penalty(10, 10), round(brevity_penalty(5, 10), 3)
    (1.0, 0.368)
    """
    if not (as_number(hypothesis_length) >= 0 and as_number(reference_length) >= 0):
        got = f"{hypothesis_length} and {reference_length}"
        raise ValueError(f"hypothesis_length and reference_length must be at least 0, got {got}")
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length) if hypothesis_length else 0.0


class Bleu(NamedTuple):
    """A BLEU score and everything that it was computed from."""

    score: float  # 0 to 100
    precisions: tuple[float, ...]  # of n = 1 … 4, in percent, smoothed
    counts: tuple[float, ...]  # clipped matches of n = 1 … 4
    totals: tuple[float, ...]  # n-grams of the hypotheses
    brevity_penalty: float
    hypothesis_length: int  # c, in tokens
    reference_length: int  # r: for each sentence, of the reference closest in length

    def __str__(self) -> str:
        precisions = "/".join(f"{p:.1f}" for p in self.precisions)
        lengths = safe_divide(self.hypothesis_length, self.reference_length)
        return (
            f"BLEU = {self.score:.2f} {precisions} (BP = {self.brevity_penalty:.3f} "
            f"ratio = {lengths:.3f} hyp_len = {self.hypothesis_length} "
            f"ref_len = {self.reference_length})"
        )


@dataclass(frozen=True)
class Settings:
    """What has to be said beside a BLEU score, since it changes the number (Post 2018).

    Raises ValueError for an unknown name, and for a switch that is neither True nor False.
    """

    tokenize: str = "13a"  # "13a", "none" (split at white space) or "char"
    smoothing: str = "exp"  # "none", "floor", "add-k" or "exp" (Chen and Cherry 2014)
    lowercase: bool = False
    effective_order: bool = False  # leave out orders for which the sentence is too short

    def __post_init__(self) -> None:
        check_name("smoothing", self.smoothing, tuple(SMOOTHINGS))
        check_name("tokenize", self.tokenize, tuple(TOKENIZERS))
        as_bool("lowercase", self.lowercase)
        as_bool("effective_order", self.effective_order)

    def signature(self, references: int | str = 1) -> str:
        """The settings as sacreBLEU writes them.

        >>> Settings(tokenize="char").signature()
        'nrefs:1|case:mixed|eff:no|tok:char|smooth:exp'
        """
        value = SMOOTHINGS[self.smoothing]
        smooth = self.smoothing + ("" if value is None else f"[{value:.2f}]")
        case, order = "lc" if self.lowercase else "mixed", "yes" if self.effective_order else "no"
        return f"nrefs:{references}|case:{case}|eff:{order}|tok:{self.tokenize}|smooth:{smooth}"


def corpus_bleu(
    hypotheses: Sequence[str],
    references: References,
    *,
    tokenize: str = "13a",
    smoothing: str = "exp",
    lowercase: bool = False,
    effective_order: bool = False,
) -> Bleu:
    """BLEU = 100 · BP · exp(¼ Σ_n log p_n), n = 1 … 4   (Papineni et al. 2002, §2.3).

    p_n = Σ_sentences Σ_g min(count_hyp(g), max_ref count_ref(g)) / Σ_sentences Σ_g count_hyp(g):
    the counts of the whole corpus come first, so this is no mean of sentence scores.

    Arguments: hypotheses, texts as a reader would see them; references, for each hypothesis one
    text or several; the rest as in ``Settings``. Raises ValueError for an empty corpus, unequal
    counts, a lone string or an unknown name.

    >>> print(corpus_bleu(["the cat sat on the mat"], ["the cat sat on a mat"]))
    BLEU = 53.73 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
    """
    settings = Settings(tokenize, smoothing, lowercase, effective_order)
    return bleu_of(sum_columns(sentence_statistics(hypotheses, references, settings)), settings)


def sentence_bleu(hypothesis: str, references: str | Sequence[str], **settings: object) -> Bleu:
    """BLEU of one sentence, with the effective order: shorter than four tokens is no reason for 0.

    Arguments and errors as in ``corpus_bleu``, for one hypothesis and its reference or references.

    >>> round(sentence_bleu("the cat", "the cat").score, 6), sentence_bleu("a", "b").score
    (100.0, 0.0)
    """
    check_string(hypothesis)
    return corpus_bleu([hypothesis], [references], **{"effective_order": True, **settings})  # type: ignore[arg-type]


def bleu_of(sums: Sequence[int], settings: Settings) -> Bleu:
    """BLEU from the sums c, r, counts of n = 1 … 4, totals of n = 1 … 4."""
    c, r = sums[:2]
    counts, totals = sums[2 : 2 + MAX_NGRAM_ORDER], sums[2 + MAX_NGRAM_ORDER :]
    penalty, value = brevity_penalty(c, r), SMOOTHINGS[settings.smoothing] or 0.0
    precisions, used, halvings = [0.0] * MAX_NGRAM_ORDER, MAX_NGRAM_ORDER, 0
    for n in range(MAX_NGRAM_ORDER) if any(counts) else ():
        add = value if settings.smoothing == "add-k" and n > 0 else 0.0
        count, total = counts[n] + add, totals[n] + add
        if total == 0:
            break
        used = n + 1 if settings.effective_order else MAX_NGRAM_ORDER
        if count == 0 and settings.smoothing == "exp":  # ½, ¼, … of a match
            halvings += 1
            count = 0.5**halvings
        elif count == 0 and settings.smoothing == "floor":
            count = value
        precisions[n] = count / total
    positive = all(p > 0 for p in precisions[:used])
    mean = math.exp(sum(map(math.log, precisions[:used])) / used) if positive else 0.0
    percent = tuple(100 * p for p in precisions)
    return Bleu(100 * penalty * mean, percent, tuple(counts), tuple(totals), penalty, c, r)


def sentence_statistics(
    hypotheses: Sequence[str], references: References, settings: Settings
) -> list[list[int]]:
    """c, r, counts and totals of every sentence."""
    rows = []
    for hypothesis, texts in corpus_pairs(hypotheses, references):
        tokenized_references = [
            tokenized(text, settings.tokenize, settings.lowercase) for text in texts
        ]
        tokens = tokenized(hypothesis, settings.tokenize, settings.lowercase)
        closest = min(map(len, tokenized_references), key=lambda r: (abs(r - len(tokens)), r))
        # The largest count of any reference. Orders share one Counter: n-grams differ in length.
        allowed = reduce(Counter.__or__, map(_all_ngrams, tokenized_references))
        counts = [0] * MAX_NGRAM_ORDER
        for ngram, count in _all_ngrams(tokens).items():
            if ngram in allowed:  # checked first, because a Counter is slow for missing keys
                counts[len(ngram) - 1] += min(count, allowed[ngram])
        totals = [max(0, len(tokens) - n) for n in range(MAX_NGRAM_ORDER)]
        rows.append([len(tokens), closest, *counts, *totals])
    return rows


def _all_ngrams(tokens: Sequence[str]) -> Counter[tuple[str, ...]]:
    """How often each run of 1 to 4 tokens occurs."""
    return Counter(chain.from_iterable(_ngrams(tokens, n) for n in range(1, MAX_NGRAM_ORDER + 1)))


def _ngrams(tokens: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    """Every run of n tokens, from left to right."""
    return zip(*(tokens[i:] for i in range(n)))


def sum_columns(rows: Sequence[Sequence[int]]) -> list[int]:
    """The sum of every column."""
    return [sum(column) for column in zip(*rows)]


def safe_divide(numerator: Number, denominator: Number) -> float:
    """Their quotient; 0 where the denominator is."""
    return numerator / denominator if denominator else 0.0
