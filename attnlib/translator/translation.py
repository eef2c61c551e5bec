"""What a translator answers: texts, tokens, where it looked, and what it could not know."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from ..data import EOS, Vocabulary
from ..search import Hypothesis, Real, length_penalty


class Translation(NamedTuple):
    """One translation: the texts, the tokens the model saw and wrote, and where it looked.

    Row t of ``weights`` (T, S) belongs to ``tgt_tokens[t]``, column j to ``src_tokens[j]``; both
    lists end in the end-of-sentence token where the model wrote one. ``score`` is log P(Y|X) /
    |Y|^alpha in nats, |Y| tokens with the end: with beam 1 as with any other. ``weights`` is None
    for a model without attention.

    Of several sentences the tokens stand one after the other, each sentence's with its end, and
    none looked into another sentence: ``weights`` is block diagonal. ``notes`` say what the
    translator could not know.
    """

    src: str
    text: str
    src_tokens: list[str]
    tgt_tokens: list[str]
    weights: Float[Tensor, "T S"] | None
    score: float
    notes: tuple[str, ...] = ()


class Found(NamedTuple):
    """What was read, the best translation of it, and what is to be said of the two."""

    tokens: list[str]
    notes: list[str]
    best: Hypothesis


def mean_log_prob(found: Sequence[Found]) -> float:
    """The mean log-probability of a token of some sentences' translations; the ends count."""
    length = sum(len(best.tokens) + best.finished for _, _, best in found)
    return sum(best.log_prob for _, _, best in found) / max(length, 1)


def joined(
    text: str,
    found: Sequence[Found],
    src: Vocabulary,
    tgt: Vocabulary,
    alpha: Real,
    bound: float,
    learned: str,
) -> Translation:
    """The translation of a text from those of its sentences.

    One with a mean log-probability a token below ``bound`` is said to be a guess, of a translator
    that learned something else.
    """
    if not found:
        return Translation(text, "", [], [], None, 0.0)
    names, end = tgt.tokens, src.tokens[EOS]
    src_tokens, tgt_tokens, looked = list[str](), list[str](), list[Tensor]()
    notes = dict[str, list[int]]()
    for number, (tokens, said, best) in enumerate(found, 1):
        written = [*best.tokens, *[EOS] * best.finished]
        src_tokens += [*tokens, end]
        tgt_tokens += [names[i] for i in written]
        if best.weights is not None:
            looked.append(best.weights[: len(written), : len(tokens) + 1].float().cpu())
        if not said and best.log_prob < bound * len(written):
            said = [f"probably a guess: this translator learned {learned or 'other texts'}"]
        for note in said:
            notes.setdefault(note, []).append(number)
    penalty = length_penalty(float(len(tgt_tokens)), alpha, "power")
    return Translation(
        src=text,
        text=" ".join(tgt.decode(one.best.tokens) for one in found),
        src_tokens=src_tokens,
        tgt_tokens=tgt_tokens,
        weights=torch.block_diag(*looked) if looked else None,
        score=sum(one.best.log_prob for one in found) / penalty,
        notes=tuple(_of(numbers, len(found)) + note for note, numbers in notes.items()),
    )


def _of(numbers: list[int], count: int) -> str:
    """Which of some sentences a note is about.

    >>> _of([1], 1), _of([2], 3), _of([2, 5], 6)
    ('', 'sentence 2: ', 'sentences 2, 5: ')
    """
    if count == 1:
        return ""
    return f"sentence{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}: "
