"""The page for teachers: minutes that are the chapters' own."""

import re

import pytest
from programs import chapter_source

from attnbook.contents import CHAPTERS
from attnbook.exercises.engine import names_by_chapter
from attnbook.grading import course
from attnbook.grading.classroom.plan import COURSES
from attnbook.minutes import MINUTES


@pytest.mark.parametrize("number", CHAPTERS)
def test_the_minutes_to_read_are_those_that_a_chapter_states(number: str) -> None:
    title = chapter_source(CHAPTERS[number].notebook).cells[0].source
    stated = re.findall(r"(\d+) minutes to read", " ".join(title.split()))
    assert sum(map(int, stated)) == MINUTES[number] > 0


@pytest.mark.parametrize("number", CHAPTERS)
def test_the_minutes_to_solve_are_the_sum_of_those_of_the_exercises(number: str) -> None:
    title = chapter_source(CHAPTERS[number].notebook).cells[0].source
    stated = re.findall(r"minutes to read, (?:and )?(\d+) for", " ".join(title.split()))
    assert stated == [str(sum(names_by_chapter()[number].values()))], "mend Time in the first cell"


@pytest.mark.parametrize("weeks", COURSES)
def test_a_course_has_its_weeks_and_each_notebook_once(weeks: int) -> None:
    rows = course(weeks).rows()
    assert [row[0] for row in rows] == [str(n) for n in range(1, weeks + 1)]
    numbers = [number for week in COURSES[weeks] for number in week.split()]
    assert len(numbers) == len(set(numbers)) and set(numbers) <= set(CHAPTERS)


def test_the_long_course_is_the_whole_book() -> None:
    rows = course(12).rows()
    named = {name for row in rows for name in row[2].split(", ")}
    assert named == {name for names in names_by_chapter().values() for name in names}
    read = sum(int(row[3].removesuffix(" min")) for row in rows)
    assert read == sum(MINUTES.values())


def test_the_short_course_is_the_main_line_and_ends_with_the_transformer() -> None:
    main = [number for number in CHAPTERS if number.isdigit()]
    assert " ".join(COURSES[6]).split() == main and main[-1] == "11"


def test_minutes_are_sums() -> None:
    """Week 1 of six: 15 + 35 to read, and the exercises of 00 and 01 to solve."""
    solving = sum(sum(names_by_chapter()[number].values()) for number in ("00", "01"))
    assert course(6).rows()[0][3:] == ("50 min", f"{solving} min")
    assert "<td style='text-align:left;vertical-align:top'>50 min</td>" in course(6)._repr_html_()


@pytest.mark.parametrize("weeks", COURSES)
def test_the_last_row_has_the_hours_of_all_weeks(weeks: int) -> None:
    columns = list(zip(*(row[3:] for row in course(weeks).rows())))
    sums = [sum(int(text.split()[0]) for text in column) for column in columns]
    hours = [f"{minutes / 60:.0f} hours" for minutes in sums]
    assert list(course(weeks).total()[3:]) == hours
    assert all(text in str(course(weeks)).splitlines()[-1] for text in hours)


def test_another_number_of_weeks_is_refused() -> None:
    with pytest.raises(ValueError, match="weeks must be one of 6, 12, got 8"):
        course(8)


def test_the_page_asks_about_every_chapter_and_shows_both_courses() -> None:
    cells = {cell.id: cell.source for cell in chapter_source("E_teaching").cells}
    numbers = re.findall(r"(?m)^\*\*(\d\d)\.\*\*", cells["questions"])
    assert numbers == [number for number in CHAPTERS if number.isdigit()]
    assert cells["six"].endswith("\ncourse(6)") and cells["twelve"].endswith("\ncourse(12)")
