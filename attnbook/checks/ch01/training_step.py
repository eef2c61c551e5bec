"""Exercise 1.3: ``training_step``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnbook.checks.inputs import Inputs
from attnbook.checks.recurrent import Network
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference, fmt


def training_step(network: Any, optimizer: Any, inputs: Any, targets: Any, state: Any) -> Any:
    """One update. Tokens (B, T), state (1, B, H) or None → the loss, the last state (1, B, H)."""
    states, state = network(inputs, state)
    loss = F.cross_entropy(network.output(states).transpose(1, 2), targets)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimizer.step()
    return loss.item(), state.detach()


class Noting:
    """Records the gradient at each step; moves the network only where ``moves`` is True.

    None of torch's optimizers: the first of those imports for seconds what compiles.
    """

    __name__ = "optimizer"  # as the learner is shown it

    def __init__(self, network: nn.Module, moves: bool = False) -> None:
        self.parameters = list(network.parameters())
        self.before = [parameter.detach().clone() for parameter in self.parameters]
        self.param_groups = [{"params": self.parameters, "lr": 0.1}]
        self.noted: list[Tensor] = []
        self.moves = moves

    def zero_grad(self, set_to_none: bool = True) -> None:
        for parameter in self.parameters:
            parameter.grad = None if set_to_none else torch.zeros_like(parameter)

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:
        self.noted.append(self.gradient())
        for parameter in self.parameters:
            if self.moves and parameter.grad is not None:
                parameter.sub_(parameter.grad)

    @torch.no_grad()
    def put_back(self) -> None:
        for parameter, before in zip(self.parameters, self.before):
            parameter.copy_(before)

    def gradient(self) -> Tensor:
        """What stands in all gradients now, as one vector."""
        gradients = [0 * x if x.grad is None else x.grad for x in self.parameters]
        return torch.cat([gradient.detach().flatten() for gradient in gradients])


def _updates() -> Inputs:
    for seed, size, rows, length, with_state in (
        (3, 0.3, 1, 2, False),
        (6, 0.3, 2, 2, False),
        (15, 3.0, 2, 3, True),
        (10, 3.0, 2, 3, True),
        (7, 0.3, 3, 2, True),
    ):
        make = torch.Generator().manual_seed(seed)
        network = Network(seed, size=size)
        inputs, targets = torch.randint(3, (2, rows, length), generator=make)
        state = torch.randn(1, rows, 2, generator=make).tanh() if with_state else None
        yield {
            "network": network,
            "optimizer": Noting(network),
            "inputs": inputs,
            "targets": targets,
            "state": state,
        }


def _gradient(call: Call) -> Tensor:
    """Of the loss of these tokens alone, as one vector."""
    states, _ = call.network(call.inputs, call.state)
    loss = F.cross_entropy(call.network.output(states).transpose(1, 2), call.targets)
    parameters = list(call.network.parameters())
    gradients = torch.autograd.grad(loss, parameters, allow_unused=True)
    return torch.cat([(0 * p if g is None else g).flatten() for p, g in zip(parameters, gradients)])


def _recorded(call: Call) -> tuple[list[Tensor], Tensor]:
    """The gradients at the steps of the learner's call, and what an update before it left."""
    optimizer = Noting(call.network)
    optimizer.zero_grad()
    call.error(optimizer=optimizer, inputs=call.targets, targets=call.inputs)
    leftover = optimizer.gradient()
    optimizer.noted.clear()
    call.error(optimizer=optimizer)
    return optimizer.noted, leftover


def _alike(a: Tensor, b: Tensor) -> bool:
    return torch.allclose(a, b, rtol=1e-4, atol=1e-5)


def _steps_once(call: Call) -> str | None:
    count = len(_recorded(call)[0])
    if count == 1:
        return None
    if count == 0:
        return "optimizer.step() is never called: the gradient is there, and nothing is learned."
    return f"optimizer.step() is called {count} times. One call is one update."


def _wrong_loss(call: Call) -> str:
    states, _ = call.network(call.inputs, call.state)
    logits = call.network.output(states).transpose(1, 2)
    losses = F.cross_entropy(logits, call.targets, reduction="none").detach()
    return (
        f"The loss that comes back is {call.result[0]:.4g}. Read on from the given state, the "
        f"network has for the targets the losses {fmt(losses)} (−log p of each token): their "
        f"mean is {call.expected[0]:.4g}."
    )


