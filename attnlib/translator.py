"""Text in, text and alignment out; a folder that can be saved, shared and loaded."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from .data import EOS, Vocabulary, pad, vocabulary_from_json
from .device import best_device
from .files import StorageError
from .metrics import corpus_bleu
from .model import Seq2Seq, make_seq2seq
from .search import Hypothesis, beam_search, greedy_search
from .training import load_weights, read_json, read_tensors, write_json, write_tensors

CARD, WEIGHTS = "translator.json", "model.safetensors"  # the files of a saved translator
FORMAT = 1


class Translation(NamedTuple):
    """One translation: the texts, the tokens the model saw and wrote, and where it looked.

    Row t of ``weights`` (T, S) belongs to ``tgt_tokens[t]``, column j to ``src_tokens[j]``; both
    lists end in the end-of-sentence token. ``score`` is what search ranked it by, in nats.
    ``weights`` is None for a model without attention.
    """

    src: str
    text: str
    src_tokens: list[str]
    tgt_tokens: list[str]
    weights: Float[Tensor, "T S"] | None
    score: float


class Translator:
    """A model with its two vocabularies: everything between two strings.

    ``about`` is any JSON value that should travel along: corpus, recipe, figures. A model is
    saved as numbers and JSON only, so a translator from a stranger can be loaded without fear.
    """

    def __init__(
        self,
        model: Seq2Seq,
        src_vocabulary: Vocabulary,
        tgt_vocabulary: Vocabulary,
        about: dict[str, Any] | None = None,
    ) -> None:
        sizes = (model.encoder.embed.num_embeddings, model.output.out_features)
        if sizes != (len(src_vocabulary), len(tgt_vocabulary)):
            raise ValueError(
                f"the model was made for vocabularies of {sizes[0]} and {sizes[1]} tokens, got "
                f"{len(src_vocabulary)} and {len(tgt_vocabulary)}"
            )
        self.model = model
        self.src_vocabulary, self.tgt_vocabulary = src_vocabulary, tgt_vocabulary
        self.about = dict(about or {})

    @property
    def device(self) -> torch.device:
        return next(self.model.parameters()).device

    def translate(
        self,
        sentences: str | Sequence[str],
        beam: int = 5,
        *,
        alpha: float = 1.0,
        batch_size: int = 64,
    ) -> Any:
        """Translate one sentence (→ Translation) or several (→ a list in the same order).

        Arguments: sentences, natural text; beam, hypotheses kept (1 is greedy search); alpha, the
        exponent of the length penalty ``|Y|^alpha``; batch_size, sentences translated at a time.
        An empty sentence has an empty translation. Raises ValueError for a beam below 1.
        """
        if isinstance(sentences, str):
            return self.translate([sentences], beam, alpha=alpha, batch_size=batch_size)[0]
        if isinstance(beam, bool) or not isinstance(beam, int) or beam < 1:
            raise ValueError(f"beam must be a whole number of at least 1, got {beam!r}")
        ids = [self.src_vocabulary.encode(sentence) for sentence in sentences]
        results: list[Translation] = [Translation(s, "", [], [], None, 0.0) for s in sentences]
        # Neighbours in length share a batch: less padding, and they finish together.
        order = sorted((i for i in range(len(ids)) if ids[i]), key=lambda i: len(ids[i]))
        for start in range(0, len(order), batch_size):
            chosen = order[start : start + batch_size]
            found = self.search([ids[i] for i in chosen], beam, alpha)
            for i, hypothesis in zip(chosen, found):
                results[i] = self._translation(sentences[i], hypothesis)
        return results

    @torch.no_grad()
    def search(self, ids: Sequence[Sequence[int]], beam: int, alpha: float) -> list[Hypothesis]:
        """The best hypothesis of every source sentence given as token numbers."""
        was_training = self.model.training
        self.model.eval()
        src, mask = pad([[*sentence, EOS] for sentence in ids])
        src, mask = src.to(self.device), mask.to(self.device)
        memory = self.model.encode(src, mask)
        state = self.model.decoder.start(memory)
        # Twice the source and a little more: what is longer is a loop (Wu et al. 2016, §7).
        limits = [2 * (len(sentence) + 1) + 10 for sentence in ids]
        if beam == 1:
            found = greedy_search(self.model.step, memory, state, max_length=limits)
        else:
            found = beam_search(
                self.model.step,
                memory,
                state,
                max_length=limits,
                beam_size=beam,
                alpha=alpha,
                penalty="power",
            )
        self.model.train(was_training)
        return [hypotheses[0] for hypotheses in found]

    def _translation(self, src: str, hypothesis: Hypothesis) -> Translation:
        end = [self.tgt_vocabulary.tokens[EOS]] if hypothesis.finished else []
        src_tokens = [*self.src_vocabulary.tokenize(src), self.src_vocabulary.tokens[EOS]]
        tgt_tokens = [self.tgt_vocabulary.tokens[i] for i in hypothesis.tokens] + end
        weights = hypothesis.weights
        if weights is not None:
            weights = weights[: len(tgt_tokens), : len(src_tokens)].float().cpu()
        text = self.tgt_vocabulary.decode(hypothesis.tokens)
        return Translation(src, text, src_tokens, tgt_tokens, weights, hypothesis.score)

    def bleu(self, pairs: Sequence[tuple[str, str]], beam: int = 1) -> float:
        """Corpus BLEU (13a, cased) of the translations of (source, reference) pairs."""
        translations = self.translate([src for src, _ in pairs], beam)
        return corpus_bleu([t.text for t in translations], [tgt for _, tgt in pairs]).score

    def save(self, directory: Path | str) -> None:
        """Write the translator to a folder: ``translator.json`` and ``model.safetensors``.

        Each file is replaced whole or not at all. Raises StorageError where that is impossible.
        """
        folder = Path(directory)
        write_tensors(folder / WEIGHTS, dict(self.model.named_parameters()))
        self.save_card(folder)

    def save_card(self, directory: Path | str) -> None:
        """Write only what the model is, not its weights: these come from training's checkpoints."""
        one = self.src_vocabulary is self.tgt_vocabulary
        card = {
            "format": FORMAT,
            "architecture": self.model.architecture,
            "about": self.about,
            "src_vocabulary": self.src_vocabulary.to_json(),
            "tgt_vocabulary": None if one else self.tgt_vocabulary.to_json(),
        }
        write_json(Path(directory) / CARD, card)

    @classmethod
    def load(cls, directory: Path | str, device: torch.device | str | None = None) -> "Translator":
        """Read a folder that ``save`` wrote; nothing in it is executed.

        Raises StorageError where the folder or a file is missing, cut short, or not a translator.
        """
        folder = Path(directory)
        if not folder.is_dir():
            raise StorageError(f"there is no folder {folder}; train a translator into it first")
        if not (folder / CARD).is_file():
            raise StorageError(f"{folder} holds no translator: {CARD} is missing")
        if not (folder / WEIGHTS).is_file():
            raise StorageError(f"{folder} has no weights yet: {WEIGHTS} is missing; train on")
        card = read_json(folder / CARD)
        if not isinstance(card, dict) or card.get("format") != FORMAT:
            raise StorageError(f"{folder / CARD} is not a translator of format {FORMAT}")
        try:
            src = vocabulary_from_json(card["src_vocabulary"])
            tgt = vocabulary_from_json(card["tgt_vocabulary"]) if card["tgt_vocabulary"] else src
            architecture = card["architecture"]
            if architecture.get("decoder") == "plain":  # older cards name an attention it never had
                architecture = architecture | {"attention": None}
            model = make_seq2seq(len(src), len(tgt), **architecture)
        except (AttributeError, KeyError, TypeError, ValueError) as problem:
            raise StorageError(f"{folder / CARD} is damaged ({problem!r}); save it again") from None
        tensors, _ = read_tensors(folder / WEIGHTS)
        load_weights(model, tensors, folder / WEIGHTS)
        model.eval().to(best_device() if device is None else device)
        return cls(model, src, tgt, card.get("about"))
