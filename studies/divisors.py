"""The recorded runs of chapter 6's hypothesis: the dot product divided by several numbers.

    python -m studies.divisors                        # data/runs/06_divisors.json

Divided by √128 the scores of chapter 6's translator learn the alignment later than the plain ones.
Is it because the scores of an untrained model are far too small already? Then dividing by the
spread that they *have* before training ("measured") must be best, and dividing by more than √128
worse still. Everything but the divisor is that of studies/scores_chapter.py, whose "dot" and
"scaled_dot" are made again as "1" and "root", so that ``spread`` is known of them as well: the root
of the mean variance of s·h within the real part of a row, of 64 training pairs before training, and
of the validation pairs that are watched after it. ``divisor`` is what s·h was divided by.

Is it that each step of the weights moves the scores too far where the divisor is small? Then a
smaller learning rate must help it: all five at a quarter of the rate ("slow"), two at a sixteenth
("slower"). A small rate is slow in itself, so these two have four times the updates as well
("slow-long"). And a divisor that is learned with everything else, exp of a number, from 1 and from
the spread before training. About nine minutes of one thread for the five, and 35 for the others.
"""

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from attnlib.data import Batch, make_batch
from attnlib.metrics import aer, links_from_weights
from attnlib.model import DotAttention, Seq2Seq
from attnlib.translator import Translator

from . import common, records, runner, scores_chapter

RATE = 4e-3  # that of all chapters
DIVISORS = {
    "128": "s·h / 128: the size and not its root",
    "root": "s·h / √128: scaled_dot of 06_scores.json",
    "1": "s·h: dot of 06_scores.json",
    "0.25": "s·h / 0.25",
    "measured": "s·h / its spread before training",
}
LEARNED = {
    "learned": "s·h / a learned number, 1 at first",
    "learned-measured": "s·h / a learned number, its spread before training at first",
}
ENDS = ("1", "measured")  # what stands in question, and what it is measured by


class Way(NamedTuple):
    """How a divisor is trained."""

    text: str
    part: float = 1.0  # of the learning rate
    times: int = 1  # as many updates


WAYS = {
    "": Way(""),
    "slow": Way("a quarter of the learning rate", 1 / 4),
    "slower": Way("a sixteenth of the learning rate", 1 / 16),
    "slow-long": Way("a quarter of the learning rate, four times the updates", 1 / 4, 4),
}
SETTINGS = {  # a variant → its divisor and how it is trained
    **{name: (name, WAYS[""]) for name in DIVISORS},
    **{f"{name}-slow": (name, WAYS["slow"]) for name in DIVISORS},
    **{f"{name}-{way}": (name, WAYS[way]) for way in ("slower", "slow-long") for name in ENDS},
    **{name: (name, WAYS[""]) for name in LEARNED},
}
VARIANTS = {
    variant: ", ".join(filter(None, [{**DIVISORS, **LEARNED}[divisor], way.text]))
    for variant, (divisor, way) in SETTINGS.items()
}


class DividedAttention(DotAttention):
    """e_tj = s_tᵀ h_j / c, where c may be learned, as exp of a number: it stays above 0."""

    def __init__(self, size: int, divisor: float, learned: bool = False) -> None:
        super().__init__(size, size)
        self.fixed = divisor
        self.log = nn.Parameter(torch.tensor(math.log(divisor))) if learned else None

    @property
    def divisor(self) -> float:
        return self.fixed if self.log is None else math.exp(self.log.item())

    def scores(self, query: Tensor, prepared: Tensor) -> Tensor:
        by = self.fixed if self.log is None else self.log.exp()
        return super().scores(query, prepared) / by


@torch.no_grad()
def spread(model: Seq2Seq, batch: Batch) -> float:
    """The root of the mean variance of s·h within a row, words that are there alone."""
    memory, decoder = model.eval().encode(batch.src, batch.src_mask), model.decoder
    states, _ = decoder.run(decoder.embed(batch.tgt_in).unsqueeze(1), decoder.start(memory))
    scores = states.squeeze(1) @ memory.states.transpose(1, 2)  # (B, T, S)
    real = batch.src_mask.unsqueeze(1).to(scores.dtype)
    count = real.sum(-1, keepdim=True)
    mean = (scores * real).sum(-1, keepdim=True) / count
    variance = ((scores - mean).square() * real).sum(-1) / count.squeeze(-1)
    return float(variance[batch.tgt_mask].mean().sqrt())


def run(variant: str, seed: int) -> dict[str, Any]:
    """Trained like all of chapter 6's, while its alignment is watched."""
    divisor, way = SETTINGS[variant]
    given = common.encoded_corpus()
    watched = given.corpus.valid[::3]
    some = make_batch(*zip(*given.pairs[:64]))
    curve: list[float] = []
    before = 0.0

    def make_model(src_size: int, tgt_size: int) -> Seq2Seq:
        nonlocal before
        model = scores_chapter.make_model("dot", src_size, tgt_size)
        before = spread(model, some)
        width = scores_chapter.WIDTH
        known = {"root": width**0.5, "learned": 1.0}
        known |= dict.fromkeys(("measured", "learned-measured"), before)
        first = known[divisor] if divisor in known else float(divisor)
        model.decoder.attention = DividedAttention(width, first, divisor in LEARNED)
        return model

    def watch(translator: Translator) -> float:
        found = [links_from_weights(w) for w in common.all_weights(translator, watched)]
        curve.append(round(aer(found, [pair.links for pair in watched]), 4))
        return float(len(curve))

    updates = way.times * scores_chapter.UPDATES[common.EASY]
    every = updates // scores_chapter.VALIDATIONS
    recipe = common.recipe(updates, seed, learning_rate=RATE * way.part, validate_every=every)
    translator, history = common.train(make_model, recipe, score=watch)
    sides = [(given.src.encode(p.src), given.tgt.encode(p.tgt)) for p in watched]
    return {
        "parameters": common.used(translator.model),
        "updates": updates,
        "learning_rate": recipe.learning_rate,
        "date": records.today(),
        "divisor": round(translator.model.decoder.attention.divisor, 4),
        "spread": [round(before, 4), round(spread(translator.model, make_batch(*zip(*sides))), 4)],
        "loss": [round(value, 4) for value in history.train_loss],
        "aer_while": curve,
        **common.evaluate(translator),
        "others": common.evaluate_others(translator, common.EASY),
    }


def header() -> dict[str, Any]:
    of_scores = scores_chapter.header(common.EASY)
    return {**of_scores, "command": "python -m studies.divisors", "variants": VARIANTS}


SERIES = runner.Series(
    "06_divisors", {"variant": list(VARIANTS)}, run, header, data=lambda variant: common.EASY
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
