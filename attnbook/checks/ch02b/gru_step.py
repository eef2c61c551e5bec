"""Exercise 2.6: ``gru_step``."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch02.shared import cell_inputs, listed
from attnbook.checks.shared import Inputs, same
from attnbook.exercises import Call, Exercise


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


def _forced(call: Call, **open_: bool) -> dict[str, Any]:
    """Arguments whose bias opens (1) or shuts (0) the named gates."""
    bias = call.bias_ih.detach().clone()
    for name, opened in open_.items():
        bias.chunk(3)["rzn".index(name)].fill_(200.0 if opened else -200.0)
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
        mine, right = call(**given), gru_step(**given)
        if not torch.allclose(mine, right, atol=1e-4):
            return (
                f"With z = 0 and r = {r} (−200 or 200 in their blocks of bias_ih) the new state is "
                f"{formula}, which is {listed(right)}; yours is {listed(mine)}."
            )
    return None


def _one_gate(call: Call) -> str | None:
    for name, given in (("z", _forced(call, r=True)), ("r", _forced(call, z=False))):
        mine, right = call(**given), gru_step(**given)
        if not torch.allclose(mine, right, atol=1e-4):
            return (
                f"Where the other gate is fixed by its bias, so that {name} alone is left to be "
                f"computed, the new state is {listed(right)}; yours is {listed(mine)}. "
                f"{name} = σ(W_i{name} x + b_i{name} + W_h{name} h + b_h{name})."
            )
    return None


def _made(
    *,
    order: str = "rzn",
    sums: Callable[..., Any] = lambda u, v: u + v,
    gate: Callable[[Tensor], Tensor] = torch.sigmoid,
    inner: Callable[[SimpleNamespace], Tensor] = lambda p: p.x + p.r * (p.h + p.bias),
    bend: Callable[[Tensor], Tensor] = torch.tanh,
    new: Callable[..., Tensor] = lambda z, n, h: (1 - z) * n + z * h,
) -> Callable[..., Tensor]:
    """A step of which one part is made in another way.

    ``inner`` has the parts of the candidate's sum: of x, of the old state and its bias, and for
    other readings of the formula the gates, the old state itself and the matrix W_hn.
    """

    def step(x: Any, state: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any) -> Any:
        from_x = dict(zip(order, (x @ weight_ih.T + bias_ih).chunk(3, dim=-1)))
        from_h = dict(zip(order, (state @ weight_hh.T + bias_hh).chunk(3, dim=-1)))
        weight, bias = (dict(zip(order, part.chunk(3)))["n"] for part in (weight_hh, bias_hh))
        r, z = (gate(sums(from_x[name], from_h[name])) for name in "rz")
        h = state @ weight.T
        parts = SimpleNamespace(x=from_x["n"], h=h, bias=bias, r=r, z=z, state=state, weight=weight)
        return new(z, bend(inner(parts)), state)

    return step


def _without(*biases: str, gates_only: bool = False) -> Callable[..., Tensor]:
    """The right step, with biases of zero, in all blocks or only in those of the gates."""

    def step(x: Any, state: Any, weight_ih: Any, weight_hh: Any, bias_ih: Any, bias_hh: Any) -> Any:
        given = {"bias_ih": bias_ih, "bias_hh": bias_hh}
        for name in biases:
            kept = [0, 0, 1] if gates_only else [0, 0, 0]
            given[name] = torch.cat([k * part for k, part in zip(kept, given[name].chunk(3))])
        return gru_step(x, state, weight_ih, weight_hh, **given)

    return step


def _reset_before(p: SimpleNamespace) -> Tensor:
    return p.x + (p.r * p.state) @ p.weight.T + p.bias


def _bahdanau(z: Tensor, n: Tensor, h: Tensor) -> Tensor:
    return (1 - z) * h + z * n


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
        (
            "This is the papers' GRU: r multiplies h_{t−1} *before* the matrix. In torch it "
            "multiplies the product: r ⊙ (W_hn h_{t−1} + b_hn).",
            _made(inner=_reset_before),
        ),
        (
            "z works the other way round. In torch z = 1 keeps the old state: "
            "(1 − z) ⊙ n + z ⊙ h_{t−1}. (For Bahdanau et al. z lets the new one in.)",
            _made(new=_bahdanau),
        ),
        (
            "Both conventions are those of Bahdanau et al.: reset before the matrix, and z lets "
            "the new state in. Torch does both the other way.",
            _made(inner=_reset_before, new=_bahdanau),
        ),
        *(
            (
                f"The blocks are read as {', '.join(order)}. Torch stacks them as r, z, n.",
                _made(order=order),
            )
            for order in ("zrn", "rnz", "nrz", "nzr", "znr")
        ),
        (
            "The bias b_hn stands inside the bracket that r multiplies: r ⊙ (W_hn h_{t−1} + b_hn).",
            _made(inner=lambda p: p.x + p.r * p.h + p.bias),
        ),
        ("b_hn is missing: r ⊙ (W_hn h_{t−1} + b_hn).", _made(inner=lambda p: p.x + p.r * p.h)),
        (
            "r multiplies the input's part as well. It only resets what comes from h_{t−1}.",
            _made(inner=lambda p: p.r * (p.x + p.h + p.bias)),
        ),
        (
            "r multiplies the input's part. It resets what comes from h_{t−1}.",
            _made(inner=lambda p: p.r * p.x + p.h + p.bias),
        ),
        ("The reset gate r is not used.", _made(inner=lambda p: p.x + p.h + p.bias)),
        (
            "z stands where r belongs: r resets what comes from h_{t−1}.",
            _made(inner=lambda p: p.x + p.z * (p.h + p.bias)),
        ),
        (
            "1 − r stands for r: r = 1 lets the old state into the candidate.",
            _made(inner=lambda p: p.x + (1 - p.r) * (p.h + p.bias)),
        ),
        ("The old state takes no part in the candidate n.", _made(inner=lambda p: p.x)),
        (
            "The old state goes into the candidate as it is: it passes W_hn.",
            _made(inner=lambda p: p.x + p.r * p.state),
        ),
        ("The candidate n goes through a sigmoid; it takes the tanh.", _made(bend=torch.sigmoid)),
        ("The candidate n has no nonlinearity; it takes the tanh.", _made(bend=same)),
        ("The candidate n goes through a ReLU; it takes the tanh.", _made(bend=torch.relu)),
        ("The gates r and z have no nonlinearity; they take the sigmoid.", _made(gate=same)),
        ("The gates r and z go through tanh; they take the sigmoid.", _made(gate=torch.tanh)),
        (
            "The new state goes through a tanh, as in an LSTM. A GRU's new state is the mixture "
            "itself.",
            _made(new=lambda z, n, h: torch.tanh((1 - z) * n + z * h)),
        ),
        (
            "The candidate is added in full: it is multiplied by 1 − z.",
            _made(new=lambda z, n, h: n + z * h),
        ),
        (
            "The old state is added in full: it is multiplied by z.",
            _made(new=lambda z, n, h: (1 - z) * n + h),
        ),
        ("z is not used: the candidate alone comes back.", _made(new=lambda z, n, h: n)),
        (
            "Both parts are multiplied by z: the candidate by 1 − z.",
            _made(new=lambda z, n, h: z * n + z * h),
        ),
        (
            "Both parts are multiplied by 1 − z: the old state by z.",
            _made(new=lambda z, n, h: (1 - z) * (n + h)),
        ),
        ("bias_hh is left out.", _without("bias_hh")),
        ("bias_ih is left out.", _without("bias_ih")),
        ("Both biases are left out.", _without("bias_hh", "bias_ih")),
        ("bias_hh is left out of the gates r and z.", _without("bias_hh", gates_only=True)),
        ("The gates hear x only: h_{t−1} belongs into r and z, too.", _made(sums=lambda u, v: u)),
        ("The gates hear h_{t−1} only: x belongs into r and z, too.", _made(sums=lambda u, v: v)),
        (
            "A pair comes back, as from an LSTM. A GRU has one state: return that.",
            lambda *given, **named: (gru_step(*given, **named),) * 2,
        ),
    ],
)
