"""The figure on the first page: attention of a small Korean–English model, beside the gold links.

python site/figures/attention.py      # trains for about a minute, writes attention.png
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import torch

from attnlib import plots
from attnlib.batches import Batches
from attnlib.corpus import load_corpus
from attnlib.device import seed_everything
from attnlib.presets import make_vocabularies
from attnlib.seq2seq import make_seq2seq
from attnlib.training import Recipe, fit
from attnlib.translator import Translator

#: An English gloss for each Korean piece of the sentence drawn below.
GLOSS = {
    "민수": "Minsu",
    "##는": "(topic)",
    "도서관": "library",
    "##에서": "at",
    "노란": "yellow",
    "자전거": "bicycle",
    "##를": "(object)",
    "빌렸": "borrowed",
    "##지만": "but",
    ",": ",",
    "수진": "Sujin",
    "##은": "(topic)",
    "시장": "market",
    "배": "pear",
    "다섯": "five",
    "개": "(counter)",
    "샀": "bought",
    "##습니다": "(ending)",
    ".": ".",
}


def trained() -> Translator:
    """A translator of the easy subset, from 1,500 updates on one thread."""
    torch.set_num_threads(1)
    corpus = load_corpus("ko-en-easy")
    src, tgt = make_vocabularies(corpus, None)
    ids = [[vocabulary.encode(text) for text in texts] for vocabulary, texts in (
        (src, [pair.src for pair in corpus.train]), (tgt, [pair.tgt for pair in corpus.train])
    )]  # fmt: skip
    seed_everything(1)
    model = make_seq2seq(len(src), len(tgt), source_in_memory=True)
    recipe = Recipe(updates=1500, learning_rate=4e-3, validate_every=1500, precision="fp32")
    fit(model, Batches(*ids, size=32, seed=1), recipe)
    return Translator(model, src, tgt)


def main() -> None:
    sentence = "민수는 도서관에서 노란 자전거를 빌렸지만, 수진은 시장에서 배 다섯 개를 샀습니다."
    found = trained().translate(sentence, beam=1)
    assert found.weights is not None
    print(found.text)
    src = [f"{token.removeprefix('##')}\n{GLOSS[token]}" for token in found.src_tokens[:-1]]
    plots.use_style()
    _, ax = plt.subplots(figsize=(9.2, 5.6))
    weights = found.weights[:-1, :-1].numpy()  # the end of sentence is left out
    plots.attention_heatmap(weights, src, found.tgt_tokens[:-1], title=found.text, ax=ax)
    ax.figure.savefig(Path(__file__).with_suffix(".png"), dpi=110, bbox_inches="tight")


if __name__ == "__main__":
    main()
