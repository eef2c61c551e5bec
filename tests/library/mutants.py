"""Mutants of the library: do its tests see when one small thing in attnlib is wrong?

    python tests/library/mutants.py                        # a sample of 300; also: make mutants
    python tests/library/mutants.py --room search --size 100 --verbose
    python tests/library/mutants.py --function attnlib/search/step.py:take    # all of its own

Functions and methods of attnlib are changed in one place (tests/mutation.py, default values
included), each in a copy of the tree, and the tests of the module (TESTS, and its doctests) run
there until one fails. A mutant that passes either computes the same, and then it stands with the
reason in ``equivalent.tsv``, or it survives: a hole in the tests. One that takes more processor
time than three times the unchanged tests and five seconds is seen too. The sample is drawn by the
names of the mutants, room by room in proportion: a change elsewhere in attnlib leaves it as it is.

Left out: what is no function (tables and constants, fields of a class), the doors ``__init__`` and
``__main__``, the wording of errors (that they are raised is not), types, and decorators.

Ends with 1 when fewer than 95 % of the mutants that are not equivalent are seen, or when a line of
``equivalent.tsv`` fits no mutant any more. Needs fork: Linux or macOS.

mutmut 3.8.1 was tried in its place. It takes about as long for a mutant, but writes each as a copy
of its function beside the others, docstring and all, so that every doctest is collected once a
mutant and doctests cannot judge; it leaves out functions with a decorator, beam_search and
greedy_search among them; it changes the wording of messages too, and knows no sample of a whole
package and no list of equivalents but comments in the code. cosmic-ray starts pytest anew for each
mutant, which loads torch each time.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import importlib
import json
import math
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from mutation import mutants  # noqa: E402

EQUIVALENT = Path(__file__).with_name("equivalent.tsv")
GOAL = 0.95
KILLED, TIMEOUT, EQUAL, SURVIVES = "killed", "timeout", "equivalent", "survives"
LEFT_OUT = ("__init__.py", "__main__.py")
#: Where the tests of a module lie: the longest beginning of its path counts, in the order to run.
TESTS = {
    "checks": "batches vocabulary main refused accepted",
    "data/": "corpus",
    "data/batches": "batches refused accepted",
    "data/pairs": "alignment corpus",
    "data/sources/": "corpus table",
    "data/sources/download": "download corpus",
    "data/sources/rows": "table",
    "data/sources/table": "table corpus",
    "data/subwords": "vocabulary",
    "data/text": "text vocabulary",
    "data/words": "vocabulary",
    "device": "device waiting",
    "figures/": "figures refused",
    "files": "storage",
    "lazy": "figures",
    "masking": "masking recurrent refused graphs",
    "metrics/": "bleu refused accepted",
    "metrics/alignment": "alignment refused accepted",
    "model/": "seq2seq modules translator refused",
    "model/attention": "attention seq2seq refused",
    "model/pairs": "attention seq2seq",
    "model/recurrent": "recurrent seq2seq refused",
    "search/": "search waiting translator refused accepted",
    "training/": "training waiting presets",
    "training/fused": "masking training waiting",
    "training/loss": "masking training waiting refused",
    "training/schedules": "schedules",
    "translator/": "translator main",
    "translator/checkpoints": "storage training checkpoint presets",
    "translator/cli/": "main",
    "translator/cli/commands": "main distributed",
    "translator/distributed": "distributed",
    "translator/page/": "page",
    "translator/presets": "presets main",
    "translator/sentences": "text translator",
    "translator/signals": "training",
    "translator/storage": "storage checkpoint translator",
    "translator/typed": "translator vocabulary",
}
#: Imported once, before the processes fork: nothing of attnlib, and no plugin of pytest's.
PRELOADED = (
    *("torch", "numpy", "matplotlib.pyplot", "seaborn", "sacrebleu", "tokenizers", "tqdm.auto"),
    *("safetensors.torch", "fontTools.ttLib", "beartype", "jaxtyping", "hypothesis.strategies"),
    "pytest",
)
COPIED = (
    "attnlib",
    "attnbook",
    "data",
    "tests/library",
    "tests/programs.py",
    "tests/drawing.py",
    "conftest.py",
    "pyproject.toml",
)
#: Only the plugins that the tests need (loading the others takes longer than most tests).
PYTEST = (
    *("-x", "-q", "-o", "addopts=", "--doctest-modules", "--import-mode=importlib"),
    *("-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin"),
)
TIMES, SECONDS = 3, 5  # what a mutant may take: of the time of the unchanged tests, and besides
MEMORY = 12 * 2**30  # bytes that it may ask for

Key = tuple[str, str, str]


class Change(NamedTuple):
    """A mutant of a function of attnlib."""

    module: str  # its path below the root
    function: str
    count: int  # from 1, where a function has several of one description
    what: str
    at: tuple[int, int]  # of the function in its module
    source: str  # of the function

    @property
    def key(self) -> Key:
        return f"{self.module}:{self.function}", str(self.count), self.what

    @property
    def room(self) -> str:
        return self.module.split("/")[1].removesuffix(".py")


class Fate(NamedTuple):
    """What became of a mutant."""

    change: Change
    fate: str
    why: str  # the test that failed, or the reason why it is equivalent


class Job(NamedTuple):
    """Tests to run, with a mutant or on what is unchanged, quick ones first, up to a limit."""

    files: list[str]
    change: Change | None = None
    order: Mapping[str, float] = {}
    limit: float = math.inf


class Outcome(NamedTuple):
    """What a run of tests came to."""

    passed: bool
    timeout: bool
    why: str  # the first test that failed
    durations: dict[str, float]
    seconds: float  # of processor time, with the processes it started


# Mutants -----------------------------------------------------------------------------------------


def modules() -> list[str]:
    """The modules of attnlib that have functions, but for its doors."""
    paths = sorted(path for path in (ROOT / "attnlib").rglob("*.py") if path.name not in LEFT_OUT)
    names = [path.relative_to(ROOT).as_posix() for path in paths]
    return [name for name in names if functions(name)]


def functions(module: str) -> list[tuple[str, ast.FunctionDef]]:
    """The functions and methods of a module, with their names."""
    return list(_functions(ast.parse((ROOT / module).read_text(encoding="utf-8")), ""))


def changes() -> list[Change]:
    """All mutants of attnlib, in the order of its text."""
    found = []
    for module in modules():
        counts: Counter[tuple[str, str]] = Counter()
        for name, node in functions(module):
            for mutant in mutants(ast.unparse(node), defaults=True):
                counts[name, mutant.description] += 1
                number = counts[name, mutant.description]
                at = (node.lineno, node.col_offset)
                found.append(Change(module, name, number, mutant.description, at, mutant.source))
    return found


def _functions(node: ast.AST, inside: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods (what is defined inside of one belongs to it), without mere stubs."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            last = child.body[-1]
            if not (isinstance(last, ast.Expr) and isinstance(last.value, ast.Constant)):
                yield inside + child.name, child
        else:
            name = f"{inside}{child.name}." if isinstance(child, ast.ClassDef) else inside
            yield from _functions(child, name)


def changed_module(source: str, change: Change) -> str:
    """The source of a module in which one function is changed."""
    new = ast.parse(change.source).body[0]

    class Exchange(ast.NodeTransformer):
        def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
            return new if (node.lineno, node.col_offset) == change.at else self.generic_visit(node)

    return ast.unparse(Exchange().visit(ast.parse(source)))


def sample(every: Sequence[Change], size: int, seed: int = 0) -> list[Change]:
    """``size`` of the mutants, in a mixed order: from each room its share, by lot."""
    rooms: dict[str, list[Change]] = {}
    for change in every:
        rooms.setdefault(change.room, []).append(change)
    shares = {room: min(size / len(every), 1) * len(found) for room, found in rooms.items()}
    quota = {room: int(share) for room, share in shares.items()}
    rest = min(size, len(every)) - sum(quota.values())
    for room in sorted(rooms, key=lambda room: quota[room] - shares[room])[:rest]:
        quota[room] += 1

    chosen = []
    for room, found in rooms.items():
        chosen += sorted(found, key=lambda change: drawn(change, seed))[: quota[room]]
    return sorted(chosen, key=lambda change: drawn(change, seed))


def drawn(change: Change, seed: int) -> bytes:
    """A number drawn for a mutant, which depends on nothing but its name."""
    return hashlib.sha256("\t".join((str(seed), *change.key)).encode()).digest()


def tests_of(module: str) -> list[str]:
    """The module's doctests and the files of tests for it, in the order in which they run."""
    inside = module.removeprefix("attnlib/")
    key = max((key for key in TESTS if inside.startswith(key)), key=len, default=None)
    if key is None:
        raise ValueError(f"{module}: TESTS in {Path(__file__).name} does not say what tests it")
    return [module, *(f"tests/library/test_{name}.py" for name in TESTS[key].split())]


