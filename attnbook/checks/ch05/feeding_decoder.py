"""Exercise 5.3: ``feeding_decoder``."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.attention import Decoder, cat, padding_is_free, plain_attend, plain_cell
from attnbook.checks.inputs import Inputs, normal
from attnbook.checks.mistakes import same
from attnbook.checks.rules import agrees, are_weights, calls_to
from attnbook.exercises import Call, Exercise
from attnbook.exercises.values import difference, fmt


def feeding_decoder(
    words: Tensor,
    state: Tensor,
    keys: Tensor,
    mask: Tensor,
    attend: Decoder,
    cell: Decoder,
    weight: Tensor,
) -> Any:
    """words (B, T, E), state s_0 (B, Hd), keys (B, S, He) → s̃ (B, T, O), weights (B, T, S)."""
    s_tilde = words.new_zeros(len(words), len(weight))
    vectors, rows = [], []
    for word in words.unbind(1):
        state = cell(torch.cat([word, s_tilde], dim=-1), state)
        context, weights = attend(state.unsqueeze(1), keys, keys, mask)
        s_tilde = torch.tanh(torch.cat([context.squeeze(1), state], dim=-1) @ weight.T)
        vectors.append(s_tilde)
        rows.append(weights)
    return torch.stack(vectors, dim=1), torch.cat(rows, dim=1)


def doubled_attend(*arguments: Any) -> tuple[Tensor, Tensor]:
    """Attention may return another context than weights times keys: its values are its own."""
    context, weights = plain_attend(*arguments)
    return 2 * context, weights


def _inputs() -> Inputs:
    sizes = [(1, 2, 2, 2, 2, 2, 2), (2, 3, 4, 3, 3, 3, 3), (2, 2, 3, 2, 5, 3, 4)]
    for seed, (batch, steps, length, of_word, of_state, of_keys, out) in enumerate(sizes):
        make = normal(90 + seed)
        yield {
            "words": make(batch, steps, of_word),
            "state": make(batch, of_state),
            "keys": make(batch, length, of_keys).requires_grad_(seed == 2),
            "mask": torch.arange(length) < torch.tensor([[length - (batch > 1)], [length]])[:batch],
            "attend": doubled_attend if seed == 1 else plain_attend,
            "cell": plain_cell,
            "weight": make(out, of_keys + of_state),
        }


def _loop(
    of_words: Any = same,
    joined: Any = lambda context, state, weight: torch.tanh(cat(context, state) @ weight.T),
    carried: Any = lambda new, old, vector: new,
) -> Any:
    """The solution with one part wrong."""

    def wrong(words, state, keys, mask, attend, cell, weight):  # type: ignore[no-untyped-def]
        before = words.new_zeros(len(words), len(weight))
        vectors, rows = [], []
        for word in of_words(words).unbind(1):
            new = cell(cat(word, before), state)
            context, alpha = attend(new.unsqueeze(1), keys, keys, mask)
            vectors.append(joined(context.squeeze(1), new, weight))
            rows.append(alpha)
            before = vectors[-1]
            state = carried(new, state, before)
        return torch.stack(vectors, 1), torch.cat(rows, 1)

    return wrong


def _recorded_steps(call: Call) -> list[tuple[Tensor, Tensor, Tensor, Tensor]]:
    """What each step gave to the cell, what came back, and the same of attend."""
    calls = zip(calls_to(call, "cell"), calls_to(call, "attend"))
    return [
        (inputs, state, query, context) for (inputs, _, state), (query, *_, (context, _)) in calls
    ]


def _reads_word_and_vector(call: Call) -> str | None:
    vectors, expected = (x[0].detach() for x in (call.result, call.expected))
    before = torch.zeros_like(vectors[:, 0])
    for t, (inputs, *_) in enumerate(_recorded_steps(call)):
        inputs_expected = cat(call.words[:, t], before)
        if t and not difference(inputs, cat(call.words[:, t], expected[:, t - 1])):
            if not torch.allclose(before, expected[:, t - 1], atol=1e-4):
                return (
                    f"Step {t + 1} is fed the right s̃_{t}, but you return something else as "
                    f"vector {t}, {fmt(before[0])}. Return every s̃."
                )
        elif difference(inputs, inputs_expected, 1e-4):
            what = f"s̃_{t}, which step {t} returned" if t else "zeros, as many as s̃ has"
            return (
                f"In step {t + 1} the cell was given {fmt(inputs[0])}. It should read word "
                f"{t + 1}, followed by {what}: {fmt(inputs_expected[0])}."
            )
        before = vectors[:, t]
    return None


def _asks_and_joins(call: Call) -> str | None:
    for t, (_, state, query, context) in enumerate(_recorded_steps(call)):
        if difference(query, state.unsqueeze(1)):
            return (
                f"In step {t + 1} attend is asked with {fmt(query)}. The query is the new state, "
                f"which the cell returned in this step: {fmt(state.unsqueeze(1))}."
            )
        joined = cat(context[0, 0], state[0])
        bent = torch.tanh(joined @ call.weight.T.detach())
        if not torch.allclose(call.result[0][0, t], bent, atol=1e-4):
            return (
                f"In step {t + 1} the first sentence has [c ; s] = {fmt(joined)}, which W_c and "
                f"the tanh make {fmt(bent)}; {fmt(call.result[0][0, t])} comes back."
            )
    return None


CHECK = Exercise(
    feeding_decoder,
    inputs=_inputs,
    rules={
        "every weight lies between 0 and 1": are_weights(1),
        "padding does not matter": padding_is_free("vectors change"),
        "each step reads its word and the s̃ of the step before": _reads_word_and_vector,
        "the new state asks, and s̃ is computed from the context and the new state": _asks_and_joins,
        "every sentence and every step has its own s̃": agrees("sentence", "step", "unit", part=0),
    },
    mistakes={
        "Every step starts from s_0. Pass the new state on to the next step.": (
            _loop(carried=lambda new, old, vector: old)
        ),
        "You also use s̃ as the state. Pass on two things: the cell's new state as the state, and "
        "s̃ in the next inputs.": (_loop(carried=lambda new, old, vector: vector)),
        "You put the state first, but the left columns of W_c belong to the context.": (
            _loop(joined=lambda context, state, w: torch.tanh(cat(state, context) @ w.T))
        ),
        "Where is the tanh? Without it s̃ has no bounds, and the next step reads it.": (
            _loop(joined=lambda context, state, w: cat(context, state) @ w.T)
        ),
        "W_c is (O, He + Hd): rows [c; s] are multiplied by its transpose, weight.T.": (
            _loop(joined=lambda context, state, w: torch.tanh(cat(context, state) @ w))
        ),
        "The loop runs over the sentences. words is (B, T, E), and step t reads words[:, t].": (
            _loop(of_words=lambda words: words.transpose(0, 1))
        ),
        "The two results are swapped: s̃ comes first, then the weights.": (
            lambda **arguments: feeding_decoder(**arguments)[::-1]
        ),
    },
)
