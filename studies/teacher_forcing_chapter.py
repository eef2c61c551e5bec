"""The recorded runs of chapter 7: what the decoder is fed in training, ten seeds of everything.

    python -m studies.teacher_forcing_chapter                    # data/runs/07_reverse.json
    python -m studies.teacher_forcing_chapter --task planted     # data/runs/07_planted.json
    python -m studies.teacher_forcing_chapter --task recovery    # data/runs/07_recovery.json

About 50 minutes of one thread, 30 and 35. All runs of a task have the same model, batches and
learning rate, and one thread; they differ in the schedule of teacher forcing, in who gets a coin,
or in the number of updates. "reverse" is a row of 3 to 10 random digits to be written backwards, by
a model without attention: position by position, both in rows of ten and in rows of mixed length,
there also counted from the end. Nothing was chosen on the test rows.

"planted" asks what a wrong word costs a decoder with attention and one without, both always fed
gold, where the one is no better than the other: each is trained for several numbers of updates,
every number a whole training of its own, since a learning rate that has not yet fallen is no
shorter training. Three seeds. Of rows of ten digits that a model writes without a mistake, the
third digit is exchanged for the next one up, and what it then writes by itself is counted.

"recovery" asks the same of ways to train on "reverse", on all rows of ten digits: how many of
digits 4 to 10 are right after a right and after a wrong third digit, beside what this costs (digits
right when fed gold and when free, whole rows, the first mistake). One way, "noise", never feeds the
decoder its own word: one input digit in ten is a random one.
"""

import json
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from attnlib.data import Batch, Batches, make_batch
from attnlib.device import seed_everything
from attnlib.model import Decoder, Encoder, LuongDecoder, PlainDecoder, Seq2Seq, Steps
from attnlib.training import (
    Schedule,
    constant_schedule,
    exponential_decay,
    fit,
    inverse_sigmoid,
    linear_decay,
)

from . import common, records, runner

DIGIT = 4  # the number of the token "0": four special tokens come before it
SHORTEST, LONGEST = 3, 10
HALF, FULL, DOUBLE = 750, 1500, 3000  # updates of "reverse"
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
REVERSE: dict[str, Variant] = {
    "gold": ("always gold (teacher forcing)", FULL, lambda: None),
    "three-quarters": ("gold with probability 0.75", FULL, lambda: constant_schedule(0.75)),
    "half": ("gold with probability 0.5", FULL, lambda: constant_schedule(0.5)),
    "quarter": ("gold with probability 0.25", FULL, lambda: constant_schedule(0.25)),
    "own": ("always its own word", FULL, lambda: constant_schedule(0.0)),
    "linear": ("linear from 1 to 0", FULL, lambda: linear_decay(1 / FULL)),
    "exponential": (
        "exponential, halved every 500",
        FULL,
        lambda: exponential_decay(0.5 ** (1 / 500)),
    ),
    "inverse-sigmoid": ("inverse sigmoid, k = 150", FULL, lambda: inverse_sigmoid(150)),
    "half-sentence": ("0.5, one coin a sentence", FULL, lambda: constant_schedule(0.5)),
    "half-batch": ("0.5, one coin a batch", FULL, lambda: batch_coin(0.5)),
    "half-position": (
        "0.5, one coin a position for the batch",
        FULL,
        lambda: constant_schedule(0.5),
    ),
    "gold-short": ("always gold, half the updates", HALF, lambda: None),
    "half-short": ("0.5, half the updates", HALF, lambda: constant_schedule(0.5)),
    "gold-long": ("always gold, twice the updates", DOUBLE, lambda: None),
    "half-long": ("0.5, twice the updates", DOUBLE, lambda: constant_schedule(0.5)),
}
WAYS = ("three-quarters", "half", "quarter", "half-sentence", "half-batch", "half-position")
RECOVERY: dict[str, Variant] = {
    "gold": REVERSE["gold"],
    "noise": ("gold, one input digit in ten random", FULL, lambda: None),
    **{name: REVERSE[name] for name in (*WAYS, "gold-long", "half-long")},
}
PLANTED = {
    "plain": ("without attention", (1500, 3000, 6000, 12_000, 24_000)),
    "attention": ("with attention, Luong's general score", (300, 400, 600, 1500)),
}
TASKS: dict[str, Any] = {"reverse": REVERSE, "planted": PLANTED, "recovery": RECOVERY}
KINDS = {  # of model, where it is not one coin for each token
    "half-sentence": SentenceDraws,
    "half-position": PositionDraws,
    "noise": RandomDigits,
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


def train_reverse(model: Seq2Seq, updates: int, seed: int, schedule: Schedule | None) -> None:
    train = reversed_digits(20_000, seed=1)
    batches = Batches([x for x, _ in train], [y for _, y in train], batch_size=BATCH, seed=seed)
    recipe = common.recipe(updates, seed, learning_rate=8e-3, warmup=100)
    fit(model, batches, recipe, teacher_forcing=schedule, progress=False)


def digits_batch(count: int, seed: int, shortest: int = SHORTEST) -> Batch:
    pairs = reversed_digits(count, seed, shortest)
    return make_batch([x for x, _ in pairs], [y for _, y in pairs])


@torch.no_grad()
def measure(model: Seq2Seq, batch: Batch) -> dict[str, Any]:
    """Loss (nats) and accuracy of every position, fed gold ("forced") and fed itself ("free")."""
    model.eval()
    mask, result = batch.tgt_mask, {}
    for name, share in (("forced", 1.0), ("free", 0.0)):
        features, _ = model.features(batch.src, batch.src_mask, batch.tgt_in, share)
        log_probs = model.output(features).log_softmax(-1)
        nll = -log_probs.gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)
        right = log_probs.argmax(-1) == batch.tgt_out
        count = mask.sum(0)
        result[name] = {
            "loss": round(nll[mask].mean().item(), 4),
            "accuracy": round(right[mask].double().mean().item(), 4),
            "whole": round((right | ~mask).all(1).double().mean().item(), 4),
            "loss_at": [round(x, 4) for x in ((nll * mask).sum(0) / count).tolist()],
            "accuracy_left": by_rest(right, mask),
        }
    return result


