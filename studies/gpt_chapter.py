"""The recorded runs of chapter 11's GPT: real prose, read and written letter by letter.

    python -m studies.gpt_chapter                      # data/runs/11_gpt.json
    python -m studies.gpt_chapter --variants gpt --seeds 1

Three seeds each of the chapter's own model (its cells are read from chapters/source and run) and of
the same without positions. Parameters within 5 % of the networks of characters.py, which is chapter
1's record; the same text, and as many updates of as many letters. A run that is in the file already
is not made again; the program can be stopped at any time. One thread. Of the settings only the
learning rate was tried, .005 and .01 for 300 small updates, and the smaller one kept.
"""

from functools import cache
from typing import Any

from torch.nn import functional as F

from . import records, runner
from .transformer_chapter import run_cells

CELLS = (
    "setup",
    "ex-position-table",
    "ex-multi-head",
    "multi-head-class",
    "ex-decoder-mask",
    "layer",
    "model",
    "prose",
    "gpt",
    "gpt-learn",
    "gpt-write",
    "gpt-bits",
)
NAME = "shakespeare"
VARIANTS = {
    "gpt": "the chapter's model: 2 layers, 4 heads, sinusoidal positions",
    "no-positions": "nothing added to the embeddings",
}
UPDATES, WINDOWS = 3000, 32  # windows of 64 letters an update
LOOKS = (0, 30, 100, 300, 1000, 3000)  # updates after which it is measured and writes
WRITTEN = 240  # letters


@cache
def chapter() -> dict[str, Any]:
    """The names that the chapter's cells define."""
    return run_cells(CELLS, names={"F": F})  # which another cell imports


def run(variant: str, seed: int) -> dict[str, Any]:
    book = chapter()
    book["seed_everything"](seed)
    model = book["GPT"](len(book["characters"]))
    model.decoder.positions = variant != "no-positions"

    def look(update: int) -> dict[str, Any]:
        bits = round(book["unread_bits"](model), 4)
        return {"update": update, "bits": bits, "written": book["write"](model, WRITTEN)}

    looks, losses = [look(0)], []
    for update, bits in book["learning"](model, UPDATES, WINDOWS):
        losses.append(bits)
        if update in LOOKS:
            looks.append(look(update))
    every = max(UPDATES // 30, 1)
    means = [sum(losses[n : n + every]) / every for n in range(0, len(losses), every)]
    return {
        "parameters": sum(p.numel() for p in model.parameters()),
        "date": records.today(),
        "train_bits": [round(mean, 3) for mean in means],  # means of a thirtieth of the run
        "looks": looks,
    }


def head() -> dict[str, Any]:
    return {
        "what": f"A GPT that reads data/{NAME}/{NAME}.txt by letters. Bits a letter, of the last "
        "tenth, which is not learned from, each with 32 to 63 letters before it; what is written "
        "after so many updates.",
        "command": "python -m studies.gpt_chapter",
        "updates": UPDATES,
        "an update": [WINDOWS, 64],
        **records.origin(),
        "variants": VARIANTS,
    }


SERIES = runner.Series("11_gpt", {"variant": list(VARIANTS)}, run, head, data=lambda variant: NAME)


if __name__ == "__main__":
    runner.main(__doc__, SERIES, say="{variant} {seed}: {minutes} minutes".format_map)
