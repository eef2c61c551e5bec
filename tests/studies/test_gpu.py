"""The program for the day on which a GPU is at hand, as far as a processor can try it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from attnlib.device import choose_precision

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]


def gpu(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    places = ("--file", folder / "results" / "gpu.json", "--folder", folder / "runs")
    command = [sys.executable, "-m", "studies.gpu", *map(str, places), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300)


def parts(folder: Path) -> dict:
    return json.loads((folder / "results" / "gpu.json").read_text(encoding="utf-8"))["parts"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_without_a_gpu_it_ends_in_one_sentence(tmp_path: Path) -> None:
    answer = gpu(tmp_path)
    assert answer.returncode == 2 and answer.stdout == ""
    assert answer.stderr == "torch finds no GPU of CUDA here, and nothing was measured\n"
    assert list(tmp_path.iterdir()) == []


def test_parts_are_kept_one_by_one_and_made_once(tmp_path: Path) -> None:
    cpu = ("--device", "cpu", "--tiny", "--only")
    trained = f"training quick {choose_precision(None, torch.device('cpu'))}"  # bf16 where it can
    answer = gpu(tmp_path, *cpu, trained, "search beam 128")
    assert answer.returncode == 0, answer.stderr
    found = parts(tmp_path)
    assert set(found) == {trained, "search beam 128"}
    training = found[trained]
    assert training["tokens a second"] > 0 and training["parameters"] > 0
    assert training["utilisation"] == pytest.approx(
        training["operations a second"] / training["of a large product"], abs=1e-4
    )
    assert found["search beam 128"]["sentences a second"] > 0
    again = gpu(tmp_path, *cpu, "search beam")  # the other one is left
    made = [line.partition(":")[0] for line in again.stdout.splitlines()]
    assert made == ["search beam 1024"]
    assert parts(tmp_path).items() >= found.items()


def test_a_part_for_which_there_is_no_time_is_left_and_said_to_be(tmp_path: Path) -> None:
    answer = gpu(tmp_path, "--device", "cpu", "--tiny", "--minutes", "0", "--only", "search")
    assert answer.returncode == 0 and not (tmp_path / "results").exists()
    assert "time is up with 4 parts left" in answer.stderr
