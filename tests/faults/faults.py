"""Faults that happen to people, made on purpose: how many were tried, survived, and lost something.

    python tests/faults/faults.py                 all of them, about ten minutes
    python tests/faults/faults.py --only kill     those whose name says so
    python tests/faults/faults.py --share 0.1     a tenth of the tries of each

A fault is a function that is given an empty folder, the number of the try and a source of chance.
It does something bad to a real training, translator or file of progress, and gives nothing where
all is well afterwards, else a sentence about what was lost. Trainings run in processes of their
own, forked so that none waits for torch; what ends them is real, too.
"""

import argparse
import atexit
import copy
import functools
import importlib
import io
import itertools
import json
import os
import random
import shlex
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch

from attnbook import kept
from attnlib.training import Recipe
from attnlib.translator import (
    BEST,
    CARD,
    REAL,
    RESUME,
    Preset,
    Translator,
    read_json,
    read_tensors,
    write_tensors,
)
from attnlib.translator.cli.parser import main

TINY = Preset(
    Recipe(updates=24, validate_every=6, precision="fp32"), 8, 8, 0.1, batch_tokens=60, subwords=60
)
#: What the library's own tests know of odd checkpoints and cards.
sys.path.append(str(Path(__file__).resolve().parents[1] / "library"))
test_checkpoint = importlib.import_module("test_checkpoint")
test_translator = importlib.import_module("test_translator")

importlib.import_module("torch._dynamo")  # Adam asks for it: seconds, here once for all trainings

Lost = str | None
Fault = Callable[[Path, int, random.Random], Lost]
FAULTS: dict[str, tuple[int, Fault]] = {}


class Impossible(Exception):
    """This fault cannot be made on this computer."""


