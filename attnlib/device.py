"""Where the numbers are computed: the best device, seeds, and when bfloat16 pays."""

import contextlib
import random
from contextlib import AbstractContextManager

import torch

PRECISIONS = ("fp32", "bf16")


def best_device() -> torch.device:
    """The fastest device torch can use here: cuda, then mps (Apple), then cpu.

    >>> best_device().type in ("cuda", "mps", "cpu")
    True
    """
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def seed_everything(seed: int) -> torch.Generator:
    """Seed Python's and torch's generators on every device; return a fresh seeded torch one.

    >>> seed_everything(7); a = torch.rand(2)  # doctest: +ELLIPSIS
    <torch._C.Generator object at ...>
    >>> _ = seed_everything(7); bool((torch.rand(2) == a).all())
    True
    """
    if seed < 0:
        raise ValueError(f"seed must be a whole number of at least 0, got {seed}")
    random.seed(seed)
    torch.manual_seed(seed)  # also seeds cuda and mps
    return torch.Generator().manual_seed(seed)


def has_fast_bf16(device: torch.device | str = "cpu") -> bool:
    """Whether the device multiplies bfloat16 matrices in hardware (emulation is slower than fp32).

    >>> isinstance(has_fast_bf16("cpu"), bool)
    True
    """
    kind = torch.device(device).type
    if kind == "cuda":
        return torch.cuda.is_bf16_supported()
    if kind == "cpu":
        # Public torch has no question for this before 2.13, so ask the names that exist.
        names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
        return any(getattr(torch.cpu, name, lambda: False)() for name in names)
    return False


def choose_precision(precision: str | None, device: torch.device | str) -> str:
    """``precision`` if one is asked for, else "bf16" where that is fast and "fp32" elsewhere.

    Raises ValueError for a name that is neither "fp32" nor "bf16".

    >>> choose_precision("fp32", "cpu")
    'fp32'
    """
    if precision is None:
        return "bf16" if has_fast_bf16(device) else "fp32"
    if precision not in PRECISIONS:
        raise ValueError(f'precision must be "fp32" or "bf16", got {precision!r}')
    return precision


def autocast(precision: str, device: torch.device | str) -> AbstractContextManager:
    """A context in which matrix products run in bfloat16 ("bf16"), or nothing changes ("fp32").

    Parameters stay in float32, and so do attention weights and loss, which ask for it themselves.

    >>> with autocast("bf16", "cpu"):
    ...     print((torch.ones(2, 2) @ torch.ones(2, 2)).dtype)
    torch.bfloat16
    """
    if choose_precision(precision, device) == "bf16":
        return torch.autocast(torch.device(device).type, dtype=torch.bfloat16)
    return contextlib.nullcontext()
