"""From text to whole numbers and back: what a vocabulary is, and one of whole words.

Every vocabulary numbers the same four special tokens first, leaves start and end of sentence to
the batches, and undoes itself as far as its docstring promises. No torch here: a vocabulary is a
list of strings.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

from ..names import require

PAD, UNK, BOS, EOS = 0, 1, 2, 3
SPECIALS = ("<pad>", "<unk>", "<sos>", "<eos>")
CONTINUES = "##"  # marks a piece that is glued to the one before it

# A word keeps inner apostrophes and hyphens ("didn't"), a number its commas, points and colons
# ("1,000.50"); every other mark stands alone.
_WORD = re.compile(r"\w+(?:(?:['’-]|(?<=\d)[.,:](?=\d))\w+)*|[^\w\s]")
_CLOSING = set(".,?!:;)]}%…”’")
_OPENING = set('([{“‘„"')
_CLOSED_BY = {'"': '"', "„": "“"}  # what closes these would open something elsewhere


@runtime_checkable
class Vocabulary(Protocol):
    """What every vocabulary can do; subclasses say how a text becomes tokens and back.

    ``tokens[n]`` is the token with number n, and ``index`` is its inverse.
    """

    tokens: list[str]
    index: dict[str, int]

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text, as strings."""

    def detokenize(self, tokens: Iterable[str]) -> str:
        """Natural text from tokens."""

    def to_json(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; ``vocabulary_from_json`` reads it back."""

    def __len__(self) -> int:
        return len(self.tokens)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self):,} tokens)"

    def encode(self, text: str) -> list[int]:
        """Token numbers of a text, without start and end of sentence; unknown tokens become UNK."""
        return [self.index.get(token, UNK) for token in self.tokenize(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of token numbers; padding, start and end of sentence are left out."""
        return self.detokenize(self.tokens[i] for i in ids if i not in (PAD, BOS, EOS))


def numbered(tokens: Sequence[str]) -> tuple[list[str], dict[str, int]]:
    """The tokens of a vocabulary and the number of each.

    Raises ValueError where they do not begin with ``SPECIALS`` or one stands there twice.

    >>> numbered([*SPECIALS, "cat"])[1]["cat"]
    4
    """
    if tuple(tokens[: len(SPECIALS)]) != SPECIALS:
        raise ValueError(f"tokens must begin with {SPECIALS}, got {tuple(tokens[:4])}")
    index = {token: number for number, token in enumerate(tokens)}
    if len(index) != len(tokens):
        twice = next(token for token, count in Counter(tokens).items() if count > 1)
        raise ValueError(f"tokens must be distinct, got {twice!r} more than once")
    return list(tokens), index


class WordVocabulary(Vocabulary):
    """A vocabulary of whole words, and of word pieces where a language needs them.

    The rule: split at white space and around punctuation; write the first letter of the sentence
    small unless only its capitalised form is known ("The" → "the", "Minsu" stays); a known word
    is one token; any other word is cut, longest match first, into a known beginning and known
    continuations marked ``##`` (학교에서 "at school" → 학교 ##에서), as in WordPiece (Wu et al.
    2016, §4.1); a word that cannot be cut is unknown as a whole.

    ``decode(encode(text))`` is the text again where every token is known and the text is written
    plainly: it begins with a capital, one space stands between words, ``. , ? ! : ; % …`` and
    what closes brackets and quotes cling to the word before them, what opens them to the word
    after, ``"…"`` and ``„…“`` come in pairs, and other marks (``/``, ``&``, ``€``, an apostrophe
    at a word's edge) have a space on either side. Any other text comes back written like that.

    >>> vocabulary = WordVocabulary.build(["The cat sat.", "A dog sat on the cat."])
    >>> vocabulary.tokenize("The dog sat.")
    ['the', 'dog', 'sat', '.']
    >>> vocabulary.decode(vocabulary.encode("A dog sat."))
    'A dog sat.'
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens, self.index = numbered(tokens)
        self._cuts: dict[str, list[str]] = {}  # words cut before: the same word is met often

    @classmethod
    def build(
        cls, sentences: Iterable[str], min_count: int = 1, pieces: Iterable[str] = ()
    ) -> "WordVocabulary":
        """The most frequent tokens of some sentences, most frequent first.

        Arguments: sentences, natural text; min_count, how often a token must occur; pieces, the
        beginnings and ``##`` continuations into which words may be cut.
        Raises ValueError for a count below 1.
        """
        require(min_count >= 1, "min_count", "at least 1", min_count)
        split = [_WORD.findall(sentence) for sentence in sentences]
        # A capital inside a sentence is a name's own; at the start it may only be the start's.
        inside = {word for words in split for word in words[1:]}
        scratch = cls([*SPECIALS, *dict.fromkeys([*pieces])])
        counts: Counter[str] = Counter()
        for words in split:
            if words and (words[0] not in inside or _lower_first(words[0]) in inside):
                words = [_lower_first(words[0]), *words[1:]]
            for word in words:
                cut = scratch.cut(word)
                counts.update([word] if cut == [SPECIALS[UNK]] else cut)
        for special in SPECIALS:  # a sentence may contain the letters "<unk>"
            counts.pop(special, None)
        # Ties in alphabetical order, so that the numbering does not depend on the reading order.
        ranked = sorted(counts, key=lambda token: (-counts[token], token))
        kept = [token for token in ranked if counts[token] >= min_count]
        return cls([*SPECIALS, *kept])

    def cut(self, word: str) -> list[str]:
        """One word as known tokens, longest match first; ``["<unk>"]`` where there is no cut."""
        if word not in self._cuts:
            self._cuts[word] = self._cut(word)
        return self._cuts[word]

    def _cut(self, word: str) -> list[str]:
        tokens: list[str] = []
        start = 0
        while start < len(word):
            prefix = CONTINUES if start else ""
            for end in range(len(word), start, -1):
                if prefix + word[start:end] in self.index:
                    break
            else:
                return [SPECIALS[UNK]]
            tokens.append(prefix + word[start:end])
            start = end
        return tokens

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text by the rule above; unknown words as ``<unk>``."""
        words = _WORD.findall(text)
        if words:
            lowered = _lower_first(words[0])
            only_capitalised = words[0] in self.index and lowered not in self.index
            words[0] = words[0] if only_capitalised else lowered
        return [token for word in words for token in self.cut(word)]

    def detokenize(self, tokens: Iterable[str]) -> str:
        """Natural text: pieces glued, punctuation attached, the first letter capitalised.

        >>> WordVocabulary.build([""]).detokenize(["학교", "##에서", ",", "he", "slept", "."])
        '학교에서, he slept.'
        """
        text = ""
        glue = True  # nothing stands between the start and the first token
        awaited = ""  # the mark that closes the newest quotation
        for token in tokens:
            continues = token.startswith(CONTINUES) and len(token) > len(CONTINUES)
            closes = token in _CLOSING or token == awaited
            text += "" if glue or continues or closes else " "
            text += token[len(CONTINUES) :] if continues else token
            awaited = "" if token == awaited else _CLOSED_BY.get(token, awaited)
            glue = token in _OPENING and not closes
        first = text[:1].upper()  # a few letters (ß) have no capital of their own
        return text if first.lower() != text[:1].lower() else first + text[1:]

    def to_json(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; ``vocabulary_from_json`` reads it back."""
        return {"kind": "words", "tokens": self.tokens}


def _lower_first(word: str) -> str:
    return word[:1].lower() + word[1:]
