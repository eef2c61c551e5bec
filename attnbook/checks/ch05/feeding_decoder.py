"""Exercise 5.3: ``feeding_decoder``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import Decoder, cat
from attnbook.checks.ch05b.bahdanau_step import plain_attend, plain_cell
from attnbook.checks.shared import Inputs, agrees, are_weights, normal, same
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown


def feeding_decoder(
    words: Tensor,
    state: Tensor,
    keys: Tensor,
    mask: Tensor,
    attend: Decoder,
    cell: Decoder,
    weight: Tensor,
) -> Any:
    """words (B, T, E), state s_0 (B, Hd), keys (B, S, He) → s̃ (B, T, O), weights (B, T, S)."""
    s_tilde = words.new_zeros(len(words), len(weight))
    vectors, looks = [], []
    for word in words.unbind(1):
        state = cell(torch.cat([word, s_tilde], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        s_tilde = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(s_tilde)
        looks.append(weights)
    return torch.stack(vectors, dim=1), torch.cat(looks, dim=1)


class Cell:
    """The plain cell, which takes inputs of one width, as torch's cells do."""

    __name__ = "cell"  # as the learner is shown it

    def __init__(self, of_word: int, out: int) -> None:
        self.of_word, self.out = of_word, out

    def __call__(self, inputs: Tensor, state: Tensor) -> Tensor:
        if inputs.shape[-1] != self.of_word + self.out:
            raise RuntimeError(
                f"a word here has E = {self.of_word} numbers and s̃ has O = {self.out}: the cell "
                f"takes inputs (B, {self.of_word + self.out}), and was given {tuple(inputs.shape)}"
            )
        return plain_cell(inputs, state)


def _inputs() -> Inputs:
    sizes = [(1, 2, 2, 2, 2, 2, 2), (2, 3, 4, 3, 3, 3, 3), (2, 2, 3, 2, 5, 3, 4)]
    for seed, (batch, steps, length, of_word, of_state, of_keys, out) in enumerate(sizes):
        make = normal(90 + seed)
        yield {
            "words": make(batch, steps, of_word),
            "state": make(batch, of_state),
            "keys": make(batch, length, of_keys).requires_grad_(seed == 2),
            "mask": torch.arange(length) < torch.tensor([[length - (batch > 1)], [length]])[:batch],
            "attend": plain_attend,
            "cell": Cell(of_word, out),
            "weight": make(out, of_keys + of_state),
        }


def _loop(
    fed: Any = same,
    query: Any = lambda new, old: new,
    of_words: Any = same,
    inputs: Any = cat,
    joined: Any = lambda context, state, weight: torch.tanh(cat(context, state) @ weight.T),
    carried: Any = lambda new, old, vector: new,
    out: Any = lambda vectors, states, looks: (torch.stack(vectors, 1), torch.cat(looks, 1)),
) -> Any:
    """The solution with one part wrong."""

    def wrong(words, state, keys, mask, attend, cell, weight):  # type: ignore[no-untyped-def]
        before = words.new_zeros(len(words), len(weight))
        vectors, states, looks = [], [], []
        for word in of_words(words).unbind(1):
            new = cell(inputs(word, before), state)
            asks = query(new, state).unsqueeze(1)
            context, alpha = attend(asks, keys, keys, mask)
            vectors.append(joined(context.squeeze(1), new, weight))
            states.append(new)
            looks.append(alpha)
            before = fed(vectors[-1])
            state = carried(new, state, vectors[-1])
        return out(vectors, states, looks)

    return wrong


def _fed_before(call: Call) -> str | None:
    heard: list[Tensor] = []

    def listening(inputs: Tensor, state: Tensor) -> Tensor:
        heard.append(inputs.detach())
        new: Tensor = call.arguments["cell"](inputs, state)
        return new

    vectors, _ = call(cell=listening)
    steps, width = call.words.shape[1], call.words.shape[2]
    heard = heard[:steps]  # behind them come the reference's
    if len(heard) < steps or any(x.shape[-1] != width + len(call.weight) for x in heard):
        return None
    for t, inputs in enumerate(heard):
        wanted = vectors[:, t - 1].detach() if t else torch.zeros_like(inputs[:, width:])
        if not torch.allclose(inputs[:, width:], wanted, atol=1e-4):
            what = f"s̃_{t}, what step {t} returned" if t else "zeros"
            return (
                f"Step {t + 1} is to be fed {what}. Behind the word its cell was given "
                f"{shown(inputs[0, width:])}, and that would be {shown(wanted[0])}."
            )
    return None


