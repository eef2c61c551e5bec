"""The recorded runs of chapter 11's GPT: real prose, read and written letter by letter.

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
TEMPERATURE = 0.7


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


@torch.no_grad()
def write(model: GPT) -> str:
    """Draw a letter after a line end, append it, read the last window again, and so on."""
    letters, draws = characters.prose().letters, torch.Generator().manual_seed(0)
    ids = torch.tensor([[letters.index("\n")]])
    for _ in range(characters.WRITTEN):
        probabilities = (model(ids[:, -LENGTH:])[:, -1] / TEMPERATURE).softmax(-1)
        ids = torch.cat([ids, probabilities.multinomial(1, generator=draws)], dim=1)
    return "".join(letters[i] for i in ids[0])


def measure(model: GPT, update: int) -> dict[str, Any]:
    return {"update": update, "bits": round(bits(model), 4), "written": write(model)}


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
        "tenth, which is not learned from, each with 32 to 63 letters before it; what is written "
        "after so many updates.",
        "command": "python -m studies.gpt_chapter",
        "updates": characters.UPDATES,
        "an update": [WINDOWS, LENGTH],
        **records.origin(),
        "variants": VARIANTS,
    }


# Counting ---------------------------------------------------------------------------------------

MOST = 7  # characters before the one that is predicted
CHOICES = (0.3, 1, 3, 10, 30, 100, 300)  # of k


def seen(read: Tensor, asked: Tensor, n: int) -> Tensor:
    """How often each stretch of n characters in one text occurs in another."""
    place = len(characters.prose().letters) ** torch.arange(n)
    values, counts = (read.unfold(0, n, 1) * place).sum(-1).unique(return_counts=True)
    wanted = (asked.unfold(0, n, 1) * place).sum(-1)
    at = torch.searchsorted(values, wanted).clamp(max=len(values) - 1)
    return (counts[at] * (values[at] == wanted)).double()


def counted(read: Tensor, rest: Tensor) -> list[tuple[Tensor, Tensor]]:
    """For n = 0 … 7 characters before each of the rest: c and t."""
    text, found = torch.cat([read[-MOST:], rest]), []
    for n in range(MOST + 1):
        part = text[MOST - n :]
        c = seen(read, part, n + 1)
        t = seen(read[:-1], part[:-1], n) if n else torch.full_like(c, len(read))
        found.append((c, t))
    return found


def run_counts(variant: str, seed: int) -> dict[str, Any]:
    del variant, seed
    letters, train, valid = characters.prose()
    cut = len(train) * 8 // 9
    held_out, unread = counted(train[:cut], train[cut:]), counted(train, valid)
    p = torch.full((len(train) - cut,), 1 / len(letters), dtype=torch.double)
    q, rows = torch.full((len(valid),), 1 / len(letters), dtype=torch.double), []
    for n in range(MOST + 1):
        (c, t), (d, u) = held_out[n], unread[n]
        k = min(CHOICES, key=lambda k: -float(((c + k * p) / (t + k)).log().mean()))
        p, q = (c + k * p) / (t + k), (d + k * q) / (u + k)
        held, bits = (-float(x.log2().mean()) for x in (p, q))
        rows.append({"characters": n, "k": k, "held out": round(held, 4), "bits": round(bits, 4)})
    return {"date": records.today(), "rows": rows}


def header_of_counts() -> dict[str, Any]:
    return {
        "what": "Bits a character, of the last tenth, by interpolated counts of the characters "
        "before it.",
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
        {"variant": ["interpolated"]},
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
