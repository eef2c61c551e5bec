"""Chromium for the tests of pages: without a network, and with a list of what it tried to load."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from programs import ROOT

from docs import chromium as prepared

HTML = ROOT / "docs" / "_build" / "html"


def chromium() -> str:
    """The path of Chromium, or a skipped test that says how to get it."""
    found = prepared.program()
    if found is None:
        pytest.skip("needs Chromium: apt install chromium, or name the one you have, CHROMIUM=path")
    return found


@contextmanager
def started() -> Iterator:
    """A running Chromium."""
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright: make e2e")
    path = chromium()
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=prepared.FLAGS)
        yield browser
        browser.close()


@contextmanager
def opened(browser, width: int = 1200, theme: str = "light", **settings) -> Iterator:
    """A page of its own without a network; ``page.external`` and ``page.wrong`` say what it tried
    to load from elsewhere than the disk, and what went wrong in it."""
    size = {"width": width, "height": 900}
    context = browser.new_context(viewport=size, color_scheme=theme, offline=True, **settings)
    page = context.new_page()
    page.external, page.wrong = [], []
    page.on("request", lambda request: _note(page.external, request.url))
    page.on("requestfailed", lambda request: page.wrong.append(f"not loaded: {request.url}"))
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda message: message.type == "error" and page.wrong.append(message.text))
    yield page
    context.close()


def _note(external: list[str], url: str) -> None:
    if not url.startswith(("file:", "data:", "blob:", "about:")):
        external.append(url)
