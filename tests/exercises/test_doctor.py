"""What `python -m attnlib doctor` looks at, and the remedy it knows where something is off."""

import importlib.metadata
import os
from pathlib import Path

import pytest

from attnbook import doctor
from attnlib.translator.cli.parser import main

Captured = pytest.CaptureFixture[str]


def test_doctor_prints_a_line_each_and_a_remedy_where_something_is_off(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path
) -> None:
    monkeypatch.setenv("ATTNLIB_DATA", str(tmp_path))
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for what in ("python", "attnlib", "torch", "device", "threads", "precision", "fonts", "cache"):
        assert [line.split()[0] for line in lines if line.split()[1] == what] == ["ok"]

    here = importlib.metadata.version
    for name, status in (("jupyterlab", 0), ("numpy", 1)):  # the library works without the first

        def version(asked: str, name: str = name) -> str:
            if asked == name:
                raise importlib.metadata.PackageNotFoundError
            return here(asked)

        monkeypatch.setattr(importlib.metadata, "version", version)
        assert main(["doctor"]) == status
        assert f"!! {name:<20} not installed → " in capsys.readouterr().out


def test_doctor_checks_every_package_that_the_book_needs_and_jupyterlab_alone_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    remedies: dict[str, str] = {}

    def noted(requirement: doctor.Requirement, remedy: str) -> doctor.Finding:
        remedies[requirement.name] = remedy
        return doctor.Finding(requirement.name, "")

    monkeypatch.setattr(doctor, "package", noted)
    assert [finding.subject for finding in doctor.packages()] == ["attnlib", *remedies]
    assert remedies.pop("jupyterlab") == 'only for notebooks: pip install "attnlib[lab]"'
    assert {"torch", "numpy", "sacrebleu"} <= set(remedies) and "pytest" not in remedies
    assert set(remedies.values()) == {"pip install -e ."}


def test_doctor_knows_a_remedy_for_old_and_missing_packages() -> None:
    old = doctor.package(doctor.Requirement("numpy>=99"), "do this")
    missing = doctor.package(doctor.Requirement("no-such-package"), "do that")
    assert old.hint == "do this" and ", not >=99" in old.result
    assert missing == ("no-such-package", "not installed", "do that")


def test_doctor_knows_a_remedy_for_one_thread_and_for_a_cache_that_cannot_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setattr(doctor.os, "sched_getaffinity", lambda pid: {0, 1}, raising=False)
    monkeypatch.setattr(doctor.torch, "get_num_threads", lambda: 1)
    remedy = "unset OMP_NUM_THREADS to use them all"
    assert doctor.threads() == ("threads", "1 of 2 cores", remedy)
    monkeypatch.setattr(doctor.os, "sched_getaffinity", lambda pid: {0}, raising=False)
    assert doctor.threads() == ("threads", "1 of 1 cores", "")
    monkeypatch.delattr(doctor.os, "sched_getaffinity", raising=False)  # macOS and Windows
    monkeypatch.setattr(doctor.os, "cpu_count", lambda: 8)
    assert doctor.threads() == ("threads", "1 of 8 cores", remedy)
    monkeypatch.setattr(doctor.torch, "get_num_threads", lambda: 2)
    assert doctor.threads() == ("threads", "2 of 8 cores", "")
    monkeypatch.delenv("OMP_NUM_THREADS")
    monkeypatch.setattr(doctor.torch, "get_num_threads", lambda: 1)
    assert doctor.threads() == ("threads", "1 of 8 cores", "")
    (tmp_path / "file").touch()
    monkeypatch.setenv("ATTNLIB_DATA", str(tmp_path / "file" / "cache"))
    assert "ATTNLIB_DATA" in doctor.cache().hint
    if os.path.isdir("/proc"):  # where even root can write nothing: there was "less than 1 GB free"
        monkeypatch.setenv("ATTNLIB_DATA", "/proc/attnlib")
        _, found, remedy = doctor.cache()
        assert "cannot be written" in found and remedy.endswith("variable ATTNLIB_DATA")


def test_doctor_asks_of_the_cache_what_is_there_and_whether_the_rest_would_fit(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder, paths = tmp_path / "not" / "yet", list[Path]()
    monkeypatch.setenv("ATTNLIB_DATA", str(folder))
    monkeypatch.setattr(doctor, "MULTI30K_SHA256", {"a.gz": "", "b.gz": ""})

    def finding(free: int) -> doctor.Finding:
        usage = type("Usage", (), {"free": free})
        monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: paths.append(path) or usage)
        return doctor.cache()

    gigabyte = doctor.GIGABYTE
    start = f"{folder} with 0 of 2 files of Multi30k"
    assert finding(gigabyte) == ("cache", f"{start} (downloaded when first used)", "")
    assert paths == [folder]
    tight = finding(gigabyte - 1)
    assert tight == ("cache", f"{start}, less than 1 GB free", "make room on that disk")
    (folder / "multi30k").mkdir(parents=True)
    for number, name in enumerate(("a.gz", "b.gz"), 1):
        (folder / "multi30k" / name).touch()
        assert f"with {number} of 2 files" in finding(0).result
    assert finding(0).hint == "", "nothing is left to download"
