"""The recorded runs of chapter 7: what a wrong word costs, and what in training changes that.

    python -m studies.teacher_forcing_chapter                    # data/runs/07_recovery.json
    python -m studies.teacher_forcing_chapter --task rates       # data/runs/07_rates.json
    python -m studies.teacher_forcing_chapter --task planted     # data/runs/07_planted.json

About an hour of one thread, 2 minutes and 12. All runs have the same data, model and batches, and
one thread: a row of 3 to 10 random digits is written backwards, where nothing else is said by a
model without attention. Nothing was chosen on the test rows.

"recovery" plants a mistake: in all 500 rows of ten digits the third one is exchanged for the next
one up, and what the decoder then writes by itself is counted. How many of digits 4 to 10 are right
after a right and after a wrong third digit, by the way of training, beside what this costs (digits
right when fed gold and when free, whole rows, the first mistake)? The ways differ in the teacher
forcing ratio, in who gets a coin, or in the number of updates. Two ways, "noise" and "noise-long",
never feed the decoder its own word: one input digit in ten is a random one. Ten seeds; "rates" has
half and twice the learning rate of two ways, one seed.

"planted" asks what becomes of it after 8 and 16 times the updates, and with attention; always fed
gold, three seeds. Every number of updates is a whole training of its own, since a learning rate
that has not yet fallen is no shorter training. Here it counts the rows that a model writes without
a mistake, of which these models have more.
"""

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from attnlib.data import Batch, Batches, make_batch
from attnlib.device import seed_everything
from attnlib.model import Decoder, Encoder, LuongDecoder, PlainDecoder, Seq2Seq, Steps
from attnlib.training import Schedule, constant_schedule, fit

from . import common, records, runner

DIGIT = 4  # the number of the token "0": four special tokens come before it
SHORTEST, LONGEST = 3, 10
FULL, DOUBLE = 1500, 3000  # updates
RATE = 8e-3
BATCH = 32  # pairs
SEEDS = range(1, 11)
Ids = list[int]


class SentenceDraws(Seq2Seq):
    """One draw per sentence instead of one per token: all of it is fed gold, or none of it."""

    def features(
        self,
        src: Tensor,
        src_mask: Tensor,
        tgt_in: Tensor,
        teacher_forcing: float = 1.0,
        generator: torch.Generator | None = None,
    ) -> Steps:
        gold, _ = super().features(src, src_mask, tgt_in, 1.0)
        if teacher_forcing == 1.0:
            return gold, None
        own, _ = super().features(src, src_mask, tgt_in, 0.0)
        heads = torch.rand(len(src), 1, 1, generator=generator) < teacher_forcing
        return torch.where(heads, gold, own), None


class PositionDraws(Seq2Seq):
    """One draw per position, for all rows of the batch: the loop of most tutorials.

    So in Trevett's pytorch-seq2seq, ``random.random() < teacher_forcing_ratio`` at every step. With
    ε = 1, and where it is measured, it is ``Seq2Seq``.
    """

    def features(
        self,
        src: Tensor,
        src_mask: Tensor,
        tgt_in: Tensor,
        teacher_forcing: float = 1.0,
        generator: torch.Generator | None = None,
    ) -> Steps:
        if teacher_forcing == 1.0 or not self.training:
            return super().features(src, src_mask, tgt_in, teacher_forcing, generator)
        use_gold = torch.rand(tgt_in.shape[1] - 1, generator=generator) < teacher_forcing

        def choose(t: int, features: Tensor) -> Tensor:
            if use_gold[t - 1]:
                return tgt_in[:, t : t + 1]
            return self.output(features.detach()).argmax(-1)

        return self.decoder.loop(tgt_in, self.encode(src, src_mask), choose)


class RandomDigits(Seq2Seq):
    """In training one input digit in ten is a random one, whatever the coins say."""

    def features(
        self,
        src: Tensor,
        src_mask: Tensor,
        tgt_in: Tensor,
        teacher_forcing: float = 1.0,
        generator: torch.Generator | None = None,
    ) -> Steps:
        if self.training:
            replaced = torch.rand(tgt_in.shape) < 0.1
            replaced[:, 0] = False  # the start token stays
            digits = torch.randint_like(tgt_in, DIGIT, DIGIT + 10)
            tgt_in = torch.where(replaced, digits, tgt_in)
        return super().features(src, src_mask, tgt_in, teacher_forcing, generator)


