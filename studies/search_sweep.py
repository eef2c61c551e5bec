"""A translator of Multi30k searched by beams of many widths, and sampled: the second record of
chapter 8.

    python -m studies.search_sweep                   # data/runs/08_multi30k.json
    python -m studies.search_sweep --parts samples

9 minutes of one thread. The translator is the first run of ``multi30k.py --preset full``, whose
folder it takes; where that is not there it is trained, half an hour more. Everything is measured on
a fixed sample of the validation split with one thread; the test split is not touched.
"""

import itertools
import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from attnlib.data import EOS, Pair, pad
from attnlib.metrics import corpus_bleu, corpus_chrf, sentence_bleu, sentence_chrf
from attnlib.search import Hypothesis, beam_search, greedy_search, sample_search
from attnlib.translator import DEFAULT_PRESETS, Translator

from . import multi30k, records, runner
from .models import like

SAMPLE = 250  # sentences of the validation split
AT_ONCE = 2000  # prefixes that are searched together, which is what fits into memory

WIDTHS = (2, 3, 5, 10, 20, 50, 100)  # and 1, greedy search
RANKINGS: tuple[dict[str, Any], ...] = (
    {"alpha": 0.0},
    {"alpha": 0.6},
    {"alpha": 1.0},
    {"alpha": 1.0, "penalty": "power"},  # log P / |Y|, as Translator ranks
)
TEMPERATURES = (0.3, 0.7, 1.0)
CANDIDATES = (4, 8, 16, 32)  # of which MBR decoding chooses
UTILITIES: dict[str, Callable[[str, str], float]] = {
    "chrf": sentence_chrf,
    "bleu": lambda text, other: sentence_bleu(text, [other]).score,
}


# Searching --------------------------------------------------------------------------------------


