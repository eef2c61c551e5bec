"""The recorded tests of chapter 5c: does a weight of attention say why a word was written?

    python -m studies.explanation                  # data/runs/05_explanation.json

Chapter 5's model with the dot score, trained as there, three seeds. About three minutes of one
thread. All is asked of target words with a sure gold link, while the model reads the reference.

*Replaced*: how often the source word with the largest weight is also the one whose replacement by
the unknown word costs log p(y_t) most; by chance, one row in S.

*Other weights*: how often the most probable word stays when a row's weights are others. Shuffled,
where the largest weight moved, ``DRAWS`` times, or all equal (Jain and Wallace 2019, §4.2.1). The
peak erased and the rest scaled to 1 (Serrano and Smith 2019). All the weight on one other position,
if one can be found for which the word stays. Weights searched by gradient from equal ones, the
peak's exactly 0, if any are found (Jain and Wallace, §4.2.2, search for other weights, too). And
the control of that search: the same over the states of another sentence, whose translation lacks
the word, so that nothing in them stands for it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, one_hot

from attnlib.data import UNK, Pair, make_batch
from attnlib.translator import Translator

from . import attention_chapter, common, records, runner

RANGES = {"4-10": (4, 10), "21-30": (21, 30)}  # source tokens
SENTENCES = 60  # of each range
DRAWS = 20  # orders of the weights of a row
STEPS, RATE = 100, 0.3  # of a search, by Adam


def encoded(translator: Translator, pair: Pair) -> tuple[list[int], list[int]]:
    return translator.src_vocabulary.encode(pair.src), translator.tgt_vocabulary.encode(pair.tgt)


@torch.no_grad()
def replaced(translator: Translator, pairs: Sequence[Pair]) -> dict[str, float]:
    """Of how many linked words the heaviest source word is the one that is missed most."""
    agreed, chance, rows = 0, 0.0, 0
    for pair, weights in zip(pairs, common.all_weights(translator, pairs)):
        src, tgt = encoded(translator, pair)
        others = [[UNK if k == j else x for k, x in enumerate(src)] for j in range(len(src))]
        batch = make_batch([src, *others], [tgt] * (len(src) + 1))
        logits, _ = translator.model(batch.src, batch.src_mask, batch.tgt_in)
        log_p = logits.log_softmax(-1).gather(2, batch.tgt_out.unsqueeze(2)).squeeze(2)
        fall = log_p[0] - log_p[1:]  # (S, T)
        for t in sorted({t for _, t in pair.links.sure}):
            agreed += int(weights[t].argmax() == fall[:, t].argmax())
            chance, rows = chance + 1 / len(src), rows + 1
    return {"agree": round(agreed / rows, 4), "by chance": round(chance / rows, 4), "rows": rows}


class Rows:
    """The linked words of some sentences, R rows: what the decoder has when it attends."""

    @torch.no_grad()
    def __init__(self, translator: Translator, pairs: Sequence[Pair]) -> None:
        self.model = model = translator.model.eval()
        batch = make_batch(*zip(*(encoded(translator, pair) for pair in pairs)))
        memory = model.encode(batch.src, batch.src_mask)
        words = model.decoder.read(batch.tgt_in).unsqueeze(1)
        hidden = model.decoder.run(words, model.decoder.start(memory))[0].squeeze(1)
        _, weights = model.decoder.attend(hidden, memory)
        ends = [sorted({t for _, t in pair.links.sure}) for pair in pairs]
        linked = [(n, t) for n, words in enumerate(ends) for t in words]
        n, t = (torch.tensor(side) for side in zip(*linked))
        self.hidden, self.weights = hidden[n, t], weights[n, t]  # (R, H), (R, S)
        self.states, self.real = memory.states[n], batch.src_mask[n]  # (R, S, M), (R, S)
        self.word = self.logits(self.weights).argmax(-1)  # that shall stay, (R,)
        self.peak = one_hot(self.weights.argmax(-1), weights.shape[-1]).bool()
        # The next sentence in whose translation neither the word nor what should stand there is.
        gold, strangers = batch.tgt_out[n, t], []
        for row, here in enumerate(n.tolist()):
            after = [m % len(pairs) for m in range(here + 1, here + len(pairs))]
            words = torch.stack([gold[row], self.word[row]])
            lacks = [m for m in after if not torch.isin(batch.tgt_out[m], words).any()]
            strangers.append((lacks or after)[0])
        self.other_states, self.other_real = memory.states[strangers], batch.src_mask[strangers]

    def logits(self, weights: Tensor, states: Tensor | None = None) -> Tensor:
        """(R, V), what the decoder makes of these weights (R, S)."""
        states = self.states if states is None else states
        context = (weights.unsqueeze(1) @ states).squeeze(1)
        both = torch.cat([context, self.hidden], dim=-1)
        return self.model.output(torch.tanh(self.model.decoder.combine(both)))

    def stays(self, weights: Tensor, states: Tensor | None = None) -> Tensor:
        return self.logits(weights, states).argmax(-1) == self.word

    def one_position(self, allowed: Tensor, states: Tensor) -> Tensor:
        """Whether the word stays with all the weight on one position that is ``allowed``."""
        every = torch.eye(states.shape[1]).unsqueeze(1).expand(-1, len(states), -1)
        stays = torch.stack([self.stays(one, states) for one in every], 1)  # (R, S)
        return (stays & allowed).any(-1)

    def search(self, allowed: Tensor, states: Tensor) -> Tensor:
        """Whether weights (R, S) are found, 0 where not ``allowed``, for which the word stays."""
        with torch.no_grad():
            found = self.one_position(allowed, states)
        scores = torch.zeros(allowed.shape, requires_grad=True)
        optimizer = torch.optim.Adam([scores], RATE)
        for _ in range(STEPS):
            logits = self.logits(scores.masked_fill(~allowed, -torch.inf).softmax(-1), states)
            found |= logits.detach().argmax(-1) == self.word
            optimizer.zero_grad()
            cross_entropy(logits, self.word, reduction="sum").backward()
            optimizer.step()
        return found


def other_weights(rows: Rows, seed: int) -> dict[str, Any]:
    """The share of rows whose word stays, by what is done to the weights."""

    def share(stays: Tensor) -> float:
        return round(stays.double().mean().item(), 4)

    generator = torch.Generator().manual_seed(seed)
    shuffled = []
    for _ in range(DRAWS):
        drawn = torch.rand(rows.real.shape, generator=generator).masked_fill(~rows.real, 2.0)
        weights = rows.weights.gather(1, drawn.argsort(-1))
        moved = weights.argmax(-1) != rows.weights.argmax(-1)
        shuffled.append(rows.stays(weights)[moved])
    rest = rows.weights.masked_fill(rows.peak, 0.0)
    allowed = rows.real & ~rows.peak
    with torch.no_grad():
        found = {
            "shuffled": share(torch.cat(shuffled)),
            "equal": share(rows.stays(rows.real / rows.real.sum(-1, keepdim=True))),
            "peak erased": share(rows.stays(rest / rest.sum(-1, keepdim=True).clamp(min=1e-12))),
            "one other position": share(rows.one_position(allowed, rows.states)),
        }
    searched = share(rows.search(allowed, rows.states))
    control = share(rows.search(rows.other_real, rows.other_states))
    return {"rows": len(rows.word), **found, "searched": searched, "in another sentence": control}


def run(variant: str, seed: int) -> dict[str, Any]:
    make: Callable[..., Any] = partial(attention_chapter.make_model, variant)
    updates = attention_chapter.UPDATES[common.EASY]
    translator, _ = common.train(make, common.recipe(updates, seed))
    test = common.encoded_corpus().corpus.test
    found: dict[str, Any] = {"updates": updates, "date": records.today()}
    for name, (low, high) in RANGES.items():
        some = [p for p, n in zip(test, common.tokens(test)) if low <= n <= high][:SENTENCES]
        kept = other_weights(Rows(translator, some), seed)
        found[name] = {"replaced": replaced(translator, some), "other weights": kept}
    return found


def header() -> dict[str, Any]:
    return {
        "what": "By range of source tokens, of words with a sure link. replaced: how often the "
        "heaviest source word is the one whose replacement costs most. other weights: the share of "
        "rows in which the most probable word stays.",
        "command": "python -m studies.explanation",
        "corpus": common.EASY,
        "split": "test",
        "sentences of a range": SENTENCES,
        "orders": DRAWS,
        "search": {"steps": STEPS, "rate": RATE},
        **records.origin(),
    }


SERIES = runner.Series(
    "05_explanation", {"variant": ["luong"]}, run, header, data=lambda variant: common.EASY
)


if __name__ == "__main__":
    runner.main(__doc__, SERIES)
