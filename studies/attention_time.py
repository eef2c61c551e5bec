"""Seconds by length: an LSTM, the book's self-attention, and the same with torch's fused attention.

    python -m studies.attention_time                      # data/runs/11_attention_time.json

The modules are those of chapter 11, 128 wide, with four heads, reading one sentence
without gradients on one thread. "fused" has the book's own four matrices around
F.scaled_dot_product_attention, which never writes down the S × S weights (FlashAttention: Dao et
al. 2022). All take their turns in one process, so that whatever else the machine does falls on
each; seconds are of the processor, not of the clock. A minute.
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnlib.model import EncoderLayer, MultiHeadAttention

from . import records, runner

SIZE, HEADS, REPEATS = 128, 4, 15
SPANS = (16, 64, 256, 1024, 2048)
WHAT = {
    "LSTM": "torch's, one layer",
    "self-attention": "the book's: scores, softmax and weighted sum one by one",
    "fused": "the same matrices around F.scaled_dot_product_attention",
    "feed-forward": "of a layer, four times as wide inside",
}


def fused(module: MultiHeadAttention, x: Tensor) -> Tensor:
    """What the book's MultiHeadAttention computes of x (B, S, D), by torch's function."""
    parts = (module.query, module.key, module.value)
    cut = (part(x).unflatten(-1, (module.num_heads, -1)).transpose(1, 2) for part in parts)
    found: Tensor = module.out(F.scaled_dot_product_attention(*cut).transpose(1, 2).flatten(2))
    return found


def timed() -> dict[str, Callable[[Tensor], Tensor]]:
    """Each of WHAT as a function of x (1, S, 128)."""
    lstm = nn.LSTM(SIZE, SIZE, batch_first=True)
    attention, everyone = MultiHeadAttention(SIZE, HEADS), torch.ones(1, 1, 1, dtype=torch.bool)
    feed_forward = EncoderLayer(SIZE, HEADS, 4 * SIZE).feed_forward
    ways: tuple[Callable[[Tensor], Tensor], ...] = (
        lambda x: lstm(x)[0],
        lambda x: attention(x, x, everyone)[0],
        lambda x: fused(attention, x),
        feed_forward,
    )
    return dict(zip(WHAT, ways))


@torch.no_grad()
def run(variant: str, seed: int) -> dict[str, Any]:
    del variant
    torch.manual_seed(seed)
    functions, rows = timed(), []
    for span in SPANS:
        x = torch.randn(1, span, SIZE)
        taken: dict[str, list[float]] = {name: [] for name in WHAT}
        for _ in range(REPEATS + 1):  # the first is not counted
            for name, function in functions.items():
                start = time.process_time()
                function(x)
                taken[name].append(time.process_time() - start)
        counted = {name: times[1:] for name, times in taken.items()}
        ratios = {
            name: statistics.median(a / b for a, b in zip(times, counted["LSTM"]))
            for name, times in counted.items()
        }
        away = (functions["self-attention"](x) - functions["fused"](x)).abs().max()
        rows.append(
            {
                "length": span,
                "milliseconds": {
                    name: float(f"{1000 * statistics.median(times):.3g}")
                    for name, times in counted.items()
                },
                "times the LSTM's": {name: float(f"{r:.3g}") for name, r in ratios.items()},
                "fused differs by": float(f"{away:.1g}"),
            }
        )
    return {**records.circumstances("fp32", "torch"), "rows": rows}


def header() -> dict[str, Any]:
    return {
        "what": "Time to read one sentence by its length, without gradients, 128 wide, four heads: "
        "medians of repeats, and medians of the ratios to the LSTM beside it.",
        "command": "python -m studies.attention_time",
        "repeats": REPEATS,
        "modules": WHAT,
    }


SERIES = runner.Series("11_attention_time", {"variant": ["reading"]}, run, header)

if __name__ == "__main__":
    runner.main(__doc__, SERIES, say="seed {seed}: {rows}".format_map)
