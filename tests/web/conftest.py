"""The pages that ``make site`` built, and a browser for all tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from web.browser import started

HTML = Path(__file__).parents[2] / "site" / "_build" / "html"


@pytest.fixture(scope="session")
def site() -> Path:
    if not (HTML / "index.html").is_file():
        pytest.skip("needs the web edition: make site, or make e2e, which builds it first")
    return HTML


@pytest.fixture(scope="session")
def browser() -> Iterator:
    with started() as running:
        yield running