def search(
    translator: Translator, sources: Sequence[str], find: Callable[..., Any], width: int, **how: Any
) -> list[list[Hypothesis]]:
    """What a search of so many prefixes a sentence finds.

    A sentence may become 2 S + 10 tokens long, as in chapter 8, whatever the translator's limit.
    """
    model, found = translator.model, []
    size = max(1, AT_ONCE // width)
    for start in range(0, len(sources), size):
        ids = [translator.src_vocabulary.encode(src) for src in sources[start : start + size]]
        src, mask = pad([[*sentence, EOS] for sentence in ids])
        if find is beam_search:
            how |= {"beam_size": width}
        with torch.no_grad():
            memory = model.encode(src, mask)
            limits = [2 * (len(sentence) + 1) + 10 for sentence in ids]
            begun = model.decoder.start(memory)
            found += find(model.step, memory, begun, max_length=limits, **how)
    return found


def measured(translator: Translator, pairs: Sequence[Pair], found: Sequence[Hypothesis]) -> Any:
    """BLEU, tokens written per token of the references, mean log P, share of what is empty."""
    vocabulary = translator.tgt_vocabulary
    texts = [vocabulary.decode(one.tokens) for one in found]
    tokens = sum(len(vocabulary.encode(pair.tgt)) for pair in pairs)
    return {
        "bleu": round(corpus_bleu(texts, [pair.tgt for pair in pairs]).score, 2),
        "ratio": round(sum(len(one.tokens) for one in found) / tokens, 4),
        "log_prob": round(sum(one.log_prob for one in found) / len(found), 4),
        "empty": round(sum(not one.tokens for one in found) / len(found), 4),
    }


def beam(translator: Translator, pairs: Sequence[Pair], width: int, **how: Any) -> dict[str, Any]:
    """One row of a table: how it was searched, and what came out."""
    sources = [pair.src for pair in pairs]
    given = ("greedy", greedy_search) if width == 1 else ("beam", beam_search)
    found = search(translator, sources, given[1], width, **how)
    best = [hypotheses[0] for hypotheses in found]
    usual = {"alpha": 0.0, "penalty": "gnmt"}
    return {"k": width, **usual, **how, **measured(translator, pairs, best)}


# The parts --------------------------------------------------------------------------------------


def widths(translator: Translator, pairs: Sequence[Pair]) -> dict[str, Any]:
    rows = [beam(translator, pairs, 1)]
    for ranking, width in itertools.product(RANKINGS, WIDTHS):
        rows.append(beam(translator, pairs, width, **ranking))
    return {"rows": rows}


def utilities(texts: Sequence[str], utility: Callable[[str, str], float]) -> Tensor:
    """u (N, N): what text i is worth where text j is right; equal texts are compared once."""
    place = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    table = torch.tensor([[utility(text, other) for other in place] for text in place])
    chosen = torch.tensor([place[text] for text in texts])
    return table[chosen][:, chosen]


def least_risk(worth: Tensor, candidates: int) -> int:
    """argmax_i 1/N Σ_j u_ij over the first candidates: minimum Bayes risk (Kumar and Byrne 2004;
    with samples, Eikema and Aziz 2020)."""
    return int(worth[:candidates, :candidates].mean(1).argmax())


def samples(translator: Translator, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Of every temperature: single samples, the most probable of all, and those of least risk."""
    decode, rows = translator.tgt_vocabulary.decode, []
    sources = [pair.src for pair in pairs]
    for temperature in TEMPERATURES:
        how: dict[str, Any] = {"samples": max(CANDIDATES), "temperature": temperature}
        how["generator"] = torch.Generator().manual_seed(1)
        drawn = search(translator, sources, sample_search, max(CANDIDATES), **how)
        texts = [[decode(one.tokens) for one in some] for some in drawn]
        single = [measured(translator, pairs, [some[n] for some in drawn]) for n in range(4)]
        likely = [max(some, key=lambda one: one.log_prob) for some in drawn]
        worth = {
            name: [utilities(some, utility) for some in texts]
            for name, utility in UTILITIES.items()
        }
        chosen = []
        for name, n in itertools.product(UTILITIES, CANDIDATES):
            best = [some[least_risk(u, n)] for some, u in zip(drawn, worth[name])]
            written = [decode(one.tokens) for one in best]
            chrf = corpus_chrf(written, [pair.tgt for pair in pairs])
            row = {"utility": name, "candidates": n, **measured(translator, pairs, best)}
            chosen.append(row | {"chrf": round(chrf, 2)})
        rows.append(
            {
                "temperature": temperature,
                "single": single,
                "distinct": round(sum(len(set(some)) for some in texts) / len(texts), 2),
                "most probable": measured(translator, pairs, likely),
                "least risk": chosen,
            }
        )
    return {"rows": rows}


PARTS = {"widths": widths, "samples": samples}


# The record -------------------------------------------------------------------------------------


def sample(pairs: Sequence[Pair]) -> list[Pair]:
    """Some of the pairs, always the same, the short ones first, so that neighbours pad less."""
    chosen = random.Random(0).sample(range(len(pairs)), min(SAMPLE, len(pairs)))
    return [pairs[i] for i in sorted(chosen, key=lambda i: (len(pairs[i].src), i))]


def run(out: Path, part: str, seed: int) -> dict[str, Any]:
    corpus = records.corpus_or_exit("multi30k-de-en")
    preset = like(DEFAULT_PRESETS["full"], seed=seed)
    translator, _ = multi30k.train(corpus, preset, out / f"full-{seed}")
    translator.model.eval()
    return {
        "command": f"python -m studies.search_sweep --parts {part}",
        **records.circumstances("fp32", "torch", "tokenizers"),
        **PARTS[part](translator, sample(corpus.valid)),
    }


def header() -> dict[str, Any]:
    return {
        "what": "A translator of Multi30k German-English, of the preset full, searched by beams "
        "of many widths and sampled, for chapter 8. BLEU (13a, cased) and length of a sample of "
        "the validation split; log_prob is the mean of log P(Y), in nats. Translations may have "
        "2 S + 10 pieces for a source of S.",
        "command": "python -m studies.search_sweep",
        "corpus": "multi30k-de-en",
        "split": "valid",
        "sentences": SAMPLE,
    }


def series(out: Path) -> runner.Series:
    axes = {"part": list(PARTS)}
    return runner.Series("08_multi30k", axes, partial(run, out), header, seeds=(1,))


def main() -> None:
    out = runner.option("--out", type=Path, default=Path("runs/multi30k"))
    runner.main(__doc__, series, out, say="{part}: done".format_map)


if __name__ == "__main__":
    main()
