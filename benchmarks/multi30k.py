"""Multi30k German → English: the BLEU of the presets "quick" and "full".

    python benchmarks/multi30k.py                            # quick: about five minutes
    python benchmarks/multi30k.py --preset full --seeds 1 2  # about 25 minutes a seed

Raw text in, detokenised text out, test_2016_flickr, sacreBLEU 13a. Everything that was chosen
(settings, best update, length penalty) was chosen on the validation split. A run that was
interrupted goes on where it stopped; one that is complete is only evaluated. Quality depends on
the updates, not on how busy the machine is; the minutes do.
"""

import argparse
import dataclasses
import platform
from pathlib import Path

import sacrebleu
import torch
from sacrebleu.metrics import BLEU

from attnlib.corpus import Pair, load_corpus
from attnlib.device import best_device, choose_precision
from attnlib.presets import REAL, train_translator
from attnlib.training import RESUME
from attnlib.translator import Translator


def bleu(translator: Translator, pairs: list[Pair], beam: int, lowercase: bool = False) -> str:
    """BLEU of a split with one decimal more than it deserves, for comparing runs."""
    texts = [found.text for found in translator.translate([pair.src for pair in pairs], beam)]
    metric = BLEU(lowercase=lowercase)
    return f"{metric.corpus_score(texts, [[pair.tgt for pair in pairs]]).score:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--preset", choices=list(REAL), default="quick")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--out", type=Path, default=Path("runs/multi30k"))
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
        recipe = dataclasses.replace(preset.recipe, seed=seed)
        folder = given.out / f"{given.preset}-{seed}"
        translator, history = train_translator(
            corpus,
            dataclasses.replace(preset, recipe=recipe),
            folder,
            resume=(folder / RESUME).is_file(),
        )
        row = [seed, history.updates, history.best_update, f"{history.seconds / 60:.1f}"]
        row += [bleu(translator, corpus.valid, beam) for beam in (1, 5)]
        row += [bleu(translator, corpus.test, beam) for beam in (1, 5)]
        row += [bleu(translator, corpus.test, 5, lowercase=True)]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
    print(f"\n{signature()}")


def signature() -> str:
    """sacreBLEU's signature of the cased figures; it knows itself only after a first score."""
    metric = BLEU()
    metric.corpus_score(["one"], [["one"]])
    return str(metric.get_signature())


if __name__ == "__main__":
    main()
