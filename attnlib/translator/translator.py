"""Text in, text and alignment out; a folder that can be saved, shared and loaded."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, overload, runtime_checkable

import torch
from torch import Tensor, nn
from tqdm.auto import tqdm

from ..checks import Number, as_int, as_number, check_name, plain, require
from ..data import (
    EOS,
    Pair,
    Vocabulary,
    as_text_list,
    bucket_by_length,
    normalize,
    pad,
    vocabulary_from_json,
)
from ..device import best_device, fork_rng
from ..files import StorageError
from ..metrics import corpus_bleu
from ..model import Transformer, describe, evaluating, make_seq2seq
from ..search import Hypothesis, beam_search, greedy_search
from .limits import LengthLimit
from .sentences import split_sentences
from .storage import (
    check_finite,
    digest,
    load_weights,
    read_json,
    read_tensors,
    write_json,
    write_tensors,
)
from .translation import SentenceResult, Translation, mean_log_prob, merge_sentences
from .typed import tokenize_input

CARD_FILE, WEIGHTS_FILE = "translator.json", "model.safetensors"  # the files of a saved translator
FORMAT = 1
BATCH = 128  # sentences translated at a time
PARTS = ("encoder", "decoder", "output", "encode", "step")  # of a model that can translate
#: What builds a model again from its ``architecture``, by the name there under "factory".
FACTORIES: dict[str, Any] = {"seq2seq": make_seq2seq, "transformer": Transformer}
#: What a corpus teaches, by the beginning of its name.
LEARNED = {"multi30k": "captions of photographs", "ko-en": "sentences of a small grammar"}


@runtime_checkable
class TranslationModel(Protocol):
    """A torch.nn.Module with which a Translator can translate; Seq2Seq and Transformer are two.

    Its ``architecture``, where it has one, says how to build it again: a key "factory", one of
    ``FACTORIES`` ("seq2seq" where there is none), and the factory's arguments.
    """

    if TYPE_CHECKING:  # from Python 3.12 on isinstance does not see the layers of a module

        @property
        def encoder(self) -> Any:
            """It has the source's embedding, ``embed``."""

        @property
        def decoder(self) -> Any:
            """Its ``start(memory)`` is the state before the first token."""

        @property
        def output(self) -> nn.Linear:
            """The layer that makes logits (..., V)."""

    def encode(self, src: Tensor, mask: Tensor) -> Any:
        """What stays fixed for sentences, of src (B, S) and mask (B, S), True = real token."""

    def step(self, tokens: Tensor, memory: Any, state: Any) -> tuple[Tensor, Any, Tensor | None]:
        """A step function, as ``attnlib.search`` wants it."""


