"""What a reader has set for every JupyterLab also holds in the book's, which has its own file."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from programs import ROOT

THEIRS = {
    "jupyter_lab_config.py": "c.ServerApp.port = 9001",
    "jupyter_server_config.py": "c.ServerApp.open_browser = False",
    "jupyter_server_config.json": '{"ServerApp": {"iopub_msg_rate_limit": 77}}',
}


def test_settings_of_the_reader_hold_in_the_book(tmp_path: Path) -> None:
    for name, text in THEIRS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    book = shutil.copytree(ROOT / ".lab", tmp_path / "book" / ".lab")
    command = [sys.executable, "-m", "jupyterlab", f"--config={book / 'config.py'}"]
    variables = {**os.environ, "JUPYTER_CONFIG_DIR": str(tmp_path)}
    shown = subprocess.run(
        [*command, "--show-config-json"],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
    )
    found = json.loads(shown.stdout)
    assert found["ServerApp"]["port"] == 9001
    assert found["ServerApp"]["open_browser"] is False
    assert found["ServerApp"]["iopub_msg_rate_limit"] == 77
    assert Path(found["LabApp"]["app_settings_dir"]) == book
