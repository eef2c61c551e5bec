"""Everything that installs the book agrees: pyproject, constraints, conda, CI, and the README."""

import importlib.metadata
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
#: The newest is resolved for, and was not run yet.
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
SYSTEMS = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


PYPROJECT = tomllib.loads(read("pyproject.toml"))
PROJECT = PYPROJECT["project"]
PINS = [
    Requirement(line) for line in read(".ci/constraints.txt").splitlines() if line[:1] not in "#"
]


def declared(*extras: str) -> list[Requirement]:
    """What pyproject asks for, with these extras and those they name."""
    lines = list(PROJECT["dependencies"])
    for extra in extras:
        lines += PROJECT["optional-dependencies"][extra]
    found = []
    for requirement in map(Requirement, lines):
        if canonicalize_name(requirement.name) == PROJECT["name"]:
            found += declared(*requirement.extras)
        else:
            found.append(requirement)
    return found


def pins_of(name: str, environment: dict[str, str]) -> list[Requirement]:
    return [
        pin
        for pin in PINS
        if canonicalize_name(pin.name) == canonicalize_name(name)
        and (pin.marker is None or pin.marker.evaluate(environment))
    ]


def environment(python: str, system: str) -> dict[str, str]:
    return {
        "python_version": python,
        "python_full_version": f"{python}.8",
        "platform_system": system,
        "sys_platform": SYSTEMS[system],
        "os_name": "nt" if system == "Windows" else "posix",
        "platform_machine": "x86_64",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "extra": "",
    }


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_each_dependency_has_one_exact_version_inside_its_range(python: str, system: str) -> None:
    where = environment(python, system)
    backend = map(Requirement, PYPROJECT["build-system"]["requires"])
    for requirement in (*declared("test", "site", "e2e"), *backend):
        if requirement.marker is not None and not requirement.marker.evaluate(where):
            continue
        pins = pins_of(requirement.name, where)
        assert len(pins) == 1, f"{requirement.name} is pinned by {pins}"
        (exact,) = pins[0].specifier
        assert exact.operator == "=="
        assert requirement.specifier.contains(exact.version), f"{pins[0]} is not {requirement}"


def test_whatever_is_installed_through_pyproject_is_pinned() -> None:
    """Follow the installed packages' own requirements down to the last one."""
    here = {"extra": ""}
    waiting, seen = declared("test"), set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if (name, *sorted(requirement.extras)) in seen:
            continue
        seen.add((name, *sorted(requirement.extras)))
        assert name.startswith(("nvidia-", "cuda-", "triton")) or pins_of(name, here), (
            f"{name} is installed but not in constraints.txt: make lock"
        )
        for line in importlib.metadata.requires(name) or []:
            needed = Requirement(line)
            extras = [{"extra": extra} for extra in ("", *requirement.extras)]
            if needed.marker is None or any(needed.marker.evaluate(extra) for extra in extras):
                waiting.append(needed)
    assert len(seen) > 100


def test_torch_has_no_system_of_its_own_and_nothing_is_pinned_by_an_address() -> None:
    assert not [pin.name for pin in PINS if re.match("nvidia-|cuda-|triton", pin.name)]
    assert not re.search(r"://|^\s*-|@", read(".ci/constraints.txt"), re.MULTILINE)


def test_every_lower_bound_is_a_version_that_was_run() -> None:
    """TESTED.md names the versions; a changed bound is run and named there."""
    (row,) = (line for line in read("docs/TESTED.md").splitlines() if "lowest versions" in line)
    ran = dict(re.findall(r"([\w-]+) ((?:\d+\.)+\d+)", row.split("allows: ")[1].split("|")[0]))
    bounds = {}
    for requirement in declared("lab"):
        (bound,) = requirement.specifier
        assert bound.operator == ">=", requirement
        bounds[requirement.name] = Version(bound.version)
    assert bounds == {name: Version(version) for name, version in ran.items()}


