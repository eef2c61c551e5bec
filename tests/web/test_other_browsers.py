"""The web edition in Firefox and in WebKit, from the disk, each where it is installed: is a page
whole, does every live view answer, does the search lead somewhere? What each kind of view says,
and what the translator does, test_live_views.py and test_translating.py read in all browsers."""

import shutil
import time
from pathlib import Path

import pytest
from driven import LONG, Window
from others import OWN, THEMES, Firefox, WebKit
from web.browser import HTML
from web.test_pages import LOOKS, NOTHING, PAGES, SURVEY

BROWSERS = {"Firefox": Firefox, "WebKit": WebKit}
#: Those that differ: all that a reader reads, and of the rest one of each kind.
READ = [
    *(page for page in PAGES if "/" not in page and page not in ("genindex.html",)),
    *("solutions/05_attention.html", "api/attnlib.search.html", "api/index.html"),
]
VIEWED = [page for page in PAGES if LONG and 'class="attn-view' in (HTML / page).read_text("utf-8")]
#: Put into the head of a copy of each page: what goes wrong is kept, and a request to elsewhere
#: goes wrong. WebKit's driver would tell neither.
WATCH = """<script>
window.watched = [];
{ const lost = e => "not loaded: " + (e.target.src || e.target.href);
addEventListener("error", e => watched.push(e.message || lost(e)), true);
addEventListener("unhandledrejection", e => watched.push("rejected: " + e.reason));
addEventListener("securitypolicyviolation", e => watched.push("asked for " + e.blockedURI));
console.error = (...told) => watched.push(told.join(" ")); }
</script>
<meta http-equiv="Content-Security-Policy"
 content="default-src file: data: blob: 'unsafe-inline' 'unsafe-eval'">
"""


def watched(folder: Path) -> None:
    """Have the pages of a folder say what goes wrong in them."""
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("<title>", WATCH + "<title>", 1), encoding="utf-8")


@pytest.fixture(scope="session")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not LONG:
        pytest.skip("reads the web edition in other browsers: make e2e builds it and runs this")
    if not PAGES:
        pytest.skip("needs the web edition: make site builds it")
    folder = tmp_path_factory.mktemp("site") / "html"
    shutil.copytree(HTML, folder, ignore=shutil.ignore_patterns("_sources"))
    watched(folder)
    return folder


@pytest.fixture(scope="module", params=[(n, t) for n in BROWSERS for t in THEMES], ids="-".join)
def window(request, copy: Path, tmp_path_factory: pytest.TempPathFactory):
    name, theme = request.param
    running = BROWSERS[name](tmp_path_factory.mktemp("browser"), LOOKS[theme], theme=theme)
    running.theme = theme
    yield running
    running.close()


def opened(window: Window, page: Path) -> None:
    """Open a page, and wait for its formulas."""
    window.wrong()  # what went wrong in another page is told
    window.go(page.as_uri())
    start = "window.MathJax && MathJax.startup && MathJax.startup.promise"
    window.get(f"(Promise.resolve({start}).then(() => {{ window.drawn = 1; }}), 0)")
    window.until("window.drawn")


def wrong(window: Window) -> list[str]:
    """What went wrong in the page, by its own account and by the browser's."""
    loaded = window.get("performance.getEntriesByType('resource').map(one => one.name)")
    urls = [url for url in loaded if not url.startswith(OWN)]
    return window.get("window.watched") + window.wrong() + urls


@pytest.mark.parametrize("name", READ or ["index.html"])
def test_a_page_is_whole_and_fits_in_this_browser_too(
    window: Window, copy: Path, name: str
) -> None:
    opened(window, copy / name)
    found = window.get(f"({SURVEY})()")
    dark = "matchMedia('(prefers-color-scheme: dark)').matches"
    assert window.get("innerWidth") == LOOKS[window.theme], "the window has another width"
    assert window.get(dark) == (window.theme == "dark")
    bar = window.get("getComputedStyle(document.documentElement).scrollbarColor")
    assert window.theme == "light" or bar != "auto", "Firefox draws white bars in the dark"
    assert wrong(window) == []
    assert {key: found[key] for key in NOTHING if found[key]} == {}
    assert found["stills"] == 0, "a live view shows its still: its script did not run"
    assert found["wide"] <= 0, "the page itself scrolls sideways"
    written = window.get("document.querySelectorAll('.math').length")
    assert found["formulas"] >= written, "a formula was not drawn"


