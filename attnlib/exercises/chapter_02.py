"""Checks of chapter 2: gates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from .spec import Call, Exercise, Mistake

Inputs = Iterator[dict[str, Any]]
Pair = tuple[Tensor, Tensor]


def _random(seed: int) -> Callable[..., Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return lambda *size: torch.randn(*size, generator=generator)


def _cell_inputs(seed: int, gates: int, small: dict[str, Any], pair: bool) -> Inputs:
    """A cell that can be read, then random ones: x (B, E), a state, and the four weights."""
    yield small
    make = _random(seed)
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


# 2.1 ---------------------------------------------------------------------------------------------


def _memory_inputs() -> Inputs:
    yield {
        "cell": torch.tensor([[2.0]]),
        "input_sum": torch.tensor([[0.0]]),
        "forget_sum": torch.tensor([[1.0]]),
        "candidate_sum": torch.tensor([[-1.0]]),
    }
    make = _random(9)
    for batch, units in ((2, 3), (4, 5)):
        names = ("cell", "input_sum", "forget_sum", "candidate_sum")
        yield {name: make(batch, units) for name in names}


def _open_and_shut(call: Call) -> str | None:
    wide = torch.full_like(call.cell, 200.0)
    cell = call(input_sum=-wide, forget_sum=wide)
    if torch.allclose(cell, call.cell, atol=1e-4):
        return None
    return (
        "With the input gate shut (sum −200) and the forget gate open (sum 200) the memory should "
        f"stay {_list(call.cell)}; it becomes {_list(cell)}."
    )


WRITE_MEMORY = Exercise(
    "write_memory",
    reference=lambda cell, input_sum, forget_sum, candidate_sum: (
        torch.sigmoid(forget_sum) * cell + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
    ),
    inputs=_memory_inputs,
    rules={"input gate shut, forget gate open: the memory stays": _open_and_shut},
    mistakes=[
        Mistake(
            "The sums are used as they are. A gate is a share, so its sum goes through σ, and the "
            "candidate's through tanh.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                forget_sum * cell + input_sum * candidate_sum
            ),
        ),
        Mistake(
            "The candidate is not bent: its sum goes through tanh.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(forget_sum) * cell + torch.sigmoid(input_sum) * candidate_sum
            ),
        ),
        Mistake(
            "The candidate goes through σ, so nothing negative can be written. It takes the tanh.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(forget_sum) * cell
                + torch.sigmoid(input_sum) * torch.sigmoid(candidate_sum)
            ),
        ),
        Mistake(
            "The two gates are exchanged: f multiplies the old memory, i the candidate.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(input_sum) * cell
                + torch.sigmoid(forget_sum) * torch.tanh(candidate_sum)
            ),
        ),
        Mistake(
            "f and 1 − f are used: that is one gate for both. An LSTM has an input gate of its "
            "own.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                torch.sigmoid(forget_sum) * cell
                + (1 - torch.sigmoid(forget_sum)) * torch.tanh(candidate_sum)
            ),
        ),
        Mistake(
            "The forget gate is the wrong way round: f = 1 keeps the memory.",
            lambda cell, input_sum, forget_sum, candidate_sum: (
                (1 - torch.sigmoid(forget_sum)) * cell
                + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
            ),
        ),
        Mistake(
            "The new memory is bent by a tanh. It stays as it is: the tanh comes when it is read.",
            lambda cell, input_sum, forget_sum, candidate_sum: torch.tanh(
                torch.sigmoid(forget_sum) * cell
                + torch.sigmoid(input_sum) * torch.tanh(candidate_sum)
            ),
        ),
    ],
)


# 2.2 ---------------------------------------------------------------------------------------------


def _lstm_inputs() -> Inputs:
    small = {
        "x": torch.tensor([[1.0]]),
        "state": (torch.tensor([[0.5]]), torch.tensor([[2.0]])),
        "weight_ih": torch.tensor([[1.0], [2.0], [0.5], [-1.0]]),
        "weight_hh": torch.zeros(4, 1),
        "bias_ih": torch.tensor([0.0, -1.0, 0.5, 0.0]),
        "bias_hh": torch.tensor([0.5, 0.0, 0.0, 1.5]),
    }
    return _cell_inputs(0, 4, small, True)


def _lstm(
    x: Tensor,
    state: Pair,
    weight_ih: Tensor,
    weight_hh: Tensor,
    bias_ih: Tensor,
    bias_hh: Tensor,
    order: str = "ifgo",
    candidate: Callable[[Tensor], Tensor] = torch.tanh,
    out: Callable[[Tensor], Tensor] = torch.tanh,
    keep: bool = True,
) -> Pair:
    """An LSTM step, and the wrong turns that can be taken in it."""
    hidden, cell = state
    sums = x @ weight_ih.T + bias_ih + hidden @ weight_hh.T + bias_hh
    gate = dict(zip(order, sums.chunk(4, dim=-1)))
    i, f, o = (torch.sigmoid(gate[name]) for name in "ifo")
    cell = (f if keep else 1.0) * cell + i * candidate(gate["g"])
    return o * out(cell), cell


def _lstm_of_old_cell(
    x: Tensor, state: Pair, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor
) -> Pair:
    hidden, cell = _lstm(x, state, weight_ih, weight_hh, bias_ih, bias_hh)
    return hidden / torch.tanh(cell) * torch.tanh(state[1]), cell


def _wrong_lstm(**turn: Any) -> Callable[..., Pair]:
    return lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: _lstm(
        x, state, weight_ih, weight_hh, bias_ih, bias_hh, **turn
    )


def _keeps(call: Call) -> str | None:
    """Forget gate open, input gate shut: c_t = c_{t−1}."""
    units = call.state[1].shape[1]
    bias = torch.zeros_like(call.bias_ih)
    bias[:units], bias[units : 2 * units] = -200.0, 200.0
    cell = call(bias_ih=bias)[1]
    if torch.allclose(cell, call.state[1], atol=1e-4):
        return None
    return (
        "With the input gate shut and the forget gate open the new cell state should be the old "
        f"one, {_list(call.state[1])}; it is {_list(cell)}. Torch stacks the gates as i, f, g, o."
    )


def _hidden_of_cell(call: Call) -> str | None:
    units = call.state[1].shape[1]
    bias = torch.zeros_like(call.bias_ih)
    bias[3 * units :] = 200.0
    hidden, cell = call(bias_ih=bias)
    if torch.allclose(hidden, torch.tanh(cell), atol=1e-4):
        return None
    return (
        "With the output gate open h_t should be tanh(c_t) of the *new* cell state, "
        f"{_list(torch.tanh(cell))}; it is {_list(hidden)}."
    )


def _list(numbers: Tensor) -> str:
    rounded = [round(float(number), 3) for number in numbers.flatten()[:4]]
    return str(rounded) + " …" * (numbers.numel() > 4)


LSTM_STEP = Exercise(
    "lstm_step",
    reference=lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: _lstm(
        x, state, weight_ih, weight_hh, bias_ih, bias_hh
    ),
    inputs=_lstm_inputs,
    rules={
        "input gate shut, forget gate open: the cell keeps what it has": _keeps,
        "output gate open: the hidden state is tanh of the new cell state": _hidden_of_cell,
    },
    mistakes=[
        Mistake(
            "The blocks are read as i, f, o, g. Torch stacks them as i, f, g, o: the candidate is "
            "the third, the output gate the last.",
            _wrong_lstm(order="ifog"),
        ),
        Mistake(
            "Input gate and forget gate are exchanged: torch's first block is i, its second f.",
            _wrong_lstm(order="figo"),
        ),
        Mistake(
            "The candidate g goes through a sigmoid. A gate lies between 0 and 1; what is written "
            "may be negative, so g takes the tanh.",
            _wrong_lstm(candidate=torch.sigmoid),
        ),
        Mistake(
            "h_t = o ⊙ tanh(c_t): the tanh of the cell state is missing.",
            _wrong_lstm(out=lambda cell: cell),
        ),
        Mistake(
            "h_t is made of the old cell state c_{t−1}. First write the cell, then read it.",
            _lstm_of_old_cell,
        ),
        Mistake(
            "Nothing is ever forgotten: the old cell state is not multiplied by f. That is the "
            "cell of 1997.",
            _wrong_lstm(keep=False),
        ),
        Mistake(
            "One of the two biases is left out: torch adds bias_ih and bias_hh.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: _lstm(
                x, state, weight_ih, weight_hh, bias_ih, 0 * bias_hh
            ),
        ),
        Mistake(
            "The state is (hidden, cell), in this order: the two are exchanged on the way in.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: _lstm(
                x, state[::-1], weight_ih, weight_hh, bias_ih, bias_hh
            ),
        ),
        Mistake(
            "The result is (hidden, cell), in this order: the two are exchanged on the way out.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: _lstm(
                x, state, weight_ih, weight_hh, bias_ih, bias_hh
            )[::-1],
        ),
    ],
)


# 2.3 ---------------------------------------------------------------------------------------------


def _bias_inputs() -> Inputs:
    yield {
        "bias_ih": torch.tensor([0.1, 0.2, 0.3, 0.4]),
        "bias_hh": torch.tensor([-0.1, 0.7, -0.3, 0.1]),
        "value": 1.0,
    }
    make = _random(1)
    yield {"bias_ih": make(12), "bias_hh": make(12), "value": 3.0}
    yield {"bias_ih": make(20), "bias_hh": make(20), "value": -1.5}


def _set_bias(bias_ih: Tensor, bias_hh: Tensor, value: float, block: int = 1) -> Pair:
    units = len(bias_ih) // 4
    rows = slice(block * units, (block + 1) * units)
    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()
    bias_ih[rows], bias_hh[rows] = value, 0.0
    return bias_ih, bias_hh


def _set_both(bias_ih: Tensor, bias_hh: Tensor, value: float) -> Pair:
    new_ih, new_hh = _set_bias(bias_ih, bias_hh, value)
    return new_ih, _set_bias(bias_hh, bias_ih, value)[0]


def _set_one(bias_ih: Tensor, bias_hh: Tensor, value: float) -> Pair:
    return _set_bias(bias_ih, bias_hh, value)[0], bias_hh.clone()


def _add_value(bias_ih: Tensor, bias_hh: Tensor, value: float) -> Pair:
    units = len(bias_ih) // 4
    bias_ih = bias_ih.clone()
    bias_ih[units : 2 * units] += value
    return bias_ih, bias_hh.clone()


def _sums_to_value(call: Call) -> str | None:
    units = len(call.bias_ih) // 4
    total = (call.result[0] + call.result[1])[units : 2 * units]
    if torch.allclose(total, torch.full_like(total, call.value), atol=1e-5):
        return None
    return (
        "What the forget gate adds is the sum of its two biases: here "
        f"{_list(total)}, where {call.value:g} is wanted."
    )


def _others_stay(call: Call) -> str | None:
    units = len(call.bias_ih) // 4
    for name, before, after in zip(
        ("bias_ih", "bias_hh"), (call.bias_ih, call.bias_hh), call.result
    ):
        for block, gate in enumerate("ifgo"):
            rows = slice(block * units, (block + 1) * units)
            if gate != "f" and not torch.equal(before[rows], after[rows]):
                return f"The block of {gate} in {name} has changed. Only the forget gate's may."
    return None


WITH_FORGET_BIAS = Exercise(
    "with_forget_bias",
    reference=lambda bias_ih, bias_hh, value: _set_bias(bias_ih, bias_hh, value),
    inputs=_bias_inputs,
    rules={
        "the biases of the other gates stay": _others_stay,
        "the forget gate's two biases sum to the value": _sums_to_value,
    },
    mistakes=[
        Mistake(
            "Both biases are set, so the gate gets the value twice: σ(2·value), not σ(value).",
            _set_both,
        ),
        Mistake(
            "The second bias is left as it was, and it is added, too: make its block zero.",
            _set_one,
        ),
        Mistake(
            "This is the block of the input gate. Torch's order is i, f, g, o.",
            lambda bias_ih, bias_hh, value: _set_bias(bias_ih, bias_hh, value, 0),
        ),
        Mistake(
            "This is the block of the candidate g. Torch's order is i, f, g, o.",
            lambda bias_ih, bias_hh, value: _set_bias(bias_ih, bias_hh, value, 2),
        ),
        Mistake(
            "This is the block of the output gate. Torch's order is i, f, g, o.",
            lambda bias_ih, bias_hh, value: _set_bias(bias_ih, bias_hh, value, 3),
        ),
        Mistake(
            "The value fills all four blocks. Only the forget gate is to stand open.",
            lambda bias_ih, bias_hh, value: (torch.full_like(bias_ih, value), 0 * bias_hh),
        ),
        Mistake(
            "The value is added to the random bias that stood there. It should replace it.",
            _add_value,
        ),
    ],
)


# 2.4 ---------------------------------------------------------------------------------------------


def _forget_inputs() -> Inputs:
    yield {"forget": torch.tensor([[0.5], [0.4], [0.1]])}
    make = _random(2)
    yield {"forget": torch.sigmoid(make(3, 3))}
    closed = torch.sigmoid(make(6, 2))
    closed[3, 0] = 0.0
    yield {"forget": closed}
    yield {"forget": torch.sigmoid(make(8, 4))}


def _path(forget: Tensor) -> Tensor:
    later = forget.flip(0).cumprod(0).flip(0)[1:]
    return torch.cat([later, torch.ones_like(forget[:1])])


def _last_is_one(call: Call) -> str | None:
    if torch.equal(call.result[-1], torch.ones_like(call.result[-1])):
        return None
    return (
        f"The last row is {_list(call.result[-1])}. It is ∂c_T/∂c_T: what is the derivative of "
        "something with respect to itself?"
    )


def _first_gate_free(call: Call) -> str | None:
    changed = call.forget.clone()
    changed[0] = 0.77
    if torch.allclose(call(forget=changed), call.result):
        return None
    return (
        "The result depends on the first gate, f_1. It stands between c_0 and c_1; the way from "
        "c_1 to c_T does not pass it."
    )


CELL_PATH = Exercise(
    "cell_path",
    reference=_path,
    inputs=_forget_inputs,
    rules={
        "the last row is 1": _last_is_one,
        "a gate that lies before c_t does not matter": _first_gate_free,
    },
    mistakes=[
        Mistake(
            "Each row has one gate too many: from c_t on, the first gate on the way is f_{t+1}.",
            lambda forget: forget.flip(0).cumprod(0).flip(0),
        ),
        Mistake(
            "The product runs from the beginning up to t. The gradient needs the gates after t.",
            lambda forget: forget.cumprod(0),
        ),
        Mistake(
            "The gates are added up. A number that passes one gate after the other is multiplied.",
            lambda forget: forget.flip(0).cumsum(0).flip(0),
        ),
        Mistake(
            "Every row is the product of all gates: the way from a late c_t is shorter.",
            lambda forget: forget.prod(0).expand_as(forget).clone(),
        ),
        Mistake(
            "All gates divided by the first ones: where a gate is 0 this is 0/0. Multiply the "
            "later gates instead.",
            lambda forget: forget.prod(0) / forget.cumprod(0),
        ),
        Mistake(
            "This is only the next gate, f_{t+1}: one step, not the whole way to T.",
            lambda forget: torch.cat([forget[1:], torch.ones_like(forget[:1])]),
        ),
    ],
)


# 2.5 ---------------------------------------------------------------------------------------------


def _back_inputs() -> Inputs:
    yield {
        "grad_hidden": torch.tensor([[1.0]]),
        "grad_cell": torch.tensor([[0.5]]),
        "gates": torch.tensor([[0.8, 0.9, 0.5, 0.6]]),
        "cell": torch.tensor([[1.0]]),
        "weight_hh": torch.tensor([[1.0], [0.0], [2.0], [-1.0]]),
    }
    make = _random(3)
    for batch, units in ((1, 2), (3, 4), (2, 6)):
        i, f, o = (torch.sigmoid(make(batch, units)) for _ in range(3))
        yield {
            "grad_hidden": make(batch, units),
            "grad_cell": make(batch, units),
            "gates": torch.cat([i, f, torch.tanh(make(batch, units)), o], dim=-1),
            "cell": make(batch, units),
            "weight_hh": make(4 * units, units),
        }


def _back(
    grad_hidden: Tensor,
    grad_cell: Tensor,
    gates: Tensor,
    cell: Tensor,
    weight_hh: Tensor,
    *,
    through_hidden: bool = True,
    later: bool = True,
    bend: bool = True,
    slopes: bool = True,
    candidate: bool = True,
    reads: bool = True,
    forget: bool = True,
    old: bool = False,
) -> Pair:
    """An LSTM step backwards, and the terms that can be left out of it."""
    i, f, g, o = gates.chunk(4, dim=-1)
    squashed = torch.tanh(cell if old else f * cell + i * g)
    slope = 1 - squashed**2 if bend else 1.0
    grad = later * grad_cell + through_hidden * grad_hidden * o * slope
    grads = [grad * g, grad * cell, grad * i, reads * grad_hidden * squashed]
    if slopes:
        rise = [i * (1 - i), f * (1 - f), 1 - g**2 if candidate else g * (1 - g), o * (1 - o)]
        grads = [one * steep for one, steep in zip(grads, rise)]
    return torch.cat(grads, dim=-1) @ weight_hh, grad * f if forget else grad


def _wrong_back(**turn: bool) -> Callable[..., Pair]:
    return lambda grad_hidden, grad_cell, gates, cell, weight_hh: _back(
        grad_hidden, grad_cell, gates, cell, weight_hh, **turn
    )


def _straight_road(call: Call) -> str | None:
    """With no gradient at h_t and no recurrent weights only f is left."""
    zero = torch.zeros_like(call.grad_hidden)
    grad = call(grad_hidden=zero)[1]
    _, f, _, _ = call.gates.chunk(4, dim=-1)
    if torch.allclose(grad, call.grad_cell * f, atol=1e-5):
        return None
    return (
        "Where no gradient comes in at h_t, the cell's goes back through the forget gate alone: "
        f"{_list(call.grad_cell * f)} is ∂L/∂c_t times f, yours is {_list(grad)}."
    )


def _deaf(call: Call) -> str | None:
    grad = call(weight_hh=torch.zeros_like(call.weight_hh))[0]
    if float(grad.abs().max()) == 0.0:
        return None
    return "If weight_hh is zero, h_{t−1} reaches nothing, but your gradient for it is not zero."


LSTM_STEP_BACK = Exercise(
    "lstm_step_back",
    reference=lambda grad_hidden, grad_cell, gates, cell, weight_hh: _back(
        grad_hidden, grad_cell, gates, cell, weight_hh
    ),
    inputs=_back_inputs,
    rules={
        "with no gradient at h_t the cell's is multiplied by f": _straight_road,
        "h_{t−1} works through weight_hh only": _deaf,
    },
    mistakes=[
        Mistake(
            "c_t also acts through h_t = o ⊙ tanh(c_t): ∂L/∂c_t has a second part, made of "
            "grad_hidden, that is missing.",
            _wrong_back(through_hidden=False),
        ),
        Mistake(
            "grad_cell is not used: what comes back from the next step along the cell is lost.",
            _wrong_back(later=False),
        ),
        Mistake(
            "Between h_t and c_t stands a tanh: its slope 1 − tanh²(c_t) is missing.",
            _wrong_back(bend=False),
        ),
        Mistake(
            "tanh is taken of the old cell state. h_t was made of the new one, f ⊙ c + i ⊙ g.",
            _wrong_back(old=True),
        ),
        Mistake(
            "The gates are given after their sigmoid and tanh. To come to the sums before them, "
            "multiply by the slopes: s(1 − s) for a sigmoid, 1 − g² for the tanh.",
            _wrong_back(slopes=False),
        ),
        Mistake(
            "The slope of g is that of a sigmoid, g(1 − g). The candidate went through a tanh.",
            _wrong_back(candidate=False),
        ),
        Mistake(
            "The output gate depends on h_{t−1}, too: its part, grad_hidden ⊙ tanh(c_t), is "
            "missing.",
            _wrong_back(reads=False),
        ),
        Mistake(
            "This is ∂L/∂c_t. One step further back stands the forget gate: c_t = f ⊙ c_{t−1} + …",
            _wrong_back(forget=False),
        ),
    ],
)


# 2.6 ---------------------------------------------------------------------------------------------


def _reach_inputs() -> Inputs:
    for seed, steps, features, units in ((4, 3, 1, 1), (5, 5, 2, 3), (23, 6, 3, 4)):
        make = _random(seed)
        rows = 4 * units
        weights = [make(rows, features), make(rows, units), make(rows), make(rows)]
        for weight in weights:
            weight.requires_grad_()

        def step(x: Tensor, state: Pair, weights: list[Tensor] = weights) -> Pair:
            w_ih, w_hh, b_ih, b_hh = (weight.to(x.device) for weight in weights)
            return _lstm(x, state, w_ih, w_hh, b_ih, b_hh)

        yield {
            "step": step,
            "inputs": make(1, steps, features),
            "state": (make(1, units), make(1, units)),
        }


def _reach(
    step: Callable[..., Pair],
    inputs: Tensor,
    state: Pair,
    *,
    part: int = 1,
    power: int = 1,
    relative: bool = True,
    every: bool = False,
) -> Tensor:
    """The reach of an LSTM's cell state, and other things that look like it."""
    states = []
    for x in inputs.unbind(1):
        state = step(x, state)
        states.append(state)
    read = torch.stack([hidden for hidden, _ in states]) if every else states[-1][0]
    kept = [pair[part] for pair in states]
    grads = torch.autograd.grad(read.sum(), kept)
    norms = torch.stack([grad.norm() for grad in grads]).flip(0) ** power
    return norms / norms[0] if relative else norms


