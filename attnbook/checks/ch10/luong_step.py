"""Exercise 10.3: ``luong_step``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import one_hot

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


# Ways to get it wrong -----------------------------------------------------------------------------


def _general(asks: Tensor, keys: Tensor, W_a: Tensor) -> Tensor:
    return ((asks @ W_a).unsqueeze(1) @ keys.transpose(1, 2)).squeeze(1)


def _dot(asks: Tensor, keys: Tensor, W_a: Tensor) -> Tensor:
    width = min(asks.shape[-1], keys.shape[-1])
    return _general(asks[:, :width], keys[..., :width], torch.eye(width, dtype=keys.dtype))


def _turned(asks: Tensor, keys: Tensor, W_a: Tensor) -> Tensor:
    """Where the sizes differ, and this is an error, the scores are 0."""
    return _general(asks, keys, W_a.T if W_a.T.shape == W_a.shape else torch.zeros_like(W_a))


def _filled(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -torch.inf)


def _mixed(weights: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
    return (weights.unsqueeze(1) @ keys).squeeze(1)


def _mean(weights: Tensor, keys: Tensor, mask: Tensor) -> Tensor:
    return _mixed(mask / mask.sum(1, keepdim=True).to(keys), keys, mask)


def _luong(
    word: Tensor,
    state: Tensor,
    keys: Tensor,
    mask: Tensor,
    cell: Any,
    W_a: Tensor,
    W_c: Tensor,
    *,
    step: Any = lambda word, state, cell: cell(word, state),
    asks: Any = lambda new, old: new,
    score: Any = _general,
    weigh: Any = lambda scores, mask: _filled(scores, mask).softmax(-1),
    mix: Any = _mixed,
    joined: Any = lambda context, new, old, word, cell: (context, new),
    bend: Any = torch.tanh,
    out: Any = lambda found, new, weights, context, old: (found, new, weights),
) -> Any:
    """A step of Luong's decoder, of which one part may be another."""
    new = step(word, state, cell)
    weights = weigh(score(asks(new, state), keys, W_a), mask)
    context = mix(weights, keys, mask)
    found = bend(torch.cat(joined(context, new, state, word, cell), -1) @ W_c.T)
    return out(found, new, weights, context, state)


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
        *(
            (TURNED, plain(_luong, weigh=weigh))
            for weigh in (
                lambda e, m: e.masked_fill(m, -torch.inf).softmax(-1),
                lambda e, m: e.masked_fill(m, -1e9).softmax(-1),
            )
        ),
        *relatives(
            _luong,
            joined={
                "The word is joined with the context. What belongs there is the new state, which "
                "has read the word.": lambda c, s, old, word, cell: (c, word),
                "The cell is called a second time for s̃. One step makes one new state, which asks "
                "and is joined with the context.": lambda c, s, old, word, cell: (c, cell(word, s)),
                "squeeze() takes away every dimension of size 1, the batch of one sentence too: "
                "squeeze(1) takes the one that is "
                "meant.": lambda c, s, old, word, cell: (c.squeeze(), s),
                "[s ; c] instead of [c ; s]: the left columns of W_c belong to the "
                "context.": lambda c, s, *rest: (s, c),
                "The *old* state is joined with the context. The new one is what has read the "
                "word.": lambda c, s, old, word, cell: (c, old),
                "The context has no effect on s̃: zeros stand in its place.": lambda c, s, *rest: (
                    torch.zeros_like(c),
                    s,
                ),
                "The state has no effect on s̃: zeros stand in its place.": lambda c, s, *rest: (
                    c,
                    torch.zeros_like(s),
                ),
            },
            step={
                "Word and state have changed places in the call of the cell: cell(word, "
                "state).": lambda word, state, cell: cell(state, word),
                "The cell starts from zeros. It goes on from the state that is "
                "given.": lambda word, state, cell: cell(word, torch.zeros_like(state)),
            },
            asks={
                "The *old* state asks: that is Bahdanau's order. Luong takes the recurrent step "
                "first and asks with the new state.": lambda s, old: old,
                "The state of the first sentence asks for every sentence.": lambda s, old: (
                    first_for_all(s)
                ),
            },
            score={
                "W_a has no effect on the weights: that is the dot score. The general score is "
                "s W_a h.": _dot,
                "W_a is turned: it stands between s on its left and h on its right, so that row "
                "i of W_a meets number i of the *state*.": _turned,
                "The scores are divided by √d. That is the scaled score; Luong's general score has "
                "no such factor.": lambda s, h, W: _general(s, h, W) / h.shape[-1] ** 0.5,
            },
            weigh={
                "Padding gets weight here. Was the mask forgotten?": lambda e, m: e.softmax(-1),
                "The mask is applied after the softmax, so padding has taken its share and the "
                "weights "
                "sum to less than 1. Before the softmax, with −∞.": lambda e, m: e.softmax(-1) * m,
                "The mask is applied after the softmax and the weights are not divided by their "
                "sum again, and it is "
                "the wrong way round: True marks a *real* word.": lambda e, m: e.softmax(-1) * ~m,
                "A padded position gets the score 0, and e⁰ is 1: it still has weight. −∞ gives "
                "weight 0.": lambda e, m: (e * m).softmax(-1),
                "The softmax runs over the batch. The weights of one sentence sum to 1: "
                "dim=-1.": lambda e, m: e.masked_fill(~m, -1e9).softmax(0),
                "The key with the highest score gets all the weight. Each gets its "
                "share: softmax.": lambda e, m: one_hot(_filled(e, m).argmax(1), e.shape[1]).to(e),
                "A second softmax was taken.": lambda e, m: _filled(e, m).softmax(-1).softmax(-1),
                "The scores are weights without a softmax.": lambda e, m: e * m,
            },
            mix={
                "The context is the plain mean of the real keys: every key counts as much as its "
                "weight.": _mean,
                "The context is the plain mean of all keys, padding included: every key counts as "
                "much as its weight.": lambda w, h, m: h.mean(1),
                "The keys are added up without their weights.": lambda w, h, m: (
                    h * m.unsqueeze(-1)
                ).sum(1),
                "Only the key with the largest weight is taken. The context is a sum of "
                "all, each times its weight.": lambda w, h, m: h[torch.arange(len(h)), w.argmax(1)],
            },
            bend={
                "The tanh is missing.": same,
                "A sigmoid stands where tanh belongs.": torch.sigmoid,
                "relu stands where tanh belongs.": torch.relu,
                "There is a softmax where tanh belongs. (The softmax over the vocabulary comes "
                "later, behind another matrix.)": lambda x: x.softmax(-1),
            },
            out={
                "The old state comes back: "
                "the next step goes on from the new one.": lambda o, s, w, c, old: (o, old, w),
                "s̃ comes back as the state. Luong feeds s̃ on as an *input* at most; the cell's own "
                "state goes on.": lambda o, s, w, c, old: (o, o, w),
                "The context comes back where s̃ is asked for.": lambda o, s, w, c, old: (c, s, w),
                "The order is another: "
                "s̃ first, then the state, then the weights.": lambda o, s, w, c, old: (s, o, w),
                "The order is another: first "
                "s̃, then the new state, then the weights.": lambda o, s, w, c, old: (o, w, s),
                "The weights still have a dimension "
                "1, of the one query: squeeze(1).": lambda o, s, w, c, old: (o, s, w.unsqueeze(1)),
                "The context comes back where the weights belong.": lambda o, s, w, c, old: (
                    o,
                    s,
                    c,
                ),
                "The weights are missing: three things are asked for.": lambda o, s, w, c, old: (
                    o,
                    s,
                ),
            },
        ),
    ],
)
