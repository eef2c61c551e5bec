"""The web edition before Sphinx sees it: every notebook becomes a page, and no link is lost.

What stands on its front, test_front.py asks; what pages do in a browser, tests/web.
"""

import doctest
import re
from pathlib import Path

import nbformat
import pytest
import yaml

from attnbook.reader import as_html, first_questions
from docs import around, build, glossary, links, pages
from docs.links import SiteError

ROOT = Path(__file__).parents[2]
BOOK = "chapters/05_attention.ipynb"
ADDRESS = "https://github.com/a/b"
NOTEBOOKS = build.notebooks()


def made(*cells: nbformat.NotebookNode, origin: str = BOOK) -> list:
    notebook = nbformat.v4.new_notebook(cells=[*cells])
    return pages.page(notebook, origin, ADDRESS).cells


PLOT = {"image/png": "", "text/plain": ""}


def text(source: str, name: str = "x") -> nbformat.NotebookNode:
    return nbformat.v4.new_markdown_cell(source, id=name)


def code(name: str, *tags: str, **data: str) -> nbformat.NotebookNode:
    outputs = [nbformat.v4.new_output("display_data", data=data)] if data else []
    return nbformat.v4.new_code_cell("1", id=name, outputs=outputs, metadata={"tags": [*tags]})


@pytest.mark.parametrize("module", [around, glossary, links, pages])
def test_the_examples_of_the_docstrings_are_right(module) -> None:
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


# Links -------------------------------------------------------------------------------------------


#: A file, its page, a link in it and where that leads.
LED = f"""
{BOOK} 05_attention.html D_papers.ipynb#cell-id=luong-2015 D_papers.html#cell-id=luong-2015
{BOOK} 05_attention.html #cell-id=x #cell-id=x
{BOOK} 05_attention.html https://d2l.ai https://d2l.ai
README.md index.html chapters/08_beam_search.ipynb 08_beam_search.html
README.md index.html chapters/solutions solutions/index.html
README.md index.html docs/figures/learning.svg figures/learning.svg
README.md index.html Makefile {ADDRESS}/blob/main/Makefile
README.md index.html data {ADDRESS}/tree/main/data
chapters/solutions/01_rnn.ipynb solutions/01_rnn.html ../01_rnn.ipynb ../01_rnn.html
"""


@pytest.mark.parametrize("line", LED.split("\n")[1:-1])
def test_a_link_leads_to_its_page(line: str) -> None:
    origin, page, link, wanted = line.split()
    assert links.led(link, origin, page, ADDRESS) == wanted
    assert links.relinked(f"[a *b*]({link})", origin, page, ADDRESS) == f"[a *b*]({wanted})"
    shown = f"<td><a href='{wanted}'>a</a></td>"
    assert links.relinked_html(f"<td><a href='{link}'>a</a></td>", origin, page, ADDRESS) == shown


def test_a_link_into_a_repository_that_nobody_knows_is_text() -> None:
    line = links.relinked("see [`build.py`](Makefile), [data](data)", "README.md", "index.html", "")
    assert line == "see `build.py`, data"
    code = "`a[0](x)` and\n```\n[x](nowhere)\n```\n"
    assert links.relinked(code, "README.md", "index.html", ADDRESS) == code


def test_a_link_that_leads_nowhere_stops_the_build_and_names_its_file() -> None:
    message = "README.md: the link to 'chapters/77_x.ipynb' leads nowhere"
    with pytest.raises(SiteError, match=message):
        links.relinked("[x](chapters/77_x.ipynb)", "README.md", "index.html", ADDRESS)


def test_the_repository_is_the_projects_own_or_that_of_the_workflow(monkeypatch) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    monkeypatch.delenv("GITHUB_SERVER_URL", raising=False)
    here = links.repository()
    monkeypatch.setenv("GITHUB_REPOSITORY", "somebody/attention")
    assert links.repository() == (here or "https://github.com/somebody/attention")


