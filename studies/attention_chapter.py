"""The recorded runs of chapter 5: translators that differ in one thing each, three seeds of all.

    python -m studies.attention_chapter                  # data/runs/05_attention.json
    python -m studies.attention_chapter --corpus ko-en   # data/runs/05_attention_ko-en.json

About 30 minutes of one thread, and on ko-en, where twelve of them are made, 95. All variants have
the same encoder, batches, updates and learning rate, and one thread. The decoders' widths are
chosen so that "none", "luong" and "bahdanau" have parameters within 5 %, and likewise "general" and
"general- feeding"; an ablation keeps the width of "luong". Nothing was chosen on the test split.
"""

from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from attnlib.masking import masked_softmax
from attnlib.model import (
    Attention,
    BahdanauDecoder,
    DecoderState,
    DotAttention,
    Encoder,
    LuongDecoder,
    Memory,
    PlainDecoder,
    Seq2Seq,
    StepOutput,
    Steps,
)

from . import common, records, runner

WIDTH = 128  # of embeddings, of encoder states, and of the Luong decoder's state
UPDATES = {"ko-en-easy": 1000, "ko-en": 3000}
LONGER = 3000  # of "none-longer"
SHORT = 20  # the longest source that "short" is trained on
FED = 100  # width of the state in "general-feeding", whose recurrent layer also reads s̃_{t−1}
REACH = 10  # D of local attention, as in the paper


class UniformAttention(Attention):
    """All real positions weigh the same: the context is the mean state, at every step."""

    def scores(self, query: Tensor, prepared: Tensor) -> Tensor:
        return query.new_zeros(*query.shape[:2], prepared.shape[1])


class LinearDecoder(LuongDecoder):
    """s̃_t = W_c [c_t ; s_t] without the tanh."""

    def attend(self, hidden: Tensor, memory: Memory) -> Steps:
        states, mask = memory.states, memory.mask
        context, weights = self.attention(hidden, states, states, mask, memory.prepared)
        return self.dropout(self.combine(torch.cat([context, hidden], dim=-1))), weights


class ContextOnlyDecoder(LuongDecoder):
    """s̃_t = tanh(W_c c_t): the state asks, and predicts nothing itself."""

    def attend(self, hidden: Tensor, memory: Memory) -> Steps:
        states, mask = memory.states, memory.mask
        context, weights = self.attention(hidden, states, states, mask, memory.prepared)
        both = torch.cat([context, torch.zeros_like(hidden)], dim=-1)
        return self.dropout(torch.tanh(self.combine(both))), weights


class SplitDecoder(LuongDecoder):
    """One half of each vector matches, the other is fetched or predicts (Daniluk et al. 2017)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, attention="dot", **kwargs)
        half = WIDTH // 2
        self.attention = DotAttention(half, half)
        self.combine = nn.Linear(2 * half, WIDTH)

    def attend(self, hidden: Tensor, memory: Memory) -> Steps:
        query, predicts = hidden.chunk(2, dim=-1)
        keys, values = memory.states.chunk(2, dim=-1)
        context, weights = self.attention(query, keys, values, memory.mask)
        s_tilde = torch.tanh(self.combine(torch.cat([context, predicts], dim=-1)))
        return self.dropout(s_tilde), weights


class LocalDecoder(LuongDecoder):
    """Attention to the positions from p_t − D to p_t + D alone (Luong et al. 2015, §3.2).

    Monotonic, "local-m": p_t = t. Predictive, "local-p": p_t = S σ(v_p tanh(W_p s_t)) (Eq. 9), and
    each weight is multiplied by exp(−(j − p_t)² / 2σ²), σ = D/2 (Eq. 10), through which p_t learns.
    """

    def __init__(self, *args: Any, predictive: bool, **kwargs: Any) -> None:
        super().__init__(*args, attention="dot", **kwargs)
        self.predictor: nn.Module | None = None
        if predictive:
            width = self.rnn.hidden_size
            inner, outer = nn.Linear(width, width, bias=False), nn.Linear(width, 1, bias=False)
            self.predictor = nn.Sequential(inner, nn.Tanh(), outer, nn.Sigmoid())

    def start(self, memory: Memory) -> DecoderState:
        return super().start(memory) | {"step": memory.final.new_zeros(len(memory.final), 1, 1)}

    def advance(self, words: Tensor, memory: Memory, state: DecoderState) -> StepOutput:
        hidden, new = self.run(words.unsqueeze(2), state)
        s_tilde, weights = self.attend_near(hidden.squeeze(2), memory, state["step"])
        return s_tilde, new | {"step": state["step"] + 1}, weights

    def forward(self, tgt_in: Tensor, memory: Memory) -> Steps:
        hidden, _ = self.run(self.read(tgt_in).unsqueeze(1), self.start(memory))
        steps = torch.arange(tgt_in.shape[1], dtype=hidden.dtype).view(1, -1, 1)
        return self.attend_near(hidden.squeeze(1), memory, steps.expand(len(tgt_in), -1, 1))

    def attend_near(self, hidden: Tensor, memory: Memory, steps: Tensor) -> tuple[Tensor, Tensor]:
        """``attend`` at known steps (B, T, 1), which a monotonic p_t is."""
        lengths = memory.mask.sum(1).view(-1, 1, 1)
        if self.predictor is None:
            center = torch.minimum(steps, lengths - 1)  # (B, T, 1), never past the last word
        else:
            center = lengths * self.predictor(hidden)
        away = torch.arange(memory.mask.shape[1]) - center  # (B, T, S)
        near = (away.abs() <= REACH) & memory.mask.unsqueeze(1)
        assert self.attention is not None
        weights = masked_softmax(self.attention.scores(hidden, memory.prepared), near)
        if self.predictor is not None:
            weights = weights * torch.exp(-(away**2) / (2 * (REACH / 2) ** 2))
        context = weights @ memory.states
        s_tilde = torch.tanh(self.combine(torch.cat([context, hidden], dim=-1)))
        return self.dropout(s_tilde), weights


def make_model(variant: str, src_size: int, tgt_size: int) -> Seq2Seq:
    """A model of the chapter; the chapter's own ``make_model`` makes "luong" and "none" alike."""
    dropout = 0.0 if variant == "no-dropout" else 0.2
    source, target = common.tables(src_size, tgt_size, WIDTH)
    words = not variant.endswith("states-only")  # does the memory also hold the word itself?
    encoder = Encoder(source, WIDTH, cell="lstm", dropout=dropout, source_in_memory=words)
    kind = {"cell": "lstm", "dropout": dropout}
    if variant in ("none", "none-longer"):
        decoder: Any = PlainDecoder(target, WIDTH, 116, WIDTH, every_step=True, **kind)
    elif variant == "bahdanau":
        decoder = BahdanauDecoder(target, WIDTH, 72, WIDTH, **kind)
    else:
        made = {
            "no-tanh": LinearDecoder,
            "context-only": ContextOnlyDecoder,
            "split": SplitDecoder,
            "local-m": LocalDecoder,
            "local-p": LocalDecoder,
        }.get(variant, LuongDecoder)
        if made is LocalDecoder:
            kind["predictive"] = variant == "local-p"
        elif made is not SplitDecoder:
            kind["attention"] = "general" if variant.startswith("general") else "dot"
            kind["input_feeding"] = variant.endswith("feeding")
        state = FED if variant == "general-feeding" else WIDTH
        decoder = made(target, WIDTH, state, WIDTH, **kind)
        if variant == "uniform":
            decoder.attention = UniformAttention(WIDTH, WIDTH)
    return common.joined(encoder, decoder, target)


