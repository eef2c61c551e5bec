"""The translator of chapter 10 on the learner's own parts: which answer stands in for what.

``use_yours()`` takes the answers out of the notebooks of chapters 1 to 9, checks each as its cell
does, and puts those that are right in the place of the library's own functions. What is blank or
wrong stays the book's. ``.restore()``, or leaving a ``with``, undoes it all.

Answers are plain functions of tensors, the library has modules with weights of their own, so some
need an *adapter*: (yours, the library's) → a function that is called as the library's is.
"""

from __future__ import annotations

import ast
import functools
import importlib
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import torch
from torch import Tensor

from ..batches import Batch
from ..search import Hypothesis, _take, length_penalty
from ..vocabulary import BOS, EOS
from .engine import find
from .judge import BLANK, RIGHT, WRONG, judge
from .show import COLOUR, MARK

Function = Callable[..., Any]
Adapter = Callable[[Function, Function], Function]
_LIBRARY = __package__.partition(".")[0]


class Part(NamedTuple):
    """One answer, what it does in the translator, and the functions of attnlib it replaces."""

    chapter: str
    exercise: str
    work: str
    targets: Mapping[str, Adapter]


def _as_it_is(yours: Function, library: Function) -> Function:
    return yours


def _batch(yours: Function, library: Function) -> Function:
    return lambda src, tgt: Batch(*yours(src, tgt))


def _counter(yours: Function, library: Function) -> Function:
    return lambda tokens, n: Counter(yours(tokens, n))  # a plain dictionary is as right


def _first_state(yours: Function, library: Function) -> Function:
    def start(self: Any, memory: Any) -> Any:
        if len(self.parts) == 1:  # a GRU has no cell state, the exercise has
            return library(self, memory)
        parts = yours(memory.final, self.bridge.weight, self.bridge.bias)
        return {name: part.unsqueeze(1) for name, part in zip(self.parts, parts)}

    return start


def _one_step(yours: Function, library: Function) -> Function:
    """Words are written one at a time: there your step runs. Training runs all steps in torch's."""

    def run(self: Any, inputs: Tensor, state: Any) -> Any:
        if inputs.shape[2] > 1 or len(self.parts) == 1:
            return library(self, inputs, state)
        weights = [getattr(self.rnn, f"{name}_l0") for name in _LSTM]
        hidden, cell = (state[name].flatten(0, 1) for name in self.parts)  # (B·K, H)
        new = yours(inputs.flatten(0, 1)[:, 0], (hidden, cell), *weights)
        new = [part.unflatten(0, inputs.shape[:2]) for part in new]
        return new[0].unsqueeze(2), dict(zip(self.parts, new))

    return run


_LSTM = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def _softmax(yours: Function, library: Function) -> Function:
    def masked_softmax(scores: Tensor, mask: Tensor | None, dim: int = -1) -> Tensor:
        if mask is None or dim not in (-1, scores.ndim - 1):
            return library(scores, mask, dim)  # type: ignore[no-any-return]
        wide = scores.to(torch.promote_types(scores.dtype, torch.float32))
        return yours(wide, mask.expand(scores.shape))  # type: ignore[no-any-return]

    return masked_softmax


def _context(yours: Function, library: Function) -> Function:
    def forward(self: Any, query: Tensor, keys: Tensor, values: Tensor, *more: Any) -> Any:
        _, weights = library(self, query, keys, values, *more)
        return yours(weights.to(values.dtype), values), weights

    return forward


def _keys_as_they_are(yours: Function, library: Function) -> Function:
    return lambda self, keys: keys


def _general(yours: Function, library: Function) -> Function:
    return lambda self, query, keys: yours(query, keys, self.project.weight)


def _joined(yours: Function, library: Function) -> Function:
    """The exercise has no bias: a bias is the weight of a feature that is always 1."""

    def attend(self: Any, hidden: Tensor, memory: Any) -> Any:
        context, weights = self.attention(
            hidden, memory.states, memory.states, memory.mask, memory.prepared
        )
        one = torch.cat([hidden, torch.ones_like(hidden[..., :1])], dim=-1)
        table = torch.cat([self.combine.weight, self.combine.bias.unsqueeze(1)], dim=1)
        return self.dropout(yours(context, one, table)), weights

    return attend


def _float_loss(yours: Function, library: Function) -> Function:
    """Logits may come in half precision; a sum over a vocabulary needs more."""
    return lambda logits, targets, label_smoothing=0.0: yours(
        logits.float(), targets, label_smoothing
    )


def _clip(yours: Function, library: Function) -> Function:
    def clip_grad_norm_(parameters: Any, max_norm: float) -> Tensor:
        gradients = [p.grad for p in parameters if p.grad is not None]
        clipped, norm = yours(gradients, max_norm)
        for old, new in zip(gradients, clipped):
            old.copy_(new)
        return torch.as_tensor(norm)

    return clip_grad_norm_


