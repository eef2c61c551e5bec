"""Input as a person types it → tokens: checked, truecased, cut where it is too long."""

import re

from ..data import UNK, Vocabulary, check_text, upper_first

#: Tokens, and characters, after which a sentence is cut: what is longer was pasted, not written.
MAX_TOKENS, MAX_CHARS = 250, 5000


def tokenize_input(sentence: str, vocabulary: Vocabulary) -> tuple[list[str], list[str]]:
    """The tokens of a sentence, and notes on them. Raises ValueError for what is no string.

    >>> from attnlib.data import WordVocabulary
    >>> tokenize_input("Der Hund", WordVocabulary.build(["Ein Hund."]))
    (['<unk>', 'Hund'], [])
    """
    check_text("sentence", sentence)
    text, notes = sentence[:MAX_CHARS], list[str]()
    tokens = vocabulary.tokenize(truecase(text, vocabulary))
    known = vocabulary.detokenize(t for t in tokens if vocabulary.index.get(t, UNK) != UNK)
    num_chars, num_known = (len("".join(part.split())) for part in (text, known))
    if 2 * num_known < num_chars:
        notes.append("most of its letters are unknown to this translator")
    if len(sentence) > MAX_CHARS or len(tokens) > MAX_TOKENS:
        notes.append(f"only its first {MAX_TOKENS} tokens are translated: it is too long")
    return tokens[:MAX_TOKENS], notes


def truecase(text: str, vocabulary: Vocabulary) -> str:
    """A text in the case that a vocabulary knows, where the text itself has none to rely on.

    Where all words are written large, or all small, or each With A Capital, every word is taken
    in that form which has the fewest unknown tokens, then the fewest tokens, then the smallest
    numbers (they go to what is frequent). Any other text is left as it is.

    >>> from attnlib.data import WordVocabulary
    >>> words = WordVocabulary.build(["Ein Hund rennt.", "Der Hund schläft."])
    >>> truecase("EIN HUND RENNT", words), truecase("ein Hund RENNT", words)
    ('ein Hund rennt', 'ein Hund RENNT')
    """
    check_text("text", text)
    small, large = text.lower(), text.upper()
    if small == large or text not in (small, large, capitalized(small)):
        return text

    def cost(word: str) -> tuple[int, int, int]:
        numbers = vocabulary.encode(f". {word}")[1:]  # as it is read inside a sentence
        return numbers.count(UNK), len(numbers), max(numbers, default=0)

    forms = zip(small.split(" "), capitalized(small).split(" "), large.split(" "))
    return " ".join(min(words, key=cost) for words in forms)


def capitalized(text: str) -> str:
    """A text in which each word begins with a capital.

    >>> capitalized("ein rot-weißer hund.")
    'Ein Rot-Weißer Hund.'
    """
    return re.sub(r"[^\W\d_]+", lambda word: upper_first(word[0]), text)
