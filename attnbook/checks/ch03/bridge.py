"""Exercise 3.4: ``bridge``."""

from __future__ import annotations

from collections.abc import Callable
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


def _linear(final: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return final @ weight.T + bias


def _start(final: Tensor, weight: Tensor, bias: Tensor) -> tuple[Tensor, ...]:
    return torch.tanh(_linear(final, weight, bias)).chunk(2, dim=-1)


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
    right = torch.tanh(linear)
    width = right.shape[1] // 2
    for first, name, part in zip((0, width), ("hidden", "cell"), call.result):
        for (b, h), got in ((tuple(at), part[tuple(at)]) for at in torch.ones_like(part).nonzero()):
            if torch.isclose(got, right[b, first + h], atol=1e-5):
                continue
            told = (
                f"{name}[{b}, {h}] is {float(got):.4g}. Number {int(first + h)} of W h + b is "
                f"{float(linear[b, first + h]):.4g}, its tanh {float(right[b, first + h]):.4g}."
            )
            if found := torch.isclose(right[b], got, atol=1e-5).nonzero().flatten().tolist():
                told += f" What stands there is the tanh of number {found[0]}."
            return told
    return None


Two = Callable[[Tensor], Tensor]


def _after(hidden: Two, cell: Two) -> Callable[..., Any]:
    """The two halves of W h + b, each after a function of its own."""

    def wrong(final: Tensor, weight: Tensor, bias: Tensor) -> Any:
        first, second = _linear(final, weight, bias).chunk(2, dim=-1)
        return hidden(first), cell(second)

    return wrong


def _cut(cut: Callable[[Tensor, int], Any]) -> Callable[..., Any]:
    """tanh(W h + b) cut otherwise; ``cut`` is given M too."""
    return lambda final, weight, bias: cut(torch.tanh(_linear(final, weight, bias)), final.shape[1])


def _same(x: Tensor) -> Tensor:
    return x


NO_CELL = "The cell state is {}. It has rows of its own in the weight, the lower half."

CHECK = Exercise(
    "bridge",
    reference=bridge,
    inputs=_final_and_weight,
    rules={
        "every number lies between −1 and 1": _between,
        "the first half of tanh(W h + b) is the hidden state, the last the cell": _each_number,
    },
    mistakes=[
        (
            "Hidden and cell state are exchanged: the upper rows of the weight make the hidden "
            "state.",
            lambda final, weight, bias: _start(final, weight, bias)[::-1],
        ),
        (
            "Where is the bias?",
            lambda final, weight, bias: _start(final, weight, 0 * bias),
        ),
        ("Where is the tanh?", _after(_same, _same)),
        ("Neither tanh nor bias is there.", lambda final, weight, bias: _linear(
            final, weight, 0 * bias).chunk(2, dim=-1)),
        ("Only the hidden state goes through the tanh. Both do.", _after(torch.tanh, _same)),
        ("Only the cell state goes through the tanh. Both do.", _after(_same, torch.tanh)),
        (
            "This is the sigmoid, between 0 and 1. The first state is a tanh, between −1 and 1.",
            _after(torch.sigmoid, torch.sigmoid),
        ),
        (
            "One of the two states is a sigmoid. Both are a tanh.",
            _after(torch.tanh, torch.sigmoid),
        ),
        (
            "One of the two states is a sigmoid. Both are a tanh.",
            _after(torch.sigmoid, torch.tanh),
        ),
        ("This is ReLU. The first state is a tanh.", _after(torch.relu, torch.relu)),
        (
            "Hidden and cell are softmax weights here. The first state is a tanh.",
            lambda final, weight, bias: _linear(final, weight, bias).softmax(-1).chunk(2, -1),
        ),
        (
            "Every second number goes to the cell state here. The first half of the numbers is the "
            "hidden state, the second half the cell state.",
            _cut(lambda both, m: (both[:, ::2], both[:, 1::2])),
        ),
        (
            NO_CELL.format("a copy of the hidden state"),
            lambda final, weight, bias: (_start(final, weight, bias)[0],) * 2,
        ),
        (
            "The hidden state is a copy of the cell state. The upper half of the weight makes it.",
            lambda final, weight, bias: (_start(final, weight, bias)[1],) * 2,
        ),
        (NO_CELL.format("nothing but zeros"), _after(torch.tanh, torch.zeros_like)),
        (
            "The bias is added after the tanh.",
            lambda final, weight, bias: (torch.tanh(final @ weight.T) + bias).chunk(2, dim=-1),
        ),
        (
            "The final state goes through the tanh before the weight. It comes last: "
            "tanh(W h + b).",
            lambda final, weight, bias: _linear(torch.tanh(final), weight, bias).chunk(2, -1),
        ),
        (
            "The tanh is taken twice.",
            lambda final, weight, bias: tuple(map(torch.tanh, _start(final, weight, bias))),
        ),
        (
            "One tensor comes back, all 2H numbers. Cut it in two: a pair (hidden, cell).",
            _cut(lambda both, m: both),
        ),
        (
            "Hidden and cell are all 2H numbers each. The first H of them are the hidden state, "
            "the last H the cell state.",
            _cut(lambda both, m: (both, both)),
        ),
        (
            "It is cut at M, the size of the encoder's final state. The decoder's is H, half of "
            "the rows of the weight.",
            _cut(lambda both, m: (both[:, :m], both[:, m:])),
        ),
        (
            "It is cut along the batch. The last dimension has the 2H numbers: chunk(2, dim=-1).",
            _cut(lambda both, m: both.chunk(2)),
        ),
        (
            "split(2) makes pieces of two numbers each. chunk(2) makes two pieces.",
            _cut(lambda both, m: (both.split(2, -1)[0], both.split(2, -1)[-1])),
        ),
        (
            "split(2) makes pieces of two numbers each. chunk(2) makes two pieces.",
            _cut(lambda both, m: both.split(2, -1)),
        ),
        (
            "It is cut at 2H, behind the last number. H is half of the rows of the weight.",
            _cut(lambda both, m: (both, both[:, both.shape[1] :])),
        ),
        (
            "split(H) cuts along the batch. The last dimension has the 2H numbers: "
            "split(H, dim=-1).",
            _cut(lambda both, m: both.split(both.shape[1] // 2)),
        ),
        (
            "The bias is added twice.",
            lambda final, weight, bias: _start(final, weight, 2 * bias),
        ),
        (
            "The weight is (2H, M), and final @ weight would need (M, 2H): transpose it.",
            lambda final, weight, bias: final @ weight,
        ),
        (
            "weight @ final adds over the sentences of the batch: rows are sentences, and a weight "
            "(2H, M) acts on rows as final @ weight.T.",
            lambda final, weight, bias: weight @ final,
        ),
        (
            "The result stands on its side, (H, B): rows are sentences.",
            lambda final, weight, bias: tuple(part.T for part in _start(final, weight, bias)),
        ),
    ],
)  # fmt: skip
