"""The checks: one file an exercise, in the order that each chapter lists.

What several of them share stands beside the chapters, one module a subject.

This package is the registry of exercises that ``attnbook/__init__`` hands in.
"""

import importlib
import pkgutil
from functools import cache
from typing import Any


@cache
def names_by_chapter() -> dict[str, dict[str, int]]:
    """The exercises of each chapter ("05") in its order, with the minutes that each takes."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {
        name.removeprefix("ch"): importlib.import_module(f"{__name__}.{name}").EXERCISES
        for name in modules
        if name.startswith("ch")
    }


@cache
def load(chapter: str, name: str) -> Any:
    """The check of an exercise. Imports nothing of any other."""
    return importlib.import_module(f"{__name__}.ch{chapter}.{name}").CHECK
