"""Exercise 5.8: ``bahdanau_step``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.attention import Decoder, cat, padding_is_free, plain_attend, plain_cell
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.mistakes import only_a_part
from attnbook.checks.rules import are_weights, calls_to
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


def bahdanau_step(
    word: Tensor, state: Tensor, keys: Tensor, mask: Tensor, attend: Decoder, cell: Decoder
) -> Any:
    """word E y_{t−1} (B, E), state s_{t−1} (B, Hd), keys (B, S, He) → s_t, weights (B, 1, S)."""
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    inputs = torch.cat([word, context.squeeze(1)], dim=-1)  # (B, E + He)
    return cell(inputs, state), weights


def _decoder_inputs() -> Inputs:
    sizes = [(1, 2, 2, 2, 2), (2, 4, 3, 3, 3), (2, 4, 2, 5, 3), (3, 5, 4, 2, 6)]
    for seed, (batch, length, of_word, of_state, of_keys) in enumerate(sizes):
        make = normal(60 + seed)
        yield {
            "word": make(batch, of_word),
            "state": make(batch, of_state),
            "keys": make(batch, length, of_keys).requires_grad_(seed == 2),
            "mask": torch.arange(length)
            < torch.tensor([[length - (batch > 1)], [length], [1]])[:batch],
            "attend": plain_attend,
            "cell": plain_cell,
        }


def _context_first(word, state, keys, mask, attend, cell):  # type: ignore[no-untyped-def]
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(cat(context.squeeze(1), word), state), weights


def _old_state(word, state, keys, mask, attend, cell):  # type: ignore[no-untyped-def]
    return state, bahdanau_step(word, state, keys, mask, attend, cell)[1]


def _word_free(call: Call) -> str | None:
    _, weights = call(word=call.word + 1)
    if torch.allclose(weights, call.result[1]):
        return None
    return (
        "The weights change with the previous word. Bahdanau attends with the state from before "
        "the step, which has not read that word yet."
    )


def _given_to_cell(call: Call) -> str | None:
    if torch.allclose(call.result[0], call.expected[0], atol=1e-4):
        return None
    context, _ = call.attend(call.state.unsqueeze(1), call.keys, call.keys, call.mask)
    inputs = cat(call.word, context.squeeze(1))
    calls = calls_to(call, "cell") or [()]
    for what, formula, got, expected in zip(
        ("inputs", "old state"), ("[word ; context]", "s_{t−1}"), calls[-1], (inputs, call.state)
    ):
        if got.shape != expected.shape or not torch.allclose(got, expected, atol=1e-4):
            return (
                f"As {what} the cell was given {fmt(got)}. The first sentence's {formula} is "
                f"{fmt(expected[0])}."
            )
    return None


CHECK = Exercise(
    bahdanau_step,
    inputs=_decoder_inputs,
    rules={
        "every weight lies between 0 and 1": are_weights(1),
        "the weights do not depend on the previous word": _word_free,
        "padding does not matter": padding_is_free("new state changes"),
        "the cell gets word, context and old state": _given_to_cell,
    },
    mistakes={
        "The context stands before the word: the cell's first columns belong to the word.": (
            _context_first
        ),
        "The old state comes back: the new one is what the cell returns.": _old_state,
        **only_a_part(bahdanau_step, "the new state", "the weights"),
    },
)
