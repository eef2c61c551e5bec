"""From text to whole numbers and back: what a vocabulary is, and one of whole words.

Every vocabulary numbers the same four special tokens first, leaves start and end of sentence to
the batches, and undoes itself as far as its docstring promises. No torch here: a vocabulary is a
list of strings.
"""

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, SupportsIndex, runtime_checkable

from ..checks import as_int, as_ints, in_a_line
from .text import (
    JOINERS,
    as_text_list,
    lower_first,
    normalize,
    upper_first,
)

PAD, UNK, BOS, EOS = 0, 1, 2, 3
SPECIAL_TOKENS = ("<pad>", "<unk>", "<sos>", "<eos>")
CONTINUATION_PREFIX = "##"  # marks a piece that is glued to the one before it

_CLOSING = set(".,?!:;)]}%…”’" + "।॥،؛؟۔。，！？、：；")  # … in Hindi, Persian and Chinese
_OPENING = set('([{“‘„"')
_CLOSED_BY = {'"': '"', "„": "“"}  # their closing marks would open a quotation in another language


@functools.cache
def _word() -> re.Pattern[str]:
    """A word, or a sign with its marks; made when first needed, as it looks at all of Unicode.

    A word keeps inner apostrophes and hyphens ("didn't"), a number its commas, points and colons
    ("1,000.50"). Marks (vowel signs, tones, accents), which Python's \\w lacks, belong to the
    letter before them, as do joiners.
    """
    points = (*range(0x300, 0x1F000), *range(0xE0100, 0xE01F0))  # all marks stand in these
    marks = "".join(chr(p) for p in points if unicodedata.category(chr(p))[0] == "M")
    letters, sign = rf"\w[\w{marks}{JOINERS}]*", rf"[^\w\s][{marks}]*"
    inside = r"(?:['’-]|(?<=\d)[.,:](?=\d))"
    return re.compile(rf"{letters}(?:{inside}{letters})*|{sign}(?:[{JOINERS}]{sign})*")


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

    def ids(self, tokens: Iterable[str]) -> list[int]:
        """The numbers of tokens; unknown ones become UNK."""
        return [self.index.get(token, UNK) for token in tokens]

    def encode(self, text: str) -> list[int]:
        """Token numbers of a text, without start and end of sentence; unknown tokens become UNK.

        Raises ValueError for what is no text.
        """
        return self.ids(self.tokenize(text))

    def decode(self, ids: Iterable[SupportsIndex]) -> str:
        """The text of token numbers; padding, start and end of sentence are left out.

        Arguments: ids, a list, or a tensor or array of one dimension. Raises ValueError for what
        is no number of a token, −100 (which losses leave out) among them.
        """
        try:
            numbers = as_ints(ids)
        except TypeError:
            expected = "the token numbers of one sentence"
            raise ValueError(f"ids must be {expected}, got {in_a_line(ids)}") from None
        if beyond := [number for number in numbers if not 0 <= number < len(self)]:
            raise ValueError(f"ids must be from 0 to {len(self) - 1}, got {beyond[0]}")
        return self.detokenize(self.tokens[i] for i in numbers if i not in (PAD, BOS, EOS))


def numbered(tokens: Sequence[str]) -> tuple[list[str], dict[str, int]]:
    """The tokens of a vocabulary and the number of each.

    Raises ValueError where they do not begin with ``SPECIAL_TOKENS`` or one stands there twice.

    >>> numbered([*SPECIAL_TOKENS, "cat"])[1]["cat"]
    4
    """
    tokens = as_text_list(tokens, "tokens")
    if tuple(tokens[: len(SPECIAL_TOKENS)]) != SPECIAL_TOKENS:
        raise ValueError(f"tokens must begin with {SPECIAL_TOKENS}, got {tuple(tokens[:4])}")
    index = {token: number for number, token in enumerate(tokens)}
    if len(index) != len(tokens):
        twice = next(token for token, count in Counter(tokens).items() if count > 1)
        raise ValueError(f"tokens must be distinct, got {twice!r} more than once")
    return tokens, index


