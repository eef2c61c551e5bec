"""Checks of chapter 5: attention inside a translator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from .spec import Call, Exercise, Mistake

Inputs = Iterator[dict[str, Any]]


def _random(seed: int) -> Callable[..., Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return lambda *size: torch.randn(*size, generator=generator)


# 5.1 ---------------------------------------------------------------------------------------------


def _weights_and_values() -> Inputs:
    yield {
        "weights": torch.tensor([[[0.25, 0.75]]]),
        "values": torch.tensor([[[4.0, 0.0, 1.0], [0.0, 8.0, 1.0]]]),
    }
    make = _random(0)
    yield {"weights": make(2, 3, 3).softmax(-1), "values": make(2, 3, 3)}
    yield {"weights": make(2, 4, 3).softmax(-1), "values": make(2, 3, 5)}


def _fetches_one(call: Call) -> str | None:
    one_hot = torch.zeros_like(call.weights)
    one_hot[..., 0] = 1.0
    fetched = call(weights=one_hot)[:, 0]
    if torch.allclose(fetched, call.values[:, 0]):
        return None
    return (
        f"With all weight on the first value, which is {_list(call.values[0, 0])}, the context is "
        f"{_list(fetched[0])}. What should it be?"
    )


WEIGHTED_SUM = Exercise(
    "weighted_sum",
    reference=lambda weights, values: weights @ values,
    inputs=_weights_and_values,
    rules={"weight 1 on one value fetches that value": _fetches_one},
    mistakes=[
        Mistake(
            "This is the plain mean of the values: no weight has been used.",
            lambda weights, values: values.mean(1, keepdim=True).expand(
                -1, weights.shape[1], values.shape[2]
            ),
        ),
        Mistake(
            "This is the plain sum of the values: each must first be multiplied by its weight.",
            lambda weights, values: values.sum(1, keepdim=True).expand(
                -1, weights.shape[1], values.shape[2]
            ),
        ),
        Mistake(
            "The sum is divided by the number of values. The weights sum to 1 already.",
            lambda weights, values: weights @ values / values.shape[1],
        ),
        Mistake(
            "A softmax was taken once more: the weights that you are given are weights already.",
            lambda weights, values: weights.softmax(-1) @ values,
        ),
        Mistake(
            "The weights are transposed: row t of the weights belongs to query t, and the sum "
            "runs along the row.",
            lambda weights, values: weights.transpose(1, 2) @ values,
        ),
        Mistake(
            "Only the value with the largest weight is taken. A context mixes them all.",
            lambda weights, values: torch.stack([v[w.argmax(-1)] for w, v in zip(weights, values)]),
        ),
    ],
)


# 5.2 ---------------------------------------------------------------------------------------------


def _query_keys_weight() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0, 2.0]]]),
        "keys": torch.tensor([[[1.0, 0.0], [0.0, 1.0]]]),
        "weight": torch.tensor([[0.0, 3.0], [5.0, 0.0]]),
    }
    make = _random(1)
    yield {"query": make(2, 1, 3), "keys": make(2, 4, 3), "weight": make(3, 3)}
    yield {"query": make(2, 3, 4), "keys": make(2, 5, 4), "weight": make(4, 4)}
    yield {"query": make(2, 3, 4), "keys": make(2, 5, 6), "weight": make(4, 6)}


def _own_key_only(call: Call) -> str | None:
    touched = call.keys.clone()
    touched[:, 0] += 1.0
    if call.keys.shape[1] < 2 or torch.allclose(call(keys=touched)[..., 1:], call.result[..., 1:]):
        return None
    return "When the first key changes, the scores of the other keys change as well."


GENERAL_SCORE = Exercise(
    "general_score",
    reference=lambda query, keys, weight: query @ weight @ keys.transpose(1, 2),
    inputs=_query_keys_weight,
    rules={
        "a score depends on its own key only": _own_key_only,
        "a query twice as long has scores twice as large": lambda call: torch.allclose(
            call(query=2 * call.query), 2 * call.result, atol=1e-4
        ),
    },
    mistakes=[
        Mistake(
            "This is the score with Wᵀ: which side of W does the query stand on?",
            lambda query, keys, weight: query @ weight.T @ keys.transpose(1, 2),
        ),
        Mistake(
            "This is the dot product of query and key: the matrix has not been used.",
            lambda query, keys, weight: query @ keys.transpose(1, 2),
        ),
        Mistake(
            "These are weights: a score is what goes into the softmax.",
            lambda query, keys, weight: (query @ weight @ keys.transpose(1, 2)).softmax(-1),
        ),
        Mistake(
            "The general score is a bare product: there is no tanh in it.",
            lambda query, keys, weight: torch.tanh(query @ weight @ keys.transpose(1, 2)),
        ),
        Mistake(
            "The general score is not scaled: nothing is divided by a square root.",
            lambda query, keys, weight: (
                query @ weight @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5
            ),
        ),
    ],
)


# 5.3 ---------------------------------------------------------------------------------------------


def _scores_and_mask() -> Inputs:
    yield {
        "scores": torch.tensor([1.0, 1.0, 3.0]),
        "mask": torch.tensor([True, True, False]),
    }
    yield {
        "scores": torch.tensor([[-2.0, -3.0, 0.0], [2.0, 1.0, 0.5]]),
        "mask": torch.tensor([[True, True, False], [True, True, True]]),
    }
    yield {
        "scores": torch.tensor([[1.0, 2.0, 0.5], [1.0, 2.0, 3.0]]),
        "mask": torch.tensor([[True, False, True], [False, False, False]]),
    }
    make = _random(2)
    mask = torch.arange(6) < torch.tensor([[[6]], [[4]], [[1]]])
    yield {"scores": make(3, 2, 6), "mask": mask.expand(3, 2, 6)}
    yield {"scores": 300 * make(3, 2, 6), "mask": mask.expand(3, 2, 6)}


def _no_weight_on_padding(call: Call) -> str | None:
    on_padding = float(call.result.nan_to_num().masked_fill(call.mask, 0.0).abs().max())
    if on_padding == 0.0:
        return None
    return (
        f"A forbidden position has weight {on_padding:.2f}. Is True taken for 'allowed', and is "
        "the mask applied before the softmax, with a number that the softmax turns into 0?"
    )


def _shares_one(call: Call) -> str | None:
    for mask, row in zip(call.mask.reshape(-1, call.mask.shape[-1]), _rows(call.result)):
        if bool(mask.any()) and abs(float(row[mask].sum()) - 1) > 1e-4:
            return (
                f"The weights of the allowed positions sum to {float(row[mask].sum()):.2f}, not "
                "to 1. Who has the rest?"
            )
    return None


def _empty_row(call: Call) -> str | None:
    result = call(mask=torch.zeros_like(call.mask))
    if bool(result.isnan().any()):
        return "A row in which nothing is allowed becomes NaN (0/0). It should be all zeros."
    if float(result.abs().max()) > 0:
        return (
            f"A row in which nothing is allowed gets weights of {float(result.max()):.2f}. "
            "It should be all zeros."
        )
    return None


def _half(call: Call) -> str | None:
    scores = call.scores.half()
    problem = call.error(scores=scores)
    if problem is not None:
        return (
            "In half precision it fails: is there a number beyond 65504, such as −10⁹? "
            "Ask torch.finfo(scores.dtype) for the smallest."
        )
    return None if torch.isfinite(call(scores=scores)).all() else "In half precision it is NaN."


def _safe_softmax(scores: Tensor, mask: Tensor) -> Tensor:
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)
    return weights.masked_fill(~mask, 0.0)


def _zero_scores(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, 0.0).softmax(-1)


def _infinite(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -torch.inf).softmax(-1)


SAFE_SOFTMAX = Exercise(
    "safe_softmax",
    reference=_safe_softmax,
    inputs=_scores_and_mask,
    rules={
        "a forbidden position has weight exactly 0": _no_weight_on_padding,
        "the allowed positions share 1": _shares_one,
        "a row with nothing allowed is all zeros": _empty_row,
        "it works in half precision": _half,
    },
    mistakes=[
        Mistake(
            "A score of 0 is a score like any other: e⁰ = 1, so padding still gets a weight. "
            "Which score does the softmax turn into 0?",
            _zero_scores,
        ),
        Mistake(
            "The mask comes after the softmax: padding has 0 now, but it has taken its share of "
            "the sum along, and what is left no longer sums to 1.",
            lambda scores, mask: scores.softmax(-1) * mask,
        ),
        Mistake(
            "The mask is the wrong way round: True marks what may be attended, and masked_fill "
            "fills where True.",
            lambda scores, mask: _safe_softmax(scores, ~mask),
        ),
        Mistake(
            "The mask is the wrong way round: True marks what may be attended, and masked_fill "
            "fills where True. (And a row of −∞ alone becomes NaN.)",
            lambda scores, mask: _infinite(scores, ~mask),
        ),
        Mistake(
            "A row in which nothing is allowed becomes NaN (0/0): take the smallest finite number "
            "instead of −∞, and fill once more after the softmax.",
            _infinite,
        ),
        Mistake(
            "Scores of 0 and below are lost: dividing by the sum is not the softmax. "
            "Where is the exponential?",
            lambda scores, mask: (scores * mask) / (scores * mask).sum(-1, keepdim=True),
        ),
    ],
)


# 5.4 ---------------------------------------------------------------------------------------------


def _context_state_weight() -> Inputs:
    yield {
        "context": torch.tensor([[[1.0]]]),
        "state": torch.tensor([[[0.5]]]),
        "weight": torch.tensor([[1.0, 0.0], [0.2, 0.4]]),
    }
    make = _random(3)
    yield {"context": make(2, 3, 4), "state": make(2, 3, 4), "weight": make(4, 8)}
    yield {"context": make(2, 3, 4), "state": make(2, 3, 5), "weight": make(6, 9)}


def _cat(*parts: Tensor) -> Tensor:
    return torch.cat(parts, dim=-1)


def _within_one(call: Call) -> str | None:
    largest = float(call(context=10 * call.context, state=10 * call.state).abs().max())
    if largest <= 1.0:
        return None
    return f"There is a {largest:.1f} in the result. What keeps s̃ between −1 and 1?"


ATTENTIONAL_VECTOR = Exercise(
    "attentional_vector",
    reference=lambda context, state, weight: torch.tanh(_cat(context, state) @ weight.T),
    inputs=_context_state_weight,
    rules={"every number lies between −1 and 1": _within_one},
    mistakes=[
        Mistake(
            "The state comes first here: the left columns of W_c belong to the context.",
            lambda context, state, weight: torch.tanh(_cat(state, context) @ weight.T),
        ),
        Mistake(
            "Where is the tanh?",
            lambda context, state, weight: _cat(context, state) @ weight.T,
        ),
        Mistake(
            "The tanh comes last: first concatenate, then multiply by W_c, then bend.",
            lambda context, state, weight: torch.tanh(_cat(context, state)) @ weight.T,
        ),
        Mistake(
            "This bends with a sigmoid. The formula says tanh.",
            lambda context, state, weight: torch.sigmoid(_cat(context, state) @ weight.T),
        ),
        Mistake(
            "This is a softmax: s̃ is a vector of features, the softmax comes after W_s.",
            lambda context, state, weight: (_cat(context, state) @ weight.T).softmax(-1),
        ),
        Mistake(
            "Only the context is used: the state belongs into s̃ as well.",
            lambda context, state, weight: torch.tanh(context @ weight[:, : context.shape[-1]].T),
        ),
    ],
)


# 5.5 ---------------------------------------------------------------------------------------------


def _additive_inputs() -> Inputs:
    yield {
        "query": torch.tensor([[[1.0], [-1.0]]]),
        "keys": torch.tensor([[[2.0], [0.0]]]),
        "w": torch.tensor([[0.5]]),
        "u": torch.tensor([[1.0]]),
        "v": torch.tensor([2.0]),
    }
    make = _random(4)
    yield {"query": make(2, 3, 4), "keys": make(2, 3, 4), "w": make(5, 4), "u": make(5, 4),
           "v": make(5)}  # fmt: skip
    yield {"query": make(2, 3, 4), "keys": make(2, 5, 6), "w": make(7, 4), "u": make(7, 6),
           "v": make(7)}  # fmt: skip


def _inner(query: Tensor, keys: Tensor, w: Tensor, u: Tensor) -> Tensor:
    return (query @ w.T).unsqueeze(2) + (keys @ u.T).unsqueeze(1)


def _query_matters(call: Call) -> str | None:
    if call.query.shape[1] < 2:
        return None
    first, second = call.result[:, 0].softmax(-1), call.result[:, 1].softmax(-1)
    if not torch.allclose(first, second, atol=1e-6):
        return None
    return (
        "Two different queries get the same weights. What is added to the scores of all keys "
        "alike is lost in the softmax: what bends W s + U h?"
    )


ADDITIVE_SCORE = Exercise(
    "additive_score",
    reference=lambda query, keys, w, u, v: torch.tanh(_inner(query, keys, w, u)) @ v,
    inputs=_additive_inputs,
    rules={"two queries get two distributions": _query_matters},
    mistakes=[
        Mistake(
            "This is linear in query and key. Then the query adds the same number to the scores "
            "of all keys, and the softmax does not see it. What bends W s + U h?",
            lambda query, keys, w, u, v: _inner(query, keys, w, u) @ v,
        ),
        Mistake(
            "The tanh is outside: it bends W s + U h, before v sums.",
            lambda query, keys, w, u, v: torch.tanh(_inner(query, keys, w, u) @ v),
        ),
        Mistake(
            "Query and key are bent one by one. The tanh takes their sum: otherwise the query "
            "adds the same to all keys.",
            lambda query, keys, w, u, v: (
                (torch.tanh(query @ w.T) @ v).unsqueeze(2)
                + (torch.tanh(keys @ u.T) @ v).unsqueeze(1)
            ),
        ),
        Mistake(
            "The hidden numbers are summed, but not weighted by v.",
            lambda query, keys, w, u, v: torch.tanh(_inner(query, keys, w, u)).sum(-1),
        ),
        Mistake(
            "This is a ReLU. Bahdanau's score has a tanh.",
            lambda query, keys, w, u, v: torch.relu(_inner(query, keys, w, u)) @ v,
        ),
        Mistake(
            "Rows are keys and columns are queries here: query t belongs in row t.",
            lambda query, keys, w, u, v: (torch.tanh(_inner(query, keys, w, u)) @ v).transpose(
                1, 2
            ),
        ),
        Mistake(
            "Query and key are multiplied with one another. The additive score adds them.",
            lambda query, keys, w, u, v: (
                torch.tanh((query @ w.T).unsqueeze(2) * (keys @ u.T).unsqueeze(1)) @ v
            ),
        ),
    ],
)


# 5.6 ---------------------------------------------------------------------------------------------


def _states_and_weight() -> Inputs:
    yield {
        "states": torch.tensor([[[0.1, 0.9], [0.3, 0.5]]]),
        "weight": torch.tensor([[1.0]]),
    }
    make = _random(5)
    yield {"states": make(2, 4, 6), "weight": make(5, 3)}
    yield {"states": make(3, 5, 8), "weight": make(4, 4)}


def _start(pick: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    return lambda states, weight: torch.tanh(pick(states) @ weight.T)


FIRST_STATE = Exercise(
    "first_state",
    reference=_start(lambda states: states[:, 0].chunk(2, dim=-1)[1]),
    inputs=_states_and_weight,
    rules={
        "what follows the first position does not matter": lambda call: torch.equal(
            call(states=torch.cat([call.states, call.states], dim=1)), call.result
        ),
    },
    mistakes=[
        Mistake(
            "This is the backward state of the last position: it has read one word only, and in "
            "a padded batch not even a word. Where does reading from right to left end?",
            _start(lambda states: states[:, -1].chunk(2, dim=-1)[1]),
        ),
        Mistake(
            "This is the forward state of the first position: it has read one word. Which half "
            "is the backward one?",
            _start(lambda states: states[:, 0].chunk(2, dim=-1)[0]),
        ),
        Mistake(
            "This is the forward state of the last position, and in a padded batch that is "
            "padding. The formula asks for the backward state of the first.",
            _start(lambda states: states[:, -1].chunk(2, dim=-1)[0]),
        ),
        Mistake(
            "Where is the tanh?",
            lambda states, weight: states[:, 0].chunk(2, dim=-1)[1] @ weight.T,
        ),
        Mistake(
            "This is the mean of the backward states, padding included. The formula asks for "
            "one of them.",
            _start(lambda states: states.chunk(2, dim=-1)[1].mean(1)),
        ),
    ],
)


# 5.7 ---------------------------------------------------------------------------------------------


def _attend(query: Tensor, keys: Tensor, values: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """A dot score over as many features as both have; scores of padding become −∞."""
    width = min(query.shape[-1], keys.shape[-1])
    scores = query[..., :width] @ keys[..., :width].transpose(1, 2)
    weights = scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(-1)
    return weights @ values, weights


def _cell(inputs: Tensor, state: Tensor) -> Tensor:
    """Mixes all inputs into every unit, the later ones more."""
    ramp = torch.linspace(0.1, 1.0, inputs.shape[-1])
    return torch.tanh(0.5 * state + (inputs * ramp).sum(-1, keepdim=True))


def _decoder_inputs() -> Inputs:
    for seed, (batch, length, features) in enumerate([(1, 2, 2), (2, 4, 3)]):
        make = _random(60 + seed)
        yield {
            "word": make(batch, features),
            "state": make(batch, features),
            "keys": make(batch, length, features),
            "mask": torch.arange(length) < torch.tensor([[length], [length - 1]])[:batch],
            "attend": _attend,
            "cell": _cell,
        }


Decoder = Callable[..., Any]


def _bahdanau(
    word: Tensor, state: Tensor, keys: Tensor, mask: Tensor, attend: Decoder, cell: Decoder
) -> tuple[Tensor, Tensor]:
    context, weights = attend(state.unsqueeze(1), keys, keys, mask)
    return cell(_cat(word, context.squeeze(1)), state), weights


def _after(word, state, keys, mask, attend, cell):  # type: ignore[no-untyped-def]
    blank = torch.zeros_like(keys[:, 0])
    new = cell(_cat(word, blank), state)
    context, weights = attend(new.unsqueeze(1), keys, keys, mask)
    return cell(_cat(word, context.squeeze(1)), new), weights


def _luong(word, state, keys, mask, attend, cell):  # type: ignore[no-untyped-def]
    new = cell(word, state)
    _, weights = attend(new.unsqueeze(1), keys, keys, mask)
    return new, weights


def _word_free(call: Call) -> str | None:
    _, weights = call(word=call.word + 1)
    if torch.allclose(weights, call.result[1]):
        return None
    return (
        "The weights change with the previous word. Bahdanau attends with the state from before "
        "the step, which has not read that word yet."
    )


def _keys_reach_state(call: Call) -> str | None:
    new, _ = call(keys=call.keys + 1)
    if not torch.allclose(new, call.result[0]):
        return None
    return "The new state does not feel the keys: where does the context enter the step?"


def _padding_free(call: Call) -> str | None:
    keys = call.keys.masked_fill(~call.mask.unsqueeze(-1), 9.0)
    if torch.allclose(call(keys=keys)[0], call.result[0], atol=1e-5):
        return None
    return "The new state changes with what stands at padding. Was the mask handed on?"


BAHDANAU_STEP = Exercise(
    "bahdanau_step",
    reference=_bahdanau,
    inputs=_decoder_inputs,
    rules={
        "the weights do not depend on the previous word": _word_free,
        "the new state depends on the keys": _keys_reach_state,
        "padding does not matter": _padding_free,
    },
    mistakes=[
        Mistake(
            "This attends with the new state: that is Luong's order. For Bahdanau the context "
            "must be there before the recurrent step.",
            _luong,
        ),
        Mistake(
            "The recurrent step is taken twice, once before attending. Bahdanau's query is the "
            "state that the step starts from.",
            _after,
        ),
        Mistake(
            "The context stands before the word: the cell's first columns belong to the word.",
            lambda word, state, keys, mask, attend, cell: (
                lambda c, a: (cell(_cat(c.squeeze(1), word), state), a)
            )(*attend(state.unsqueeze(1), keys, keys, mask)),
        ),
        Mistake(
            "The word itself is the query here. The query is the state s_{t−1}.",
            lambda word, state, keys, mask, attend, cell: (
                lambda c, a: (cell(_cat(word, c.squeeze(1)), state), a)
            )(*attend(word.unsqueeze(1), keys, keys, mask)),
        ),
        Mistake(
            "The previous word is missing: state and context alone do not say what was written "
            "last. (The note forgets it as well.)",
            lambda word, state, keys, mask, attend, cell: (
                lambda c, a: (cell(c.squeeze(1), state), a)
            )(*attend(state.unsqueeze(1), keys, keys, mask)),
        ),
        Mistake(
            "The context never enters the step: the cell gets the word alone.",
            lambda word, state, keys, mask, attend, cell: (
                cell(word, state),
                attend(state.unsqueeze(1), keys, keys, mask)[1],
            ),
        ),
        Mistake(
            "Every position is allowed here. Was the mask handed on?",
            lambda word, state, keys, mask, attend, cell: _bahdanau(
                word, state, keys, torch.ones_like(mask), attend, cell
            ),
        ),
    ],
)


# 5.8 ---------------------------------------------------------------------------------------------


def _black_box(seed: int, query_is_new: bool, context_in_step: bool) -> Decoder:
    make = _random(seed)
    from_word, from_state, from_context = make(3, 2), make(3, 3), make(3, 3)

    def attend(query: Tensor, keys: Tensor) -> Tensor:
        return torch.softmax(keys @ torch.tanh(query), -1)

    def step(word: Tensor, state: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
        inputs = from_word @ word + from_state @ state
        if query_is_new and context_in_step:  # attends with a state that has read the word
            weights = attend(torch.tanh(inputs), keys)
            return torch.tanh(inputs + from_context @ (weights @ keys)), weights
        if query_is_new:
            new = torch.tanh(inputs)
            return new, attend(new, keys)
        weights = attend(state, keys)
        context = from_context @ (weights @ keys) if context_in_step else torch.zeros(3)
        return torch.tanh(inputs + context), weights

    step.__name__ = "step"
    return step


def _boxes() -> Inputs:
    for seed, kind in enumerate([(False, True), (True, False), (False, False), (True, True)]):
        make = _random(80 + seed)
        yield {
            "step": _black_box(70 + seed, *kind),
            "word": 0.3 * make(2),
            "state": 0.3 * make(3),
            "keys": make(3, 3),
        }


def _two_questions(step: Decoder, word: Tensor, state: Tensor, keys: Tensor) -> tuple[bool, bool]:
    """Whether the weights depend on the word, and the new state on the keys."""
    new, weights = step(word, state, keys)
    word_moves = not torch.allclose(weights, step(word + 1, state, keys)[1])
    keys_move = not torch.allclose(new, step(word, state, keys + 1)[0])
    return word_moves, keys_move


def _which(step: Decoder, word: Tensor, state: Tensor, keys: Tensor) -> str:
    answers = _two_questions(step, word, state, keys)
    return {(False, True): "bahdanau", (True, False): "luong"}.get(answers, "another")


def _always(answer: str) -> Decoder:
    return lambda step, word, state, keys: answer


def _tells(call: Call) -> str | None:
    if call.result == call.expected:
        return None
    word_moves, keys_move = _two_questions(call.step, call.word, call.state, call.keys)
    return (
        f"Here the weights {'depend' if word_moves else 'do not depend'} on the word and the new "
        f"state {'depends' if keys_move else 'does not depend'} on the keys. What is that?"
    )


def _one_of_three(call: Call) -> str | None:
    if call.result in ("bahdanau", "luong", "another"):
        return None
    return f"{call.result!r} is none of 'bahdanau', 'luong' and 'another'."


WHICH_DECODER = Exercise(
    "which_decoder",
    reference=_which,
    inputs=_boxes,
    rules={
        'the answer is "bahdanau", "luong" or "another"': _one_of_three,
        "the answer follows from both tests": _tells,
    },
    mistakes=[
        Mistake(
            "Only the word was changed. Weights that do not feel it are not yet Bahdanau's: does "
            "the context enter the state?",
            lambda step, word, state, keys: (
                "luong" if _two_questions(step, word, state, keys)[0] else "bahdanau"
            ),
        ),
        Mistake(
            "Only the keys were changed. A state that does not feel them is not yet Luong's: does "
            "the query know the word?",
            lambda step, word, state, keys: (
                "bahdanau" if _two_questions(step, word, state, keys)[1] else "luong"
            ),
        ),
        Mistake(
            "The two names are exchanged: Bahdanau attends before the recurrent step, with a "
            "state that has not read the word.",
            lambda step, word, state, keys: {(False, True): "luong", (True, False): "bahdanau"}.get(
                _two_questions(step, word, state, keys), "another"
            ),
        ),
        Mistake(
            "A decoder that does both, whose weights feel the word and whose state feels the keys, "
            "is neither Bahdanau's nor Luong's.",
            lambda step, word, state, keys: {
                (False, True): "bahdanau",
                (False, False): "another",
            }.get(_two_questions(step, word, state, keys), "luong"),
        ),
        Mistake(
            "A decoder that does both, whose weights feel the word and whose state feels the keys, "
            "is neither Bahdanau's nor Luong's.",
            lambda step, word, state, keys: {(True, False): "luong", (False, False): "another"}.get(
                _two_questions(step, word, state, keys), "bahdanau"
            ),
        ),
        *(
            Mistake("The same answer whatever the decoder: ask it something.", _always(answer))
            for answer in ("bahdanau", "luong", "another")
        ),
    ],
)


# 5.9 ---------------------------------------------------------------------------------------------


def _encoder(size: int) -> Callable[[Tensor], Tensor]:
    matrix = 0.8 * torch.eye(size) + 0.1

    def encode(x: Tensor) -> Tensor:
        state, states = torch.zeros(size), []
        for row in x:
            state = torch.tanh(matrix @ state + row)
            states.append(state)
        return torch.stack(states)

    return encode


def _decoder(keys: Tensor, last: Tensor) -> Tensor:
    weights = torch.softmax(keys @ last, 0)
    signs = (-1.0) ** torch.arange(len(last))
    return (signs * (weights @ keys)).sum() - 2 * (signs * last).sum()


def _mean_decoder(keys: Tensor, last: Tensor) -> Tensor:
    return keys.mean(0).sum() + 3 * last.sum()


def _roads() -> Inputs:
    yield {"encode": _encoder(1), "decode": _mean_decoder, "x": torch.tensor([[0.5], [-0.5]])}
    make = _random(9)
    yield {"encode": _encoder(3), "decode": _decoder, "x": make(4, 3)}


def _roads_of(encode: Decoder, decode: Decoder, x: Tensor) -> tuple[Tensor, Tensor]:
    return (
        _gradient(lambda states: decode(states, states[-1].detach()), encode, x),
        _gradient(lambda states: decode(states.detach(), states[-1]), encode, x),
    )


def _gradient(loss: Callable[[Tensor], Tensor], encode: Decoder, x: Tensor) -> Tensor:
    x = x.detach().requires_grad_()
    return torch.autograd.grad(loss(encode(x)), x)[0]


def _add_up(call: Call) -> str | None:
    whole = _gradient(lambda states: call.decode(states, states[-1]), call.encode, call.x)
    both = call.result[0] + call.result[1]
    if torch.allclose(both, whole, atol=1e-5):
        return None
    return (
        f"The two gradients add up to a length of {float(both.norm()):.3f}; with nothing detached "
        f"the gradient has a length of {float(whole.norm()):.3f}. Which road is missing, or "
        "counted twice?"
    )


def _twice(encode: Decoder, decode: Decoder, x: Tensor) -> tuple[Tensor, Tensor]:
    whole = _gradient(lambda states: decode(states, states[-1]), encode, x)
    return whole, whole


GRADIENTS_BY_PATH = Exercise(
    "gradients_by_path",
    reference=_roads_of,
    inputs=_roads,
    rules={"the two roads add up to the whole gradient": _add_up},
    mistakes=[
        Mistake(
            "The two are exchanged: what is detached gets no gradient, so to follow the keys you "
            "detach the last state.",
            lambda encode, decode, x: _roads_of(encode, decode, x)[::-1],
        ),
        Mistake(
            "Both are the whole gradient. Was nothing detached, or has one .grad collected both "
            "roads?",
            _twice,
        ),
        Mistake(
            "The second is the whole gradient: when you follow the last state, the keys must be "
            "detached.",
            lambda encode, decode, x: (
                _roads_of(encode, decode, x)[0],
                _twice(encode, decode, x)[1],
            ),
        ),
        Mistake(
            "The first is the whole gradient: when you follow the keys, the last state must be "
            "detached.",
            lambda encode, decode, x: (
                _twice(encode, decode, x)[0],
                _roads_of(encode, decode, x)[1],
            ),
        ),
        Mistake(
            "These are absolute values: a gradient has a direction, so keep its signs.",
            lambda encode, decode, x: tuple(road.abs() for road in _roads_of(encode, decode, x)),
        ),
    ],
)


# 5.10 --------------------------------------------------------------------------------------------


def _links() -> Inputs:
    yield {"found": {(0, 0), (1, 1)}, "sure": {(0, 0)}, "possible": {(0, 0)}}
    yield {"found": {(0, 0), (1, 1)}, "sure": {(0, 0)}, "possible": {(0, 0), (1, 1)}}
    yield {
        "found": {(0, 0), (1, 2), (2, 1)},
        "sure": {(0, 0), (1, 1), (2, 2)},
        "possible": {(0, 0), (1, 1), (2, 2), (1, 2)},
    }
    yield {
        "found": {(0, 0), (1, 2), (2, 1), (4, 3), (3, 4), (5, 5)},
        "sure": {(1, 2), (2, 1), (4, 3), (5, 4)},
        "possible": {(1, 2), (2, 1), (4, 3), (5, 4), (0, 0), (3, 3)},
    }
    yield {"found": {(1, 0)}, "sure": {(0, 0), (0, 1)}, "possible": {(0, 0), (0, 1), (1, 1)}}


Set = Any


def _error_rate(found: Set, sure: Set, possible: Set) -> float:
    return 1 - (len(found & sure) + len(found & possible)) / (len(found) + len(sure))


def _perfect(call: Call) -> str | None:
    rate = float(call(found=set(call.sure)))
    if abs(rate) < 1e-6:
        return None
    return f"When exactly the sure links are found, the error rate should be 0; it is {rate:.2f}."


def _forgiven(call: Call) -> str | None:
    extra = set(call.possible) - set(call.found)
    if not extra or float(call(found=set(call.found) | extra)) <= float(call.result) + 1e-6:
        return None
    return "Finding links that are possible makes the error rate larger. Which set forgives them?"


ERROR_RATE = Exercise(
    "error_rate",
    reference=_error_rate,
    inputs=_links,
    rules={
        "finding exactly the sure links is no error": _perfect,
        "a possible link is never held against you": _forgiven,
    },
    mistakes=[
        Mistake(
            "This is the share of what is right. An error rate is 1 minus it.",
            lambda found, sure, possible: 1 - _error_rate(found, sure, possible),
        ),
        Mistake(
            "The possible links are not used: a link that may be there counts as wrong.",
            lambda found, sure, possible: _error_rate(found, sure, sure),
        ),
        Mistake(
            "Every possible link is demanded here. Only the sure ones must be found; which set "
            "belongs into the denominator?",
            lambda found, sure, possible: (
                1 - (len(found & sure) + len(found & possible)) / (len(found) + len(possible))
            ),
        ),
        Mistake(
            "This is 1 minus precision: links that were not found cost nothing.",
            lambda found, sure, possible: 1 - len(found & possible) / len(found),
        ),
        Mistake(
            "This is 1 minus recall: links that are wrong cost nothing.",
            lambda found, sure, possible: 1 - len(found & sure) / len(sure),
        ),
        Mistake(
            "The denominator is the union of both sets. The formula counts |A| and |S| each.",
            lambda found, sure, possible: (
                1 - (len(found & sure) + len(found & possible)) / len(found | sure)
            ),
        ),
    ],
)


def _rows(tensor: Tensor) -> Tensor:
    return tensor.reshape(-1, tensor.shape[-1])


def _list(tensor: Tensor) -> list[float]:
    return [round(float(number), 3) for number in tensor]
