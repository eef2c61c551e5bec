"""What a metric reads: a corpus as texts, and the tokens of a text.

Sentences are plain strings, as a reader would see them; a tokeniser is part of the measure.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from ..checks import check_name

References: TypeAlias = Sequence[str | Sequence[str]]  # one entry a hypothesis: one text or several


def tokenize_13a(text: str) -> list[str]:
    """Split off punctuation as mteval-v13a.pl does, sacreBLEU's default (for European languages).

    A full stop or comma between digits stays, as does an apostrophe and a hyphen in a word.

    >>> tokenize_13a('"It cost $1,000.50," he said.')
    ['"', 'It', 'cost', '$', '1,000.50', ',', '"', 'he', 'said', '.']
    """
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for name, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(name, sign)
    text = re.sub(r"([{-~[-` -&(-+:-@/])", r" \1 ", f" {text} ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text).split()


TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "13a": tokenize_13a,
    "none": str.split,
    "char": lambda text: [character for character in text if not character.isspace()],
}


def tokenized(text: str, tokenize: str, lowercase: bool = False) -> list[str]:
    """The tokens of a text; white space at its end is none of it."""
    check_name("tokenize", tokenize, tuple(TOKENIZERS))
    return TOKENIZERS[tokenize]((text.lower() if lowercase else text).rstrip())


def check_string(text: object, name: str = "hypothesis") -> None:
    """Refuse what is no text: a list of tokens, or of sentences."""
    if not isinstance(text, str):
        raise ValueError(f"{name} must be one string, got {type(text).__name__}")


def corpus_pairs(hypotheses: Sequence[str], references: References) -> list[tuple[str, list[str]]]:
    """Each hypothesis with the list of its references."""
    for name, texts in (("hypotheses", hypotheses), ("references", references)):
        if isinstance(texts, str):
            raise ValueError(f"{name} must be a list of strings, got one string: put it in a list")
        if not hasattr(texts, "__len__"):
            raise ValueError(f"{name} must be a list of strings, got {type(texts).__name__}")
    if len(hypotheses) != len(references):
        raise ValueError(
            f"references must have one entry for each of {len(hypotheses)} hypotheses (several "
            f"references of a sentence are a list in its entry), got {len(references)}"
        )
    if len(hypotheses) == 0:
        raise ValueError("hypotheses must hold at least one sentence, got none")
    pairs = [
        (h, list(r) if isinstance(r, Iterable) and not isinstance(r, str) else [r])
        for h, r in zip(hypotheses, references)
    ]
    for i, (hypothesis, texts) in enumerate(pairs):
        if not texts or not all(isinstance(text, str) for text in (hypothesis, *texts)):
            expected = "every sentence must be a string with at least one reference"
            raise ValueError(f"{expected}; number {i} is not: join tokens to text first")
    return pairs
