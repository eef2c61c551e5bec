"""The recorded runs of chapter 04b: lookups as regression.

    python -m studies.kernel_regression          # data/runs/04b_contest.json

50 noisy points on the chapter's curve, twenty data sets (the seeds), the error on 500
held-out points. Is it softness that reduces the noise, or averaging? Two hard lookups average with
equal weights, over the k nearest points or over all within r. Leaving one out chooses k, r, the
bandwidth of kernel regression and the degree of a polynomial.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor

from attnlib.device import seed_everything

from . import records, runner

HELD_OUT = 500


class Data(NamedTuple):
    """Points (S, D) with their values (S,), and the held-out ones."""

    x: Tensor
    y: Tensor
    new: Tensor
    truth: Tensor


def rms(prediction: Tensor, truth: Tensor) -> float:
    return (prediction - truth).square().mean().sqrt().item()


def kernel(query: Tensor, keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
    """Nadaraya and Watson's regression with a Gaussian kernel, (T,)."""
    squares = (query.unsqueeze(1) - keys).square().sum(-1)
    return (-squares / (2 * bandwidth**2)).softmax(1) @ values


def leave_one_out(keys: Tensor, values: Tensor, bandwidth: float) -> Tensor:
    """Each value, predicted from all others (S,)."""
    squares = (keys.unsqueeze(1) - keys).square().sum(-1)
    itself = torch.eye(len(keys), dtype=torch.bool)
    scores = (-squares / (2 * bandwidth**2)).masked_fill(itself, -torch.inf)
    return scores.softmax(1) @ values


def nearest(query: Tensor, keys: Tensor, values: Tensor, k: int) -> Tensor:
    """The mean value of the k nearest keys (T,)."""
    return values[torch.cdist(query, keys).topk(k, largest=False).indices].mean(1)


# Contest ----------------------------------------------------------------------------------------

POINTS = 50
BANDWIDTHS = torch.logspace(-2, 1, 40, dtype=torch.double).tolist()
NEIGHBORS = range(1, 21)
DEGREES = range(1, 16)


def draw_curve(seed: int) -> Data:
    generator = seed_everything(seed)

    def draw(count: int) -> tuple[Tensor, Tensor]:
        x = 5 * torch.rand(count, 1, generator=generator, dtype=torch.double)
        noise = 0.3 * torch.randn(count, generator=generator, dtype=torch.double)
        return x, (torch.sin(2 * x) + 0.5 * x).squeeze(1) + noise

    return Data(*draw(POINTS), *draw(HELD_OUT))


def best_bandwidth(x: Tensor, y: Tensor) -> float:
    return min(BANDWIDTHS, key=lambda h: rms(leave_one_out(x, y, h), y))


def best_k(x: Tensor, y: Tensor) -> int:
    """The number of neighbors by which each point is best predicted from the others."""
    order = torch.cdist(x, x).fill_diagonal_(torch.inf).argsort(1)
    return min(NEIGHBORS, key=lambda k: rms(y[order[:, :k]].mean(1), y))


def window(distances: Tensor, values: Tensor, radius: float) -> Tensor:
    """The mean value of the keys within a radius, or the nearest one's where there is none (T,)."""
    reach = distances.min(1, keepdim=True).values.clamp(min=radius)
    inside = (distances <= reach).to(values)
    return inside @ values / inside.sum(1)


def hard_window(data: Data) -> Tensor:
    others = torch.cdist(data.x, data.x).fill_diagonal_(torch.inf)
    radius = min(BANDWIDTHS, key=lambda r: rms(window(others, data.y, r), data.y))
    return window(torch.cdist(data.new, data.x), data.y, radius)


def powers(x: Tensor, degree: int) -> Tensor:
    return torch.cat([(x / 2.5 - 1) ** power for power in range(degree + 1)], 1)


def polynomial(data: Data, degree: int) -> Tensor:
    solution = torch.linalg.lstsq(powers(data.x, degree), data.y).solution
    return powers(data.new, degree) @ solution


def best_degree(x: Tensor, y: Tensor) -> int:
    """The degree by which each point is best predicted from the others."""

    def error(degree: int) -> float:
        design = powers(x, degree)
        hat = design @ torch.linalg.pinv(design)  # a residual without the point itself: / (1 − h)
        return rms((hat @ y - y) / (1 - hat.diagonal()), torch.zeros_like(y))

    return min(DEGREES, key=error)


def k_nearest(data: Data, k: int) -> Tensor:
    return nearest(data.new, data.x, data.y, k)


METHODS: dict[str, Callable[[Data], Tensor]] = {
    "mean of all values": lambda data: data.y.mean(),
    "straight line": lambda data: polynomial(data, 1),
    "nearest": lambda data: k_nearest(data, 1),
    "3 nearest": lambda data: k_nearest(data, 3),
    "k nearest": lambda data: k_nearest(data, best_k(data.x, data.y)),
    "hard window": hard_window,
    "kernel": lambda data: kernel(data.new, data.x, data.y, best_bandwidth(data.x, data.y)),
    "polynomial of degree 7": lambda data: polynomial(data, 7),
    "polynomial, degree chosen": lambda data: polynomial(data, best_degree(data.x, data.y)),
}


def run(method: str, seed: int) -> dict[str, Any]:
    data = draw_curve(seed)
    error = round(rms(METHODS[method](data), data.truth), 4)
    chosen = {"k": best_k(data.x, data.y)} if method == "k nearest" else {}
    return {"date": records.today(), "error": error, **chosen}


def header() -> dict[str, Any]:
    return {
        "what": f"Root mean square error on {HELD_OUT} held-out points; the noise alone has 0.3.",
        "command": "python -m studies.kernel_regression",
        "points": POINTS,
        **records.origin(),
    }


SERIES = runner.Series(
    "04b_contest",
    {"variant": list(METHODS)},
    run,
    header,
    seeds=range(1, 21),
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
