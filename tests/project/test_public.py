"""The public API: what stands on attnlib itself, what its packages export, what help() shows."""

import importlib
import inspect
import pydoc
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import attnbook
import attnlib

ROOT = Path(__file__).parents[2]
PACKAGES = (
    *("data", "model", "training", "search", "metrics", "figures"),
    *("masking", "device", "translator"),
)


def printed(program: str) -> str:
    """What a fresh interpreter prints, in which nothing of attnlib is loaded yet."""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_the_ten_most_used_names_stand_on_attnlib_itself() -> None:
    assert len(attnlib.__all__) == 10 and attnlib.__all__ == sorted(attnlib.__all__)
    for name in attnlib.__all__:
        thing: Any = getattr(attnlib, name)
        package = importlib.import_module(".".join(thing.__module__.split(".")[:2]))
        assert thing is getattr(package, name) and thing.__name__ == name


IN_TURN = """
import sys
before = set(sys.modules)
def loaded():
    return sorted(name for name in {*sys.modules} - before if name.split(".")[0] == "attnlib")
import attnlib
others = {name.split(".")[0] for name in {*sys.modules} - before} - sys.stdlib_module_names
print(*loaded(), *sorted(others - {"attnlib"}))
attnlib.corpus_bleu
print(*loaded())
attnlib.search
print(*loaded())
from attnlib.translator import Translator
print(*loaded())
from attnlib.figures import heatmap
print(*{"seaborn", "fontTools.subset"} & {*sys.modules})
"""


def test_a_name_loads_its_package_and_what_lies_below_it_alone() -> None:
    ground = {"data", "device", "masking", "checks", "files", "lazy"}
    alone, bleu, search, translator, *figures = printed(IN_TURN).split("\n")
    assert alone == "attnlib attnlib.lazy"
    names = [{m.split(".")[1] for m in line.split() if "." in m} for line in (bleu, search)]
    assert {"metrics"} <= names[0] <= {"metrics", *ground}
    assert {"search"} <= names[1] <= {"metrics", "search", *ground}
    assert "training" not in translator
    assert figures == []  # what only some figures need waits


def test_a_name_that_is_not_there_is_no_attribute() -> None:
    assert not hasattr(attnlib, "nonsense")
    with pytest.raises(AttributeError, match="module 'attnlib' has no attribute 'fits'"):
        _ = attnlib.fits
    with pytest.raises(ImportError, match="cannot import name 'nonsense'"):
        exec("from attnlib import nonsense")


def test_the_names_of_attnbook_are_loaded_on_first_use_and_no_module_takes_their_place() -> None:
    program = "import sys, attnbook; print('attnbook.exercises' in sys.modules, *dir(attnbook))"
    loaded, *offered = printed(program).split()
    assert loaded == "False" and {*attnbook.__all__} <= {*offered}
    modules = [f"attnbook.{path.stem}" for path in (ROOT / "attnbook").glob("[a-z]*.py")]
    program = f"import {', '.join(modules)}; "
    program += "print([n for n in attnbook.__all__ if not callable(getattr(attnbook, n))])"
    assert len(modules) > 4 and printed(program) == "[]"
    with pytest.raises(AttributeError, match="module 'attnbook' has no attribute 'exercize'"):
        _ = attnbook.exercize


def test_help_begins_with_a_table_of_contents() -> None:
    page = pydoc.plain(pydoc.render_doc(attnlib)).split("PACKAGE CONTENTS")[0]
    lines = [line.split() for line in page.splitlines()]
    for name in (*attnlib.__all__, *(f"attnlib.{name}" for name in PACKAGES)):
        (line,) = (line for line in lines if line[:1] == [name])
        assert len(line) > 3, f"{name} has no words beside it"
    assert len(lines) < 50, "more than a screen"


# What the packages export -------------------------------------------------------------------------

