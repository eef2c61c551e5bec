"""One training that is ended several times, and the mean of the weights with which it ended.

    python -m studies.endings                            # data/runs/10_endings.json
    python -m studies.endings --seeds 1 2 3 4 5 6 --out runs/six

Multi30k German → English by the preset "full", raw text in, detokenised text out,
test_2016_flickr, sacreBLEU 13a. The first two thirds of the updates, the trunk, are made once. The
last third, in which the learning rate falls to nearly nothing, is made once for every seed, from
the same weights and moments but with other batches and other dropout. The endings stay near enough
to each other that the mean of their weights is a translator too (a "soup": Wortsman et al. 2022).
To translate with it costs no more than with each of them; the record keeps what it, each of them,
and all of them together are worth.

Two processes of one thread work side by side. Whatever is complete is not made again. --taught
names folders that distil.py's ``teach`` wrote, to be learned in place of the human translations or
beside them (--targets).
"""

import argparse
import copy
import dataclasses
import itertools
import multiprocessing
import shlex
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import torch

from attnlib.data import Corpus
from attnlib.training import History
from attnlib.translator import (
    CARD_FILE,
    CHECKPOINT_FILE,
    DEFAULT_PRESETS,
    Preset,
    Translator,
    read_json,
    read_tensors,
    train_translator,
    write_json,
    write_tensors,
)

from . import distil, records
from .models import like
from .multi30k import signature

SHARE = 2 / 3  # of the updates, made once
WHAT = """A training on Multi30k German-English that was ended several times from one place, and the
mean of the weights. BLEU is sacreBLEU's (13a, cased), of raw text in and detokenised text out; test
is test_2016_flickr; one thread a process. Nothing was chosen on the test split.""".replace(
    "\n", " "
)


def trunk_of(preset: Preset) -> Preset:
    """The first two thirds of a preset's training: the learning rate falls no further than there.

    >>> short = trunk_of(DEFAULT_PRESETS["full"]).recipe
    >>> short.updates, round(short.final_rate, 3)  # 1 - .98 * 2 / 3
    (6000, 0.347)
    """
    recipe = preset.recipe
    if recipe.updates is None:
        raise ValueError("endings need a number of updates, not minutes")
    updates = round(recipe.updates * SHARE)
    rate = 1 - (1 - recipe.final_rate) * updates / recipe.updates
    return like(preset, updates=updates, final_rate=rate)


def branch(trunk: Path, out: Path, preset: Preset) -> None:
    """Lay the trunk's checkpoint where an ending begins, under that ending's recipe."""
    recipe = dataclasses.asdict(preset.recipe)
    card = read_json(trunk / CARD_FILE)
    card["about"]["recipe"] = recipe
    tensors, about = read_tensors(trunk / CHECKPOINT_FILE)
    about["identity"].update(recipe)
    about["identity"]["batches"]["seed"] = preset.recipe.seed
    about["history"]["best_score"] = History().best_score  # an ending keeps what it wrote itself
    write_json(out / CARD_FILE, card)
    write_tensors(out / CHECKPOINT_FILE, tensors, about)


def train_trunk(corpus: Corpus, preset: Preset, out: Path) -> History:
    """What all endings begin with, or what is still missing of it."""
    folder = out / "trunk"
    resume = (folder / CHECKPOINT_FILE).is_file()
    return train_translator(corpus, trunk_of(preset), folder, resume=resume)[1]


def train_ending(corpus: Corpus, preset: Preset, out: Path) -> History:
    """One ending, from where the trunk stands or from where it was stopped."""
    folder = out / f"ending-{preset.recipe.seed}"
    if not (folder / CHECKPOINT_FILE).is_file():
        branch(out / "trunk", folder, preset)
    return train_translator(corpus, preset, folder, resume=True)[1]


@torch.no_grad()
def mean(translators: Sequence[Translator]) -> Translator:
    """A translator like all of these, with the mean of their weights."""
    made = copy.deepcopy(translators[0])
    models = [dict(translator.model.named_parameters()) for translator in translators]
    for name, weight in made.model.named_parameters():
        weight.copy_(torch.stack([model[name] for model in models]).mean(0))
    return made


# The program ------------------------------------------------------------------------------------


def prepare(args: argparse.Namespace) -> tuple[Corpus, Preset]:
    """The corpus with the lessons to learn, and the preset to learn them by."""
    torch.set_num_threads(1)
    corpus, preset = records.corpus_or_exit(distil.CORPUS), DEFAULT_PRESETS["full"]
    if args.taught:
        corpus = distil.taught(corpus, args.taught, args.targets)
    if args.dropout is not None:
        preset = like(preset, dropout=args.dropout)
    return corpus, preset


def work(args: argparse.Namespace, seed: int) -> float:
    """One ending in a process of its own; the seconds of the whole run, its trunk included."""
    corpus, preset = prepare(args)
    return train_ending(corpus, like(preset, seed=seed), args.out).seconds


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("runs/endings"), metavar="DIR")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--dropout", type=float, help="in place of that of the preset")
    parser.add_argument("--taught", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--targets", choices=distil.TARGETS, default="nearest and human")
    file = records.path_of("10_endings")
    parser.add_argument("--record", type=Path, default=file, metavar="FILE")
    return parser


def main() -> None:
    args = make_parser().parse_args()
    lessons, preset = prepare(args)
    preset = like(preset, seed=args.seeds[0])
    before = train_trunk(lessons, preset, args.out).seconds
    context = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
    with ProcessPoolExecutor(2, context) as pool:
        seconds = list(pool.map(work, itertools.repeat(args), args.seeds))
    endings = [Translator.load(args.out / f"ending-{seed}") for seed in args.seeds]
    corpus, mixed = records.corpus_or_exit(distil.CORPUS), mean(endings)
    mixed.save(args.out / "mean")
    run = {
        "variant": "taught" if args.taught else "human",
        "command": shlex.join(["python", "-m", "studies.endings", *sys.argv[1:]]),
        "seeds": args.seeds,
        "teachers": [distil.about_lessons(folder)["teachers"] for folder in args.taught or ()],
        "pairs": len(lessons.train),
        "settings": dataclasses.asdict(preset),
        "updates before the endings": trunk_of(preset).recipe.updates,
        "parameters": sum(p.numel() for p in mixed.model.parameters()),
        "minutes": round((before + sum(s - before for s in seconds)) / 60, 1),
        **records.circumstances(None, "torch", "tokenizers", "sacrebleu"),
        "bleu": distil.figures(mixed, corpus),
        "endings": [distil.figures(ending, corpus) for ending in endings],
        "together": distil.figures(distil.Together(endings), corpus),
        "signature": signature(),
    }
    print(run)
    runs = records.read(args.record, ("command",)) | {(run["command"],): run}
    records.save(args.record, {"what": WHAT}, runs.values())


if __name__ == "__main__":
    main()
