"""The recorded runs of chapter 6's two controls: a divisor's premise made true, and an optimizer.

    python -m studies.score_controls                      # data/runs/06_normalized.json
    python -m studies.score_controls --series 06_worlds   # data/runs/06_worlds.json

Normalized: dividing a dot product by √H presumes numbers of variance 1. Chapter 5's translator with
the dot score, whose query and keys are normalized (a LayerNorm without parameters) or as they are,
divided by √H or not: 400 updates at three learning rates, and 1,200 at the chapter's. ``spread`` is
the root of the mean variance of a row of scores, before and after the training.

Worlds: chapter 6's toy task, where a query is one of ten keys ("shared") or that key turned by a
random rotation ("rotated"), and noise. For W_a the two worlds are one problem in other
coordinates; so where "general" learns faster in one, its optimizer did it. Adam works coordinate by
coordinate, gradient descent with momentum does not. Five seeds try four learning rates of each
optimizer in each world; thirty others are reported at the rate with most right answers after 15
examples. "dot" has nothing to learn.
"""

import math
from statistics import mean
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnlib.data import make_batch
from attnlib.model import DotAttention, Seq2Seq, make_seq2seq
from attnlib.translator import Translator

from . import common, records, runner

RATE, RATES = 4e-3, (2e-3, 4e-3, 8e-3)
UPDATES = {"short": 400, "long": 1200}
NORMALIZED = {
    "bare": "s·h",
    "bare-divided": "s·h / √128",
    "normalized": "norm(s)·norm(h)",
    "normalized-divided": "norm(s)·norm(h) / √128",
}


class NormalizedDot(DotAttention):
    """e_tj = s_tᵀ h_j / c, of vectors that are normalized or not."""

    def __init__(self, size: int, normalize: bool, divide: bool) -> None:
        super().__init__(size, size)
        self.normalize, self.divisor = normalize, math.sqrt(size) if divide else 1.0

    def scores(self, query: Tensor, prepared: Tensor) -> Tensor:
        if self.normalize:
            query, prepared = (F.layer_norm(x, x.shape[-1:]) for x in (query, prepared))
        return super().scores(query, prepared) / self.divisor


def make_model(variant: str, src_size: int, tgt_size: int) -> Seq2Seq:
    model = make_seq2seq(src_size, tgt_size, attention="dot", dropout=0.2)
    normalize, divide = variant.startswith("normalized"), variant.endswith("divided")
    model.decoder.attention = NormalizedDot(128, normalize, divide)
    return model


@torch.no_grad()
def spread(model: nn.Module, pairs: list[tuple[list[int], list[int]]]) -> float:
    """The root of the mean variance of the scores in a row, over the real source words."""
    batch = make_batch(*zip(*pairs))
    memory, decoder = model.eval().encode(batch.src, batch.src_mask), model.decoder
    states, _ = decoder.run(decoder.embed(batch.tgt_in).unsqueeze(1), decoder.start(memory))
    rows = decoder.attention.scores(states.squeeze(1), memory.states)  # (B, T, S)
    found = [
        rows[n, : int(t), : int(s)].var(-1, correction=0)
        for n, (s, t) in enumerate(zip(batch.src_mask.sum(1), batch.tgt_mask.sum(1)))
    ]
    return round(torch.cat(found).mean().sqrt().item(), 4)


@torch.no_grad()
def words_right(translator: Translator) -> float:
    """Share of the test's words that are the most probable ones under the reference."""
    given, model = common.encoded_corpus(), translator.model.eval()
    sides = [(given.src.encode(p.src), given.tgt.encode(p.tgt)) for p in given.corpus.test]
    batch = make_batch(*zip(*sides))
    logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
    right = logits.argmax(-1) == batch.tgt_out
    return round(right[batch.tgt_mask].double().mean().item(), 4)


def run_normalized(variant: str, budget: str, rate: float, seed: int) -> dict[str, Any]:
    given, before = common.encoded_corpus(), [0.0]

    def made(src_size: int, tgt_size: int) -> Seq2Seq:
        model = make_model(variant, src_size, tgt_size)
        before[0] = spread(model, given.pairs[:64])
        return model.train()

    recipe = common.recipe(UPDATES[budget], seed, learning_rate=rate)
    translator, history = common.train(made, recipe)
    return {
        "updates": recipe.updates,
        "date": records.today(),
        "loss": [round(value, 4) for value in history.train_loss],
        **common.aligned(translator, given.corpus.test),
        "words right": words_right(translator),
        "spread": [before[0], spread(translator.model, given.pairs[:64])],
    }


def header_of_normalized() -> dict[str, Any]:
    return {
        "what": "Dot products of vectors that are normalized or not, divided by √H or not, in "
        "chapter 5's translator: alignment error, words right under the reference, on the test.",
        "command": "python -m studies.score_controls",
        "corpus": common.EASY,
        "updates": UPDATES,
        **records.origin(),
        "variants": NORMALIZED,
    }