PUBLIC_PACKAGES = sorted(
    {"attnlib", "attnbook"}
    | {
        ".".join(path.parent.relative_to(ROOT).parts)
        for package in ("attnlib", "attnbook")
        for path in (ROOT / package).glob("*/__init__.py")
        if package == "attnlib" or "__all__" in path.read_text(encoding="utf-8")
    }
)
conf = importlib.import_module("docs.conf")
PUBLIC = [
    (package, name)
    for package in PUBLIC_PACKAGES
    for name in conf.public_names(importlib.import_module(package))
]


def test_the_public_names_are_all_found() -> None:
    found = {package.removeprefix("attnlib.") for package in PUBLIC_PACKAGES}
    assert found >= {"attnlib", "attnbook", *PACKAGES[:6]} and len(PUBLIC) > 100
    assert ("attnlib.model", "Attention") in PUBLIC and ("attnlib.model", "torch") not in PUBLIC


def is_undocumented(thing: Any) -> bool:
    """Whether a function or class of ours has no docstring of its own."""
    if not (inspect.isclass(thing) or inspect.isroutine(thing)):
        return False  # a constant, or the name of a type: neither can carry one
    if not thing.__module__.startswith(("attnlib", "attnbook")):
        return False  # another name for a type of somebody else's
    text = (thing.__doc__ or "").strip()
    # A dataclass or NamedTuple without words is given "Pair(src, tgt, links)" as its docstring.
    return len(text.split("\n")[0]) < 15 or text.startswith(f"{thing.__name__}(")


def test_every_public_function_and_class_is_documented() -> None:
    things = {
        (package, name): getattr(importlib.import_module(package), name) for package, name in PUBLIC
    }
    assert [key for key, thing in things.items() if is_undocumented(thing)] == []


# The API reference (that every name is on its pages, ``make site`` itself holds) ------------------

PAGES = ROOT / "docs" / "api"


def test_every_package_has_a_page_that_is_made_from_its_docstrings() -> None:
    index = (PAGES / "index.rst").read_text(encoding="utf-8")
    pages = {path.stem for path in PAGES.glob("attn*.rst")}
    libraries = {f"attnlib.{name}" for name in PACKAGES}
    assert pages >= libraries | {*PUBLIC_PACKAGES} - {"attnlib"}
    for page in pages:
        assert f".. automodule:: {page}\n" in (PAGES / f"{page}.rst").read_text(encoding="utf-8")
        assert f"\n   {page}\n" in index, f"the index does not lead to {page}"


def test_what_a_page_leaves_out_is_on_another() -> None:
    for path in PAGES.glob("attn*.rst"):
        left_out = re.findall(r":exclude-members: (.+)", path.read_text(encoding="utf-8"))
        names = {name for line in left_out for name in line.split(", ")}
        assert names <= {*importlib.import_module("attnbook").__all__}, path.name


def test_the_ten_names_are_on_the_first_page_of_the_reference() -> None:
    index = (PAGES / "index.rst").read_text(encoding="utf-8")
    for name in attnlib.__all__:
        home = ".".join(getattr(attnlib, name).__module__.split(".")[:2])
        assert f"`attnlib.{name} <{home}.{name}>`: " in index


def test_the_reference_reads_docstrings_as_text_and_fields_with_their_comments() -> None:
    source = (
        "class P:\n    a: int  # one\n    # and more\n    b: int\nX = 1  # two\n#: three\nY = 2\n"
    )
    comments = [conf.comment_of(source, name, "    ") for name in "ab"]
    assert comments == ["one and more", ""]
    assert [conf.comment_of(source, name) for name in "XY"] == ["two", "three"]
    lines = ["A size |A|, ``|x|``:", "", "    a | b", "", ">>> a | b", "1"]
    conf.as_markup(None, "function", "f", None, {}, lines)
    kept = ["A size \\|A\\|, ``|x|``:", "", "::", "", "    a | b", "", ">>> a | b", "1"]
    assert lines == kept
