"""Ctrl-C and other signals in a training: they stop it between two updates, not within one."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def stop_on_signals() -> Iterator[list[int]]:
    """Note Ctrl-C and what asks a program to end, so that no update is left half done.

    The second Ctrl-C raises. What was to be ignored (``nohup``) or has a handler stays as it is.
    """
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received  # only the main thread may change signal handlers
        return
    before = {signal.SIGINT: signal.getsignal(signal.SIGINT)}
    for name in ("SIGTERM", "SIGHUP"):  # a terminal that is closed; Windows knows none
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            before[number] = signal.SIG_DFL

    def handler(number: int, frame: Any) -> None:
        received.append(number)
        if number == signal.SIGINT:
            signal.signal(number, before[signal.SIGINT])

    for number in before:
        signal.signal(number, handler)
    try:
        yield received
    finally:
        for number, was in before.items():
            signal.signal(number, was)


def exception_for(received: list[int]) -> BaseException:
    """What a training that was stopped ends with: as without it, SystemExit or KeyboardInterrupt.

    >>> exception_for([signal.SIGINT])
    KeyboardInterrupt()
    """
    asked_to_end = [number for number in received if number != signal.SIGINT]
    return SystemExit(128 + asked_to_end[0]) if asked_to_end else KeyboardInterrupt()