def by_rest(right: Tensor, mask: Tensor) -> list[float]:
    """Accuracy with so many tokens still to come: first the end mark's, with none left."""
    last = mask.sum(1, keepdim=True) - 1
    left = last - torch.arange(mask.shape[1])  # (B, T), below zero at padding
    most = int(last.max())
    return [round(right[left == n].double().mean().item(), 4) for n in range(most + 1)]


def trained_reverse(task: str, variant: str, seed: int) -> Seq2Seq:
    _, updates, schedule = TASKS[task][variant]
    seed_everything(seed)
    model = reverse_model(KINDS.get(variant, Seq2Seq))
    train_reverse(model, updates, seed, schedule())
    return model


def run_reverse(variant: str, seed: int) -> dict[str, Any]:
    model = trained_reverse("reverse", variant, seed)
    mixed = measure(model, digits_batch(1000, seed=2))
    longest = measure(model, digits_batch(500, seed=3, shortest=LONGEST))
    for name in ("forced", "free"):
        mixed[name]["mixed_left"] = mixed[name].pop("accuracy_left")
        mixed[name]["loss_at"] = longest[name]["loss_at"]
    return {"parameters": sum(p.numel() for p in model.parameters()), **mixed}


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
    model = trained_reverse("recovery", variant, seed)
    return recovery(model, digits_batch(500, seed=3, shortest=LONGEST))


@torch.no_grad()
def after_planting(model: Seq2Seq, batch: Batch) -> dict[str, Any]:
    """What is written after a wrong third digit, in the rows that are right without it.

    The chapter's own measure, on its rows of ten digits: "after" is the accuracy of digits 4 to 10,
    "end" that of the end mark behind them.
    """
    written = writer(model, batch)
    whole = (written(batch.tgt_in[:, :1]) == batch.tgt_out).all(1)
    prefix = planted_prefix(batch)
    right = (written(prefix) == batch.tgt_out)[whole, 3:].double().mean(0)
    at = [round(share, 4) for share in right.tolist()] if whole.any() else [None] * len(right)
    after = round(right[:-1].mean().item(), 4) if whole.any() else None
    return {"rows": int(whole.sum()), "of": len(whole), "after": after, "end": at[-1], "at": at}


def run_planted(variant: str, budget: int, seed: int) -> dict[str, Any]:
    seed_everything(seed)
    model = reverse_model(attention=variant == "attention")
    train_reverse(model, budget, seed, None)
    found = after_planting(model, digits_batch(500, seed=3, shortest=LONGEST))
    parameters = sum(p.numel() for p in model.parameters())
    return {"date": records.today(), "parameters": parameters, **found}


def run(task: str, variant: str, seed: int) -> dict[str, Any]:
    make = {"reverse": run_reverse, "recovery": run_recovery}[task]
    updates = TASKS[task][variant][1]
    return {"updates": updates, "date": records.today(), **make(variant, seed)}


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
    return runner.Series(
        f"07_{task}",
        {"variant": list(TASKS[task])},
        partial(run, task),
        partial(header, task),
        seeds=SEEDS,
    )


if __name__ == "__main__":
    task = runner.option("--task", choices=list(TASKS), default="reverse")
    runner.main(__doc__, series, task, say=lambda run: json.dumps(run.get("free", run)))
