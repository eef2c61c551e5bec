"""The one rule that makes a text plain: what looks the same is spelled the same.

Vocabularies, tables and the command line read every text through ``normalize``;
``translator/page/assets/text.js`` follows it rule for rule.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from ..checks import require

JOINERS = "\u200c\u200d"  # zero-width non-joiner and joiner: spelling in Hindi, Persian and emoji

_HALF = re.compile("[\ud800-\udfff]")  # of a letter: not Unicode text


def normalize(text: str) -> str:
    """A text as all others are written: what looks the same is the same.

    What cannot be seen goes: format characters (a byte order mark, a soft hyphen, a zero-width
    space; Unicode's Cf) and control characters (Cc), but joiners inside a word, which are part of
    its spelling. Every run of white space (a tab, a no-break or ideographic space) becomes one
    space, none at the ends. Letters and their marks are composed (NFC, Unicode Annex 15).

    Raises ValueError for what is no text: a gap of pandas (None, NaN), a list of tokens.

    >>> normalize("\\ufeff Ein\\u00a0\\tHund la\\u0308u\\u00adft\\u3000")
    'Ein Hund läuft'
    """
    check_text("text", text)
    if not text.isprintable():  # as nearly all are: what is dropped here is never printable
        text = "".join(c for c in text if c in JOINERS or c.isspace() or not _hidden(c))
        inside = [False, *(unicodedata.category(c)[0] in "LMNS" for c in text), False]
        joins = (before and after for before, after in zip(inside, inside[2:]))
        text = "".join(c for c, kept in zip(text, joins) if kept or c not in JOINERS)
    return unicodedata.normalize("NFC", " ".join(text.split()))


def _hidden(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf")


def check_text(name: str, text: Any) -> None:
    """Raise ValueError for what is no text.

    >>> check_text("sentences[3]", float("nan"))
    Traceback (most recent call last):
    ValueError: sentences[3] must be a string, got nan
    """
    require(isinstance(text, str), name, "a string", text)


def as_text_list(sentences: Any, name: str = "sentences") -> list[str]:
    """One text or several, as a list. Raises ValueError for what is no text, and says which.

    >>> as_text_list("a dog"), as_text_list(("a dog", "a cat"))
    (['a dog'], ['a dog', 'a cat'])
    """
    if isinstance(sentences, str):
        sentences = [sentences]
    several = isinstance(sentences, Iterable) and getattr(sentences, "ndim", 1) == 1
    several = several and not isinstance(sentences, (bytes, bytearray, Mapping))
    require(several, name, "a string or several", sentences)
    texts = list(sentences)
    for number, text in enumerate(texts):
        if not isinstance(text, str):  # so that the index is written only for what is wrong
            check_text(f"{name}[{number}]", text)
        if half := _HALF.search(text):
            why = f"it holds {half[0]!r}, which is no letter; decode it as UTF-8"
            raise ValueError(f"{name}[{number}] is not Unicode text: {why}")
    return [str(text) for text in texts]  # numpy's strings are a kind of their own


def lower_first(text: str) -> str:
    """A text whose first letter is small, as it stands inside a sentence.

    A letter that would not come back by ``upper_first`` (ẞ, İ) stays as it is.

    >>> lower_first("Ein Hund"), upper_first("ein Hund")
    ('ein Hund', 'Ein Hund')
    """
    first = text[:1].lower()
    return first + text[1:] if first.upper() == text[:1] else text


def upper_first(text: str) -> str:
    """A text whose first letter is a capital, as it begins a sentence, where that has one."""
    first = text[:1].upper()
    return first + text[1:] if first.lower() == text[:1] else text
