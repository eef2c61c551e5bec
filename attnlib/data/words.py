"""From text to whole numbers and back: a vocabulary of words and one of subwords.

Both number the same four special tokens first, leave start and end of sentence to the batches,
and undo themselves: ``decode(encode(text))`` is the text again where every token is known.
No torch here: a vocabulary is a list of strings.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

PAD, UNK, BOS, EOS = 0, 1, 2, 3
SPECIALS = ("<pad>", "<unk>", "<sos>", "<eos>")
CONTINUES = "##"  # marks a piece that is glued to the one before it

# A word keeps inner apostrophes and hyphens ("didn't"); every other mark stands alone.
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
_CLOSING = set(".,?!:;)]}%…”")
_OPENING = set("([{“")


def _swap_first(text: str) -> str:
    """Swap the case of the first letter, which is its own undoing.

    >>> _swap_first("A dog."), _swap_first(_swap_first("A dog."))
    ('a dog.', 'A dog.')
    """
    swapped = text[:1].swapcase()
    # A few letters (ß, ŉ) do not survive the round trip: they stay as they are.
    return swapped + text[1:] if swapped.swapcase() == text[:1] else text


class _Vocabulary:
    """What both vocabularies share: a list of tokens and its inverse."""

    def __init__(self, tokens: Sequence[str]) -> None:
        if tuple(tokens[: len(SPECIALS)]) != SPECIALS:
            raise ValueError(f"tokens must begin with {SPECIALS}, got {tuple(tokens[:4])}")
        self.tokens = list(tokens)
        self.index = {token: number for number, token in enumerate(self.tokens)}
        if len(self.index) != len(self.tokens):
            twice = next(token for token, count in Counter(tokens).items() if count > 1)
            raise ValueError(f"tokens must be distinct, got {twice!r} more than once")

    def __len__(self) -> int:
        return len(self.tokens)

    def tokenize(self, text: str) -> list[str]:
        raise NotImplementedError

    def detokenize(self, tokens: Iterable[str]) -> str:
        raise NotImplementedError

    def encode(self, text: str) -> list[int]:
        """Token numbers of a text, without start and end of sentence; unknown tokens become UNK."""
        return [self.index.get(token, UNK) for token in self.tokenize(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of token numbers; padding, start and end of sentence are left out."""
        return self.detokenize(self.tokens[i] for i in ids if i not in (PAD, BOS, EOS))


class WordVocabulary(_Vocabulary):
    """A vocabulary of whole words, and of word pieces where a language needs them.

    The rule: split at white space and around punctuation; write the first letter of the sentence
    small unless only its capitalised form is known ("The" → "the", "Minsu" stays); a known word
    is one token; any other word is cut, longest match first, into a known beginning and known
    continuations marked ``##`` (학교에서 "at school" → 학교 ##에서), as in WordPiece (Wu et al.
    2016, §4.1); a word that cannot be cut is unknown as a whole.

    >>> vocabulary = WordVocabulary.build(["The cat sat.", "A dog sat on the cat."])
    >>> vocabulary.tokenize("The dog sat.")
    ['the', 'dog', 'sat', '.']
    >>> vocabulary.decode(vocabulary.encode("A dog sat."))
    'A dog sat.'
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        super().__init__(tokens)
        self._cuts: dict[str, list[str]] = {}  # words cut before: the same word is met often

    @classmethod
    def build(
        cls,
        sentences: Iterable[str],
        min_count: int = 1,
        max_size: int | None = None,
        pieces: Iterable[str] = (),
    ) -> "WordVocabulary":
        """The most frequent tokens of some sentences, most frequent first.

        Arguments: sentences, natural text; min_count, how often a token must occur; max_size,
        the largest number of tokens, specials included; pieces, the beginnings and ``##``
        continuations into which words may be cut.
        Raises ValueError for counts below 1 or a size that does not hold the special tokens.
        """
        if min_count < 1:
            raise ValueError(f"min_count must be at least 1, got {min_count}")
        if max_size is not None and max_size < len(SPECIALS):
            raise ValueError(f"max_size must be at least {len(SPECIALS)}, got {max_size}")
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
        return cls([*SPECIALS, *kept][:max_size])

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
        for token in tokens:
            continues = token.startswith(CONTINUES) and len(token) > len(CONTINUES)
            separator = "" if glue or continues or token in _CLOSING else " "
            text += separator + (token[len(CONTINUES) :] if continues else token)
            glue = token in _OPENING
        return text[:1].upper() + text[1:]

    def to_json(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; ``vocabulary_from_json`` reads it back."""
        return {"kind": "words", "tokens": self.tokens}


