"""attnlib: what the chapters of the book built, in one small library.

Import from the door of the stage you need, for instance ``from attnlib.search import beam_search``.
Importing the package itself loads nothing else and changes nothing.
"""

import importlib
from typing import Any

__version__ = "0.1.0"

_ROOMS = ("data", "model", "training", "search", "metrics", "figures", "masking", "device")


def __getattr__(name: str) -> Any:
    """Subpackages are loaded when first asked for (PEP 562)."""
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
