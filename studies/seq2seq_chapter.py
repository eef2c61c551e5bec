"""The recorded runs of chapter 3: translators without attention, three seeds of each.

    python -m studies.seq2seq_chapter                    # data/runs/03_seq2seq.json

Two tasks. *Dictation*: random digits are read and written down again; every digit is new
information, so nothing can be guessed. *ko-en-easy*: the book's own corpus. The runs "long" have
ten times the updates, and of dictation ten times the strings, so that no string is read more often:
one takes about three minutes of one thread for dictation and five for Korean. Settings were chosen
on other random digits than those of the test, and for ko-en-easy taken over from chapter 5 (but for
the forget gates, which start open here).
"""

import math
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attnlib.data import Batches, Pair, make_batch
from attnlib.device import seed_everything
from attnlib.model import Encoder, PlainDecoder, Seq2Seq
from attnlib.training import Recipe, fit

from . import common, records, runner

ZERO = 4  # token number: ten digits after the special tokens
TOKENS = 15
WIDTH = 32  # of the embeddings
FORGET_BIAS = 3.0  # at the start
LONGEST = 16  # digits in training, and in the test
PAIRS = 20_000
UPDATES = {"digits": 1_500, "ko-en-easy": 1_000}
SIZES = (16, 32, 64, 128)
LONG = 10  # times the updates, and the strings of digits
PER_LENGTH = 300  # test strings of each length


class Variant(NamedTuple):
    """What one run differs in."""

    text: str
    size: int = 64  # numbers in the encoder's final state
    backward: bool = False  # feed the source from its end
    task: str = "digits"  # or "ko-en-easy"
    times: int = 1  # as many updates and strings

    @property
    def updates(self) -> int:
        return self.times * UPDATES[self.task]


VARIANTS = {
    **{f"size-{n}": Variant(f"final state of {n} numbers", n) for n in SIZES},
    **{
        f"size-{n}-long": Variant(
            f"final state of {n} numbers, {LONG} × the updates", n, times=LONG
        )
        for n in SIZES
    },
    "ko-forward": Variant("Korean read forward", 128, task="ko-en-easy"),
    "ko-reversed": Variant("Korean read from its end", 128, backward=True, task="ko-en-easy"),
    "ko-forward-long": Variant(
        f"Korean read forward, {LONG} × the updates", 128, task="ko-en-easy", times=LONG
    ),
    "ko-reversed-long": Variant(
        f"Korean read from its end, {LONG} × the updates",
        128,
        backward=True,
        task="ko-en-easy",
        times=LONG,
    ),
}


def make_model(variant: Variant, src_size: int, tgt_size: int, width: int, dropout: float) -> Any:
    """The chapter's own ``make_translator`` makes the same model."""
    source, target = common.tables(src_size, tgt_size, width)
    encoder = Encoder(source, variant.size, bidirectional=False, dropout=dropout)
    decoder = PlainDecoder(target, variant.size, variant.size, width, dropout=dropout)
    model = common.joined(encoder, decoder, target)
    for layer in (*encoder.layers, decoder.rnn):
        open_gates(layer, FORGET_BIAS)
    return model


@torch.no_grad()
def open_gates(layer: Any, bias: float) -> None:
    """Let the forget gates of an nn.LSTM start at σ(bias)."""
    block = slice(layer.hidden_size, 2 * layer.hidden_size)
    layer.bias_ih_l0[block], layer.bias_hh_l0[block] = bias, 0.0


def numbers(count: int, shortest: int, longest: int, seed: int) -> list[list[int]]:
    """Random strings of digits, as token numbers."""
    draw = random.Random(seed)
    lengths = [draw.randint(shortest, longest) for _ in range(count)]
    return [[ZERO + draw.randrange(10) for _ in range(length)] for length in lengths]


def source(variant: Variant, tgt: list[list[int]]) -> list[list[int]]:
    return [x[::-1] if variant.backward else x for x in tgt]


def recipe(variant: Variant, seed: int) -> Recipe:
    if variant.task == "ko-en-easy":
        return common.recipe(variant.updates, seed)
    every = {"learning_rate": 1e-2, "warmup": 100, "validate_every": 100 * variant.times}
    return common.recipe(variant.updates, seed, **every)


