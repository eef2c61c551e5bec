"""For who teaches: courses of some weeks in minutes, and the mistakes that exercises know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from attnlib.names import check_name

from ...contents import CHAPTERS
from ...exercises import engine

#: Minutes to read each sitting of a chapter, as its first cell states them.
READING = {
    "00": (20,),
    "01": (40, 40),
    "02": (43, 45),
    "03": (45, 45),
    "04": (35, 35),
    "05": (35, 40),
    "06": (40, 40),
    "07": (40, 45),
    "08": (45, 55),
    "09": (40, 45),
    "10": (35, 35),
    "11": (48, 38),
}


FIRST, SECOND = "first sitting", "second sitting"


class Part(NamedTuple):
    """What a week takes of a chapter: a sitting or both, some exercises or all (None)."""

    chapter: str
    sitting: str = ""
    exercises: str | None = None

    @property
    def minutes(self) -> tuple[int, int]:
        """To read, and for the exercises."""
        known = engine.names_by_chapter()[self.chapter]
        read = READING[self.chapter]
        chosen = {FIRST: read[:1], SECOND: read[1:]}.get(self.sitting, read)
        return sum(chosen), sum(known[name] for name in self.names)

    @property
    def names(self) -> list[str]:
        if self.exercises is None:
            return list(engine.names_by_chapter()[self.chapter])
        return self.exercises.split()


#: Weeks → the parts of each week. The short course goes the straight way to attention.
COURSES: Mapping[int, Sequence[Sequence[Part]]] = {
    6: (
        (Part("00"), Part("01", FIRST, "rnn_step unroll draw_word")),
        (Part("03", FIRST, "lengths_to_mask pad make_batch bridge last_real"),),
        (Part("04", "", "soft_lookup temperature_for lookup_gradient attend"),),
        (
            Part("05", FIRST, "weighted_sum safe_softmax attentional_vector error_rate"),
            Part("06", FIRST, "dot_score general_matrix concat_score"),
        ),
        (
            Part("08", FIRST, "greedy_trap greedy_tokens length_penalty"),
            Part("09", FIRST, "ngram_counts overlap brevity_penalty corpus_bleu"),
        ),
        (Part("10", FIRST, "bpe_merge luong_step perplexity"),),
    ),
    12: (
        (Part("00"), Part("01", FIRST, "rnn_step unroll next_word_pairs draw_word")),
        (Part("01", SECOND, "bptt with_spectral_radius gradient_reach clip_by_norm"),),
        *((Part(f"{number:02}"),) for number in range(2, 12)),
    ),
}


class Course:
    """A course as a table: in notebooks HTML, text elsewhere."""

    heads = ("week", "chapters", "exercises", "to read", "to solve")

    def __init__(self, weeks: Sequence[Sequence[Part]]) -> None:
        self.weeks = weeks

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Week, chapters, exercises, minutes to read and minutes for the exercises."""
        found = []
        for week, parts in enumerate(self.weeks, 1):
            read, solve = (sum(minutes) for minutes in zip(*(part.minutes for part in parts)))
            names = ", ".join(name for part in parts for name in part.names)
            chapters = ", ".join(map(_named, parts))
            found.append((str(week), chapters, names, f"{read} min", f"{solve} min"))
        return found

    def __repr__(self) -> str:
        lines = [
            f"week {week}: {chapters}; {read} to read, {solve} for {names}"
            for week, chapters, names, read, solve in self.rows()
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return _table(self.heads, self.rows())


def _named(part: Part) -> str:
    half = f" ({part.sitting})" if part.sitting else ""
    return f"{part.chapter} {CHAPTERS[part.chapter].title}{half}"


def course(weeks: int) -> Course:
    """A course of 6 or of 12 weeks."""
    if weeks not in COURSES:
        raise ValueError(f"weeks must be one of {', '.join(map(str, COURSES))}, got {weeks!r}")
    return Course(COURSES[weeks])


class Misconceptions:
    """What the wrong answers to a chapter's exercises are told, the most expected ones first."""

    def __init__(self, chapter: str, most: int = 3) -> None:
        check_name("chapter", chapter, list(CHAPTERS))
        self.told = {
            name: list(dict.fromkeys(told for told, _ in known.mistakes))[:most]
            for name, known in engine.all_exercises()[chapter].items()
        }

    def __repr__(self) -> str:
        lines = [
            f"{name}\n" + "\n".join(f"  - {text}" for text in told)
            for name, told in self.told.items()
            if told
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [
            f"<dt><code>{escape(name)}</code></dt>"
            + "".join(f"<dd>{escape(text)}</dd>" for text in told)
            for name, told in self.told.items()
            if told
        ]
        return f"<dl>{''.join(parts)}</dl>"


def misconceptions(chapter: str, most: int = 3) -> Misconceptions:
    """What a chapter's checks tell of mistakes: for each exercise its first sentences."""
    return Misconceptions(chapter, most)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    style = "text-align:left;vertical-align:top"
    head = "".join(f"<th scope='col' style='{style}'>{text}</th>" for text in heads)
    body = "".join(
        "<tr>" + "".join(f"<td style='{style}'>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
