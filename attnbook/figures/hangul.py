"""The Hangul that a view or a diagram carries with it: it looks alike on every machine."""

import base64
import io
from functools import lru_cache

from attnlib.figures import packaged_font

_HINTS_SOURCE = ["TSI0", "TSI1", "TSI2", "TSI3", "TSI5"]
_HANGUL = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xA960, 0xA97F), (0xAC00, 0xD7FF))


def embedded_hangul(family: str, text: str) -> str:
    """CSS with the Hangul of the text as a font named ``family``; nothing where it has none."""
    used = {char for char in text if any(low <= ord(char) <= high for low, high in _HANGUL)}
    if not used:
        return ""
    source = f"src:url(data:font/ttf;base64,{_font_subset(''.join(sorted(used)))})"
    families = f"{family},system-ui,sans-serif"
    return f"@font-face{{font-family:{family};{source}}}\n#{family}{{font-family:{families}}}\n"


@lru_cache(maxsize=64)
def _font_subset(chars: str) -> str:
    """The glyphs of NanumGothic for these characters, in base64.

    Not compressed, because zlib's bytes differ between systems, and without hints or dates.
    """
    from fontTools import subset  # which no figure needs, and takes a while to load

    options = subset.Options(
        hinting=False,
        layout_features=[],
        name_IDs=[0],
        name_languages=[0x409],
        recalc_timestamp=False,
        notdef_outline=True,
    )
    options.drop_tables = options.drop_tables + _HINTS_SOURCE
    with subset.load_font(str(packaged_font()), options) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=chars)
        subsetter.subset(font)
        stream = io.BytesIO()
        subset.save_font(font, stream, options)
    return base64.b64encode(stream.getvalue()).decode("ascii")
