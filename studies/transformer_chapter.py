"""The recorded runs of chapter 11: chapter 5's LSTM, the Transformer and three variants of it.

    python -m studies.transformer_chapter              # data/runs/11_transformer.json

Three seeds each. The Transformer is the library's, which chapter 11b shows to be its own. One
thread. The Transformer's learning rate was chosen on the validation split.
"""

from functools import partial
from typing import Any

import torch
from torch import nn

from attnlib.data import make_batch
from attnlib.metrics import aer, links_from_weights
from attnlib.model import Transformer
from attnlib.translator import Translator

from . import attention_chapter, common, records, runner

RATE = 2e-3
UPDATES = 1000
SIZES: dict[str, Any] = {"hidden_size": 88, "feedforward_size": 176, "num_layers": 2}
VARIANTS = {
    "lstm": "chapter 5's model, learning rate 0.004",
    "transformer": "the chapter's model: 2 + 2 layers, 4 heads, sinusoidal positions",
    "one-head": "one head, the same parameters",
    "no-positions": "nothing added to the embeddings, in the encoder nor in the decoder",
    "short": "trained on at most 20 source tokens",
}


def make_model(variant: str, src_size: int, tgt_size: int) -> nn.Module:
    if variant == "lstm":
        return attention_chapter.make_model("luong", src_size, tgt_size)
    heads = 1 if variant == "one-head" else 4
    model = Transformer(src_size, tgt_size, num_heads=heads, dropout=0.1, **SIZES)
    if variant == "no-positions":
        model.encoder.positions = model.decoder.positions = False
    return model


def valid_batches() -> list[Any]:
    """The first sixty pairs of the validation split, and the last."""
    corpus, src, tgt, _ = common.encoded_corpus()
    return [
        make_batch([src.encode(p.src) for p in some], [tgt.encode(p.tgt) for p in some])
        for some in (corpus.valid[:60], corpus.valid[-60:])
    ]


def train(variant: str, seed: int, updates: int) -> tuple[Translator, Any]:
    rate = 2 * RATE if variant == "lstm" else RATE
    options = {"learning_rate": rate, "validate_every": updates // 10}
    return common.train(
        partial(make_model, variant),
        common.recipe(updates, seed, **options),
        at_most=20 if variant == "short" else None,
        valid=valid_batches(),
    )


@torch.no_grad()
def error_rates(translator: Translator) -> list[float]:
    """AER of each head of the last layer, and of the mean of its heads."""
    corpus, src, tgt, _ = common.encoded_corpus()
    found = []
    for pair in corpus.test:
        batch = make_batch([src.encode(pair.src)], [tgt.encode(pair.tgt)])
        _, weights = translator.model.features(batch.src, batch.src_mask, batch.tgt_in)
        weights = weights[0, :, :-1, :-1]  # without the row and the column of the end
        found.append([links_from_weights(one) for one in [*weights, weights.mean(0)]])
    gold = [pair.links for pair in corpus.test]
    return [round(aer(list(links), gold), 4) for links in zip(*found)]


def run(variant: str, seed: int) -> dict[str, Any]:
    translator, history = train(variant, seed, UPDATES)
    measured = common.measured(translator, common.encoded_corpus().corpus.test)
    result = {
        "parameters": common.used(translator.model),
        "updates": UPDATES,
        "learning_rate": 2 * RATE if variant == "lstm" else RATE,
        "date": records.today(),
        "valid_loss": [round(loss, 4) for loss in history.valid_loss],
        "bleu": measured["by_length"]["bleu"],
        "others": common.evaluate_others(translator),
    }
    if variant == "lstm":  # its alignment is in chapter 5's record
        return result
    *heads, mean = error_rates(translator)
    return result | {"aer_heads": heads, "aer": mean}


def header() -> dict[str, Any]:
    return {
        "command": "python -m studies.transformer_chapter",
        "corpus": "ko-en-easy",
        "split": "test",
        "batch": 32,
        "search": "greedy",
        **records.origin(),
        "variants": VARIANTS,
    }


SERIES = runner.Series(
    "11_transformer", {"variant": list(VARIANTS)}, run, header, data=lambda variant: common.EASY
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
