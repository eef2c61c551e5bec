"""The web edition before Sphinx sees it: every notebook becomes a page, and no link is lost.

What the finished pages do in a browser, tests/web asks.
"""

import re
import socket
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml
from programs import load

ROOT = Path(__file__).parents[2]
SITE = ROOT / "site"
links, pages, front = (load(SITE / f"{name}.py") for name in ("links", "pages", "front"))
translators = load(SITE / "translators.py")
build = load(SITE / "build.py")
BOOK = "chapters/05_attention.ipynb"
ADDRESS = "https://github.com/a/b"
NOTEBOOKS = build.notebooks()
# Loaded by its own path each module has its own copy of the error it raises.
ERRORS = (links.SiteError, pages.SiteError, front.SiteError)


def made(*cells: nbformat.NotebookNode, origin: str = BOOK) -> list:
    notebook = nbformat.v4.new_notebook(cells=[*cells])
    return pages.page(notebook, origin, ADDRESS).cells


def text(source: str, name: str = "x") -> nbformat.NotebookNode:
    return nbformat.v4.new_markdown_cell(source, id=name)


def code(name: str, *tags: str, **data: str) -> nbformat.NotebookNode:
    outputs = [nbformat.v4.new_output("display_data", data=data)] if data else []
    return nbformat.v4.new_code_cell("1", id=name, outputs=outputs, metadata={"tags": [*tags]})


# Links -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("origin", "page", "link", "wanted"),
    [
        (
            "chapters/05_attention.ipynb",
            "05_attention.html",
            "D_papers.ipynb#cell-id=luong-2015",
            "D_papers.html#cell-id=luong-2015",
        ),
        ("chapters/05_attention.ipynb", "05_attention.html", "#cell-id=x", "#cell-id=x"),
        ("chapters/05_attention.ipynb", "05_attention.html", "https://d2l.ai", "https://d2l.ai"),
        ("README.md", "index.html", "chapters/08_beam_search.ipynb", "08_beam_search.html"),
        ("README.md", "index.html", "chapters/solutions", "solutions/index.html"),
        ("README.md", "index.html", "site/figures/learning.svg", "figures/learning.svg"),
        ("README.md", "index.html", "Makefile", f"{ADDRESS}/blob/main/Makefile"),
        ("README.md", "index.html", "data", f"{ADDRESS}/tree/main/data"),
        (
            "chapters/solutions/01_rnn.ipynb",
            "solutions/01_rnn.html",
            "../01_rnn.ipynb",
            "../01_rnn.html",
        ),
    ],
)
def test_a_link_leads_to_its_page(origin: str, page: str, link: str, wanted: str) -> None:
    assert links.led(link, origin, page, ADDRESS) == wanted
    assert links.relinked(f"[a *b*]({link})", origin, page, ADDRESS) == f"[a *b*]({wanted})"
    shown = f"<td><a href='{wanted}'>a</a></td>"
    assert links.relinked_html(f"<td><a href='{link}'>a</a></td>", origin, page, ADDRESS) == shown


def test_a_link_into_a_repository_that_nobody_knows_is_text() -> None:
    said = links.relinked("see [`build.py`](Makefile), [data](data)", "README.md", "index.html", "")
    assert said == "see `build.py`, data"


def test_a_link_that_leads_nowhere_stops_the_build_and_names_its_file() -> None:
    with pytest.raises(ERRORS, match="README.md: the link to 'chapters/77_x.ipynb' leads nowhere"):
        links.relinked("[x](chapters/77_x.ipynb)", "README.md", "index.html", ADDRESS)


def test_code_is_no_link() -> None:
    kept = "`a[0](x)` and\n```\n[x](nowhere)\n```\n"
    assert links.relinked(kept, "README.md", "index.html", ADDRESS) == kept


def test_the_repository_is_the_projects_own_or_that_of_the_workflow(monkeypatch) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    monkeypatch.delenv("GITHUB_SERVER_URL", raising=False)
    here = links.repository()
    monkeypatch.setenv("GITHUB_REPOSITORY", "somebody/attention")
    assert links.repository() == (here or "https://github.com/somebody/attention")


