"""JupyterLab in a browser, used as a reader uses it: open, run, write, restart, look.

What a reader does is done by mouse and keyboard: menus, cells, keys. Only waiting and reading ask
the application itself, which knows when a cell has ended and which keeps what is scrolled out of
sight.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from programs import ROOT

pytest.importorskip("playwright", reason="needs the extra e2e, which make e2e installs")
from playwright.sync_api import Browser, Locator, Page

from attnbook.reader.predictions import SUMMARY

PATIENCE = 180  # seconds for anything but a computation, on a machine that is busy
LAPTOP = (1366, 768)  # pixels of a usual window
#: The notebook that is in front, as JavaScript.
_NOTEBOOK = "window.jupyterapp?.shell?.currentWidget"


def lab_command() -> str:
    """What ``make lab`` types: python -m jupyterlab … chapters/00_start.ipynb."""
    command = ["make", "-n", "-o", ".venv/.ready", "lab"]
    output = subprocess.run(
        command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    ).stdout
    (line,) = (line for line in output.splitlines() if "-m jupyterlab" in line)
    return line


def leaving() -> list[tuple[str, str, str]]:
    """The links that leave chapters/: chapter, words, file."""
    found = []
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            links = re.findall(r"\[`?([^]`]+)`?\]\(\.\./([^)#\s]+)", "".join(cell["source"]))
            found += [(path.stem, words, target) for words, target in links]
    return found


class LabServer:
    """A copy of the book in a folder of its own, and JupyterLab on it, behind a dead proxy."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.chapters = folder, folder / "chapters"
        self.chapters.mkdir(parents=True)
        for path in (ROOT / "chapters").glob("*.ipynb"):
            shutil.copy(path, self.chapters)
        shutil.copytree(ROOT / "chapters" / "solutions", self.chapters / "solutions")
        shutil.copytree(ROOT / "docs" / "lab", folder / "docs" / "lab")
        for _, _, target in leaving():
            (folder / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / target, folder / target)
        places = {
            f"JUPYTER_{kind}_DIR": str(folder / kind) for kind in ("CONFIG", "RUNTIME", "DATA")
        }
        own = {"PYTHONPATH": str(ROOT), "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings")}
        kept = {key: value for key, value in os.environ.items() if not key.startswith("ATTNLIB_P")}
        nobody = dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")
        self._variables = {**kept, **places, **own, **nobody}
        command = lab_command().split()
        options = ["--no-browser", "--port=0", "--allow-root", "--expose-app-in-browser"]
        self._log = (folder / "lab.txt").open("w", encoding="utf-8")
        self._process = subprocess.Popen(
            [sys.executable, *command[1:], *options],
            cwd=folder,
            env=self._variables,
            stdout=self._log,
            stderr=self._log,
        )
        self.address = self._address()

    def _address(self) -> str:
        """What JupyterLab would open in the reader's browser."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._process.poll() is None:
            for page in (self.folder / "RUNTIME").glob("jpserver-file-to-run-*-open.html"):
                if match := re.search(r'href="(http[^"]+)"', page.read_text(encoding="utf-8")):
                    return match[1]
            time.sleep(0.1)
        raise RuntimeError((self.folder / "lab.txt").read_text(encoding="utf-8")[-2000:])

    def address_of(self, name: str) -> str:
        """The address of another notebook of this server."""
        return re.sub(r"/tree/[^?]+", f"/tree/chapters/{name}.ipynb", self.address)

    def restore(self, name: str) -> None:
        """Restore a chapter as it was delivered, and nothing of what was done before."""
        for workspace in (ROOT / "docs" / "lab").glob("*.jupyterlab-workspace"):
            shutil.copy(workspace, self.folder / ".jupyter" / "workspaces")
        shutil.copy(ROOT / "chapters" / f"{name}.ipynb", self.chapters / f"{name}.ipynb")
        (self.chapters / "progress.json").unlink(missing_ok=True)

    def close(self) -> None:
        """End JupyterLab and its kernels."""
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


class Lab:
    """A window of a browser with JupyterLab in it, and a chapter in front."""

    def __init__(self, window: Browser, address: str) -> None:
        self.page: Page = window.new_page(viewport={"width": 1280, "height": 900})
        self.page.set_default_timeout(PATIENCE * 1000)
        self.name = re.sub(r".*/tree/chapters/([^?]+)\.ipynb.*", r"\1", address)
        self.faults: list[str] = []  # what a script of the page raised
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.open(address)

    # Looking ----------------------------------------------------------------------------------

    def open(self, address: str) -> None:
        """Open an address and wait until its notebook and its kernel are there."""
        self.page.goto(address)
        if path := re.search(r"/tree/([^?]+)", address):  # another may be in front until then
            self.wait_for_file(path[1])
        self._wait(f"{_NOTEBOOK}?.content?.model?.cells?.length > 0 && {_NOTEBOOK}.context.isReady")
        self._wait(f"{_NOTEBOOK}.sessionContext.session?.kernel?.status === 'idle'")

    def cells(self) -> list[dict[str, Any]]:
        """The cells of the notebook as they are now, outputs included."""
        text = self.page.evaluate(f"JSON.stringify({_NOTEBOOK}.content.model.toJSON().cells)")
        return json.loads(text)

    def cell(self, name: str) -> dict[str, Any]:
        """The cell with this id."""
        return next(cell for cell in self.cells() if cell["id"] == name)

    def output(self, name: str) -> str:
        """What a cell shows, as text."""
        return "".join(map(_text, self.cell(name)["outputs"]))

    def errors(self) -> dict[str, str]:
        """The errors that stand in the notebook, by the cells that raised them."""
        return {
            cell["id"]: f"{output['ename']}: {output['evalue']}"
            for cell in self.cells()
            for output in cell.get("outputs", ())
            if output["output_type"] == "error" and not _may_raise(cell)
        }

    def marks(self) -> dict[str, str]:
        """The verdict on each exercise of the chapter: ○, ✗ or ✓."""
        cells = (cell for cell in self.cells() if "exercise" in cell["metadata"].get("tags", ()))
        return {cell["id"]: "".join(map(_text, cell["outputs"]))[:1] for cell in cells}

    def folds(self) -> list[str]:
        """The cells that show what came out of a prediction."""
        codes = (cell for cell in self.cells() if cell["cell_type"] == "code")
        return [cell["id"] for cell in codes if "class='came-out'" in _html(cell)]

    def in_sight(self, name: str) -> str:
        """What one sees below a cell: words, and [image] for a picture."""
        found = self.show(name).locator(".jp-Cell-outputWrapper")
        return found.evaluate(_IN_SIGHT)

    def spoiled(self) -> dict[str, str]:
        """The predictions whose result is in sight, and what one sees of it."""
        names = self.folds()
        assert bool(names) == bool(self.predictions()), "no fold shows a prediction's result"
        seen = {name: self.in_sight(name) for name in names}
        return {name: text for name, text in seen.items() if text != SUMMARY}

    def predictions(self) -> list[tuple[dict[str, Any], str]]:
        """The cell that asks, and the name of the one that shows what came out."""
        questions, found = {}, []
        for cell in self.cells():
            source = "".join(cell["source"])
            if name := re.match(r'predict\("([^"]+)"', source):
                questions[name[1]] = cell
            elif name := re.search(r'^with reveal\("([^"]+)"', source, re.M):
                found.append((questions[name[1]], cell["id"]))
        return found

    def wait_for_file(self, path: str) -> None:
        """Wait until this file is open and in front."""
        context = f"{_NOTEBOOK}?.context"
        self._wait(f"{context}?.path === {json.dumps(path)} && {context}.isReady")

    def folded(self) -> list[dict[str, Any]]:
        """What the file says of each cell that JupyterLab folds or opens."""
        metadata = (cell["metadata"] for cell in self.cells())
        return [{key: m.get(key) for key in ("jupyter", "collapsed", "scrolled")} for m in metadata]

    def views(self) -> list[str]:
        """The cells that show a live view."""
        drawn = json.dumps('class="attn-view')[1:-1]  # as it stands in JSON
        return [cell["id"] for cell in self.cells() if drawn in json.dumps(cell)]

    def show(self, name: str) -> Locator:
        """Scroll to a cell, as one does with the wheel, and find it in the window."""
        number = [cell["id"] for cell in self.cells()].index(name)
        self.page.evaluate(
            f"""async number => {{
              const notebook = {_NOTEBOOK}.content;
              await notebook.scrollToItem(number, 'center');
            }}""",
            number,
        )
        front = ".jp-NotebookPanel:not(.lm-mod-hidden)"  # restored tabs may lie behind it
        found = self.page.locator(f"{front} .jp-Cell[data-windowed-list-index='{number}']")
        found.wait_for(state="attached")
        return found

    # Doing ------------------------------------------------------------------------------------

    def menu(self, *names: str) -> None:
        """Choose in the menu bar: menu("Run", "Run All Cells")."""
        bar = self.page.locator(".lm-MenuBar-item", has_text=re.compile(f"^{names[0]}$"))
        bar.click()
        for name in names[1:]:
            label = self.page.locator(".lm-Menu-itemLabel", has_text=re.compile(f"^{name}$"))
            label.click()

    def clear(self) -> None:
        """Clear all outputs, so that none of them can be taken for a new one."""
        self.menu("Edit", "Clear Outputs of All Cells")
        self._wait(f"{_COUNTS}.every(count => count === null)")

    def run_all(self, seconds: float = 600) -> None:
        """Run ▸ Run All Cells, and wait for the end or for an error."""
        self.menu("Run", "Run All Cells")
        self.wait_until_done(seconds)

    def wait_until_done(self, seconds: float = 600) -> None:
        """Wait until no cell is running or waiting."""
        self._wait(f"{_COUNTS}.some(count => count !== null) && {_IDLE}", seconds)
        self.page.wait_for_timeout(300)  # the last output may still be on its way
        self._wait(_IDLE, seconds)

    def wait_for_output(self, name: str, text: str, but_not: str) -> None:
        """Wait until a cell that is running shows a text, and no more what it showed before."""
        end = time.monotonic() + PATIENCE
        while text not in (shown := self.output(name)) or but_not in shown:
            assert time.monotonic() < end, f"{name} never shows {text!r}: {shown}"
            self.page.wait_for_timeout(200)

    def write(self, name: str, text: str) -> None:
        """Replace what stands in a cell, by keyboard."""
        editor = self.show(name).locator(".cm-content")
        editor.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(text)

    def run(self, name: str, seconds: float = 600, wait: bool = True) -> str:
        """Click into a cell and press Ctrl + Enter; what it shows when it has ended."""
        cell = self.show(name)
        cell.locator(".jp-InputPrompt").click()
        cell.press("Control+Enter")
        if wait:
            self.wait_until_done(seconds)
        return self.output(name) if wait else ""

    def resize(self, size: tuple[int, int]) -> None:
        """Make the window of this size."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.wait_for_timeout(1000)  # JupyterLab lays out anew a moment later

    def close(self) -> None:
        """End all kernels and close the window, without saving."""
        self.page.evaluate("() => window.jupyterapp.serviceManager.sessions.shutdownAll()")
        self.page.close(run_before_unload=False)

    def interrupt(self) -> None:
        """Kernel ▸ Interrupt Kernel."""
        self.menu("Kernel", "Interrupt Kernel")

    def save(self) -> None:
        """Ctrl + S, and wait until the file is written."""
        with self.page.expect_response(
            lambda response: response.request.method == "PUT" and "/api/contents" in response.url
        ):
            self.page.keyboard.press("Control+s")

    def _wait(self, condition: str, seconds: float = PATIENCE) -> None:
        self.page.wait_for_function(f"() => {condition}", timeout=seconds * 1000, polling=200)


