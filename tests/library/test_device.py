"""The device is one torch has, seeds repeat, and autocast narrows only matrix products."""

import contextlib
import random

import numpy
import pytest
import torch

from attnlib import device as module
from attnlib.data import Batches
from attnlib.device import (
    autocast,
    best_device,
    choose_precision,
    fork_rng,
    recommended_precision,
    seed_device,
    seed_everything,
)
from attnlib.model import make_seq2seq
from attnlib.training import Recipe, fit
from attnlib.translator import Checkpoint


@pytest.fixture(autouse=True)
def tried_anew():
    """What is tried once a process is tried once a test."""
    for tried in (module._lstm_is_correct, module._unsupported_reason):
        tried.cache_clear()
    yield
    for tried in (module._lstm_is_correct, module._unsupported_reason):
        tried.cache_clear()


def test_cuda_comes_before_mps_and_mps_before_the_processor(monkeypatch):
    expected = module._run_lstm("cpu")
    monkeypatch.setattr(module, "_run_lstm", lambda device: expected)
    for cuda, mps, best in ((True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda cuda=cuda: cuda)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda mps=mps: mps)
        assert best_device().type == best


@pytest.mark.parametrize("wrong", [0, 3, "raises"])  # its states, the gradient of its input
def test_an_mps_that_computes_an_lstm_wrongly_is_not_taken_and_reported_once(
    wrong, monkeypatch, capsys
):
    run, tried = module._run_lstm, []

    def fake(device):
        tried.append(device)
        results = run("cpu")
        if device == "cpu":
            return results
        if wrong == "raises":
            raise NotImplementedError("aten::_lstm_mps")
        results[wrong] = results[wrong] + 0.01
        return results

    monkeypatch.setattr(module, "_run_lstm", fake)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    state = torch.get_rng_state()
    assert [best_device().type for _ in range(3)] == ["cpu"] * 3
    err = capsys.readouterr().err
    assert err.startswith("mps c") and err.count("\n") == 1 and "taking the processor" in err
    assert tried.count("mps") == 1 and torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize(
    "capability, expected",
    [
        ((7, 5), ("fp32", "no bf16 tensor cores found in this GPU")),
        ((8, 0), ("bf16", "this GPU has bf16 tensor cores")),
    ],
)
def test_bf16_counts_as_fast_only_where_a_gpu_has_it_and_not_where_it_is_emulated(
    capability, expected, monkeypatch
):
    monkeypatch.setattr(module, "_run_lstm", lambda device, precision: [])
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda *args, **more: True)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device=None: capability)
    assert recommended_precision("cuda") == expected


def test_a_precision_that_the_device_does_not_have_is_refused_before_the_first_update(
    monkeypatch, tmp_path
):
    """It used to end in a traceback of oneDNN's."""

    def fake(device, precision="fp32"):
        if precision == "bf16":
            raise RuntimeError(
                "could not create a descriptor for\n the LSTM. Run with ONEDNN_VERBOSE"
            )
        return []

    monkeypatch.setattr(module, "_run_lstm", fake)
    why = "could not create a descriptor for the LSTM"
    with pytest.raises(ValueError) as refused:
        choose_precision("bf16", "cpu")
    assert str(refused.value) == f"precision bf16 cannot be had on this cpu ({why}); take fp32"
    model = make_seq2seq(10, 10, embedding_size=4, hidden_size=4)
    with pytest.raises(ValueError, match="precision bf16 cannot be had"):
        fit(
            model,
            Batches([[4]], [[4]], batch_size=1),
            Recipe(updates=1, precision="bf16"),
            checkpoint=Checkpoint(tmp_path / "x"),
        )
    assert not (tmp_path / "x").exists()
    imitate(monkeypatch, amx=True, avx512_bf16=False)
    why = f"this processor has AMX, but torch cannot train with it here ({why})"
    assert recommended_precision("cpu") == ("fp32", why)


