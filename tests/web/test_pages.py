"""Every page of the web edition, opened from the disk without a network: is it whole, does it fit,
and can everybody read it?"""

import html
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from web.browser import HTML, opened

SURVEY = (Path(__file__).parent / "survey.js").read_text(encoding="utf-8").split("\n", 1)[1]
PAGES = sorted(path.relative_to(HTML).as_posix() for path in HTML.rglob("*.html"))
PAGES = [page for page in PAGES if not page.startswith("_")]
#: Both kinds of light, both kinds of screen.
LOOKS = {"light": 1200, "dark": 360}
#: Of this a page has none.
NOTHING = ("twice", "broken", "mute", "files", "elsewhere", "raw", "sticking")
#: Colors of code are the same on all pages and are looked at on one; a formula is one picture. To
#: look at every sign of both on every page would take axe-core an hour.
PLAIN = """() => {
  for (const code of document.querySelectorAll("pre")) code.textContent = code.textContent;
  for (const formula of document.querySelectorAll("mjx-container")) formula.replaceChildren();
}"""
READY = "!window.MathJax || !MathJax.startup || MathJax.startup.promise.then(() => true)"


def test_the_whole_book_is_there(site: Path) -> None:
    notebooks = (site.parents[2] / "chapters").rglob("*.ipynb")
    wanted = {path.stem for path in notebooks if ".ipynb_checkpoints" not in path.parts}
    assert len(wanted) >= 16 and wanted <= {Path(page).stem for page in PAGES}
    assert {"index.html", "run.html", "search.html", "api/attnlib.search.html"} <= set(PAGES)


def test_no_page_names_the_machine_it_was_built_on(site: Path) -> None:
    folder = str(site.parents[2])
    assert [page for page in PAGES if folder in (site / page).read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("theme", LOOKS)
@pytest.mark.parametrize("name", PAGES or ["index.html"])
def test_a_page_is_whole_fits_the_screen_and_keeps_nobody_out(
    name: str, theme: str, site: Path, browser
) -> None:
    with opened(browser, LOOKS[theme], theme) as page:
        page.goto((site / name).as_uri())
        page.wait_for_function(READY)
        page.wait_for_function("document.readyState === 'complete'")
        found = page.evaluate(SURVEY)
        shown = page.evaluate("document.documentElement.dataset.theme")
        assert shown == (None if name.startswith("translator") else theme)
        assert page.external == [] and page.wrong == []
        assert {key: found[key] for key in NOTHING if found[key]} == {}
        assert found["modules"] == 0, "a module script does not run from a disk"
        assert found["stills"] == 0, "a live view shows its still: its script did not run"
        assert found["wide"] <= 0, "the page itself scrolls sideways"
        page.evaluate(PLAIN)
        assert faults(page) == []


@pytest.mark.parametrize("theme", LOOKS)
def test_code_can_be_read_in_the_light_and_in_the_dark(theme: str, site: Path, browser) -> None:
    with opened(browser, LOOKS[theme], theme) as page:
        page.goto((site / "00_start.html").as_uri())
        assert page.locator("pre span[class]").count() > 300
        assert faults(page) == []


def faults(page) -> list[str]:
    """What axe-core finds in a page that is serious or critical."""
    api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="make e2e")
    answer = api.Axe().run(page, options={"resultTypes": ["violations"]})
    return [summary(fault) for fault in answer.response["violations"] if grave(fault)]


def grave(fault: dict) -> bool:
    return fault["impact"] in ("serious", "critical")


def summary(fault: dict) -> str:
    where = "; ".join(str(node["target"][0]) for node in fault["nodes"][:3])
    return f"{fault['id']}, {len(fault['nodes'])} times: {where}"


# Links -------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """The names that a page gives to its places, and where its links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: list) -> None:
        given = dict(attributes)
        if given.get("id"):
            self.names.add(given["id"])
        if tag in ("a", "link", "img", "script"):
            target = given.get("href") or given.get("src")
            if target:
                self.links.append(target)


@cache
def read(path: Path) -> Reader:
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def broken(path: Path) -> list[str]:
    """The links of a page that lead nowhere: to no file, or to no place on a page."""
    found = []
    for link in read(path).links:
        parts = urlsplit(html.unescape(link))
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        place = target.is_file() and unquote(parts.fragment)
        lost = place and target.suffix == ".html" and place not in read(target).names
        if lost or not target.is_file():
            found.append(link)
    return found


@pytest.mark.parametrize("name", PAGES or ["index.html"])
def test_every_link_leads_to_a_page_and_to_a_place_on_it(name: str, site: Path) -> None:
    assert broken(site / name) == []
