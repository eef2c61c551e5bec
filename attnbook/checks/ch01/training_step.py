"""Exercise 1.2: ``training_step``."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnbook.checks.inputs import Inputs, generator
from attnbook.checks.recurrent import network, with_logits
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
        numbers, small = generator(seed), network(seed, size=size)
        inputs, targets = torch.randint(3, (2, rows, length), generator=numbers)
        yield {
            "network": small,
            "optimizer": Noting(small),
            "inputs": inputs,
            "targets": targets,
            "state": torch.randn(1, rows, 2, generator=numbers).tanh() if with_state else None,
        }


def _losses(call: Call) -> Tensor:
    """Of the targets, (B, T)."""
    states, _ = call.network(call.inputs, call.state)
    logits = call.network.output(states).transpose(1, 2)
    return F.cross_entropy(logits, call.targets, reduction="none")


def _gradient(call: Call) -> Tensor:
    """Of the loss of these tokens alone, as one vector."""
    parameters = list(call.network.parameters())
    gradients = torch.autograd.grad(_losses(call).mean(), parameters, allow_unused=True)
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


def _steps_once(call: Call) -> bool | str:
    count = len(_recorded(call)[0])
    return count == 1 or (
        f"optimizer.step() is called {count} times." * bool(count)
        or "optimizer.step() is never called, so the gradient is there but nothing is learned."
    )


def _of_this_loss(call: Call) -> str | None:
    if not abs(call.result[0] - call.expected[0]) <= 1e-5:  # or NaN
        return (
            f"You return the loss {call.result[0]:.4g}. Starting from the given state, the losses "
            f"of the targets are {fmt(_losses(call).detach())} (−log p of each token), and their "
            f"mean is {call.expected[0]:.4g}."
        )
    (got,), leftover = _recorded(call)
    raw = _gradient(call)
    if not bool(got.any()):
        return (
            "At optimizer.step() there is no gradient. The order is zero_grad, backward, clip, "
            "step: is backward() missing, or does zero_grad() come after it?"
        )
    if bool(leftover.any()) and F.cosine_similarity(got, raw + leftover, dim=0) > 1 - 1e-7:
        return (
            "The gradient of the update before is still included, because backward() adds to what "
            "is there. Call optimizer.zero_grad() before backward()."
        )
    cosine = float(F.cosine_similarity(got, raw, dim=0))
    if cosine > 1 - 1e-4:
        return None
    if torch.allclose(got, raw.clamp(-1, 1), rtol=1e-4, atol=1e-5):
        return (
            "Each number is clipped separately (clip_grad_value_), which changes the direction. "
            "nn.utils.clip_grad_norm_ shortens them all together."
        )
    return (
        "The gradient at optimizer.step() has a different direction from the gradient of the loss "
        f"(cosine {cosine:.3f}). Did you clip each parameter separately?"
    )


def _clipped(call: Call) -> bool | str:
    got, raw = float(_recorded(call)[0][0].norm()), float(_gradient(call).norm())
    return abs(got - min(raw, 1.0)) < 2e-3 or (
        f"The gradient has a joint norm of {raw:.3g}, and at optimizer.step() it is {got:.3g}. "
        "Clip it to 1 after backward() and before step()."
    )


def _cut_off(call: Call) -> bool | str:
    return not call.result[1].requires_grad or (
        "The state that you return still has its history, so the next update would go back through "
        "this one. Return state.detach(), which is a new tensor; the old one stays as it was."
    )


def _from_before_the_step(call: Call) -> str | None:
    optimizer = Noting(call.network, moves=True)
    try:
        now = call.without_comparison(optimizer=optimizer)
    finally:
        optimizer.put_back()
    for what, before, after in zip(("loss", "state"), call.expected, now):
        if difference(after, before):
            return (
                f"The {what} comes from a second pass, through the network that the step has "
                f"changed. Return the {what} of the pass before the step."
            )
    return None


CHECK = Exercise(
    training_step,
    inputs=_updates,
    rules={
        "the optimizer steps once": _steps_once,
        "the step follows the gradient of this loss and no other": _of_this_loss,
        "the gradient is clipped at a joint norm of 1": _clipped,
        "the state that you return is cut off from its history": _cut_off,
        "loss and state are those of the pass before the step": _from_before_the_step,
    },
    mistakes={
        "F.cross_entropy takes the logits; with a softmax before it, there are two.": (
            with_logits(training_step, lambda logits: logits.softmax(-1))
        ),
        "You reshape the logits (reshape or view) instead of transposing, which mixes up tokens "
        "and places. Use .transpose(1, 2), or flatten rows and time of both.": (
            with_logits(training_step, lambda logits: logits.reshape(logits.mT.shape).mT)
        ),
        "F.cross_entropy expects the vocabulary in dimension 1, but here it is last, (B, T, V). "
        "Use .transpose(1, 2), or flatten rows and time of both.": (
            with_logits(training_step, lambda logits: logits.mT)
        ),
    },
)
