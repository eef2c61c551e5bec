"""The shape of the house: rooms on floors, doors, sizes, no effect at import. Read from the source.

The builder's reader of imports is used, which follows a name through a door to
the module that defines it; tests/book/test_build.py tests that.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jaxtyping
import nbformat
import pytest
import torch
from beartype.roar import BeartypeException
from size import code_lines, code_tokens, floors, functions, sitting, sizes

from attnbook.builder import dependencies as build
from attnbook.exercises.engine import names_by_chapter
from attnbook.exercises.values import fmt
from attnlib.checks import check_name
from attnlib.data import WordVocabulary, make_batch
from attnlib.masking import lengths_to_mask
from attnlib.metrics import brevity_penalty

ROOT = Path(__file__).parents[2]
LIBRARY, BOOK = ROOT / "attnlib", ROOT / "attnbook"

#: A room imports only from rooms of lower lines. Above stands what chapters teach, on a small
#: ground; below, what makes a tool of it.
GROUND = ("checks files lazy", "device masking")
TAUGHT = ("data model", "training search metrics")
TOOL = ("data/sources", "translator", "translator/page", "translator/cli", "__main__")
FLOORS = (*GROUND, *TAUGHT, *TOOL)
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms.split()}
#: Floors are not all of it.
FORBIDDEN = {
    **dict.fromkeys(("search", "metrics"), {"model"}),
    "data/sources": {"model", "training", "search", "metrics"},
}
#: What opens a corpus when it is called: the one way from what is taught to the tool.
OPENS = LIBRARY / "data" / "loading.py"
#: Takes arrays and labels, and imports nothing else of attnlib but how doors are made.
SIDE = {"figures"}
#: The same for what makes it a book.
BOOK_FLOORS = (
    "approximate contents minutes progress_file registry",
    "exercises figures ledger papers",
    "checks",
    "views reader grading doctor",
    "yours commands publish",
    "builder __main__",
)
BOOK_FLOOR = {room: floor for floor, rooms in enumerate(BOOK_FLOORS) for room in rooms.split()}
MODULES = sorted(LIBRARY.rglob("*.py"))
OUTSIDE = sorted(
    path
    for folder in ("studies", "attnbook", "data", "docs")
    for path in (ROOT / folder).rglob("*.py")
    if "_build" not in path.parts
)


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def room_of(path: Path, package: Path = LIBRARY) -> str:
    """The subpackage, or the module that lies beside them, to which a file belongs."""
    first, *rest = path.relative_to(package).parts
    inside = f"{first}/{rest[0]}" if rest else ""
    return inside if inside in FLOOR else first.removesuffix(".py")


# Floors ------------------------------------------------------------------------------------------


def test_every_room_stands_on_a_floor() -> None:
    assert {room_of(path) for path in MODULES} == set(FLOOR) | SIDE | {"__init__"}


def allowed(room: str) -> set[str]:
    """Rooms from which a room may import."""
    if room in SIDE:
        return {room, "lazy"}
    lower = {other for other, floor in FLOOR.items() if floor < FLOOR[room]}
    return (lower - FORBIDDEN.get(room, set())) | SIDE | {room}


@pytest.mark.parametrize(
    ("room", "known", "unknown"),
    [
        ("data", {"masking", "checks", "data"}, {"model", "training", "translator"}),
        ("search", {"data", "device"}, {"model", "metrics", "training", "translator"}),
        ("training", {"data", "model"}, {"translator", "data/sources", "search"}),
        ("data/sources", {"data", "files"}, {"model", "translator"}),
        ("translator", {"training", "search", "model", "data/sources"}, {"translator/page"}),
        ("figures", {"figures"}, {"checks", "masking", "data"}),
        ("translator/cli", {"translator", "translator/page", "model"}, {"__main__"}),
    ],
)
def test_what_a_room_may_know(room: str, known: set[str], unknown: set[str]) -> None:
    assert known <= allowed(room) and not unknown & allowed(room)


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_a_module_imports_only_from_lower_floors(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        return  # the door to all rooms
    for module, name in build.imported_names(path):
        for file in build.defining(module, name):
            assert file.is_relative_to(LIBRARY), f"{short(path)} imports {module}, of attnbook"
            known = allowed(room) | ({"data/sources"} if path == OPENS else set())
            assert room_of(file) in known, f"{short(path)} imports {module}.{name}"


@pytest.mark.parametrize("path", sorted(BOOK.rglob("*.py")), ids=short)
def test_a_module_of_the_book_imports_only_from_lower_floors(path: Path) -> None:
    room = room_of(path, BOOK)
    if room == "__init__":
        return
    for module, name in build.imported_names(path):
        for file in build.defining(module, name):
            if file.is_relative_to(BOOK):
                other = room_of(file, BOOK)
                below = BOOK_FLOOR[other] < BOOK_FLOOR[room]
                assert other == room or below, f"{short(path)} imports {module}.{name}"


def place_of(check: Path) -> tuple[str, int]:
    """Where a check stands in the book: its chapter, and its place among the chapter's exercises.

    What checks share comes first.
    """
    chapter = check.parent.name.removeprefix("ch")
    names = list(names_by_chapter().get(chapter, ()))
    return (chapter, names.index(check.stem)) if check.stem in names else ("", -1)


def test_no_check_imports_one_that_comes_later() -> None:
    checks = BOOK / "checks"
    assert place_of(checks / "inputs.py") < place_of(checks / "ch05" / "error_rate.py")
    assert place_of(checks / "ch05" / "feeding_decoder.py") < place_of(
        checks / "ch05b" / "bahdanau_step.py"
    )
    for chapter, name in [(c, n) for c, names in names_by_chapter().items() for n in names]:
        path = checks / f"ch{chapter}" / f"{name}.py"
        for module, name in build.imported_names(path):
            for file in build.defining(module, name) - {path}:
                if file.is_relative_to(checks):
                    assert place_of(file) < place_of(path), f"{short(path)} imports {module}"


#: Calls that import a module, or look for some, by a name that is computed as they run.
BY_NAME = {"import_module", "__import__", "resolve_name", "iter_modules", "walk_packages"}
#: Files that compute a name outside of their own package. All these lie in attnlib, but in the
#: first: there, in the package that has called it.
COMPUTED = {"attnlib/lazy.py": 2, "attnbook/grading/suspicion.py": 1, "attnbook/yours/parts.py": 2}


def imported_by_name(path: Path, own: str) -> Iterator[str]:
    """What a file, which is the module ``own``, imports by a call: all but what lies inside it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (a.asname for a in node.names if a.name in BY_NAME and a.asname)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in BY_NAME:
            target = ast.unparse(node.args[0]) if node.args else ""
            inside = target == "__path__" or target.startswith(("f'{__name__}.", f"'{own}."))
            if not inside:
                yield ast.unparse(node)