def test_a_seed_repeats_pythons_numpys_and_torchs_numbers_and_the_generators():
    def draw(seed):
        generator = seed_everything(seed)
        drawn = random.random(), numpy.random.rand(2), torch.rand(2)
        return [str(numbers) for numbers in (*drawn, torch.rand(2, generator=generator))]

    before = numpy.random.get_state()
    try:
        for seed in (5, 2**63 + 5):  # numpy itself takes none so large
            assert draw(seed) == draw(seed)
            assert not set(draw(seed)) & set(draw(seed + 1))
        seed_everything(5)
        assert numpy.random.rand() == numpy.random.RandomState(5).rand()
    finally:
        numpy.random.set_state(before)


class OneGenerator:
    """In the place of torch.cuda: the generator of a device that is not here."""

    def __init__(self):
        self.generator = torch.Generator().manual_seed(1)
        self.manual_seed = self.generator.manual_seed

    def get_rng_state(self, *device):
        return self.generator.get_state()

    def set_rng_state(self, state, *device):
        self.generator.set_state(state)

    def device(self, device):
        return contextlib.nullcontext()

    def draw(self):
        return torch.rand(3, generator=self.generator).tolist()


@pytest.mark.parametrize("device", ["cpu", "cuda", "cuda:1"])
def test_what_is_drawn_within_changes_nothing_of_what_is_drawn_after(device, monkeypatch):
    """...on the processor and on the device; and within, a seed decides on both."""
    gpu = OneGenerator()
    for name in ("get_rng_state", "set_rng_state", "manual_seed", "device"):
        monkeypatch.setattr(torch.cuda, name, getattr(gpu, name))
    untouched = gpu.get_rng_state()
    expected = torch.Generator().manual_seed(7)
    numbers = torch.rand(3, generator=expected).tolist()
    before = torch.get_rng_state()
    with pytest.raises(KeyError), fork_rng(device):
        for _ in range(2):
            seed_device(7, device)
            assert torch.rand(3).tolist() == numbers
            assert device == "cpu" or gpu.draw() == numbers
        raise KeyError  # whatever ends it
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(gpu.get_rng_state(), untouched)


def test_a_training_on_the_processor_leaves_every_gpu_alone(monkeypatch):
    """torch's fork_rng wakes each of several, and warns that it does."""
    woken = []
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "get_rng_state", lambda *device: woken.append(device))
    model = make_seq2seq(8, 8, embedding_size=4, hidden_size=4, dropout=0.5)
    recipe = Recipe(updates=2, warmup=0, validate_every=2, precision="fp32")
    before = torch.get_rng_state()
    fit(model, Batches([[4, 5]] * 4, [[6]] * 4, batch_size=2), recipe, progress=False)
    assert torch.equal(torch.get_rng_state(), before) and not woken


def imitate(monkeypatch, amx, avx512_bf16):
    """A processor that has the one, the other, or none."""
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: amx, raising=False)
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: avx512_bf16, raising=False)


@pytest.mark.parametrize(
    "amx, avx512_bf16, expected",
    [
        (True, True, ("bf16", "this processor has AMX and AVX512-BF16")),
        (False, False, ("fp32", "no AMX or AVX512-BF16 found in this processor")),
    ],
)
def test_bf16_is_chosen_exactly_where_it_is_fast_and_the_reason_is_reported(
    amx, avx512_bf16, expected, monkeypatch
):
    monkeypatch.setattr(module, "_run_lstm", lambda device, precision: [])
    imitate(monkeypatch, amx, avx512_bf16)
    assert recommended_precision("cpu") == expected
    assert choose_precision(None, "cpu") == expected[0]
    assert choose_precision("fp32", "cpu") == "fp32"


def test_an_old_torch_that_cannot_tell_counts_as_slow(monkeypatch):
    for name in module.BF16_UNITS.values():
        monkeypatch.delattr(torch.cpu, name, raising=False)
    assert choose_precision(None, "cpu") == "fp32"


@pytest.mark.parametrize("precision, dtype", [("fp32", torch.float32), ("bf16", torch.bfloat16)])
def test_autocast_sets_the_precision_of_products_and_nothing_after_it(precision, dtype):
    with autocast(precision, "cpu"):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == dtype
    assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32
