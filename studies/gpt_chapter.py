"""The recorded runs of chapter 11's GPT: real prose, read letter by letter.

    python -m studies.gpt_chapter                      # data/runs/11_gpt.json
    python -m studies.gpt_chapter --series 11_counts   # data/runs/11_counts.json
    python -m studies.gpt_chapter --series 11_norms    # data/runs/11_norms.json

Three seeds each of the chapter's model and of the same without positions. Parameters within 5 % of
the networks of characters.py, which is chapter 1's record; the same text, and as many updates of as
many letters. Of the settings only the learning rate was tried, .005 and .01 for 300 small updates,
and the smaller one kept.
"""

import math
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnlib.device import seed_everything
from attnlib.model import EncoderLayer, EncoderStack, causal_mask

from . import characters, records, runner

VARIANTS = {
    "gpt": "the chapter's model: 2 layers, 4 heads, sinusoidal positions",
    "no-positions": "nothing added to the embeddings",
}
WINDOWS, LENGTH = 32, 64  # windows an update, and letters of each
RATE = 5e-3  # the peak, after 50 updates; then along a straight line to zero


class GPT(nn.Module):
    """Letters so far (B, T) → logits of the next (B, T, V)."""

    def __init__(self, letters: int, layers: int = 2) -> None:
        super().__init__()
        self.decoder = EncoderStack(letters, 76, 4, 304, layers, dropout=0.0)
        self.output = nn.Linear(76, letters)
        nn.init.zeros_(self.output.weight)  # at first all are equally probable
        nn.init.zeros_(self.output.bias)

    def forward(self, ids: Tensor) -> Tensor:
        logits: Tensor = self.output(self.decoder(ids, causal_mask(ids.shape[1])))
        return logits


def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    return F.cross_entropy(logits.flatten(0, 1), target.flatten())


