"""How long a translation may become."""

from collections.abc import Sequence
from typing import NamedTuple

from ..checks import as_number, require


class LengthLimit(NamedTuple):
    """At most ⌊ratio · S⌋ + offset tokens are written for a source of S, both with their end.

    2 S + 10 is a limit that few pairs of languages reach: what is longer is mostly a loop. A
    smaller one makes beam search faster, which stops when even at the limit nothing could be
    better.

    >>> LengthLimit().tokens(5)
    20
    """

    ratio: float = 2.0
    offset: int = 10

    def tokens(self, length: int) -> int:
        return int(self.ratio * length) + self.offset

    @classmethod
    def learn(cls, lengths: Sequence[tuple[int, int]]) -> "LengthLimit":
        """The limit that all training pairs keep but one in a thousand (of fewer, all).

        ``ratio`` is that of all target tokens to all source tokens, ``offset`` what the longest of
        the translations that keep the limit need beside it. Arguments: lengths, (S, T) of each
        pair in tokens, both with their end.

        >>> LengthLimit.learn([(4, 4), (6, 6), (5, 8)])  # 18 / 15; 8 are two more than 1.2 · 5
        LengthLimit(ratio=1.2, offset=2)
        """
        lengths = [(int(s), int(t)) for s, t in lengths]
        require(bool(lengths), "lengths", "those of at least one pair", lengths)
        ratio = round(sum(t for _, t in lengths) / sum(s for s, _ in lengths), 3)
        ratio = min(ratio, LARGEST_LIMIT.ratio)
        over = sorted(t - int(ratio * s) for s, t in lengths)
        return cls(ratio, min(max(1, over[-1 - len(over) // 1000]), LARGEST_LIMIT.offset))

    def checked(self) -> "LengthLimit":
        """The same in Python's numbers; ValueError for a limit that leaves no room for an end, or
        is none at all."""
        ratio, offset = map(as_number, self)
        is_valid = 0 <= ratio <= LARGEST_LIMIT.ratio and 1 <= offset <= LARGEST_LIMIT.offset
        largest = f"{LARGEST_LIMIT.ratio:g} and 1 to {LARGEST_LIMIT.offset:,} tokens more"
        require(is_valid and isinstance(offset, int), "limit", f"a ratio of 0 to {largest}", self)
        return LengthLimit(ratio, offset)


#: What no pair of languages comes near. A limit is kept by whoever gets the translator, too, and a
#: translation that never ends should end.
LARGEST_LIMIT = LengthLimit(100.0, 10_000)
