"""The page of a translator as somebody uses it, in a browser, from the disk: typing, pointing,
walking with the keys, changing a word, switching attention off."""

import json
import time
from collections.abc import Iterator

import pytest
from driven import PATIENCE, Window
from others import BROWSERS

from attnlib.data import bundled_directory
from attnlib.translator import Translator
from attnlib.translator.page import export_page, read_examples

SHIPPED = bundled_directory().parent / "ko-en-attention"
LETTER, LONG, STRANGE = (read_examples(SHIPPED)[n].split("\t")[0] for n in (1, 4, 5))
RESULT = "document.getElementById('result').textContent"


@pytest.fixture(scope="module")
def translator() -> Translator:
    return Translator.load(SHIPPED, "cpu")


@pytest.fixture(scope="module", params=BROWSERS)
def running(request, tmp_path_factory: pytest.TempPathFactory, translator: Translator) -> Iterator:
    folder = tmp_path_factory.mktemp("browser")
    page = folder / "translator.html"
    baseline = Translator.load(SHIPPED.parent / "ko-en-without", "cpu")
    examples = read_examples(SHIPPED)
    export_page(translator, page, bits=32, examples=examples, baseline=baseline)
    window = BROWSERS[request.param](folder)
    yield window, page.read_text(encoding="utf-8"), folder
    window.close()


@pytest.fixture
def page(running) -> Window:
    """The page, opened from the disk, with its first sentence translated."""
    window, html, folder = running
    window.open(html, folder)
    wait(window)
    return window


def wait(page: Window) -> str:
    """The translation, once its last word is written."""
    return page.until(RESULT)


def ask(page: Window, text: str) -> str:
    """Type a sentence and press the button."""
    page.get(f"document.getElementById('text').value = {json.dumps(text)}")
    page.get("document.getElementById('result').textContent = ''")  # it is awaited
    page.click("document.querySelector('#ask button')")
    return wait(page)


def text_of(page: Window, name: str) -> str:
    return page.get(f"document.getElementById({name!r}).textContent.replace(/\\s+/g, ' ').trim()")


def word(number: int, row: str = "target") -> str:
    return f"document.getElementById({row!r}).children[{number}]"


def point(page: Window, element: str) -> None:
    """Move the pointer to a word, and again if what is still being drawn moved it away."""
    end = time.monotonic() + PATIENCE
    page.move(page.place(element))
    while not page.get(f"{element}.classList.contains('chosen')"):
        assert time.monotonic() < end, f"the pointer never came to lie on {element}"
        time.sleep(0.05)
        page.move(page.place(element))


def words(page: Window, row: str = "target") -> list[str]:
    return page.get(f"labels({row!r})")


def test_the_first_example_is_translated_when_the_page_opens(page, translator) -> None:
    assert page.get(RESULT) == translator.translate(read_examples(SHIPPED)[0].split("\t")[0]).text
    assert page.get("location.protocol") == "file:"
    assert page.get("document.title") == "Korean → English, in this page"
    assert page.get("performance.getEntriesByType('resource').map(one => one.name)") == []


def test_a_translation_grows_word_by_word_each_with_what_it_looked_at(page) -> None:
    page.get("(Object.defineProperty(still, 'matches', { value: false }), 0)")
    page.get(f"ask({json.dumps(LETTER)})")
    counts, messages = [], []
    page.get("clearTimeout(now.timer)")
    while not page.get(RESULT):
        counts.append(len(words(page)))
        messages.append(text_of(page, "says"))
        page.get("(clearTimeout(now.timer), write(now.shown + 1), clearTimeout(now.timer))")
    assert counts == [*range(1, len(counts) + 1)] and len(counts) == len(words(page)) - 1
    assert all("looked at" in one for one in messages) and len(set(messages)) == len(messages)


def test_pointing_at_a_word_shows_where_it_looked(page) -> None:
    ask(page, LETTER)
    read, written = words(page, "source"), words(page)
    point(page, word(written.index("letter")))
    assert text_of(page, "says").startswith("“letter” looked at “편지”")
    shade = f"{word(read.index('편지'), 'source')}.style.background"
    assert "color-mix" in page.get(shade)
    point(page, word(read.index("소라"), "source"))
    assert text_of(page, "says").startswith("“소라” was looked at by “Sora”")
    page.tap(word(read.index("편지"), "source"))  # a finger, which is lifted
    assert text_of(page, "says").startswith("“편지” was looked at by “letter”")


