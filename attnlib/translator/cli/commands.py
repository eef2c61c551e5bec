"""The commands of the command line: what each does once its arguments are in order.

Each imports what it needs when it runs, so that ``--help`` does not wait for torch. Results go to
standard output, sentences and progress to standard error; what is wrong is raised as ValueError
or OSError, of which the command line makes one sentence.
"""

import argparse
import dataclasses
import itertools
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .terminal import draw_alignment, escape_control_chars, print_note, shell_join

MIN_BLEU_SENTENCES = 50  # sentences: of fewer, BLEU depends on which they happen to be

if TYPE_CHECKING:
    from ...data import Corpus
    from ...training import Recipe
    from ..presets import Preset
    from ..translator import Translator


def corpus(args: argparse.Namespace) -> int:
    """Print the splits of a corpus and its first pairs."""
    from ...checks import as_int
    from ...data import format_links, load_corpus

    head = as_int("head", args.head, 0)
    corpus = load_corpus(args.corpus)
    print(f"{corpus.name}: {corpus.src_language} → {corpus.tgt_language}")
    for name, pairs in corpus.splits.items():
        src = sum(len(pair.src.split()) for pair in pairs) / len(pairs)
        tgt = sum(len(pair.tgt.split()) for pair in pairs) / len(pairs)
        mean = f"{src:.1f} → {tgt:.1f} words a sentence"
        print(f"  {name:<17} {len(pairs):>7,} pairs, {mean}")
    for pair in corpus.train[:head]:
        print(f"\n{pair.src}\n{pair.tgt}")
        if pair.links:
            print(format_links(pair.links))
    return 0


def train(args: argparse.Namespace) -> int:
    """Train into a folder, or go on with the run that is there."""
    from ..checkpoints import CHECKPOINT_FILE
    from ..distributed import process_group
    from ..presets import train_translator

    preset = _chosen_preset(args)
    checkpoint = args.out / CHECKPOINT_FILE
    try:
        with process_group(checkpoint) as (is_main_process, again):
            how = {"attention": args.attention, "resume": args.resume or again}
            if is_main_process:
                how["begin"] = partial(_announce, args, preset.recipe)
            translator, history = train_translator(args.corpus, preset, args.out, **how)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_resume_hint(args, checkpoint)) from None
    except SystemExit:  # SIGTERM, or SIGHUP, after which the terminal may be gone
        with suppress(OSError):
            print_note(f"stopped{_resume_hint(args, checkpoint)}")
        raise
    if is_main_process:
        print(
            f"trained {history.updates:,} updates in {history.seconds / 60:.1f} minutes; the best "
            f"is update {history.best_update:,} with BLEU {history.best_score:.1f} (validation, "
            f"greedy)\nsaved in {args.out}; "
            f"python -m attnlib evaluate {shell_join([str(args.out)])} goes on"
        )
        _warn_of_few(translator.about["validation pairs"], "validation")
    return 0


def _chosen_preset(args: argparse.Namespace) -> "Preset":
    from ..presets import presets_for

    preset = presets_for(args.corpus)[args.preset or "quick"]
    changes: dict[str, Any] = {"seed": args.seed}
    if args.preset is None:
        changes |= {"updates": args.updates, "minutes": args.minutes}
    if args.precision is not None:
        changes["precision"] = args.precision
    return dataclasses.replace(preset, recipe=dataclasses.replace(preset.recipe, **changes))


def _announce(args: argparse.Namespace, recipe: "Recipe") -> None:
    """Say how long a training takes, and which precision it takes and why."""
    from ...device import best_device, recommended_precision

    length = f"{recipe.updates:,} updates" if recipe.updates else f"{recipe.minutes:g} minutes"
    print(f"Training on {args.corpus} for {length}; Ctrl-C saves and stops.", file=sys.stderr)
    if args.precision is not None or args.resume:  # then it is that of the run
        return
    if recipe.precision:
        reason = f"{recipe.precision}: so it is set for {args.corpus}"
    else:
        reason = ": ".join(recommended_precision(best_device()))
    print(reason, file=sys.stderr)


def _resume_hint(args: argparse.Namespace, checkpoint: Path) -> str:
    if not checkpoint.is_file():
        return " before anything was saved; run the same command again"
    words = shell_join([word for word in args.argv if word != "--resume"])
    several = int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
    python = f"torchrun --nproc-per-node {several}" if several > 1 else "python"
    return f"; to go on: {python} -m attnlib {words} --resume"


def _warn_of_few(sentences: int, split: str) -> None:
    """Say that BLEU means little where it is that of a few sentences."""
    if sentences < MIN_BLEU_SENTENCES:
        reason = f"with fewer than {MIN_BLEU_SENTENCES} a few words decide"
        print_note(f"BLEU means little here: {split} has {_count(sentences)}; {reason}")


def _count(sentences: int) -> str:
    return "1 sentence" if sentences == 1 else f"{sentences:,} sentences"