def _wrong_reach(**turn: Any) -> Callable[..., Tensor]:
    return lambda step, inputs, state: _reach(step, inputs, state, **turn)


def _starts_at_one(call: Call) -> str | None:
    if abs(float(call.result[0]) - 1) < 1e-4:
        return None
    return (
        f"At distance 0 stands {float(call.result[0]):.4g}. Each length is to be divided by that "
        "of c_T, and c_T comes first: which end does your list begin with?"
    )


def _long_lists(call: Call) -> str | None:
    """Doubling the number of steps leaves the first entries as many as there are steps."""
    steps = call.inputs.shape[1]
    count = len(call(inputs=torch.cat([call.inputs, call.inputs], dim=1)))
    return None if count == 2 * steps else f"For {2 * steps} inputs it returns {count} numbers."


LSTM_REACH = Exercise(
    "lstm_reach",
    reference=lambda step, inputs, state: _reach(step, inputs, state),
    inputs=_reach_inputs,
    rules={
        "there is a number for every step": _long_lists,
        "the distance 0 comes first, and is 1": _starts_at_one,
    },
    mistakes=[
        Mistake(
            "The list runs from the first step to the last. Distance 0, that is c_T, comes first.",
            lambda step, inputs, state: _reach(step, inputs, state).flip(0),
        ),
        Mistake(
            "These are the bare lengths. Divide them by the length at c_T.",
            _wrong_reach(relative=False),
        ),
        Mistake(
            "These are the gradients with respect to the hidden states h_t. Asked for are the "
            "cell states c_t, the second part of the state.",
            _wrong_reach(part=0),
        ),
        Mistake(
            "These are squares of lengths: take the root, or .norm().",
            _wrong_reach(power=2),
        ),
        Mistake(
            "The hidden states of all steps are summed up. Asked for is the gradient of the last "
            "one, h_T.",
            _wrong_reach(every=True),
        ),
        Mistake(
            "The lengths are divided by the largest of them. Divide by the one at c_T.",
            lambda step, inputs, state: _over_largest(_reach(step, inputs, state)),
        ),
        Mistake(
            "They are divided by the length at the first step. Divide by the one at c_T.",
            lambda step, inputs, state: _over_first(_reach(step, inputs, state)),
        ),
    ],
)


