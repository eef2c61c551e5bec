"""Exercise 1.5: ``go_on``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch01.draw_word import draw_word
from attnbook.checks.ch01.shared import Network
from attnbook.checks.shared import Inputs
from attnbook.exercises import Call, Exercise


def go_on(network: Any, ids: Any, temperature: Any, chances: Any) -> Any:
    """The list ids, and behind it one more token for each of the chances."""
    ids = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        ids.append(draw_word(network.output(states[0, -1]), temperature, chance))
        states, state = network(torch.tensor([ids[-1:]]), state)
    return ids


def _beginnings() -> Inputs:
    make = torch.Generator().manual_seed(8)
    for seed, ids, temperature, count in (
        (11, [1], 1.0, 1),
        (12, [2, 0], 1.0, 0),
        (13, [0, 1], 1.0, 2),
        (14, [1, 4, 2], 0.5, 5),
        (15, [3, 0], 3.0, 9),
    ):
        network = Network(seed, tokens=5, hidden=4, size=2.0)
        for parameter in network.parameters():
            parameter.requires_grad_(False)
        chances = torch.rand(count, generator=make).tolist()
        yield {"network": network, "ids": ids, "temperature": temperature, "chances": chances}
    network = Network(16, tokens=4, hidden=4, size=2.0)
    for parameter in network.parameters():
        parameter.requires_grad_(False)
    for parameter in network.output.parameters():
        parameter.zero_()  # four pieces of a quarter, and chances that lie on their ends
    yield {"network": network, "ids": [1], "temperature": 1.0, "chances": [0.25, 0.75, 0.5]}


def _keeps_beginning(call: Call) -> str | None:
    if list(call.result[: len(call.ids)]) == list(call.ids):
        return None
    return f"The result begins with the tokens that were given, {list(call.ids)}."


def _one_per_chance(call: Call) -> str | None:
    more = len(call.result) - len(call.ids)
    if more == len(call.chances):
        return None
    return f"Tokens that are added: {more}. Chances that are given: {len(call.chances)}."


def _from_all_before(call: Call) -> str | None:
    for n, chance in enumerate(call.chances, start=len(call.ids)):
        before = torch.tensor([call.result[:n]])
        logits = call.network.output(call.network(before)[0][0, -1])
        token = draw_word(logits, call.temperature, chance)
        if call.result[n] != token:
            if _random(call):
                return (
                    "Two calls with the same chances give two texts: something else is random. "
                    "The chances are the random numbers here, and draw_word takes one each time."
                )
            return (
                f"Token {n} is {call.result[n]}. After {call.result[:n]}, chance {chance:.3g} at "
                f"temperature {call.temperature:g} draws {token}."
            )
    return None


def _random(call: Call) -> bool:
    """Whether it draws random numbers of its own: at a high temperature no two texts are alike."""
    texts = [call.uncompared(temperature=50.0, chances=[0.3, 0.7] * 10) for _ in range(2)]
    return bool(texts[0] != texts[1])


def _drawn(
    take: Callable[[Tensor, float, float], int] = draw_word,
    at: Callable[[Tensor], Tensor] = lambda states: states[0, -1],
    fed: Callable[[list[int]], list[int]] = lambda ids: ids[-1:],
    state_of: Callable[[Any, Any], Any] = lambda first, last: last,
    begun: Callable[[list[int]], Any] = lambda ids: [ids],
    of: Callable[[Any, Tensor], Tensor] = lambda network, states: network.output(states),
) -> Callable[..., list[int]]:
    """The loop, where one part of it is done in another way."""

    def loop(network: Any, ids: list[int], temperature: float, chances: list[float]) -> list[int]:
        ids = list(ids)
        states, first = network(torch.tensor(begun(ids)))
        state = first
        for chance in chances:
            ids.append(take(of(network, at(states)), temperature, chance))
            states, state = network(torch.tensor([fed(ids)]), state_of(first, state))
        return ids

    return loop


def _twice(network: Any, ids: list[int], temperature: float, chances: list[float]) -> list[int]:
    ids = list(ids)
    _, state = network(torch.tensor([ids]))
    for chance in chances:
        states, state = network(torch.tensor([ids[-1:]]), state)
        ids.append(draw_word(network.output(states[0, -1]), temperature, chance))
    return ids


def _from_one(network: Any, ids: list[int], temperature: float, chances: list[float]) -> list[int]:
    logits = network.output(network(torch.tensor([ids]))[0][0, -1])
    return [*ids, *(draw_word(logits, temperature, chance) for chance in chances)]


def _with(change: Callable[[list[float]], list[float]]) -> Callable[..., list[int]]:
    """The right text of other chances."""
    return lambda network, ids, temperature, chances: go_on(
        network, ids, temperature, change(chances)
    )


def _then(change: Callable[[list[int], int], Any]) -> Callable[..., Any]:
    """The right tokens and the number of those that were given, changed."""
    return lambda network, ids, temperature, chances: change(
        go_on(network, ids, temperature, chances), len(ids)
    )


SWAPPED = (
    "draw_word gets the chance for the temperature and the temperature for the chance: its "
    "arguments are logits, temperature, chance."
)

CHECK = Exercise(
    "go_on",
    reference=go_on,
    inputs=_beginnings,
    rules={
        "the result begins with what was given": _keeps_beginning,
        "one token is added for each chance": _one_per_chance,
        "each token is drawn from what the network says after all tokens before": _from_all_before,
    },
    mistakes=[
        (
            "The state is not handed on: each token is drawn as if nothing but the one before it "
            "had been read.",
            _drawn(state_of=lambda first, last: None),
        ),
        (
            "Every token is drawn from the state after the beginning, with one token read more: "
            "hand on the newest state.",
            _drawn(state_of=lambda first, last: first),
        ),
        (
            "The last token of the beginning is read twice: its logits are there already, from "
            "reading the beginning.",
            _twice,
        ),
        (
            "The whole text is read again at each step, and from the newest state, which has read "
            "it: give the network the new token alone.",
            _drawn(fed=lambda ids: ids),
        ),
        (
            "The token that is fed is the one before the new one: read what was just drawn.",
            _drawn(fed=lambda ids: ids[-2:-1]),
        ),
        (
            "The network reads the first token again and again. What is fed back is the token that "
            "was drawn.",
            _drawn(fed=lambda ids: ids[:1]),
        ),
        (
            "This takes the most probable token, whatever the chance. That is not a draw.",
            _drawn(lambda logits, temperature, chance: int(logits.argmax())),
        ),
        (
            "Every token is drawn from the same logits, those after the beginning: the network "
            "never reads what was drawn.",
            _from_one,
        ),
        (
            "Of the beginning only its last token is read: the network has to read all of it.",
            _drawn(begun=lambda ids: [ids[-1:]]),
        ),
        (
            "The beginning is read without a batch, (T,), and the tokens after it with one, "
            "(1, 1). The network takes (B, T): torch.tensor([ids]).",
            _drawn(begun=lambda ids: ids, at=lambda states: states.flatten(0, -2)[-1]),
        ),
        (
            "The states go into draw_word as they are. Logits come out of network.output.",
            _drawn(of=lambda network, states: states),
        ),
        (
            "Token 0 is drawn every time. Does draw_word get logits (1, V)? Its softmax then runs "
            "over the batch, in which there is one: states[0, -1] gives logits (V,).",
            _drawn(lambda logits, temperature, chance: 0),
        ),
        (
            "Here the logits go through a softmax, and draw_word does one itself: it takes logits.",
            _drawn(lambda logits, *given: draw_word(logits.softmax(-1), *given)),
        ),
        (
            "The logits are divided by the temperature twice, here and in draw_word.",
            _drawn(
                lambda logits, temperature, chance: draw_word(
                    logits / temperature, temperature, chance
                )
            ),
        ),
        (
            SWAPPED,
            _drawn(lambda logits, temperature, chance: draw_word(logits, chance, temperature)),
        ),
        (
            SWAPPED,  # by a draw_word that counts all pieces where all end before the chance
            _drawn(
                lambda logits, temperature, chance: int(
                    ((logits / chance).softmax(-1).cumsum(-1) <= temperature).sum()
                )
            ),
        ),
        (
            "The temperature is not used.",
            _drawn(lambda logits, temperature, chance: draw_word(logits, 1.0, chance)),
        ),
        (
            "The token is drawn after the *first* token of the beginning. Its last one counts: "
            "states[0, -1].",
            _drawn(at=lambda states: states[0, 0]),
        ),
        (
            "Only the new tokens come back. The list begins with those that were given.",
            _then(lambda ids, given: ids[given:]),
        ),
        ("The last token that is drawn is missing.", _then(lambda ids, given: ids[:-1])),
        (
            "The first chance is left out: one token is drawn with each of them.",
            _with(lambda chances: chances[1:]),
        ),
        (
            "The last chance is left out: one token is drawn with each of them.",
            _with(lambda chances: chances[:-1]),
        ),
    ],
)
