"""The README and the front page of the web edition: what they say and show and where they lead."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from programs import ROOT

from attnbook.contents import CHAPTERS
from attnbook.exercises.engine import names_by_chapter
from attnbook.minutes import MINUTES
from docs import build, front, pages, translators
from docs.figures import learning, looking
from docs.links import SiteError

ADDRESS = "https://github.com/a/b"
README = (ROOT / "README.md").read_text(encoding="utf-8")
SVG = "http://www.w3.org/2000/svg"


# The README -----------------------------------------------------------------------------------


def test_the_readme_lists_the_notebooks_by_their_titles() -> None:
    listed = re.findall(r"\[([^\]]*)\]\(chapters/(\w+)\.ipynb\)", README)
    chapters = [(c.title, c.notebook) for c in CHAPTERS.values()]
    assert listed.pop(0) == ("Start reading: chapter 00", chapters[0][1])
    assert listed[: len(chapters)] == chapters
    assert [name[0] for _, name in listed[len(chapters) :]] == list("ACDE")


def test_the_readme_counts_chapters_hours_and_exercises() -> None:
    names = names_by_chapter().values()
    solving = sum(sum(chapter.values()) for chapter in names) / 60
    words = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"]
    count = f"{sum(map(len, names))} exercises, judged where you write them"
    assert count in README, f"README.md must say: {count}"
    assert (
        f"{len(CHAPTERS)} sittings of {min(MINUTES.values())} to {max(MINUTES.values())}" in README
    )
    assert f"about {words[round(sum(MINUTES.values()) / 60) - 10]} hours" in README
    hours = f"and {words[round(solving) - 10]} more if you do all exercises"
    assert hours in README, f"README.md must say: {hours}"


def test_the_readme_states_the_bleu_that_the_records_have() -> None:
    def of(name: str, key: str, value: str, runs: int, model: str = "general") -> float:
        """The mean of all runs of a preset in a record, with a beam of 5."""
        scores = [
            run["bleu"]["test beam 5"]
            for run in recorded(name)
            if run[key] == value and run.get("model", "general") == model
        ]
        assert len(scores) == runs, (name, value)
        return round(sum(scores) / len(scores), 1)

    def recorded(name: str) -> list[dict]:
        return json.loads((ROOT / f"data/runs/{name}.json").read_text(encoding="utf-8"))["runs"]

    row = r"^\| [^|\n]+ \|[^|\n]*\| (\d\d\.\d.*) \|$"
    rows = re.findall(row, README, re.MULTILINE)
    best = max(recorded("05_word_by_word"), key=lambda run: run["bleu"]["valid"])
    assert rows == [
        f"{best['bleu']['test']:.1f}",
        f"{of('10_models', 'preset', 'quick', 3, 'none')}, mean of three runs",
        f"{of('10_quick', 'preset', 'quick-1200', 1)}, one run",
        f"{of('10_multi30k', 'preset', 'full', 3)}, mean of three runs",
    ]


def test_the_readme_is_short_enough_to_be_read_at_the_door() -> None:
    assert len(README.split()) < 600


# The front ------------------------------------------------------------------------------------


def test_front_and_run_say_once_what_the_readmes_say() -> None:
    one, other = front.front([], ADDRESS), front.run(ADDRESS)
    for page, paths in ((one, ["README.md"]), (other, ["docs/INSTALL.md", "attnlib/README.md"])):
        texts = [(ROOT / path).read_text(encoding="utf-8") for path in paths]
        lines = "".join(texts).splitlines()
        long = [line for line in lines if len(line) > 60 and "](" not in line]
        assert len(long) >= 8
        for line in long:
            assert page.count(line) == 1, line
        for heading in re.findall(r"^#+ (.*)", "".join(texts), re.MULTILINE):
            assert re.search(f"^#+ {re.escape(heading)}$", page, re.MULTILINE), heading
    assert "[Attention in seq2seq](05_attention.html) <span" in one, "its minutes"
    assert "(run.html)" in one and "(run.html#" not in other
    assert f"[PDF, pages and notebooks]({ADDRESS}/releases/latest)" in other
    assert "releases" not in front.run("") + front.run("https://other.example/a/b")
    listed = one + front.solutions()
    assert [path.stem for path in build.notebooks() if f"<{path.stem}>" not in listed] == []


def test_whoever_builds_the_pages_of_a_known_repository_reads_its_address_there(
    monkeypatch,
) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    for text in (front.front([], ""), front.run("")):
        assert "git clone" not in text and "\nmake lab " in text
    for text in (front.front([], ADDRESS), front.run(ADDRESS)):
        assert text.count(f"\ngit clone {ADDRESS} attention\ncd attention\nmake lab ") == 1


def test_the_front_is_a_promise_a_button_a_picture_a_translator_and_the_chapters() -> None:
    shown = front.Shown(Path("data/de-en-small"), "translator.html")
    page = front.front([shown], "")
    parts = ["# Attention", "captions of photographs", 'class="start" href="00_start.html"']
    parts += ['<svg xmlns="http://www.w3.org/2000/svg" id="looking"', "<details", "<iframe"]
    parts += [
        "## The chapters",
        "(00_start.html)",
        "(11b_translation.html)",
        "make lab",
        "sacreBLEU",
    ]
    places = [page.index(part) for part in parts]
    assert places == sorted(places)
    assert page.count("![") == 1, "the first picture stands in the page itself"
    assert "**[Start" not in page and "prefers-color-scheme" not in page
    assert 'html[data-theme="dark"] #looking .line{' in page
    assert 'href="#try"' not in front.front([], "") and "<iframe" not in front.front([], "")


START = "**[Start reading](chapters/00_start.ipynb)**"


@pytest.mark.parametrize("text", ["A promise.", START, "A promise.\n\n![x](y)\n"])
def test_a_readme_without_a_start_or_a_picture_stops_the_build(text, monkeypatch, tmp_path) -> None:
    (tmp_path / "README.md").write_text(f"# T\n\n{text}\n", encoding="utf-8")
    monkeypatch.setattr(front, "ROOT", tmp_path)
    monkeypatch.setattr(front, "relinked", lambda text, *_: text)
    with pytest.raises(SiteError, match="README.md: no picture below its promise and start"):
        front.front([], "")


@pytest.mark.parametrize("program", [learning, looking])
def test_a_picture_of_the_readme_is_what_its_program_draws_and_loads_nothing(program) -> None:
    drawn = program.draw()
    assert Path(program.__file__).with_suffix(".svg").read_text(encoding="utf-8") == drawn
    assert "<script" not in drawn and re.findall(r"https?://[^\"')]+", drawn) == [SVG]
    assert ElementTree.fromstring(drawn).tag == f"{{{SVG}}}svg"


def test_the_card_of_a_shared_link_is_the_animated_picture_at_its_end() -> None:
    card = learning.card(learning.draw())
    assert (ROOT / "docs" / "figures" / "card.png").read_bytes() == card


def test_the_first_picture_shows_what_the_translator_puts_out_today() -> None:
    recorded = json.loads(looking.RECORD.read_text(encoding="utf-8"))
    now = looking.translate()
    assert all(now[key] == recorded[key] for key in ("read", "written", "text"))
    for row, other in zip(now["weights"], recorded["weights"], strict=True):
        assert row == pytest.approx(other, abs=0.02)


# Translators -------------------------------------------------------------------------------------


def test_front_and_chapters_lead_to_the_translators_that_have_a_page(tmp_path: Path) -> None:
    for name in ("de-en", "ko-en-attention", "ko-en-without", "fr-en"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "translator.json").touch()
    for name in ("de-en", "ko-en-attention"):
        (tmp_path / name / "examples.tsv").touch()
    german, korean = shown = translators.shown(tmp_path)
    assert (german.page, german.languages) == ("translator.html", "German to English")
    page = "translator-ko-en-attention.html"
    assert (korean.page, korean.languages) == (page, "Korean to English")
    shows = front.front(shown, "")
    assert 'href="translator.html">German to English' in shows
    assert '<iframe class="translator" data-src="translator.html"' in shows
    assert f'href="{page}">Korean to English' in shows
    leads = {}
    for path in build.notebooks():
        origin = path.relative_to(ROOT).as_posix()
        title = nbformat.v4.new_markdown_cell("# T")
        one = nbformat.v4.new_notebook(cells=[title])
        source = "".join(cell.source for cell in pages.page(one, origin, "", shown).cells)
        if found := re.findall(r'href="(translator[^"]*)"', source):
            leads[path.stem] = found
    korean_ones = "05_attention 05b_two_decoders 05c_explanation 08_beam_search 08b_decoding"
    german_ones = dict.fromkeys(("10_translator", "10b_inside"), ["translator.html"])
    assert leads == dict.fromkeys(korean_ones.split(), [page]) | german_ones


def test_a_translator_that_comes_along_becomes_its_page(tmp_path: Path) -> None:
    all_shown = translators.shown()
    assert [one.folder.name for one in all_shown if one.source == "de"] == ["de-en"]
    small = min(all_shown, key=lambda one: (one.folder / "model.safetensors").stat().st_size)
    translators.write(tmp_path, [small])
    written = (tmp_path / small.page).read_text(encoding="utf-8")
    assert "<html" in written[:500] and len(written) > 1_000_000
    assert not re.search(r"<(script|link)[^>]+(src|href)=.https?:", written)