def _over_largest(reach: Tensor) -> Tensor:
    return reach / reach.max()


def _over_first(reach: Tensor) -> Tensor:
    return reach / reach[-1]


# 2.7 ---------------------------------------------------------------------------------------------


def _adding_inputs() -> Inputs:
    yield {
        "values": torch.tensor([[0.1, 0.5, 0.2, 0.9]]),
        "first": torch.tensor([1]),
        "second": torch.tensor([3]),
    }
    generator = torch.Generator().manual_seed(7)
    for batch, steps in ((2, 4), (5, 10)):
        half = steps // 2
        yield {
            "values": torch.rand(batch, steps, generator=generator),
            "first": torch.randint(1, half, (batch,), generator=generator),
            "second": half + torch.randint(half, (batch,), generator=generator),
        }


def _adding(values: Tensor, first: Tensor, second: Tensor) -> Pair:
    rows = torch.arange(len(values), device=values.device)
    marks = torch.zeros_like(values)
    marks[rows, first], marks[rows, second] = 1.0, 1.0
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


def _with_marks(values: Tensor, marks: Tensor) -> Pair:
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


def _marks_for_all(values: Tensor, first: Tensor, second: Tensor) -> Pair:
    marks = torch.zeros_like(values)
    marks[:, first], marks[:, second] = 1.0, 1.0
    return _with_marks(values, marks)