@functools.cache
def root() -> Path:
    """Where everything happens; removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


_numbers = itertools.count()


def new_folder() -> Path:
    folder = root() / str(next(_numbers))
    folder.mkdir()
    return folder


def fault(name: str, tries: int) -> Callable[[Fault], Fault]:
    def noted(function: Fault) -> Fault:
        FAULTS[name] = (tries, function)
        return function

    return noted


# Trainings ---------------------------------------------------------------------------------------


@functools.cache
def table(nouns: str = "dog cat horse child man") -> Path:
    folder = new_folder()
    names, verbs = nouns.split(), ["sees", "finds", "likes"]
    lines = [f"the {a} {v} the {b}.\tDas {b} {v} {a}." for a in names for v in verbs for b in names]
    (folder / "toy.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "toy.tsv"


@dataclass
class Program:
    """A command of attnlib that runs in a process of its own."""

    words: list[str]
    log: Path
    before: Callable[[], object] = lambda: None  # what the process does first
    pid: int = field(init=False)

    def __post_init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads that could hold locks: here is none
            self.pid = os.fork()
        if self.pid:
            return
        status = 70
        try:
            file = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            os.dup2(file, 1)
            os.dup2(file, 2)
            sys.stdout, sys.stderr = (
                io.TextIOWrapper(io.FileIO(n, "w", closefd=False), encoding="utf-8") for n in (1, 2)
            )
            signal.signal(signal.SIGINT, signal.default_int_handler)
            torch.set_num_threads(1)
            REAL["quick"] = TINY
            self.before()
            status = main(self.words)
        except BaseException:
            traceback.print_exc()
        finally:  # whatever happens: this process is not to go on with the program it is a copy of
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(status)

    def wait(self, seconds: float = 120.0) -> int:
        """Its exit status, −9 where it was killed; it is ended where it takes longer."""
        end = time.monotonic() + seconds
        while True:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                return 124
            time.sleep(0.005)

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def sentence(self) -> str:
        """The last line that it said, without the bar of progress."""
        return (self.said().replace("\r", "\n").split("\n") or [""])[-2:][0]


def train(folder: Path, *more: str, before: Callable[[], object] = lambda: None) -> Program:
    words = shlex.split(f"train --corpus {table()} --preset quick --attention dot --out")
    log = root() / f"{next(_numbers)}.log"  # on no disk that is full, in no folder that goes
    return Program([*words, str(folder), *more], log, before)


def slow_disk(seconds: float) -> Callable[[], object]:
    """Let every write take a while, so that what happens in between is met."""

    def slow() -> None:
        real = os.fsync
        os.fsync = lambda file: (time.sleep(seconds), real(file))[1]

    return slow


def contents(folder: Path) -> tuple[dict, dict]:
    """Of a finished run: all its tensors, and what it remembers but the time."""
    tensors, about = read_tensors(folder / RESUME)
    best, told = read_tensors(folder / BEST)
    about["history"]["seconds"] = 0.0
    about["told"] = told
    return {**tensors, **{f"file.{name}": table for name, table in best.items()}}, about


@functools.cache
def whole() -> tuple[dict, dict]:
    """The end of a run to which nothing happened."""
    folder = new_folder() / "whole"
    program = train(folder)
    assert program.wait() == 0, program.said()
    return contents(folder)


def alike(one: tuple[dict, dict], other: tuple[dict, dict]) -> bool:
    same = one[0].keys() == other[0].keys() and one[1] == other[1]
    return same and all(torch.equal(one[0][name], other[0][name]) for name in one[0])


def trouble_with_end(folder: Path) -> Lost:
    """Go on with a run, or begin it where there is none: is its end that of an undisturbed one?"""
    words = ("--resume",) if (folder / RESUME).is_file() else ()
    program = train(folder, *words)
    if status := program.wait():
        return f"cannot go on ({status}): {program.sentence()}"
    if not alike(contents(folder), whole()):
        return "ended with other weights or another history"
    left = {path.name for path in folder.iterdir()} - {CARD, BEST, RESUME}
    if left:
        return f"left behind: {', '.join(sorted(left))}"
    Translator.load(folder, "cpu")
    return None


def trouble_with_words(program: Program, status: int, expected: int) -> Lost:
    """Whether a program ended as it should, in one sentence."""
    said = program.said()
    if "Traceback" in said or "\x1b" in said.replace("\x1b[A", ""):
        return f"a traceback or a raw escape: {said[-200:]!r}"
    if status != expected:
        return f"ended with {status} and not {expected}: {program.sentence()}"
    if expected and not program.sentence().startswith("attnlib: "):
        return f"said no sentence: {said[-300:]!r}"
    return None


# Stopped -----------------------------------------------------------------------------------------


def when_begun(folder: Path, program: Program, after: float) -> None:
    """Wait until a training has made its folder, and then some seconds."""
    end = time.monotonic() + 60
    while not (folder / CARD).is_file() and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(after)


@fault("kill -9 at a random moment, then --resume", 24)
def killed(place: Path, n: int, chance: random.Random) -> Lost:
    program = train(place / "run", before=slow_disk(0.05 * (n % 2)))
    when_begun(place / "run", program, chance.uniform(0, 1.0))
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    return trouble_with_end(place / "run")


@fault("kill -9 before each file is in its place, then --resume", 6)
def killed_between(place: Path, n: int, chance: random.Random) -> Lost:
    def die_at_the_nth() -> None:
        left, real = [n % 6], os.replace  # so many files does a run write

        def replace(*given: object) -> None:
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            real(*given)  # type: ignore[arg-type]

        os.replace = replace  # type: ignore[assignment]

    program = train(place / "run", before=die_at_the_nth)
    if (status := program.wait()) != -9:
        return f"was to be killed and ended with {status}"
    return trouble_with_end(place / "run")


def stopped_by(number: int) -> Fault:
    def stopped(place: Path, n: int, chance: random.Random) -> Lost:
        program = train(place / "run", before=slow_disk(0.05))
        when_begun(place / "run", program, chance.uniform(0.02, 0.2))
        os.kill(program.pid, number)
        status = program.wait()
        trouble = trouble_with_words(program, status, 128 + number)
        if not trouble and "to go on: python -m attnlib train" not in program.said():
            trouble = f"saved nothing: {program.sentence()}"
        return trouble or trouble_with_end(place / "run")

    return stopped


for _number, _name in [(signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM"), (1, "SIGHUP")]:
    fault(f"{_name}, then --resume", 6)(stopped_by(int(_number)))


@fault("disk full (files of at most so many bytes), then --resume", 9)
def disk_full(place: Path, n: int, chance: random.Random) -> Lost:
    import resource

    most = (2_000, 4_000, 8_000, 15_000, 20_000, 30_000, 50_000, 60_000, 80_000)[n % 9]

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    program = train(place / "run", before=limited)
    status = program.wait()
    trouble = trouble_with_words(program, status, 1) if status else None
    return trouble or trouble_with_end(place / "run")


@fault("disk full (a small file system), then --resume", 9)
def small_disk(place: Path, n: int, chance: random.Random) -> Lost:
    size, disk = 8 + 16 * (n % 9), place / "disk"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o size={size}k none {disk} 2>/dev/null"):
        raise Impossible("only root may mount, and not everywhere")
    try:
        program = train(disk / "run")
        status = program.wait()
        (place / "run").mkdir()
        for path in (disk / "run").glob("*") if (disk / "run").is_dir() else ():
            shutil.copy(path, place / "run")
        if status and (trouble := trouble_with_words(program, status, 1)):
            return trouble
    finally:
        os.system(f"umount {disk}")
    return trouble_with_end(place / "run")


@fault("memory short by so many megabytes", 6)
def no_memory(place: Path, n: int, chance: random.Random) -> Lost:
    import resource

    def limited() -> None:
        pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
        most = pages * resource.getpagesize() + (n % 6) * 3_000_000
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    if not Path("/proc/self/statm").exists():
        raise Impossible("only Linux tells how much memory is taken")
    program = train(place / "run", before=limited)
    status = program.wait()
    # A C library without memory may end the process by a signal, and glibc's loader by status 127,
    # before Python can say a word: what was saved goes on all the same.
    wordless = status <= 0 or status == 127  # 0: the memory was enough
    trouble = None if wordless else trouble_with_words(program, status, 1)
    return trouble or trouble_with_end(place / "run")


# One folder, one run -----------------------------------------------------------------------------


@fault("folder removed or moved while training", 6)
def vanished(place: Path, n: int, chance: random.Random) -> Lost:
    folder = place / "run"
    program = train(folder, before=slow_disk(0.1))
    when_begun(folder, program, chance.uniform(0.0, 0.2))
    if n % 2:
        folder.rename(place / "moved")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    status = program.wait()
    if status == 0 and trouble_with_end(folder) is None:
        return None  # it was at its end before
    trouble = trouble_with_words(program, status, 1)
    if trouble or not n % 2:
        return trouble
    return trouble_with_end(place / "moved")


@fault("two trainings begun at once in one folder", 8)
def both(place: Path, n: int, chance: random.Random) -> Lost:
    folder = place / "run"
    one = train(folder, before=slow_disk(0.03))
    time.sleep(chance.uniform(0, 0.3) * (n % 2))
    other = train(folder, *(("--seed", "2") if n % 4 < 2 else ()))
    ends = {program.pid: program.wait() for program in (one, other)}
    if sorted(ends.values()) != [0, 1]:
        return f"ended with {[*ends.values()]}: {one.sentence()} / {other.sentence()}"
    loser = one if ends[one.pid] else other
    if trouble := trouble_with_words(loser, 1, 1):
        return trouble
    Translator.load(folder, "cpu")
    seed = read_tensors(folder / RESUME)[1]["identity"]["seed"]
    if read_json(folder / CARD)["about"]["recipe"]["seed"] != seed:
        return "the card is one's and the checkpoint the other's"
    winner = "2" if loser is one and n % 4 < 2 else "1"
    program = train(folder, "--seed", winner, "--resume")
    return trouble_with_words(program, program.wait(), 0)


@fault("another's card, weights or checkpoint laid into the folder", 6)
def mixed(place: Path, n: int, chance: random.Random) -> Lost:
    first, second = finished(), finished("2")
    folder = place / "run"
    shutil.copytree(first, folder)
    name = (CARD, BEST, RESUME)[n % 3]
    shutil.copy(second / name, folder)
    if name == RESUME:
        program = train(folder, "--resume")
        return trouble_with_words(program, program.wait(), 1)
    program = Program(["translate", str(folder), "the dog"], place / "log")
    if trouble := trouble_with_words(program, program.wait(), 1):
        return trouble
    return trouble_with_end(folder)


@fault("--resume with something else", 8)
def otherwise(place: Path, n: int, chance: random.Random) -> Lost:
    folder = place / "run"
    shutil.copytree(finished(), folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    changes = (
        "--updates 60",
        "--minutes 1",
        "--preset full",
        "--preset quick --seed 2",
        "--preset quick --attention none",
        "--preset quick --precision bf16",
        f"--preset quick --corpus {table('dog cat horse child cow')}",
        "--updates 3",
    )
    words = shlex.split(f"train --corpus {table()} --attention dot --out {folder} --resume")
    program = Program([*words, *shlex.split(changes[n % 8])], place / "log")
    status = program.wait()
    if trouble := trouble_with_words(program, status, 1):
        return trouble
    if "None" in program.sentence():
        return f"said None: {program.sentence()}"
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    return None if after == before else "changed a file of the run"


# Damaged files -----------------------------------------------------------------------------------


@functools.cache
def finished(seed: str = "1") -> Path:
    folder = new_folder() / "finished"
    program = train(folder, "--seed", seed)
    assert program.wait() == 0, program.said()
    return folder


@functools.cache
def halfway() -> Path:
    """A run that was stopped when it was not yet over."""
    folder = new_folder() / "half"
    program = train(folder, before=slow_disk(0.2))
    while not (folder / BEST).is_file():
        time.sleep(0.001)
    os.kill(program.pid, signal.SIGTERM)
    assert program.wait() == 143, program.said()
    return folder


def damage(name: str, how: str) -> Fault:
    """Cut a file, or flip a bit of it, and use it."""

    def damaged(place: Path, n: int, chance: random.Random) -> Lost:
        folder = place / "run"
        shutil.copytree(halfway() if name == RESUME else finished(), folder)
        content = bytearray((folder / name).read_bytes())
        if how == "cut":
            content = content[: chance.randrange(len(content))]
        else:
            header = 8 + int.from_bytes(content[:8], "little")
            most = header if how == "header" else len(content)
            content[chance.randrange(most)] ^= 1 << chance.randrange(8)
        (folder / name).write_bytes(content)
        if name == RESUME:
            program = train(folder, "--resume")
            status = program.wait()
            if status:
                return trouble_with_words(program, status, 1)
            return None if alike(contents(folder), whole()) else "silently another result"
        program = Program(["translate", str(folder), "the dog sees the cat."], place / "log")
        status = program.wait()
        if status:
            return trouble_with_words(program, status, 1)
        again = Translator.load(folder, "cpu").model.named_parameters()
        whole_weights = dict(Translator.load(finished(), "cpu").model.named_parameters())
        same = all(torch.equal(table, whole_weights[key]) for key, table in again)
        same = same and read_json(folder / CARD) == read_json(finished() / CARD)
        return None if same else "loads without a word, and is another"

    return damaged


for _file in (RESUME, BEST, CARD):
    fault(f"{_file} cut", 50)(damage(_file, "cut"))
    fault(f"{_file}, a bit flipped", 50)(damage(_file, "flip"))
    if _file != CARD:
        fault(f"{_file}, a bit of its header flipped", 50)(damage(_file, "header"))


@fault("checkpoints written by hand", len(test_checkpoint.ODD))
def by_hand(place: Path, n: int, chance: random.Random) -> Lost:
    folder = place / "run"
    shutil.copytree(halfway(), folder)
    tensors, about = read_tensors(folder / RESUME)
    about = copy.deepcopy(about)
    name = [*test_checkpoint.ODD][n % len(test_checkpoint.ODD)]
    try:
        test_checkpoint.ODD[name](tensors, about)
    except (KeyError, TypeError):
        return None
    write_tensors(folder / RESUME, tensors, about)
    program = train(folder, "--resume")
    status = program.wait()
    if status == 0 and alike(contents(folder), whole()):
        return None
    trouble = trouble_with_words(program, status, 1)
    return trouble and f"{name}: {trouble}"


# Strangers ---------------------------------------------------------------------------------------

ODD_CARDS = {**test_translator.DAMAGE, **test_translator.FOREIGN}


@fault("translators of strangers", len(ODD_CARDS))
def stranger(place: Path, n: int, chance: random.Random) -> Lost:
    folder = place / "stranger"
    name = [*ODD_CARDS][n % len(ODD_CARDS)]
    test_translator.make(subwords=name in test_translator.FOREIGN).save(folder)
    if name in test_translator.FOREIGN:
        card = read_json(folder / CARD)
        test_translator.FOREIGN[name](card["src_vocabulary"]["tokenizer"])
        test_translator.write_card(folder, card)
    else:
        test_translator.DAMAGE[name][0](folder)
    return bounded(folder, place, name)


def bounded(folder: Path, place: Path, name: str) -> Lost:
    """Translate with a folder, in 30 seconds and 2 GB: it is refused in a sentence."""
    import resource

    def limited() -> None:
        most = 2 << 30
        if Path("/proc/self/statm").exists():
            pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0])
            most += pages * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    program = Program(["translate", str(folder), "the dog sees"], place / "log", limited)
    trouble = trouble_with_words(program, program.wait(30), 1)
    return trouble and f"{name}: {trouble}"


@fault("a pipe, folder, device or link to itself in the place of a file", 8)
def no_file(place: Path, n: int, chance: random.Random) -> Lost:
    folder = place / "run"
    shutil.copytree(finished(), folder)
    path = folder / (CARD, BEST)[n % 2]
    path.unlink()
    make = (os.mkfifo, os.mkdir, lambda p: p.symlink_to("/dev/zero"), lambda p: p.symlink_to(p))
    make[n // 2 % 4](path)
    return bounded(folder, place, f"{path.name} {n}")


# Progress ----------------------------------------------------------------------------------------


def keeping(place: Path, name: str, times: int) -> int:
    """A process that keeps so many verdicts in the file of progress there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pid = os.fork()
    if not pid:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # it says that a damaged file is put aside
        os.environ[kept.KEPT] = str(place / kept.FILE)
        for n in range(times):
            kept.keep("exercises", f"{name}-{n}", "right")
        os._exit(0)
    return pid


