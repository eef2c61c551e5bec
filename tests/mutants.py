"""Mutation testing: is each small change of an exercise's solution noticed by its check?

    python tests/mutants.py shares attend

It is changed in one place: an operator, a comparison, a constant, a condition, a call, the order of
arguments, a statement. A change that passes either computes the same, and then it stands with the
reason in ``equivalent.tsv``, or it survives: a hole in the check. Ends with 1 where one survives,
or where a line of that file names no change that passes. Every change is tried in a process of its
own, which is forked: Linux or macOS.
"""

import argparse
import ast
import contextlib
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = Path(__file__).with_name("equivalent.tsv")

# Changes -----------------------------------------------------------------------------------------


class Mutant(NamedTuple):
    """A changed source, what was changed, and in which line of the original."""

    description: str
    line: int
    source: str


def mutants(source: str) -> list[Mutant]:
    """All changes of the functions of a source, in the order of its text.

    >>> [mutant.description for mutant in mutants("def f(x):\\n    return x - 1")]
    ['x - 1 → x + 1', 'x - 1 → 1 - x', 'x - 1 → x - 2', 'x - 1 → x - 0']
    """

    def first_line(node: ast.AST) -> str:
        return ast.unparse(node).splitlines()[0].strip()

    tree = ast.parse(source)
    seen, found, count = {ast.unparse(tree)}, [], Counter[str]()
    for holder, field, place in places(tree, inside=False):
        value = getattr(holder, field)
        old = value if place is None else value[place]
        for new in alternatives(old):
            before = first_line(old), first_line(holder)
            put(holder, field, place, new)
            changed, after = ast.unparse(tree), (first_line(new), first_line(holder))
            put(holder, field, place, old)
            if changed in seen:
                continue
            seen.add(changed)
            in_context = len(before[0]) < 3 and isinstance(holder, ast.expr)  # a number, say
            what = f"{before[in_context]} → {after[in_context]}"
            if isinstance(new, ast.Pass):
                what = f"removed: {before[0]}"
            count[what] += 1
            again = f" ({count[what]})" if count[what] > 1 else ""
            found.append(Mutant(what + again, getattr(old, "lineno", 0), changed))
    return found


def put(holder: ast.AST, field: str, place: int | None, new: ast.AST) -> None:
    if place is None:
        setattr(holder, field, new)
    else:
        getattr(holder, field)[place] = new


NOT_CHANGED = ("args", "decorator_list", "returns", "annotation", "type_params")


def places(node: ast.AST, inside: bool) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Where a node of a function may be exchanged; docstrings, types and messages stay."""
    for field, value in ast.iter_fields(node):
        if field in NOT_CHANGED and isinstance(node, (ast.FunctionDef, ast.AnnAssign)):
            continue
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if not isinstance(child, ast.AST) or docstring:
                continue
            if inside:
                yield node, field, place
            if not isinstance(child, (ast.Raise, ast.JoinedStr)) and negative(child) is None:
                yield from places(child, inside or isinstance(child, ast.FunctionDef))


def negative(node: ast.AST) -> int | None:
    """The n of −n, which counts from the end."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = getattr(node.operand, "value", None)
        return value if isinstance(value, int) else None
    return None


#: Operators, each with what may stand in its place.
INSTEAD = (
    *("Add Sub", "Sub Add", "Mult Div", "Div Mult FloorDiv", "FloorDiv Div", "Mod Mult"),
    *("Pow Mult", "MatMult Mult", "BitAnd BitOr", "BitOr BitAnd", "And Or", "Or And"),
    *("Lt LtE Gt", "LtE Lt GtE", "Gt GtE Lt", "GtE Gt LtE", "Eq NotEq", "NotEq Eq"),
    *("Is IsNot", "IsNot Is", "In NotIn", "NotIn In"),
)
OPERATORS = {one: others for one, *others in map(str.split, INSTEAD)}
NOT_SYMMETRIC = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)
OPPOSITES = (
    *("min max", "all any", "argmin argmax", "amin amax", "sin cos", "zeros ones", "sum mean"),
    *("sum prod", "tril triu", "cumsum cumprod", "exp log", "tanh sigmoid", "append extend"),
    *("softmax log_softmax", "cat stack", "minimum maximum", "zeros_like ones_like"),
)
OTHER = {one: [two] for pair in OPPOSITES for one, two in (pair.split(), pair.split()[::-1])}
REMOVED = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Raise, ast.If, ast.For)


