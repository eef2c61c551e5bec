"""Exercise 5.9: ``which_decoder``."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from attnbook.checks.ch05.shared import Decoder
from attnbook.checks.shared import Inputs, normal, relatives, same
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
    seed: int, query_is_new: bool, context_in_step: bool, reads_word: bool, looks_at_keys: bool
) -> Decoder:
    make = normal(seed)
    from_word, from_state, from_context, places = make(3, 2), make(3, 3), make(3, 3), make(3, 3)

    def attend(query: Tensor, keys: Tensor) -> Tensor:
        return torch.softmax((keys if looks_at_keys else places) @ torch.tanh(query), -1)

    def step(word: Tensor, state: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
        inputs = from_word @ word * float(reads_word) + from_state @ state
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


def _two_questions(step: Decoder, word: Tensor, state: Tensor, keys: Tensor) -> tuple[bool, bool]:
    """Whether the weights depend on the word, and the new state on the keys."""
    new, weights = step(word, state, keys)
    word_moves = not torch.allclose(weights, step(word + 1, state, keys)[1])
    keys_move = not torch.allclose(new, step(word, state, keys + 1)[0])
    return word_moves, keys_move


def _which(step: Decoder, word: Tensor, state: Tensor, keys: Tensor) -> str:
    answers = _two_questions(step, word, state, keys)
    return {(False, True): "bahdanau", (True, False): "luong"}.get(answers, "another")


Question = Callable[..., bool]
_TOLERANCE = 1e-5


def _moves(part: int, **changes: Callable[[Tensor], Tensor]) -> Question:
    """Whether the new state (0) or the weights (1) change with what goes in."""

    def ask(step: Decoder, **given: Tensor) -> bool:
        other = {name: changes.get(name, same)(x) for name, x in given.items()}
        before, after = step(**given)[part], step(**other)[part]
        return not torch.allclose(before, after, atol=_TOLERANCE)

    return ask


def _plus_one(x: Tensor) -> Tensor:
    return x + 1


_WORD_MOVES_WEIGHTS = _moves(1, word=_plus_one)
_KEYS_MOVE_STATE = _moves(0, keys=_plus_one)


def _asked(
    step: Decoder,
    word: Tensor,
    state: Tensor,
    keys: Tensor,
    *,
    of_word: Question = _WORD_MOVES_WEIGHTS,
    of_keys: Question = _KEYS_MOVE_STATE,
    name: Callable[[bool, bool], str] = lambda word, keys: {
        (False, True): "bahdanau",
        (True, False): "luong",
    }.get((word, keys), "another"),
) -> str:
    """The answer from two questions, and what it is with one of them, or the name, wrong."""
    given = {"word": word, "state": state, "keys": keys}
    return name(of_word(step, **given), of_keys(step, **given))


def _never(step: Decoder, **given: Tensor) -> bool:
    return False


def _ever(step: Decoder, **given: Tensor) -> bool:
    return True


def _named(both: str, neither: str) -> Callable[[bool, bool], str]:
    names = {(False, True): "bahdanau", (True, False): "luong", (True, True): both,
             (False, False): neither}  # fmt: skip
    return lambda word, keys: names[word, keys]


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
    reference=which_decoder,
    inputs=_boxes,
    rules={
        'the answer is "bahdanau", "luong" or "another"': _one_of_three,
        "the answer follows from both tests": _tells,
    },
    mistakes=[
        *(
            ("The same answer whatever the decoder: ask it something.", _always(answer))
            for answer in ("bahdanau", "luong")
        ),
        (
            "It is 'another' for every decoder. Are two tensors compared with `is`, or bit by bit? "
            "Then they always differ. Or is it that too little is changed to be felt? Add 1, and "
            "compare the numbers with torch.allclose.",
            _always("another"),
        ),
        (
            "Only the word was changed. Weights that do not feel it are not yet Bahdanau's: does "
            "the context enter the state?",
            lambda step, word, state, keys: (
                "luong" if _two_questions(step, word, state, keys)[0] else "bahdanau"
            ),
        ),
        (
            "Only the keys were changed. A state that does not feel them is not yet Luong's: does "
            "the query know the word?",
            lambda step, word, state, keys: (
                "bahdanau" if _two_questions(step, word, state, keys)[1] else "luong"
            ),
        ),
        *relatives(
            _asked,
            name={
                "The two names are exchanged: Bahdanau attends before the recurrent step, with a "
                "state that has not read the word.": lambda word, keys: (
                    {(False, True): "luong", (True, False): "bahdanau"}.get((word, keys), "another")
                ),
                **{
                    "A decoder that does both, whose weights feel the word and whose state feels "
                    f"the keys, is neither Bahdanau's nor Luong's, so not {both!r}.":
                        _named(both, "another")
                    for both in ("luong", "bahdanau")
                },
                **{
                    "A decoder whose weights do not feel the word and whose state does not feel "
                    f"the keys is neither Bahdanau's nor Luong's, so not {neither!r}.":
                        _named("another", neither)
                    for neither in ("luong", "bahdanau")
                },
                **{
                    f"What is neither Bahdanau's nor Luong's is called {other!r} here: it is "
                    "'another'.": _named(other, other)
                    for other in ("luong", "bahdanau")
                },
            },
            of_word={
                "The new state was asked whether it feels the word. Ask the weights.":
                    _moves(0, word=_plus_one),
                "The weights change every time here. They feel the old state in every decoder: "
                "change the word alone, and compare with a tolerance (torch.allclose).":
                    _moves(1, state=_plus_one),
                "The keys were changed, not the word: the weights of every decoder feel the keys.":
                    _moves(1, keys=lambda keys: 2 * keys),
                "Word and keys were changed together: then who knows what moved the weights? "
                "Change one at a time.":
                    _moves(1, word=_plus_one, keys=lambda keys: 2 * keys),
                "The weights never differ here. Do you compare their sums, which are always 1, or "
                "a call with itself?": _never,
            },
            of_keys={
                "The new state was not asked whether it feels the keys, but the weights: they "
                "always do.": _moves(1, keys=lambda keys: 2 * keys),
                "The new state changes every time here. Word and old state move it in every "
                "decoder: change the keys alone.": _ever,
                "The keys were put into another order, which does not change the context: change "
                "what stands in them.": _moves(0, keys=lambda keys: keys.flip(0)),
            },
        ),
    ],
)  # fmt: skip