def batch_coin(probability: float) -> Schedule:
    """One draw per batch, as in popular tutorials: ε is 1 or 0, drawn anew every update."""
    return lambda update: float(random.Random(update).random() < probability)


# variant -> what it says in the record, updates, schedule
Variant = tuple[str, int, Callable[[], Schedule | None]]
RECOVERY: dict[str, Variant] = {
    "gold": ("always gold (teacher forcing)", FULL, lambda: None),
    "noise": ("gold, one input digit in ten random", FULL, lambda: None),
    "three-quarters": ("gold with probability 0.75", FULL, lambda: constant_schedule(0.75)),
    "half": ("gold with probability 0.5", FULL, lambda: constant_schedule(0.5)),
    "quarter": ("gold with probability 0.25", FULL, lambda: constant_schedule(0.25)),
    "half-sentence": ("0.5, one coin a sentence", FULL, lambda: constant_schedule(0.5)),
    "half-batch": ("0.5, one coin a batch", FULL, lambda: batch_coin(0.5)),
    "half-position": (
        "0.5, one coin a position for the batch",
        FULL,
        lambda: constant_schedule(0.5),
    ),
    "gold-long": ("always gold, twice the updates", DOUBLE, lambda: None),
    "half-long": ("0.5, twice the updates", DOUBLE, lambda: constant_schedule(0.5)),
    "noise-long": ("one input digit in ten random, twice the updates", DOUBLE, lambda: None),
}
TRIED = ("gold", "noise")  # at other learning rates, too
RATES = (4e-3, 1.6e-2)
PLANTED = {
    "plain": ("without attention", (12_000, 24_000)),
    "attention": ("with attention, Luong's general score", (300, 600)),
}
TASKS: dict[str, Mapping[str, Any]] = {
    "recovery": RECOVERY,
    "rates": {name: RECOVERY[name] for name in TRIED},
    "planted": PLANTED,
}
KINDS = {  # of model, where it is not one coin for each token
    "half-sentence": SentenceDraws,
    "half-position": PositionDraws,
    "noise": RandomDigits,
    "noise-long": RandomDigits,
}


def reversed_digits(count: int, seed: int, shortest: int = SHORTEST) -> list[tuple[Ids, Ids]]:
    """Rows of random digits, and the same rows backwards, as token numbers."""
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        length = draw.randint(shortest, LONGEST)
        rows.append([DIGIT + draw.randrange(10) for _ in range(length)])
    return [(row, row[::-1]) for row in rows]


def reverse_model(kind: type[Seq2Seq] = Seq2Seq, attention: bool = False) -> Seq2Seq:
    """Encoder and decoder of 96 units, joined by one vector; the chapter makes the same."""
    source, target = common.tables(14, 14, 32)
    encoder = Encoder(source, 96)
    if attention:
        decoder: Decoder = LuongDecoder(target, 96, 96, 32, attention="general")
    else:
        decoder = PlainDecoder(target, 96, 96, 32)
    return kind(encoder, decoder, nn.Linear(32, 14))


def train_reverse(
    model: Seq2Seq, updates: int, seed: int, schedule: Schedule | None, rate: float = RATE
) -> None:
    train = reversed_digits(20_000, seed=1)
    batches = Batches([x for x, _ in train], [y for _, y in train], batch_size=BATCH, seed=seed)
    recipe = common.recipe(updates, seed, learning_rate=rate, warmup=100)
    fit(model, batches, recipe, teacher_forcing=schedule, progress=False)


def digits_batch(count: int, seed: int, shortest: int = SHORTEST) -> Batch:
    pairs = reversed_digits(count, seed, shortest)
    return make_batch([x for x, _ in pairs], [y for _, y in pairs])


def writer(model: Seq2Seq, batch: Batch) -> Callable[[Tensor], Tensor]:
    """What the model writes (B, T), given a prefix (B, P) of its inputs, then its own words."""
    memory = model.eval().encode(batch.src, batch.src_mask)

    def written(prefix: Tensor) -> Tensor:
        def given_or_own(t: int, features: Tensor) -> Tensor:
            if t < prefix.shape[1]:
                return prefix[:, t : t + 1]
            return model.output(features).argmax(-1)

        features, _ = model.decoder.loop(batch.tgt_in, memory, given_or_own)
        return model.output(features).argmax(-1)

    return written


