"""Checks of chapter 1: a recurrent network, its memory and its gradient."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from .spec import Call, Exercise, Mistake

Inputs = Iterator[dict[str, Any]]
Run = Callable[[Tensor], Tensor]


def _random(seed: int) -> Callable[..., Tensor]:
    generator = torch.Generator().manual_seed(seed)
    return lambda *size: torch.randn(*size, generator=generator)


# 1.1 ---------------------------------------------------------------------------------------------


def _steps() -> Inputs:
    yield {
        "x": torch.tensor([[1.0]]),
        "state": torch.tensor([[0.5]]),
        "weight_ih": torch.tensor([[2.0]]),
        "weight_hh": torch.tensor([[-1.0]]),
        "bias_ih": torch.tensor([0.1]),
        "bias_hh": torch.tensor([-0.4]),
    }
    make = _random(1)
    for batch, size, hidden in ((2, 3, 3), (2, 4, 3), (3, 2, 5)):
        yield {
            "x": make(batch, size),
            "state": make(batch, hidden).tanh(),
            "weight_ih": 0.5 * make(hidden, size),
            "weight_hh": 0.5 * make(hidden, hidden),
            "bias_ih": 0.5 * make(hidden),
            "bias_hh": 0.5 * make(hidden),
        }


def _bounded(call: Call) -> str | None:
    largest = float(call(x=20 * call.x).abs().max())
    if largest <= 1.0:
        return None
    return f"There is a {largest:.1f} in the new state. What keeps it between −1 and 1?"


def _remembers(call: Call) -> str | None:
    if not torch.allclose(call(state=call.state - 0.3), call.result):
        return None
    return "Another old state gives the same new state: nothing is remembered."


def _step(
    x: Tensor, state: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias_ih: Tensor, bias_hh: Tensor
) -> Tensor:
    return torch.tanh(x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh)


RNN_STEP = Exercise(
    "rnn_step",
    reference=_step,
    inputs=_steps,
    rules={
        "every number of the state lies between −1 and 1": _bounded,
        "the new state depends on the old": _remembers,
    },
    mistakes=[
        Mistake(
            "Where is the tanh? Without it the state can grow without end.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: (
                x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh
            ),
        ),
        Mistake(
            "This bends with a sigmoid, into (0, 1). The formula says tanh.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.sigmoid(
                x @ weight_ih.T + bias_ih + state @ weight_hh.T + bias_hh
            ),
        ),
        Mistake(
            "There are two tanh here: word and state are added first, then bent once together.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: (
                torch.tanh(x @ weight_ih.T + bias_ih) + torch.tanh(state @ weight_hh.T + bias_hh)
            ),
        ),
        Mistake(
            "A bias is missing: there are two, bias_ih and bias_hh, and both are added.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih.T + bias_ih + state @ weight_hh.T
            ),
        ),
        Mistake(
            "A bias is missing: there are two, bias_ih and bias_hh, and both are added.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih.T + state @ weight_hh.T
            ),
        ),
        Mistake(
            "The weight of the state is used as it stands. For rows it must be transposed, like "
            "that of the word: row i of the matrix makes number i.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih.T + bias_ih + state @ weight_hh + bias_hh
            ),
        ),
        Mistake(
            "The weights are used as they stand: a weight (H, E) acts on rows (B, E) as x @ W.T.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih + bias_ih + state @ weight_hh + bias_hh
            ),
        ),
        Mistake(
            "The old state is added as it is: it must go through its matrix first.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih.T + bias_ih + state + bias_hh
            ),
        ),
        Mistake(
            "The old state does not take part: this network remembers nothing.",
            lambda x, state, weight_ih, weight_hh, bias_ih, bias_hh: torch.tanh(
                x @ weight_ih.T + bias_ih + bias_hh
            ),
        ),
    ],
)


# 1.2 ---------------------------------------------------------------------------------------------


def _cell(seed: int, size: int, hidden: int) -> Callable[[Tensor, Tensor | None], Tensor]:
    make = _random(seed)
    weights = 0.7 * make(hidden, size), 0.7 * make(hidden, hidden), make(hidden), make(hidden)

    def cell(x: Tensor, state: Tensor | None) -> Tensor:
        return _step(x, x.new_zeros(len(x), hidden) if state is None else state, *weights)

    return cell


def _sentences() -> Inputs:
    make = _random(2)
    yield {"cell": _cell(3, 1, 1), "inputs": make(1, 2, 1), "state": None, "mask": None}
    yield {
        "cell": _cell(3, 1, 1),
        "inputs": make(1, 3, 1),
        "state": None,
        "mask": torch.tensor([[True, True, False]]),
    }
    lengths = torch.tensor([[5], [2], [3]])
    for state in (None, make(3, 4).tanh()):
        yield {
            "cell": _cell(4, 2, 4),
            "inputs": make(3, 5, 2),
            "state": state,
            "mask": torch.arange(5) < lengths,
        }
    yield {"cell": _cell(5, 3, 2), "inputs": make(2, 4, 3), "state": make(2, 2), "mask": None}


def _deaf_to_padding(call: Call) -> str | None:
    if call.mask is None or bool(call.mask.all()):
        return None
    other = torch.where(call.mask.unsqueeze(2), call.inputs, call.inputs + 1)
    before, after = call.result[1], call(inputs=other)[1]
    if torch.allclose(before, after):
        return None
    moved = float((before - after).abs().max())
    return (
        f"When only padding changes, the last state changes by {moved:.2f}. Padding (mask False) "
        "must not be read: which state stays?"
    )


def _ends_with_last(call: Call) -> str | None:
    if torch.allclose(call.result[0][:, -1], call.result[1]):
        return None
    return (
        "The last of the states and the last state differ. What goes into the list is the state "
        "after the choice at padding, and the last state is the last of the list."
    )


def _loop(
    cell: Any,
    inputs: Tensor,
    state: Tensor | None,
    mask: Tensor | None,
    hand_on: bool = True,
    padded: str = "keep",
) -> tuple[Tensor, Tensor]:
    """The right loop, and with other settings the ways in which it goes wrong."""
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state if hand_on else None)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            real = mask[:, t].unsqueeze(1)
            choices = {
                "keep": (real, new, old),
                "swapped": (~real, new, old),
                "zero": (real, new, torch.zeros_like(new)),
                "read": (torch.ones_like(real), new, old),
            }
            new = torch.where(*choices[padded])
        state = new
        states.append(new)
    assert state is not None
    return torch.stack(states, dim=1), state


def _never_updated(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        if mask is not None:
            old = torch.zeros_like(new) if state is None else state
            new = torch.where(mask[:, t].unsqueeze(1), new, old)
        states.append(new)
    return torch.stack(states, dim=1), states[-1]


def _backward(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    turned = None if mask is None else mask.flip(1)
    states, last = _loop(cell, inputs.flip(1), state, turned)
    return states.flip(1), last


def _raw_list(cell: Any, inputs: Tensor, state: Any, mask: Any) -> tuple[Tensor, Tensor]:
    states = []
    for t in range(inputs.shape[1]):
        new = cell(inputs[:, t], state)
        states.append(new)
        old = torch.zeros_like(new) if state is None else state
        state = new if mask is None else torch.where(mask[:, t].unsqueeze(1), new, old)
    return torch.stack(states, dim=1), state


UNROLL = Exercise(
    "unroll",
    reference=lambda cell, inputs, state=None, mask=None: _loop(cell, inputs, state, mask),
    inputs=_sentences,
    rules={
        "what stands at padding changes nothing": _deaf_to_padding,
        "the last state is the last of all states": _ends_with_last,
    },
    mistakes=[
        Mistake(
            "The mask is not used: the network reads on through the padding.",
            lambda cell, inputs, state, mask: _loop(cell, inputs, state, mask, padded="read"),
        ),
        Mistake(
            "The mask is the wrong way round: True marks a real token, and there the new state "
            "counts.",
            lambda cell, inputs, state, mask: _loop(cell, inputs, state, mask, padded="swapped"),
        ),
        Mistake(
            "At padding the state becomes zero: everything read is lost. It should stay what it "
            "was.",
            lambda cell, inputs, state, mask: _loop(cell, inputs, state, mask, padded="zero"),
        ),
        Mistake(
            "The state is not handed on: every word starts from the state at the beginning.",
            _never_updated,
        ),
        Mistake(
            "The state is not handed on: every word starts from nothing.",
            lambda cell, inputs, state, mask: _loop(cell, inputs, state, mask, hand_on=False),
        ),
        Mistake(
            "The state that was given is not used: reading begins from zeros.",
            lambda cell, inputs, state, mask: _loop(cell, inputs, None, mask),
        ),
        Mistake(
            "This reads from the last word to the first.",
            _backward,
        ),
        Mistake(
            "The list holds the states from before the choice: at padding too the state that was "
            "kept belongs into it.",
            _raw_list,
        ),
    ],
)


# 1.3 ---------------------------------------------------------------------------------------------

Pairs = list[tuple[list[Any], Any]]


def _texts() -> Inputs:
    yield {"sentence": ["<s>", "go", "</s>"], "most": 1}
    yield {"sentence": ["<s>", "the", "dog", "slept", "</s>"], "most": 2}
    yield {"sentence": ["<s>", "the", "dog", "slept", "</s>"], "most": 9}
    yield {"sentence": [2, 7, 8, 9, 7, 5, 3], "most": 3}


def _history(sentence: list[Any], most: int) -> Pairs:
    return [(sentence[max(0, t - most) : t], sentence[t]) for t in range(1, len(sentence))]


def _every_word_once(call: Call) -> str | None:
    guessed = [pair[1] for pair in call.result]
    if guessed == list(call.sentence[1:]):
        return None
    return (
        f"The words that are guessed are {guessed}; they should be all but the first: "
        f"{list(call.sentence[1:])}."
    )


def _short_enough(call: Call) -> str | None:
    for history, word in call.result:
        if len(history) > call.most:
            return (
                f"{word!r} is guessed from {len(history)} words, where at most {call.most} may be "
                "known."
            )
    return None


NEXT_WORD_PAIRS = Exercise(
    "next_word_pairs",
    reference=_history,
    inputs=_texts,
    rules={
        "every word but the first is guessed, in order": _every_word_once,
        "a history has at most `most` words": _short_enough,
    },
    mistakes=[
        Mistake(
            "The word to be guessed stands in its own history: that would be easy. Where must the "
            "slice end?",
            lambda sentence, most: [
                (sentence[max(0, t + 1 - most) : t + 1], sentence[t])
                for t in range(1, len(sentence))
            ],
        ),
        Mistake(
            "These are the first words of the sentence. A short memory keeps the last ones.",
            lambda sentence, most: [
                (sentence[:t][:most], sentence[t]) for t in range(1, len(sentence))
            ],
        ),
        Mistake(
            "Every history goes back to the beginning: `most` is not used.",
            lambda sentence, most: [(sentence[:t], sentence[t]) for t in range(1, len(sentence))],
        ),
        Mistake(
            "The first words of the sentence are never guessed. They have a shorter history, but "
            "they have one.",
            lambda sentence, most: [
                (sentence[t - most : t], sentence[t]) for t in range(most, len(sentence))
            ],
        ),
        Mistake(
            "A negative start counts from the end of the list: early histories come out wrong. "
            "max(0, ...) helps.",
            lambda sentence, most: [
                (sentence[t - most : t], sentence[t]) for t in range(1, len(sentence))
            ],
        ),
        Mistake(
            "The first word is guessed from nothing. It only marks the beginning: start with the "
            "second.",
            lambda sentence, most: [
                (sentence[max(0, t - most) : t], sentence[t]) for t in range(len(sentence))
            ],
        ),
        Mistake(
            "The end is never guessed: how should a network learn to stop?",
            lambda sentence, most: _history(sentence, most)[:-1],
        ),
        Mistake(
            "The histories run backward. Keep the order of the sentence.",
            lambda sentence, most: [(past[::-1], word) for past, word in _history(sentence, most)],
        ),
    ],
)


# 1.4 ---------------------------------------------------------------------------------------------


def _draws() -> Inputs:
    shares = torch.tensor([0.2, 0.5, 0.3]).log()
    for chance in (0.1, 0.25, 0.65, 0.9):
        yield {"logits": shares, "temperature": 1.0, "chance": chance}
    make = _random(6)
    logits = 2 * make(6)
    for temperature in (0.3, 1.0, 2.5):
        for chance in (0.0, 0.13, 0.37, 0.61, 0.83, 0.97):
            yield {"logits": logits, "temperature": temperature, "chance": chance}


def _drawn(p: Tensor, chance: float) -> int:
    return int((p.cumsum(-1) <= chance).sum())


def _draw(logits: Tensor, temperature: float, chance: float) -> int:
    return _drawn((logits / temperature).softmax(-1), chance)


def _cold_is_sure(call: Call) -> str | None:
    best = int(call.logits.argmax())
    if call.logits.topk(2).values.diff().abs() < 0.1 or call(temperature=0.01) == best:
        return None
    return (
        f"At a temperature of 0.01 the draw should be all but sure of word {best}, which has the "
        f"largest logit; it is word {call(temperature=0.01)}. Divide or multiply?"
    )


def _grows_with_chance(call: Call) -> str | None:
    first, last = call(chance=0.0), call(chance=0.999999)
    if first <= last and (len(call.logits) != 3 or (first, last) == (0, 2)):
        return None
    return (
        f"Chance 0 draws word {first} and chance 0.999999 word {last}. The pieces lie in the order "
        "of the words: the first is word 0's."
    )


DRAW_WORD = Exercise(
    "draw_word",
    reference=_draw,
    inputs=_draws,
    rules={
        "the coldest draw takes the largest logit": _cold_is_sure,
        "a larger chance draws a later word": _grows_with_chance,
    },
    mistakes=[
        Mistake(
            "The logits are multiplied by the temperature: then a high one sharpens. Divide.",
            lambda logits, temperature, chance: _draw(logits, 1 / temperature, chance),
        ),
        Mistake(
            "The temperature is not used.",
            lambda logits, temperature, chance: _draw(logits, 1.0, chance),
        ),
        Mistake(
            "The temperature divides the probabilities. It belongs to the logits, before the "
            "softmax.",
            lambda logits, temperature, chance: _drawn(logits.softmax(-1) / temperature, chance),
        ),
        Mistake(
            "This takes the most probable word, whatever the chance. That is not a draw.",
            lambda logits, temperature, chance: int(logits.argmax()),
        ),
        Mistake(
            "The pieces are made of logits: they are no probabilities before the softmax.",
            lambda logits, temperature, chance: _drawn(logits / temperature, chance),
        ),
        Mistake(
            "One too far: this counts the piece in which the chance lies as well.",
            lambda logits, temperature, chance: _draw(logits, temperature, chance) + 1,
        ),
        Mistake(
            "One too few: word 0 is the word when no piece ends before the chance.",
            lambda logits, temperature, chance: _draw(logits, temperature, chance) - 1,
        ),
        Mistake(
            "The pieces are laid in the order of their size. They lie in the order of the words.",
            lambda logits, temperature, chance: int(
                logits.argsort(descending=True)[
                    _draw(logits.sort(descending=True).values, temperature, chance)
                ]
            ),
        ),
    ],
)


# 1.5 ---------------------------------------------------------------------------------------------

Three = tuple[Tensor, Tensor, Tensor]


def _histories() -> Inputs:
    yield {
        "inputs": torch.tensor([[0.5], [-0.3]]),
        "states": torch.tensor([[0.2], [0.6], [0.1]]),
        "grad_states": torch.tensor([[0.0], [1.0]]),
        "weight_hh": torch.tensor([[0.8]]),
    }
    make = _random(7)
    for length, size, hidden in ((3, 2, 2), (4, 3, 3), (5, 2, 4)):
        yield {
            "inputs": make(length, size),
            "states": make(length + 1, hidden).tanh(),
            "grad_states": make(length, hidden),
            "weight_hh": 0.8 * make(hidden, hidden),
        }


def _walk(
    inputs: Tensor,
    states: Tensor,
    grad_states: Tensor,
    weight_hh: Tensor,
    *,
    slope: int = 0,
    back: Tensor | None = None,
    before: int = 1,
    only_end: bool = False,
) -> Three:
    """Back through time; with other settings, the ways in which it goes wrong."""
    hidden = states.shape[1]
    grad_ih, grad_hh = torch.zeros(hidden, inputs.shape[1]), torch.zeros(hidden, hidden)
    grad_bias, carried = torch.zeros(hidden), torch.zeros(hidden)
    matrix = weight_hh.T if back is None else back
    for t in range(len(inputs), 0, -1):
        direct = grad_states[t - 1] * (not only_end or t == len(inputs))
        a = (carried + direct) * (1.0 if slope < 0 else 1 - states[t - slope] ** 2)
        grad_ih = grad_ih + torch.outer(a, inputs[t - 1])
        grad_hh = grad_hh + torch.outer(a, states[t - before])
        grad_bias, carried = grad_bias + a, matrix @ a
    return grad_ih, grad_hh, grad_bias


def _last_use_only(inputs: Tensor, states: Tensor, grad_states: Tensor, weight_hh: Tensor) -> Three:
    a, parts = torch.zeros(states.shape[1]), []
    for t in range(len(inputs), 0, -1):
        a = (weight_hh.T @ a + grad_states[t - 1]) * (1 - states[t] ** 2)
        parts.append((torch.outer(a, inputs[t - 1]), torch.outer(a, states[t - 1]), a))
    return parts[-1]


def _reaches_the_first(call: Call) -> str | None:
    """The loss of the last state alone must teach the first input's weights."""
    direct = torch.zeros_like(call.grad_states)
    direct[-1] = 1.0
    inputs = torch.zeros_like(call.inputs)
    inputs[0] = 1.0
    if float(call(inputs=inputs, grad_states=direct)[0].abs().max()) > 0:
        return None
    return (
        "The loss speaks to the last state only and only the first input is not zero: then W_ih "
        "gets no gradient at all. Does anything travel back from step to step?"
    )


