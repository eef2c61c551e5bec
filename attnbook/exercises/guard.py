"""Running an untrusted function so that nothing of it reaches the rest of the notebook.

The function runs in a thread of its own with a time limit; what it prints is kept; random
numbers, default types, warnings and the like are put back afterwards. It asks nobody, and does
not end Python. What a thread cannot do: stop one long operation of C that lets nobody else in
(``sum(range(10**12))``), or what kills the whole process. Chapter 0 says so.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import io
import os
import random
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import torch

MAX_PRINTED = 2000  # characters that are kept


class TimeLimitExceeded(BaseException):
    """Thrown into a thread that ran too long."""


class InputRequested(Exception):
    """Raised by ``input()``, which nobody is there to answer."""


@dataclass
class GuardedResult:
    """What became of a function that ran under guard."""

    value: Any = None
    error: BaseException | None = None
    timed_out: bool = False  # stopped at its time limit
    seconds: float = 0.0  # after how many
    still_running: bool = False  # because it could not be stopped
    printed: str = ""

    def work(self, function: Callable[[], Any], device_context: Any) -> None:
        """What the thread does."""
        try:
            with device_context:
                self.value = function()
        # SystemExit too, which would otherwise end the notebook's kernel.
        except BaseException as problem:
            self.error = problem


def run_guarded(function: Callable[[], Any], seconds: float) -> GuardedResult:
    """Run ``function()`` to its end or its time limit. Never raises but for Ctrl-C."""
    result = GuardedResult()
    # A new thread does not inherit torch's default device. Where that is the usual one, it need
    # not be set, which would send every call of torch through Python.
    device = torch.empty(0).device
    device_context = contextlib.nullcontext() if device.type == "cpu" else device
    thread = threading.Thread(
        target=result.work, args=(function, device_context), name="exercise", daemon=True
    )
    with _restore_global_state(), _redirect_output(thread) as printed, _no_input_or_exit(thread):
        begun = time.monotonic()
        thread.start()
        try:
            _wait(thread, seconds)
        finally:  # also after Ctrl-C
            result.seconds = time.monotonic() - begun
            result.timed_out = thread.is_alive()
            if result.timed_out:
                _stop(thread)
                result.still_running = thread.is_alive()
    result.printed = printed.getvalue()
    return result


def _wait(thread: threading.Thread, seconds: float) -> None:
    """Until the thread ends, or has had its seconds by the clock.

    On a computer that is too busy to give it half of them it gets more, six times as many at most:
    a right answer is not to fail by its neighbors. One that does next to nothing only waits.
    """
    begun, worked = time.monotonic(), time.process_time()
    while thread.is_alive():
        thread.join(min(seconds, 0.1))
        clock, work = time.monotonic() - begun, time.process_time() - worked
        starved = 0.02 * clock < work < seconds / 2
        if clock >= (6 * seconds if starved else seconds):
            return


def _stop(thread: threading.Thread) -> None:
    """Throw TimeLimitExceeded into a thread until it ends; one that cannot be ended is left behind.

    It reaches the thread where Python changes threads. That is made to happen all the time, so
    that a loop which catches everything is met outside of its ``try`` as well. (Python 3.10 changes
    them only inside: there such a loop goes on, and one without a call holds up the kernel, as C
    code does that does not let go of the interpreter.)

    Where it meets a ``__del__`` or a callback of the garbage collector, Python hands it to
    ``sys.unraisablehook``, and where it meets the last lines of the thread, to
    ``threading.excepthook``. Hooks written in Python would be met by the next one, so meanwhile
    methods of lists, which are C, stand there.
    """
    deadline, usual = time.monotonic() + 1.0, sys.getswitchinterval()
    hooks: tuple[Callable[[Any], Any], ...] = (sys.unraisablehook, threading.excepthook)
    unraisable, uncaught = list[Any](), list[Any]()
    sys.setswitchinterval(1e-5)
    sys.unraisablehook, threading.excepthook = unraisable.append, uncaught.append
    try:
        while thread.is_alive() and time.monotonic() < deadline:
            number = ctypes.c_ulong(thread.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(TimeLimitExceeded))
            thread.join(0.0005)
    finally:
        sys.setswitchinterval(usual)
        sys.unraisablehook, threading.excepthook = hooks
    for hook, reports in zip(hooks, (unraisable, uncaught), strict=True):
        for report in reports:
            if report.exc_type is not TimeLimitExceeded:
                hook(report)


@contextlib.contextmanager
def _no_input_or_exit(thread: threading.Thread) -> Iterator[None]:
    """Meanwhile a thread can neither ask a question nor end Python.

    A notebook has an ``input`` of its own, which would wait for the reader.
    """
    process, ask, leave = os.getpid(), builtins.input, os._exit

    def nobody(*args: Any) -> Any:
        if threading.current_thread() is thread:
            raise InputRequested("nobody is asked here")
        return ask(*args)

    def stay(status: int) -> NoReturn:
        if threading.current_thread() is thread and os.getpid() == process:
            raise SystemExit(status)
        leave(status)

    builtins.input, os._exit = nobody, stay
    try:
        yield
    finally:
        builtins.input, os._exit = ask, leave


class _Router(io.TextIOBase):
    """A standard stream that keeps apart what one thread writes to it."""

    def __init__(self, stream: Any, thread: threading.Thread, buffer: io.StringIO) -> None:
        self._stream, self._thread, self._buffer = stream, thread, buffer

    def write(self, text: str) -> int:
        if threading.current_thread() is not self._thread:
            return self._stream.write(text)
        if self._buffer.tell() < MAX_PRINTED:
            self._buffer.write(text[:MAX_PRINTED])
        return len(text)

    def flush(self) -> None:
        if threading.current_thread() is not self._thread:
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def _redirect_output(thread: threading.Thread) -> Iterator[io.StringIO]:
    buffer = io.StringIO()
    before = sys.stdout, sys.stderr, sys.stdin
    routers = tuple(_Router(stream, thread, buffer) for stream in before[:2])
    sys.stdout, sys.stderr = routers
    sys.stdin = io.StringIO()  # so that input() ends at once
    try:
        yield buffer
    finally:
        # A thread that was left behind goes on writing into the router.
        sys.stdout, sys.stderr = routers if thread.is_alive() else before[:2]
        sys.stdin = before[2]


@contextlib.contextmanager
def _restore_global_state() -> Iterator[None]:
    """Put back what a function may have changed for everybody."""
    python, arrays, tensors = random.getstate(), np.random.get_state(), torch.get_rng_state()
    previous = modes()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        restore_modes(previous)
        random.setstate(python)
        np.random.set_state(arrays)
        torch.set_rng_state(tensors)


def _folder() -> str:
    with contextlib.suppress(OSError):  # it may have been deleted
        return os.getcwd()
    return ""


def _enter(folder: str) -> None:
    with contextlib.suppress(OSError):
        os.chdir(folder)


def _set_filters(filters: list[Any]) -> None:
    warnings.filters[:] = filters  # type: ignore[index]


#: What is set for everybody: the name of what sets it, how it is read and how it is put back.
_MODES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "torch.set_grad_enabled": (torch.is_grad_enabled, torch.set_grad_enabled),
    "torch.set_default_dtype": (torch.get_default_dtype, torch.set_default_dtype),
    "torch.set_num_threads": (torch.get_num_threads, torch.set_num_threads),
    "torch.use_deterministic_algorithms": (
        torch.get_deterministic_debug_mode,
        torch.set_deterministic_debug_mode,
    ),
    "torch.autograd.set_detect_anomaly": (
        torch.is_anomaly_enabled,
        torch.autograd.set_detect_anomaly,
    ),
    "np.seterr": (np.geterr, lambda errors: np.seterr(**errors)),
    "sys.setrecursionlimit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "os.chdir": (_folder, _enter),
    "warnings.simplefilter": (lambda: list(warnings.filters), _set_filters),
}


def modes() -> dict[str, Any]:
    """What is set for everybody, by the name of what sets it."""
    return {name: read() for name, (read, _) in _MODES.items()}


@contextlib.contextmanager
def unswitched(arguments: Iterable[Any]) -> Iterator[set[str]]:
    """Put back what a call sets for everybody, and the mode of networks among its arguments.

    Fills in the names of what had to be put back.
    """
    networks = [module for module in arguments if isinstance(module, torch.nn.Module)]
    training = [(module, module.training) for network in networks for module in network.modules()]
    before, switched = modes(), set[str]()
    try:
        yield switched
    finally:
        switched.update(restore_modes(before))
        for module, usual in training:
            if module.training != usual:
                switched.add("network.eval()" if usual else "network.train()")
                module.training = usual


def restore_modes(previous: dict[str, Any]) -> list[str]:
    """Set all modes as they were; the names of those that were others."""
    current = modes()
    changed = [name for name, value in previous.items() if current[name] != value]
    for name in changed:
        _MODES[name][1](previous[name])
    return changed
