"""What checks of recurrent cells and networks share."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from attnbook.checks.inputs import Inputs, drawn, normal
from attnbook.exercises import Call, Function


def cell(seed: int, size: int, hidden: int) -> Callable[[Tensor, Tensor | None], Tensor]:
    """A step of a small recurrent network, with tanh; a state of None is one of zeros."""
    make = normal(seed)
    weight_ih, weight_hh = 0.7 * make(hidden, size), 0.7 * make(hidden, hidden)
    bias = make(hidden) + make(hidden)

    def cell(x: Tensor, state: Tensor | None) -> Tensor:
        state = x.new_zeros(len(x), hidden) if state is None else state
        return torch.tanh(x @ weight_ih.T + state @ weight_hh.T + bias)

    return cell


class Network(nn.Module):
    """A small model of language as the chapter's: states of token numbers, and their logits."""

    __name__ = "network"  # as the learner is shown it

    def __init__(self, tokens: int, hidden: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(tokens, 2)
        self.rnn = nn.RNN(2, hidden, batch_first=True)
        self.output = nn.Linear(hidden, tokens)

    def forward(self, ids: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        states, last = self.rnn(self.embed(ids), state)
        return states, last


def network(seed: int, tokens: int = 3, hidden: int = 2, size: float = 1.0) -> Network:
    return drawn(lambda: Network(tokens, hidden), seed, size)


def with_logits(reference: Function, change: Callable[[Tensor], Tensor]) -> Function:
    """A right function, to whose network's logits something is done."""

    def wrong(network: Network, **others: Any) -> Any:
        hook = network.output.register_forward_hook(lambda layer, inputs, logits: change(logits))
        try:
            return reference(network=network, **others)
        finally:
            hook.remove()

    return wrong


def cell_inputs(seed: int, gates: int, small: dict[str, Any], pair: bool) -> Inputs:
    """A cell that can be read, then random ones: x (B, E), a state, and the four weights."""
    yield small
    make = normal(seed)
    for batch, features, units in ((1, 2, 2), (3, 4, 5), (4, 6, 6)):
        rows = gates * units
        hidden, cell = make(batch, units), make(batch, units)
        yield {
            "x": make(batch, features),
            "state": (hidden, cell) if pair else hidden,
            "weight_ih": make(rows, features),
            "weight_hh": make(rows, units),
            "bias_ih": make(rows),
            "bias_hh": make(rows),
        }


def rounded(numbers: Tensor) -> str:
    rounded = [round(float(number), 3) for number in numbers.flatten()[:9]]
    return str(rounded) + " …" * (numbers.numel() > 9)


def beside(right: Tensor, mine: Tensor) -> str | None:
    """Two tensors (B, H) side by side, in the first row in which they differ, if in any."""
    unlike = (~torch.isclose(right, mine, atol=1e-5)).any(-1)
    if not bool(unlike.any()):
        return None
    row = int(unlike.int().argmax())
    where = f" in row {row}" if len(right) > 1 else ""
    return f"{rounded(right[row])}{where}; yours is {rounded(mine[row])}"


def beside_right(
    call: Call, reference: Function, part: int | None = None, **changed: Any
) -> str | None:
    """The same of a result, or of one of its parts, where some arguments are changed."""
    mine, right = call(**changed), reference(**{**call.arguments, **changed})
    return beside(right, mine) if part is None else beside(right[part], mine[part])
