"""The controls of chapters 6, 7, 9 and 11: what a program computes, against another way to it."""

import math
from collections import Counter

import pytest
import torch
from torch import nn

from attnlib.model import causal_mask
from studies import characters, gpt_chapter, score_controls, self_attention, significance
from studies import teacher_forcing_chapter as forcing

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("pairs", [10, 40])
def test_every_asked_key_stands_once_among_the_pairs_before_its_value(pairs: int) -> None:
    ids, wanted = self_attention.examples(50, pairs)
    asked = ids[:, 2 * pairs :]
    found = ids[:, None, 0 : 2 * pairs : 2] == asked.unsqueeze(-1)  # (50, asked, pairs)
    assert found.sum(-1).eq(1).all() and all(len(set(row)) == len(row) for row in asked.tolist())
    values = ids[:, 1 : 2 * pairs : 2] - self_attention.KEYS
    assert torch.equal((found * values.unsqueeze(1)).sum(-1), wanted)


def test_the_models_that_recall_have_parameters_within_four_per_cent() -> None:
    models = [self_attention.make_model(name) for name in self_attention.RECALL]
    sizes = [sum(p.numel() for p in model.parameters()) for model in models]
    assert max(sizes) <= 1.04 * min(sizes), sizes


def test_kneser_ney_is_the_formula_worked_with_dictionaries() -> None:
    text = torch.randint(3, (340,), generator=torch.Generator().manual_seed(1))
    read, rest = text[:300], text[300:]
    known, letters = read.tolist(), len(characters.prose().letters)
    grams = {n: Counter(zip(*(known[i:] for i in range(n)))) for n in (1, 2, 3, 4)}

    def p(asked: tuple[int, ...], longest: bool) -> float:
        """Of the last character, after the ones before it."""
        if not asked:
            return 1 / letters
        if longest:
            counts = grams[len(asked)]
        else:
            counts = Counter(gram[1:] for gram in grams[len(asked) + 1])
        same = {gram: c for gram, c in counts.items() if gram[:-1] == asked[:-1]}
        lower = p(asked[1:], longest=False)
        if not same:
            return lower
        kept = max(same.get(asked, 0) - 0.7, 0)
        return (kept + 0.7 * len(same) * lower) / sum(same.values())

    found = gpt_chapter.kneser_ney(read, rest, 2, 0.7)
    wanted = [p(tuple(text[n - 2 : n + 1].tolist()), longest=True) for n in range(300, 340)]
    torch.testing.assert_close(found, torch.tensor(wanted, dtype=torch.double))
    every = torch.cat([rest[:1].expand(letters), torch.arange(letters)]).view(2, -1).T.flatten()
    after = gpt_chapter.kneser_ney(read, every, 0, 0.7)[1::2]
    assert after.sum().item() == pytest.approx(1)


def test_the_post_norm_layer_is_that_of_torch() -> None:
    ours = gpt_chapter.PostNorm(8, 2, 16, dropout=0.0)
    theirs = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    of_ours = ours.state_dict()
    parts = [of_ours[f"self_attn.{name}.weight"] for name in ("query", "key", "value")]
    biases = [of_ours[f"self_attn.{name}.bias"] for name in ("query", "key", "value")]
    state = {
        "self_attn.in_proj_weight": torch.cat(parts),
        "self_attn.in_proj_bias": torch.cat(biases),
    }
    for name, other in (
        ("self_attn.out", "self_attn.out_proj"),
        ("norm1", "norm1"),
        ("norm2", "norm2"),
        ("feed_forward.0", "linear1"),
        ("feed_forward.2", "linear2"),
    ):
        state |= {f"{other}.{kind}": of_ours[f"{name}.{kind}"] for kind in ("weight", "bias")}
    theirs.load_state_dict(state)
    x, mask = torch.randn(2, 5, 8), causal_mask(5)
    torch.testing.assert_close(ours(x, mask), theirs(x, src_mask=~mask))


def test_normalized_scores_meet_the_premise_and_leave_normalized_vectors_alone() -> None:
    query, keys = torch.randn(4, 50, 128) / 9, 3 + torch.randn(4, 60, 128) / 50
    bare, normalized, divided = (
        score_controls.NormalizedDot(128, *how).scores(query, keys)
        for how in ((False, False), (True, False), (True, True))
    )
    assert 0.9 < divided.std() < 1.1 and bare.std() > 2
    torch.testing.assert_close(normalized, divided * math.sqrt(128))
    unit = [nn.functional.layer_norm(x, (128,)) for x in (query, keys)]
    plain = score_controls.NormalizedDot(128, False, False).scores(*unit)
    torch.testing.assert_close(plain, normalized)


def test_a_random_digit_replaces_one_input_in_ten_and_only_in_training() -> None:
    torch.manual_seed(1)
    model, batch = forcing.reverse_model(forcing.RandomDigits), forcing.digits_batch(300, 3, 10)
    seen: list[torch.Tensor] = []
    model.decoder.embed.register_forward_pre_hook(lambda module, inputs: seen.append(inputs[0]))
    for training in (True, False):
        model.train(training)
        model.features(batch.src, batch.src_mask, batch.tgt_in)
    fed, measured = seen
    assert torch.equal(measured, batch.tgt_in) and torch.equal(fed[:, 0], batch.tgt_in[:, 0])
    assert 0.07 < (fed != batch.tgt_in)[:, 1:].double().mean() < 0.11
    assert fed[:, 1:].min() >= forcing.DIGIT


def test_a_test_names_who_is_better_and_nobody_where_both_say_the_same() -> None:
    draw = torch.Generator().manual_seed(1)
    good = torch.tensor([[10.0, 10, 9, 8, 7, 6, 10, 9, 8, 7]], dtype=torch.double).repeat(60, 1)
    bad = good - torch.tensor([0.0, 0, 4, 4, 4, 4, 0, 0, 0, 0], dtype=torch.double)
    for names_one in (significance.bootstrap, significance.randomization):
        assert names_one(good, bad, draw) and not names_one(good, good, draw)
