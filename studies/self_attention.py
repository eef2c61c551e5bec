"""The recorded runs of chapter 11's toy tasks: recall of a value by its key, and two neighbors.

    python -m studies.self_attention                             # data/runs/11_recall.json
    python -m studies.self_attention --series 11_heads           # data/runs/11_heads.json
    python -m studies.self_attention --series 11_training_time   # data/runs/11_training_time.json

Recall: ten pairs of a key and a value, all keys different, then each of the keys; after
each its value is to be named. A causal Transformer, an LSTM, and the same LSTM with chapter 5's dot
attention over its own states, as many parameters within 4 %. (The LSTMs have one layer: with two,
the one with attention had learned nothing after 3,000 updates of a trial at two rates.) After a
warm-up the learning rate is constant, so that a look after 300 updates is a training of 300. Seed 0
is trained with every rate of ``RATES`` for 2,000 updates; the reported seeds have
the rate that solved the task first or, if none did, had the lowest loss in its last look. Every
example is new. A run ends when it is right at ``SOLVED`` two looks in a row; a later look would
only repeat it.

Heads: chapter 11's task of two neighbors, one or two heads, read by a linear layer, by a network
with one hidden layer, or by the chapter's whole layer and a linear one; Adam at a constant rate.

Time: microseconds of a training update per token, by length, in turns of one process.
"""

import statistics
import time
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnlib.device import seed_everything
from attnlib.model import (
    EncoderLayer,
    EncoderStack,
    MultiHeadAttention,
    causal_mask,
    sinusoidal_positions,
)

from . import records, runner

KEYS, VALUES, ASKED = 48, 24, 10  # different keys and values; keys that are asked
BATCH, UPDATES, WARMUP = 32, 5000, 100
RATES = (1e-3, 3e-3, 1e-2, 3e-2)
CHOOSING = 0  # the seed that tries every rate, and is not reported
TRIAL = {10: 2000}  # its updates, by the number of pairs
SEEDS_OF = {10: range(1, 11)}
EVERY, SOLVED = 50, 0.99  # updates between two looks, each at 100 new examples
RECALL = {
    "transformer": "causal, 2 layers, 4 heads, width 64",
    "lstm": "one layer of 108 units",
    "lstm-attention": "one layer of 96 units, dot attention over its own states",
}