def alternatives(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    if isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)):
        yield from (copy(node, op=other) for other in other_operators(node.op))
    if isinstance(node, ast.BinOp):
        if isinstance(node.op, NOT_SYMMETRIC):
            yield copy(node, left=node.right, right=node.left)
        if not isinstance(node.left, ast.Constant) and not isinstance(node.right, ast.Constant):
            yield from (node.left, node.right)
    elif isinstance(node, ast.BoolOp):
        for rest in without_one(node.values):
            yield rest[0] if len(rest) == 1 else copy(node, values=rest)
    elif isinstance(node, ast.UnaryOp):
        n = negative(node)
        yield from [node.operand] if n is None else map(ast.Constant, (1 - n, -n - 1, n))
    elif isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for other in other_operators(operator):
                yield copy(node, ops=[*node.ops[:place], other, *node.ops[place + 1 :]])
    elif isinstance(node, ast.Constant):
        yield from map(ast.Constant, other_constants(node.value))
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from (copy(node, id=name) for name in OTHER.get(node.id, ()))
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        yield from (copy(node, attr=name) for name in OTHER.get(node.attr, ()))
    elif isinstance(node, ast.Call):
        yield from other_calls(node)
    elif isinstance(node, ast.Slice):
        given = [bound for bound in ("lower", "upper", "step") if getattr(node, bound)]
        yield from (copy(node, **{bound: None}) for bound in given)
    if isinstance(node, (ast.If, ast.While, ast.IfExp)) and not isinstance(node.test, ast.Compare):
        yield copy(node, test=ast.UnaryOp(ast.Not(), node.test))
    if isinstance(node, REMOVED):
        yield ast.Pass()


def other_operators(operator: ast.AST) -> list[ast.AST]:
    return [getattr(ast, name)() for name in OPERATORS.get(type(operator).__name__, ())]


def without_one(values: list) -> list[list]:
    return [[*values[:n], *values[n + 1 :]] for n in range(len(values))]


def other_constants(value: object) -> tuple[object, ...]:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1, value - 1)
    if isinstance(value, float):
        return (value * 2, value + 1.0)
    return ("" if value.strip() else value + "x",) if isinstance(value, str) else ()


def other_calls(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Attribute):  # x.clone() → x
        yield node.func.value
    elif len(node.args) == 1 and not isinstance(node.args[0], (ast.Starred, ast.GeneratorExp)):
        yield node.args[0]  # int(x) → x
    symmetric = getattr(node.func, "attr", "") in ("transpose", "allclose")
    for n in range(0 if symmetric else len(node.args) - 1):
        yield copy(node, args=[*node.args[:n], node.args[n + 1], node.args[n], *node.args[n + 2 :]])
    yield from (copy(node, keywords=rest) for rest in without_one(node.keywords))


def copy(node: ast.AST, **changed: object) -> ast.AST:
    """The same node with some fields exchanged."""
    return ast.copy_location(type(node)(**{**dict(ast.iter_fields(node)), **changed}), node)


# Trying them -------------------------------------------------------------------------------------


def passes(check: Callable[[], bool], seconds: float) -> bool:
    """Whether a check accepts, in a process of its own that may work for so long."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        try:
            os._exit(0 if check() else 1)
        finally:
            os._exit(1)
    end = time.monotonic() + 10 * seconds  # asleep, it uses no processor
    while not (ended := os.waitpid(pid, os.WNOHANG))[0] and time.monotonic() < end:
        time.sleep(0.01)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    return (ended if ended[0] else os.waitpid(pid, 0))[1] == 0


def of_exercise(name: str) -> tuple[str, Callable[[str], bool]]:
    """The solution of an exercise, and whether its check accepts another source."""
    from dataclasses import replace

    from attnbook.builder.notebooks import code_cells, read_source, solution, tags
    from attnbook.exercises.engine import find, names_by_chapter
    from attnbook.exercises.judge import RIGHT, judge

    chapter = next(chapter for chapter, names in names_by_chapter().items() if name in names)
    (path,) = (ROOT / "chapters" / "source").glob(f"{chapter}_*.py")
    cells = code_cells(read_source(path))
    setup = next(cell.source for cell in cells if "setup" in tags(cell))
    cell = next(one.source for one in cells if f"@exercise\ndef {name}(" in one.source)
    above, _, blank = cell.partition("@exercise\n")
    source = blank.replace("raise NotImplementedError", solution(path.stem, name))
    names = {other: find(other).reference for other in names_by_chapter()[chapter]}
    exec(compile(f"{setup}\n{above}", "<setup>", "exec"), names)
    check = replace(find(name), mistakes={}, seconds=3.0)

    def accepts(changed: str) -> bool:
        exec(compile(changed, "<mutant>", "exec"), names)
        return judge(check, names[name]).state == RIGHT

    return source, accepts


def known_equivalents(name: str) -> set[str]:
    """Changes of an exercise that compute the same; the file has the reason of each."""
    lines = [line.split("\t") for line in EQUIVALENT.read_text(encoding="utf-8").splitlines()]
    return {what for key, what, _ in lines if key == name}


def try_all(name: str, source: str, accepts: Callable[[str], bool], seconds: float) -> list[str]:
    """Print what became of the changes of one source; lines of what has to be mended."""
    if not passes(partial(accepts, source), 20 * seconds):
        return [f"{name}: the unchanged source fails"]
    every = mutants(source)
    passed = {one.description for one in every if passes(partial(accepts, one.source), seconds)}
    known = known_equivalents(name)
    print(f"{name}: {len(every)} changes, {len(passed)} pass, {len(passed & known)} of them known")
    holes = [one for one in every if one.description in passed - known]
    lines = [f"{name}, line {one.line} survives: {one.description}" for one in holes]
    return lines + [f"{name}: listed, but noticed or gone: {what}" for what in known - passed]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="+", help="exercises")
    bad = []
    for name in parser.parse_args(arguments).names:
        bad += try_all(name, *of_exercise(name), 10)
    print("".join(f"    {line}\n" for line in bad), end="")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
