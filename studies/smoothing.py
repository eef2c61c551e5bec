"""Label smoothing and the empty translation: the preset "quick" with and without it, searched.

    python -m studies.smoothing                           # data/runs/08_smoothing.json

Shi, Xiao and Knight (2020, "Why neural machine translation prefers empty outputs") find that a
model trained with label smoothing says <eos> at every step with a probability that the smoothing
gives it, so that the empty translation costs little however long the source is. Measured on the
validation split: BLEU and length by beam width, and the share of sentences whose mode is empty,
proved sentence by sentence by exhaustive search (Stahlberg and Byrne 2019). Six trainings of 4 to 5
minutes of one thread, into runs/multi30k, where one that is there is not made again; then some
minutes each.
"""

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attnlib.data import BOS, EOS, PAD, Pair, pad
from attnlib.search import Step, beam_search, index_tree
from attnlib.translator import DEFAULT_PRESETS, Translator

from . import multi30k, records, runner, search_sweep
from .models import like

VARIANTS = {"unsmoothed": 0.0, "smoothed": 0.1}  # label smoothing
# By the plain sum and by the mean per token; and 1, greedy search.
WIDTHS: list[tuple[dict[str, Any], int]] = [
    ({"alpha": 0.0}, width) for width in (2, 5, 10, 20, 50, 100)
]
WIDTHS += [(search_sweep.RANKINGS[-1], width) for width in (5, 50)]
NODES = 50_000  # prefixes of a sentence that are expanded before the proof is given up
AT_ONCE = 1_000  # of them


@torch.no_grad()
def empty_is_mode(
    step: Step, memory: Any, state: Any, limit: int, budget: int = NODES
) -> tuple[bool | None, int]:
    """Whether no hypothesis of at most so many tokens is more probable than the empty one.

    Exhaustive search for one that is: log P(empty) is the bound, and a prefix that is no better
    can only get worse. None where more prefixes would have to be expanded than the budget has;
    and how many were. The best prefixes of a level are looked at first, many in one step.
    """
    empty = -math.inf
    nodes = 0
    # Prefixes of one length: their last tokens (1, K), log P (K,), and states.
    stack = [(torch.full((1, 1), BOS), torch.zeros(1), state, 0)]
    while stack:
        tokens, total, state, length = stack.pop()
        nodes += tokens.shape[1]
        if nodes > budget:
            return None, nodes
        log_probs, state, _ = step(tokens, memory, state)
        reached = total.unsqueeze(1) + log_probs[0]  # (K, V)
        if length == 0:
            empty = float(reached[0, EOS])
        elif float(reached[:, EOS].max()) > empty:
            return False, nodes
        reached[:, [PAD, BOS, EOS]] = -math.inf  # padding and the start are never written
        parents, words = (reached > empty).nonzero(as_tuple=True)
        if length + 2 > limit:  # the token and its <eos> would be too many
            continue
        order = reached[parents, words].argsort(descending=True)
        parts = [order[i : i + AT_ONCE] for i in range(0, len(order), AT_ONCE)]
        for part in reversed(parts):  # the most probable ones on top
            rows, row_words = parents[part], words[part]
            kept = index_tree(state, slice(None), rows)
            stack.append((row_words.unsqueeze(0), reached[rows, row_words], kept, length + 1))
    return True, nodes


@torch.no_grad()
def log_prob_of_empty(translator: Translator, pair: Pair) -> float:
    """log P of the empty translation."""
    src, mask = pad([[*translator.src_vocabulary.encode(pair.src), EOS]])
    logits: Tensor = translator.model(src, mask, torch.full((1, 1), BOS))[0]
    return float(logits.log_softmax(-1)[0, 0, EOS])


def modes(translator: Translator, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Of how many sentences the empty translation is the mode, and what it costs."""
    of_empty = [log_prob_of_empty(translator, pair) for pair in pairs]
    how: dict[str, Any] = {"alpha": 0.0}
    found, _ = search_sweep.search(translator, [p.src for p in pairs], beam_search, 5, **how)
    proofs: list[tuple[bool | None, int]] = []
    for pair, empty, hypotheses in zip(pairs, of_empty, found):
        best = hypotheses[0]
        if best.tokens and best.finished and best.log_prob > empty + 1e-4:
            proofs.append((False, 0))  # a beam of 5 found a better one: nothing to search for
            continue
        ids = translator.src_vocabulary.encode(pair.src)
        src, mask = pad([[*ids, EOS]])
        with torch.no_grad():
            memory = translator.model.encode(src, mask)
            start = translator.model.decoder.start(memory)
            proofs.append(
                empty_is_mode(translator.model.step, memory, start, 2 * (len(ids) + 1) + 10)
            )
    n = len(pairs)
    share = {
        name: round(sum(proof is value for proof, _ in proofs) / n, 4)
        for name, value in {"empty": True, "not empty": False, "not known": None}.items()
    }
    return {
        "mode": share,
        "expanded": max(count for _, count in proofs),
        "log_prob empty": round(sum(of_empty) / n, 3),
    }


def widths(translator: Translator, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    rows = [search_sweep.beam(translator, pairs, 1)]
    return rows + [search_sweep.beam(translator, pairs, k, **how) for how, k in WIDTHS]


def trained(out: Path, variant: str, seed: int) -> Translator:
    preset = like(DEFAULT_PRESETS["quick"], seed=seed, label_smoothing=VARIANTS[variant])
    folder = f"quick-{seed}" if variant == "smoothed" else f"quick-{variant}-{seed}"
    translator, _ = multi30k.train(records.corpus_or_exit("multi30k-de-en"), preset, out / folder)
    translator.model.eval()
    return translator


def run(out: Path, variant: str, seed: int) -> dict[str, Any]:
    translator, valid = trained(out, variant, seed), records.corpus_or_exit("multi30k-de-en").valid
    pairs = sorted(valid, key=lambda pair: len(pair.src))  # neighbors pad less
    return {
        "command": f"python -m studies.smoothing --variants {variant} --seeds {seed}",
        **records.circumstances("fp32", "torch", "tokenizers", "sacrebleu"),
        "rows": widths(translator, pairs),
        **modes(translator, pairs),
    }


def header() -> dict[str, Any]:
    return {
        "what": "Multi30k German-English, preset quick, trained with label smoothing 0 and .1. "
        "rows: BLEU (13a, cased) and length by beam width, of translations of at most 2 S + 10 "
        "pieces. mode: the share of sentences whose most probable translation is the empty one, is "
        "not, or was not known after so many expanded prefixes. log_prob is the mean of log P, in "
        "nats; minutes do not hold the training where it was there. Source: Shi, Xiao and Knight "
        "(2020).",
        "command": "python -m studies.smoothing",
        "corpus": "multi30k-de-en",
        "split": "valid",
        "sentences": 1014,
        "variants": VARIANTS,
        "expanded at most": NODES,
    }


def series(out: Path) -> runner.Series:
    return runner.Series("08_smoothing", {"variant": list(VARIANTS)}, partial(run, out), header)


if __name__ == "__main__":
    out = runner.option("--out", type=Path, default=Path("runs/multi30k"))
    runner.main(__doc__, series, out, say="{variant} {seed}: {mode}".format_map)