@pytest.mark.parametrize("name", VIEWED or ["05_attention.html"])
def test_every_control_of_every_view_does_something(window: Window, copy: Path, name: str) -> None:
    opened(window, copy / name)
    for n in range(window.get("document.querySelectorAll('.attn-view').length")):
        use(window, f"document.querySelectorAll('.attn-view')[{n}]")
    assert wrong(window) == []


def use(window: Window, view: str) -> None:
    """Move every slider of a view by keys and by mouse, press its buttons, type, drag."""

    def shown() -> str:
        fields = "[...view.querySelectorAll('input')].map(field => field.value)"
        return window.get(
            f"(view => ['.stage', '.says', '.controls'].map(part =>"
            f" view.querySelector(part).innerHTML) + {fields})({view})"
        )

    def every(selector: str) -> list[str]:
        count = window.get(f"{view}.querySelectorAll({selector!r}).length")
        return [f"{view}.querySelectorAll({selector!r})[{n}]" for n in range(count)]

    title = window.get(f"{view}.querySelector('.title').innerText")
    sliders = every("input[type=range]")
    for slider in sliders:
        window.get(f"{slider}.focus()")
        seen = []
        for key in ("Home", "End", "ArrowLeft"):
            window.press(key)
            seen.append(shown())
        assert seen[0] != seen[1] != seen[2], f"{title}: keys move a slider"
        window.press("Home")
        window.click(slider, 0.95)
        assert shown() != seen[0], f"{title}: the mouse moves a slider"
    for field in every("input[type=text]"):
        before = shown()
        window.click(field, 0.9)
        window.press("End", *" dog")
        assert shown() != before, f"{title}: a text that is typed"
    buttons = every(".controls button:not(.play)")
    pressed = []
    for button in buttons:
        window.click(button)
        pressed.append(shown())
    assert len({*pressed}) == len(buttons), f"{title}: buttons"
    for play in every(".play"):
        stage = f"{view}.querySelector('.stage').innerHTML"
        window.get(f"(window.before = {stage}, 0)")
        window.click(play)
        window.until(f"{stage} !== window.before")
        if window.get(f"{play}.textContent === 'Pause'"):
            window.click(play)
        assert window.get(f"{play}.textContent") == "Play", f"{title}: Play, and Pause"
    for picture in every(".stage svg.drag"):
        ends = [window.place(picture, right, 0.4) for right in (0.3, 0.5, 0.8)]
        window.drag(ends[:2])
        before = shown()
        window.drag(ends)
        assert shown() != before, f"{title}: dragging"
    assert sliders or buttons, f"{title}: nothing to move"


def test_the_search_leads_to_a_page_that_has_the_word(window: Window, copy: Path) -> None:
    opened(window, copy / "search.html")
    window.click("[...document.querySelectorAll('input[type=search]')].find(e => e.offsetWidth)")
    window.press(*"perplexity")
    window.press("Enter")
    hit = "document.querySelector('#search-results a[href]')"
    window.until(f"!!{hit}")
    count, before = "document.querySelectorAll('#search-results a').length", 0
    while before != (before := window.get(count)):  # one after the other is added above or below
        time.sleep(1)
    page = window.get(f"{hit}.pathname")
    window.click(hit, 0.05, 0.2)  # where its first line is, should it have two
    window.until(f"location.pathname === {page!r} && document.readyState === 'complete'")
    assert "perplexity" in window.get("document.querySelector('.bd-article').textContent").lower()
    assert wrong(window) == []


BAD = """<!doctype html><html><head><meta charset="utf-8"><title>x</title></head>
<body class="bd-article"><h1 id="a">x</h1><p id="a">y</p><img src="http://other.example/x.png">
<script>fetch("http://other.example/x.json"); console.error("said"); missing();</script>
<script src="none.js"></script><div style="width: 2000px">z</div></body>"""


def test_what_is_wrong_with_a_page_would_be_seen_here(window: Window, tmp_path: Path) -> None:
    (tmp_path / "bad.html").write_text(BAD, encoding="utf-8")
    watched(tmp_path)
    window.go((tmp_path / "bad.html").as_uri())
    window.until("window.watched.length > 4")
    messages = " ".join(window.get("window.watched"))
    assert all(text in messages for text in ("asked for http://other.example", "none.js", "said"))
    # WebKit calls all of a page from a disk a "Script error".
    assert "missing" in messages or "Script error" in messages
    assert window.get(f"({SURVEY})()")["wide"] > 500
