"""Checks of chapter 7: what the decoder is fed, and which loss is reported."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from ..masking import masked_cross_entropy, token_cross_entropy
from .spec import Call, Exercise, Mistake

Inputs = Iterator[dict[str, Any]]
Step = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def _generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


# 7.1 ---------------------------------------------------------------------------------------------


def _written_and_gold() -> Inputs:
    yield {
        "written": torch.tensor([[5, 6], [7, 0]]),
        "gold": torch.tensor([[5, 8], [7, 0]]),
        "mask": torch.tensor([[True, True], [True, False]]),
    }
    for seed, rows, length in ((1, 4, 5), (2, 6, 3)):
        draw = _generator(seed)
        gold = torch.randint(4, 7, (rows, length), generator=draw)
        lengths = torch.randint(1, length + 1, (rows,), generator=draw)
        lengths[0] = length
        mask = torch.arange(length) < lengths.unsqueeze(1)
        written = torch.randint(4, 7, (rows, length), generator=draw)
        yield {"written": written, "gold": gold.masked_fill(~mask, 0), "mask": mask}


def _by_position(written: Tensor, gold: Tensor, mask: Tensor) -> Tensor:
    return ((written == gold) & mask).sum(0) / mask.sum(0)


def _padding_is_no_answer(call: Call) -> str | None:
    other = call.written.masked_fill(~call.mask, 9)
    if torch.allclose(call(written=other), call.result):
        return None
    return (
        "When other words are written at padding, the accuracy changes. There is no right answer "
        "there: count real tokens only, above and below the line."
    )


def _all_right(call: Call) -> str | None:
    found = call(written=call.gold)
    if torch.allclose(found, torch.ones_like(found)):
        return None
    return (
        "With every token right, the accuracy at some position is "
        f"{float(found.min()):.2f}, not 1. By how many sentences is it divided?"
    )


ACCURACY_BY_POSITION = Exercise(
    "accuracy_by_position",
    reference=_by_position,
    inputs=_written_and_gold,
    rules={
        "what is written at padding does not count": _padding_is_no_answer,
        "where every token is right it is 1 everywhere": _all_right,
    },
    mistakes=[
        Mistake(
            "Padding counts as right here (PAD equals PAD), so late positions look too good.",
            lambda written, gold, mask: (written == gold).double().mean(0).float(),
        ),
        Mistake(
            "It is divided by the number of sentences. At a late position fewer sentences are "
            "left: divide by how many still have a real token there.",
            lambda written, gold, mask: ((written == gold) & mask).sum(0) / len(mask),
        ),
        Mistake(
            "This is the accuracy of each sentence: the sum runs along the positions. Which "
            "dimension holds the sentences?",
            lambda written, gold, mask: ((written == gold) & mask).sum(1) / mask.sum(1),
        ),
        Mistake(
            "This is one number for all positions together. Where along the sentence is it lost?",
            lambda written, gold, mask: (written == gold)[mask].float().mean(),
        ),
        Mistake(
            "This is the share of mistakes. Accuracy is the share that is right.",
            lambda written, gold, mask: ((written != gold) & mask).sum(0) / mask.sum(0),
        ),
    ],
)


# 7.2 ---------------------------------------------------------------------------------------------


def _chain(seed: int, words: int) -> Step:
    """A decoder of one table: what follows depends on the last word and on how many were read."""
    table = torch.randn(words, words, generator=_generator(seed))

    def step(tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        if not isinstance(tokens, Tensor) or tokens.dim() != 1:
            raise ValueError("step wants one token for each sentence, of shape (B,)")
        pattern = torch.arange(words, device=tokens.device)
        logits = table.to(tokens.device)[tokens] + 0.5 * torch.sin(state.unsqueeze(1) * pattern)
        return logits, state + 1.0

    return step


def _starts() -> Inputs:
    first = torch.tensor([2])
    yield {"step": _chain(1, 4), "state": torch.zeros(1), "first": first, "length": 3}
    for seed in (3, 6):
        state, first = torch.tensor([0.0, 3.0, 1.5]), torch.tensor([2, 2, 2])
        yield {"step": _chain(seed, 7), "state": state, "first": first, "length": 6}


def _free_running(step: Step, state: Tensor, first: Tensor, length: int) -> Tensor:
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = logits.argmax(-1)
        found.append(logits)
    return torch.stack(found, dim=1)


def _same_token(step: Step, state: Tensor, first: Tensor, length: int) -> Tensor:
    found = []
    for _ in range(length):
        logits, state = step(first, state)
        found.append(logits)
    return torch.stack(found, dim=1)


def _same_state(step: Step, state: Tensor, first: Tensor, length: int) -> Tensor:
    tokens, found = first, []
    for _ in range(length):
        logits, _ = step(tokens, state)
        tokens = logits.argmax(-1)
        found.append(logits)
    return torch.stack(found, dim=1)


def _least(step: Step, state: Tensor, first: Tensor, length: int) -> Tensor:
    tokens, found = first, []
    for _ in range(length):
        logits, state = step(tokens, state)
        tokens = logits.argmin(-1)
        found.append(logits)
    return torch.stack(found, dim=1)


def _one_step_more(call: Call) -> str | None:
    longer = call(length=call.length + 1)
    if longer.shape[1] == call.length + 1 and torch.allclose(longer[:, : call.length], call.result):
        return None
    return "With one step more, the steps before it should stay what they were."


def _reads_its_own_word(call: Call) -> str | None:
    """The step tells which tokens it was fed."""
    fed: list[Tensor] = []

    def listening(tokens: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        fed.append(tokens.clone())
        return call.step(tokens, state)

    logits = call(step=listening)
    del fed[len(fed) - call.length :]  # by the reference, which was called after
    if len(fed) != call.length:
        return f"For {call.length} steps the decoder was called {len(fed)} times."
    own = logits.argmax(-1)
    for t in range(1, call.length):
        if not torch.equal(fed[t], own[:, t - 1]):
            return (
                f"At step {t + 1} the decoder was fed {fed[t].tolist()}; its most probable word "
                f"of step {t} was {own[:, t - 1].tolist()}. Feed it what it has just written."
            )
    return None


FREE_RUNNING = Exercise(
    "free_running",
    reference=_free_running,
    inputs=_starts,
    rules={
        "every step reads the most probable word of the step before": _reads_its_own_word,
        "a longer run begins like the shorter one": _one_step_more,
    },
    mistakes=[
        Mistake(
            "Every step is fed the start token again. What has the decoder just written?",
            _same_token,
        ),
        Mistake("The new state is thrown away: every step begins in the first state.", _same_state),
        Mistake("This feeds the least probable word.", _least),
        Mistake(
            "These are the words. The loss needs their logits, one row of V numbers a step.",
            lambda step, state, first, length: _free_running(step, state, first, length).argmax(-1),
        ),
        Mistake(
            "Steps and sentences are swapped: the logits of sentence b stand in row b, so stack "
            "the steps along dimension 1.",
            lambda step, state, first, length: _free_running(step, state, first, length).transpose(
                0, 1
            ),
        ),
    ],
)


# 7.3 ---------------------------------------------------------------------------------------------


def _two_tables() -> Inputs:
    def tables(rows: int, length: int) -> dict[str, Tensor]:
        gold = torch.arange(rows * length).view(rows, length)
        return {"gold": gold, "own": gold + 1000}

    yield {**tables(1, 4), "share": 0.5, "generator": _generator(1)}
    yield {**tables(40, 60), "share": 0.75, "generator": _generator(2)}
    yield {**tables(60, 40), "share": 0.25, "generator": _generator(3)}


def _again(call: Call, seed: int, **changed: Any) -> Tensor:
    given = {"generator": _generator(seed), **changed}
    return call(**given)


def _one_of_the_two(call: Call) -> str | None:
    if call.result.shape != call.gold.shape:
        return f"The result has shape {tuple(call.result.shape)}, not {tuple(call.gold.shape)}."
    fits = (call.result == call.gold) | (call.result == call.own)
    if bool(fits.all()):
        return None
    return (
        "Somewhere stands a number that is neither the gold token of that place nor the model's. "
        "Token numbers cannot be averaged: choose one or the other."
    )


def _extremes(call: Call) -> str | None:
    if not torch.equal(_again(call, 5, share=1.0), call.gold):
        return "With share 1 every token must be gold: that is plain teacher forcing."
    if not torch.equal(_again(call, 5, share=0.0), call.own):
        return "With share 0 every token must be the model's own: then no gold is seen at all."
    return None


def _its_own_generator(call: Call) -> str | None:
    wide = {"gold": torch.zeros(20, 20).long(), "own": torch.ones(20, 20).long(), "share": 0.5}
    if not torch.equal(_again(call, 8, **wide), _again(call, 8, **wide)):
        return (
            "Two generators with the same seed give different coins. Are the coins drawn from the "
            "generator that was given?"
        )
    if torch.equal(_again(call, 8, **wide), _again(call, 9, **wide)):
        return "Another seed of the generator gives the very same coins: is it used at all?"
    draw = _generator(8)
    if torch.equal(call(generator=draw, **wide), call(generator=draw, **wide)):
        return "Two calls with one generator give the same coins: draw from it, do not reseed it."
    return None


def _coins(call: Call, share: float) -> Tensor:
    """Where gold was taken, (200, 50), for a fair look at the coins."""
    gold = torch.zeros(200, 50).long()
    return _again(call, 11, gold=gold, own=gold + 1, share=share) == 0


def _as_often_as_said(call: Call) -> str | None:
    found = float(_coins(call, 0.8).double().mean())
    if abs(found - 0.8) < 0.06:
        return None
    return (
        f"With share 0.8, gold was taken for {found:.0%} of the tokens. The share is the "
        "probability of the *gold* token."
    )


def _a_coin_for_each(call: Call) -> str | None:
    coins = _coins(call, 0.5).double()
    if float(coins.std()) == 0.0:
        return "All tokens of the batch have one coin. Each token needs its own."
    if float(coins.mean(1).std()) > 0.25:
        return (
            "Whole sentences are gold or the model's: one coin a sentence. Each token needs its "
            "own: how many coins are drawn?"
        )
    if float(coins.mean(0).std()) > 0.25:
        return (
            "Whole positions are gold or the model's, the same in every sentence. Each token of "
            "each sentence needs its own coin: draw (B, T) of them."
        )
    return None


def _mix(gold: Tensor, own: Tensor, share: float, generator: torch.Generator) -> Tensor:
    coins = torch.rand(gold.shape, generator=generator, device=generator.device)
    return torch.where(coins.to(gold.device) < share, gold, own)


MIX_INPUTS = Exercise(
    "mix_inputs",
    reference=_mix,
    inputs=_two_tables,
    rules={
        "every token is the gold one or the model's": _one_of_the_two,
        "share 1 is all gold, share 0 is all the model's": _extremes,
        "every token has its own coin": _a_coin_for_each,
        "the coins come from the generator": _its_own_generator,
        "gold is taken with the probability share": _as_often_as_said,
    },
    compare=False,  # how a coin is made from the generator is the learner's choice
)


# 7.4 ---------------------------------------------------------------------------------------------


def _gold_and_step() -> Inputs:
    yield {
        "step": _chain(2, 5),
        "state": torch.zeros(1),
        "gold": torch.tensor([[2, 4, 3]]),
        "coins": torch.tensor([[True, False, True]]),
    }
    for seed, share in ((4, 0.5), (5, 0.3), (7, 0.8)):
        draw = _generator(seed)
        gold = torch.randint(7, (3, 6), generator=draw)
        coins = torch.rand(3, 6, generator=draw) < share
        yield {
            "step": _chain(seed, 7),
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


SCHEDULED_RUN = Exercise(
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


# 7.5 ---------------------------------------------------------------------------------------------


def _steps_and_rates() -> Inputs:
    for step, rate in ((0, 1.0), (0, 10.0), (5, 3.0), (20, 10.0), (46, 10.0), (700, 150.0)):
        yield {"step": step, "rate": rate}
    yield {"step": 40_000, "rate": 20.0}


def _inverse_sigmoid(step: Any, rate: Any) -> Any:
    share = rate * math.exp(-step / rate)
    return share / (share + 1)


def _falls(call: Call) -> str | None:
    early, late = call(step=10, rate=10.0), call(step=40, rate=10.0)
    if late < early:
        return None
    return (
        f"With rate 10 it is {early:.3f} at step 10 and {late:.3f} at step 40. The probability of "
        "gold should fall as training goes on."
    )


def _half_at(call: Call) -> str | None:
    found = call(step=10 * math.log(10), rate=10.0)
    if abs(found - 0.5) < 1e-6:
        return None
    return f"At step k ln k it should be one half; with k = 10 it is {found:.3f}."


def _late_steps(call: Call) -> str | None:
    problem = call.error(step=100_000, rate=10.0)
    if problem is None:
        return None
    return (
        "After 100,000 steps it fails: exp of a large number is beyond what a number can hold. "
        "Divide above and below the line by that exponential; exp of a large *negative* number "
        "is simply 0."
    )


INVERSE_SIGMOID = Exercise(
    "inverse_sigmoid",
    reference=_inverse_sigmoid,
    inputs=_steps_and_rates,
    rules={
        "it falls": _falls,
        "it is one half at step k ln k": _half_at,
        "it still works after 100,000 steps": _late_steps,
    },
    mistakes=[
        Mistake(
            "It is divided by 1 + exp(i/k). The formula has k there, and that k keeps the start "
            "near 1.",
            lambda step, rate: 1 / (1 + math.exp(step / rate)) if step < 700 * rate else 0.0,
        ),
        Mistake(
            "This is the sigmoid, which rises. Is the sign of the exponent right?",
            lambda step, rate: rate / (rate + math.exp(-step / rate)),
        ),
        Mistake(
            "This is exponential decay: it falls at once instead of staying high first.",
            lambda step, rate: math.exp(-step / rate),
        ),
        Mistake(
            "The exponent is i · k instead of i / k: the probability is gone after a few steps.",
            lambda step, rate: rate * math.exp(-step * rate) / (rate * math.exp(-step * rate) + 1),
        ),
    ],
)


# 7.6 and 7.7 -------------------------------------------------------------------------------------


def _token_losses() -> Inputs:
    logits, targets = torch.tensor([[0.0, 2.0]]), torch.tensor([0])
    yield {"logits": logits, "targets": targets, "label_smoothing": 0.0}
    yield {"logits": logits, "targets": targets, "label_smoothing": 0.2}
    for seed, smoothing in ((1, 0.0), (2, 0.1), (3, 0.3)):
        draw = _generator(seed)
        yield {
            "logits": 2 * torch.randn(6, 5, generator=draw),
            "targets": torch.randint(5, (6,), generator=draw),
            "label_smoothing": smoothing,
        }


def _plain(logits: Tensor, targets: Tensor) -> Tensor:
    return -logits.log_softmax(-1).gather(1, targets.unsqueeze(1)).squeeze(1)


def _shared_with_others(logits: Tensor, targets: Tensor, label_smoothing: float) -> Tensor:
    """ε goes to the V − 1 wrong words alone."""
    log_probs, hit = logits.log_softmax(-1), _plain(logits, targets)
    others = (-log_probs.sum(-1) - hit) / (logits.shape[1] - 1)
    return ((1 - label_smoothing) * hit + label_smoothing * others).mean()


def _any_offset(call: Call) -> str | None:
    moved = call(logits=call.logits + 50.0)
    if torch.allclose(moved, call.result, atol=1e-3):
        return None
    return (
        "Adding 50 to all logits changes the loss. Logits are what goes *into* the softmax: "
        "log_softmax first."
    )


def _large_logits(call: Call) -> str | None:
    loss = call(logits=torch.tensor([[0.0, 300.0]]), targets=torch.tensor([0]), label_smoothing=0.0)
    if torch.isfinite(loss):
        return None
    return (
        "With logits 0 and 300 the loss is infinite: softmax gave exactly 0, and its log is −∞. "
        "log_softmax does both at once."
    )


TOKEN_CROSS_ENTROPY = Exercise(
    "token_cross_entropy",
    reference=lambda logits, targets, label_smoothing=0.0: token_cross_entropy(
        logits, targets, label_smoothing
    ),
    inputs=_token_losses,
    rules={
        "only differences of logits count": _any_offset,
        "a word with probability almost 0 has a large loss, not an infinite one": _large_logits,
    },
    mistakes=[
        Mistake(
            "The smoothing is left out: ε of the target's weight goes to all V words.",
            lambda logits, targets, label_smoothing=0.0: _plain(logits, targets).mean(),
        ),
        Mistake(
            "ε is shared among the *other* words only. Here, as in torch, every word gets ε / V, "
            "the right one included.",
            _shared_with_others,
        ),
        Mistake(
            "The part for all words is summed over the vocabulary. Each word gets ε / V: take the "
            "mean.",
            lambda logits, targets, label_smoothing=0.0: (
                (1 - label_smoothing) * _plain(logits, targets)
                - label_smoothing * logits.log_softmax(-1).sum(-1)
            ).mean(),
        ),
        Mistake(
            "This is the sum over the tokens. Their mean does not depend on how many there are.",
            lambda logits, targets, label_smoothing=0.0: (
                token_cross_entropy(logits, targets, label_smoothing) * len(targets)
            ),
        ),
        Mistake(
            "The sign is missing: log-probabilities are negative, a loss is not.",
            lambda logits, targets, label_smoothing=0.0: (
                -token_cross_entropy(logits, targets, label_smoothing)
            ),
        ),
        Mistake(
            "ε and 1 − ε are swapped: most of the weight belongs to the right word.",
            lambda logits, targets, label_smoothing=0.0: token_cross_entropy(
                logits, targets, 1 - label_smoothing - 1e-9
            ),
        ),
    ],
)


def _padded_losses() -> Inputs:
    yield {
        "logits": torch.tensor([[[0.0, 2.0], [5.0, 0.0]]]),
        "targets": torch.tensor([[1, 0]]),
        "mask": torch.tensor([[True, False]]),
        "label_smoothing": 0.0,
    }
    for seed, smoothing in ((1, 0.0), (2, 0.1)):
        draw = _generator(seed)
        mask = torch.arange(5) < torch.tensor([[5], [1], [3]])
        targets = torch.randint(1, 6, (3, 5), generator=draw).masked_fill(~mask, 0)
        yield {
            "logits": 2 * torch.randn(3, 5, 6, generator=draw),
            "targets": targets,
            "mask": mask,
            "label_smoothing": smoothing,
        }


def _rows_then_mean(
    logits: Tensor, targets: Tensor, mask: Tensor, label_smoothing: float = 0.0
) -> Tensor:
    rows = [
        token_cross_entropy(x[m], y[m], label_smoothing) for x, y, m in zip(logits, targets, mask)
    ]
    return torch.stack(rows).mean()


def _more_padding(call: Call) -> str | None:
    rows, _, words = call.logits.shape
    more = {
        "logits": torch.cat([call.logits, torch.ones(rows, 2, words)], 1),
        "targets": torch.cat([call.targets, torch.zeros(rows, 2).long()], 1),
        "mask": torch.cat([call.mask, torch.zeros(rows, 2).bool()], 1),
    }
    before, after = float(call.result), float(call(**more))
    if abs(before - after) < 1e-5:
        return None
    return (
        f"Two more columns of padding change the loss from {before:.3f} to {after:.3f}. Padding "
        "must count neither above nor below the line of the mean."
    )


def _padding_logits(call: Call) -> str | None:
    other = call.logits + (~call.mask).unsqueeze(-1) * torch.arange(call.logits.shape[-1])
    if abs(float(call(logits=other)) - float(call.result)) < 1e-5:
        return None
    return "What the model predicts at padding changes the loss. Which positions does it cover?"


def _every_token_alike(call: Call) -> str | None:
    logits = torch.zeros(2, 3, 2)
    logits[0, 0, 0] = 3.0  # the token of the short sentence is nearly certain
    mask = torch.tensor([[True, False, False], [True, True, True]])
    found = float(
        call(logits=logits, targets=torch.zeros(2, 3).long(), mask=mask, label_smoothing=0.0)
    )
    right = (math.log(1 + math.exp(-3)) + 3 * math.log(2)) / 4
    if abs(found - right) < 1e-4:
        return None
    return (
        f"A sentence of 1 token and one of 3 have together {right:.3f} nats per token, not "
        f"{found:.3f}. Every token weighs the same, whatever sentence it is in."
    )


MASKED_CROSS_ENTROPY = Exercise(
    "masked_cross_entropy",
    reference=lambda logits, targets, mask, label_smoothing=0.0: masked_cross_entropy(
        logits, targets, mask, label_smoothing
    ),
    inputs=_padded_losses,
    rules={
        "what is predicted at padding does not count": _padding_logits,
        "more columns of padding change nothing": _more_padding,
        "every real token weighs the same": _every_token_alike,
    },
    mistakes=[
        Mistake(
            "Padding is counted like any other word. Which positions does the mask mark?",
            lambda logits, targets, mask, label_smoothing=0.0: token_cross_entropy(
                logits.flatten(0, 1), targets.flatten(), label_smoothing
            ),
        ),
        Mistake(
            "The losses at padding are 0 now, but the sum is still divided by all positions. "
            "Divide by the number of real tokens.",
            lambda logits, targets, mask, label_smoothing=0.0: (
                token_cross_entropy(logits[mask], targets[mask], label_smoothing)
                * mask.sum()
                / mask.numel()
            ),
        ),
        Mistake(
            "This is the mean of the sentences' means: the token of a short sentence weighs more "
            "than that of a long one. Every token weighs the same.",
            _rows_then_mean,
        ),
        Mistake(
            "The mask is the wrong way round: True marks a real token.",
            lambda logits, targets, mask, label_smoothing=0.0: token_cross_entropy(
                logits[~mask], targets[~mask], label_smoothing
            ),
        ),
        Mistake(
            "The smoothing is left out: ε is an argument, too.",
            lambda logits, targets, mask, label_smoothing=0.0: token_cross_entropy(
                logits[mask], targets[mask]
            ),
        ),
        Mistake(
            "This is the sum over the tokens; the loss is per token.",
            lambda logits, targets, mask, label_smoothing=0.0: (
                token_cross_entropy(logits[mask], targets[mask], label_smoothing) * mask.sum()
            ),
        ),
    ],
)
