"""What is installed from the wheel is the whole of it: both packages, data, and every dependency.

The wheel is built as pip builds it, without a network, and installed into a fresh environment in
a folder of its own.
"""

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from clean_environment import CleanEnvironment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from attnbook.builder import notebooks as book
from attnlib.data import load_corpus

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    run = subprocess.run(
        [*command, "--directory", str(folder)], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stdout + run.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def content(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> CleanEnvironment:
    made = CleanEnvironment(tmp_path_factory.mktemp("fresh"))
    made.install(wheel)
    return made


@pytest.mark.thorough
def test_the_wheel_holds_both_packages_and_the_data(content: set[str]) -> None:
    sources = {
        path.relative_to(ROOT).as_posix()
        for package in ("attnlib", "attnbook")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and not {"__pycache__", "builder"} & {*path.parts}
    }
    assert sources <= content
    assert {"attnlib/py.typed", "attnbook/py.typed", "attnbook/views/assets/view.css"} <= content
    data = {
        "attnlib/_data/" + path.relative_to(ROOT / "data").as_posix()
        for pattern in (
            "ko-en/*.*",
            "results/*.json",
            "runs/*.json",
            "shakespeare/*.txt",
            "stories/*.txt",
        )
        for path in ROOT.glob(f"data/{pattern}")
    }
    assert len(data) > 15
    assert data | {"attnlib/_data/README.md"} <= content


@pytest.mark.thorough
def test_the_wheel_holds_nothing_else(content: set[str]) -> None:
    kinds = ("attnlib/", "attnbook/", f"attnlib-{PROJECT['version']}.dist-info/")
    assert [name for name in content if not name.startswith(kinds)] == []
    program = re.compile(r"test_\w+\.py|\.ipynb|\.pyc|__pycache__")  # a corpus has test_long.tsv.gz
    assert [name for name in content if program.search(name)] == []
    about = {name.split("/", 1)[1] for name in content if ".dist-info/" in name}
    assert {"licenses/LICENSE", "licenses/docs/LICENSE-text", "METADATA"} <= about


@pytest.mark.thorough
def test_the_installed_package_finds_its_corpus_and_its_records(fresh: CleanEnvironment) -> None:
    program = "from attnlib.data import bundled_directory, load_corpus; "
    program += "print(load_corpus('ko-en').test[0]); "
    program += "print(len([*bundled_directory().parent.glob('runs/*.json')]))"
    pair, runs = fresh.output_of(program).splitlines()
    assert pair == str(load_corpus("ko-en").test[0])
    assert int(runs) == len([*ROOT.glob("data/runs/*.json")])


@pytest.mark.thorough
def test_the_first_ten_cells_of_a_chapter_run_from_the_wheel(fresh: CleanEnvironment) -> None:
    chapter = book.read_source(ROOT / "chapters" / "source" / "01_rnn.py")
    cells = book.code_cells(book.without_solutions(chapter, "01_rnn"))[:10]
    program = "import attnlib, attnbook; print(attnlib.__file__, attnbook.__file__, sep='\\n')"
    done = fresh.run_notebook([*cells, nbformat.v4.new_code_cell(program)], "01_rnn.ipynb")
    assert [cell.execution_count for cell in done] == [*range(1, 12)]
    for place in done[-1].outputs[0].text.splitlines():
        assert Path(place).resolve().is_relative_to(fresh.site.resolve())
    assert sum(bool(cell.outputs) for cell in done) > 5


@pytest.mark.thorough
def test_a_notebook_is_graded_from_the_wheel_by_its_command(fresh: CleanEnvironment) -> None:
    """By way of the entry points: attnlib finds ``grade`` in attnbook without importing it."""
    source = book.read_source(ROOT / "chapters" / "source" / "00_start.py")
    solved = book.only_solutions(source, "00_start")
    fresh.write_notebook(solved.cells, "handed in.ipynb")
    answer = fresh.run(fresh.python, "-m", "attnlib", "grade", "handed in.ipynb", "--json")
    report = json.loads(answer)
    assert [row["state"] for row in report["exercises"]] == ["right"] and report["problems"] == []
    assert (fresh.programs / ("attnlib.exe" if os.name == "nt" else "attnlib")).is_file()


# What the packages import ------------------------------------------------------------------------


def imports_of_others(*folders: str) -> Iterator[tuple[str, str]]:
    """Each import of a package that is neither Python's nor ours: (file, top-level module)."""
    for path in [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            for top in {name.split(".")[0] for name in names}:
                if top not in {*sys.stdlib_module_names, "attnlib", "attnbook"}:
                    yield path.relative_to(ROOT).as_posix(), top


def declared(*extras: str) -> set[str]:
    lines = list(PROJECT["dependencies"])
    for extra in extras:
        lines += PROJECT["optional-dependencies"][extra]
    return {canonicalize_name(Requirement(line).name) for line in lines}


def distributions() -> dict[str, set[str]]:
    """Who brings each module. (Python 3.10's own such list lacks most of them.)"""
    found: dict[str, set[str]] = {}
    for distribution in importlib.metadata.distributions():
        for file in distribution.files or ():
            module = file.parts[0].removesuffix(".py")
            found.setdefault(module, set()).add(canonicalize_name(distribution.metadata["Name"]))
    return found


DISTRIBUTIONS = distributions()


@pytest.mark.parametrize(
    ("package", "extras"),
    [("attnlib", []), ("attnbook", ["lab"]), ("attnbook/builder", ["lab", "test"])],
)
def test_every_package_that_is_imported_is_declared(package: str, extras: list[str]) -> None:
    builder = "attnbook/builder"  # which no wheel has
    undeclared = {
        (file, module)
        for file, module in imports_of_others(package)
        if (package == builder or not file.startswith(builder))
        and not DISTRIBUTIONS.get(module, set()) & declared(*extras)
    }
    assert undeclared == set()


def test_every_package_that_is_declared_is_imported_somewhere() -> None:
    modules = {module for _, module in imports_of_others("attnlib", "attnbook", "chapters")}
    imported = set().union(*(DISTRIBUTIONS.get(module, ()) for module in modules))
    assert declared() - imported == set()
