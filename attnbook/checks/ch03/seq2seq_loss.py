"""Exercise 3.5: ``seq2seq_loss``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

import attnlib
from attnbook.checks.shared import Inputs, plain
from attnbook.exercises import Call, Exercise
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


class Layers(nn.Module):
    """The layers of the chapter's class, and none of its methods."""

    def __init__(self, seed: int, words: int, width: int, hidden: int) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.embed_src, self.embed_tgt = nn.Embedding(words, width), nn.Embedding(words, width)
            self.encoder = nn.LSTM(width, hidden, batch_first=True)
            self.decoder = nn.LSTM(width, hidden, batch_first=True)
            self.bridge, self.head = nn.Linear(hidden, 2 * hidden), nn.Linear(hidden, width)
            self.output = nn.Linear(width, words)
            with torch.no_grad():
                for weight in self.parameters():
                    weight.copy_(0.8 * torch.randn(weight.shape))

    def __getattr__(self, name: str) -> Any:
        if name in ("encode", "start", "decode"):
            raise AttributeError(
                f"this model has layers and no method {name}: write its lines out, with the layers "
                "embed_src, encoder, bridge, embed_tgt, decoder, head and output"
            )
        part = super().__getattr__(name)  # on the learner's device, as copies of tensors are
        return part.to(torch.empty(0).device) if isinstance(part, nn.Module) else part

    def forward(self, *given: Any) -> Any:
        raise NotImplementedError(
            "this model has layers and no forward pass: the pass is what you are to write"
        )


def _batches() -> Inputs:
    for seed, (src, tgt) in enumerate(
        [
            ([[4]], [[5, 4]]),
            ([[5, 6], [4]], [[4], [6, 5, 4]]),
            ([[4, 6, 5, 4], [5], [6, 4]], [[5, 6], [4, 4, 5, 6], [6]]),
        ]
    ):
        batch = data.make_batch(src, tgt)
        yield {"model": Layers(seed, 7, 3 + seed, 4 + seed), **batch._asdict()}


def _wider(call: Call, source: int, target: int) -> dict[str, Tensor]:
    """The same sentences, with more columns of padding."""
    columns = {"src": source, "src_mask": source}
    columns |= dict.fromkeys(("tgt_in", "tgt_out", "tgt_mask"), target)
    return {name: F.pad(call.arguments[name], (0, more)) for name, more in columns.items()}


def _padded_source(call: Call) -> str | None:
    before, after = float(call.result), float(call(**_wider(call, 3, 0)))
    if abs(before - after) < 1e-4:
        return None
    return (
        f"With three more columns of padding behind the source the loss is {after:.4f} in the "
        f"place of {before:.4f}. Is the context each row's last *real* state?"
    )


def _padded_target(call: Call) -> str | None:
    before, after = float(call.result), float(call(**_wider(call, 0, 3)))
    if abs(before - after) < 1e-4:
        return None
    return (
        f"With three more columns of padding behind the target the loss is {after:.4f} in the "
        f"place of {before:.4f}. Which positions does the mean go over?"
    )


def _every_token_counts_alike(call: Call) -> str | None:
    if len(call.src) == 1:
        return None
    counts = call.tgt_mask.sum(1)
    alone = [_alone(call, b) for b in range(len(call.src))]
    mean = float((torch.stack(alone) * counts).sum() / counts.sum())
    if abs(mean - float(call.result)) < 1e-4:
        return None
    told = ", ".join(f"{float(loss):.4f} ({n} tokens)" for loss, n in zip(alone, counts.tolist()))
    return (
        f"One by one the sentences have these losses by your function: {told}. Their mean over all "
        f"tokens is {mean:.4f}; of the whole batch your function says {float(call.result):.4f}."
    )


def _alone(call: Call, b: int) -> Tensor:
    source, target = int(call.src_mask[b].sum()), int(call.tgt_mask[b].sum())
    sizes = {"src": source, "src_mask": source}
    sizes |= dict.fromkeys(("tgt_in", "tgt_out", "tgt_mask"), target)
    rows = {name: call.arguments[name][b : b + 1, :size] for name, size in sizes.items()}
    return torch.as_tensor(call.uncompared(**rows)).detach()


