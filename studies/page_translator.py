"""The Korean–English translators of the web edition's front page: shipped as they are put into it.

    python -m attnlib train --corpus ko-en --updates 12000 --out runs/ko-en
    python -m studies.page_translator runs/ko-en --out data/ko-en-attention
    python -m attnlib train --corpus ko-en --updates 12000 --attention none --out runs/blind
    python -m studies.page_translator runs/blind --out data/ko-en-without

Small networks, the preset "quick" for six times as many updates, because a page is loaded over a
network: 0.7 million parameters each, written in numbers of 16 bits. The second has no attention
and is otherwise trained alike: the page shows what it makes of the same sentence. A training takes
about ten minutes of one thread on a server's processor that has nothing else to do.
"""

import argparse
from pathlib import Path

from attnlib.data import load_corpus
from attnlib.translator import Translator

from .plain_translator import ship

SPLITS = ("test", "test_composition", "test_long", "test_written")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="DIR", help="what train filled")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    args = parser.parse_args()
    ship(args.folder, args.out)
    translator, corpus = Translator.load(args.out), load_corpus("ko-en")
    for split in SPLITS:
        print(f"BLEU of {split}: {translator.bleu(corpus.split(split), 1):.1f} (greedy)")


if __name__ == "__main__":
    main()
