"""Attention: a query is scored against keys, the scores become weights, the weights mix values.

    scores e_tj  →  weights α_tj = softmax_j e_tj  →  context c_t = Σ_j α_tj v_j

The five modules differ in the score alone. Each is called as
``attention(query, keys, values, mask)`` and returns ``context, weights``; nothing is kept on the
module between calls. What a score needs of the keys is computed by ``prepare`` once a sentence
and may be handed in again, for a decoder asks the same keys at every step.
"""

import math
from typing import Any, TypeAlias

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from ..checks import as_int, check_name, check_sizes, require
from ..masking import check_floats, check_mask, masked_softmax, summary

Query: TypeAlias = Float[Tensor, "B T Hq"]  # s_t, one row a target step
Keys: TypeAlias = Float[Tensor, "B S Hk"]  # h_j, one row a source position
Prepared: TypeAlias = Float[Tensor, "B S A"]  # what a score needs of the keys
Scores: TypeAlias = Float[Tensor, "B T S"]  # e_tj, or the weights α_tj made of them


class Attention(nn.Module):
    """What all kinds share: scores → weights → context. Subclasses define ``scores``.

    Arguments: query_size Hq and key_size Hk, at least 1 or ValueError is raised.

    >>> keys, values = torch.eye(2).unsqueeze(0), torch.tensor([[[10.0], [20.0]]])
    >>> context, weights = DotAttention(2, 2)(torch.zeros(1, 1, 2), keys, values)
    >>> context.tolist(), weights.tolist()
    ([[[15.0]]], [[[0.5, 0.5]]])
    """

    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__()
        self.query_size = as_int("query_size", query_size)
        self.key_size = as_int("key_size", key_size)

    def prepare(self, keys: Keys) -> Prepared:
        """What ``scores`` needs of the keys: computed once a sentence, used at every step."""
        return keys

    def scores(self, query: Query, prepared: Prepared) -> Scores:
        """The score e_tj of every query against every prepared key, before the softmax."""
        raise NotImplementedError

    def forward(
        self,
        query: Query,
        keys: Keys,
        values: Float[Tensor, "B S Hv"],
        mask: Bool[Tensor, "B S"] | None = None,
        prepared: Prepared | None = None,
    ) -> tuple[Float[Tensor, "B T Hv"], Scores]:
        """Attend: context (B, T, Hv) and weights (B, T, S), whose rows sum to 1.

        Arguments: query (B, T, Hq), one row a target step; keys (B, S, Hk) and values (B, S, Hv),
        one row a source position; mask (B, S) bool, True = may be attended (None: all may);
        prepared, ``self.prepare(keys)`` where the caller has it already.
        Raises ValueError where a size is not the one the module was made for, where one tensor has
        other rows than another (what could be spread over them is not), and for whole numbers.
        """
        self._check_shapes(query, keys, values)
        prepared = self.prepare(keys) if prepared is None else prepared
        fits = isinstance(prepared, Tensor) and prepared.shape[:-1] == keys.shape[:-1]
        require(fits, "prepared", "prepare(keys) of these keys", summary(prepared))
        if mask is not None:
            check_mask(mask, *keys.shape[:2])
            mask = mask.unsqueeze(1)  # (B, 1, S): the same for every query
        weights = masked_softmax(self.scores(query, prepared), mask)  # (B, T, S)
        context = torch.bmm(weights.to(values.dtype), values)  # (B, T, Hv)
        return context, weights

    def _check_shapes(self, query: Tensor, keys: Tensor, values: Tensor) -> None:
        check_floats(query=query, keys=keys, values=values)
        three = query.dim() == keys.dim() == values.dim() == 3
        fit = three and query.shape[0] == keys.shape[0] and keys.shape[:2] == values.shape[:2]
        got = [tuple(tensor.shape) for tensor in (query, keys, values)]
        expected = "of shapes (B, T, Hq), (B, S, Hk) and (B, S, Hv)"
        require(fit, "query, keys, values", expected, got)
        sizes, features = (self.query_size, self.key_size), (query.shape[2], keys.shape[2])
        require(features == sizes, "query and keys", f"of {sizes} features", features)


class DotAttention(Attention):
    """e_tj = s_tᵀ h_j (Luong et al. 2015, §3.1 "dot"): no weights, so both sizes must agree.

    >>> keys = torch.tensor([[[2.0, 0.0], [0.0, 2.0]]])
    >>> DotAttention(2, 2).scores(torch.tensor([[[1.0, 0.0]]]), keys).tolist()
    [[[2.0, 0.0]]]
    """

    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__(query_size, key_size)
        if query_size != key_size:
            got = f'{query_size} and {key_size}; "general" has a matrix between the two'
            raise ValueError(f"a dot product needs query_size = key_size, got {got}")

    def scores(self, query: Query, prepared: Prepared) -> Scores:
        return query @ prepared.transpose(1, 2)


class ScaledDotAttention(DotAttention):
    """e_tj = s_tᵀ h_j / √H (Vaswani et al. 2017, Eq. 1).

    The sum of H products of independent unit-variance numbers has variance H; dividing by √H
    keeps the softmax out of the region where it is flat.

    >>> ScaledDotAttention(4, 4).scores(torch.ones(1, 1, 4), torch.ones(1, 1, 4)).item()
    2.0
    """

    def scores(self, query: Query, prepared: Prepared) -> Scores:
        return super().scores(query, prepared) / math.sqrt(self.key_size)