# Pages -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: "/".join(path.parts[-2:]))
def test_a_page_has_each_cell_of_its_notebook_under_its_name_and_nothing_that_needs_a_kernel(
    path: Path,
) -> None:
    notebook = nbformat.read(path, as_version=4)
    before = nbformat.writes(notebook)
    page = pages.page(notebook, path.relative_to(ROOT).as_posix(), "")
    assert nbformat.writes(notebook) == before, "the notebook was changed"
    nbformat.validate(page)
    sources = "".join(cell.source for cell in page.cells)
    names = re.findall(r'id="cell-id=([^"]+)"', sources)
    assert names == [cell.id for cell in notebook.cells if cell.id != "colab"]
    for before_it, cell in zip(page.cells, page.cells[1:]):
        if cell.id in names:
            assert f'id="cell-id={cell.id}"' in before_it.source
    tagged = {c.id: {*c.metadata.get("tags", ())} for c in notebook.cells}
    code = [cell for cell in page.cells if cell.cell_type == "code"]
    assert not any("check" in tagged[cell.id] for cell in code)
    assert all("hide-input" in c.metadata["tags"] for c in code if "setup" in tagged[c.id])
    assert not any(re.search(r"^(recall|progress)\(", cell.source, re.M) for cell in code)
    outputs = [out.get("data", {}).get("text/html", "") for c in code for out in c.outputs]
    output = "".join(outputs)
    assert "Write the body, run the cell" not in output and "exercises are right" not in output
    texts = "".join(cell.source for cell in page.cells if cell.cell_type == "markdown")
    assert not re.search(r"(?<!//)\b\w+\.ipynb#cell-id", texts + output)
    predictions = re.findall(r'data-predicts="([^"]+)"', sources)
    assert len(set(predictions)) == len(predictions)
    assert {*predictions} <= {*re.findall(r'data-said="([^"]+)"', sources)}


@pytest.mark.parametrize("after", [[], [text("A text.", "alt")]])
def test_a_figure_without_words_stops_the_build(after: list) -> None:
    message = "05_attention.ipynb: the figure of cell 'drawn' has no words"
    with pytest.raises(SiteError, match=message):
        made(text("# T", "t"), code("drawn", **PLOT), *after)


def test_under_the_title_stand_the_ways_to_run_a_chapter_its_files_and_its_notebook() -> None:
    plain = made(text("# T\n\nFirst.", "t"))[1].source
    assert plain.startswith("# T\n\n<div") and plain.endswith("\n\nFirst.")
    origin = "chapters/05b_two_decoders.ipynb"
    title = made(text("# T\n\n*Why?*\n\nFirst.", "t"), origin=origin)[1].source
    assert title.startswith("# T\n\n*Why?*\n\n<div") and title.endswith("\n\nFirst.")
    for way in (
        "run.html",
        "mybinder.org/v2/gh/a/b/main?urlpath=lab%2Ftree%2Fchapters%2F05b_two",
        "colab.research.google.com/github/a/b/blob/main/chapters/05b_two_decoders.ipynb",
        "solutions/05b_two_decoders.html",
        '<a href="05b_two_decoders.ipynb" download>',
        f'href="{ADDRESS}/issues/new?title=05b_two_decoders%3A%20"',
    ):
        assert way in title
    row = title[title.index("<nav") : title.index("</nav>")]
    assert re.findall(r'href="([^"]+)"( aria-current="page")?>([\w]+) · ', row) == [
        ("05_attention.html", "", "05"),
        ("05b_two_decoders.html", ' aria-current="page"', "05b"),
        ("05c_explanation.html", "", "05c"),
    ]
    assert pages.files("00_start") == ""
    unknown = pages.page(nbformat.v4.new_notebook(cells=[text("# T")]), origin, "").cells[1].source
    assert "run.html" in unknown and not re.search("mybinder|issues", unknown)
    assert made(text("# T", "t"), origin="chapters/D_papers.ipynb")[1].source == "# T"


