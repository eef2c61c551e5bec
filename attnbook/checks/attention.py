"""What checks of scores, attention and decoders that attend share."""

from typing import Any

import torch
from torch import Tensor

from attnbook.checks.mistakes import first_for_all, same
from attnbook.exercises import Call, Function, Mistakes, Rule

Decoder = Function


def cat(*parts: Tensor) -> Tensor:
    return torch.cat(parts, dim=-1)


def softmax(x: Tensor) -> Tensor:
    return x.softmax(-1)


def lookup_weights(call: Call) -> Tensor:
    """The weights of a lookup: a value of 1 for one key and 0 for the others shows that key's."""
    each = torch.eye(len(call.values)).to(call.values)
    return torch.stack([call(values=value) for value in each], dim=-1)


def score_mistakes(score: Function) -> Mistakes:
    """What goes wrong around a score of pairs, whatever the score is."""

    def changed(after: Any = same, of_keys: Any = same) -> Function:
        return lambda keys, **others: after(score(keys=of_keys(keys), **others))

    return {
        "Rows are keys and columns are queries here: query t belongs in row t.": (
            changed(lambda scores: scores.transpose(1, 2))
        ),
        "These are weights: a score is what goes into the softmax.": changed(softmax),
        "The keys of the first sentence are used for every sentence; sentence b has its own, "
        "keys[b].": (changed(of_keys=first_for_all)),
    }


def padding_is_free(what_changes: str) -> Rule:
    """A rule for a decoder that attends: keys at padding do not change its first result."""

    def rule(call: Call) -> str | None:
        keys = call.keys.masked_fill(~call.mask.unsqueeze(-1), 9.0)
        if torch.allclose(call(keys=keys)[0], call.result[0], atol=1e-5):
            return None
        return f"The {what_changes} with the padding. Did you pass the mask on?"

    return rule


def plain_attend(
    query: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """A dot score over as many features as both have; scores of padding become −∞."""
    if query.dim() != 3 or len(query) != len(keys):
        raise ValueError(
            f"attend takes a query (B, T, Hd), here of {len(keys)} sentences, but was given "
            f"{tuple(query.shape)}: unsqueeze(1) makes one query for each sentence"
        )
    width = min(query.shape[-1], keys.shape[-1])
    scores = query[..., :width] @ keys[..., :width].transpose(1, 2)
    if mask is not None:
        if not bool(mask.any(-1).all()):
            raise ValueError(
                "attend was given a mask that allows no word of a sentence: True marks what may be "
                "attended, so pass the mask on as it is"
            )
        scores = scores.masked_fill(~mask.unsqueeze(1), -torch.inf)
    weights = scores.softmax(-1)
    return weights @ values, weights


def plain_cell(inputs: Tensor, state: Tensor) -> Tensor:
    """Mixes all inputs into every unit, the later ones more."""
    ramp = torch.linspace(0.1, 1.0, inputs.shape[-1], dtype=inputs.dtype)
    units = torch.linspace(1.0, 0.5, state.shape[-1], dtype=state.dtype)
    return torch.tanh(0.5 * state + 0.5 * units * (inputs * ramp).sum(-1, keepdim=True))
