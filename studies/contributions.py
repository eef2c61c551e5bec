"""The recorded runs of chapter 5 that look inside: gradients by position, and what is added up.

    python -m studies.contributions                  # data/runs/05_contributions.json

Three of chapter 5's models, trained as there, three seeds each; about twelve minutes of one thread
(estimated).

*Gradients*, on the longest test sentences: how long is ∂ log p(y_t) / ∂ x_j, the gradient of one
written word with respect to the embedding of one word that was read? With trained weights, a target
word at a time, and on each path alone: through the values h_j that are mixed, through the keys h_j
that are scored, and through the last state, which starts the decoder.

*Contributions*, on the whole test split: the context is Σ_j α_j h_j, so what a source word adds is
α_j h_j, and a long h_j adds more than its weight says (Kobayashi et al. 2020). Their lengths as
shares, also behind W_c, against the weights: how often another word is first, and which of the
three is nearest to the gold alignment.

*Shuffled weights* (Jain and Wallace 2019, §4.2.1, who take 100 permutations): the weights of every
row in another order, ``DRAWS`` times, or all made equal; how often the most probable word stays. Of
a short row one order in S leaves the largest weight where it was: rows whose peak moved are counted
apart from the others. Of all lengths, an equal number from each range, and of short sentences.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attnlib.data import Batch, Pair, make_batch
from attnlib.metrics import aer, links_from_weights
from attnlib.model import Memory, Seq2Seq
from attnlib.translator import Translator

from . import attention_chapter, common, records, runner

VARIANTS = ("luong", "states-only", "none")
LONG = (41, 50)  # source tokens of the sentences whose gradients are taken
SENTENCES = 40
PARTS = 10  # into which a source is divided, from its first word to its last
DRAWS = 20  # orders of the weights of a row
EACH = 60  # sentences of each range whose weights are shuffled


def gradient_paths(memory: Memory) -> dict[str, Memory]:
    """The memory with all paths of the gradient but one detached."""
    states, prepared, mask, final = memory
    none = Memory(states.detach(), prepared.detach(), mask, final.detach())
    return {
        "values": none._replace(states=states),
        "keys": none._replace(prepared=prepared),
        "last state": none._replace(final=final),
    }


def gradients(model: Seq2Seq, batch: Batch) -> dict[str, Tensor]:
    """By path: norms (T, B, S) a target word at a time."""
    kept: list[Tensor] = []
    hook = model.encoder.embed.register_forward_hook(lambda _, __, output: kept.append(output))
    memory = model.encode(batch.src, batch.src_mask)
    hook.remove()
    paths = gradient_paths(memory)
    if model.decoder.attention is None:  # the other two end where they begin
        paths = {"last state": paths["last state"]}
    result = {}
    for name, path in paths.items():
        log_probs = model.output(model.decoder(batch.tgt_in, path)[0]).log_softmax(-1)
        gold = log_probs.gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)
        gold = gold.masked_fill(~batch.tgt_mask, 0.0)  # (B, T)
        take = partial(torch.autograd.grad, inputs=kept[0], retain_graph=True)
        rows = [take(gold[:, t].sum())[0].norm(dim=-1) for t in range(gold.shape[1])]
        result[name] = torch.stack(rows)
    return result


def by_part(norms: Tensor, real: Tensor) -> list[float]:
    """The mean of norms (…, B, S), where they are ``real``, in each tenth of the source."""
    lengths = real.sum(-1, keepdim=True).clamp(min=1)
    part = torch.arange(real.shape[-1]) * PARTS // lengths
    return [digits(norms[real & (part == n)].mean()) for n in range(PARTS)]


def digits(value: Tensor | float, count: int = 3) -> float:
    """So many significant digits: gradients go over many powers of ten."""
    return float(f"{float(value):.{count}g}")


def mean_gradients(translator: Translator, pairs: Sequence[Pair]) -> dict[str, Any]:
    """By path, the mean norms of these sentences, which are of about one length."""
    encode, model = translator.src_vocabulary.encode, translator.model.eval()
    targets = [translator.tgt_vocabulary.encode(pair.tgt) for pair in pairs]
    batch = make_batch([encode(pair.src) for pair in pairs], targets)
    real = batch.src_mask & batch.tgt_mask.T.unsqueeze(-1)  # (T, B, S)
    norms = gradients(model, batch)
    return {path: {"a word": by_part(rows, real)} for path, rows in norms.items()}


@torch.no_grad()
def contributions(translator: Translator, pairs: Sequence[Pair]) -> list[dict[str, Tensor]]:
    """Of every pair the weights (T, S) and the shares of ‖α_j h_j‖ and of ‖W_c α_j h_j‖."""
    model, found = translator.model.eval(), []
    for pair, weights in zip(pairs, common.all_weights(translator, pairs)):
        ids = translator.src_vocabulary.encode(pair.src)
        batch = make_batch([ids], [ids])
        states = model.encode(batch.src, batch.src_mask).states[0, : len(ids)]  # (S, M)
        context_part = model.decoder.combine.weight[:, : states.shape[1]]  # W_c reads [c ; s]
        shares = {"weight": weights}
        for name, values in (("length", states), ("behind W_c", states @ context_part.T)):
            lengths = weights * values.norm(dim=-1)
            shares[name] = lengths / lengths.sum(-1, keepdim=True)
        found.append(shares)
    return found


def compare(translator: Translator, pairs: Sequence[Pair]) -> dict[str, Any]:
    """How far contributions are from weights, and both from the gold links."""
    found = contributions(translator, pairs)
    gold = [pair.links for pair in pairs]
    rates, other = {}, {}
    for name in found[0]:
        rates[name] = round(aer([links_from_weights(shares[name]) for shares in found], gold), 4)
        if name != "weight":
            moved = [shares["weight"].argmax(-1) != shares[name].argmax(-1) for shares in found]
            other[name] = round(torch.cat(moved).double().mean().item(), 4)
    return {"aer": rates, "another is first": other}


def batch_of(translator: Translator, pairs: Sequence[Pair]) -> tuple[Batch, Tensor]:
    """The pairs, and where a target word has a sure link (B, T)."""
    sources = [translator.src_vocabulary.encode(pair.src) for pair in pairs]
    batch = make_batch(sources, [translator.tgt_vocabulary.encode(pair.tgt) for pair in pairs])
    linked = torch.zeros_like(batch.tgt_mask)
    for n, pair in enumerate(pairs):
        linked[n, [t for _, t in pair.links.sure]] = True
    return batch, linked


def in_another_order(weights: Tensor, mask: Tensor, generator: torch.Generator) -> Tensor:
    """Every row (B, T, S) in an order of its own; padding (B, S) stays where it is."""
    draw = torch.rand(weights.shape, generator=generator).masked_fill(~mask.unsqueeze(1), 2.0)
    back = weights.masked_fill(~mask.unsqueeze(1), 0.0)
    return back.gather(2, draw.argsort(-1))


@torch.no_grad()
def stays(translator: Translator, pairs: Sequence[Pair], seed: int) -> dict[str, Any]:
    """In how many rows the most probable word stays when their weights are others."""
    model, generator = translator.model.eval(), torch.Generator().manual_seed(seed)
    batch, linked = batch_of(translator, pairs)
    logits, before = model(batch.src, batch.src_mask, batch.tgt_in)
    now: list[Tensor] = []  # the weights that stand in for those of the model

    def instead(_: Any, given: tuple[Tensor, ...], __: Any) -> tuple[Tensor, Tensor]:
        return now[-1] @ given[2], now[-1]

    hook = model.decoder.attention.register_forward_hook(instead)

    def stay(weights: Tensor) -> Tensor:
        now.append(weights)
        changed, _ = model(batch.src, batch.src_mask, batch.tgt_in)
        return changed.argmax(-1) == logits.argmax(-1)

    real = batch.src_mask.unsqueeze(1)
    equal = stay((real / real.sum(-1, keepdim=True)).expand_as(before))
    shares: dict[str, list[float]] = {"moved": [], "other words": []}
    for _ in range(DRAWS):
        same = stay(in_another_order(before, batch.src_mask, generator))
        moved = now[-1].argmax(-1) != before.argmax(-1)
        rows = {"moved": linked & moved, "other words": batch.tgt_mask & ~linked}
        for name, chosen in rows.items():
            shares[name].append(digits(same[chosen].double().mean()))
    hook.remove()
    return {
        "sentences": len(pairs),
        "rows": int(linked.sum()),
        "equal": digits(equal[linked].double().mean()),
        **shares,
    }


def run(variant: str, seed: int) -> dict[str, Any]:
    updates = attention_chapter.UPDATES[common.EASY]
    translator, _ = common.train(
        partial(attention_chapter.make_model, variant), common.recipe(updates, seed)
    )
    test = common.encoded_corpus().corpus.test
    sizes = common.tokens(test)
    ranges = [[p for p, n in zip(test, sizes) if a <= n <= b] for a, b in records.BUCKETS]
    long = [p for p, n in zip(test, sizes) if LONG[0] <= n <= LONG[1]][:SENTENCES]
    found = {
        "updates": updates,
        "date": records.today(),
        "gradients": mean_gradients(translator, long),
    }
    if translator.model.decoder.attention is None:
        return found
    short, mixed = ranges[0][:EACH], [pair for some in ranges for pair in some[:EACH]]
    return found | {
        "contributions": compare(translator, test),
        "shuffled": {
            "short": stays(translator, short, seed),
            "all": stays(translator, mixed, seed),
        },
    }


def header() -> dict[str, Any]:
    return {
        "what": "Inside three trained translators. gradients: mean norms of d log p / d x, by "
        "tenths of the source (first word to last), of one target word at a time. "
        "contributions: shares of |a h|, and of |W_c a h|, against the weights a. shuffled: in how "
        "many rows of linked words the most probable word stays, a number an order of the weights; "
        "moved: of the rows whose largest weight lies elsewhere.",
        "command": "python -m studies.contributions",
        "corpus": common.EASY,
        "split": "test",
        "gradients of": {"source tokens": LONG, "sentences": SENTENCES},
        "shuffled": {"sentences of a range": EACH, "orders": DRAWS},
        **records.origin(),
        "variants": {name: attention_chapter.VARIANTS[name] for name in VARIANTS},
    }


SERIES = runner.Series(
    "05_contributions", {"variant": VARIANTS}, run, header, data=lambda variant: common.EASY
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES, say="{variant} {seed}: {minutes} minutes".format_map)
