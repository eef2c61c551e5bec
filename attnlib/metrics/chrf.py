"""chrF: F-score of the n-grams of characters; kind to endings and to spelling; as sacreBLEU's."""

from collections import Counter
from collections.abc import Sequence

from .bleu import ngram_counts, safe_divide
from .tokenizers import References, check_string, corpus_pairs

MAX_ORDER, BETA = 6, 2  # n-grams of 1 to 6 characters; recall counts twice as much as precision


def corpus_chrf(hypotheses: Sequence[str], references: References) -> float:
    """chrF = 100 · (1 + β²) P R / (β² P + R) of character n-grams, β = 2   (Popović 2015).

    P and R are means over n = 1 … 6 of the corpus's precision and recall, over those n for which
    both sides have n-grams; white space is left out. Arguments and errors as in ``corpus_bleu``;
    of several references the one with the best sentence score counts. Returns 0 to 100.

    >>> round(corpus_chrf(["cat"], ["cats"]), 1)  # n = 1, 2, 3: P = 1; R = 3/4, 2/3, 1/2
    68.9
    """
    total = [(0, 0, 0)] * MAX_ORDER
    for hypothesis, texts in corpus_pairs(hypotheses, references):
        counts, options = _all_counts(hypothesis), []
        for expected in map(_all_counts, texts):
            both = zip(counts, expected)
            options.append([(a.total() if b else 0, b.total(), (a & b).total()) for a, b in both])
        best = max(options, key=_score)
        total = [(h + x, r + y, m + z) for (h, r, m), (x, y, z) in zip(total, best)]
    return _score(total)


def sentence_chrf(hypothesis: str, references: str | Sequence[str]) -> float:
    """chrF of one sentence, 0 to 100; arguments and errors as in ``corpus_chrf``.

    >>> sentence_chrf("고양이", "고양이")
    100.0
    """
    check_string(hypothesis)
    return corpus_chrf([hypothesis], [references])


def _all_counts(text: str) -> list[Counter[tuple[str, ...]]]:
    """How often each run of n characters occurs, for n = 1 … 6."""
    letters = "".join(text.split())
    return [ngram_counts(letters, n) for n in range(1, MAX_ORDER + 1)]


def _score(statistics: Sequence[tuple[int, int, int]]) -> float:
    """chrF from the n-grams of the hypothesis, those of the reference and those of both, of each
    order."""
    pairs = [(m / h, m / r) for h, r, m in statistics if h and r]
    sides = zip(*pairs) if pairs else ((), ())
    precision, recall = (safe_divide(sum(side), len(pairs)) for side in sides)
    return safe_divide(100 * (1 + BETA**2) * precision * recall, BETA**2 * precision + recall)