def known_equivalents() -> dict[Key, str]:
    """(module:function, count, description) → reason."""
    found: dict[Key, str] = {}
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines() if EQUIVALENT.exists() else []:
        function, count, what, reason = line.split("\t")
        assert reason.strip(), f"{EQUIVALENT}: {function}, {what}: no reason"
        assert (function, count, what) not in found, f"{EQUIVALENT}: {function}, {what}: twice"
        found[function, count, what] = reason
    return found


# In a process of its own -------------------------------------------------------------------------


class Recorder:
    """A plugin of pytest's: quick tests first, how long each took, and which failed first."""

    def __init__(self, files: Sequence[str], order: Mapping[str, float]) -> None:
        self.files, self.order = list(files), order
        self.durations: Counter[str] = Counter()
        self.why = ""

    def pytest_sessionstart(self) -> None:
        """Import by name what is collected by path: pytest would load it beside its package's."""
        for file in self.files:
            with contextlib.suppress(Exception):  # told when it is collected
                if not file.startswith("tests/"):
                    importlib.import_module(file.removesuffix(".py").replace("/", "."))

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        def place(item: Any) -> tuple[int, float]:
            return self.files.index(item.nodeid.split("::")[0]), self.order.get(item.nodeid, 0.0)

        items.sort(key=place)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.why = self.why or f"{report.nodeid} cannot be collected"

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.durations[report.nodeid] += report.duration
        if report.failed:
            self.why = self.why or report.nodeid