def _lower_first(word: str) -> str:
    return word[:1].lower() + word[1:]


class SubwordVocabulary(_Vocabulary):
    """A vocabulary of subwords learnt by byte-pair encoding (Sennrich et al. 2016).

    A space is part of the piece that follows it and is drawn as ``▁``, so that decoding needs no
    rule for punctuation. The case of the text's first letter is swapped before encoding and
    swapped back after decoding: "Ein" at the start of a sentence is then the word "ein" of
    every other place.

    >>> vocabulary = SubwordVocabulary.build(["low lower lowest", "new newer newest"], size=40)
    >>> vocabulary.decode(vocabulary.encode("newer, lower"))
    'newer<unk> lower'
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        size = tokenizer.get_vocab_size()
        super().__init__([tokenizer.id_to_token(number) or "" for number in range(size)])
        self._tokenizer = tokenizer

    @classmethod
    def build(cls, sentences: Iterable[str], size: int = 4000) -> "SubwordVocabulary":
        """Learn at most ``size`` pieces (specials and single letters included) from sentences.

        Raises ValueError where ``size`` does not even hold the special tokens.
        """
        if size <= len(SPECIALS):
            raise ValueError(f"size must be larger than {len(SPECIALS)}, got {size}")
        tokenizer = Tokenizer(models.BPE(unk_token=SPECIALS[UNK]))
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always"),
                # Letters, digits and each other mark apart, so that "dog." shares "dog".
                pre_tokenizers.Split(Regex(r"▁?\p{L}+|▁?\p{N}|▁?[^\p{L}\p{N}▁]|▁"), "isolated"),
            ]
        )
        tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
        trainer = trainers.BpeTrainer(
            vocab_size=size, special_tokens=list(SPECIALS), show_progress=False
        )
        tokenizer.train_from_iterator((_swap_first(s.strip()) for s in sentences), trainer)
        return cls(_without_added_tokens(tokenizer))

    def tokenize(self, text: str) -> list[str]:
        """The pieces of a text without white space at its ends; ``▁`` begins a word."""
        return self._tokenizer.encode(_swap_first(text.strip())).tokens

    def detokenize(self, tokens: Iterable[str]) -> str:
        """Natural text: pieces joined, ``▁`` read as a space."""
        return _swap_first("".join(tokens).replace("▁", " ").removeprefix(" "))

    def to_json(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; ``vocabulary_from_json`` reads it back."""
        return {"kind": "subwords", "tokenizer": json.loads(self._tokenizer.to_str())}


def _without_added_tokens(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer, but a text that spells "<eos>" is five letters and not an end."""
    description = json.loads(tokenizer.to_str())
    description["added_tokens"] = []
    return Tokenizer.from_str(json.dumps(description))


Vocabulary = WordVocabulary | SubwordVocabulary


def vocabulary_from_json(description: dict[str, Any]) -> Vocabulary:
    """The vocabulary that ``to_json`` described. Raises ValueError for anything else."""
    try:
        if description["kind"] == "words":
            return WordVocabulary(description["tokens"])
        if description["kind"] == "subwords":
            return SubwordVocabulary(Tokenizer.from_str(json.dumps(description["tokenizer"])))
    except Exception as problem:  # the tokenizers library raises plain Exception
        raise ValueError(f"this is not a vocabulary: {problem}") from problem
    raise ValueError(f'a vocabulary\'s kind must be "words" or "subwords", got {description}')
