"""Every score against its formula written as a loop, and attention against torch's own."""

import math

import pytest
import torch
from torch.nn import functional as F

from attnlib.masking import lengths_to_mask
from attnlib.model import (
    KINDS,
    ConcatAttention,
    DotAttention,
    GeneralAttention,
    ScaledDotAttention,
    make_attention,
)

B, T, S, HQ, HK, HV, A = 2, 3, 5, 4, 6, 7, 8


def score_by_formula(attention, s, h):
    """One score e(s, h) of two vectors, as the paper writes it."""
    if isinstance(attention, ScaledDotAttention):
        return s @ h / math.sqrt(len(h))
    if isinstance(attention, DotAttention):
        return s @ h
    if isinstance(attention, GeneralAttention):
        return s @ attention.project.weight @ h
    if isinstance(attention, ConcatAttention):
        return attention.v @ torch.tanh(attention.weight @ torch.cat([s, h]))
    return attention.v @ torch.tanh(attention.from_query.weight @ s + attention.from_key.weight @ h)


def make(kind):
    key_size = HQ if "dot" in kind else HK
    attention = make_attention(kind, HQ, key_size, A)
    query, keys = torch.randn(B, T, HQ), torch.randn(B, S, key_size)
    return attention, query, keys, torch.randn(B, S, HV), lengths_to_mask(torch.tensor([5, 3]))


@pytest.mark.parametrize("kind", KINDS)
def test_scores_weights_and_context_equal_the_formula_in_a_loop(kind):
    attention, query, keys, values, mask = make(kind)
    context, weights = attention(query, keys, values, mask)
    for b, real in enumerate((5, 3)):
        assert (weights[b, :, real:] == 0).all()
        for t in range(T):
            scores = torch.stack(
                [score_by_formula(attention, query[b, t], keys[b, j]) for j in range(real)]
            )
            exponentials = scores.exp()
            expected = exponentials / exponentials.sum()
            assert torch.allclose(weights[b, t, :real], expected, atol=1e-5)
            mixed = sum(expected[j] * values[b, j] for j in range(real))
            assert torch.allclose(context[b, t], mixed, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_leaves_nothing_on_the_module_and_its_arguments_alone(kind):
    attention, *arguments = make(kind)
    attributes, before = set(vars(attention)), [a.clone() for a in arguments]
    attention(*arguments)
    assert set(vars(attention)) == attributes
    assert all(torch.equal(a, b) for a, b in zip(arguments, before))


def test_scaled_dot_equals_torchs_scaled_dot_product_attention():
    attention, query, keys, values, mask = make("scaled_dot")
    expected = F.scaled_dot_product_attention(query, keys, values, attn_mask=mask.unsqueeze(1))
    assert torch.allclose(attention(query, keys, values, mask)[0], expected, atol=1e-6)


@pytest.mark.parametrize("kind", ["general", "concat", "additive"])
def test_new_weights_are_uniform_as_in_torchs_linear_layer(kind):
    attention = make_attention(kind, 60, 40, 1024)
    bounds = {
        "project.weight": 40,
        "from_query.weight": 60,
        "from_key.weight": 40,
        "weight": 100,
        "v": 1024,
    }
    for name, parameter in attention.named_parameters():
        bound = 1 / math.sqrt(bounds[name])
        assert -bound <= parameter.min() < -0.97 * bound, name
        assert 0.97 * bound < parameter.max() <= bound, name
        assert abs(parameter.mean()) < 0.15 * bound, name