def _run_tests(place: Path, temporary: Path, job: Job) -> int:
    """The child's life: run the tests in the copy of the tree, and leave a report beside it."""
    import pytest

    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    tree, output = place / "tree", os.open(place / "output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.chdir(tree)
    os.environ.update(
        {name: str(place / "home") for name in ("HOME", "XDG_CACHE_HOME", "ATTNLIB_DATA")},
        TMPDIR=str(temporary),
        PYTHONPATH=str(tree),
        PYTEST_DISABLE_PLUGIN_AUTOLOAD="1",
        http_proxy="http://127.0.0.1:9",
        https_proxy="http://127.0.0.1:9",
        no_proxy="127.0.0.1",
    )
    tempfile.tempdir = None  # asked for anew, by TMPDIR
    sys.path[:] = [str(tree), *(path for path in sys.path if path != str(ROOT / "tests"))]
    if job.limit < math.inf:
        import resource

        with contextlib.suppress(ValueError, OSError):  # not every system knows both
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(job.limit), math.ceil(job.limit) + 5))
    recorder = Recorder(job.files, job.order)
    code = pytest.main([*PYTEST, *job.files], plugins=[recorder])
    why = recorder.why or ("" if code == 0 else f"pytest ended with {int(code)}")
    report = json.dumps({"why": why, "durations": recorder.durations})
    (place / "report.json").write_text(report, encoding="utf-8")
    return int(code)


# From outside ------------------------------------------------------------------------------------


