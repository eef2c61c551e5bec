"""Programs that belong to no package, as modules: what several tests of them need."""

import copy
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from nbformat import NotebookNode

from attnbook.builder.notebooks import read_source

ROOT = Path(__file__).parents[1]


def load(path: Path) -> ModuleType:
    """A program as a module of its own, named by its way from the root: ``docs_conf``.

    It finds what lies beside it, as where Python runs it. That is forgotten afterwards: programs
    of other folders have neighbors of the same names.
    """
    name = "_".join(path.relative_to(ROOT).with_suffix("").parts)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look for it
    before = set(sys.modules)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
        for other in set(sys.modules) - before:
            if (path.parent / f"{other}.py").is_file():
                del sys.modules[other]
    return module


def chapter_source(name: str) -> NotebookNode:
    """A chapter as its source describes it; a copy, for whoever changes it."""
    return copy.deepcopy(_described(name))


@cache  # hundreds of tests ask
def _described(name: str) -> NotebookNode:
    return read_source(ROOT / "chapters" / "source" / f"{name}.py")
