"""Exercise 5.6: ``additive_score``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import by_hand
from attnbook.checks.shared import Inputs, agrees, first_for_all, normal, relatives, same
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import shown


def additive_score(query: Tensor, keys: Tensor, w: Tensor, u: Tensor, v: Tensor) -> Tensor:
    """v^T tanh(W s + U h_j). query (B, T, Hd), keys (B, S, He), w (A, Hd), u (A, He), v (A,)."""
    hidden = (query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)  # (B, T, S, A)
    return torch.tanh(hidden) @ v


def _additive_inputs() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0], [-1.0]]]),
        "keys": torch.tensor([[[2.0], [0.0]]]),
        "w": torch.tensor([[0.5], [1.0]]),
        "u": torch.tensor([[1.0], [-0.5]]),
        "v": torch.tensor([2.0, 1.0]),
    }
    make = normal(4)
    yield _sizes(make, 2, 3, 3, 4, 4, 5)
    yield _sizes(make, 2, 3, 4, 3, 3, 3)
    yield _sizes(make, 2, 3, 5, 4, 6, 7)
    last = _sizes(make, 3, 4, 2, 6, 5, 3)
    yield {**last, "keys": last["keys"].requires_grad_()}
    yield {name: x.detach().double() for name, x in last.items()}


def _sizes(
    make: Callable[..., Tensor], batch: int, asked: int, read: int, hd: int, he: int, a: int
) -> dict[str, Tensor]:
    return {"query": make(batch, asked, hd), "keys": make(batch, read, he), "w": make(a, hd),
            "u": make(a, he), "v": make(a)}  # fmt: skip


def _plus(asks: Tensor, answers: Tensor) -> Tensor:
    return asks.unsqueeze(2) + answers.unsqueeze(1)


def _additive(
    query: Tensor,
    keys: Tensor,
    w: Tensor,
    u: Tensor,
    v: Tensor,
    *,
    of_query: Callable[[Tensor], Tensor] = same,
    of_keys: Callable[[Tensor], Tensor] = same,
    join: Callable[[Tensor, Tensor], Tensor] = _plus,
    bend: Callable[[Tensor], Tensor] = torch.tanh,
    weigh: Callable[[Tensor, Tensor], Tensor] = torch.matmul,
    after: Callable[[Tensor], Tensor] = same,
) -> Tensor:
    """Bahdanau's score (2015, appendix A.1.2), and what it is with one part wrong."""
    hidden = join(of_query(query) @ w.T, of_keys(keys) @ u.T)
    return after(weigh(bend(hidden), v))


def _query_matters(call: Call) -> str | None:
    if call.query.shape[1] < 2:
        return None
    if torch.allclose(call.result[:, 0], call.result[:, 1], atol=1e-6):
        return "Two different queries get the same scores: does each query meet every key?"
    first, second = call.result[:, 0].softmax(-1), call.result[:, 1].softmax(-1)
    if not torch.allclose(first, second, atol=1e-6):
        return None
    return (
        "Two different queries get the same weights. What is added to the scores of all keys "
        "alike is lost in the softmax: what bends W s + U h?"
    )


def _own_key_only(call: Call) -> str | None:
    touched = call.keys.detach().clone()
    touched[:, 0] += 1.0
    if torch.allclose(call(keys=touched)[..., 1:], call.result[..., 1:], atol=1e-5):
        return None
    return "When the first key changes, the scores of the other keys change as well."


def _linear_in_v(call: Call) -> str | None:
    twice, once = call(v=2 * call.v), call.result
    if torch.allclose(twice, 2 * once, atol=1e-4):
        return None
    one, two = (float(x.flatten()[0]) for x in (once, twice))
    return (
        f"With v doubled every score doubles; the first goes from {one:.4g} to {two:.4g}. v comes "
        "last, nothing is done to the sum behind it."
    )


def _bounded(call: Call) -> str | None:
    most = float(call.v.detach().abs().sum())
    largest = float(call(query=20 * call.query, keys=20 * call.keys).abs().max())
    if largest <= most * (1 + 1e-4):
        return None
    return (
        f"With query and keys twenty times as long there is a score of {largest:.4g}. The tanh "
        f"keeps every hidden number within ±1, so no score exceeds Σ|v| = {most:.4g}."
    )


def _one_score(call: Call, b: int, t: int, j: int) -> str:
    asks, answers = call.w @ call.query[b, t], call.u @ call.keys[b, j]
    bent = torch.tanh(asks + answers)
    return (
        f"W s is {shown(asks)}, U h {shown(answers)}, the tanh of their sum {shown(bent)}, and v "
        f"weighs it to {shown((bent @ call.v).item())}"
    )