# Pages -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: "/".join(path.parts[-2:]))
def test_every_cell_of_a_notebook_stands_on_its_page_under_its_own_name(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    origin = path.relative_to(ROOT).as_posix()
    before = nbformat.writes(notebook)
    page = pages.page(notebook, origin, "")
    assert nbformat.writes(notebook) == before, "the notebook was changed"
    assert nbformat.writes(page) == nbformat.writes(pages.page(notebook, origin, ""))
    nbformat.validate(page)
    names = re.findall(r'id="cell-id=([^"]+)"', "".join(c.source for c in page.cells))
    left_out = {cell.id for cell in notebook.cells if "check" in cell.metadata.get("tags", ())}
    assert names == [cell.id for cell in notebook.cells if cell.id != "colab"]
    assert not left_out & {cell.id for cell in page.cells}
    for before_it, cell in zip(page.cells, page.cells[1:]):
        if cell.id in names:
            assert f'id="cell-id={cell.id}"' in before_it.source
    shown = [cell.source for cell in page.cells if cell.cell_type == "markdown"]
    outputs = [out for cell in page.cells for out in cell.get("outputs", ())]
    shown += [out.data["text/html"] for out in outputs if "text/html" in out.get("data", {})]
    assert not re.search(r"(?<!//)\b\w+\.ipynb#cell-id", "".join(shown))


def test_all_notebooks_become_pages() -> None:
    assert len(NOTEBOOKS) >= 28
    assert {path.stem for path in NOTEBOOKS} >= {"00_start", "11_transformer", "D_papers"}


def test_the_words_below_a_figure_become_its_alternative_text_and_stay() -> None:
    words = "A *bar* of `h`,\n$x$ high."
    words = f"<details><summary>The figure in words</summary>\n\n{words}\n\n</details>"
    drawn = code("drawn", "hide-input", **{"image/png": "", "text/plain": ""})
    cells = made(text("# T", "t"), drawn, text(words, "alt"))
    (figure,) = (cell for cell in cells if cell.id == "drawn")
    assert figure.metadata["mystnb"]["image"]["alt"] == "A bar of h, x high."
    assert cells[-1].source == words


@pytest.mark.parametrize("after", [[], [text("A text.", "alt")]])
def test_a_figure_without_words_stops_the_build(after: list) -> None:
    drawn = code("drawn", **{"image/png": "", "text/plain": ""})
    with pytest.raises(ERRORS, match="05_attention.ipynb: the figure of cell 'drawn' has no words"):
        made(text("# T", "t"), drawn, *after)


def test_under_the_title_stand_the_ways_to_run_a_chapter() -> None:
    title = made(text("# T\n\nFirst.", "t"))[1].source
    assert title.startswith("# T\n\n<div") and title.endswith("\n\nFirst.")
    for way in (
        "run.html",
        "mybinder.org/v2/gh/a/b/main?urlpath=lab%2Ftree%2Fchapters%2F05_att",
        "colab.research.google.com/github/a/b/blob/main/chapters/05_attention.ipynb",
        "solutions/05_attention.html",
    ):
        assert way in title
    unknown = pages.page(nbformat.v4.new_notebook(cells=[text("# T")]), BOOK, "").cells[1].source
    assert "run.html" in unknown and "mybinder" not in unknown
    assert made(text("# T", "t"), origin="chapters/D_papers.ipynb")[1].source == "# T"


def test_question_files_and_the_notebook_itself_stand_under_the_title() -> None:
    origin = "chapters/05b_two_decoders.ipynb"
    title = made(text("# T\n\n*Why?*\n\nFirst.", "t"), origin=origin)[1].source
    assert title.startswith("# T\n\n*Why?*\n\n<div") and title.endswith("\n\nFirst.")
    row = title[title.index("<nav") : title.index("</nav>")]
    assert re.findall(r'href="([^"]+)"( aria-current="page")?>([\w]+) · ', row) == [
        ("05_attention.html", "", "05"),
        ("05b_two_decoders.html", ' aria-current="page"', "05b"),
        ("05c_explanation.html", "", "05c"),
    ]
    assert '<a href="05b_two_decoders.ipynb" download>' in title
    assert f'href="{ADDRESS}/issues/new?title=05b_two_decoders%3A%20"' in title
    assert pages.files("00_start") == ""
    unknown = pages.page(nbformat.v4.new_notebook(cells=[text("# T")]), origin, "")
    assert "issues" not in unknown.cells[1].source


def test_the_chapters_on_the_front_say_how_many_minutes_they_take() -> None:
    page = front.front([], "")
    for chapter in front.CHAPTERS.values():
        link = f"({chapter.notebook}.html)"
        assert f"{link} {front.chip(chapter.number)}" in page
    assert front.chip("08") == '<span class="minutes">30 min</span>'


def test_below_an_exercise_stands_the_way_to_its_solution_which_is_folded() -> None:
    head = text("### Exercise 5.1 · The context", "t")
    chapter = made(head, code("ex-sum", "exercise"))
    assert '"solutions/05_attention.html#cell-id=ex-sum"' in chapter[-1].source
    assert "exercise 5.1" in chapter[-1].source
    solved = made(head, code("ex-sum", "exercise"), origin="chapters/solutions/05_attention.ipynb")
    assert solved[1].source == "## Exercise 5.1 · The context"
    assert solved[-1].metadata.tags == ["hide-input"]
    assert solved[-1].metadata["mystnb"]["code_prompt_show"] == "Show a solution"


def test_a_reader_of_the_pages_can_answer_before_the_output_is_shown() -> None:
    asks, tells = code("asks"), code("tells")
    asks.source, tells.source = 'predict("05.x", ...)', 'print(1)\nreveal("05.x", 1)'
    tells.metadata["jupyter"] = {"outputs_hidden": True}
    cells = made(text("# T", "t"), asks, tells)
    box, told = (cell.source for cell in cells if 'class="prediction"' in cell.source)
    assert '<input data-predicts="05.x"' in box
    assert '<p class="prediction" data-said="05.x" hidden>' in told
    assert [cell.metadata["tags"] for cell in cells if cell.id == "tells"] == [["hide-output"]]


def test_every_prediction_is_asked_once_and_told_on_the_same_page() -> None:
    asked = 0
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        made = pages.page(notebook, path.relative_to(ROOT).as_posix(), "")
        sources = "".join(cell.source for cell in made.cells)
        names = re.findall(r'data-predicts="([^"]+)"', sources)
        assert len(set(names)) == len(names)
        assert {*names} <= {*re.findall(r'data-said="([^"]+)"', sources)}, path
        asked += len(names)
    assert asked > 40


def test_what_installs_the_book_in_google_colab_is_on_no_page() -> None:
    cells = made(text("# T", "t"), code("colab", "hide-input"), code("setup", "setup"))
    assert [cell.id for cell in cells if cell.cell_type == "code"] == ["setup"]


# The front ---------------------------------------------------------------------------------------


def test_front_and_run_say_once_what_the_readmes_say() -> None:
    one, other = front.front([], ADDRESS), front.run(ADDRESS)
    for page, paths in ((one, ["README.md"]), (other, ["INSTALL.md", "attnlib/README.md"])):
        texts = [(ROOT / path).read_text(encoding="utf-8") for path in paths]
        lines = "".join(texts).splitlines()
        long = [line for line in lines if len(line) > 60 and "](" not in line]
        assert len(long) >= 8
        for line in long:
            assert page.count(line) == 1, line
        for heading in re.findall(r"^#+ (.*)", "".join(texts), re.MULTILINE):
            assert re.search(f"^#+ {re.escape(heading)}$", page, re.MULTILINE), heading
    assert "[Attention in seq2seq](05_attention.html)" in one
    assert "(run.html)" in one and "(run.html#" not in other


def test_whoever_builds_the_pages_of_a_known_repository_reads_its_address_there(
    monkeypatch,
) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    address = links.repository()  # of a book that is published
    known = f"git clone {address or ADDRESS} attention\n"
    for page, text in (("front", front.front([], "")), ("run", front.run(""))):
        assert (known if address else front.UNKNOWN) in text, page
    for text in (front.front([], address or ADDRESS), front.run(address or ADDRESS)):
        assert known in text and front.UNKNOWN not in text


def test_the_page_on_running_the_book_leads_to_the_paper_where_the_repository_is_known() -> None:
    assert f"[PDF, pages and notebooks]({ADDRESS}/releases/latest)" in front.run(ADDRESS)
    assert front.run(ADDRESS).startswith("# Run the book\n\nTo read on paper")
    assert "releases" not in front.run("") + front.run("https://other.example/a/b")


def test_the_translator_stands_above_the_picture_of_the_front() -> None:
    shown = front.Shown(Path("data/de-en-small"), "translator.html")
    page = front.front([shown], "")
    assert page.index("# Attention") < page.index("<iframe") < page.index("![")


def test_a_readme_without_a_picture_stops_the_build(monkeypatch, tmp_path) -> None:
    (tmp_path / "README.md").write_text("# T\n\nA promise.\n", encoding="utf-8")
    monkeypatch.setattr(front, "ROOT", tmp_path)
    with pytest.raises(ERRORS, match="README.md: no picture below its promise"):
        front.front([], "")


def test_the_list_at_the_side_has_every_page(tmp_path: Path) -> None:
    front.write(tmp_path, [], "")
    listed = "".join(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.md"))
    for path in NOTEBOOKS:
        assert f"<{path.stem}>" in listed, path.stem


def test_an_old_link_to_a_cell_of_a_chapter_leads_to_the_file_where_it_stands_now() -> None:
    cells = {"05_a": ["x", "setup"], "05b_c": ["y", "setup"], "06_d": ["z"]}
    read = {
        ROOT / f"chapters/{name}.ipynb": nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_markdown_cell("", id=one) for one in ids]
        )
        for name, ids in cells.items()
    }
    first, second, other = read
    assert build.elsewhere(first, read) == {"y": "05b_c.html"}
    assert build.elsewhere(second, read) == {"x": "05_a.html"}
    assert build.elsewhere(other, read) == {}
    pages.tell_moved(read[first], build.elsewhere(first, read))
    assert read[first].cells[-1].source.endswith('id="moved">{"y": "05b_c.html"}</script>')