def evaluate(args: argparse.Namespace) -> int:
    """Print BLEU of a split with its sacreBLEU signature, the cased figure last."""
    from sacrebleu.metrics import BLEU

    from ...data import load_corpus
    from ..translator import Translator

    translator = Translator.load(args.directory)
    corpus = load_corpus(args.corpus) if args.corpus else _trained_on(translator, args.directory)
    pairs = corpus.split(args.split)
    sources = [pair.src for pair in pairs]
    translations = translator.translate(sources, args.beam, progress=True, single_sentence=True)
    texts = [translation.text for translation in translations]
    print(f"{corpus.name}, split {args.split}: {_count(len(pairs))}, beam {args.beam}")
    for lowercase in (True, False):
        metric = BLEU(lowercase=lowercase)
        score = metric.corpus_score(texts, [[pair.tgt for pair in pairs]])
        print(score.format(signature=str(metric.get_signature())))
    _warn_of_few(len(pairs), args.split)
    return 0


def _trained_on(translator: "Translator", directory: Path) -> "Corpus":
    """The corpus that a translator was trained on, if it says so and if it still is the same."""
    from ...data import CORPUS_NAMES, load_corpus
    from ...data.sources import is_table

    name, checksum = (translator.about.get(key) for key in ("corpus", "corpus's checksum"))
    if not isinstance(name, str):
        raise ValueError(f"{directory} does not say what it was trained on; name it with --corpus")
    if name not in CORPUS_NAMES and not os.path.isfile(name):
        gone = f"{directory} was trained on {name}, which is not here"
        raise ValueError(f"{gone}; name it, or another corpus, with --corpus")
    corpus = load_corpus(name)
    # The other corpora are pinned, and their training split need not be here.
    if is_table(name) and checksum and not corpus.fingerprint().startswith(str(checksum)):
        why = "its test split may hold what training saw; name a corpus with --corpus"
        raise ValueError(f"{name} has changed since {directory} was trained on it: {why}")
    return corpus


def translate(args: argparse.Namespace) -> int:
    """Print the translation of each text, a line for a line, and where the model looked if asked.

    What a translation's notes say goes to standard error, and names the line.
    """
    from ..translator import BATCH, Translator

    translator = Translator.load(_translator_directory(args))
    if args.align and getattr(translator.model.decoder, "attention", None) is None:
        raise ValueError("--align needs attention, and this translator was trained without")
    unit, count = "text" if args.sentences else "line", 0
    for sentences in [args.sentences] if args.sentences else _read_standard_input(BATCH):
        for number, translation in enumerate(translator.translate(sentences, args.beam), count + 1):
            print(escape_control_chars(translation.text))
            for note in translation.notes:
                print_note(f"{unit} {number}: {note}")
            if args.align and translation.weights is not None:
                both = translation.src_tokens, translation.tgt_tokens
                tokens = ([escape_control_chars(token) for token in side] for side in both)
                print(f"\n{draw_alignment(translation.weights.tolist(), *tokens)}\n")
        sys.stdout.flush()
        count += len(sentences)
    if not count:
        raise ValueError("standard input is empty; give sentences there or as arguments")
    return 0


def _translator_directory(args: argparse.Namespace) -> Path:
    """The folder that was named, or that of the German-English translator that comes along.

    To ``translate``, what does not exist and holds a space is a sentence, "Ein Hund rennt.", and
    so is a single word that stands alone.
    """
    from ...data import bundled_directory

    named = args.directory
    if named and args.command == "translate" and not os.path.exists(named):
        is_word = not args.sentences and Path(named).name == named
        if not (is_word or any(map(str.isspace, named))):
            hint = "train a translator into it first, or put each sentence in quotes"
            raise ValueError(f"there is no folder {named}; {hint}")
        args.sentences.insert(0, named)
        named = None
    if named:
        return Path(named)
    print_note("with the small German-English translator that comes along")
    return bundled_directory().parent / "de-en"


def export(args: argparse.Namespace) -> int:
    """Write a translator as one HTML file."""
    from ..page import export_page, read_examples
    from ..translator import Translator

    folder = _translator_directory(args)
    translator = Translator.load(folder, "cpu")
    size = export_page(translator, args.page, examples=read_examples(folder))
    print(f"{args.page}: {size / 1e6:.1f} MB; open it in a browser")
    return 0


def _read_standard_input(size: int) -> Iterator[list[str]]:
    """Texts a line: one at a time from a keyboard, so many together from a file or a pipe.

    A blank line is a blank text, so that line n of what comes out belongs to line n of what came
    in; at the keyboard it is nothing.
    """
    from ...data import normalize

    keyboard = sys.stdin.isatty()
    if keyboard:
        end = "Ctrl-Z and Enter end" if sys.platform == "win32" else "Ctrl-D ends"
        print(f"Type a sentence and Enter; {end}.", file=sys.stderr)
    lines = iter(sys.stdin.buffer.readline, b"")  # one after the other, without reading ahead
    decoded = (_decoded(line, number) for number, line in enumerate(lines, 1))
    texts = (text for text in decoded if normalize(text) or not keyboard)
    while batch := list(itertools.islice(texts, 1 if keyboard else size)):
        yield batch


def _decoded(line: bytes, number: int) -> str:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        where, byte = f"standard input, line {number}", line[error.start]
        raise ValueError(f"{where}: byte 0x{byte:02x} is not UTF-8; convert it") from None
