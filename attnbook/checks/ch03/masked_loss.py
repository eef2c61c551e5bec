"""Exercise 3.5: ``seq2seq_loss``."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnlib
from attnbook.checks.inputs import Inputs, Layers, drawn
from attnbook.exercises import Call, Exercise, Rule
from attnbook.exercises.values import difference, fmt
from attnlib import data


def seq2seq_loss(
    model: Any,
    src: Tensor,
    src_mask: Tensor,
    tgt_in: Tensor,
    tgt_out: Tensor,
    tgt_mask: Tensor,
) -> Tensor:
    """Mean cross-entropy (nats) of the real tokens of tgt_out (B, T), given src and tgt_in."""
    states, _ = model.encoder(model.embed_src(src))  # (B, S, H)
    context = attnlib.model.last_real(states, src_mask)  # (B, H)
    first = torch.tanh(model.bridge(context)).unsqueeze(0)  # (1, B, 2H)
    hidden, cell = first.chunk(2, dim=-1)
    states, _ = model.decoder(model.embed_tgt(tgt_in), (hidden.contiguous(), cell.contiguous()))
    logits = model.output(torch.tanh(model.head(states)))  # (B, T, V)
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


class Seq2SeqLayers(Layers):
    """The layers of the chapter's class, and none of its methods."""

    def __init__(self, words: int, width: int, hidden: int) -> None:
        super().__init__()
        self.embed_src, self.embed_tgt = nn.Embedding(words, width), nn.Embedding(words, width)
        self.encoder = nn.LSTM(width, hidden, batch_first=True)
        self.decoder = nn.LSTM(width, hidden, batch_first=True)
        self.bridge, self.head = nn.Linear(hidden, 2 * hidden), nn.Linear(hidden, width)
        self.output = nn.Linear(width, words)

    def __getattr__(self, name: str) -> Any:
        if name in ("encode", "start", "decode"):
            raise AttributeError(
                f"this model has layers and no method {name}: write its lines out, with the layers "
                "embed_src, encoder, bridge, embed_tgt, decoder, head and output"
            )
        return super().__getattr__(name)


def _batches() -> Inputs:
    sentences = (
        ([[4]], [[5, 4]]),
        ([[5, 6], [4]], [[4], [6, 5, 4]]),
        ([[4, 6, 5, 4], [5], [6, 4]], [[5, 6], [4, 4, 5, 6], [6]]),
    )
    for seed, (src, tgt) in enumerate(sentences):
        layers = partial(Seq2SeqLayers, 7, 3 + seed, 4 + seed)
        yield {"model": drawn(layers, seed, 0.8), **data.make_batch(src, tgt)._asdict()}


def _columns(source: int, target: int) -> dict[str, int]:
    """A number of columns for each table of the source and of the target."""
    columns = {"src": source, "src_mask": source}
    return columns | dict.fromkeys(("tgt_in", "tgt_out", "tgt_mask"), target)


def _padding_is_free(side: str, question: str) -> Rule:
    """A rule: more columns of padding behind the source or the target change nothing."""

    def rule(call: Call) -> str | None:
        more = _columns(3 * (side == "source"), 3 * (side == "target"))
        wider = {name: F.pad(call.arguments[name], (0, count)) for name, count in more.items()}
        before, after = float(call.result), float(call(**wider))
        if abs(before - after) < 1e-4:
            return None
        return (
            f"With three more columns of padding behind the {side} the loss is {after:.4f} in the "
            f"place of {before:.4f}. {question}"
        )

    return rule


def _every_token_counts_alike(call: Call) -> str | None:
    if len(call.src) == 1:
        return None
    counts = call.tgt_mask.sum(1)
    losses = [_loss_alone(call, b) for b in range(len(call.src))]
    mean = float((torch.stack(losses) * counts).sum() / counts.sum())
    if abs(mean - float(call.result)) < 1e-4:
        return None
    costs = ", ".join(f"{float(loss):.4f} ({n} tokens)" for loss, n in zip(losses, counts.tolist()))
    return (
        f"One by one the sentences have these losses by your function: {costs}. Their mean over "
        f"all tokens is {mean:.4f}; of the whole batch your function says {float(call.result):.4f}."
    )


def _loss_alone(call: Call, b: int) -> Tensor:
    source, target = int(call.src_mask[b].sum()), int(call.tgt_mask[b].sum())
    sizes = _columns(source, target)
    rows = {name: call.arguments[name][b : b + 1, :size] for name, size in sizes.items()}
    return torch.as_tensor(call.without_comparison(**rows)).detach()


def _depends_on_the_source(call: Call) -> str | None:
    changed = call.src.where(call.src < 4, 4 + (call.src - 3) % 3)
    if abs(float(call.without_comparison(src=changed)) - float(call.result)) < 1e-6:
        return (
            "With other words in the source the loss is the same: the decoder knows nothing of it."
        )
    if abs(float(call.result) - float(call.expected)) < 1e-5:
        return None
    own = _layer_values(call, call.error)
    reference = _layer_values(call, lambda: seq2seq_loss(**call.arguments))
    unlike = {what: difference(own.get(what), expected) for what, expected in reference.items()}
    for rule, unlike_value in unlike.items():
        if unlike_value and unlike_value.kind == "value":
            return f"{rule}. {unlike_value}"
    if any(unlike.values()):  # it reads token by token, or packed
        return None
    logits, words = reference[LOGITS][call.tgt_mask], call.tgt_out[call.tgt_mask]
    losses = F.cross_entropy(logits, words, reduction="none")
    return (
        f"The logits are right. The losses (−log p) of the real tokens are {fmt(losses)}: their "
        f"mean is {float(call.expected):.4f}, and {float(call.result):.4f} comes back."
    )


LOGITS = "The logits are output(tanh(head(states)))"


def _layer_values(call: Call, run: Callable[[], Any]) -> dict[str, Tensor]:
    """The first inputs of the decoder and what the output layer returns."""
    values: dict[str, Tensor] = {}

    def before_decoder(layer: nn.Module, args: Any, kwargs: Any) -> None:
        words, state = (*args, *kwargs.values(), None)[:2]
        values.setdefault("The decoder is fed the embeddings of tgt_in", words)
        for half, part in zip(
            ("first hidden state is the first half", "first cell state is the second half"),
            state or (),
        ):
            what = f"The decoder's {half} of tanh(bridge(last real state))"
            values.setdefault(what, part)

    def after_output(layer: nn.Module, args: Any, result: Tensor) -> None:
        values.setdefault(LOGITS, result)

    handles = [
        call.model.decoder.register_forward_pre_hook(before_decoder, with_kwargs=True),
        call.model.output.register_forward_hook(after_output),
    ]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return values


CHECK = Exercise(
    seq2seq_loss,
    inputs=_batches,
    rules={
        "padding behind the source changes nothing": _padding_is_free(
            "source", "Is the context each row's last *real* state?"
        ),
        "padding behind the target changes nothing": _padding_is_free(
            "target", "Which positions does the mean go over?"
        ),
        "every real token counts the same": _every_token_counts_alike,
        "the decoder starts from what was read": _depends_on_the_source,
    },
)