def _two_marks(call: Call) -> str | None:
    marks = call.result[0][..., 1]
    for row, (line, first, second) in enumerate(zip(marks, call.first, call.second)):
        found = line.nonzero().flatten().tolist()
        if found != [int(first), int(second)]:
            return (
                f"In row {row} the marks should stand at {int(first)} and {int(second)}; yours "
                f"stand at {found}. Does each row get its own two, and is the mark feature 1?"
            )
    return None


def _sum_of_marked(call: Call) -> str | None:
    rows = range(len(call.values))
    wanted = [float(call.values[r, call.first[r]] + call.values[r, call.second[r]]) for r in rows]
    if torch.allclose(call.result[1], torch.tensor(wanted).to(call.result[1]), atol=1e-5):
        return None
    return (
        f"The marked numbers of row 0 sum to {wanted[0]:.4g}; "
        f"your target is {float(call.result[1][0]):.4g}."
    )


ADDING_BATCH = Exercise(
    "adding_batch",
    reference=_adding,
    inputs=_adding_inputs,
    rules={
        "feature 0 holds the numbers": lambda call: torch.equal(
            call.result[0][..., 0], call.values
        ),
        "feature 1 marks two positions of each row": _two_marks,
        "the target is the sum of the two": _sum_of_marked,
    },
    mistakes=[
        Mistake(
            "`marks[:, first] = 1` marks the positions of *all* rows in every row. Pair each row "
            "with its own position: `marks[rows, first]` with rows = 0, 1, 2, …",
            _marks_for_all,
        ),
        Mistake(
            "The target is the sum of all numbers. Only the marked two count.",
            lambda values, first, second: (_adding(values, first, second)[0], values.sum(1)),
        ),
        Mistake(
            "The target is the mean of the two marked numbers. Asked for is their sum.",
            lambda values, first, second: (
                _adding(values, first, second)[0],
                _adding(values, first, second)[1] / 2,
            ),
        ),
        Mistake(
            "The two features are exchanged: the numbers come first, then the marks.",
            lambda values, first, second: (
                _adding(values, first, second)[0].flip(-1),
                _adding(values, first, second)[1],
            ),
        ),
        Mistake(
            "Positions are counted from 0 here, as Python counts: nothing is to be subtracted.",
            lambda values, first, second: _adding(values, first - 1, second - 1),
        ),
        Mistake(
            "The target is the product of the two marked numbers. Asked for is their sum.",
            lambda values, first, second: (
                _adding(values, first, second)[0],
                values.gather(1, torch.stack([first, second], 1)).prod(1),
            ),
        ),
        Mistake(
            "Feature 1 holds the marked numbers themselves. Then there is nothing left to find: "
            "the mark is a bare 1.",
            lambda values, first, second: (
                torch.stack([values, values * _adding(values, first, second)[0][..., 1]], dim=-1),
                _adding(values, first, second)[1],
            ),
        ),
    ],
)


