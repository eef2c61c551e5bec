"""JupyterLab as the book opens it: the table of contents on the left, the chapter, nothing else.

``make lab`` names this file, and so do the commands for Windows. What a reader moves around is kept
in ``.jupyter/workspaces``, which git ignores; without that folder JupyterLab opens as at first. A
reader's own settings count as everywhere.
"""

import atexit
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import nbformat
from jupyter_core.paths import jupyter_config_path
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from nbformat.sign import NotebookNotary
from traitlets.config import JSONFileConfigLoader

# Not resolved: what is opened is named as the reader's folder is, which may be a link to another
# place or, on Windows, a drive that stands for a folder elsewhere.
HERE = Path(os.path.abspath(__file__)).parent
BOOK = HERE.parents[1]
WORKSPACES = BOOK / ".jupyter" / "workspaces"
TRUSTED = BOOK / ".jupyter" / "trusted"  # its time: when chapters were trusted last


def own_workspaces():
    """Where this reader's arrangement is kept: what the book begins with, only the first time.

    Where the book may only be read, in a folder that is thrown away afterwards.
    """
    if not WORKSPACES.exists():
        with suppress(OSError):
            arrange(WORKSPACES)
    if os.access(WORKSPACES, os.W_OK):
        return WORKSPACES
    print(
        f"{BOOK} may only be read: what you write is lost unless you copy it to a place of yours."
    )
    place = Path(tempfile.mkdtemp(prefix="attnbook-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    arrange(place)
    return place


def arrange(place):
    """Put into a folder how JupyterLab opens at first."""
    place.mkdir(parents=True, exist_ok=True)
    for workspace in HERE.glob("*.jupyterlab-workspace"):
        shutil.copy(workspace, place)


def as_delivered(paths):
    """Those that git knows and finds unchanged; without git all, but only the first time."""
    lists = []
    try:
        for asked in (
            ["ls-files", "chapters"],
            ["diff", "--name-only", "--relative", "HEAD", "chapters"],
        ):
            command = ["git", "-C", str(BOOK), *asked]
            said = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
            lists.append(said.splitlines())
    except (OSError, subprocess.CalledProcessError):
        return [] if TRUSTED.exists() else paths
    known, changed = map(set, lists)
    return [path for path in paths if path.relative_to(BOOK).as_posix() in known - changed]


def trust_chapters():
    """Let JupyterLab show the drawings and live views that a chapter came with.

    Of a notebook that it does not trust it shows no SVG and runs no script until its cells are run.
    What a reader, or somebody else, has changed or laid beside the chapters is not trusted here.
    """
    last = TRUSTED.stat().st_mtime if TRUSTED.exists() else 0
    chapters = [*BOOK.glob("chapters/*.ipynb"), *BOOK.glob("chapters/solutions/*.ipynb")]
    newer = [path for path in chapters if path.stat().st_mtime > last]
    notary = NotebookNotary()
    for path in as_delivered(newer) if newer else []:
        notary.sign(nbformat.read(path, as_version=4))
    with suppress(OSError):  # then they are looked at again the next time
        TRUSTED.parent.mkdir(exist_ok=True)
        TRUSTED.touch()


try:
    trust_chapters()
except (OSError, ValueError) as problem:
    print(f"The chapters are shown without their drawings until they are run: {problem}")

# Threads that wait for each other look for a moment and then sleep, as in the Makefile: a browser
# wants the cores, too, and threads that only look made a training many times slower. (For kernels.)
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("GOMP_SPINCOUNT", "1000")

c = get_config()  # noqa: F821 (Jupyter brings it)

# A server that is given a file reads no jupyter_server_config: a reader's port or password, say.
for folder in map(Path, reversed(jupyter_config_path())):
    if (folder / "jupyter_server_config.py").is_file():
        load_subconfig("jupyter_server_config.py", path=str(folder))  # noqa: F821
    if (folder / "jupyter_server_config.json").is_file():
        c.merge(JSONFileConfigLoader("jupyter_server_config.json", str(folder)).load_config())


class Chapters(AsyncLargeFileManager):
    """Files of notebooks without the version of Python that opens them.

    A chapter that is opened and saved is then the same file everywhere. JupyterLab is told the
    version: where it heard it from the kernel first, every chapter counted as changed from its
    opening on, and closing it asked whether to save.
    """

    async def get(self, *asked, **options):
        model = await super().get(*asked, **options)
        language = language_of(model)
        if language.get("name") == "python":
            language["version"] = platform.python_version()
        return model

    async def save(self, model, path=""):
        language_of(model).pop("version", None)
        return await super().save(model, path)


def language_of(model):
    """What a notebook says of its language; of anything else than a whole notebook, nothing."""
    if model.get("type") != "notebook" or not model.get("content"):
        return {}
    return model["content"]["metadata"].get("language_info", {})


# In JupyterLab's terminals `python` is the one that has the book.
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
c.ServerApp.root_dir = str(BOOK)  # links of chapters to data, library and pages open
c.ServerApp.contents_manager_class = Chapters
c.LabApp.workspaces_dir = str(own_workspaces())
c.LabApp.app_settings_dir = str(HERE)  # overrides.json: no question about news of Jupyter
c.LabApp.extra_labextensions_path = [str(HERE / "extensions")]  # see look.js
