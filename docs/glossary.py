"""The words of the glossary, as its source has them: what each is called, and where its row is."""

import re
from functools import cache

from attnbook.builder import Term, terms

from .links import ROOT

GLOSSARY = "A_notation"
#: Of "dot (score)" the word in brackets says which dot is meant; elsewhere it is another name.
MEANT = {"score", "BLEU", "gradient", "gradients", "function", "network", "vector", "sampling"}
#: Words that mostly mean what they mean everywhere: "a bit", "the kernel", "for reference".
EVERYDAY = {
    *("F", "accuracy", "bit", "bottleneck", "bridge", "cache", "candidate"),
    *("decoding", "ending", "energy", "faithful", "gate", "head", "hypothesis", "kernel", "key"),
    *("leak", "loss", "mask", "mode", "norm", "plausible", "positional", "precision", "prefix"),
    *("probe", "query", "recall", "reference", "score", "shortcut", "signature", "similarity"),
    *("transpose", "update", "value"),
}


@cache
def glossary() -> tuple[Term, ...]:
    """The rows of the glossary, in its order."""
    source = ROOT / "chapters" / "source" / f"{GLOSSARY}.py"
    return tuple(terms(source.read_text(encoding="utf-8")))


def names(english: str) -> list[str]:
    """What a term is called in a text, apart from words that have another meaning as well.

    >>> names("beam width (beam size)"), names("dot (score)"), names("key, query, value")
    (['beam width', 'beam size'], ['dot score'], [])
    """
    base, _, more = english.replace("`", "").rstrip(")").partition(" (")
    parts = [f"{base} {more}"] if more in MEANT else [*base.split(", "), *more.split(", ")]
    return [name for name in parts if name and name not in EVERYDAY and not name.startswith("<")]


def place(english: str) -> str:
    """The name of a term's row on the page of the glossary.

    >>> place("dot (score)")
    'term-dot-score'
    """
    return "term-" + re.sub(r"\W+", "-", english).strip("-").lower()


def with_places(text: str) -> str:
    """The table of the glossary, in Markdown, with a place to which a word can lead in each row."""
    for term in glossary():
        row = f"| {term.english} | {term.korean} |"
        text = text.replace(row, f'| <span id="{place(term.english)}"></span>{row[2:]}')
    return text


def plain_text(text: str) -> str:
    """An explanation without the signs of Markdown."""
    return re.sub(r"[*`]", "", text)
