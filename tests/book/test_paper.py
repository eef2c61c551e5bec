"""The book on paper before Chromium prints it, and the files of a release.

What stands on the printed pages, tests/web/test_paper.py asks.
"""

import hashlib
import os
import re
import subprocess
import zipfile
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup

from docs import paper, release
from docs.links import SiteError

ROOT = Path(__file__).parents[2]

FOLDED = "<details><summary>{}</summary><p>{}</p></details>"
HIDDEN = """<div class="cell-place" id="cell-id={0}"></div><div class="cell">
<div class="cell_input"><pre>ask({0})\n</pre></div><details class="admonition hide below-input">
<summary>Show what came out</summary><div class="cell_output"><pre>42 of {0}\n</pre></div></details>
</div>"""
FIRST = f"""<section id="one"><h1>01 · One<a class="headerlink" href="#one">#</a></h1>
<div class="ways"><a href="run.html">Run it</a></div>
{FOLDED.format("Hint 1", "a hint")}{FOLDED.format("Solution idea", "an idea")}
{FOLDED.format("The figure in words", "words")}{FOLDED.format("Papers", "a paper")}
<div class="cell-place" id="cell-id=drawn"></div><div class="cell">
<details class="admonition hide above-input"><summary>Show the code</summary>
<div class="cell_input"><pre>plot()\n</pre></div></details>
<div class="cell_output"><img alt="words" src="_images/a.png"></div></div>
<p class="prediction"><label>Your prediction: <input data-predicts="01.x"></label></p>
{HIDDEN.format("told")}
<p class="prediction" data-said="01.x" hidden></p>
<div class="cell-place" id="cell-id=ex-sum"></div><div class="cell">
<div class="cell_input"><pre>def sum(): ...\n</pre></div><div class="cell_output"><div class="output
text_html"><div role="status">sum: not attempted</div></div></div></div>
<p class="to-solution"><a href="solutions/01_one.html#cell-id=ex-sum">A solution</a></p>
<div class="cell-place" id="cell-id=later-text"></div></section>
<section id="later"><h2>Later</h2><p><a href="02_two.html#cell-id=told">there</a>
<a href="02_two.html">two</a> <a href="#later">here</a> <a href="#cell-id=later-text">cell</a>
<a href="index.html">front</a>
<a href="api/index.html">reference</a> <a href="https://d2l.ai/a#b">D2L</a></p>
<div class="attn-view" id="attn-1"><p class="title">A view</p><img class="still" src="data:,">
<div class="controls"><button>Play</button></div><script>live()</script></div></section>
<div class="cell-place" id="cell-id=asked"></div><div class="quiz"><ol><li><p>Why?</p>
<button aria-pressed="false"><b>A</b> <span>so</span></button><template>no: not so.</template>
<button aria-pressed="false" data-right><b>B</b> <span>thus</span></button><template>✓ B: thus. <a
href="02_two.html">02 · Two</a></template><p class="told" role="status"></p></li></ol>
<p class="score" role="status"></p></div>
<div class="cell-place" id="cell-id=new"></div><div class="cell"><div class="cell_output">
<details class="came-out"><summary>Show what came out</summary><pre>43 of new\n</pre>
<figure class="plot"><img class="plot" alt="words" src="data:,"><figcaption>Figure 1.1</figcaption>
</figure></details></div></div><p class="prediction" data-said="01.y" hidden></p>
{FOLDED.format("The figure in words", "words")}{FOLDED.format("What it says", "because of that")}
"""
SECOND = f"""<section id="two"><h1>02 · Two</h1>{HIDDEN.format("told")}
<section id="later"><h2>Later</h2></section></section>"""
SOLVED = """<section id="solutions"><h2>Exercise 1.1 · The sum</h2>
<div class="cell-place" id="cell-id=ex-sum"></div><div class="cell"><details class="hide">
<summary>Show a solution</summary><div class="cell_input"><pre>def sum(): return 3\n</pre></div>
</details></div></section>"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A web edition of two chapters."""
    folder = tmp_path / "site"
    (folder / "solutions").mkdir(parents=True)
    pages = {"01_one": FIRST, "02_two": SECOND, "solutions/01_one": SOLVED}
    for name, text in pages.items():
        page = f'<html><body><nav>aside</nav><article class="bd-article">{text}</article></html>'
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.fixture
def book(site: Path) -> BeautifulSoup:
    return BeautifulSoup(paper.assemble(site, ["01_one", "02_two"]), "html.parser")


