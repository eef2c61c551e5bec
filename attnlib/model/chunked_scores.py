"""The additive score of very many pairs, without a tensor of them all.

Chapters and smaller models use the formula in ``attention``. It holds (B, T, S, A) numbers for the
backward pass, and from some millions of them on it is slower than to make them anew.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

# Numbers of (B, T, S, A) that are held at once: on a processor 1 MiB in float32, which stays in its
# cache; on a GPU, where every part costs some launches, 256 MiB.
_CHUNK, _CHUNK_OF_GPU = 2**18, 2**26


def many_pairs(query: Tensor, keys: Tensor, v: Tensor) -> Tensor:
    """e_tj = vᵀ tanh(q_t + k_j): query (B, T, A), keys (B, S, A), v (A) → (B, T, S).

    >>> many_pairs(torch.zeros(1, 2, 4), torch.zeros(1, 3, 4), torch.ones(4)).shape
    torch.Size([1, 2, 3])
    """
    return _TanhScores.apply(query, keys, v)  # type: ignore[no-any-return]


class _TanhScores(torch.autograd.Function):
    """e_tj = vᵀ tanh(q_t + k_j) for every pair, a few at a time; the backward pass makes them anew.

    q, k and v are query (B, T, A), keys (B, S, A) and v (A,), and nothing else is kept for the
    backward pass, also by a loop over single steps. With u = tanh(q_t + k_j) and e's gradient g:
    ∂/∂v = Σ_tj g_tj u, ∂/∂q_t = v ⊙ Σ_j g_tj (1 − u²), and ∂/∂k_j likewise with the sum over t.
    Where a gradient of these gradients is wanted, or a derivative forward, all pairs are computed
    at once.
    """

    @staticmethod
    def forward(query: Tensor, keys: Tensor, v: Tensor) -> Tensor:
        kind = torch.promote_types(query.dtype, keys.dtype)  # bfloat16 under autocast
        scores = query.new_empty(*query.shape[:2], keys.shape[1], dtype=kind)
        for b, t in _few_pairs(query, keys):
            scores[b, t] = (query[b, t].unsqueeze(2) + keys[b].unsqueeze(1)).tanh_() @ v
        return scores

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def jvp(ctx: Any, dq: Tensor, dk: Tensor, dv: Tensor) -> Tensor:
        query, keys, v = ctx.saved_tensors
        tanh = torch.tanh(query.unsqueeze(2) + keys.unsqueeze(1))  # (B, T, S, A)
        change = (1 - tanh.square()) * (dq.unsqueeze(2) + dk.unsqueeze(1))
        return change @ v + tanh @ dv

    @staticmethod
    def vmap(info: Any, dims: tuple[int | None, ...], *tensors: Tensor) -> tuple[Tensor, int]:
        each = (
            [tensor] * info.batch_size if dim is None else tensor.unbind(dim)
            for tensor, dim in zip(tensors, dims)
        )
        return torch.stack([many_pairs(*one) for one in zip(*each)]), 0

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        query, keys, v = ctx.saved_tensors
        if torch.is_grad_enabled():  # create_graph: what is done here is differentiated, too
            return _in_the_open(query, keys, v, grad.unsqueeze(-1))
        dq, dk, dv = map(torch.zeros_like, (query, keys, v))
        for b, t in _few_pairs(query, keys):
            tanh = (query[b, t].unsqueeze(2) + keys[b].unsqueeze(1)).tanh_()
            dv += grad[b, t].reshape(-1) @ tanh.flatten(0, 2)
            slope = tanh.square_().neg_().add_(1).mul_(grad[b, t].unsqueeze(-1))  # g (1 − u²)
            dq[b, t] = slope.sum(2)
            dk[b] += slope.sum(1)
        return dq * v.to(dq.dtype), dk * v.to(dk.dtype), dv


def _in_the_open(query: Tensor, keys: Tensor, v: Tensor, grad: Tensor) -> tuple[Tensor, ...]:
    """The gradients by operations that have gradients themselves. grad (B, T, S, 1)."""
    tanh = torch.tanh(query.unsqueeze(2) + keys.unsqueeze(1))  # (B, T, S, A)
    slope = grad * v * (1 - tanh.square())
    return slope.sum(2), slope.sum(1), (grad * tanh).sum((0, 1, 2))


def _few_pairs(query: Tensor, keys: Tensor) -> Iterator[tuple[slice, slice]]:
    """Which rows and which target steps come next, so that at most ``_CHUNK`` numbers are held."""
    chunk = _CHUNK if query.device.type == "cpu" else _CHUNK_OF_GPU
    (batch, length, _), of_a_step = query.shape, max(1, keys[:1].numel())
    steps = max(1, min(length, chunk // of_a_step))
    rows = max(1, chunk // (steps * of_a_step))
    for b in range(0, batch, rows):
        for t in range(0, length, steps):
            yield slice(b, b + rows), slice(t, t + steps)