@torch.no_grad()
def bits(model: GPT) -> float:
    """Bits per letter of the unread tenth, half a window or more before each."""
    # Windows that overlap by half.
    rows = characters.prose().valid.unfold(0, LENGTH + 1, LENGTH // 2)
    logits = model(rows[:, :-1])[:, LENGTH // 2 :]
    return cross_entropy(logits, rows[:, LENGTH // 2 + 1 :]).item() / math.log(2)


def measure(model: GPT, update: int) -> dict[str, Any]:
    return {"update": update, "bits": round(bits(model), 4)}


def run(variant: str, seed: int) -> dict[str, Any]:
    letters, train, _ = characters.prose()
    seed_everything(seed)
    model = GPT(len(letters))
    model.decoder.positions = variant != "no-positions"

    def next_loss(update: int) -> Tensor:
        starts = torch.randint(len(train) - LENGTH, (WINDOWS, 1))
        window = train[starts + torch.arange(LENGTH + 1)]  # (WINDOWS, LENGTH + 1)
        return cross_entropy(model(window[:, :-1]), window[:, 1:])

    return characters.learn(model, next_loss, partial(measure, model), RATE, warmup=50)


def header() -> dict[str, Any]:
    name = characters.NAME
    return {
        "what": f"A GPT that reads data/{name}/{name}.txt by letters. Bits a letter, of the last "
        "tenth, which is not learned from, each with 32 to 63 letters before it.",
        "command": "python -m studies.gpt_chapter",
        "updates": characters.UPDATES,
        "an update": [WINDOWS, LENGTH],
        **records.origin(),
        "variants": VARIANTS,
    }


# Counting ---------------------------------------------------------------------------------------

MOST = 7  # characters before the one that is predicted
DISCOUNTS = (0.5, 0.6, 0.7, 0.8, 0.9)


def codes(text: Tensor, n: int) -> Tensor:
    """Each stretch of n characters as a number, the first character in its lowest place."""
    return (text.unfold(0, n, 1) * len(characters.prose().letters) ** torch.arange(n)).sum(-1)


def amounts(values: Tensor, counts: Tensor, asked: Tensor) -> Tensor:
    """The counts of what is asked for; 0 of what is none of the sorted values."""
    at = torch.searchsorted(values, asked).clamp(max=len(values) - 1)
    return (counts[at] * (values[at] == asked)).double()


def level(found: Tensor, asked: Tensor, n: int, discount: float, lower: Tensor) -> Tensor:
    """P of the last of n + 1 characters: counts less a discount, which goes to fewer characters."""
    values, counts = found.unique(return_counts=True)
    place = len(characters.prose().letters) ** n
    before, index = (values % place).unique(return_inverse=True)
    totals = torch.zeros_like(before).index_add(0, index, counts)
    kinds = torch.zeros_like(before).index_add(0, index, torch.ones_like(counts))
    c = amounts(values, counts, asked)
    t, k = (amounts(before, each, asked % place) for each in (totals, kinds))
    mixed = ((c - discount).clamp(min=0) + discount * k * lower) / t.clamp(min=1)
    return torch.where(t > 0, mixed, lower)


def kneser_ney(read: Tensor, rest: Tensor, most: int, discount: float) -> Tensor:
    """P of each of the rest by interpolated Kneser-Ney (Chen and Goodman 1999).

    Below the longest stretches, what counts is not how often characters stand together but after
    how many different characters they do.
    """
    text, size = torch.cat([read[-MOST:], rest]), len(characters.prose().letters)
    p = torch.full((len(rest),), 1 / size, dtype=torch.double)
    for n in range(most + 1):
        longest = n == most
        found = codes(read, n + 1) if longest else codes(read, n + 2).unique() // size
        p = level(found, codes(text[MOST - n :], n + 1), n, discount, p)
    return p


def run_counts(variant: str, seed: int) -> dict[str, Any]:
    del variant, seed
    _, train, valid = characters.prose()
    cut, rows = len(train) * 8 // 9, []

    def bits(read: Tensor, rest: Tensor, most: int, discount: float) -> float:
        return -float(kneser_ney(read, rest, most, discount).log2().mean())

    for n in range(MOST + 1):
        held = {d: bits(train[:cut], train[cut:], n, d) for d in DISCOUNTS}
        best = min(held, key=lambda d: held[d])
        unread = round(bits(train, valid, n, best), 4)
        rows.append(
            {"characters": n, "discount": best, "held out": round(held[best], 4), "bits": unread}
        )
    return {"date": records.today(), "rows": rows}


def header_of_counts() -> dict[str, Any]:
    return {
        "what": "Bits a character, of the last tenth, by counts of the characters before it, mixed "
        "as Kneser and Ney do; the discount is chosen on held-out training text.",
        "command": "python -m studies.gpt_chapter --series 11_counts",
        **records.origin(),
    }


# Normalized before or after ---------------------------------------------------------------------

NORMS = {
    f"{norm}{warmup}": f"{norm}-norm, {text}"
    for norm in ("pre", "post")
    for warmup, text in (("", "50 updates of warm-up"), ("-cold", "no warm-up"))
}
DEPTHS, NORM_RATES, NORM_LOOKS = (2, 6), (1e-3, RATE), (100, 300)


class PostNorm(EncoderLayer):
    """x ← norm(x + f(x)), as Vaswani et al. had it."""

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.norm1(x + self.self_attn(x, x, mask)[0])
        normed: Tensor = self.norm2(x + self.feed_forward(x))
        return normed


def run_norms(layers: int, variant: str, rate: float, seed: int) -> dict[str, Any]:
    letters, train, _ = characters.prose()
    seed_everything(seed)
    model = GPT(len(letters), layers)
    if variant.startswith("post"):
        after = (PostNorm(76, 4, 304, dropout=0.0) for _ in range(layers))
        model.decoder.layers = nn.ModuleList(after)
    warmup = 1 if variant.endswith("cold") else 50
    optimizer, looks = torch.optim.Adam(model.parameters(), rate), []
    for update in range(1, NORM_LOOKS[-1] + 1):
        optimizer.param_groups[0]["lr"] = rate * min(update / warmup, 1)
        starts = torch.randint(len(train) - LENGTH, (16, 1))
        window = train[starts + torch.arange(LENGTH + 1)]
        loss = cross_entropy(model(window[:, :-1]), window[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if update in NORM_LOOKS:
            looks.append(round(bits(model), 4))
    return {"date": records.today(), "bits": looks}


def header_of_norms() -> dict[str, Any]:
    return {
        "what": "The chapter's GPT by depth, norm, warm-up and learning rate: bits a character, of "
        "the last tenth, after so many updates of 16 windows.",
        "command": "python -m studies.gpt_chapter --series 11_norms",
        "after updates": NORM_LOOKS,
        **records.origin(),
        "variants": NORMS,
    }


SERIES = {
    "11_gpt": runner.Series(
        "11_gpt", {"variant": list(VARIANTS)}, run, header, data=lambda variant: characters.NAME
    ),
    "11_counts": runner.Series(
        "11_counts",
        {"variant": ["kneser-ney"]},
        run_counts,
        header_of_counts,
        data=lambda variant: characters.NAME,
        seeds=(1,),
    ),
    "11_norms": runner.Series(
        "11_norms",
        {"layers": DEPTHS, "variant": list(NORMS), "rate": NORM_RATES},
        run_norms,
        header_of_norms,
        data=lambda *values: characters.NAME,
    ),
}


if __name__ == "__main__":
    which = runner.option("--series", choices=list(SERIES), default="11_gpt")
    runner.main(__doc__, lambda series: SERIES[series], which)
