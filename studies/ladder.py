"""What lifts a small translator at a fixed budget, and what does not: the ladder of chapter 10.

    python -m studies.ladder                             # data/runs/10_ladder.json
    python -m studies.ladder --variants quick r-drop --seeds 1 2 3

Multi30k German → English, raw text in, detokenised text out, test_2016_flickr, sacreBLEU 13a, beam
5, one thread. A rung is a preset with something changed, at a fixed budget: 1,800 updates of the
size of quick's, or fewer where one costs more. What was chosen was chosen on the validation split.
A run that is in the
file is not made again; one whose training is complete is only evaluated.
"""

import argparse
import dataclasses
import json
import math
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from attnlib.data import Batches, Corpus, Vocabulary, vocabulary_from_json
from attnlib.device import seed_everything
from attnlib.model import (
    DecoderState,
    Encoder,
    LuongDecoder,
    Memory,
    Seq2Seq,
    make_layer,
    make_seq2seq,
    read_both_ways,
)
from attnlib.training import Recipe, fit, teacher_forced_loss
from attnlib.translator import (
    BEST_FILE,
    CARD_FILE,
    CHECKPOINT_FILE,
    DEFAULT_PRESETS,
    Checkpoint,
    LengthLimit,
    Preset,
    Translator,
    load_weights,
    make_batches,
    make_vocabularies,
    read_json,
    read_tensors,
    write_json,
)

from . import distil, records
from .models import like
from .multi30k import bleu

CORPUS = "multi30k-de-en"
TAUGHT = Path("runs/taught")  # what "distil.py teach" writes


@dataclasses.dataclass(frozen=True)
class Rung:
    """A preset, and what is done beside it."""

    what: str
    preset: Preset
    bpe_dropout: float = 0.0  # share of merges left out, anew every epoch (Provilkov et al. 2020)
    r_drop: float = 0.0  # weight of the divergence of two passes (Liang et al. 2021)
    counted: bool = False  # embeddings begin where pieces occur together
    scale: float = 1.0  # what an embedding is multiplied by where it is read
    muon: int = 0  # matrices but the tables take steps of equal strength, made anew every so often
    deep: bool = False  # a second layer above every recurrent one
    taught: str = ""  # which of distil.py's translations take the place of the human ones


# What a rung changes ----------------------------------------------------------------------------


class Resegmented(Batches):
    """Training sentences that are cut into pieces anew every epoch, some merges left out.

    Which ones is drawn by the tokenizers library, which takes no seed.
    """

    def __init__(
        self, corpus: Corpus, vocabulary: Vocabulary, share: float, tokens: int, seed: int
    ) -> None:
        description = json.loads(json.dumps(vocabulary.to_json()))
        description["tokenizer"]["model"]["dropout"] = share
        self.pairs, self.drawn, self.begun = corpus.train, -1, False
        self.random = vocabulary_from_json(description)
        src, tgt = ([vocabulary.encode(pair[side]) for pair in self.pairs] for side in (0, 1))
        super().__init__(src, tgt, max_tokens=tokens, seed=seed)
        self.begun = True  # before it, the plan of epoch 0 is made to count the batches

    def batch_indices(self, epoch: int) -> list[list[int]]:
        if self.begun and self.drawn != epoch:
            for side, sentences in enumerate((self.src, self.tgt)):
                sentences[:] = [self.random.encode(pair[side]) for pair in self.pairs]  # type: ignore[index]
            self.lengths = [(len(s) + 1, len(t) + 1) for s, t in zip(self.src, self.tgt)]
            self.drawn = epoch
        return super().batch_indices(epoch)


class Twice(Batches):
    """Every sentence twice in its batch: two passes with different dropout, side by side."""

    def batch_indices(self, epoch: int) -> list[list[int]]:
        return [chosen * 2 for chosen in super().batch_indices(epoch)]


