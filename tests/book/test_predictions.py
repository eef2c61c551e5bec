"""Predictions: noted before the result, compared with it, and nothing at all where left blank."""

import ast
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import nbformat
import pytest
import torch
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from programs import ROOT

from attnbook import predict, progress_file, reveal
from attnbook.reader import predictions

NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))
MOST = 3  # predictions a file


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(progress_file.PROGRESS_VARIABLE, str(tmp_path / "progress.json"))
    monkeypatch.setattr(predictions, "_answers", {})
    return tmp_path / "progress.json"


def shown(name: str, value: object, within: float = 0) -> str:
    """What a reveal without a notebook prints."""
    with redirect_stdout(StringIO()) as out, reveal(name, value, within):
        print("what came out")
    return out.getvalue()


def test_left_blank_nothing_is_printed_or_kept(file: Path, capsys: pytest.CaptureFixture) -> None:
    assert predict("05.ratio", ...) is None
    assert predict("05b.ratio", ...) is None  # of a chapter's second file
    assert capsys.readouterr().out == ""
    assert shown("05.ratio", 7.39) == "what came out\n"
    assert shown("05.never-asked", "yes") == "what came out\n"
    assert not file.exists()


@pytest.mark.parametrize(
    ("answer", "choices", "value", "within", "message", "right"),
    [
        (7, None, 7.389, 1, "You said 7; it is 7.39. Right, within 1.", True),
        (3, None, 7.389, 1, "You said 3; it is 7.39.", False),
        (6, None, 7, 1, "You said 6; it is 7. Right, within 1.", True),  # the edge belongs to it
        ("2", None, 2, 0, "You said 2; it is 2. Right.", True),
        (
            12000,
            None,
            torch.tensor(12345),
            500,
            "You said 12,000; it is 12,345. Right, within 500.",
            True,
        ),
        ("Yes ", ("yes", "no"), "yes", 0, "You said 'yes'; it is 'yes'. Right.", True),
        (True, ("yes", "no"), "yes", 0, "You said 'yes'; it is 'yes'. Right.", True),
        (False, ("yes", "no"), "yes", 0, "You said 'no'; it is 'yes'.", False),
        (2, "123", "2", 0, "You said '2'; it is '2'. Right.", True),
        ("B", "abc", "c", 0, "You said 'b'; it is 'c'.", False),
    ],
)
def test_an_answer_is_compared_and_kept(
    answer, choices, value, within, message, right, file: Path, capsys: pytest.CaptureFixture
) -> None:
    predict("05.ratio", answer, choices)
    assert capsys.readouterr().out.startswith("Noted: ")
    assert shown("05.ratio", value, within) == f"{message}\nwhat came out\n"
    assert progress_file.read_progress()["predictions"]["05.ratio"]["right"] is right


def test_the_first_answer_counts_and_a_later_one_is_compared_all_the_same() -> None:
    predict("05.ratio", 3)
    shown("05.ratio", 7)
    predict("05.ratio", 7)
    assert shown("05.ratio", 7).startswith("You said 7; it is 7. Right.")
    assert progress_file.read_progress()["predictions"] == {
        "05.ratio": {"said": 3.0, "was": 7.0, "right": False}
    }


def test_what_is_no_answer_is_refused_in_the_last_line(file: Path, capsys) -> None:
    for answer in ("banana", "", None, float("nan"), True, [3]):
        predict("05.ratio", 3)
        predict("05.ratio", answer)  # which takes the one before back
        message = capsys.readouterr().out.splitlines()[-1]
        assert message.startswith(f"{answer!r} is not noted: give a number")
        assert shown("05.ratio", 3) == "what came out\n"
    for answer in ("d", 3, None, True, ""):
        predict("05.order", answer, choices="abc")
        message = capsys.readouterr().out
        assert message == f"{answer!r} is not noted: choose one of 'a', 'b', 'c'.\n"
    assert not file.exists()


def test_a_mistake_in_the_block_is_shown_with_what_was_printed_before_it(capsys) -> None:
    with pytest.raises(ZeroDivisionError), reveal("05.ratio", 1):
        print("before")
        print(1 / 0)
    assert capsys.readouterr().out == "before\n"


def test_what_an_author_gets_wrong_is_refused() -> None:
    with pytest.raises(ValueError, match="name must be like"):
        predict("ratio", 3)
    with pytest.raises(ValueError, match="within must be at least 0, got -1"):
        shown("05.ratio", 3, within=-1)


# In a notebook ------------------------------------------------------------------------------------

BLOCK = """
import matplotlib.pyplot as plt
from IPython.display import HTML, display
from attnbook import predict, reveal
predict("05.ratio", ANSWER)
with reveal("05.ratio", 7.25):
    print("seven & a quarter")
    plt.figure(figsize=(1, 1)).add_subplot()
    plt.show()
    display(HTML("<b>a view</b>"))
"""


@pytest.fixture(scope="module")
def folds() -> dict[str, Any]:
    """The outputs of one cell with its prediction left blank and answered."""
    cells = [new_code_cell(BLOCK.replace("ANSWER", answer)) for answer in ("...", "7")]
    made = new_notebook(cells=cells)
    NotebookClient(made, timeout=300).execute(
        env={**os.environ, progress_file.PROGRESS_VARIABLE: ""}
    )
    return dict(zip(("blank", "answered"), (cell.outputs for cell in made.cells)))


