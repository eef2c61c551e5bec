"""Hangul on every machine: a font for figures, and the glyphs that a view carries with it."""

import base64
import io
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from matplotlib import font_manager

_KOREAN_FONTS = (  # Noto's collection comes twice: matplotlib may see only its first, Japanese face
    *("Noto Sans CJK KR", "Noto Sans CJK JP", "Noto Sans KR", "NanumGothic", "NanumBarunGothic"),
    *("Apple SD Gothic Neo", "AppleGothic", "Malgun Gothic"),
)
_HINTS_SOURCE = ["TSI0", "TSI1", "TSI2", "TSI3", "TSI5"]
_HANGUL = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xA960, 0xA97F), (0xAC00, 0xD7FF))


def hangul_font() -> list[str]:
    """Font families that together show Latin and Hangul, for ``rcParams["font.family"]``.

    A Korean font of the system comes first; where there is none, the NanumGothic of the package
    koreanize-matplotlib is registered. Without either, DejaVu Sans stands alone.

    >>> hangul_font()[0]
    'DejaVu Sans'
    """
    known = {font.name for font in font_manager.fontManager.ttflist}
    for family in _KOREAN_FONTS:
        if family in known:
            return ["DejaVu Sans", family]
    if path := _packaged_font():
        font_manager.fontManager.addfont(path)
        return ["DejaVu Sans", "NanumGothic"]
    return ["DejaVu Sans"]


def embedded_hangul(family: str, text: str) -> str:
    """CSS with the Hangul of the text as a font named ``family``; nothing where there is none."""
    used = {char for char in text if any(low <= ord(char) <= high for low, high in _HANGUL)}
    font = _font_subset("".join(sorted(used))) if used else ""
    if not font:
        return ""
    source = f"src:url(data:font/ttf;base64,{font})"
    families = f"{family},system-ui,sans-serif"
    return f"@font-face{{font-family:{family};{source}}}\n#{family}{{font-family:{families}}}\n"


@lru_cache(maxsize=64)
def _font_subset(chars: str) -> str:
    """The glyphs of NanumGothic for these characters, in base64; "" where it is not installed.

    Not compressed, because zlib's bytes differ between systems, and without hints or dates.
    """
    if not (path := _packaged_font()):
        return ""
    from fontTools import subset  # which no figure needs, and takes a while to load

    options = subset.Options(
        hinting=False, layout_features=[], name_IDs=[0], name_languages=[0x409],
        recalc_timestamp=False, notdef_outline=True,
    )  # fmt: skip
    options.drop_tables = options.drop_tables + _HINTS_SOURCE
    with subset.load_font(str(path), options) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=chars)
        subsetter.subset(font)
        stream = io.BytesIO()
        subset.save_font(font, stream, options)
    return base64.b64encode(stream.getvalue()).decode("ascii")


def _packaged_font() -> Path | None:
    """NanumGothic of the package koreanize-matplotlib, where that is installed.

    The package is only located: importing it would set a global font, and fails from Python 3.12.
    """
    spec = find_spec("koreanize_matplotlib")
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / "fonts" / "NanumGothic.ttf"
        if path.is_file():
            return path
    return None
