"""Translators that write together, and one that learns from what they write.

    python -m studies.distil best --out runs/best     # all there is to do, from nothing

    python -m studies.distil ensemble --teachers runs/a runs/b runs/c runs/d
    python -m studies.distil teach    --teachers runs/a runs/b runs/c runs/d --out runs/taught
    python -m studies.distil student  --taught runs/taught --out runs/student
    python -m studies.distil ship     --student runs/student --out data/de-en

Multi30k German → English, raw text in, detokenised text out, test_2016_flickr, sacreBLEU 13a; one
thread, but for --threads. ``ensemble`` measures the mean of the teachers' probabilities, and each
of them alone. ``teach`` lets them translate the training split: of the five hypotheses of their
beam the one that is most like the human translation (sequence-level interpolation, Kim and Rush
2016, §3.3). ``student`` trains a translator on that: of at most 3 million parameters, or, with
--size full, of the teachers' own. ``ship`` writes it with numbers of 16 bits, half the size, as the
one that ``translate`` takes where no folder is named, and measures what it wrote. ``best`` does it
all for a student of full size: four teachers by the preset "full", what they are together, their
lessons, and the student, two processes at a time and the student, which is alone, with two threads.
Whatever was done is not done again. --record adds what was found to a JSON file.

    python -m studies.distil teacher --out runs/forward-1              # German to English
    python -m studies.distil teacher --backward --out runs/backward-1  # and back
    python -m studies.distil teach --teachers runs/backward-1 --backward --out runs/taught-back
    python -m studies.distil student --size full --taught runs/taught runs/taught-back ...

A student may learn from several folders at once, and from teachers that translate the English side
into German ("data diversification": Nguyen et al. 2020). Those of ``teacher`` take seven minutes.
"""

import argparse
import dataclasses
import hashlib
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import torch

from attnlib.data import EOS, Corpus, Pair, Splits, bucket_by_length, pad
from attnlib.metrics import sentence_bleu
from attnlib.search import Hypothesis, beam_search, ensemble, greedy_search
from attnlib.training import Recipe
from attnlib.translator import (
    CARD_FILE,
    CHECKPOINT_FILE,
    DEFAULT_PRESETS,
    WEIGHTS_FILE,
    Preset,
    Translator,
    digest,
    read_json,
    read_tensors,
    train_translator,
    write_json,
    write_tensors,
)

from . import records
from .models import like
from .multi30k import bleu, signature

CORPUS, BEAM, PART = "multi30k-de-en", 5, 1000
#: Nats a token, with a beam of 5; data/TRANSLATORS.md tells how it was chosen.
GUESSES_BELOW = -0.5
ABOUT = "about.json"  # beside the files of translations: who made them
TARGETS = ("best", "nearest", "both", "nearest and human")
WHAT = """Ensembles and distilled students on Multi30k German-English. BLEU is sacreBLEU's (13a,
cased), of raw text in and detokenised text out; test is test_2016_flickr. Nothing was chosen on the
test split.""".replace("\n", " ")
SIZES = {
    "small": Preset(
        Recipe(
            updates=6000, learning_rate=4e-3, embedding_rate=8.0, warmup=200, validate_every=1500
        ),
        256,
        336,
        0.1,
        batch_tokens=900,
        subwords=4000,
    ),
    "full": DEFAULT_PRESETS["full"],
    "teacher": like(DEFAULT_PRESETS["quick"], updates=2400, validate_every=1200),
}


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
        src, mask = pad([[*self.src_vocabulary.ids(tokens), EOS] for tokens in sentences])
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


def figures(translator: Translator, corpus: Corpus) -> dict[str, float]:
    """BLEU of both splits with greedy and beam search, and what each search of the test took."""
    found = {}
    for beam, name in ((1, "greedy"), (BEAM, f"beam {BEAM}")):
        found[f"valid {name}"], _ = bleu(translator, corpus.valid, beam)
        began = time.process_time()
        found[f"test {name}"], _ = bleu(translator, corpus.test, beam)
        found[f"test {name}, processor seconds"] = round(time.process_time() - began, 1)
    return found


