"""Exercise 5.7: ``bahdanau_step``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import Decoder, cat
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _attend(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """A dot score over as many features as both have; scores of padding become −∞."""
    width = min(query.shape[-1], keys.shape[-1])
    scores = query[..., :width] @ keys[..., :width].transpose(1, 2)
    weights = scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(-1)
    return weights @ values, weights


def _cell(inputs: Tensor, state: Tensor) -> Tensor:
    """Mixes all inputs into every unit, the later ones more."""
    ramp = torch.linspace(0.1, 1.0, inputs.shape[-1])
    return torch.tanh(0.5 * state + (inputs * ramp).sum(-1, keepdim=True))


def _decoder_inputs() -> Inputs:
    for seed, (batch, length, features) in enumerate([(1, 2, 2), (2, 4, 3)]):
        make = normal(60 + seed)
        yield {
            "word": make(batch, features),
            "state": make(batch, features),
            "keys": make(batch, length, features),
            "mask": torch.arange(length) < torch.tensor([[length], [length - 1]])[:batch],
            "attend": _attend,
            "cell": _cell,
        }


def _bahdanau(
    word: Tensor, state: Tensor, keys: Tensor, mask: Tensor, attend: Decoder, cell: Decoder
) -> tuple[Tensor, Tensor]:
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(cat(word, context.squeeze(1)), state), weights


def _after(word, state, keys, mask, attend, cell):  # type: ignore[no-untyped-def]
    blank = torch.zeros_like(keys[:, 0])
    new = cell(cat(word, blank), state)
    context, weights = attend(new.unsqueeze(1), keys, keys, mask)
    return cell(cat(word, context.squeeze(1)), new), weights


def _luong(word, state, keys, mask, attend, cell):  # type: ignore[no-untyped-def]
    new = cell(word, state)
    _, weights = attend(new.unsqueeze(1), keys, keys, mask)
    return new, weights


def _word_free(call: Call) -> str | None:
    _, weights = call(word=call.word + 1)
    if torch.allclose(weights, call.result[1]):
        return None
    return (
        "The weights change with the previous word. Bahdanau attends with the state from before "
        "the step, which has not read that word yet."
    )


def _keys_reach_state(call: Call) -> str | None:
    new, _ = call(keys=call.keys + 1)
    if not torch.allclose(new, call.result[0]):
        return None
    return "The new state does not feel the keys: where does the context enter the step?"


def _padding_free(call: Call) -> str | None:
    keys = call.keys.masked_fill(~call.mask.unsqueeze(-1), 9.0)
    if torch.allclose(call(keys=keys)[0], call.result[0], atol=1e-5):
        return None
    return "The new state changes with what stands at padding. Was the mask handed on?"


CHECK = Exercise(
    "bahdanau_step",
    reference=_bahdanau,
    inputs=_decoder_inputs,
    rules={
        "the weights do not depend on the previous word": _word_free,
        "the new state depends on the keys": _keys_reach_state,
        "padding does not matter": _padding_free,
    },
    mistakes=[
        Mistake(
            "This attends with the new state: that is Luong's order. For Bahdanau the context "
            "must be there before the recurrent step.",
            _luong,
        ),
        Mistake(
            "The recurrent step is taken twice, once before attending. Bahdanau's query is the "
            "state that the step starts from.",
            _after,
        ),
        Mistake(
            "The context stands before the word: the cell's first columns belong to the word.",
            lambda word, state, keys, mask, attend, cell: (
                lambda c, a: (cell(cat(c.squeeze(1), word), state), a)
            )(*attend(state.unsqueeze(1), keys, keys, mask)),
        ),
        Mistake(
            "The word itself is the query here. The query is the state s_{t−1}.",
            lambda word, state, keys, mask, attend, cell: (
                lambda c, a: (cell(cat(word, c.squeeze(1)), state), a)
            )(*attend(word.unsqueeze(1), keys, keys, mask)),
        ),
        Mistake(
            "The previous word is missing: state and context alone do not say what was written "
            "last. (The note forgets it as well.)",
            lambda word, state, keys, mask, attend, cell: (
                lambda c, a: (cell(c.squeeze(1), state), a)
            )(*attend(state.unsqueeze(1), keys, keys, mask)),
        ),
        Mistake(
            "The context never enters the step: the cell gets the word alone.",
            lambda word, state, keys, mask, attend, cell: (
                cell(word, state),
                attend(state.unsqueeze(1), keys, keys, mask)[1],
            ),
        ),
        Mistake(
            "Every position is allowed here. Was the mask handed on?",
            lambda word, state, keys, mask, attend, cell: _bahdanau(
                word, state, keys, torch.ones_like(mask), attend, cell
            ),
        ),
    ],
)
