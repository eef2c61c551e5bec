"""Chapters handed out: what a class gets, what nbgrader gets, and what it makes of them."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from attnbook import ExerciseError, exercise, must_pass
from attnbook.contents import CHAPTERS as CONTENTS
from attnbook.grading.classroom import nbgrader
from attnbook.grading.classroom.assign import for_class, select_notebooks
from attnbook.grading.classroom.plan import COURSES
from attnlib.translator.cli.parser import main

CHAPTERS = Path(__file__).parents[2] / "chapters"
HINTS = """\
### Exercise 1 · Shares
*Warm-up, 3 minutes.* Write it.

<details><summary>Hint 1</summary>What is
$a/b$?</details>
<details><summary>Solution idea</summary>Divide.</details>"""


def read(path: Path) -> NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def assigned(folder: Path, *arguments: str) -> dict[str, NotebookNode]:
    assert main(["assign", str(folder), *arguments]) == 0
    return {path.stem: read(path) for path in folder.rglob("*.ipynb")}


def test_chapters_are_handed_out_without_outputs_or_dead_links(tmp_path: Path, capsys) -> None:
    made = assigned(tmp_path / "week 1", "--no-hints", "0", "4", "05")
    assert set(made) == {"00_start", *select_notebooks(["4"]), "05_attention"}
    for name, notebook in made.items():
        book = read(CHAPTERS / f"{name}.ipynb")
        assert [cell.id for cell in notebook.cells] == [cell.id for cell in book.cells]
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert code and not any(cell.outputs or cell.execution_count for cell in code)
        blanks = [cell for cell in code if "exercise" in cell.metadata.get("tags", ())]
        assert all(cell.source.endswith("raise NotImplementedError") for cell in blanks)
        text = "".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        assert set(re.findall(r"\]\((\w+)\.ipynb", text)) <= set(made)
        assert "Hint 1" not in text
    assert "- 05_attention.ipynb: Attention" in (tmp_path / "week 1/README.md").read_text("utf-8")
    assert capsys.readouterr().out.splitlines() == [str(p) for p in sorted(tmp_path.glob("*/*"))]


def of_one_cell(source: str, cell_type: str = "markdown", **more: Any) -> dict[str, Any]:
    cell = {"cell_type": cell_type, "id": "a", "metadata": {}, "source": source, **more}
    return {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def test_hints_and_outputs_are_kept_or_left_out() -> None:
    bare = "### Exercise 1 · Shares\n*Warm-up, 3 minutes.* Write it."
    for hints, text in ((True, HINTS), (False, bare)):
        assert for_class(of_one_cell(HINTS), (), hints)["cells"][0]["source"] == text
    folded = "<details><summary>The figure in words</summary>\n\nA map.\n\n</details>"
    assert for_class(of_one_cell(folded), (), False)["cells"][0]["source"] == folded
    ran = of_one_cell("1", "code", outputs=[{"a": 1}], execution_count=7)
    assert for_class(ran, (), outputs=True) == ran
    assert for_class(ran, ())["cells"][0]["outputs"] == [] and ran["cells"][0]["outputs"]


def test_a_link_that_would_lead_nowhere_becomes_text() -> None:
    text = "See [chapter 4](04_a.ipynb#cell-id=x), [Luong](D_papers.ipynb) and [web](https://x)."
    cell = for_class(of_one_cell(text), ["04_a"])["cells"][0]
    assert cell["source"] == "See [chapter 4](04_a.ipynb#cell-id=x), Luong and [web](https://x)."


def test_a_number_is_one_file_and_without_its_zero_all_of_the_chapter() -> None:
    files = [chapter.notebook for number, chapter in CONTENTS.items() if number[:2] == "05"]
    assert files[:2] == ["05_attention", "05b_two_decoders"]
    assert select_notebooks(["5"]) == select_notebooks(["5b", "5"]) == files
    assert select_notebooks(["05_attention"]) == select_notebooks(["05"]) == files[:1]
    assert select_notebooks(["5b"]) == select_notebooks(["05b"]) == files[1:2]
    assert select_notebooks(["10"]) == ["10_translator"]
    assert select_notebooks([]) == [chapter.notebook for chapter in CONTENTS.values()]
    for week in itertools.chain(*COURSES.values()):  # as a teacher copies it from the table
        assert [name.partition("_")[0] for name in select_notebooks(week.split())] == week.split()
    for name in ("12", "five", "05_other", "005"):
        with pytest.raises(
            ValueError, match=f"no chapter '{name}' to hand out; there are 00 to 11"
        ):
            select_notebooks([name])


def test_nobodys_work_is_overwritten_and_nothing_is_half_written(tmp_path: Path, capsys) -> None:
    (tmp_path / "05_attention.ipynb").write_text("mine", encoding="utf-8")
    assert main(["assign", str(tmp_path), "4", "5"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("05_attention.ipynb exists and is left as it is; name a folder without it")
    assert [path.name for path in tmp_path.iterdir()] == ["05_attention.ipynb"]
    assert (tmp_path / "05_attention.ipynb").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("44", "there is no chapter '44' to hand out; there are 00 to 11"),
        ("--hints", "assign knows no --hints; python -m attnlib assign --help explains"),
    ],
)
def test_a_mistake_is_one_sentence(option: str, message: str, tmp_path: Path, capsys) -> None:
    assert main(["assign", str(tmp_path), option]) in (1, 2)
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


# nbgrader ------------------------------------------------------------------------------------


def test_must_pass_raises_until_the_answer_is_right() -> None:
    def shares(amounts: Any) -> Any:
        return amounts / amounts.max()

    with pytest.raises(ValueError, match="nearest|did you mean|sharse"):
        must_pass("sharse")
    exercise(shares)
    with pytest.raises(ExerciseError, match="shares is wrong: .*The largest share is 1"):
        must_pass("shares")

    def shares(amounts: Any) -> Any:
        return amounts / amounts.sum()

    exercise(shares)
    must_pass("shares")


def test_a_source_holds_the_solution_and_a_point_for_every_exercise() -> None:
    for path in sorted((CHAPTERS / "solutions").glob("*.ipynb")):
        chapter, solved = read(CHAPTERS / path.name), read(path)
        made = nbformat.from_dict(nbgrader.source(json.loads(json.dumps(chapter)), solved))
        nbformat.validate(made)
        solutions = {cell.id: cell.source for cell in solved.cells}
        of = {cell.id: cell for cell in made.cells}
        marked = [c.id for c in made.cells if c.metadata.get("nbgrader", {}).get("solution")]
        assert marked == [c.id for c in chapter.cells if "exercise" in c.metadata.get("tags", ())]
        for name in marked:
            lines = of[name].source.splitlines()
            marks = [line.strip() for line in lines if line.strip().startswith("###")]
            assert marks == [nbgrader.BEGIN_SOLUTION, nbgrader.END_SOLUTION]
            plain = [line for line in lines if line.strip() not in marks]
            assert "\n".join(plain) == solutions[name]
            function = re.findall(r"^def (\w+)\(", of[name].source, re.MULTILINE)[0]
            test = of[f"{name}-point"]
            assert f'must_pass("{function}")' in test.source
            about = test.metadata.nbgrader
            assert (about.grade, about.locked, about.points) == (True, True, 1)
            assert not about.solution
    blank = of_one_cell("def f(x):\n    raise NotImplementedError", "code")
    blank["cells"][0]["metadata"] = {"tags": ["exercise"]}
    with pytest.raises(ValueError, match="the solution of a is of another chapter; make book"):
        nbgrader.source(blank, of_one_cell("def f(y):\n    return y", "code"))


def test_a_course_keeps_its_own_settings(tmp_path: Path) -> None:
    (tmp_path / "nbgrader_config.py").write_text("mine", encoding="utf-8")
    assert set(assigned(tmp_path, "4", "--nbgrader")) == set(select_notebooks(["4"]))
    assert (tmp_path / "nbgrader_config.py").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "source/04_keys_and_values/04_keys_and_values.ipynb").is_file()


def test_a_chapter_in_the_place_of_the_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["assign", "04", "5"]) == 2
    assert "04 names a chapter: assign FOLDER 04 5, say" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert main(["assign", "./4", "4"]) == 0
