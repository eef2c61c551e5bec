"""Recall: questions that a chapter answers, chosen so that what was missed comes back."""

import re
from collections import Counter
from pathlib import Path

import pytest
from programs import ROOT, chapter_source

from attnbook import contents, progress_file, recall
from attnbook.reader import questions
from attnbook.reader.questions import LETTERS, QUESTION_COUNT, choose, parse

BANK = questions.questions()
CHAPTERS = [number for number in contents.CHAPTERS if number.isdigit()][1:]  # of two files: one


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(progress_file.PROGRESS_VARIABLE, str(tmp_path / "progress.json"))
    monkeypatch.setattr(questions, "_session_questions", {})
    return tmp_path / "progress.json"


def right(names: list[str]) -> str:
    return "".join(BANK[name].right for name in names)


def wrong(names: list[str]) -> str:
    return "".join(next(a for a in LETTERS if a != BANK[name].right) for name in names)


# The questions -----------------------------------------------------------------------------------


def test_every_chapter_that_another_follows_has_questions_that_it_answers() -> None:
    count = Counter(question.chapter[:2] for question in BANK.values())
    assert set(count) == {"00", *CHAPTERS, contents.NOTATION.number} - {CHAPTERS[-1]}
    assert min(count.values()) >= QUESTION_COUNT
    assert len(BANK) == sum(count.values()) >= 60
    for question in BANK.values():
        notebook = contents.CHAPTERS.get(question.chapter, contents.NOTATION).notebook
        assert question.cell in {cell.id for cell in chapter_source(notebook).cells}
        assert question.link == f"{notebook}.ipynb#cell-id={question.cell}"
        assert len(set(question.choices)) == len(question.choices)
        for letter, remark in zip(LETTERS, question.remarks):
            assert letter == question.right or len(remark) > 10, (question.name, letter)


GOOD = """\
# Title

## 03 · Seq2seq

### cell \n\
A question
of two lines?
- [ ] one
  Because
  not.
- [x] two - or [ ] so
## 04 · Keys
### other-cell
Another?
- [x] a
- [ ] b
  No.
"""


@pytest.mark.parametrize(
    "damage",
    [
        ("[x] two", "[ ] two"),
        ("[ ] one", "[x] one"),
        ("A question\nof two lines?\n", ""),
        ("- [ ] one\n  Because\n  not.\n", ""),
        ("- [ ] one\n", "- [ ] one\n" * 4),
    ],
)
def test_a_question_with_a_fault_is_refused(damage: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="the question 03.cell must have"):
        parse(GOOD.replace(*damage))
    with pytest.raises(ValueError, match="the question 03.cell occurs twice"):
        parse(GOOD + GOOD)


# The choice --------------------------------------------------------------------------------------


def test_a_reader_who_answers_nothing_is_asked_something_new_in_every_chapter() -> None:
    for chapter in CHAPTERS:
        names = choose(chapter, {})
        assert len(set(names)) == QUESTION_COUNT
        assert all(BANK[name].number < int(chapter) for name in names)
    chosen = [name for chapter in CHAPTERS[4:] for name in choose(chapter, {})]
    assert len(set(chosen)) == len(chosen)
    for chapter in CHAPTERS[4:]:  # the first of the chapter before, the second of the one before...
        for place, name in enumerate(choose(chapter, {})):
            about = f"{int(chapter) - 1 - place:02}"
            assert name == [n for n in BANK if BANK[n].chapter[:2] == about][place]


def test_what_was_missed_comes_back_and_what_was_known_does_not() -> None:
    first = choose("05", {})
    answers = {name: number % 2 == 0 for number, name in enumerate(first)}
    assert choose("06", {"05": answers})[:2] == [first[1], first[3]]
    assert not {first[0], first[2], first[4]} & set(choose("06", {"05": answers}))
    missed = first[0]
    assert missed not in choose("07", {"05": {missed: False}, "06": {missed: True}})
    assert missed in choose("07", {"05": {missed: True}, "06": {missed: False}})
    assert choose("06", {"05": dict.fromkeys(first)}) == choose("06", {}), "left out"


def test_when_all_is_known_the_least_often_known_comes_first() -> None:
    everything = dict.fromkeys(BANK, True)
    rare = list(BANK)[7]
    twice = {"01": everything, "02": everything}
    assert choose("03", {**twice, "04": {**everything, rare: None}})[0] == rare


# The answers -------------------------------------------------------------------------------------


def test_left_blank_the_questions_are_shown_and_nothing_is_kept(file: Path) -> None:
    shown = repr(recall("05"))
    for number, name in enumerate(choose("05", {}), 1):
        question = BANK[name]
        assert f"{number}. {question.text}" in shown
        assert f"   A  {question.choices[0]}\n" in shown
        assert question.link in shown
    assert shown.splitlines()[0] == (
        'Answer in the cell above, recall("05", "....."): a letter for each question, a dot for '
        "one that you leave out."
    )
    assert "✓" not in shown and "✗" not in shown
    assert not file.exists()
    assert repr(recall("05", " . . ")) == shown