BPTT = Exercise(
    "bptt",
    reference=lambda inputs, states, grad_states, weight_hh: _walk(
        inputs, states, grad_states, weight_hh
    ),
    inputs=_histories,
    rules={"the last loss reaches the first word": _reaches_the_first},
    mistakes=[
        Mistake(
            "Each step hears only its own part of the loss: nothing travels back through W_hh.",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, back=torch.zeros_like(weight_hh)
            ),
        ),
        Mistake(
            "On the way back stands W_hh as on the way forward: backward it is transposed.",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, back=weight_hh
            ),
        ),
        Mistake(
            "From step to step the gradient is handed on as it is: it has to pass W_hhᵀ.",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, back=torch.eye(len(weight_hh))
            ),
        ),
        Mistake(
            "The slope of the tanh is missing: each step multiplies by 1 − h².",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, slope=-1
            ),
        ),
        Mistake(
            "The slope is taken at the state before: it belongs to h_t itself, states[t].",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, slope=1
            ),
        ),
        Mistake(
            "W_hh was multiplied with the state *before*, h_{t−1}; here its part is made with h_t.",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, before=0
            ),
        ),
        Mistake(
            "Only the loss of the last state is heard: grad_states speaks to every state.",
            lambda inputs, states, grad_states, weight_hh: _walk(
                inputs, states, grad_states, weight_hh, only_end=True
            ),
        ),
        Mistake(
            "Only one use of the weights counts here: the parts of all steps are added up.",
            _last_use_only,
        ),
        Mistake(
            "The gradient of W_hh is transposed: its rows belong to a_t, its columns to h_{t−1}.",
            lambda inputs, states, grad_states, weight_hh: (
                lambda three: (three[0], three[1].T, three[2])
            )(_walk(inputs, states, grad_states, weight_hh)),
        ),
        Mistake(
            "The parts are averaged over the steps. They are added.",
            lambda inputs, states, grad_states, weight_hh: tuple(
                part / len(inputs) for part in _walk(inputs, states, grad_states, weight_hh)
            ),
        ),
    ],
)