# Translators -------------------------------------------------------------------------------------


def test_front_and_chapters_lead_to_the_translators_that_have_a_page(tmp_path: Path) -> None:
    for name in ("de-en", "ko-en-attention", "ko-en-without", "fr-en"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "translator.json").touch()
    for name in ("de-en", "ko-en-attention"):
        (tmp_path / name / "examples.tsv").touch()
    korean, german = shown = translators.shown(tmp_path)
    assert (korean.page, korean.languages) == ("translator.html", "Korean to English")
    assert (german.page, german.languages) == ("translator-de-en.html", "German to English")
    assert 'href="translator.html">Translate Korean to English' in front.front(shown, "")
    assert '<iframe class="translator" src="translator.html" title=' in front.front(shown, "")
    assert 'href="translator-de-en.html"' in front.front(shown, "")
    assert 'class="try"' not in front.front([], "")
    leads = {}
    for path in NOTEBOOKS:
        origin = path.relative_to(ROOT).as_posix()
        one = nbformat.v4.new_notebook(cells=[text("# T")])
        source = "".join(cell.source for cell in pages.page(one, origin, "", shown).cells)
        if found := re.findall(r'href="(translator[^"]*)"', source):
            leads[path.stem] = found
    assert leads == {
        "05_attention": ["translator.html"],
        "05b_two_decoders": ["translator.html"],
        "05c_explanation": ["translator.html"],
        "08_beam_search": ["translator.html"],
        "08b_decoding": ["translator.html"],
        "10_translator": ["translator-de-en.html"],
        "10b_inside": ["translator-de-en.html"],
    }


