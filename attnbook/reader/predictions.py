"""Predictions: the reader answers first; what came out stays folded until then.

predict("05.ratio", ...)                        # the reader puts 3 in place of the dots
predict("05.order", ..., choices="abc")         # or a letter in quotation marks

with reveal("05.ratio", ratio, within=1):       # You said 3; it is 7.39.
    print(ratio)                                # text and figures go into one fold
    plt.show()
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from typing import Any, SupportsFloat, TypeAlias

from attnlib.checks import require

from ..progress_file import read_progress, save_progress

Answer: TypeAlias = str | SupportsFloat

#: What a fold is called, by which the web edition and the tests know it.
SUMMARY = "Show what came out"
_CLOSED = "What came out is folded: open it, or answer above and run this cell again."

_answers: dict[str, str | float] = {}


def predict(name: str, answer: Any = ..., choices: Sequence[str] | None = None) -> None:
    """Note what the reader expects; ``...`` means that nothing is said.

    Args:
        name: chapter and name ("05.ratio"), by which ``reveal`` finds it.
        answer: a number, or one of the choices (True and False for "yes" and "no").
        choices: the words or letters to choose from; None where a number is asked.

    Raises:
        ValueError: the name is not of that form.

    >>> predict("05.ratio", ...)
    >>> predict("05.ratio", 3)
    Noted: 3.
    >>> predict("05.ratio", "many")
    'many' is not noted: give a number, as in predict("05.ratio", 3).
    >>> predict("05.order", "B", choices="abc")
    Noted: b.
    """
    require(bool(re.fullmatch(r"\d\d[bc]?\.[\w-]+", name)), "name", 'like "05.ratio"', name)
    _answers.pop(name, None)
    if answer is ...:
        return
    noted = _number(answer) if choices is None else _choice(answer, choices)
    if noted is not None:
        _answers[name] = noted
        print(f"Noted: {answer if choices is None else noted}.")
    elif choices is None:
        print(f'{answer!r} is not noted: give a number, as in predict("{name}", 3).')
    else:
        print(f"{answer!r} is not noted: choose one of {', '.join(map(repr, choices))}.")


@contextmanager
def reveal(name: str, value: Answer, within: float | int = 0) -> Iterator[None]:
    """Fold what the block prints and draws, compare it with the reader's answer, keep the first.

    The cell's only output is one ``<details>`` with texts and figures: closed where nothing was
    predicted, open and headed by the comparison where something was. What raises in the block is
    shown as ever. Choices are compared without their case, numbers agree where they differ by at
    most ``within``.

    >>> predict("05.ratio", 7)
    Noted: 7.
    >>> with reveal("05.ratio", 7.389, within=1):
    ...     print("7.389")
    You said 7; it is 7.39. Right, within 1.
    7.389
    """
    from IPython.display import display
    from IPython.utils.capture import CapturedIO, capture_output

    require(within >= 0, "within", "at least 0", within)
    captured = CapturedIO(None, None)
    try:
        with capture_output(stderr=False) as captured:
            yield
    except BaseException:
        captured.show()  # a mistake is not looked for in a fold
        raise
    display(_Fold(_comparison(name, value, within), captured.stdout, captured.outputs))


class _Fold:
    """Text and figures behind one click, or open below what is said of the reader's answer."""

    def __init__(self, comparison: str, text: str, outputs: Sequence[Any]) -> None:
        self.comparison, self.text, self.outputs = comparison, text, outputs

    def __repr__(self) -> str:
        outputs = [output.data.get("text/plain", "") for output in self.outputs]
        return "\n".join(filter(None, [self.comparison, self.text.rstrip("\n"), *outputs]))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        parts = [f"<p>{escape(self.comparison)}</p>"] if self.comparison else []
        parts += [f"<pre>{escape(self.text)}</pre>"] if self.text else []
        parts += [_as_html(output.data) for output in self.outputs]
        start = f"<details class='came-out'{' open' if self.comparison else ''}>"
        folded = f"{start}<summary>{SUMMARY}</summary>\n{''.join(parts)}\n</details>"
        # JupyterLab shows the first line of a collapsed output, of whatever form.
        return {"text/html": folded, "text/plain": repr(self) if self.comparison else _CLOSED}


def _as_html(data: dict[str, Any]) -> str:
    if "text/html" in data:
        return str(data["text/html"])
    if "image/png" in data:  # its words stand in the cell below
        png = "".join(data["image/png"].split())
        return f"<img class='plot' alt='figure' src='data:image/png;base64,{png}'>"
    return f"<pre>{escape(data.get('text/plain', ''))}</pre>"


def _comparison(name: str, value: Answer, within: float | int) -> str:
    """What is said of the answer, which is kept if it was the first; nothing if there is none."""
    if (predicted := _answers.get(name)) is None:
        return ""
    actual: str | float
    if isinstance(value, str) or isinstance(predicted, str):
        predicted, actual = str(predicted), str(value).strip()
        right = predicted.casefold() == actual.casefold()
        message, verdict = f"You said {predicted!r}; it is {actual!r}.", "Right."
    else:
        actual = float(value)
        right = abs(predicted - actual) <= within
        message = f"You said {_rounded(predicted)}; it is {_rounded(actual)}."
        verdict = f"Right, within {_rounded(float(within))}." if within else "Right."
    if name not in read_progress()["predictions"]:
        save_progress("predictions", name, {"said": predicted, "was": actual, "right": right})
    return f"{message} {verdict}" if right else message


def _number(answer: Any) -> float | None:
    """An answer as a number; None where it is none. True and False are words."""
    try:
        number = math.nan if isinstance(answer, bool) else float(answer)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _choice(answer: Any, choices: Sequence[str]) -> str | None:
    """The choice that an answer names, whatever its case; None where it names none."""
    word = {True: "yes", False: "no"}[answer] if isinstance(answer, bool) else str(answer).strip()
    return next((choice for choice in choices if choice.casefold() == word.casefold()), None)


def _rounded(number: float) -> str:
    """A number as one would say it: three digits, and no power of ten."""
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"
