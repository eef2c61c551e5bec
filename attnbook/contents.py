"""The notebooks of the book: what each is called, and how long it takes to read.

A notebook is one sitting. Chapter 5, which takes three, has the files "05", "05b" and "05c".
"""

from typing import NamedTuple


class Chapter(NamedTuple):
    """A notebook (without ``.ipynb``), its short title, and the minutes to read it."""

    notebook: str
    title: str
    minutes: int = 0

    @property
    def number(self) -> str:
        return self.notebook.partition("_")[0]

    def link(self, cell: str = "") -> str:
        """Where a notebook beside it finds the chapter, or one of its cells."""
        return f"{self.notebook}.ipynb" + (f"#cell-id={cell}" if cell else "")


CHAPTERS = {
    chapter.number: chapter
    for chapter in (
        Chapter("00_start", "Start here", 25),
        Chapter("01_rnn", "RNN: memory through time", 32),
        Chapter("01b_gradients", "Gradients through time", 27),
        Chapter("02_lstm", "LSTM: gates", 32),
        Chapter("02b_long_memory", "Why the memory lasts", 28),
        Chapter("03_seq2seq", "Seq2seq", 35),
        Chapter("03b_bottleneck", "The bottleneck", 45),
        Chapter("04_keys_and_values", "Keys and values", 37),
        Chapter("04b_kernel_regression", "Lookup as regression", 40),
        Chapter("05_attention", "Attention in seq2seq", 35),
        Chapter("05b_two_decoders", "Two decoders", 25),
        Chapter("05c_explanation", "Is the map an explanation?", 25),
        Chapter("06_scores", "Scores: dot, general, concat", 30),
        Chapter("06b_scale", "The scale of a score", 35),
        Chapter("07_teacher_forcing", "Teacher forcing", 35),
        Chapter("07b_scheduled_sampling", "Does scheduled sampling help?", 35),
        Chapter("08_beam_search", "Beam search", 30),
        Chapter("08b_decoding", "Decoding in practice", 28),
        Chapter("09_bleu", "BLEU", 28),
        Chapter("09b_confidence", "How far to trust a score", 35),
        Chapter("10_translator", "A real translator", 33),
        Chapter("10b_inside", "Inside the translator", 24),
        Chapter("11_transformer", "Toward the Transformer", 29),
        Chapter("11b_translation", "A Transformer translates", 24),
    )
}

NOTATION = Chapter("A_notation", "Notation and glossary")