def _depends_on_the_source(call: Call) -> str | None:
    other = call.src.where(call.src < 4, 4 + (call.src - 3) % 3)
    if abs(float(call.uncompared(src=other)) - float(call.result)) > 1e-6:
        return None
    return "With other words in the source the loss is the same: the decoder knows nothing of it."


def _variant(
    model: Any,
    src: Any,
    src_mask: Any,
    tgt_in: Any,
    tgt_out: Any,
    tgt_mask: Any,
    *,
    last: Callable[..., Any] = attnlib.model.last_real,
    first: Callable[..., Any] = lambda model, context: torch.tanh(model.bridge(context)),
    cut: Callable[..., Any] = lambda first: first.chunk(2, dim=-1),
    layered: Callable[..., Any] = lambda half: half.unsqueeze(0),
    read: Callable[..., Any] = lambda words, mask: words,
    fed: Callable[..., Any] = lambda tgt_in, tgt_out: tgt_in,
    predicted: Callable[..., Any] = lambda tgt_in, tgt_out: tgt_out,
    features: Callable[..., Any] = lambda model, states: torch.tanh(model.head(states)),
    scores: Callable[..., Any] = lambda logits: logits,
    mean: Callable[..., Any] = lambda logits, words, mask: F.cross_entropy(
        logits[mask], words[mask]
    ),
    layers: tuple[str, str, str, str] = ("embed_src", "encoder", "embed_tgt", "decoder"),
) -> Any:
    """The pass with one part of it made otherwise."""
    embed_src, encoder, embed_tgt, decoder = (getattr(model, name) for name in layers)
    states, _ = encoder(read(embed_src(src), src_mask))
    context = last(states, src_mask)
    hidden, cell = (layered(x).contiguous() for x in cut(first(model, context)))
    states, _ = decoder(embed_tgt(fed(tgt_in, tgt_out)), (hidden, cell))
    logits = scores(model.output(features(model, states)))
    return mean(logits, predicted(tgt_in, tgt_out), tgt_mask)


def _per_token(logits: Any, words: Any) -> Any:
    """The cross-entropy of every position, (B, T)."""
    return F.cross_entropy(logits.transpose(1, 2), words, reduction="none")