_CODES = f"[...{_NOTEBOOK}.content.model.cells].filter(cell => cell.type === 'code')"
_COUNTS = f"{_CODES}.map(cell => cell.executionCount)"
_IDLE = (
    f"{_CODES}.every(cell => cell.executionState === 'idle')"
    f" && {_NOTEBOOK}.sessionContext.session?.kernel?.status === 'idle'"
)


#: The text of an element, and [image] for each picture, so far as they are painted.
_IN_SIGHT = """top => {
  const said = [];
  const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.parentElement.checkVisibility()) said.push(node.data.trim());
    } else if (node.matches('img, canvas, iframe, svg:not([data-icon])')) {
      if (node.checkVisibility()) said.push('[image]');
    }
  }
  return said.filter(Boolean).join(' ');
}"""


def _html(cell: dict[str, Any]) -> str:
    data = (output.get("data", {}) for output in cell["outputs"])
    return "".join("".join(one.get("text/html", ())) for one in data)


def _may_raise(cell: dict[str, Any]) -> bool:
    return "raises-exception" in cell["metadata"].get("tags", ())


def _text(output: dict[str, Any]) -> str:
    text = output.get("text") or output.get("data", {}).get("text/plain") or ""
    if output["output_type"] == "error":
        text = f"{output['ename']}: {output['evalue']}"
    return "".join(text)
