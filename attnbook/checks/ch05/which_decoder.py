"""Exercise 5.8: ``which_decoder``."""

from __future__ import annotations

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import Decoder
from attnbook.checks.shared import Inputs, normal
from attnbook.exercises import Call, Exercise, Mistake


def _black_box(seed: int, query_is_new: bool, context_in_step: bool) -> Decoder:
    make = normal(seed)
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
        make = normal(80 + seed)
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


CHECK = Exercise(
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
