"""The recorded runs of chapter 5 that look inside: gradients by position, and what is added up.

    python -m studies.contributions                  # data/runs/05_contributions.json
    python -m studies.contributions --variants luong --seeds 1

Three of chapter 5's models, trained as there, three seeds each; about twelve minutes of one thread
(estimated). A run that is in the file already is not made again, so the program can be stopped at
any time.

*Gradients*, on the longest test sentences: how long is ∂ log p(y_t) / ∂ x_j, the gradient of one
written word with respect to the embedding of one word that was read? With trained weights, a target
word at a time and for the whole sentence, and on each road alone: through the values h_j that are
mixed, through the keys h_j that are scored, and through the last state, which starts the decoder.

*Contributions*, on the whole test split: the context is Σ_j α_j h_j, so what a source word adds is
α_j h_j, and a long h_j adds more than its weight says (Kobayashi et al. 2020). Their lengths as
shares, also behind W_c, against the weights: how often another word is first, and which of the
three is nearest to the gold alignment.

*Shuffled weights* (Jain and Wallace 2019, §4.2.1, who take 100 permutations): the weights of every
row in another order, ``DRAWS`` times, or all made equal; how often the most probable word stays. Of
a short row one order in S leaves the largest weight where it was: rows whose peak moved are counted
apart from the others. Of all lengths, an equal number from each range, and of short sentences.

*Replaced words*: every source word in turn becomes the unknown word. How far log p(y_t) falls,
beside the weight: is the word with the largest weight the one with the largest fall, and the rank
correlation, over all cells and within each row (its mean). The end of the sentence has no part in
it. Of short sentences.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from attnlib.data import UNK, Batch, Pair, make_batch
from attnlib.metrics import aer, links_from_weights
from attnlib.model import Memory, Seq2Seq
from attnlib.translator import Translator

from . import attention_chapter, easy_runs, records, runner

VARIANTS = ("luong", "states-only", "none")
LONG = (41, 50)  # source tokens of the sentences whose gradients are taken
SENTENCES = 40
PARTS = 10  # into which a source is divided, from its first word to its last
FAR = 10  # positions from the word with the largest weight
EXAMPLE = 10  # source tokens of the sentence whose weights are kept whole, at most
DRAWS = 20  # orders of the weights of a row
EACH = 60  # sentences of each range whose weights are shuffled, and short ones whose words go


def roads(memory: Memory) -> dict[str, Memory]:
    """The memory with all roads but one closed to the gradient."""
    states, prepared, mask, final = memory
    none = Memory(states.detach(), prepared.detach(), mask, final.detach())
    return {
        "values": none._replace(states=states),
        "keys": none._replace(prepared=prepared),
        "last state": none._replace(final=final),
    }


def gradients(model: Seq2Seq, batch: Batch) -> dict[str, tuple[Tensor, Tensor]]:
    """By road: norms (T, B, S) a target word at a time, and (B, S) of the whole sentence."""
    kept: list[Tensor] = []
    hook = model.encoder.embed.register_forward_hook(lambda _, __, output: kept.append(output))
    memory = model.encode(batch.src, batch.src_mask)
    hook.remove()
    ways = roads(memory)
    if model.decoder.attention is None:  # the other two end where they begin
        ways = {"last state": ways["last state"]}
    result = {}
    for name, way in ways.items():
        log_probs = model.output(model.decoder(batch.tgt_in, way)[0]).log_softmax(-1)
        gold = log_probs.gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)
        gold = gold.masked_fill(~batch.tgt_mask, 0.0)  # (B, T)
        take = partial(torch.autograd.grad, inputs=kept[0], retain_graph=True)
        rows = [take(gold[:, t].sum())[0].norm(dim=-1) for t in range(gold.shape[1])]
        result[name] = torch.stack(rows), take(gold.sum())[0].norm(dim=-1)
    return result


def by_part(norms: Tensor, real: Tensor) -> list[float]:
    """The mean of norms (…, B, S), where they are ``real``, in each tenth of the source."""
    lengths = real.sum(-1, keepdim=True).clamp(min=1)
    part = torch.arange(real.shape[-1]) * PARTS // lengths
    return [digits(norms[real & (part == n)].mean()) for n in range(PARTS)]


def by_distance(norms: Tensor, weights: Tensor, real: Tensor) -> list[float]:
    """The mean of norms (T, B, S) at a distance from the word with the largest weight (B, T, S)."""
    first = weights.argmax(-1).T.unsqueeze(-1)  # (T, B, 1)
    away = (torch.arange(norms.shape[-1]) - first).abs()
    return [digits(norms[real & (away == n)].mean()) for n in range(FAR + 1)]


def digits(value: Tensor | float, count: int = 3) -> float:
    """So many significant digits: gradients go over many powers of ten."""
    return float(f"{float(value):.{count}g}")


def look_back(translator: Translator, pairs: Sequence[Pair]) -> dict[str, Any]:
    """The gradients of these sentences, which are of about one length."""
    encode, model = translator.src_vocabulary.encode, translator.model.eval()
    targets = [translator.tgt_vocabulary.encode(pair.tgt) for pair in pairs]
    batch = make_batch([encode(pair.src) for pair in pairs], targets)
    with torch.no_grad():
        weights = model(batch.src, batch.src_mask, batch.tgt_in)[1]
    real = batch.src_mask & batch.tgt_mask.T.unsqueeze(-1)  # (T, B, S)
    found = {}
    for road, (rows, whole) in gradients(model, batch).items():
        means = {"a word": by_part(rows, real), "the sentence": by_part(whole, batch.src_mask)}
        if weights is not None:
            means["away"] = by_distance(rows, weights, real)
        found[road] = means
    return found


@torch.no_grad()
def contributions(translator: Translator, pairs: Sequence[Pair]) -> list[dict[str, Tensor]]:
    """Of every pair the weights (T, S) and the shares of ‖α_j h_j‖ and of ‖W_c α_j h_j‖."""
    model, found = translator.model.eval(), []
    for pair, weights in zip(pairs, easy_runs.all_weights(translator, pairs)):
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
    """How far contributions are from weights, and both from the gold links; one example whole."""
    found = contributions(translator, pairs)
    gold = [pair.links for pair in pairs]
    result: dict[str, Any] = {"aer": {}, "another is first": {}, "moved": {}}
    for name in found[0]:
        links = [links_from_weights(shares[name]) for shares in found]
        result["aer"][name] = round(aer(links, gold), 4)
        if name == "weight":
            continue
        both = [(shares["weight"], shares[name]) for shares in found]
        other = torch.cat([a.argmax(-1) != b.argmax(-1) for a, b in both])
        moved = torch.cat([(a / a.sum(-1, keepdim=True) - b).abs().sum(-1) / 2 for a, b in both])
        result["another is first"][name] = round(other.double().mean().item(), 4)
        result["moved"][name] = round(moved.mean().item(), 4)  # the part that lies elsewhere
    tokenize = translator.src_vocabulary.tokenize
    n = next(n for n, pair in enumerate(pairs) if 8 <= len(tokenize(pair.src)) <= EXAMPLE)
    tables = {name: table_of(shares) for name, shares in found[n].items()}
    tgt = translator.tgt_vocabulary.tokenize(pairs[n].tgt)
    return result | {"example": {"src": tokenize(pairs[n].src), "tgt": tgt, **tables}}


def table_of(shares: Tensor) -> list[list[float]]:
    return [[round(value, 3) for value in row] for row in shares.tolist()]


def batch_of(translator: Translator, pairs: Sequence[Pair]) -> tuple[Batch, Tensor]:
    """The pairs, and where a target word has a sure link (B, T)."""
    sources = [translator.src_vocabulary.encode(pair.src) for pair in pairs]
    batch = make_batch(sources, [translator.tgt_vocabulary.encode(pair.tgt) for pair in pairs])
    linked = torch.zeros_like(batch.tgt_mask)
    for n, pair in enumerate(pairs):
        linked[n, [t for _, t in pair.links.sure]] = True
    return batch, linked


def in_another_order(weights: Tensor, mask: Tensor, lots: torch.Generator) -> Tensor:
    """Every row (B, T, S) in an order of its own; padding (B, S) stays where it is."""
    draw = torch.rand(weights.shape, generator=lots).masked_fill(~mask.unsqueeze(1), 2.0)
    back = weights.masked_fill(~mask.unsqueeze(1), 0.0)
    return back.gather(2, draw.argsort(-1))


@torch.no_grad()
def stays(translator: Translator, pairs: Sequence[Pair], seed: int) -> dict[str, Any]:
    """In how many rows the most probable word stays when their weights are others."""
    model, lots = translator.model.eval(), torch.Generator().manual_seed(seed)
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
    shares: dict[str, list[float]] = {"all": [], "moved": [], "not moved": [], "other words": []}
    for _ in range(DRAWS):
        same = stay(in_another_order(before, batch.src_mask, lots))
        moved = now[-1].argmax(-1) != before.argmax(-1)
        rows = {"all": linked, "moved": linked & moved, "not moved": linked & ~moved}
        rows["other words"] = batch.tgt_mask & ~linked
        for name, chosen in rows.items():
            shares[name].append(digits(same[chosen].double().mean()))
        shares.setdefault("peak moved", []).append(digits(moved[linked].double().mean()))
    hook.remove()
    return {
        "sentences": len(pairs),
        "rows": int(linked.sum()),
        "equal": digits(equal[linked].double().mean()),
        **shares,
    }


def correlation(a: Tensor, b: Tensor) -> float:
    """Of the ranks of two rows (Spearman)."""
    return torch.corrcoef(records.ranks(torch.stack([a, b])).double())[0, 1].item()


@torch.no_grad()
def replaced(translator: Translator, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Weights against how far log p(y_t) falls when a source word becomes the unknown one."""
    model = translator.model.eval()
    cells, rows = [], []
    for pair, weights in zip(pairs, easy_runs.all_weights(translator, pairs)):
        src = translator.src_vocabulary.encode(pair.src)
        tgt = translator.tgt_vocabulary.encode(pair.tgt)
        damaged = [[UNK if k == j else x for k, x in enumerate(src)] for j in range(len(src))]
        batch = make_batch([src, *damaged], [tgt] * (1 + len(src)))
        logits, _ = model(batch.src, batch.src_mask, batch.tgt_in)
        log_p = logits.log_softmax(-1).gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)
        falls = (log_p[0] - log_p[1:])[:, : len(tgt)].T  # (T, S)
        cells.append(torch.stack([weights.flatten(), falls.flatten()]))
        rows += [(weights[t], falls[t]) for t in sorted({t for _, t in pair.links.sure})]
    weight, fall = torch.cat(cells, 1)
    within = torch.tensor([correlation(a, e) for a, e in rows if len(a) > 1])
    agree = torch.tensor([float(a.argmax() == e.argmax()) for a, e in rows])
    chance = torch.tensor([1 / len(a) for a, _ in rows])
    return {
        "sentences": len(pairs),
        "rows": len(rows),
        "largest is largest": digits(agree.mean()),
        "by chance": digits(chance.mean()),
        "correlation of all cells": digits(correlation(weight, fall)),
        "within rows": digits(within.mean()),
        "weights > 0.5 below 0.1 nats": digits((fall[weight > 0.5] < 0.1).double().mean()),
    }


