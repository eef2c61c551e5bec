"""Exercise 5.6: ``gru_step``."""

from typing import Any

import torch

from attnbook.checks.inputs import Inputs
from attnbook.checks.recurrent import beside_right, cell_inputs
from attnbook.exercises import Call, Exercise, Function


def gru_step(x: Any, state: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any) -> Any:
    """One GRU step of torch's kind: x (B, E), state (B, H) → (B, H); blocks r, z, n."""
    r_in, z_in, n_in = (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)
    r_hid, z_hid, n_hid = (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)
    r, z = torch.sigmoid(r_in + r_hid), torch.sigmoid(z_in + z_hid)
    n = torch.tanh(n_in + r * n_hid)
    return (1 - z) * n + z * state


def _gru_inputs() -> Inputs:
    small = {
        "x": torch.tensor([[1.0]]),
        "state": torch.tensor([[2.0]]),
        "weight_ih": torch.tensor([[1.0], [-1.0], [0.5]]),
        "weight_hh": torch.tensor([[0.0], [0.0], [1.0]]),
        "bias_ih": torch.tensor([0.0, 0.5, 0.0]),
        "bias_hh": torch.tensor([-1.0, 0.0, -1.5]),
    }
    return cell_inputs(8, 3, small, False)


def _forced(call: Call, **opened: bool) -> dict[str, Any]:
    """A bias that opens (1) or shuts (0) the named gates."""
    bias = call.bias_ih.detach().clone()
    for name, is_open in opened.items():
        bias.chunk(3)["rzn".index(name)].fill_(200.0 if is_open else -200.0)
    return {"bias_ih": bias}


def _gates_fixed(call: Call) -> str | None:
    """z open: the new state is h. z shut: it is n, and r says what n is made of."""
    for gates, formula, changed in (
        ("z = 1", "the old state h", _forced(call, z=True)),
        ("z = 0 and r = 0", "tanh(W_in x + b_in)", _forced(call, z=False, r=False)),
        ("z = 0 and r = 1", "tanh(W_in x + b_in + W_hn h + b_hn)", _forced(call, z=False, r=True)),
    ):
        if unlike := beside_right(call, gru_step, **changed):
            return (
                f"With {gates} (by 200 or −200 in their blocks of bias_ih; z is the second) the "
                f"new state is {formula}, which is {unlike}."
            )
    return None


def _one_gate(call: Call) -> str | None:
    for name, changed in (("z", _forced(call, r=True)), ("r", _forced(call, z=False))):
        if unlike := beside_right(call, gru_step, **changed):
            return (
                f"Where the other gate is fixed by its bias, so that only {name} is left to "
                f"compute, the new state is {unlike}. {name} = σ(W_i{name} x + b_i{name} + "
                f"W_h{name} h + b_h{name})."
            )
    return None


def _variant(
    *,
    order: str = "rzn",
    inner: Function = lambda x, h, r, reset, bias: x + r * h,
) -> Function:
    """A step of which one part is made in another way.

    ``inner`` is the candidate's sum; it is also given W_hn (r ⊙ h_{t−1}) and b_hn.
    """

    def step(x: Any, state: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any) -> Any:
        from_x = dict(zip(order, (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)))
        from_h = dict(zip(order, (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)))
        r, z = (torch.sigmoid(from_x[name] + from_h[name]) for name in "rz")
        reset = (r * state) @ weight_hh.chunk(3)[2].T
        n = torch.tanh(inner(from_x["n"], from_h["n"], r, reset, bias_hh.chunk(3)[2]))
        return (1 - z) * n + z * state

    return step


CHECK = Exercise(
    gru_step,
    inputs=_gru_inputs,
    rules={
        "z = 1 gives the old state, z = 0 gives n, in which r resets the old state": _gates_fixed,
        "each gate is the sigmoid of its four parts": _one_gate,
    },
    mistakes={
        "This is the papers' GRU: r multiplies h_{t−1} *before* the matrix. In torch it "
        "multiplies the product: r ⊙ (W_hn h_{t−1} + b_hn).": (
            _variant(inner=lambda x, h, r, reset, bias: x + reset + bias)
        ),
        "The blocks are read as z, r, n. Torch stacks them as r, z, n.": _variant(order="zrn"),
        "The bias b_hn belongs inside the parentheses that r multiplies: r ⊙ (W_hn h_{t−1} + "
        "b_hn).": (_variant(inner=lambda x, h, r, reset, bias: x + r * (h - bias) + bias)),
        "r multiplies the input's part as well. It only resets what comes from h_{t−1}.": (
            _variant(inner=lambda x, h, r, reset, bias: r * (x + h))
        ),
    },
)
