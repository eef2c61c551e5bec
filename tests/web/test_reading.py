"""The web edition as a reader uses it, from the disk: leafing, searching, the dark, a phone, paper,
and a live view in the hand."""

import gzip
from pathlib import Path

import pytest
from web.browser import opened

from attnbook.contents import CHAPTERS
from attnbook.reader import LETTERS, first_questions


def test_next_leads_through_the_whole_book_and_previous_back(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "index.html").as_uri())
        seen = ["index"]
        while page.locator("a.right-next").count():
            page.locator("a.right-next").click()
            page.wait_for_load_state("domcontentloaded")
            seen.append(Path(page.url).stem)
        assert seen[1:4] == ["run", "00_start", "01_rnn"]
        numbered = [name for name in seen if name[:2].isdigit()]
        book = [chapter.notebook for chapter in CHAPTERS.values()]
        assert numbered == [*book, *book]  # and their solutions
        page.locator("a.left-prev").click()
        assert Path(page.url).stem == seen[-2]


def test_the_search_finds_a_word_of_the_text_and_shows_where_it_stands(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "01_rnn.html").as_uri())
        page.keyboard.press("Control+K")
        page.keyboard.type("exposure bias")
        page.keyboard.press("Enter")
        page.wait_for_selector("ul.search li a")
        found = page.locator("ul.search li.place a")
        leads = found.evaluate_all("links => links.map(a => a.getAttribute('href'))")
        assert leads[0] == "07_teacher_forcing.html"
        found.first.click()
        page.wait_for_function("CSS.highlights.has('found')")
        first = "() => { const [range] = CSS.highlights.get('found');"
        first += " return [range.toString(), range.getBoundingClientRect().y]; }"
        word, place = page.evaluate(first)
        assert word.lower() in ("exposure", "bias")
        assert 0 <= place <= 900, "the page was not moved to what was found"
        page.goto((site / "search.html").as_uri() + "?q=xylophone")
        page.wait_for_function("document.body.innerText.includes('Nothing in the book matches')")
        assert page.external == [] and page.wrong == []


def test_a_link_to_a_cell_shows_that_cell(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "05_attention.html").as_uri() + "#cell-id=aer")
        page.wait_for_function("window.scrollY > 1000")
        page.wait_for_timeout(500)  # formulas above it take their room
        code = page.locator("[id='cell-id=aer'] + .cell")
        assert "links_from_weights" in code.text_content()
        assert -5 < code.bounding_box()["y"] < 900


def test_a_solution_waits_behind_a_click(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "05_attention.html").as_uri())
        page.get_by_role("link", name="A solution of exercise 5.1", exact=True).click()
        assert "solutions/05_attention.html" in page.url
        cell = page.locator("[id='cell-id=ex-safe-softmax'] + .cell")
        code = cell.locator("pre").first
        setup = page.locator("[id='cell-id=setup'] + .cell pre").first
        assert not code.is_visible() and not setup.is_visible()
        cell.get_by_text("Show a solution").click()
        assert code.is_visible() and "def safe_softmax" in code.text_content()


def test_on_paper_stand_the_text_and_whole_lines_of_code_and_no_buttons(
    site: Path, browser
) -> None:
    with opened(browser, 800) as page:
        page.goto((site / "04_keys_and_values.html").as_uri())
        page.emulate_media(media="print")
        for hidden in (
            "#pst-primary-sidebar",
            "#pst-secondary-sidebar",
            ".prev-next-footer",
            ".ways",
        ):
            assert not page.locator(hidden).first.is_visible(), hidden
        cut = "all => all.filter(pre => pre.scrollWidth > pre.clientWidth + 1).length"
        assert page.locator(".bd-article pre").evaluate_all(cut) == 0
        assert len(page.pdf()) > 100_000


# What a page does for a reader without a kernel --------------------------------------------------


def test_a_question_is_answered_by_a_click_or_a_key_and_judged_at_once(site: Path, browser) -> None:
    questions = first_questions("05")
    with opened(browser) as page:
        page.goto((site / "05_attention.html").as_uri())
        page.wait_for_load_state()
        items = page.locator(".quiz li")
        assert items.count() == len(questions)
        assert page.locator(".quiz a").count() == 0, "where it stands is told after the answer"
        for number, (question, item) in enumerate(zip(questions, items.all()), 1):
            wrong = next(a for a in LETTERS if a != question.right)
            for letter in (wrong, question.right):
                button = item.locator("button").nth(LETTERS.index(letter))
                assert button.inner_text().split()[0] == letter
                button.focus()
                page.keyboard.press("Enter" if number % 2 else " ")
                status = item.get_by_role("status")
                mark = "✓" if letter == question.right else "✗"
                assert status.inner_text().startswith(f"{mark} {letter}")
                assert button.get_attribute("aria-pressed") == "true"
                assert item.locator("[aria-pressed=true]").count() == 1
            link = status.get_by_role("link")
            assert link.get_attribute("href") == question.link.replace(".ipynb", ".html")
            score = page.locator(".quiz .score")
            assert score.inner_text() == f"{number} of {number} are right."
        assert page.wrong == []


