"""Devices, seeds and precision: the best device, and where bfloat16 is faster."""

import contextlib
import functools
import random
import sys
from contextlib import AbstractContextManager

import numpy
import torch
from torch import Tensor, nn

from .checks import as_int, check_name

PRECISIONS = ("fp32", "bf16")
#: CPU units that multiply bfloat16, and torch's function that finds them, if it is new enough.
BF16_UNITS = {"AMX": "_is_amx_tile_supported", "AVX512-BF16": "_is_avx512_bf16_supported"}


def best_device() -> torch.device:
    """The fastest device torch can use here: cuda, then mps (Apple), then cpu.

    MPS is taken only where it computes an LSTM as the CPU does, which is tried once a
    process: several versions of torch were silently wrong there (pytorch issues 90421, 94754,
    125803). Where it does not, a sentence on standard error says so.

    >>> best_device().type in ("cuda", "mps", "cpu")
    True
    """
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available() and _lstm_is_correct("mps"):
        return torch.device("mps")
    return torch.device("cpu")


@functools.cache
def _lstm_is_correct(device: str) -> bool:
    try:
        pairs = zip(_run_lstm(device), _run_lstm("cpu"))
        if all(torch.allclose(tensor.cpu(), expected, atol=1e-4) for tensor, expected in pairs):
            return True
        why = "computes an LSTM wrongly in this version of torch"
    except RuntimeError as error:
        why = f"cannot compute an LSTM in this version of torch ({error})"
    print(f"{device} {why}: taking the processor; another torch may mend it", file=sys.stderr)
    return False


def _run_lstm(device: str, precision: str = "fp32") -> list[Tensor]:
    """States and all gradients of a small bidirectional batch-first LSTM."""
    with torch.random.fork_rng(devices=()), torch.device("cpu"):  # drawn there for every device
        torch.default_generator.manual_seed(0)
        lstm = nn.LSTM(5, 4, batch_first=True, bidirectional=True).to(device)
        inputs, factors = torch.randn(3, 7, 5).to(device), torch.randn(3, 7, 8).to(device)
    with autocast(precision, device):
        states, (hidden, cell) = lstm(inputs.requires_grad_())
        ((states * factors).sum() + (hidden * cell).sum()).backward()
    gradients = [parameter.grad for parameter in (inputs, *lstm.parameters())]
    return [tensor.detach() for tensor in (states, hidden, cell, *gradients) if tensor is not None]


def seed_everything(seed: int) -> torch.Generator:
    """Seed Python's, numpy's and torch's generators, the last on every device; return a fresh
    seeded torch one. Raises ValueError for a seed that is no whole number from 0 to 2⁶⁴ − 1.

    >>> seed_everything(7); a = torch.rand(2)  # doctest: +ELLIPSIS
    <torch._C.Generator object at ...>
    >>> _ = seed_everything(7); bool((torch.rand(2) == a).all())
    True
    """
    seed = as_int("seed", seed, 0, 2**64)
    random.seed(seed)
    numpy.random.seed(seed % 2**32)  # which takes no larger
    torch.manual_seed(seed)  # also seeds cuda and mps
    return torch.Generator().manual_seed(seed)


def seed_device(seed: int, device: torch.device | str) -> None:
    """Seed torch's generators of the CPU and of one device, and no others.

    ``torch.manual_seed`` seeds those of all devices, and notes who asked for a GPU that may yet
    come.

    >>> seed_device(3, "cpu"); a = torch.rand(2); seed_device(3, "cpu")
    >>> bool((torch.rand(2) == a).all())
    True
    """
    torch.default_generator.manual_seed(seed)
    device = torch.device(device)
    if device.type == "cuda":
        with torch.cuda.device(device):
            torch.cuda.manual_seed(seed)
    elif device.type == "mps":
        torch.mps.manual_seed(seed)