# environment.yml ---------------------------------------------------------------------------------

CONDA = yaml.safe_load(read("environment.yml"))


def test_conda_installs_an_allowed_python_and_pip_alone() -> None:
    python, pip, packages = CONDA["dependencies"]
    assert pip.startswith("pip") and packages == {"pip": ["-e .[lab]"]}
    version = python.removeprefix("python=")
    assert SpecifierSet(PROJECT["requires-python"]).contains(Version(version))
    assert version in PYTHONS and CONDA["channels"] == ["conda-forge"]


# The same commands everywhere --------------------------------------------------------------------

WORKFLOW = yaml.safe_load(read(".github/workflows/test.yml"))
STEPS = [step["run"] for step in WORKFLOW["jobs"]["test"]["steps"] if "run" in step]


def windows_commands(text: str) -> set[str]:
    lines = (line.strip().removesuffix("|| exit /b 1").strip() for line in text.splitlines())
    return {line for line in lines if line.startswith((".venv\\Scripts", "python -m"))}


def test_the_workflow_runs_three_systems_on_the_oldest_and_newest_python() -> None:
    matrix = WORKFLOW["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["os"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    assert matrix["python"] == [PYTHONS[0], PYTHONS[-2]]
    more = [(row["os"], row["python"]) for row in matrix["include"]]
    assert more == [("ubuntu-latest", version) for version in PYTHONS[1:-2]]


def test_the_workflow_runs_what_the_pages_say() -> None:
    documented = windows_commands(read("docs/INSTALL.md"))
    called = set().union(*map(windows_commands, STEPS))
    options = r"--config=docs\lab\config.py chapters\00_start.ipynb"
    assert documented - called == {rf".venv\Scripts\python -m jupyterlab {options}"}
    assert called <= documented
    assert ".ci/run" in STEPS
    for text in (STEPS, read("docs/INSTALL.md")):
        assert "make test NBVAL=--nbval-lax" in text
    for page in (".ci/run", "README.md", "docs/INSTALL.md"):
        assert "\nmake test " in read(page), page


@pytest.mark.skipif(os.name == "nt", reason="CI's script is for Linux")
@pytest.mark.parametrize(
    ("red", "status"),
    [("nothing", 0)] + [(run, 1) for run in ("pythons", "answers", "thorough", "test")],
)
def test_ci_ends_with_the_whole_run_and_fails_where_any_run_did(
    red: str, status: int, tmp_path: Path
) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    data = 'if [ -n "$https_proxy" ]; then ls -A "$ATTNLIB_DATA"; fi'
    say = 'echo "$1 $https_proxy ${ATTNLIB_DATA:-none}"'
    program(tmp_path / "bin" / "make", say, data, f'case "$1" in {red}) exit 2;; esac')
    ours = ("attnlib_data", "https_proxy")
    usual = {name: value for name, value in os.environ.items() if name.lower() not in ours}
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    answer = said("bash", tmp_path / ".ci" / "run", env={**usual, "PATH": path})
    assert answer.returncode == status, answer.stderr
    *before, last = answer.stdout.splitlines()
    assert before[-3:] == [f"{run}  none" for run in ("pythons", "answers", "thorough")]
    test, proxy, folder = last.split()  # nothing is downloaded, and nothing can be
    assert test == "test" and not Path(folder).exists()  # empty, and removed in the end
    with pytest.raises(OSError), socket.create_connection(("127.0.0.1", int(proxy.split(":")[2]))):
        pass


@pytest.mark.thorough
@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_a_newer_version_is_taken_as_install_describes_where_notebooks_were_worked_in(
    tmp_path: Path,
) -> None:
    (about,) = (
        line for line in read("docs/INSTALL.md").splitlines() if line.startswith("To get a newer")
    )
    commands = [shlex.split(command) for command in re.findall(r"`(git [^`]+)`", about)]
    assert [command[1] for command in commands] == ["stash", "pull", "checkout"]
    people = [f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")]
    variables = {**os.environ, **dict.fromkeys(people, "a"), "GIT_CONFIG_GLOBAL": os.devnull}

    def run(folder: Path, *command: str) -> None:
        subprocess.run(command, cwd=folder, env=variables, check=True, capture_output=True)

    book, mine = tmp_path / "book", tmp_path / "mine"
    first, other = "chapters/05_attention.ipynb", "chapters/06_scores.ipynb"
    (book / "chapters").mkdir(parents=True)
    shutil.copy(ROOT / ".gitignore", book)

    def publish(text: str) -> None:
        for name in (first, other):
            (book / name).write_text(f"{text} {name}", encoding="utf-8")
        run(book, "git", "add", ".")
        run(book, "git", "commit", "-m", text)

    run(book, "git", "init", "--quiet")
    publish("old")
    run(tmp_path, "git", "clone", "--quiet", "book", "mine")
    (mine / "chapters" / "progress.json").write_text("kept", encoding="utf-8")
    for text in ("new", "newer"):
        (mine / first).write_text(f"worked in before {text}", encoding="utf-8")
        (mine / other).write_text("run", encoding="utf-8")
        publish(text)
        for command in commands:
            run(mine, *command)
        assert (mine / first).read_text(encoding="utf-8") == f"worked in before {text}"
        assert (mine / other).read_text(encoding="utf-8") == f"{text} {other}"
    assert (mine / "chapters" / "progress.json").read_text(encoding="utf-8") == "kept"


def test_make_help_lists_every_command() -> None:
    targets = set(re.findall(r"^([a-z0-9]+):", read("Makefile"), re.MULTILINE))
    shown = set(re.findall(r"^([a-z0-9]+):[^\n]*## ", read("Makefile"), re.MULTILINE))
    assert targets == shown
    assert {"lab", "test", "book", "site", "serve", "e2e", "bench", "lint"} <= shown


def said(*command: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """What a program answers."""
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, encoding="utf-8", **options)


def copy_of_what_make_needs(folder: Path) -> None:
    (folder / ".ci").mkdir()
    for name in ("Makefile", "pyproject.toml", ".ci/constraints.txt", ".ci/python", ".ci/pythons"):
        shutil.copy(ROOT / name, folder / name)


def program(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def pyenv(tmp_path: Path) -> dict[str, str]:
    """Variables of a machine that has pyenv: python3.77 is on PATH and fails, as pyenv's does."""
    no = 'echo "pyenv: python3.77: no" >&2'
    shim = program(tmp_path / "shims" / "python3.77", no, "exit 127")
    for version in ("3.77.9", "3.77.10", "3.7.1"):
        says = f'[ "$1" != -V ] || echo {version}'
        program(tmp_path / "versions" / version / "bin" / "python", says)
    program(tmp_path / "versions" / "3.77.11" / "bin" / "python", "exit 1")  # half installed
    path = f"{shim.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PYENV_ROOT": str(tmp_path), "PATH": path}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no make")
def test_an_interpreter_is_found_by_name_by_path_or_by_pyenv(pyenv, tmp_path: Path) -> None:
    find = ROOT / ".ci" / "python"
    assert said(find, sys.executable, env=pyenv).stdout.strip() == sys.executable
    newest = str(tmp_path / "versions" / "3.77.10" / "bin" / "python")
    assert said(find, "python3.77", env=pyenv).stdout.strip() == newest
    missing = said(find, "python3.78", env=pyenv)
    assert missing.returncode == 1 and missing.stdout == ""
    assert missing.stderr.startswith("There is no python3.78 here: install it, or name another")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no make")
def test_make_runs_no_other_python_than_the_one_named(pyenv, tmp_path: Path) -> None:
    copy_of_what_make_needs(tmp_path)
    program(tmp_path / ".venv" / "bin" / "python", "echo Python 3.7.1")
    (tmp_path / ".venv" / ".ready").touch()
    answer = said("make", "lint", "PYTHON=python3.77", cwd=tmp_path, env=pyenv)
    assert answer.returncode != 0
    assert answer.stderr.splitlines()[0] == (
        ".venv has Python 3.7.1, and python3.77 is 3.77.10: "
        "make clean removes it, or VENV=.venv/other keeps both."
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has no make")
def test_make_pythons_reports_what_passed_failed_or_is_missing(pyenv, tmp_path: Path) -> None:
    copy_of_what_make_needs(tmp_path)
    program(tmp_path / ".venv" / "bin" / "python", "echo 3.11")
    program(tmp_path / "shims" / "make", 'case "$*" in *pythons/3.77*) exit 2;; esac')

    def run(versions: str, *flags: str) -> tuple[int, list[str]]:
        completed = said(tmp_path / ".ci/pythons", *flags, env={**pyenv, "PYTHONS": versions})
        summary = completed.stdout.partition("== Summary:\n")[2].splitlines()
        return completed.returncode, [re.sub(r"\d+ seconds", "N seconds", line) for line in summary]

    missing = "Python 3.78: MISSING, so nothing was run on it"
    passed = "Python 3.7: passed in N seconds"
    assert run("3.7 3.77 3.78") == (1, [missing, passed, "Python 3.77: FAILED after N seconds"])
    left_out = "Python 3.11: that of .venv, on which all tests run"
    assert run("3.11 3.7", "--others") == (0, [left_out, passed])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no make")
@pytest.mark.parametrize(
    ("version", "message"),
    [
        ((3, 9, 18), "attnlib needs Python 3.10 or newer, and "),
        ((3, 10, 0), "cannot make a virtual environment: on Debian and Ubuntu, "),
    ],
)
def test_make_reports_in_one_sentence_why_it_cannot_set_up(
    version: tuple, message: str, tmp_path: Path
) -> None:
    """The Python named here says it is of this version, and has no venv."""
    pretends = f'exec {sys.executable} -c "import sys; sys.version_info = {version}; $2"'
    python = program(tmp_path / "python", '[ "$1" = -c ] || exit 1', pretends)
    copy_of_what_make_needs(tmp_path)
    answer = said("make", "lab", f"PYTHON={python}", cwd=tmp_path)
    first, last = answer.stderr.splitlines()  # the last is make's own
    assert answer.returncode != 0
    assert message in first and re.match(r"make(\[\d+\])?: \*\*\*", last)  # [1] under make test
    assert not (tmp_path / ".venv").exists()


# What others read --------------------------------------------------------------------------------


def test_the_citation_and_the_package_are_of_the_version_in_pyproject() -> None:
    citation = yaml.safe_load(read("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0" and citation["type"] == "software"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", citation["date-released"])
    assert citation["license"] == "MIT" and PROJECT["license"] == "MIT AND CC-BY-4.0"
    package = re.search(r'__version__ = "(.*)"', read("attnlib/__init__.py"))[1]
    assert str(citation["version"]) == package == PROJECT["version"]


def test_the_changelog_begins_with_what_is_to_come_and_knows_this_version() -> None:
    headings = re.findall(r"^## (\S+)", read("docs/CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "Unreleased" and PROJECT["version"] in headings
    kinds = set(re.findall(r"^### (.*)$", read("docs/CHANGELOG.md"), re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_tour_of_the_repository_has_every_folder() -> None:
    listed = re.findall(r"^\| (`.*`) \|", read("docs/CONTRIBUTING.md"), re.MULTILINE)
    folders = {name.split("/")[0] for name in re.findall(r"`([^`]+)`", "".join(listed))}
    packages = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert {*packages, "chapters", "data", "tests", "studies"} <= folders


def test_the_licenses_are_complete() -> None:
    assert "IMPLIED, INCLUDING BUT NOT LIMITED TO" in read("LICENSE")
    for number in range(1, 9):
        assert f"\nSection {number} -- " in read("docs/LICENSE-text")
