"""What this computer has for the book, and what to do where something is off.

``python -m attnlib doctor``: attnlib finds ``command`` by the entry points, as it does ``grade``.
"""

import importlib.metadata
import os
import platform
import shutil
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from packaging.requirements import Requirement

from attnlib.data import CorpusError
from attnlib.data.sources import MULTI30K_SHA256, cache_directory, check_writable
from attnlib.device import best_device, recommended_precision
from attnlib.figures import hangul_font
from attnlib.translator.cli import Parser

GIGABYTE = 2**30


class Finding(NamedTuple):
    """One line of the doctor's: what was examined, the result, and a hint if something is off."""

    subject: str
    result: str
    hint: str = ""

    def __str__(self) -> str:
        """The line: marked ``ok``, or ``!!`` with the hint behind an arrow.

        >>> print(Finding("fonts", "no Hangul", "install a Korean font"))
        !! fonts                no Hangul → install a Korean font
        """
        line = f"{'!!' if self.hint else 'ok'} {self.subject:<20} {self.result}"
        return f"{line} → {self.hint}" if self.hint else line


def command(argv: Sequence[str]) -> int:
    """``python -m attnlib doctor``: print what this computer has; 1 where something is off.

    JupyterLab may be missing: only the notebooks need it.
    """
    text = "Tell what this computer has, and what to do where something is off."
    Parser(prog="python -m attnlib doctor", description=text).parse_args(argv)
    something_off = False
    for finding in examine():
        print(finding)
        something_off |= bool(finding.hint) and finding.subject != "jupyterlab"
    return int(something_off)


def examine() -> Iterator[Finding]:
    """Everything the book needs, one finding after the other."""
    yield Finding("python", f"{platform.python_version()} on {platform.system()}")
    yield from packages()
    yield device()
    yield threads()
    yield precision()
    yield fonts()
    yield cache()


def packages() -> Iterator[Finding]:
    """attnlib, what it needs, and JupyterLab: the versions, held against pyproject's ranges."""
    yield Finding("attnlib", importlib.metadata.version("attnlib"))
    for line in importlib.metadata.requires("attnlib") or []:
        requirement = Requirement(line)
        if requirement.marker is None:
            yield package(requirement, "pip install -e .")
        elif requirement.name == "jupyterlab" and requirement.marker.evaluate({"extra": "lab"}):
            yield package(requirement, 'only for notebooks: pip install "attnlib[lab]"')


def package(requirement: Requirement, hint: str) -> Finding:
    """One package: is it there, and is it new enough?"""
    try:
        version = importlib.metadata.version(requirement.name)
    except importlib.metadata.PackageNotFoundError:
        return Finding(requirement.name, "not installed", hint)
    if requirement.specifier.contains(version, prereleases=True):
        return Finding(requirement.name, version)
    return Finding(requirement.name, f"{version}, not {requirement.specifier}", hint)


def device() -> Finding:
    """The device that computes."""
    kind = best_device().type
    if kind == "cuda":
        return Finding("device", f"cuda: {torch.cuda.get_device_name()}")
    return Finding("device", "mps: Apple's GPU" if kind == "mps" else "cpu (no GPU is needed)")


def threads() -> Finding:
    """Threads that torch uses, against the cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    used = torch.get_num_threads()
    result = f"{used} of {cores} cores"
    if used == 1 < cores and "OMP_NUM_THREADS" in os.environ:
        return Finding("threads", result, "unset OMP_NUM_THREADS to use them all")
    return Finding("threads", result)


def precision() -> Finding:
    """What training takes where nothing is said, and why."""
    return Finding("precision", ": ".join(recommended_precision(best_device())))


def fonts() -> Finding:
    """The fonts of figures, for Latin and for Hangul."""
    return Finding("fonts", " and ".join(hangul_font()))


def cache() -> Finding:
    """The folder of downloaded corpora: what it holds, and whether more would fit."""
    folder = cache_directory()
    present = sum((folder / "multi30k" / name).is_file() for name in MULTI30K_SHA256)
    result = f"{folder} with {present} of {len(MULTI30K_SHA256)} files of Multi30k"
    if present == len(MULTI30K_SHA256):
        return Finding("cache", result)
    try:
        check_writable(folder)
        free = shutil.disk_usage(folder).free
    except CorpusError as error:
        reason, _, hint = str(error).removeprefix(f"{folder} ").partition("; ")
        return Finding("cache", f"{result}, {reason}", hint)
    if free < GIGABYTE:
        return Finding("cache", f"{result}, less than 1 GB free", "make room on that disk")
    return Finding("cache", f"{result} (downloaded when first used)")
