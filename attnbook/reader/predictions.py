"""Predictions: what the reader expects, said before the result and compared with it.

    predict("05.ratio", ...)              # the reader puts 3 in place of the dots
    reveal("05.ratio", 7.39, within=1)    # You said 3; it is 7.39.

Left blank, both do nothing.
"""

from __future__ import annotations

import re
from types import EllipsisType
from typing import Any, SupportsFloat, TypeAlias

from attnlib.names import require

from ..kept import keep, read

Said: TypeAlias = str | SupportsFloat

_said: dict[str, tuple[Said, float | int | None]] = {}


def predict(name: str, answer: Said | EllipsisType = ..., sure: float | int | None = None) -> None:
    """Note what the reader expects, a number or a word; ``...`` means that nothing is said.

    Args:
        name: chapter and name ("05.ratio"), by which ``reveal`` finds it.
        answer: a number, or a word such as "yes" or "b".
        sure: if the reader likes to say so, how sure they are, from 0 to 100 %.

    Raises:
        ValueError: the name is not of that form.

    >>> predict("05.ratio", ...)
    >>> predict("05.ratio", 3, sure=70)
    Noted: 3, and you are 70 % sure.
    """
    require(bool(re.fullmatch(r"\d\d[bc]?\.[\w-]+", name)), "name", 'like "05.ratio"', name)
    if isinstance(answer, EllipsisType):
        _said.pop(name, None)
        return
    if sure is not None and not 0 <= sure <= 100:
        print(f"How sure you are goes from 0 to 100 %; {sure} is not noted.")
        sure = None
    _said[name] = (answer, sure)
    print(f"Noted: {answer}" + ("." if sure is None else f", and you are {sure:g} % sure."))


def reveal(name: str, value: Said, within: float | int = 0) -> None:
    """Compare what the reader predicted, if anything, with what it is, and keep the first try.

    Words are compared without their case. Numbers agree where they differ by at most ``within``.

    >>> predict("05.ratio", 7)
    Noted: 7.
    >>> reveal("05.ratio", 7.389, within=1)
    You said 7; it is 7.39. Right, within 1.
    >>> reveal("05.nothing-said", 7.389)
    """
    require(within >= 0, "within", "at least 0", within)
    if name not in _said:
        return
    answer, sure = _said[name]
    said: str | float
    was: str | float
    if isinstance(value, str):
        said, was = _word(answer), value.strip()
        right = said.casefold() == was.casefold()
        told, verdict = f"You said {said!r}; it is {was!r}.", "Right."
    else:
        try:
            said, was = float(answer), float(value)
        except (TypeError, ValueError):
            print(f"You said {answer!r}; a number is asked for.")
            return
        right = abs(said - was) <= within
        told = f"You said {_rounded(said)}; it is {_rounded(was)}."
        verdict = f"Right, within {_rounded(float(within))}." if within else "Right."
    print(f"{told} {verdict}" if right else told)
    if name not in read()["predictions"]:
        keep("predictions", name, {"said": said, "was": was, "right": right, "sure": sure})


def _word(answer: Any) -> str:
    """An answer as a word: True and False mean yes and no."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer).strip()


def _rounded(number: float) -> str:
    """A number as one would say it: three digits, and no power of ten."""
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"
