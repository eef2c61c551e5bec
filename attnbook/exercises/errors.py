"""Exceptions of a learner's function, as text."""

from __future__ import annotations

import dis
from typing import Any

from .clues import code_objects
from .guard import InputRequested


def is_stub_error(error: BaseException, function: Any) -> bool:
    """Whether a ``raise NotImplementedError`` of the learner's own was reached.

    Torch raises the same exception where an operation does not exist for a type of numbers.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not isinstance(error, NotImplementedError):
        return False
    code = trace.tb_frame.f_code.co_code
    by_raise = code[trace.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    return by_raise and trace.tb_frame.f_globals is function.__globals__


def error_text(error: BaseException) -> str:
    """An exception in one line."""
    try:
        text = "".join(x for x in " ".join(str(error).split()) if x.isprintable())
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__


def error_message(error: BaseException, function: Any) -> str:
    """What was raised, and in which line of the learner's function."""
    code, line, trace = getattr(function, "__code__", None), None, error.__traceback__
    while trace is not None and code is not None:
        if trace.tb_frame.f_code in code_objects(code):
            line = trace.tb_lineno - code.co_firstlineno + 1
        trace = trace.tb_next
    location = f" (line {line} of the cell's function)" if line else ""
    if isinstance(error, InputRequested):
        return f"waits for input(){location}: everything that it needs is in its arguments."
    if isinstance(error, SystemExit):
        return f"leaves Python with exit() or os._exit(){location}: a function ends with return."
    if isinstance(error, KeyboardInterrupt):
        return f"raises KeyboardInterrupt{location}, which is what the stop button does."
    if isinstance(error, RecursionError):
        location += ": it calls itself again and again. Which case returns without doing so?"
    return f"raises {error_text(error)}{location}"
