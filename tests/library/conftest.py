"""A small table and a translator that was trained on it, for the tests of the command line."""

from pathlib import Path

import pytest
import torch

from attnlib.translator.cli.parser import main

PAIRS = [
    *("개가 잔다\tthe dog sleeps", "소가 잔다\tthe cow sleeps", "새가 운다\ta bird sings"),
    *("개가 운다\tthe dog cries", "말이 온다\tthe horse comes", "비가 온다\tit rains"),
]


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "tiny.tsv"
    path.write_text("\n".join(PAIRS), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def trained(table: Path) -> Path:
    """A folder with a translator that has seen two batches: bad, but whole."""
    folder = table.parent / "run"
    torch.set_num_threads(1)
    given = ["train", "--corpus", str(table), "--updates", "2", "--precision", "fp32"]
    assert main([*given, "--out", str(folder)]) == 0
    return folder