MASKED = "The mean goes over every position, padding too. Only the real target tokens count."
ENDS = (
    "The positions at padding count 0 and are still counted: divide by the number of real tokens."
)
PARTS: dict[str, dict[str, Any]] = {
    "last": {
        "The context is the last column of the encoder's states, and in a short row that has read "
        "padding. Take each row's last real state.": lambda states, mask: states[:, -1],
        "The context is the encoder's state after the first word. It is the last real one.": (
            lambda states, mask: states[:, 0]
        ),
        "The context is the mean of the encoder's states. Here it is the last real one.": (
            lambda states, mask: (states * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        ),
        "The decoder's first state is the same whatever was read: the context is not used.": (
            lambda states, mask: torch.zeros_like(states[:, 0])
        ),
    },
    "first": {
        "Where is the tanh of the bridge?": lambda model, context: model.bridge(context),
        "The bridge goes through a sigmoid here, and it is a tanh.": lambda model, context: (
            torch.sigmoid(model.bridge(context))
        ),
        "The context goes through the tanh before the bridge. The tanh comes behind it.": (
            lambda model, context: model.bridge(torch.tanh(context))
        ),
        "The bridge is not used: the context is the decoder's first hidden and cell state.": (
            lambda model, context: torch.cat([context, context], dim=-1)
        ),
        "The bridge is not used: the context is the decoder's first hidden state, and its cell "
        "state is zeros. Both are made by the bridge.": lambda model, context: torch.cat(
            [context, 0 * context], dim=-1
        ),
    },
    "cut": {
        "Hidden and cell state are exchanged: the first half of the bridge is the hidden state.": (
            lambda first: first.chunk(2, dim=-1)[::-1]
        ),
        "The decoder's first cell state is zeros. It is the second half of the bridge.": (
            lambda first: (first.chunk(2, dim=-1)[0], torch.zeros_like(first.chunk(2, dim=-1)[0]))
        ),
        "The decoder starts from zeros: nothing of the source reaches it.": (
            lambda first: [torch.zeros_like(half) for half in first.chunk(2, dim=-1)]
        ),
        "Hidden and cell state are the same half of the bridge. The first half is the hidden "
        "state, the second the cell state.": lambda first: [first.chunk(2, dim=-1)[0]] * 2,
        "view lays the numbers out anew, and mixes what belongs to different sentences. "
        "chunk(2, dim=-1) halves the numbers of each.": lambda first: first.view(2, len(first), -1),
        "Every second number of the bridge goes to the cell state. The first half is the hidden "
        "state, the second half the cell state.": lambda first: (first[:, ::2], first[:, 1::2]),
    },
    "layered": {
        "Hidden and cell state are (B, H), and an LSTM wants (1, B, H): unsqueeze(0) puts the one "
        "layer in front.": lambda half: half,
    },
    "fed": {
        "The decoder is fed tgt_out, the very words that it is to predict. It is fed tgt_in.": (
            lambda tgt_in, tgt_out: tgt_out
        ),
    },
    "predicted": {
        "The words to predict are tgt_in: the decoder would learn to copy what it has been given. "
        "They are tgt_out.": lambda tgt_in, tgt_out: tgt_in,
    },
    "features": {
        "Where is the tanh behind the head?": lambda model, states: model.head(states),
        "The tanh comes before the head here. It comes behind it.": lambda model, states: (
            model.head(torch.tanh(states))
        ),
    },
    "scores": {
        "F.cross_entropy takes logits and makes the softmax itself: here it is made twice.": (
            lambda logits: logits.softmax(-1)
        ),
        "The logits go through a tanh. F.cross_entropy takes them as the output gives them.": (
            torch.tanh
        ),
    },
    "mean": {
        MASKED: lambda logits, words, mask: F.cross_entropy(logits.flatten(0, 1), words.flatten()),
        ENDS: lambda logits, words, mask: (_per_token(logits, words) * mask).mean(),
        "This is the sum over the tokens. The mean is asked for.": lambda logits, words, mask: (
            F.cross_entropy(logits[mask], words[mask], reduction="sum")
        ),
        "The sum is divided by the number of sentences. The mean is over tokens.": (
            lambda logits, words, mask: (_per_token(logits, words) * mask).sum() / len(words)
        ),
        "Each sentence counts the same here, whatever its length: the mean is taken per sentence, "
        "and then over sentences. Every *token* counts the same.": lambda logits, words, mask: (
            (_per_token(logits, words) * mask).sum(1) / mask.sum(1)
        ).mean(),
        "These are the losses of all tokens. Return their mean, one number.": (
            lambda logits, words, mask: F.cross_entropy(logits[mask], words[mask], reduction="none")
        ),
        "This is the perplexity, exp of the mean. The mean itself is asked for, in nats.": (
            lambda logits, words, mask: F.cross_entropy(logits[mask], words[mask]).exp()
        ),
        "This is in bits. Nats are asked for: no division by ln 2.": (
            lambda logits, words, mask: (
                F.cross_entropy(logits[mask], words[mask]) / torch.tensor(2).log()
            )
        ),
        "Shifted a second time: tgt_in is one behind tgt_out already. The logits at t belong to "
        "tgt_out at t.": lambda logits, words, mask: F.cross_entropy(
            logits[:, :-1][mask[:, 1:]], words[:, 1:][mask[:, 1:]]
        ),
        "The sign is turned: this is the mean log-probability. The loss is minus that.": (
            lambda logits, words, mask: -F.cross_entropy(logits[mask], words[mask])
        ),
        "The end token is left out of the mean. It has to be learned, too.": (
            lambda logits, words, mask: F.cross_entropy(
                logits[mask & (words != data.EOS)], words[mask & (words != data.EOS)]
            )
        ),
        "The mean goes over the padding: the mask is the wrong way round.": (
            lambda logits, words, mask: F.cross_entropy(logits[~mask], words[~mask])
        ),
        "The logits at padding are set to 0 and still counted. Leave those positions out.": (
            lambda logits, words, mask: F.cross_entropy(
                (logits * mask.unsqueeze(-1)).flatten(0, 1), words.flatten()
            )
        ),
        "These are the logits. The loss is asked for, one number.": (
            lambda logits, words, mask: logits
        ),
        "Only the last real token of each sentence counts here. Every real token does.": (
            lambda logits, words, mask: F.cross_entropy(
                attnlib.model.last_real(logits, mask),
                attnlib.model.last_real(words.unsqueeze(-1), mask).squeeze(-1),
            )
        ),
    },
    "layers": {
        "The source is embedded with the target's table. Each language has its own.": (
            ("embed_tgt", "encoder", "embed_tgt", "decoder")
        ),
        "The target is embedded with the source's table. Each language has its own.": (
            ("embed_src", "encoder", "embed_src", "decoder")
        ),
        "The encoder writes here, and it is to read: the decoder's LSTM runs over tgt_in.": (
            ("embed_src", "encoder", "embed_tgt", "encoder")
        ),
        "The decoder's LSTM reads the source here. The encoder does.": (
            ("embed_src", "decoder", "embed_tgt", "decoder")
        ),
        "Encoder and decoder are exchanged.": ("embed_src", "decoder", "embed_tgt", "encoder"),
    },
}


def _torchs_last(
    model: Any, src: Any, src_mask: Any, tgt_in: Any, tgt_out: Any, tgt_mask: Any
) -> Any:
    """Starts from the state that torch's encoder returns, without the bridge."""
    _, last = model.encoder(model.embed_src(src))
    states, _ = model.decoder(model.embed_tgt(tgt_in), last)
    logits = model.output(torch.tanh(model.head(states)))
    return F.cross_entropy(logits[tgt_mask], tgt_out[tgt_mask])


NO_DIMENSION = (
    "chunk(2) without a dimension cuts dimension 0. The numbers of the bridge are the last one: "
    "chunk(2, dim=-1)."
)

CHECK = Exercise(
    "seq2seq_loss",
    reference=seq2seq_loss,
    inputs=_batches,
    rules={
        "padding behind the source changes nothing": _padded_source,
        "padding behind the target changes nothing": _padded_target,
        "every real token counts the same": _every_token_counts_alike,
        "the decoder starts from what was read": _depends_on_the_source,
    },
    mistakes=[
        *(
            (told, plain(_variant, **{part: other}))
            for part, others in PARTS.items()
            for told, other in others.items()
        ),
        *(
            (NO_DIMENSION, plain(_variant, cut=cut, layered=layered))
            for cut, layered in (
                (lambda first: first.chunk(2), lambda half: half.unsqueeze(0)),
                (lambda first: first.unsqueeze(0).chunk(2), lambda half: half),
            )
        ),
        (
            "Padding is made 0 before the encoder, and read: its steps change the state, too. Take "
            "each row's last real state.",
            plain(
                _variant,
                read=lambda words, mask: words * mask.unsqueeze(-1),
                last=lambda states, mask: states[:, -1],
            ),
        ),
        (
            "The encoder's last hidden and cell state go to the decoder as torch returns them: the "
            "bridge is not used, and in a short row they have read padding.",
            _torchs_last,
        ),
        (
            "Padding counts twice: the context is the last column of the encoder's states, and the "
            "mean goes over every position.",
            plain(
                _variant,
                last=lambda states, mask: states[:, -1],
                mean=PARTS["mean"][MASKED],
            ),
        ),
    ],
)
