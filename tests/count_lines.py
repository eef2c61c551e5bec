"""Lines of code by package, tokens per line, and the length of each notebook: `make size`.

There is no limit. What is above an aim is marked, so that one asks what can go instead.
"""

import ast
import io
import json
import re
import subprocess
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULE, FUNCTION = 250, 40  # lines of code, the aims for attnlib and attnbook
#: What is counted of a notebook. Words count outside folds, lines where the code is not collapsed,
#: and cells that only check or install are no part of it.
UNITS = ("words", "code cells", "lines", "figures")
#: The aims for a notebook, which is one sitting: the main line, side paths (01b), and the start.
MAIN_LINE = {"words": 2500, "code cells": 36}
SIDE_PATH = {"words": 1700, "code cells": 28}
START = {"words": 1600, "code cells": 36}
#: The two parts of attnlib: what chapters teach, and what makes a tool of it. The longest beginning
#: of a path counts.
PARTS = {
    "attnlib/": "taught",
    "attnlib/data/sources/": "tool",
    "attnlib/translator/": "tool",
    "attnlib/files.py": "tool",
    "attnlib/__main__.py": "tool",
}
AIMS = {"taught": 2800, "tool": 1500}
NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENCODING, tokenize.ENDMARKER),
}


def code_tokens(source: str) -> list[tokenize.TokenInfo]:
    """Tokens of code: no blank lines, comments or docstrings (which the book wants long)."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            docstrings |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [t for t in tokens if t.type not in NO_CODE and t.start[0] not in docstrings]


def code_lines(source: str) -> set[int]:
    """Lines that hold code."""
    return {n for t in code_tokens(source) for n in range(t.start[0], t.end[0] + 1)}


def functions(source: str) -> dict[str, int]:
    """The lines of code of each function, signature included, under its name with its class."""
    lines = code_lines(source)
    found = {}

    def visit(node: ast.AST, inside: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = inside
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                name = f"{inside}{child.name}."
                if not isinstance(child, ast.ClassDef):
                    own = range(child.lineno, (child.end_lineno or 0) + 1)
                    found[name[:-1]] = len(lines & set(own))
            visit(child, name)

    visit(ast.parse(source), "")
    return found


def package(path: str) -> str:
    """attnlib/search, attnbook/views, attnbook (its own modules), tests, chapters, …"""
    first, *rest = path.split("/")
    return f"{first}/{rest[0]}" if first in ("attnlib", "attnbook") and rest[1:] else first


def parts(sources: dict[str, str]) -> Counter[str]:
    """The lines of code of each part of attnlib."""
    lines: Counter[str] = Counter()
    for path, source in sources.items():
        if starts := [start for start in PARTS if path.startswith(start)]:
            lines[PARTS[max(starts, key=len)]] += len(code_lines(source))
    return lines


def sizes(sources: dict[str, str]) -> dict[str, Counter[str]]:
    """Package → its lines and tokens, of files by their paths."""
    found: dict[str, Counter[str]] = {}
    for path, source in sources.items():
        size = {"lines": len(code_lines(source)), "tokens": len(code_tokens(source))}
        found.setdefault(package(path), Counter()).update(size)
    return found


def sitting(notebook: str) -> Counter[str]:
    """What a notebook, as JSON, asks of its reader, in UNITS."""
    found: Counter[str] = Counter()
    for cell in json.loads(notebook)["cells"]:
        source, hidden = "".join(cell["source"]), cell["metadata"].get("jupyter", {})
        if cell["cell_type"] == "markdown":
            open_text = re.sub(r"<details>.*?</details>", "", source, flags=re.DOTALL)
            found["words"] += sum(bool(re.search(r"\w", word)) for word in open_text.split())
            continue
        if cell["id"] == "colab" or "check" in cell["metadata"].get("tags", ()):
            continue
        found["code cells"] += 1
        if not hidden.get("source_hidden"):
            found["lines"] += sum(bool(line.strip()) for line in source.splitlines())
        found["figures"] += any("image/png" in out.get("data", {}) for out in cell["outputs"])
    return found


def marked(notebook: str, found: Counter[str]) -> list[str]:
    """The sizes of a notebook, those above its aim with a star."""
    number = notebook.partition("_")[0]
    aims = START if number == "00" else MAIN_LINE if number.isdigit() else SIDE_PATH
    return [f"{found[u]:,}" + "*" * (u in aims and found[u] > aims[u]) for u in UNITS]


def main() -> None:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    files = [path for path in listed.splitlines() if (ROOT / path).is_file()]
    sources = {path: (ROOT / path).read_text(encoding="utf-8") for path in files}
    print(f"{'package':22}{'lines':>8}{'tokens per line':>16}")
    for name, size in sorted(sizes(sources).items()):
        lines, tokens = size["lines"], size["tokens"]
        print(f"{name:22}{lines:8}{tokens / max(1, lines):16.1f}")
    for name, lines in parts(sources).items():
        print(f"attnlib, {name}: {lines:,} lines of code; the aim is {AIMS[name]:,}")
    print(f"Above the aims, {MODULE} lines per module and {FUNCTION} per function:")
    for path, source in sources.items():
        if path.startswith(("attnlib/", "attnbook/")):
            if (lines := len(code_lines(source))) > MODULE:
                print(f"{lines:6}  {path}")
            for name, lines in functions(source).items():
                if lines > FUNCTION:
                    print(f"{lines:6}  {path}: {name}")
    print("\nnotebook" + " " * 16 + "".join(f"{unit:>12}" for unit in UNITS))
    total: Counter[str] = Counter()
    for notebook in sorted((ROOT / "chapters").glob("[01]*.ipynb")):
        found = sitting(notebook.read_text(encoding="utf-8"))
        total.update(found)
        print(f"{notebook.stem:24}" + "".join(f"{n:>12}" for n in marked(notebook.stem, found)))
    print(f"{'all':24}" + "".join(f"{total[unit]:>12,}" for unit in UNITS))
    for name, aims in (("main line", MAIN_LINE), ("side paths", SIDE_PATH), ("00", START)):
        print(f"* above the aim, {name}: " + ", ".join(f"{n:,} {unit}" for unit, n in aims.items()))


if __name__ == "__main__":
    main()
