"""What reaches the query through a softmax of dot products, scaled or not, by the size H.

    python -m studies.query_gradient                      # data/runs/06_query_gradient.json

The weights are α = softmax(K q / c), with c = 1 for the dot score and c = √H for the scaled one
(Vaswani et al. 2017, §3.2.1 and footnote 4); queries and keys are standard normal, 20 keys drawn
anew for each of 1,000 queries. Measured is the Frobenius norm of ∂α/∂q = (diag α − α αᵀ) K / c, by
quantiles: with the plain dot product it is heavy-tailed, and its mean says little. Seconds.
"""

import math
from typing import Any

import torch
from torch import Tensor

from . import records, runner

SCORES = {"dot": "c = 1", "scaled_dot": "c = √H"}
SIZES = (4, 16, 64, 256, 1024)
QUERIES, KEYS = 1000, 20
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def norms(queries: Tensor, keys: Tensor, c: float) -> Tensor:
    """‖∂α/∂q‖ of every query (N, H) with its own keys (N, S, H): (N,)."""
    alpha = (torch.einsum("nsh,nh->ns", keys, queries) / c).softmax(-1)
    mean = torch.einsum("ns,nsh->nh", alpha, keys)
    # Row j of the Jacobian: α_j (k_j − Σ_i α_i k_i) / c.
    rows: Tensor = alpha.unsqueeze(-1) * (keys - mean.unsqueeze(1)) / c
    return rows.flatten(1).norm(dim=1)


def run(variant: str, seed: int) -> dict[str, Any]:
    generator, rows = torch.Generator().manual_seed(seed), []
    for size in SIZES:  # the same queries and keys for both scores
        queries = torch.randn(QUERIES, size, generator=generator, dtype=torch.double)
        keys = torch.randn(QUERIES, KEYS, size, generator=generator, dtype=torch.double)
        found = norms(queries, keys, 1.0 if variant == "dot" else math.sqrt(size))
        quantiles = found.quantile(torch.tensor(QUANTILES, dtype=torch.double)).tolist()
        rows.append(
            {
                "size": size,
                "mean": float(f"{found.mean():.4g}"),
                "quantiles": [float(f"{value:.4g}") for value in quantiles],
            }
        )
    return {"date": records.today(), "rows": rows}


def header() -> dict[str, Any]:
    return {
        "what": "The Frobenius norm of the derivative of attention weights with respect to the "
        "query, of standard normal queries and keys, with the dot score and the scaled dot score.",
        "command": "python -m studies.query_gradient",
        **records.origin(),
        "queries": QUERIES,
        "keys": KEYS,
        "quantiles": QUANTILES,
        "variants": SCORES,
    }


SERIES = runner.Series("06_query_gradient", {"variant": list(SCORES)}, run, header)

if __name__ == "__main__":
    runner.main(__doc__, SERIES, say="{variant}, seed {seed}: {rows}".format_map)
