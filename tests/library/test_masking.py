"""Masks, masked softmax and cross-entropy against torch and closed forms."""

import math

import pytest
import torch
from torch.nn import functional as F

from attnlib.masking import lengths_to_mask, masked_softmax
from attnlib.training import (
    fused,
    token_cross_entropy,
)
from attnlib.training.fused import linear_cross_entropy


def test_a_mask_is_true_exactly_at_real_tokens():
    mask = lengths_to_mask(torch.tensor([0, 2, 3]), size=4)
    assert mask.tolist() == [[False] * 4, [True, True, False, False], [True] * 3 + [False]]


def test_a_mask_is_as_wide_as_the_longest_row_unless_a_width_is_given():
    assert lengths_to_mask(torch.tensor([1, 2])).shape == (2, 2)
    assert lengths_to_mask(torch.tensor([2, 2]), size=2).all()
    assert lengths_to_mask(torch.tensor([], dtype=torch.long)).shape == (0, 0)
    assert lengths_to_mask(torch.tensor([0])).shape == (1, 0)


def test_masked_softmax_equals_a_softmax_over_the_allowed_positions_alone():
    scores = torch.randn(3, 7, dtype=torch.float64)
    mask = torch.tensor([True, False, True, True, False, True, False])
    weights = masked_softmax(scores, mask)
    assert torch.allclose(weights[:, mask], scores[:, mask].softmax(-1))
    assert (weights[:, ~mask] == 0).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
def test_a_row_with_nothing_allowed_is_zero_and_so_is_its_gradient(dtype):
    scores = torch.randn(2, 3).to(dtype).requires_grad_()
    mask = torch.tensor([[False] * 3, [True, True, False]])
    weights = masked_softmax(scores, mask)
    weights[:, 0].sum().backward()
    assert weights[0].tolist() == [0, 0, 0]
    assert scores.grad[0].tolist() == [0, 0, 0] and torch.isfinite(scores.grad).all()
    assert scores.grad[1, 2] == 0 and scores.grad[1, 0] != 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16])
