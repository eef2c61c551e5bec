"""Exercise 6.3: ``concat_score``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import by_hand, each, own_key_only, slips, told
from attnbook.checks.ch06.shared import own_pair_only
from attnbook.checks.shared import Inputs, first_for_all, normal
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown


def concat_score(query: Tensor, keys: Tensor, weight: Tensor, v: Tensor) -> Tensor:
    """v^T tanh(W [s ; h]). query (B, T, Hd), keys (B, S, He), weight (A, Hd + He), v (A,)."""
    steps, positions = query.shape[1], keys.shape[1]
    left = query.unsqueeze(2).expand(-1, -1, positions, -1)  # (B, T, S, Hd)
    right = keys.unsqueeze(1).expand(-1, steps, -1, -1)  # (B, T, S, He)
    return torch.tanh(torch.cat([left, right], dim=-1) @ weight.T) @ v


def _concat_inputs() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0]]]),
        "keys": torch.tensor([[[2.0], [0.0]]]),
        "weight": torch.tensor([[0.5, 1.0], [1.0, -1.0]]),
        "v": torch.tensor([2.0, 1.0]),
    }
    make = normal(3)
    yield {"query": make(2, 3, 4), "keys": make(2, 3, 4), "weight": make(5, 8), "v": make(5)}
    yield {"query": make(2, 3, 4), "keys": make(2, 5, 6), "weight": make(7, 10), "v": make(7)}
    yield {"query": make(3, 4, 5), "keys": make(3, 2, 3), "weight": make(6, 8), "v": make(6)}
    # Square, so that an untransposed weight runs here as well.
    yield {"query": make(2, 2, 2), "keys": make(2, 3, 2), "weight": make(4, 4), "v": make(4)}


def _pairs(query: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
    """Every query beside every key: both (B, T, S, ·)."""
    steps, positions = query.shape[1], keys.shape[1]
    return (
        query.unsqueeze(2).expand(-1, -1, positions, -1),
        keys.unsqueeze(1).expand(-1, steps, -1, -1),
    )


def _inside(query: Tensor, keys: Tensor, weight: Tensor) -> Tensor:
    return torch.cat(_pairs(query, keys), dim=-1) @ weight.T


def _plus(asks: Tensor, answers: Tensor) -> Tensor:
    return asks.unsqueeze(2) + answers.unsqueeze(1)


def _moved(query: Tensor, keys: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """W_1 s and W_2 h."""
    n = query.shape[-1]
    return query @ weight[:, :n].T, keys @ weight[:, n:].T


def _halves(query: Tensor, keys: Tensor, weight: Tensor, v: Tensor) -> Tensor:
    first, second = weight.chunk(2, dim=1)
    return torch.tanh(_plus(query @ first.T, keys @ second.T)) @ v


def _rows_cut(query: Tensor, keys: Tensor, weight: Tensor, v: Tensor) -> Tensor:
    n = query.shape[-1]
    return torch.tanh(_plus(query @ weight[:n], keys @ weight[n:])) @ v


def _untransposed_halves(query: Tensor, keys: Tensor, weight: Tensor, v: Tensor) -> Tensor:
    n = query.shape[-1]
    return torch.tanh(_plus(query @ weight[:, :n], keys @ weight[:, n:])) @ v


_LONGER: dict[str, Callable[[Tensor, int], Tensor]] = {
    "rows": lambda x, times: x.repeat(1, times, 1),
    "each": lambda x, times: x.repeat_interleave(times, 1),
}


def _dealt(of_query: str, of_keys: str) -> Callable[..., Tensor]:
    """All queries and all keys in two long rows, side by side, and cut into (B, T, S)."""

    def answer(query: Tensor, keys: Tensor, weight: Tensor, v: Tensor) -> Tensor:
        rows, steps, positions = *query.shape[:2], keys.shape[1]
        asks = _LONGER[of_query](query, positions)
        both = torch.cat([asks, _LONGER[of_keys](keys, steps)], dim=-1)
        return (torch.tanh(both @ weight.T) @ v).view(rows, steps, positions)

    return answer


def _bounded(call: Call) -> str | None:
    largest = float(call(query=50 * call.query, keys=50 * call.keys).abs().max())
    most = float(call.v.abs().sum())
    if largest <= most * 1.0001:
        return None
    return (
        f"A score is {largest:.1f}. A tanh lies between −1 and 1, so that with this v no score "
        f"can be beyond {most:.1f}. Where does the tanh stand?"
    )


def _linear_in_v(call: Call) -> str | None:
    if torch.allclose(call(v=3 * call.v), 3 * call.result, rtol=1e-4, atol=1e-4):
        return None
    return (
        "With a v three times as long the scores are not three times as large: v weighs what the "
        "tanh gives, and nothing comes after it."
    )


def _odd(call: Call) -> str | None:
    if torch.allclose(call(weight=-call.weight), -call.result, rtol=1e-4, atol=1e-4):
        return None
    return (
        "With −W_a for W_a the scores should turn their signs, because tanh(−x) = −tanh(x). They "
        "do not: what bends the hidden numbers here?"
    )


def _one_score(call: Call, b: int, t: int, j: int) -> str:
    inside = call.weight @ torch.cat([call.query[b, t], call.keys[b, j]])
    bent = torch.tanh(inside)
    return (
        f"W_a [s ; h] is {shown(inside)}, its tanh {shown(bent)}, and v weighs that to "
        f"{shown((bent @ call.v).item())}"
    )


CHECK = Exercise(
    "concat_score",
    reference=concat_score,
    inputs=_concat_inputs,
    rules={
        "a score depends on its own key only": own_key_only,
        "a score is that of its own pair": own_pair_only,
        "no score is larger than the sum of all |v|": _bounded,
        "a longer v gives larger scores in proportion": _linear_in_v,
        "the opposite W_a gives the opposite scores": _odd,
        "a score is v times the tanh of W_a [s ; h]": by_hand(_one_score),
    },
    mistakes=[
        *slips(concat_score),
        *told(
            "W_a is (A, Hd + He): a row for each hidden number, a column for each number of "
            "[s ; h]. A product with vectors that lie in rows, x @ …, needs it transposed.",
            lambda query, keys, weight, v: concat_score(query, keys, weight.T, v),
            _rows_cut,
            _untransposed_halves,
        ),
        *each(
            lambda change: lambda query, keys, weight, v: change(_inside(query, keys, weight), v),
            (
                "Where is the tanh? Without it the query adds the same number to the scores of all "
                "keys (chapter 5).",
                torch.matmul,
            ),
            (
                "The tanh is outside: it bends W_a [s ; h], before v sums.",
                lambda x, v: (x @ v).tanh(),
            ),
            (
                "There is a tanh too many: after v has summed nothing is bent.",
                lambda x, v: (x.tanh() @ v).tanh(),
            ),
            (
                "v is multiplied in, but the sum over the hidden numbers is missing.",
                lambda x, v: x.tanh() * v,
            ),
            (
                "The hidden numbers are summed, but not weighted by v.",
                lambda x, v: x.tanh().sum(-1),
            ),
            (
                "The hidden numbers are averaged, but not weighted by v.",
                lambda x, v: x.tanh().mean(-1),
            ),
            (
                "v is inside the tanh: bend first, then weigh by v.",
                lambda x, v: (x * v).tanh().sum(-1),
            ),
            ("The products with v are averaged. v sums them.", lambda x, v: x.tanh() @ v / len(v)),
            ("This bends with a sigmoid. The formula says tanh.", lambda x, v: x.sigmoid() @ v),
            ("This bends with a ReLU. The formula says tanh.", lambda x, v: x.relu() @ v),
            ("The sign is turned round: the best key scores lowest.", lambda x, v: -x.tanh() @ v),
        ),
        *each(
            lambda change: lambda query, keys, weight, v: change(*_pairs(query, keys), weight) @ v,
            (
                "The key comes first here: the left columns of W_a belong to the query.",
                lambda s, h, weight: (torch.cat([h, s], dim=-1) @ weight.T).tanh(),
            ),
            (
                "The tanh comes too early: first W_a [s ; h], then the bend.",
                lambda s, h, weight: torch.cat([s, h], dim=-1).tanh() @ weight.T,
            ),
            (
                "There is a tanh too many: [s ; h] goes into W_a as it is.",
                lambda s, h, weight: (torch.cat([s, h], dim=-1).tanh() @ weight.T).tanh(),
            ),
            (
                "Query and key are put below one another. [s ; h] has both in one row: concatenate "
                "along the last dimension.",
                lambda s, h, weight: (torch.cat([s, h], dim=-2) @ weight.T).tanh(),
            ),
        ),
        *each(
            lambda join: lambda query, keys, weight, v: join(*_moved(query, keys, weight)) @ v,
            (
                "W_1 s and W_2 h are bent one by one. Their sum is bent: tanh(W_1 s + W_2 h).",
                lambda s, h: _plus(s.tanh(), h.tanh()),
            ),
            (
                "W_1 s and W_2 h are multiplied. In W_a [s ; h] they are added.",
                lambda s, h: (s.unsqueeze(2) * h.unsqueeze(1)).tanh(),
            ),
            (
                "Query t meets key t only. Every query meets every key: with unsqueeze one makes "
                "(B, T, 1, ·) and (B, 1, S, ·).",
                lambda s, h: (s + h).tanh(),
            ),
        ),
        (
            "The keys of the first sentence serve all sentences: sentence b has keys[b].",
            lambda query, keys, weight, v: concat_score(query, first_for_all(keys), weight, v),
        ),
        *told(
            "Queries and keys are paired wrongly: at [b, t, s] belong query t and key s. `repeat` "
            "puts the whole row again behind itself, `repeat_interleave` each vector.",
            _dealt("rows", "rows"),
            _dealt("each", "each"),
        ),
        (
            "Queries and keys are paired in another order than the result is cut: at [b, t, s] "
            "belong query t and key s. Which of the two runs faster?",
            _dealt("rows", "each"),
        ),
        (
            "W_a is cut in the middle. Query and keys may have different sizes: cut where the "
            "query ends.",
            _halves,
        ),
    ],
)