# 1.6 ---------------------------------------------------------------------------------------------


def _matrices() -> Inputs:
    yield {"weight": torch.tensor([[2.0, 0.0], [0.0, -4.0]]), "radius": 1.0}
    yield {"weight": torch.tensor([[0.0, -2.0], [2.0, 0.0]]), "radius": 0.5}  # a rotation, twice
    yield {"weight": torch.tensor([[1.0, 9.0], [0.0, 3.0]]), "radius": 1.5}
    make = _random(8)
    yield {"weight": make(5, 5), "radius": 0.9}
    yield {"weight": make(8, 8), "radius": 1.1}


def _radius(matrix: Tensor) -> float:
    return float(torch.linalg.eigvals(matrix).abs().max())


def _has_the_radius(call: Call) -> str | None:
    reached = _radius(call.result)
    if abs(reached - call.radius) < 1e-4:
        return None
    return f"The result has a spectral radius of {reached:.3f}, not {call.radius:g}."


def _scaled_by(size: Callable[[Tensor], Any]) -> Callable[..., Tensor]:
    return lambda weight, radius: weight * (radius / size(weight))


WITH_SPECTRAL_RADIUS = Exercise(
    "with_spectral_radius",
    reference=_scaled_by(_radius),
    inputs=_matrices,
    rules={"the largest |eigenvalue| of the result is `radius`": _has_the_radius},
    mistakes=[
        Mistake(
            "This is the largest singular value: how far one product can stretch. For many "
            "products the eigenvalues count.",
            _scaled_by(lambda w: torch.linalg.matrix_norm(w, 2)),
        ),
        Mistake(
            "The largest real part is taken. An eigenvalue may lie far from 0 on the negative side "
            "or off the real line: take .abs() of the complex numbers.",
            _scaled_by(lambda w: torch.linalg.eigvals(w).real.max()),
        ),
        Mistake(
            "Only the real parts are looked at: a rotation's eigenvalues have none. Take .abs() "
            "of the complex numbers themselves.",
            _scaled_by(lambda w: torch.linalg.eigvals(w).real.abs().max()),
        ),
        Mistake(
            "Every matrix is multiplied by `radius`: first divide by the radius that it has.",
            lambda weight, radius: weight * radius,
        ),
        Mistake(
            "The matrix is scaled to radius 1: `radius` is not used.",
            lambda weight, radius: weight / _radius(weight),
        ),
        Mistake(
            "This divides by the norm of all numbers together. What counts are the eigenvalues.",
            _scaled_by(lambda w: w.norm()),
        ),
        Mistake(
            "This divides by the largest entry. What counts are the eigenvalues.",
            _scaled_by(lambda w: w.abs().max()),
        ),
        Mistake(
            "This is the wrong way up: multiply by the radius that is wanted, divide by the one "
            "that is there.",
            lambda weight, radius: weight * (_radius(weight) / radius),
        ),
    ],
)


