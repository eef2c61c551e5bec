"""How much a chapter trains: fitted to the kind of processor, so that its minute stays a minute."""

import torch

from attnlib.names import check_name, require

UNITS = ("AVX-512", "AMX")


def budget(full: int, slow: int, device: torch.device | str = "cpu", unit: str = "AVX-512") -> int:
    """The number of updates for this computer, said in a line.

    That is ``full`` where torch computes with the ``unit``, or on another device than a processor,
    and ``slow`` on all other processors, which take up to twice as long for the same (Apple's are
    counted among them unmeasured). The kind decides and not a clock, so that all computers of a
    kind train alike. The line names both numbers, and behind ≈ the one that was taken.

    Args:
        full, slow: the numbers of updates, ``slow`` the smaller one.
        device: where the model trains.
        unit: what tells a processor that is quick with this training: "AVX-512", or "AMX", which
            multiplies matrices of 16 bits (a model as large as chapter 10's gains by it), and
            which only processors have that compute with all of AVX-512's width at once. (Some do
            it in two halves, and are hardly quicker than with AVX2.)

    Raises:
        ValueError: not 0 < slow < full; another unit.

    >>> budget(1000, slow=500) in (500, 1000)  # doctest: +ELLIPSIS
    1,000 updates with AVX-512, 500 without; here ≈...
    True
    """
    require(0 < slow < full, "slow", f"at least 1 and less than full, {full}", slow)
    check_name("unit", unit, UNITS)
    has = torch.backends.cpu.get_cpu_capability().startswith("AVX512")
    if unit == "AMX":  # checked too, because a processor told to avoid AVX-512 still reports AMX
        has = has and getattr(torch.cpu, "_is_amx_tile_supported", bool)()
    taken = full if has or torch.device(device).type != "cpu" else slow
    print(f"{full:,} updates with {unit}, {slow:,} without; here ≈{taken:,}")
    return taken