def test_an_answer_to_a_prediction_opens_what_came_out(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "00_start.html").as_uri())
        page.wait_for_load_state()
        box = page.get_by_label("Your prediction").first
        name = box.get_attribute("data-predicts")
        fold = page.locator(
            f"xpath=//p[@data-said='{name}']/preceding-sibling::div[contains(@class, 'cell')]"
            "[not(contains(@class, 'cell-place'))][1]//details"
        ).last
        assert fold.get_attribute("open") is None
        box.fill("9")
        page.keyboard.press("Tab")
        assert fold.get_attribute("open") is not None
        reply = page.locator(f"[data-said='{name}']")
        assert reply.inner_text() == "You said: 9"
        page.reload()
        assert reply.inner_text() == "You said: 9"


NEW = """<div class="cell"><div class="cell_output"><details class="came-out">
<summary>Show</summary><pre>7</pre></details></div></div><div class="cell-place"></div>
<p class="prediction" data-said="05.new" hidden></p>
<div class="cell-place"></div><details id="words"><summary>The figure in words</summary>a</details>
<details id="says"><summary>What it says</summary>b</details>
<details id="other"><summary>Hint 1</summary>c</details>
<p><label>Your prediction: <input data-predicts="05.new"></label></p>"""


def test_what_came_out_opens_with_the_text_that_reads_it_and_nothing_else(
    site: Path, browser
) -> None:
    with opened(browser) as page:
        page.goto((site / "run.html").as_uri())
        page.wait_for_load_state()
        page.locator("article section").first.evaluate(f"node => node.innerHTML = `{NEW}`")
        page.evaluate("keep_predictions()")
        page.get_by_label("Your prediction").fill("7")
        page.keyboard.press("Tab")
        opened_ones = page.locator("article details[open]").evaluate_all(
            "all => all.map(fold => fold.id || fold.className)"
        )
        assert opened_ones == ["came-out", "says"]


def test_a_figure_fills_the_window_by_a_click_or_a_key_and_goes_back(site: Path, browser) -> None:
    with opened(browser, 390, has_touch=True) as page:
        page.goto((site / "05_attention.html").as_uri())
        page.wait_for_load_state()
        for kind in ("figure.plot img:visible", "figure.attn-diagram svg:visible"):
            picture = page.locator(kind).first
            before = picture.bounding_box()["width"]
            picture.tap()
            large = page.locator("dialog#large")
            shown = large.locator("img, svg").bounding_box()
            assert large.is_visible() and shown["width"] > 1.5 * before
            page.keyboard.press("Escape")
            assert not large.is_visible()
            assert picture.bounding_box()["width"] == pytest.approx(before, abs=1)
        button = page.get_by_role("button", name="Enlarge: Encoder, attention, decoder")
        button.focus()
        page.keyboard.press("Enter")
        assert large.is_visible()
        large.get_by_role("button", name="Close").click()
        assert not large.is_visible() and page.wrong == []


def test_a_page_carries_neither_the_index_of_the_search_nor_scripts_before_its_text(
    site: Path, browser
) -> None:
    with opened(browser) as page:
        loaded: list[str] = []
        page.on("request", lambda request: loaded.append(request.url))
        page.goto((site / "05_attention.html").as_uri())
        page.wait_for_load_state()
        assert len(loaded) > 10 and not any("searchindex" in name for name in loaded)
        blocking = page.locator("head script[src]:not([defer])").evaluate_all(
            "all => all.map(one => one.src.split('/').pop().split('?')[0])"
        )
        assert blocking == ["documentation_options.js"]
    heads = [(site / name).read_text(encoding="utf-8") for name in ("index.html", "00_start.html")]
    assert not any("searchindex" in head for head in heads)
    packed = gzip.compress((site / "00_start.html").read_bytes())
    styles = sum(len(gzip.compress(path.read_bytes())) for path in site.rglob("*.css"))
    assert len(packed) + styles < 300_000, "what a phone must have before it shows the text"
