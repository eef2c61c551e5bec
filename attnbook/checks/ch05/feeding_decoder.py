"""Exercise 5.3: ``feeding_decoder``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import Decoder, cat, each, told
from attnbook.checks.ch05b.bahdanau_step import plain_attend, plain_cell
from attnbook.checks.shared import Inputs, agrees, are_weights, first_for_all, normal, same
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
    fed: Any = lambda vector, context, state, word: vector,
    query: Any = lambda new, old, before: new,
    lift: Any = lambda query: query.unsqueeze(1),
    drop: Any = lambda context: context.squeeze(1),
    of_mask: Any = same,
    inputs: Any = cat,
    joined: Any = lambda context, state, weight: torch.tanh(cat(context, state) @ weight.T),
    first: Any = lambda words, weight, state: words.new_zeros(len(words), len(weight)),
    carried: Any = lambda new, old, vector: new,
    of_words: Any = same,
    kept: Any = lambda vector, new: vector,
    out: Any = lambda vectors, looks: (torch.stack(vectors, 1), torch.cat(looks, 1)),
) -> Any:
    """The solution with one part wrong."""

    def wrong(words, state, keys, mask, attend, cell, weight):  # type: ignore[no-untyped-def]
        before = first(words, weight, state)
        vectors, looks = [], []
        for word in of_words(words).unbind(1):
            new = cell(inputs(word, before), state)
            context, alpha = attend(lift(query(new, state, before)), keys, keys, of_mask(mask))
            vector = joined(drop(context), new, weight)
            before = fed(vector, drop(context), new, word)
            state = carried(new, state, vector)
            vectors.append(kept(vector, new))
            looks.append(alpha)
        return out(vectors, looks)

    return wrong


def _same_width(x: Tensor, like: Tensor) -> Tensor:
    """As many features as another vector has: cut, or filled up with zeros."""
    return torch.nn.functional.pad(x, (0, max(0, like.shape[-1] - x.shape[-1])))[
        ..., : like.shape[-1]
    ]


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


def _context_of_attend(call: Call) -> str | None:
    """An attention may return another context than weights times keys: its values are its own."""

    def louder(query: Tensor, *given: Any) -> tuple[Tensor, Tensor]:
        context, weights = call.arguments["attend"](query, *given)
        return 2 * context, weights

    if call.agrees(attend=louder) is None:
        return None
    return (
        "With an attend whose contexts are twice as long, s̃ is not what it should be. The context "
        "is the first thing that attend returns, and is not computed from the weights once more."
    )


def _shares(call: Call) -> str | None:
    sums = call.result[1].sum(-1)
    if torch.allclose(sums, torch.ones_like(sums), atol=1e-4):
        return None
    return f"The weights of a step sum to {float(sums.flatten()[0]):.2f}, not to 1."


def _within_one(call: Call) -> str | None:
    largest = float(call.result[0].abs().max())
    if largest <= 1 + 1e-6:
        return None
    return f"There is a {largest:.2f} in s̃. What keeps its numbers between −1 and 1?"


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
        "the weights of a step sum to 1": _shares,
        "every number of s̃ lies between −1 and 1": _within_one,
        "padding does not matter": _padding_free,
        "each step is fed the s̃ of the step before": _fed_before,
        "the context is the one that attend returns": _context_of_attend,
        "every sentence and every step has its own s̃": agrees("sentence", "step", "unit", part=0),
        "the weights are attend's": agrees("sentence", "step", "word", part=1),
    },
    mistakes=[
        (
            "Nothing is fed: every step gets zeros. Step t reads the s̃ of step t − 1.",
            _loop(fed=lambda vector, context, state, word: 0 * vector),
        ),
        *each(
            lambda fed: _loop(fed=fed),
            (
                "The context is fed, before it is joined with the state.",
                lambda vector, context, state, word: _same_width(context, vector),
            ),
            end=" Luong feeds s̃, the vector that predicts.",
        ),
        *each(
            lambda query: _loop(query=query),
            (
                "This asks with the old state. Luong takes the recurrent step first and asks with "
                "the new one.",
                lambda new, old, before: old,
            ),
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
        *each(
            lambda first: _loop(first=first),
            (
                "s̃_0 is as wide as the state. It is as wide as every s̃: O, the rows of W_c.",
                lambda words, weight, state: torch.zeros_like(state),
            ),
        ),
        *each(
            lambda joined: _loop(joined=joined),
            (
                "The state comes first here: the left columns of W_c belong to the context.",
                lambda context, state, weight: torch.tanh(cat(state, context) @ weight.T),
            ),
            (
                "Where is the tanh? Without it s̃ has no bounds, and the next step reads it.",
                lambda context, state, weight: cat(context, state) @ weight.T,
            ),
        ),
        (
            "squeeze() takes away every dimension of 1, the batch too where there is one sentence. "
            "squeeze(1) takes away that of the one query.",
            _loop(drop=torch.squeeze),
        ),
        (
            "unsqueeze(0) makes one sentence with B queries of the states. Each sentence has one "
            "query, (B, 1, Hd): unsqueeze(1), and squeeze(1) afterward.",
            _loop(lift=lambda query: query.unsqueeze(0), drop=lambda context: context.squeeze(0)),
        ),
        (
            "s̃ stands before the word: the cell's first columns belong to the word.",
            _loop(inputs=lambda word, vector: cat(vector, word)),
        ),
        *each(
            lambda of_mask: _loop(of_mask=of_mask),
            ("Every position is allowed here. Was the mask handed on?", torch.ones_like),
            (
                "The mask is the wrong way round: attend takes True for 'may be attended', as the "
                "mask has it. Hand it on as it is.",
                torch.logical_not,
            ),
        ),
        *each(
            lambda of_words: _loop(of_words=of_words),
            (
                "Every step reads the first word: step t reads words[:, t].",
                lambda words: words[:, :1].expand_as(words),
            ),
            (
                "The loop goes over the sentences: words are (B, T, E), and step t reads "
                "words[:, t].",
                lambda words: words.transpose(0, 1),
            ),
        ),
        (
            "These are the states. Asked for are the vectors s̃ made of them and of the contexts.",
            _loop(kept=lambda vector, new: new),
        ),
        *told(
            "The steps stand first: torch.stack(…, dim=1) puts them behind the sentences.",
            _loop(out=lambda vectors, looks: (torch.stack(vectors), torch.cat(looks, 1))),
            _loop(
                out=lambda vectors, looks: (
                    torch.stack(vectors),
                    torch.cat(looks, 1).transpose(0, 1),
                )
            ),
        ),
        *each(
            lambda out: _loop(out=out),
            (
                "The two are exchanged: s̃ comes first, then the weights.",
                lambda vectors, looks: (torch.cat(looks, 1), torch.stack(vectors, 1)),
            ),
            (
                "Only s̃ comes back: the weights are asked for, too.",
                lambda vectors, looks: torch.stack(vectors, 1),
            ),
        ),
    ],
)
