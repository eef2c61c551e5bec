"""Packages that import a module when one of its names is first used (PEP 562)."""

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def lazy_exports(
    package: str, module_by_name: Mapping[str, str], submodules: Collection[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package whose names are loaded on first use.

    Arguments: module_by_name, name → the module of the package that defines it;
    submodules, modules that are names themselves. Type checkers need plain imports beside it.

    >>> get, names = lazy_exports("attnlib", {"corpus_bleu": "metrics"}, ["search"])
    >>> get("corpus_bleu").__name__, get("search").__name__, "search" in names()
    ('corpus_bleu', 'attnlib.search', True)
    """

    def get(name: str) -> Any:
        if name in submodules:
            return import_module(f".{name}", package)
        if name in module_by_name:
            return getattr(import_module(f".{module_by_name[name]}", package), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *module_by_name, *submodules})

    return get, names