# 1.7 ---------------------------------------------------------------------------------------------


def _tanh_network(seed: int, size: int, hidden: int) -> Run:
    step = _cell(seed, size, hidden)

    def run(inputs: Tensor) -> Tensor:
        return _loop(step, inputs.unsqueeze(0), None, None)[0][0]

    return run


def _halving(inputs: Tensor) -> Tensor:
    state, states = torch.zeros(inputs.shape[1]), []
    for x in inputs:
        state = 0.5 * state + 2 * x
        states.append(state)
    return torch.stack(states)


def _runs() -> Inputs:
    yield {"run": _halving, "inputs": torch.tensor([[1.0], [2.0], [-1.0]])}
    make = _random(9)
    for seed, length, size, hidden in ((10, 4, 2, 3), (11, 6, 3, 4), (12, 5, 5, 5)):
        yield {"run": _tanh_network(seed, size, hidden), "inputs": make(length, size)}


def _slopes(run: Run, inputs: Tensor, last: Callable[[Tensor], Tensor]) -> Tensor:
    inputs = inputs.detach().requires_grad_()
    return torch.autograd.grad(last(run(inputs)), inputs)[0]


def _by_distance(gradient: Tensor) -> Tensor:
    norms = gradient.norm(dim=1).flip(0)
    return norms / norms[0]


