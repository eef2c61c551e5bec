"""What a person types, as a vocabulary reads it: checked, in a known case, of bearable length."""

import re
from collections.abc import Iterable
from typing import Any

from ..names import require
from .words import UNK, Vocabulary, in_known_case

#: Tokens, and letters, after which a sentence is cut: what is longer was pasted, not written.
LONGEST, LETTERS = 250, 5000


def texts_of(sentences: Any) -> list[str]:
    """What is to be translated, as a list. Raises ValueError for what is no text."""
    several = isinstance(sentences, Iterable) and not isinstance(sentences, (bytes, bytearray))
    require(several, "sentences", "a string or several", sentences)
    texts = [sentences] if isinstance(sentences, str) else list(sentences)
    for number, text in enumerate(texts):
        require(isinstance(text, str), f"sentences[{number}]", "a string", text)
        half = re.search("[\ud800-\udfff]", text)
        if half:
            why = f"it holds {half[0]!r}, which is no letter; decode it as UTF-8"
            raise ValueError(f"sentences[{number}] is not Unicode text: {why}")
    return texts


def read_typed(sentence: str, vocabulary: Vocabulary) -> tuple[list[str], list[str]]:
    """The tokens of a sentence, and what is to be said of them.

    >>> from attnlib.data import WordVocabulary
    >>> read_typed("Der Hund", WordVocabulary.build(["Ein Hund."]))
    (['<unk>', 'Hund'], [])
    """
    kept, notes = sentence[:LETTERS], list[str]()
    tokens = vocabulary.tokenize(in_known_case(kept, vocabulary))
    known = vocabulary.detokenize(t for t in tokens if vocabulary.index.get(t, UNK) != UNK)
    letters, heard = (len("".join(text.split())) for text in (kept, known))
    if 2 * heard < letters:
        notes.append("most of its letters are unknown to this translator")
    if len(sentence) > LETTERS or len(tokens) > LONGEST:
        notes.append(f"only its first {LONGEST} tokens are translated: it is too long")
    return tokens[:LONGEST], notes