def planted_prefix(batch: Batch) -> Tensor:
    """The start token and three digits, the third of them one higher than it should be."""
    prefix = batch.tgt_in[:, :4].clone()
    prefix[:, 3] = DIGIT + (prefix[:, 3] - DIGIT + 1) % 10
    return prefix


@torch.no_grad()
def recovery(model: Seq2Seq, batch: Batch) -> dict[str, float]:
    """Of rows of ten digits, all of them: what is right when fed gold, when free, when planted."""
    written = writer(model, batch)
    prefixes = {"forced": batch.tgt_in, "free": batch.tgt_in[:, :1]}
    prefixes |= {"after a right": batch.tgt_in[:, :4], "after a wrong": planted_prefix(batch)}
    right = {name: written(prefix) == batch.tgt_out for name, prefix in prefixes.items()}
    digits = {name: found[:, :LONGEST].double() for name, found in right.items()}
    free = digits["free"]
    mistaken = free.min(1).values == 0
    found = {
        "forced": digits["forced"].mean(),
        "free": free.mean(),
        "whole": right["free"].all(1).double().mean(),
        "before the first mistake": free.cumprod(1).sum(1).mean(),  # digits
        "wrong in a row with a mistake": (1 - free[mistaken]).sum(1).mean(),
        "after a right third digit": digits["after a right"][:, 3:].mean(),
        "after a wrong third digit": digits["after a wrong"][:, 3:].mean(),
    }
    return {name: round(number.item(), 4) for name, number in found.items()}


def run_recovery(variant: str, seed: int) -> dict[str, Any]:
    return run_rates(variant, RATE, seed)


def run_rates(variant: str, rate: float, seed: int) -> dict[str, Any]:
    _, updates, schedule = RECOVERY[variant]
    seed_everything(seed)
    model = reverse_model(KINDS.get(variant, Seq2Seq))
    train_reverse(model, updates, seed, schedule(), rate)
    found = recovery(model, digits_batch(500, seed=3, shortest=LONGEST))
    return {"updates": updates, "date": records.today(), **found}


@torch.no_grad()
def after_planting(model: Seq2Seq, batch: Batch) -> dict[str, Any]:
    """How many of digits 4 to 10 are right after a wrong third one, in rows right without it."""
    written = writer(model, batch)
    whole = (written(batch.tgt_in[:, :1]) == batch.tgt_out).all(1)
    prefix = planted_prefix(batch)
    right = (written(prefix) == batch.tgt_out)[whole, 3:LONGEST].double().mean()
    after = round(right.item(), 4) if whole.any() else None
    return {"rows": int(whole.sum()), "of": len(whole), "after": after}


def run_planted(variant: str, budget: int, seed: int) -> dict[str, Any]:
    seed_everything(seed)
    model = reverse_model(attention=variant == "attention")
    train_reverse(model, budget, seed, None)
    found = after_planting(model, digits_batch(500, seed=3, shortest=LONGEST))
    parameters = sum(p.numel() for p in model.parameters())
    return {"date": records.today(), "parameters": parameters, **found}


def header(task: str) -> dict[str, Any]:
    return {
        "command": f"python -m studies.teacher_forcing_chapter --task {task}",
        "task": task,
        "batch": BATCH,
        **records.origin(),
        "variants": {name: about for name, (about, *_) in TASKS[task].items()},
    }


def series(task: str) -> runner.Series:
    if task == "planted":
        budgets = sorted({updates for _, those in PLANTED.values() for updates in those})
        return runner.Series(
            "07_planted",
            {"variant": list(PLANTED), "budget": budgets},  # updates
            run_planted,
            partial(header, task),
            skip=lambda variant, budget, seed: budget not in PLANTED[variant][1],
        )
    about = partial(header, task)
    if task == "rates":
        axes = {"variant": list(TRIED), "rate": list(RATES)}
        return runner.Series("07_rates", axes, run_rates, about, seeds=(1,))
    axes = {"variant": list(RECOVERY)}
    return runner.Series("07_recovery", axes, run_recovery, about, seeds=SEEDS)


if __name__ == "__main__":
    task = runner.option("--task", choices=list(TASKS), default="recovery")
    runner.main(__doc__, series, task)
