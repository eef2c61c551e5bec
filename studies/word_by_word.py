"""What a dictionary translates: every German word of a caption replaced by one English word.

    python -m studies.word_by_word                    # data/runs/05_word_by_word.json

The dictionary is IBM Model 1 (Brown et al. 1993, §4.1 and 4.2), learned from the training captions
of Multi30k by so many rounds of expectation–maximization, with an empty word in every source: of
each German word it has the most probable English one, t(e | f). The order stays German, nothing is
added or left out, and a word that was never seen is copied. BLEU is measured as that of the trained
translators in ``10_models`` is. Nothing is random. Needs Multi30k; a minute or two.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import torch
from torch import Tensor

from attnlib.data import Pair

from . import multi30k, records, runner
from .multi30k import BLEU, LENGTHS, TESTS, score

ROUNDS = (1, 2, 4, 8, 16, 32)
EMPTY = ""  # the empty word


def words(text: str) -> list[str]:
    """Words and signs; the first letter of the caption small, as in the middle of one."""
    found = re.findall(r"\w+|[^\w\s]", text)
    return [found[0][:1].lower() + found[0][1:], *found[1:]] if found else []


class Model1:
    """t(e | f) of the pairs of words that occur together, all equal at first."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        number: dict[tuple[str, str], int] = {}
        together, targets, count = [], [], 0
        for pair in pairs:
            for e in words(pair.tgt):
                for f in (EMPTY, *words(pair.src)):
                    together.append(number.setdefault((f, e), len(number)))
                    targets.append(count)
                count += 1
        sources: dict[str, int] = {}
        of_source = [sources.setdefault(f, len(sources)) for f, _ in number]
        self.entries, self.t = list(number), torch.ones(len(number))
        self.together, self.targets = torch.tensor(together), torch.tensor(targets)
        self.of_source = torch.tensor(of_source)

    def one_round(self) -> None:
        """Whose work every target word is, and the probabilities that this makes best."""
        shares = self.normalized(self.t[self.together], self.targets)
        counts = torch.zeros_like(self.t).index_add_(0, self.together, shares)
        self.t = self.normalized(counts, self.of_source)

    @staticmethod
    def normalized(values: Tensor, groups: Tensor) -> Tensor:
        """Values whose sum in every group is 1."""
        sums = values.new_zeros(int(groups.max()) + 1).index_add_(0, groups, values)
        return values / sums[groups]

    def dictionary(self) -> dict[str, str]:
        """Of every source word the most probable target word."""
        order = self.t.argsort(stable=True).tolist()
        return {self.entries[i][0]: self.entries[i][1] for i in order}  # the last one stays


@cache
def dictionary(rounds: int) -> dict[str, str]:
    model = Model1(records.corpus_or_exit("multi30k-de-en").train)
    for _ in range(rounds):
        model.one_round()
    return model.dictionary()


def translate(text: str, best: dict[str, str]) -> str:
    """Every word looked up, in the order of the source."""
    written = re.sub(r" ([^\w\s])", r"\1", " ".join(best.get(word, word) for word in words(text)))
    return written[:1].upper() + written[1:]


def run(rounds: int, seed: int) -> dict[str, Any]:
    del seed  # nothing is drawn
    corpus, best = records.corpus_or_exit("multi30k-de-en"), dictionary(rounds)
    texts = {
        split: [translate(pair.src, best) for pair in corpus.split(split)]
        for split in ("valid", *TESTS)
    }
    every = [pair for split in TESTS for pair in corpus.split(split)]
    written = [text for split in TESTS for text in texts[split]]
    lengths = [len(pair.src.split()) for pair in every]
    chosen = [[i for i, n in enumerate(lengths) if low <= n <= high] for low, high in LENGTHS]
    unknown = [word not in best for pair in corpus.test for word in words(pair.src)]
    return {
        "date": records.today(),
        "german words": len(best) - 1,
        "unknown on test": round(sum(unknown) / len(unknown), 4),
        "bleu": {split: score(BLEU(), some, corpus.split(split)) for split, some in texts.items()},
        "bleu by length": [
            score(BLEU(), [written[i] for i in rows], [every[i] for i in rows]) for rows in chosen
        ],
        "examples": [[corpus.test[n].src, texts["test"][n], corpus.test[n].tgt] for n in range(3)],
    }


def header() -> dict[str, Any]:
    return {
        "what": "Multi30k German-English captions translated word by word, with the most probable "
        "English word of IBM Model 1. BLEU is sacreBLEU's, of raw text in and detokenised text "
        'out; test is test_2016_flickr; "by length" is the BLEU of the four test sets together, '
        "by the words of the source, as in 10_models. The number of rounds is chosen on the "
        "validation split.",
        "command": "python -m studies.word_by_word",
        "corpus": "multi30k-de-en",
        "lengths": LENGTHS,
        "signature": multi30k.signature(),
        **records.origin(),
    }


SERIES = runner.Series("05_word_by_word", {"rounds": ROUNDS}, run, header, seeds=(1,))


if __name__ == "__main__":
    runner.main(__doc__, SERIES, say="{rounds} rounds: {bleu}".format_map)