def test_what_is_folded_is_left_out_or_stands_open_and_nothing_waits_for_a_click(book) -> None:
    text = book.body.get_text()
    for gone in (
        "a hint",
        "an idea",
        "plot()",
        "Show",
        "Play",
        "live()",
        "Run it",
        "#",
    ):
        assert gone not in text, gone
    assert book.select_one(".aside").get_text() == "Papersa paper"
    assert not book.select("details, summary, button, input, iframe, nav + nav")
    assert [img["alt"] for img in book.select(".part .cell_output img")] == ["words"]
    assert book.select_one(".attn-view").get_text(strip=True) == "A view"
    assert book.select_one(".prediction .blank") and not book.select("[data-said]")


def test_what_was_hidden_and_the_solutions_stand_at_the_end_and_each_leads_to_the_other(
    book,
) -> None:
    outputs, solutions = book.select(".back")
    answers = outputs.select_one("ol").extract()
    assert answers.get_text(" ", strip=True) == "B: thus. 02 · Two"
    assert answers.a["href"] == "#02_two"
    new = next(one for one in outputs.select(".told") if "43 of new" in one.get_text())
    assert new.get_text(" ", strip=True).endswith("Figure 1.1 because of that")
    assert "because of that" not in book.select_one(".part").get_text()
    quiz = book.select_one(".quiz")
    assert [one.get_text() for one in quiz.select(".choice")] == ["A so", "B thus"]
    assert "Answers: page" in quiz.get_text() and "not so" not in book.get_text()
    assert [h.get_text() for h in outputs.select("h1, h2")] == [
        "What came out",
        "01 · One",
        "02 · Two",
    ]
    texts = [pre.get_text() for pre in outputs.select("pre")]
    assert texts == ["42 of told\n", "43 of new\n", "42 of told\n"]
    assert [pre.get_text() for pre in solutions.select("pre")] == ["def sum(): return 3\n"]
    for entry in book.select(".told"):
        (back,) = entry.select("a.page")
        (there,) = book.select(f'a.page[href="#{entry["id"]}"]')
        pointer = book.find(id=back["href"][1:])
        assert pointer is there.parent or "def sum(): ..." in pointer.get_text()
    assert "Exercise 1.1 · The sum, page" in solutions.get_text()


def test_links_lead_to_what_is_in_the_book_and_to_what_one_sees_there(book) -> None:
    names = [named["id"] for named in book.find_all(id=True)]
    assert len(set(names)) == len(names)
    assert {link["href"][1:] for link in book.select('a[href^="#"]')} <= {*names}
    leads = {a.get_text(): a["href"] for a in book.select(".part p > a")}
    assert book.find(id=leads["there"][1:]).get_text(strip=True).startswith("ask(told)")
    assert leads["two"] == "#02_two" and book.find(id="02_two").name == "h1"
    assert book.find(id=leads["here"][1:]).get_text() == "Later"
    assert leads["cell"] == leads["here"]
    assert leads["front"] == "#contents" and leads["D2L"] == "https://d2l.ai/a#b"
    assert "reference" not in leads and "reference" in book.get_text()
    assert not book.select(".cell-place")


def test_the_contents_list_chapters_and_their_sections(book) -> None:
    lines = [line.get_text() for line in book.select(".contents a")]
    titles = ["01 · One", "Later", "02 · Two", "Later", "What came out", "Solutions"]
    assert lines == [f"{title}000" for title in titles]


def test_all_chapters_and_what_stands_behind_them_are_on_paper() -> None:
    notebooks = {path.stem for path in (ROOT / "chapters").glob("*.ipynb")}
    assert {*paper.PAGES} == {*notebooks, "run"}
    assert [*paper.PAGES[:24]] == sorted(paper.PAGES[:24])


# A release ---------------------------------------------------------------------------------------


