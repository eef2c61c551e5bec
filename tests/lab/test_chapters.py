"""Every chapter in JupyterLab: blank and solved, from its first cell to its last, views included.

Run All stops at the first error, so a chapter that ends has run. Outputs are cleared before, so
that those that came with the notebook cannot be taken for new ones.
"""

import json

import pytest
from lab.lab import Lab
from playwright.sync_api import Locator
from programs import ROOT

PATHS = sorted((ROOT / "chapters").glob("[01]*.ipynb"))
#: Those that need a downloaded corpus are given it.
CHAPTERS = [
    pytest.param(
        path.stem,
        marks=[pytest.mark.network] * ('"needs":' in path.read_text(encoding="utf-8")),
        id=path.stem,
    )
    for path in PATHS
]
#: Chapter 10 trains for five minutes on all cores.
SECONDS = {"10_translator": 2400}
by_chapter = pytest.mark.parametrize("lab", CHAPTERS, indirect=True)
pytestmark = pytest.mark.long


def solutions(name: str) -> dict[str, str]:
    """The solved exercises of a chapter."""
    path = ROOT / "chapters" / "solutions" / f"{name}.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    tagged = (cell for cell in cells if "exercise" in cell["metadata"].get("tags", ()))
    return {cell["id"]: "".join(cell["source"]) for cell in tagged}


@by_chapter
def test_a_blank_chapter_runs_to_its_end_spoils_nothing_and_its_views_are_live(lab: Lab) -> None:
    before = lab.folded()
    assert lab.spoiled() == {}, "fresh"
    lab.clear()
    lab.run_all(SECONDS.get(lab.name, 900))
    assert lab.errors() == {}
    assert lab.spoiled() == {}, "after Run All"
    lab.save()
    lab.open(lab.page.url)
    assert lab.spoiled() == {}, "opened again"
    assert lab.folded() == before
    assert all(cell["execution_count"] for cell in lab.cells() if cell["cell_type"] == "code")
    assert set(lab.marks().values()) == {"○"}
    for name in lab.views():
        use(lab, name)
    assert lab.faults == []


@by_chapter
def test_a_solved_chapter_runs_to_its_end_with_a_check_mark_for_each_exercise(lab: Lab) -> None:
    lab.clear()
    solved = solutions(lab.name)
    assert solved.keys() == lab.marks().keys()
    for name, text in solved.items():
        lab.write(name, text)
    lab.run_all(SECONDS.get(lab.name, 900))
    assert lab.errors() == {}
    assert lab.marks() == dict.fromkeys(solved, "✓")


def use(lab: Lab, name: str) -> None:
    """Use a view by keyboard, then by mouse: it must answer, in words or in its drawing."""
    for view in lab.show(name).locator(".attn-view").all():

        def answer(view: Locator = view) -> str:
            return view.locator(".says").inner_text() + view.locator(".stage").inner_html()

        states = {answer()}
        typed = view.locator("textarea, input[type=text]")
        slider = view.locator("input[type=range]")
        if typed.count():
            typed.first.fill("")
            typed.first.press_sequentially("the cat")
            states.add(answer())
        else:
            slider.first.focus()
            for key in ("Home", "ArrowRight", "End", "ArrowLeft"):
                lab.page.keyboard.press(key)
                states.add(answer())
        assert len(states) > 1, f"{name} does not hear the keyboard"
        states = {answer()}
        for button in view.locator("button").all():
            button.click()
            states.add(answer())
        if slider.count():
            box = slider.first.bounding_box()
            assert box
            for share in (0.02, 0.98):
                slider.first.click(position={"x": box["width"] * share, "y": box["height"] / 2})
                states.add(answer())
        assert len(states) > 1, f"{name} does not feel the mouse"
