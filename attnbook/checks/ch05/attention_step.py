"""Exercise 5.2: ``attention_step``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.attention import cat, softmax
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.mistakes import only_a_part
from attnbook.checks.rules import are_weights, as_list, first_unlike
from attnbook.exercises import Call, Exercise, Function
from attnlib import masking


def attention_step(
    state: Tensor, encoder_states: Tensor, mask: Tensor, weight: Tensor
) -> tuple[Tensor, Tensor]:
    """One step of attention with the dot score: s̃ = tanh(W_c [c ; s]), and the weights.

    state (B, H), encoder_states (B, S, H), mask (B, S): True = a real word, weight (O, 2 H)
    → (B, O), (B, S). Every row has at least one real word.
    """
    scores = (encoder_states @ state.unsqueeze(-1)).squeeze(-1)  # (B, S, H) (B, H, 1) → (B, S)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
    context = (weights.unsqueeze(1) @ encoder_states).squeeze(1)  # (B, H)
    return torch.tanh(torch.cat([context, state], dim=-1) @ weight.T), weights


def _steps() -> Inputs:
    yield {
        "state": torch.tensor([[1.0], [2.0]]),
        "encoder_states": torch.tensor([[[2.0], [0.0], [1.0]], [[0.0], [1.0], [3.0]]]),
        "mask": torch.tensor([[True, True, True], [True, True, False]]),
        "weight": torch.tensor([[0.5, -0.25]]),
    }
    for seed, (width, out, lengths) in enumerate(
        [(2, 3, [4, 2]), (3, 6, [1, 3, 2]), (4, 4, [3, 5]), (9, 2, [2, 1, 2, 1])]
    ):
        make, batch, longest = normal(520 + seed), len(lengths), max(lengths)
        yield {
            "state": make(batch, width),
            "encoder_states": make(batch, longest, width).requires_grad_(seed == 2),
            "mask": masking.lengths_to_mask(torch.tensor(lengths), longest),
            "weight": 0.5 * make(out, 2 * width),
        }


def _sums_to_one(call: Call) -> str | None:
    totals = call.result[1].sum(-1)
    unlike = first_unlike(totals, torch.ones_like(totals))
    if unlike is None:
        return None
    (b,), total, _ = unlike
    return (
        f"The weights of sentence {b} sum to {total}, not to 1. Take the softmax over the words of "
        "a sentence, the last dimension, after padding has been excluded."
    )


def _padding_is_zero(call: Call) -> str | None:
    largest = float(call.result[1].masked_fill(call.mask, 0.0).abs().max())
    if not largest:
        return None
    return f"Padding gets the weight {largest:.3g}. Its score must become −∞ before the softmax."


def _weights_by_hand(call: Call) -> str | None:
    unlike = first_unlike(call.result[1], call.expected[1])
    if unlike is None:
        return None
    (b, j), mine, expected = unlike
    words = int(call.mask[b].sum())
    scores = call.encoder_states[b, :words] @ call.state[b]
    return (
        f"The weight of word {j} in sentence {b} is {mine}, where {expected} is expected. By hand: "
        f"the dot products of its state with the {words} real words are {as_list(scores)}, and "
        f"their softmax is {as_list(call.expected[1][b, :words])}."
    )


def _padding_is_free(call: Call) -> str | None:
    """The weights are right by now."""
    states = call.encoder_states.masked_fill(~call.mask.unsqueeze(-1), 9.0)
    if torch.allclose(call(encoder_states=states)[0], call.result[0], atol=1e-5):
        return None
    return (
        "The weights are right, and yet s̃ changes with the padding. The context is the "
        "sum of all states, each times its own weight, and the weight of padding is 0."
    )


def _vector_by_hand(call: Call) -> str | None:
    unlike = first_unlike(call.result[0], call.expected[0])
    if unlike is None:
        return None
    (b, o), mine, expected = unlike
    context = call.expected[1][b] @ call.encoder_states[b]
    joined = cat(context, call.state[b])
    before = float(joined @ call.weight[o])
    return (
        f"The weights are right; number {o} of s̃ in sentence {b} is {mine}, where {expected} is "
        f"expected. By hand: the states times their weights add up to c = {as_list(context)}; "
        f"[c ; s] is {as_list(joined)}, row {o} of W_c makes {before:.3g} of it, and then comes "
        "the tanh."
    )


def _weigh(scores: Tensor, mask: Tensor) -> Tensor:
    return softmax(scores.masked_fill(~mask, -torch.inf))


def _mix(weights: Tensor, words: Tensor) -> Tensor:
    return (weights.unsqueeze(1) @ words).squeeze(1)


def _join(context: Tensor, state: Tensor, weight: Tensor) -> Tensor:
    return torch.tanh(cat(context, state) @ weight.T)


def _step(
    weigh: Function = _weigh, mix: Function = _mix, join: Function = _join, root: bool = False
) -> Function:
    """The solution with one part made in another way."""

    def wrong(state: Tensor, encoder_states: Tensor, mask: Tensor, weight: Tensor) -> Any:
        scores = (encoder_states @ state.unsqueeze(-1)).squeeze(-1)
        weights = weigh(scores / state.shape[-1] ** 0.5 if root else scores, mask)
        return join(mix(weights, encoder_states), state, weight), weights

    return wrong


CHECK = Exercise(
    attention_step,
    inputs=_steps,
    rules={
        "every weight lies between 0 and 1": are_weights(1),
        "the weights of a sentence sum to 1": _sums_to_one,
        "padding has the weight 0": _padding_is_zero,
        "the weights are the softmax of dot products": _weights_by_hand,
        "padding does not matter": _padding_is_free,
        "s̃ is computed from the context and the state": _vector_by_hand,
    },
    mistakes={
        **only_a_part(attention_step, "s̃", "the weights"),
        "The mask is not used: padding gets a weight like any real word.": _step(
            weigh=lambda scores, mask: softmax(scores)
        ),
        "The mask is the wrong way around: it is True at real words, and masked_fill writes where "
        "it is True.": [
            _step(weigh=lambda scores, mask: _weigh(scores, ~mask)),
            _step(weigh=lambda scores, mask: softmax(scores.masked_fill(mask, -1e9))),
        ],
        "The scores of padding are set to 0, and e⁰ = 1, so padding still gets a weight. Which "
        "score does the exponential turn into 0?": _step(
            weigh=lambda scores, mask: softmax(scores * mask)
        ),
        "The mask comes after the softmax. Padding has already taken its share, so the remaining "
        "weights do not sum to 1. Mask the scores.": _step(
            weigh=lambda scores, mask: softmax(scores) * mask
        ),
        "The scores are divided by √H. That is a good idea in chapter 6; here they are bare dot "
        "products.": _step(root=True),
        "All of the attention goes to the word with the largest score. A softmax gives every real "
        "word a share, and the context is the mean with these weights.": _step(
            mix=lambda weights, words: words[torch.arange(len(words)), weights.argmax(-1)]
        ),
        "You put the state first, but the left half of W_c belongs to the context.": _step(
            join=lambda context, state, weight: _join(state, context, weight)
        ),
        "Where is the tanh? s̃ is the tanh of W_c [c ; s].": _step(
            join=lambda context, state, weight: cat(context, state) @ weight.T
        ),
    },
)
