"""Exercise 1.4: ``go_on``."""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from attnbook.checks.ch01.draw_word import draw_word
from attnbook.checks.inputs import Inputs, generator
from attnbook.checks.recurrent import network, with_logits
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


def _beginnings() -> Inputs:
    chances = generator(8)
    for seed, ids, temperature, count in (
        (11, [1], 1.0, 1),
        (12, [2, 0], 1.0, 0),
        (13, [0, 1], 1.0, 2),
        (14, [1, 4, 2], 0.5, 5),
        (15, [3, 0], 3.0, 9),
    ):
        yield {
            "network": network(seed, tokens=5, hidden=4, size=2.0).requires_grad_(False),
            "ids": ids,
            "temperature": temperature,
            "chances": torch.rand(count, generator=chances).tolist(),
        }
    even = network(16, tokens=4, hidden=4, size=2.0).requires_grad_(False)
    for parameter in even.output.parameters():
        parameter.zero_()  # four pieces of a quarter, and chances that lie on their ends
    yield {"network": even, "ids": [1], "temperature": 1.0, "chances": [0.25, 0.75, 0.5]}


def _keeps_beginning(call: Call) -> bool | str:
    return list(call.result[: len(call.ids)]) == list(call.ids) or (
        f"ids is {list(call.ids)}, but the result begins differently: {list(call.result)}."
    )


def _one_per_chance(call: Call) -> bool | str:
    more = len(call.result) - len(call.ids)
    return more == len(call.chances) or (
        f"Tokens added: {more}. Chances given: {len(call.chances)}."
    )


def _from_all_before(call: Call) -> str | None:
    for n, chance in enumerate(call.chances, start=len(call.ids)):
        before = torch.tensor([call.result[:n]])
        logits = call.network.output(call.network(before)[0][0, -1])
        token = draw_word(logits, call.temperature, chance)
        if call.result[n] == token:
            continue
        # Of its own random numbers, at a high temperature, no two texts are alike.
        high = {"temperature": 50.0, "chances": [0.3, 0.7] * 10}
        if call.without_comparison(**high) != call.without_comparison(**high):
            return (
                "Two calls with the same chances give different texts, so something else is "
                "random. The chances are the random numbers here, and draw_word takes one each "
                "time."
            )
        return (
            f"Token {n} is {call.result[n]}. After {call.result[:n]} the logits are {fmt(logits)}; "
            f"from them, chance {chance:.3g} at temperature {call.temperature:g} draws "
            f"{token}." + _reading(call, n + 1 - len(call.ids))
        )
    return None


def _reading(call: Call, count: int) -> str:
    """What the network reads for so many chances, if not each new token with the newest state."""
    inputs_read: list[str] = []
    newest: list[Tensor] = []

    def note(network: Any, args: Any, kwargs: Any, returned: Any) -> None:
        ids, state = (*args, *kwargs.values(), None)[:2]
        how = "no state" if state is None else "another state"
        if state is not None and newest and torch.equal(state, newest[-1]):
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
    shown = ", then ".join(inputs_read[:4]) + " …" * (len(inputs_read) > 4)
    return f" Until then the network was given {shown}."


CHECK = Exercise(
    go_on,
    inputs=_beginnings,
    rules={
        "the result begins with what was given": _keeps_beginning,
        "one token is added for each chance": _one_per_chance,
        "each token is drawn from the network's logits after all tokens before": _from_all_before,
    },
    mistakes={
        "This takes the most probable token, whatever the chance. That is not a draw.": (
            with_logits(go_on, lambda logits: 1e9 * one_hot(logits.argmax(-1), logits.shape[-1]))
        ),
        "Token 0 is drawn every time. Does draw_word get logits (1, V)? Its softmax then runs over "
        "the batch, which has one row. states[0, -1] gives logits (V,).": (
            with_logits(go_on, lambda logits: -1e9 * torch.arange(logits.shape[-1]))
        ),
        "You put the logits through a softmax, but draw_word does that itself: it takes logits.": (
            with_logits(go_on, lambda logits: logits.softmax(-1))
        ),
        "The temperature is not used.": (
            lambda temperature, **others: go_on(temperature=1.0, **others)
        ),
    },
)
