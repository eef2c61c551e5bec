"""Recall: at the end of a chapter five short questions on earlier ones.

``assets/questions.md`` holds them, by the chapter that answers them. Which five are asked depends
on earlier answers (``progress_file.read_progress()["recall"]``): what was missed comes back first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from attnlib.checks import check_name

from ..contents import CHAPTERS, NOTATION, Chapter
from ..progress_file import read_progress, save_progress

QUESTION_COUNT = 5
FILE = Path(__file__).with_name("assets") / "questions.md"
LETTERS = "ABCD"
SKIPPED = "."

# Asked in this session, by chapter, so that an answer finds its question.
_session_questions: dict[str, list[str]] = {}


@dataclass(frozen=True)
class Question:
    """A question with its choices, of which one is right, and what speaks against the others."""

    chapter: str
    cell: str  # the cell with the answer
    text: str
    choices: tuple[str, ...]
    remarks: tuple[str, ...]  # one a choice: the diagnosis, or what there is to add
    right: str  # its letter

    @property
    def name(self) -> str:
        return f"{self.chapter}.{self.cell}"

    @property
    def number(self) -> int:
        """The chapter as a number: the notation is there from the beginning."""
        return int(self.chapter[:2]) if self.chapter in CHAPTERS else 0

    @property
    def place(self) -> Chapter:
        return CHAPTERS.get(self.chapter, NOTATION)

    @property
    def link(self) -> str:
        return self.place.link(self.cell)

    def verdict(self, letter: str) -> str:
        """What is said to an answer, before the link; nothing to none."""
        if letter == SKIPPED:
            return ""
        mark = "✓" if letter == self.right else "✗"
        remark = self.remarks[LETTERS.index(letter)]
        return f"{mark} {letter}: {remark} " if remark else f"{mark} {letter} "


def parse(text: str) -> list[Question]:
    """The questions of a file. Raises ValueError, with the line, for one that is not well-formed.

    ## 05 · Attention in seq2seq
    ### norm-read
    A word has 90% of the weight. How much of the context does it make?
    - [ ] 90% of it
      A weight says how much of a value is taken, and the value may be small.
    - [x] that depends on the values, too
    """
    parsed: list[Question] = []
    for section in re.split(r"(?m)^## ", text)[1:]:
        chapter = section.split()[0]
        for part in re.split(r"(?m)^### ", section)[1:]:
            parsed.append(_question(chapter, part))
    for name, count in Counter(question.name for question in parsed).items():
        if count > 1:
            raise ValueError(f"the question {name} occurs twice")
    return parsed


def _question(chapter: str, part: str) -> Question:
    question, *choices = re.split(r"(?m)^- (?=\[[ x]\] )", part)
    head, _, text = question.partition("\n")
    cell = head.strip()
    heads = [choice.partition("\n") for choice in choices]
    right = [letter for letter, (head, _, _) in zip(LETTERS, heads) if head.startswith("[x]")]
    if not 2 <= len(heads) <= len(LETTERS) or len(right) != 1 or not text.strip():
        raise ValueError(
            f"the question {chapter}.{cell} must have a text and from 2 to {len(LETTERS)} choices, "
            "of which one is marked [x]"
        )
    return Question(
        chapter,
        cell,
        _join(text),
        tuple(head[4:].strip() for head, _, _ in heads),
        tuple(_join(remark) for _, _, remark in heads),
        right[0],
    )


def _join(text: str) -> str:
    return " ".join(text.split())


@cache
def questions() -> dict[str, Question]:
    """All questions of the book, by name, in the order of the file."""
    return {question.name: question for question in parse(FILE.read_text(encoding="utf-8"))}


def choose(chapter: str, recall: Mapping[str, Mapping[str, bool | None]]) -> list[str]:
    """The names of the questions that a chapter asks: five, on the chapters before it.

    First what was missed when it was asked last; then what was never answered; then what was known,
    the least often known first. Among equals a chapter's first question comes in the next chapter,
    its second one in the chapter after that, and so on: one question each of the last five.
    """
    answers: dict[str, list[bool]] = {}
    for row in recall.values():
        for name, right in row.items():
            answers.setdefault(name, []).extend([] if right is None else [right])
    sizes = Counter(question.chapter[:2] for question in questions().values())
    seen: Counter[str] = Counter()
    ranks = {}
    for name, question in questions().items():
        back = int(chapter) - question.number
        turn = (seen[question.chapter[:2]] - back + 1) % sizes[question.chapter[:2]]
        seen[question.chapter[:2]] += 1
        known = answers.get(name, [])
        missed = bool(known) and not known[-1]
        if back > 0:
            ranks[name] = (-1 if missed else len(known), turn, back)
    return sorted(ranks, key=lambda name: ranks[name])[:QUESTION_COUNT]


def first_questions(chapter: str) -> list[Question]:
    """The questions that a chapter asks a reader who begins."""
    return [questions()[name] for name in choose(chapter, {})]


class Recall:
    """Questions, and what the reader answered so far: text, and HTML in a notebook."""

    def __init__(self, chapter: str, answers: Mapping[str, str], problem: str = "") -> None:
        self.chapter, self.problem = chapter, problem
        self.pairs = [(questions()[name], letter) for name, letter in answers.items()]

    @property
    def _head(self) -> str:
        """What is said first, where a reader looks: a problem, the score, or how to answer."""
        answered = [
            letter == question.right for question, letter in self.pairs if letter != SKIPPED
        ]
        if answered:
            return f"{sum(answered)} of {len(answered)} are right."
        how = (
            f'Answer in the cell above, recall("{self.chapter}", "{SKIPPED * len(self.pairs)}"): '
            "a letter for each question, a dot for one that you leave out."
        )
        return f"{self.problem} {how}" if self.problem else how

    def __repr__(self) -> str:
        lines = [self._head]
        for number, (question, letter) in enumerate(self.pairs, 1):
            lines.append(f"{number}. {question.text}")
            lines += [f"   {a}  {choice}" for a, choice in zip(LETTERS, question.choices)]
            lines.append(f"   {question.verdict(letter)}{question.link}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        items = []
        for question, letter in self.pairs:
            # Letters are written out: each place that shows lists numbers them in its own way.
            choices = "".join(
                f"<div><b>{a}</b> {as_html(choice)}</div>"
                for a, choice in zip(LETTERS, question.choices)
            )
            where = f"<a href='{question.link}'>where to read it</a>"
            if not (place := question.place).is_here:
                where = f"see {place.number} · {as_html(place.title)}"
            items.append(
                f"<li style='margin:.5em 0'>{as_html(question.text)}{choices}"
                f"<div role='status'>{as_html(question.verdict(letter))}{where}</div></li>"
            )
        return f"<p>{as_html(self._head)}</p><ol>{''.join(items)}</ol>"


def as_html(text: str) -> str:
    """A text with `code` and *emphasis* as HTML."""
    text = re.sub(r"`(.+?)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*(\S.*?)\*", r"<em>\1</em>", text)


def recall(chapter: str, answers: str = "") -> Recall:
    """Five questions on the chapters before this one, and what there is to say to the answers.

    Args:
        chapter: its number, "05".
        answers: a letter for each question in order, "BACDA"; a dot leaves a question out, as does
            the end. Blanks and capitals do not matter.

    Returns:
        What a notebook shows. The first answer to a question is kept.

    Raises:
        ValueError: there is no such chapter, or none before it.
    """
    check_name("chapter", chapter, [number for number in CHAPTERS if number.isdigit()][1:])
    earlier = read_progress()["recall"]
    first_answers: dict[str, bool | None] = earlier.get(chapter, {})
    if not first_answers or not set(first_answers) <= set(questions()):  # saved by another version
        first_answers = dict.fromkeys(_session_questions.get(chapter) or choose(chapter, earlier))
    _session_questions[chapter] = list(first_answers)
    letters = "".join(answers.split()).upper()
    if problem := _problem(letters, first_answers):
        return Recall(
            chapter, dict.fromkeys(first_answers, SKIPPED), f"{answers!r} is not noted: {problem}"
        )
    letters_by_name = dict(zip(first_answers, letters.ljust(len(first_answers), SKIPPED)))
    updated = {
        name: first_answers[name]
        if letter == SKIPPED or first_answers[name] is not None
        else letter == questions()[name].right
        for name, letter in letters_by_name.items()
    }
    if any(right is not None for right in updated.values()):
        save_progress("recall", chapter, updated)
    return Recall(chapter, letters_by_name)


def _problem(letters: str, names: Mapping[str, bool | None]) -> str:
    """Why answers cannot be read, as a sentence; nothing if they can."""
    if len(letters) > len(names):
        return f"there are {len(names)} questions."
    for number, (letter, name) in enumerate(zip(letters, names), 1):
        choices = LETTERS[: len(questions()[name].choices)]
        if letter not in (*choices, SKIPPED):
            return f"question {number} has the choices {', '.join(choices)}, but no {letter!r}."
    return ""
