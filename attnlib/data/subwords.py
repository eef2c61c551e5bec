"""A vocabulary of subwords, learnt by byte-pair encoding: nothing is unknown but new letters."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from ..checks import as_int, require
from .text import JOINERS, as_text_list, lower_first, normalize, upper_first
from .words import SPECIAL_TOKENS, UNK, Vocabulary, WordVocabulary, numbered

#: How a text is cut before pieces are formed: letters with their marks, digits and each other sign
#: apart, so that "dog." shares "dog". The last is what new vocabularies get; others may be read.
PATTERNS = (
    r"▁?\p{L}+|▁?\p{N}|▁?[^\p{L}\p{N}▁]|▁",
    rf"▁?\p{{L}}[\p{{L}}\p{{M}}{JOINERS}]*|▁?\p{{N}}|▁?[^\p{{L}}\p{{N}}▁]|▁",
)


class SubwordVocabulary(Vocabulary):
    """A vocabulary of subwords learnt by byte-pair encoding (Sennrich et al. 2016).

    A space is part of the piece that follows it and is drawn as ``▁``, so that decoding needs no
    rule for punctuation. The first letter of the text is written small before encoding and large
    after decoding: "Ein" at the start of a sentence is then the word "ein" of every other place,
    and it does not matter how it was typed. ``decode(encode(text))`` is ``normalize(text)`` with
    a capital first letter where every letter is known and the text itself has no ``▁``.

    >>> vocabulary = SubwordVocabulary.build(["low lower lowest", "new newer newest"], size=40)
    >>> vocabulary.decode(vocabulary.encode("newer, lower"))
    'Newer<unk> lower'
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        size = tokenizer.get_vocab_size()
        tokens = [tokenizer.id_to_token(number) or "" for number in range(size)]
        self.tokens, self.index = numbered(tokens)
        self._tokenizer = tokenizer

    @classmethod
    def build(cls, sentences: Iterable[str], size: int = 4000) -> "SubwordVocabulary":
        """Learn at most ``size`` pieces (specials and single letters included) from sentences.

        Where there are more kinds of letters than half of ``size``, as in much Chinese, so many of
        the most frequent are known, and the other half is left to words. Raises ValueError where
        ``size`` does not even hold the special tokens, and for what is no text (a gap of pandas).
        """
        size = as_int("size", size, len(SPECIAL_TOKENS) + 1)
        tokenizer = _tokenizer(models.BPE(unk_token=SPECIAL_TOKENS[UNK]), PATTERNS[-1])
        texts = [lower_first(normalize(text)) for text in as_text_list(sentences)]
        trainer = trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=list(SPECIAL_TOKENS),
            show_progress=False,
            **_alphabet(texts, min(size // 2, size - len(SPECIAL_TOKENS))),
        )
        tokenizer.train_from_iterator(texts, trainer)
        return cls(_without_added_tokens(tokenizer))

    def tokenize(self, text: str) -> list[str]:
        """The pieces of a text; ``▁`` begins a word."""
        return self._tokenizer.encode(lower_first(normalize(text))).tokens

    def detokenize(self, tokens: Iterable[str]) -> str:
        """Natural text: pieces joined, ``▁`` read as a space."""
        text = "".join(as_text_list(tokens, "tokens")).replace("▁", " ")
        return upper_first(text.removeprefix(" "))

    def to_json(self) -> dict[str, Any]:
        """A dictionary that JSON can hold; ``vocabulary_from_json`` reads it back."""
        return {"kind": "subwords", "tokenizer": json.loads(self._tokenizer.to_str())}


def _alphabet(texts: list[str], limit: int) -> dict[str, Any]:
    """How to tell a trainer which letters to know where there are more than ``limit`` kinds.

    The trainer's own choice among equally frequent ones differs from call to call, and a run that
    is resumed must find its vocabulary again.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(f" {text}".replace(" ", "▁"))  # a space is drawn so before every word
    if len(counts) <= limit:
        return {}
    ranked = sorted(counts, key=lambda letter: (-counts[letter], letter))
    return {"initial_alphabet": ranked[:limit], "limit_alphabet": limit}


def _without_added_tokens(tokenizer: Tokenizer) -> Tokenizer:
    """The same tokenizer, but a text that spells "<eos>" is five letters and not an end."""
    description = json.loads(tokenizer.to_str())
    description["added_tokens"] = []
    return Tokenizer.from_str(json.dumps(description))


def _tokenizer(model: models.BPE, pattern: str) -> Tokenizer:
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always"),
            pre_tokenizers.Split(Regex(pattern), "isolated"),
        ]
    )
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    return tokenizer


def _tokenizer_from_json(card: Any) -> Tokenizer:
    """The tokenizer that ``build`` described. Raises ValueError for any other.

    A stranger's description is only compared: the library that reads descriptions knows parts
    (patterns, replacements, padding) that take time or memory without end.
    """
    vocabulary, merges = card["model"]["vocab"], card["model"]["merges"]
    require(isinstance(vocabulary, dict), "vocab", "a dictionary", type(vocabulary))  # no file
    require(isinstance(merges, list), "merges", "a list", type(merges))
    pairs = [tuple(pair.split(" ") if isinstance(pair, str) else pair) for pair in merges]
    pattern = card["pre_tokenizer"]["pretokenizers"][1]["pattern"]["Regex"]
    require(pattern in PATTERNS, "its pattern", "one of this library's", pattern)
    model = models.BPE(vocab=vocabulary, merges=pairs, unk_token=SPECIAL_TOKENS[UNK])
    tokenizer = _tokenizer(model, pattern)
    _check_known(card, json.loads(tokenizer.to_str()), "tokenizer")
    return tokenizer


def _check_known(given: Any, rebuilt: Any, name: str) -> None:
    """Raise ValueError where a description has a setting that the rebuilt one lacks."""
    if isinstance(given, dict) and isinstance(rebuilt, dict):
        for key, value in given.items():
            if key not in ("vocab", "merges", "version"):  # which were taken over
                _check_known(value, rebuilt.get(key), key)
    elif isinstance(given, list) and isinstance(rebuilt, list) and len(given) == len(rebuilt):
        for first, second in zip(given, rebuilt):
            _check_known(first, second, name)
    else:  # older versions of the tokenizers library leave out what is off
        require((given or None) == (rebuilt or None), name, f"{rebuilt!r}", given)


def vocabulary_from_json(description: dict[str, Any]) -> Vocabulary:
    """The vocabulary that ``to_json`` described. Raises ValueError for anything else."""
    try:
        if description["kind"] == "words":
            tokens = description["tokens"]
            words = isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)
            require(words, "tokens", "a list of strings", type(tokens))
            return WordVocabulary(tokens)
        if description["kind"] == "subwords":
            return SubwordVocabulary(_tokenizer_from_json(description["tokenizer"]))
    except Exception as error:  # the tokenizers library raises plain Exception
        raise ValueError(f"this is not a vocabulary: {error}") from error
    raise ValueError(f'a vocabulary\'s kind must be "words" or "subwords", got {description}')
