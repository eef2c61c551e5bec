"""Output layer and cross-entropy in one: the logits of all tokens are never held at once."""

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from ..masking import wide

ROWS = 512  # so many rows of logits at a time stay in a processor's cache


class LinearCrossEntropy(torch.autograd.Function):
    """Sum of the cross-entropies; of each block of rows the gradients as soon as its logits.

    ∂ℓ/∂z = p − q, and with it ∂ℓ/∂x = Wᵀ (p − q), ∂ℓ/∂W = Σ (p − q) xᵀ, ∂ℓ/∂b = Σ (p − q).
    """

    @staticmethod
    def forward(
        ctx: Any,
        features: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        targets: Tensor,
        label_smoothing: float,
    ) -> Tensor:
        kind = F.linear(features[:0], weight).dtype  # bfloat16 under autocast
        dx, dw, db = (torch.zeros_like(t) for t in (features, weight, weight[:, 0]))
        total = torch.zeros((), dtype=wide(kind), device=features.device)
        rows, matrix = features.to(kind), weight.to(kind)
        shift = weight.new_zeros(1, dtype=kind) if bias is None else bias.to(kind)
        room = rows.new_empty(min(ROWS, len(rows)), len(weight))  # one buffer for all blocks
        for x, y, of_x in zip(*(t.split(ROWS) for t in (rows, targets, dx))):
            logits = torch.addmm(shift, x, matrix.T, out=room[: len(y)])
            # log p overwrites the logits where their types allow it.
            place = logits if kind == wide(kind) else None
            log_p = torch.log_softmax(logits, -1, dtype=wide(kind), out=place)
            total -= (1 - label_smoothing) * log_p.gather(1, y.unsqueeze(1)).sum()
            if label_smoothing:
                total -= label_smoothing / len(weight) * log_p.sum()
            error = log_p.exp_().sub_(label_smoothing / len(weight))  # p, from which q is taken
            error[torch.arange(len(y), device=y.device), y] -= 1 - label_smoothing
            db += error.sum(0)
            error = error.to(kind)
            of_x.copy_(error @ matrix)
            if kind == dw.dtype:
                dw.addmm_(error.T, x)
            else:
                dw += error.T @ x
        ctx.save_for_backward(dx, dw, db, features, weight, bias, targets)
        ctx.kind, ctx.label_smoothing = kind, label_smoothing
        return total

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        if torch.is_grad_enabled():  # create_graph: what is done here is differentiated, too
            dx, dw, db = _in_the_open(grad, ctx.kind, ctx.label_smoothing, *ctx.saved_tensors[3:])
        else:
            dx, dw, db = (gradient * grad for gradient in ctx.saved_tensors[:3])
        return dx, dw, db if ctx.needs_input_grad[2] else None, None, None


def _in_the_open(
    grad: Tensor,
    kind: torch.dtype,
    label_smoothing: float,
    features: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    targets: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients by operations that have gradients themselves, of all rows at once."""
    x, matrix, shift = features.to(kind), weight.to(kind), None if bias is None else bias.to(kind)
    p = F.linear(x, matrix, shift).softmax(-1, dtype=wide(kind))
    q = F.one_hot(targets, len(weight)).to(p) * (1 - label_smoothing) + label_smoothing / len(
        weight
    )
    error = p - q
    db, error = grad * error.sum(0), (grad * error).to(kind)
    return error @ matrix, error.T @ x, db