class Translator:
    """A model with its two vocabularies: everything between two strings.

    ``about`` is any JSON value that should travel along: corpus, recipe, figures. Three of its keys
    are read here: "corpus"; "sentences", how many of them the model learned to translate at once
    (1); "guesses below", the mean log-probability a token below which a translation is noted as a
    guess (never). ``limit`` says how long a translation may become. A model is saved as numbers and
    JSON only, so an untrusted translator can be loaded safely.
    """

    def __init__(
        self,
        model: TranslationModel,
        src_vocabulary: Vocabulary,
        tgt_vocabulary: Vocabulary,
        about: dict[str, Any] | None = None,
        limit: LengthLimit | None = None,
    ) -> None:
        require(isinstance(about or {}, Mapping), "about", "a dictionary", about)
        self.about, self.limit = dict(about or {}), LengthLimit(*(limit or ())).checked()
        model = getattr(model, "_orig_mod", model)  # of a compiled one, what was compiled
        if not all(hasattr(model, part) for part in PARTS):
            hint = "; give what is inside, model.module" if hasattr(model, "module") else ""
            message = f"model must have {', '.join(PARTS)}, as a Seq2Seq has"
            raise ValueError(f"{message}, got {type(model).__name__}{hint}")
        sizes = (model.encoder.embed.num_embeddings, model.output.out_features)
        if sizes != (len(src_vocabulary), len(tgt_vocabulary)):
            message = f"the model was made for vocabularies of {sizes[0]} and {sizes[1]} tokens"
            raise ValueError(f"{message}, got {len(src_vocabulary)} and {len(tgt_vocabulary)}")
        self.model: Any = model
        self.src_vocabulary, self.tgt_vocabulary = src_vocabulary, tgt_vocabulary

    @property
    def device(self) -> torch.device:
        return next(self.model.parameters()).device

    @property
    def training_domain(self) -> str:
        """What the model was taught, in a few words; "" where the card does not say it."""
        corpus = self.about.get("corpus")
        if not isinstance(corpus, str):
            return ""
        known = (what for name, what in LEARNED.items() if corpus.startswith(name))
        # A corpus that is none of ours.
        return next(known, f"the sentences of {normalize(Path(corpus).name)}")

    @property
    def max_sentences(self) -> int:
        """How many sentences the model learned to translate at once."""
        value = as_number(self.about.get("sentences"))  # any JSON, in a file from elsewhere
        return value if isinstance(value, int) else 1

    @property
    def min_log_prob(self) -> float:
        """The mean log-probability a token, in nats, below which a translation is a guess."""
        value = as_number(self.about.get("guesses below"))
        return -math.inf if math.isnan(value) else float(value)

    @overload
    def translate(self, sentences: str, beam_size: int = 5, **options: Any) -> Translation: ...

    @overload
    def translate(
        self, sentences: Iterable[str], beam_size: int = 5, **options: Any
    ) -> list[Translation]: ...

    def translate(  # type: ignore[misc]  # which names the options that stand above together
        self,
        sentences: str | Iterable[str],
        beam_size: int = 5,
        *,
        alpha: Number = 1.0,
        batch_size: int = BATCH,
        progress: bool = False,
        single_sentence: bool = False,
    ) -> Translation | list[Translation]:
        """Translate one text (→ Translation) or several (→ a list in the same order).

        A text is read as a person types it. Its sentences (``split_sentences``) are translated one
        by one and joined. Where the model learned several at once (``about["sentences"]``), that is
        tried too, and kept if it writes as many and they are the more probable ones (by the mean
        log-probability of a token). Where the words of a sentence are all LARGE, all small or all
        Capitalized, each is read in the case that is known (``truecase``). A sentence is cut
        after 250 tokens. An empty text has an empty translation.

        Arguments: sentences, natural text; beam_size, hypotheses kept (1 is greedy search); alpha,
        the exponent of the length penalty ``|Y|^alpha``: it divides the score at every beam size,
        and decides between hypotheses where there are several; batch_size, sentences translated at
        a time; progress, whether to show a bar (in a terminal); single_sentence, whether each text
        is one sentence of any length, read as it stands: so a corpus is measured, whose lines were
        aligned, and are learned, as they stand. Raises ValueError for what is no text, a beam_size
        or batch_size below 1 or an alpha not finite.
        """
        beam_size, batch_size = as_int("beam_size", beam_size), as_int("batch_size", batch_size)
        require(math.isfinite(as_number(alpha)), "alpha", "a finite number", alpha)
        alpha = as_number(alpha)
        texts, search = as_text_list(sentences), (beam_size, alpha, batch_size, progress)
        split = [[text] if single_sentence else split_sentences(text) for text in texts]
        several = [i for i, parts in enumerate(split) if 1 < len(parts) <= self.max_sentences]
        groups = [*split, *([texts[i]] for i in several)]
        flat = [sentence for group in groups for sentence in group]
        each = iter(self._translate_sentences(flat, single_sentence, *search))
        by_group = [[best for best in islice(each, len(group)) if best] for group in groups]
        results = by_group[: len(split)]
        for i, joint in zip(several, by_group[len(split) :]):
            written = [self.tgt_vocabulary.decode(result.best.tokens) for result in joint]
            is_complete = sum(len(split_sentences(text)) for text in written) == len(split[i])
            if is_complete and mean_log_prob(joint) >= mean_log_prob(results[i]):
                results[i] = joint
        context = (self.src_vocabulary, self.tgt_vocabulary, alpha)
        domain = (self.min_log_prob, self.training_domain)
        translations = [
            merge_sentences(text, result, *context, *domain) for text, result in zip(texts, results)
        ]
        return translations[0] if isinstance(sentences, str) else translations

    def _translate_sentences(
        self,
        sentences: list[str],
        single_sentence: bool,
        beam_size: int,
        alpha: Number,
        batch_size: int,
        progress: bool,
    ) -> list[SentenceResult | None]:
        """The best translation of every sentence; None for one without tokens."""
        src = self.src_vocabulary
        tokenized = [
            (src.tokenize(text), []) if single_sentence else tokenize_input(text, src)
            for text in sentences
        ]
        results: list[SentenceResult | None] = [None] * len(tokenized)
        indices = [i for i, (tokens, _) in enumerate(tokenized) if tokens]
        lengths = [len(tokenized[i][0]) for i in indices]
        with tqdm(total=len(indices), unit="sentence", disable=None if progress else True) as bar:
            for rows in bucket_by_length(lengths, batch_size):
                batch = [indices[row] for row in rows]
                best = self._search([tokenized[i][0] for i in batch], beam_size, alpha)
                for i, hypothesis in zip(batch, best):
                    results[i] = SentenceResult(*tokenized[i], hypothesis)
                bar.update(len(batch))
        return results

    def _search(
        self, sentences: Sequence[list[str]], beam_size: int, alpha: Number
    ) -> list[Hypothesis]:
        """The best hypothesis of every source sentence given as tokens."""
        src, mask = pad([[*self.src_vocabulary.ids(tokens), EOS] for tokens in sentences])
        limits = [self.limit.tokens(len(tokens) + 1) for tokens in sentences]
        with evaluating(self.model):
            memory = self.model.encode(src.to(self.device), mask.to(self.device))
            start = (self.model.step, memory, self.model.decoder.start(memory))
            if beam_size == 1:
                hypotheses = greedy_search(*start, max_length=limits)
            else:
                ranking: Any = {"alpha": alpha, "penalty": "power"}
                hypotheses = beam_search(*start, max_length=limits, beam_size=beam_size, **ranking)
        return [ranked[0] for ranked in hypotheses]

    def bleu(self, pairs: Iterable[Pair | Sequence[str]], beam_size: int = 5) -> float:
        """Corpus BLEU (13a, cased) of the translations of pairs (source, reference, …).

        beam_size is that of ``translate``; training, which measures often, uses 1 (greedy). Each
        source is one sentence, read as it stands. Raises ValueError for what is no pair.
        """
        require(isinstance(pairs, Iterable), "pairs", "pairs of texts (source, reference)", pairs)
        rows = [plain(row) for row in pairs]
        for index, row in enumerate(rows):
            is_pair = isinstance(row, Sequence) and len(row) >= 2 and not isinstance(row, str)
            is_pair = is_pair and isinstance(row[0], str) and isinstance(row[1], str)
            require(is_pair, f"pairs[{index}]", "a pair of texts (source, reference)", row)
        translations = self.translate([row[0] for row in rows], beam_size, single_sentence=True)
        return corpus_bleu([t.text for t in translations], [str(row[1]) for row in rows]).score

    def save(self, directory: Path | str) -> None:
        """Write the translator to a folder: ``translator.json`` and ``model.safetensors``.

        A model that was changed after its factory built it loads as the factory builds it, or not
        at all. Each file is replaced whole or not at all. Raises StorageError where that is
        impossible or a weight is no finite number, and ValueError for a model that none of
        ``FACTORIES`` built.
        """
        card, weights = self.card(), dict(self.model.named_parameters())
        check_finite(weights, "the model")
        write_tensors(Path(directory) / WEIGHTS_FILE, weights, {CARD_FILE: digest(card)})
        write_json(Path(directory) / CARD_FILE, card)

    def card(self) -> dict[str, Any]:
        """All but the weights, for JSON. Raises ValueError for what would not load again."""
        architecture = getattr(self.model, "architecture", None)
        if not architecture:
            why = "this model was built by hand and a folder cannot hold its code"
            raise ValueError(f"{why}: save models that make_seq2seq or Transformer builds")
        shares_vocabulary = self.src_vocabulary is self.tgt_vocabulary
        card = {
            "format": FORMAT,
            "architecture": architecture,
            "about": self.about,
            "limit": self.limit,
            "src_vocabulary": self.src_vocabulary.to_json(),
            "tgt_vocabulary": None if shares_vocabulary else self.tgt_vocabulary.to_json(),
        }
        try:
            card = json.loads(json.dumps(card))  # as load will find it
        except (TypeError, ValueError) as error:
            raise ValueError(f"about must be what JSON can hold ({error})") from None
        self._check_loads_the_same(card)
        return dict(card)

    def _check_loads_the_same(self, card: dict[str, Any]) -> None:
        """Raise ValueError where the card would make another model, or another vocabulary."""
        sides = (self.src_vocabulary, self.tgt_vocabulary)
        for side, reloaded in zip(sides, _vocabularies(card)):
            same = type(side) is type(reloaded)
            require(same, "a vocabulary", f"one that loads as {type(side)}", type(reloaded))
        with fork_rng("cpu"):
            model = _build(len(sides[0]), len(sides[1]), card["architecture"])
        current, rebuilt = _model_signature(self.model), _model_signature(model)
        for name in [*current, *rebuilt]:
            if current.get(name) != rebuilt.get(name):
                was, loads = current.get(name, "gone"), rebuilt.get(name, "gone")
                raise ValueError(
                    "this model was changed after it was built and would not load as it "
                    f"is: {name} is {was} and would be {loads}; build it so from the beginning"
                )

    @classmethod
    def load(cls, directory: Path | str, device: torch.device | str | None = None) -> "Translator":
        """Read a folder that ``save`` wrote; nothing in it is executed.

        The weights contain their own digest and that of the card they were written with; weights
        that were made elsewhere and have none are taken as they are. Raises StorageError where
        the folder or a file is missing, cut short, changed, or not a translator.
        """
        folder = Path(directory)
        if folder.is_file():
            raise StorageError(f"{folder} is a file; name the folder in which it lies")
        if not folder.is_dir():
            raise StorageError(f"there is no folder {folder}; train a translator into it first")
        for name in (CARD_FILE, WEIGHTS_FILE):
            if not (folder / name).is_file():
                raise StorageError(f"{folder} holds no translator (yet): {name} is missing")
        card = read_json(folder / CARD_FILE)
        if not isinstance(card, dict) or card.get("format") != FORMAT:
            raise StorageError(f"{folder / CARD_FILE} is not a translator of format {FORMAT}")
        tensors, digests = read_tensors(folder / WEIGHTS_FILE)
        if isinstance(digests, dict) and digests.get(CARD_FILE, digest(card)) != digest(card):
            other = f"{folder / CARD_FILE} is not what {WEIGHTS_FILE} beside it was written with"
            raise StorageError(f"{other}: one of them was changed or replaced; copy or save both")
        try:
            src, tgt = _vocabularies(card)
            model = _build(len(src), len(tgt), card["architecture"])
            translator = cls(model, src, tgt, dict(card["about"]), LengthLimit(*card["limit"]))
        except (RuntimeError, KeyError, TypeError, ValueError) as error:
            why = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            raise StorageError(f"{folder / CARD_FILE} is damaged ({why}); save it again") from None
        load_weights(model, tensors, folder / WEIGHTS_FILE)
        check_finite(tensors, folder / WEIGHTS_FILE)
        model.eval().to(best_device() if device is None else device)
        return translator


def _model_signature(model: nn.Module) -> dict[str, Any]:
    """All by which two models with the same weights can differ."""
    tensors = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    shapes = {name: f"{tuple(t.shape)} of {t.dtype}" for name, t in tensors.items()}
    return {**shapes, **describe(model)}


def _vocabularies(card: dict[str, Any]) -> tuple[Vocabulary, Vocabulary]:
    src = vocabulary_from_json(card["src_vocabulary"])
    return src, vocabulary_from_json(card["tgt_vocabulary"]) if card["tgt_vocabulary"] else src


def _build(src_size: int, tgt_size: int, architecture: dict[str, Any]) -> Any:
    """The model of a card, with new weights."""
    options = dict(architecture)
    factory = options.pop("factory", "seq2seq")
    check_name("factory", factory, [*FACTORIES])
    return FACTORIES[factory](src_size, tgt_size, **options)