def test_the_arrow_keys_walk_along_the_words_and_between_the_rows(page) -> None:
    ask(page, LETTER)
    page.get(f"{word(0)}.focus()")
    page.press("ArrowRight", "ArrowRight")
    assert page.get("document.activeElement.firstChild.textContent") == words(page)[2]
    assert text_of(page, "says").startswith(f"“{words(page)[2]}” looked at")
    page.press("ArrowUp", "Home")
    assert page.get("document.activeElement.firstChild.textContent") == words(page, "source")[0]
    stops = page.get("document.querySelectorAll('#source [tabindex=\"0\"]').length")
    assert stops == 1  # for the tab key, a row is one place


def test_another_word_is_chosen_and_the_sentence_goes_on_from_it(page, translator) -> None:
    before = ask(page, LETTER)
    at = words(page).index("letter")
    page.click(word(at))
    assert text_of(page, "change-title") == "Instead of “letter”"
    offered = page.get(
        "[...document.querySelectorAll('#alternatives button')].map(b => b.textContent)"
    )
    assert offered[0].startswith("letter ") and len(offered) == 5
    other = offered[1].split()[0]
    page.click("document.querySelectorAll('#alternatives button')[1]")
    after = wait(page)
    assert after.split()[at] == other and after.split()[:at] == before.split()[:at]
    assert text_of(page, "before") == f"Before: “{before}”"
    assert text_of(page, "kept").startswith(f"You settled the first {at + 1} tokens.")
    page.click("document.getElementById('afresh')")
    assert wait(page) == before


def test_a_word_is_typed_in_its_place_or_refused_in_plain_words(page) -> None:
    before = ask(page, LETTER)
    at = words(page).index("letter")
    page.click(word(at))
    page.get("document.getElementById('word').value = 'smartphonely'")
    page.click("document.querySelector('#typed button')")
    assert text_of(page, "refused") == (
        "This model cannot write “smartphonely”: it never learned it."
    )
    assert page.get(RESULT) == before
    page.get("document.getElementById('word').value = 'umbrella'")
    page.click("document.querySelector('#typed button')")
    assert wait(page).split()[at] == "umbrella"
    page.click(word(0))
    page.press("Escape")
    assert page.get("document.getElementById('change').hidden")


def test_without_attention_a_long_sentence_fails(page) -> None:
    right = ask(page, LONG)
    page.click("document.querySelector('[value=even]')")
    wrong = wait(page)
    assert wrong != right and text_of(page, "before") == f"Before: “{right}”"
    assert "mean of all keys" in text_of(page, "warning")
    point(page, word(1))
    assert text_of(page, "says").startswith("Every word has the same weight, 0.0")
    page.click("document.querySelector('[value=without]')")
    assert wait(page) not in (right, wrong) and "one vector" in text_of(page, "warning")
    page.click("document.querySelector('[value=on]')")
    assert wait(page) == right


def test_the_beam_is_drawn_as_a_tree_of_the_width_that_was_chosen(page) -> None:
    ask(page, LETTER)
    page.click("document.querySelector('#tree summary')")
    count = "document.querySelectorAll('#stage .node').length"
    wide = page.until(count)
    assert wide > 5 * (len(words(page)) - 1)
    assert text_of(page, "branch").startswith(f"“{page.get(RESULT)}”: log P = −")
    page.drag([(1, 1)])  # the pointer chooses, too, where boxes come to lie under it
    page.get("document.getElementById('walk').focus()")
    page.press("Home")
    assert text_of(page, "branch") == "“”: log P = 0.00 nats, the start"
    page.press("ArrowRight")
    assert page.get("document.querySelectorAll('#stage .node.chosen').length") == 2
    for _ in range(4):
        page.get("document.getElementById('beam').focus()")
        page.press("ArrowLeft")
        wait(page)
    assert text_of(page, "search-title") and "greedy search" in page.get(
        "document.querySelector('output[for=beam]').textContent"
    )
    assert page.get(count) == len(page.get("now.result.numbers")) + 1 < wide


FRIDAY, RICE = "민수는 시장에 갔다.", "지민은 밥을 먹었다."


