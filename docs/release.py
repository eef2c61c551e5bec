"""Lay out what readers download: make release, or python -m docs.release

dist/ receives the book as a PDF, the web edition and the notebooks as ZIPs, each under the name of
this version, and their checksums; `sha256sum -c SHA256SUMS` compares them. The same commit gives
the same bytes, the PDF with the same Chromium and fonts.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from .links import PROJECT, ROOT, SiteError
from .paper import HTML, PDF

DIST = ROOT / "dist"
NAME = f"attention-{PROJECT['version']}"
SUMS = "SHA256SUMS"


def zip_folder(folder: Path, target: Path, top: str) -> None:
    """Pack a folder below one of the name top: sorted, and without times, so that the same files
    give the same bytes."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"{top}/{path.relative_to(folder).as_posix()}")
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            packed.writestr(entry, path.read_bytes())


def git(*arguments: str) -> str:
    """What git answers about this repository."""
    command = ["git", "-C", str(ROOT), *arguments]
    env = {**os.environ, "TZ": "UTC"}  # a ZIP has local times
    try:
        return subprocess.check_output(command, encoding="utf-8", env=env)
    except (OSError, subprocess.CalledProcessError) as problem:
        raise SiteError(f"the notebooks are packed from a clone by git, and {problem}") from None


def zip_notebooks(target: Path) -> None:
    """Pack the repository as it is at this commit: all that `make lab` needs."""
    if changed := git("status", "--porcelain", "--untracked-files=no").splitlines():
        raise SiteError(
            f"{changed[0][3:]} is not as in the last commit, and a release is of a commit: commit"
            " it, or take it back"
        )
    git("archive", "--format=zip", f"--prefix={NAME}/", f"--output={target}", "HEAD")


def release(dist: Path) -> list[Path]:
    """Write the files of a release, and return them. Nothing is replaced before all are there."""
    for needed, how in ((HTML / "index.html", "make site"), (PDF, "python -m docs.paper")):
        if not needed.is_file():
            raise SiteError(f"{needed.relative_to(ROOT)} is not there: {how} writes it")
    new = dist / ".new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        shutil.copyfile(PDF, new / f"{NAME}.pdf")
        zip_folder(HTML, new / f"{NAME}-web.zip", f"{NAME}-web")
        zip_notebooks(new / f"{NAME}-notebooks.zip")
        made = sorted(new.iterdir())
        sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in made]
        text = "\n".join(sums) + "\n"
        (new / SUMS).write_text(text, encoding="utf-8", newline="\n")
        return [path.replace(dist / path.name) for path in (*made, new / SUMS)]
    finally:
        shutil.rmtree(new)


def main() -> int:
    try:
        made = release(DIST)
    except SiteError as problem:
        print(f"make release: {problem}", file=sys.stderr)
        return 1
    for path in made:
        print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
