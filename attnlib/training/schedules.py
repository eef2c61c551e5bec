"""Teacher-forcing schedules: training step → probability of feeding the gold token.

Early in training a decoder needs the gold token before every step; later it should also meet its
own words (scheduled sampling, Bengio et al. 2015). A schedule is a function of the step i = 0, 1,
2, … that returns ε_i in [0, 1]. The model makes the Bernoulli draws of its tokens.
"""

import math
from collections.abc import Callable
from typing import TypeAlias

from ..checks import Number, as_number, require

Schedule: TypeAlias = Callable[[int], float]


def constant_schedule(probability: Number = 1.0) -> Schedule:
    """ε_i = probability: 1 is teacher forcing, 0 always feeds the model's own words.

    >>> constant_schedule(0.5)(1000)
    0.5
    """
    share = as_number(probability)
    require(0 <= share <= 1, "probability", "between 0 and 1", probability)
    return lambda step: float(share)


def linear_decay(slope: Number, start: Number = 1.0, floor: Number = 0.0) -> Schedule:
    """ε_i = max(ε, k − c·i)   (Bengio et al. 2015, §2.4), with start k, slope c and floor ε.

    Arguments: slope, by how much the probability falls in one step, at least 0; start and floor,
    0 ≤ floor ≤ start ≤ 1. ``linear_decay(1 / 5000)`` reaches 0 at step 5000.

    >>> [linear_decay(0.25, floor=0.4)(i) for i in range(4)]
    [1.0, 0.75, 0.5, 0.4]
    """
    require(0 <= as_number(slope) < math.inf, "slope", "a finite number of at least 0", slope)
    require(0 <= as_number(start) <= 1, "start", "between 0 and 1", start)
    require(0 <= as_number(floor) <= start, "floor", f"between 0 and start={start}", floor)
    return lambda step: float(max(floor, start - slope * step))


def exponential_decay(base: Number) -> Schedule:
    """ε_i = kⁱ   (Bengio et al. 2015, §2.4), with base k < 1: a fixed share falls in each step.

    ``exponential_decay(0.5 ** (1 / 1000))`` halves every 1000 steps.

    >>> [exponential_decay(0.5)(i) for i in range(3)]
    [1.0, 0.5, 0.25]
    """
    require(0 < as_number(base) < 1, "base", "above 0 and below 1", base)
    return lambda step: float(base**step)


def inverse_sigmoid(rate: Number) -> Schedule:
    """ε_i = k / (k + exp(i / k))   (Bengio et al. 2015, §2.4), with rate k ≥ 1.

    It stays high, falls around step k·ln k, where it is ½, and levels out.

    >>> schedule = inverse_sigmoid(100)
    >>> [round(schedule(i), 2) for i in (0, 461, 1000)]  # 100 ln 100 = 460.5
    [0.99, 0.5, 0.0]
    """
    k = as_number(rate)
    require(1 <= k < math.inf, "rate", "a finite number of at least 1", rate)

    def probability(step: int) -> float:
        share = k * math.exp(-step / k)  # exp(i / k) would overflow in a long training
        return float(share / (share + 1))

    return probability