def test_the_only_output_is_one_fold_closed_or_open_below_the_comparison(folds) -> None:
    (output,) = folds["blank"]
    html = output.data["text/html"]
    assert html.startswith("<details class='came-out'><summary>Show what came out</summary>")
    assert html.endswith("</details>")
    assert "<pre>seven &amp; a quarter\n</pre>" in html and "<b>a view</b>" in html
    assert html.count("src='data:image/png;base64,") == 1
    assert output.data["text/plain"] == predictions._CLOSED, "JupyterLab shows it when collapsed"
    noted, output = folds["answered"]
    assert noted.text == "Noted: 7.\n"
    html = output.data["text/html"]
    assert html.startswith("<details class='came-out' open>")
    assert html.index("You said 7; it is 7.25.") < html.index("seven")
    assert "seven & a quarter" in output.data["text/plain"]


def test_nbval_overlooks_the_bytes_of_a_folded_figure_and_nothing_else_of_the_fold(folds) -> None:
    lines = (ROOT / "tests" / "nbval.cfg").read_text(encoding="utf-8").splitlines()
    rules = [(line[7:], after[9:]) for line, after in zip(lines, lines[1:]) if "regex: " in line]
    html = folds["blank"][0].data["text/html"]

    def seen(text: str) -> str:
        for regex, replace in rules:
            text = re.sub(regex, replace, text)
        return text

    other_bytes = re.sub(r"base64,\w+", "base64,AAAA", html)
    assert other_bytes != html and seen(other_bytes) == seen(html)
    for was, now in (("quarter", "half"), ("<img class='plot'", "<img"), ("a view", "another")):
        assert seen(html.replace(was, now)) != seen(html)


# In the chapters ---------------------------------------------------------------------------------


def told(value: ast.expr, tree: ast.Module) -> bool:
    """Whether an answer can be read in the code: literals, names set to one, their arithmetic."""
    if isinstance(value, ast.UnaryOp):
        return told(value.operand, tree)
    if isinstance(value, ast.BinOp):
        return told(value.left, tree) and told(value.right, tree)
    if not isinstance(value, ast.Name):
        return isinstance(value, ast.Constant)
    nodes = [*ast.walk(tree)]
    names = [node for node in nodes if isinstance(node, ast.Name) and node.id == value.id]
    if sum(isinstance(name.ctx, ast.Store) for name in names) != 1:
        return False  # one of several, or an argument
    given = [node for node in nodes if isinstance(node, ast.Assign) and node.targets[0] in names]
    return any(told(node.value, tree) for node in given)


def faults(number: str, source: str) -> Iterator[str]:
    """What is wrong with the predictions of a chapter's source."""
    predicted: list[str] = []
    shown: list[str] = []
    tree = ast.parse(source)
    if not any(isinstance(node, ast.alias) and node.name == "predict" for node in ast.walk(tree)):
        return  # a chapter may have a function of its own with that name
    blocks = [node.items for node in ast.walk(tree) if isinstance(node, ast.With)]
    entered = [item.context_expr for items in blocks for item in items]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in ("predict", "reveal"):
            name = ast.literal_eval(node.args[0])
            (predicted if node.func.id == "predict" else shown).append(name)
            if not name.startswith(f"{number}."):
                yield f"{name} has the number of another chapter"
            if node.func.id == "predict" and [ast.unparse(given) for given in node.args[1:]] != [
                "..."
            ]:
                yield f"{name} is not left blank"
            if node.func.id == "reveal" and node not in entered:
                yield f"{name} is revealed without a with, which shows nothing"
            if node.func.id == "reveal" and told(node.args[1], tree):
                yield f"{name} is told in the code: {ast.unparse(node.args[1])}"
    if len(predicted) > MOST:
        yield f"{len(predicted)} predictions are asked for, more than {MOST}"
    if sorted(predicted) != sorted(shown) or len(set(predicted)) < len(predicted):
        yield f"asked for: {sorted(predicted)}, revealed: {sorted(shown)}"


def in_sight(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """What of an unanswered prediction can be seen: an open output, or the text that reads it."""
    reads = False  # whether a text here would speak of what came out
    for cell in notebook.cells:
        if cell.cell_type == "code" and re.search(r"^\s*with reveal\(", cell.source, re.MULTILINE):
            reads = True
            outputs = [output.get("data", {}) for output in cell.outputs]
            folded = [re.fullmatch(FOLDED, data.get("text/html", ""), re.S) for data in outputs]
            if len(folded) != 1 or not folded[0] or "image/png" in outputs[0]:
                yield f"cell {cell.id} shows more than one closed fold"
            elif re.search(r"\d", outputs[0]["text/plain"]):
                yield f"a collapsed cell {cell.id} shows a number"
        elif cell.cell_type == "code":
            reads = reads and "check" in cell.metadata.get("tags", ())
        elif reads:
            text = cell.source.partition("\n#")[0] if "\n#" in cell.source else cell.source
            reads = not cell.source.startswith("#") and text == cell.source
            if not cell.source.startswith("#") and re.sub(HIDDEN, "", text).strip():
                yield f"cell {cell.id} reads in the open what cell before it folds"


FOLDED = r"<details class='came-out'><summary>[^<\d]*</summary>.*</details>"
HIDDEN = re.compile(r"<details>.*?</details>", re.DOTALL)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_chapter_asks_for_at_most_three_reveals_each_and_shows_nothing_before(path: Path) -> None:
    source = (ROOT / "chapters" / "source" / f"{path.stem}.py").read_text(encoding="utf-8")
    assert list(faults(path.stem.partition("_")[0], source)) == []
    assert list(in_sight(nbformat.read(path, as_version=4))) == []
