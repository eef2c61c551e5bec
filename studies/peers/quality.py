"""attnlib, OpenNMT-py, Joey NMT and d2l trained for the same minutes, and scored in the same way.

    python -m studies.peers.quality                         # everything, an hour of a quiet core
    python -m studies.peers.quality --only "joey, its own"  # one training

Multi30k de→en, raw text in and out, test_2016_flickr, sacreBLEU 13a, cased; the checkpoint with
the best greedy BLEU on the validation split, of three at equal parts of the time. Minutes are the
processor's, of one thread, in fp32 (the peers have nothing else on a processor), without reading
the corpus, validating and saving. All read and write the same 4,000 pieces. Each program is
trained by its own trainer and translates by its own search, beam 5 and greedy; ``recipes`` has
its settings. One training at a time: each writes its row into data/results/quality.json
and is kept, so that this can be stopped at any time; only the training it was at begins anew.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from attnlib.data import Corpus, SubwordVocabulary
from attnlib.translator import DEFAULT_PRESETS

from .. import machine, records
from . import recipes
from .__main__ import RESULTS, write
from .children import OURS, PEERS, ROOT, ChildError

#: name of a row → program, recipe
ROWS = {
    "attnlib": ("attnlib", recipes.QUICK),
    **{
        f"{program}, {recipe}": (program, recipe)
        for program in ("opennmt", "joey")
        for recipe in (recipes.OWN, recipes.QUICK)
    },
    "d2l, its own": ("d2l", recipes.OWN),
}
SETTINGS: dict[str, Callable[..., recipes.Settings]] = {
    "attnlib": lambda recipe, text, folder, updates, seed: {"seed": seed},
    "opennmt": recipes.opennmt,
    "joey": recipes.joey,
    "d2l": recipes.d2l,
}
#: beam → name of its BLEU; the book has no other search than greedy
BEAMS = {1: "test greedy", 5: "test beam 5"}
GREEDY = ("d2l",)
CALIBRATION = 0.4  # minutes
WHAT = """Trainings on Multi30k German-English for the same minutes of one thread, fp32. BLEU is
sacreBLEU's, 13a and cased, of raw text in and detokenised text out; test is test_2016_flickr. The
checkpoint was chosen on the validation split, greedily. lstm_gflops is the best rate of nn.LSTM
right before and after a training: how fast the core was."""


def pieces(text: Path, corpus: Corpus) -> SubwordVocabulary:
    """Write the corpus as all programs read it, and return the pieces, those of ``quick``.

    SPLIT.de and SPLIT.en have a space between pieces, SPLIT.raw is German as it is; pieces.de,
    pieces.en and pieces are those that occur in a side of the training split and in both, the most
    frequent first. No piece is itself white space, which would be read as none.
    """
    sides = [pair.src for pair in corpus.train], [pair.tgt for pair in corpus.train]
    vocabulary = SubwordVocabulary.build(
        [*sides[0], *sides[1]], DEFAULT_PRESETS["quick"].subwords or 4000
    )
    text.mkdir(parents=True, exist_ok=True)
    counts: dict[str, Counter[str]] = {"de": Counter(), "en": Counter()}
    for split in ("train", "valid", "test"):
        pairs = getattr(corpus, split)
        lines(text / f"{split}.raw", (pair.src for pair in pairs))
        for language, sentences in (
            ("de", [pair.src for pair in pairs]),
            ("en", [pair.tgt for pair in pairs]),
        ):
            split_up = [vocabulary.tokenize(sentence) for sentence in sentences]
            lines(text / f"{split}.{language}", map(" ".join, split_up))
            if split == "train":
                counts[language].update(piece for line in split_up for piece in line)
    counts[""] = counts["de"] + counts["en"]
    for language, count in counts.items():
        name = f"pieces.{language}" if language else "pieces"
        lines(text / name, (piece for piece, _ in count.most_common()))
    return vocabulary


def lines(path: Path, content: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in content), encoding="utf-8")


def bleu(found: Sequence[str], vocabulary: SubwordVocabulary, references: Sequence[str]) -> float:
    """sacreBLEU of translations in pieces, a line each, with two decimals.

    >>> made = SubwordVocabulary.build(["two men walk in the snow"], size=40)
    >>> bleu([" ".join(made.tokenize("Two men walk in."))], made, ["Two men walk in."])
    100.0
    """
    from sacrebleu.metrics import BLEU

    if len(found) != len(references):
        raise ChildError(f"{len(found)} translations of {len(references)} sentences")
    texts = [vocabulary.detokenize(line.split(" ")) for line in found]
    return round(BLEU().corpus_score(texts, [list(references)]).score, 2)


class Run:
    """One program with one recipe: a folder, what was trained there, what it translates."""

    def __init__(self, row: str, seed: int, out: Path, minutes: float) -> None:
        self.program, self.recipe = ROWS[row]
        self.row, self.seed, self.minutes, self.out = row, seed, minutes, out
        self.folder = out / f"{row.replace(', ', '-').replace(' ', '-')}-{seed}-{minutes:g}"

    def child(self, folder: Path, *job: str) -> None:
        """A process of ``trainer``; what it says goes into a file."""
        python = sys.executable if self.program in OURS else str(PEERS)
        threads = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        command = [python, "-W", "ignore", "-m", f"{__package__}.trainer", job[0], str(folder)]
        with (folder / f"{job[0]}.log").open("w", encoding="utf-8") as log:
            done = subprocess.run(
                [*command, *job[1:]],
                cwd=ROOT,
                env={**os.environ, **threads},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        if done.returncode:
            output = Path(log.name).read_text(encoding="utf-8").strip() or "it said nothing"
            raise ChildError(f"{self.row} ended with code {done.returncode}: {output[-600:]}")

    def trained(self, folder: Path, minutes: float, parts: int, updates: int) -> dict[str, Any]:
        """What became of a training, which is begun anew where it was stopped."""
        done = folder / "trained.json"
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            text = self.out / "text"
            settings = SETTINGS[self.program](self.recipe, text, folder, updates, self.seed)
            job = {
                "program": self.program,
                "settings": settings,
                "minutes": minutes,
                "parts": parts,
                "text": str(text),
            }
            (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
            self.child(folder, "train")
        found: dict[str, Any] = json.loads(done.read_text(encoding="utf-8"))
        return found

    def updates(self) -> int:
        """How many fit into the minutes: a schedule that ends has to know before. A little less
        than a short training says, for one that has ended loses less than one that has not."""
        if self.program in OURS or self.recipe == recipes.OWN:
            return 0
        short = self.trained(Path(f"{self.folder}-rate"), CALIBRATION, 1, 10_000)["marks"][0]
        return int(0.95 * short["update"] * self.minutes / short["minutes"])

    def translated(self, checkpoint: str, split: str, beam: int) -> list[str]:
        done = self.folder / f"{split}-{beam}-{checkpoint}.txt"
        if not done.exists():
            self.child(self.folder, "translate", checkpoint, split, str(beam))
        return done.read_text(encoding="utf-8").split("\n")[:-1]

    def result(self, corpus: Corpus, vocabulary: SubwordVocabulary) -> dict[str, Any]:
        """Train, choose a checkpoint on the validation split, score the test split."""
        updates = self.updates()
        found = self.trained(self.folder, self.minutes, 3, updates)
        valid, test = ([pair.tgt for pair in split] for split in (corpus.valid, corpus.test))
        for mark in found["marks"]:
            if "valid greedy" not in mark:
                texts = self.translated(mark["checkpoint"], "valid", 1)
                mark["valid greedy"] = bleu(texts, vocabulary, valid)
        best = max(found["marks"], key=lambda mark: mark["valid greedy"])
        scores = {
            name: bleu(self.translated(best["checkpoint"], "test", beam), vocabulary, test)
            for beam, name in BEAMS.items()
            if beam == 1 or self.program not in GREEDY
        }
        return {
            "program": self.program,
            "recipe": self.recipe,
            "seed": self.seed,
            "command": f"python -m studies.peers.quality --only {json.dumps(self.row)}"
            + f" --minutes {self.minutes:g} --seed {self.seed}",
            "date": records.today(),
            "machine": machine.describe(False),
            "parameters": found["parameters"],
            "lstm_gflops": found["lstm_gflops"],
            "scheduled_updates": updates or None,
            "marks": found["marks"],
            "best_update": best["update"],
            **scores,
        }


def versions() -> dict[str, str | None]:
    """Of the programs, asked where they are installed."""
    names = ["OpenNMT-py", "joeynmt", "d2l"]
    ask = f"from importlib.metadata import version; print(*map(version, {names}))"
    completed = subprocess.run(
        [str(PEERS), "-c", ask], capture_output=True, check=True, encoding="utf-8"
    )
    opennmt, joey, d2l = completed.stdout.split()
    return {
        "opennmt": opennmt,
        "joey": joey,
        "d2l": d2l,
        "attnlib": machine.commit(),
        "sacrebleu": version("sacrebleu"),
        "tokenizers": version("tokenizers"),
    }


def show(row: dict[str, Any]) -> str:
    """A line of the table.

    >>> show({"program": "joey", "recipe": "its own", "seed": 1, "parameters": 5_000_000,
    ...       "marks": [{"minutes": 9.0, "update": 50, "valid greedy": 8.0}],
    ...       "test greedy": 7.0, "test beam 5": 7.5})
    '| joey, its own | 1 | 5.00 M | 9.0 | 50 | 8.00 | 7.00 | 7.50 |'
    """
    last, best = row["marks"][-1], max(mark["valid greedy"] for mark in row["marks"])
    scores = (best, row["test greedy"], row.get("test beam 5", float("nan")))
    cells = [f"{row['program']}, {row['recipe']}", row["seed"], f"{row['parameters'] / 1e6:.2f} M"]
    cells += [f"{last['minutes']:.1f}", last["update"], *(f"{score:.2f}" for score in scores)]
    return "| " + " | ".join(map(str, cells)) + " |"


def kept(path: Path, minutes: float) -> list[dict[str, Any]]:
    """The rows of a file that were trained for these minutes."""
    if not path.exists():
        return []
    before = json.loads(path.read_text(encoding="utf-8"))
    return before["results"] if before["minutes"] == minutes else []


def merged(rows: Sequence[dict[str, Any]], row: dict[str, Any]) -> list[dict[str, Any]]:
    """With a new row, in the place of an older one of the same program, recipe and seed."""

    def name(row: dict[str, Any]) -> tuple[Any, ...]:
        return row["program"], row["recipe"], row["seed"]

    order = list(ROWS.values())
    others = [old for old in rows if name(old) != name(row)]
    return sorted([*others, row], key=lambda row: (order.index(name(row)[:2]), row["seed"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=list(ROWS), default=list(ROWS))
    parser.add_argument("--minutes", type=float, default=6.0, help="what quick takes in fp32")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "runs" / "peers")
    parser.add_argument("--results", type=Path, default=RESULTS / "quality.json")
    args = parser.parse_args()
    if not PEERS.exists():
        sys.exit("the peers are not installed: make bench does that")
    corpus = records.corpus_or_exit("multi30k-de-en")
    vocabulary = pieces(args.out.resolve() / "text", corpus)
    head = ["program, recipe", "seed", "parameters", "minutes", "updates", "valid greedy"]
    head += ["test greedy", "test beam 5"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|", flush=True)
    for name in args.only:
        run = Run(name, args.seed, args.out.resolve(), args.minutes)
        row = run.result(corpus, vocabulary)
        print(show(row), flush=True)
        rows = merged(kept(args.results, args.minutes), row)
        record = {
            "what": " ".join(WHAT.split()),
            "command": "python -m studies.peers.quality",
            "date": records.today(),
            "minutes": args.minutes,
            "versions": versions(),
            "machine": machine.describe(False),
            "results": rows,
        }
        write(args.results, record)


if __name__ == "__main__":
    try:
        main()
    except ChildError as problem:
        sys.exit(f"stopped: {problem}")
