"""Finding things on the pages: words of the glossary, the search's index, minutes, and what a link
to a page shows elsewhere. What a browser makes of it, tests/web asks."""

import re

import pytest
from programs import ROOT, chapter_source

from attnbook.contents import CHAPTERS
from attnbook.minutes import MINUTES

nodes = pytest.importorskip("docutils.nodes", reason="make site installs it")
pytest.importorskip("sphinx", reason="make site installs it")
SITE = ROOT / "docs"
from docs import around, build, finding, glossary, terms  # noqa: E402


def page(*parts):
    """A page with one section of these parts."""
    from docutils.utils import new_document

    tree = new_document("page")
    tree += nodes.section("", nodes.title("", "A page"), *parts, ids=["a-page"])
    return tree


def text(*parts) -> nodes.paragraph:
    made = nodes.paragraph()
    for part in parts:
        made += nodes.Text(part) if isinstance(part, str) else part
    return made


def marked(*parts) -> list[str]:
    tree = page(*parts)
    terms.mark(tree)
    texts = (raw.astext() for raw in tree.findall(nodes.raw))
    return [re.sub("<[^>]*>", "", one) for one in texts if 'class="term"' in one]


# Words of the glossary ---------------------------------------------------------------------------


def test_the_first_use_of_a_word_of_the_glossary_shows_what_it_means() -> None:
    tree = page(text("With teacher\nforcing a decoder reads. A decoder & teacher forcing again."))
    terms.mark(tree)
    first, second = (raw.astext() for raw in tree.findall(nodes.raw))
    assert first.startswith('<a class="term" href="A_notation.html#term-teacher-forcing" ')
    means = re.search('data-means="([^"]*)"', first)[1]
    assert means.startswith("feed the gold token") and means.endswith(" 교사 강요 (티처 포싱).")
    assert first.endswith(">teacher\nforcing</a>") and second.endswith(">decoder</a>")
    plain = re.sub("<[^>]*>", "", tree.astext())
    assert "With teacher\nforcing a decoder reads. A decoder & teacher forcing again." in plain


def test_no_heading_code_formula_link_or_table_is_marked() -> None:
    for kind in (nodes.literal, nodes.math, nodes.emphasis, nodes.reference):
        assert marked(text(kind("", "softmax"), " or softmax")) == ["softmax"], kind
        assert marked(text(kind("", "softmax"))) == [], kind
    assert marked(nodes.section("", nodes.title("", "The softmax"), ids=["x"])) == []
    assert marked(nodes.literal_block("", "softmax"), nodes.table("", text("softmax"))) == []


def test_a_page_that_has_explained_a_word_marks_it_no_more() -> None:
    bold = nodes.strong("", "Softmaxes")
    assert marked(text("a softmax, "), text(bold, " divide: a softmax")) == ["softmax"]
    assert marked(text(bold, " divide"), text("a softmax")) == []


def test_what_is_folded_is_not_marked_and_does_not_count_as_the_first_use() -> None:
    fold, end = (nodes.raw("", tag, format="html") for tag in ("<details>", "</details>"))
    assert marked(fold, text("one softmax"), end, text("softmaxes")) == ["softmaxes"]


def test_words_that_mean_something_else_as_well_are_left_alone() -> None:
    assert marked(text("a bit, an update, for reference, less loss")) == []
    assert marked(text("Warm-up, 5 minutes."), text("a warm-up, 5 updates long")) == ["warm-up"]
    assert glossary.names("dot (score)") == ["dot score"]
    assert glossary.names("start token, end token (`<sos>`, `<eos>`)") == [
        "start token",
        "end token",
    ]


def test_every_term_has_a_row_to_which_its_words_lead() -> None:
    shown = glossary.with_places("\n".join(c.source for c in chapter_source("A_notation").cells))
    rows = [f'<span id="{glossary.place(term.english)}"></span>' for term in glossary.glossary()]
    assert len(set(rows)) == len(rows) > 150
    assert [row for row in rows if shown.count(row) != 1] == []


# The search --------------------------------------------------------------------------------------


