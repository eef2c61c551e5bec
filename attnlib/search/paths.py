"""Searches that follow independent paths: greedy search and sampling."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from ..checks import number, require, require_whole
from .loop import Found, Live, Past, begin, read_back, run
from .step import Hypothesis, Real, Step, Task, expand, prepare


@torch.no_grad()
def greedy_search(
    step: Step,
    memory: Any,
    state: Any,
    *,
    max_length: int | Sequence[int] | Tensor,
    min_length: int = 0,
    banned: Sequence[int] = (0, 2),
    bos: int = 2,
    eos: int = 3,
) -> list[list[Hypothesis]]:
    """Take the most probable token at every step: ŷ_t = argmax_v p(v | ŷ_<t, x).

    A sentence that has not ended after max_length tokens is cut there (finished=False). Arguments
    and errors as in ``beam_search``. Returns a list of one hypothesis for each sentence.

    >>> table = torch.tensor([[0, 0, 0, 0.4, 0.6], [0, 0, 0, 0.9, 0.1]]).log()  # at first, later
    >>> def step(tokens, memory, state):
    ...     return table[state.clamp(max=1)], state + 1, None
    >>> greedy_search(step, None, torch.zeros(1, 1, dtype=torch.long), max_length=5)[0][0].tokens
    [4]
    """
    task = prepare(memory, state, max_length, min_length, banned, bos, eos)
    advance = partial(_advance, task=task, pick=None, paths=1)
    return read_back(*run(step, memory, state, begin(task, 1), task, advance))


@torch.no_grad()
def sample_search(
    step: Step,
    memory: Any,
    state: Any,
    *,
    max_length: int | Sequence[int] | Tensor,
    samples: int = 1,
    temperature: Real = 1.0,
    top_k: int | None = None,
    top_p: Real = 1.0,
    generator: torch.Generator | None = None,
    min_length: int = 0,
    banned: Sequence[int] = (0, 2),
    bos: int = 2,
    eos: int = 3,
) -> list[list[Hypothesis]]:
    """Draw every token at random: y_t ~ p(v | y_<t, x)^(1/temperature), normalised.

    ``top_k`` keeps only the k most probable tokens (Fan et al. 2018); ``top_p`` then keeps the
    nucleus: the fewest tokens that together reach probability top_p (Holtzman et al. 2020).
    Returns ``samples`` hypotheses for each sentence *in the order drawn* (each is a fair sample,
    the best of them would not be), with the model's own log-probability as score. Other arguments
    and errors as in ``beam_search``.

    >>> table = torch.tensor([0, 0, 0, 0.3, 0.7]).log()
    >>> def step(tokens, memory, state):
    ...     return table.expand(*tokens.shape, 5), state, None
    >>> sample_search(step, torch.zeros(1), None, max_length=3, top_k=1)[0][0].tokens
    [4, 4, 4]
    """
    require_whole("samples", samples)
    require(0 < number(temperature) < math.inf, "temperature", "a number above 0", temperature)
    temperature = min(max(number(temperature), 1e-45), 1e38)  # as near to 0 and ∞ as float32 comes
    free = generator is None or isinstance(generator, torch.Generator)
    seeded = "a torch.Generator, as torch.Generator().manual_seed(3), or None"
    require(free, "generator", seeded, generator)
    if top_k is not None:
        require_whole("top_k", top_k)
    require(0 < number(top_p) <= 1, "top_p", "above 0 and at most 1", top_p)
    task = prepare(memory, state, max_length, min_length, banned, bos, eos)

    def pick(log_probs: Float[Tensor, "B K V"]) -> Int[Tensor, "B K"]:
        # Subtracted, so that a small temperature does not send all of them to −∞.
        best = log_probs.amax(-1, keepdim=True)
        rows, order = ((log_probs - best) / temperature).flatten(0, 1), None
        if top_k is not None or top_p < 1:
            rows, order = rows.sort(-1, descending=True)
            rows[:, rows.shape[1] if top_k is None else top_k :] = -math.inf
            probs = rows.softmax(-1)
            # The more probable tokens already make up top_p.
            rows = rows.masked_fill(probs.cumsum(-1) - probs >= top_p, -math.inf)
        # What torch.multinomial draws, which first asks the device whether these are probabilities.
        race = torch.empty_like(rows).exponential_(generator=generator)
        drawn = (rows.softmax(-1) / race).argmax(-1, keepdim=True)  # (B·K, 1)
        return (drawn if order is None else order.gather(1, drawn)).view(log_probs.shape[:2])

    advance = partial(_advance, task=task, pick=pick, paths=samples)
    return read_back(*run(step, memory, state, begin(task, samples), task, advance), samples)


def _advance(
    live: Live,
    log_probs: Tensor,
    weights: Tensor | None,
    t: int,
    task: Task,
    pick: Callable[[Tensor], Tensor] | None,
    paths: int,
) -> tuple[Live, Past, Tensor, Tensor]:
    """One step of independent paths: the next token of each is the best, or what ``pick`` says."""
    log_probs = log_probs.expand(-1, paths, -1)  # at first there is one prefix
    going = ~live.found.finished & (live.limits >= t).unsqueeze(1)
    if paths > 1:  # after its end, a path adds nothing
        log_probs = log_probs.masked_fill(~going.unsqueeze(-1), 0.0)
    barred = task.barred(log_probs, *([task.eos] if t <= task.min_length else []))
    rows = log_probs.flatten(0, 1).unsqueeze(1)  # (B·K, 1, V): every path by itself
    best = expand(rows, rows.new_zeros(len(rows), 1), 1, barred)
    gain, _, tokens, most = (x.view(going.shape) for x in best)
    if pick is not None:
        allowed = log_probs.index_fill(-1, barred, -math.inf)
        tokens = pick(allowed)
        gain = allowed.gather(2, tokens.unsqueeze(2)).squeeze(2)
    slots = torch.arange(paths, device=tokens.device).expand_as(tokens)
    parents = slots * (t > 1)  # at first there is one prefix
    ends = going & (tokens == task.eos)
    total = torch.where(going, live.total + gain, live.total)
    end = torch.where(going, t - ends.long(), live.found.end)
    slot = torch.where(ends, parents, torch.where(going, slots, live.found.slot))
    found = Found(total, total, end, slot, live.found.finished | ends)
    stopped = found.finished.all(1) | (live.limits <= t)
    past = Past(live.rows, parents, tokens, total, total, weights)
    return live._replace(total=total, found=found), past, stopped, most.masked_fill(~going, 0.0)