def fork_rng(device: torch.device | str) -> AbstractContextManager:
    """Within: whatever is drawn on the CPU and on one device, or ``seed_device`` seeds.
    Afterwards their generators go on as if nothing had been, but Apple's.

    >>> before = torch.get_rng_state()
    >>> with fork_rng("cpu"):
    ...     _ = torch.rand(2)
    >>> bool((torch.get_rng_state() == before).all())
    True
    """
    device = torch.device(device)
    return torch.random.fork_rng([device] if device.type == "cuda" else [])


def recommended_precision(device: torch.device | str) -> tuple[str, str]:
    """The precision in which a device trains faster, and the reason, in words.

    That is "bf16" where bfloat16 matrices are multiplied in hardware (emulation is slower than
    fp32) and torch can train an LSTM with them, "fp32" elsewhere.

    >>> recommended_precision("meta")
    ('fp32', 'no bf16 arithmetic found in this device')
    """
    device_type = torch.device(device).type
    part, units, found = "device", ["bf16 arithmetic"], []
    if device_type == "cuda":
        part, units = "GPU", ["bf16 tensor cores"]
        # Not torch.cuda.is_bf16_supported(), which says yes where it is emulated.
        found = units if torch.cuda.get_device_capability(device) >= (8, 0) else []
    if device_type == "cpu":
        part, units = "processor", list(BF16_UNITS)
        found = [unit for unit in units if getattr(torch.cpu, BF16_UNITS[unit], bool)()]
    if not found:
        return "fp32", f"no {' or '.join(units)} found in this {part}"
    has = f"this {part} has {' and '.join(found)}"
    if why := _unsupported_reason("bf16", device_type):
        return "fp32", f"{has}, but torch cannot train with it here ({why})"
    return "bf16", has


def choose_precision(precision: str | None, device: torch.device | str) -> str:
    """``precision`` if one is asked for, else the faster one of the device.

    Raises ValueError for a name that is neither "fp32" nor "bf16", and where "bf16" is asked for
    and torch cannot train in it on this device.

    >>> choose_precision("fp32", "cpu")
    'fp32'
    """
    if precision is None:
        return recommended_precision(device)[0]
    check_name("precision", precision, PRECISIONS)
    device_type = torch.device(device).type
    if precision == "bf16" and (why := _unsupported_reason(precision, device_type)):
        raise ValueError(f"precision bf16 cannot be had on this {device_type} ({why}); take fp32")
    return precision


@functools.cache
def _unsupported_reason(precision: str, device: str) -> str:
    """Why a model cannot be trained in a precision here; nothing where it can. Tried, not asked:
    on some CPUs torch has bfloat16 for matrices and not for LSTMs."""
    try:
        _run_lstm(device, precision)
    except RuntimeError as error:
        # The first sentence: oneDNN adds one on how to see more.
        return " ".join(str(error).split()).split(". ")[0] or type(error).__name__
    return ""


def to_device(tensor: Tensor, device: torch.device | str) -> Tensor:
    """A tensor on a device, without waiting for what a GPU of CUDA still has to do.

    A copy waits for all work before it, unless it begins in pinned memory, from which the GPU
    fetches it when its turn comes.

    >>> to_device(torch.ones(2), "cpu")
    tensor([1., 1.])
    """
    ahead = tensor.is_cpu and torch.device(device).type == "cuda"
    return (tensor.pin_memory() if ahead else tensor).to(device, non_blocking=ahead)


def autocast(precision: str, device: torch.device | str) -> AbstractContextManager:
    """A context in which matrix products run in bfloat16 ("bf16"), or nothing changes ("fp32").

    Parameters stay in float32, and so do attention weights and loss, which ask for it themselves.

    >>> with autocast("bf16", "cpu"):
    ...     print((torch.ones(2, 2) @ torch.ones(2, 2)).dtype)
    torch.bfloat16
    """
    check_name("precision", precision, PRECISIONS)
    if precision == "bf16":
        return torch.autocast(torch.device(device).type, dtype=torch.bfloat16)
    return contextlib.nullcontext()
