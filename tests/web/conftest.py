"""The pages that ``make site`` built, and a browser for all tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from driven import LONG
from web.browser import HTML, started


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the web edition."""
    if not LONG:  # make e2e sets it, and has built the pages anew
        pytest.skip("reads the whole web edition in a browser: make e2e builds it and runs this")
    if not (HTML / "index.html").is_file():
        pytest.skip("needs the web edition: make site builds it")
    return HTML


@pytest.fixture(scope="module")  # a process has one of playwright's loops at a time
def browser() -> Iterator:
    with started() as running:
        yield running