class Slot:
    """A copy of the tree, in which one run of tests is under way or none."""

    def __init__(self, place: Path) -> None:
        self.place, self.pid, self.since, self.limit, self.writes = place, 0, 0.0, math.inf, 0
        self.runs = 0
        self.original: tuple[Path, str] | None = None  # what stood in the changed file
        for name in COPIED:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", ".hypothesis")
                shutil.copytree(ROOT / name, place / "tree" / name, ignore=ignored)
            elif (ROOT / name).exists():
                shutil.copy2(ROOT / name, place / "tree" / name)
        (place / "home").mkdir()

    def start(self, job: Job) -> None:
        # A new one each time: what a killed mutant had started may still write into the old one.
        shutil.rmtree(self.place / f"tmp{self.runs}", ignore_errors=True)
        self.runs += 1
        (self.place / f"tmp{self.runs}").mkdir()
        (self.place / "report.json").unlink(missing_ok=True)
        if job.change:
            path = self.place / "tree" / job.change.module
            self.original = path, path.read_text(encoding="utf-8")
            self._put(path, changed_module(self.original[1], job.change))
        sys.stdout.flush()
        self.since, self.limit, self.pid = time.monotonic(), job.limit, os.fork()
        if self.pid == 0:
            code = 70
            try:
                code = _run_tests(self.place, self.place / f"tmp{self.runs}", job)
            finally:
                os._exit(code)

    def _put(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        # Compiled files are known by size and whole second: no two states may share one.
        self.writes += 1
        os.utime(path, (10**9 + self.writes, 10**9 + self.writes))

    def kill(self) -> None:
        """End what runs, with all that it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self.pid:
                os.killpg(self.pid, signal.SIGKILL)

    def outcome(self) -> Outcome | None:
        """None while the tests run."""
        pid, status, used = os.wait4(self.pid, os.WNOHANG)
        late = time.monotonic() - self.since > 10 * self.limit  # asleep: no processor time
        if not pid and not late:
            return None
        self.kill()
        if not pid:
            pid, status, used = os.wait4(self.pid, 0)
        self.pid = 0
        if self.original:
            self._put(*self.original)
            self.original = None
        report: dict[str, Any] = {"why": "", "durations": {}}
        with contextlib.suppress(OSError, ValueError):
            report = json.loads((self.place / "report.json").read_text(encoding="utf-8"))
        code = os.waitstatus_to_exitcode(status)
        why = report["why"] or (f"the process ended with {code}" if code else "")
        timeout = late or code == -signal.SIGXCPU
        cpu = used.ru_utime + used.ru_stime
        return Outcome(code == 0, timeout, why, report["durations"], cpu)


def outcomes(jobs: Sequence[Job], slots: Sequence[Slot]) -> Iterator[tuple[Job, Outcome]]:
    """Run all jobs, as many at a time as there are slots; in the order in which they end."""
    waiting, running = list(reversed(jobs)), {}
    try:
        while waiting or running:
            for slot in slots:
                if id(slot) not in running and waiting:
                    job = running[id(slot)] = waiting.pop()
                    slot.start(job)
                if id(slot) in running and (found := slot.outcome()):
                    yield running.pop(id(slot)), found
            time.sleep(0.02)
    finally:
        for slot in slots:
            slot.kill()


def baselines(files: Sequence[str], slots: Sequence[Slot]) -> dict[str, Outcome]:
    """Every file of tests (and module with doctests) on the unchanged library: all must pass."""
    found = {}
    for job, outcome in outcomes([Job([file]) for file in files], slots):
        nothing = outcome.why == "pytest ended with 5"  # no doctest in this module
        if not outcome.passed and not nothing:
            raise SystemExit(f"the unchanged library fails: {outcome.why}")
        found[job.files[0]] = outcome
    return found


def fates(chosen: Sequence[Change], slots: Sequence[Slot]) -> Iterator[Fate]:
    """What becomes of each mutant, in the order in which it is known."""
    files = {change.module: tests_of(change.module) for change in chosen}
    base = baselines(sorted({file for found in files.values() for file in found}), slots)
    jobs = []
    for change in chosen:
        runs = [file for file in files[change.module] if base[file].durations]
        order = {test: time for file in runs for test, time in base[file].durations.items()}
        seconds = sum(base[file].seconds for file in runs)
        jobs.append(Job(runs, change, order, TIMES * seconds + SECONDS))
    reasons = known_equivalents()
    for job, outcome in outcomes(jobs, slots):
        assert job.change
        reason = reasons.get(job.change.key, "")
        if outcome.passed:
            yield Fate(job.change, EQUAL if reason else SURVIVES, reason)
        else:
            yield Fate(job.change, TIMEOUT if outcome.timeout else KILLED, outcome.why)


def stale(every: Sequence[Change], found: Sequence[Fate]) -> list[str]:
    """Lines of the file of equivalents whose mutant is gone, or was seen by a test."""
    keys = {change.key for change in every}
    seen = {fate.change.key for fate in found if fate.fate in (KILLED, TIMEOUT)}
    return [
        f"listed as equivalent, but {'killed' if key in seen else 'gone'}: {'  '.join(key)}"
        for key in known_equivalents()
        if key in seen or key not in keys
    ]


def interval(part: int, whole: int, z: float = 1.96) -> tuple[float, float]:
    """Wilson's 95 % interval of a rate, which is right near 1 and for small numbers too."""
    if not whole:
        return 0.0, 1.0
    rate, square = part / whole, z * z / whole
    middle, half = rate + square / 2, z * math.sqrt((rate * (1 - rate) + square / 4) / whole)
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


def new_line(change: Change) -> str:
    """What the changed function reads where it is changed, as a reader needs it to find a test."""
    for name, node in functions(change.module):
        if name == change.function and (node.lineno, node.col_offset) == change.at:
            lines = zip(ast.unparse(node).splitlines(), change.source.splitlines())
            return next((new.strip() for old, new in lines if old != new), "")
    return ""


def print_row(name: str, counts: Counter[str]) -> float:
    """A row of the table; the rate of mutants that are seen, of those that are not equivalent."""
    part, whole = counts[KILLED] + counts[TIMEOUT], counts.total() - counts[EQUAL]
    numbers = "".join(f"{counts[fate]:>11}" for fate in (KILLED, TIMEOUT, EQUAL, SURVIVES))
    rate, (low, high) = part / max(whole, 1), interval(part, whole)
    print(
        f"{name:12}{counts.total():>8}{numbers}{rate:>9.1%}   {low:.1%} to {high:.1%}", flush=True
    )
    return rate


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--room", action="append", default=[], help="search; several: repeat")
    parser.add_argument(
        "--function",
        action="append",
        default=[],
        help="all mutants of attnlib/search/beam.py:beam_search",
    )
    parser.add_argument("--size", type=int, default=300, help="of the sample")
    parser.add_argument("--seed", type=int, default=0, help="another sample")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="what each mutant met, too")
    options = parser.parse_args(arguments)
    every = changes()
    of_rooms = [change for change in every if not options.room or change.room in options.room]
    chosen = [change for change in every if change.key[0] in options.function]
    if not options.function and of_rooms:
        chosen = sample(of_rooms, options.size, options.seed)
    if not chosen:
        parser.error("no such room or function")
    for name in PRELOADED:
        importlib.import_module(name)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and not without ending the children
    print(f"{len(every)} mutants, {len(chosen)} of them tried", flush=True)
    found = []
    with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as folder:
        slots = [Slot(Path(folder) / str(number)) for number in range(options.processes)]
        for fate in fates(chosen, slots):
            found.append(fate)
            if fate.fate == SURVIVES or options.verbose:
                told = new_line(fate.change) if fate.fate == SURVIVES else fate.why
                print("   ", *(fate.fate, *fate.change.key, told), sep="\t", flush=True)
    return report(every, found)


def report(every: Sequence[Change], found: Sequence[Fate]) -> int:
    """Print the rates, room by room and in all; 1 where they are not good enough, else 0."""
    rooms: dict[str, Counter[str]] = {}
    for fate in found:
        rooms.setdefault(fate.change.room, Counter())[fate.fate] += 1
    print(f"{'room':12}{'mutants':>8}{KILLED:>11}{TIMEOUT:>11}{EQUAL:>11}{SURVIVES:>11}{'rate':>9}")
    for room in sorted(rooms):
        print_row(room, rooms[room])
    rate = print_row("all", sum(rooms.values(), Counter()))
    old = stale(every, found)
    print("".join(f"{line}\n" for line in old), end="")
    return int(rate < GOAL or bool(old))


if __name__ == "__main__":
    sys.exit(main())
