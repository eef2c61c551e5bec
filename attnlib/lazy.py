"""Doors of packages that load what is behind them when it is first asked for (PEP 562)."""

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def door(
    package: str, homes: Mapping[str, str], rooms: Collection[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package whose names are loaded when asked for.

    Arguments: homes, name → the module of the package that defines it; rooms, modules of the
    package that are names themselves. A type checker is to be shown plain imports instead.

    >>> get, names = door("attnlib", {"corpus_bleu": "metrics"}, ["search"])
    >>> get("corpus_bleu").__name__, get("search").__name__, "search" in names()
    ('corpus_bleu', 'attnlib.search', True)
    """

    def get(name: str) -> Any:
        if name in rooms:
            return import_module(f"{package}.{name}")
        if name in homes:
            return getattr(import_module(f"{package}.{homes[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes, *rooms})

    return get, names