def test_a_module_that_is_imported_by_a_computed_name_lies_in_the_same_package() -> None:
    found = {}
    for path in [*MODULES, *BOOK.rglob("*.py")]:
        own = short(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if outside := list(imported_by_name(path, own)):
            found[short(path)] = len(outside)
    assert found == COMPUTED


def test_an_import_by_a_computed_name_would_be_seen(tmp_path: Path) -> None:
    hidden = (
        "importlib.import_module(f'{checks.__name__}.ch05')",
        "import_module('attnbook.checks')",
        "pkgutil.iter_modules(checks.__path__)",
        "__import__('attnbook' + name)",
    )
    allowed = ("import_module(f'{__name__}.ch05')", "iter_modules(__path__)", "import importlib")
    renamed = "from importlib import import_module as load"
    (tmp_path / "x.py").write_text("\n".join([*hidden, *allowed, renamed]), encoding="utf-8")
    assert sorted(imported_by_name(tmp_path / "x.py", "attnbook.exercises")) == sorted(
        [*hidden, "load"]
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


def test_a_circle_would_be_seen() -> None:
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": {"d"}}) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"d", "b"}}) == ["b", "c"]
    assert circle({"a": {"a"}}) == ["a"]


def test_no_modules_import_each_other_in_a_circle() -> None:
    arrows: dict[str, set[str]] = {}
    for path in [*MODULES, *BOOK.rglob("*.py")]:
        files = [file for pair in build.imported_names(path) for file in build.defining(*pair)]
        arrows[short(path)] = {short(file) for file in files}
    assert sum(map(len, arrows.values())) > 100
    assert circle(arrows) == []


# Doors -------------------------------------------------------------------------------------------


def behind_a_door(path: Path) -> Iterator[str]:
    """What a file outside imports from behind the door of a subpackage, or of what is private."""
    for module, name in build.imported_names(path):
        package = module.split(".")[0]
        behind = module.count(".") > 1 and not (ROOT / module.replace(".", "/")).is_dir()
        if not path.is_relative_to(ROOT / package) and (behind or (name or "").startswith("_")):
            yield f"{module}.{name}" if name else module


@pytest.mark.parametrize("path", OUTSIDE, ids=short)
def test_from_outside_everything_is_imported_from_a_door(path: Path) -> None:
    assert list(behind_a_door(path)) == []


def test_an_import_from_behind_a_door_would_be_seen(tmp_path: Path) -> None:
    lines = (
        "from attnlib.search import beam_search, _take",
        "from attnlib.search.beam import beam_search as search",
        "import attnlib.data.pairs, attnlib.data",
        "from attnlib import figures",
    )
    (tmp_path / "x.py").write_text("\n".join(lines), encoding="utf-8")
    assert list(behind_a_door(tmp_path / "x.py")) == [
        "attnlib.search._take",
        "attnlib.search.beam.beam_search",
        "attnlib.data.pairs",
    ]


# Sizes -------------------------------------------------------------------------------------------


SOURCE = '''\
"""Two
lines."""

# why
x = (1,
     2)  # both

class A:
    """A class."""

    def f(self,
          y):
        """Two
        lines."""
        # why
        return y

def g():
    def inner():
        return 1
    return inner
'''


def test_docstrings_comments_and_blank_lines_are_no_lines_of_code() -> None:
    assert code_lines(SOURCE) == {5, 6, 8, 11, 12, 16, 18, 19, 20, 21}
    assert functions(SOURCE) == {"A.f": 3, "g": 4, "g.inner": 2}
    written = [token.string for token in code_tokens("x = (1,\n     2)  # both\n\n'two'\n")]
    assert written == ["x", "=", "(", "1", ",", "2", ")", "'two'"]


def test_make_size_counts_lines_and_tokens_by_room() -> None:
    files = {"attnlib/a.py": "x = 1\n", "attnlib/b/c.py": "y\n", "attnlib/b/d.py": "# z\n\nz\n"}
    assert sizes({**files, "tests/b/e.py": "f(\n1)\n"}) == {
        "attnlib": {"lines": 1, "tokens": 3},
        "attnlib/b": {"lines": 2, "tokens": 2},
        "tests": {"lines": 2, "tokens": 4},
    }


def test_make_size_counts_the_floors_of_the_library() -> None:
    paths = ("attnlib/model/a.py", "attnlib/data/b.py", "attnlib/data/sources/c.py", "tests/d.py")
    assert floors(dict.fromkeys(paths, "x = 1\n")) == {"taught": 2, "tool": 1}


def test_make_size_counts_what_a_reader_sees_of_a_notebook() -> None:
    folded = "- One two.\n\n<details><summary>Why</summary>\n\nthree\n\n</details>\n\nfour"
    drawn = nbformat.v4.new_output("display_data", data={"image/png": ""})
    cells = [
        nbformat.v4.new_markdown_cell(folded),
        nbformat.v4.new_code_cell("a\n\nb"),
        nbformat.v4.new_code_cell(
            "c", outputs=[drawn], metadata={"jupyter": {"source_hidden": True}}
        ),
        nbformat.v4.new_code_cell("d", metadata={"tags": ["check"]}),
    ]
    text = nbformat.writes(nbformat.v4.new_notebook(cells=cells))
    assert sitting(text) == {"words": 3, "code cells": 2, "lines": 2, "figures": 1}


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
def report():
    changed = [number for number, (old, new) in enumerate(zip(before, state())) if old != new]
    print(changed)
before = state()
{imports}
report()
torch.set_num_threads(torch.get_num_threads() + 1)
report()
matplotlib.rcParams["font.size"] = 31
random.random()
report()
"""


def test_importing_the_library_and_the_book_changes_nothing() -> None:
    """...of matplotlib's, torch's, numpy's and Python's; and a change would have been seen."""
    paths = [path.relative_to(ROOT).with_suffix("") for path in [*MODULES, *BOOK.rglob("*.py")]]
    names = sorted(".".join(path.parts).removesuffix(".__init__") for path in paths)
    names.remove("attnlib.__main__")  # that one runs
    program = WITHOUT_EFFECT.format(imports="\n".join(f"import {name}" for name in names))
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert answer.stdout.splitlines() == ["[]", "[1]", "[0, 1, 5]"], answer.stderr


def test_programs_that_import_their_neighbours_share_no_name_with_another_folders() -> None:
    # Such a folder comes first on sys.path: of two modules called `easy`, the one imported first
    # would serve both, in whatever order the tests happen to run.
    owner: dict[str, Path] = {}
    for folder in (ROOT / "data" / "ko-en", ROOT / "docs", ROOT / "tests"):
        for path in folder.glob("*.py"):
            assert owner.setdefault(path.stem, path) == path
    assert len(owner) > 15


def test_importing_the_package_alone_loads_no_torch() -> None:
    program = "import sys, attnlib; print('torch' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert answer.stdout == "False\n"


def test_an_exercise_is_found_without_importing_any_other() -> None:
    program = (
        "import sys, attnbook; print('torch' in sys.modules)\n"
        "from attnbook.exercises.engine import find; find('pad')\n"
        "print([name for name, module in sys.modules.items() if 'CHECK' in vars(module)])"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert answer.stdout == "False\n['attnbook.checks.ch03.pad']\n", answer.stderr


def test_translating_loads_nothing_of_training() -> None:
    program = "import sys; from attnlib.translator import Translator; "
    program += "print([m for m in sys.modules if 'training' in m])"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8")
    assert answer.stdout == "[]\n"


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
