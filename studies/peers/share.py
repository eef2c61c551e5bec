"""Let the environment that runs this program see the packages of another one.

    .venv/peers/bin/python studies/peers/share.py .venv/bin/python

A .pth file with the other's folder of packages: what is installed here comes first, and torch,
numpy and all else are the other's, neither downloaded twice nor of two versions.
"""

import subprocess
import sys
import sysconfig
from pathlib import Path

ASK = "import sysconfig; print(sysconfig.get_path('purelib'))"


def main(other: str) -> None:
    answer = subprocess.run([other, "-c", ASK], capture_output=True, check=True, encoding="utf-8")
    own = Path(sysconfig.get_path("purelib"))
    (own / "shared.pth").write_text(answer.stdout, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
