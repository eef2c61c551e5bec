"""Checks of arguments: one sentence for a value that cannot be or a name that does not exist."""

import difflib
import math
import operator
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, TypeAlias

Number: TypeAlias = float | int  # as arguments have it; a bool is none
# Seeds are below it: larger ones would overflow torch's once multiplied by counts of updates.
SEED_LIMIT = 2**32


def require(condition: bool, name: str, expected: str, got: Any) -> None:
    """Raise ValueError unless the condition holds.

    >>> require(1 < 2, "step", "at least 2", 1)
    >>> require(2 < 2, "step", "below 2", 2)
    Traceback (most recent call last):
    ValueError: step must be below 2, got 2
    """
    if not condition:
        raise ValueError(f"{name} must be {expected}, got {in_a_line(got)}")


def in_a_line(value: Any) -> str:
    """How Python writes a value, in one line that is not too long: a large array is many lines.

    >>> in_a_line("a b"), len(in_a_line([*range(1000)]))
    ("'a b'", 200)
    """
    text = repr(value)
    if "\n" in text:
        text = " ".join(text.split())
    return text if len(text) <= 200 else f"{text[:199]}…"


def as_number(value: Any) -> Any:
    """A number as Python's int or float; NaN, which is within no limits, for all else.

    A string, None and a bool are no numbers.

    numpy's numbers are numbers, and so is what is in a tensor or array of no dimensions.

    >>> as_number(0.5), as_number("0.5"), 0 <= as_number(True)
    (0.5, nan, False)
    """
    value = plain(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        return math.nan
    return value if isinstance(value, int | float) else float(value)


def plain(value: Any) -> Any:
    """What numpy, torch and pandas hold, as Python's numbers and lists; anything else as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def check_probability(name: str, value: Any) -> None:
    """Raise ValueError unless the value is a number from 0 to 1.

    >>> check_probability("dropout", 1.5)
    Traceback (most recent call last):
    ValueError: dropout must be a number from 0 to 1, got 1.5
    """
    require(0 <= as_number(value) <= 1, name, "a number from 0 to 1", value)


def as_ints(row: Any) -> list[int]:
    """Integers as Python's ints, whatever holds them: a list, an array, a tensor.
    Raises TypeError for anything else, bools among them.

    >>> as_ints(range(2))
    [0, 1]
    """
    numbers = list(plain(row))
    if bool in map(type, numbers):
        raise TypeError("bools are no numbers")
    return list(map(operator.index, numbers))


def as_int(name: str, value: Any, least: int = 1, below: int | None = None) -> int:
    """An integer as Python's int; ValueError unless it is one, at least ``least`` and under
    ``below``. numpy's and torch's are integers, too; bools and 2.0 are not.

    >>> as_int("beam", 2.5)
    Traceback (most recent call last):
    ValueError: beam must be a whole number of at least 1, got 2.5
    """
    integer = plain(value)
    is_integer = isinstance(integer, Integral) and not isinstance(integer, bool)
    is_valid = is_integer and int(integer) >= least and (below is None or int(integer) < below)
    limit = "" if below is None else f" and below {below}"
    require(is_valid, name, f"a whole number of at least {least}{limit}", value)
    return int(integer)


def as_bool(name: str, value: Any) -> bool:
    """A bool as Python's; ValueError for all else, also for 0 and 1.

    >>> as_bool("tied", "no")
    Traceback (most recent call last):
    ValueError: tied must be True or False, got 'no'
    """
    flag = plain(value)
    require(isinstance(flag, bool), name, "True or False", value)
    return bool(flag)


def check_name(
    what: str, name: str, known: Sequence[str], error: type[ValueError] = ValueError
) -> None:
    """Raise ``error`` unless ``name`` is one of ``known``; suggest the nearest.

    Case does not count, so that "lstm" is suggested for "LSTM". A name with other digits is never
    suggested: fp16 is no misspelt fp32.

    >>> check_name("attention", "genral", ("dot", "general"))
    Traceback (most recent call last):
    ValueError: attention must be one of dot, general, got 'genral'; did you mean 'general'?
    """
    if isinstance(name, str) and name in known:
        return
    candidates = {k.casefold(): k for k in known if _digits(k) == _digits(str(name))}
    nearest = difflib.get_close_matches(str(name).casefold(), candidates, n=1)
    hint = f"; did you mean {candidates[nearest[0]]!r}?" if nearest else ""
    raise error(f"{what} must be one of {', '.join(known)}, got {name!r}{hint}")


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def check_sizes(**sizes: int) -> None:
    """Raise ValueError unless every size is a whole number of at least 1.

    >>> check_sizes(input_size=3, hidden_size=0)
    Traceback (most recent call last):
    ValueError: hidden_size must be a whole number of at least 1, got 0
    """
    for name, size in sizes.items():
        as_int(name, size)
