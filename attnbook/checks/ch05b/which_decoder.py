"""Exercise 5.4: ``which_decoder``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.attention import Decoder
from attnbook.checks.inputs import Inputs, normal
from attnbook.exercises import Call, Exercise


def which_decoder(step: Decoder, word: Tensor, state: Tensor, keys: Tensor) -> str:
    """ "bahdanau", "luong" or "another". step(word (E,), state (H,), keys (S, He)) → (s_t, α_t)."""
    new, weights = step(word, state, keys)
    _, weights_of_word = step(word + 1, state, keys)
    new_of_keys, _ = step(word, state, keys + 1)
    word_moves_weights = not torch.allclose(weights, weights_of_word)
    keys_move_state = not torch.allclose(new, new_of_keys)
    if keys_move_state and not word_moves_weights:
        return "bahdanau"
    if word_moves_weights and not keys_move_state:
        return "luong"
    return "another"


def _black_box(
    seed: int, query_is_new: bool, context_in_step: bool, reads_word: bool, reads_keys: bool
) -> Decoder:
    make = normal(seed)
    from_word, from_state, from_context, places = make(3, 2), make(3, 3), make(3, 3), make(3, 3)

    def attend(query: Tensor, keys: Tensor) -> Tensor:
        return torch.softmax((keys if reads_keys else places) @ torch.tanh(query), -1)

    def step(word: Tensor, state: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
        inputs = from_word @ word * float(reads_word) + from_state @ state
        weights = attend(torch.tanh(inputs) if query_is_new else state, keys)
        context = from_context @ (weights @ keys) if context_in_step else torch.zeros(3)
        return torch.tanh(inputs + context), weights

    step.__name__ = "step"
    return step


_KINDS = [
    (False, True, True, True),
    (True, False, True, True),
    (False, False, True, True),
    (True, True, True, True),
    (False, True, False, True),  # a step that does not read the word
    (False, True, True, False),  # weights by place alone (Luong 2015, equation 8, "location")
    (True, False, True, False),
]


def _boxes() -> Inputs:
    for seed, kind in enumerate(_KINDS):
        make = normal(80 + seed)
        yield {
            "step": _black_box(70 + seed, *kind),
            "word": 0.3 * make(2),
            "state": 0.3 * make(3),
            "keys": make(3, 3),
        }


def _moves(part: int, change: Any) -> Any:
    """Whether the new state (0) or the weights (1) change with what goes in."""
    return lambda step, *args: (
        not torch.allclose(step(*args)[part], step(*change(*args))[part], atol=1e-5)
    )


_word_moves_weights = _moves(1, lambda word, state, keys: (word + 1, state, keys))
_keys_move_state = _moves(0, lambda word, state, keys: (word, state, keys + 1))


def _with_tests(
    of_word: Any = _word_moves_weights, of_keys: Any = _keys_move_state, **names: str
) -> Any:
    """The solution with another question, or another name for what does both or neither."""

    def wrong(step: Decoder, word: Tensor, state: Tensor, keys: Tensor) -> str:
        answers = of_word(step, word, state, keys), of_keys(step, word, state, keys)
        known = {(False, True): "bahdanau", (True, False): "luong", (True, True): "both"}
        name = known.get(answers, "neither")
        return names.get(name, "another" if name in ("both", "neither") else name)

    return wrong


def _tells(call: Call) -> str | None:
    if call.result == call.expected:
        return None
    args = call.step, call.word, call.state, call.keys
    word_moves, keys_move = _word_moves_weights(*args), _keys_move_state(*args)
    return (
        f"Here the weights {'depend' if word_moves else 'do not depend'} on the word and the new "
        f"state {'depends' if keys_move else 'does not depend'} on the keys. That is "
        f"{call.expected!r}, but you return {call.result!r}."
    )


CHECK = Exercise(
    which_decoder,
    inputs=_boxes,
    rules={
        "the answer follows from both tests": _tells,
    },
    mistakes={
        "Only the word was changed. Weights that do not depend on it are not yet Bahdanau's: "
        "does the context enter the state?": _with_tests(both="luong", neither="bahdanau"),
        "Only the keys were changed. A state that does not depend on them is not yet Luong's: "
        "does the query know the word?": _with_tests(both="bahdanau", neither="luong"),
        "The two names are swapped: Bahdanau attends before the recurrent step, with a "
        "state that has not read the word.": _with_tests(bahdanau="luong", luong="bahdanau"),
        "The new state is tested with another word. Test the weights.": _with_tests(
            of_word=_moves(0, lambda word, state, keys: (word + 1, state, keys))
        ),
        "The weights change every time here. They depend on the old state in every decoder: change "
        "only the word, and compare with a tolerance (torch.allclose).": _with_tests(
            of_word=lambda *args: True
        ),
    },
)