class GeneralAttention(Attention):
    """e_tj = s_tᵀ W_a h_j (Luong et al. 2015, §3.1 "general"), W_a (Hq, Hk).

    W_a carries keys into the queries' space; it is ``self.project.weight`` itself, untransposed.

    >>> attention = GeneralAttention(1, 2)
    >>> _ = attention.project.weight.data.copy_(torch.tensor([[3.0, 5.0]]))
    >>> keys = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    >>> attention.scores(torch.ones(1, 1, 1), attention.prepare(keys)).tolist()
    [[[3.0, 5.0]]]
    """

    def __init__(self, query_size: int, key_size: int) -> None:
        super().__init__(query_size, key_size)
        self.project = nn.Linear(key_size, query_size, bias=False)  # weight W_a (Hq, Hk)

    def prepare(self, keys: Keys) -> Prepared:
        return self.project(keys)

    def scores(self, query: Query, prepared: Prepared) -> Scores:
        return query @ prepared.transpose(1, 2)


class AdditiveAttention(Attention):
    """e_tj = v_aᵀ tanh(W_a s + U_a h_j) (Bahdanau et al. 2015, §A.1.2).

    W_a (A, Hq), U_a (A, Hk), v_a (A). U_a h_j does not depend on the step: ``prepare`` computes it.

    >>> AdditiveAttention(3, 5, hidden_size=4).scores(torch.zeros(2, 1, 3), torch.zeros(2, 6, 4))[0]
    tensor([[0., 0., 0., 0., 0., 0.]], grad_fn=<SelectBackward0>)
    """

    def __init__(self, query_size: int, key_size: int, hidden_size: int) -> None:
        super().__init__(query_size, key_size)
        check_sizes(hidden_size=hidden_size)
        self.from_query = nn.Linear(query_size, hidden_size, bias=False)  # W_a
        self.from_key = nn.Linear(key_size, hidden_size, bias=False)  # U_a
        self.v = nn.Parameter(torch.empty(hidden_size))
        nn.init.uniform_(self.v, -1 / math.sqrt(hidden_size), 1 / math.sqrt(hidden_size))

    def prepare(self, keys: Keys) -> Prepared:
        return self.from_key(keys)

    def scores(self, query: Query, prepared: Prepared) -> Scores:
        pairs = self.from_query(query).unsqueeze(2) + prepared.unsqueeze(1)  # (B, T, S, A)
        return torch.tanh(pairs) @ self.v


class ConcatAttention(Attention):
    """e_tj = v_aᵀ tanh(W_a [s_t ; h_j]) (Luong et al. 2015, §3.1 "concat"), W_a (A, Hq + Hk).

    W_a [s ; h] = W_1 s + W_2 h with W_a = [W_1 W_2], so it is the additive score with its two
    matrices in one. Computed in that form, no (B, T, S, Hq + Hk) tensor is ever made.

    >>> ConcatAttention(3, 5, hidden_size=4).weight.shape
    torch.Size([4, 8])
    """

    def __init__(self, query_size: int, key_size: int, hidden_size: int) -> None:
        super().__init__(query_size, key_size)
        check_sizes(hidden_size=hidden_size)
        self.weight = nn.Parameter(torch.empty(hidden_size, query_size + key_size))
        self.v = nn.Parameter(torch.empty(hidden_size))
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))  # as nn.Linear starts
        nn.init.uniform_(self.v, -1 / math.sqrt(hidden_size), 1 / math.sqrt(hidden_size))

    def prepare(self, keys: Keys) -> Prepared:
        return keys @ self.weight[:, self.query_size :].T

    def scores(self, query: Query, prepared: Prepared) -> Scores:
        query = query @ self.weight[:, : self.query_size].T  # (B, T, A)
        return torch.tanh(query.unsqueeze(2) + prepared.unsqueeze(1)) @ self.v


_ATTENTION_CLASSES: dict[str, Any] = {
    "dot": DotAttention,
    "scaled_dot": ScaledDotAttention,
    "general": GeneralAttention,
    "concat": ConcatAttention,
    "additive": AdditiveAttention,
}
KINDS = tuple(_ATTENTION_CLASSES)


def make_attention(
    kind: str, query_size: int, key_size: int, hidden_size: int | None = None
) -> Attention:
    """The attention module of a kind: "dot", "scaled_dot", "general", "concat" or "additive".

    Arguments: query_size Hq and key_size Hk; hidden_size A, the width inside "concat" and
    "additive" (Hq where None; the others have none, so that one call can make all five).
    The module is called as ``attention(query, keys, values, mask)``: query (B, T, Hq), keys
    (B, S, Hk), values (B, S, Hv), mask (B, S) bool, True = may be attended (None: all may). It
    returns the context (B, T, Hv) and the weights (B, T, S), whose rows sum to 1.
    Raises ValueError for another kind, and suggests the nearest, or sizes that do not fit.

    >>> sum(p.numel() for p in make_attention("general", 3, 5).parameters())
    15
    """
    check_name("attention", kind, KINDS)
    make = _ATTENTION_CLASSES[kind]
    if kind in ("concat", "additive"):
        return make(query_size, key_size, query_size if hidden_size is None else hidden_size)
    return make(query_size, key_size)
