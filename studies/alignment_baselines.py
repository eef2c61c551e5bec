"""The recorded baselines of chapter 5's alignment: what counting alone finds, without a network.

    python -m studies.alignment_baselines             # data/runs/05_alignments.json

IBM Model 1 (Brown et al. 1993, §4.1 and 4.2): which word translates which is learned from the
training split by expectation–maximization (EM), all translation probabilities equal at first, with
an empty word at position 0 of every source. A target word is then linked to the source word with
the largest t(e | f); as attention must look at some word, the empty one is left out.

The hidden Markov model (HMM) of Vogel et al. (1996) also knows where the word before was linked:
p(e, a | f) = Π_i p(a_i | a_{i−1}) p(e_i | f_{a_i}), where p(a_i | a_{i−1}) depends on the width of
the jump a_i − a_{i−1} alone. Each word may come from the empty word instead, with probability
``P_EMPTY``, and a share ``P_ANYWHERE`` of all jumps goes anywhere; both were fixed beforehand. EM
starts from IBM Model 1's table and sums over all alignments (forward–backward); a target word is
linked to the source word with the largest posterior probability.

And the worst control: the diagonal, which looks at nothing, and a source word drawn at random. All
on the test splits. Nothing is random but the drawn words. Half a minute on ko-en-easy, minutes on
ko-en.
"""

import random
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from attnlib.data import Pair, pad
from attnlib.metrics import aer, links_from_weights

from . import common, records, runner

ROUNDS = 8
EMPTY = 0  # the number of the empty word: no sentence has the padding token
P_EMPTY, P_ANYWHERE = 0.2, 0.2
BATCH = 100  # sentences in one pass forward and backward
WIDEST = 100  # no jump is wider

VARIANTS = {
    "ibm1": "IBM Model 1, the most probable source word",
    "hmm": "HMM alignment, the most probable source word",
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


def posteriors(src: Tensor, tgt: Tensor, t: Tensor, jumps: Tensor) -> tuple[Tensor, ...]:
    """What is probable once both sentences (B, S), (B, T) are known, each summed over alignments:
    the pairs of words that translate each other (B, T, S), the words from the empty one (B, T), and
    the steps from one source position to another (B, S, S). Padding has none.
    """
    real, written = (src != EMPTY).unsqueeze(1), (tgt != EMPTY).unsqueeze(2)
    word = (1 - P_EMPTY) * t[src.unsqueeze(1), tgt.unsqueeze(2)]  # (B, T, S)
    empty = P_EMPTY * t[EMPTY, tgt].unsqueeze(2)
    either = (word + empty).clamp(min=1e-12)  # two words may never have met
    emit = torch.where(written, either, 1.0) * real  # what is padding says nothing
    place = torch.arange(src.shape[1])
    step = jumps[place - place.unsqueeze(1) + WIDEST] * real  # (B, S, S), from row to column
    anywhere = real / real.sum(-1, keepdim=True)  # (B, 1, S)
    step = (1 - P_ANYWHERE) * step / step.sum(-1, keepdim=True) + P_ANYWHERE * anywhere

    ahead, back = [anywhere * emit[:, :1]], [real.double()]  # each (B, 1, S)
    for i in range(1, tgt.shape[1]):
        ahead.append(normalized(ahead[-1] @ step * emit[:, i : i + 1]))
    for i in range(tgt.shape[1] - 1, 0, -1):
        back.append(normalized((back[-1] * emit[:, i : i + 1]) @ step.transpose(1, 2)))
    before, after = torch.cat(ahead, 1), torch.cat(back[::-1], 1)  # (B, T, S)
    at = normalized(before * after) * written
    start, goal = before[:, :-1], (emit * after)[:, 1:]
    total = (start @ step * goal).sum(-1, keepdim=True)  # of all the steps to one target word
    moves = step * ((start / total * written[:, 1:]).transpose(1, 2) @ goal)
    translated = at * word / either
    return translated, at.sum(-1) - translated.sum(-1), moves


def normalized(rows: Tensor) -> Tensor:
    return rows / rows.sum(-1, keepdim=True)


def one_round_hmm(pairs: Sequence[Sentence], t: Tensor, jumps: Tensor) -> tuple[Tensor, Tensor]:
    """One round of EM: t (F, E) as in ``one_round``, and how often each width of jump occurs."""
    counts, widths = torch.zeros_like(t), torch.zeros_like(jumps)
    in_order = sorted(pairs, key=lambda pair: (len(pair[1]), len(pair[0])))
    for low in range(0, len(in_order), BATCH):
        src, tgt = (pad(list(side))[0] for side in zip(*in_order[low : low + BATCH]))
        translated, empty, moves = posteriors(src, tgt, t, jumps)
        counts.index_put_((src.unsqueeze(1), tgt.unsqueeze(2)), translated, accumulate=True)
        counts[EMPTY].index_put_((tgt,), empty, accumulate=True)
        place = torch.arange(src.shape[1])
        width = (place - place.unsqueeze(1) + WIDEST).expand_as(moves)
        widths.index_put_((width,), moves, accumulate=True)
    return counts / counts.sum(1, keepdim=True).clamp(min=1e-12), normalized(widths)


def linked(t: Tensor, src: Sequence[int], tgt: Sequence[int]) -> set[Any]:
    """For every target word the source word that makes it most probable."""
    table = t[torch.tensor(src).unsqueeze(1), torch.tensor(tgt)].T  # (T, S)
    return set(links_from_weights(table.tolist()))


def run(corpus: str, variant: str, seed: int) -> dict[str, Any]:
    given = common.encoded_corpus(corpus)
    tests = {"test": given.corpus.test, **common.other_tests(corpus)}
    t = jumps = None
    if variant in ("ibm1", "hmm"):
        t = torch.full((len(given.src), len(given.tgt)), 1 / len(given.tgt))
        for _ in range(ROUNDS):
            t = one_round(given.pairs, t)
    if variant == "hmm":
        t, jumps = t.double(), torch.ones(2 * WIDEST + 1).double()
        for _ in range(ROUNDS):
            t, jumps = one_round_hmm(given.pairs, t, jumps)

    def errors(pairs: Sequence[Pair]) -> float:
        found = []
        for n, pair in enumerate(pairs):
            src, tgt = given.src.encode(pair.src), given.tgt.encode(pair.tgt)
            if jumps is not None:
                table = posteriors(torch.tensor([src]), torch.tensor([tgt]), t, jumps)[0]
                found.append(set(links_from_weights(table[0].tolist())))
            elif t is not None:
                found.append(linked(t, src, tgt))
            elif variant == "diagonal":
                found.append({(i * len(src) // len(tgt), i) for i in range(len(tgt))})
            else:
                draw = random.Random(1000 * seed + n)
                found.append({(draw.randrange(len(src)), i) for i in range(len(tgt))})
        return round(aer(found, [pair.links for pair in pairs]), 4)

    found = {name: {"aer": errors(pairs)} for name, pairs in tests.items()}
    return {"date": records.today(), **found.pop("test"), "others": found}


def header() -> dict[str, Any]:
    return {
        "what": "Alignment error rates of baselines without a network.",
        "command": "python -m studies.alignment_baselines",
        "corpus": "ko-en-easy and ko-en",
        "split": "test",
        "rounds": ROUNDS,
        "hmm": {"from the empty word": P_EMPTY, "jumps anywhere": P_ANYWHERE},
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