def test_below_an_exercise_stands_the_way_to_its_solution_which_is_folded() -> None:
    head = text("### Exercise 5.1 · The context", "t")
    chapter = made(head, code("ex-sum", "exercise"))
    assert '"solutions/05_attention.html#cell-id=ex-sum"' in chapter[-1].source
    assert "exercise 5.1" in chapter[-1].source
    solved = made(head, code("ex-sum", "exercise"), origin="chapters/solutions/05_attention.ipynb")
    assert solved[1].source == "## Exercise 5.1 · The context"
    assert solved[-1].metadata.tags == ["hide-input"]
    assert solved[-1].metadata["mystnb"]["code_prompt_show"] == "Show a solution"
    for origin in (BOOK, "chapters/solutions/05_attention.ipynb"):
        (cell,) = (c for c in made(code("setup", "setup"), origin=origin) if c.id == "setup")
        assert cell.metadata["tags"] == ["hide-input"]
        assert cell.metadata["mystnb"]["code_prompt_show"] == "Show the set-up"


def test_a_reader_of_the_pages_can_answer_before_the_output_is_shown() -> None:
    asks, reveals = code("asks"), code("tells")
    asks.source, reveals.source = 'predict("05.x", ...)', 'print(1)\nreveal("05.x", 1)'
    reveals.metadata["jupyter"] = {"outputs_hidden": True}
    cells = made(text("# T", "t"), asks, reveals)
    box, reply = (cell.source for cell in cells if 'class="prediction"' in cell.source)
    assert '<input data-predicts="05.x"' in box
    assert '<p class="prediction" data-said="05.x" hidden>' in reply
    assert [cell.metadata["tags"] for cell in cells if cell.id == "tells"] == [["hide-output"]]


NEW = """<details class='came-out'><summary>Show what came out</summary>
<pre>7</pre><img class='plot' alt='figure' src='data:image/png;base64,AA'>
</details>"""


def test_a_figure_in_the_fold_of_a_prediction_has_its_words() -> None:
    asks, reveals = code("asks"), code("tells", **{"text/html": NEW})
    asks.source, reveals.source = 'predict("05.x", ...)', 'with reveal("05.x", 1):\n    print(1)'
    words = "<details><summary>The figure in words</summary>\n\nBars, 'one' and two, the second of"
    words += " which is higher. More.\n\n</details>"
    folded = "\n\n<details><summary>What it says</summary>\n\nThat.\n\n</details>"
    cells = made(text("# T", "t"), asks, reveals, text(words + folded, "after"))
    (fold,) = (cell.outputs[0].data["text/html"] for cell in cells if cell.id == "tells")
    assert "alt='Bars, &#x27;one&#x27; and two, the second of which is higher. More.'" in fold
    assert fold.startswith("<details class='came-out'>") and "alt='figure'" not in fold
    below = "<figcaption>Bars, &#x27;one&#x27; and two"
    assert below in fold and fold.count("<figure") == 1
    assert any('data-said="05.x"' in cell.source for cell in cells)
    with pytest.raises(SiteError, match="the figure of cell 'tells' has no words of its own"):
        made(text("# T", "t"), reveals)


def test_a_figure_has_its_number_once_its_words_and_their_first_sentence_as_caption() -> None:
    words = "Heat map. Seven rows of *words*, nine `columns`,\n$x$ high. The last is dark."
    words = f"<details><summary>The figure in words</summary>\n\n{words}\n\n</details>"
    view = {"text/html": '<div class="attn-view"><p class="title">Figure 2. Words</p></div>'}
    one = code("one", "hide-input", **PLOT)
    one.source = 'title = "Figure 1. Weights"'
    seen, defines, reveals = code("two", **view), code("def"), code("tells", **{"text/html": NEW})
    defines.source = 'title = "Figure 3. More of it"'
    bare = code("bare", **PLOT)
    cells = made(one, text(words, "w"), seen, defines, reveals, text(words, "v"), bare, text(words))
    assert cells[-1].source == words, "they stay"
    first, second, third, last = (c for c in cells if c.id in ("one", "two", "tells", "bare"))
    spoken = "Heat map. Seven rows of words, nine columns, x high. The last is dark."
    figure = first.metadata["mystnb"]
    assert figure["image"]["alt"] == f"Figure 1. {spoken}"
    caption = "Heat map. Seven rows of *words*, nine `columns`, $x$ high."
    assert figure["figure"]["caption"] == caption
    assert figure["code_prompt_show"] == "Show the code that draws Figure 1"
    assert second.outputs[0].data == view
    assert f"alt='Figure 3. {spoken}'" in third.outputs[0].data["text/html"]
    assert last.metadata["mystnb"]["image"]["alt"] == spoken


