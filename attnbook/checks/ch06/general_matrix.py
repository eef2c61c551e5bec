"""Exercise 6.2: ``general_matrix``."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

import torch

from attnbook.checks.ch05.shared import told
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake
from attnbook.exercises.values import shown


def general_matrix(from_query: Any, from_key: Any) -> Any:
    """W_a (Hd, He) of two layers' weights, (A, Hd) on the query and (A, He) on the key, or None."""
    if from_query is None:
        return from_key
    if from_key is None:
        return from_query.T
    return from_query.T @ from_key


def _two_layers() -> Inputs:
    yield {"from_query": torch.tensor([[1.0, 2.0], [0.0, 3.0]]), "from_key": None}
    yield {"from_query": None, "from_key": torch.tensor([[1.0, 2.0], [0.0, 3.0]])}
    make = normal(2)
    yield {"from_query": make(3, 3), "from_key": make(3, 3)}
    yield {"from_query": None, "from_key": make(4, 2)}
    yield {"from_query": make(2, 4), "from_key": None}
    yield {"from_query": make(3, 4), "from_key": make(3, 5)}
    yield {"from_query": make(6, 4), "from_key": make(6, 2)}
    yield {"from_query": make(3, 1), "from_key": make(3, 2)}
    yield {"from_query": make(3, 2), "from_key": make(3, 1)}


def _same_score(call: Call) -> str | None:
    """The promise itself: sᵀ W h is the dot product after the layers."""
    s = torch.arange(1.0, call.expected.shape[0] + 1)
    h = torch.arange(2.0, call.expected.shape[1] + 2)
    ours = float(s @ call.result @ h)
    query = s if call.from_query is None else call.from_query @ s
    key = h if call.from_key is None else call.from_key @ h
    wanted = float(query @ key)
    if abs(ours - wanted) < 1e-3 * max(1.0, abs(wanted)):
        return None
    return (
        f"For the query {shown(s)} and the key {shown(h)} the layers give the score "
        f"{wanted:.2f}, your W {ours:.2f}."
    )


_QUERY = "A layer on the query makes P s of s, and (P s)ᵀ = sᵀ Pᵀ: its weight enters transposed."
_KEY = (
    "A layer on the key gives R h, and sᵀ (R h) = sᵀ R h: its weight is W_a as it is. Only a "
    "layer on the query enters transposed."
)
_BOTH = (
    "With one layer the answer is right. With both, (P s)ᵀ (R h) = sᵀ Pᵀ R h: which of the two "
    "is transposed, and which stands on the left?"
)
_ADDED = (
    "The two matrices are added. One acts on the query and one on the key, and the two results "
    "are multiplied."
)
_BY_ELEMENT = (
    "The two matrices are multiplied number by number. (P s)ᵀ (R h) = sᵀ Pᵀ R h is a product of "
    "matrices: @."
)
_NOTHING = (
    "Where one layer is missing None comes back: is the wrong one returned there? The weight that "
    "there is makes W_a."
)
_TURNED = "With one layer the answer is right. With both, this is W_aᵀ: Rᵀ P instead of Pᵀ R."

_ON_QUERY = [("", lambda a: a.T), (_QUERY, lambda a: a), (_NOTHING, lambda a: None)]
_ON_KEY = [("", lambda b: b), (_KEY, lambda b: b.T), (_NOTHING, lambda b: None)]
_ON_BOTH = [
    ("", lambda a, b: a.T @ b),
    *told(
        _BOTH,
        lambda a, b: a @ b,
        lambda a, b: a @ b.T,
        lambda a, b: b @ a,
        lambda a, b: a.T @ b.T,
        lambda a, b: b @ a.T,
    ),
    (_TURNED, lambda a, b: b.T @ a),
    *told(_ADDED, lambda a, b: a.T + b, lambda a, b: a + b),
    *told(_BY_ELEMENT, lambda a, b: a.T * b, lambda a, b: a * b),
]


def _of(query: Any, key: Any, both: Any) -> Any:
    """What is made of the query's weight alone, of the key's alone, and of both."""

    def wrong(from_query: Any, from_key: Any) -> Any:
        if from_query is None:
            return key(from_key)
        return query(from_query) if from_key is None else both(from_query, from_key)

    return wrong


def _family() -> list[Mistake]:
    """Every way to put the two weights together, but the right one."""
    found = []
    parts = list(product(_ON_QUERY, _ON_KEY, _ON_BOTH))
    for (on_query, query), (on_key, key), (on_both, both) in parts[1:]:
        sentence = on_query or on_key or on_both
        if on_query and on_key and on_both == _TURNED:
            sentence = (
                "This is W_aᵀ: it has a row for each number of the key. On which side of W_a does "
                "the query stand?"
            )
        found.append((sentence, _of(query, key, both)))
    return found


def _filled(fill: Any) -> Any:
    """Something stands for the missing layer."""
    return _of(
        lambda a: a.T @ fill(len(a), len(a)),
        lambda b: fill(len(b), len(b)) @ b,
        lambda a, b: a.T @ b,
    )


def _wide_identity(from_query: Any, from_key: Any) -> Any:
    if from_query is None:
        from_query = torch.eye(from_key.shape[1])
    if from_key is None:
        from_key = torch.eye(from_query.shape[1])
    return from_query.T @ from_key


def _asked(query: Any, key: Any, query_first: bool = True) -> Any:
    """Whether a layer is missing is asked in another way, or not at all."""

    def wrong(from_query: Any, from_key: Any) -> Any:
        for of_query in (query_first, not query_first):
            if of_query and query(from_query):
                return from_key
            if not of_query and key(from_key):
                return from_query.T
        return from_query.T @ from_key

    return wrong


def _is_none(weight: Any) -> bool:
    return weight is None


def _unasked(weight: Any) -> bool:
    return False


CHECK = Exercise(
    "general_matrix",
    reference=general_matrix,
    inputs=_two_layers,
    rules={"sᵀ W h is the score of the layers": _same_score},
    mistakes=[
        *_family(),
        (
            "A matrix of ones stands for the missing layer: it adds all numbers up. No layer "
            "changes nothing: that is the identity, or the other weight alone.",
            _filled(torch.ones),
        ),
        (
            "A matrix of zeros stands for the missing layer, so that no score is left. No layer "
            "changes nothing: that is the identity, or the other weight alone.",
            _filled(torch.zeros),
        ),
        (
            "The product is divided by the root of a size. Two layers do not scale: W_a is Pᵀ R.",
            _of(
                lambda a: a.T / len(a) ** 0.5,
                lambda b: b / len(b) ** 0.5,
                lambda a, b: a.T @ b / len(a) ** 0.5,
            ),
        ),
        (
            "The identity has the wrong size: it stands for what the missing layer would give, "
            "which meets what the other layer gives, and that has A numbers.",
            _wide_identity,
        ),
        *told(
            "None says that there is no layer: that case needs an answer of its own, on both "
            "sides.",
            _asked(_unasked, _unasked),
            _asked(_is_none, _unasked),
            _asked(_unasked, _is_none),
        ),
        *told(
            "`if not from_query` asks whether a tensor is true, which of several numbers nobody "
            "can say. Ask whether there is a layer: `from_query is None`.",
            _asked(operator.not_, operator.not_),
            _asked(operator.not_, operator.not_, query_first=False),
        ),
    ],
)
