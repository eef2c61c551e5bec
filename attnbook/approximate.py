"""What may differ a little on the reader's machine, shown with ≈: numbers in a band, sentences."""

import textwrap
from typing import SupportsFloat


def check_range(value: SupportsFloat, low: float | int, high: float | int) -> None:
    """Stop where a number that was printed with ≈ lies outside the band that its text is meant for.

    The sign ≈ says that the reader's digits may be others: training rounds differently on another
    processor. When the notebooks are tested, everything is compared but the digits behind ≈
    (``tests/nbval.cfg``); this checks the number, in a collapsed cell below (tag ``check``).

    Args:
        value: a number, or a tensor or array that holds one.
        low, high: the band, both ends included.

    Raises:
        ValueError: ``value`` is outside the band or not a number, or the band is empty.

    >>> check_range(1.7183, 1.6, 1.8)
    >>> check_range(2.5, 1.6, 1.8)
    Traceback (most recent call last):
    ValueError: 2.5 is outside the band from 1.6 to 1.8, for which the text above is meant
    """
    if not low <= high:
        raise ValueError(f"low must be at most high, got {low} and {high}")
    if not low <= float(value) <= high:  # also true for NaN
        raise ValueError(
            f"{float(value):.4g} is outside the band from {low} to {high}, "
            "for which the text above is meant"
        )


def approx_text(text: str, width: int = 88, indent: int = 0) -> str:
    """A sentence of a model that was trained just now: ``≈“Two dogs run.”``, in lines of a width.

    Another processor may train it to another word or two. When the notebooks are tested, all that
    stands between the marks is overlooked, so a number nearby should say how good sentences are.

    Args:
        text: what the model wrote.
        width: the longest line, in characters.
        indent: spaces before every line but the first.

    >>> approx_text("Two dogs run.")
    '≈“Two dogs run.”'
    >>> print(approx_text("Two dogs run through deep snow.", width=20, indent=2))
    ≈“Two dogs run
      through deep snow.”
    """
    plain = text.replace("“", '"').replace("”", '"')
    return textwrap.fill(f"≈“{plain}”", width, subsequent_indent=" " * indent)
