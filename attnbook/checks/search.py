"""What checks of search share: toy language models, and rules for what is written."""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

import torch
from torch import Tensor

from attnbook.checks.inputs import normal
from attnbook.exercises import Call
from attnlib import search

Step: TypeAlias = Callable[[Tensor, Any, Any], Any]
Answer: TypeAlias = tuple[list[int], float]

PAD, BOS, EOS = 0, 2, 3
SIZE = 7  # of the toy models' vocabulary: pad, unk, sos, eos and three words


def start() -> dict[str, Any]:
    return {"memory": torch.zeros(1), "state": torch.zeros(1, 1, dtype=torch.long)}


def stepping(rows: Tensor, depth: int) -> Step:
    """A step function over a tree of prefixes, numbered level by level; eos is certain at
    ``depth`` words. The state is the number of the prefix, so a wrong state is noticed."""
    last = (SIZE**depth - 1) // (SIZE - 1)  # the first prefix of ``depth`` words

    def toy_step(tokens: Tensor, memory: Any, state: Tensor) -> tuple[Tensor, Tensor, None]:
        if tokens.shape != state.shape:
            raise ValueError("step is given one token for each prefix, (1, K)")
        node = torch.where(tokens == 2, 0, SIZE * state + tokens + 1)
        log_probs = rows[node.clamp(max=len(rows) - 1)]
        certain = torch.full((SIZE,), -math.inf)
        certain[EOS] = 0.0
        return torch.where((node >= last).unsqueeze(-1), certain, log_probs), node, None

    return toy_step


def random_step(seed: int, depth: int = 3, never_ends: bool = False) -> Step:
    rows = 1.5 * normal(seed)((SIZE**depth - 1) // (SIZE - 1), SIZE)
    if never_ends:
        rows[:, EOS] = -math.inf
    return stepping(rows.log_softmax(-1), 20 if never_ends else depth)


def written_step(*levels: dict[tuple[int, ...], dict[int, float]]) -> Step:
    """A model spelled out: prefix → token → probability."""
    table = {prefix: row for level in levels for prefix, row in level.items()}
    rows = torch.full(((SIZE**3 - 1) // (SIZE - 1), SIZE), 0.0)
    for prefix, row in table.items():
        node = 0
        for token in prefix:
            node = SIZE * node + token + 1
        for token, probability in row.items():
            rows[node, token] = probability
    return stepping(rows.log(), 3)


# 4 "he", 5 "I", 6 "went": the chapter's example, shortened
TRAP = written_step(
    {(): {4: 0.5, 5: 0.4, 3: 0.1}},
    {(4,): {3: 0.35, 6: 0.4, 5: 0.25}, (5,): {6: 0.9, 3: 0.1}},
    {(4, 6): {3: 0.6, 4: 0.4}, (5, 6): {3: 1.0}},
)


def ends_without_eos(call: Call) -> str | None:
    if EOS not in list(call.result[0]):
        return None
    message = "The eos (3) is among the tokens. Count its log-probability, but leave the token out."
    behind = list(call.result[0])[list(call.result[0]).index(EOS) + 1 :]
    return message + f" Nothing follows the end, but you write {behind} after it." * bool(behind)


def not_longer(call: Call) -> bool | str:
    return len(call.result[0]) <= call.max_length or (
        f"You write {len(call.result[0])} tokens, but max_length is {call.max_length}. It counts "
        "the eos, so there are max_length steps."
    )


def only_tokens(call: Call) -> str | None:
    tokens = list(call.result[0])
    others = [token for token in tokens if token in (PAD, BOS)]
    if not others:
        return None
    return (
        f"{others[0]} is among the tokens {tokens}: pad (0) and sos (2) may not be chosen, and the "
        "first token fed is not part of the output. Did you rule these two out with −∞? (0 is the "
        "largest possible log-probability.)"
    )


def leaves_the_model(call: Call) -> str | None:
    tables = []

    def watched(*arguments: Any) -> Any:
        log_probs, state, weights = call.step(*arguments)
        tables.append((log_probs, log_probs.clone()))
        return log_probs, state, weights

    call(step=watched)
    if all(torch.equal(now, before) for now, before in tables):
        return None
    return (
        "You write into the log-probabilities that step returns. They belong to the model, which "
        "may return the same table again, so clone the row first."
    )


def equals_raise_nothing(call: Call) -> str | None:
    """Tokens that are equally probable: which of them is taken is open, an error is not."""

    def even(tokens: Tensor, memory: Any, state: Any) -> Any:
        log_probs = torch.full((1, tokens.shape[1], SIZE), -math.log(SIZE))
        return log_probs, torch.zeros(1, tokens.shape[1], 2), None

    if (problem := call.error(step=even)) is None:
        return None
    return (
        f"When several tokens are equally probable, it raises {type(problem).__name__}: {problem}. "
        "Do you look up a place by its number, or sort tuples that contain a state? argmax gives "
        "one place; sort only by the log-probability, with key=."
    )


def has_own_log_prob(call: Call) -> str | None:
    """The number is what the model gives to the tokens; else what it is instead, if we see it."""
    tokens, got = list(call.result[0]), call.result[1]
    ended, state, gains = len(tokens) < call.max_length, call.state, []
    for last, token in zip([BOS, *tokens], [*tokens, EOS] if ended else tokens):
        log_probs, state, _ = call.step(torch.tensor([[last]]), call.memory, state)
        gains.append(float(log_probs[0, 0, token]))
    total = sum(gains)
    if total == got or abs(total - got) < 1e-3:
        return None
    sequence = f"{tokens} and the eos" if ended else f"{tokens}"
    message = f"The model, reading {sequence} one by one, gives them log-probability {total:.3f}; "
    message += f"you return {got:.3f}. "
    kind, alpha = call.arguments.get("penalty", "gnmt"), call.arguments.get("alpha", 0.0)
    known = {
        "Did you leave the eos out of the sum? Ending is also a decision.": total
        - gains[-1] * ended,
        "Is that the score, divided by lp(n)? Return the sum itself.": total
        / search.length_penalty(float(len(gains)), alpha, kind),
        "Is that the mean of the steps? Return their sum.": total / len(gains),
        "That is the probability: return its logarithm.": math.exp(total),
        "That has the wrong sign: a log-probability is never above 0.": -total,
        "Is that the last step alone? Return the sum of all steps.": gains[-1],
    }
    diagnoses = (diagnosis for diagnosis, value in known.items() if abs(value - got) < 1e-4)
    return message + next(diagnoses, "Return the sum of the log-probabilities of all steps.")


#: Rules for what any search writes.
WRITTEN = {
    "the eos is not among the tokens": ends_without_eos,
    "a sentence that does not end is cut at max_length": not_longer,
    "pad and sos are not among the tokens": only_tokens,
    "the log-probability is that of its tokens": has_own_log_prob,
}
#: Rules for how any search treats the model.
OF_THE_MODEL = {
    "what the model returns is left unchanged": leaves_the_model,
    "tokens that are equally probable raise no error": equals_raise_nothing,
}