def teach(
    teachers: Together,
    names: Sequence[str],
    corpus: Corpus,
    out: Path,
    part: Sequence[int] = (1, 1),
    backward: bool = False,
) -> None:
    """Translate the training split into files of a thousand pairs each; those there are kept.

    ``part`` (2, 3) is the second third of the files. ``backward`` teachers translate the targets.
    Raises ValueError for a folder that others began.
    """
    one, parts = part
    about, ours = out / ABOUT, {"teachers": list(names), "backward": backward}
    if about.is_file() and (others := about_lessons(out)) != ours:
        named = ", ".join(others["teachers"]) + " backward" * others["backward"]
        raise ValueError(f"{out} was begun by other teachers ({named}): choose another")
    write_json(about, ours)
    corpus = corpus.swapped() if backward else corpus
    chunks = list(bucket_by_length([len(pair.src) for pair in corpus.train], PART))
    for number, rows in list(enumerate(chunks))[one - 1 :: parts]:
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


def taught(corpus: Corpus, folders: Sequence[Path], which: str) -> Corpus:
    """The corpus with the teachers' translations in the place of, or beside, the human ones.

    Where several folders are given, what is the same in two of them is learned once.
    """
    chosen = [pair for folder in folders for pair in written(corpus, folder, which)]
    chosen += corpus.train if which.endswith("human") else []
    if len(folders) > 1:
        chosen = list(dict.fromkeys(chosen))
    splits = Splits({"train": lambda: chosen, "valid": lambda: corpus.valid})
    return dataclasses.replace(corpus, splits=splits)


def about_lessons(folder: Path) -> dict[str, Any]:
    """Who wrote what lies in a folder, and in which direction."""
    file = folder / ABOUT
    return {"backward": False, **(read_json(file) if file.is_file() else {"teachers": []})}


def written(corpus: Corpus, folder: Path, which: str) -> list[Pair]:
    """What teachers wrote into a folder, as pairs of the corpus; ValueError if they have not ended.

    A backward teacher wrote the source of a pair whose target is human.
    """
    rows = [row for file in sorted(folder.glob("[0-9]*.json")) for row in read_json(file)]
    if len(rows) != len(corpus.train):
        raise ValueError(f"{folder} has {len(rows)} of {len(corpus.train)} pairs: let teach end")
    best, nearest = ([Pair(row[0], row[k]) for row in rows] for k in (1, 2))
    chosen = {"best": best, "both": [*best, *nearest]}.get(which, nearest)
    backward = about_lessons(folder)["backward"]
    return [Pair(tgt, src) for src, tgt, _ in chosen] if backward else chosen


def train_teacher(seed: int, corpus: Corpus, out: Path) -> None:
    """A small teacher; one whose training is complete is left alone."""
    resume = (out / CHECKPOINT_FILE).is_file()
    train_translator(corpus, like(SIZES["teacher"], seed=seed), out, resume=resume)


def ensemble_of(args: argparse.Namespace, corpus: Corpus) -> tuple[Translator, dict[str, Any]]:
    """The teachers together, and what is known of each alone."""
    translators = [Translator.load(folder) for folder in args.teachers]
    alone = [figures(translator, corpus) for translator in translators]
    return Together(translators), {"members": dict(zip(map(str, args.teachers), alone))}


def student_of(args: argparse.Namespace, corpus: Corpus) -> tuple[Translator, dict[str, Any]]:
    """A student, trained where it is not yet, and what it took."""
    preset = SIZES[args.size]
    updates = args.updates or preset.recipe.updates
    dropout = preset.dropout if args.dropout is None else args.dropout
    preset = like(preset, updates=updates, seed=args.seed, dropout=dropout)
    lessons = taught(corpus, args.taught, args.targets)
    resume = (args.out / CHECKPOINT_FILE).is_file()
    translator, history = train_translator(lessons, preset, args.out, resume=resume)
    return translator, {
        "teachers": [name for folder in args.taught for name in about_lessons(folder)["teachers"]],
        "targets": args.targets,
        "pairs": len(lessons.train),
        "settings": dataclasses.asdict(preset),
        "parameters": sum(p.numel() for p in translator.model.parameters()),
        "minutes": round(history.seconds / 60, 1),
    }


def ship(args: argparse.Namespace, corpus: Corpus) -> tuple[Translator, dict[str, Any]]:
    """The student as it is handed out: its weights rounded to half precision."""
    tensors, _ = read_tensors(args.student / WEIGHTS_FILE)
    card = read_json(args.student / CARD_FILE)
    card["about"] |= {"sentences": 1, "guesses below": GUESSES_BELOW}
    write_json(args.out / CARD_FILE, card)
    halves = {name: table.half() for name, table in tensors.items()}
    write_tensors(args.out / WEIGHTS_FILE, halves, {CARD_FILE: digest(card)})
    content = (args.out / WEIGHTS_FILE).read_bytes()
    about = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return Translator.load(args.out), about


