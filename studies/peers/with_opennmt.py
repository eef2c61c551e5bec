"""OpenNMT-py 3.5.1: the model of its ``build_base_model``, its loss, its optimizer, its search."""

from argparse import Namespace
from typing import Any

import torch
from torch import Tensor, nn

from .program import BOS, EOS, PAD, UNK, Batch, Program, Work, without

# Tokenizers and filters that its data pipeline can use; tensors are handed in here.
without("pyonmttok", "spacy", "ahocorasick", "rapidfuzz", "fasttext", "ctranslate2")

import onmt.opts  # noqa: E402
from onmt.constants import DefaultTokens  # noqa: E402
from onmt.model_builder import build_base_model  # noqa: E402
from onmt.translate.beam_search import GNMTGlobalScorer  # noqa: E402
from onmt.translate.translator import Translator  # noqa: E402
from onmt.utils.loss import LossCompute  # noqa: E402
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
