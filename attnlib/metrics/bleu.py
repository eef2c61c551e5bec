"""From n-gram counts to precision, recall, F, BLEU and chrF; equal to sacreBLEU.

Sentences are plain strings, as a reader would see them; a tokeniser is part of the measure. What
is wanted of a corpus are sums of counts: they are taken first, and divided once.
"""

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from ..names import check_name

Real: TypeAlias = float | int
References: TypeAlias = Sequence[str | Sequence[str]]  # one entry a hypothesis: one text or several
ORDER = 4  # BLEU counts n-grams of 1 to 4 tokens
SMOOTHINGS = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None}  # with their usual value
_PUNCTUATION = set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def tokenize_13a(text: str) -> list[str]:
    """Split off punctuation as mteval-v13a.pl does, sacreBLEU's default (for European languages).

    A full stop or comma between digits stays, as does an apostrophe and a hyphen in a word.

    >>> tokenize_13a('"It cost $1,000.50," he said.')
    ['"', 'It', 'cost', '$', '1,000.50', ',', '"', 'he', 'said', '.']
    """
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for name, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(name, sign)
    text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", f" {text} ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "13a": tokenize_13a,
    "none": str.split,
    "char": lambda text: [character for character in text if not character.isspace()],
}


def ngram_counts(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each run of n tokens occurs.

    >>> ngram_counts(["a", "b", "a", "b"], 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(zip(*(tokens[i:] for i in range(n))))


class Overlap(NamedTuple):
    """Clipped overlap of a hypothesis and a reference: Σ_g min(count_hyp(g), count_ref(g))."""

    precision: float  # overlap / n-grams of the hypothesis
    recall: float  # overlap / n-grams of the reference
    f1: float  # 2 P R / (P + R)


def overlap(hypothesis: str, reference: str, n: int = 1, tokenize: str = "13a") -> Overlap:
    """Precision, recall and F1 of n-grams, each counted at most as often as the reference has it
    (Papineni et al. 2002, §2.1). The order of the n-grams does not matter to any of the three.

    Returns fractions from 0 to 1; what would divide by zero is 0.

    >>> overlap("the the the the the the", "the cat sat on the mat").precision  # 2 of 6
    0.3333333333333333
    """
    one, other = (ngram_counts(_tokens(text, tokenize), n) for text in (hypothesis, reference))
    shared = (one & other).total()
    precision, recall = _ratio(shared, one.total()), _ratio(shared, other.total())
    return Overlap(precision, recall, _ratio(2 * precision * recall, precision + recall))


def positional_accuracy(hypothesis: str, reference: str, tokenize: str = "13a") -> float:
    """The share of positions with the same token: matches by index / max(length).

    >>> positional_accuracy("cat the sat", "the cat sat on")  # "sat" alone stands where it should
    0.25
    """
    one, other = _tokens(hypothesis, tokenize), _tokens(reference, tokenize)
    return _ratio(sum(a == b for a, b in zip(one, other)), max(len(one), len(other)))


def brevity_penalty(hypothesis_length: int, reference_length: int) -> float:
    """BP = 1 if c ≥ r, else exp(1 − r/c)   (Papineni et al. 2002, §2.3), c and r in tokens.

    >>> brevity_penalty(10, 10), round(brevity_penalty(5, 10), 3)
    (1.0, 0.368)
    """
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
        ratio = _ratio(self.hypothesis_length, self.reference_length)
        return (
            f"BLEU = {self.score:.2f} {precisions} (BP = {self.brevity_penalty:.3f} "
            f"ratio = {ratio:.3f} hyp_len = {self.hypothesis_length} "
            f"ref_len = {self.reference_length})"
        )


class Settings(NamedTuple):
    """What has to be said beside a BLEU score, since it changes the number (Post 2018)."""

    tokenize: str = "13a"  # "13a", "none" (split at white space) or "char"
    smoothing: str = "exp"  # "none", "floor", "add-k" or "exp" (Chen and Cherry 2014)
    smoothing_value: Real | None = None  # of "floor" (0.1) and "add-k" (1)
    lowercase: bool = False
    effective_order: bool = False  # leave out orders for which the sentence is too short

    def signature(self, references: int | str = 1) -> str:
        """The settings as sacreBLEU writes them.

        >>> Settings(tokenize="char").signature()
        'nrefs:1|case:mixed|eff:no|tok:char|smooth:exp'
        """
        value = self.value()
        smooth = self.smoothing + ("" if value is None else f"[{value:.2f}]")
        case, order = "lc" if self.lowercase else "mixed", "yes" if self.effective_order else "no"
        return f"nrefs:{references}|case:{case}|eff:{order}|tok:{self.tokenize}|smooth:{smooth}"

    def value(self) -> Real | None:
        usual = SMOOTHINGS[self.smoothing]
        return usual if usual is None or self.smoothing_value is None else self.smoothing_value


def corpus_bleu(
    hypotheses: Sequence[str],
    references: References,
    *,
    tokenize: str = "13a",
    smoothing: str = "exp",
    smoothing_value: Real | None = None,
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
    settings = Settings(tokenize, smoothing, smoothing_value, lowercase, effective_order)
    return _score(_sum(_statistics(hypotheses, references, settings)), settings)


def sentence_bleu(hypothesis: str, references: str | Sequence[str], **settings: object) -> Bleu:
    """BLEU of one sentence, with the effective order: shorter than four tokens is no reason for 0.

    Arguments as in ``corpus_bleu``, for one hypothesis and its one or several references.

    >>> round(sentence_bleu("the cat", "the cat").score, 6), sentence_bleu("a", "b").score
    (100.0, 0.0)
    """
    if not isinstance(hypothesis, str):
        raise ValueError(f"hypothesis must be one string, got {type(hypothesis).__name__}")
    return corpus_bleu([hypothesis], [references], **{"effective_order": True, **settings})  # type: ignore[arg-type]


def _score(statistics: Sequence[int], settings: Settings) -> Bleu:
    """BLEU from the sums c, r, counts of n = 1 … 4, totals of n = 1 … 4."""
    c, r = statistics[:2]
    counts, totals = statistics[2 : 2 + ORDER], statistics[2 + ORDER :]
    penalty, value = brevity_penalty(c, r), settings.value() or 0.0
    precisions, used, halvings = [0.0] * ORDER, ORDER, 0
    for n in range(ORDER) if any(counts) else ():
        add = value if settings.smoothing == "add-k" and n > 0 else 0.0
        count, total = counts[n] + add, totals[n] + add
        if total == 0:
            break
        used = n + 1 if settings.effective_order else ORDER
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


def _statistics(
    hypotheses: Sequence[str], references: References, settings: Settings
) -> list[list[int]]:
    """c, r, counts and totals of every sentence."""
    check_name("smoothing", settings.smoothing, tuple(SMOOTHINGS))
    check_name("tokenize", settings.tokenize, tuple(TOKENIZERS))
    if settings.smoothing_value is not None and not 0 <= settings.smoothing_value < math.inf:
        raise ValueError(f"smoothing_value must be at least 0, got {settings.smoothing_value}")
    rows = []
    for hypothesis, texts in _corpus(hypotheses, references):
        given = [_tokens(text, settings.tokenize, settings.lowercase) for text in texts]
        tokens = _tokens(hypothesis, settings.tokenize, settings.lowercase)
        closest = min(map(len, given), key=lambda r: (abs(r - len(tokens)), r))
        counts, totals = [], []
        for n in range(1, ORDER + 1):
            allowed: Counter[tuple[str, ...]] = Counter()
            for reference in given:
                allowed |= ngram_counts(reference, n)  # the largest count of any reference
            counts.append((ngram_counts(tokens, n) & allowed).total())
            totals.append(max(0, len(tokens) - n + 1))
        rows.append([len(tokens), closest, *counts, *totals])
    return rows


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
    2 (chrF++, Popović 2017). Arguments and errors as in ``corpus_bleu``; of several references
    the one with the best sentence score counts. Returns 0 to 100.

    >>> round(corpus_chrf(["cat"], ["cats"]), 1)  # n = 1, 2, 3: P = 1; R = 3/4, 2/3, 1/2
    68.9
    """

    def score(statistics: Sequence[Sequence[int]]) -> float:
        pairs = [(m / h, m / r) for h, r, m in statistics if h and r]
        precision, recall = (
            _ratio(sum(x), len(pairs)) for x in (zip(*pairs) if pairs else ((), ()))
        )
        return _ratio(100 * (1 + beta**2) * precision * recall, beta**2 * precision + recall)

    def grams(text: str) -> list[Counter[tuple[str, ...]]]:
        text = text.lower() if lowercase else text
        letters, words = "".join(text.split()), [part for w in text.split() for part in _split(w)]
        orders = [(letters, n) for n in range(1, char_order + 1)]
        return [ngram_counts(x, n) for x, n in orders + [(words, n + 1) for n in range(word_order)]]

    total = [(0, 0, 0)] * (char_order + word_order)
    for hypothesis, texts in _corpus(hypotheses, references):
        ours, options = grams(hypothesis), []
        for theirs in map(grams, texts):
            both = zip(ours, theirs)
            options.append([(a.total() if b else 0, b.total(), (a & b).total()) for a, b in both])
        best = max(options, key=score)
        total = [(h + x, r + y, m + z) for (h, r, m), (x, y, z) in zip(total, best)]
    return score(total)


def sentence_chrf(hypothesis: str, references: str | Sequence[str], **settings: object) -> float:
    """chrF of one sentence; arguments as in ``corpus_chrf``.

    >>> sentence_chrf("고양이", "고양이")
    100.0
    """
    if not isinstance(hypothesis, str):
        raise ValueError(f"hypothesis must be one string, got {type(hypothesis).__name__}")
    return corpus_chrf([hypothesis], [references], **settings)  # type: ignore[arg-type]


class Interval(NamedTuple):
    score: float  # of the whole corpus
    low: float
    high: float


def bootstrap_interval(
    hypotheses: Sequence[str], references: References, *, level: Real = 0.95,
    samples: int = 1000, seed: int = 0, **settings: object,
) -> Interval:  # fmt: skip
    """A confidence interval for BLEU by resampling sentences (Koehn 2004, §3).

    A sample draws as many sentences as there are, with replacement. Returns the score and the
    bounds that hold the middle ``level`` of the samples. Other arguments as in ``corpus_bleu``.

    >>> bootstrap_interval(["a b c d"] * 3, ["a b c d"] * 3, samples=10)
    Interval(score=100.0, low=100.0, high=100.0)
    """
    chosen = Settings(**settings)  # type: ignore[arg-type]
    rows = _statistics(hypotheses, references, chosen)
    scores = [_score(x, chosen).score for x in _resample(rows, samples, seed)]
    return Interval(_score(_sum(rows), chosen).score, *_middle(scores, level))


class Comparison(NamedTuple):
    first: float  # BLEU of the first system
    second: float
    first_wins: float  # the share of samples in which the first is better
    second_wins: float
    low: float  # bounds of first − second that hold the middle ``level`` of the samples
    high: float


def paired_bootstrap(
    first: Sequence[str], second: Sequence[str], references: References, *, level: Real = 0.95,
    samples: int = 1000, seed: int = 0, **settings: object,
) -> Comparison:  # fmt: skip
    """Is one system better than another? Both are scored on the same resampled sentences
    (Koehn 2004, §4): what makes a sample hard is hard for both, so it does not blur the answer.

    The first is better "with 95 % confidence" where it wins at least 0.95 of the samples.
    Arguments as in ``bootstrap_interval``.

    >>> paired_bootstrap(["a b c d"] * 3, ["a b c x"] * 3, ["a b c d"] * 3, samples=10).first_wins
    1.0
    """
    chosen = Settings(**settings)  # type: ignore[arg-type]
    one, other = (_statistics(system, references, chosen) for system in (first, second))
    joint = [a + b for a, b in zip(one, other)]
    width = len(joint[0]) // 2

    def scores(row: Sequence[int]) -> tuple[float, float]:
        return _score(row[:width], chosen).score, _score(row[width:], chosen).score

    drawn = [scores(row) for row in _resample(joint, samples, seed)]
    wins = sum(a > b for a, b in drawn) / samples, sum(a < b for a, b in drawn) / samples
    return Comparison(*scores(_sum(joint)), *wins, *_middle([a - b for a, b in drawn], level))


def _resample(rows: list[list[int]], samples: int, seed: int) -> list[list[int]]:
    if samples < 1:
        raise ValueError(f"samples must be at least 1, got {samples}")
    draw = random.Random(seed)
    return [_sum(draw.choices(rows, k=len(rows))) for _ in range(samples)]


def _middle(values: list[float], level: Real) -> tuple[float, float]:
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, got {level}")
    cut = int(len(values) * (1 - level) / 2)
    return sorted(values)[cut], sorted(values)[len(values) - 1 - cut]


def _sum(rows: Sequence[Sequence[int]]) -> list[int]:
    return [sum(column) for column in zip(*rows)]


def _ratio(numerator: Real, denominator: Real) -> float:
    return numerator / denominator if denominator else 0.0


def _split(word: str) -> list[str]:
    """A word without one punctuation mark at its end, or else its beginning, and that mark."""
    if len(word) > 1 and word[-1] in _PUNCTUATION:
        return [word[:-1], word[-1]]
    return [word[0], word[1:]] if len(word) > 1 and word[0] in _PUNCTUATION else [word]


def _tokens(text: str, tokenize: str, lowercase: bool = False) -> list[str]:
    check_name("tokenize", tokenize, tuple(TOKENIZERS))
    return TOKENIZERS[tokenize]((text.lower() if lowercase else text).rstrip())


def _corpus(hypotheses: Sequence[str], references: References) -> list[tuple[str, list[str]]]:
    """Each hypothesis with the list of its references."""
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(texts, str):
            raise ValueError(f"{name} must be a list of strings, got one string: put it in a list")
    if len(hypotheses) != len(references):
        raise ValueError(
            f"references must have one entry for each of {len(hypotheses)} hypotheses (several "
            f"references of a sentence are a list in its entry), got {len(references)}"
        )
    if not hypotheses:
        raise ValueError("hypotheses must hold at least one sentence, got none")
    pairs = [(h, [r] if isinstance(r, str) else list(r)) for h, r in zip(hypotheses, references)]
    for i, (hypothesis, texts) in enumerate(pairs):
        if not texts or not all(isinstance(text, str) for text in (hypothesis, *texts)):
            raise ValueError(
                f"every sentence must be a string with at least one reference; number {i} is not: "
                "join tokens to text first"
            )
    return pairs