def _end(states: Tensor) -> Tensor:
    return states[-1].sum()


def _begins_with_one(call: Call) -> str | None:
    if abs(float(call.result[0]) - 1) < 1e-5:
        return None
    return (
        f"At distance 0 stands {float(call.result[0]):.3g}; relative to itself it is 1. Is the "
        "first of the result the *last* input, and was everything divided by it?"
    )


GRADIENT_REACH = Exercise(
    "gradient_reach",
    reference=lambda run, inputs: _by_distance(_slopes(run, inputs, _end)),
    inputs=_runs,
    rules={"at distance 0 stands 1": _begins_with_one},
    mistakes=[
        Mistake(
            "This runs from the first word to the last. Distance 0 is the *last* input: turn it "
            "round.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end)).flip(0),
        ),
        Mistake(
            "This is relative to the first word of the sentence. Distance 0 is the last: turn "
            "round before you divide.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end).flip(0)),
        ),
        Mistake(
            "These are the lengths themselves: divide by the one at distance 0.",
            lambda run, inputs: _slopes(run, inputs, _end).norm(dim=1).flip(0),
        ),
        Mistake(
            "The sum of *all* states is taken: then every word is near one of them. Take the last "
            "state only.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, lambda s: s.sum())),
        ),
        Mistake(
            "Only one number of the last state is taken. Take the sum of all.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, lambda s: s[-1, 0])),
        ),
        Mistake(
            "The numbers of a gradient are added up, so that signs cancel. Its length is the norm "
            "of the row.",
            lambda run, inputs: (lambda sums: sums / sums[0])(
                _slopes(run, inputs, _end).sum(dim=1).flip(0)
            ),
        ),
        Mistake(
            "These are squares of lengths.",
            lambda run, inputs: _by_distance(_slopes(run, inputs, _end)) ** 2,
        ),
        Mistake(
            "These are the lengths of the states. Asked for is how the last one depends on each "
            "input: a gradient.",
            lambda run, inputs: _by_distance(run(inputs)),
        ),
    ],
)