def _of_this_loss(call: Call) -> str | None:
    if not abs(call.result[0] - call.expected[0]) <= 1e-5:  # or NaN
        return _wrong_loss(call)
    (got,), leftover = _recorded(call)
    raw = _gradient(call)
    if not bool(got.any()):
        return (
            "At optimizer.step() there is no gradient. The order is zero_grad, backward, clip, "
            "step: is backward() missing, or does zero_grad() come after it?"
        )
    if bool(leftover.any()) and _alike(got / got.norm(), leftover / leftover.norm()):
        return (
            "At optimizer.step() the gradient is still that of the update before: loss.backward() "
            "comes first."
        )
    total = raw + leftover
    if bool(leftover.any()) and _alike(got / got.norm(), total / total.norm()):
        return (
            "The gradient of the update before is still in it: backward() adds to what is there. "
            "Call optimizer.zero_grad() before it."
        )
    cosine = float(F.cosine_similarity(got, raw, dim=0))
    if cosine > 1 - 1e-4:
        return None
    clipped = torch.cat([x.clamp(-1, 1) for x in raw.split(1)])
    if _alike(got, clipped):
        return (
            "Each number is clipped by itself (clip_grad_value_), which changes the direction. "
            "nn.utils.clip_grad_norm_ shortens all together."
        )
    return (
        f"The gradient at optimizer.step() points elsewhere than that of the loss (cosine "
        f"{cosine:.3f}): is each parameter clipped for itself?"
    )


def _clipped(call: Call) -> str | None:
    got, raw = float(_recorded(call)[0][0].norm()), float(_gradient(call).norm())
    right = min(raw, 1.0)
    if abs(got - right) < 1e-3 * (1 + right):
        return None
    if right < 1:
        return (
            f"The gradient has a joint norm of {raw:.3g}, which is short enough, and at "
            f"optimizer.step() it is {got:.3g}."
        )
    return (
        f"The gradient has a joint norm of {raw:.3g}, and at optimizer.step() {got:.3g}. Clip it "
        "to 1 after backward() and before step()."
    )


def _cut_off(call: Call) -> str | None:
    if not call.result[1].requires_grad:
        return None
    return (
        "The state that comes back still has its history: the next update would go back through "
        "this one. Hand on state.detach(): that is a new tensor, and the old one stays as it was."
    )


def _from_before_the_step(call: Call) -> str | None:
    if difference(call.result[1], call.expected[1]):
        return (
            "The state that comes back is not the one after the last token of the piece: that is "
            "the second thing that the network returns."
        )
    optimizer = Noting(call.network, moves=True)
    try:
        loss, state = call.without_comparison(optimizer=optimizer)
    finally:
        optimizer.put_back()
    for what, returned, now in zip(("loss", "state"), call.result, (loss, state)):
        if difference(now, returned) is not None:
            return (
                f"The {what} comes from a second pass, through the network that the step has "
                "changed. Return that of the pass before the step."
            )
    return None


def _with_loss(loss: Callable[[Tensor, Tensor], Any]) -> Callable[..., Any]:
    """The right update, of another loss."""

    def update(
        network: Network, optimizer: Any, inputs: Tensor, targets: Tensor, state: Any
    ) -> Any:
        states, last = network(inputs, state)
        value = loss(network.output(states), targets)
        optimizer.zero_grad()
        value.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        return value.item(), last.detach()

    return update


CHECK = Exercise(
    "training_step",
    reference=training_step,
    inputs=_updates,
    rules={
        "the optimizer steps once": _steps_once,
        "the step goes along the gradient of this loss and of no other": _of_this_loss,
        "the gradient is clipped at a joint norm of 1": _clipped,
        "the state that is handed on is cut off from its history": _cut_off,
        "loss and state are those of the pass before the step": _from_before_the_step,
    },
    mistakes=[
        (
            "F.cross_entropy takes the logits: with a softmax before it there are two.",
            _with_loss(lambda logits, targets: F.cross_entropy(logits.softmax(-1).mT, targets)),
        ),
        (
            "The logits are laid out anew (reshape or view) and not transposed: tokens and places "
            "are mixed up. Use .transpose(1, 2), or flatten rows and time of both.",
            _with_loss(
                lambda logits, targets: F.cross_entropy(
                    logits.reshape(len(logits), logits.shape[2], -1), targets
                )
            ),
        ),
        (
            "F.cross_entropy wants the vocabulary in dimension 1, and here it is the last one of "
            "(B, T, V): .transpose(1, 2), or flatten rows and time of both.",
            _with_loss(F.cross_entropy),
        ),
    ],
)
