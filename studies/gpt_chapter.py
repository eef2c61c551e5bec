"""The recorded runs of chapter 11's GPT: real prose, read and written letter by letter.

    python -m studies.gpt_chapter                      # data/runs/11_gpt.json

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
from attnlib.model import EncoderStack, causal_mask

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

    def __init__(self, letters: int) -> None:
        super().__init__()
        self.decoder = EncoderStack(letters, 76, 4, 304, 2, dropout=0.0)
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


SERIES = runner.Series(
    "11_gpt", {"variant": list(VARIANTS)}, run, header, data=lambda variant: characters.NAME
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES, say="{variant} {seed}: {minutes} minutes".format_map)
