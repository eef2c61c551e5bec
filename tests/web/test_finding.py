"""Finding things in the web edition, from the disk: titles, search, what words mean, code."""

import re
from pathlib import Path

import pytest
from web.browser import opened

from attnbook.contents import CHAPTERS

#: What a reader types, the word of the glossary that answers, and a place among the first three.
QUERIES = [
    ("exposure bias", "exposure bias", "07_teacher_forcing.html"),
    ("BLEU", "BLEU", "09_bleu.html#four-precisions-one-number"),
    ("어텐션을", "attention", "04_keys_and_values.html#the-whole-lookup-in-three-lines"),
    ("빔서치", "beam search", "08_beam_search.html#beam-search-k-instead-of-one-or-all"),
    ("기울기 소실", "vanish (gradients)", "01b_gradients.html#how-far-does-a-gradient-reach"),
    ("padding masks", "", "05_attention.html#padding-the-mask-comes-before-the-softmax"),
    ("beam_search", "", "api/attnlib.search.html#attnlib.search.beam_search"),
]
#: What students type, and a place among the first two.
TYPED = [
    ("multihead", "11_transformer.html#heads-more-than-one-look-at-a-time"),
    ("멀티 헤드 어텐션", "11_transformer.html#heads-more-than-one-look-at-a-time"),
    ("why divide by sqrt d", "06_scores.html#why-divide-by-h"),
    ("왜 루트 d로 나누나", "06_scores.html#why-divide-by-h"),
    ("learning rate warmup", "11_transformer.html#why-add-and-why-normalize-first"),
    ("how do I install on windows", "run.html#windows"),
    ("attention is not explanation", "05c_explanation.html"),
    ("GRU vs LSTM", "05b_two_decoders.html#the-recurrent-step-f-a-gru"),
    ("역전파", "01b_gradients.html#back-propagation-through-time"),
]


RESULTS = """all => all.map(item => [item.className, item.querySelector("a").textContent,
  item.querySelector("a").getAttribute("href"), item.querySelector(".context").textContent])"""


@pytest.mark.parametrize(("typed", "word", "place"), QUERIES)
def test_the_search_puts_first_where_a_word_is_explained(
    typed: str, word: str, place: str, site: Path, browser
) -> None:
    with opened(browser) as page:
        page.goto(f"{(site / 'search.html').as_uri()}?q={typed}")
        page.wait_for_selector("ul.search li.place")
        results = page.locator("ul.search li").evaluate_all(RESULTS)
        words = [name for kind, name, _, _ in results if kind == "term"]
        places = [href for kind, _, href, _ in results if kind == "place"]
        assert words[:1] == [word] if word else True
        assert place in places[:3]
        assert [line for _, _, href, line in results if href == place] != [""]
        page.locator(f'ul.search a[href="{place}"]').first.click()
        page.wait_for_load_state()
        assert place.endswith(Path(page.url).name)
        assert page.external == [] and page.wrong == []


@pytest.mark.parametrize(("typed", "place"), TYPED)
def test_what_students_type_is_found_first_or_second(
    typed: str, place: str, site: Path, browser
) -> None:
    with opened(browser) as page:
        page.goto(f"{(site / 'search.html').as_uri()}?q={typed}")
        page.wait_for_selector("ul.search li.place")
        found = page.locator("ul.search li.place a").evaluate_all(
            "all => all.map(link => link.getAttribute('href'))"
        )
        assert place in found[:2]
        assert page.wrong == []


