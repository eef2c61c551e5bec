"""The recorded runs of chapter 6: the scores in one translator, everything else alike.

    python -m studies.scores_chapter   # data/runs/06_scores.json

All variants have chapter 5's Luong decoder, encoder, batches, updates and learning rate, and one
thread; A, the width inside "concat" and "additive", is chosen so that they have as many parameters
as "general", and all lie within 5 %. While a run trains, its alignment is watched on the validation
split; nothing was chosen on the test split. ``seconds`` is the processor time of the training
alone: compare ratios within one file, not seconds.
"""

import time
from functools import partial
from typing import Any

from attnlib.metrics import aer, links_from_weights
from attnlib.model import Encoder, LuongDecoder, Seq2Seq, make_attention
from attnlib.translator import Translator

from . import common, records, runner

WIDTH = 128  # of embeddings, of encoder states, and of the decoder's state
INNER = 64  # A of concat and additive: A (128 + 128) + A numbers, general has 128 · 128
UPDATES = 1000
VALIDATIONS = 10  # while a run trains

VARIANTS = {
    "dot": "s·h: no parameters",
    "scaled_dot": "s·h / √128: no parameters",
    "general": "s W h",
    "concat": "v tanh(W [s ; h]), A = 64",
    "additive": "v tanh(W s + U h), A = 64",
}


def make_model(kind: str, src_size: int, tgt_size: int) -> Seq2Seq:
    """Chapter 5's model with another score; the chapter's own ``make_model`` makes the same."""
    source, target = common.tables(src_size, tgt_size, WIDTH)
    encoder = Encoder(source, WIDTH, cell="lstm", dropout=0.2, source_in_memory=True)
    decoder = LuongDecoder(target, WIDTH, WIDTH, WIDTH, attention="dot", cell="lstm", dropout=0.2)
    model = common.joined(encoder, decoder, target)
    decoder.attention = make_attention(kind, WIDTH, WIDTH, INNER)
    return model


def run(variant: str, seed: int) -> dict[str, Any]:
    """Trained like all others, while its alignment is watched."""
    watched = common.encoded_corpus().corpus.valid[::3]  # of every length
    curve: list[float] = []
    idle = 0.0

    def watch(translator: Translator) -> float:
        """The alignment error so far; what is returned makes the last weights the best."""
        nonlocal idle
        start = time.process_time()
        found = [links_from_weights(w) for w in common.all_weights(translator, watched)]
        curve.append(round(aer(found, [pair.links for pair in watched]), 4))
        idle += time.process_time() - start
        return float(len(curve))

    recipe = common.recipe(UPDATES, seed, validate_every=UPDATES // VALIDATIONS)
    start = time.process_time()
    translator, history = common.train(partial(make_model, variant), recipe, score=watch)
    seconds = time.process_time() - start - idle
    return {
        "parameters": common.used(translator.model),
        "date": records.today(),
        "seconds": round(seconds, 1),
        "loss": [round(value, 4) for value in history.train_loss],
        "aer_while": curve,
        **common.evaluate(translator),
        "others": common.evaluate_others(translator),
    }


def header() -> dict[str, Any]:
    return {
        "command": "python -m studies.scores_chapter",
        "corpus": common.EASY,
        "split": "test",
        "buckets": records.BUCKETS_OF[common.EASY],
        "batch": 32,
        "updates": UPDATES,
        "watched": [UPDATES // VALIDATIONS * (n + 1) for n in range(VALIDATIONS)],
        "search": "greedy",
        **records.origin(),
        "variants": VARIANTS,
    }


SERIES = runner.Series(
    "06_scores", {"variant": list(VARIANTS)}, run, header, data=lambda variant: common.EASY
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
