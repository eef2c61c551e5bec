"""Checks of chapter 11: from attention to the Transformer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from ..masking import masked_softmax
from .spec import Call, Exercise, Mistake

Inputs = Iterator[dict[str, Any]]


def _random(seed: int) -> Callable[..., Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return lambda *size: torch.randn(*size, generator=generator)


# 11.1 --------------------------------------------------------------------------------------------


def _angles(length: int, size: int, base: float = 10000.0, step: int = 1) -> Tensor:
    speeds = base ** (-torch.arange(0, size, 2) * step / size)
    return torch.arange(length).unsqueeze(1) * speeds  # (length, size / 2)


def _all(length: int, size: int) -> Tensor:
    """An angle of its own for every column, where two should share one."""
    return torch.arange(length).unsqueeze(1) * 10000.0 ** (-torch.arange(size) / size)


def _interleaved(even: Tensor, odd: Tensor) -> Tensor:
    return torch.stack([even, odd], dim=-1).flatten(1)


def _tables() -> Inputs:
    yield {"length": 2, "size": 2}
    yield {"length": 3, "size": 4}
    yield {"length": 11, "size": 8}


def _first_row(call: Call) -> str | None:
    row = [round(x, 3) for x in call.result[0].tolist()]
    if row == [0.0, 1.0] * (call.size // 2):
        return None
    return (
        f"Position 0 is {row}. Every hand of the clock starts at angle 0: "
        "what are sin 0 and cos 0, and which columns do they belong to?"
    )


POSITION_TABLE = Exercise(
    "position_table",
    reference=lambda length, size: _interleaved(
        _angles(length, size).sin(), _angles(length, size).cos()
    ),
    inputs=_tables,
    rules={
        "position 0 has sin 0 in the even columns and cos 0 in the odd": _first_row,
        "all numbers lie between -1 and 1": lambda call: bool((call.result.abs() <= 1.0001).all()),
    },
    mistakes=[
        Mistake(
            "The sines fill the left half and the cosines the right: here they take turns, sine in "
            "the even columns, cosine in the odd ones.",
            lambda length, size: torch.cat(
                [_angles(length, size).sin(), _angles(length, size).cos()], dim=1
            ),
        ),
        Mistake(
            "Sine and cosine have changed places: the even columns are the sines.",
            lambda length, size: _interleaved(
                _angles(length, size).cos(), _angles(length, size).sin()
            ),
        ),
        Mistake(
            "The first position is 1 here: positions count from 0.",
            lambda length, size: _interleaved(
                _angles(length + 1, size)[1:].sin(), _angles(length + 1, size)[1:].cos()
            ),
        ),
        Mistake(
            "The speeds fall too fast: the exponent has been doubled. arange(0, size, 2) is 2i "
            "already.",
            lambda length, size: _interleaved(
                _angles(length, size, step=2).sin(), _angles(length, size, step=2).cos()
            ),
        ),
        Mistake(
            "The two columns of a pair turn at different speeds: columns 2i and 2i + 1 share the "
            "exponent 2i / size.",
            lambda length, size: torch.where(
                torch.arange(size) % 2 == 0, _all(length, size).sin(), _all(length, size).cos()
            ),
        ),
        Mistake(
            "Later columns turn faster here: the angle is t divided by 10000^(2i/size), not "
            "multiplied.",
            lambda length, size: _interleaved(
                _angles(length, size, base=1e-4).sin(), _angles(length, size, base=1e-4).cos()
            ),
        ),
    ],
    tolerance=1e-3,
)


# 11.2 --------------------------------------------------------------------------------------------


def _multi_head(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    allowed: Tensor,
    heads: int,
    *,
    root: int | None = None,
    split: Callable[[Tensor, int], Tensor] | None = None,
    merge: Callable[[Tensor], Tensor] | None = None,
    masked: bool = True,
) -> tuple[Tensor, Tensor]:
    """Multi-head attention (Vaswani et al. 2017, §3.2.2), and what it is with one part wrong."""
    cut = split or (lambda x, h: x.unflatten(-1, (h, -1)).transpose(1, 2))
    q, k, v = (cut(x, heads) for x in (query, keys, values))
    scores = q @ k.transpose(-2, -1) / math.sqrt(root or q.shape[-1])
    weights = masked_softmax(scores, allowed.unsqueeze(-3) if masked else None)
    context = weights @ v
    return (merge or (lambda x: x.transpose(1, 2).flatten(-2)))(context), weights


def _for_heads() -> Inputs:
    make = _random(2)
    everything = torch.ones(1, 1, 2, dtype=torch.bool)
    yield {
        "query": torch.tensor([[[1.0, 0.0, 0.0, 2.0]]]),
        "keys": torch.tensor([[[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]]),
        "values": torch.tensor([[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]),
        "allowed": everything,
        "heads": 2,
    }
    allowed = torch.tensor([[True] * 5, [True] * 3 + [False] * 2]).unsqueeze(1)
    sizes = (make(2, 3, 6), make(2, 5, 6), make(2, 5, 6))
    yield {**dict(zip(("query", "keys", "values"), sizes)), "allowed": allowed, "heads": 3}
    x = make(2, 4, 8)
    past = torch.ones(1, 4, 4, dtype=torch.bool).tril()
    yield {"query": x, "keys": make(2, 4, 8), "values": make(2, 4, 8), "allowed": past, "heads": 2}


def _rows_sum_to_one(call: Call) -> str | None:
    sums = call.result[1].sum(-1)
    if torch.allclose(sums, torch.ones_like(sums), atol=1e-4):
        return None
    return (
        f"A row of weights sums to {sums.flatten()[0]:.3f}: softmax runs over the keys, and once."
    )


def _forbidden_are_zero(call: Call) -> str | None:
    barred = ~call.allowed.unsqueeze(-3).expand_as(call.result[1])
    worst = float(call.result[1][barred].abs().max()) if barred.any() else 0.0
    if worst == 0:
        return None
    return (
        f"A position that may not be attended has weight {worst:.3f}: is the mask applied before "
        "the softmax, in every head?"
    )


def _own_slice(call: Call) -> str | None:
    """Head 1 may use the first slice alone."""
    width = call.query.shape[-1] // call.heads
    other = call.query.clone()
    other[..., width:] += 1.0
    if torch.allclose(call(query=other)[1][:, 0], call.result[1][:, 0], atol=1e-5):
        return None
    return (
        f"The weights of the first head changed when only features {width} and up of the query "
        f"did. Head 1 reads features 0 to {width - 1}: which features does your split give it?"
    )


MULTI_HEAD = Exercise(
    "multi_head",
    reference=lambda query, keys, values, allowed, heads: _multi_head(
        query, keys, values, allowed, heads
    ),
    inputs=_for_heads,
    rules={
        "each row of weights sums to 1": _rows_sum_to_one,
        "a position that is not allowed has weight 0": _forbidden_are_zero,
        "a head reads its own slice of neighbouring features": _own_slice,
    },
    mistakes=[
        Mistake(
            "The scores were divided by the root of D, the size of all heads together: each head's "
            "products have only D / heads terms.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query, keys, values, allowed, heads, root=query.shape[-1]
            ),
        ),
        Mistake(
            "The scores were not divided by a root at all.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query, keys, values, allowed, heads, root=1
            ),
        ),
        Mistake(
            "The mask was not used: a position that may not be attended has weight.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query, keys, values, allowed, heads, masked=False
            ),
        ),
        Mistake(
            "Heads and features are mixed up in the split: neighbouring features belong to one "
            "head, so unflatten to (heads, D / heads), in this order.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query,
                keys,
                values,
                allowed,
                heads,
                split=lambda x, h: x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2),
            ),
        ),
        Mistake(
            "The heads come back in the wrong order: the contexts hold the right numbers, one "
            "feature of each head in turn. Put whole heads side by side.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query,
                keys,
                values,
                allowed,
                heads,
                merge=lambda x: x.permute(0, 2, 3, 1).flatten(-2),
            ),
        ),
        Mistake(
            "The split went through reshape without a transposition: it cuts the sentence into "
            "pieces, not the features into slices. Unflatten the last dimension, then transpose.",
            lambda query, keys, values, allowed, heads: _multi_head(
                query,
                keys,
                values,
                allowed,
                heads,
                split=lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1),
            ),
        ),
    ],
)


# 11.3 --------------------------------------------------------------------------------------------


def _past(real: Tensor, diagonal: int = 0) -> Tensor:
    steps = real.shape[1]
    return torch.ones(steps, steps, dtype=torch.bool, device=real.device).tril(diagonal)


def _real() -> Inputs:
    yield {"real": torch.tensor([[True, True]])}
    yield {"real": torch.tensor([[True, True, True], [True, False, False]])}
    yield {"real": torch.tensor([[True] * 5, [True] * 3 + [False] * 2, [True] + [False] * 4])}


DECODER_MASK = Exercise(
    "decoder_mask",
    reference=lambda real: real.unsqueeze(1) & _past(real),
    inputs=_real,
    rules={
        "the first position sees itself": lambda call: (
            None
            if bool(call.result[:, 0, 0].all())
            else "The first position may attend to nothing, not even to itself. With what would "
            "it start?"
        ),
    },
    mistakes=[
        Mistake(
            "This is the other way round: True marks what may be attended, and here it marks what "
            "may not.",
            lambda real: ~(real.unsqueeze(1) & _past(real)),
        ),
        Mistake(
            "Every position sees the words *after* it: rows are t, columns j, and j ≤ t is on and "
            "below the diagonal.",
            lambda real: real.unsqueeze(1) & _past(real).T,
        ),
        Mistake(
            "The diagonal is missing: position t may attend to itself, it is the last word read.",
            lambda real: real.unsqueeze(1) & _past(real, -1),
        ),
        Mistake(
            "Padding may be attended: the future is hidden, the padding is not.",
            lambda real: _past(real).unsqueeze(0).expand(len(real), -1, -1),
        ),
        Mistake(
            "The padding is hidden, the future is not.",
            lambda real: real.unsqueeze(1).expand(-1, real.shape[1], -1),
        ),
        Mistake(
            "The padding was taken out of the rows, not of the columns: the question is which "
            "positions may be *looked at*, and those are the columns j.",
            lambda real: real.unsqueeze(2) & _past(real),
        ),
    ],
)


# 11.4 --------------------------------------------------------------------------------------------


def _cached(
    query: Tensor, key: Tensor, value: Tensor, past_keys: Tensor, past_values: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    keys, values = torch.cat([past_keys, key], dim=1), torch.cat([past_values, value], dim=1)
    scores = query @ keys.transpose(1, 2) / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values


def _steps() -> Inputs:
    for seed, past, batch in ((3, 1, 1), (4, 0, 2), (5, 4, 2)):
        make = _random(seed)
        yield {
            "query": make(batch, 1, 4),
            "key": make(batch, 1, 4),
            "value": make(batch, 1, 4),
            "past_keys": make(batch, past, 4),
            "past_values": make(batch, past, 4),
        }


def _sees_itself(call: Call) -> str | None:
    moved = call(value=call.value + 1)[0] - call.result[0]
    if bool((moved.abs() > 1e-6).any()):
        return None
    return "The new word's own value does not reach its context: it attends to itself too."


def _wrong(make: Callable[..., Tensor], **order: bool) -> Callable[..., tuple[Tensor, ...]]:
    """The right caches with another context."""

    def answer(query, key, value, past_keys, past_values):  # type: ignore[no-untyped-def]
        _, keys, values = _cached(query, key, value, past_keys, past_values)
        return make(query, keys, values), keys, values

    return answer


CACHED_STEP = Exercise(
    "cached_step",
    reference=_cached,
    inputs=_steps,
    rules={
        "the tables grow by one row": lambda call: (
            None
            if call.result[1].shape[1] == call.past_keys.shape[1] + 1
            else f"The table of keys has {call.result[1].shape[1]} rows after a step; it had "
            f"{call.past_keys.shape[1]} before."
        ),
        "the new word attends to itself": _sees_itself,
    },
    mistakes=[
        Mistake(
            "The scores were not divided by √d.",
            _wrong(lambda q, k, v: (q @ k.transpose(1, 2)).softmax(-1) @ v),
        ),
        Mistake(
            "The new word stands at the front of the table: the past comes first, it is the last "
            "row.",
            lambda query, key, value, past_keys, past_values: (
                _cached(query, key, value, past_keys, past_values)[0],
                torch.cat([key, past_keys], dim=1),
                torch.cat([value, past_values], dim=1),
            ),
        ),
        Mistake(
            "The context is a mixture of the keys: the weights come from the keys, what they mix "
            "are the values.",
            _wrong(
                lambda q, k, v: (q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])).softmax(-1) @ k
            ),
        ),
        Mistake(
            "These are the scores of the values: a query is compared with keys.",
            _wrong(
                lambda q, k, v: (q @ v.transpose(1, 2) / math.sqrt(q.shape[-1])).softmax(-1) @ v
            ),
        ),
        Mistake(
            "All words weigh the same here: where is the query?",
            _wrong(lambda q, k, v: v.mean(1, keepdim=True)),
        ),
    ],
)
