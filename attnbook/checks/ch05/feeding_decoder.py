"""Exercise 5.3: ``feeding_decoder``."""

from __future__ import annotations

from typing import Any, TypeAlias

import torch
from torch import Tensor

from attnbook.checks.attention import Decoder, cat, plain_attend, plain_cell
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.mistakes import same
from attnbook.checks.rules import agrees, are_weights
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


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
    joined: Any = lambda context, state, weight: torch.tanh(cat(context, state) @ weight.T),
    carried: Any = lambda new, old, vector: new,
) -> Any:
    """The solution with one part wrong."""

    def wrong(words, state, keys, mask, attend, cell, weight):  # type: ignore[no-untyped-def]
        before = words.new_zeros(len(words), len(weight))
        vectors, looks = [], []
        for word in of_words(words).unbind(1):
            new = cell(cat(word, before), state)
            asks = query(new, state).unsqueeze(1)
            context, alpha = attend(asks, keys, keys, mask)
            vectors.append(joined(context.squeeze(1), new, weight))
            looks.append(alpha)
            before = fed(vectors[-1])
            state = carried(new, state, vectors[-1])
        return torch.stack(vectors, 1), torch.cat(looks, 1)

    return wrong


#: What a step gave to the cell, what came back, and the same of attend.
_Step: TypeAlias = tuple[Tensor, Tensor, Tensor, Tensor]


def _heard(call: Call) -> list[_Step]:
    given: list[tuple[Tensor, Tensor]] = []
    asked: list[tuple[Tensor, Tensor]] = []

    def cell(inputs: Tensor, state: Tensor) -> Tensor:
        new: Tensor = call.arguments["cell"](inputs, state)
        given.append((inputs.detach(), new.detach()))
        return new

    def attend(query: Tensor, *rest: Any) -> Any:
        context, weights = call.arguments["attend"](query, *rest)
        asked.append((query.detach(), context.detach()))
        return context, weights

    call(cell=cell, attend=attend)
    steps = [(*one, *other) for one, other in zip(given, asked)]
    return steps[: call.words.shape[1]]  # behind them come the reference's


def _reads_word_and_vector(call: Call) -> str | None:
    vectors, right = (x[0].detach() for x in (call.result, call.expected))
    before = torch.zeros_like(vectors[:, 0])
    for t, (inputs, *_) in enumerate(_heard(call)):
        wanted = torch.cat([call.words[:, t], before], dim=-1)
        if t and torch.allclose(inputs, torch.cat([call.words[:, t], right[:, t - 1]], dim=-1)):
            if not torch.allclose(before, right[:, t - 1], atol=1e-4):
                return (
                    f"Step {t + 1} is fed the right s̃_{t}, and it is not what comes back as "
                    f"vector {t}, {fmt(before[0])}: give back every s̃."
                )
        elif not torch.allclose(inputs, wanted, atol=1e-4):
            what = f"s̃_{t}, which step {t} returned" if t else "zeros"
            return (
                f"In step {t + 1} the cell was given {fmt(inputs[0])}. It reads word {t + 1}, "
                f"and behind it {what}: {fmt(wanted[0])}."
            )
        before = vectors[:, t]
    return None


def _asked_with_new_state(call: Call) -> str | None:
    for t, (_, state, query, _) in enumerate(_heard(call), 1):
        wanted = state.unsqueeze(1)
        if query.shape != wanted.shape or not torch.allclose(query, wanted):
            return (
                f"In step {t} attend is asked with {fmt(query)}. The query is the new state, "
                f"which the cell returned in this step: {fmt(wanted)}."
            )
    return None


def _made_of_context_and_state(call: Call) -> str | None:
    for t, (_, state, _, context) in enumerate(_heard(call)):
        joined = torch.cat([context[0, 0], state[0]])
        bent = torch.tanh(joined @ call.weight.T.detach())
        if not torch.allclose(call.result[0][0, t], bent, atol=1e-4):
            return (
                f"In step {t + 1} the first sentence has [c ; s] = {fmt(joined)}, which W_c and "
                f"the tanh make {fmt(bent)}; {fmt(call.result[0][0, t])} comes back."
            )
    return None


def _context_of_attend(call: Call) -> str | None:
    """An attention may return another context than weights times keys: its values are its own."""
    if not torch.allclose(call.result[0], call.expected[0], atol=1e-4):
        return None

    def louder(query: Tensor, *given: Any) -> tuple[Tensor, Tensor]:
        context, weights = call.arguments["attend"](query, *given)
        return 2 * context, weights

    if call.difference(attend=louder) is None:
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
        "each step reads its word and the s̃ of the step before": _reads_word_and_vector,
        "the new state asks": _asked_with_new_state,
        "s̃ is made of the context and the new state": _made_of_context_and_state,
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
            "The two are exchanged: s̃ comes first, then the weights.",
            lambda words, state, keys, mask, attend, cell, weight: feeding_decoder(
                words, state, keys, mask, attend, cell, weight
            )[::-1],
        ),
    ],
)
