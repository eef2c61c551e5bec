"""OpenNMT-py trained and translating by its own programs, onmt_train and onmt_translate."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from .clock import Clock
from .program import without
from .recipes import Settings

# Filters and converters of its data pipeline; the text is in pieces already.
without("spacy", "ahocorasick", "rapidfuzz", "fasttext", "ctranslate2")

from onmt.bin import train as onmt_train  # noqa: E402
from onmt.bin import translate as onmt_translate  # noqa: E402
from onmt.trainer import Trainer  # noqa: E402


def train(settings: Settings, folder: Path, clock: Clock) -> dict[str, Any]:
    """Train until the clock is over, asked before each batch."""
    config = folder / "config.yaml"
    config.write_text(yaml.safe_dump(settings), encoding="utf-8")
    batches, about = Trainer._accum_batches, {}

    def by_the_clock(self: Any, iterator: Any) -> Iterator[Any]:
        about["parameters"] = sum(p.numel() for p in self.model.parameters())
        made = batches(self, iterator)
        first = next(made)  # reading the corpus is not training
        update = 0

        def save() -> str:
            self.model_saver.save(update)
            return f"model_step_{update}.pt"

        while not clock.over(update, save):
            yield first if update == 0 else next(made)
            update += 1

    Trainer._accum_batches = by_the_clock
    parser = onmt_train._get_parser()
    onmt_train.train(parser.parse_known_args(["-config", str(config)])[0])
    return about


def translate(
    settings: Settings, folder: Path, checkpoint: str, text: Path, split: str, beam: int
) -> list[str]:
    """With the program's defaults but for the beam: hypotheses compared by their mean, α = 1."""
    output = folder / "output.txt"
    parser = onmt_translate._get_parser()
    source, model = str(text / f"{split}.de"), str(folder / checkpoint)
    given = ["-model", model, "-src", source, "-output", str(output), "-batch_size", "50"]
    onmt_translate.translate(parser.parse_args([*given, "-beam_size", str(beam)]))
    return output.read_text(encoding="utf-8").split("\n")[:-1]
