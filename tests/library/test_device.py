"""The device is one torch has, seeds repeat, and autocast narrows only matrix products."""

import random

import pytest
import torch

from attnlib.device import autocast, best_device, choose_precision, has_fast_bf16, seed_everything


def test_the_best_device_can_hold_a_tensor():
    assert torch.ones(2, device=best_device()).sum().item() == 2


def test_cuda_comes_before_mps_and_mps_before_the_processor(monkeypatch):
    for cuda, mps, expected in [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")]:
        monkeypatch.setattr(torch.cuda, "is_available", lambda cuda=cuda: cuda)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda mps=mps: mps)
        assert best_device().type == expected


def test_a_seed_repeats_pythons_and_torchs_numbers_and_the_generators():
    def draw():
        generator = seed_everything(5)
        return random.random(), torch.rand(2).tolist(), torch.rand(2, generator=generator).tolist()

    assert draw() == draw()
    first = draw()
    seed_everything(6)
    assert random.random() != first[0] and torch.rand(2).tolist() != first[1]


def test_a_negative_seed_is_refused():
    with pytest.raises(ValueError, match="seed must be a whole number of at least 0, got -1"):
        seed_everything(-1)


def test_bf16_is_chosen_exactly_where_it_is_fast(monkeypatch):
    import attnlib.device as module

    for fast, expected in [(True, "bf16"), (False, "fp32")]:
        monkeypatch.setattr(module, "has_fast_bf16", lambda device, fast=fast: fast)
        assert choose_precision(None, "cpu") == expected
        assert choose_precision("fp32", "cpu") == "fp32"
    with pytest.raises(ValueError, match='must be "fp32" or "bf16", got \'fp16\''):
        choose_precision("fp16", "cpu")


def test_an_old_torch_that_cannot_tell_counts_as_slow(monkeypatch):
    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.delattr(torch.cpu, name, raising=False)
    assert has_fast_bf16("cpu") is False


@pytest.mark.parametrize("precision, dtype", [("fp32", torch.float32), ("bf16", torch.bfloat16)])
def test_autocast_sets_the_precision_of_products_and_nothing_after_it(precision, dtype):
    with autocast(precision, "cpu"):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == dtype
    assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32
