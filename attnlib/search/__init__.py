"""Greedy, beam, exhaustive and sampling search over any step function; knows no model.

    step(tokens (B, K), memory, state) -> (log_probs (B, K, V), state, weights (B, K, S) or None)

``attnlib.search.step`` says what the three arguments are.
"""

from .beam import STOPS, beam_search
from .exhaustive import SearchBudgetError, exhaustive_search
from .paths import greedy_search, sample_search
from .penalties import PENALTIES, Number, Scoring, coverage_penalty, length_penalty
from .step import Hypothesis, Real, Step, Trace, ensemble, take

__all__ = [
    "Hypothesis",
    "Number",
    "PENALTIES",
    "Real",
    "STOPS",
    "Scoring",
    "SearchBudgetError",
    "Step",
    "Trace",
    "beam_search",
    "coverage_penalty",
    "ensemble",
    "exhaustive_search",
    "greedy_search",
    "length_penalty",
    "sample_search",
    "take",
]