# 2.8 ---------------------------------------------------------------------------------------------


def _gru_inputs() -> Inputs:
    small = {
        "x": torch.tensor([[1.0]]),
        "state": torch.tensor([[2.0]]),
        "weight_ih": torch.tensor([[1.0], [-1.0], [0.5]]),
        "weight_hh": torch.tensor([[0.0], [0.0], [1.0]]),
        "bias_ih": torch.tensor([0.0, 0.5, 0.0]),
        "bias_hh": torch.tensor([-1.0, 0.0, -1.5]),
    }
    return _cell_inputs(8, 3, small, False)


def _gru(
    x: Tensor,
    state: Tensor,
    weight_ih: Tensor,
    weight_hh: Tensor,
    bias_ih: Tensor,
    bias_hh: Tensor,
    *,
    order: str = "rzn",
    reset: str = "after",
    paper_update: bool = False,
    bend: Callable[[Tensor], Tensor] = torch.tanh,
) -> Tensor:
    """A GRU step, and the other ways to read its equations."""
    from_x = dict(zip(order, (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)))
    from_h = dict(zip(order, (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)))
    block = order.index("n") * state.shape[1]
    rows = slice(block, block + state.shape[1])
    r, z = (torch.sigmoid(from_x[name] + from_h[name]) for name in "rz")
    sums = {
        "after": from_x["n"] + r * from_h["n"],
        "before": from_x["n"] + (r * state) @ weight_hh[rows].T + bias_hh[rows],
        "not the bias": from_x["n"] + r * (state @ weight_hh[rows].T) + bias_hh[rows],
        "all": r * (from_x["n"] + from_h["n"]),
        "never": from_x["n"] + from_h["n"],
    }
    n = bend(sums[reset])
    return (1 - z) * state + z * n if paper_update else (1 - z) * n + z * state


