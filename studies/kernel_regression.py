"""The recorded runs of chapter 04b: lookups as regression, and a similarity that is learned.

    python -m studies.kernel_regression                         # data/runs/04b_contest.json
    python -m studies.kernel_regression --series 04b_cold_start # data/runs/04b_cold_start.json

*Contest*: 50 noisy points on the chapter's curve, twenty data sets (the seeds), the error on 500
held-out points. Is it softness that reduces the noise, or averaging? Two hard lookups average with
equal weights, over the k nearest points or over all within r. Leaving one out chooses k, r, the
bandwidth of kernel regression and the degree of a polynomial.

*Cold start*: 150 points with six coordinates, of which two matter. The importances w of the
coordinates are learned by Adam from the leave-one-out error, begun at 1/h, where h is the best
single bandwidth, or cold, at ten times as much; as numbers, or through their logarithms. Each way
learns with every rate of ``RATES``, and on each of five data sets the one with the lowest
leave-one-out error is kept, which the held-out points have no say in.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

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


def run_contest(method: str, seed: int) -> dict[str, Any]:
    data = draw_curve(seed)
    error = round(rms(METHODS[method](data), data.truth), 4)
    chosen = {"k": best_k(data.x, data.y)} if method == "k nearest" else {}
    return {"date": records.today(), "error": error, **chosen}


# Cold start -------------------------------------------------------------------------------------

WIDE, USELESS = 150, 4  # points, and coordinates that do not matter
RATES = (0.05, 0.2, 1.0, 5.0, 20.0)
UPDATES = (150, 1500)
COORDINATES = ("w", "log w")
STARTS = {"warm": 1.0, "cold": 10.0}  # times 1/h


def draw_wide(seed: int) -> Data:
    generator = seed_everything(seed)

    def draw(count: int) -> tuple[Tensor, Tensor]:
        x = torch.rand(count, 2 + USELESS, generator=generator, dtype=torch.double)
        noise = 0.2 * torch.randn(count, generator=generator, dtype=torch.double)
        return x, torch.sin(6 * x[:, 0]) + 2 * x[:, 1] + noise

    return Data(*draw(WIDE), *draw(HELD_OUT))


def learn(data: Data, start: float, coordinate: str, rate: float) -> list[tuple[float, float]]:
    """The leave-one-out and the held-out error after each number of updates."""
    log = coordinate == "log w"
    w = torch.full((data.x.shape[1],), start, dtype=torch.double)
    learned = (w.log() if log else w).requires_grad_()
    optimizer, found = torch.optim.Adam([learned], rate), []
    for update in range(1, UPDATES[-1] + 1):
        w = learned.exp() if log else learned
        loss = (leave_one_out(data.x * w, data.y, 1.0) - data.y).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if update in UPDATES:
            w = (learned.exp() if log else learned).detach()
            left = rms(leave_one_out(data.x * w, data.y, 1.0), data.y)
            held_out = rms(kernel(data.new * w, data.x * w, data.y, 1.0), data.truth)
            found.append((left, held_out))
    return found


def run_cold_start(start: str, coordinate: str, seed: int) -> dict[str, Any]:
    data = draw_wide(seed)
    h = best_bandwidth(data.x, data.y)
    tried = {rate: learn(data, STARTS[start] / h, coordinate, rate) for rate in RATES}
    best = [min(RATES, key=lambda rate: tried[rate][n][0]) for n in range(len(UPDATES))]
    useful = best_bandwidth(data.x[:, :2], data.y)
    told = kernel(data.new[:, :2], data.x[:, :2], data.y, useful)
    ones = [F.pad(z, (0, 1), value=1.0) for z in (data.x, data.new)]  # the intercept
    line = ones[1] @ torch.linalg.lstsq(ones[0], data.y).solution
    return {
        "date": records.today(),
        "best rates": best,
        "error": [round(tried[rate][n][1], 4) for n, rate in enumerate(best)],
        "beside": {
            "straight line": round(rms(line, data.truth), 4),
            "one bandwidth": round(rms(kernel(data.new, data.x, data.y, h), data.truth), 4),
            "told the two that matter": round(rms(told, data.truth), 4),
        },
    }


# The series -------------------------------------------------------------------------------------


def header_of_contest() -> dict[str, Any]:
    return {
        "what": f"Root mean square error on {HELD_OUT} held-out points; the noise alone has 0.3.",
        "command": "python -m studies.kernel_regression",
        "points": POINTS,
        **records.origin(),
    }


def header_of_cold_start() -> dict[str, Any]:
    return {
        "what": f"Root mean square error on {HELD_OUT} held-out points, after each number of "
        "updates, at the rate with the lowest leave-one-out error; the noise alone has 0.2.",
        "command": "python -m studies.kernel_regression --series 04b_cold_start",
        "points": WIDE,
        "updates": UPDATES,
        "rates": RATES,
        **records.origin(),
    }


SERIES = {
    "04b_contest": runner.Series(
        "04b_contest",
        {"variant": list(METHODS)},
        run_contest,
        header_of_contest,
        seeds=range(1, 21),
    ),
    "04b_cold_start": runner.Series(
        "04b_cold_start",
        {"start": list(STARTS), "coordinate": COORDINATES},
        run_cold_start,
        header_of_cold_start,
        seeds=range(1, 6),
    ),
}


if __name__ == "__main__":
    which = runner.option("--series", choices=list(SERIES), default="04b_contest")
    runner.main(__doc__, lambda series: SERIES[series], which)
