"""Exercise 5.7: ``gradients_by_path``."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.attention import Decoder
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.rules import place_of
from attnbook.exercises import Call, Exercise


def gradients_by_path(encode: Decoder, decode: Decoder, x: Tensor) -> Any:
    """(gradient through the keys, gradient through the last state), both like x (S, E)."""
    x = x.detach().requires_grad_()
    states = encode(x)
    through_keys = torch.autograd.grad(decode(states, states[-1].detach()), x)[0]
    states = encode(x)
    through_last = torch.autograd.grad(decode(states.detach(), states[-1]), x)[0]
    return through_keys, through_last


def _encoder(size: int) -> Callable[[Tensor], Tensor]:
    matrix = 0.8 * torch.eye(size) + 0.1

    def encode(x: Tensor) -> Tensor:
        state, states = torch.zeros(size), []
        for row in x:
            state = torch.tanh(matrix @ state + row)
            states.append(state)
        return torch.stack(states)

    return encode


def _decoder(keys: Tensor, last: Tensor) -> Tensor:
    weights = torch.softmax(keys @ last, 0)
    signs = (-1.0) ** torch.arange(len(last))
    return (signs * (weights @ keys)).sum() - 2 * (signs * last).sum()


def _mean_decoder(keys: Tensor, last: Tensor) -> Tensor:
    return keys.mean(0).sum() + 3 * last.sum()


def _examples() -> Inputs:
    yield {"encode": _encoder(1), "decode": _mean_decoder, "x": torch.tensor([[0.5], [-0.5]])}
    make = normal(9)
    yield {"encode": _encoder(3), "decode": _decoder, "x": make(4, 3)}
    yield {"encode": _encoder(2), "decode": _decoder, "x": make(5, 2)}


def _gradient(loss: Callable[[Tensor], Tensor], encode: Decoder, x: Tensor) -> Tensor:
    x = x.detach().requires_grad_()
    return torch.autograd.grad(loss(encode(x)), x)[0]


def _add_up(call: Call) -> str | None:
    whole = _gradient(lambda states: call.decode(states, states[-1]), call.encode, call.x)
    total = call.result[0] + call.result[1]
    if torch.allclose(total, whole, atol=1e-5):
        return None
    at = int((total - whole).abs().argmax())
    return (
        "There are only these two paths, so the two gradients add up to the gradient with nothing "
        f"detached. At {place_of(at, whole.shape)} they add up to "
        f"{float(total.flatten()[at]):.4g}, but that gradient is {float(whole.flatten()[at]):.4g}."
    )


def _alone(call: Call) -> str | None:
    """With a decoder that reads one of the two, no gradient comes through the other."""
    of_keys = call(decode=lambda keys, last: (keys**2).sum() + 0.0 * last.sum())
    of_last = call(decode=lambda keys, last: (last**2).sum() + 0.0 * keys.sum())
    for gradient, reads, other in (
        (of_keys[1], "keys", "second, through the last state"),
        (of_last[0], "last state", "first, through the keys"),
    ):
        largest = float(gradient.abs().max())
        if largest > 1e-6:
            return (
                f"When the loss depends on the {reads} alone, the other gradient, the {other}, "
                f"should be 0, but it contains {largest:.4g}."
            )
    return None


def _to_states(encode: Decoder, decode: Decoder, x: Tensor) -> tuple[Tensor, Tensor]:
    states = encode(x).detach().requires_grad_()
    last = states[-1].detach().requires_grad_()
    through_keys, through_last = torch.autograd.grad(decode(states, last), [states, last])
    return through_keys, torch.cat([torch.zeros_like(states[:-1]), through_last.unsqueeze(0)])


def _variant(
    keys: Any = lambda h: (h, h[-1].detach()), last: Any = lambda h: (h.detach(), h[-1])
) -> Any:
    """Both gradients, where decode reads something else of the states h."""
    return lambda encode, decode, x: (
        _gradient(lambda states: decode(*keys(states)), encode, x),
        _gradient(lambda states: decode(*last(states)), encode, x),
    )


CHECK = Exercise(
    gradients_by_path,
    inputs=_examples,
    rules={
        "the two paths add up to the whole gradient": _add_up,
        "a path that the loss does not take has no gradient": _alone,
    },
    mistakes={
        "Both are the whole gradient. Was nothing detached, or has one .grad collected both "
        "paths?": _variant(keys=lambda h: (h, h[-1]), last=lambda h: (h, h[-1])),
        "The second is the whole gradient. Detach the keys when you follow the last state, and "
        "clear what .grad has collected before (zero_, or torch.autograd.grad instead).": _variant(
            last=lambda h: (h, h[-1])
        ),
        "These are gradients with respect to the states. Return those with respect to x: the way "
        "through encode is missing.": _to_states,
        "In the first gradient you also detach the last row of the keys. The last state is among "
        "the keys, too, and that path must stay open.": _variant(
            keys=lambda h: (torch.cat([h[:-1], h[-1:].detach()]), h[-1].detach())
        ),
        "In both gradients you put zeros for the path not followed. Detach it instead: it keeps "
        "its value and loses only its gradient.": _variant(
            lambda h: (h, 0 * h[-1]), lambda h: (0 * h, h[-1])
        ),
        "The two gradients are swapped: what is detached gets no gradient, so to follow the keys "
        "you detach the last state.": (
            lambda encode, decode, x: gradients_by_path(encode, decode, x)[::-1]
        ),
        "You add up the two paths. Return each one separately.": (
            lambda encode, decode, x: sum(gradients_by_path(encode, decode, x))
        ),
    },
)