VARIANTS = {
    "luong": "Luong, dot score",
    "none": "no attention: the last states start the decoder and are part of every input",
    "none-longer": "no attention, three times the updates",
    "short": f"Luong, dot score, trained on at most {SHORT} source tokens",
    "bahdanau": "Bahdanau, additive score",
    "general": "Luong, general score: a matrix between the spaces",
    "states-only": "Luong, dot score, keys and values h_j instead of h_j + W x_j",
    "general-states-only": "Luong, general score, keys and values h_j",
    "no-dropout": "Luong, dot score, no dropout",
    "uniform": "Luong, all weights equal",
    "context-only": "Luong, dot score, s̃ from the context alone",
    "no-tanh": "Luong, dot score, s̃ without tanh",
    "split": "Luong, dot score, half of each vector for matching, half for content",
    "feeding": "Luong, dot score, input feeding: more parameters",
    "general-feeding": f"Luong, general score, input feeding, a state of {FED}",
    "local-m": f"Luong, dot score, local: {REACH} positions on either side of t",
    "local-p": f"Luong, dot score, local: {REACH} positions on either side of a predicted place",
}


# What ko-en is not asked: budgets, lengths, and what the maps of different models look like.
ONLY_EASY = {"none-longer", "short", "states-only", "general-states-only", "no-dropout"}


def run(corpus: str, variant: str, seed: int) -> dict[str, Any]:
    """Trained like all others, but for the one that is trained for longer."""
    updates = LONGER if variant == "none-longer" else UPDATES[corpus]
    translator, _ = common.train(
        partial(make_model, variant),
        common.recipe(updates, seed),
        at_most=SHORT if variant == "short" else None,
        corpus=corpus,
    )
    return {
        "parameters": common.used(translator.model),
        "updates": updates,
        "date": records.today(),
        **common.evaluate(translator, corpus=corpus),
        "others": common.evaluate_others(translator, corpus),
    }


def variants(corpus: str) -> dict[str, str]:
    """What is trained on a corpus."""
    left_out = set() if corpus == common.EASY else ONLY_EASY
    return {name: text for name, text in VARIANTS.items() if name not in left_out}


def header(corpus: str) -> dict[str, Any]:
    option = "" if corpus == common.EASY else f" --corpus {corpus}"
    return {
        "command": "python -m studies.attention_chapter" + option,
        "corpus": corpus,
        "split": "test",
        "buckets": records.BUCKETS_OF[corpus],
        "batch": 32,
        "search": "greedy",
        **records.origin(),
        "variants": variants(corpus),
    }


def series(corpus: str) -> runner.Series:
    name, chosen = common.record_of("05_attention", corpus), {"variant": list(variants(corpus))}
    return runner.Series(
        name, chosen, partial(run, corpus), partial(header, corpus), data=lambda variant: corpus
    )


if __name__ == "__main__":
    runner.main(__doc__, series, common.corpus_option())
