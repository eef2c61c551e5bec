"""Calls with the same random numbers every time, and the fault of setting the seed of all."""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from .spec import Function
from .trial import CallRecord, Fault, outcome

SEEDS_UNCHANGED = "it leaves the random numbers of others alone"


def call_seeded(function: Function, arguments: Mapping[str, Any], seed: int = 0) -> Any:
    """What a call gives or raises where the random numbers are the same every time."""
    _seed(seed)
    return outcome(function, {key: _copy_generator(value) for key, value in arguments.items()})


def _seed(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def _copy_generator(value: Any) -> Any:
    """A generator of random numbers that begins where this one stands; all else as it is."""
    if isinstance(value, torch.Generator):
        return torch.Generator(value.device).set_state(value.get_state())
    drawn = isinstance(value, (random.Random, np.random.Generator))
    return copy.deepcopy(value) if drawn else value


_OWN_GENERATOR = {
    "torch.manual_seed": "torch.Generator().manual_seed(…)",
    "random.seed": "random.Random(…)",
    "np.random.seed": "np.random.default_rng(…)",
}


def _states() -> dict[str, Any]:
    state = np.random.get_state()
    return {
        "torch.manual_seed": torch.get_rng_state().numpy().tobytes(),
        "random.seed": random.getstate(),
        "np.random.seed": [part.tobytes() if hasattr(part, "tobytes") else part for part in state],
    }


def seed_fault(function: Function, inputs: Sequence[Mapping[str, Any]]) -> Fault | None:
    """The fault of a function that sets the seed of everybody's random numbers."""
    first_seed, second_seed = 410_213, 873_169  # seeds that nobody chooses
    _seed(first_seed)
    initial = _states()
    for arguments in inputs:
        call_seeded(function, arguments, first_seed)
        first = _states()
        if first == initial:  # nothing was drawn
            continue
        call_seeded(function, arguments, second_seed)
        second = _states()
        for name, own in _OWN_GENERATOR.items():
            if first[name] == second[name]:  # from two beginnings to the same end
                message = (
                    f"It sets the seed of all random numbers, as {name} does: it changes whatever "
                    f"the notebook draws afterward. A generator of its own does no harm, {own}."
                )
                return Fault(SEEDS_UNCHANGED, message, CallRecord(arguments))
    return None
