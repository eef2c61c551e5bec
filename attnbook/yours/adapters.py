"""How an answer of the learner's stands in for a function of the library: an adapter for each part.

Answers are plain functions of tensors, the library has modules with weights of their own, so some
need an *adapter*: (yours, the library's) → a function that is called as the library's is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from attnlib.data import BOS, EOS, Batch
from attnlib.search import Hypothesis, index_tree, length_penalty

Function = Callable[..., Any]
Adapter = Callable[[Function, Function], Function]


@dataclass(frozen=True)
class Part:
    """One answer, what it does in the translator, and the functions of attnlib it replaces.

    Functions are named by the package from which chapters import them ("attnlib.data:pad"); torch's
    own is replaced in attnlib alone.
    """

    chapter: str
    exercise: str
    work: str
    targets: Mapping[str, Adapter]


def _unchanged(yours: Function, library: Function) -> Function:
    return yours


def _batch(yours: Function, library: Function) -> Function:
    return lambda src, tgt: Batch(*yours(src, tgt))


def _counter(yours: Function, library: Function) -> Function:
    return lambda tokens, n: Counter(yours(tokens, n))  # a plain dict is as good an answer


def _both_ways(yours: Function, library: Function) -> Function:
    """The exercise's layers give states and *one* last state, as a GRU does; an LSTM's are two."""

    def plain(layer: Any) -> Function:
        def read(inputs: Tensor) -> tuple[Tensor, Tensor]:
            states, last = layer(inputs.to(layer.weight_hh_l0.dtype))
            return states, last[0] if isinstance(last, tuple) else last

        return read

    return lambda forward_layer, backward_layer, inputs, mask: yours(
        plain(forward_layer), plain(backward_layer), inputs, mask
    )


def _one_step(yours: Function, library: Function) -> Function:
    """Words are written one at a time: there your step runs. Training runs all steps in torch's."""

    def run(self: Any, inputs: Tensor, state: Any) -> Any:
        if inputs.shape[2] > 1 or len(self.parts) == 1:
            return library(self, inputs, state)
        weights = [getattr(self.rnn, f"{name}_l0") for name in _LSTM]
        hidden, cell = (state[name].flatten(0, 1) for name in self.parts)  # (B·K, H)
        new = yours(inputs.flatten(0, 1)[:, 0], (hidden, cell), *weights)
        new = [part.unflatten(0, inputs.shape[:2]) for part in new]
        return new[0].unsqueeze(2), dict(zip(self.parts, new))

    return run


_LSTM = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def _softmax(yours: Function, library: Function) -> Function:
    def masked_softmax(scores: Tensor, mask: Tensor | None, dim: int = -1) -> Tensor:
        if mask is None or dim not in (-1, scores.ndim - 1):
            return library(scores, mask, dim)  # type: ignore[no-any-return]
        wide = scores.to(torch.promote_types(scores.dtype, torch.float32))
        return yours(wide, mask.expand(scores.shape))  # type: ignore[no-any-return]

    return masked_softmax


def _clip(yours: Function, library: Function) -> Function:
    def clip_grad_norm_(parameters: Any, max_norm: float) -> Tensor:
        gradients = [p.grad for p in parameters if p.grad is not None]
        clipped, norm = yours(gradients, max_norm)
        for old, new in zip(gradients, clipped):
            old.copy_(new)
        return torch.as_tensor(norm)

    return clip_grad_norm_


def _sentence_by_sentence(yours: Function, library: Function) -> Function:
    """Yours searches one sentence; here come many, and the heat map wants the weights."""

    def search(step: Any, memory: Any, state: Any, *, max_length: Any, **options: Any) -> Any:
        # Options that the exercise does not have.
        if set(options) - {"beam_size", "alpha", "penalty"}:
            return library(step, memory, state, max_length=max_length, **options)
        results = []
        with torch.no_grad():
            for b in range(len(memory.mask)):
                batch = (index_tree(memory, slice(b, b + 1)), index_tree(state, slice(b, b + 1)))
                limit = max_length if isinstance(max_length, int) else max_length[b]
                tokens, log_prob = yours(step, *batch, limit, **options)
                results.append([_hypothesis(step, *batch, limit, tokens, log_prob, options)])
        return results

    return search


def _few_sentences(yours: Function, library: Function) -> Function:
    """A beam that goes word by word through the vocabulary would need hours for a test split."""
    one_by_one = _sentence_by_sentence(yours, library)
    return lambda step, memory, *rest, **options: (
        one_by_one if len(memory.mask) <= MAX_SENTENCES else library
    )(step, memory, *rest, **options)


MAX_SENTENCES = 8  # up to this many sentences at once use your beam; more, the library's


def _hypothesis(
    step: Any,
    memory: Any,
    state: Any,
    limit: int,
    tokens: Sequence[int],
    log_prob: float,
    options: Mapping[str, Any],
) -> Hypothesis:
    """What the library tells of a sentence that was found, by walking along it once more."""
    finished, last = len(tokens) < limit, BOS
    rows: list[Tensor] = []
    path = [*tokens, EOS][: len(tokens) + finished]
    for token in path:
        _, state, weights = step(torch.tensor([[last]], device=memory.mask.device), memory, state)
        rows += [] if weights is None else [weights[0, 0]]
        last = token
    divisor = length_penalty(
        float(len(path)), options.get("alpha", 0.0), options.get("penalty", "gnmt")
    )
    table = torch.stack(rows) if rows else None
    return Hypothesis(list(tokens), log_prob, log_prob / divisor, finished, table)


def _score(yours: Function, library: Function) -> Function:
    """The exercise knows the usual settings; with them, and matches of all orders, yours counts."""

    def corpus_bleu(hypotheses: Any, references: Any, **settings: Any) -> Any:
        score = library(hypotheses, references, **settings)
        single = all(isinstance(reference, str) for reference in references)
        if settings or not single or not all(score.counts):
            return score
        return score._replace(score=yours(hypotheses, references))

    return corpus_bleu


PARTS = (
    Part("03", "make_batch", "batches", {"attnlib.data:make_batch": _batch}),
    Part("03", "last_real", "last state", {"attnlib.model:last_real": _unchanged}),
    Part("03b", "reverse_real", "reversing", {"attnlib.model:reverse_real": _unchanged}),
    Part("03b", "read_both_ways", "encoder", {"attnlib.model:read_both_ways": _both_ways}),
    Part("02", "lstm_step", "decoder's step", {"attnlib.model:Decoder.run": _one_step}),
    Part("05", "safe_softmax", "weights", {"attnlib.masking:masked_softmax": _softmax}),
    Part("01b", "clip_by_norm", "clipping", {"torch.nn.utils:clip_grad_norm_": _clip}),
    Part(
        "08",
        "greedy_tokens",
        "greedy search",
        {"attnlib.search:greedy_search": _sentence_by_sentence},
    ),
    Part(
        "08",
        "beam_tokens",
        f"beam search (up to {MAX_SENTENCES} sentences at once)",
        {"attnlib.search:beam_search": _few_sentences},
    ),
    Part("09", "ngram_counts", "n-grams", {"attnlib.metrics:ngram_counts": _counter}),
    Part(
        "09", "brevity_penalty", "brevity penalty", {"attnlib.metrics:brevity_penalty": _unchanged}
    ),
    Part("09", "corpus_bleu", "BLEU", {"attnlib.metrics:corpus_bleu": _score}),
)
