"""Exercise 3.4: ``bridge``."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise


def bridge(final: Tensor, weight: Tensor, bias: Tensor) -> tuple[Tensor, ...]:
    """First state (hidden, cell), each (B, H), of final (B, M), weight (2H, M), bias (2H,)."""
    hidden, cell = torch.tanh(final @ weight.T + bias).chunk(2, dim=-1)
    return hidden, cell


def _final_and_weight() -> Inputs:
    yield {
        "final": torch.tensor([[1.0, 0.0, 2.0]]),
        "weight": torch.tensor([[0.5, 7.0, 0.25], [-2.0, 5.0, 0.0]]),
        "bias": torch.tensor([0.0, 1.0]),
    }
    make = normal(5)
    yield {"final": make(2, 5), "weight": make(6, 5), "bias": make(6)}
    yield {"final": make(3, 2), "weight": make(8, 2), "bias": make(8)}


def _linear(final: Any, weight: Any, bias: Any) -> Any:
    return final @ weight.T + bias


def _between(call: Call) -> str | None:
    largest = max(float(part.abs().max()) for part in call(final=9 * call.final))
    if largest <= 1:
        return None
    return (
        f"With the final state nine times as large a number of size {largest:.2f} stands in the "
        "first state. What keeps it between −1 and 1?"
    )


def _each_number(call: Call) -> str | None:
    linear = _linear(call.final, call.weight, call.bias)
    got, right = torch.cat(call.result, dim=-1), torch.tanh(linear)
    for b, number in (~torch.isclose(got, right, atol=1e-5)).nonzero().tolist():
        half, place = divmod(number, right.shape[1] // 2)
        told = (
            f"{('hidden', 'cell')[half]}[{b}, {place}] is {float(got[b, number]):.4g}. Number "
            f"{number} of W h + b is {float(linear[b, number]):.4g}, its tanh "
            f"{float(right[b, number]):.4g}."
        )
        if found := torch.isclose(right[b], got[b, number], atol=1e-5).nonzero().flatten().tolist():
            told += f" What stands there is the tanh of number {found[0]}."
        return told
    return None


def _after(hidden: Any, cell: Any) -> Any:
    """The two halves of W h + b, each after a function of its own."""

    def wrong(final: Any, weight: Any, bias: Any) -> Any:
        first, second = _linear(final, weight, bias).chunk(2, dim=-1)
        return hidden(first), cell(second)

    return wrong


def _cut(cut: Any) -> Any:
    """All 2H numbers of tanh(W h + b), cut otherwise."""
    return lambda final, weight, bias: cut(torch.tanh(_linear(final, weight, bias)))


def _changed(change: Any) -> Any:
    """The right pair, and something done to it."""
    return lambda final, weight, bias: change(*bridge(final, weight, bias))


def _same(x: Any) -> Any:
    return x


AFTER: dict[str, Any] = {
    "Where is the tanh?": (_same, _same),
    "Only the hidden state goes through the tanh. Both do.": (torch.tanh, _same),
    "Only the cell state goes through the tanh. Both do.": (_same, torch.tanh),
    "This is the sigmoid, between 0 and 1. The first state is a tanh, between −1 and 1.": (
        (torch.sigmoid, torch.sigmoid)
    ),
    "This is ReLU. The first state is a tanh.": (torch.relu, torch.relu),
    "The cell state is nothing but zeros. It has rows of its own in the weight, the lower half.": (
        (torch.tanh, torch.zeros_like)
    ),
}
PAIRS: dict[str, Any] = {
    "Hidden and cell state are exchanged: the upper rows of the weight make the hidden state.": (
        lambda hidden, cell: (cell, hidden)
    ),
    "The cell state is a copy of the hidden state. It has rows of its own in the weight, the lower "
    "half.": lambda hidden, cell: (hidden, hidden),
    "The hidden state is a copy of the cell state. The upper half of the weight makes it.": (
        lambda hidden, cell: (cell, cell)
    ),
    "The tanh is taken twice.": lambda hidden, cell: (hidden.tanh(), cell.tanh()),
    "The result stands on its side, (H, B): rows are sentences.": (
        lambda hidden, cell: (hidden.T, cell.T)
    ),
}
CUTS: dict[str, Any] = {
    "Every second number goes to the cell state here. The first half of the numbers is the hidden "
    "state, the second half the cell state.": lambda both: (both[:, ::2], both[:, 1::2]),
    "One tensor comes back, all 2H numbers. Cut it in two: a pair (hidden, cell).": _same,
    "Hidden and cell are all 2H numbers each. The first H of them are the hidden state, the last H "
    "the cell state.": lambda both: (both, both),
    "It is cut along the batch. The last dimension has the 2H numbers: chunk(2, dim=-1).": (
        lambda both: both.chunk(2)
    ),
    "It is cut at 2H, behind the last number. H is half of the rows of the weight.": (
        lambda both: (both, both[:, both.shape[1] :])
    ),
    "split(H) cuts along the batch. The last dimension has the 2H numbers: split(H, dim=-1).": (
        lambda both: both.split(both.shape[1] // 2)
    ),
}
LINEAR: dict[str, Any] = {
    "Where is the bias?": lambda final, weight, bias: bridge(final, weight, 0 * bias),
    "The bias is added twice.": lambda final, weight, bias: bridge(final, weight, 2 * bias),
    "Neither tanh nor bias is there.": lambda final, weight, bias: (final @ weight.T).chunk(2, -1),
    "Hidden and cell are softmax weights here. The first state is a tanh.": (
        lambda final, weight, bias: _linear(final, weight, bias).softmax(-1).chunk(2, -1)
    ),
    "The bias is added after the tanh.": lambda final, weight, bias: (
        torch.tanh(final @ weight.T) + bias
    ).chunk(2, dim=-1),
    "The final state goes through the tanh before the weight. It comes last: tanh(W h + b).": (
        lambda final, weight, bias: _linear(torch.tanh(final), weight, bias).chunk(2, -1)
    ),
    "The weight is (2H, M), and final @ weight would need (M, 2H): transpose it.": (
        lambda final, weight, bias: final @ weight
    ),
    "weight @ final adds over the sentences of the batch: rows are sentences, and a weight (2H, M) "
    "acts on rows as final @ weight.T.": lambda final, weight, bias: weight @ final,
}
ONE_SIGMOID = "One of the two states is a sigmoid. Both are a tanh."
PIECES_OF_TWO = "split(2) makes pieces of two numbers each. chunk(2) makes two pieces."

CHECK = Exercise(
    "bridge",
    reference=bridge,
    inputs=_final_and_weight,
    rules={
        "every number lies between −1 and 1": _between,
        "the first half of tanh(W h + b) is the hidden state, the last the cell": _each_number,
    },
    mistakes=[
        *((told, _after(*functions)) for told, functions in AFTER.items()),
        *((told, _changed(change)) for told, change in PAIRS.items()),
        *LINEAR.items(),
        *((told, _cut(cut)) for told, cut in CUTS.items()),
        (ONE_SIGMOID, _after(torch.tanh, torch.sigmoid)),
        (ONE_SIGMOID, _after(torch.sigmoid, torch.tanh)),
        (PIECES_OF_TWO, _cut(lambda both: (both.split(2, -1)[0], both.split(2, -1)[-1]))),
        (PIECES_OF_TWO, _cut(lambda both: both.split(2, -1))),
        (
            "It is cut at M, the size of the encoder's final state. The decoder's is H, half of "
            "the rows of the weight.",
            lambda final, weight, bias: torch.tanh(_linear(final, weight, bias)).tensor_split(
                [final.shape[1]], dim=-1
            ),
        ),
    ],
)
