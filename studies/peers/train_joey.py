"""Joey NMT trained and translating by its own ``train`` and ``predict``."""

import copy
import shutil
from pathlib import Path
from typing import Any

import torch
import yaml

from .clock import Clock
from .program import without
from .recipes import Settings

# Logging and tokenizers; the text is in pieces already.
without(
    "torch.utils.tensorboard", "importlib_metadata", "sentencepiece", "sacremoses", "subword_nmt"
)

from joeynmt import builders  # noqa: E402
from joeynmt.config import parse_global_args  # noqa: E402
from joeynmt.prediction import predict, prepare  # noqa: E402
from joeynmt.training import TrainManager  # noqa: E402
from joeynmt.training import train as joey_train  # noqa: E402


class Plateau(torch.optim.lr_scheduler.ReduceLROnPlateau):
    """It asks for an option that newer versions of torch no longer have."""

    def __init__(self, *given: Any, verbose: bool = False, **options: Any) -> None:
        super().__init__(*given, **options)


builders.ReduceLROnPlateau = Plateau


def train(settings: Settings, folder: Path, clock: Clock) -> dict[str, Any]:
    """Train until the clock is over, asked before each update; it then takes it for Ctrl-C."""
    (folder / "config.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    step, about = TrainManager._train_step, {}

    def by_the_clock(self: Any, batch: Any) -> Any:
        about["parameters"] = sum(p.numel() for p in self.model.parameters())
        update = self.stats.steps

        def save() -> str:
            self._save_checkpoint(False, float("nan"))
            name = f"mark-{update}.ckpt"
            shutil.move(folder / f"{update}.ckpt", folder / name)
            return name

        if clock.over(update, save):
            raise KeyboardInterrupt
        return step(self, batch)

    TrainManager._train_step = by_the_clock
    joey_train(rank=0, world_size=None, cfg=copy.deepcopy(settings), skip_test=True)
    return about


def translate(
    settings: Settings, folder: Path, checkpoint: str, text: Path, split: str, beam: int
) -> list[str]:
    """With the search of its example: hypotheses compared by their mean, α = 1."""
    given = copy.deepcopy(settings)
    given["testing"] |= {"beam_size": beam, "load_model": str(folder / checkpoint)}
    options = parse_global_args(given, mode="test")
    model, _, valid, test = prepare(options, rank=0, mode="test")
    data = {"valid": valid, "test": test}[split]
    found = predict(
        model, data, options.device, options.n_gpu, args=options.test, autocast=options.autocast
    )
    return [str(line) for line in found[2]]
