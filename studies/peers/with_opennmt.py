"""OpenNMT-py 3.5.1: the model of its ``build_base_model``, its loss, its optimizer, its search."""

from argparse import Namespace
from typing import Any

import torch
from torch import Tensor, nn

from .program import BOS, EOS, PAD, UNK, Batch, Program, Rule, Work, without

# Tokenizers and filters that its data pipeline can use; tensors are handed in here.
without("pyonmttok", "spacy", "ahocorasick", "rapidfuzz", "fasttext", "ctranslate2")

import onmt.opts  # noqa: E402
from onmt.constants import DefaultTokens  # noqa: E402
from onmt.model_builder import build_base_model  # noqa: E402
from onmt.modules import GlobalAttention  # noqa: E402
from onmt.translate.beam_search import GNMTGlobalScorer  # noqa: E402
from onmt.translate.translator import Translator  # noqa: E402
from onmt.utils.loss import LossCompute  # noqa: E402
from onmt.utils.misc import sequence_mask  # noqa: E402
from onmt.utils.parse import ArgumentParser  # noqa: E402


class Vocabulary:
    """What the program asks of a pyonmttok.Vocab: a size, and the numbers of special tokens."""

    numbers = {
        DefaultTokens.PAD: PAD,
        DefaultTokens.UNK: UNK,
        DefaultTokens.BOS: BOS,
        DefaultTokens.EOS: EOS,
    }

    def __init__(self, size: int) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size

    def lookup_token(self, token: str) -> int:
        return self.numbers.get(token, UNK)

    __getitem__ = lookup_token


def options(work: Work) -> Namespace:
    """The program's own defaults, and what the comparison fixes."""
    parser = ArgumentParser()
    onmt.opts.model_opts(parser)
    opt = parser.parse_known_args([])[0]
    score = "mlp" if work.score in ("concat", "additive") else work.score
    opt.__dict__.update(
        encoder_type="brnn",
        decoder_type="rnn",
        rnn_type="LSTM",
        layers=1,
        bridge=True,
        word_vec_size=work.embedding,
        hidden_size=work.hidden,
        dropout=[work.dropout],
        attention_dropout=[0.0],
        global_attention=score,
        input_feed=int(work.feeding),
        optim="adam",
        freeze_word_vecs_enc=False,
        freeze_word_vecs_dec=False,
        label_smoothing=0.0,
        lm_prior_model=None,
        lm_prior_lambda=0.0,
        lm_prior_tau=1.0,
        gpu=-1,
        gpu_ranks=[],
        world_size=1,
    )
    ArgumentParser.update_model_opts(opt)
    return opt


class OpenNMT(Program):
    """With its bridge, which makes its parameters the nearest to the others'."""

    def __init__(self, work: Work) -> None:
        opt = options(work)
        self.vocabularies: dict[str, Any] = {
            "src": Vocabulary(work.src_size),
            "tgt": Vocabulary(work.tgt_size),
            "decoder_start_token": DefaultTokens.BOS,
            "data_task": "seq2seq",
        }
        self.model = build_base_model(opt, self.vocabularies)
        for parameter in self.model.parameters():
            nn.init.uniform_(parameter, -0.1, 0.1)  # its default, param_init = 0.1
        self.compute = LossCompute.from_opts(opt, self.model, self.vocabularies["tgt"])
        # As its build_torch_optimizer makes Adam.
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9
        )

    def loss(self, batch: Batch) -> Tensor:
        tgt, lengths = batch.tgt.unsqueeze(-1), batch.src_mask.sum(1)
        out, attention = self.model(batch.src.unsqueeze(-1), tgt, lengths)
        given = {"src": batch.src.unsqueeze(-1), "srclen": lengths, "tgt": tgt}
        loss, statistics = self.compute(given, out, attention)
        return loss / statistics.n_words

    def decode(self, src: Tensor, mask: Tensor, beam: int, steps: int) -> Any:
        self.model.eval()
        greedy: dict[str, Any] = {"random_sampling_topk": 1} if beam == 1 else {}
        translator = Translator(
            self.model,
            self.vocabularies,
            beam_size=beam,
            min_length=steps,
            max_length=steps,
            max_length_ratio=0,
            global_scorer=GNMTGlobalScorer(0.0, 0.0, None, None),
            report_score=False,
            **greedy,
        )
        batch = {"src": src.unsqueeze(-1), "srclen": mask.sum(1)}
        return [
            found[0].tolist() for found in translator.translate_batch(batch, False)["predictions"]
        ]

    def adopt(self, weights: dict[str, Tensor], architecture: dict[str, Any]) -> None:
        self.model.encoder = TranslatorEncoder(self.model.encoder, weights)
        self.model.decoder.attn = TranslatorAttention(weights)
        self.model.generator = nn.Linear(*weights["output.weight"].shape[::-1])
        names = {f"{name}_l0": f"decoder.rnn.{name}_l0" for name in GATES}
        copy(self.model.decoder.rnn, names, weights)
        copy(self.model.decoder.embeddings, {TABLE: "decoder.embed.weight"}, weights)
        copy(self.model.generator, {n: f"output.{n}" for n in ("weight", "bias")}, weights)

    def translate(self, src: Tensor, mask: Tensor, limits: list[int], rule: Rule) -> Any:
        self.model.eval()
        greedy: dict[str, Any] = {"random_sampling_topk": 1} if rule.beam == 1 else {}
        mean = "avg" if rule.alpha else None
        translator = Translator(
            self.model,
            self.vocabularies,
            beam_size=rule.beam,
            max_length=max(limits),
            max_length_ratio=0,
            global_scorer=GNMTGlobalScorer(rule.alpha, 0.0, mean, None),
            report_score=False,
            **greedy,
        )
        batch = {"src": src.unsqueeze(-1), "srclen": mask.sum(1)}
        found = translator.translate_batch(batch, False)["predictions"]
        return [best[0].tolist() for best in found]


