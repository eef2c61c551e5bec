"""The Chromium that prints the pages, and in which they are tested."""

import os
import shutil
from pathlib import Path

#: Nothing that Chromium would do on its own account: no updates, no reports, no sync.
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def program() -> str | None:
    """Its path: what CHROMIUM names, else what is found; None where there is none."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
    return path if Path(path).is_file() else None