def _sentence_by_sentence(yours: Function, library: Function) -> Function:
    """Yours searches one sentence; here come many, and the heat map wants the weights."""

    def search(step: Any, memory: Any, state: Any, *, max_length: Any, **options: Any) -> Any:
        if set(options) - {"beam_size", "alpha", "penalty"}:  # more than the exercise asks
            return library(step, memory, state, max_length=max_length, **options)
        found = []
        with torch.no_grad():
            for b in range(len(memory.mask)):
                one = (_take(memory, slice(b, b + 1)), _take(state, slice(b, b + 1)))
                limit = max_length if isinstance(max_length, int) else max_length[b]
                tokens, log_prob = yours(step, *one, limit, **options)
                found.append([_hypothesis(step, *one, limit, tokens, log_prob, options)])
        return found

    return search


def _few_sentences(yours: Function, library: Function) -> Function:
    """A beam that goes word by word through the vocabulary would need hours for a test split."""
    one_by_one = _sentence_by_sentence(yours, library)
    return lambda step, memory, *rest, **options: (
        one_by_one if len(memory.mask) <= FEW else library
    )(step, memory, *rest, **options)


FEW = 8  # so many sentences at once are searched by your beam, more by the library's


def _hypothesis(
    step: Any, memory: Any, state: Any, limit: int, tokens: Sequence[int], log_prob: float,
    options: Mapping[str, Any],
) -> Hypothesis:  # fmt: skip
    """What the library tells of a sentence that was found, by walking along it once more."""
    finished, last = len(tokens) < limit, BOS
    rows: list[Tensor] = []
    walked = [*tokens, EOS][: len(tokens) + finished]
    for token in walked:
        _, state, weights = step(torch.tensor([[last]], device=memory.mask.device), memory, state)
        rows += [] if weights is None else [weights[0, 0]]
        last = token
    divisor = length_penalty(
        float(len(walked)), options.get("alpha", 0.0), options.get("penalty", "gnmt")
    )
    table = torch.stack(rows) if rows else None
    return Hypothesis(list(tokens), log_prob, log_prob / divisor, finished, table)


def _score(yours: Function, library: Function) -> Function:
    """The exercise knows the usual settings; with them, and matches of all orders, yours counts."""

    def corpus_bleu(hypotheses: Any, references: Any, **settings: Any) -> Any:
        score = library(hypotheses, references, **settings)
        single = all(isinstance(reference, str) for reference in references)
        if settings or not single or not all(score.counts):
            return score
        return score._replace(score=yours(hypotheses, references))

    return corpus_bleu


PARTS = (
    Part("03", "lengths_to_mask", "masks", {"masking.lengths_to_mask": _as_it_is}),
    Part("03", "pad", "padding", {"batches.pad": _as_it_is}),
    Part("03", "make_batch", "batches", {"batches.make_batch": _batch}),
    Part("03", "last_real", "last state", {"recurrent.last_real": _as_it_is}),
    Part("03", "reverse_real", "reversing", {"recurrent.reverse_real": _as_it_is}),
    Part("03", "read_both_ways", "encoder", {"recurrent.read_both_ways": _as_it_is}),
    Part("03", "bridge", "decoder's first state", {"seq2seq.Decoder.start": _first_state}),
    Part("02", "lstm_step", "decoder's step", {"seq2seq.Decoder.run": _one_step}),
    Part("05", "general_score", "scores", {
        "attention.GeneralAttention.prepare": _keys_as_they_are,
        "attention.GeneralAttention.scores": _general,
    }),
    Part("05", "safe_softmax", "weights", {"masking.masked_softmax": _softmax}),
    Part("05", "weighted_sum", "context", {"attention.Attention.forward": _context}),
    Part("05", "attentional_vector", "attentional vector", {
        "seq2seq.LuongDecoder.attend": _joined,
    }),
    Part("07", "token_cross_entropy", "loss", {"masking.token_cross_entropy": _float_loss}),
    Part("01", "clip_by_norm", "clipping", {"training.clip_grad_norm_": _clip}),
    Part("08", "greedy_tokens", "greedy search", {
        "search.greedy_search": _sentence_by_sentence,
    }),
    Part("08", "beam_tokens", f"beam search (up to {FEW} sentences at once)", {
        "search.beam_search": _few_sentences,
    }),
    Part("09", "ngram_counts", "n-grams", {"bleu.ngram_counts": _counter}),
    Part("09", "brevity_penalty", "brevity penalty", {"bleu.brevity_penalty": _as_it_is}),
    Part("09", "corpus_bleu", "BLEU", {"bleu.corpus_bleu": _score}),
)  # fmt: skip


