"""What the exact stopping rule costs, and what a search spends outside the model.

    python -m studies.search_speed                    # of the translator that comes along
    python -m studies.search_speed --model DIR        # or of one that train made

One thread; processor time, so that others' work does not count; the searches take turns, and a
ratio is that of one round. "Necessary" is the share of the prefixes expanded by a search whose
bound is at least the score that won in the end: every exact rule must expand these.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attnlib.data import EOS, Pair, batches_by_length, pad
from attnlib.metrics import corpus_bleu
from attnlib.model import evaluating
from attnlib.search import Hypothesis, beam_search, greedy_search
from attnlib.translator import Translator

from . import records
from .import_time import machine

BATCH, BEAM, BASE = 128, 5, "beam, α = 1, current_length"
OURS = Path(__file__).parents[1] / "data" / "de-en"
Limit = Callable[[int], int]  # source tokens with the end → max_length


class Way(NamedTuple):
    """One way to search."""

    limit: Limit
    options: dict[str, Any] | None  # of beam_search; None: greedy
    endless: bool = False  # nothing ends before max_length: the same work for every program


class Run(NamedTuple):
    """What one pass over all sentences took and found."""

    seconds: float
    in_step: float  # of these, in the model's step
    prefixes: int  # expanded
    found: list[Hypothesis]


def usual(n: int) -> int:
    return 2 * n + 10  # of a translator that learnt no limit


def ways(learnt: Limit) -> dict[str, Way]:
    alpha: dict[str, Any] = {"alpha": 1.0, "penalty": "power"}
    return {
        BASE: Way(usual, {**alpha, "stop": "current_length"}),
        "beam, α = 1, exact": Way(usual, alpha),
        "the same, the limit that was learnt": Way(learnt, alpha),
        "current_length, that limit": Way(learnt, {**alpha, "stop": "current_length"}),
        "beam, α = 0, exact": Way(usual, {}),
        "greedy": Way(usual, None),
        "beam, 30 steps": Way(lambda n: 30, {**alpha, "stop": "never"}, endless=True),
        "greedy, 30 steps": Way(lambda n: 30, None, endless=True),
    }


def search(translator: Translator, sources: Sequence[list[int]], way: Way) -> Run:
    """All sentences, encoded outside the clock."""
    model, found = translator.model, {}
    seconds, in_step, prefixes = 0.0, 0.0, 0

    def step(tokens: Tensor, memory: Any, state: Any) -> Any:
        nonlocal in_step, prefixes
        prefixes += tokens.numel()
        began = time.process_time()
        result = model.step(tokens, memory, state)
        if way.endless:
            result[0][..., EOS] = -1e4
        in_step += time.process_time() - began
        return result

    with evaluating(model), torch.no_grad():
        for rows in batches_by_length([len(source) for source in sources], BATCH):
            memory = model.encode(*pad([[*sources[i], EOS] for i in rows]))
            start = (step, memory, model.decoder.start(memory))
            limits = [way.limit(len(sources[i]) + 1) for i in rows]
            began = time.process_time()
            if way.options is None:
                answers = greedy_search(*start, max_length=limits)
            else:
                answers = beam_search(*start, max_length=limits, beam_size=BEAM, **way.options)
            seconds += time.process_time() - began
            found |= {i: hypotheses[0] for i, hypotheses in zip(rows, answers)}
    return Run(seconds, in_step, prefixes, [found[i] for i in range(len(sources))])


def necessary(translator: Translator, sources: Sequence[list[int]], way: Way) -> float:
    """The share of the prefixes of a search that can still win against what wins in the end."""
    needed, expanded, model = 0, 0, translator.model
    with evaluating(model), torch.no_grad():
        for rows in batches_by_length([len(source) for source in sources], BATCH):
            memory = model.encode(*pad([[*sources[i], EOS] for i in rows]))
            limits = [way.limit(len(sources[i]) + 1) for i in rows]
            nodes: list[dict[str, Any]] = []
            start = (model.step, memory, model.decoder.start(memory))
            given: dict[str, Any] = {"max_length": limits, "beam_size": BEAM, **(way.options or {})}
            won = [found[0].score for found in beam_search(*start, trace=nodes.append, **given)]
            last = [0] * len(rows)
            for node in nodes:
                last[node["sentence"]] = max(last[node["sentence"]], node["step"])
            for node in nodes:
                b, told = node["sentence"], node["status"]
                if told == "live" and node["step"] < last[b]:
                    expanded += 1
                    needed += node["log_prob"] / limits[b] >= won[b]  # "power" with α = 1
    return needed / expanded


def report(translator: Translator, pairs: Sequence[Pair], rounds: int) -> None:
    every = ways(translator.limit.tokens)
    sources = [translator.src_vocabulary.encode(pair.src) for pair in pairs]
    runs: dict[str, list[Run]] = {name: [] for name in every}
    for _ in range(rounds):
        for name, way in every.items():
            runs[name].append(search(translator, sources, way))
    print(f"{machine()}; {torch.backends.cpu.get_cpu_capability()}; one thread")
    print(f"{len(pairs)} sentences, batches of {BATCH}, beam {BEAM}; median of {rounds} rounds")
    print(f"{'':<36} sentences/s   time  prefixes  in the step   BLEU  as exact")
    exact = runs["beam, α = 1, exact"][0]
    for name, own in runs.items():
        pace = statistics.median(len(pairs) / run.seconds for run in own)
        ratio = statistics.median(a.seconds / b.seconds for a, b in zip(own, runs[BASE]))
        prefixes = own[0].prefixes / runs[BASE][0].prefixes
        inside = statistics.median(run.in_step / run.seconds for run in own)
        texts = [translator.tgt_vocabulary.decode(h.tokens) for h in own[0].found]
        bleu = corpus_bleu(texts, [pair.tgt for pair in pairs]).score
        same = sum(a.tokens == b.tokens for a, b in zip(own[0].found, exact.found))
        quality = "" if every[name].endless else f"{bleu:6.2f} {same:9}"
        print(f"{name:<36} {pace:11.1f} {ratio:6.2f} {prefixes:9.2f} {inside:12.0%} {quality}")
    share = necessary(translator, sources, every["beam, α = 1, exact"])
    print(f"necessary: {share:.1%} of the prefixes that the exact rule expands")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    model = "the folder of a translator (data/de-en)"
    parser.add_argument("--model", type=Path, default=OURS, metavar="DIR", help=model)
    parser.add_argument("--corpus", default="multi30k-de-en")
    parser.add_argument("--sentences", type=int, default=200, help="of the validation split (200)")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    torch.set_num_threads(1)
    translator = Translator.load(given.model, "cpu")
    report(translator, records.corpus_or_exit(given.corpus).valid[: given.sentences], given.rounds)


if __name__ == "__main__":
    main()
