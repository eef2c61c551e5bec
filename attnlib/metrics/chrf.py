"""chrF: F-score of the n-grams of characters; kind to endings and to spelling; as sacreBLEU's."""

import math
from collections import Counter
from collections.abc import Sequence

from ..checks import as_bool, as_int, as_number, require
from .bleu import Real, ngram_counts, safe_divide
from .tokenizers import References, check_string, corpus_pairs, split_mark


def corpus_chrf(
    hypotheses: Sequence[str],
    references: References,
    *,
    word_order: int = 0,
    char_order: int = 6,
    beta: Real = 2,
    lowercase: bool = False,
) -> float:
    """chrF = 100 · (1 + β²) P R / (β² P + R) of character n-grams   (Popović 2015).

    P and R are means over n = 1 … 6 of the corpus's precision and recall, over those n for which
    both sides have n-grams; white space is left out. ``word_order=2`` adds word n-grams of 1 and
    2 (chrF++, Popović 2017). Other arguments and errors as in ``corpus_bleu``; of several
    references the one with the best sentence score counts. Returns 0 to 100. Raises ValueError for
    orders below 0, or both 0, and for a beta that is negative or not finite.

    >>> round(corpus_chrf(["cat"], ["cats"]), 1)  # n = 1, 2, 3: P = 1; R = 3/4, 2/3, 1/2
    68.9
    """
    char_order = as_int("char_order", char_order, 0)
    word_order = as_int("word_order", word_order, 0)
    as_bool("lowercase", lowercase)
    if not word_order + char_order:
        raise ValueError("char_order or word_order must be at least 1, got 0 and 0")
    require(0 <= as_number(beta) < math.inf, "beta", "a finite number of at least 0", beta)
    beta = min(as_number(beta), 1e9)  # from where on R alone counts, to the last digit

    def score(statistics: Sequence[Sequence[int]]) -> float:
        pairs = [(m / h, m / r) for h, r, m in statistics if h and r]
        sides = zip(*pairs) if pairs else ((), ())
        precision, recall = (safe_divide(sum(side), len(pairs)) for side in sides)
        return safe_divide(100 * (1 + beta**2) * precision * recall, beta**2 * precision + recall)

    def grams(text: str) -> list[Counter[tuple[str, ...]]]:
        text = text.lower() if lowercase else text
        words = text.split()
        letters, parts = "".join(words), [part for word in words for part in split_mark(word)]
        orders = [(letters, n) for n in range(1, char_order + 1)]
        return [ngram_counts(x, n) for x, n in orders + [(parts, n + 1) for n in range(word_order)]]

    total = [(0, 0, 0)] * (char_order + word_order)
    for hypothesis, texts in corpus_pairs(hypotheses, references):
        hypothesis_counts, options = grams(hypothesis), []
        for reference_counts in map(grams, texts):
            both = zip(hypothesis_counts, reference_counts)
            options.append([(a.total() if b else 0, b.total(), (a & b).total()) for a, b in both])
        best = max(options, key=score)
        total = [(h + x, r + y, m + z) for (h, r, m), (x, y, z) in zip(total, best)]
    return score(total)


def sentence_chrf(hypothesis: str, references: str | Sequence[str], **settings: object) -> float:
    """chrF of one sentence, 0 to 100; arguments and errors as in ``corpus_chrf``.

    >>> sentence_chrf("고양이", "고양이")
    100.0
    """
    check_string(hypothesis)
    return corpus_chrf([hypothesis], [references], **settings)  # type: ignore[arg-type]
