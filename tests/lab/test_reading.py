"""JupyterLab as a reader uses it, in chapter 00: what goes wrong, and what must not be lost."""

import json

import pytest
from lab.lab import Lab, LabServer
from programs import ROOT

WRONG = "@exercise\ndef shares(amounts):\n    return amounts / amounts.max()"
RIGHT = "@exercise\ndef shares(amounts):\n    return amounts / amounts.sum()"


def run_first(lab: Lab) -> None:
    """The set-up and what the exercise needs: nothing else, as somebody in a hurry does."""
    assert lab.run("setup") == ""
    assert "Three dogs" in lab.run("first")


def test_it_opens_with_the_table_of_contents_the_chapter_and_nothing_else(
    lab: Lab, server: LabServer
) -> None:
    printed = (server.folder / "lab.txt").read_text(encoding="utf-8")
    assert "/lab/tree/chapters/00_start.ipynb?token=" in printed, "what --no-browser shows"
    page = lab.page
    assert page.locator("#jp-left-stack .jp-TableOfContents").is_visible()
    assert "Now break it" in page.locator("#jp-left-stack").inner_text()
    tabs = page.locator("#jp-main-dock-panel .lm-TabBar-tabLabel").all_inner_texts()
    assert tabs == ["00_start.ipynb"]
    assert not page.locator("#jp-right-stack").is_visible()
    assert page.locator(".Toastify__toast").count() == 0, "a question about news of Jupyter, say"
    # In Google Colab the first cell does something; here it is folded and shows its first line.
    folded = lab.show("colab")
    assert "elsewhere it does nothing" in folded.locator(".jp-InputPlaceholder").inner_text()
    assert lab.run("colab") == ""


@pytest.mark.parametrize("lab", ["08_beam_search"], indirect=True)
def test_drawings_and_views_are_there_before_anything_is_run(lab: Lab) -> None:
    lab.show("tree").locator(".attn-diagram svg").wait_for()
    lab.show("rerank").locator(".attn-view input[type=range]").first.wait_for()


def test_a_copy_that_nobody_trusts_shows_pictures_in_their_places(
    lab: Lab, server: LabServer
) -> None:
    """One more empty line makes it another notebook, which Jupyter has not signed."""
    copy = json.loads((server.chapters / "08_beam_search.ipynb").read_text(encoding="utf-8"))
    copy["cells"][0]["source"].append("\n")
    (server.chapters / "copy.ipynb").write_text(json.dumps(copy), encoding="utf-8")
    lab.open(server.address_of("copy"))
    for name, drawing in (("tree", ".attn-diagram"), ("rerank", ".attn-view")):
        shown = lab.show(name)
        picture = shown.locator(f"{drawing} img")
        picture.wait_for()
        assert picture.evaluate("async image => { await image.decode(); return image.width }") > 300
        assert shown.locator("svg, input, script").count() == 0
        assert "softmax" not in shown.locator(drawing).inner_text(), "loose labels of a drawing"


def test_a_wrong_answer_is_explained_and_a_right_one_is_confirmed(
    lab: Lab, server: LabServer
) -> None:
    run_first(lab)
    assert lab.run("ex-shares").startswith("○ shares: not attempted")
    lab.write("ex-shares", WRONG)
    output = lab.run("ex-shares")
    assert output.startswith("✗ shares: wrong") and "The largest share is 1" in output
    assert "0.125" in lab.run("shares-used"), "the chapter goes on with the book's own"
    lab.write("ex-shares", RIGHT)
    assert lab.run("ex-shares").startswith("✓ shares: right")
    assert lab.run("ex-shares").startswith("✓ shares: right"), "and once more"
    kept = json.loads((server.chapters / "progress.json").read_text(encoding="utf-8"))
    assert kept["exercises"] == {"shares": "right"}


def test_a_cell_that_is_run_before_those_it_needs_is_mended_as_the_chapter_explains(
    lab: Lab,
) -> None:
    assert lab.run("shares-used").startswith("NameError: name 'shares' is not defined")
    remedy = "Run ▸ Run All Above Selected Cell"
    explained = " ".join("".join(lab.cell("cells-text")["source"]).split())
    assert f"*{remedy}*" in explained
    lab.show("shares-used").locator(".jp-InputPrompt").click()
    lab.menu(*remedy.split(" ▸ "))
    lab.wait_until_done()
    assert "0.125" in lab.run("shares-used")


def test_a_training_can_be_interrupted_and_begun_again(lab: Lab) -> None:
    run_first(lab)
    for name in ("corpus", "model", "before"):
        lab.run(name)
    lab.run("train", wait=False)
    lab.wait_for_output("train", " 70 updates: ", but_not=" 700 updates: ")
    lab.interrupt()
    lab.wait_until_done()
    assert "KeyboardInterrupt" in lab.output("train")
    assert "Three dogs" in lab.run("first"), "the kernel is alive and has forgotten nothing"
    lab.run("model")
    lab.run("train", wait=False)
    # It learns again; nobody waits for its end.
    lab.wait_for_output("train", " 140 updates: ", but_not="KeyboardInterrupt")
    lab.interrupt()
    lab.wait_until_done()


#: What opening and saving does to a file, but for the kernel.
READ_AND_WRITE = """async path => {
  const { serviceManager, docRegistry } = window.jupyterapp;
  const file = await serviceManager.contents.get(path);
  const model = docRegistry.getModelFactory('notebook').createNew();
  model.fromJSON(file.content);
  await serviceManager.contents.save(path, { ...file, content: model.toJSON() });
  model.dispose();
}"""


def test_every_notebook_is_the_same_file_once_jupyterlab_has_read_and_written_it(
    lab: Lab, server: LabServer
) -> None:
    chapters = ROOT / "chapters"
    for file in sorted([*chapters.glob("*.ipynb"), *chapters.glob("solutions/*.ipynb")]):
        name = file.relative_to(chapters).with_suffix("").as_posix()
        server.restore(name)
        lab.page.evaluate(READ_AND_WRITE, f"chapters/{name}.ipynb")
        assert (server.chapters / f"{name}.ipynb").read_bytes() == file.read_bytes(), name
