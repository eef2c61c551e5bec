"""The translator with attention that chapters 5b and 5c look into: Korean to English, ko-en-easy.

    python -m studies.attention_translator --out data/ko-en-easy-attention

Luong's decoder with the dot score: the first recorded run of ``05_attention``, made again (the same
sizes, recipe, number of updates and seed). Numbers of 16 bits are written, half the size. About
half a minute of one thread.
"""

import argparse
import tempfile
from pathlib import Path

import torch

from attnlib.model import Seq2Seq, make_seq2seq

from . import attention_chapter, common, plain_translator


def make_model(src_size: int, tgt_size: int) -> Seq2Seq:
    """The recorded model, with the words in which ``make_seq2seq`` builds it again."""
    model = attention_chapter.make_model("luong", src_size, tgt_size)
    sizes = {"embedding_size": attention_chapter.WIDTH, "hidden_size": attention_chapter.WIDTH}
    with torch.random.fork_rng(devices=[]):  # what the training draws stays as it is there
        alike = make_seq2seq(src_size, tgt_size, attention="dot", dropout=0.2, **sizes)
    model.architecture = alike.architecture
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    args = parser.parse_args()
    torch.set_num_threads(1)
    recipe = common.recipe(attention_chapter.UPDATES[common.EASY], seed=1)
    translator, _ = common.train(make_model, recipe)
    with tempfile.TemporaryDirectory() as folder:
        translator.save(Path(folder) / "run")
        plain_translator.ship(Path(folder) / "run", args.out)
    found = common.evaluate(translator, common.encoded_corpus().corpus.valid)
    print(f"validation split: BLEU {found['test']['bleu']:.1f}, AER {found['aer']:.3f}")
    found = common.evaluate(translator)
    print(f"test split: BLEU {found['test']['bleu']:.1f}, AER {found['aer']:.4f}")


if __name__ == "__main__":
    main()
