"""Multi30k German → English: the BLEU of the presets "quick" and "full".

    python benchmarks/multi30k.py                            # quick: about three minutes with bf16
    python benchmarks/multi30k.py --preset full --seeds 1 2  # about 25 minutes a seed, too
    python benchmarks/multi30k.py --record data/runs/10_multi30k.json  # for chapter 10

Raw text in, detokenised text out, test_2016_flickr, sacreBLEU 13a. Everything that was chosen
(settings, best update, length penalty) was chosen on the validation split. A run that was
interrupted goes on where it stopped; one that is complete is only evaluated. Quality depends on
the updates, not on how busy the machine is; the minutes do. --record adds the runs to a JSON file,
each with its command, settings, versions, machine, date, figures and learning curve; a run of the
same preset and seed is replaced.
"""

import argparse
import dataclasses
import platform
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import records
import sacrebleu
import torch
from sacrebleu.metrics import BLEU

from attnlib.data import Pair, load_corpus
from attnlib.device import best_device, choose_precision
from attnlib.presets import REAL, Preset, train_translator
from attnlib.training import RESUME, History, read_json, write_json
from attnlib.translator import Translator

WHAT = """Trainings on Multi30k German-English, recorded for chapter 10. BLEU is sacreBLEU's, of raw
text in and detokenised text out; test is test_2016_flickr; losses are nats per piece, the training
loss label-smoothed. Nothing was chosen on the test split."""


def bleu(translator: Translator, pairs: list[Pair], beam: int) -> tuple[float, float]:
    """BLEU of a split, cased and lowercased, with one decimal more than it deserves."""
    texts = [found.text for found in translator.translate([pair.src for pair in pairs], beam)]
    references = [[pair.tgt for pair in pairs]]
    cased, lowercased = (
        round(BLEU(lowercase=lower).corpus_score(texts, references).score, 2)
        for lower in (False, True)
    )
    return cased, lowercased


def figures(translator: Translator, valid: list[Pair], test: list[Pair]) -> dict[str, float]:
    """What is measured of a trained translator: name → BLEU."""
    found = {}
    for split, pairs in (("valid", valid), ("test", test)):
        found[f"{split} greedy"], _ = bleu(translator, pairs, 1)
        found[f"{split} beam 5"], lowercased = bleu(translator, pairs, 5)
    return found | {"test beam 5, lowercased": lowercased}


def record(
    file: Path, name: str, preset: Preset, folder: Path, history: History, found: dict[str, float]
) -> None:
    """Add a finished run to the JSON file, in place of an older one of its preset and seed."""
    seed = preset.recipe.seed
    ended = datetime.fromtimestamp((folder / RESUME).stat().st_mtime, timezone.utc)
    run: dict[str, Any] = {
        "preset": name,
        "seed": seed,
        "command": f"python benchmarks/multi30k.py --preset {name} --seeds {seed} --record {file}",
        **records.circumstances(
            preset.recipe.precision, "torch", "tokenizers", "sacrebleu", device=best_device()
        ),
        "date": ended.date().isoformat(),
        "settings": dataclasses.asdict(preset),
        "minutes": round(history.seconds / 60, 1),
        "best update": history.best_update,
        "bleu": found,
        "signature": signature(),
        "curve": {
            "update": history.update,
            "train loss": [round(loss, 3) for loss in history.train_loss],
            "valid loss": [round(loss, 3) for loss in history.valid_loss],
            "valid bleu, greedy": [round(score, 2) for score in history.score],
        },
    }
    before = read_json(file)["runs"] if file.is_file() else []
    others = [old for old in before if (old["preset"], old["seed"]) != (name, seed)]
    order = list(REAL)
    runs = sorted([*others, run], key=lambda run: (order.index(run["preset"]), run["seed"]))
    write_json(file, {"what": " ".join(WHAT.split()), "runs": runs})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--preset", choices=list(REAL), default="quick")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--out", type=Path, default=Path("runs/multi30k"))
    parser.add_argument("--record", type=Path, metavar="FILE", help="add the runs to a JSON file")
    given = parser.parse_args()
    corpus = load_corpus("multi30k-de-en")
    preset = REAL[given.preset]
    device = best_device()
    print(
        f"{platform.system()} {platform.machine()}, {device.type}, {torch.get_num_threads()} "
        f"threads, {choose_precision(preset.recipe.precision, device)}, torch {torch.__version__}, "
        f"sacrebleu {sacrebleu.__version__}"
    )
    print(f"preset {given.preset}: {preset}\n")
    head = ["seed", "updates", "best", "minutes", "valid greedy", "valid beam 5"]
    head += ["test greedy", "test beam 5", "test beam 5, lowercased"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for seed in given.seeds:
        chosen = dataclasses.replace(preset, recipe=dataclasses.replace(preset.recipe, seed=seed))
        folder = given.out / f"{given.preset}-{seed}"
        translator, history = train_translator(
            corpus, chosen, folder, resume=(folder / RESUME).is_file()
        )
        found = figures(translator, corpus.valid, corpus.test)
        row = [seed, history.updates, history.best_update, f"{history.seconds / 60:.1f}"]
        row += [f"{score:.2f}" for score in found.values()]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
        if given.record:
            record(given.record, given.preset, chosen, folder, history, found)
    print(f"\n{signature()}")


def signature() -> str:
    """sacreBLEU's signature of the cased figures; it knows itself only after a first score."""
    metric = BLEU()
    metric.corpus_score(["one"], [["one"]])
    return str(metric.get_signature())


if __name__ == "__main__":
    main()
