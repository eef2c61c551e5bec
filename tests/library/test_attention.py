"""Every score against its formula written as a loop, and attention against torch's own."""

import math

import pytest
import torch
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from attnlib.masking import lengths_to_mask
from attnlib.model import (
    KINDS,
    AdditiveAttention,
    ConcatAttention,
    DotAttention,
    GeneralAttention,
    ScaledDotAttention,
    make_attention,
)
from attnlib.model import attention as module
from attnlib.model import chunked_scores as chunked
from attnlib.model.chunked_scores import chunked_additive_scores

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
    for b in range(B):
        for t in range(T):
            real = int(mask[b].sum())
            scores = torch.stack(
                [score_by_formula(attention, query[b, t], keys[b, j]) for j in range(real)]
            )
            exponentials = scores.exp()
            expected = exponentials / exponentials.sum()
            assert torch.allclose(weights[b, t, :real], expected, atol=1e-5)
            mixed = sum(expected[j] * values[b, j] for j in range(real))
            assert torch.allclose(context[b, t], mixed, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_not_negative_sum_to_one_and_vanish_on_padding(kind):
    attention, query, keys, values, mask = make(kind)
    _, weights = attention(query, keys, values, mask)
    assert (weights >= 0).all() and torch.allclose(weights.sum(-1), torch.ones(B, T))
    assert (weights[1, :, 3:] == 0).all() and (weights[1, :, :3] > 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_in_the_padding_changes_nothing(kind):
    attention, query, keys, values, mask = make(kind)
    context, _ = attention(query, keys, values, mask)
    keys[1, 3:], values[1, 3:] = 1e4, -1e4
    assert torch.equal(attention(query, keys, values, mask)[0], context)


@pytest.mark.parametrize("kind", KINDS)
def test_changing_a_key_changes_the_weights(kind):
    attention, query, keys, values, mask = make(kind)
    _, before = attention(query, keys, values, mask)
    keys[0, 2] += 1.0
    _, after = attention(query, keys, values, mask)
    assert not torch.allclose(before[0], after[0]) and torch.equal(before[1], after[1])


@pytest.mark.parametrize("kind", KINDS)
def test_attention_is_a_set_operation_over_positions(kind):
    attention, query, keys, values, mask = make(kind)
    context, weights = attention(query, keys, values, mask)
    order = torch.randperm(S)
    shuffled, moved = attention(query, keys[:, order], values[:, order], mask[:, order])
    assert torch.allclose(shuffled, context, atol=1e-6)
    assert torch.allclose(moved, weights[..., order], atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_keys_prepared_once_serve_every_step(kind):
    attention, query, keys, values, mask = make(kind)
    together, _ = attention(query, keys, values, mask)
    prepared = attention.prepare(keys)
    steps = [attention(query[:, t : t + 1], keys, values, mask, prepared)[0] for t in range(T)]
    assert torch.allclose(torch.cat(steps, dim=1), together, atol=1e-6)


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


def test_general_with_the_identity_is_dot():
    general, query, keys, values, mask = GeneralAttention(HQ, HQ), *make("dot")[1:]
    general.project.weight.data = torch.eye(HQ)
    expected = DotAttention(HQ, HQ)(query, keys, values, mask)[0]
    assert torch.allclose(general(query, keys, values, mask)[0], expected, atol=1e-6)


def test_concat_is_additive_with_its_two_matrices_side_by_side():
    additive, query, keys, values, mask = make("additive")
    concat = ConcatAttention(HQ, HK, A)
    concat.weight.data = torch.cat([additive.from_query.weight, additive.from_key.weight], dim=1)
    concat.v.data = additive.v.data
    expected, weights = additive(query, keys, values, mask)
    context, others = concat(query, keys, values, mask)
    assert torch.allclose(context, expected, atol=1e-6) and torch.allclose(
        weights, others, atol=1e-6
    )


@pytest.mark.parametrize(
    "kind, expected",
    [
        ("dot", 0),
        ("scaled_dot", 0),
        ("general", HQ * HQ),
        ("concat", A * 2 * HQ + A),
        ("additive", A * 2 * HQ + A),
    ],
)
def test_the_number_of_parameters_is_the_formulas(kind, expected):
    assert sum(p.numel() for p in make_attention(kind, HQ, HQ, A).parameters()) == expected


def tanh_scores(query, keys, v):
    return torch.tanh(query.unsqueeze(2) + keys.unsqueeze(1)) @ v


def pairs(dtype=torch.float64):
    shapes = (B, T, A), (B, S, A), (A,)
    return [torch.randn(*shape, dtype=dtype).requires_grad_() for shape in shapes]


# A step of a row has S·A numbers: all at once; a row; two steps of a row; less than a step.
@pytest.mark.parametrize("chunk", [2**18, T * S * A, 2 * S * A, 1])
def test_scores_of_a_few_pairs_at_a_time_have_the_values_and_gradients_of_all(chunk, monkeypatch):
    monkeypatch.setattr(chunked, "_CHUNK", chunk)
    tensors, outer = pairs(), torch.randn(B, T, S, dtype=torch.float64)
    expected, found = tanh_scores(*tensors), chunked_additive_scores(*tensors)
    assert torch.allclose(found, expected)
    for a, b in zip(*(torch.autograd.grad(e, tensors, outer) for e in (found, expected))):
        assert torch.allclose(a, b)
    assert torch.autograd.gradcheck(chunked_additive_scores, tensors)


@pytest.mark.parametrize("steps", [1, T])
def test_nothing_as_large_as_all_pairs_is_held_or_kept(steps, monkeypatch):
    monkeypatch.setattr(chunked, "_CHUNK", S * A)
    query, keys, v = pairs()
    largest, tanh_ = [], torch.Tensor.tanh_
    monkeypatch.setattr(
        torch.Tensor, "tanh_", lambda tensor: largest.append(tensor.numel()) or tanh_(tensor)
    )
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: kept.append(t.numel()) or t, lambda t: t
    ):
        scores = chunked_additive_scores(query[:, :steps], keys, v)
    scores.sum().backward()
    assert len(largest) == 2 * B * steps and set(largest) == {S * A}
    assert sum(kept) == B * steps * A + B * S * A + A


def test_a_gpu_gets_larger_parts_than_a_processors_cache_holds():
    query, keys = torch.empty(8, 40, 256), torch.empty(8, 40, 256)  # 3,276,800 numbers
    assert len(list(chunked._chunks(query, keys))) == 8 * 2  # 25 steps of a row are 2¹⁸ or less
    assert len(list(chunked._chunks(query.to("meta"), keys.to("meta")))) == 1


def test_tanh_scores_of_two_number_types_have_the_wider():
    query, keys, v = pairs(torch.float32)
    scores = chunked_additive_scores(query.bfloat16(), keys, v)
    assert torch.equal(scores, tanh_scores(query.bfloat16(), keys, v))
    scores.sum().backward()
    assert query.grad.dtype == keys.grad.dtype == v.grad.dtype == torch.float32


def test_tanh_scores_need_no_autocast_which_old_versions_of_torch_refuse_on_mps(monkeypatch):
    def refuse(device, **_):
        raise RuntimeError(f"User specified an unsupported autocast device_type '{device}'")

    monkeypatch.setattr(torch, "autocast", refuse)
    tensors = pairs()
    chunked_additive_scores(*tensors).sum().backward()
    assert all(tensor.grad is not None for tensor in tensors)


@pytest.mark.parametrize("many", [module.CHUNK_FROM, 0])
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_of_gradients_are_those_of_small_changes(kind, many, monkeypatch):
    monkeypatch.setattr(module, "CHUNK_FROM", many)
    attention, query, keys, values, mask = make(kind)
    attention.double()
    tensors = [t.double()[:, :2].requires_grad_() for t in (query, keys, values)]
    tensors += attention.parameters()

    def attend(query, keys, values, *_):
        return attention(query, keys, values, mask[:, :2])

    assert torch.autograd.gradgradcheck(attend, tensors)


@pytest.mark.parametrize("kind", ["concat", "additive"])
def test_only_very_many_pairs_are_scored_a_few_at_a_time(kind, monkeypatch):
    """...of which the formula would hold more than CHUNK_FROM numbers; both give the same."""
    asked, scores = [], module.chunked_additive_scores
    monkeypatch.setattr(
        module, "chunked_additive_scores", lambda *given: asked.append(1) or scores(*given)
    )
    attention, query, keys, _, _ = make(kind)
    plain = attention.scores(query, attention.prepare(keys))
    monkeypatch.setattr(module, "CHUNK_FROM", B * T * S * A)
    assert torch.equal(attention.scores(query, attention.prepare(keys)), plain) and not asked
    monkeypatch.setattr(module, "CHUNK_FROM", B * T * S * A - 1)
    assert torch.equal(attention.scores(query, attention.prepare(keys)), plain) and asked


@pytest.mark.parametrize("many", [module.CHUNK_FROM, 0])
@pytest.mark.parametrize("kind", KINDS)
def test_attention_may_be_computed_anew_for_the_backward_pass(kind, many, monkeypatch):
    """...by torch's checkpoints, which let a backward pass read what was saved once."""
    monkeypatch.setattr(module, "CHUNK_FROM", many)
    attention, query, keys, values, mask = make(kind)
    tensors = [query.requires_grad_(), keys.requires_grad_(), *attention.parameters()]
    plain, _ = attention(query, keys, values, mask)
    anew, _ = checkpoint(attention, query, keys, values, mask, use_reentrant=False)
    for a, b in zip(*(torch.autograd.grad(c.square().sum(), tensors) for c in (anew, plain))):
        assert torch.allclose(a, b, atol=1e-6)


@pytest.mark.parametrize("chunk", [2**18, 1])
@pytest.mark.parametrize("mapped", [(0, 0, 0), (0, None, None), (None, 1, None), (None, None, 0)])
def test_many_pairs_under_vmap_are_those_of_the_formula(mapped, chunk, monkeypatch):
    monkeypatch.setattr(chunked, "_CHUNK", chunk)
    tensors = [
        tensor.detach() if dim is None else torch.stack([tensor.detach(), 2 * tensor.detach()], dim)
        for tensor, dim in zip(pairs(), mapped)
    ]

    def slopes(scores):
        return torch.func.grad(lambda *given: scores(*given).square().sum(), (0, 1, 2))

    found, expected = (
        torch.func.vmap(s, mapped)(*tensors) for s in (chunked_additive_scores, tanh_scores)
    )
    assert torch.allclose(found, expected)
    found, expected = (
        torch.func.vmap(slopes(s), mapped)(*tensors) for s in (chunked_additive_scores, tanh_scores)
    )
    assert all(torch.allclose(a, b) for a, b in zip(found, expected))


# torch's own, of the first derivative forward.
@pytest.mark.filterwarnings("ignore:.*torch.jit.script.* is deprecated:DeprecationWarning")
def test_derivatives_of_many_pairs_forward_are_those_of_the_formula():
    tensors = [tensor.detach() for tensor in pairs()]
    changes = [torch.randn_like(tensor) for tensor in tensors]
    found, expected = (
        torch.func.jvp(scores, (*tensors,), (*changes,))
        for scores in (chunked_additive_scores, tanh_scores)
    )
    assert all(torch.allclose(a, b) for a, b in zip(found, expected))
    hessians = [
        torch.func.hessian(lambda q, s=scores: s(q, *tensors[1:]).square().sum())(tensors[0])
        for scores in (chunked_additive_scores, tanh_scores)
    ]
    assert torch.allclose(*hessians)


@pytest.mark.parametrize("scores", [tanh_scores, chunked_additive_scores])
def test_torchs_function_transforms_see_through_the_scores(scores):
    query, keys, v = (tensor.detach() for tensor in pairs())
    found = torch.func.grad(lambda q: scores(q, keys, v).square().sum())(query)
    leaf = query.clone().requires_grad_()
    tanh_scores(leaf, keys, v).square().sum().backward()
    assert torch.allclose(found, leaf.grad)


@pytest.mark.parametrize("many", [module.CHUNK_FROM, 0])
@pytest.mark.parametrize("kind", ["concat", "additive"])
def test_tanh_scores_under_autocast_are_those_of_the_formula_in_bfloat16(kind, many, monkeypatch):
    monkeypatch.setattr(module, "CHUNK_FROM", many)
    attention, query, keys, _, _ = make(kind)
    query.requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = attention.scores(query, attention.prepare(keys))
    assert scores.dtype == torch.bfloat16
    plain = attention.scores(query, attention.prepare(keys))
    assert torch.allclose(scores.float(), plain, atol=0.1)
    tensors = [query, *attention.parameters()]
    narrow, wide = (torch.autograd.grad(s.float().sum(), tensors) for s in (scores, plain))
    for a, b in zip(narrow, wide):
        assert a.dtype == torch.float32
        assert torch.allclose(a, b, atol=0.05 * float(b.abs().max()))


def test_a_one_hot_weight_returns_the_value_itself():
    keys = 100 * torch.eye(4).unsqueeze(0)
    values = torch.randn(1, 4, HV)
    context, _ = DotAttention(4, 4)(torch.eye(4)[2].view(1, 1, 4), keys, values)
    assert torch.allclose(context[0, 0], values[0, 2])


def test_sizes_that_do_not_fit_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="query_size = key_size, got 3 and 4"):
        make_attention("dot", 3, 4)
    with pytest.raises(ValueError, match="query_size must be a whole number of at least 1, got 0"):
        make_attention("general", 0, 2)
    with pytest.raises(ValueError, match="4 and 6 features, got 5 and 6"):
        make_attention("general", 4, 6)(
            torch.zeros(1, 1, 5), torch.zeros(1, 2, 6), torch.zeros(1, 2, 1)
        )


@pytest.mark.parametrize("kind", KINDS)
def test_sizes_of_one_are_enough(kind):
    attention = make_attention(kind, 1, 1, 1)
    values = torch.randn(1, 2, 3)
    context, weights = attention(torch.randn(1, 1, 1), torch.zeros(1, 2, 1), values)
    assert torch.allclose(weights, torch.full((1, 1, 2), 0.5))
    assert torch.allclose(context, values.mean(1, keepdim=True))


@pytest.mark.parametrize("kind", KINDS)
def test_where_there_is_no_key_there_is_nothing_to_mix(kind):
    attention, query, keys, values, mask = make(kind)
    context, weights = attention(query, keys[:, :0], values[:, :0], mask[:, :0])
    assert weights.shape == (B, T, 0) and torch.equal(context, torch.zeros(B, T, HV))


@pytest.mark.parametrize("kind", ["concat", "additive"])
def test_a_width_inside_below_one_is_refused_before_anything_is_divided_by_it(kind):
    for width in (0, -1):
        with pytest.raises(
            ValueError, match=f"hidden_size must be a whole number of at least 1, got {width}"
        ):
            make_attention(kind, 4, 4, width)


def test_the_width_inside_is_the_querys_unless_it_is_given():
    for kind in ("concat", "additive"):
        assert make_attention(kind, 3, 5).v.shape == (3,)
        assert make_attention(kind, 3, 5, 2).v.shape == (2,)


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


def test_what_is_missing_of_a_score_is_a_clear_error():
    with pytest.raises(ValueError, match="4 and 6 features, got 4 and 7"):
        make_attention("general", 4, 6)(
            torch.zeros(1, 1, 4), torch.zeros(1, 2, 7), torch.zeros(1, 2, 1)
        )


def test_an_unknown_kind_is_refused_and_the_nearest_suggested():
    with pytest.raises(ValueError, match="got 'aditive'; did you mean 'additive'"):
        make_attention("aditive", 2, 2)
    assert isinstance(make_attention("additive", 2, 3), AdditiveAttention)