@fault("two notebooks keep progress at once, 50 verdicts each", 3)
def both_keep(place: Path, n: int, chance: random.Random) -> Lost:
    for pid in [keeping(place, name, 50) for name in "ab"]:
        os.waitpid(pid, 0)
    found = json.loads((place / kept.FILE).read_bytes())["exercises"]
    return None if len(found) == 100 else f"{100 - len(found)} verdicts of 100"


@fault("kill -9 while progress is kept", 12)
def killed_keeping(place: Path, n: int, chance: random.Random) -> Lost:
    pid = keeping(place, "a", 100_000)
    while not (place / kept.FILE).is_file():
        time.sleep(0.001)
    time.sleep(chance.uniform(0.02, 0.3))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    before = json.loads((place / kept.FILE).read_bytes())["exercises"]
    os.waitpid(keeping(place, "b", 1), 0)
    found = json.loads((place / kept.FILE).read_bytes())["exercises"]
    if found != {**before, "b-0": "right"}:
        return "what was kept before"
    left = {path.name for path in place.iterdir()} - {kept.FILE}
    return f"left behind: {', '.join(left)}" if left else None


@fault("progress.json cut or a bit flipped", 100)
def progress_damaged(place: Path, n: int, chance: random.Random) -> Lost:
    state = {
        "exercises": {"shares": "right"},
        "predictions": {"05.a": {"said": 3.0, "was": 4.0, "right": False, "sure": 70}},
        "recall": {"05": {"04.b": None, "04.c": True}},
    }
    content = bytearray(json.dumps(state).encode())
    if n % 2:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    else:
        content = content[: chance.randrange(len(content))]
    (place / kept.FILE).write_bytes(content)
    pid = keeping(place, "a", 1)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]):
        return f"a traceback for {bytes(content)!r}"
    found = json.loads((place / kept.FILE).read_bytes())
    aside = [path for path in place.iterdir() if "damaged" in path.name]
    if found["exercises"].get("a-0") != "right":
        return "a verdict"
    return None if aside or set(found) >= set(state) else "the rest of the file"


