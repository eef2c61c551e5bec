"""JupyterLab as the book opens it: the table of contents on the left, the chapter, nothing else.

``make lab`` names this file, and so do the commands for Windows. What a reader moves around is kept
in ``.jupyter/workspaces``, which git ignores; without that folder JupyterLab opens as at first. A
reader's own settings count as everywhere.
"""

import shutil
from pathlib import Path

from jupyter_core.paths import jupyter_config_path
from traitlets.config import JSONFileConfigLoader

HERE = Path(__file__).resolve().parent
WORKSPACES = HERE.parent / ".jupyter" / "workspaces"

if not WORKSPACES.exists():  # only the first time: afterwards it is the reader's own
    WORKSPACES.mkdir(parents=True)
    for workspace in HERE.glob("*.jupyterlab-workspace"):
        shutil.copy(workspace, WORKSPACES)

c = get_config()  # noqa: F821 (Jupyter brings it)

# A server that is given a file reads no jupyter_server_config: a reader's port or password, say.
for folder in map(Path, reversed(jupyter_config_path())):
    if (folder / "jupyter_server_config.py").is_file():
        load_subconfig("jupyter_server_config.py", path=str(folder))  # noqa: F821
    if (folder / "jupyter_server_config.json").is_file():
        c.merge(JSONFileConfigLoader("jupyter_server_config.json", str(folder)).load_config())

c.LabApp.workspaces_dir = str(WORKSPACES)
c.LabApp.app_settings_dir = str(HERE)  # overrides.json: no question about news of Jupyter
