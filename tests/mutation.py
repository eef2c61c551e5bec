"""Mutants of a Python function: its source with one small thing changed, as a slip would change it.

Operators, comparisons, constants, axes, transposes, swapped operands and arguments, negated and
fixed conditions, removed statements, calls, bounds and keywords, ``break`` for ``continue``. A test
suite that accepts a mutant does not test what was changed, unless the mutant computes the same.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple


class Mutant(NamedTuple):
    """A changed source, what was changed, and in which line of the function (from 1)."""

    description: str
    line: int
    source: str


def mutants(source: str, defaults: bool = False) -> list[Mutant]:
    """All mutants of the source of one function, in the order of its text, each once.

    ``defaults`` says whether default values of its arguments are changed too.

    >>> [mutant.description for mutant in mutants("def f(x):\\n    return x - 1")]
    ['x - 1 → x + 1', 'x - 1 → 1 - x', 'x - 1 → x - 2', 'x - 1 → x - 0']
    """
    tree = ast.parse(source)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    own = _names_of(function)
    seen, found = {ast.unparse(tree)}, []
    said: Counter[tuple[int, str]] = Counter()
    places = [*(_defaults(function) if defaults else ()), *_places(function)]
    for holder, field, place in places:
        old = _get(holder, field, place)
        for new in _alternatives(old, own):
            shown = [ast.unparse(x).splitlines()[0].strip() for x in (old, holder, new)]
            _set(holder, field, place, new)
            changed, around = ast.unparse(tree), ast.unparse(holder).splitlines()[0].strip()
            _set(holder, field, place, old)
            if changed in seen:
                continue
            seen.add(changed)
            at = holder if isinstance(old, ast.comprehension) else old  # that has no line
            line = at.lineno - function.lineno + 1
            what = f"{shown[0]} → {shown[2]}"
            if isinstance(new, ast.Pass):
                what = f"removed: {shown[0]}"
            elif isinstance(holder, ast.arguments):
                what = " → ".join(
                    f"{_named(holder, field, place)}={shown[side]}" for side in (0, 2)
                )
            elif len(shown[0]) < 3 and isinstance(holder, ast.expr):  # a number, in its place
                what = f"{shown[1]} → {around}"
            said[line, what] += 1
            again = f" ({said[line, what]})" if said[line, what] > 1 else ""
            found.append(Mutant(what + again, line, changed))
    return found


def _names_of(function: ast.FunctionDef) -> set[str]:
    """Arguments and variables; what else is named are modules, functions and constants."""
    stored = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return stored | {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}


Place = tuple[ast.AST, str, "int | None"]


def _places(node: ast.AST) -> Iterator[Place]:
    """Where a node may be exchanged, in the order of the text. Messages of errors are free."""
    for field, value in ast.iter_fields(node):
        if field in ("args", "decorator_list", "returns", "annotation") and (
            isinstance(node, (ast.FunctionDef, ast.AnnAssign)) or isinstance(value, ast.arguments)
        ):
            continue
        for place, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or _is_docstring(child):
                continue
            yield node, field, place
            if not isinstance(child, (ast.Raise, ast.JoinedStr)) and _negative(child) is None:
                yield from _places(child)


def _defaults(function: ast.FunctionDef) -> Iterator[Place]:
    """Where the default values of the arguments may be exchanged."""
    for field in ("defaults", "kw_defaults"):
        for place, child in enumerate(getattr(function.args, field)):
            if child is not None:  # which stands for a keyword without one
                yield function.args, field, place
                if _negative(child) is None:
                    yield from _places(child)


def _named(arguments: ast.arguments, field: str, place: int | None) -> str:
    """The argument that has this default value."""
    if field == "kw_defaults":
        return arguments.kwonlyargs[place or 0].arg
    names = [*arguments.posonlyargs, *arguments.args]
    return names[len(names) - len(arguments.defaults) + (place or 0)].arg


def _negative(node: ast.AST) -> int | None:
    """The n of −n, which counts from the end."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = getattr(node.operand, "value", None)
        return value if isinstance(value, int) else None
    return None


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _get(holder: ast.AST, field: str, place: int | None) -> ast.AST:
    value = getattr(holder, field)
    return value if place is None else value[place]