CHECK = Exercise(
    "additive_score",
    reference=additive_score,
    inputs=_additive_inputs,
    rules={
        "two queries get two distributions": _query_matters,
        "a score depends on its own key only": _own_key_only,
        "twice v gives scores twice as large": _linear_in_v,
        "no score exceeds the sum of |v|": _bounded,
        "every query meets every key of its own sentence": agrees("sentence", "query", "key"),
        "a score is v times the tanh of W s + U h": by_hand(_one_score),
    },
    mistakes=[
        (
            "This is linear in query and key. Then the query adds the same number to the scores "
            "of all keys, and the softmax does not see it. What bends W s + U h?",
            lambda query, keys, w, u, v: _additive(query, keys, w, u, v, bend=same),
        ),
        (
            "The tanh is outside: it bends W s + U h, before v sums.",
            lambda query, keys, w, u, v: _additive(
                query, keys, w, u, v, bend=same, after=torch.tanh
            ),
        ),
        (
            "v is multiplied in before the tanh: it weighs the hidden numbers once they are bent.",
            lambda query, keys, w, u, v: _additive(
                query, keys, w, u, v, bend=lambda hidden: (hidden * v).tanh(),
                weigh=lambda hidden, v: hidden.sum(-1),
            ),
        ),
        (
            "w is applied to the keys and u to the query: it is W s + U h.",
            lambda query, keys, w, u, v: _additive(query, keys, u, w, v),
        ),
        (
            "The matrices are applied from the wrong side: row a of W makes hidden number a, so it "
            "is query @ w.T.",
            lambda query, keys, w, u, v: (
                torch.tanh((query @ w).unsqueeze(2) + (keys @ u).unsqueeze(1)) @ v
            ),
        ),
        (
            "Query and key are bent one by one. The tanh takes their sum: otherwise the query "
            "adds the same to all keys.",
            lambda query, keys, w, u, v: (
                (torch.tanh(query @ w.T) @ v).unsqueeze(2)
                + (torch.tanh(keys @ u.T) @ v).unsqueeze(1)
            ),
        ),
        *relatives(
            _additive,
            join={
                "Query and key are bent one by one, too early. The tanh takes their sum, once.":
                    lambda asks, answers: _plus(asks.tanh(), answers.tanh()),
                "Query and key are multiplied with one another. The additive score adds them.":
                    lambda asks, answers: asks.unsqueeze(2) * answers.unsqueeze(1),
                "The key is subtracted from the query. The additive score adds them.":
                    lambda asks, answers: _plus(asks, -answers),
                "Only the query is there: U h_j is missing from the sum.":
                    lambda asks, answers: _plus(asks, torch.zeros_like(answers)),
                "Only the keys are there: W s is missing from the sum.":
                    lambda asks, answers: _plus(torch.zeros_like(asks), answers),
                "Rows are keys and columns are queries here: query t belongs in row t.":
                    lambda asks, answers: _plus(answers, asks),
                "Query t meets key t only. Every query meets every key: with unsqueeze one makes "
                "(B, T, 1, A) and (B, 1, S, A).": lambda asks, answers: asks + answers,
            },
            bend={
                "This is a ReLU. Bahdanau's score has a tanh.": torch.relu,
                "This is a sigmoid. Bahdanau's score has a tanh.": torch.sigmoid,
                "This is an exponential. Bahdanau's score has a tanh.": torch.exp,
                "There is a softmax over the hidden numbers. Bahdanau's score has a tanh.":
                    lambda hidden: hidden.softmax(-1),
                "There are two tanhs, one in the other. The formula has one.":
                    lambda hidden: hidden.tanh().tanh(),
            },
            weigh={
                "The hidden numbers are summed, but not weighted by v.":
                    lambda hidden, v: hidden.sum(-1),
                "The hidden numbers are averaged, but not weighted by v.":
                    lambda hidden, v: hidden.mean(-1),
                "The mean over the hidden numbers is taken. vᵀ is a sum.":
                    lambda hidden, v: hidden @ v / len(v),
                "The score is divided by √A. The additive score is not scaled.":
                    lambda hidden, v: hidden @ v / len(v) ** 0.5,
                "The softmax of v is used: v is taken as it is.":
                    lambda hidden, v: hidden @ v.softmax(-1),
                "v is multiplied in, but the sum over the A numbers is missing.": torch.mul,
            },
            after={
                "These are weights: a score is what goes into the softmax.":
                    lambda scores: scores.softmax(-1),
                "A softmax over the queries was taken: a score is what goes into the softmax.":
                    lambda scores: scores.softmax(1),
                "There is one tanh too many: nothing bends the score itself.": torch.tanh,
                "The score has the opposite sign.": torch.neg,
                "A dimension is left over at the end: the scores are (B, T, S).":
                    lambda scores: scores.unsqueeze(-1),
            },
            of_query={
                "The scores of the first query stand for every query.":
                    lambda query: query[:, :1].expand_as(query),
                "The scores of the last query stand for every query.":
                    lambda query: query[:, -1:].expand_as(query),
                "The queries of the first sentence are used for every sentence.": first_for_all,
                "The sum of all queries stands for every query.":
                    lambda query: query.sum(1, keepdim=True).expand_as(query),
                "The mean of all queries stands for every query.":
                    lambda query: query.mean(1, keepdim=True).expand_as(query),
            },
            of_keys={
                "The keys of the first sentence are used for every sentence.": first_for_all,
                "The first key of a sentence stands for all its keys.":
                    lambda keys: keys[:, :1].expand_as(keys),
                "The keys of all sentences are added up: each sentence has its own.":
                    lambda keys: keys.sum(0, keepdim=True).expand_as(keys),
            },
        ),
    ],
)  # fmt: skip
