"""Exercise 7.4: ``scheduled_run``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch07.shared import (
    Step,
    chain,
    fed,
    generator,
    handed_on,
    right_so_far,
    state_passed_on,
)
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def scheduled_run(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
    """Logits (B, T, V); step t reads gold[:, t] where coins[:, t], else its own last word."""
    tokens, found = gold[:, 0], []
    for t in range(gold.shape[1]):
        if t > 0:
            own = found[-1].argmax(-1)
            tokens = torch.where(coins[:, t], gold[:, t], own)
        logits, state = step(tokens, state)
        found.append(logits)
    return torch.stack(found, dim=1)


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


Own = Callable[[Tensor, Tensor, int], Tensor]


def _argmax(logits: Tensor, gold: Tensor, t: int) -> Tensor:
    return logits.argmax(-1)


def _scheduled(own: Own = _argmax, new_state: bool = True) -> Callable[..., Tensor]:
    """The mixed run, with another word of its own."""

    def run(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
        tokens = gold[:, 0]
        found: list[Tensor] = []
        for t in range(gold.shape[1]):
            if t > 0:
                tokens = torch.where(coins[:, t], gold[:, t], own(found[-1], gold, t))
            logits, new = step(tokens, state)
            state = new if new_state else state
            found.append(logits)
        return torch.stack(found, dim=1)

    return run


_scheduled_run = _scheduled()
Change = Callable[[Tensor], Tensor]


def _with(
    coins: Change = lambda x: x, gold: Change = lambda x: x, result: Change = lambda x: x
) -> Callable[..., Tensor]:
    """The right run, with other coins, another gold, or a changed result."""
    change_coins, change_gold = coins, gold

    def run(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
        return result(_scheduled_run(step, state, change_gold(gold), change_coins(coins)))

    return run


def _without_second(table: Tensor) -> Tensor:
    return torch.cat([table[:, :1], table[:, 2:]], dim=1)


def _two_runs(up: bool) -> Callable[..., Tensor]:
    """Its own words come from another run: all coins up, or all down."""

    def run(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
        guesses = _scheduled_run(step, state, gold, torch.full_like(coins, up)).argmax(-1)
        own = torch.cat([gold[:, :1], guesses[:, :-1]], dim=1)
        mixed = torch.where(coins, gold, own)
        mixed[:, 0] = gold[:, 0]
        return _scheduled_run(step, state, mixed, torch.ones_like(coins))

    return run


def _start_obeys(word: int) -> Callable[..., Tensor]:
    """Where its coin is down, the first step reads a word instead of the start token."""

    def run(step: Step, state: Tensor, gold: Tensor, coins: Tensor) -> Tensor:
        first = torch.where(coins[:, 0], gold[:, 0], word)
        return _scheduled_run(step, state, torch.cat([first[:, None], gold[:, 1:]], 1), coins)

    return run


def _all_gold(call: Call) -> str | None:
    forced = call(coins=torch.ones_like(call.coins))
    expected = _scheduled_run(call.step, call.state, call.gold, torch.ones_like(call.coins))
    if torch.allclose(forced, expected, atol=1e-5):
        return None
    return (
        "With all coins True this must be teacher forcing: step t reads gold[:, t] and the state "
        "of the step before."
    )


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


def _draws_nothing(call: Call) -> str | None:
    """With no coin up, where every word is its own."""
    free = {"coins": torch.zeros_like(call.coins)}
    first = call.uncompared(**free)
    if all(torch.equal(call.uncompared(**free), first) for _ in range(4)):
        return None
    return (
        "Two calls with the same arguments give two results: nothing is drawn here, the most "
        "probable word is taken."
    )


def _reads_what_the_coin_says(call: Call) -> str | None:
    """The step tells which tokens it was fed."""
    if right_so_far(call):
        return None
    rows, steps = call.gold.shape
    heard = fed(call, steps)
    if len(heard) != steps:
        return f"For {steps} steps the decoder was called {len(heard)} times."
    own = call.result.argmax(-1)
    for t, (tokens, _) in enumerate(heard):
        for b in range(rows):
            read, gold, coin = int(tokens[b]), int(call.gold[b, t]), bool(call.coins[b, t])
            if t == 0 and read != gold:
                return (
                    f"The first step of sentence {b} read word {read}. It always reads the start "
                    f"token gold[{b}, 0] = {gold}, whatever the coin."
                )
            wanted = gold if t == 0 or coin else int(own[b, t - 1])
            if read != wanted:
                whose = "the gold word" if coin else f"the most probable word of step {t - 1}"
                return (
                    f"At t = {t} the coin of sentence {b} is {coin}: it reads {whose}, {wanted}. "
                    f"It was fed {read}."
                )
    return None


_OF_FORCED = (
    "The model's words come from a run that was fed gold. Its own word of step t − 1 must be what "
    "it has just written, after whatever it was fed before."
)
_OF_FREE = (
    "The model's words come from a run that never saw gold. Its own word of step t − 1 must be "
    "what it has just written, after whatever it was fed before."
)
_START = "The start token is always read, whatever its coin: at t = 0 there is no word of its own."
_COIN = "The coin of another step is used: coins[:, t] decides what step t reads."
_ONE_COIN = "Every sentence has a single coin, its {}. Each token has its own: coins[:, t]."
_ONE_ROW = (
    "The coins of the {} sentence decide for all. Each sentence has its own: torch.where chooses "
    "one by one."
)

CHECK = Exercise(
    "scheduled_run",
    reference=scheduled_run,
    inputs=_gold_and_step,
    rules={
        "the same call writes the same words": _draws_nothing,
        "each step reads what its coin says": _reads_what_the_coin_says,
        "every step is given the state of the step before": lambda call: state_passed_on(
            call, call.gold.shape[1]
        ),
        "the logits come back as the decoder gave them": handed_on,
        "with every coin up it is teacher forcing": _all_gold,
        "with every coin down it never sees gold": _never_sees_gold,
    },
    mistakes=[
        (_COIN, _with(coins=lambda coins: coins.roll(1, 1))),
        (_COIN, _with(coins=lambda coins: coins.roll(-1, 1))),
        (
            "The gold word is one step late: step t reads gold[:, t], which is already the input "
            "(it begins with the start token).",
            _with(gold=lambda gold: torch.cat([gold[:, :1], gold[:, :-1]], dim=1)),
        ),
        (
            "The gold word is one step early: step t reads gold[:, t].",
            _with(gold=lambda gold: torch.cat([gold[:, :1], gold[:, 2:], gold[:, -1:]], dim=1)),
        ),
        (_ONE_COIN.format("first"), _with(coins=lambda coins: coins[:, :1].expand_as(coins))),
        (_ONE_COIN.format("last"), _with(coins=lambda coins: coins[:, -1:].expand_as(coins))),
        (_ONE_ROW.format("first"), _with(coins=lambda coins: coins[:1].expand_as(coins))),
        (_ONE_ROW.format("last"), _with(coins=lambda coins: coins[-1:].expand_as(coins))),
        (
            "Gold is read by all sentences as soon as one coin of the step is up. Each sentence "
            "has its own: torch.where chooses one by one.",
            _with(coins=lambda coins: coins.any(0, keepdim=True).expand_as(coins)),
        ),
        (
            "Gold is read only where the coins of all sentences are up. Each sentence has its "
            "own: torch.where chooses one by one.",
            _with(coins=lambda coins: coins.all(0, keepdim=True).expand_as(coins)),
        ),
        (
            "Once a coin was down, its own words are read to the end. Every step has its own coin.",
            _with(
                coins=lambda coins: (
                    torch.cat([torch.ones_like(coins[:, :1]), coins[:, 1:]], 1)
                    .long()
                    .cumprod(1)
                    .bool()
                )
            ),
        ),
        (
            "Once a coin was up, gold is read to the end. Every step has its own coin.",
            _with(
                coins=lambda coins: (
                    torch.cat([torch.zeros_like(coins[:, :1]), coins[:, 1:]], 1)
                    .long()
                    .cumsum(1)
                    .bool()
                )
            ),
        ),
        (_OF_FORCED, _two_runs(True)),
        (_OF_FREE, _two_runs(False)),
        ("The coin is the wrong way round: True means gold.", _with(coins=lambda coins: ~coins)),
        ("The coins are not used: this is plain teacher forcing.", _with(coins=torch.ones_like)),
        (
            "The coins are not used: the model always reads its own word.",
            _with(coins=torch.zeros_like),
        ),
        (
            "The new state is thrown away: every step begins in the first state.",
            _scheduled(new_state=False),
        ),
        *((_START, _start_obeys(word)) for word in range(4)),
        (
            "Its own word is that of the first sentence, for all sentences: argmax over the words, "
            "sentence by sentence.",
            _scheduled(lambda logits, gold, t: logits[0].argmax().expand(len(logits))),
        ),
        (
            "Its own word is the least probable one.",
            _scheduled(lambda logits, gold, t: logits.argmin(-1)),
        ),
        (
            "Where the coin is down, the gold word of the step before is read. The model's own "
            "word belongs there: the most probable of its last logits.",
            _scheduled(lambda logits, gold, t: gold[:, t - 1]),
        ),
        (
            "Where the coin is down, the start token is read. The model's own word belongs there: "
            "the most probable of its last logits.",
            _scheduled(lambda logits, gold, t: gold[:, 0]),
        ),
        (
            "These are the words. The loss needs their logits, V numbers a step.",
            _with(result=lambda logits: logits.argmax(-1)),
        ),
        (
            "These are probabilities. The logits are asked for: what goes into the softmax.",
            _with(result=lambda logits: logits.softmax(-1)),
        ),
        (
            "These are log-probabilities. The logits are asked for: what goes into the softmax.",
            _with(result=lambda logits: logits.log_softmax(-1)),
        ),
        (
            "Steps and sentences are swapped: the logits of sentence b stand in row b, so stack "
            "the steps along dimension 1.",
            _with(result=lambda logits: logits.transpose(0, 1)),
        ),
        (
            "The steps are joined side by side, (B, T · V). torch.stack makes a dimension of "
            "their own, torch.cat does not.",
            _with(result=lambda logits: logits.flatten(1)),
        ),
        (
            "The logits of the first step are missing: it reads the start token, and counts.",
            _with(result=lambda logits: logits[:, 1:]),
        ),
        (
            "There is one step too few: the start token is read in a step of its own, at t = 0.",
            _with(coins=_without_second, gold=_without_second),
        ),
        (
            "The logits of the last step are missing: there are as many steps as columns in gold.",
            _with(result=lambda logits: logits[:, :-1]),
        ),
    ],
)
