"""The recorded baselines of chapter 5's alignment: what counting alone finds, without a network.

    python -m studies.alignment_baselines             # data/runs/05_alignments.json

IBM Model 1 (Brown et al. 1993, §4.1 and 4.2): which word translates which is learned from the
training split by expectation–maximization (EM), all translation probabilities equal at first, with
an empty word at position 0 of every source. A target word is then linked to the source word with
the largest t(e | f); as attention must look at some word, the empty one is left out. And the worst
control: the diagonal, which looks at nothing, and a source word drawn at random. All on the test
splits. Nothing is random but the drawn words. Seconds on ko-en-easy, minutes on ko-en.
"""

import random
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attnlib.data import Pair
from attnlib.metrics import aer, links_from_weights

from . import common, records, runner

ROUNDS = 8
EMPTY = 0  # the number of the empty word: no sentence has the padding token

VARIANTS = {
    "ibm1": "IBM Model 1, the most probable source word",
    "diagonal": "the source word at the same place, in parts of the sentence",
    "random": "any source word",
}
Sentence = tuple[list[int], list[int]]


def one_round(pairs: Sequence[Sentence], t: Tensor) -> Tensor:
    """One round of EM: t (F, E), the probability of target word e given source word f."""
    counts = torch.zeros_like(t)
    for src, tgt in pairs:
        words = torch.tensor([EMPTY, *src]).unsqueeze(1), torch.tensor(tgt)
        shares = t[words]  # (1 + S, T): how probable each source word makes each target word
        shares = shares / shares.sum(0)  # whose work each target word is (the expectation)
        counts.index_put_(words, shares, accumulate=True)
    return counts / counts.sum(1, keepdim=True).clamp(min=1e-12)  # (the maximization)


def linked(t: Tensor, src: Sequence[int], tgt: Sequence[int]) -> set[Any]:
    """For every target word the source word that makes it most probable."""
    table = t[torch.tensor(src).unsqueeze(1), torch.tensor(tgt)].T  # (T, S)
    return set(links_from_weights(table.tolist()))


def run(corpus: str, variant: str, seed: int) -> dict[str, Any]:
    given = common.encoded_corpus(corpus)
    tests = {"test": given.corpus.test, **common.other_tests(corpus)}

    def errors(pairs: Sequence[Pair], t: Tensor | None) -> float:
        found = []
        for n, pair in enumerate(pairs):
            src, tgt = given.src.encode(pair.src), given.tgt.encode(pair.tgt)
            if t is not None:
                found.append(linked(t, src, tgt))
            elif variant == "diagonal":
                found.append({(i * len(src) // len(tgt), i) for i in range(len(tgt))})
            else:
                draw = random.Random(1000 * seed + n)
                found.append({(draw.randrange(len(src)), i) for i in range(len(tgt))})
        return round(aer(found, [pair.links for pair in pairs]), 4)

    t = None
    if variant == "ibm1":
        t = torch.full((len(given.src), len(given.tgt)), 1 / len(given.tgt))
        for _ in range(ROUNDS):
            t = one_round(given.pairs, t)
    found = {name: {"aer": errors(pairs, t)} for name, pairs in tests.items()}
    return {"date": records.today(), **found.pop("test"), "others": found}


def header() -> dict[str, Any]:
    return {
        "what": "Alignment error rates of baselines without a network.",
        "command": "python -m studies.alignment_baselines",
        "corpus": "ko-en-easy and ko-en",
        "split": "test",
        "rounds": ROUNDS,
        **records.origin(),
        "variants": VARIANTS,
    }


SERIES = runner.Series(
    "05_alignments",
    {"corpus": ["ko-en-easy", "ko-en"], "variant": list(VARIANTS)},
    run,
    header,
    data=lambda corpus, variant: corpus,
    seeds=(1,),
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
