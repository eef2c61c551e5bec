"""The recorded runs of chapter 11: chapter 5's LSTM, the Transformer and three variants of it.

    python -m studies.transformer_chapter              # data/runs/11_transformer.json
    python -m studies.transformer_chapter --variants short --seeds 1

Three seeds each. The Transformers are the chapter's own: cells of its two files are read from
chapters/source and run, so the record cannot be of another model. A run that is in the file already
is not made again; the program can be stopped at any time. One thread. The Transformer's learning
rate was chosen on the validation split.
"""

import contextlib
import io
from functools import cache, partial
from pathlib import Path
from typing import Any

import jupytext
from torch import nn

from attnlib.model import Encoder, LuongDecoder, Seq2Seq

from . import easy_runs, records, runner

SOURCES = Path(__file__).parent.parent / "chapters" / "source"
FIRST, SECOND = "11_transformer", "11b_translation"
CELLS = (
    "setup",
    "ex-position-table",
    "ex-multi-head",
    "multi-head-class",
    "ex-decoder-mask",
    "layer",
    "model",
)
CELLS_OF_SECOND = (
    "setup",
    "ex-decoder-forward",
    "decoder-layer",
    "model-forward",
    "corpus",
    "train-function",
    "length",
    "error-rates",
)
RATE = 2e-3
VARIANTS = {
    "lstm": "chapter 5's model, learning rate 0.004",
    "transformer": "the chapter's model: 2 + 2 layers, 4 heads, sinusoidal positions",
    "one-head": "one head, the same parameters",
    "no-positions": "nothing added to the embeddings, in the encoder nor in the decoder",
    "short": "trained on at most 20 source tokens",
}


def run_cells(
    wanted: tuple[str, ...], file: str = FIRST, names: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The names that these cells of a file define, beside those that are there already."""
    source = SOURCES / f"{file}.py"
    cells = {cell.metadata.get("id"): cell.source for cell in jupytext.read(source).cells}
    names = {} if names is None else names
    with contextlib.redirect_stdout(io.StringIO()):  # the exercises say that they are solved
        for name in wanted:
            exec(cells[name], names)
    return names


@cache
def chapter() -> dict[str, Any]:
    """The names that the chapter's cells define."""
    return run_cells(CELLS_OF_SECOND, SECOND, run_cells(CELLS))


def make_lstm(src_size: int, tgt_size: int) -> nn.Module:
    """The model with attention of chapter 5."""
    source, target = nn.Embedding(src_size, 128), nn.Embedding(tgt_size, 128)
    for table in (source, target):
        nn.init.normal_(table.weight, std=128**-0.5)
    encoder = Encoder(source, 128, dropout=0.2, source_in_memory=True)
    decoder = LuongDecoder(target, 128, 128, 128, attention="dot", cell="lstm", dropout=0.2)
    output = nn.Linear(128, tgt_size)
    nn.init.zeros_(output.bias)
    output.weight = target.weight
    return Seq2Seq(encoder, decoder, output)


def make(book: dict[str, Any], variant: str) -> nn.Module:
    sizes = len(book["korean"]), len(book["english"])
    if variant == "lstm":
        return make_lstm(*sizes)
    heads = 1 if variant == "one-head" else 4
    model: nn.Module = book["Transformer"](*sizes, heads=heads)
    if variant == "no-positions":
        model.encoder.positions = model.decoder.positions = False  # type: ignore[assignment, union-attr]
    return model


def run(variant: str, seed: int) -> dict[str, Any]:
    book = chapter()
    longest, rate = 20 if variant == "short" else 50, 2 * RATE if variant == "lstm" else RATE
    translator, history = book["train"](partial(make, book, variant), rate, seed, longest)
    translator.model.eval()
    used = [p for p in translator.model.parameters() if p.grad is not None]
    result = {
        "parameters": sum(p.numel() for p in used),
        "updates": 1000,
        "learning_rate": rate,
        "date": records.today(),
        "valid_loss": [round(loss, 4) for loss in history.valid_loss],
        "bleu": [round(score, 2) for score in book["by_length"](translator)],
        "others": easy_runs.evaluate_others(translator),
    }
    if variant == "lstm":  # its alignment is in chapter 5's record
        return result
    *heads, mean = book["error_rates"](translator, book["corpus"].test)
    return result | {"aer_heads": [round(rate, 4) for rate in heads], "aer": round(mean, 4)}


def head() -> dict[str, Any]:
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
    "11_transformer", {"variant": list(VARIANTS)}, run, head, data=lambda variant: easy_runs.EASY
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