def test_a_translator_that_comes_along_becomes_its_page(tmp_path: Path) -> None:
    all_shown = translators.shown()
    assert [one.folder.name for one in all_shown if one.source == "de"] == ["de-en"]
    small = min(all_shown, key=lambda one: (one.folder / "model.safetensors").stat().st_size)
    translators.write(tmp_path, [small])
    written = (tmp_path / small.page).read_text(encoding="utf-8")
    assert "<html" in written[:500] and len(written) > 1_000_000
    assert not re.search(r"<(script|link)[^>]+(src|href)=.https?:", written)


# Serving and publishing --------------------------------------------------------------------------


def test_a_port_that_is_taken_ends_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "_build" / "html").mkdir(parents=True)
    (tmp_path / "_build" / "html" / "index.html").touch()
    program = tmp_path / "serve.py"
    program.write_text((SITE / "serve.py").read_text(encoding="utf-8"), encoding="utf-8")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        answer = subprocess.run(
            [sys.executable, str(program), port], capture_output=True, encoding="utf-8", timeout=60
        )
    assert answer.returncode == 1 and answer.stdout == ""
    (said,) = answer.stderr.splitlines()
    assert said.startswith(f"make serve: port {port} cannot be had (") and "PORT=8000" in said


def test_without_pages_the_server_says_what_builds_them(tmp_path: Path) -> None:
    program = tmp_path / "serve.py"
    program.write_text((SITE / "serve.py").read_text(encoding="utf-8"), encoding="utf-8")
    answer = subprocess.run([sys.executable, str(program)], capture_output=True, encoding="utf-8")
    assert answer.returncode == 1
    assert answer.stderr == "make serve: there are no pages yet; make site builds them.\n"


def test_the_workflow_builds_what_make_site_builds_reads_it_and_publishes_that_folder() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/pages.yml").read_text(encoding="utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    runs = [step["run"] for step in steps if "run" in step]
    assert "make e2e E2E=tests/web" in runs  # which builds first
    (upload,) = (s for s in steps if s.get("uses", "").startswith("actions/upload-pages-artifact"))
    assert upload["with"]["path"] == "site/_build/html"
    assert any(s.get("uses", "").startswith("actions/deploy-pages") for s in steps)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^e2e: \$\(READY_E2E\) site ##", makefile, re.MULTILINE)
