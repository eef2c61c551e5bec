"""The page of a translator beside the library: the same translations, and how long node takes.

    python benchmarks/page_speed.py [--sentences 200]

For each translator that comes along, with 32 and with 8 bits a weight: the size of its page, the
share of sentences whose tokens are the library's, the largest difference of their log-probabilities
in nats, and seconds of processor time a sentence, mean and longest. Needs node.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import records
import torch

from attnlib.data import bundled_directory
from attnlib.translator import Translator
from attnlib.translator.page import export_page

PROGRAM = Path(__file__).parents[1] / "tests" / "page" / "translate.js"
BEAMS = (1, 5)


def compared(translator: Translator, sentences: list[str], bits: int, expected: list) -> None:
    """Print a line for each beam."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        size = export_page(translator, page, weights=bits)
        asked = [[text, {"beam": beam}] for beam in BEAMS for text in sentences]
        jobs = json.dumps([{"page": str(page), "asked": asked}])
        answer = subprocess.run(
            ["node", PROGRAM], input=jobs, capture_output=True, check=True, encoding="utf-8"
        )
    (found,) = json.loads(answer.stdout)
    number = translator.tgt_vocabulary.index
    for n, beam in enumerate(BEAMS):
        part = slice(n * len(sentences), (n + 1) * len(sentences))
        apart, seconds = [], [one["seconds"] for one in found[part]]
        for mine, theirs in zip(expected[part], found[part], strict=True):
            if [number[token] for token in mine.tgt_tokens] == theirs["numbers"]:
                apart.append(abs(mine.score * len(mine.tgt_tokens) - theirs["logProb"]))
        print(
            f"  {bits:>2} bits, {size / 1e6:4.1f} MB, beam {beam}: the same "
            f"{len(apart) / len(sentences):.1%}, log P within {max(apart, default=0):.0e}, "
            f"{sum(seconds) / len(seconds):.2f} s a sentence, at most {max(seconds):.2f} s"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sentences", type=int, default=200)
    count = parser.parse_args().sentences
    torch.set_num_threads(1)
    for name, corpus in (("ko-en-attention", "ko-en"), ("de-en", "multi30k-de-en")):
        translator = Translator.load(bundled_directory().parent / name, "cpu")
        sentences = [pair.src for pair in records.corpus_or_exit(corpus).test[:count]]
        expected = [one for beam in BEAMS for one in translator.translate(sentences, beam)]
        print(f"{name}, {len(sentences)} sentences")
        for bits in (32, 8):
            compared(translator, sentences, bits, expected)


if __name__ == "__main__":
    main()