def test_weights_sum_to_one_beside_a_mask_however_small_the_allowed_scores_are(dtype):
    lowest = torch.finfo(dtype).min
    scores = torch.full((2, 4), lowest, dtype=dtype)
    mask = torch.tensor([[True, True, False, False], [False, True, False, False]])
    weights = masked_softmax(scores, mask)
    assert weights.tolist() == [[0.5, 0.5, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]


@pytest.mark.parametrize("mask", [None, torch.ones(3).bool(), torch.tensor([True, True, False])])
def test_a_row_of_minus_infinity_is_zero_and_so_is_its_gradient(mask):
    allowed = 2 if mask is not None and not mask.all() else 3
    scores = torch.tensor([[-math.inf] * allowed + [3.0] * (3 - allowed), [0.0, -math.inf, 1.0]])
    scores.requires_grad_()
    weights = masked_softmax(scores, mask)
    assert weights[0].tolist() == [0, 0, 0]
    assert torch.equal(weights[1, :allowed], scores[1, :allowed].softmax(-1))
    weights[:, 0].sum().backward()
    assert scores.grad[0].tolist() == [0, 0, 0] and torch.isfinite(scores.grad).all()
    assert scores.grad[1, 1] == 0 and (scores.grad[1, 0] > 0) == (allowed == 3)


@pytest.mark.parametrize("mask", [None, torch.tensor([True, True, False])])
def test_a_score_that_is_no_number_is_not_hidden(mask):
    weights = masked_softmax(torch.tensor([[math.nan, 1.0, 2.0], [math.nan] * 3]), mask)
    assert weights[:, 0].isnan().all()


def test_whole_numbers_have_the_weights_of_the_same_scores_with_a_point():
    scores, mask = torch.tensor([[1, 0, 2]]), torch.tensor([True, True, False])
    for given in (None, mask):
        # jaxtyping would refuse whole numbers, so the unchecked function is asked.
        weights = getattr(masked_softmax, "__wrapped__", masked_softmax)(scores, given)
        assert torch.equal(weights, masked_softmax(scores.float(), given))


def test_what_stands_at_a_hidden_position_reaches_neither_weights_nor_gradients():
    mask = torch.tensor([[True, True, False], [False] * 3])
    for garbage in (math.nan, math.inf, -math.inf):
        scores = torch.randn(2, 3).masked_fill(~mask, garbage).requires_grad_()
        weights = masked_softmax(scores, mask)
        assert weights[0, 2] == 0 and weights[1].tolist() == [0, 0, 0]
        weights[:, 0].sum().backward()
        assert torch.isfinite(scores.grad).all() and not scores.grad.masked_select(~mask).any()


def test_the_dimension_that_is_normalised_may_be_any_and_is_the_scores():
    scores, mask = torch.randn(2, 3, 4), torch.rand(3, 4) > 0.4
    for dim in (0, 1, 2, -1, -2, -3):
        expected = masked_softmax(scores.movedim(dim, -1), mask.expand(2, 3, 4).movedim(dim, -1))
        assert torch.allclose(masked_softmax(scores, mask, dim), expected.movedim(-1, dim))


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_cross_entropy_equals_torchs_in_value_and_gradient(smoothing):
    logits = torch.randn(6, 11, dtype=torch.float64, requires_grad=True)
    targets = torch.randint(0, 11, (6,))
    ours = token_cross_entropy(logits, targets, smoothing)
    theirs = F.cross_entropy(logits, targets, label_smoothing=smoothing)
    assert ours.item() == pytest.approx(theirs.item(), abs=1e-6)
    (grad,) = torch.autograd.grad(ours, logits)
    (expected,) = torch.autograd.grad(theirs, logits)
    assert torch.allclose(grad, expected, atol=1e-7)
    assert torch.autograd.gradcheck(lambda x: token_cross_entropy(x, targets, smoothing), logits)
    assert torch.autograd.gradgradcheck(
        lambda x: token_cross_entropy(x, targets, smoothing), logits
    )


def output_layer(rows=7, width=3, size=11, dtype=torch.float64):
    tensors = [
        torch.randn(*shape, dtype=dtype) for shape in ((rows, width), (size, width), (size,))
    ]
    return [t.requires_grad_() for t in tensors], torch.randint(0, size, (rows,))


def rows_at_a_time(monkeypatch, count):
    monkeypatch.setattr(fused, "BLOCK_ROWS", count)


@pytest.mark.parametrize("biased", [True, False])
@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_the_loss_in_blocks_of_rows_equals_torchs_of_all_logits(smoothing, biased, monkeypatch):
    rows_at_a_time(monkeypatch, 3)  # two whole blocks and a row
    (features, weight, bias), targets = output_layer()
    tensors = [features, weight, *([bias] if biased else [])]
    bias = bias if biased else None
    ours = linear_cross_entropy(features, weight, bias, targets, smoothing)
    logits = F.linear(features, weight, bias)
    theirs = F.cross_entropy(logits, targets, label_smoothing=smoothing)
    assert torch.allclose(ours, theirs)
    gradients = torch.autograd.grad(2.5 * ours, tensors)
    expected = torch.autograd.grad(2.5 * theirs, tensors)
    assert all(torch.allclose(a, b) for a, b in zip(gradients, expected))
    with torch.no_grad():  # a validation
        alone = linear_cross_entropy(features, weight, bias, targets, smoothing)
    assert torch.allclose(alone, theirs, rtol=1e-12)


def test_gradients_of_the_loss_in_blocks_are_those_of_small_changes(monkeypatch):
    rows_at_a_time(monkeypatch, 2)
    tensors, targets = output_layer(rows=5, size=4)
    assert torch.autograd.gradcheck(
        lambda *tensors: linear_cross_entropy(*tensors, targets, 0.2), tensors
    )
    loss = linear_cross_entropy(*tensors, targets)
    with pytest.raises(RuntimeError, match="has first derivatives only"):
        torch.autograd.grad(loss, tensors, create_graph=True)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_losses_and_weights_are_computed_in_float32_or_in_the_float64_that_they_are_given(dtype):
    """...with gradients or without: one rule, and no number is the less exact for a `no_grad`."""
    (features, weight, bias), targets = output_layer(dtype=dtype)
    expected = torch.float64 if dtype == torch.float64 else torch.float32
    close = 1e-14 if dtype == torch.float64 else 1e-2
    for recorded in (True, False):
        with torch.set_grad_enabled(recorded):
            logits = F.linear(features, weight, bias)
            results = [
                linear_cross_entropy(features, weight, bias, targets, 0.1),
                token_cross_entropy(logits, targets, 0.1),
                masked_softmax(logits, logits > 0),
                masked_softmax(logits, None),
            ]
        assert {tensor.dtype for tensor in results} == {expected}
        exact = F.cross_entropy(logits.double(), targets, label_smoothing=0.1)
        for loss in results[:2]:
            assert torch.allclose(loss.double(), exact, rtol=close)


def test_the_loss_in_blocks_keeps_no_logits():
    (features, weight, bias), targets = output_layer(rows=40, width=2, size=50)
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: kept.append(t.numel()) or t, lambda t: t
    ):
        linear_cross_entropy(features, weight, bias, targets, 0.1)
    assert kept and max(kept) <= weight.numel() < 40 * 50


def test_under_autocast_the_loss_in_blocks_computes_as_the_two_layers_do():
    (features, weight, bias), targets = output_layer(rows=30, width=16, dtype=torch.float32)
    features = features.detach().bfloat16().requires_grad_()  # as a layer under autocast gives it
    tensors = [features, weight, bias]
    with torch.autocast("cpu", dtype=torch.bfloat16):
        ours = linear_cross_entropy(*tensors, targets, 0.1)
        theirs = token_cross_entropy(F.linear(*tensors), targets, 0.1)
    assert ours.dtype == torch.float32 and torch.allclose(ours, theirs, atol=1e-5)
    gradients, expected = torch.autograd.grad(ours, tensors), torch.autograd.grad(theirs, tensors)
    for tensor, a, b in zip(tensors, gradients, expected):
        assert a.dtype == b.dtype == tensor.dtype
        assert torch.allclose(a.float(), b.float(), atol=0.02 * float(b.abs().max()))
