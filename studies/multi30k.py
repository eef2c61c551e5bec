"""Multi30k German → English: the presets "quick" and "full", and other models at their budgets.

    python -m studies.multi30k                            # quick: about three minutes with bf16
    python -m studies.multi30k --preset full --seeds 1 2  # about 25 minutes a seed, too
    python -m studies.multi30k --record data/runs/10_multi30k.json  # for chapter 10

    python -m studies.multi30k --models all --seeds 1 2 3 --record data/runs/10_models.json
    python -m studies.multi30k --preset full --models transformer --seeds 1 2 3 \\
        --record data/runs/10_models.json

    python -m studies.multi30k --models "large batches" --seeds 0 \\
        --rates .001 .002 .004 .008 .016 --record data/runs/11_captions.json
    python -m studies.multi30k --preset full --models tiny --seeds 0 \\
        --rates .00125 .0025 .005 .01 --record data/runs/11_captions.json
    python -m studies.multi30k --preset full --models tiny "large batches" --seeds 1 2 3 \\
        --record data/runs/11_captions.json
    python -m studies.multi30k --preset published --models tiny --seeds 1 2 \\
        --record data/runs/11_captions.json

The second two compare the models of models.py, with OMP_NUM_THREADS=1: 24 runs of 3 to 6 minutes of
one thread with bf16, two at a time on two cores (measured; AMD EPYC, no AMX), one or two more for
measuring each, and three of an hour and nine minutes to measure each, beside another of its kind.
models.py tells of the trials of the Transformer's settings. The last four are trials of learning
rates, the tiny Transformer by its own recipe and the book's with large batches at the budget of
"full" (the same padded tokens in 1,318 updates), and the tiny one at the recipe's own budget, six
times as large: a minute and seven minutes a run on an H200, five processes at a time; on a
processor 43 minutes and about four hours.

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
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import sacrebleu
import torch
from sacrebleu.metrics import BLEU, CHRF
from torch import Tensor

from attnlib.data import Batches, Corpus, Pair
from attnlib.device import best_device, choose_precision, seed_everything
from attnlib.training import History, fit
from attnlib.translator import (
    BEST_FILE,
    CHECKPOINT_FILE,
    Checkpoint,
    LengthLimit,
    Preset,
    Translator,
    load_weights,
    make_batches,
    make_vocabularies,
    read_json,
    read_tensors,
    train_translator,
    write_tensors,
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
    averaged = models.AVERAGED.get(model, 0)
    src, tgt = make_vocabularies(corpus, preset.subwords)
    seed_everything(seed)
    made = make(len(src)).to(best_device())
    batches, valid = make_batches(corpus, src, tgt, preset.batch_tokens, seed)
    translator = Translator(made, src, tgt, limit=LengthLimit.learn(batches.lengths))
    ends = ends_of_epochs(batches, preset.recipe.updates or 0)[-averaged:] if averaged else []
    paths = {end: folder / f"epoch-{end}.safetensors" for end in ends}

    def keep(updates: int) -> None:
        if updates in paths:
            write_tensors(paths[updates], dict(made.named_parameters()))

    history = fit(
        made,
        batches,
        preset.recipe,
        valid=valid,
        score=lambda _: translator.bleu(corpus.valid, 1),
        checkpoint=Checkpoint(folder, resume=resume),
        after_update=keep,
        **options,
    )
    if paths:  # in the place of the best weights
        load_weights(made, mean_of_weights([*paths.values()]))
    return translator, history


def ends_of_epochs(batches: Batches, updates: int) -> list[int]:
    """The updates, up to so many, after which a whole number of epochs has been read."""
    ends = itertools.accumulate(len(batches.batch_indices(epoch)) for epoch in itertools.count())
    return list(itertools.takewhile(lambda end: end <= updates, ends))


def mean_of_weights(paths: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of several files of weights (checkpoint averaging: Vaswani et al. 2017, §6.1)."""
    kept = [read_tensors(path)[0] for path in paths]
    return {name: torch.stack([one[name] for one in kept]).mean(0) for name in kept[0]}


# Measuring --------------------------------------------------------------------------------------


def score(metric: BLEU | CHRF, texts: list[str], pairs: list[Pair]) -> float:
    """What sacreBLEU says of translations, with one decimal more than it deserves."""
    return round(metric.corpus_score(texts, [[pair.tgt for pair in pairs]]).score, 2)


