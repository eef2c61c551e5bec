"""What stands in a learner's function: words that may be the cause of what was measured."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType
from typing import Any

#: Where a gradient ends, by the attribute or the name that is used.
CUTS = {
    "detach": ".detach() cuts it off",
    "detach_": ".detach_() cuts it off",
    "data": ".data cuts it off",
    "item": ".item() makes a plain number, which has none",
    "tolist": ".tolist() makes plain numbers, which have none",
    "numpy": ".numpy() makes an array, which has none",
    "asarray": "np.asarray(…) makes an array, which has none",
    "array": "np.array(…) makes an array, which has none",
    "from_numpy": "what comes from numpy has none",
    "float": "float(…) makes a plain number, which has none",
    "no_grad": "inside torch.no_grad() none is kept",
    "inference_mode": "inside torch.inference_mode() none is kept",
    "set_grad_enabled": "torch.set_grad_enabled switches it",
    "Parameter": "a new Parameter begins anew",
    "requires_grad_": "requires_grad_ makes a new beginning",
    "tensor": "torch.tensor(…) copies numbers, and not where they come from",
    "as_tensor": "torch.as_tensor(…) of plain numbers has none",
    "Tensor": "torch.Tensor(…) copies numbers, and not where they come from",
    "FloatTensor": "torch.FloatTensor(…) copies numbers, and not where they come from",
    "new_tensor": ".new_tensor(…) copies numbers, and not where they come from",
}
_METHODS = {
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "clear",
    "sort",
    "reverse",
    "add",
    "discard",
    "update",
    "setdefault",
    "popitem",
    "intersection_update",
    "difference_update",
    "symmetric_difference_update",
    "subtract",
}
#: What works in place, by the name that Python 3.10 gives it.
IN_PLACE = {
    "ADD": "+=",
    "SUBTRACT": "-=",
    "MULTIPLY": "*=",
    "TRUE_DIVIDE": "/=",
    "FLOOR_DIVIDE": "//=",
    "MODULO": "%=",
    "POWER": "**=",
    "MATRIX_MULTIPLY": "@=",
    "AND": "&=",
    "OR": "|=",
    "XOR": "^=",
}


def _steps(code: CodeType) -> Iterator[dis.Instruction]:
    """What Python does, also in functions and comprehensions that stand inside."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _steps(constant)


def _code(function: Any) -> CodeType | None:
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


def cutters(function: Any) -> list[str]:
    """Half-sentences on what in a function can cut a gradient off, the likeliest first."""
    code = _code(function)
    used = set()
    for step in _steps(code) if code else ():
        # x.float() keeps the gradient, float(x) does not.
        plain = step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
        if isinstance(step.argval, str) and (step.argval != "float" or plain):
            used.add(step.argval)
    return [told for name, told in CUTS.items() if name in used]


def writers(function: Any) -> list[str]:
    """What in a function changes something in place: ``/=``, ``.append``, ``.add_``, ``x[…] =``."""
    code = _code(function)
    found: dict[str, None] = {}
    for step in _steps(code) if code else ():
        if step.opname.startswith("INPLACE_"):  # Python 3.10
            found[IN_PLACE.get(step.opname.removeprefix("INPLACE_"), "")] = None
        elif step.opname == "BINARY_OP" and step.argrepr.endswith("="):
            found[step.argrepr] = None
        elif step.opname in ("STORE_SUBSCR", "STORE_SLICE"):
            found["[…] ="] = None
        elif step.opname == "DELETE_SUBSCR":
            found["del"] = None
        elif step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            name = step.argval
            found[f".{name}()" if name in _METHODS or name.rstrip("_") != name else ""] = None
    return [name for name in found if name]