def _asked_with_new_state(call: Call) -> str | None:
    states: list[Tensor] = []
    queries: list[Tensor] = []

    def cell(inputs: Tensor, state: Tensor) -> Tensor:
        states.append(call.arguments["cell"](inputs, state).detach())
        return states[-1]

    def attend(query: Tensor, *given: Any) -> Any:
        queries.append(query.detach())
        return call.arguments["attend"](query, *given)

    call(cell=cell, attend=attend)
    for t, (query, state) in enumerate(zip(queries[: call.words.shape[1]], states), 1):
        if query.shape != state.unsqueeze(1).shape or not torch.allclose(query[:, 0], state):
            return (
                f"In step {t} attend is asked with {shown(query)}. The query is the new state, "
                f"which the cell returned in this step: {shown(state.unsqueeze(1))}."
            )
    return None


def _context_of_attend(call: Call) -> str | None:
    """An attention may return another context than weights times keys: its values are its own."""
    if not torch.allclose(call.result[0], call.expected[0], atol=1e-4):
        return None

    def louder(query: Tensor, *given: Any) -> tuple[Tensor, Tensor]:
        context, weights = call.arguments["attend"](query, *given)
        return 2 * context, weights

    if call.agrees(attend=louder) is None:
        return None
    return (
        "With an attend whose contexts are twice as long, s̃ is not what it should be. The context "
        "is the first thing that attend returns, and is not computed from the weights once more."
    )


def _padding_free(call: Call) -> str | None:
    keys = call.keys.masked_fill(~call.mask.unsqueeze(-1), 9.0)
    if torch.allclose(call(keys=keys)[0], call.result[0], atol=1e-5):
        return None
    return "The vectors change with what stands at padding. Was the mask handed on?"


CHECK = Exercise(
    "feeding_decoder",
    reference=feeding_decoder,
    inputs=_inputs,
    rules={
        "every weight lies between 0 and 1": are_weights(1),
        "padding does not matter": _padding_free,
        "each step is fed the s̃ of the step before": _fed_before,
        "the new state asks": _asked_with_new_state,
        "the context is the one that attend returns": _context_of_attend,
        "every sentence and every step has its own s̃": agrees("sentence", "step", "unit", part=0),
        "the weights are attend's": agrees("sentence", "step", "word", part=1),
    },
    mistakes=[
        (
            "Nothing is fed: every step gets zeros. Step t reads the s̃ of step t − 1.",
            _loop(fed=torch.zeros_like),
        ),
        (
            "This asks with the old state. Luong takes the recurrent step first and asks with the "
            "new one.",
            _loop(query=lambda new, old: old),
        ),
        (
            "Every step starts from s_0: the state has to be carried on to the next step.",
            _loop(carried=lambda new, old, vector: old),
        ),
        (
            "s̃ takes the place of the state as well. Two things are carried on: the cell's new "
            "state as state, and s̃ into the next inputs.",
            _loop(carried=lambda new, old, vector: vector),
        ),
        (
            "The state comes first here: the left columns of W_c belong to the context.",
            _loop(joined=lambda context, state, w: torch.tanh(cat(state, context) @ w.T)),
        ),
        (
            "Where is the tanh? Without it s̃ has no bounds, and the next step reads it.",
            _loop(joined=lambda context, state, w: cat(context, state) @ w.T),
        ),
        (
            "W_c is (O, He + Hd): rows [c; s] are multiplied by its transpose, weight.T.",
            _loop(joined=lambda context, state, w: torch.tanh(cat(context, state) @ w)),
        ),
        (
            "The loop goes over the sentences: words are (B, T, E), and step t reads words[:, t].",
            _loop(of_words=lambda words: words.transpose(0, 1)),
        ),
        (
            "s̃ stands before the word: the cell's first columns belong to the word.",
            _loop(inputs=lambda word, vector: cat(vector, word)),
        ),
        (
            "These are the states. Asked for are the vectors s̃ made of them and of the contexts.",
            _loop(out=lambda _, states, looks: (torch.stack(states, 1), torch.cat(looks, 1))),
        ),
        (
            "The two are exchanged: s̃ comes first, then the weights.",
            _loop(out=lambda vectors, _, looks: (torch.cat(looks, 1), torch.stack(vectors, 1))),
        ),
    ],
)