@pytest.fixture
def clone(monkeypatch, site: Path, tmp_path: Path) -> Path:
    """A repository of one file, with a web edition and a PDF beside it."""
    root = tmp_path / "clone"
    root.mkdir()
    git(root, "init", "--quiet")
    (root / "note.ipynb").write_text("{}", encoding="utf-8")
    git(root, "add", ".")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "a")
    (site / "index.html").write_text("front", encoding="utf-8")
    (root / "book.pdf").write_bytes(b"%PDF")
    for name, value in (("ROOT", root), ("HTML", site), ("PDF", root / "book.pdf")):
        monkeypatch.setattr(release, name, value)
    monkeypatch.setattr(release, "NAME", "attention-1")
    return root


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *arguments], check=True)


def test_a_release_is_three_files_and_their_checksums_the_same_each_time(clone, tmp_path) -> None:
    dist, again = tmp_path / "dist", tmp_path / "again"
    made = release.release(dist)
    os.utime(release.HTML / "index.html", (10**9, 10**9))
    release.release(again)
    names = ["attention-1-notebooks.zip", "attention-1-web.zip", "attention-1.pdf", "SHA256SUMS"]
    assert sorted(path.name for path in made) == sorted(path.name for path in dist.iterdir())
    assert sorted(names) == sorted(path.name for path in dist.iterdir())
    for name in names:
        assert (dist / name).read_bytes() == (again / name).read_bytes(), name
    with zipfile.ZipFile(dist / names[0]) as packed:
        assert packed.namelist() == ["attention-1/", "attention-1/note.ipynb"]
    with zipfile.ZipFile(dist / names[1]) as packed:
        assert "attention-1-web/index.html" in packed.namelist()
        assert packed.namelist() == sorted(packed.namelist())
    sums = (dist / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    listed = dict(reversed(line.split("  ")) for line in sums)
    assert listed == {n: hashlib.sha256((dist / n).read_bytes()).hexdigest() for n in names[:3]}


def test_what_is_not_committed_is_not_released_and_the_last_release_stays(clone, tmp_path) -> None:
    dist = tmp_path / "dist"
    release.release(dist)
    before = {path.name: path.read_bytes() for path in dist.iterdir()}
    (clone / "note.ipynb").write_text("{ }", encoding="utf-8")
    with pytest.raises(SiteError, match="^note.ipynb is not as in the last commit"):
        release.release(dist)
    assert {path.name: path.read_bytes() for path in dist.iterdir()} == before


@pytest.mark.parametrize(
    ("gone", "message"),
    [
        ("book.pdf", "^book.pdf is not there: python -m docs.paper writes it$"),
        (".git", "^the notebooks are packed from a clone by git, and Command .* returned"),
    ],
)
def test_a_release_names_in_one_sentence_what_it_lacks(
    clone, tmp_path, monkeypatch, gone: str, message: str
) -> None:
    (clone / gone).rename(tmp_path / "gone")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(SiteError, match=message):
        release.release(tmp_path / "dist")


def test_the_workflow_keeps_what_make_release_writes_and_attaches_it_to_a_tag() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/pages.yml").read_text(encoding="utf-8"))
    build, publish, attach = (workflow["jobs"][name] for name in ("build", "publish", "attach"))
    assert workflow[True]["push"] == {"branches": ["main"], "tags": ["v*"]}
    runs = [step.get("run") for step in build["steps"]]
    assert runs.index("make release") > runs.index("make e2e E2E=tests/web")
    (kept,) = (s for s in build["steps"] if s.get("uses", "").startswith("actions/upload-artifact"))
    assert kept["with"] == {"name": "release", "path": release.DIST.name}
    fetch, make, upload = attach["steps"]
    assert fetch["with"] == kept["with"]
    assert make["run"].startswith("gh release view") and "gh release create" in make["run"]
    assert upload["run"] == 'gh release upload "$TAG" dist/* --clobber'
    assert attach["needs"] == "build" and attach["permissions"] == {"contents": "write"}
    assert attach["if"] == "startsWith(github.ref, 'refs/tags/v')"
    assert publish["if"] == "github.ref == 'refs/heads/main'"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^release: \$\(READY_E2E\) site ##", makefile, re.MULTILINE)
