"""Exercise 11.5: ``decoder_forward``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from attnbook.checks.shared import Inputs, agrees, are_weights, normal, plain, repeats
from attnbook.exercises import Call, Exercise
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
    """Stands for the dropout: what has been through it is half as large."""

    def forward(self, x: Tensor) -> Tensor:
        return x / 2


class Layer(nn.Module):
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

    def __getattr__(self, name: str) -> Any:
        part = super().__getattr__(name)  # on the learner's device, as copies of tensors are
        return part.to(torch.empty(0).device) if isinstance(part, nn.Module) else part

    def forward(self, *given: Any) -> Any:
        raise NotImplementedError(
            "this layer has parts and no forward pass: the pass is what you are to write"
        )


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


# Ways to get it wrong -----------------------------------------------------------------------------


def _variant(
    layer: Any,
    x: Any,
    allowed: Any,
    memory: Any,
    memory_allowed: Any,
    *,
    norms: tuple[str, str, str] = ("norm1", "norm2", "norm3"),
    parts: tuple[str, str, str] = ("self", "cross", "forward"),
    attend: Callable[..., Any] = lambda layer, n, raw, a, m, ma: layer.self_attn(n, n, a),
    cross: Callable[..., Any] = lambda layer, n, raw, a, m, ma: layer.cross_attn(n, m, ma),
    forward: Callable[..., Any] = lambda layer, n, raw: layer.feed_forward(n),
    add: Callable[..., Any] = lambda layer, x, normed, found, n: x + layer.dropout(found),
    weights: Callable[..., Any] = lambda own, across: across,
    out: Callable[..., Any] = lambda layer, x, weights: (x, weights),
) -> Any:
    """The pass with one part of it made otherwise."""
    kept: dict[str, Any] = {}
    for n, (part, norm) in enumerate(zip(parts, norms)):
        normed = getattr(layer, norm)(x) if norm else x
        given = (allowed, memory, memory_allowed)
        if part == "self":
            found, kept["own"] = attend(layer, normed, x, *given)
        elif part == "cross":
            found, kept["across"] = cross(layer, normed, x, *given)
        else:
            found = forward(layer, normed, x)
        x = add(layer, x, normed, found, n)
    return out(layer, x, weights(kept["own"], kept.get("across")))


def _post_norm(layer: Any, x: Any, allowed: Any, memory: Any, memory_allowed: Any) -> Any:
    x = layer.norm1(x + layer.dropout(layer.self_attn(x, x, allowed)[0]))
    context, weights = layer.cross_attn(x, memory, memory_allowed)
    x = layer.norm2(x + layer.dropout(context))
    return layer.norm3(x + layer.dropout(layer.feed_forward(x))), weights


def _together(layer: Any, x: Any, allowed: Any, memory: Any, memory_allowed: Any) -> Any:
    """All three parts read the stream that came in."""
    normed = layer.norm1(x)
    context, weights = layer.cross_attn(layer.norm2(x), memory, memory_allowed)
    own = layer.self_attn(normed, normed, allowed)[0]
    found = (own, context, layer.feed_forward(layer.norm3(x)))
    return x + sum(map(layer.dropout, found)), weights


def _norm_after_part(layer: Any, x: Any, allowed: Any, memory: Any, memory_allowed: Any) -> Any:
    """Each norm stands behind its part, before the addition."""
    x = x + layer.dropout(layer.norm1(layer.self_attn(x, x, allowed)[0]))
    context, weights = layer.cross_attn(x, memory, memory_allowed)
    x = x + layer.dropout(layer.norm2(context))
    return x + layer.dropout(layer.norm3(layer.feed_forward(x))), weights


def _stale(layer: Any, x: Any, allowed: Any, memory: Any, memory_allowed: Any) -> Any:
    """The cross-attention asks with the copy that norm1 made."""
    normed = layer.norm1(x)
    x = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(normed, memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


def _lost_self(layer: Any, x: Any, allowed: Any, memory: Any, memory_allowed: Any) -> Any:
    """What the cross-attention finds is added to the stream from before the self-attention."""
    normed = layer.norm1(x)
    after = x + layer.dropout(layer.self_attn(normed, normed, allowed)[0])
    context, weights = layer.cross_attn(layer.norm2(after), memory, memory_allowed)
    x = x + layer.dropout(context)
    return x + layer.dropout(layer.feed_forward(layer.norm3(x))), weights


def _beside_memory(layer: Any, n: Any, raw: Any, a: Any, m: Any, ma: Any) -> Any:
    """The cross-attention asks memory and target together."""
    batch, steps = n.shape[:2]
    masks = ma.expand(batch, steps, -1), a.expand(batch, -1, -1)
    return layer.cross_attn(n, torch.cat([m, n], dim=1), torch.cat(masks, dim=-1))


# Rules --------------------------------------------------------------------------------------------


def _no_future(call: Call) -> str | None:
    later = call.x.detach().clone()
    later[:, -1] += 1.0
    moved = (call.uncompared(x=later)[0] - call.result[0])[:, :-1].abs()
    if not bool((moved > 1e-5).any()):
        return None
    t = int((moved > 1e-5).any(-1).any(0).nonzero()[0])
    return (
        f"When the last position of x changes, position {t} changes as well, though `allowed` "
        "hides it. Does self-attention get `allowed`?"
    )


def _padding_free(call: Call) -> str | None:
    seen = call.memory_allowed.squeeze(1).unsqueeze(-1)
    if bool(seen.all()):
        return None
    memory = call.memory.masked_fill(~seen, 9.0)
    if torch.allclose(call.uncompared(memory=memory)[0], call.result[0], atol=1e-4):
        return None
    return (
        "The stream changes with what stands at the padding of the memory. Does cross-attention "
        "get `memory_allowed`?"
    )


def _reads_memory(call: Call) -> str | None:
    if torch.allclose(call.uncompared(memory=call.memory + 1)[0], call.result[0], atol=1e-6):
        return "The stream does not depend on the memory: where is the cross-attention?"
    return None


def _weights_sum(call: Call) -> str | None:
    sums = call.result[1].sum(-1)
    if torch.allclose(sums, torch.ones_like(sums), atol=1e-4):
        return None
    return f"The weights of a query sum to {float(sums.flatten()[0].detach()):.2f}, not to 1."


_ADDED = "What each part finds is added to the stream as it is"
PARTS: dict[str, dict[str, Any]] = {
    "add": {
        f"{_ADDED}, not to its normalized copy: x + …, not norm(x) + …": (
            lambda layer, x, normed, found, n: normed + layer.dropout(found)
        ),
        "Nothing is added: each part's result replaces the stream. It is x + …": (
            lambda layer, x, normed, found, n: layer.dropout(found)
        ),
        "The dropout is missing: it is applied to what each part returns, before it is added.": (
            lambda layer, x, normed, found, n: x + found
        ),
        "The dropout is applied to the sum. It is applied to what a part returns, before that is "
        "added.": lambda layer, x, normed, found, n: layer.dropout(x + found),
        "The dropout of the feed-forward part is missing.": (
            lambda layer, x, normed, found, n: x + (found if n == 2 else layer.dropout(found))
        ),
        "The dropout of the two attentions is missing.": (
            lambda layer, x, normed, found, n: x + (layer.dropout(found) if n == 2 else found)
        ),
        "The dropout of the cross-attention is missing.": (
            lambda layer, x, normed, found, n: x + (found if n == 1 else layer.dropout(found))
        ),
        "The dropout of the self-attention is missing.": (
            lambda layer, x, normed, found, n: x + (found if n == 0 else layer.dropout(found))
        ),
        "The result of the feed-forward part replaces the stream. It is added to it.": (
            lambda layer, x, normed, found, n: (
                layer.dropout(found) if n == 2 else x + layer.dropout(found)
            )
        ),
        "The result of the cross-attention replaces the stream. It is added to it.": (
            lambda layer, x, normed, found, n: (
                layer.dropout(found) if n == 1 else x + layer.dropout(found)
            )
        ),
        "The result of the self-attention replaces the stream. It is added to it.": (
            lambda layer, x, normed, found, n: (
                layer.dropout(found) if n == 0 else x + layer.dropout(found)
            )
        ),
    },
    "norms": {
        "All three parts read through norm1. Each has a norm of its own.": ("norm1",) * 3,
        "There is no norm: each part reads the normalized stream.": ("", "", ""),
        "The self-attention reads the stream without its norm.": ("", "norm2", "norm3"),
        "What asks in the cross-attention is not normalized: norm2 comes before it.": (
            "norm1",
            "",
            "norm3",
        ),
        "The feed-forward network reads the stream without its norm.": ("norm1", "norm2", ""),
        "norm2 and norm3 are exchanged: norm2 belongs to the cross-attention.": (
            "norm1",
            "norm3",
            "norm2",
        ),
        "norm1 and norm2 are exchanged: norm1 belongs to the self-attention.": (
            "norm2",
            "norm1",
            "norm3",
        ),
    },
    "attend": {
        "In the self-attention only what asks is normalized: what is asked is the same, "
        "norm1(x).": lambda layer, n, raw, a, m, ma: layer.self_attn(n, raw, a),
        "In the self-attention only what is asked is normalized: what asks is the same, "
        "norm1(x).": lambda layer, n, raw, a, m, ma: layer.self_attn(raw, n, a),
        "The self-attention sees everything, the future too: it gets `allowed`.": (
            lambda layer, n, raw, a, m, ma: layer.self_attn(n, n, torch.ones_like(a))
        ),
        "The mask of the self-attention is the wrong way round: True = may be attended.": (
            lambda layer, n, raw, a, m, ma: layer.self_attn(n, n, ~a)
        ),
        "The mask of the self-attention is transposed: the future is seen, the past is not.": (
            lambda layer, n, raw, a, m, ma: layer.self_attn(n, n, a.transpose(1, 2))
        ),
        "The self-attention gets the mask of the memory: it gets `allowed`.": (
            lambda layer, n, raw, a, m, ma: layer.self_attn(n, n, ma)
        ),
        "self_attn returns contexts and weights, and both go into the dropout here: take [0].": (
            lambda layer, n, raw, a, m, ma: (layer.self_attn(n, n, a), None)
        ),
        "The self-attention is made with the parts of the cross-attention.": (
            lambda layer, n, raw, a, m, ma: layer.cross_attn(n, n, a)
        ),
        "The self-attention looks at the memory. It looks at the target itself.": (
            lambda layer, n, raw, a, m, ma: layer.self_attn(n, m, ma)
        ),
    },
    "cross": {
        "The memory is normalized once more. It comes normalized out of the encoder.": (
            lambda layer, n, raw, a, m, ma: layer.cross_attn(n, layer.norm2(m), ma)
        ),
        "The cross-attention sees the padding of the memory: it gets `memory_allowed`.": (
            lambda layer, n, raw, a, m, ma: layer.cross_attn(n, m, torch.ones_like(ma))
        ),
        "The mask of the cross-attention is the wrong way round: True = may be attended.": (
            lambda layer, n, raw, a, m, ma: layer.cross_attn(n, m, ~ma)
        ),
        "The cross-attention gets the mask of the target: it gets `memory_allowed`.": (
            lambda layer, n, raw, a, m, ma: layer.cross_attn(n, m, a)
        ),
        "In the cross-attention the memory asks. The target asks, and comes first.": (
            lambda layer, n, raw, a, m, ma: layer.cross_attn(m, n, ma)
        ),
        "The cross-attention looks at memory and target together. It looks at the memory alone.": (
            _beside_memory
        ),
        "The cross-attention is made with the parts of the self-attention.": (
            lambda layer, n, raw, a, m, ma: layer.self_attn(n, m, ma)
        ),
        "The cross-attention looks at the target itself. It looks at the memory.": (
            lambda layer, n, raw, a, m, ma: layer.cross_attn(n, n, a)
        ),
    },
    "forward": {
        "The feed-forward network is missing.": lambda layer, n, raw: torch.zeros_like(n),
    },
    "parts": {
        "The cross-attention comes before the self-attention.": ("cross", "self", "forward"),
        "The feed-forward network comes before the cross-attention.": ("self", "forward", "cross"),
        "The feed-forward network comes first.": ("forward", "self", "cross"),
    },
    "weights": {
        "These are the weights of the self-attention. Those of the cross-attention are asked "
        "for.": lambda own, across: own,
        "The weights are averaged over the heads: each head's are asked for.": (
            lambda own, across: across.mean(1)
        ),
        "The weights that come back have gone through the dropout. Only what is added does.": (
            lambda own, across: across / 2
        ),
    },
    "out": {
        "Only the stream comes back: the weights of the cross-attention are asked for as well.": (
            lambda layer, x, weights: x
        ),
        "The two are exchanged: the stream comes first, then the weights.": (
            lambda layer, x, weights: (weights, x)
        ),
        "The stream is normalized at the end. In pre-norm that is done once, behind the last "
        "layer.": lambda layer, x, weights: (layer.norm3(x), weights),
        "The stream is normalized at the end, by norm1. In pre-norm that is done once, behind the "
        "last layer.": lambda layer, x, weights: (layer.norm1(x), weights),
    },
}


CHECK = Exercise(
    "decoder_forward",
    reference=decoder_forward,
    inputs=_layers,
    rules={
        "the same call gives the same stream": repeats(
            "the only dropout is layer.dropout, which leaves all as it is once training is over."
        ),
        "every weight lies between 0 and 1": are_weights(1),
        "the weights of a query sum to 1": _weights_sum,
        "no position sees a later one": _no_future,
        "the padding of the memory does not matter": _padding_free,
        "the stream depends on the memory": _reads_memory,
        "the weights are those of the cross-attention": agrees(
            "sentence", "head", "query", "word", part=1
        ),
        "three results were added to the stream": agrees("sentence", "position", "feature", part=0),
    },
    mistakes=[
        (
            "This is post-norm: the norm stands behind the addition. Here each part reads the "
            "normalized stream, x + part(norm(x)).",
            _post_norm,
        ),
        (
            "The norms stand behind the parts. Each part reads the normalized stream, and what it "
            "finds is added as it is.",
            _norm_after_part,
        ),
        (
            "All three parts read the stream that came in. Each reads it as the part before has "
            "left it.",
            _together,
        ),
        (
            "The cross-attention asks with the copy that norm1 made. It asks with norm2 of the "
            "stream as the self-attention has left it.",
            _stale,
        ),
        (
            "What the self-attention found is lost: the cross-attention's result is added to the "
            "stream that came in.",
            _lost_self,
        ),
        (
            "The two masks are exchanged: `allowed` is for the self-attention, `memory_allowed` "
            "for the cross-attention.",
            plain(
                _variant,
                attend=lambda layer, n, raw, a, m, ma: layer.self_attn(n, n, ma),
                cross=lambda layer, n, raw, a, m, ma: layer.cross_attn(n, m, a),
            ),
        ),
        (
            "The dropout is applied to what a part reads. It is applied to what the part returns.",
            plain(
                _variant,
                attend=lambda layer, n, raw, a, m, ma: layer.self_attn(
                    layer.dropout(n), layer.dropout(n), a
                ),
                cross=lambda layer, n, raw, a, m, ma: layer.cross_attn(layer.dropout(n), m, ma),
                forward=lambda layer, n, raw: layer.feed_forward(layer.dropout(n)),
                add=lambda layer, x, normed, found, n: x + found,
            ),
        ),
        *(
            (told, plain(_variant, **{part: other}))
            for part, others in PARTS.items()
            for told, other in others.items()
        ),
    ],
)