def test_the_search_shows_the_line_with_the_words_that_were_looked_for(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto(f"{(site / 'search.html').as_uri()}?q=exposure bias")
        page.wait_for_selector("ul.search li.place")
        first = page.locator("ul.search li.place").first
        assert first.locator("mark").all_inner_texts() == ["exposure", "bias"]
        line = first.locator(".context").inner_text()
        assert "never exposed to its own predictions" in line and len(line) < 240
        text = page.locator("ul.search li.term").first.inner_text()
        assert "노출 편향" in text and "07 · Teacher forcing" in text


def test_each_chapter_has_its_notebook_beside_its_page(site: Path) -> None:
    for chapter in CHAPTERS.values():
        name = f"{chapter.notebook}.ipynb"
        notebook = site.parents[2] / "chapters" / name
        assert (site / name).read_bytes() == notebook.read_bytes()


# The front ---------------------------------------------------------------------------------------


def test_the_first_screen_shows_attention_to_who_points_at_nothing(site: Path, browser) -> None:
    with opened(browser, 1366) as page:
        page.set_viewport_size({"width": 1366, "height": 768})
        page.goto((site / "index.html").as_uri())
        seen = "node => { const box = node.getBoundingClientRect(); return box.top >= 0"
        seen += " && box.bottom <= innerHeight && getComputedStyle(node.closest('.some') || node)"
        seen += ".opacity === '1'; }"
        for part in (
            page.get_by_role("link", name="Start reading"),
            page.locator("#looking .share", has_text="0.58"),
            page.locator("#looking .chosen text", has_text="soccer"),
            page.get_by_role("heading", name="The chapters"),
        ):
            assert part.evaluate(seen), part
        promise = page.locator(".bd-article h1 + p").inner_text()
        assert "people who know Python" in promise and "captions of photographs" in promise
        other = page.locator("#looking .word", has_text="park")
        assert not other.locator(".share").first.evaluate(seen)
        other.locator("text").last.hover()
        assert other.locator(".share").first.evaluate(seen)
        assert not page.locator("#looking .share", has_text="0.58").evaluate(seen)
        page.get_by_role("link", name="Start reading").click()
        assert Path(page.url).stem == "00_start"


def test_a_visitor_translates_in_a_frame_as_high_as_what_it_shows(site: Path, browser) -> None:
    with opened(browser, 1366) as page:
        loaded: list[str] = []
        page.on("request", lambda request: loaded.append(request.url))
        page.goto((site / "index.html").as_uri())
        page.wait_for_load_state()
        assert loaded and not any("translator" in url for url in loaded), "nobody asked for it"
        frame = page.locator("iframe.translator")
        inside = frame.content_frame
        page.get_by_role("link", name="Translate a sentence of your own").click()
        result = inside.locator("#result", has_text="A dog runs through the snow.")
        result.wait_for()
        # A word is chosen, and the words that it looked at are shaded, before anybody points.
        chosen = inside.locator("#target .chosen")
        assert chosen.count() == 1
        shaded = inside.locator("#source button small:text-matches('0[.]')")
        assert shaded.count() > 0 and "looked at" in inside.locator("#says").inner_text()
        high = inside.locator("body").evaluate("body => body.offsetHeight")
        assert abs(frame.bounding_box()["height"] - high) <= 1 and high < 600
        assert not inside.locator("#examples").is_visible()
        assert page.wrong == []


# What a word means -------------------------------------------------------------------------------


def test_what_a_word_means_is_shown_to_pointer_keyboard_and_finger(site: Path, browser) -> None:
    with opened(browser, 360, has_touch=True) as page:
        page.goto((site / "05_attention.html").as_uri())
        page.wait_for_load_state()
        term, means = page.locator("a.term").nth(2), page.get_by_role("tooltip")
        text = term.get_attribute("data-means")
        assert text and not means.is_visible()
        for show, hide in (
            (term.hover, lambda: page.mouse.move(5, 700)),
            (term.focus, lambda: page.keyboard.press("Escape")),
            (term.tap, lambda: page.touchscreen.tap(340, 700)),
        ):
            show()
            assert means.inner_text() == text
            assert term.get_attribute("aria-describedby") == "means"
            box = means.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 360
            hide()
            assert not means.is_visible() and not term.get_attribute("aria-describedby")
        assert Path(page.url).stem == "05_attention"
        term.tap()
        term.tap()  # again: to the glossary
        page.wait_for_url("**/A_notation.html#term-*")
        row = page.locator(f"[id='{page.url.partition('#')[2]}']")
        assert -5 < row.bounding_box()["y"] < 900


# Code --------------------------------------------------------------------------------------------


def test_code_is_copied_by_keyboard_without_prompts_and_outputs(site: Path, browser) -> None:
    with opened(browser) as page:
        page.goto((site / "05_attention.html").as_uri())
        page.wait_for_selector("button.copybtn", state="attached")
        assert page.locator(".cell_output button.copybtn").count() == 0
        cell = page.locator("[id='cell-id=hand-weights'] + .cell")
        button = cell.get_by_role("button", name="Copy to clipboard").first
        button.focus()
        page.wait_for_function("getComputedStyle(document.activeElement).opacity === '1'")
        page.keyboard.press("Enter")
        assert copied(page) == cell.locator("pre").first.inner_text().strip()
        page.goto((site / "api/attnlib.metrics.html").as_uri())
        page.wait_for_selector("button.copybtn", state="attached")
        example = page.locator(".highlight:has(.gp)").first
        example.locator("button.copybtn").focus()
        page.keyboard.press("Enter")
        lines = example.locator("pre").inner_text().splitlines()
        typed = [line[4:] for line in lines if re.match(r"(>>>|\.\.\.) ", line)]
        assert copied(page).splitlines() == typed and len(typed) < len(lines)
        assert page.external == [] and page.wrong == []


def copied(page) -> str:
    """What the clipboard has, as a reader gets it: by pasting."""
    page.evaluate(
        "document.body.prepend(Object.assign(document.createElement('textarea'), {id: 'p'}))"
    )
    page.locator("#p").focus()
    page.keyboard.press("Control+V")
    text = page.locator("#p").input_value()
    page.evaluate("document.getElementById('p').remove()")
    return text.strip()