def test_of_several_sentences_none_is_lost_and_each_word_can_be_changed(page, translator) -> None:
    both = f"{FRIDAY}\u00a0 {RICE}"  # the model would lose one, and so translates one by one
    expected = translator.translate(both)
    assert expected.src_tokens.count("<eos>") == 2
    assert ask(page, both) == expected.text
    assert words(page, "source").count("end") == words(page).count("end") == 2
    written = words(page)
    at = written.index("end") + 1  # the first word of the second sentence
    point(page, word(written.index("rice")))
    assert text_of(page, "says").startswith("“rice” looked at “밥")
    page.click(word(at))
    page.get("document.getElementById('word').value = 'he'")
    page.click("document.querySelector('#typed button')")
    first = translator.translate(FRIDAY).text
    assert wait(page).startswith(f"{first} He ")
    assert text_of(page, "kept").startswith(f"You settled the first {at + 1} tokens.")
    page.click("document.querySelector('#tree summary')")
    page.until("document.querySelectorAll('#stage .node').length")
    assert text_of(page, "which").startswith("Sentence 2 of 2")
    assert text_of(page, "branch").startswith("“He ")
    page.click("document.querySelector('#tree summary')")


def test_what_the_model_cannot_know_is_reported_for_its_sentence(page) -> None:
    ask(page, f"{FRIDAY} The dog sleeps. {FRIDAY}")
    assert text_of(page, "notes") == "Sentence 2: most of its letters are unknown to this model."
    ask(page, STRANGE)
    assert text_of(page, "unknown").startswith("This model never learned the word “우주선에서”.")
    ask(page, "<img src=x onerror=document.title='broken'>")
    assert page.get("document.querySelectorAll('img').length") == 0
    ask(page, "Hund")
    assert text_of(page, "notes") == "Most of its letters are unknown to this model."
    page.get("DATA.models[0].about.guesses = translatorOf(0).about.guesses = -0.0001")
    ask(page, LETTER)
    message = "This is probably a guess: it learned sentences of a small grammar."
    assert text_of(page, "notes") == message
    page.get("translatorOf(0).about.guesses = null")
    ask(page, FRIDAY)
    assert text_of(page, "notes") == ""


def test_a_long_text_leaves_the_page_alive_and_is_overtaken_by_the_next(page, translator) -> None:
    long = "나무 " * 2000
    page.get(f"(document.getElementById('beam').value = 10, ask({json.dumps(long)}))")
    # It is still at work, and answers.
    assert text_of(page, "score") == "Translating …" and page.get(RESULT) == ""
    page.get("document.getElementById('beam').value = 5")
    assert ask(page, LETTER) == translator.translate(LETTER).text
    time.sleep(0.3)
    assert page.get(RESULT) == translator.translate(LETTER).text
    page.get("document.getElementById('beam').value = 1")
    page.get(f"(ask({json.dumps(long)}), null)")
    wait(page)
    message = "Only its first 250 tokens are translated: it is too long."
    assert text_of(page, "notes") == message and len(words(page, "source")) == 251
    ask(page, f"{FRIDAY} " * 101)
    assert text_of(page, "notes") == "Only the first 100 sentences are translated."


def test_a_phone_does_not_scroll_sideways(running) -> None:
    window, html, folder = running
    window.resize(360)
    window.open(html, folder)
    wait(window)
    ask(window, LONG)
    window.click(word(0))
    for name in ("tree", "weights"):
        window.get(f"document.getElementById({name!r}).open = true")
    wide = window.get("document.documentElement.scrollWidth")
    window.resize(820)
    assert wide <= 360  # without a bar to scroll by


def test_every_control_has_a_name_and_the_result_is_announced(page) -> None:
    mute = page.get(
        "[...document.querySelectorAll('input, button')].filter(one => one.type !== 'hidden' && "
        "!(one.labels && one.labels.length) && !one.textContent.trim()).map(one => one.outerHTML)"
    )
    assert mute == []
    assert page.get("document.getElementById('result').getAttribute('role')") == "status"
    assert page.get("document.getElementById('says').getAttribute('aria-live')") == "polite"
    assert page.get("document.getElementById('text').lang") == "ko"


def test_the_file_is_opened_by_a_sentence_in_its_address(running, translator) -> None:
    window, html, folder = running
    window.open(html, folder)
    window.get(f"(location.hash = encodeURIComponent({json.dumps(LETTER)}), location.reload())")
    window.until(f"document.getElementById('text').value === {json.dumps(LETTER)}")
    assert wait(window) == translator.translate(LETTER).text