class Transformer(nn.Module):
    """Token ids (B, T) → logits of a value at the last ``ASKED`` positions."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = EncoderStack(KEYS + VALUES, 64, 4, 256, 2, dropout=0.0)
        self.output = nn.Linear(64, VALUES)

    def forward(self, ids: Tensor) -> Tensor:
        logits: Tensor = self.output(self.stack(ids, causal_mask(ids.shape[1]))[:, -ASKED:])
        return logits


class LSTM(nn.Module):
    """The same by an LSTM; with ``attention`` the asking states attend to those of the pairs."""

    def __init__(self, size: int, attention: bool) -> None:
        super().__init__()
        self.embed = nn.Embedding(KEYS + VALUES, size)
        self.rnn = nn.LSTM(size, size, batch_first=True)
        self.combine = nn.Linear(2 * size, size) if attention else None
        self.output = nn.Linear(size, VALUES)

    def forward(self, ids: Tensor) -> Tensor:
        states, _ = self.rnn(self.embed(ids))
        pairs, asking = states[:, :-ASKED], states[:, -ASKED:]
        if self.combine is not None:
            context = (asking @ pairs.transpose(1, 2)).softmax(-1) @ pairs
            asking = torch.tanh(self.combine(torch.cat([context, asking], dim=-1)))
        logits: Tensor = self.output(asking)
        return logits


def make_model(variant: str) -> nn.Module:
    if variant == "transformer":
        return Transformer()
    return LSTM(96, attention=True) if variant == "lstm-attention" else LSTM(108, attention=False)


def examples(count: int, pairs: int) -> tuple[Tensor, Tensor]:
    """Pairs, then ten of their keys (count, 2 · pairs + 10); the values of these (count, 10)."""
    keys = torch.rand(count, KEYS).argsort(-1)[:, :pairs]
    values = torch.randint(VALUES, (count, pairs))
    asked = torch.rand(count, pairs).argsort(-1)[:, :ASKED]
    written = torch.stack([keys, KEYS + values], dim=-1).flatten(1)
    return torch.cat([written, keys.gather(1, asked)], dim=1), values.gather(1, asked)


def answer_loss(model: nn.Module, ids: Tensor, wanted: Tensor) -> Tensor:
    return F.cross_entropy(model(ids).flatten(0, 1), wanted.flatten())


@torch.no_grad()
def look(model: nn.Module, pairs: int) -> dict[str, float]:
    ids, wanted = examples(100, pairs)
    right = (model(ids).argmax(-1) == wanted).double().mean().item()
    return {"right": round(right, 4), "loss": round(answer_loss(model, ids, wanted).item(), 4)}


def run_recall(pairs: int, variant: str, rate: float, seed: int) -> dict[str, Any]:
    seed_everything(seed)
    model = make_model(variant)
    optimizer = torch.optim.Adam(model.parameters(), rate)
    looks: list[dict[str, float]] = []
    for update in range(1, (TRIAL[pairs] if seed == CHOOSING else UPDATES) + 1):
        optimizer.param_groups[0]["lr"] = rate * min(update / WARMUP, 1)
        loss = answer_loss(model, *examples(BATCH, pairs))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if update % EVERY == 0:
            looks.append(look(model, pairs))
            if len(looks) > 1 and min(one["right"] for one in looks[-2:]) >= SOLVED:
                break
    solved = [n for n, one in enumerate(looks, 1) if one["right"] >= SOLVED]
    return {
        "parameters": sum(p.numel() for p in model.parameters()),
        "date": records.today(),
        "updates": EVERY * len(looks),
        "solved": EVERY * solved[0] if solved else None,
        **{name: [one[name] for one in looks] for name in ("right", "loss")},
    }


def chosen(pairs: int, variant: str) -> float | None:
    """The rate that solves the task first, or has the lowest loss, of the seed that tries them."""
    key = ("pairs", "variant", "rate", "seed")
    made = records.read(records.path_of("11_recall"), key)
    tried = {r: made.get((pairs, variant, r, CHOOSING)) for r in RATES}
    if not all(tried.values()):
        return None
    return min(RATES, key=lambda r: (tried[r]["solved"] or UPDATES + 1, tried[r]["loss"][-1]))


def skip_recall(pairs: int, variant: str, rate: float, seed: int) -> bool:
    if seed == CHOOSING:
        return False
    return seed not in SEEDS_OF[pairs] or rate != chosen(pairs, variant)


def header_of_recall() -> dict[str, Any]:
    return {
        "what": "Recall of a value by its key: pairs, then ten keys, whose values are named. Right "
        "answers and loss on new examples, every 50 updates; a run ends two looks after it is "
        "solved. Seed 0 chooses the learning rate.",
        "command": "python -m studies.self_attention",
        "keys, values, asked": [KEYS, VALUES, ASKED],
        "batch": BATCH,
        "updates": UPDATES,
        "updates of seed 0": TRIAL,
        **records.origin(),
        "variants": RECALL,
    }


# Two neighbors ----------------------------------------------------------------------------------

SYMBOLS, LENGTH, SIZE = 10, 8, 32
LOOKS = (300, 1500)  # updates
READ = {
    "linear": "one linear layer",
    "hidden": "a hidden layer of 64 with ReLU, then a linear layer",
    "layer": "the residual, the layer norms and the feed-forward network of a layer, then linear",
}
HEADS = {f"{n}-{name}": f"{n} head(s), {text}" for n in (1, 2) for name, text in READ.items()}


class Neighbors(nn.Module):
    """Symbols (B, T) → logits of the left and the right neighbor of the places between the ends."""

    def __init__(self, heads: int, read: str) -> None:
        super().__init__()
        self.embed = nn.Embedding(SYMBOLS, SIZE)
        self.whole = read == "layer"
        if self.whole:
            self.layer: nn.Module = EncoderLayer(SIZE, heads, 4 * SIZE, dropout=0.0)
        else:
            self.layer = MultiHeadAttention(SIZE, heads)
        self.read: nn.Module = nn.Linear(SIZE, 2 * SYMBOLS)
        if read == "hidden":
            self.read = nn.Sequential(nn.Linear(SIZE, 64), nn.ReLU(), nn.Linear(64, 2 * SYMBOLS))

    def forward(self, sentences: Tensor) -> Tensor:
        words = self.embed(sentences) + sinusoidal_positions(LENGTH, SIZE)
        found = self.layer(words) if self.whole else self.layer(words, words)[0]
        logits: Tensor = self.read(found)[:, 1:-1].unflatten(-1, (2, SYMBOLS))
        return logits


def neighbors(count: int) -> tuple[Tensor, Tensor]:
    sentences = torch.randint(SYMBOLS, (count, LENGTH))
    return sentences, torch.stack([sentences[:, :-2], sentences[:, 2:]], dim=-1)


def run_heads(variant: str, seed: int) -> dict[str, Any]:
    heads, _, read = variant.partition("-")
    seed_everything(seed)
    model = Neighbors(int(heads), read)
    optimizer = torch.optim.Adam(model.parameters(), 5e-3)
    both, single = [], []
    for update in range(1, LOOKS[-1] + 1):
        sentences, wanted = neighbors(64)
        loss = F.cross_entropy(model(sentences).flatten(0, 2), wanted.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if update in LOOKS:
            with torch.no_grad():
                sentences, wanted = neighbors(1000)
                right = model(sentences).argmax(-1) == wanted
            both.append(round(right.all(-1).double().mean().item(), 4))
            single.append(round(right.double().mean().item(), 4))
    count = sum(p.numel() for p in model.parameters())
    return {"parameters": count, "date": records.today(), "both": both, "single": single}


def header_of_heads() -> dict[str, Any]:
    return {
        "what": "At each place name the left and the right neighbor, eight of ten symbols: the "
        "share of places with both right and of single answers, on 1,000 new examples.",
        "command": "python -m studies.self_attention --series 11_heads",
        "after updates": LOOKS,
        **records.origin(),
        "variants": HEADS,
    }


# Time -------------------------------------------------------------------------------------------

SPANS, ROWS, REPEATS = (32, 128, 512), 8, 9


def run_time(variant: str, seed: int) -> dict[str, Any]:
    del variant
    seed_everything(seed)
    # The gradients that fade in the LSTM become subnormal numbers, with which some processors are
    # many times slower than others.
    torch.set_flush_denormal(True)
    models, rows = {name: make_model(name) for name in RECALL}, []
    for span in SPANS:
        ids, wanted = torch.randint(KEYS, (ROWS, span)), torch.randint(VALUES, (ROWS, ASKED))
        taken: dict[str, list[float]] = {name: [] for name in models}
        for _ in range(REPEATS + 1):  # the first is not counted
            for name, model in models.items():
                start = time.process_time()
                answer_loss(model, ids, wanted).backward()  # type: ignore[no-untyped-call]
                taken[name].append(time.process_time() - start)
        counted = {name: times[1:] for name, times in taken.items()}
        ratio = {
            name: statistics.median(a / b for a, b in zip(times, counted["lstm"]))
            for name, times in counted.items()
        }
        micro = {n: 1e6 * statistics.median(t) / (ROWS * span) for n, t in counted.items()}
        rows.append(
            {
                "length": span,
                "microseconds a token": {name: float(f"{x:.3g}") for name, x in micro.items()},
                "times the LSTM's": {name: float(f"{x:.3g}") for name, x in ratio.items()},
            }
        )
    return {"date": records.today(), "rows": rows}


def header_of_time() -> dict[str, Any]:
    return {
        "what": "Processor time of a training update, forward and backward, by the length of what "
        "is read; medians of turns in one process, and of the ratios to the LSTM beside it. "
        "Subnormal numbers are set to 0.",
        "command": "python -m studies.self_attention --series 11_training_time",
        "rows": ROWS,
        "repeats": REPEATS,
        **records.origin(),
        "models": RECALL,
    }


SERIES = {
    "11_recall": runner.Series(
        "11_recall",
        {"pairs": list(SEEDS_OF), "variant": list(RECALL), "rate": RATES},
        run_recall,
        header_of_recall,
        skip=skip_recall,
        seeds=(CHOOSING, *SEEDS_OF[10]),
    ),
    "11_heads": runner.Series("11_heads", {"variant": list(HEADS)}, run_heads, header_of_heads),
    "11_training_time": runner.Series(
        "11_training_time", {"variant": ["training"]}, run_time, header_of_time
    ),
}


if __name__ == "__main__":
    which = runner.option("--series", choices=list(SERIES), default="11_recall")
    runner.main(__doc__, lambda series: SERIES[series], which)
