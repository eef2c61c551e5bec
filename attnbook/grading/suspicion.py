"""What an answer uses although no answer needs it, and what could reach into the judge.

It says what a teacher should read first, and it is read from the source: whoever wants to hide
something can. That nothing is found promises nothing.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.machinery import PathFinder
from types import CodeType
from typing import Any

from .statements import dotted, is_star

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
    "all_exercises|checks|exercises|reference|_.*|"
    # What reads a file, or runs code that lies in one.
    "load|loadtxt|load_(file|inline|library|state_dict_from_url|url)|hub|package|cpp_extension|"
    "model_zoo|serialization|from_?file|fromregex|genfromtxt|memmap|open_memmap|imread|safe_open|"
    "read_(bytes|csv|excel|feather|hdf|json|parquet|pickle|table|text)"
)
#: Where the answer to an exercise may lie ready: the library of the book, sacreBLEU, and of torch
#: what is more than a step of a formula.
_READY = re.compile(
    r"attnlib\.(\w+\.)*\w*[a-z]\w*|sacrebleu\..*|torch\.(optim\..*|(lstm|gru|rnn_tanh|rnn_relu)(_cell)?)|"
    r"torch\.nn\.(?!functional\.|init\.|Module$|Parameter$).*|"
    r"torch\.nn\.functional\.(\w*scaled_dot_product_attention|multi_head\w*|cross_entropy|\w+_loss)"
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
    names_found: set[str] = set()
    for node in nodes:
        if id(node) in of_marks:
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names_found |= {module for module in _modules(node) if _is_deep(module)}
            names_found |= {name for name in _parts(node) if _is_hidden(name)}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            # @exercise gives back the book's own function where an answer is blank.
            deep = _NAMES.fullmatch(node.id) and not _METHODS.fullmatch(node.id)
            if deep or node.id in books:
                names_found.add(node.id)
        elif isinstance(node, ast.Attribute):
            if _is_hidden(node.attr):
                names_found.add(node.attr)
            elif not isinstance(node.ctx, ast.Load) and not _is_own(node):
                names_found.add(ast.unparse(node))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.name.startswith("__") and not _METHODS.fullmatch(node.name):
                names_found.add(node.name)
        elif isinstance(node, ast.MatchClass):
            names_found |= {name for name in node.kwd_attrs if _is_hidden(name)}
    return sorted(names_found)


def ready(statements: Iterable[ast.stmt], reference: Callable[..., Any]) -> list[str]:
    """What an answer uses that may be the answer: of a library, and not used by the book's own.

    Classes are left out: those of a chapter use torch.nn as they should.
    """
    usual = _names_used(inspect.unwrap(reference).__code__)  # type: ignore[attr-defined]
    nodes = [
        node
        for statement in statements
        if not isinstance(statement, ast.ClassDef)
        for node in ast.walk(statement)
    ]
    bindings: dict[str, str] = {}
    for node in nodes:
        bindings.update(_bound(node, bindings))
    inner = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    names_found = set()
    for node in nodes:
        root, dot, rest = dotted(node).partition(".")
        if root in bindings and id(node) not in inner:
            name = bindings[root] + dot + rest
            if _READY.fullmatch(name) and name.rpartition(".")[2] not in usual:
                names_found.add(name)
    return sorted(names_found)


def _names_used(code: CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names_used, inner))


def _bound(node: ast.AST, bindings: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The names that an import or ``name = module.name`` binds, with what each stands for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            top = alias.name.partition(".")[0]
            yield (alias.asname, alias.name) if alias.asname else (top, top)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        names = [alias.name for alias in node.names]
        if is_star(node) and f"{node.module}.".startswith("attnlib."):
            names = dir(importlib.import_module(node.module))
        aliases = [alias.asname or alias.name for alias in node.names]
        for name, own in zip(names, aliases if len(aliases) == len(names) else names):
            yield own, f"{node.module}.{name}"
    elif isinstance(node, ast.Assign) and len(node.targets) == 1:
        target, (root, dot, rest) = node.targets[0], dotted(node.value).partition(".")
        if isinstance(target, ast.Name) and root in bindings:
            yield target.id, bindings[root] + dot + rest


def _parts(node: ast.Import | ast.ImportFrom) -> set[str]:
    """What an import takes out of other people's modules, as an attribute would."""
    module = getattr(node, "module", None)
    names = [f"{module}.{alias.name}" if module else alias.name for alias in node.names]
    others = [name for name in names if not name.startswith("attnbook.")]
    return {part for name in others for part in name.split(".")[1:]}


@cache
def _is_installed(module: str) -> bool:
    """Whether a module was installed; another that is no part of Python lies beside a notebook."""
    folders = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    ours = module in ("attnbook", "attnlib")
    return ours or PathFinder.find_spec(module, folders) is not None


def _modules(node: ast.Import | ast.ImportFrom) -> set[str]:
    """What is imported, with the names that are taken out of attnbook."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    module = "." * node.level + (node.module or "")
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
        or not (_USUAL.fullmatch(top) if top in sys.stdlib_module_names else _is_installed(top))
    )


def _is_hidden(attribute: str) -> bool:
    return bool(_ATTRIBUTES.fullmatch(attribute)) and not _METHODS.fullmatch(attribute)


def _is_own(node: ast.Attribute) -> bool:
    """Whether what is set belongs to a tensor or to an object of the learner's own class."""
    own = isinstance(node.value, ast.Name) and node.value.id == "self"
    return own or node.attr in _SETTINGS