# The table ---------------------------------------------------------------------------------------


def tried(name: str, tries: int, seed: int = 0) -> tuple[int, list[str]]:
    """How often a fault could be made, and what was lost."""
    made, lost = 0, []
    for n in range(tries):
        place = new_folder()
        try:
            found = FAULTS[name][1](place, n, random.Random(f"{name} {n} {seed}"))
        except Impossible:
            continue
        except Exception as problem:  # a fault that went wrong was not survived
            found = f"{type(problem).__name__}: {problem}"
        finally:
            shutil.rmtree(place, ignore_errors=True)
        made += 1
        lost += [f"{name}, try {n}: {found}"] if found else []
    return made, lost


def report(only: str = "", share: float = 1.0, seed: int = 0) -> int:
    """Print the table; the number of losses."""
    print(f"{'':<72} tried  survived   lost")
    all_lost: list[str] = []
    made, began = 0, time.monotonic()
    for name, (tries, _) in FAULTS.items():
        if only.lower() in name.lower():
            count, lost = tried(name, max(1, round(tries * share)), seed)
            made, all_lost = made + count, all_lost + lost
            _print_row(name if count else f"{name} (not here)", count, len(lost))
    _print_row("all", made, len(all_lost))
    for sentence in all_lost:
        print(f"LOST: {sentence}")
    print(f"in {(time.monotonic() - began) / 60:.1f} minutes")
    return len(all_lost)


def _print_row(name: str, count: int, lost: int) -> None:
    print(f"{name:<72} {count:>5} {count - lost:>9} {lost:>6}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", metavar="WORDS", help="faults whose name has them")
    parser.add_argument("--share", type=float, default=1.0, help="of the tries of each (1)")
    parser.add_argument("--seed", type=int, default=0, help="of chance (0)")
    torch.set_num_threads(1)
    sys.exit(1 if report(**vars(parser.parse_args())) else 0)