def run(variant: str, seed: int) -> dict[str, Any]:
    updates = attention_chapter.UPDATES[easy_runs.EASY]
    translator, _ = easy_runs.train(
        partial(attention_chapter.make_model, variant), easy_runs.recipe(updates, seed)
    )
    test = easy_runs.numbers().corpus.test
    sizes = easy_runs.tokens(test)
    ranges = [[p for p, n in zip(test, sizes) if a <= n <= b] for a, b in records.BUCKETS]
    long = [p for p, n in zip(test, sizes) if LONG[0] <= n <= LONG[1]][:SENTENCES]
    found = {
        "updates": updates,
        "date": records.today(),
        "gradients": look_back(translator, long),
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
        "replaced": replaced(translator, short),
    }


def head() -> dict[str, Any]:
    return {
        "what": "Inside three trained translators. gradients: mean norms of d log p / d x, by "
        "tenths of the source (first word to last), of one target word at a time and of the whole "
        "sentence; away: a word at a time, at 0, 1, 2, ... positions from the largest weight. "
        "contributions: shares of |a h|, and of |W_c a h|, against the weights a. shuffled: in how "
        "many rows of linked words the most probable word stays, a number an order of the weights; "
        "moved: of the rows whose largest weight lies elsewhere. replaced: the weights against the "
        "fall of log p when a source word becomes the unknown one.",
        "command": "python -m studies.contributions",
        "corpus": easy_runs.EASY,
        "split": "test",
        "gradients of": {"source tokens": LONG, "sentences": SENTENCES},
        "shuffled and replaced": {"sentences of a range": EACH, "orders": DRAWS},
        **records.origin(),
        "variants": {name: attention_chapter.VARIANTS[name] for name in VARIANTS},
    }


SERIES = runner.Series(
    "05_contributions", {"variant": VARIANTS}, run, head, data=lambda variant: easy_runs.EASY
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES, say="{variant} {seed}: {minutes} minutes".format_map)
