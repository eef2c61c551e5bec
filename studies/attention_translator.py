"""The translator with attention that chapters 5b and 5c look into: Korean to English, ko-en-easy.

    python -m studies.attention_translator --out data/ko-en-easy-attention

Luong's decoder with the dot score, trained as chapter 5 trains it (the same sizes, recipe and
number of updates) with the seed of the first recorded run of ``05_attention``. Numbers of 16 bits
are written, half the size. About half a minute of one thread.
"""

import argparse
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import torch

from attnlib.model import make_seq2seq

from . import attention_chapter, common, plain_translator

#: As ``attention_chapter.make_model`` makes "luong", in the words of ``make_seq2seq``.
SIZES: dict[str, Any] = {
    "embedding_size": 128,
    "hidden_size": 128,
    "dropout": 0.2,
}
make_model = partial(make_seq2seq, decoder="luong", attention="dot", **SIZES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--updates", type=int, default=attention_chapter.UPDATES[common.EASY])
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    recipe = common.recipe(args.updates, args.seed)
    translator, _ = common.train(make_model, recipe)
    with tempfile.TemporaryDirectory() as folder:
        translator.save(Path(folder) / "run")
        plain_translator.ship(Path(folder) / "run", args.out)
    found = common.evaluate(translator, common.encoded_corpus().corpus.valid)
    print(f"validation split: BLEU {found['test']['bleu']:.1f}, AER {found['aer']:.3f}")


if __name__ == "__main__":
    main()
