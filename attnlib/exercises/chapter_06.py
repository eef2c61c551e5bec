"""Checks of chapter 6: the scores, what they cost, and which one fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from .spec import Call, Exercise, Mistake

Inputs = Iterator[dict[str, Any]]


def _random(seed: int) -> Callable[..., Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return lambda *size: torch.randn(*size, generator=generator)


def _dot(query: Tensor, keys: Tensor) -> Tensor:
    return query @ keys.transpose(1, 2)


def _query_and_keys(seed: int) -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 2.0, 0.0, 2.0]]]),
        "keys": torch.tensor([[[3.0, 0.0, 5.0, 1.0], [0.0, -1.0, 0.0, 4.0]]]),
    }
    make = _random(seed)
    yield {"query": make(2, 3, 4), "keys": make(2, 3, 4)}
    yield {"query": make(2, 3, 9), "keys": make(2, 5, 9)}


def _own_key_only(call: Call) -> str | None:
    touched = call.keys.clone()
    touched[:, 0] += 1.0
    if torch.allclose(call(keys=touched)[..., 1:], call.result[..., 1:]):
        return None
    return "When the first key changes, the scores of the other keys change as well."


# 6.1 ---------------------------------------------------------------------------------------------


def _dot_score(query: Tensor, keys: Tensor) -> Tensor:
    if query.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"query and keys must have the same size, got {query.shape[-1]} and {keys.shape[-1]}"
        )
    return _dot(query, keys)


def _refuses(call: Call) -> str | None:
    wide = call.query.shape[-1]
    for size in (wide + 2, 1):
        problem: BaseException | None = None
        try:
            call(keys=torch.ones(*call.keys.shape[:2], size))
        except Exception as fault:
            problem = fault.__cause__  # the learner's; None where only the reference refused
        sizes = f"a query of {wide} numbers and keys of {size}"
        if problem is None:
            return f"It has an answer for {sizes}. There is none: raise a ValueError."
        if not isinstance(problem, ValueError):
            return (
                f"For {sizes} it raises {type(problem).__name__}, and the reader has to guess. "
                "Compare the sizes first, and raise a ValueError."
            )
        if not (str(wide) in str(problem) and str(size) in str(problem)):
            return (
                f"For {sizes} the ValueError says “{problem}”. Name both sizes, so that the "
                "reader need not look for them."
            )
    return None


DOT_SCORE = Exercise(
    "dot_score",
    reference=_dot_score,
    inputs=lambda: _query_and_keys(1),
    rules={
        "a score depends on its own key only": _own_key_only,
        "unequal sizes are refused with a ValueError that names both": _refuses,
    },
    mistakes=[
        Mistake(
            "Rows are keys and columns are queries here: query t belongs in row t.",
            lambda query, keys: keys @ query.transpose(1, 2),
        ),
        Mistake(
            "These are weights: a score is what goes into the softmax.",
            lambda query, keys: _dot(query, keys).softmax(-1),
        ),
        Mistake(
            "This is the cosine: the lengths have been divided away. A dot product keeps them.",
            lambda query, keys: _dot(F.normalize(query, dim=-1), F.normalize(keys, dim=-1)),
        ),
        Mistake(
            "This is the scaled score. Here nothing is divided yet.",
            lambda query, keys: _dot(query, keys) / query.shape[-1] ** 0.5,
        ),
        Mistake(
            "This is a mean of products, a dot product is their sum.",
            lambda query, keys: (query.unsqueeze(2) * keys.unsqueeze(1)).mean(-1),
        ),
    ],
)


# 6.2 ---------------------------------------------------------------------------------------------


def _two_layers() -> Inputs:
    yield {"from_query": torch.tensor([[1.0, 2.0], [0.0, 3.0]]), "from_key": None}
    yield {"from_query": None, "from_key": torch.tensor([[1.0, 2.0], [0.0, 3.0]])}
    make = _random(2)
    yield {"from_query": make(3, 3), "from_key": make(3, 3)}
    yield {"from_query": None, "from_key": make(4, 2)}
    yield {"from_query": make(2, 4), "from_key": None}
    yield {"from_query": make(3, 4), "from_key": make(3, 5)}


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
    return f"For one query and one key the layers give the score {wanted:.2f}, your W {ours:.2f}."


def _swapped(matrix: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def wrong(from_query: Tensor | None, from_key: Tensor | None) -> Tensor:
        if from_query is None or from_key is None:
            return _general_matrix(from_query, from_key)
        return matrix(from_query, from_key)

    return wrong


GENERAL_MATRIX = Exercise(
    "general_matrix",
    reference=_general_matrix,
    inputs=_two_layers,
    rules={"sᵀ W h is the score of the layers": _same_score},
    mistakes=[
        Mistake(
            "This is W_aᵀ: it has a row for each number of the key. On which side of W_a does "
            "the query stand?",
            lambda from_query, from_key: _general_matrix(from_query, from_key).T,
        ),
        Mistake(
            "A layer on the query makes A s of s, and (A s)ᵀ = sᵀ Aᵀ: its weight enters "
            "transposed.",
            lambda from_query, from_key: (
                from_query if from_key is None else _general_matrix(from_query, from_key)
            ),
        ),
        Mistake(
            "With one layer the answer is right. With both, (A s)ᵀ (B h) = sᵀ Aᵀ B h: which of "
            "the two is transposed, and which stands on the left?",
            _swapped(lambda from_query, from_key: from_query @ from_key),
        ),
        Mistake(
            "With one layer the answer is right. With both, (A s)ᵀ (B h) = sᵀ Aᵀ B h: which of "
            "the two is transposed, and which stands on the left?",
            _swapped(lambda from_query, from_key: from_query @ from_key.T),
        ),
        Mistake(
            "With one layer the answer is right. With both, this is W_aᵀ: Bᵀ A instead of Aᵀ B.",
            _swapped(lambda from_query, from_key: from_key.T @ from_query),
        ),
        Mistake(
            "The two matrices are added. One acts on the query and one on the key, and the two "
            "results are multiplied.",
            _swapped(lambda from_query, from_key: from_query.T + from_key),
        ),
        Mistake(
            "A layer on the key gives B h, and sᵀ (B h) = sᵀ B h: its weight is W_a as it is. "
            "Only a layer on the query enters transposed.",
            lambda from_query, from_key: (
                from_key.T if from_query is None else _general_matrix(from_query, from_key)
            ),
        ),
    ],
)


# 6.3 ---------------------------------------------------------------------------------------------


def _concat_inputs() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0]]]),
        "keys": torch.tensor([[[2.0], [0.0]]]),
        "weight": torch.tensor([[0.5, 1.0], [1.0, -1.0]]),
        "v": torch.tensor([2.0, 1.0]),
    }
    make = _random(3)
    yield {"query": make(2, 3, 4), "keys": make(2, 3, 4), "weight": make(5, 8), "v": make(5)}
    yield {"query": make(2, 3, 4), "keys": make(2, 5, 6), "weight": make(7, 10), "v": make(7)}


def _pairs(query: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
    """Every query beside every key: both (B, T, S, ·)."""
    steps, positions = query.shape[1], keys.shape[1]
    return (
        query.unsqueeze(2).expand(-1, -1, positions, -1),
        keys.unsqueeze(1).expand(-1, steps, -1, -1),
    )


def _inside(query: Tensor, keys: Tensor, weight: Tensor) -> Tensor:
    return torch.cat(_pairs(query, keys), dim=-1) @ weight.T


def _bounded(call: Call) -> str | None:
    largest = float(call(query=50 * call.query, keys=50 * call.keys).abs().max())
    most = float(call.v.abs().sum())
    if largest <= most * 1.0001:
        return None
    return (
        f"A score is {largest:.1f}. A tanh lies between −1 and 1, so that with this v no score "
        f"can be beyond {most:.1f}. Where does the tanh stand?"
    )


CONCAT_SCORE = Exercise(
    "concat_score",
    reference=lambda query, keys, weight, v: torch.tanh(_inside(query, keys, weight)) @ v,
    inputs=_concat_inputs,
    rules={
        "a score depends on its own key only": _own_key_only,
        "no score is larger than the sum of all |v|": _bounded,
    },
    mistakes=[
        Mistake(
            "The key comes first here: the left columns of W_a belong to the query.",
            lambda query, keys, weight, v: (
                torch.tanh(torch.cat(_pairs(query, keys)[::-1], dim=-1) @ weight.T) @ v
            ),
        ),
        Mistake(
            "Where is the tanh? Without it the query adds the same number to the scores of all "
            "keys (chapter 5).",
            lambda query, keys, weight, v: _inside(query, keys, weight) @ v,
        ),
        Mistake(
            "The tanh is outside: it bends W_a [s ; h], before v sums.",
            lambda query, keys, weight, v: torch.tanh(_inside(query, keys, weight) @ v),
        ),
        Mistake(
            "The tanh comes too early: first W_a [s ; h], then the bend.",
            lambda query, keys, weight, v: (
                torch.tanh(torch.cat(_pairs(query, keys), dim=-1)) @ weight.T @ v
            ),
        ),
        Mistake(
            "The hidden numbers are summed, but not weighted by v.",
            lambda query, keys, weight, v: torch.tanh(_inside(query, keys, weight)).sum(-1),
        ),
        Mistake(
            "Rows are keys and columns are queries here: query t belongs in row t.",
            lambda query, keys, weight, v: (torch.tanh(_inside(query, keys, weight)) @ v).transpose(
                1, 2
            ),
        ),
        Mistake(
            "These are weights: a score is what goes into the softmax.",
            lambda query, keys, weight, v: (torch.tanh(_inside(query, keys, weight)) @ v).softmax(
                -1
            ),
        ),
        Mistake(
            "This bends with a sigmoid. The formula says tanh.",
            lambda query, keys, weight, v: torch.sigmoid(_inside(query, keys, weight)) @ v,
        ),
    ],
)


# 6.4 ---------------------------------------------------------------------------------------------


def _to_split() -> Inputs:
    yield {"weight": torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "query_size": 1}
    make = _random(4)
    yield {"weight": make(5, 4), "query_size": 2}
    yield {"weight": make(4, 7), "query_size": 4}


def _same_sum(call: Call) -> str | None:
    """The promise itself: W_1 s + W_2 h = W_a [s ; h]."""
    both = torch.arange(1.0, call.weight.shape[1] + 1)
    s, h = both[: call.query_size], both[call.query_size :]
    first, second = call.result
    if torch.allclose(first @ s + second @ h, call.weight @ both, rtol=1e-4, atol=1e-4):
        return None
    return "For one query s and one key h, W_1 s + W_2 h is not W_a [s ; h]."


SPLIT_CONCAT = Exercise(
    "split_concat",
    reference=lambda weight, query_size: (weight[:, :query_size], weight[:, query_size:]),
    inputs=_to_split,
    rules={"W_1 s + W_2 h is W_a [s ; h]": _same_sum},
    mistakes=[
        Mistake(
            "The two are exchanged: in [s ; h] the query stands first, so its columns are on the "
            "left.",
            lambda weight, query_size: (weight[:, query_size:], weight[:, :query_size]),
        ),
        Mistake(
            "W_a is cut in the middle. Query and keys may have different sizes: cut where the "
            "query ends.",
            lambda weight, query_size: tuple(weight.chunk(2, dim=1)),
        ),
        Mistake(
            "The rows are cut. A row of W_a is one hidden number and reads all of [s ; h]; the "
            "columns belong to the query or the key.",
            lambda weight, query_size: (weight[:query_size], weight[query_size:]),
        ),
        Mistake(
            "Both are transposed: W_1 s needs a row for each hidden number, as W_a has.",
            lambda weight, query_size: (weight[:, :query_size].T, weight[:, query_size:].T),
        ),
        Mistake(
            "The second starts one column too late: indices count from 0, so that :n and n: "
            "meet without a gap.",
            lambda weight, query_size: (weight[:, :query_size], weight[:, query_size + 1 :]),
        ),
        Mistake(
            "The second takes as many columns as the query has. A key may be longer or shorter: "
            "take all that are left.",
            lambda weight, query_size: (weight[:, :query_size], weight[:, -query_size:]),
        ),
        Mistake(
            "The columns are taken in turn. In [s ; h] all numbers of the query come first, then "
            "all of the key.",
            lambda weight, query_size: (weight[:, ::2], weight[:, 1::2]),
        ),
    ],
)


# 6.5 ---------------------------------------------------------------------------------------------


def _sizes() -> Inputs:
    for kind in ("dot", "scaled_dot", "general", "concat", "additive"):
        yield {"kind": kind, "query_size": 2, "key_size": 2, "hidden_size": 3}
    for kind in ("general", "concat", "additive"):
        yield {"kind": kind, "query_size": 5, "key_size": 7, "hidden_size": 4}


def _count(inner: Callable[[int, int, int], int], product: bool = True) -> Callable[..., int]:
    def count(kind: str, query_size: int, key_size: int, hidden_size: int) -> int:
        if kind in ("dot", "scaled_dot"):
            return 0
        if kind == "general":
            return query_size * key_size if product else query_size + key_size
        return inner(query_size, key_size, hidden_size)

    return count


_parameters = _count(lambda q, k, a: a * (q + k) + a)


def _dot_for_free(call: Call) -> str | None:
    if call.kind not in ("dot", "scaled_dot") or int(call.result) == 0:
        return None
    return f"A dot product has nothing to learn, and you count {int(call.result)}. What is learnt?"


SCORE_PARAMETERS = Exercise(
    "score_parameters",
    reference=_parameters,
    inputs=_sizes,
    rules={"a dot product has none": _dot_for_free},
    mistakes=[
        Mistake(
            "The vector v is missing: it is learnt as well, one number for each hidden number.",
            _count(lambda q, k, a: a * (q + k)),
        ),
        Mistake(
            "W_a of general has a row for each number of the query and a column for each of a "
            "key: rows times columns, not rows plus columns.",
            _count(lambda q, k, a: a * (q + k) + a, product=False),
        ),
        Mistake(
            "[s ; h] is query_size + key_size long, not their product: one vector is put behind "
            "the other.",
            _count(lambda q, k, a: a * (q * k) + a),
        ),
        Mistake(
            "There is a bias too many: neither paper's formula has one, nor has attnlib.",
            _count(lambda q, k, a: a * (q + k) + 2 * a),
        ),
        Mistake(
            "Concat and additive are counted for query and key of the same size. Which size does "
            "each part have?",
            _count(lambda q, k, a: 2 * a * q + a),
        ),
    ],
)


# 6.6 ---------------------------------------------------------------------------------------------


def _keeps_variance(call: Call) -> str | None:
    make = _random(6)
    size = call.query.shape[-1]
    variance = float(call(query=make(1, 400, size), keys=make(1, 400, size)).var())
    if 0.8 < variance < 1.25:
        return None
    return (
        f"For random vectors of {size} numbers of variance 1 the scores have variance "
        f"{variance:.2f}. It should be about 1: the variance grows {size}-fold, so what undoes it?"
    )


SCALED_SCORE = Exercise(
    "scaled_score",
    reference=lambda query, keys: _dot(query, keys) / query.shape[-1] ** 0.5,
    inputs=lambda: _query_and_keys(7),
    rules={
        "a score depends on its own key only": _own_key_only,
        "numbers of variance 1 give scores of variance 1": _keeps_variance,
    },
    mistakes=[
        Mistake("Nothing has been divided: this is the plain dot product.", _dot),
        Mistake(
            "The scores are divided by the size itself. The size is the *variance* of the sum; "
            "a variance is a square.",
            lambda query, keys: _dot(query, keys) / query.shape[-1],
        ),
        Mistake(
            "They are divided by the root of the number of keys. How many products does one "
            "score sum up?",
            lambda query, keys: _dot(query, keys) / keys.shape[1] ** 0.5,
        ),
        Mistake(
            "They are multiplied by the root: that makes large scores larger still.",
            lambda query, keys: _dot(query, keys) * query.shape[-1] ** 0.5,
        ),
        Mistake(
            "Each score is divided by the lengths of its two vectors: that is the cosine. √H is "
            "one number, the same for all scores.",
            lambda query, keys: _dot(F.normalize(query, dim=-1), F.normalize(keys, dim=-1)),
        ),
        Mistake(
            "The scores are divided by their own standard deviation, so every score depends on "
            "all the others. √H is known beforehand.",
            lambda query, keys: _dot(query, keys) / _dot(query, keys).std(),
        ),
        Mistake(
            "These are weights: a score is what goes into the softmax.",
            lambda query, keys: (_dot(query, keys) / query.shape[-1] ** 0.5).softmax(-1),
        ),
    ],
)


# 6.7 ---------------------------------------------------------------------------------------------


def _weights_and_gradient() -> Inputs:
    yield {"weights": torch.tensor([0.5, 0.5]), "gradient": torch.tensor([1.0, 3.0])}
    yield {"weights": torch.tensor([0.25, 0.75]), "gradient": torch.tensor([4.0, 0.0])}
    make = _random(8)
    yield {"weights": make(3, 4).softmax(-1), "gradient": make(3, 4)}
    yield {"weights": (5 * make(2, 3, 5)).softmax(-1), "gradient": make(2, 3, 5)}


def _through(weights: Tensor, gradient: Tensor) -> Tensor:
    return weights * (gradient - (weights * gradient).sum(-1, keepdim=True))


def _sums_to_zero(call: Call) -> str | None:
    total = float(call.result.sum(-1).abs().max())
    if total < 1e-4:
        return None
    return (
        f"The result sums to {total:.2f} along a row. Adding the same number to all scores does "
        "not change the weights, so that the gradient must sum to 0. Does each weight feel what "
        "the other scores do?"
    )


def _saturated(call: Call) -> str | None:
    one_hot = torch.zeros_like(call.weights)
    one_hot[..., 0] = 1.0
    left = float(call(weights=one_hot).abs().max())
    if left < 1e-6:
        return None
    return f"With all weight on one position a gradient of {left:.2f} comes through, not 0."


THROUGH_SOFTMAX = Exercise(
    "through_softmax",
    reference=_through,
    inputs=_weights_and_gradient,
    rules={
        "a row of the result sums to 0": _sums_to_zero,
        "with all weight on one position nothing comes through": _saturated,
    },
    mistakes=[
        Mistake(
            "This is α (1 − α) g: the effect of a score on its own weight only. A score that "
            "grows also takes from all the others.",
            lambda weights, gradient: weights * (1 - weights) * gradient,
        ),
        Mistake(
            "This is α g, the first half. What the other weights lose is missing: subtract from "
            "each g the mean of all g, weighted by α.",
            lambda weights, gradient: weights * gradient,
        ),
        Mistake(
            "The plain mean of g is subtracted. Weigh it by α.",
            lambda weights, gradient: weights * (gradient - gradient.mean(-1, keepdim=True)),
        ),
        Mistake(
            "The sign is turned round: a score grows its own weight.",
            lambda weights, gradient: -_through(weights, gradient),
        ),
        Mistake(
            "The last factor α is missing: a position without weight would get a gradient.",
            lambda weights, gradient: gradient - (weights * gradient).sum(-1, keepdim=True),
        ),
        Mistake(
            "A softmax was taken once more: the weights that you are given are weights already.",
            lambda weights, gradient: _through(weights.softmax(-1), gradient),
        ),
        Mistake(
            "The sum runs over everything. Each row is a softmax of its own: sum over the last "
            "dimension.",
            lambda weights, gradient: weights * (gradient - (weights * gradient).sum()),
        ),
    ],
)


# 6.8 ---------------------------------------------------------------------------------------------

KINDS = ("dot", "general", "concat")
Score = Callable[[Tensor, Tensor], Tensor]


def _fit(kind: str, query: Tensor, keys: Tensor, wanted: Tensor) -> Score:
    """A score fitted to examples in one step: each maps a key to the query it would answer to."""
    if kind == "dot":
        return lambda query, keys: torch.einsum("nh,nsh->ns", query, keys)
    generator = torch.Generator().manual_seed(9)
    bend = 1.5 * torch.randn(query.shape[-1], 60, generator=generator)
    shift = torch.rand(60, generator=generator) * 2 - 1

    def features(keys: Tensor) -> Tensor:
        return keys if kind == "general" else torch.tanh(keys @ bend + shift)

    found = features(keys[torch.arange(len(keys)), wanted])
    ridge = 1e-3 * torch.eye(found.shape[-1])
    map_ = torch.linalg.solve(found.T @ found + ridge, found.T @ query)
    if kind == "general":
        return lambda query, keys: torch.einsum("nh,nsh->ns", query, keys @ map_)
    return lambda query, keys: -(features(keys) @ map_ - query.unsqueeze(1)).square().sum(-1)


def _examples() -> Inputs:
    make = _random(10)
    turn, _ = torch.linalg.qr(make(4, 4))
    worlds: list[tuple[int, float, Callable[[Tensor], Tensor]]] = [
        (24, 1.0, lambda x: x),  # shared, few and noisy examples
        (120, 0.0, lambda x: x),  # shared, many: dot and general are equally good
        (120, 0.1, lambda x: x @ turn.T),
        (600, 0.05, lambda x: (x @ turn.T).abs()),
    ]
    for count, noise, world in worlds:
        keys = F.normalize(make(count, 5, 4), dim=-1) * 2
        wanted = torch.arange(count) % 5
        found = world(keys[torch.arange(count), wanted])
        yield {"fit": _fit, "query": found + noise * make(count, 4), "keys": keys, "wanted": wanted}


def _accuracy(score: Score, query: Tensor, keys: Tensor, wanted: Tensor) -> float:
    return float((score(query, keys).argmax(-1) == wanted).float().mean())


def _choose(best: Callable[[dict[str, float]], str], seen: bool = False) -> Callable[..., str]:
    """Fit on the first half, judge on the second; or on what was fitted (seen)."""

    def pick(fit: Callable[..., Score], query: Tensor, keys: Tensor, wanted: Tensor) -> str:
        half = len(query) // 2
        first = (query[:half], keys[:half], wanted[:half])
        second = (query[half:], keys[half:], wanted[half:])
        judged = first if seen else second
        return best({kind: _accuracy(fit(kind, *first), *judged) for kind in KINDS})

    return pick


def _largest(found: dict[str, float]) -> str:
    return max(found, key=lambda kind: found[kind])


def _a_kind(call: Call) -> str | None:
    if call.result in KINDS:
        return None
    return f"{call.result!r} is none of {', '.join(KINDS)}."


def _looks(call: Call) -> str | None:
    asked: list[str] = []

    def fit(kind: str, query: Tensor, keys: Tensor, wanted: Tensor) -> Score:
        asked.append(kind)
        return _fit(kind, query, keys, wanted)

    call(fit=fit)
    theirs = asked[: -len(KINDS)]  # the last three are the reference's
    missing = [kind for kind in KINDS if kind not in theirs]
    if not missing:
        return None
    return f"The score {' and '.join(missing)} was never fitted: how do you know how good it is?"


PICK_SCORE = Exercise(
    "pick_score",
    reference=_choose(_largest),
    inputs=_examples,
    rules={
        'the answer is "dot", "general" or "concat"': _a_kind,
        "all three are tried": _looks,
    },
    mistakes=[
        Mistake(
            "The scores are judged on the examples that they were fitted to. There the one with "
            "the most parameters wins, whatever the world is like: judge on the second half.",
            _choose(_largest, seen=True),
        ),
        Mistake(
            "Of equally good scores the last is taken. Take the first: it has fewer parameters.",
            _choose(lambda found: max(reversed(KINDS), key=lambda kind: found[kind])),
        ),
        Mistake(
            "This is the score that is right least often.",
            _choose(lambda found: min(found, key=lambda kind: found[kind])),
        ),
        Mistake(
            "It always answers concat. More parameters are not always better.",
            _choose(lambda found: "concat"),
        ),
        Mistake(
            "It always answers general. Did the examples have a say?",
            _choose(lambda found: "general"),
        ),
        Mistake(
            "It always answers dot. Did the examples have a say?",
            _choose(lambda found: "dot"),
        ),
    ],
)