def test_answers_are_judged_with_the_diagnosis_of_what_was_chosen() -> None:
    names = choose("05", {})
    letters = right(names[:2]) + wrong(names[2:4])
    shown = repr(recall("05", f"{letters[0].lower()} {letters[1:]}"))
    assert shown.count("   ✓") == shown.count("   ✗") == 2
    question = BANK[names[2]]
    assert f"✗ {letters[2]}: {question.remarks[LETTERS.index(letters[2])]}" in shown
    assert shown.splitlines()[0] == "2 of 4 are right."


def test_the_first_answer_to_each_question_counts_and_the_questions_stay() -> None:
    names = choose("05", {})
    recall("05", wrong(names[:1]))
    assert progress_file.read_progress()["recall"]["05"] == {
        names[0]: False,
        **dict.fromkeys(names[1:]),
    }
    progress_file.save_progress("recall", "04", dict.fromkeys(choose("04", {}), False))
    shown = repr(recall("05", right(names)))
    assert shown.splitlines()[0] == "5 of 5 are right."
    assert progress_file.read_progress()["recall"]["05"] == {
        names[0]: False,
        **dict.fromkeys(names[1:], True),
    }
    recall("05", wrong(names))
    assert progress_file.read_progress()["recall"]["05"] == {
        names[0]: False,
        **dict.fromkeys(names[1:], True),
    }


def test_questions_that_were_shown_stay_though_others_were_missed_meanwhile() -> None:
    shown = repr(recall("06"))
    missed = choose("05", {})
    recall("05", wrong(missed))
    assert repr(recall("06")) == shown
    questions._session_questions.clear()  # a new kernel
    assert repr(recall("06")) != shown


@pytest.mark.parametrize("answers", ["aaaaaa", "a-a", "x", "1", "аb"])  # the last is Cyrillic
def test_answers_that_cannot_be_read_are_reported_first_and_not_kept(
    answers: str, file: Path
) -> None:
    shown = recall("05", answers)
    first = repr(shown).splitlines()[0]
    assert first.startswith(f"{answers!r} is not noted: ")
    assert first.endswith(repr(recall("05")).splitlines()[0]), "the instruction is the same"
    assert shown._repr_html_().startswith(f"<p>{questions.as_html(first)}</p><ol>")
    assert not file.exists()
    assert "there are 5 questions." in repr(recall("05", "aaaaaa"))
    number = next(n for n, name in enumerate(choose("06", {}), 1) if len(BANK[name].choices) == 3)
    first = repr(recall("06", "." * (number - 1) + "d")).splitlines()[0]
    assert f"question {number} has the choices A, B, C, but no 'D'." in first


def test_questions_of_another_version_are_asked_anew(file: Path) -> None:
    progress_file.save_progress("recall", "05", {"04.no-longer-there": True})
    assert repr(recall("05")).count("?") >= QUESTION_COUNT
    assert "no-longer-there" not in repr(recall("05"))


@pytest.mark.parametrize("chapter", ["00", "5", "05b", "12", "A"])
def test_a_chapter_before_which_nothing_stands_is_refused(chapter: str) -> None:
    with pytest.raises(ValueError, match="chapter must be one of 01, 02"):
        recall(chapter)


def test_a_chapter_that_a_class_was_not_given_is_named_and_not_linked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "04_keys_and_values.ipynb").touch()
    names = choose("05", {})
    html = recall("05", right(names))._repr_html_()
    places = {BANK[name].place.number for name in names}
    assert html.count("<a href='04_keys_and_values.ipynb#cell-id=") == html.count("<a ") == 1
    assert {"04", "03"} <= places and "see 03 · Seq2seq</div>" in html


def test_a_notebook_shows_lists_and_links_and_no_tag_of_the_texts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT / "chapters")
    names = choose("05", {})
    html = recall("05", right(names))._repr_html_()
    for name in names:
        listed = zip("ABCD", map(questions.as_html, BANK[name].choices))
        assert "".join(f"<div><b>{letter}</b> {choice}</div>" for letter, choice in listed) in html
    assert html.count("<a href='") == QUESTION_COUNT
    for tag in set(re.findall(r"</?(\w+)", html)):
        assert tag in {"ol", "li", "p", "a", "b", "div", "code", "em"}
        assert html.count(f"<{tag}") == html.count(f"</{tag}>")
    assert questions.as_html("`<sos>` is *a* token, 2 * 3") == (
        "<code>&lt;sos&gt;</code> is <em>a</em> token, 2 * 3"
    )
