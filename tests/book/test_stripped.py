"""Notebooks as they are shown where scripts and SVG are dropped: nothing that is drawn is lost."""

import json
import re
from pathlib import Path

import pytest
from stripped import check_stripped

NOTEBOOKS = sorted((Path(__file__).parents[2] / "chapters").rglob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_output_of_a_notebook_is_lost_where_scripts_and_svg_are_dropped(path):
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            html = "".join(output.get("data", {}).get("text/html", ""))
            if re.search("<(svg|script|canvas)", html):
                check_stripped(html)
