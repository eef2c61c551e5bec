"""attnlib trained by the preset ``quick`` in fp32, for the same minutes of the processor."""

import dataclasses
import time
from pathlib import Path
from typing import Any
from unittest import mock

from attnlib.translator import DEFAULT_PRESETS, Translator, train_translator

from .clock import Clock
from .recipes import Settings


def train(settings: Settings, folder: Path, clock: Clock) -> dict[str, Any]:
    """By the recipe's own clock, which is given CPU time; it validates as it goes, and
    what that takes it does not count either."""
    quick = DEFAULT_PRESETS["quick"]
    recipe = dataclasses.replace(
        quick.recipe, updates=None, minutes=clock.minutes, precision="fp32", **settings
    )
    preset = dataclasses.replace(quick, recipe=recipe)
    with mock.patch("time.monotonic", time.process_time):
        made, history = train_translator("multi30k-de-en", preset, folder / "model", progress=False)
    minutes = history.seconds / 60
    clock.marks += [
        {
            "minutes": round(minutes * update / history.updates, 3),
            "update": update,
            "valid greedy": round(score, 2),
            "checkpoint": "model",
        }
        for update, score in zip(history.validated_at, history.score)
    ]
    return {"parameters": sum(p.numel() for p in made.model.parameters())}


def translate(
    settings: Settings, folder: Path, checkpoint: str, text: Path, split: str, beam: int
) -> list[str]:
    """With the library's defaults but for the beam: hypotheses compared by their mean, α = 1."""
    translator = Translator.load(folder / checkpoint, "cpu")
    lines = (text / f"{split}.raw").read_text(encoding="utf-8").split("\n")[:-1]
    found = translator.translate(lines, beam, single_sentence=True)
    return [" ".join(token for token in each.tgt_tokens if token != "<eos>") for each in found]