class WordVocabulary(Vocabulary):
    """A vocabulary of whole words, and of word pieces where a language needs them.

    The rule: ``normalize``; split at white space and around punctuation; write the first letter of
    the sentence small, or large where only so it is known ("The" → "the", "minsu" → "Minsu"), so
    that it does not matter how it was typed; a known word
    is one token; any other word is cut, longest match first, into a known beginning and known
    continuations marked ``##`` (학교에서 "at school" → 학교 ##에서), as in WordPiece (Wu et al.
    2016, §4.1); a word that cannot be cut is unknown as a whole.

    ``decode(encode(text))`` is the text again where every token is known and the text is written
    plainly: it begins with a capital, one space stands between words, ``. , ? ! : ; % …`` (and
    their like in other scripts) and what closes brackets and quotes cling to the word before
    them, what opens them to the word after, ``"…"`` and ``„…“`` come in pairs, and other marks
    (``/``, ``&``, ``€``, an apostrophe at a word's edge) have a space on either side. Any other
    text comes back written like that.

    >>> vocabulary = WordVocabulary.build(["The cat sat.", "A dog sat on the cat."])
    >>> vocabulary.tokenize("The dog sat.")
    ['the', 'dog', 'sat', '.']
    >>> vocabulary.decode(vocabulary.encode("A dog sat."))
    'A dog sat.'
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens, self.index = numbered(tokens)
        self._cuts: dict[str, list[str]] = {}  # words cut before: the same word is met often
        self._longest = max(map(len, self.tokens))

    @classmethod
    def build(
        cls, sentences: Iterable[str], min_count: int = 1, pieces: Iterable[str] = ()
    ) -> "WordVocabulary":
        """The most frequent tokens of some sentences, most frequent first.

        Arguments: sentences, natural text; min_count, how often a token must occur; pieces, the
        beginnings and ``##`` continuations into which words may be cut.
        Raises ValueError for a count below 1, and for what is no text (a gap of pandas).
        """
        least = as_int("min_count", min_count)
        texts = as_text_list(sentences)
        split = [_word().findall(normalize(text)) for text in texts]
        # A capital inside a sentence is a name's own; at the start it may only be the start's.
        inside = {word for words in split for word in words[1:]}
        scratch = cls([*SPECIAL_TOKENS, *dict.fromkeys(as_text_list(pieces, "pieces"))])
        counts: Counter[str] = Counter()
        for words in split:
            if words and (words[0] not in inside or lower_first(words[0]) in inside):
                words = [lower_first(words[0]), *words[1:]]
            for word in words:
                cut = scratch.cut(word)
                counts.update([word] if cut == [SPECIAL_TOKENS[UNK]] else cut)
        for special in SPECIAL_TOKENS:  # a sentence may contain the letters "<unk>"
            counts.pop(special, None)
        # Ties in alphabetical order, so that the numbering does not depend on the reading order.
        ranked = sorted(counts, key=lambda token: (-counts[token], token))
        frequent = [token for token in ranked if counts[token] >= least]
        return cls([*SPECIAL_TOKENS, *frequent])

    def cut(self, word: str) -> list[str]:
        """One word as known tokens, longest match first; ``["<unk>"]`` where there is no cut."""
        if word not in self._cuts:
            self._cuts[word] = self._cut(word)
        return self._cuts[word]

    def _cut(self, word: str) -> list[str]:
        tokens: list[str] = []
        start = 0
        while start < len(word):
            prefix = CONTINUATION_PREFIX if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                if prefix + word[start:end] in self.index:
                    break
            else:
                return [SPECIAL_TOKENS[UNK]]
            tokens.append(prefix + word[start:end])
            start = end
        return tokens

    def tokenize(self, text: str) -> list[str]:
        """The tokens of a text by the rule above; unknown words as ``<unk>``."""
        words = _word().findall(normalize(text))
        if words:
            small, large = lower_first(words[0]), upper_first(words[0])
            words[0] = large if large in self.index and small not in self.index else small
        return [token for word in words for token in self.cut(word)]

    def detokenize(self, tokens: Iterable[str]) -> str:
        """Natural text: pieces glued, punctuation attached, the first letter capitalised.

        >>> WordVocabulary.build([""]).detokenize(["학교", "##에서", ",", "he", "slept", "."])
        '학교에서, he slept.'
        """
        text = ""
        glue = True  # no space before the first token
        awaited = ""  # the mark that closes the newest quotation
        for token in as_text_list(tokens, "tokens"):
            piece = token.removeprefix(CONTINUATION_PREFIX)
            continues = bool(piece) and piece != token
            closes = token in _CLOSING or token == awaited
            text += "" if glue or continues or closes else " "
            text += piece if continues else token
            awaited = "" if token == awaited else _CLOSED_BY.get(token, awaited)
            glue = token in _OPENING and not closes
        return upper_first(text)

    def to_json(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; ``vocabulary_from_json`` reads it back."""
        return {"kind": "words", "tokens": self.tokens}
