"""The host does not wait for a GPU inside the loop of training.

No GPU is needed to see it. On torch's device "meta" tensors have a shape and no values: whatever
asks for one (``item``, ``tolist``, ``if``, a boolean mask as an index) raises, at the very place
where it would have waited. Two things that wait raise nothing there and are watched for: copies
that do not go through ``to_device``, and ``torch.multinomial``.
"""

import pytest
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from attnlib.data import Batches, batches
from attnlib.device import to_device
from attnlib.model import make_seq2seq, seq2seq
from attnlib.training import Recipe
from attnlib.training import loss as training_loss
from attnlib.training.loop import update
from attnlib.training.run import Trainer

SRC = [[4 + (3 * i + k) % 6 for k in range(1 + i % 4)] for i in range(40)]
TGT = [list(reversed(sentence)) for sentence in SRC]
MODELS = {
    "plain": {"decoder": "plain", "every_step": True},
    "luong": {"source_in_memory": True, "shared_embedding": True},
    "luong, concat": {"attention": "concat"},
    "luong, input feeding": {"input_feeding": True},
    "bahdanau": {"decoder": "bahdanau"},
}


class Copies(TorchDispatchMode):
    """Counts the copies from the processor to the device."""

    count = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        arrives = str(kwargs.get("device", "")) == "meta"
        self.count += arrives and str(function).startswith("aten._to_copy") and args[0].is_cpu
        return function(*args, **kwargs)


class Values(TorchDispatchMode):
    """Notes where a value of a tensor is asked for."""

    def __init__(self, requests):
        super().__init__()
        self.requests = requests

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.requests += [function] if "_local_scalar_dense" in str(function) else []
        return function(*args, **(kwargs or {}))


class Calls(TorchFunctionMode):
    """Counts calls that wait without asking for a value, by their name."""

    def __init__(self):
        super().__init__()
        self.names = []

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs, name = kwargs or {}, getattr(function, "__name__", "")
        makes = name in ("tensor", "as_tensor") and str(kwargs.get("device", "")) == "meta"
        self.names += [name] if makes or name in ("multinomial", "cpu", "numpy") else []
        return function(*args, **kwargs)


@pytest.fixture
def sent(monkeypatch):
    """What went through ``to_device``, wherever the library uses it."""
    seen = []

    def noted(tensor, device):
        seen.append(tensor)
        return to_device(tensor, device)

    for module in (batches, seq2seq, training_loss):
        monkeypatch.setattr(module, "to_device", noted)
    return seen


def make(name):
    return make_seq2seq(10, 10, embedding_size=8, hidden_size=8, dropout=0.1, **MODELS[name])


def trainer_of(model, gold=1.0):
    recipe = Recipe(updates=60, validate_every=12, precision="fp32", label_smoothing=0.1)
    batches = Batches(SRC, TGT, batch_size=4)
    trainer = Trainer(model.to("meta"), batches, recipe, lambda update: gold)
    optimizer = trainer.run.optimizer
    for group in optimizer.param_groups:
        group["fused"] = False  # "meta" has none; a test of its own is about the fused step
    return trainer


@pytest.mark.parametrize(
    "name, gold", [*((name, 1.0) for name in MODELS), ("plain", 0.5), ("luong, concat", 0.5)]
)
def test_an_update_waits_for_the_device_only_where_it_reads_the_loss(monkeypatch, sent, name, gold):
    trainer = trainer_of(make(name), gold)
    with Copies() as copies, Calls() as calls:
        with pytest.raises((NotImplementedError, RuntimeError), match="meta"):
            update(trainer)
        monkeypatch.setattr(trainer, "check_finite", lambda loss, norm: None)
        update(trainer)
        assert copies.count == len(sent) == 2 * (5 if gold == 1.0 else 6)
        assert not calls.names
    assert trainer.run.history.updates == 1


@pytest.mark.parametrize("device, ahead", [("cuda", True), ("mps", False), ("cpu", False)])
def test_only_from_pinned_memory_is_a_tensor_sent_to_cuda_without_waiting(
    monkeypatch, device, ahead
):
    calls = []
    monkeypatch.setattr(torch.Tensor, "pin_memory", lambda self: calls.append("pinned") or self)
    monkeypatch.setattr(
        torch.Tensor, "to", lambda self, to, non_blocking: calls.append((to, non_blocking)) or self
    )
    to_device(torch.ones(2), device)
    assert calls == ["pinned"] * ahead + [(device, ahead)]
    to_device(torch.ones(2, device="meta"), device)  # from one device to another
    assert calls[-1] == (device, False) and calls.count("pinned") == ahead


def test_the_fused_step_of_adam_asks_for_no_value():
    recipe = Recipe(updates=60, validate_every=12, precision="fp32")
    trainer = Trainer(make("luong"), Batches(SRC, TGT, batch_size=4), recipe, lambda update: 1.0)
    update(trainer)
    requests = []
    with Values(requests):
        trainer.run.optimizer.step()
    assert not requests
