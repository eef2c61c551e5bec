"""Exercise 11.5: ``decoder_forward``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from attnbook.checks.inputs import Inputs, Layers, normal
from attnbook.checks.mistakes import only_a_part
from attnbook.checks.rules import repeats
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference
from attnlib.masking import masked_softmax


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


# A layer to try it on -----------------------------------------------------------------------------


class Attention(nn.Module):
    """Attention of several heads whose matrices are drawn from a seed."""

    def __init__(self, size: int, heads: int, seed: int) -> None:
        super().__init__()
        make = normal(seed)
        self.heads = heads
        self.query, self.key, self.value, self.out = (
            nn.Parameter(make(size, size) / math.sqrt(size)) for _ in range(4)
        )

    def forward(self, x: Tensor, memory: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
        parts = (x @ self.query, memory @ self.key, memory @ self.value)
        query, keys, values = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts
        )
        scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
        weights = masked_softmax(scores, allowed.unsqueeze(-3))
        return (weights @ values).transpose(1, 2).flatten(-2) @ self.out, weights


class Halved(nn.Module):
    """In the place of the dropout: halves its input, so that a missing one is noticed."""

    def forward(self, x: Tensor) -> Tensor:
        return x / 2


class Layer(Layers):
    """The parts of the chapter's layer, and no forward pass."""

    def __init__(self, size: int, heads: int, seed: int) -> None:
        super().__init__()
        self.self_attn = Attention(size, heads, 10 * seed + 1)
        self.cross_attn = Attention(size, heads, 10 * seed + 2)
        make = normal(10 * seed + 3)
        with torch.random.fork_rng(devices=[]):
            self.feed_forward = nn.Sequential(
                nn.Linear(size, 2 * size), nn.ReLU(), nn.Linear(2 * size, size)
            )
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(size) for _ in range(3))
        self.dropout = Halved()
        with torch.no_grad():
            for part in (self.feed_forward, self.norm1, self.norm2, self.norm3):
                for parameter in part.parameters():
                    parameter.copy_(make(*parameter.shape))


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


#: The inputs of each part of the layer, in words.
_INPUTS = {
    "norm1": ("the stream as it came in, x",),
    "self_attn": ("norm1 of the stream (it asks)", "norm1 of the stream", "`allowed`"),
    "norm2": ("the stream with what self-attention found, x + dropout(…)",),
    "cross_attn": ("norm2 of the stream (it asks)", "the memory as it is", "`memory_allowed`"),
    "norm3": ("the stream with what cross-attention found, x + dropout(…)",),
    "feed_forward": ("norm3 of the stream",),
    "dropout": ("what the part before it returns",),
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
    ]
    try:
        call()  # the learner's function, and then the reference
    finally:
        for hook in hooks:
            hook.remove()
    return calls[:-9], calls[-9:]


def _same(a: Any, b: Any) -> bool:
    if not isinstance(a, Tensor) or a.dtype != b.dtype or a.dim() != b.dim():
        return False
    sizes = [{1, m, n} for m, n in zip(a.shape, b.shape)]
    if any(len(size) > 2 for size in sizes):
        return False
    a, b = torch.broadcast_tensors(a, b)
    return torch.allclose(a.double(), b.double(), atol=1e-5)


def _each_part(call: Call) -> str | None:
    """Of a wrong result: the first part of the layer with a wrong input."""
    if difference(call.result, call.expected) is None:
        return None
    own, reference = _part_calls(call)
    names, expected = ([name for name, *_ in calls] for calls in (own, reference))
    if names != expected:
        missing, more = Counter(expected) - Counter(names), Counter(names) - Counter(expected)
        message = f"The parts are called in the order {', '.join(names)}, where "
        message += f"{', '.join(expected)} is expected."
        message += f" Missing: {', '.join(missing.elements())}." * bool(missing)
        return message + f" Too many: {', '.join(more.elements())}." * bool(more)
    x, memory = reference[0][1][0], reference[4][1][1]
    masks = {"`allowed`": reference[1][1][2], "`memory_allowed`": reference[4][1][2]}
    known = {
        "the stream as it came in": x,
        "the memory": memory,
        **masks,
        **{f"{name} turned round": ~mask for name, mask in masks.items()},
        **{f"{name} transposed": mask.transpose(1, 2) for name, mask in masks.items()},
    }
    for i, ((name, inputs, _), (_, due, _)) in enumerate(zip(own, reference)):
        for got, should, what in zip(inputs, due, _INPUTS[name]):
            if _same(got, should):
                continue
            if i in (3, 6):  # the stream after an attention
                known |= _streams(reference[i - 3 : i])
            clues = [
                f" It gets {clue}."
                for clue, value in known.items()
                if _same(got, value) and got.shape == value.shape
            ]
            return f"{name} is not given {what}.{''.join(clues[:1])}"
    stream, weights = call.result
    if not _same(stream, call.expected[0]):
        ends = _streams(reference[6:])
        clues = [f" It is {clue}." for clue, value in ends.items() if _same(stream, value)]
        return f"The stream that comes back is not x + dropout(feed_forward(…)).{''.join(clues)}"
    if not _same(weights, call.expected[1]):
        of_self = _same(weights, reference[1][2][1])
        return "The weights are not those that cross_attn returns" + (
            ": these are those of self_attn." if of_self else "."
        )
    return None


def _streams(part: list[Any]) -> dict[str, Tensor]:
    """What else may be taken for the stream after norm, part and dropout."""
    (_, (stream,), normed), (_, _, output), (_, _, dropped) = part
    output = output[0] if isinstance(output, tuple) else output
    return {
        "only what the part found, which is not added": dropped,
        "norm(x) + …: it is added to the stream as it is, not to its normalized copy": (
            normed + dropped
        ),
        "the stream without what the part found": stream,
        "x + … without the dropout": stream + output,
    }


def _post_norm(layer: Any, x: Any, allowed: Any, memory: Any, memory_allowed: Any) -> Any:
    x = layer.norm1(x + layer.dropout(layer.self_attn(x, x, allowed)[0]))
    context, weights = layer.cross_attn(x, memory, memory_allowed)
    x = layer.norm2(x + layer.dropout(context))
    return layer.norm3(x + layer.dropout(layer.feed_forward(x))), weights


CHECK = Exercise(
    "decoder_forward",
    reference=decoder_forward,
    inputs=_layers,
    rules={
        "the same call gives the same stream": repeats(
            "the only dropout is layer.dropout, which leaves all as it is once training is over."
        ),
        "each part of the layer is given what it should be": _each_part,
    },
    mistakes=[
        (
            "This is post-norm: the norm stands behind the addition. Here each part reads the "
            "normalized stream, x + part(norm(x)).",
            _post_norm,
        ),
        (
            "self_attn returns contexts and weights, and both go into the dropout here: take [0].",
            lambda layer, x, allowed, memory, memory_allowed: layer.dropout(
                layer.self_attn(layer.norm1(x), layer.norm1(x), allowed)
            ),
        ),
        *only_a_part(decoder_forward, "the stream", "the weights of the cross-attention"),
    ],
)