class Yours:
    """Whose parts the translator runs on: shown as a table, undone by ``restore``."""

    def __init__(self, states: Mapping[str, str], undo: Sequence[tuple[Any, str, Any]]) -> None:
        self.states, self._undo = dict(states), list(undo)

    def restore(self) -> None:
        """The book's own functions are back in place."""
        while self._undo:
            owner, name, before = self._undo.pop()
            setattr(owner, name, before)

    def __enter__(self) -> Yours:
        return self

    def __exit__(self, *error: object) -> None:
        self.restore()

    def _rows(self) -> list[tuple[Part, str, str]]:
        says = {RIGHT: "yours", WRONG: "the book's: yours is not right yet"}
        states = [(part, self.states[part.exercise]) for part in PARTS]
        return [(part, state, says.get(state, "the book's")) for part, state in states]

    def __repr__(self) -> str:
        width = max(len(part.work) for part in PARTS)
        return "\n".join(
            f"{MARK[state]} {part.work:{width}}  {part.exercise} (chapter {part.chapter}): {whose}"
            for part, state, whose in self._rows()
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='color:{COLOUR[state]}'>{MARK[state]}</td>"
            f"<td style='text-align:left'>{escape(part.work)}</td>"
            f"<td style='text-align:left'><code>{part.exercise}</code>, chapter {part.chapter}</td>"
            f"<td style='text-align:left'>{escape(whose)}</td></tr>"
            for part, state, whose in self._rows()
        )
        return f"<table>{rows}</table>"


def use_yours(folder: Path | str = ".") -> Yours:
    """Put the right answers in a folder's notebooks in the place of the library's functions.

    Arguments: folder, where the chapters 01 to 09 lie, solved or not. Returns what became of each
    part, for display. A notebook that is not there counts as blank. Raises ValueError for a folder
    without any, or a notebook that cannot be read.
    """
    notebooks = {path.name[:2]: path for path in sorted(Path(folder).glob("0[1-9]_*.ipynb"))}
    if not notebooks:
        raise ValueError(f"{folder} holds no chapter: name the folder with your notebooks 01 to 09")
    states, undo = {}, []
    for chapter in sorted({part.chapter for part in PARTS}):
        parts = [part for part in PARTS if part.chapter == chapter]
        answers = _answers(notebooks[chapter], parts) if chapter in notebooks else {}
        for part in parts:
            states[part.exercise], yours = answers.get(part.exercise, (BLANK, None))
            if yours is not None:
                for target, adapt in part.targets.items():
                    undo += _replace(target, yours, adapt)
    return Yours(states, undo)


def _answers(path: Path, parts: Sequence[Part]) -> dict[str, tuple[str, Function | None]]:
    """The verdict on the answer to each part's exercise, and the function where it is right.

    Of a notebook only the imports of the set-up cell and the exercises are run.
    """
    try:
        cells = nbformat.read(path, as_version=4).cells
    except Exception as problem:
        raise ValueError(f"{path} cannot be read as a notebook: {problem}") from problem
    wanted, found = {part.exercise for part in parts}, {}

    def exercise(function: Function) -> Function:
        name = function.__name__
        if name not in wanted:
            return find(name).reference  # never wrong, and others may call it
        verdict = judge(find(name), function)
        found[name] = (verdict.state, function if verdict.state == RIGHT else None)
        return function if verdict.state == RIGHT else find(name).reference

    names: dict[str, Any] = {"__name__": "answers"}
    for cell in cells:
        tags = cell.metadata.get("tags", ())
        if cell.cell_type == "code" and {"setup", "exercise"} & set(tags):
            try:
                exec(_runnable(cell.source, "setup" in tags, str(path)), names)
            except (
                Exception,
                SystemExit,
            ):  # this cell's answers stay blank: their own cell says what is wrong
                continue
            finally:
                names["exercise"] = exercise
    return found


def _runnable(source: str, imports_only: bool, name: str) -> Any:
    tree = ast.parse(source)
    if imports_only:
        tree.body = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    return compile(tree, name, "exec")


def _replace(target: str, yours: Function, adapt: Adapter) -> list[tuple[Any, str, Any]]:
    """Put a function in place wherever the old one is known; returns what was there before."""
    module, *path = target.split(".")
    home = importlib.import_module(f"{_LIBRARY}.{module}")
    owner = functools.reduce(getattr, path[:-1], home)
    before = getattr(owner, path[-1])
    after = functools.wraps(before)(adapt(yours, before))
    places = [(owner, path[-1])]
    if owner is home:  # a function may be known in other modules too, under whatever name
        for name, known in list(sys.modules.items()):
            # What checks an answer (attnlib.exercises) stays the book's.
            if name == "__main__" or re.fullmatch(rf"{_LIBRARY}(\.\w+)?", name):
                places += [(known, n) for n, value in vars(known).items() if value is before]
    for place, name in places:
        setattr(place, name, after)
    return [(place, name, before) for place, name in places]