class _Beside(torch.autograd.Function):
    """Features as they are; in the backward pass a second loss gets its gradient, too."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, loss: Tensor) -> Tensor:
        return features.view_as(features)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        return grad, grad.new_ones(())


class Agreeing(Seq2Seq):
    """R-Drop: adds weight · ¼ (KL(p‖q) + KL(q‖p)) of the two halves of a batch to its loss.

    That loss is the mean of the halves'; the paper adds weight · ½ (...) to their sum. The parts
    are those of another model.
    """

    def __init__(self, model: Seq2Seq, weight: float) -> None:
        super().__init__(model.encoder, model.decoder, model.output)
        self.architecture, self.agreement = model.architecture, weight

    def features(self, src: Tensor, src_mask: Tensor, tgt_in: Tensor, *rest: Any) -> Any:
        found, attended = super().features(src, src_mask, tgt_in, *rest)
        if not self.training:
            return found, attended
        real = tgt_in[: len(tgt_in) // 2] != 0
        logits = self.output(torch.cat([half[real] for half in found.chunk(2)]))
        p, q = logits.float().log_softmax(-1).chunk(2)
        loss = self.agreement / 4 * ((p.exp() - q.exp()) * (p - q)).sum() / real.sum()
        return _Beside.apply(found, loss), attended


class Scaled(nn.Embedding):
    """An embedding that is multiplied by a number when it is read, and not when it predicts."""

    def __init__(self, table: nn.Embedding, scale: float) -> None:
        super().__init__(*table.weight.shape, _weight=table.weight)
        self.weight, self.scale = table.weight, scale  # the very parameter, which may be tied

    def forward(self, tokens: Tensor) -> Tensor:
        return super().forward(tokens) * self.scale


@torch.no_grad()
def count_embeddings(batches: Batches, model: Seq2Seq) -> None:
    """Begin with vectors whose products are how much more often two pieces meet than by chance.

    M_st = max(0, log p(s, t) / p(s) p(t)), s of the source and t of the target of one pair,
    M ≈ U Σ Vᵀ; a piece's vector is its row of U √Σ + V √Σ.
    """
    table = model.encoder.embed.weight
    size, width = table.shape
    src, tgt = torch.zeros(2, size, len(batches.src))
    for side, sentences in ((src, batches.src), (tgt, batches.tgt)):
        for number, sentence in enumerate(sentences):
            side[list(sentence), number] = 1
    together = (src @ tgt.T).double() / len(batches.src)
    expected = torch.outer(src.mean(1), tgt.mean(1)).double()
    rare = 2 / len(batches.src)  # a pair that met once says little
    information = ((together + 1e-12) / (expected + rare)).log().clamp_min(0).float()
    u, s, v = torch.svd_lowrank(information, q=width, niter=4)
    found = u * s.sqrt() + v * s.sqrt()
    known = found.norm(dim=1) > 0
    found *= known.sum().sqrt() / found.norm()
    table[known] = found[known]


class Muon(torch.optim.Adam):
    """Muon (Jordan et al. 2024) for matrices, gate by gate; Adam for tables and biases.

    A matrix moves by U Vᵀ of its momentum U Σ Vᵀ, found by Newton and Schulz's iteration with the
    coefficients of Amsel et al. (2025), times 0.2 √(longer side), which makes steps as large as
    Adam's (Liu et al. 2025). ``every``: updates for which a direction is kept.
    """

    coefficients = (
        (4.0848, -6.8946, 2.9270),
        (3.9505, -6.3029, 2.6377),
        (3.7418, -5.5913, 2.3037),
        (2.8769, -3.1427, 1.2046),
        (2.8366, -3.0525, 1.2012),
    )

    def __init__(self, groups: Any, every: int = 1, **options: Any) -> None:
        self.every = every
        self.matrices = [p for group in groups if not group["embeds"] for p in group["params"]]
        self.matrices = [p for p in self.matrices if p.ndim == 2]
        self.moved: dict[Tensor, tuple[Tensor, Tensor]] = {}  # momentum and direction
        self.done = 0
        super().__init__(groups, **{"betas": (0.9, 0.98), "fused": True, **options})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]
        (rate,) = {group["lr"] for group in self.param_groups if not group["embeds"]}
        for p in self.matrices:
            momentum, direction = self.moved.setdefault(p, (torch.zeros_like(p), p))
            assert p.grad is not None
            momentum.lerp_(p.grad, 0.05)
            if self.done % self.every == 0:
                ahead = p.grad.lerp(momentum, 0.95) if self.every == 1 else momentum
                gates = 4 if len(p) >= 2 * p.shape[1] else 1  # the four of an LSTM lie in one
                direction = self.equalised(ahead.unflatten(0, (gates, -1))).flatten(0, 1)
                self.moved[p] = momentum, direction
            p.sub_(direction, alpha=rate)
            p.grad = None  # Adam leaves it alone
        self.done += 1
        super().step(closure)

    def equalised(self, x: Tensor) -> Tensor:
        strength = 0.2 * math.sqrt(max(x.shape[-2:]))
        tall = x.shape[-2] > x.shape[-1]
        x = x.transpose(-1, -2) if tall else x
        x = (x / (x.flatten(-2).norm(dim=-1)[:, None, None] + 1e-7)).bfloat16()
        for a, b, c in self.coefficients if self.every == 1 else self.coefficients[-3:]:
            square = x @ x.transpose(-1, -2)
            x = a * x + (b * square + c * square @ square) @ x
        return strength * (x.transpose(-1, -2) if tall else x).float()


class DeepEncoder(Encoder):
    """A second LSTM reads what the first one made, and the sum of both is normalised."""

    def deepen(self) -> None:
        size = self.layers[0].hidden_size  # of one direction
        self.above = nn.ModuleList(make_layer("lstm", 2 * size, size) for _ in range(2))
        self.norm = nn.LayerNorm(2 * size)

    def forward(self, src: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        embedded = self.dropout(self.embed(src))
        below, _ = read_both_ways(self.layers[0], self.layers[1], embedded, mask)
        states, final = read_both_ways(self.above[0], self.above[1], self.dropout(below), mask)
        assert self.from_embedding is not None
        states = self.norm(below + states) + self.from_embedding(embedded)
        return self.dropout(states), final


class DeepDecoder(LuongDecoder):
    """The same of a decoder: the upper layer's state begins at zero and is carried beside."""

    def deepen(self) -> None:
        size = self.rnn.hidden_size
        self.layers = nn.ModuleList([self.rnn, make_layer("lstm", size, size)])
        self.norm = nn.LayerNorm(size)

    def start(self, memory: Memory) -> DecoderState:
        state = super().start(memory)
        return state | {f"upper {part}": torch.zeros_like(state[part]) for part in self.parts}

    def run(self, inputs: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        below, new = super().run(inputs, state)
        self.rnn = self.layers[1]  # the layer that the one method knows
        upper = {part: state[f"upper {part}"] for part in self.parts}
        above, last = super().run(self.dropout(below), upper)
        self.rnn = self.layers[0]
        return self.norm(below + above), new | {f"upper {part}": last[part] for part in last}


def deepen(model: Seq2Seq) -> None:
    """Give encoder and decoder a second layer of LSTM each, residual and with layer norm."""
    full = model.architecture
    encoder = {k: full[k] for k in ("cell", "bidirectional", "source_in_memory", "dropout")}
    decoder = {k: full[k] for k in ("cell", "dropout", "attention", "input_feeding")}
    sizes = [full[f"{part}_size"] for part in ("encoder", "decoder", "output")]
    with torch.random.fork_rng():  # what these draw is replaced by what the model drew
        above = DeepEncoder(model.encoder.embed, full["encoder_size"], **encoder)
        deep = DeepDecoder(model.decoder.embed, *sizes, **decoder)
    for part, made in ((model.encoder, above), (model.decoder, deep)):
        made.load_state_dict(part.state_dict())
        made.deepen()
    model.encoder, model.decoder = above, deep


@torch.no_grad()
def begin(rung: Rung, model: Seq2Seq, batches: Batches) -> Seq2Seq:
    """What a rung makes of a model that was just made."""
    if rung.deep:
        deepen(model)
    if rung.scale != 1.0:  # one table for both languages
        model.encoder.embed = model.decoder.embed = Scaled(model.encoder.embed, rung.scale)
    if rung.counted:
        count_embeddings(batches, model)
        eye = 0.5 * torch.eye(model.output.in_features)  # what is attended to can be said at once
        assert model.encoder.from_embedding is not None
        model.encoder.from_embedding.weight[: len(eye)] += eye  # type: ignore[index,operator]
        model.decoder.combine.weight[:, : len(eye)] += eye  # type: ignore[union-attr,index,operator]
    return Agreeing(model, rung.r_drop) if rung.r_drop else model


# A run ------------------------------------------------------------------------------------------


def prepare(rung: Rung, seed: int) -> tuple[Corpus, Translator, Batches, list[Any]]:
    """The corpus, an untrained translator, and the batches to train and to validate it."""
    corpus, preset = records.corpus_or_exit(CORPUS), rung.preset
    src, tgt = make_vocabularies(corpus, preset.subwords)
    seed_everything(seed)
    model = make_seq2seq(len(src), len(tgt), **preset.architecture("general"))
    tokens = preset.batch_tokens
    lessons = distil.taught(corpus, [TAUGHT], rung.taught) if rung.taught else corpus
    batches, valid = make_batches(lessons, src, tgt, tokens, seed)
    limit = LengthLimit.learn(batches.lengths)
    if rung.r_drop:
        batches = Twice(batches.src, batches.tgt, max_tokens=tokens // 2, seed=seed)
    if rung.bpe_dropout:
        batches = Resegmented(corpus, src, rung.bpe_dropout, tokens, seed)
    model = begin(rung, model, batches)
    return corpus, Translator(model, src, tgt, limit=limit), batches, valid


def train(rung: Rung, seed: int, folder: Path) -> dict[str, Any]:
    """Train a rung into a folder, unless it is complete there; what it took."""
    done = folder / "run.json"
    if done.is_file():
        return dict(read_json(done))
    corpus, translator, batches, valid = prepare(rung, seed)
    model, recipe = translator.model, dataclasses.replace(rung.preset.recipe, seed=seed)
    spent = 0.0

    def score(_: Seq2Seq) -> float:
        nonlocal spent
        began = time.process_time()
        found = translator.bleu(corpus.valid, 1)
        spent += time.process_time() - began
        return found

    for name in (BEST_FILE, CHECKPOINT_FILE):  # of a run that was not completed: it is begun anew
        (folder / name).unlink(missing_ok=True)
    began = time.process_time()
    history = fit(
        model,
        batches,
        recipe,
        valid=valid,
        score=score,
        checkpoint=Checkpoint(folder),
        progress=sys.stderr.isatty(),
        optimizer=partial(Muon, every=rung.muon) if rung.muon else None,
    )
    cost = time.process_time() - began - spent
    if not (rung.r_drop or rung.deep or rung.scale != 1.0):  # it would not load as it is
        write_json(folder / CARD_FILE, translator.card())
    found = {
        "parameters": sum(p.numel() for p in model.parameters()),
        **records.circumstances(recipe.precision, "torch", "tokenizers", "sacrebleu"),
        "processor seconds": round(cost),
        "best update": history.best_update,
        "curve": {
            "update": history.validated_at,
            "train loss": [round(loss, 3) for loss in history.train_loss],
            "valid loss": [round(loss, 4) for loss in history.valid_loss],
            "valid bleu, greedy": [round(value, 2) for value in history.score],
        },
    }
    write_json(done, found)
    return found


def evaluate(rung: Rung, seed: int, folder: Path) -> dict[str, Any]:
    """BLEU of a run's best weights, and their loss."""
    corpus, translator, _, valid = prepare(dataclasses.replace(rung, counted=False), seed)
    load_weights(translator.model, read_tensors(folder / BEST_FILE)[0])
    translator.model.eval()
    scores = {
        f"{split} beam 5": bleu(translator, getattr(corpus, split), 5)[0]
        for split in ("valid", "test")
    }
    pieces = sum(int(batch.tgt_mask.sum()) for batch in valid)
    loss = teacher_forced_loss(translator.model, valid) * pieces / len(corpus.valid)
    return {"bleu": scores, "valid loss a sentence": round(loss, 2)}


# The rungs --------------------------------------------------------------------------------------

BEFORE = Preset(
    Recipe(updates=1800, learning_rate=4e-3, warmup=200, validate_every=1800),
    256,
    384,
    0.2,
    batch_tokens=900,
    subwords=4000,
)


def before(what: str, more: dict[str, Any] | None = None, **changes: Any) -> Rung:
    return Rung(what, like(BEFORE, **changes), **more or {})


def quick(what: str, more: dict[str, Any] | None = None, **changes: Any) -> Rung:
    return Rung(
        what, like(DEFAULT_PRESETS["quick"], **{"validate_every": 1800, **changes}), **more or {}
    )


RUNGS: dict[str, Rung] = {
    "before": before(
        "the preset quick as it was, stopped at half of its 3,600 updates by a rate "
        "that falls twice as fast"
    ),
    "before, dropout .1": before("less dropout", dropout=0.1),
    "before, all faster": before(
        "everything learns twice as fast, dropout .1", dropout=0.1, learning_rate=8e-3
    ),
    "before, read times 4": before(
        "embeddings are multiplied by 4 where they are read", {"scale": 4.0}
    ),
    **{
        f"before, tables x {times}": before(
            f"embedding tables learn {times} times as fast as the rest", embedding_rate=times
        )
        for times in (0.5, 2.0, 4.0)
    },
    "before, Muon": before("matrices but the tables by Muon; twice the time", {"muon": 1}),
    "before, Muon of 4": before(
        "Muon with directions that are kept for 4 updates, dropout .1", {"muon": 4}, dropout=0.1
    ),
    "quick": quick("tables x 8 and dropout .1: the preset quick as it is"),
    "quick, fp32": quick(
        "in fp32; recorded with AVX2 imitated, by ATEN_CPU_CAPABILITY=avx2 "
        "ONEDNN_MAX_CPU_ISA=AVX2 MKL_ENABLE_INSTRUCTIONS=AVX2",
        precision="fp32",
    ),
    "quick, tables x 16": quick("embedding tables learn 16 times as fast", embedding_rate=16.0),
    "quick, rest slower": quick(
        "half the rate, and tables 24 times as fast", learning_rate=2e-3, embedding_rate=24.0
    ),
    "quick, twice as long": quick("3,600 updates, dropout .2", updates=3600, dropout=0.2),
    "quick, dropout .2": quick("more dropout", dropout=0.2),
    "quick, counted": quick("embeddings begin where pieces occur together", {"counted": True}),
    "quick, Muon of 4": quick("Muon with directions that are kept for 4 updates", {"muon": 4}),
    "quick, BPE-dropout": quick(
        "a tenth of the merges left out, anew every epoch", {"bpe_dropout": 0.1}
    ),
    "quick, R-Drop": quick(
        "two passes that must agree, half the sentences a batch", {"r_drop": 1.0}
    ),
    "quick, 8,000 pieces": quick(
        "a larger vocabulary; 1,200 updates", subwords=8000, updates=1200, validate_every=1200
    ),
    "quick, 2,000 pieces": quick("a smaller vocabulary", subwords=2000),
    "quick, two layers": quick(
        "a second LSTM above each, residual, layer norm; 1,100 updates",
        {"deep": True},
        updates=1100,
        validate_every=1100,
    ),
    "quick, two layers, slower": quick(
        "the same, and all but the tables at half the rate",
        {"deep": True},
        updates=1100,
        validate_every=1100,
        learning_rate=2e-3,
        embedding_rate=16.0,
    ),
    "quick, distilled": quick(
        "learns what three full models wrote, of five hypotheses the one "
        "most like the human translation",
        {"taught": "nearest"},
    ),
}
# A quarter of an hour of a core: made only when asked for. It is a teacher of the student that is
# bundled (distil.py).
LONG: dict[str, Rung] = {
    "full, tables x 8": Rung(
        "the preset full for 6,000 updates, embedding tables learn 8 times as fast",
        like(DEFAULT_PRESETS["full"], updates=6000, embedding_rate=8.0, validate_every=1500),
    )
}
EVERY_RUNG = RUNGS | LONG


def make(variant: str, seed: int, out: Path) -> dict[str, Any]:
    rung = EVERY_RUNG[variant]
    folder = out / f"{variant}-{seed}".replace(" ", "_")
    settings = dataclasses.asdict(rung)
    what = settings.pop("what")
    settings["preset"] = dataclasses.asdict(like(rung.preset, seed=seed))
    return {
        "variant": variant,
        "seed": seed,
        "what": what,
        "command": f'python -m studies.ladder --variants "{variant}" --seeds {seed}',
        "settings": settings,
        **train(rung, seed, folder),
        **evaluate(rung, seed, folder),
    }


HEAD = {
    "what": "Trainings on Multi30k German-English at a fixed budget, one thing changed at a time, "
    "recorded for chapter 10. BLEU is sacreBLEU's (13a, cased), of raw text in and detokenised "
    "text out, beam 5; test is test_2016_flickr; losses are nats. Nothing was chosen on the test "
    "split.",
    "command": "python -m studies.ladder",
    "budget": "1,800 updates of the preset quick",
    "processor seconds": "of the updates; the same work took 203 to 306, by what else the machine "
    "did, so that only large differences mean something",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--variants", nargs="+", choices=list(EVERY_RUNG), default=list(RUNGS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--out", type=Path, default=Path("runs/ladder"))
    parser.add_argument("--file", type=Path, default=records.path_of("10_ladder"))
    args = parser.parse_args()
    torch.set_num_threads(1)
    runs = records.read(args.file)
    for seed in args.seeds:
        for variant in args.variants:
            if (variant, seed) in runs:
                continue
            run = runs[variant, seed] = make(variant, seed, args.out)
            order = sorted(runs, key=lambda key: (list(EVERY_RUNG).index(key[0]), key[1]))
            records.save(args.file, HEAD, [runs[key] for key in order])
            print(variant, seed, run["bleu"], f"{run['processor seconds']} s", flush=True)


if __name__ == "__main__":
    main()