def best(out: Path, record: Path | None) -> None:
    """Teachers, their lessons, what they are together, and a student of their size.

    Two processes of one thread work side by side, because two threads of one process do less; the
    student has nothing beside it, so it gets both.
    """
    me = ["-m", "studies.distil"]
    teachers = [str(out / f"full-{seed}") for seed in range(1, 5)]
    taught, kept = out / "taught", ["--record", str(record)] if record else []
    side_by_side(
        ["-m", "studies.multi30k", "--preset", "full", "--seeds", seed, "--out", out]
        for seed in range(1, 5)
    )
    teach = [*me, "teach", "--teachers", *teachers, "--out", taught]
    ensemble = [*me, "ensemble", "--teachers", *teachers, *kept]
    side_by_side([[*teach, "--part", 1, 2], [*teach, "--part", 2, 2], ensemble])
    student = [*me, "student", "--size", "full", "--taught", taught, "--out", out / "student"]
    side_by_side([[*student, "--threads", 2, *kept]])


def side_by_side(programs: Iterable[Sequence[object]]) -> None:
    """Run programs, two at a time. Raises CalledProcessError where one fails."""

    def run(words: Sequence[object]) -> None:
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        subprocess.run([sys.executable, *map(str, words)], env=environment, check=True)

    with ThreadPoolExecutor(2) as pool:
        for _ in pool.map(run, programs):
            pass


#: command → what gives a translator and what is to be known of it, beside its BLEU
MAKERS = {"ensemble": ensemble_of, "student": student_of, "ship": ship}


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    added = parser.add_subparsers(dest="what", required=True)
    names = ("best", "teacher", "ensemble", "teach", "student", "ship")
    best, teacher, ensemble, teach, student, ship = map(added.add_parser, names)
    for command in (ensemble, teach):
        command.add_argument("--teachers", type=Path, nargs="+", required=True, metavar="DIR")
    for command in (best, teacher, teach, student, ship):
        command.add_argument("--out", type=Path, required=True, metavar="DIR")
    for command in (best, ensemble, student, ship):
        command.add_argument("--record", type=Path, metavar="FILE")
    for command in (teacher, teach):
        command.add_argument("--backward", action="store_true", help="English to German")
    teach.add_argument("--part", type=int, nargs=2, default=(1, 1), help="2 3: the second third")
    ship.add_argument("--student", type=Path, required=True, metavar="DIR")
    student.add_argument("--taught", type=Path, nargs="+", required=True, metavar="DIR")
    student.add_argument("--targets", choices=TARGETS, default="nearest")
    student.add_argument("--size", choices=SIZES, default="small")
    student.add_argument("--updates", type=int, help="in place of those of the size")
    student.add_argument("--dropout", type=float, help="in place of that of the size")
    student.add_argument("--threads", type=int, default=1, help="of the training (1)")
    for command in (teacher, student):
        command.add_argument("--seed", type=int, default=1)
    return parser


def main() -> None:
    args = make_parser().parse_args()
    torch.set_num_threads(getattr(args, "threads", 1))
    if args.what == "best":
        best(args.out, args.record)
        return
    corpus = records.corpus_or_exit(CORPUS)
    if args.what == "teacher":
        train_teacher(args.seed, corpus.swapped() if args.backward else corpus, args.out)
        return
    if args.what == "teach":
        teachers, names = [*map(Translator.load, args.teachers)], args.teachers
        teach(Together(teachers), [*map(str, names)], corpus, args.out, args.part, args.backward)
        return
    translator, about = MAKERS[args.what](args, corpus)
    command = shlex.join(["python", "-m", "studies.distil", *sys.argv[1:]])
    run = {
        "variant": "best" if getattr(args, "size", "small") == "full" else args.what,
        "command": command,
        **about,
        **records.circumstances(None, "torch", "tokenizers", "sacrebleu"),
        "bleu": figures(translator, corpus),
        "signature": signature(),
    }
    print(run)
    if args.record:
        runs = records.read(args.record, ("command",)) | {(command,): run}
        records.save(args.record, {"what": WHAT}, runs.values())


if __name__ == "__main__":
    main()
