"""Run the code cells of a notebook in this process: ``python -m attnbook.exercises.worker JOB``.

JOB is a JSON file {"cells": [source, …], "record": path, "memory": bytes}. Before and after each
cell a line is added to the record, so that whoever started this process knows where it died.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    _limit_memory(job["memory"])
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()

    def note(**what: Any) -> None:
        with open(job["record"], "a", encoding="utf-8") as record:
            record.write(json.dumps(what) + "\n")

    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        for number, source in enumerate(job["cells"]):
            note(begun=number)
            with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
                result = shell.run_cell(source)
            problem = result.error_before_exec or result.error_in_exec
            note(ended=number, error=f"{type(problem).__name__}: {problem}" if problem else "")


def _limit_memory(limit: int) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows; some macOS
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


if __name__ == "__main__":
    main()
