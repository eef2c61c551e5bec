"""Exercise 7.4: ``scheduled_run``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch07.shared import (
    Step,
    chain,
    changed,
    fed,
    generator,
    handed_on,
    not_as_given,
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


def _all_gold(call: Call) -> str | None:
    if call.agrees(coins=torch.ones_like(call.coins)) is None:
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


Change = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def _run_on(change: Change) -> Callable[..., Tensor]:
    """The right run on what ``change`` makes of gold and coins."""
    return lambda step, state, gold, coins: scheduled_run(step, state, *change(gold, coins))


def _with_coins(change: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    return _run_on(lambda gold, coins: (gold, change(coins)))


def _start_obeys(word: int) -> Callable[..., Tensor]:
    """Where its coin is down, the first step reads a word instead of the start token."""

    def change(gold: Tensor, coins: Tensor) -> tuple[Tensor, Tensor]:
        return torch.where(coins | (torch.arange(gold.shape[1]) > 0), gold, word), coins

    return _run_on(change)


def _later(gold: Tensor) -> Tensor:
    return torch.cat([gold[:, :1], gold[:, :-1]], 1)


def _shorter(table: Tensor) -> Tensor:
    """Without the second column."""
    return torch.cat([table[:, :1], table[:, 2:]], 1)


def _words_of_another_run(coin: bool) -> Callable[..., Tensor]:
    """Its own words come from a run in which all coins are up, or all down."""

    def wrong(step, state, gold, coins):
        other = scheduled_run(step, state, gold, torch.full_like(coins, coin)).argmax(-1)
        own = torch.cat([gold[:, :1], other[:, :-1]], 1)
        return scheduled_run(step, state, torch.where(coins, gold, own), torch.ones_like(coins))

    return wrong


def _own_word(choose: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    """The mixed run, with another choice of its own word."""

    def wrong(step, state, gold, coins):
        tokens, found = gold[:, 0], []
        for t in range(gold.shape[1]):
            if t > 0:
                tokens = torch.where(coins[:, t], gold[:, t], choose(found[-1]))
            logits, state = step(tokens, state)
            found.append(logits)
        return torch.stack(found, dim=1)

    return wrong


_COIN = "The coin of another step is used: coins[:, t] decides what step t reads."
_START = "The start token is always read, whatever its coin: at t = 0 there is no word of its own."
_ONE_COIN = "Every sentence has a single coin, its {}. Each token has its own: coins[:, t]."
_ONE_ROW = (
    "The coins of the {} sentence decide for all. Each sentence has its own: torch.where chooses "
    "one by one."
)
_OTHER_RUN = (
    "The model's words come from a run that {} gold. Its own word of step t − 1 must be what it "
    "has just written, after whatever it was fed before."
)
_COINS: dict[str, Callable[[Tensor], Tensor]] = {
    _ONE_COIN.format("first"): lambda coins: coins[:, :1].expand_as(coins),
    _ONE_COIN.format("last"): lambda coins: coins[:, -1:].expand_as(coins),
    _ONE_ROW.format("first"): lambda coins: coins[:1].expand_as(coins),
    _ONE_ROW.format("last"): lambda coins: coins[-1:].expand_as(coins),
    "Gold is read by all sentences as soon as one coin of the step is up. Each sentence has its "
    "own: torch.where chooses one by one.": lambda coins: coins.any(0).expand_as(coins),
    "Gold is read only where the coins of all sentences are up. Each sentence has its own: "
    "torch.where chooses one by one.": lambda coins: coins.all(0).expand_as(coins),
    # The first coin decides nothing, and is set to what leaves those behind it as they are.
    "Once a coin was down, its own words are read to the end. Every step has its own coin.": (
        lambda coins: coins.index_fill(1, torch.tensor(0), True).cumprod(1).bool()
    ),
    "Once a coin was up, gold is read to the end. Every step has its own coin.": (
        lambda coins: coins.index_fill(1, torch.tensor(0), False).cumsum(1).bool()
    ),
    "The coin is the wrong way round: True means gold.": lambda coins: ~coins,
    "The coins are not used: this is plain teacher forcing.": torch.ones_like,
    "The coins are not used: the model always reads its own word.": torch.zeros_like,
}

_TABLES: dict[str, Change] = {
    "The gold word is one step late: step t reads gold[:, t], which is already the input (it "
    "begins with the start token).": lambda gold, coins: (_later(gold), coins),
    "The gold word is one step early: step t reads gold[:, t].": (
        lambda gold, coins: (torch.cat([_shorter(gold), gold[:, -1:]], 1), coins)
    ),
    "Where the coin is down, the gold word of the step before is read. The model's own word "
    "belongs there: the most probable of its last logits.": (
        lambda gold, coins: (torch.where(coins, gold, _later(gold)), torch.ones_like(coins))
    ),
    "Where the coin is down, the start token is read. The model's own word belongs there: the most "
    "probable of its last logits.": (
        lambda gold, coins: (torch.where(coins, gold, gold[:, :1]), torch.ones_like(coins))
    ),
    "There is one step too few: the start token is read in a step of its own, at t = 0.": (
        lambda gold, coins: (_shorter(gold), _shorter(coins))
    ),
}

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
        (_COIN, _with_coins(lambda coins: coins.roll(1, 1))),
        (_COIN, _with_coins(lambda coins: coins.roll(-1, 1))),
        *((told, _with_coins(change)) for told, change in _COINS.items()),
        *((told, _run_on(change)) for told, change in _TABLES.items()),
        *((_START, _start_obeys(word)) for word in range(4)),
        (_OTHER_RUN.format("was fed"), _words_of_another_run(True)),
        (_OTHER_RUN.format("never saw"), _words_of_another_run(False)),
        (
            "The new state is thrown away: every step begins in the first state.",
            lambda step, state, gold, coins: scheduled_run(
                lambda tokens, _: step(tokens, state), state, gold, coins
            ),
        ),
        (
            "Its own word is that of the first sentence, for all sentences: argmax over the words, "
            "sentence by sentence.",
            _own_word(lambda logits: logits[0].argmax().expand(len(logits))),
        ),
        (
            "Its own word is the least probable one.",
            _own_word(lambda logits: logits.argmin(-1)),
        ),
        *not_as_given(scheduled_run, "T"),
        *changed(
            scheduled_run,
            {
                "The logits of the first step are missing: it reads the start token, and counts.": (
                    lambda logits: logits[:, 1:]
                ),
                "The logits of the last step are missing: there are as many steps as columns in "
                "gold.": lambda logits: logits[:, :-1],
            },
        ),
    ],
)
