"""Exercise 2.8: ``gru_step``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import cell_inputs, listed
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def gru_step(x: Any, state: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any) -> Any:
    """One GRU step of torch's kind. x (B, E), state (B, H) → (B, H); blocks r, z, n of H rows."""
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
    new: Callable[..., Tensor] = lambda z, n, state: (1 - z) * n + z * state,
    bend: Callable[[Tensor], Tensor] = torch.tanh,
    gate: Callable[[Tensor], Tensor] = torch.sigmoid,
    gates_of: Callable[[Tensor, Tensor], Tensor] = lambda u, v: u + v,
    without: str = "",
) -> Tensor:
    """A GRU step, and the other ways to read its equations."""
    bias_ih, bias_hh = bias_ih * ("b_ih" not in without), bias_hh * ("b_hh" not in without)
    from_x = dict(zip(order, (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)))
    from_h = dict(zip(order, (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)))
    block = order.index("n") * state.shape[1]
    rows = slice(block, block + state.shape[1])
    r, z = (gate(gates_of(from_x[name], from_h[name])) for name in "rz")
    bare, bias = state @ weight_hh[rows].T, bias_hh[rows]
    sums = {
        "after": from_x["n"] + r * from_h["n"],
        "turned": from_x["n"] + (1 - r) * from_h["n"],
        "before": from_x["n"] + (r * state) @ weight_hh[rows].T + bias,
        "not the bias": from_x["n"] + r * bare + bias,
        "no bias": from_x["n"] + r * bare,
        "all": r * (from_x["n"] + from_h["n"]),
        "input": r * from_x["n"] + from_h["n"],
        "never": from_x["n"] + from_h["n"],
        "z": from_x["n"] + z * from_h["n"],
        "no state": from_x["n"],
        "state alone": from_x["n"] + r * state,
    }
    return new(z, bend(sums[reset]), state)


def _wrong_gru(**turn: Any) -> Callable[..., Tensor]:
    return lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: _gru(
        x, state, weight_ih, weight_hh, bias_ih, bias_hh, **turn
    )


def _forced(call: Call, **open_: bool) -> dict[str, Any]:
    """Arguments whose bias opens (1) or shuts (0) the named gates."""
    units = call.state.shape[1]
    bias = call.bias_ih.detach().clone()
    for name, opened in open_.items():
        block = "rzn".index(name) * units
        bias[block : block + units] = 200.0 if opened else -200.0
    return {**call.arguments, "bias_ih": bias}


def _update_open(call: Call) -> str | None:
    given = _forced(call, z=True)
    mine = call(**given)
    if torch.allclose(mine, call.state, atol=1e-4):
        return None
    return (
        "With 200 in block z (the second) of bias_ih z is 1, and the new state is the old one, "
        f"{listed(call.state)}; yours is {listed(mine)}."
    )


def _candidate(call: Call) -> str | None:
    """z shut: the new state is n. r shut and open: what n is made of."""
    roads = {
        "tanh(W_in x + b_in)": _forced(call, z=False, r=False),
        "tanh(W_in x + b_in + W_hn h + b_hn)": _forced(call, z=False, r=True),
    }
    for r, (formula, given) in enumerate(roads.items()):
        mine, right = call(**given), _gru(**given)
        if not torch.allclose(mine, right, atol=1e-4):
            return (
                f"With z = 0 and r = {r} (−200 or 200 in their blocks of bias_ih) the new state is "
                f"{formula}, which is {listed(right)}; yours is {listed(mine)}."
            )
    return None


def _one_gate(call: Call) -> str | None:
    for name, given in (("z", _forced(call, r=True)), ("r", _forced(call, z=False))):
        mine, right = call(**given), _gru(**given)
        if not torch.allclose(mine, right, atol=1e-4):
            return (
                f"Where the other gate is fixed by its bias, so that {name} alone is left to be "
                f"computed, the new state is {listed(right)}; yours is {listed(mine)}. "
                f"{name} = σ(W_i{name} x + b_i{name} + W_h{name} h + b_h{name})."
            )
    return None


_TURNED = (
    "z works the other way round. In torch z = 1 keeps the old state: "
    "(1 − z) ⊙ n + z ⊙ h_{t−1}. (For Bahdanau et al. z lets the new one in.)"
)


def _paper(z: Tensor, n: Tensor, state: Tensor) -> Tensor:
    return (1 - z) * state + z * n


