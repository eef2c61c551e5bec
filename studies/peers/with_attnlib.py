"""attnlib: the model of ``make_seq2seq``, the loss and the optimizer of ``fit``."""

from typing import Any

import torch
from torch import Tensor

from attnlib.data import EOS
from attnlib.data import Batch as AttnlibBatch
from attnlib.model import evaluating, make_seq2seq
from attnlib.search import beam_search, greedy_search
from attnlib.training import batch_loss

from .program import Batch, Program, Work


class Attnlib(Program):
    """Untied, so that its output layer is as wide as the peers'."""

    def __init__(self, work: Work) -> None:
        bahdanau = work.decoder == "bahdanau"
        options: dict[str, Any] = {"cell": "gru", "bidirectional": False} if bahdanau else {}
        if work.score in ("concat", "additive"):
            options["attention_size"] = work.hidden
        if work.feeding:
            options["input_feeding"] = True
        self.model = make_seq2seq(
            work.src_size,
            work.tgt_size,
            decoder=work.decoder,
            attention=work.score,
            embedding_size=work.embedding,
            hidden_size=work.hidden,
            output_size=work.output,
            tied_output=False,
            dropout=work.dropout,
            **options,
        )
        # As attnlib.training.fit makes it.
        self.optimizer = torch.optim.Adam(self.model.parameters(), betas=(0.9, 0.98), fused=True)

    def loss(self, batch: Batch) -> Tensor:
        return batch_loss(self.model, AttnlibBatch(*batch))  # the same five tensors

    def decode(self, src: Tensor, mask: Tensor, beam: int, steps: int) -> Any:
        with evaluating(self.model):
            memory = self.model.encode(src, mask)
            given = (self.model.step, memory, self.model.decoder.start(memory))
            # Its last step is for the end: 29 words and EOS are 30 steps.
            lengths = {"max_length": steps, "min_length": steps - 1}
            if beam == 1:
                found = greedy_search(*given, **lengths)
            else:
                found = beam_search(*given, **lengths, beam_size=beam)
        return [[*best.tokens, *[EOS] * best.finished] for best, *_ in found]
