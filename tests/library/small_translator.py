"""A translator that never learned anything, for the tests that translate with it or save it."""

import torch

from attnlib.data import SubwordVocabulary, WordVocabulary
from attnlib.model import make_seq2seq
from attnlib.translator import Translator

WORDS = ["The dog sleeps.", "A cat sees the dog.", "Cats sleep."]


def make(attention=True, seed=0, subwords=False):
    torch.manual_seed(seed)
    if subwords:
        one = SubwordVocabulary.build(WORDS, 60)
        model = make_seq2seq(
            len(one), len(one), embedding_size=8, hidden_size=8, shared_embedding=True
        )
        return Translator(model, one, one, {"corpus": "x"})
    src, tgt = WordVocabulary.build(WORDS), WordVocabulary.build(["왼쪽 개 가 잔다 ."])
    decoder = "luong" if attention else "plain"
    model = make_seq2seq(len(src), len(tgt), decoder=decoder, embedding_size=8, hidden_size=8)
    return Translator(model, src, tgt, {"corpus": "x"})