# 1.8 ---------------------------------------------------------------------------------------------


def _gradients() -> Inputs:
    yield {"gradients": [torch.tensor([3.0, 4.0])], "max_norm": 1.0}
    yield {"gradients": [torch.tensor([3.0]), torch.tensor([4.0])], "max_norm": 1.0}
    yield {"gradients": [torch.tensor([0.3]), torch.tensor([-0.4])], "max_norm": 2.0}
    yield {"gradients": [torch.zeros(2), torch.zeros(1)], "max_norm": 1.0}
    make = _random(13)
    yield {"gradients": [make(2, 3), 9 * make(3), make(1, 2, 2)], "max_norm": 0.5}
    yield {"gradients": [0.01 * make(2, 2), 3 * make(4)], "max_norm": 2.0}


Clipped = tuple[list[Tensor], float]


def _joint(gradients: list[Tensor]) -> float:
    return math.sqrt(sum(float(g.square().sum()) for g in gradients))


def _clip(gradients: list[Tensor], max_norm: float) -> Clipped:
    norm = _joint(gradients)
    factor = max_norm / norm if norm > max_norm else 1.0
    return [gradient * factor for gradient in gradients], norm


def _short(call: Call) -> str | None:
    norm = _joint(call.result[0])
    if norm <= call.max_norm * (1 + 1e-4):
        return None
    return f"All together the result still has a norm of {norm:.3g}, above {call.max_norm:g}."


