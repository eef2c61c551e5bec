"""attnlib beside OpenNMT-py, Joey NMT and d2l: the same batches and sizes, in turn, in one run.

    python -m studies.peers               # everything, 15 to 35 minutes of a core
    python -m studies.peers --quick       # the main tables, about two minutes; not recorded
    python -m studies.peers --only training decoding
    python -m studies.peers --avx2        # as on a processor without AVX-512 and bf16

Multi30k de→en, words that occur at least twice, 128 pairs a batch by length, embedding 256, hidden
512, one layer, dropout .2, fp32, one thread; random weights. Each program is a process of its own,
and they work in turn, batch by batch: what else the machine does falls on all alike, so ratios can
be trusted and seconds cannot. The full form writes data/results/NAME.json, NAME-avx2.json
where that was asked for. README.md beside this file says what had to be worked around.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from .. import machine, records
from . import prepare, tables
from .children import PEERS, ROOT, ChildError, take_turns
from .program import Work
from .useful import update_flops

RESULTS = ROOT / "data" / "results"
GENERAL = ("attnlib", "opennmt", "joey")
#: name → programs, attnlib first, and what differs from the sizes above
Works: TypeAlias = dict[str, tuple[tuple[str, ...], dict[str, Any]]]
TRAINING: Works = {
    "general": (GENERAL, {}),
    "general, input feeding": (GENERAL, {"feeding": True}),
    "concat": (GENERAL, {"score": "concat"}),
    "additive, input feeding": (GENERAL, {"score": "additive", "feeding": True}),
    # d2l reads the state itself; attnlib's maxout is narrower so that both have as many numbers.
    "Bahdanau": (("attnlib", "d2l"), {"decoder": "bahdanau", "score": "additive", "output": 336}),
}
SCORES = ("dot", "scaled_dot", "general", "concat", "additive")


class Scale(NamedTuple):
    """How long a measurement is."""

    rounds: int
    batches: int  # a training round
    sources: int
    pairs: int  # of BLEU
    training: tuple[str, ...]  # tables
    feeding: tuple[bool, ...]  # of decoding: without and with
    tokenize: tuple[str, ...]  # of BLEU
    memory: tuple[str, ...]  # scores


FULL = Scale(7, 2, 100, 50_000, tuple(TRAINING), (False, True), ("none", "13a"), SCORES)
QUICK = Scale(3, 1, 50, 5_000, ("general", "general, input feeding"), (False,), ("none",), ())


class Bench(NamedTuple):
    """What all measurements are given."""

    scale: Scale
    avx2: bool
    folder: Path  # for what the children read

    def turns(self, job: str, programs: Any, rounds: list[list[int]], warm: Any = ()) -> Any:
        return take_turns(job, self.folder, programs, rounds, warm, self.avx2)


Result = dict[str, Any]


def training(bench: Bench) -> Iterator[Result]:
    """Updates: forward, loss, backward, clip, Adam."""
    scale, warm = bench.scale, [0, 1]
    rounds = [
        [len(warm) + turn * scale.batches + i for i in range(scale.batches)]
        for turn in range(scale.rounds)
    ]
    given = prepare.corpus(bench.folder, len(warm) + scale.rounds * scale.batches, 0)
    for name in scale.training:
        programs, options = TRAINING[name]
        work = Work(given.src_size, given.tgt_size, **options)
        jobs = {program: {"work": work._asdict()} for program in programs}
        # Its rounds are among the others', so that it meets the same neighbors.
        found = bench.turns("training", {**jobs, "lstm": {}}, rounds, warm)
        lengths = [[pair for number in each for pair in given.lengths[number]] for each in rounds]
        yield {
            "name": name,
            "unit": "tokens/s",
            "work": work._asdict(),
            "tokens": [given.tokens(each) for each in rounds],
            "lstm_gflops": round(
                max(each["flops_per_second"] for each in found["lstm"]["rounds"]) / 1e9, 1
            ),
            "first_loss": {p: round(found[p]["first"]["loss"][0], 2) for p in programs},
            "rows": tables.summary(
                found,
                [given.tokens(each) for each in rounds],
                [update_flops(work, each) for each in lengths],
            ),
        }


def decoding(bench: Bench) -> Iterator[Result]:
    """Exactly 30 steps for every sentence, greedy and beam 5."""
    given = prepare.corpus(bench.folder, 1, bench.scale.sources)
    everything = list(range(-(-bench.scale.sources // 50)))
    rounds = [everything] * max(3, bench.scale.rounds // 2)
    for feeding in bench.scale.feeding:
        work = Work(given.src_size, given.tgt_size, feeding=feeding)
        for name, beam in (("greedy", 1), ("beam 5", 5)):
            options = {"work": work._asdict(), "beam": beam, "steps": 30}
            found = bench.turns("decoding", dict.fromkeys(GENERAL, options), rounds, [0])
            for program, value in found.items():
                first = value["rounds"][0]
                if (first["shortest"], first["longest"]) != (30, 30):
                    raise ChildError(f"{program} did not take 30 steps everywhere: {first}")
            yield {
                "name": f"{name}, 30 steps" + (", input feeding" if feeding else ""),
                "unit": "sentences/s",
                "work": work._asdict(),
                "rows": tables.summary(found, [bench.scale.sources] * len(rounds)),
            }


def memory(bench: Bench) -> Iterator[Result]:
    """Peak memory of two updates with every score of attnlib, B = 128, S = T = 100, H = 512."""
    rows = []
    work = Work(7_900, 6_000)
    prepare.long_batch(bench.folder, work, 128, 100)
    for feeding in (False, True):
        for score in bench.scale.memory:
            this = work._replace(score=score, feeding=feeding)
            jobs = {"attnlib": {"work": this._asdict()}}
            found = bench.turns("training", jobs, [[0]], [0])["attnlib"]
            peak = max(each["peak_mib"] for each in (found["first"], *found["rounds"]))
            rows.append({"score": score, "input feeding": feeding, "peak_mib": round(peak)})
            rows[-1]["seconds"] = round(found["rounds"][0]["cpu"], 1)
    if rows:
        yield {"name": "B = 128, S = T = 100, H = 512", "work": work._asdict(), "rows": rows}


def bleu(bench: Bench) -> Iterator[Result]:
    """Corpus BLEU of pairs that are tokenised already, and of the same pairs by the rule 13a."""
    pairs = bench.scale.pairs
    prepare.texts(bench.folder, pairs)
    for tokenize in bench.scale.tokenize:
        jobs = dict.fromkeys(("attnlib", "sacrebleu"), {"tokenize": tokenize})
        found = bench.turns("bleu", jobs, [[]] * max(3, bench.scale.rounds // 2))
        scores = {round(each["rounds"][0]["score"], 9) for each in found.values()}
        if len(scores) > 1:
            raise ChildError(f"the programs disagree about BLEU: {scores}")
        rows = tables.summary(found, [pairs] * len(found["attnlib"]["rounds"]))
        yield {"name": f"{pairs:,} pairs, tokenize={tokenize}", "unit": "pairs/s", "rows": rows}


MEASURES: dict[str, Callable[[Bench], Iterator[Result]]] = {
    "training": training,
    "decoding": decoding,
    "memory": memory,
    "bleu": bleu,
}


def show(result: Result) -> str:
    """One result as a reader sees it."""
    if "unit" not in result:  # memory
        cells = ["score", "input feeding", "peak_mib", "seconds"]
        lines = ["| " + " | ".join(str(row[c]) for c in cells) + " |" for row in result["rows"]]
        head = "| " + " | ".join(cells) + " |\n" + "|---" * len(cells) + "|"
        return "\n".join([f"\n### {result['name']}\n", head, *lines])
    text = f"\n### {result['name']}\n\n" + tables.markdown(result["rows"], result["unit"])
    if "lstm_gflops" in result:
        text += f"\n\nbest rate of nn.LSTM: {result['lstm_gflops']} GFLOP/s"
        text += f"; first losses {result['first_loss']}"
    best = tables.best_peer(result["rows"])
    return text + f"\n\nratio to the best peer, {best['program']}: {best['ratio'].text(2)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="two minutes, nothing recorded")
    parser.add_argument("--avx2", action="store_true", help="imitate a processor with AVX2 alone")
    parser.add_argument("--only", nargs="+", choices=list(MEASURES), default=list(MEASURES))
    parser.add_argument("--results", type=Path, help="a folder for results (full: beside this)")
    args = parser.parse_args()
    if not PEERS.exists():
        sys.exit("the peers are not installed: make bench does that")
    folder = args.results or (None if args.quick else RESULTS)
    about = machine.describe(args.avx2)
    print(", ".join([about["processor"]["model"], *about["processor"]["flags"]]))
    print(f"imitated: {about['imitated'] or 'nothing'}; one thread; torch {about['torch']}")
    options = ["--quick"] * args.quick + ["--avx2"] * args.avx2
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(QUICK if args.quick else FULL, args.avx2, Path(scratch))
        for name in args.only:
            print(f"\n## {name}\n\n{MEASURES[name].__doc__}", flush=True)
            results = []
            for result in MEASURES[name](bench):
                print(show(result), flush=True)
                results.append(result)
                if folder:  # after each table: a program that is stopped has not worked in vain
                    record = {
                        "command": " ".join(["python -m studies.peers --only", name, *options]),
                        "date": records.today(),
                        "machine": about,
                        "results": results,
                    }
                    write(folder / (name + "-avx2" * args.avx2 + ".json"), record)


def write(path: Path, record: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(record, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except ChildError as problem:
        sys.exit(f"stopped: {problem}")