def test_the_index_has_the_text_of_each_place_and_what_it_explains() -> None:
    inner = nodes.section("", nodes.title("", "Inside"), text("more"), ids=["inside"])
    code = nodes.container("", nodes.literal_block("", "x = 1"), nb_element="cell_code")
    ways = nodes.raw("", '<div class="ways">Run</div>', format="html")
    formula = nodes.math("", r"\alpha_{tj}")
    tree = page(ways, text("One ", nodes.strong("", "word"), " & ", formula), code, inner)
    assert finding.page_entries("05_x", tree) == [
        ["a-page", "A page", "One word & α_tj", ["word"]],
        ["inside", "Inside", "more", []],
    ]
    assert [text for _, _, text, _ in finding.page_entries("solutions/05_x", tree)] == ["", ""]
    tree = page(text("Warm-up, 5 minutes. Write it."), text("Then a warm-up."))
    assert [one[2] for one in finding.page_entries("05_x", tree)] == ["Write it. Then a warm-up."]


def test_a_cell_whose_mark_stands_above_a_heading_is_in_the_place_below_it() -> None:
    one, two = (
        nodes.raw("", f'<div id="cell-id={name}"></div>', format="html") for name in ("a", "b")
    )
    inner = nodes.section("", nodes.title("", "Inside"), text("more"), ids=["inside"])
    tree = page(one, text("text"), two, inner)
    assert finding.cells(tree, "05_x") == {
        "05_x.html#cell-id=a": "05_x#a-page",
        "05_x.html#cell-id=b": "05_x#inside",
    }


# Around the text ---------------------------------------------------------------------------------


def test_the_list_at_the_side_shows_how_many_minutes_a_notebook_takes() -> None:
    for chapter in CHAPTERS.values():
        entry = f'href="../{chapter.notebook}.html">{chapter.number} · {chapter.title}'
        html = around.with_chips(f"<a {entry}</a>")
        assert html == f'<a {entry} <span class="minutes">{MINUTES[chapter.number]} min</span></a>'
    other = '<a href="run.html">Run the book</a><a href="solutions/05_x.html">05 · X</a>'
    assert around.with_chips(other) == other


def test_a_page_describes_itself_by_its_first_lines() -> None:
    assert around.description(None) == ""
    assert around.description(page(text("Why  is\nthat?"), text("So."))) == "Why is that? So."
    description = around.description(page(text("word " * 100)))
    assert description.endswith("word …") and len(description) <= around.MOST + 2


def test_a_shared_link_has_a_title_a_text_and_where_the_address_is_known_a_picture() -> None:
    here = around.tags('A "b"', "Why?", "05_x", "")
    assert '<meta name="description" content="Why?" />' in here
    assert '<meta property="og:title" content="A &quot;b&quot;" />' in here
    assert "og:url" not in here and "og:image" not in here
    there = around.tags("A", "Why?", "05_x", "https://a.github.io/b/")
    assert 'property="og:url" content="https://a.github.io/b/05_x.html"' in there
    assert f'property="og:image" content="https://a.github.io/b/{around.PICTURE}"' in there
    assert (SITE / around.PICTURE).read_bytes().startswith(b"\x89PNG")


def test_what_students_call_a_term_leads_to_a_term_of_the_glossary() -> None:
    known = {term.english for term in glossary.glossary()}
    assert {*finding.ALSO} <= known
    own = {name.lower() for term in glossary.glossary() for name in glossary.names(term.english)}
    also = [name for names in finding.ALSO.values() for name in names]
    assert len(set(also)) == len(also) and not own & {*also}


def test_icons_that_no_page_uses_are_left_out(tmp_path) -> None:
    scripts = tmp_path / "_static" / "scripts"
    scripts.mkdir(parents=True)
    (tmp_path / "a.html").write_text('<i class="fa-solid fa-sun"></i>', encoding="utf-8")
    (scripts / "a.js").write_text('"fa-bars"', encoding="utf-8")
    (scripts / "a.js.map").write_text("{}", encoding="utf-8")
    icons = {name: f'{name}:[512,512,[9,"x"],"f185","M1 1z"]' for name in ("bars", "sun", "cat")}
    packed = scripts / "fontawesome.js"
    packed.write_text(f"a={{{','.join(icons.values())}}};b", encoding="utf-8")
    build.lighten(tmp_path)
    assert packed.read_text(encoding="utf-8") == f"a={{{icons['bars']},{icons['sun']},}};b"
    assert not list(scripts.glob("*.map"))