def _wrong_gru(**turn: Any) -> Callable[..., Tensor]:
    return lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: _gru(
        x, state, weight_ih, weight_hh, bias_ih, bias_hh, **turn
    )


def _update_open(call: Call) -> str | None:
    units = call.state.shape[1]
    bias = call.bias_ih.clone()
    bias[units : 2 * units] = 200.0
    if torch.allclose(call(bias_ih=bias), call.state, atol=1e-4):
        return None
    return (
        "With z = 1 a GRU of torch's kind keeps its old state. Yours does not: is z the second "
        "block, and does it multiply h_{t−1}? (For Bahdanau et al. z lets the new one in.)"
    )


GRU_STEP = Exercise(
    "gru_step",
    reference=lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: _gru(
        x, state, weight_ih, weight_hh, bias_ih, bias_hh
    ),
    inputs=_gru_inputs,
    rules={"z = 1 keeps the old state": _update_open},
    mistakes=[
        Mistake(
            "This is the papers' GRU: r multiplies h_{t−1} *before* the matrix. In torch it "
            "multiplies the product: r ⊙ (W_hn h_{t−1} + b_hn).",
            _wrong_gru(reset="before"),
        ),
        Mistake(
            "z works the other way round. In torch z = 1 keeps the old state: "
            "(1 − z) ⊙ n + z ⊙ h_{t−1}. (For Bahdanau et al. z lets the new one in.)",
            _wrong_gru(paper_update=True),
        ),
        Mistake(
            "Both conventions are those of Bahdanau et al.: reset before the matrix, and z lets "
            "the new state in. Torch does both the other way.",
            _wrong_gru(reset="before", paper_update=True),
        ),
        Mistake(
            "The blocks are read as z, r, n. Torch stacks them as r, z, n.",
            _wrong_gru(order="zrn"),
        ),
        Mistake(
            "The bias b_hn stands inside the bracket that r multiplies: r ⊙ (W_hn h_{t−1} + b_hn).",
            _wrong_gru(reset="not the bias"),
        ),
        Mistake(
            "r multiplies the input's part as well. It only resets what comes from h_{t−1}.",
            _wrong_gru(reset="all"),
        ),
        Mistake(
            "The reset gate r is not used.",
            _wrong_gru(reset="never"),
        ),
        Mistake(
            "The candidate n goes through a sigmoid; it takes the tanh.",
            _wrong_gru(bend=torch.sigmoid),
        ),
    ],
)
