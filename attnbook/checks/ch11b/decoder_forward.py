"""Exercise 11.5: ``decoder_forward``."""

from collections import Counter
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import torch
from torch import Tensor, nn

from attnbook.checks.inputs import Inputs, Layers, normal
from attnbook.checks.mistakes import only_a_part
from attnbook.checks.rules import repeats
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference
from attnlib.model import DecoderLayer


def decoder_forward(
    layer: Any, x: Tensor, allowed: Tensor, memory: Tensor, memory_allowed: Tensor
) -> Any:
    """x (B, T, D), memory (B, S, D) → x (B, T, D), weights (B, heads, T, S)."""
    normed = layer.norm1(x)
    context, _ = layer.self_attn(normed, normed, allowed)
    x = x + layer.dropout(context)
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    x = x + layer.dropout(context)
    x = x + layer.dropout(layer.feed_forward(layer.norm3(x)))
    return x, weights


class Halved(nn.Module):
    """In the place of the dropout: halves its input, so that a missing one is noticed."""

    def forward(self, x: Tensor) -> Tensor:
        return x / 2


class Layer(Layers, DecoderLayer):
    """The parts of the chapter's layer, and no forward pass."""

    def __init__(self, size: int, heads: int, seed: int) -> None:
        make = normal(seed)
        with torch.random.fork_rng(devices=[]), torch.no_grad():
            super().__init__(size, heads, 2 * size)
            for parameter in self.parameters():
                parameter.copy_(0.5 * make(*parameter.shape))
        self.add_module("dropout", Halved())


def _layers() -> Inputs:
    sizes = [(1, 2, 2, 2, 1), (2, 3, 4, 4, 2), (3, 4, 2, 6, 3)]
    for seed, (batch, steps, length, size, heads) in enumerate(sizes):
        make = normal(70 + seed)
        real = torch.arange(length) < torch.tensor([[length], [1], [length]])[:batch]
        yield {
            "layer": Layer(size, heads, seed),
            "x": make(batch, steps, size).requires_grad_(seed == 1),
            "allowed": torch.ones(1, steps, steps, dtype=torch.bool).tril(),
            "memory": make(batch, length, size),
            "memory_allowed": real.unsqueeze(1),
        }


#: The inputs of each part of the layer, and what comes back at the end, in words.
_INPUTS = {
    "norm1": ("the stream as it came in, x",),
    "self_attn": ("norm1 of the stream (as the query)", "norm1 of the stream", "`allowed`"),
    "norm2": ("the stream with what self-attention found, x + dropout(…)",),
    "cross_attn": ("norm2 of the stream (as the query)", "the memory as it is", "`memory_allowed`"),
    "norm3": ("the stream with what cross-attention found, x + dropout(…)",),
    "feed_forward": ("norm3 of the stream",),
    "dropout": ("what the part before it returns",),
    "The result": ("x + dropout(feed_forward(…))", "the weights that cross_attn returns"),
}


def _part_calls(call: Call) -> tuple[list[Any], list[Any]]:
    """Calls of the layer's parts by the learner's function and by the reference.

    Each is the part's name, its inputs, and what it returned.
    """
    calls: list[Any] = []

    def recorder(name: str) -> Callable[..., None]:
        return lambda part, args, kwargs, returned: calls.append(
            (name, (*args, *kwargs.values()), returned)
        )

    hooks = [
        getattr(call.layer, name).register_forward_hook(recorder(name), with_kwargs=True)
        for name in _INPUTS
        if hasattr(call.layer, name)
    ]
    try:
        call()  # the learner's function, and then the reference
    finally:
        for hook in hooks:
            hook.remove()
    return calls[:-9], calls[-9:]


def _same(a: Any, b: Tensor) -> bool:
    """Whether two tensors are the same, when they are broadcast."""
    try:
        a, b = torch.broadcast_tensors(a.double(), b.double())
    except (AttributeError, RuntimeError):  # no tensor, or shapes that do not fit
        return False
    return torch.allclose(a, b, atol=1e-5)


def _each_part(call: Call) -> str | None:
    """Of a wrong result: the first part of the layer with a wrong input."""
    if difference(call.result, call.expected) is None:
        return None
    own, reference = _part_calls(call)
    names, expected = ([name for name, *_ in calls] for calls in (own, reference))
    if names != expected:
        missing, more = Counter(expected) - Counter(names), Counter(names) - Counter(expected)
        return (
            f"The parts are called in the order {', '.join(names)}, where {', '.join(expected)} "
            "is expected."
            + f" Missing: {', '.join(missing.elements())}." * bool(missing)
            + f" Too many: {', '.join(more.elements())}." * bool(more)
        )
    own.append(("The result", call.result, None))
    reference.append(("The result", call.expected, None))
    for i, ((name, inputs, _), (_, due, _)) in enumerate(zip(own, reference)):
        for got, should, what in zip_longest(inputs, due, _INPUTS[name]):
            if not _same(got, should):
                verb = "is not" if name == "The result" else "is not given"
                return f"{name} {verb} {what}{_instead(got, i, reference)}."
    return None


def _instead(got: Any, i: int, reference: list[Any]) -> str:
    """What stands where another input of part ``i`` is expected, if it is something known."""
    (_, (x,), _), (_, (*_, allowed), (_, of_self)) = reference[:2]
    _, (_, memory, real), _ = reference[4]
    known = {
        "the stream as it came in": x,
        "the memory": memory,
        "`allowed`": allowed,
        "`allowed` transposed": allowed.mT,
        "`memory_allowed`": real,
        "`memory_allowed` inverted": ~real,
        "those of self_attn": of_self,
    }
    if i in (3, 6, 9):  # the stream after a norm, a part, and the dropout
        normed, dropped = reference[i - 3][2], reference[i - 1][2]
        known["only what the part found, without the stream it is added to"] = dropped
        known["norm(x) + …, the normalized copy plus what the part found"] = normed + dropped
    same = (what for what, x in known.items() if _same(got, x) and got.shape == x.shape)
    return next((f", but {what}" for what in same), "")


def _post_norm(layer: Any, x: Any, allowed: Any, memory: Any, memory_allowed: Any) -> Any:
    x = layer.norm1(x + layer.dropout(layer.self_attn(x, x, allowed)[0]))
    context, weights = layer.cross_attn(x, memory, memory_allowed)
    x = layer.norm2(x + layer.dropout(context))
    return layer.norm3(x + layer.dropout(layer.feed_forward(x))), weights


CHECK = Exercise(
    decoder_forward,
    inputs=_layers,
    rules={
        "the same call gives the same stream": repeats(
            "the only dropout is layer.dropout, which changes nothing once training is over."
        ),
        "each part of the layer is given what it should be": _each_part,
    },
    mistakes={
        "This is post-norm: the norm comes after the addition. Here each part reads the "
        "normalized stream, x + part(norm(x)).": _post_norm,
        **only_a_part(decoder_forward, "the stream", "the weights of the cross-attention"),
    },
)
