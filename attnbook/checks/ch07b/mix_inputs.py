"""Exercise 7.4: ``mix_inputs``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.inputs import Inputs, generator
from attnbook.exercises import Call, Exercise


def mix_inputs(gold: Tensor, own: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Each token gold with probability share, else own. gold, own (B, T) → (B, T)."""
    coins = torch.rand(gold.shape, generator=generator)
    return torch.where(coins < share, gold, own)


def _two_tables() -> Inputs:
    def tables(rows: int, length: int) -> dict[str, Tensor]:
        gold = torch.arange(rows * length).view(rows, length)
        return {"gold": gold, "own": gold + 1000}

    yield {**tables(1, 4), "share": 0.5, "generator": generator(1)}
    yield {**tables(12, 9), "share": 0.75, "generator": generator(2)}
    yield {**tables(7, 16), "share": 0.25, "generator": generator(3)}


def _again(call: Call, seed: int, **changed: Any) -> Tensor:
    arguments = {"generator": generator(seed), **changed}
    return call(**arguments)


def _one_of_the_two(call: Call) -> str | None:
    if call.result.shape != call.gold.shape:
        return f"The result has shape {tuple(call.result.shape)}, not {tuple(call.gold.shape)}."
    neither = (call.result != call.gold) & (call.result != call.own)
    if not bool(neither.any()):
        return None
    place = neither.nonzero()[0].tolist()
    token, gold, own = (int(x[tuple(place)]) for x in (call.result, call.gold, call.own))
    return (
        f"At {place} there is {token}, where gold is {gold} and own is {own}. Token numbers "
        "cannot be averaged or moved: choose one of the two, place by place."
    )


def _extremes(call: Call) -> str | None:
    up, down = _again(call, 5, share=1.0), _again(call, 5, share=0.0)
    if torch.equal(up, call.own) and torch.equal(down, call.gold):
        return (
            "With share 1 every token is the model's and with share 0 every token is gold: the "
            "share is the probability of *gold*."
        )
    if torch.equal(up, call.gold) and torch.equal(down, call.own):
        return None
    all_, none = (float(_coins(call, share).double().mean()) for share in (1.0, 0.0))
    message = (
        f"With share 1 every token must be gold, which is plain teacher forcing; {all_:.0%} are. "
        f"With share 0 every token must be the model's own; {1 - none:.0%} are."
    )
    return f"{message} Is a number drawn evenly between 0 and 1 (torch.rand) less than the share?"


def _its_own_generator(call: Call) -> str | None:
    if not _small(call):
        return None
    wide = {"gold": torch.zeros(9, 8).long(), "own": torch.ones(9, 8).long(), "share": 0.5}
    if not torch.equal(_again(call, 8, **wide), _again(call, 8, **wide)):
        return (
            "Two generators with the same seed give different coins. Do you draw the coins from "
            "the given generator?"
        )
    draw = generator(8)
    if torch.equal(call(generator=draw, **wide), call(generator=draw, **wide)):
        return "Two calls with one generator give the same coins: draw from it, do not reseed it."
    return None


def _small(call: Call) -> bool:
    """Whether it is the first call: many coins are slow where each is drawn by itself."""
    return bool(call.gold.numel() <= 4)


def _coins(call: Call, share: float, seed: int = 11) -> Tensor:
    """Where gold was taken, (60, 40)."""
    gold = torch.zeros(60, 40).long()
    return _again(call, seed, gold=gold, own=gold + 1, share=share) == 0


def _as_often_as_share(call: Call) -> str | None:
    for share in (0.8, 0.2) if _small(call) else ():
        taken = float(_coins(call, share).double().mean())
        if abs(taken - share) > 0.05:
            return (
                f"With share {share}, gold was taken for {taken:.0%} of the tokens. The share is "
                "the probability of the *gold* token."
            )
    return None


def _a_coin_for_each(call: Call) -> str | None:
    if not _small(call):
        return None
    coins = _coins(call, 0.5).double()
    if 0 < float(coins.mean()) < 1 and torch.equal(coins, _coins(call, 0.5, 12).double()):
        return (
            "Another seed of the generator gives the very same tokens: do you use it, without "
            "reseeding it? Each token needs its own coin, drawn from it: (B, T) of them."
        )
    if float(coins.std()) == 0.0:
        return "All tokens of the batch share one coin. Each token needs its own."
    gold = float(coins.mean())
    expected = gold**2 + (1 - gold) ** 2
    share, apart, among = max(
        (
            (float((coins == coins.roll(apart, dim)).double().mean()), apart, among)
            for dim, among in ((1, "sentence"), (0, "column"))
            for apart in range(1, 13)
        ),
        key=lambda pairs: abs(pairs[0] - expected),
    )
    if abs(share - expected) < 0.1:
        return None
    return (
        f"Tokens that are {apart} apart in a {among} have the same coin in {share:.0%} of all "
        f"cases; with separate coins it would be {expected:.0%}. Do you use one coin for several "
        "tokens? Draw (B, T) of them."
    )


CHECK = Exercise(
    mix_inputs,
    inputs=_two_tables,
    rules={
        "every token is the gold one or the model's": _one_of_the_two,
        "share 1 is all gold, share 0 is all the model's": _extremes,
        "every token has its own coin": _a_coin_for_each,
        "the coins come from the generator": _its_own_generator,
        "gold is taken with the probability share": _as_often_as_share,
    },
    compare=False,  # how a coin is made from the generator is the learner's choice
)
