"""Translators that write together, and a small one that learns from what they write.

    python benchmarks/distil.py ensemble --teachers runs/a runs/b runs/c runs/d
    python benchmarks/distil.py teach    --teachers runs/a runs/b runs/c runs/d --out runs/taught
    python benchmarks/distil.py student  --taught runs/taught --out runs/student

Multi30k German → English, raw text in, detokenised text out, test_2016_flickr, sacreBLEU 13a, one
thread. ``ensemble`` measures the mean of the teachers' probabilities, and each of them alone.
``teach`` lets them translate the training split: of the five hypotheses of their beam the one that
is most like the human translation (sequence-level interpolation, Kim and Rush 2016, §3.3).
``student`` trains a translator of at most 3 million parameters on that, and measures it with greedy
search. Whatever was done is not done again. --record adds what was found to a JSON file.
"""

import argparse
import dataclasses
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import records
import torch
from multi30k import bleu, signature

from attnlib.data import EOS, UNK, Corpus, Pair, Splits, load_corpus, pad
from attnlib.metrics import sentence_bleu
from attnlib.presets import Preset, train_translator
from attnlib.search import Hypothesis, beam_search, ensemble, greedy_search
from attnlib.training import RESUME, Recipe, read_json, write_json
from attnlib.translator import Translator, batches_by_length

CORPUS, BEAM, PART = "multi30k-de-en", 5, 1000
STUDENT = Preset(
    Recipe(updates=6000, learning_rate=4e-3, embedding_rate=8.0, warmup=200, validate_every=1500),
    256, 336, 0.1, batch_tokens=900, subwords=4000,
)  # fmt: skip


class Together(Translator):
    """Several translators of one vocabulary, which choose every word together."""

    def __init__(self, translators: Sequence[Translator]) -> None:
        first = translators[0]
        for other in translators[1:]:
            if other.tgt_vocabulary.tokens != first.tgt_vocabulary.tokens:
                raise ValueError("these translators do not write in one vocabulary of pieces")
        super().__init__(first.model, first.src_vocabulary, first.tgt_vocabulary, None, first.limit)
        self.models = [translator.model for translator in translators]

    @torch.inference_mode()
    def hypotheses(
        self, sentences: Sequence[list[str]], beam: int, alpha: float
    ) -> list[list[Hypothesis]]:
        """The answers of every source sentence given as tokens, best first."""
        number = self.src_vocabulary.index
        src, mask = pad([[*(number.get(t, UNK) for t in tokens), EOS] for tokens in sentences])
        limits = [self.limit.tokens(len(tokens) + 1) for tokens in sentences]
        memory = tuple(model.encode(src, mask) for model in self.models)
        state = tuple(model.decoder.start(m) for model, m in zip(self.models, memory))
        step = ensemble(*(model.step for model in self.models))
        if beam == 1:
            return greedy_search(step, memory, state, max_length=limits)
        ranked: Any = {"alpha": alpha, "penalty": "power", "n_best": beam}
        return beam_search(step, memory, state, max_length=limits, beam_size=beam, **ranked)

    def _search(self, sentences: Sequence[list[str]], beam: int, alpha: float) -> list[Hypothesis]:
        return [found[0] for found in self.hypotheses(sentences, beam, alpha)]


def figures(translator: Translator, corpus: Corpus) -> dict[str, Any]:
    """BLEU of both splits with greedy and beam search, and the seconds of the test split."""
    found: dict[str, Any] = {}
    for beam, name in ((1, "greedy"), (BEAM, f"beam {BEAM}")):
        for split in ("valid", "test"):
            began = time.process_time()
            found[f"{split} {name}"], _ = bleu(translator, getattr(corpus, split), beam)
            found[f"test {name}, processor seconds"] = round(time.process_time() - began, 1)
    return found


def teach(teachers: Together, corpus: Corpus, out: Path, part: int, parts: int) -> None:
    """Translate the training split into files of a thousand pairs each; those there are kept."""
    out.mkdir(parents=True, exist_ok=True)
    chunks = list(batches_by_length([len(pair.src) for pair in corpus.train], PART))
    for number, rows in list(enumerate(chunks))[part - 1 :: parts]:
        file = out / f"{number:03}.json"
        if file.is_file():
            continue
        answers = []
        for start in range(0, len(rows), 64):
            pairs = [corpus.train[i] for i in rows[start : start + 64]]
            tokens = [teachers.src_vocabulary.tokenize(pair.src) for pair in pairs]
            for pair, found in zip(pairs, teachers.hypotheses(tokens, BEAM, 1.0)):
                texts = [teachers.tgt_vocabulary.decode(one.tokens) for one in found]
                nearest = max(texts, key=lambda text: sentence_bleu(text, [pair.tgt]).score)
                answers.append((pair.src, texts[0], nearest))
        write_json(file, answers)
        print(f"{number + 1} of {len(chunks)}", flush=True)


def taught(corpus: Corpus, folder: Path, which: str) -> Corpus:
    """The corpus with the teachers' translations in the place of, or beside, the human ones."""
    rows = [row for file in sorted(folder.glob("*.json")) for row in read_json(file)]
    if len(rows) != len(corpus.train):
        raise ValueError(f"{folder} has {len(rows)} of {len(corpus.train)} pairs: let teach end")
    best, nearest = ([Pair(row[0], row[k]) for row in rows] for k in (1, 2))
    chosen = {"best": best, "nearest": nearest, "both": [*best, *nearest],
              "gold": [*nearest, *corpus.train]}[which]  # fmt: skip
    splits = Splits({"train": lambda: chosen, "valid": lambda: corpus.valid})
    return dataclasses.replace(corpus, splits=splits)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("ensemble", "teach", "student"))
    parser.add_argument("--teachers", type=Path, nargs="+", default=[])
    parser.add_argument("--taught", type=Path)
    parser.add_argument("--targets", choices=("best", "nearest", "both", "gold"), default="nearest")
    parser.add_argument("--updates", type=int, default=STUDENT.recipe.updates)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", type=int, nargs=2, default=(1, 1), help="2 3: the second third")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--record", type=Path, metavar="FILE")
    given = parser.parse_args()
    torch.set_num_threads(1)
    corpus = load_corpus(CORPUS)
    if given.what == "teach":
        teach(
            Together([Translator.load(t) for t in given.teachers]), corpus, given.out, *given.part
        )
        return
    found: dict[str, Any] = {"what": given.what, "date": records.today()}
    if given.what == "ensemble":
        translators = [Translator.load(folder) for folder in given.teachers]
        found["members"] = {
            folder.name: figures(translator, corpus)
            for folder, translator in zip(given.teachers, translators)
        }
        translator: Translator = Together(translators)
    else:
        found["targets"] = given.targets
        recipe = dataclasses.replace(STUDENT.recipe, updates=given.updates, seed=given.seed)
        preset = dataclasses.replace(STUDENT, recipe=recipe)
        lessons = taught(corpus, given.taught, given.targets)
        resume = (given.out / RESUME).is_file()
        translator, history = train_translator(lessons, preset, given.out, resume=resume)
        found["settings"] = dataclasses.asdict(preset)
        found["minutes"] = round(history.seconds / 60, 1)
        found["parameters"] = sum(p.numel() for p in translator.model.parameters())
    found["bleu"] = figures(translator, corpus)
    found["signature"] = signature()
    print(found)
    if given.record:
        runs = read_json(given.record)["runs"] if given.record.is_file() else []
        write_json(given.record, {"what": "", "runs": [*runs, found]})


if __name__ == "__main__":
    main()