# Worlds -----------------------------------------------------------------------------------------

SIZE, CHOICES, NOISE = 8, 10, 0.3
EXAMPLES, STEPS = (15, 60, 240, 2000), 150
OPTIMIZERS = {
    "adam": "general, by Adam",
    "momentum": "general, by gradient descent with momentum 0.9",
    "dot": "dot: nothing to learn",
}
PEAKS = {  # of the learning rate, of OneCycleLR; the chapter's is Adam at 0.05
    "adam": (0.025, 0.05, 0.1, 0.2),
    "momentum": (0.0125, 0.025, 0.05, 0.1),
    "dot": (0.0,),
}
CHOOSING, REPORTED = range(31, 36), range(1, 31)


def toy_examples(turn: Tensor, count: int) -> tuple[Tensor, Tensor, Tensor]:
    """Queries (N, 8), their keys (N, 10, 8), and which key is wanted (N,)."""
    keys = F.normalize(torch.randn(count, CHOICES, SIZE), dim=-1) * math.sqrt(SIZE)
    wanted = torch.randint(CHOICES, (count,))
    query = keys[torch.arange(count), wanted] @ turn.T
    return query + NOISE * torch.randn(count, SIZE), keys, wanted


def run_worlds(world: str, variant: str, rate: float, seed: int) -> dict[str, Any]:
    torch.manual_seed(seed)
    q, r = torch.linalg.qr(torch.randn(SIZE, SIZE))
    rotation = q * r.diagonal().sign()  # without the signs q is no even choice of a rotation
    turn = torch.eye(SIZE) if world == "shared" else rotation
    query, keys, wanted = toy_examples(turn, 1000)
    shares = []
    for count in EXAMPLES:
        examples, project = toy_examples(turn, count), nn.Linear(SIZE, SIZE, bias=False)
        if variant == "dot":
            nn.init.eye_(project.weight)
        else:
            learn(project, variant, rate, *examples)
        with torch.no_grad():
            right = scores(project, query, keys).argmax(-1) == wanted
        shares.append(round(right.double().mean().item(), 4))
    return {"right": shares}


def scores(project: nn.Module, query: Tensor, keys: Tensor) -> Tensor:
    return (project(keys) @ query.unsqueeze(-1)).squeeze(-1)


def learn(
    project: nn.Module, by: str, rate: float, query: Tensor, keys: Tensor, wanted: Tensor
) -> None:
    """150 updates of 32 examples, by the chapter's recipe."""
    optimizer: torch.optim.Optimizer = torch.optim.Adam(project.parameters())
    cycle: dict[str, Any] = {}
    if by == "momentum":
        optimizer = torch.optim.SGD(project.parameters(), 0.1, momentum=0.9)
        cycle = {"cycle_momentum": False}
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=STEPS, **cycle)
    for _ in range(STEPS):
        rows = torch.randint(len(query), (32,))
        loss = F.cross_entropy(scores(project, query[rows], keys[rows]), wanted[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


def skip_worlds(world: str, variant: str, rate: float, seed: int) -> bool:
    """Every rate by the seeds that choose, then the best of them alone."""
    if rate not in PEAKS[variant]:
        return True
    if seed in CHOOSING or variant == "dot":
        return variant == "dot" and seed in CHOOSING
    made = records.read(records.path_of("06_worlds"), ("world", "variant", "rate", "seed"))
    tried = {
        peak: [made.get((world, variant, peak, n)) for n in CHOOSING] for peak in PEAKS[variant]
    }
    if not all(all(runs) for runs in tried.values()):
        return True
    return rate != max(tried, key=lambda peak: mean(run["right"][0] for run in tried[peak]))


def header_of_worlds() -> dict[str, Any]:
    return {
        "what": "Which of ten keys made the query: right answers on 1,000 new examples, after so "
        "many to learn from. Seeds 31 to 35 choose the learning rate.",
        "command": "python -m studies.score_controls --series 06_worlds",
        "examples": EXAMPLES,
        **records.origin(),
        "variants": OPTIMIZERS,
    }


SERIES = {
    "06_normalized": runner.Series(
        "06_normalized",
        {"variant": list(NORMALIZED), "budget": list(UPDATES), "rate": RATES},
        run_normalized,
        header_of_normalized,
        skip=lambda variant, budget, rate, seed: budget == "long" and rate != RATE,
        data=lambda *values: common.EASY,
    ),
    "06_worlds": runner.Series(
        "06_worlds",
        {
            "world": ["shared", "rotated"],
            "variant": list(OPTIMIZERS),
            "rate": sorted({rate for rates in PEAKS.values() for rate in rates}),
        },
        run_worlds,
        header_of_worlds,
        skip=skip_worlds,
        seeds=(*CHOOSING, *REPORTED),
    ),
}


if __name__ == "__main__":
    which = runner.option("--series", choices=list(SERIES), default="06_normalized")
    runner.main(__doc__, lambda series: SERIES[series], which)
