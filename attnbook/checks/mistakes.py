"""What known mistakes are made of: functions that are right but for one part."""

from typing import Any

from torch import Tensor

from attnbook.exercises import Function, Mistakes


def only_a_part(reference: Function, *names: str) -> Mistakes:
    """One of several results alone, and all of them from the last to the first."""
    order = f"Return {', '.join(names[:-1])} and {names[-1]}, in this order."

    def part(which: int | slice) -> Function:
        return lambda **arguments: reference(**arguments)[which]

    alone = {f"You return only {x}. {order}": part(i) for i, x in enumerate(names)}
    return {**alone, f"The order is wrong. {order}": part(slice(None, None, -1))}


def same(value: Any, *_: Any) -> Any:
    """What a part does that does nothing."""
    return value


def first_for_all(x: Tensor) -> Tensor:
    """What the first sentence of a batch has, for every sentence."""
    return x[:1].expand_as(x)