_TURNS: list[tuple[str, dict[str, Any]]] = [
    (
        "This is the papers' GRU: r multiplies h_{t−1} *before* the matrix. In torch it "
        "multiplies the product: r ⊙ (W_hn h_{t−1} + b_hn).",
        {"reset": "before"},
    ),
    (_TURNED, {"new": _paper}),
    (
        "Both conventions are those of Bahdanau et al.: reset before the matrix, and z lets "
        "the new state in. Torch does both the other way.",
        {"reset": "before", "new": _paper},
    ),
    *(
        (
            f"The blocks are read as {', '.join(order)}. Torch stacks them as r, z, n.",
            {"order": order},
        )
        for order in ("zrn", "rnz", "nrz", "nzr", "znr")
    ),
    (
        "The bias b_hn stands inside the bracket that r multiplies: r ⊙ (W_hn h_{t−1} + b_hn).",
        {"reset": "not the bias"},
    ),
    ("The bias b_hn is missing: r ⊙ (W_hn h_{t−1} + b_hn).", {"reset": "no bias"}),
    (
        "r multiplies the input's part as well. It only resets what comes from h_{t−1}.",
        {"reset": "all"},
    ),
    ("r multiplies the input's part. It resets what comes from h_{t−1}.", {"reset": "input"}),
    ("The reset gate r is not used.", {"reset": "never"}),
    ("z stands where r belongs: r resets what comes from h_{t−1}.", {"reset": "z"}),
    ("1 − r stands for r: r = 1 lets the old state into the candidate.", {"reset": "turned"}),
    ("The old state takes no part in the candidate n.", {"reset": "no state"}),
    ("The old state goes into the candidate as it is: it passes W_hn.", {"reset": "state alone"}),
    ("The candidate n goes through a sigmoid; it takes the tanh.", {"bend": torch.sigmoid}),
    ("The candidate n is not bent; it takes the tanh.", {"bend": lambda n: n}),
    ("The candidate n goes through a ReLU; it takes the tanh.", {"bend": torch.relu}),
    ("The gates r and z are not bent; they take the sigmoid.", {"gate": lambda s: s}),
    ("The gates r and z go through tanh; they take the sigmoid.", {"gate": torch.tanh}),
    (
        "A tanh bends the new state, as in an LSTM. A GRU's new state is the mixture itself.",
        {"new": lambda z, n, state: torch.tanh((1 - z) * n + z * state)},
    ),
    (
        "The candidate is added in full: it is multiplied by 1 − z.",
        {"new": lambda z, n, state: n + z * state},
    ),
    (
        "The old state is added in full: it is multiplied by z.",
        {"new": lambda z, n, state: (1 - z) * n + state},
    ),
    (
        "The update gate z is not used: the candidate alone comes back.",
        {"new": lambda z, n, state: n},
    ),
    (
        "Both parts are multiplied by z: the candidate by 1 − z.",
        {"new": lambda z, n, state: z * n + z * state},
    ),
    (
        "Both parts are multiplied by 1 − z: the old state by z.",
        {"new": lambda z, n, state: (1 - z) * (n + state)},
    ),
    ("bias_hh is left out.", {"without": "b_hh"}),
    ("bias_ih is left out.", {"without": "b_ih"}),
    ("Both biases are left out.", {"without": "b_hh b_ih"}),
    ("The gates hear x only: h_{t−1} belongs into r and z, too.", {"gates_of": lambda u, v: u}),
    ("The gates hear h_{t−1} only: x belongs into r and z, too.", {"gates_of": lambda u, v: v}),
]


def _gates_unbiased(
    x: Tensor, state: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor
) -> Tensor:
    late = bias_hh.clone()
    late[: 2 * state.shape[1]] = 0.0
    return _gru(x, state, weight_ih, weight_hh, bias_ih, late)


CHECK = Exercise(
    "gru_step",
    reference=gru_step,
    inputs=_gru_inputs,
    rules={
        "z = 1 keeps the old state": _update_open,
        "z = 0 gives n, and r rules what n hears of the old state": _candidate,
        "each gate is the sigmoid of its four parts": _one_gate,
    },
    mistakes=[
        *((said, _wrong_gru(**turn)) for said, turn in _TURNS),
        ("bias_hh is left out of the gates r and z.", _gates_unbiased),
        (
            "A pair comes back, as from an LSTM. A GRU has one state: return that.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: (lambda new: (new, new))(
                _gru(x, state, weight_ih, weight_hh, bias_ih, bias_hh)
            ),
        ),
    ],
)