def _set(holder: ast.AST, field: str, place: int | None, new: ast.AST) -> None:
    if place is None:
        setattr(holder, field, new)
    else:
        getattr(holder, field)[place] = new


OPERATORS = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Div,),
    ast.Mod: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
    ast.MatMult: (ast.Mult,),
}
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
OPPOSITES = (
    "min max",
    "all any",
    "argmin argmax",
    "amin amax",
    "sin cos",
    "zeros ones",
    "floor ceil",
    "zeros_like ones_like",
    "sum mean",
    "sum prod",
    "tril triu",
    "cumsum cumprod",
    "exp log",
    "tanh sigmoid",
    "softmax log_softmax",
    "cat stack",
    "union intersection",
    "append extend",
    "minimum maximum",
)
SYMMETRIC = ("transpose", "swapaxes", "isclose", "allclose", "equal", "dot", "minimum", "maximum")
OTHER: dict[str, list[str]] = {}
for _pair in OPPOSITES:
    _one, _two = _pair.split()
    OTHER.setdefault(_one, []).append(_two)
    OTHER.setdefault(_two, []).append(_one)


def _alternatives(node: ast.AST, own: set[str]) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    for kind, change in _CHANGES.items():
        if isinstance(node, kind):
            yield from change(node, own)
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        for test in _tests(node):
            yield _copy(node, test=test)


def _binary(node: ast.BinOp, own: set[str]) -> Iterator[ast.AST]:
    for operator in OPERATORS.get(type(node.op), ()):
        yield _copy(node, op=operator())
    if isinstance(node.op, (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)):
        yield _copy(node, left=node.right, right=node.left)
    if isinstance(node.op, ast.MatMult):
        yield _copy(node, right=ast.Attribute(node.right, "mT", ast.Load()))
    if not isinstance(node.left, ast.Constant) and not isinstance(node.right, ast.Constant):
        yield node.left
        yield node.right


def _augmented(node: ast.AugAssign, own: set[str]) -> Iterator[ast.AST]:
    for operator in OPERATORS.get(type(node.op), ()):
        yield _copy(node, op=operator())
    target = ast.parse(ast.unparse(node.target), mode="eval").body
    target.ctx = ast.Store()  # type: ignore[attr-defined]
    yield ast.Assign([target], node.value, lineno=node.lineno)
    yield ast.Pass()


def _unary(node: ast.UnaryOp, own: set[str]) -> Iterator[ast.AST]:
    value = _negative(node)
    if value is not None:
        for other in (1 - value, -value - 1, value):
            yield ast.Constant(other)
    else:
        yield node.operand


def _comparison(node: ast.Compare, own: set[str]) -> Iterator[ast.AST]:
    for place, operator in enumerate(node.ops):
        for other in COMPARISONS.get(type(operator), ()):
            yield _copy(node, ops=[*node.ops[:place], other(), *node.ops[place + 1 :]])


