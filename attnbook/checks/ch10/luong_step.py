"""Exercise 10.3: ``luong_step``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.shared import (
    Inputs,
    agrees,
    are_weights,
    first_for_all,
    normal,
    plain,
    relatives,
    same,
)
from attnbook.exercises import Call, Exercise


def luong_step(
    word: Tensor,
    state: Tensor,
    keys: Tensor,
    mask: Tensor,
    cell: Callable[[Tensor, Tensor], Tensor],
    W_a: Tensor,
    W_c: Tensor,
) -> Any:
    """One step of Luong's decoder → s̃_t (B, O), s_t (B, H), weights (B, S)."""
    state = cell(word, state)
    scores = ((state @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    context = (weights.unsqueeze(1) @ keys).squeeze(1)
    return torch.tanh(torch.cat([context, state], -1) @ W_c.T), state, weights


def _cell(word: Tensor, state: Tensor) -> Tensor:
    """Mixes all of the word into every unit, the later numbers more."""
    ramp = torch.linspace(0.1, 1.0, word.shape[-1], dtype=word.dtype)
    units = torch.linspace(1.0, 0.5, state.shape[-1], dtype=state.dtype)
    return torch.tanh(0.5 * state + 0.7 * units * (word * ramp).sum(-1, keepdim=True))


def _decoders() -> Inputs:
    sizes = [(1, 2, 2, 2, 2, 2), (2, 3, 3, 3, 3, 3), (2, 4, 2, 5, 3, 4), (3, 5, 4, 2, 6, 3)]
    for seed, (batch, length, of_word, of_state, of_keys, of_output) in enumerate(sizes):
        make = normal(80 + seed)
        yield {
            "word": make(batch, of_word),
            "state": make(batch, of_state),
            "keys": make(batch, length, of_keys).requires_grad_(seed == 2),
            "mask": torch.arange(length)
            < torch.tensor([[length - (batch > 1)], [length], [1]])[:batch],
            "cell": _cell,
            "W_a": make(of_state, of_keys),
            "W_c": make(of_output, of_keys + of_state),
        }


# The reference, and what stands in the place of its parts ----------------------------------------


def _general(asks: Tensor, keys: Tensor, W_a: Tensor) -> Tensor:
    return torch.bmm(keys, (asks @ W_a).unsqueeze(2)).squeeze(2)


def _dot(asks: Tensor, keys: Tensor) -> Tensor:
    width = min(asks.shape[-1], keys.shape[-1])
    return torch.einsum("bh,bsh->bs", asks[:, :width], keys[..., :width])


def _fit(turned: Tensor, like: Tensor) -> Tensor:
    """What would be an error where the sizes differ is zeros there."""
    return turned if turned.shape == like.shape else torch.zeros_like(like)


def _masked(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -torch.inf).softmax(-1)


def _late(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.softmax(-1) * mask


def _mixed(weights: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
    return torch.bmm(weights.unsqueeze(1), keys).squeeze(1)


def _mean(weights: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
    real = mask.to(keys)
    return _mixed(real / real.sum(1, keepdim=True), keys, mask)


def _c_first(context: Tensor, new: Tensor, old: Tensor) -> Tensor:
    return torch.cat([context, new], -1)


def _luong(
    word: Tensor,
    state: Tensor,
    keys: Tensor,
    mask: Tensor,
    cell: Callable[[Tensor, Tensor], Tensor],
    W_a: Tensor,
    W_c: Tensor,
    *,
    old: Callable[[Tensor], Tensor] = same,
    asks: Callable[[Tensor, Tensor], Tensor] = lambda new, old: new,
    score: Callable[[Tensor, Tensor, Tensor], Tensor] = _general,
    weigh: Callable[[Tensor, Tensor], Tensor] = _masked,
    mix: Callable[[Tensor, Tensor, Tensor], Tensor] = _mixed,
    join: Callable[[Tensor, Tensor, Tensor], Tensor] = _c_first,
    bend: Callable[[Tensor], Tensor] = torch.tanh,
    out: Callable[..., Any] = lambda found, new, weights, *rest: (found, new, weights),
) -> Any:
    """A step of Luong's decoder (2015, Eqs. 5 to 8), and what it is with one part wrong."""
    new = cell(word, old(state))
    weights = weigh(score(asks(new, state), keys, W_a), mask)
    context = mix(weights, keys, mask)
    found = bend(join(context, new, state) @ W_c.T)
    return out(found, new, weights, context, state)


def _joined_with(other: Callable[..., Tensor]) -> Callable[..., Any]:
    """Something else than the new state is joined with the context."""

    def wrong(word, state, keys, mask, cell, W_a, W_c):  # type: ignore[no-untyped-def]
        def join(context: Tensor, new: Tensor, old: Tensor) -> Tensor:
            return torch.cat([context, other(word, new, cell)], -1)

        return _luong(word, state, keys, mask, cell, W_a, W_c, join=join)

    return wrong


def _turned_cell(word, state, keys, mask, cell, W_a, W_c):  # type: ignore[no-untyped-def]
    return _luong(word, state, keys, mask, lambda x, s: cell(s, x), W_a, W_c)


TURNED = (
    "The mask is the wrong way round: it marks the real words, and masked_fill fills what its "
    "mask marks."
)


# Rules --------------------------------------------------------------------------------------------


def _padding_free(call: Call) -> str | None:
    keys = call.keys.masked_fill(~call.mask.unsqueeze(-1), 9.0)
    if torch.allclose(call(keys=keys)[0], call.result[0], atol=1e-5):
        return None
    return "The output changes with what stands at padding: padded positions must get weight 0."


def _shares(call: Call) -> str | None:
    sums = call.result[2].sum(-1)
    if torch.allclose(sums, torch.ones_like(sums), atol=1e-4):
        return None
    return (
        f"The weights of a sentence sum to {float(sums.flatten()[0]):.2f}, not to 1: the mask "
        "belongs before the softmax, and the softmax runs over the source positions."
    )


def _asks_after(call: Call) -> str | None:
    weights = call(word=call.word + 1)[2]
    if call.mask.sum(-1).max() == 1 or not torch.allclose(weights, call.result[2]):
        return None
    return (
        "The weights do not change with the word. Luong asks with the state from *after* the "
        "recurrent step, which has read that word."
    )


def _bounded(call: Call) -> str | None:
    if bool((call.result[0].abs() <= 1).all()):
        return None
    return f"s̃ goes up to {float(call.result[0].abs().max()):.2f}: what follows W_c [c ; s]?"


CHECK = Exercise(
    "luong_step",
    reference=luong_step,
    inputs=_decoders,
    rules={
        "every weight lies between 0 and 1": are_weights(2),
        "the weights of a sentence sum to 1": _shares,
        "the weights depend on the word that is fed": _asks_after,
        "padding does not matter": _padding_free,
        "s̃ lies between −1 and 1": _bounded,
        "the state is the cell's": agrees("sentence", "unit", part=1),
        "the weights are a softmax of the general score": agrees("sentence", "position", part=2),
        "s̃ is tanh(W_c [c ; s])": agrees("sentence", "unit", part=0),
    },
    mistakes=[
        (TURNED, plain(_luong, weigh=lambda scores, mask: (
            scores.masked_fill(mask, -torch.inf).softmax(-1)))),
        ("The word is joined with the context. What belongs there is the new state, which "
                "has read the word.", _joined_with(lambda word, new, cell: word)),
        ("The cell is called a second time for s̃. One step makes one new state, which asks "
                "and is joined with the context.",
                _joined_with(lambda word, new, cell: cell(word, new))),
        ("Word and state have changed places in the call of the cell: cell(word, state).",
                _turned_cell),
        *relatives(
            _luong,
            asks={
                "The *old* state asks: that is Bahdanau's order. Luong takes the recurrent step "
                "first and asks with the new state.": lambda new, old: old,
                "The state of the first sentence asks for every sentence.":
                    lambda new, old: first_for_all(new),
            },
            old={
                "The cell starts from zeros. It goes on from the state that is given.":
                    torch.zeros_like,
            },
            score={
                "W_a has no effect on the weights: that is the dot score. The general score is "
                "s W_a h.": lambda asks, keys, W_a: _dot(asks, keys),
                "W_a is turned: it stands between s on its left and h on its right, so that row "
                "i of W_a meets number i of the *state*.":
                    lambda asks, keys, W_a: _general(asks, keys, _fit(W_a.T, W_a)),
                "The scores are divided by √d. That is the scaled score; Luong's general score has "
                "no such factor.":
                    lambda asks, keys, W_a: _general(asks, keys, W_a) / keys.shape[-1] ** 0.5,
            },
            weigh={
                "Padding gets weight here. Was the mask forgotten?":
                    lambda scores, mask: scores.softmax(-1),
                "The mask is applied after the softmax, so padding has taken its share and the "
                "weights sum to less than 1. Before the softmax, with −∞.": _late,
                "The mask is applied after the softmax and the weights are not divided by their "
                "sum again, and it is the wrong way round: True marks a *real* word.":
                    lambda scores, mask: scores.softmax(-1) * ~mask,
                TURNED: lambda scores, mask: scores.masked_fill(mask, -1e9).softmax(-1),
                "A padded position gets the score 0, and e⁰ is 1: it still has weight. −∞ gives "
                "weight 0.": lambda scores, mask: (scores * mask).softmax(-1),
                "The softmax runs over the batch. The weights of one sentence sum to 1: dim=-1.":
                    lambda scores, mask: scores.masked_fill(~mask, -1e9).softmax(0),
                "The key with the highest score gets all the weight. Each gets its share: softmax.":
                    lambda scores, mask: torch.eye(scores.shape[1], dtype=scores.dtype)[
                        scores.masked_fill(~mask, -torch.inf).argmax(1)
                    ],
                "A second softmax was taken.": lambda scores, mask: scores.masked_fill(
                    ~mask, -torch.inf
                ).softmax(-1).softmax(-1),
                "The scores are weights without a softmax.": lambda scores, mask: scores * mask,
            },
            mix={
                "The context is the plain mean of the real keys: every key counts as much as its "
                "weight.": _mean,
                "The context is the plain mean of all keys, padding included: every key counts as "
                "much as its weight.": lambda weights, keys, mask: keys.mean(1),
                "The keys are added up without their weights.":
                    lambda weights, keys, mask: (keys * mask.unsqueeze(-1)).sum(1),
                "Only the key with the largest weight is taken. The context is a sum of all, each "
                "times its weight.":
                    lambda weights, keys, mask: keys[torch.arange(len(keys)), weights.argmax(1)],
            },
            join={
                "squeeze() takes away every dimension of size 1, the batch of one sentence too: "
                "squeeze(1) takes the one that is meant.":
                    lambda context, new, old: torch.cat([context.squeeze(), new], -1),
                "[s ; c] instead of [c ; s]: the left columns of W_c belong to the context.":
                    lambda context, new, old: torch.cat([new, context], -1),
                "The *old* state is joined with the context. The new one is what has read the "
                "word.": lambda context, new, old: torch.cat([context, old], -1),
                "The context has no effect on s̃: zeros stand in its place.":
                    lambda context, new, old: torch.cat([torch.zeros_like(context), new], -1),
                "The state has no effect on s̃: zeros stand in its place.":
                    lambda context, new, old: torch.cat([context, torch.zeros_like(new)], -1),
            },
            bend={
                "The tanh is missing.": same,
                "A sigmoid stands where tanh belongs.": torch.sigmoid,
                "relu stands where tanh belongs.": torch.relu,
                "There is a softmax where tanh belongs. (The softmax over the vocabulary comes "
                "later, behind another matrix.)": lambda x: x.softmax(-1),
            },
            out={
                "The old state comes back: the next step goes on from the new one.":
                    lambda found, new, weights, context, state: (found, state, weights),
                "s̃ comes back as the state. Luong feeds s̃ on as an *input* at most; the cell's own "
                "state goes on.": lambda found, new, weights, *rest: (found, found, weights),
                "The context comes back where s̃ is asked for.":
                    lambda found, new, weights, context, state: (context, new, weights),
                "The order is another: s̃ first, then the state, then the weights.":
                    lambda found, new, weights, *rest: (new, found, weights),
                "The order is another: first s̃, then the new state, then the weights.":
                    lambda found, new, weights, *rest: (found, weights, new),
                "The weights still have a dimension 1, of the one query: squeeze(1).":
                    lambda found, new, weights, *rest: (found, new, weights.unsqueeze(1)),
                "The context comes back where the weights belong.":
                    lambda found, new, weights, context, state: (found, new, context),
                "The weights are missing: three things are asked for.":
                    lambda found, new, weights, *rest: (found, new),
            },
        ),
    ],
)  # fmt: skip
