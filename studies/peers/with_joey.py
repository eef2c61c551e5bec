"""Joey NMT 2.3.0: the model of its ``build_model``, its loss, its batches, its search."""

from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from .program import BOS, EOS, PAD, UNK, Batch, Program, Work, without

# Logging, tokenizers and the version of the package: none of it is run here.
without(
    "torch.utils.tensorboard", "importlib_metadata", "sentencepiece", "sacremoses", "subword_nmt"
)

from joeynmt.batch import Batch as JoeyBatch  # noqa: E402
from joeynmt.model import build_model  # noqa: E402
from joeynmt.search import search  # noqa: E402
from joeynmt.vocabulary import Vocabulary  # noqa: E402


def vocabulary(size: int) -> Vocabulary:
    """A vocabulary of so many words, special tokens numbered as everywhere here."""
    names = {"pad": PAD, "unk": UNK, "bos": BOS, "eos": EOS}
    special = SimpleNamespace(sep_token=None, sep_id=None, lang_tags=[])
    for name, number in names.items():
        setattr(special, f"{name}_token", f"<{name}>")
        setattr(special, f"{name}_id", number)
    # It numbers unk, pad, bos, eos in that order, and looks every word up in a list.
    made = Vocabulary.__new__(Vocabulary)
    made.specials = [special.unk_token, special.pad_token, special.bos_token, special.eos_token]
    made.lang_tags, made.sep_index = [], None
    made._itos = ["<pad>", "<unk>", "<bos>", "<eos>", *map(str, range(size - len(names)))]
    made._stoi = {word: number for number, word in enumerate(made._itos)}
    for name, number in names.items():
        setattr(made, f"{name}_index", number)
    return made


class Joey(Program):
    def __init__(self, work: Work) -> None:
        embeddings = {"embedding_dim": work.embedding, "scale": False, "dropout": work.dropout}
        common = {
            "type": "recurrent",
            "rnn_type": "lstm",
            "num_layers": 1,
            "embeddings": embeddings,
            "dropout": work.dropout,
        }
        attention = "bahdanau" if work.score in ("concat", "additive") else "luong"
        settings = {
            "encoder": {**common, "hidden_size": work.hidden // 2, "bidirectional": True},
            "decoder": {
                **common,
                "hidden_size": work.hidden,
                "attention": attention,
                "input_feeding": work.feeding,
                "hidden_dropout": work.dropout,
                "init_hidden": "bridge",
            },
        }
        src, tgt = vocabulary(work.src_size), vocabulary(work.tgt_size)
        self.model = build_model(settings, src, tgt)
        self.model.loss_function = ("crossentropy", 0.0)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3, betas=(0.9, 0.98))

    def loss(self, batch: Batch) -> Tensor:
        given = JoeyBatch(
            src=batch.src,
            src_length=batch.src_mask.sum(1),
            src_prompt_mask=None,
            trg=batch.tgt,
            trg_prompt_mask=None,
            indices=torch.arange(len(batch.src)),
            device=torch.device("cpu"),
            pad_index=PAD,
            eos_index=EOS,
            is_train=True,
        )
        given.sort_by_src_length()
        total = self.model(return_type="loss", **vars(given))[0]
        return given.normalize(total, normalization="tokens")

    def decode(self, src: Tensor, mask: Tensor, beam: int, steps: int) -> Any:
        self.model.eval()
        order = mask.sum(1).argsort(descending=True)  # it packs sorted sentences
        batch = JoeyBatch(
            src=src[order],
            src_length=mask.sum(1)[order],
            src_prompt_mask=None,
            trg=None,
            trg_prompt_mask=None,
            indices=order,
            device=torch.device("cpu"),
            pad_index=PAD,
            eos_index=EOS,
            is_train=False,
        )
        lengths: dict[str, Any] = {"max_output_length": steps, "min_output_length": steps}
        with torch.no_grad():
            return search(self.model, batch, beam_size=beam, beam_alpha=-1, **lengths)[0]
