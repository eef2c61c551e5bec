"""Exercise 1.5: ``go_on``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attnbook.checks.ch01.draw_word import draw_word
from attnbook.checks.inputs import Inputs
from attnbook.checks.recurrent import Network
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import fmt


def go_on(network: Any, ids: Any, temperature: Any, chances: Any) -> Any:
    """The list ids, and behind it one more token for each of the chances."""
    ids = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        ids.append(draw_word(network.output(states[0, -1]), temperature, chance))
        states, state = network(torch.tensor([ids[-1:]]), state)
    return ids


def _continued(
    draw: Callable[[Tensor, float, float], int],
    network: Any,
    ids: list[int],
    temperature: float,
    chances: list[float],
) -> list[int]:
    """What another rule of drawing makes of the beginning."""
    ids = list(ids)
    states, state = network(torch.tensor([ids]))
    for chance in chances:
        ids.append(draw(network.output(states[0, -1]), temperature, chance))
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
    return f"Given are {list(call.ids)}, and the result begins otherwise: {list(call.result)}."


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
                f"Token {n} is {call.result[n]}. After {call.result[:n]} the logits are "
                f"{fmt(logits)}; of them chance {chance:.3g} at temperature "
                f"{call.temperature:g} draws {token}." + _reading(call, n + 1 - len(call.ids))
            )
    return None


def _reading(call: Call, count: int) -> str:
    """What the network reads for so many chances, if not each new token with the newest state."""
    inputs_read: list[str] = []
    newest: list[Tensor] = []

    def note(network: Any, args: Any, kwargs: Any, returned: Any) -> None:
        ids, state = (*args, *kwargs.values(), None)[:2]
        how = "another state"
        if state is None:
            how = "no state"
        elif newest and torch.equal(state, newest[-1]):
            how = "the newest state"
        inputs_read.append(f"{ids.flatten().tolist()} with {how}")
        newest.append(returned[1])

    handle = call.network.register_forward_hook(note, with_kwargs=True)
    try:
        call.error(chances=call.chances[:count])
    finally:
        handle.remove()
    drawn = call.result[len(call.ids) :][:count]
    expected = [
        f"{call.ids} with no state",
        *(f"[{token}] with the newest state" for token in drawn),
    ]
    if inputs_read in (expected, expected[:-1]):
        return ""
    return (
        " Until then the network was given "
        f"{', then '.join(inputs_read[:4])}{' …' * (len(inputs_read) > 4)}."
    )


def _random(call: Call) -> bool:
    """Whether it draws random numbers of its own: at a high temperature no two texts are alike."""
    texts = [call.without_comparison(temperature=50.0, chances=[0.3, 0.7] * 10) for _ in range(2)]
    return bool(texts[0] != texts[1])


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
            "This takes the most probable token, whatever the chance. That is not a draw.",
            partial(_continued, lambda logits, temperature, chance: int(logits.argmax())),
        ),
        (
            "Token 0 is drawn every time. Does draw_word get logits (1, V)? Its softmax then runs "
            "over the batch, in which there is one: states[0, -1] gives logits (V,).",
            partial(_continued, lambda logits, temperature, chance: 0),
        ),
        (
            "Here the logits go through a softmax, and draw_word does one itself: it takes logits.",
            partial(_continued, lambda logits, *args: draw_word(logits.softmax(-1), *args)),
        ),
        (
            "The temperature is not used.",
            partial(_continued, lambda logits, temperature, chance: draw_word(logits, 1.0, chance)),
        ),
    ],
)
