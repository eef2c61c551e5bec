"""What beams of three widths find for one German sentence: the hypotheses that chapter 8 ranks anew
under sliders.

    python -m studies.search_hypotheses                   # data/runs/08_hypotheses.json

The translator is the one that comes with the book, data/de-en; the sentences were written for this
book. Each width searches once for every exponent of the length penalty, so that what a large one
prefers has been found, too. Of all that ended, those are kept that are among the best under one of
them. Seconds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from attnlib.data import EOS, bundled_directory, pad
from attnlib.search import Hypothesis, beam_search, length_penalty
from attnlib.translator import Translator

from . import records, runner

SENTENCES = {
    "fisherman": (
        "Ein Fischer flickt am Hafen sein Netz, neben ihm schläft eine Katze.",
        "A fisherman is mending his net in the harbor, and a cat is sleeping next to him.",
    ),
}
WIDTHS = (1, 5, 50)
ALPHAS = (0.0, 0.5, 1.0, 1.5, 2.0)
BEST = 4  # of every exponent


def find_hypotheses(translator: Translator, text: str, width: int) -> list[Hypothesis]:
    """All that ended in the beams of one width, each once."""
    ids = translator.src_vocabulary.encode(text)
    src, mask = pad([[*ids, EOS]])
    model, different = translator.model, dict[tuple[int, ...], Hypothesis]()
    with torch.no_grad():
        memory = model.encode(src, mask)
        start = memory, model.decoder.start(memory)
    for alpha in ALPHAS:
        how: dict[str, Any] = {"alpha": alpha, "beam_size": width, "n_best": width}
        limit = 2 * (len(ids) + 1) + 10  # as in chapter 8
        [some] = beam_search(model.step, *start, max_length=limit, **how)
        different |= {tuple(one.tokens): one for one in some if one.finished}
    return list(different.values())


def select_hypotheses(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Those that are among the best under some exponent, the most probable first."""
    selected = dict[int, Hypothesis]()
    log_probs = torch.tensor([hypothesis.log_prob for hypothesis in hypotheses])
    lengths = torch.tensor([len(hypothesis.tokens) + 1.0 for hypothesis in hypotheses])
    for alpha in ALPHAS:
        scores = log_probs / length_penalty(lengths, alpha)
        selected |= {n: hypotheses[n] for n in scores.argsort(descending=True)[:BEST].tolist()}
    return sorted(selected.values(), key=lambda one: -one.log_prob)


def describe_hypothesis(translator: Translator, hypothesis: Hypothesis) -> dict[str, Any]:
    return {
        "text": translator.tgt_vocabulary.decode(hypothesis.tokens),
        "tokens": [translator.tgt_vocabulary.tokens[token] for token in hypothesis.tokens],
        "log_prob": round(hypothesis.log_prob, 3),
    }


def run(variant: str, seed: int) -> Mapping[str, Any]:
    del seed  # nothing is drawn
    translator = Translator.load(bundled_directory().parent / "de-en", "cpu")
    text, reference = SENTENCES[variant]
    return {
        **records.circumstances("fp32", "torch", "tokenizers"),
        "src": text,
        "reference": reference,
        "beams": {
            str(width): [
                describe_hypothesis(translator, hypothesis)
                for hypothesis in select_hypotheses(find_hypotheses(translator, text, width))
            ]
            for width in WIDTHS
        },
    }


def header() -> dict[str, Any]:
    return {
        "what": "Hypotheses that beams of three widths found for a sentence, for chapter 8. "
        "log_prob is log P(Y | x) with the eos, in nats.",
        "command": "python -m studies.search_hypotheses",
        "translator": "data/de-en",
        "alphas": list(ALPHAS),
    }


SERIES = runner.Series("08_hypotheses", {"variant": list(SENTENCES)}, run, header, seeds=(1,))

if __name__ == "__main__":
    runner.main(__doc__, SERIES, say="{variant}: {minutes} minutes".format_map)
