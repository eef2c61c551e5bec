"""The shape of the library: floors, no effect at import, sizes. Read from the source itself."""

import ast
import io
import subprocess
import sys
import tokenize
from pathlib import Path

import jaxtyping
import pytest
import torch

from attnlib.masking import lengths_to_mask

LIBRARY = Path(__file__).parents[2] / "attnlib"

#: A module imports only from lower floors; the side modules import none of attnlib.
FLOORS = (
    "names files",
    "storage device vocabulary masking schedules search bleu alignment",
    "recurrent corpus attention",
    "batches seq2seq",
    "training translator",
    "presets",
    "doctor",
    "exercises",
    "commands",
    "__main__",
)
FLOOR = {module: floor for floor, modules in enumerate(FLOORS) for module in modules.split()}
SIDE = {"plots", "views", "terminal"}
MODULES = sorted(path.stem for path in LIBRARY.glob("*.py") if path.stem != "__init__")
ENGINE = sorted(
    path for path in (LIBRARY / "exercises").glob("*.py") if not path.stem.startswith("chapter_")
)


def imported(source: str) -> set[str]:
    """Names of the attnlib modules that a module's source imports, however it writes that."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            prefix = "attnlib." if node.level else ""
            module = f"{prefix}{node.module or ''}".rstrip(".")
            # `from attnlib import x` and `from . import x` import the module x
            whole = module == "attnlib"
            names = [f"attnlib.{alias.name}" for alias in node.names] if whole else [module]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("attnlib.")}
    return found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from attnlib.search import beam_search", {"search"}),
        ("import attnlib.search, os", {"search"}),
        ("from attnlib import search as s", {"search"}),
        ("from . import search", {"search"}),
        ("from .search import beam_search", {"search"}),
        ("def f():\n    from attnlib.search import beam_search", {"search"}),
        ("import attnlibrary.search\nfrom attention import x", set()),
    ],
)
def test_every_way_of_importing_is_seen(source: str, expected: set[str]) -> None:
    assert imported(source) == expected


def test_every_module_stands_on_a_floor() -> None:
    assert set(MODULES) <= set(FLOOR) | SIDE


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_lower_floors(module: str) -> None:
    names = imported((LIBRARY / f"{module}.py").read_text(encoding="utf-8"))
    if module in SIDE:
        assert names == set(), f"{module} takes arrays and labels and knows nothing of attnlib"
        return
    allowed = SIDE | {other for other, floor in FLOOR.items() if floor < FLOOR[module]}
    assert names <= allowed, f"{module} may not import {sorted(names - allowed)}"


def lines_of_code(source: str) -> int:
    """Lines that hold code: no blank lines, comments or docstrings (which the book wants long)."""
    ignored = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in (*ignored, tokenize.ENCODING, tokenize.ENDMARKER):
            lines |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            lines -= set(range(body[0].lineno, body[0].end_lineno + 1))
    return len(lines)


def test_docstrings_comments_and_blank_lines_are_no_lines_of_code() -> None:
    assert lines_of_code('"""Two\nlines."""\n\n# why\nx = (1,\n     2)  # both\n') == 2


def test_the_library_stays_small() -> None:
    sizes = {
        module: lines_of_code((LIBRARY / f"{module}.py").read_text(encoding="utf-8"))
        for module in MODULES
    }
    # The aim is 250 and 2,500. These are where it stands: they may fall and must not rise.
    assert max(sizes.values()) <= 400, sizes
    assert sum(sizes.values()) <= 3500, sizes


def test_the_exercise_engine_stays_small_and_only_the_command_line_knows_it() -> None:
    sizes = {path.stem: lines_of_code(path.read_text(encoding="utf-8")) for path in ENGINE}
    assert max(sizes.values()) <= 250, sizes
    users = {
        m for m in MODULES if "exercises" in imported((LIBRARY / f"{m}.py").read_text("utf-8"))
    }
    assert users == {"commands"}


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


def test_importing_the_library_changes_nothing() -> None:
    """...of matplotlib's, torch's, numpy's and Python's; and a change would have been seen."""
    imports = "\n".join(f"import attnlib.{module}" for module in MODULES)
    program = WITHOUT_EFFECT.format(imports=imports)
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert answer.stdout.splitlines() == ["[]", "[1]", "[0, 1, 5]"], answer.stderr


def test_importing_the_package_alone_loads_no_torch() -> None:
    program = "import sys, attnlib; print('torch' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert answer.stdout == "False\n"


def test_shapes_are_checked_while_tests_run() -> None:
    with pytest.raises(jaxtyping.TypeCheckError):
        lengths_to_mask(torch.ones(2, 2))
