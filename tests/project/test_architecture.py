"""Which module may import which, what is imported from outside, and no effect at import.

Read from the source, imports by importlib and names of modules in strings included. The builder's
reader of imports is used, which follows a name through a package's ``__init__`` to the module that
defines it; tests/book/test_build.py tests that.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import jaxtyping
import pytest
import torch
from beartype.roar import BeartypeException

from attnbook.builder import dependencies as build
from attnbook.exercises.values import fmt
from attnlib.checks import check_name
from attnlib.data import WordVocabulary, make_batch
from attnlib.masking import lengths_to_mask
from attnlib.metrics import brevity_penalty

ROOT = Path(__file__).parents[2]
LIBRARY, BOOK = ROOT / "attnlib", ROOT / "attnbook"

#: A package imports only from packages of lines above its own: first the ground, then what chapters
#: teach, then what makes a tool of it.
LIBRARY_LAYERS = (
    *("lazy", "checks files figures", "device masking"),
    *("data model", "training search metrics"),
    *("data/sources", "data/loading", "translator", "translator/page", "translator/cli"),
    "__main__",
)
BOOK_LAYERS = (
    "approximate contents minutes progress_file recorded registry",
    "exercises figures ledger papers",
    "checks",
    "views reader grading doctor",
    "yours commands publish",
    "builder __main__",
)
#: What a package does not import although its layer would allow it.
FORBIDDEN = {
    "search": {"model"},
    "metrics": {"model"},
    "figures": {"checks", "files"},
    "data/sources": {"model", "training", "search", "metrics"},
    "files": {"figures"},
    "checks": {"figures"},
}
LAYER = {
    **{name: n for n, names in enumerate(LIBRARY_LAYERS) for name in names.split()},
    **{f"book/{name}": n for n, names in enumerate(BOOK_LAYERS) for name in names.split()},
}
MODULES = sorted([*LIBRARY.rglob("*.py"), *BOOK.rglob("*.py")])
OUTSIDE = sorted(
    path
    for folder in ("studies", "attnbook", "data", "docs")
    for path in (ROOT / folder).rglob("*.py")
    if "_build" not in path.parts
)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def package_of(path: Path) -> str:
    """The subpackage, or the module that lies beside them, to which a file belongs."""
    root = LIBRARY if path.is_relative_to(LIBRARY) else BOOK
    parts = [part.removesuffix(".py") for part in path.relative_to(root).parts]
    inner = "/".join(parts[:2])
    name = inner if inner in LAYER else parts[0]
    return name if root == LIBRARY else f"book/{name}"


# What a file imports ----------------------------------------------------------------------------

#: "attnlib.data:pad": a string that may be handed to importlib, wherever it stands.
NAME = re.compile(r"((?:attnlib|attnbook)(?:\.\w+)+)(?::(\w+).*)?")
IMPORTERS = {"import_module", "__import__", "resolve_name", "iter_modules", "walk_packages"}
#: Names that are put together inside the file's own package.
OWN = ("__path__", "f'{__name__}.", "f'.")


@cache
def imported(path: Path) -> set[Path]:
    """The files of attnlib and attnbook that a file imports from, or names in a string."""
    found = set(build.imported_names(path))
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and (name := NAME.fullmatch(text)):
            found.add((name[1], name[2]))
    return {file for module, name in found for file in build.defining(module, name)} - {path}


def computed_imports(path: Path) -> Iterator[str]:
    """Imports by a name that is put together from pieces, or under another name of the importer.

    A plain variable holds a string of the source, which ``imported`` sees, or what a user typed.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (a.asname for a in node.names if a.name in IMPORTERS and a.asname)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in IMPORTERS:
            target = node.args[0] if node.args else None
            text = ast.unparse(target) if target else ""
            plain = isinstance(target, ast.Constant | ast.Name | ast.Attribute)
            if not text.startswith(OWN) and (not plain or text.endswith(".__path__")):
                yield ast.unparse(node)


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_no_import_is_hidden_in_a_computed_name(path: Path) -> None:
    assert list(computed_imports(path)) == []


# Layers -----------------------------------------------------------------------------------------


def may_import(importer: str, package: str) -> bool:
    """Whether a package may import from another: from itself, and from lower layers."""
    if importer == package or importer.endswith("__init__"):
        return True
    if importer.startswith("book/") and not package.startswith("book/"):
        return True  # the book may import the library
    lower = importer.startswith("book/") == package.startswith("book/")
    lower = lower and LAYER.get(package, -1) < LAYER[importer]
    return lower and package not in FORBIDDEN.get(importer, ())


