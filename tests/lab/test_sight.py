"""What one sees of a chapter in JupyterLab, and what not: folds, links, lines, figures, lists."""

import ast
import json
import re

import pytest
from lab.lab import LAPTOP, Lab, LabServer, leaving

#: Runs in a quarter of a minute.
quick = pytest.mark.parametrize("lab", ["04_keys_and_values"], indirect=True)


@quick
def test_what_came_out_is_out_of_sight_until_the_reader_answers_or_opens_it(
    lab: Lab, server: LabServer
) -> None:
    """Fresh, after Run All, and when it is opened again: nothing opens, and nothing else folds."""
    before = lab.folded()
    assert lab.spoiled() == {}
    lab.clear()
    lab.run_all()
    assert lab.errors() == {} and lab.spoiled() == {}
    lab.save()
    lab.open(server.address_of(lab.name))
    assert lab.spoiled() == {} and lab.folded() == before
    first, *others = lab.folds()
    lab.show(first).locator(".came-out > summary").click()
    assert lab.spoiled().keys() == {first}
    lab.show(first).locator(".jp-OutputCollapser").click()
    collapsed = lab.show(first).locator(".jp-OutputPlaceholder").inner_text()
    assert not re.search(r"\d", collapsed), "a collapsed output shows its first line"
    # An answer opens its own fold, and no other.
    question, shown = next((p, r) for p, r in lab.predictions() if r in others)
    lab.write(question["id"], answered(question))
    assert lab.run(question["id"]).startswith("Noted: ")
    lab.run(shown)
    lab.show(shown).locator(".came-out", has_text="You said").wait_for()
    assert shown in lab.spoiled()
    kept = json.loads((server.chapters / "progress.json").read_text(encoding="utf-8"))
    assert len(kept["predictions"]) == 1


def answered(cell: dict) -> str:
    """The source of a prediction with a number, or with the first of its choices."""
    source = "".join(cell["source"])
    (call,) = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    choices = [ast.literal_eval(word.value) for word in call.keywords if word.arg == "choices"]
    return source.replace("...", repr(choices[0][0] if choices else 1), 1)


@quick
def test_what_came_out_is_folded_in_a_copy_that_nobody_trusts(lab: Lab, server: LabServer) -> None:
    copy = json.loads((server.chapters / f"{lab.name}.ipynb").read_text(encoding="utf-8"))
    copy["cells"][0]["source"].append("\n")
    (server.chapters / "copy.ipynb").write_text(json.dumps(copy), encoding="utf-8")
    lab.open(server.address_of("copy"))
    assert lab.spoiled() == {}
    first = lab.folds()[0]
    # The figure in words may be a fold within it.
    lab.show(first).locator("details > summary").first.click()
    assert lab.spoiled().keys() == {first}


def test_a_link_that_leaves_the_chapters_opens_what_it_names(lab: Lab, server: LabServer) -> None:
    assert (links := leaving())
    for name, words, target in links:
        lab.open(server.address_of(name))
        # In a fold, too: so it is clicked by the page and not by the mouse.
        lab.page.get_by_role("link", name=words, include_hidden=True).evaluate("a => a.click()")
        lab.wait_for_file(target)


@pytest.mark.parametrize("lab", ["05_attention"], indirect=True)
def test_a_chapter_opens_with_its_first_picture_in_sight_and_only_folded_cells_before_it(
    lab: Lab,
) -> None:
    lab.resize(LAPTOP)
    lab.open(lab.page.url)
    codes = [cell for cell in lab.cells() if cell["cell_type"] == "code"]
    first = next(number for number, cell in enumerate(codes) if cell["outputs"])
    for cell in codes[:first]:
        assert cell["metadata"].get("jupyter", {}).get("source_hidden"), cell["id"]
    window = lab.page.locator(".jp-NotebookPanel .jp-WindowedPanel-outer").bounding_box()
    output = lab.page.locator(".jp-OutputArea-output").first.bounding_box()
    assert output["y"] + 50 < window["y"] + window["height"]


#: How much an element stands out from its ground, as WCAG counts it: 1 to 21.
CONTRAST = r"""element => {
  const light = color => {
    const [r, g, b] = color.match(/[\d.]+/g).slice(0, 3).map(part => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const painted = one => getComputedStyle(one).backgroundColor !== 'rgba(0, 0, 0, 0)';
  let ground = element;
  while (ground.parentElement && !painted(ground)) ground = ground.parentElement;
  const [less, more] = [
    light(getComputedStyle(element).color), light(getComputedStyle(ground).backgroundColor),
  ].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}"""


RIGHT = "return amounts / amounts.sum()"


def test_verdicts_and_folds_can_be_read_in_the_light_and_in_the_dark(lab: Lab) -> None:
    for name in ("setup", "first"):
        lab.run(name)
    fold = lab.show(lab.folds()[0]).locator(".came-out")
    fold.locator("summary").click()
    found = {}
    try:
        for theme in ("JupyterLab Dark", "JupyterLab Light"):
            lab.menu("Settings", "Theme", theme)
            body = lab.page.locator(f"body[data-jp-theme-name='{theme}']")
            body.wait_for(state="attached")
            for answer in ("raise NotImplementedError", "return amounts", RIGHT):
                lab.write("ex-shares", f"@exercise\ndef shares(amounts):\n    {answer}")
                mark = lab.run("ex-shares")[0]
                verdict = lab.show("ex-shares").locator("[role=status] strong", has_text=mark)
                found[theme, mark] = verdict.evaluate(CONTRAST)
            for part in ("summary", "pre"):
                found[theme, part] = fold.locator(part).evaluate(CONTRAST)
    finally:
        lab.menu("Settings", "Theme", "JupyterLab Light")
    assert len(found) == 10 and min(found.values()) >= 4.5, found


def test_a_narrow_window_is_the_chapters_and_a_wide_one_has_its_contents_again(
    lab: Lab, server: LabServer
) -> None:
    page = lab.page
    contents = page.locator("#jp-left-stack .jp-TableOfContents")

    def share() -> float:
        """Of the window's width, what the chapter has."""
        box = page.locator(".jp-NotebookPanel").bounding_box()
        return box["width"] / page.viewport_size["width"]

    for width in (700, 400):
        page.set_viewport_size({"width": width, "height": 800})
        contents.wait_for(state="hidden")
        assert share() > 0.8
    lab.open(page.url)
    contents.wait_for(state="hidden")
    page.set_viewport_size({"width": 1400, "height": 800})
    contents.wait_for()
    assert 0.7 < share() < 0.9
