"""What an answer uses although no answer needs it, and what could reach into the judge.

It says what a teacher should read first, and it is read from the source: whoever wants to hide
something can. That nothing is found promises nothing.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable

#: All that answers need of Python's own modules; the others reach files, processes or frames.
_USUAL = re.compile(
    "__future__|abc|array|bisect|cmath|collections|contextlib|copy|dataclasses|decimal|enum|"
    "fractions|functools|heapq|itertools|json|math|numbers|operator|pprint|random|re|statistics|"
    "string|textwrap|time|typing|unicodedata|warnings"
)
#: Other people's modules that know frames, processes or the notebook.
_DEEP = re.compile("IPython|cffi|ipykernel|pip|pkg_resources|psutil|setuptools")
_NAMES = re.compile(
    "__.*|breakpoint|compile|delattr|eval|exec|get_ipython|getattr|globals|locals|open|setattr|vars"
)
#: Modules that others hold as an attribute (torch.os), ways to an attribute by its name, frames,
#: what attnbook calls its exercises, and whatever somebody calls private.
_ATTRIBUTES = re.compile(
    "asyncio|builtins|ctypes|ctypeslib|gc|importlib|inspect|io|marshal|multiprocessing|os|pathlib|"
    "pickle|posix|runpy|shutil|socket|subprocess|sys|tempfile|threading|traceback|"
    "attrgetter|get_field|methodcaller|library|open|"
    "ag_frame|cr_frame|f_back|f_builtins|f_globals|f_locals|gi_code|gi_frame|tb_frame|tb_next|"
    "all_exercises|checks|exercises|reference|_.*"
)
#: Of classes, as learners write them; others can make an object that is equal to everything.
_METHODS = re.compile("__(init|call|getitem|len|iter|next|repr|str|name|doc)__")
_SETTINGS = {"data", "grad", "requires_grad"}  # attributes of a tensor that are set


def suspicious(statements: Iterable[ast.stmt]) -> list[str]:
    """What in the statements of an answer no answer needs."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    marks = [node._mark for node in nodes if hasattr(node, "_mark")]
    of_marks = {id(part) for mark in marks for part in ast.walk(mark)}
    books = {
        (alias.asname or alias.name).partition(".")[0]
        for node in nodes
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
        if f"{getattr(node, 'module', None) or alias.name}.".startswith("attnbook.")
    }
    books |= {"exercise"} if "*" in books else set()
    found: set[str] = set()
    for node in nodes:
        if id(node) in of_marks:
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {module for module in _modules(node) if _is_deep(module)}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            # @exercise gives back the book's own function where an answer is blank.
            deep = _NAMES.fullmatch(node.id) and not _METHODS.fullmatch(node.id)
            if deep or node.id in books:
                found.add(node.id)
        elif isinstance(node, ast.Attribute):
            if _is_hidden(node.attr):
                found.add(node.attr)
            elif not isinstance(node.ctx, ast.Load) and not _is_own(node):
                found.add(ast.unparse(node))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.name.startswith("__") and not _METHODS.fullmatch(node.name):
                found.add(node.name)
        elif isinstance(node, ast.MatchClass):
            found |= {name for name in node.kwd_attrs if _is_hidden(name)}
    return sorted(found)


def _modules(node: ast.Import | ast.ImportFrom) -> set[str]:
    """What is imported, with the names that are taken out of attnbook."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    module = node.module or ""
    if module.partition(".")[0] != "attnbook":
        return {module}
    names = {alias.name for alias in node.names} - {"exercise"}
    if "." in module:
        return {module} if names else set()
    return {f"{module}.{name}" for name in names - {"*"}}


def _is_deep(module: str) -> bool:
    top = module.partition(".")[0]
    return (
        module.startswith("attnbook.")
        or bool(_DEEP.fullmatch(top))
        or (top in sys.stdlib_module_names and not _USUAL.fullmatch(top))
    )


def _is_hidden(attribute: str) -> bool:
    return bool(_ATTRIBUTES.fullmatch(attribute)) and not _METHODS.fullmatch(attribute)


def _is_own(node: ast.Attribute) -> bool:
    """Whether what is set belongs to a tensor or to an object of the learner's own class."""
    own = isinstance(node.value, ast.Name) and node.value.id == "self"
    return own or node.attr in _SETTINGS
