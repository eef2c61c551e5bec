"""A new environment in a folder of its own, without the checkout.

Only the packages of others come from the environment that runs the tests, by a path in a .pth file.
Such a path is no site directory: .pth files that lie there, and with them an editable attnlib, are
not followed.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import nbformat
from nbformat import NotebookNode

_RUN = """
import sys
from pathlib import Path
import nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, kernel_name="python3", timeout=300).execute()
nbformat.write(notebook, sys.argv[1])
"""


class CleanEnvironment:
    """An environment with the packages of others, and a working directory beside it."""

    def __init__(self, folder: Path) -> None:
        self.workdir = folder / "work"
        self.workdir.mkdir()
        venv.create(folder / "env", symlinks=os.name != "nt")
        self.programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.programs / ("python.exe" if os.name == "nt" else "python")
        # Nothing of the checkout or of the user may lead back to it, nor to another's kernels.
        names = ("PYTHONPATH", "VIRTUAL_ENV", "JUPYTER_PATH", "IPYTHONDIR")
        self.variables = {k: v for k, v in os.environ.items() if k not in names}
        self.variables |= {"JUPYTER_DATA_DIR": str(folder / "jupyter"), "PYTHONNOUSERSITE": "1"}
        self.variables |= {"PYTHONUTF8": "1", "OMP_NUM_THREADS": "1"}
        here = {sysconfig.get_path(kind) for kind in ("purelib", "platlib")}
        self.site = Path(self.output_of("import sysconfig; print(sysconfig.get_path('purelib'))"))
        (self.site / "others.pth").write_text("\n".join(sorted(here)) + "\n", encoding="utf-8")

    def install(self, wheel: Path) -> None:
        """Install a wheel without its dependencies."""
        install = ["install", "--no-deps", "--no-index", "--quiet", "--no-cache-dir", str(wheel)]
        pip = [sys.executable, "-m", "pip", "--python", str(self.python)]
        subprocess.run([*pip, *install], check=True, env=self.variables, cwd=self.workdir)

    def run(self, *command: str | Path) -> str:
        """The standard output of a command in the working directory."""
        run = subprocess.run(
            [str(word) for word in command],
            cwd=self.workdir,
            env=self.variables,
            capture_output=True,
            encoding="utf-8",
        )
        assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-4000:]
        return run.stdout

    def output_of(self, program: str) -> str:
        """What a program of a line or two prints."""
        return self.run(self.python, "-c", program).strip()

    def write_notebook(self, cells: list[NotebookNode], name: str) -> Path:
        """Write a notebook of these cells into the working directory."""
        kernel = {"name": "python3", "display_name": "Python 3"}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        nbformat.write(notebook, self.workdir / name)
        return self.workdir / name

    def run_notebook(self, cells: list[NotebookNode], name: str) -> list[NotebookNode]:
        """The cells of a notebook, run in the working directory."""
        path = self.write_notebook(cells, name)
        self.run(self.python, "-c", _RUN, name)
        return nbformat.read(path, as_version=4).cells
