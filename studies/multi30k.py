"""Multi30k German → English: the presets "quick" and "full", and other models at their budgets.

    python -m studies.multi30k                            # quick: about three minutes with bf16
    python -m studies.multi30k --preset full --seeds 1 2  # about 25 minutes a seed, too
    python -m studies.multi30k --record data/runs/10_multi30k.json  # for chapter 10

    python -m studies.multi30k --models all --seeds 1 2 3 --record data/runs/10_models.json
    python -m studies.multi30k --preset full --models transformer --seeds 1 2 3 \\
        --record data/runs/10_models.json

The second two compare the models of models.py, with OMP_NUM_THREADS=1: 24 runs of 3 to 6 minutes of
one thread with bf16, two at a time on two cores (measured; AMD EPYC, no AMX), one or two more for
measuring each, and three of an hour and nine minutes to measure each, beside another of its kind.
models.py tells of the trials of the Transformer's settings.

Raw text in, detokenised text out, test_2016_flickr, sacreBLEU 13a. Everything that was chosen
(settings, best update, length penalty) was chosen on the validation split. A run that was
interrupted goes on where it stopped; one that is complete is only evaluated. Quality depends on
the updates, not on how busy the machine is; the minutes do. --record adds the runs to a JSON file,
each with its command, settings, versions, machine, date, learning curve, and what was measured on
all four test sets. A run that the file has with the same settings is not made again; with others it
is replaced.
"""

import argparse
import dataclasses
import itertools
import platform
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import sacrebleu
import torch
from sacrebleu.metrics import BLEU, CHRF

from attnlib.data import Corpus, Pair
from attnlib.device import best_device, choose_precision, seed_everything
from attnlib.training import History, fit
from attnlib.translator import (
    CHECKPOINT_FILE,
    Checkpoint,
    LengthLimit,
    Preset,
    Translator,
    make_batches,
    make_vocabularies,
    read_json,
    train_translator,
)

from . import models, records

WHAT = """Trainings on Multi30k German-English, recorded for chapter 10. BLEU and chrF are
sacreBLEU's, of raw text in and detokenised text out; test is test_2016_flickr; "by length" is the
BLEU of the four test sets together, by the words of the source; losses are nats per piece, the
training loss label-smoothed. Nothing was chosen on a test set."""
TESTS = ("test", "test_2017_flickr", "test_2017_mscoco", "test_2018_flickr")
LENGTHS = ((1, 7), (8, 9), (10, 12), (13, 15), (16, 99))  # source words, cut at white space
SEARCHES = {"greedy": 1, "beam 5": 5}
Texts = Mapping[tuple[str, str], list[str]]  # split and search → translations


# Training ---------------------------------------------------------------------------------------


def train(
    corpus: Corpus,
    preset: Preset,
    folder: Path,
    name: str = "quick",
    model: str = "general",
    **options: Any,
) -> tuple[Translator, History]:
    """Train a model into a folder by a preset, or go on there; ``name`` is the preset's.

    What ``train_translator`` does, with a model that it could not make, or with ``options`` of
    ``fit`` that it does not have.
    """
    resume = (folder / CHECKPOINT_FILE).is_file()
    if model == "general" and not options:
        return train_translator(corpus, preset, folder, resume=resume)
    make, seed = models.maker(model, name, preset), preset.recipe.seed
    src, tgt = make_vocabularies(corpus, preset.subwords)
    seed_everything(seed)
    made = make(len(src)).to(best_device())
    batches, valid = make_batches(corpus, src, tgt, preset.batch_tokens, seed)
    translator = Translator(made, src, tgt, limit=LengthLimit.learn(batches.lengths))
    history = fit(
        made,
        batches,
        preset.recipe,
        valid=valid,
        score=lambda _: translator.bleu(corpus.valid, 1),
        checkpoint=Checkpoint(folder, resume=resume),
        **options,
    )
    return translator, history


# Measuring --------------------------------------------------------------------------------------


def score(metric: BLEU | CHRF, texts: list[str], pairs: list[Pair]) -> float:
    """What sacreBLEU says of translations, with one decimal more than it deserves."""
    return round(metric.corpus_score(texts, [[pair.tgt for pair in pairs]]).score, 2)


def translations(translator: Translator, corpus: Corpus, splits: tuple[str, ...]) -> Texts:
    """Every split, translated with every search."""

    def texts(split: str, beam: int) -> list[str]:
        found = translator.translate(
            [pair.src for pair in corpus.split(split)], beam, single_sentence=True
        )
        return [translation.text for translation in found]

    both = itertools.product(splits, SEARCHES)
    return {(split, search): texts(split, SEARCHES[search]) for split, search in both}


def figures(texts: Texts, corpus: Corpus) -> dict[str, float]:
    """What is measured of every trained translator: name → BLEU."""
    found = {
        f"{split} {search}": score(BLEU(), texts[split, search], corpus.split(split))
        for split in ("valid", "test")
        for search in SEARCHES
    }
    lowercased = score(BLEU(lowercase=True), texts["test", "beam 5"], corpus.test)
    return found | {"test beam 5, lowercased": lowercased}


