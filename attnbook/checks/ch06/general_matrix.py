"""Exercise 6.2: ``general_matrix``."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import torch
from torch import Tensor

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


def _general_matrix(from_query: Tensor | None, from_key: Tensor | None) -> Tensor:
    if from_query is None:
        assert from_key is not None
        return from_key
    return from_query.T if from_key is None else from_query.T @ from_key


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
_TURNED = (
    "This is W_aᵀ: it has a row for each number of the key. On which side of W_a does the query "
    "stand?"
)
_ADDED = (
    "The two matrices are added. One acts on the query and one on the key, and the two results "
    "are multiplied."
)
_BY_ELEMENT = (
    "The two matrices are multiplied number by number. (P s)ᵀ (R h) = sᵀ Pᵀ R h is a product of "
    "matrices: @."
)
_ONES = (
    "A matrix of ones stands for the missing layer: it adds all numbers up. No layer changes "
    "nothing: that is the identity, or the other weight alone."
)
_ZEROS = (
    "A matrix of zeros stands for the missing layer, so that no score is left. No layer changes "
    "nothing: that is the identity, or the other weight alone."
)
_NONE = "None says that there is no layer: that case needs an answer of its own, on both sides."
_NOTHING = (
    "Where one layer is missing None comes back: is the wrong one returned there? The weight that "
    "there is makes W_a."
)
_SCALED = "The product is divided by the root of a size. Two layers do not scale: W_a is Pᵀ R."
_TRUTH = (
    "`if not from_query` asks whether a tensor is true, which of several numbers nobody can say. "
    "Ask whether there is a layer: `from_query is None`."
)
_EYE = (
    "The identity has the wrong size: it stands for what the missing layer would give, which "
    "meets what the other layer gives, and that has A numbers."
)

One = Callable[[Tensor], Any]
Two = Callable[[Tensor, Tensor], Tensor]


def _of(query: One, key: One, both: Two) -> Callable[..., Any]:
    def wrong(from_query: Tensor | None, from_key: Tensor | None) -> Any:
        if from_query is None:
            assert from_key is not None
            return key(from_key)
        return query(from_query) if from_key is None else both(from_query, from_key)

    return wrong


_ON_QUERY: list[tuple[str, One]] = [
    ("", lambda a: a.T),
    (_QUERY, lambda a: a),
    (_NOTHING, lambda a: None),
]
_ON_KEY: list[tuple[str, One]] = [
    ("", lambda b: b),
    (_KEY, lambda b: b.T),
    (_NOTHING, lambda b: None),
]
_ON_BOTH: list[tuple[str, Two]] = [
    ("", lambda a, b: a.T @ b),
    (_BOTH, lambda a, b: a @ b),
    (_BOTH, lambda a, b: a @ b.T),
    (_BOTH, lambda a, b: b @ a),
    (_BOTH, lambda a, b: a.T @ b.T),
    (_BOTH, lambda a, b: b @ a.T),
    (
        "With one layer the answer is right. With both, this is W_aᵀ: Rᵀ P instead of Pᵀ R.",
        lambda a, b: b.T @ a,
    ),
    (_ADDED, lambda a, b: a.T + b),
    (_ADDED, lambda a, b: a + b),
    (_BY_ELEMENT, lambda a, b: a.T * b),
    (_BY_ELEMENT, lambda a, b: a * b),
]


def _family() -> list[Mistake]:
    """Every way to put the two weights together, but the right one."""
    found = []
    parts = list(product(_ON_QUERY, _ON_KEY, _ON_BOTH))
    for (on_query, query), (on_key, key), (on_both, both) in parts[1:]:
        sentence = on_query or on_key or on_both
        if on_query and on_key and "W_aᵀ" in on_both:
            sentence = _TURNED
        found.append((sentence, _of(query, key, both)))
    return found


def _filled(fill: Callable[[int], Tensor]) -> Callable[..., Tensor]:
    """Something stands for the missing layer."""

    def wrong(from_query: Tensor | None, from_key: Tensor | None) -> Tensor:
        if from_query is None:
            assert from_key is not None
            return fill(from_key.shape[0]) @ from_key
        if from_key is None:
            return from_query.T @ fill(from_query.shape[0])
        return from_query.T @ from_key

    return wrong


def _eye(size: Callable[[Tensor], int]) -> Callable[..., Tensor]:
    def wrong(from_query: Tensor | None, from_key: Tensor | None) -> Tensor:
        if from_query is None:
            assert from_key is not None
            from_query = torch.eye(size(from_key))
        if from_key is None:
            from_key = torch.eye(size(from_query))
        return from_query.T @ from_key

    return wrong


def _unasked(query: bool, key: bool) -> Callable[..., Tensor]:
    """None is asked for on one side or on none."""

    def wrong(from_query: Tensor | None, from_key: Tensor | None) -> Tensor:
        if query and from_query is None:
            return from_key  # type: ignore[return-value]
        if key and from_key is None:
            return from_query.T  # type: ignore[union-attr]
        return from_query.T @ from_key  # type: ignore[union-attr, operator]

    return wrong


def _asked_for_truth(query_first: bool) -> Callable[..., Tensor]:
    """A weight is taken for true, and None for false."""

    def wrong(from_query: Tensor | None, from_key: Tensor | None) -> Tensor:
        for query in (query_first, not query_first):
            if query and not from_query:
                return from_key  # type: ignore[return-value]
            if not query and not from_key:
                return from_query.T  # type: ignore[union-attr]
        return from_query.T @ from_key  # type: ignore[union-attr, operator]

    return wrong


CHECK = Exercise(
    "general_matrix",
    reference=general_matrix,
    inputs=_two_layers,
    rules={"sᵀ W h is the score of the layers": _same_score},
    mistakes=[
        *_family(),
        (_ONES, _filled(lambda n: torch.ones(n, n))),
        (_ZEROS, _filled(lambda n: torch.zeros(n, n))),
        (
            _SCALED,
            _of(
                lambda a: a.T / len(a) ** 0.5,
                lambda b: b / len(b) ** 0.5,
                lambda a, b: a.T @ b / len(a) ** 0.5,
            ),
        ),
        (_EYE, _eye(lambda weight: weight.shape[1])),
        *((_NONE, _unasked(*asked)) for asked in ((False, False), (True, False), (False, True))),
        *((_TRUTH, _asked_for_truth(query_first)) for query_first in (True, False)),
    ],
)
