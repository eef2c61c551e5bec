"""Which words a translator of captions misses, and who chases whom: chapter 10b's record.

    python -m studies.captions_inside                 # data/runs/10_captions.json

The translator that comes with the book, data/de-en, and three trainings of the preset "quick" by
``multi30k.py``, whose folders are taken where they are there (else 5 minutes each). A beam of 5;
two minutes of one thread each. Needs Multi30k.

*Missed words*: of the words of the references of the test, by how often training has them on the
English side, how many there are and how many the translation lacks; as rates and as counts.

*Who chases whom*: sentences built of five nouns and three verbs (60 of each form, Der *A* jagt den
*B* and others), in which the article alone says who does it. Who does it in the translation is read
from the order of the nouns, *by*, and whether a verb stands between them.
"""

import itertools
import re
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

from attnlib.data import Corpus, bundled_directory
from attnlib.metrics import tokenize_13a
from attnlib.translator import Translator

from . import multi30k, records, runner
from .models import PRESETS, like

BANDS = {
    "never": (0, 0),
    "1-4": (1, 4),
    "5-19": (5, 19),
    "20-99": (20, 99),
    "100-999": (100, 999),
    "1000+": (1000, 10**9),
}
NOUNS = {
    "Mann": "man",
    "Hund": "dog",
    "Spieler": "player",
    "Vogel": "bird",
    "Arbeiter": "worker",
}
VERBS = ("jagt", "beobachtet", "trägt")  # chases, watches, carries
FORMS = {  # A does it to B in all of them
    "Der A jagt den B.": "Der {a} {verb} den {b}.",
    "Den B jagt der A.": "Den {b} {verb} der {a}.",
    "Ein A, der den B jagt.": "Ein {a}, der den {b} {verb}.",
    "Ein B, den der A jagt.": "Ein {b}, den der {a} {verb}.",
    "Im Park jagt der A den B.": "Im Park {verb} der {a} den {b}.",
    "Im Park jagt den B der A.": "Im Park {verb} den {b} der {a}.",
}
SMALL = {"a", "an", "the", "that", "which", "who", "whom", "other"}  # no verbs
PATTERNS = {  # in the training captions
    "begins with Den or Einen": r"^(Den|Einen) ",
    "a relative clause with der and an object: , der den or einen": r", der (den|einen) ",
    "one with den and a subject: , den der, die, das, ein, eine, er, sie, es": (
        r", den (der|die|das|ein|eine|er|sie|es) "
    ),
}


@cache
def translator_of(out: Path, variant: str, seed: int) -> Translator:
    if variant == "de-en":
        return Translator.load(bundled_directory().parent / "de-en", "cpu")
    corpus, preset = records.corpus_or_exit("multi30k-de-en"), like(PRESETS[variant], seed=seed)
    translator, _ = multi30k.train(corpus, preset, out / f"{variant}-{seed}")
    translator.model.eval()
    return translator


def missed(translator: Translator, corpus: Corpus) -> dict[str, list[int]]:
    """Of every band how many words the references have, and how many the translations lack."""
    seen = Counter(w.lower() for pair in corpus.train for w in tokenize_13a(pair.tgt))
    sources = [pair.src for pair in corpus.test]
    found = translator.translate(sources, beam_size=5, single_sentence=True)
    words, lacking = Counter[str](), Counter[str]()
    for pair, one in zip(corpus.test, found):
        wanted, written = (
            Counter(w.lower() for w in tokenize_13a(text)) for text in (pair.tgt, one.text)
        )
        for word, times in wanted.items():
            band = next(b for b, (low, high) in BANDS.items() if low <= seen[word] <= high)
            words[band] += times
            lacking[band] += max(times - written[word], 0)
    return {band: [words[band], lacking[band]] for band in BANDS}


def who(text: str, a: str, b: str) -> str:
    """Who does it: "a", "b", or "?" where a noun is missing, or there is no telling."""
    singular = {noun + "s": noun for noun in (a, b)}
    words = [singular.get(word, word) for word in re.findall(r"\w+", text.lower())]
    if a not in words or b not in words:
        return "?"
    (first, one), (last, other) = sorted([(words.index(a), "a"), (words.index(b), "b")])
    between = words[first + 1 : last]
    if "by" in between:
        return other  # the dog chased by the man
    if set(between) - SMALL:
        return one  # the dog chasing the man
    return other if words[last + 1 :] else "?"  # the dog that the man chases


def chases(translator: Translator) -> dict[str, dict[str, Any]]:
    """Of every form how often A does it, how often B, and the first translations."""
    cases = list(itertools.product(itertools.permutations(NOUNS, 2), VERBS))
    result = {}
    for name, form in FORMS.items():
        sources = [form.format(a=a, b=b, verb=verb) for (a, b), verb in cases]
        texts = [one.text for one in translator.translate(sources, beam_size=5)]
        found = Counter(who(t, NOUNS[a], NOUNS[b]) for t, ((a, b), _) in zip(texts, cases))
        counts = {"right": found["a"], "wrong": found["b"], "unclear": found["?"]}
        result[name] = {**counts, "examples": texts[:3]}
    return result


def run(out: Path, variant: str, seed: int) -> dict[str, Any]:
    translator, corpus = (
        translator_of(out, variant, seed),
        records.corpus_or_exit("multi30k-de-en"),
    )
    return {
        **records.circumstances("fp32", "torch", "tokenizers"),
        "missed": missed(translator, corpus),
        "chases": chases(translator),
    }


def header() -> dict[str, Any]:
    train = records.corpus_or_exit("multi30k-de-en").train
    return {
        "what": "Translators of Multi30k German-English, for chapter 10b. missed: of the words of "
        "the test's references, by how often they occur in the English training captions, how "
        "many there are and how many the translation lacks. chases: of 60 built sentences of each "
        "form, in how many A does it to B in the translation, as in the German (right), in how "
        "many B to A (wrong), and in how many a noun is missing or nobody can tell (unclear).",
        "command": "python -m studies.captions_inside",
        "corpus": "multi30k-de-en",
        "split": "test",
        "search": "beam 5",
        "training captions": {
            name: sum(bool(re.search(pattern, pair.src)) for pair in train)
            for name, pattern in PATTERNS.items()
        },
    }


def series(out: Path) -> runner.Series:
    return runner.Series(
        "10_captions",
        {"variant": ["de-en", "quick"]},
        partial(run, out),
        header,
        skip=lambda variant, seed: variant == "de-en" and seed != 1,
    )


if __name__ == "__main__":
    out = runner.option("--out", type=Path, default=Path("runs/multi30k"))
    runner.main(__doc__, series, out, say="{variant} {seed}: {missed}".format_map)
