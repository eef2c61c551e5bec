"""Greedy, beam, exhaustive and sampling search over any step function; knows no model.

    step(tokens (B, K), memory, state) -> (log_probs (B, K, V), state, weights (B, K, S) or None)

``attnlib.search.step`` says what the three arguments are.
"""

# "X as X" marks a name as public: for editors, type checkers and the reference (PEP 484).
from .beam import STOPS as STOPS
from .beam import beam_search as beam_search
from .exhaustive import SearchBudgetError as SearchBudgetError
from .exhaustive import exhaustive_search as exhaustive_search
from .greedy import greedy_search as greedy_search
from .penalties import PENALTIES as PENALTIES
from .penalties import Scoring as Scoring
from .penalties import length_penalty as length_penalty
from .sampling import sample_search as sample_search
from .step import Hypothesis as Hypothesis
from .step import Step as Step
from .step import Trace as Trace
from .step import ensemble as ensemble
from .step import index_tree as index_tree