def test_every_package_has_a_layer() -> None:
    assert {package_of(path) for path in MODULES} == {*LAYER, "__init__", "book/__init__"}


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_module_imports_only_from_lower_layers(path: Path) -> None:
    if path.name == "__init__.py":  # the names of its own package, of whatever layer inside it
        outside = {file for file in imported(path) if not file.is_relative_to(path.parent)}
    else:
        outside = imported(path)
    for file in outside:
        assert may_import(package_of(path), package_of(file)), (
            f"{relative(path)} imports {relative(file)}"
        )


def circle(arrows: dict[str, set[str]]) -> list[str]:
    """Modules of which each imports the next and the last the first; none where there are none."""
    done: set[str] = set()

    def walk(name: str, way: list[str]) -> list[str]:
        if name in way:
            return way[way.index(name) :]
        if name in done:
            return []
        for other in sorted(arrows.get(name, ())):
            if found := walk(other, [*way, name]):
                return found
        done.add(name)
        return []

    return next((found for name in sorted(arrows) if (found := walk(name, []))), [])


def test_no_modules_import_each_other_in_a_circle() -> None:
    arrows = {relative(path): set(map(relative, imported(path))) for path in MODULES}
    assert sum(map(len, arrows.values())) > 100
    assert circle(arrows) == []


# From outside -----------------------------------------------------------------------------------


def private_imports(path: Path) -> Iterator[str]:
    """What a file outside a package imports from a module inside it, or of what is private."""
    for module, name in build.imported_names(path):
        package = module.split(".")[0]
        inside = module.count(".") > 1 and not (ROOT / module.replace(".", "/")).is_dir()
        if not path.is_relative_to(ROOT / package) and (inside or (name or "").startswith("_")):
            yield f"{module}.{name}" if name else module


@pytest.mark.parametrize("path", OUTSIDE, ids=relative)
def test_from_outside_everything_is_imported_from_a_package(path: Path) -> None:
    assert list(private_imports(path)) == []


# Importing ---------------------------------------------------------------------------------------

WITHOUT_EFFECT = """
import random
import matplotlib, numpy, torch
import jaxtyping, seaborn, tokenizers, tqdm.auto
def state():
    return (dict(matplotlib.rcParams), torch.get_num_threads(), torch.get_num_interop_threads(),
            torch.get_default_dtype(), torch.get_rng_state().tolist(), random.getstate(),
            numpy.random.get_state()[1].tolist(), numpy.get_printoptions(),
            torch.are_deterministic_algorithms_enabled())
before = state()
{imports}
print([number for number, (old, new) in enumerate(zip(before, state())) if old != new])
"""


def test_importing_the_library_and_the_book_changes_nothing() -> None:
    """...of matplotlib's, torch's, numpy's and Python's."""
    paths = [path.relative_to(ROOT).with_suffix("") for path in MODULES]
    names = sorted(".".join(path.parts).removesuffix(".__init__") for path in paths)
    names.remove("attnlib.__main__")  # that one runs
    program = WITHOUT_EFFECT.format(imports="\n".join(f"import {name}" for name in names))
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert answer.stdout == "[]\n", answer.stderr


def test_an_exercise_is_found_without_importing_any_other() -> None:
    program = (
        "import sys, attnbook; print('torch' in sys.modules)\n"
        "from attnbook.exercises.engine import find; find('last_real')\n"
        "print([name for name, module in sys.modules.items() if 'CHECK' in vars(module)])"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert answer.stdout == "False\n['attnbook.checks.ch03.last_real']\n", answer.stderr


def test_shapes_and_types_are_checked_while_tests_run() -> None:
    with pytest.raises(jaxtyping.TypeCheckError):
        lengths_to_mask(torch.ones(2, 2))
    with pytest.raises(jaxtyping.TypeCheckError):
        make_batch([[3]], "no list of numbers")
    with pytest.raises(jaxtyping.TypeCheckError):
        check_name("names no shape", 3, ("a", "b"))
    with pytest.raises(BeartypeException):
        WordVocabulary.build(3)
    with pytest.raises(BeartypeException):
        brevity_penalty("2", 3)
    with pytest.raises(BeartypeException):
        fmt(1, limit="all")
