"""What is written to a terminal: notes, and where a translation looked."""

import os
import re
import shlex
import subprocess
import sys
import unicodedata
from collections.abc import Sequence
from typing import Any

from wcwidth import wcswidth

SHADES = "  ░░▒▒▓▓██"  # one of five shades, two cells wide, for a weight between 0 and 1


def width(text: str) -> int:
    """Cells that a text takes in a terminal: Hangul takes two a syllable, accents none.

    >>> width("dog"), width("학교"), width("é"), width("हिन्दी")
    (3, 4, 1, 4)
    """
    text = unicodedata.normalize("NFC", text)
    # wcwidth gives −1 for a text with a control character; here it counts as 0.
    return wcswidth("".join(c for c in text if unicodedata.category(c) != "Cc"))


def escape_control_chars(text: str) -> str:
    r"""A text that may be a stranger's, for a terminal: what would steer it is written out.

    >>> print(escape_control_chars("a \x1b[31mdog\n"))
    a \x1b[31mdog\n
    """
    return _STEERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


#: Controls but the tab, ends of lines, and halves of letters.
_STEERS = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def print_note(message: object) -> None:
    """A sentence on standard error; of the processes that torchrun started, one speaks."""
    if os.environ.get("RANK", "0") == "0":
        print(f"attnlib: {message}", file=sys.stderr)


def shell_join(words: Sequence[str]) -> str:
    """A command as one types it: a word that the shell would take apart is quoted.

    >>> shell_join(["evaluate", "runs/new"])
    'evaluate runs/new'
    """
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


def draw_alignment(weights: Any, src_tokens: Sequence[str], tgt_tokens: Sequence[str]) -> str:
    """The attention weights as a block of text: a row for each target token, dark where it looked.

    Arguments: weights (T, S), anything that can be indexed twice, each between 0 and 1;
    src_tokens, S of them, written downwards above their column; tgt_tokens, T of them.

    >>> print(draw_alignment([[1.0, 0.0], [0.2, 0.8]], ["개", "가"], ["the", "dog"]))
        개가
    the ██
    dog ░░▓▓
    """
    margin = max(map(width, tgt_tokens), default=0) + 1
    src = [unicodedata.normalize("NFC", token) for token in src_tokens]
    height = max(map(len, src), default=0)
    lines = []
    for level in range(height):
        letters = [token.rjust(height)[level] for token in src]
        lines.append(" " * margin + "".join(a + " " * (2 - width(a)) for a in letters))
    for token, row in zip(tgt_tokens, weights):
        cells = "".join(_shade(float(weight)) for weight in row)
        lines.append(token + " " * (margin - width(token)) + cells)
    return "\n".join(line.rstrip() for line in lines)


def _shade(weight: float) -> str:
    little = int(weight >= 0.05)  # but not nothing
    level = max(little, round(4 * min(max(weight, 0.0), 1.0)))
    return SHADES[2 * level : 2 * level + 2]
