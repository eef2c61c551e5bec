"""What known mistakes are made of: functions that are right but for one part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

from attnbook.exercises import Mistake


def only_a_part(reference: Callable[..., Any], *names: str) -> list[Mistake]:
    """One of several results alone, and all of them from the last to the first."""
    asked = f"{', '.join(names[:-1])} and {names[-1]} are asked for, in this order."

    def taken(which: int | slice) -> Callable[..., Any]:
        return lambda *given, **named: reference(*given, **named)[which]

    alone = [f"Only one thing comes back, {name}: {asked}" for name in names]
    found = [(told, taken(i)) for i, told in enumerate(alone)]
    return [*found, (f"The order is another: {asked}", taken(slice(None, None, -1)))]


def same(value: Any, *_: Any) -> Any:
    """What a part does that does nothing."""
    return value


def first_for_all(x: Tensor) -> Tensor:
    """What the first sentence of a batch has, for every sentence."""
    return x[:1].expand_as(x)
