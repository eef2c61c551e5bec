"""One sentence for a value that cannot be or a name that does not exist; a command to type."""

import difflib
import math
import re
import shlex
import sys
from collections.abc import Sequence
from numbers import Real
from typing import Any

# Larger ones would overflow torch's seeds once multiplied by counts of updates.
LARGEST_SEED = 2**32


def require(condition: bool, name: str, expected: str, got: Any) -> None:
    """Raise ValueError unless the condition holds.

    >>> require(1 < 2, "step", "at least 2", 1)
    >>> require(2 < 2, "step", "below 2", 2)
    Traceback (most recent call last):
    ValueError: step must be below 2, got 2
    """
    if not condition:
        raise ValueError(f"{name} must be {expected}, got {got!r}")


def number(value: Any) -> Any:
    """A number as it is; NaN, which no limits hold, for all else: None, a text, a truth value.

    >>> number(0.5), number("0.5"), 0 <= number(True)
    (0.5, nan, False)
    """
    fine = isinstance(value, Real) and not isinstance(value, bool)
    return value if fine else math.nan


def check_share(name: str, value: Any) -> None:
    """Raise ValueError unless the value is a number from 0 to 1.

    >>> check_share("dropout", 1.5)
    Traceback (most recent call last):
    ValueError: dropout must be a number from 0 to 1, got 1.5
    """
    require(0 <= number(value) <= 1, name, "a number from 0 to 1", value)


def require_whole(name: str, value: Any, least: int = 1, below: int | None = None) -> None:
    """Raise ValueError unless the value is a whole number, at least ``least`` and under ``below``.

    >>> require_whole("beam", 2.5)
    Traceback (most recent call last):
    ValueError: beam must be a whole number of at least 1, got 2.5
    """
    fine = isinstance(value, int) and not isinstance(value, bool) and value >= least
    limit = "" if below is None else f" and below {below}"
    fine = fine and (below is None or value < below)
    require(fine, name, f"a whole number of at least {least}{limit}", value)


def check_name(
    what: str, name: str, known: Sequence[str], error: type[ValueError] = ValueError
) -> None:
    """Raise ``error`` unless ``name`` is one of ``known``; suggest the nearest.

    A name with other digits is never suggested: fp16 is no misspelt fp32.

    >>> check_name("attention", "genral", ("dot", "general"))
    Traceback (most recent call last):
    ValueError: attention must be one of dot, general, got 'genral'; did you mean 'general'?
    """
    if name in known:
        return
    alike = [other for other in known if _digits(other) == _digits(str(name))]
    near = difflib.get_close_matches(str(name), alike, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise error(f"{what} must be one of {', '.join(known)}, got {name!r}{hint}")


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def as_typed(*words: str) -> str:
    """A command as one types it: a word that the shell would take apart is quoted.

    On Windows by double quotes, which its shells and its programs understand alike.

    >>> as_typed("evaluate", "runs/new")
    'evaluate runs/new'
    """
    return " ".join(map(_quoted if sys.platform == "win32" else shlex.quote, words))


def _quoted(word: str) -> str:
    r"""A word in quotes, if it needs them, as programs on Windows read it.

    >>> print(_quoted("C:\\runs\\new"), _quoted("C:\\My runs\\"))
    C:\runs\new "C:\My runs\\"
    """
    if re.fullmatch(r"[\w:./\\=+-]+", word):
        return word
    # There a backslash means itself but before a quote.
    inner = re.sub(r'(\\*)("|$)', lambda m: 2 * m[1] + (m[2] and '\\"'), word)
    return f'"{inner}"'


def check_sizes(**sizes: int) -> None:
    """Raise ValueError unless every size is a whole number of at least 1.

    >>> check_sizes(input_size=3, hidden_size=0)
    Traceback (most recent call last):
    ValueError: hidden_size must be a whole number of at least 1, got 0
    """
    for name, size in sizes.items():
        require_whole(name, size)