def bleu(translator: Translator, pairs: list[Pair], beam: int) -> tuple[float, float]:
    """BLEU of a split, cased and lowercased."""
    found = translator.translate([pair.src for pair in pairs], beam, single_sentence=True)
    texts = [one.text for one in found]
    return score(BLEU(), texts, pairs), score(BLEU(lowercase=True), texts, pairs)


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


def of_best(translator: Translator, corpus: Corpus, folder: Path) -> dict[str, float]:
    """What is measured of the best single weights in a folder; the translator keeps its own."""
    model, best = translator.model, read_tensors(folder / BEST_FILE)[0]
    mean = {name: p.detach().clone() for name, p in model.named_parameters()}
    load_weights(model, best)
    found = figures(translations(translator, corpus, ("valid", "test")), corpus)
    load_weights(model, mean)
    return found


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


def save(
    file: Path, run: dict[str, Any] | None = None, trial: dict[str, Any] | None = None
) -> None:
    """Add a run, in place of an older one of its preset, model and seed, or a trial of a rate."""
    runs = read(file)
    if run:
        runs[run["preset"], run["model"], run["seed"]] = run
    names, kinds = list(models.PRESETS), list(models.WHAT)
    order = sorted(runs, key=lambda key: (names.index(key[0]), kinds.index(key[1]), key[2]))
    head: dict[str, Any] = {"what": " ".join(WHAT.split()), "lengths": LENGTHS}
    if any(model == "transformer" for _, model, _ in runs):
        head["the Transformer's settings"] = " ".join(models.TRIALS.split())
    if any(model == "tiny" for _, model, _ in runs):
        head["the tiny Transformer's settings"] = " ".join(models.PUBLISHED.split())
    if tried := trials(file) + ([trial] if trial else []):
        head["trials"] = tried
    records.save(file, head, [runs[key] for key in order])


def trials(file: Path) -> list[dict[str, Any]]:
    """The trials of learning rates that a file holds."""
    return list(read_json(file).get("trials", [])) if file.is_file() else []


def settings(name: str, model: str, seed: int, rate: float | None = None) -> Preset:
    """How a model is trained at a budget, with a seed, and with another rate where one is given."""
    return models.like(models.settings(model, name, models.PRESETS[name], rate), seed=seed)


def folder_of(out: Path, name: str, model: str, seed: int, rate: float | None = None) -> Path:
    """Where a training lies: one of the presets' own model bears no model's name."""
    kind = [] if model == "general" else [model.replace(" ", "-")]
    tried = [] if rate is None else [f"rate-{rate:g}"]
    return out / "-".join([name, *kind, *tried, str(seed)])


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
    single = {}
    if model in models.AVERAGED:  # the best weights, beside the mean of several
        single = {"bleu of the best single": of_best(translator, corpus, folder)}
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
        **single,
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


def try_rate(
    corpus: Corpus, name: str, model: str, seed: int, rate: float, out: Path, file: Path
) -> dict[str, Any]:
    """A training with another learning rate, of which only the end is kept, on the validation
    split: the file's where it has it.
    """
    which = {"preset": name, "model": model, "seed": seed, "learning rate": rate}
    for found in trials(file):
        if which.items() <= found.items():
            return found
    preset, folder = settings(name, model, seed, rate), folder_of(out, name, model, seed, rate)
    _, history = train(corpus, preset, folder, name, model)
    tried = which | {
        "updates": history.updates,
        "valid loss": round(history.valid_loss[-1], 3),
        "valid bleu, greedy": round(history.score[-1], 2),
        "minutes": round(history.seconds / 60, 1),
    }
    save(file, trial=tried)
    return tried


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--preset", choices=list(models.PRESETS), default="quick")
    parser.add_argument("--models", choices=[*models.WHAT, "all"], nargs="+", default=["general"])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--out", type=Path, default=Path("runs/multi30k"))
    parser.add_argument("--record", type=Path, metavar="FILE", help="add the runs to a JSON file")
    parser.add_argument("--rates", type=float, nargs="+", help="try learning rates, into the file")
    args = parser.parse_args()
    if args.rates and not args.record:
        parser.error("--rates needs --record")
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
    if args.rates:
        for (seed, model), rate in itertools.product(every, args.rates):
            where = args.out, args.record
            print(try_rate(corpus, args.preset, model, seed, rate, *where), flush=True)
        return
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
