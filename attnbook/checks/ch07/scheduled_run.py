"""Exercise 7.3: ``scheduled_run``."""

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.decoders import (
    Step,
    chain,
    is_right,
    logits_unchanged,
    state_carried,
)
from attnbook.checks.inputs import Inputs, generator
from attnbook.checks.rules import calls_to
from attnbook.exercises import Call, Exercise


def scheduled_run(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
    """Logits (B, T, V); step t reads gold[:, t] where coins[:, t], else its own last word."""
    tokens, outputs = gold[:, 0], []
    for t in range(gold.shape[1]):
        if t > 0:
            own = outputs[-1].argmax(-1)
            tokens = torch.where(coins[:, t], gold[:, t], own)
        logits, state = step(tokens, state)
        outputs.append(logits)
    return torch.stack(outputs, dim=1)


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


def _reads_by_its_coin(call: Call) -> str | None:
    if is_right(call):
        return None
    rows, steps = call.gold.shape
    calls = calls_to(call, "step")
    if len(calls) != steps:
        return f"For {steps} steps the decoder was called {len(calls)} times."
    own = call.result.argmax(-1)
    for t, (tokens, *_) in enumerate(calls):
        for b in range(rows):
            token, gold, coin = int(tokens[b]), int(call.gold[b, t]), bool(call.coins[b, t])
            if t == 0 and token != gold:
                return (
                    f"The first step of sentence {b} read word {token}. It always reads the start "
                    f"token gold[{b}, 0] = {gold}, whatever the coin."
                )
            expected = gold if t == 0 or coin else int(own[b, t - 1])
            if token != expected:
                whose = "the gold word" if coin else f"the most probable word of step {t - 1}"
                return (
                    f"At t = {t} the coin of sentence {b} is {coin}: it reads {whose}, {expected}. "
                    f"You fed it {token}."
                )
    return None


def _words_of_another_run(coin: bool) -> Callable[..., Tensor]:
    """Its own words come from a run in which all coins are up, or all down."""

    def wrong(step, state, gold, coins):
        other = scheduled_run(step, state, gold, torch.full_like(coins, coin)).argmax(-1)
        own = torch.cat([gold[:, :1], other[:, :-1]], 1)
        return scheduled_run(step, state, torch.where(coins, gold, own), torch.ones_like(coins))

    return wrong


_OTHER_RUN = (
    "The model's words come from a run that {} gold. Its own word of step t − 1 must be what it "
    "has just written, after whatever it was fed before."
)

CHECK = Exercise(
    scheduled_run,
    inputs=_gold_and_step,
    rules={
        "each step reads what its coin says": _reads_by_its_coin,
        "every step is given the state of the step before": state_carried,
        "the logits are returned as the decoder gave them": logits_unchanged,
    },
    mistakes={
        _OTHER_RUN.format("was fed"): _words_of_another_run(True),
        _OTHER_RUN.format("never saw"): _words_of_another_run(False),
    },
)