def _boolean(node: ast.BoolOp, own: set[str]) -> Iterator[ast.AST]:
    yield _copy(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
    for place in range(len(node.values)):
        rest = [*node.values[:place], *node.values[place + 1 :]]
        yield rest[0] if len(rest) == 1 else _copy(node, values=rest)


def _constant(node: ast.Constant, own: set[str]) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield from (ast.Constant(value + 1), ast.Constant(value - 1))
    elif isinstance(value, float):
        yield from (ast.Constant(value * 2), ast.Constant(value + 1.0))
    elif isinstance(value, str):
        yield ast.Constant(value + "x" if not value or value.isspace() else "")


def _name(node: ast.Name, own: set[str]) -> Iterator[ast.AST]:
    if isinstance(node.ctx, ast.Load) and node.id not in own:
        for other in OTHER.get(node.id, ()):
            yield ast.Name(other, ast.Load())


def _attribute(node: ast.Attribute, own: set[str]) -> Iterator[ast.AST]:
    if not isinstance(node.ctx, ast.Load):
        return
    for other in OTHER.get(node.attr, ()):
        yield _copy(node, attr=other)
    if node.attr in ("T", "mT", "H"):
        yield node.value


def _call(node: ast.Call, own: set[str]) -> Iterator[ast.AST]:
    by_method = isinstance(node.func, ast.Attribute) and not _is_module(node.func.value, own)
    if by_method:  # x.clone() → x
        yield node.func.value  # type: ignore[attr-defined]
    elif len(node.args) == 1 and not isinstance(node.args[0], (ast.Starred, ast.GeneratorExp)):
        yield node.args[0]  # int(x) → x
    either = getattr(node.func, "attr", "") in SYMMETRIC
    for place in range(0 if either else len(node.args) - 1):
        one, two = node.args[place : place + 2]
        yield _copy(node, args=[*node.args[:place], two, one, *node.args[place + 2 :]])
    for place in range(len(node.keywords)):
        yield _copy(node, keywords=[*node.keywords[:place], *node.keywords[place + 1 :]])
    if isinstance(node.func, ast.Name) and node.func.id == "range":
        for place, bound in enumerate(node.args):
            if not isinstance(bound, (ast.Constant, ast.UnaryOp)):
                for operator in (ast.Add(), ast.Sub()):
                    off = ast.BinOp(bound, operator, ast.Constant(1))
                    yield _copy(node, args=[*node.args[:place], off, *node.args[place + 1 :]])


def _is_module(node: ast.AST, own: set[str]) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id not in own


def _slice(node: ast.Slice, own: set[str]) -> Iterator[ast.AST]:
    for bound in ("lower", "upper", "step"):
        if getattr(node, bound) is not None:
            yield _copy(node, **{bound: None})


def _index(node: ast.Subscript, own: set[str]) -> Iterator[ast.AST]:
    if isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Name):
        yield _copy(node, slice=ast.BinOp(node.slice, ast.Sub(), ast.Constant(1)))


def _tuple(node: ast.Tuple, own: set[str]) -> Iterator[ast.AST]:
    if isinstance(node.ctx, ast.Load):
        for place in range(len(node.elts) - 1):
            one, two = node.elts[place : place + 2]
            if not isinstance(one, ast.Slice) and not isinstance(two, ast.Slice):
                yield _copy(node, elts=[*node.elts[:place], two, one, *node.elts[place + 2 :]])


def _comprehension(node: ast.comprehension, own: set[str]) -> Iterator[ast.AST]:
    for place, test in enumerate(node.ifs):
        rest = [*node.ifs[:place], *node.ifs[place + 1 :]]
        yield _copy(node, ifs=rest)
        yield _copy(node, ifs=[*rest, ast.UnaryOp(ast.Not(), test)])


def _removed(node: ast.stmt, own: set[str]) -> Iterator[ast.AST]:
    yield ast.Pass()


def _jump(node: ast.stmt, own: set[str]) -> Iterator[ast.AST]:
    yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()
    yield ast.Pass()


def _branch(node: ast.IfExp, own: set[str]) -> Iterator[ast.AST]:
    yield from (node.body, node.orelse)


def _tests(node: ast.If | ast.While | ast.IfExp) -> Iterator[ast.expr]:
    turned = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)  # by a mutant of its own
    if not (isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], turned)):
        yield ast.UnaryOp(ast.Not(), node.test)
    if isinstance(node, ast.If):
        yield from (ast.Constant(True), ast.Constant(False))


_CHANGES = {
    ast.BinOp: _binary,
    ast.AugAssign: _augmented,
    ast.UnaryOp: _unary,
    ast.Compare: _comparison,
    ast.BoolOp: _boolean,
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Slice: _slice,
    ast.Subscript: _index,
    ast.Tuple: _tuple,
    ast.comprehension: _comprehension,
    (ast.Break, ast.Continue): _jump,
    ast.IfExp: _branch,
    (ast.Assign, ast.AnnAssign, ast.Expr, ast.Raise, ast.If, ast.For, ast.Delete): _removed,
}


def _copy(node: ast.AST, **changed: object) -> ast.AST:
    """The same node with some fields exchanged."""
    fields = {**dict(ast.iter_fields(node)), **changed}
    return ast.copy_location(type(node)(**fields), node)
