"""Figures that only chapters show: gates along a sentence, the tree of a beam search."""

from .gates import gates_over_time
from .tree import STATUSES, Records, beam_tree, best_path, check_tree

__all__ = ["Records", "STATUSES", "beam_tree", "best_path", "check_tree", "gates_over_time"]
