"""Run the tests of what changed since the last commit: `make quick`.

A test of the library, the exercises or the book is run where its file imports something that a
changed module defines, or a module that imports that; so are the doctests of these modules, and of
a changed check all answers to its exercise. What takes minutes (LONG), a browser or the house
waits for `make test`, unless it is what changed.

    python tests/quick.py [FILE ...]        # as if these had changed
"""

import subprocess
import sys
from pathlib import Path

from programs import ROOT, load

book = load(ROOT / "chapters" / "build.py")
LONG = ("test_distributed", "test_grade", "test_ko_en", "test_records", "test_mutants")
KINDS = ("wrong_answers", "right_answers", "known_mistakes", "strangers", "zoo")
ANSWERS = [f"tests/exercises/test_{kind}.py" for kind in KINDS]


def changed() -> list[str]:
    """Files that differ from the last commit, new ones too."""
    lists = (["diff", "--name-only", "HEAD"], ["ls-files", "--others", "--exclude-standard"])
    options = {"cwd": ROOT, "text": True}
    return [
        name
        for one in lists
        for name in subprocess.check_output(["git", *one], **options).splitlines()
    ]


def users(files: set[Path], among: list[Path]) -> set[Path]:
    """The files that import something which one of the given files defines."""
    return {
        path
        for path in among
        if any(files & book.defining(*name) for name in book.imported_names(path))
    }


def chosen(names: list[str]) -> tuple[list[str], list[str]]:
    """Of changed files: what pytest is to run, and the exercises whose answers it is to judge."""
    files = {ROOT / name for name in names if name.endswith(".py") and (ROOT / name).is_file()}
    checked = [path for path in files if "checks" in path.parts or "answers" in path.parts]
    exercises = sorted({path.stem for path in checked} - {"__init__", "shared"})
    code = {path for path in files - set(checked) if path.parts[len(ROOT.parts)].startswith("attn")}
    modules = [*ROOT.glob("attnlib/**/*.py"), *ROOT.glob("attnbook/**/*.py")]
    near = code | users(code, [path for path in modules if "checks" not in path.parts])
    near_tests = [ROOT / "tests" / folder for folder in ("library", "exercises", "book")]
    tests = [path for folder in near_tests for path in folder.glob("test_*.py")]
    tests = [path for path in tests if path.stem not in LONG]
    run = near | users(near, tests) | {path for path in files if path.stem.startswith("test_")}
    return sorted(path.relative_to(ROOT).as_posix() for path in run), exercises


def main() -> int:
    run, exercises = chosen(sys.argv[1:] or changed())
    answers = f" and the answers to {', '.join(exercises)}" if exercises else ""
    print(f"Running the tests of {len(run)} files{answers}.")
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadscope"]
    codes = [subprocess.call([*pytest, *run], cwd=ROOT)] if run else []
    if exercises:
        codes += [subprocess.call([*pytest, *ANSWERS, "-k", " or ".join(exercises)], cwd=ROOT)]
    if not codes:
        print("Nothing changed that a test imports: make test runs everything.")
    return max(codes, default=0)


if __name__ == "__main__":
    sys.exit(main())
