"""d2l: the book's data, model, trainer and greedy prediction, given another corpus."""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from .clock import Clock
from .recipes import Settings
from .with_d2l import AttentionDecoder, d2l


class OverError(Exception):
    """The minutes are over."""


class Texts(d2l.MTFraEng):
    """Its data, with pairs that are split into pieces already in the place of the download."""

    def __init__(self, text: Path, batch_size: int, num_steps: int) -> None:
        self.text = text
        super().__init__(batch_size, num_steps, num_train=10**9, num_val=0)

    def _download(self) -> str:
        sides = (
            (self.text / f"train.{side}").read_text(encoding="utf-8").split("\n")[:-1]
            for side in ("de", "en")
        )
        return "\n".join(map("\t".join, zip(*sides, strict=True)))

    def _preprocess(self, text: str) -> str:
        return text

    def val_dataloader(self) -> None:
        return None


class Model(d2l.Seq2Seq):
    """§11.4.3, with the loss of §10.7.4, which the package leaves to the reader."""

    def __init__(self, data: Texts, settings: Settings) -> None:
        embedding, hidden = settings["embed_size"], settings["num_hiddens"]
        layers, dropout = settings["num_layers"], settings["dropout"]
        encoder = d2l.Seq2SeqEncoder(len(data.src_vocab), embedding, hidden, layers, dropout)
        decoder = AttentionDecoder(len(data.tgt_vocab), embedding, hidden, dropout, layers)
        super().__init__(encoder, decoder, data.tgt_vocab["<pad>"], settings["lr"])
        self(*(array[:1] for array in data.arrays[:3]))  # lazy layers learn their sizes

    def loss(self, logits: Tensor, words: Tensor) -> Tensor:
        each = super().loss(logits, words, averaged=False)
        real = (words.reshape(-1) != self.tgt_pad).float()
        return (each * real).sum() / real.sum()

    def plot(self, *given: Any, **more: Any) -> None:
        """The package draws the loss while it trains; nothing is drawn here."""


def ready(settings: Settings, text: Path) -> tuple[Texts, Model]:
    torch.manual_seed(settings["seed"])
    data = Texts(text, settings["batch_size"], settings["num_steps"])
    return data, Model(data, settings)


def train(settings: Settings, folder: Path, clock: Clock) -> dict[str, Any]:
    """Train until the clock is over, asked before each update."""
    data, model = ready(settings, Path(settings["text"]))
    step, trainer = model.training_step, d2l.Trainer(10**6, gradient_clip_val=1)

    def save() -> str:
        name = f"model-{trainer.train_batch_idx}.pt"
        torch.save(model.state_dict(), folder / name)
        return name

    def by_the_clock(batch: Any) -> Any:
        if clock.over(trainer.train_batch_idx, save):
            raise OverError
        return step(batch)

    model.training_step = by_the_clock
    try:
        trainer.fit(model, data)
    except OverError:
        return {"parameters": sum(p.numel() for p in model.parameters())}


def translate(
    settings: Settings, folder: Path, checkpoint: str, text: Path, split: str, beam: int
) -> list[str]:
    """Greedily, which is all that it has."""
    assert beam == 1, beam
    data, model = ready(settings, text)
    model.load_state_dict(torch.load(folder / checkpoint))
    model.eval()
    lines = (text / f"{split}.de").read_text(encoding="utf-8").split("\n")[:-1]
    src, tgt, lengths, out = data.build(lines, [""] * len(lines))
    found = []
    with torch.no_grad():
        for start in range(0, len(lines), 100):
            batch = [array[start : start + 100] for array in (src, tgt, lengths, out)]
            words, _ = model.predict_step(batch, d2l.cpu(), data.num_steps)
            for row in words.tolist():
                tokens = data.tgt_vocab.to_tokens([*row, data.tgt_vocab["<eos>"]])
                found.append(" ".join(tokens[: tokens.index("<eos>")]))
    return found
