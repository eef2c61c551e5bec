"""What every test, doctest and notebook starts from. (At the root, for attnlib's doctests.)"""

import gc
import os
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import matplotlib
import pytest
import torch
from beartype import BeartypeConf, BeartypeDecorPlace
from beartype.claw import beartype_package, beartype_packages
from jaxtyping import install_import_hook

# Importing sources of notebooks for doctests would run them, and importing answers register them
# a second time.
collect_ignore_glob = ["chapters/source/*.py", "tests/exercises/answers/*/*.py"]

# Types of every signature are checked when tests run, and with jaxtyping their shapes. It costs
# more than what a small function does (cut a word, count a row of n-grams), and tests call those
# millions of times: what names no shape in attnbook, and in attnlib's data and metrics, is checked
# without it.
ROOT = Path(__file__).parent
BY_JAXTYPING = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted(ROOT.glob("attnlib/**/*.py"))
    if path.parent.name not in ("data", "metrics") or "from jaxtyping" in path.read_text("utf-8")
]
install_import_hook(BY_JAXTYPING, "beartype.beartype")
# Both check a function as it was written, under its other decorators: on Python 3.10 beartype
# takes what @contextmanager makes of a generator for the iterator that the generator promises.
WRITTEN: dict[str, Any] = {
    "claw_is_pep526": False,
    "claw_decor_place_func": BeartypeDecorPlace.FIRST,
}
beartype_package("attnbook", conf=BeartypeConf(**WRITTEN))
beartype_packages(  # a whole number may stand for a decimal one in a named tuple, as for mypy
    ("attnlib.data", "attnlib.metrics"), conf=BeartypeConf(**WRITTEN, is_pep484_tower=True)
)

# What is collected stays to the end. Looking for garbage in it, over and over, was a quarter of the
# time of collecting, and is done no more while tests run.
gc.disable()

# No test reads or writes what a reader has done; the notebooks' kernels inherit this.
os.environ["ATTNLIB_PROGRESS"] = ""

# make hands the variables of its command line (make test VENV=...) on to a make that a test starts,
# which is to begin without them.
for variable in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "VENV", "PYTHON", "TESTS", "WORKERS"):
    os.environ.pop(variable, None)

# As many threads for each worker's kernels and programs as there are cores for it. With two
# threads where another worker wants the second core, chapter 10 trains at 3/4 of one's pace.
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
if WORKERS > 1:
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, torch.get_num_threads() // WORKERS)))

# Not the variable MPLBACKEND: the notebooks' kernels would inherit it and show no figure.
matplotlib.use("Agg")

hypothesis.settings.register_profile(
    "attnlib",
    deadline=None,  # a busy machine is no bug
    derandomize=True,  # the same examples on every machine and in every run
    database=None,
)
hypothesis.settings.load_profile("attnlib")


@pytest.fixture(autouse=True)
def same_start_for_every_test() -> Iterator[None]:
    """Seeds, one torch thread and the look of figures, so that no test depends on another or on
    the machine."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    with matplotlib.rc_context():  # a solution's set-up chooses the book's look
        yield


@cache
def why_not(corpus: str) -> str | None:
    """The reason why a corpus cannot be had here; None where it can."""
    from attnlib.data import load_corpus

    try:
        found = load_corpus(corpus)
        assert all(found.split(name) for name in found.splits)
    except (ValueError, OSError) as problem:
        return str(problem)
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Hide downloaded corpora from every test and notebook that does not say that it needs one.

    So what lacks the mark fails on each machine, and not only where nothing was downloaded yet.
    """
    with pytest.MonkeyPatch.context() as patch:
        if not item.get_closest_marker("network"):
            patch.setenv("ATTNLIB_DATA", os.path.join(os.devnull, "no corpora"))
        return (yield)


def pytest_configure(config: pytest.Config) -> None:
    """Name nbval's rules by their full path, so that pytest may be called from any folder; in
    pyproject.toml the path would begin where pytest is called."""
    if getattr(config.option, "nbval_sanitize_with", None) is None:
        config.option.nbval_sanitize_with = str(ROOT / "tests" / "nbval.cfg")


def pytest_collection_finish() -> None:
    """From here on garbage is looked for, among what tests make."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)  # before -m network chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put first what takes long, notebooks, so that no worker waits in the end while another has
    just begun one. Skip, with the reason, what needs an accelerator or a download that cannot be
    had.

    Tests say what they need by a mark (``gpu``, ``network("multi30k-de-en")``), notebooks by
    ``"attnlib": {"needs": "multi30k-de-en"}`` in their metadata, which gives them the mark.
    """
    items.sort(key=lambda item: item.path.suffix != ".ipynb")
    accelerated = torch.cuda.is_available() or torch.backends.mps.is_available()
    for item in items:
        if item.get_closest_marker("gpu") and not accelerated:
            item.add_marker(pytest.mark.skip(reason="needs an accelerator; torch sees none here"))
        notebook = getattr(item.parent, "nb", None)
        if notebook and (needs := notebook.metadata.get("attnlib", {}).get("needs")):
            item.add_marker(pytest.mark.network(needs))
        if mark := item.get_closest_marker("network"):
            corpus = mark.args[0] if mark.args else "multi30k-de-en"
            if reason := why_not(corpus):
                item.add_marker(pytest.mark.skip(reason=f"needs the corpus {corpus}: {reason}"))
