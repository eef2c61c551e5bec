"""The additive score of very many pairs, without a tensor of them all.

The formula holds (B, T, S, A) numbers for the backward pass. From four million of them on it is
slower than to make them anew, a tenth of a training step (Multi30k, batches of 1,200 tokens, A of
512); with 128 sentences of 100 tokens they would fill 2.6 GB.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

# Numbers of (B, T, S, A) that are held at once: on a processor 1 MiB in float32, which stays in its
# cache; on a GPU, where every part costs some launches, 256 MiB.
_CHUNK, _CUDA_CHUNK = 2**18, 2**26


def chunked_additive_scores(query: Tensor, keys: Tensor, v: Tensor) -> Tensor:
    """e_tj = vᵀ tanh(q_t + k_j): query (B, T, A), keys (B, S, A), v (A) → (B, T, S).

    >>> chunked_additive_scores(torch.zeros(1, 2, 4), torch.zeros(1, 3, 4), torch.ones(4)).shape
    torch.Size([1, 2, 3])
    """
    return _AdditiveScores.apply(query, keys, v)  # type: ignore[no-any-return]


class _AdditiveScores(torch.autograd.Function):
    """e_tj = vᵀ tanh(q_t + k_j) for every pair, a few at a time; the backward pass makes them anew.

    q, k and v are query (B, T, A), keys (B, S, A) and v (A,), and nothing else is kept for the
    backward pass, also by a loop over single steps. With u = tanh(q_t + k_j) and e's gradient g:
    ∂/∂v = Σ_tj g_tj u, ∂/∂q_t = v ⊙ Σ_j g_tj (1 − u²), and ∂/∂k_j likewise with the sum over t.
    Where a gradient of these gradients is wanted, or a derivative forward, torch derives the whole
    formula.
    """

    @staticmethod
    def forward(query: Tensor, keys: Tensor, v: Tensor) -> Tensor:
        dtype = torch.promote_types(query.dtype, keys.dtype)  # bfloat16 under autocast
        scores = query.new_empty(*query.shape[:2], keys.shape[1], dtype=dtype)
        for b, t in _chunks(query, keys):
            scores[b, t] = (query[b, t].unsqueeze(2) + keys[b].unsqueeze(1)).tanh_() @ v
        return scores

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Tensor, ...], output: Tensor) -> None:
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def jvp(ctx: Any, dq: Tensor, dk: Tensor, dv: Tensor) -> Tensor:
        return torch.func.jvp(_formula, ctx.saved_tensors, (dq, dk, dv))[1]

    @staticmethod
    def vmap(info: Any, dims: tuple[int | None, ...], *tensors: Tensor) -> tuple[Tensor, int]:
        each = (
            [tensor] * info.batch_size if dim is None else tensor.unbind(dim)
            for tensor, dim in zip(tensors, dims)
        )
        return torch.stack([chunked_additive_scores(*one) for one in zip(*each)]), 0

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        query, keys, v = ctx.saved_tensors
        if torch.is_grad_enabled():  # create_graph: what is done here is differentiated, too
            return torch.func.vjp(_formula, query, keys, v)[1](grad)
        dq, dk, dv = map(torch.zeros_like, (query, keys, v))
        for b, t in _chunks(query, keys):
            tanh = (query[b, t].unsqueeze(2) + keys[b].unsqueeze(1)).tanh_()
            dv += grad[b, t].reshape(-1) @ tanh.flatten(0, 2)
            slope = tanh.square_().neg_().add_(1).mul_(grad[b, t].unsqueeze(-1))  # g (1 − u²)
            dq[b, t] = slope.sum(2)
            dk[b] += slope.sum(1)
        return dq * v.to(dq.dtype), dk * v.to(dk.dtype), dv


def _formula(query: Tensor, keys: Tensor, v: Tensor) -> Tensor:
    return torch.tanh(query.unsqueeze(2) + keys.unsqueeze(1)) @ v


def _chunks(query: Tensor, keys: Tensor) -> Iterator[tuple[slice, slice]]:
    """Which rows and which target steps come next, so that at most ``_CHUNK`` numbers are held."""
    chunk = _CHUNK if query.device.type == "cpu" else _CUDA_CHUNK
    (batch, length, _), of_a_step = query.shape, max(1, keys[:1].numel())
    steps = max(1, min(length, chunk // of_a_step))
    rows = max(1, chunk // (steps * of_a_step))
    for b in range(0, batch, rows):
        for t in range(0, length, steps):
            yield slice(b, b + rows), slice(t, t + steps)