def test_short_questions_have_a_button_for_each_choice_and_what_there_is_to_say_to_it() -> None:
    asks = code("recall")
    asks.source = 'recall("05", "")'
    page = made(text("# T", "t"), asks, origin=BOOK)
    assert [cell.cell_type for cell in page if cell.id == "recall"] == ["markdown"]
    source = next(cell.source for cell in page if cell.id == "recall")
    assert "\n\n" not in source
    questions = first_questions("05")
    for question in questions:
        for letter, choice in zip("ABCD", question.choices):
            assert f"<b>{letter}</b> <span>{as_html(choice)}</span>" in source
        assert question.link.replace(".ipynb", ".html") in source
    choices = sum(len(question.choices) for question in questions)
    assert source.count("<button") == source.count("<template") == choices
    right = re.findall(r"data-right><b>(\w)</b>", source)
    assert right == [question.right for question in questions]


def test_a_page_does_not_say_how_a_cell_is_answered_that_it_has_not() -> None:
    head = "## What do you remember?\n\nFive short questions on earlier chapters."
    how = ' Answer with a letter for each:\n`recall("04", "abcda")`. If not, a dot: `"..da"`.'
    asks = code("recall")
    asks.source = 'recall("04")'
    cells = made(text("# T", "t"), text(head + how, "how"), asks, text(head + how, "other"))
    assert [cell.source for cell in cells if cell.id in ("how", "other")] == [head, head + how]


# Serving and publishing --------------------------------------------------------------------------


HEAD = """<html><head><title>A book &#8212; A book</title>
    <script src="_static/documentation_options.js?v=9"></script>
    <script src="_static/doctools.js?v=f"></script>
    <script src="_static/sphinx_highlight.js?v=f"></script>
    <script>DOCUMENTATION_OPTIONS.pagename = 'a';</script>
    <script defer="defer" src="_static/find.js?v=1"></script>
    <script defer="defer" src="_static/mathjax/tex-svg-full.js?v=1"></script>
    <script src="_static/searchtools.js"></script>
    <script src="_static/language_data.js"></script>
    <script src="searchindex.js"></script>
</head><body><p>text</p>
<script defer src="_static/scripts/bootstrap.js"></script></body></html>"""
SEARCH = ["searchtools.js", "language_data.js", "searchindex.js"]


def test_no_script_stands_before_the_text_and_only_the_search_loads_its_index() -> None:
    page, search = build.text_first(HEAD), build.text_first(HEAD, search=True)
    names = re.compile(r"src=\"[^\"]*?([\w-]+\.js)")
    assert not {*SEARCH, "sphinx_highlight.js"} & {*names.findall(page)}
    found = names.findall(search)
    # It changes Sphinx's search, which begins as soon as it has its index.
    assert found[3:7] == [*SEARCH[:2], "find.js", SEARCH[2]]
    for made in (page, search):
        head, _, body = made.partition("</head>")
        scripts = re.findall("<script[^>]*src=[^>]*>", made)
        assert [one for one in scripts if "defer" not in one] == [
            '<script src="_static/documentation_options.js?v=9">'
        ]
        assert head.index("options.js") < head.index("pagename")
        assert "mathjax" in body and "mathjax" not in head
        assert "<title>A book</title>" in head


def test_the_workflow_builds_what_make_site_builds_reads_it_and_publishes_that_folder() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/pages.yml").read_text(encoding="utf-8"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    runs = [step["run"] for step in steps if "run" in step]
    assert "make e2e E2E=tests/web" in runs  # which builds first
    (upload,) = (s for s in steps if s.get("uses", "").startswith("actions/upload-pages-artifact"))
    assert upload["with"]["path"] == "docs/_build/html"
    assert any(s.get("uses", "").startswith("actions/deploy-pages") for s in steps)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^e2e: \$\(READY_E2E\) site ##", makefile, re.MULTILINE)
