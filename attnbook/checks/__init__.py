"""The checks: one file an exercise.

What several of them share stands beside the chapters, one module a subject.

This package is the registry of exercises that ``attnbook/__init__`` hands in.
"""

import importlib
from functools import cache
from typing import Any

#: The exercises of each chapter in its order, with the minutes that it states.
EXERCISES = {
    "00": {"shares": 3},
    "01": {"unroll": 10, "training_step": 15, "draw_word": 10, "go_on": 12},
    "01b": {"bptt": 25, "gradient_reach": 12, "clip_by_norm": 10},
    "02": {"lstm_step": 12, "cell_path": 10, "forget_bias_for": 12},
    "02b": {"lstm_step_back": 25},
    "03": {"make_batch": 12, "last_real": 8, "masked_loss": 10, "greedy_decode": 12},
    "03b": {"reverse_real": 12, "read_both_ways": 20},
    "04": {"temperature_for": 12, "attend": 12, "lookup_gradient": 20},
    "04b": {"nadaraya_watson": 12, "leave_one_out": 15},
    "05": {"safe_softmax": 12, "attention_step": 12, "feeding_decoder": 15},
    "05b": {
        "which_decoder": 15,
        "additive_score": 12,
        "gru_step": 12,
        "gradients_by_path": 15,
    },
    "05c": {"search_weights": 15},
    "06": {"general_matrix": 10, "normalized_gradient": 25},
    "07": {"free_running": 10, "first_mistake_rates": 10, "scheduled_run": 20},
    "07b": {"mix_inputs": 8, "sign_test": 10},
    "08": {"greedy_trap": 8, "greedy_tokens": 12, "reorder": 10, "beam_tokens": 30},
    "08b": {"nucleus": 12, "least_risk": 12},
    "09": {
        "ngram_counts": 6,
        "overlap": 10,
        "brevity_penalty": 6,
        "corpus_bleu": 20,
        "sentence_chrf": 15,
    },
    "09b": {"paired_bootstrap": 15, "report": 12},
    "10": {"bpe_merge": 15, "bucketed": 12, "adam_step": 20},
    "10b": {"word_attention": 15},
    "11": {"position_table": 12, "multi_head": 20, "decoder_mask": 8},
    "11b": {"cached_step": 15, "decoder_forward": 20},
}


def names_by_chapter() -> dict[str, dict[str, int]]:
    """The exercises of each chapter ("05") in its order, with the minutes that each takes."""
    return EXERCISES


@cache
def load(chapter: str, name: str) -> Any:
    """The check of an exercise. Imports nothing of any other."""
    return importlib.import_module(f"{__name__}.ch{chapter}.{name}").CHECK