GATES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
TABLE = "make_embedding.emb_luts.0.weight"


def copy(module: nn.Module, names: dict[str, str], weights: dict[str, Tensor]) -> None:
    """Fill all parameters of a module: its name → the name in a translator of attnlib."""
    module.load_state_dict({own: weights[theirs] for own, theirs in names.items()}, strict=False)
    missing = {name for name, _ in module.named_parameters()} - set(names)
    assert not missing, f"{missing} would keep random numbers"


class TranslatorEncoder(nn.Module):
    """The program's encoder with what a translator of attnlib does once a sentence besides: add
    W x_j to the memory, and lead to the decoder by tanh of the last states."""

    def __init__(self, encoder: Any, weights: dict[str, Tensor]) -> None:
        super().__init__()
        encoder.use_bridge, encoder.bridge = False, None
        ways = (("", 0), ("_reverse", 1))
        names = {
            f"{name}_l0{suffix}": f"encoder.layers.{way}.{name}_l0"
            for name in GATES
            for suffix, way in ways
        }
        copy(encoder.rnn, names, weights)
        copy(encoder.embeddings, {TABLE: "encoder.embed.weight"}, weights)
        self.encoder, self.weights = encoder, weights

    def forward(self, src: Tensor, src_len: Tensor) -> Any:
        states, (hidden, _), lengths = self.encoder(src, src_len)
        if "encoder.from_embedding.weight" in self.weights:
            words = self.encoder.embeddings(src)
            states = states + words @ self.weights["encoder.from_embedding.weight"].T
        final = hidden.transpose(0, 1).flatten(1)  # (B, M)
        bridge = (self.weights[f"decoder.bridge.{name}"] for name in ("weight", "bias"))
        first = torch.tanh(nn.functional.linear(final, *bridge)).chunk(2, dim=-1)
        # The decoder puts the two directions side by side: (2, B, H / 2) each.
        halves = tuple(part.unflatten(1, (2, -1)).transpose(0, 1).contiguous() for part in first)
        return states, halves, lengths


class TranslatorAttention(GlobalAttention):
    """The program's attention, "general", when W_c has a bias and makes vectors of another size:
    ``forward`` of the program without its last ``view``."""

    def __init__(self, weights: dict[str, Tensor]) -> None:
        project, combine = weights["decoder.attention.project.weight"], "decoder.combine.weight"
        super().__init__(len(project), attn_type="general")
        self.linear_out = nn.Linear(*weights[combine].shape[::-1])
        copies = {"linear_in.weight": project.T}  # W_a goes to the query here, there to the keys
        copies |= {f"linear_out.{n}": weights[f"decoder.combine.{n}"] for n in ("weight", "bias")}
        self.load_state_dict(copies)

    def forward(self, src: Tensor, enc_out: Tensor, src_len: Any = None, *_: Any) -> Any:
        align = self.score(src, enc_out)
        mask = sequence_mask(src_len, max_len=align.size(-1)).unsqueeze(1)  # True where padded
        weights = torch.softmax(align.masked_fill_(mask, -float("inf")), -1)
        context = torch.bmm(weights, enc_out)
        return torch.tanh(self.linear_out(torch.cat([context, src], 2))), weights
