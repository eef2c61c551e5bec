"""What a person types, as a vocabulary reads it: checked, in a known case, of bearable length."""

from .text import check_text
from .words import UNK, Vocabulary, in_known_case

#: Tokens, and letters, after which a sentence is cut: what is longer was pasted, not written.
LONGEST, LETTERS = 250, 5000


def read_typed(sentence: str, vocabulary: Vocabulary) -> tuple[list[str], list[str]]:
    """The tokens of a sentence, and what is to be said of them. ValueError for what is no text.

    >>> from attnlib.data import WordVocabulary
    >>> read_typed("Der Hund", WordVocabulary.build(["Ein Hund."]))
    (['<unk>', 'Hund'], [])
    """
    check_text("sentence", sentence)
    kept, notes = sentence[:LETTERS], list[str]()
    tokens = vocabulary.tokenize(in_known_case(kept, vocabulary))
    known = vocabulary.detokenize(t for t in tokens if vocabulary.index.get(t, UNK) != UNK)
    letters, heard = (len("".join(text.split())) for text in (kept, known))
    if 2 * heard < letters:
        notes.append("most of its letters are unknown to this translator")
    if len(sentence) > LETTERS or len(tokens) > LONGEST:
        notes.append(f"only its first {LONGEST} tokens are translated: it is too long")
    return tokens[:LONGEST], notes
