"""Batches pair, shift, pad and bucket; their order depends on seed and epoch alone."""

import pytest
import torch

from attnlib.data import BOS, EOS, PAD, Batches, make_batch


def corpus(count=60):
    lengths = [1 + (7 * i) % 20 for i in range(count)]
    return [[4 + i] * n for i, n in enumerate(lengths)], [
        [4 + i] * (n + i % 3) for i, n in enumerate(lengths)
    ]


def test_the_goal_is_the_input_shifted_by_one():
    batch = make_batch([[5, 6], [7]], [[8, 9, 10], [11]])
    assert batch.tgt_in.tolist() == [[BOS, 8, 9, 10], [BOS, 11, PAD, PAD]]
    assert batch.tgt_out.tolist() == [[8, 9, 10, EOS], [11, EOS, PAD, PAD]]
    assert torch.equal(
        batch.tgt_in[:, 1:][batch.tgt_mask[:, 1:]], batch.tgt_out[:, :-1][batch.tgt_mask[:, 1:]]
    )
    assert batch.tgt_mask.tolist() == [[True] * 4, [True, True, False, False]]
    assert batch.src.tolist() == [[5, 6, EOS], [7, EOS, PAD]]
    assert torch.equal(batch.src_mask, batch.src != PAD)


@pytest.mark.parametrize("cut", [{"max_tokens": 100}, {"batch_size": 8}])
def test_an_epoch_shows_every_pair_once_with_its_own_target(cut):
    src, tgt = corpus()
    seen = []
    for batch in Batches(src, tgt, seed=3, **cut).epoch(0):
        for source, mask, goal, goal_mask in zip(
            batch.src, batch.src_mask, batch.tgt_out, batch.tgt_mask
        ):
            seen.append((source[mask][:-1].tolist(), goal[goal_mask][:-1].tolist()))
    assert sorted(seen) == sorted(zip(src, tgt))


@pytest.mark.parametrize("ask", [list, lambda b: b[0], lambda b: [*torch.utils.data.DataLoader(b)]])
def test_batches_without_an_epoch_raise_an_error_that_asks_for_one(ask):
    with pytest.raises(TypeError, match=r"another order every epoch: .*batches\.epoch\(0\)"):
        ask(Batches(*corpus(), batch_size=8))


def test_no_batch_is_larger_than_asked():
    src, tgt = corpus()
    for batch in Batches(src, tgt, max_tokens=100, seed=1).epoch(0):
        assert batch.src.numel() <= 100 and batch.tgt_in.numel() <= 100
    assert max(len(batch.src) for batch in Batches(src, tgt, batch_size=8).epoch(0)) == 8


@pytest.mark.parametrize("longer", ["source", "target"])
def test_the_longer_side_counts_whichever_it_is(longer):
    """5 words and an end are 6 positions: two pairs of such sentences fill 12, and 11 hold one."""
    long, short = [[4] * 5] * 4, [[4]] * 4
    src, tgt = (long, short) if longer == "source" else (short, long)
    for tokens, pairs in ((12, 2), (11, 1), (17, 2), (18, 3)):
        sizes = [len(chosen) for chosen in Batches(src, tgt, max_tokens=tokens).batch_indices(0)]
        assert max(sizes) == pairs, (tokens, sizes)


def test_the_smallest_budget_is_one_pair_a_batch_however_long_it_is():
    src, tgt = [[4], [5] * 50], [[4], [5]]
    for cut in ({"batch_size": 1}, {"max_tokens": 1}, {"max_tokens": 10}):
        assert [len(chosen) for chosen in Batches(src, tgt, **cut).batch_indices(0)] == [1, 1]


def test_pairs_of_one_length_on_one_side_are_bucketed_by_the_other():
    src, tgt = [[4] * (1 + i % 4) for i in range(32)], [[5] * 6] * 32
    for batch in Batches(src, tgt, batch_size=8, seed=2).epoch(0):
        assert bool(batch.src_mask.all()), "no batch needs padding on the source's side"


def test_a_sentence_may_have_an_empty_translation():
    batch = make_batch([[5]], [[]])
    assert batch.tgt_in.tolist() == [[BOS]] and batch.tgt_out.tolist() == [[EOS]]


def test_the_order_is_the_seeds_and_the_epochs():
    src, tgt = corpus()
    one, same = Batches(src, tgt, batch_size=8, seed=1), Batches(src, tgt, batch_size=8, seed=1)
    assert one.batch_indices(0) == same.batch_indices(0)
    assert one.batch_indices(0) != one.batch_indices(1)
    assert one.batch_indices(0) != Batches(src, tgt, batch_size=8, seed=2).batch_indices(0)
    # seed + epoch would make the second epoch of one seed the first of the next
    assert one.batch_indices(1) != Batches(src, tgt, batch_size=8, seed=2).batch_indices(0)


def test_an_epoch_can_be_entered_in_the_middle():
    batches = Batches(*corpus(), batch_size=8, seed=1)
    whole = [batch.src.tolist() for batch in batches.epoch(2)]
    rest = [make_batch(*pairs).src.tolist() for pairs in batches.unpadded_batches(2, 3)]
    assert rest == whole[3:]
    assert len(batches) == len(whole)
