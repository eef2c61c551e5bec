"""The notebooks of the book, and what each is called.

A notebook is one sitting. Chapter 5, which takes three, has the files "05", "05b" and "05c".
"""

import os
from typing import NamedTuple


class Chapter(NamedTuple):
    """A notebook (without ``.ipynb``) and its short title."""

    notebook: str
    title: str

    @property
    def number(self) -> str:
        return self.notebook.partition("_")[0]

    def link(self, cell: str = "") -> str:
        """Where a notebook beside it finds the chapter, or one of its cells."""
        return f"{self.notebook}.ipynb" + (f"#cell-id={cell}" if cell else "")

    @property
    def is_here(self) -> bool:
        """Whether it lies beside the notebook that runs; a class may have been given others."""
        return os.path.exists(self.link())


CHAPTERS = {
    chapter.number: chapter
    for chapter in (
        Chapter("00_start", "Start here"),
        Chapter("01_rnn", "RNN: memory through time"),
        Chapter("01b_gradients", "Gradients through time"),
        Chapter("02_lstm", "LSTM: gates"),
        Chapter("02b_long_memory", "Why the memory lasts"),
        Chapter("03_seq2seq", "Seq2seq"),
        Chapter("03b_bottleneck", "The bottleneck"),
        Chapter("04_keys_and_values", "Keys and values"),
        Chapter("04b_kernel_regression", "Lookup as regression"),
        Chapter("05_attention", "Attention in seq2seq"),
        Chapter("05b_two_decoders", "Two decoders"),
        Chapter("05c_explanation", "Is the map an explanation?"),
        Chapter("06_scores", "Scores: dot, general, concat"),
        Chapter("07_teacher_forcing", "Teacher forcing"),
        Chapter("07b_scheduled_sampling", "Does scheduled sampling help?"),
        Chapter("08_beam_search", "Beam search"),
        Chapter("08b_decoding", "Sampling and the vote"),
        Chapter("09_bleu", "BLEU"),
        Chapter("09b_confidence", "How far to trust a score"),
        Chapter("10_translator", "A real translator"),
        Chapter("10b_inside", "Inside the translator"),
        Chapter("11_transformer", "Toward the Transformer"),
        Chapter("11b_translation", "A Transformer translates"),
    )
}

NOTATION = Chapter("A_notation", "Notation and glossary")
