"""Hangul on every machine: a font for figures."""

from importlib.util import find_spec
from pathlib import Path

from matplotlib import font_manager

_KOREAN_FONTS = (  # Noto's collection comes twice: matplotlib may see only its first, Japanese face
    *("Noto Sans CJK KR", "Noto Sans CJK JP", "Noto Sans KR", "NanumGothic", "NanumBarunGothic"),
    *("Apple SD Gothic Neo", "AppleGothic", "Malgun Gothic"),
)


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
    if path := packaged_font():
        font_manager.fontManager.addfont(path)
        return ["DejaVu Sans", "NanumGothic"]
    return ["DejaVu Sans"]


def packaged_font() -> Path | None:
    """NanumGothic of the package koreanize-matplotlib, where that is installed.

    The package is only located: importing it would set a global font, and fails from Python 3.12.
    """
    spec = find_spec("koreanize_matplotlib")
    for folder in (spec and spec.submodule_search_locations) or ():
        path = Path(folder) / "fonts" / "NanumGothic.ttf"
        if path.is_file():
            return path
    return None
