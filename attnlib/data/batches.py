"""From sentence pairs to padded batches: bucketed by length, shifted for teacher forcing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, NoReturn, SupportsIndex

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from ..checks import SEED_LIMIT, as_int, as_ints, in_a_line
from ..device import to_device
from ..masking import lengths_to_mask
from .words import BOS, EOS, PAD

TokenIds = Sequence[int]  # one sentence as token numbers, without start and end
#: Such sentences as others have them: lists, tensors, arrays of numpy or pandas.
Rows = Iterable[Iterable[SupportsIndex]]


class Batch(NamedTuple):
    """Sentence pairs side by side; the target once as input and once, shifted by one, as goal.

    ``tgt_in`` is start + sentence, ``tgt_out`` is sentence + end, so ``tgt_out[:, t]`` is what
    should follow ``tgt_in[:, t]``. The masks are True at real tokens; ``tgt_mask`` fits both.
    ``make_batch`` makes one.
    """

    src: Int[Tensor, "B S"]
    src_mask: Bool[Tensor, "B S"]
    tgt_in: Int[Tensor, "B T"]
    tgt_out: Int[Tensor, "B T"]
    tgt_mask: Bool[Tensor, "B T"]

    def to(self, device: torch.device | str) -> "Batch":
        """The same batch on a device."""
        return Batch(*(to_device(tensor, device) for tensor in self))


def pad(sentences: Rows) -> tuple[Int[Tensor, "B S"], Bool[Tensor, "B S"]]:
    """Sentences as one table (B, S), short rows filled up with PAD, and the mask of real tokens.

    Arguments: sentences, the token numbers of each: lists, tensors, or arrays of numpy or pandas.
    Raises ValueError where there is no sentence, or an empty one, or one of no whole numbers.

    >>> table, mask = pad([[5, 6], [7]])
    >>> table.tolist(), mask.tolist()
    ([[5, 6], [7, 0]], [[True, True], [True, False]])
    """
    ids = ids_of("sentences", sentences)
    if not ids:
        raise ValueError("a batch needs at least one sentence, got none")
    if [] in ids:
        raise ValueError(f"sentence {ids.index([])} of the batch is empty; leave it out")
    return _pad(ids)


def _pad(sentences: list[list[int]]) -> tuple[Tensor, Tensor]:
    lengths = [len(sentence) for sentence in sentences]
    size = max(lengths)
    rows = [[*row, *[PAD] * (size - len(row))] for row in sentences]
    return torch.tensor(rows), lengths_to_mask(torch.tensor(lengths))


def ids_of(name: str, sentences: Any) -> list[list[int]]:
    """Sentences as lists of Python's ints, whatever held them.

    Raises ValueError for anything else: strings, floats, a missing value of pandas.

    >>> ids_of("src", torch.tensor([[4, 5]]))
    [[4, 5]]
    >>> ids_of("src", ["ab"])
    Traceback (most recent call last):
    ValueError: src[0] must be a row of whole numbers (a vocabulary's encode makes them), got 'ab'
    """
    try:
        rows = list(sentences)
    except TypeError:
        got = in_a_line(sentences)
        raise ValueError(f"{name} must be rows of whole numbers, got {got}") from None
    ids = []
    for index, row in enumerate(rows):
        try:
            ids.append(as_ints(row))
        except TypeError:
            expected = "a row of whole numbers (a vocabulary's encode makes them)"
            raise ValueError(f"{name}[{index}] must be {expected}, got {in_a_line(row)}") from None
    return ids


def make_batch(src: Rows, tgt: Rows) -> Batch:
    """One padded batch of sentence pairs given as token numbers.

    Each source ends with EOS too: the encoder then sees where the sentence stops. Arguments: as
    ``pad`` takes them. Raises ValueError for an empty source sentence, different numbers of
    sentences, and what is no whole number.

    >>> batch = make_batch([[4, 5]], [[6]])
    >>> batch.src.tolist(), batch.tgt_in.tolist(), batch.tgt_out.tolist()
    ([[4, 5, 3]], [[2, 6]], [[6, 3]])
    """
    sources, targets = _pair_ids(src, tgt)
    src_table, src_mask = _pad([[*sentence, EOS] for sentence in sources])
    tgt_in, tgt_mask = _pad([[BOS, *sentence] for sentence in targets])
    tgt_out, _ = _pad([[*sentence, EOS] for sentence in targets])
    return Batch(src_table, src_mask, tgt_in, tgt_out, tgt_mask)


def _pair_ids(src: Rows, tgt: Rows) -> tuple[list[list[int]], list[list[int]]]:
    """Sources and targets as lists of ints: as many of either, and no source is empty."""
    sources, targets = ids_of("src", src), ids_of("tgt", tgt)
    if len(sources) != len(targets) or not sources:
        got = f"{len(sources)} and {len(targets)} sentences"
        raise ValueError(f"src and tgt must pair up, got {got}")
    if [] in sources:
        raise ValueError(f"source sentence {sources.index([])} is empty; leave it out")
    return sources, targets


def bucket_by_length(lengths: Iterable[SupportsIndex], batch_size: int) -> Iterator[list[int]]:
    """Positions in batches of ``batch_size``: neighbours in length pad less, and finish together.

    >>> list(bucket_by_length([3, 1, 2], 2))
    [[1, 2], [0]]
    """
    batch_size, lengths = as_int("batch_size", batch_size), as_ints(lengths)
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for start in range(0, len(order), batch_size):
        yield order[start : start + batch_size]


class Batches:
    """A corpus cut into batches of sentences of similar length, in a new order every epoch.

    A batch holds as many pairs as fit into ``max_tokens`` padded positions on the longer side (or
    ``batch_size`` pairs). The order depends on ``seed`` and the epoch's number alone, so that
    training can be resumed in the middle of an epoch; ``largest`` is the number of pairs of the
    largest batch of the first. Raises ValueError for an empty source sentence, different numbers of
    sentences, not exactly one of ``max_tokens`` and ``batch_size``, and what is no integer.

    >>> batches = Batches([[4], [4, 5], [4, 5, 6]], [[4], [4], [4]], batch_size=2, seed=1)
    >>> len(batches), sum(len(batch.src) for batch in batches.epoch(0))
    (2, 3)
    """

    def __init__(
        self,
        src: Rows,
        tgt: Rows,
        *,
        max_tokens: int | None = None,
        batch_size: int | None = None,
        seed: int = 1,
    ) -> None:
        self.src, self.tgt = _pair_ids(src, tgt)
        if (max_tokens is None) == (batch_size is None):
            raise ValueError(f"give max_tokens or batch_size, got {max_tokens} and {batch_size}")
        self.max_tokens = None if max_tokens is None else as_int("max_tokens", max_tokens)
        self.batch_size = None if batch_size is None else as_int("batch_size", batch_size)
        self.seed = as_int("seed", seed, 0, SEED_LIMIT)
        self.lengths = [(len(s) + 1, len(t) + 1) for s, t in zip(self.src, self.tgt)]
        sizes = [len(chosen) for chosen in self.batch_indices(0)]
        self._count, self.largest = len(sizes), max(sizes)

    def __len__(self) -> int:
        """Batches in the first epoch; epochs differ by a few where batches are cut by tokens."""
        return self._count

    def __getitem__(self, number: Any) -> NoReturn:
        """Also what ``for`` and a DataLoader try: each epoch has an order of its own."""
        expected = "for batch in batches.epoch(0), then epoch(1), and so on"
        raise TypeError(f"Batches come in another order every epoch: {expected}")

    def batch_indices(self, epoch: int) -> list[list[int]]:
        """Which pairs (by index) share a batch in an epoch, in the order they will be seen."""
        epoch = as_int("epoch", epoch, 0)
        generator = torch.Generator().manual_seed(self.seed * 1_000_003 + epoch)
        order: list[int] = torch.randperm(len(self.src), generator=generator).tolist()
        # Python's sort is stable: pairs of equal lengths keep their random order.
        order.sort(key=lambda i: (max(self.lengths[i]), self.lengths[i][0]))
        plan: list[list[int]] = [[]]
        for i in order:  # lengths ascend, so the newest pair is the longest of its batch
            room = self.batch_size or max(1, (self.max_tokens or 0) // max(self.lengths[i]))
            if len(plan[-1]) >= room:
                plan.append([])
            plan[-1].append(i)
        return [plan[k] for k in torch.randperm(len(plan), generator=generator).tolist()]

    def unpadded_batches(
        self, epoch: int, start: int = 0
    ) -> Iterator[tuple[list[TokenIds], list[TokenIds]]]:
        """Sources and targets of each batch of an epoch, from the ``start``-th on, not padded."""
        for chosen in self.batch_indices(epoch)[start:]:
            yield [self.src[i] for i in chosen], [self.tgt[i] for i in chosen]

    def epoch(self, number: int) -> Iterator[Batch]:
        """The batches of an epoch."""
        return (make_batch(src, tgt) for src, tgt in self.unpadded_batches(number))