@torch.no_grad()
def written(model: Seq2Seq, src: list[list[int]], steps: int) -> Tensor:
    """What the model writes in so many steps, each fed its own last token: (B, steps)."""
    batch = make_batch(src, src)
    memory = model.eval().encode(batch.src, batch.src_mask)
    state, tokens = model.decoder.start(memory), [batch.tgt_in[:, :1]]
    for _ in range(steps):
        log_probs, state, _ = model.step(tokens[-1], memory, state)
        tokens.append(log_probs.argmax(-1))
    return torch.cat(tokens[1:], 1)


def run_digits(variant: Variant, seed: int) -> dict[str, Any]:
    tgt = numbers(PAIRS * variant.times, 1, LONGEST, seed)
    seed_everything(seed)
    model = make_model(variant, TOKENS, TOKENS, WIDTH, 0.0)
    batches = Batches(source(variant, tgt), tgt, batch_size=64, seed=seed)
    history = fit(model, batches, recipe(variant, seed), progress=False)
    exact = []
    for length in range(1, LONGEST + 1):
        test = numbers(PER_LENGTH, length, length, 10_000 + length)
        batch = make_batch(source(variant, test), test)
        right = written(model, source(variant, test), length + 1) == batch.tgt_out
        exact.append(round(right.all(1).double().mean().item(), 3))
    loss = [round(x, 3) for x in history.train_loss]
    used = common.used(model)
    return {"parameters": used, "exact": exact, "loss": loss}


def run_corpus(variant: Variant, seed: int) -> dict[str, Any]:
    corpus, src, tgt, pairs = common.encoded_corpus()
    seed_everything(seed)
    model = make_model(variant, len(src), len(tgt), 128, 0.2)
    batches = Batches(
        source(variant, [x for x, _ in pairs]), [y for _, y in pairs], batch_size=32, seed=seed
    )
    fit(model, batches, recipe(variant, seed), progress=False)
    tests = {"test": corpus.test, **common.other_tests()}
    found = {name: measured(model, variant, pairs) for name, pairs in tests.items()}
    test = found.pop("test")
    bleu = test["by_length"]["bleu"]
    return {"parameters": common.used(model), "bleu": bleu, "test": test, "others": found}


def measured(model: Seq2Seq, variant: Variant, pairs: Sequence[Pair]) -> dict[str, Any]:
    """BLEU and the share that is the reference, whole and by length: each test has its own."""
    texts, references = translated(model, variant, pairs), [pair.tgt for pair in pairs]
    return records.measured(texts, common.tokens(pairs), references)


def translated(model: Seq2Seq, variant: Variant, pairs: Sequence[Pair]) -> list[str]:
    """The model's translations, at most twice as long as the longest reference beside them."""
    _, src, tgt, _ = common.encoded_corpus()
    ids = source(variant, [src.encode(pair.src) for pair in pairs])
    ends = [len(tgt.encode(pair.tgt)) for pair in pairs]
    texts = []
    for low in range(0, len(ids), 100):
        part = written(model, ids[low : low + 100], 2 * max(ends[low : low + 100]))
        for row in part.tolist():
            texts.append(tgt.decode(row[: row.index(3)] if 3 in row else row))
    return texts


def run(name: str, seed: int) -> dict[str, Any]:
    variant = VARIANTS[name]
    make = run_corpus if variant.task == "ko-en-easy" else run_digits
    return {"updates": variant.updates, "date": records.today(), **make(variant, seed)}


def knowing_nothing() -> float:
    """Nats per token of who knows how the strings are drawn, and nothing of the one that is read.

    Every digit costs ln 10, and a string the surprise of its length besides, in one token more.
    """
    digits = (1 + LONGEST) / 2
    return round((digits * math.log(10) + math.log(LONGEST)) / (digits + 1), 3)


def header() -> dict[str, Any]:
    digits = {"longest": LONGEST, "pairs": PAIRS, "batch": 64, "test": PER_LENGTH}
    return {
        "command": "python -m studies.seq2seq_chapter",
        "digits": {**digits, "loss of knowing nothing": knowing_nothing()},
        "corpus": "ko-en-easy, test split, batch 32",
        "buckets": records.BUCKETS,
        "search": "greedy",
        **records.origin(),
        "variants": {name: variant.text for name, variant in VARIANTS.items()},
    }


def data(name: str) -> str | None:
    """Dictation reads nothing that is bundled."""
    return common.EASY if VARIANTS[name].task == common.EASY else None


SERIES = runner.Series("03_seq2seq", {"variant": list(VARIANTS)}, run, header, data=data)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
