"""The translator without attention that chapter 3 opens with: Korean to English, on ko-en-easy.

    python -m studies.plain_translator --out data/ko-en-plain

``train_translator`` with the preset "quick" and no attention, for half as many updates again: an
LSTM reads both ways, and 128 numbers are all that passes to the LSTM that writes. Numbers of 16
bits are written, half the size. About two minutes of one thread.
"""

import argparse
import tempfile
from pathlib import Path

import torch

from attnlib.data import load_corpus
from attnlib.translator import (
    CARD_FILE,
    WEIGHTS_FILE,
    presets_for,
    read_json,
    read_tensors,
    train_translator,
    write_json,
    write_tensors,
)

from .models import like

CORPUS = "ko-en-easy"
UPDATES = 3000


def ship(folder: Path, out: Path) -> None:
    """A saved translator with its weights rounded to half precision."""
    tensors, about = read_tensors(folder / WEIGHTS_FILE)
    write_json(out / CARD_FILE, read_json(folder / CARD_FILE))
    halves = {name: table.half() for name, table in tensors.items()}
    write_tensors(out / WEIGHTS_FILE, halves, about)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    args = parser.parse_args()
    torch.set_num_threads(1)
    preset = like(presets_for(CORPUS)["quick"], updates=UPDATES, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        translator, _ = train_translator(
            CORPUS, preset, Path(folder) / "run", attention="none", progress=False
        )
        ship(Path(folder) / "run", args.out)
    print(f"BLEU of the validation split: {translator.bleu(load_corpus(CORPUS).valid, 1):.1f}")


if __name__ == "__main__":
    main()