def _same_direction(call: Call) -> str | None:
    before = torch.cat([g.flatten() for g in call.gradients])
    after = torch.cat([g.flatten() for g in call.result[0]])
    if float(before.norm()) == 0 or float(after.norm()) == 0:
        return None
    cosine = float(nn.functional.cosine_similarity(before, after, dim=0))
    if cosine > 1 - 1e-4:
        return None
    return f"The direction has changed (cosine {cosine:.3f}): one factor for all tensors keeps it."


def _untouched_below(call: Call) -> str | None:
    norm = _joint(call.gradients)
    longer = call(max_norm=2 * norm + 1)[0]
    if all(torch.allclose(a, b) for a, b in zip(longer, call.gradients)):
        return None
    return (
        f"A gradient of norm {norm:.3g} is changed with a threshold above it, {2 * norm + 1:.3g}."
    )


def _told_norm(call: Call) -> str | None:
    if abs(float(call.result[1]) - _joint(call.gradients)) < 1e-4 * (1 + _joint(call.gradients)):
        return None
    return (
        f"The norm that is returned is {float(call.result[1]):.3g}; before clipping, of all "
        f"numbers together, it is {_joint(call.gradients):.3g}."
    )


CLIP_BY_NORM = Exercise(
    "clip_by_norm",
    reference=_clip,
    inputs=_gradients,
    rules={
        "the joint norm is at most max_norm": _short,
        "the direction stays": _same_direction,
        "what is short enough stays as it is": _untouched_below,
        "the norm from before is returned": _told_norm,
    },
    mistakes=[
        Mistake(
            "Each tensor is clipped by itself: short ones catch up with long ones, and the "
            "direction changes. Take one norm over all.",
            lambda gradients, max_norm: (
                [_clip([g], max_norm)[0][0] for g in gradients],
                _joint(gradients),
            ),
        ),
        Mistake(
            "Each number is clipped by itself: that changes the direction.",
            lambda gradients, max_norm: (
                [g.clamp(-max_norm, max_norm) for g in gradients],
                _joint(gradients),
            ),
        ),
        Mistake(
            "The norm that is returned is the one after clipping: it could never warn you.",
            lambda gradients, max_norm: (
                _clip(gradients, max_norm)[0],
                _joint(_clip(gradients, max_norm)[0]),
            ),
        ),
        Mistake(
            "A short gradient is stretched to the threshold: the factor must not exceed 1.",
            lambda gradients, max_norm: (
                [g * (max_norm / (_joint(gradients) or 1.0)) for g in gradients],
                _joint(gradients),
            ),
        ),
        Mistake(
            "A gradient of zeros becomes NaN (0/0), and a short one is stretched: the factor must "
            "not exceed 1.",
            lambda gradients, max_norm: (
                [g * (max_norm / torch.tensor(_joint(gradients))) for g in gradients],
                _joint(gradients),
            ),
        ),
        Mistake(
            "The norms of the tensors are added. Norms do not add: add the squares, then take one "
            "root.",
            lambda gradients, max_norm: (
                lambda total: ([g * min(1.0, max_norm / (total or 1.0)) for g in gradients], total)
            )(sum(float(g.norm()) for g in gradients)),
        ),
        Mistake(
            "The square root is missing: this compares the squared norm with the threshold.",
            lambda gradients, max_norm: (
                lambda total: ([g * min(1.0, max_norm / (total or 1.0)) for g in gradients], total)
            )(_joint(gradients) ** 2),
        ),
        Mistake(
            "Nothing is clipped: the gradients come back as they were.",
            lambda gradients, max_norm: (list(gradients), _joint(gradients)),
        ),
    ],
)
