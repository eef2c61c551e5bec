"""The machine of a measurement, and what a result is kept with."""

import os
import platform
import re
import subprocess
from pathlib import Path
from typing import Any

import torch

FLAGS = ("avx2", "avx512f", "avx512_bf16", "amx_tile", "amx_bf16")
ROOT = Path(__file__).parents[1]


def processor(info: str) -> dict[str, Any]:
    """Model and the instruction sets that matter, from the text of /proc/cpuinfo.

    >>> processor("model name\\t: A Processor\\nflags\\t: fpu avx2 amx_tile")
    {'model': 'A Processor', 'flags': ['avx2', 'amx_tile']}
    """
    model = re.search(r"^model name\s*:\s*(.*)$", info, re.M)
    flags = re.search(r"^flags\s*:\s*(.*)$", info, re.M)
    known = flags[1].split() if flags else []
    return {
        "model": model[1].strip() if model else platform.processor() or platform.machine(),
        "flags": [flag for flag in FLAGS if flag in known],
    }


def describe(avx2: bool) -> dict[str, Any]:
    """Processor, torch, commit of attnlib; ``avx2``: what else the processor has was not used."""
    file = Path("/proc/cpuinfo")
    info = file.read_text(encoding="utf-8") if file.exists() else ""
    return {
        "processor": processor(info),
        "imitated": "AVX2 alone" if avx2 else None,
        "cores": os.cpu_count(),
        "threads": 1,
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "torch": torch.__version__,
        "attnlib": commit(),
    }


def commit() -> str | None:
    """The last commit that changed attnlib, with a + where its files differ from it."""
    questions = ["log", "-1", "--format=%h", "--"], ["status", "--porcelain", "--"]
    try:
        outputs = [
            subprocess.run(
                ["git", *words, "attnlib"],
                cwd=ROOT,
                capture_output=True,
                check=True,
                encoding="utf-8",
            ).stdout.strip()
            for words in questions
        ]
    except (OSError, subprocess.CalledProcessError):
        return None  # no git here, or no repository
    return outputs[0] + ("+" if outputs[1] else "")
