"""The statements of a cell: what they define, the names they bind and those they read.

All this takes time that grows with the length of a cell and no faster: it is done in the process
of the grader, where nothing limits it.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterator

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef  # the engine refuses classes
MAX_CELL_CHARS = 150_000  # Python 3.10 crashes where 100,000 operators are nested
_INSIDE = (ast.stmt, ast.excepthandler, ast.match_case)
_DEFINED = re.compile(r"(?:(?:async\s+)?def|class)\s+(\w+)")
#: A line that is IPython's and not Python's: %magic, !command, help?, name = !command.
_MAGIC = re.compile(r"([\w, ]+=)\s*[%!]\S|[%!?]|[\w.*]+\?\??\s*$")


def marked_names(source: str, marks: set[str]) -> list[str]:
    """The names of marked definitions in a text that is not to be parsed."""
    names, marked = [], False
    for line in source.split("\n"):
        line = line.strip()
        if line.startswith("@"):
            marked |= line[1:].partition("(")[0].strip() in marks
        elif match := _DEFINED.match(line):
            names += [match[1]] if marked else []
            marked = False
    return names


def parse_cell(source: str) -> list[ast.stmt]:
    """The statements of a cell that can be looked at, each with one import at most.

    Raises SyntaxError where there are none.
    """
    if len(source) > MAX_CELL_CHARS:
        raise SyntaxError(f"longer than {MAX_CELL_CHARS:,} letters")
    try:
        body = ast.parse(source).body
    except SyntaxError:
        body = ast.parse(_without_magics(source)).body
    body = [part for node in body for part in _split_import(node)]
    for node in body:
        names_of(node)  # raises where the code is not valid Python
    return body


def _without_magics(source: str) -> str:
    """A cell in whose magics nothing is done; no answer is judged by what they do.

    >>> _without_magics("%matplotlib inline\\nfiles = !ls\\nx = 7 % 2")
    'pass\\nfiles = None\\nx = 7 % 2'
    """
    from IPython.core.inputtransformer2 import classic_prompt, ipython_prompt, leading_indent

    lines = source.splitlines(keepends=True)
    for mend in (leading_indent, classic_prompt, ipython_prompt):  # as pasted from a console
        lines = mend(lines)
    lines = "".join(lines).split("\n")
    continues = False
    for number, line in enumerate(lines):
        if continues:  # a command of several lines
            lines[number] = ""
        elif match := _MAGIC.match(line.lstrip()):
            indent = line[: len(line) - len(line.lstrip())]
            lines[number] = indent + (f"{match[1]} None" if match[1] else "pass")
        else:
            continue
        continues = line.endswith("\\")
    return "\n".join(lines)


def _split_import(node: ast.stmt) -> list[ast.stmt]:
    """An import of several names as several imports: an answer uses one and not the other."""
    if not isinstance(node, (ast.Import, ast.ImportFrom)) or len(node.names) == 1:
        return [node]
    parts = [{**dict(ast.iter_fields(node)), "names": [name]} for name in node.names]
    return [ast.copy_location(type(node)(**part), node) for part in parts]


def definitions(node: ast.stmt) -> Iterator[tuple[Definition, str]]:
    """The functions and classes that a statement defines, and the word under which each stands."""
    waiting: list[tuple[ast.AST, str]] = [(node, "")]
    while waiting:
        current, inside = waiting.pop()
        if isinstance(current, Definition):
            yield current, inside
            inside = "class" if isinstance(current, ast.ClassDef) else "def"
        elif isinstance(current, ast.stmt) and inside not in ("class", "def"):
            inside = type(current).__name__.lower()  # if, try, with ...
        inner = [child for child in ast.iter_child_nodes(current) if isinstance(child, _INSIDE)]
        waiting += [(child, inside) for child in reversed(inner)]


def names_of(node: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a statement binds in the notebook, and those that it reads there."""
    if (names := getattr(node, "_names", None)) is None:
        top = symtable.symtable(ast.unparse(node), "cell", "exec")
        binds = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
        reads = {s.get_name() for s in top.get_symbols() if s.is_referenced()}
        names = node._names = (frozenset(binds), frozenset(reads | _globals(top)))  # type: ignore[attr-defined]
    return names


def _globals(table: symtable.SymbolTable) -> set[str]:
    names: set[str] = set()
    for child in table.get_children():
        names |= {s.get_name() for s in child.get_symbols() if s.is_global()} | _globals(child)
    return names


def imports_all(node: ast.stmt) -> bool:
    future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
    return future or is_star(node)


def is_star(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def dotted(node: ast.AST) -> str:
    """``a.b`` where a node is that; empty else."""
    words = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(words)]) if isinstance(node, ast.Name) else ""
