"""What stands in a learner's function: words that may be the cause of what was measured."""

from __future__ import annotations

import dis
import re
from types import CodeType
from typing import Any

#: Where a gradient ends, by the attribute or the name that is used.
DETACHING = {
    "detach": ".detach() cuts it off",
    "detach_": ".detach_() cuts it off",
    "data": ".data cuts it off",
    "item": ".item() makes a plain number, which has none",
    "tolist": ".tolist() makes plain numbers, which have none",
    "numpy": ".numpy() makes an array, which has none",
    "asarray": "np.asarray(…) makes an array, which has none",
    "array": "np.array(…) makes an array, which has none",
    "float": "float(…) makes a plain number, which has none",
    "no_grad": "inside torch.no_grad() none is kept",
    "inference_mode": "inside torch.inference_mode() none is kept",
    "set_grad_enabled": "torch.set_grad_enabled switches it",
    "tensor": "torch.tensor(…) copies numbers, and not where they come from",
    "as_tensor": "torch.as_tensor(…) of plain numbers has none",
}
_METHODS = re.compile(
    "append|extend|insert|pop|remove|clear|sort|reverse|add|discard|update|setdefault|popitem|"
    "intersection_update|difference_update|symmetric_difference_update|subtract"
)
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


def code_objects(code: CodeType | None) -> list[CodeType]:
    """A function's code and that of what is written inside it: from Python 3.12 on, a comprehension
    has none of its own."""
    if code is None:
        return []
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return [code, *(each for const in inner for each in code_objects(const))]


def names_used(function: Any) -> set[str]:
    """Every name that stands in a function."""
    used = set()
    for code in code_objects(getattr(function, "__code__", None)):
        for step in dis.get_instructions(code):
            # x.float() keeps the gradient, float(x) does not.
            plain = step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
            if isinstance(step.argval, str) and (step.argval != "float" or plain):
                used.add(step.argval)
    return used


def squeezes_all(function: Any) -> bool:
    """Whether ``x.squeeze()`` stands in a function: no number says which dimension is meant."""
    for code in code_objects(getattr(function, "__code__", None)):
        steps = list(dis.get_instructions(code))
        for at, step in enumerate(steps):
            if step.argval == "squeeze" and step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
                of_torch = at > 0 and steps[at - 1].argval == "torch"
                call = next((x for x in steps[at:] if x.opname.startswith("CALL")), None)
                if call is not None and call.arg == int(of_torch):
                    return True
    return False


def inplace_operations(code: CodeType, line: int) -> list[str]:
    """What in a line changes something in place: ``/=``, ``.append``, ``.add_``, ``x[…] =``."""
    here = {i for start, end, at in code.co_lines() if at == line for i in range(start, end)}
    operations: dict[str, None] = {}
    for step in dis.get_instructions(code):
        if step.offset not in here:
            continue
        if step.opname.startswith("INPLACE_"):  # Python 3.10
            operations[IN_PLACE.get(step.opname.removeprefix("INPLACE_"), "")] = None
        elif step.opname == "BINARY_OP" and step.argrepr.endswith("="):
            operations[step.argrepr] = None
        elif step.opname in ("STORE_SUBSCR", "STORE_SLICE"):
            operations["[…] ="] = None
        elif step.opname == "DELETE_SUBSCR":
            operations["del"] = None
        elif step.opname in ("LOAD_METHOD", "LOAD_ATTR"):
            name = step.argval
            if _METHODS.fullmatch(name) or name.endswith("_"):
                operations[f".{name}()"] = None
    return [name for name in operations if name]
