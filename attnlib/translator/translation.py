"""What a translator returns: texts, tokens, attention weights, and notes."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from ..checks import Number
from ..data import EOS, Vocabulary
from ..search import Hypothesis, length_penalty


class Translation(NamedTuple):
    """One translation: the texts, the tokens the model read and wrote, and its attention.

    Row t of ``weights`` (T, S) belongs to ``tgt_tokens[t]``, column j to ``src_tokens[j]``; both
    lists end in the end-of-sentence token where the model wrote one. ``score`` is log P(Y|X) /
    |Y|^alpha in nats, |Y| tokens with the end: with beam 1 as with any other. ``weights`` is None
    for a model without attention.

    Of several sentences the tokens stand one after the other, each sentence's with its end, and
    none attends to another sentence: ``weights`` is block diagonal. ``notes`` say what the
    translator could not know.
    """

    src: str
    text: str
    src_tokens: list[str]
    tgt_tokens: list[str]
    weights: Float[Tensor, "T S"] | None
    score: float
    notes: tuple[str, ...] = ()


class SentenceResult(NamedTuple):
    """The tokens of one sentence, notes on them, and its best translation."""

    tokens: list[str]
    notes: list[str]
    best: Hypothesis


def mean_log_prob(results: Sequence[SentenceResult]) -> float:
    """The mean log-probability of a token of some sentences' translations; the ends count."""
    length = sum(len(result.best.tokens) + result.best.finished for result in results)
    return sum(result.best.log_prob for result in results) / max(length, 1)


def merge_sentences(
    text: str,
    results: Sequence[SentenceResult],
    src: Vocabulary,
    tgt: Vocabulary,
    alpha: Number,
    min_log_prob: float,
    domain: str,
) -> Translation:
    """The translation of a text from those of its sentences.

    One with a mean log-probability a token below ``min_log_prob`` gets the note that it is
    probably a guess, of a translator that learned the texts of ``domain``.
    """
    if not results:
        return Translation(text, "", [], [], None, 0.0)
    names, end = tgt.tokens, src.tokens[EOS]
    src_tokens, tgt_tokens, attention = list[str](), list[str](), list[Tensor]()
    sentences_of = dict[str, list[int]]()  # by note
    for number, (tokens, notes, best) in enumerate(results, 1):
        written = [*best.tokens, *[EOS] * best.finished]
        src_tokens += [*tokens, end]
        tgt_tokens += [names[i] for i in written]
        if best.weights is not None:
            attention.append(best.weights[: len(written), : len(tokens) + 1].float().cpu())
        if not notes and best.log_prob < min_log_prob * len(written):
            notes = [f"probably a guess: this translator learned {domain or 'other texts'}"]
        for note in notes:
            sentences_of.setdefault(note, []).append(number)
    penalty = length_penalty(float(len(tgt_tokens)), alpha, "power")
    return Translation(
        src=text,
        text=" ".join(tgt.decode(result.best.tokens) for result in results),
        src_tokens=src_tokens,
        tgt_tokens=tgt_tokens,
        weights=torch.block_diag(*attention) if attention else None,
        score=sum(result.best.log_prob for result in results) / penalty,
        notes=tuple(
            _sentence_prefix(numbers, len(results)) + note for note, numbers in sentences_of.items()
        ),
    )


def _sentence_prefix(numbers: list[int], count: int) -> str:
    """Which of some sentences a note is about.

    >>> _sentence_prefix([1], 1), _sentence_prefix([2, 5], 6)
    ('', 'sentences 2, 5: ')
    """
    if count == 1:
        return ""
    return f"sentence{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}: "
