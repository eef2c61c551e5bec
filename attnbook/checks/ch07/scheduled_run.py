"""Exercise 7.4: ``scheduled_run``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch07.shared import Step, chain, generator
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise, Mistake


def _gold_and_step() -> Inputs:
    yield {
        "step": chain(2, 5),
        "state": torch.zeros(1),
        "gold": torch.tensor([[2, 4, 3]]),
        "coins": torch.tensor([[True, False, True]]),
    }
    for seed, share in ((4, 0.5), (5, 0.3), (7, 0.8)):
        draw = generator(seed)
        gold = torch.randint(7, (3, 6), generator=draw)
        coins = torch.rand(3, 6, generator=draw) < share
        yield {
            "step": chain(seed, 7),
            "state": torch.rand(3, generator=draw),
            "gold": gold,
            "coins": coins,
        }


def _scheduled_run(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
    tokens = gold[:, 0]
    found: list[Tensor] = []
    for t in range(gold.shape[1]):
        if t > 0:
            tokens = torch.where(coins[:, t], gold[:, t], found[-1].argmax(-1))
        logits, state = step(tokens, state)
        found.append(logits)
    return torch.stack(found, dim=1)


def _late_coin(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
    return _scheduled_run(step, state, gold, coins.roll(1, 1))


def _late_gold(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
    late = torch.cat([gold[:, :1], gold[:, :-1]], dim=1)
    return _scheduled_run(step, state, late, coins)


def _first_coin(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
    return _scheduled_run(step, state, gold, coins[:, :1].expand_as(coins))


def _from_forced_run(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
    guesses = _scheduled_run(step, state, gold, torch.ones_like(coins)).argmax(-1)
    own = torch.cat([gold[:, :1], guesses[:, :-1]], dim=1)
    mixed = torch.where(coins, gold, own)
    mixed[:, 0] = gold[:, 0]
    return _scheduled_run(step, state, mixed, torch.ones_like(coins))


def _all_gold(call: Call) -> str | None:
    forced = call(coins=torch.ones_like(call.coins))
    expected = _scheduled_run(call.step, call.state, call.gold, torch.ones_like(call.coins))
    if torch.allclose(forced, expected, atol=1e-5):
        return None
    return "With all coins True this must be teacher forcing: step t reads gold[:, t]."


def _never_sees_gold(call: Call) -> str | None:
    """With no coin up, gold words that do not exist must not be noticed."""
    nothing, poisoned = torch.zeros_like(call.coins), call.gold.clone()
    poisoned[:, 1:] = 10**6
    if call.error(gold=poisoned, coins=nothing) is None:
        one, other = call(gold=poisoned, coins=nothing), call(coins=nothing)
        if torch.allclose(one, other, atol=1e-5):
            return None
    return (
        "With all coins False the result must not depend on any gold word after the start. "
        "A gold word was used."
    )


CHECK = Exercise(
    "scheduled_run",
    reference=_scheduled_run,
    inputs=_gold_and_step,
    rules={
        "with every coin up it is teacher forcing": _all_gold,
        "with every coin down it never sees gold": _never_sees_gold,
    },
    mistakes=[
        Mistake(
            "The coin of another step is used: coins[:, t] decides what step t reads.", _late_coin
        ),
        Mistake(
            "The gold word is one step late: step t reads gold[:, t], which is already the input "
            "(it begins with the start token).",
            _late_gold,
        ),
        Mistake(
            "Every sentence has a single coin, its first. Each token has its own: coins[:, t].",
            _first_coin,
        ),
        Mistake(
            "The model's words come from a run that was fed gold. Its own word of step t − 1 must "
            "be what it has just written, after whatever it was fed before.",
            _from_forced_run,
        ),
        Mistake(
            "The coin is the wrong way round: True means gold.",
            lambda step, state, gold, coins: _scheduled_run(step, state, gold, ~coins),
        ),
        Mistake(
            "The coins are not used: this is plain teacher forcing.",
            lambda step, state, gold, coins: _scheduled_run(
                step, state, gold, torch.ones_like(coins)
            ),
        ),
        Mistake(
            "The coins are not used: the model always reads its own word.",
            lambda step, state, gold, coins: _scheduled_run(
                step, state, gold, torch.zeros_like(coins)
            ),
        ),
    ],
)
