"""The web edition as a reader uses it, from the disk: leafing, searching, the dark, a phone, paper,
and a live view in the hand."""

import math
from pathlib import Path

from web.browser import opened

from attnbook import views
from attnbook.contents import CHAPTERS


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
        assert page.asked == [] and page.wrong == []


def test_a_search_for_nothing_of_the_book_says_so(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "search.html").as_uri() + "?q=xylophone")
        page.wait_for_function("document.body.innerText.includes('Nothing in the book matches')")
        assert page.asked == [] and page.wrong == []


def test_a_reader_chooses_the_dark_and_the_next_page_knows_it(site: Path, browser) -> None:
    with opened(browser, theme="light") as page:
        page.goto((site / "index.html").as_uri())
        theme = "document.documentElement.dataset.theme"
        assert page.evaluate(theme) == "light"
        page.locator("button.theme-switch-button").click()
        page.get_by_role("button", name="Dark", exact=True).click()
        assert page.evaluate(theme) == "dark"
        ground = "getComputedStyle(document.body).backgroundColor"
        dark = page.evaluate(ground)
        (inside,) = (frame for frame in page.frames if "translator" in frame.url)
        inside.wait_for_function(f"{ground} === 'rgb(21, 24, 28)'")  # and so does the translator
        page.goto((site / "05_attention.html").as_uri())
        assert (
            page.evaluate(theme) == "dark" and page.evaluate(ground) == dark != "rgb(255, 255, 255)"
        )


def test_a_phone_opens_the_list_of_chapters_and_closes_it(site: Path, browser) -> None:
    with opened(browser, 360) as page:
        page.goto((site / "05_attention.html").as_uri())
        entry = page.locator(".bd-sidebar-primary, dialog").get_by_role(
            "link", name="08 · Beam search"
        )
        assert not entry.is_visible()
        page.locator("button.primary-toggle").locator("visible=true").first.click()
        entry.wait_for(state="visible")
        entry.click()
        assert Path(page.url).stem == "08_beam_search"


def test_a_link_to_a_cell_shows_that_cell(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "05_attention.html").as_uri() + "#cell-id=aer")
        page.wait_for_function("window.scrollY > 1000")
        page.wait_for_timeout(500)  # formulas above it take their room
        code = page.locator("[id='cell-id=aer'] + .cell")
        assert "best_shift" in code.text_content()
        assert -5 < code.bounding_box()["y"] < 900


def test_a_solution_waits_behind_a_click(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "05_attention.html").as_uri())
        page.get_by_role("link", name="A solution of exercise 5.2", exact=True).click()
        assert "solutions/05_attention.html" in page.url
        cell = page.locator("[id='cell-id=ex-safe-softmax'] + .cell")
        code = cell.locator("pre").first
        assert not code.is_visible()
        cell.get_by_text("Show a solution").click()
        assert code.is_visible() and "def safe_softmax" in code.text_content()


def test_a_live_view_answers_the_keyboard_from_the_disk(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "05_attention.html").as_uri())
        view = page.locator(".attn-view").first
        slider, says = view.locator("input[type=range]").first, view.locator(".says")
        before = says.text_content()
        slider.focus()
        page.keyboard.press("Home")
        assert says.text_content() != before and "25 updates" in says.text_content()
        assert page.wrong == []


def test_a_whole_line_of_code_is_in_sight_in_a_window_of_1200_pixels(site: Path, browser) -> None:
    with opened(browser, 1200) as page:
        page.goto((site / "05b_two_decoders.html").as_uri())
        cut = page.locator(".cell_input pre").evaluate_all(
            "all => all.filter(pre => pre.scrollWidth > pre.clientWidth + 1).map("
            "pre => Math.max(...pre.innerText.split('\\n').map(line => line.length)))"
        )
    assert [longest for longest in cut if longest <= 88] == []


def test_figures_carry_their_words(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "00_start.html").as_uri())
        words = page.locator(".cell_output img").evaluate_all("all => all.map(img => img.alt)")
        assert len(words) == 4 and all(len(text) > 80 for text in words)
        assert words[0].startswith("A heat map. The pieces of the German sentence")


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


def test_on_a_phone_no_word_above_a_narrow_column_lies_on_its_neighbor(
    tmp_path: Path, browser
) -> None:
    """Measured across the words, whatever their slant: of a live view, fresh from its program."""
    words = [
        "화가 painter",
        "는 (topic)",
        "학교 school",
        "에서 at",
        "사과 apple",
        "를 (object)",
    ] * 3
    weights = [[1 / len(words)] * len(words)] * 3
    stage = {"step": 1, "weights": weights, "tokens": ["the", "painter", "ate"]}
    path = views.learning_view([stage, {**stage, "step": 2}], words).save(tmp_path / "view.html")
    with opened(browser, 360) as page:
        page.goto(path.as_uri())
        page.wait_for_selector(".stage text")
        labels = page.locator(".stage text[transform]")
        assert labels.count() == len(words)
        turned = labels.evaluate_all(
            "all => all.map(text => [text.transform.baseVal[0].angle, +text.getAttribute('x'),"
            " text.getBBox().height])"
        )
    for (angle, left, high), (_, right, _) in zip(turned, turned[1:]):
        apart = (right - left) * abs(math.sin(math.radians(angle)))
        assert apart >= 0.75 * high, f"{apart:.1f} apart, {high:.1f} high"
