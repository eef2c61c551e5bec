"""Greedy, beam, exhaustive and sampling search over any step function; knows no model.

    step(tokens (B, K), memory, state) -> (log_probs (B, K, V), state, weights (B, K, S) or None)

``attnlib.search.step`` says what the three arguments are.
"""

from .beam import STOPS, beam_search
from .exhaustive import SearchBudgetError, exhaustive_search
from .greedy import greedy_search
from .penalties import PENALTIES, Number, Scoring, coverage_penalty, length_penalty
from .sampling import sample_search
from .step import Hypothesis, Real, Step, Trace, ensemble, index_tree

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
    "index_tree",
    "length_penalty",
    "sample_search",
]
