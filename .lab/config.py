"""JupyterLab as the book opens it: the table of contents on the left, the chapter, nothing else.

``make lab`` names this file, and so do the commands for Windows. What a reader moves around is kept
in ``.jupyter/workspaces``, which git ignores; without that folder JupyterLab opens as at first. A
reader's own settings count as everywhere.
"""

import shutil
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORKSPACES = HERE.parent / ".jupyter" / "workspaces"

if not WORKSPACES.exists():  # only the first time: afterwards it is the reader's own
    WORKSPACES.mkdir(parents=True)
    for workspace in HERE.glob("*.jupyterlab-workspace"):
        shutil.copy(workspace, WORKSPACES)

c = get_config()  # noqa: F821 (Jupyter brings it)
c.LabApp.workspaces_dir = str(WORKSPACES)
c.LabApp.app_settings_dir = str(HERE)  # overrides.json: no question about news of Jupyter
