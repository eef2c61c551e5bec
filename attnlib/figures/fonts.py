"""Hangul on every machine: the font that comes along."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from matplotlib import font_manager


def packaged_font() -> Path:
    """NanumGothic, under the Open Font License (``assets/OFL.txt``)."""
    return Path(__file__).with_name("assets") / "NanumGothic.ttf"


@cache
def hangul_font() -> tuple[str, str]:
    """Font families that together show Latin and Hangul, for ``rcParams["font.family"]``.

    The second is that of ``packaged_font``, so that figures are alike everywhere; it is made known
    to matplotlib here.

    >>> hangul_font()
    ('DejaVu Sans', 'NanumGothic')
    """
    font_manager.fontManager.addfont(packaged_font())
    return "DejaVu Sans", "NanumGothic"


def with_hangul(families: Iterable[str]) -> list[str]:
    """The families that are set, and behind them, for the letters that they lack, ours.

    A script that none of them has (Chinese, Thai, Hindi, most emoji) is drawn as boxes: set
    ``rcParams["font.family"]`` to a font of this machine that has it.

    >>> with_hangul(["sans-serif"])
    ['sans-serif', 'DejaVu Sans', 'NanumGothic']
    """
    return [*dict.fromkeys([*families, *hangul_font()])]
