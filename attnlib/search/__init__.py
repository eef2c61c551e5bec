"""Greedy, beam, exhaustive and sampling search over any step function."""

from .beam import (
    STOPS,
    Hypothesis,
    Number,
    Real,
    Step,
    Trace,
    beam_search,
    coverage_penalty,
    exhaustive_search,
    greedy_search,
    length_penalty,
    sample_search,
)

__all__ = [
    "Hypothesis",
    "Number",
    "Real",
    "STOPS",
    "Step",
    "Trace",
    "beam_search",
    "coverage_penalty",
    "exhaustive_search",
    "greedy_search",
    "length_penalty",
    "sample_search",
]