def on_test_sets(texts: Texts, corpus: Corpus) -> dict[str, Any]:
    """Of every search, BLEU and chrF of each test set, and BLEU of all of them by length."""
    pairs = [pair for split in TESTS for pair in corpus.split(split)]
    lengths = [len(pair.src.split()) for pair in pairs]
    chosen = [[i for i, n in enumerate(lengths) if low <= n <= high] for low, high in LENGTHS]
    found: dict[str, Any] = {"sentences by length": [len(rows) for rows in chosen]}
    for search in SEARCHES:
        parts = {split: (texts[split, search], corpus.split(split)) for split in TESTS}
        every = [text for part, _ in parts.values() for text in part]
        found[search] = {
            "bleu": {split: score(BLEU(), *part) for split, part in parts.items()},
            "chrf": {split: score(CHRF(), *part) for split, part in parts.items()},
            "bleu by length": [
                score(BLEU(), [every[i] for i in rows], [pairs[i] for i in rows]) if rows else None
                for rows in chosen
            ],
        }
    return found


def signature() -> str:
    """sacreBLEU's signature of the cased figures; it knows itself only after a first score."""
    metric = BLEU()
    metric.corpus_score(["one"], [["one"]])
    return str(metric.get_signature())


# The record -------------------------------------------------------------------------------------


def read(file: Path | None) -> dict[tuple[str, str, int], dict[str, Any]]:
    """The runs of a file by preset, model and seed; older ones are of the presets' own model."""
    runs = read_json(file)["runs"] if file and file.is_file() else []
    return {(run["preset"], run.setdefault("model", "general"), run["seed"]): run for run in runs}


def save(file: Path, run: dict[str, Any]) -> None:
    """Add a run, in place of an older one of its preset, model and seed."""
    runs = read(file) | {(run["preset"], run["model"], run["seed"]): run}
    names, kinds = list(models.PRESETS), list(models.WHAT)
    order = sorted(runs, key=lambda key: (names.index(key[0]), kinds.index(key[1]), key[2]))
    head: dict[str, Any] = {"what": " ".join(WHAT.split()), "lengths": LENGTHS}
    if any(model == "transformer" for _, model, _ in runs):
        head["the Transformer's settings"] = " ".join(models.TRIALS.split())
    records.save(file, head, [runs[key] for key in order])


def settings(name: str, model: str, seed: int) -> Preset:
    """How a model is trained at a budget, with a seed."""
    return models.like(models.settings(model, models.PRESETS[name]), seed=seed)


def folder_of(out: Path, name: str, model: str, seed: int) -> Path:
    """Where a training lies: one of the presets' own model bears no model's name."""
    kind = [] if model == "general" else [model.replace(" ", "-")]
    return out / "-".join([name, *kind, str(seed)])


def run(
    corpus: Corpus, name: str, model: str, seed: int, out: Path, file: Path | None
) -> dict[str, Any]:
    """One run: the file's where it has it, else it is trained, measured, and added there."""
    preset = settings(name, model, seed)
    before = read(file).get((name, model, seed))
    if before and before["settings"] == dataclasses.asdict(preset) and "test sets" in before:
        return before
    folder = folder_of(out, name, model, seed)
    translator, history = train(corpus, preset, folder, name, model)
    texts = translations(translator, corpus, ("valid", *TESTS) if file else ("valid", "test"))
    ended = datetime.fromtimestamp((folder / CHECKPOINT_FILE).stat().st_mtime, timezone.utc)
    command = f"python -m studies.multi30k --preset {name} --models {model} --seeds {seed}"
    found: dict[str, Any] = {
        "preset": name,
        "model": model,
        "seed": seed,
        "what": models.WHAT[model],
        "command": f"{command} --record {file}",
        **records.circumstances(
            preset.recipe.precision, "torch", "tokenizers", "sacrebleu", device=best_device()
        ),
        "date": ended.date().isoformat(),
        "settings": dataclasses.asdict(preset),
        "shape": models.shape(model, name, preset),
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "minutes": round(history.seconds / 60, 1),
        "best update": history.best_update,
        "bleu": figures(texts, corpus),
        "signature": signature(),
        "curve": {
            "update": history.validated_at,
            "train loss": [round(loss, 3) for loss in history.train_loss],
            "valid loss": [round(loss, 3) for loss in history.valid_loss],
            "valid bleu, greedy": [round(value, 2) for value in history.score],
        },
    }
    if file:
        found["test sets"] = on_test_sets(texts, corpus)
        save(file, found)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--preset", choices=list(models.PRESETS), default="quick")
    parser.add_argument("--models", choices=[*models.WHAT, "all"], nargs="+", default=["general"])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--out", type=Path, default=Path("runs/multi30k"))
    parser.add_argument("--record", type=Path, metavar="FILE", help="add the runs to a JSON file")
    args = parser.parse_args()
    corpus = records.corpus_or_exit("multi30k-de-en")
    preset, device = models.PRESETS[args.preset], best_device()
    print(
        f"{platform.system()} {platform.machine()}, {device.type}, {torch.get_num_threads()} "
        f"threads, {choose_precision(preset.recipe.precision, device)}, torch {torch.__version__}, "
        f"sacrebleu {sacrebleu.__version__}"
    )
    print(f"preset {args.preset}: {preset}\n")
    chosen = models.COMPARED if "all" in args.models else args.models
    every = itertools.product(args.seeds, chosen)
    head = ["model", "seed", "updates", "best", "minutes", "valid greedy", "valid beam 5"]
    head += ["test greedy", "test beam 5", "test beam 5, lowercased"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for seed, model in every:
        one = run(corpus, args.preset, model, seed, args.out, args.record)
        row = [model, seed, one["curve"]["update"][-1], one["best update"], one["minutes"]]
        row += [f"{found:.2f}" for found in one["bleu"].values()]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
    print(f"\n{signature()}")


if __name__ == "__main__":
    main()
