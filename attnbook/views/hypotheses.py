"""Views of a search and of its answers: the tree, the ranking, and BLEU of what one types."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attnlib.metrics import TOKENIZERS, sentence_bleu

from ..figures import STATUSES, Diagram, Records, beam_diagram, best_path, ngram_diagram, parse_tree
from .still import table
from .view import View, counted, finish


def beam_view(records: Records, *, title: str = "Beam search, step by step") -> View:
    """The tree of a beam search; sliders grow it step by step and read out each hypothesis.

    Arguments: records, one dictionary a hypothesis, parents before children, as ``parse_tree``
    takes them. Returns the View. Raises ValueError for a missing key, an id used twice, a parent
    that does not come earlier, or an unknown status.

    >>> start = {"id": 0, "parent": None, "step": 0, "token": "<sos>", "log_prob": 0.0}
    >>> beam_view([{**start, "status": "live"}])
    <beam view: 1 hypothesis>
    """
    tree = parse_tree(records)
    index = {i: n for n, i in enumerate(tree)}  # on the page, parents are positions in the list
    nodes = [
        {
            "parent": index.get(node["parent"]),
            "step": int(node["step"]),
            "token": str(node["token"]),
            "log_prob": round(float(node["log_prob"]), 2),
            "status": node["status"],
        }
        for node in tree.values()
    ]
    alt = _describe_beam(tree)
    summary = f"beam view: {counted(len(nodes), 'hypothesis')}"
    return finish("beam", {"nodes": nodes}, title, alt, summary, _draw_beam(tree, title, alt))


def _draw_beam(tree: Mapping[Any, Mapping[str, Any]], title: str, alt: str) -> Diagram:
    """The drawing of a narrow beam; of a wide one what ended, the most probable first."""
    unpruned = [node for node in tree.values() if node["status"] != "pruned"]
    steps = [node["step"] for node in unpruned]
    if unpruned and max(map(steps.count, steps)) <= 4:
        return beam_diagram(list(tree.values()))
    hypotheses = [i for i, node in tree.items() if node["status"] in ("finished", "best")] or list(
        tree
    )
    ended = sorted(hypotheses, key=lambda i: -tree[i]["log_prob"])[:10]
    rows = [" ".join(str(tree[i]["token"]) for i in _line(tree, i)[-3:]) for i in ended]
    values = np.array([[tree[i]["log_prob"], tree[i]["step"]] for i in ended])
    shades = abs(values) / max(abs(values).max(), 1e-12)  # type: ignore[operator,unused-ignore]
    return table(title, alt, rows, ["log-prob.", "step"], values, shades=shades)


def _line(tree: Mapping[Any, Mapping[str, Any]], i: Any) -> list[Any]:
    """Ids from the start to a hypothesis."""
    return [] if i is None else [*_line(tree, tree[i]["parent"]), i]


def _describe_beam(nodes: Mapping[Any, Mapping[str, Any]]) -> str:
    """A beam search in words: how many hypotheses, what became of them, the answer.

    >>> start = {"id": 0, "parent": None, "step": 0, "token": "<sos>", "log_prob": 0.0}
    >>> end = {"id": 1, "parent": 0, "step": 1, "token": "yes", "log_prob": -0.5, "status": "best"}
    >>> _describe_beam({0: {**start, "status": "live"}, 1: end})
    'Beam search, 2 hypotheses: 1 best, 0 finished, 1 live, 0 pruned.
    Best: “<sos> yes”, log-probability -0.50.'
    """
    statuses = [node["status"] for node in nodes.values()]
    counts = ", ".join(f"{statuses.count(status)} {status}" for status in STATUSES)
    text = f"Beam search, {counted(len(nodes), 'hypothesis')}: {counts}."
    if path := best_path(nodes):
        tokens = " ".join(str(nodes[i]["token"]) for i in reversed(path))
        words = " ".join(tokens.split())  # a token may hold a line break
        text += f" Best: “{words}”, log-probability {nodes[path[0]]['log_prob']:.2f}."
    return text


def rerank_view(
    hypotheses: Mapping[int, Sequence[Mapping[str, Any]]],
    *,
    reference: str | None = None,
    title: str = "The same hypotheses, ranked anew",
) -> View:
    """Recorded hypotheses of one sentence under sliders for beam size k and α.

    s(Y) = log P(Y | x) / lp(|Y|)   (Wu et al. 2016, Eq. 14), as ``attnlib.search.Scoring`` computes
    it. Only the ranking changes, not what the search has found.

    Arguments: hypotheses, beam size k → its hypotheses, each a dictionary:

    - ``tokens``: its T tokens, without the end mark, which counts in |Y| = T + 1
    - ``log_prob``: of all of them and the end mark, in nats
    - ``text``: as a reader would see it (missing: the tokens with spaces)

    reference, a translation with which sentence BLEU is computed. α starts at 0. Returns the View.
    Raises ValueError where a key is missing or a beam is empty.

    >>> short = {"tokens": ["yes"], "log_prob": -1.0}
    >>> long = {"tokens": list("abcde"), "log_prob": -1.2}
    >>> rerank_view({2: [short, long]}).alt
    '2 hypotheses. With k = 2, α = 0 the best is “yes”, score -1.00.'
    """
    if not hypotheses or not all(hypotheses.values()):
        raise ValueError("hypotheses must hold for each beam size one hypothesis or more, got none")
    beams: list[dict[str, Any]] = [
        {"k": int(k), "rows": [_ranked(k, n, row, reference) for n, row in enumerate(rows)]}
        for k, rows in sorted(hypotheses.items())
    ]
    widest = beams[-1]["rows"]
    shown = sorted(widest, key=lambda row: -row["p"])[:5]  # with α = 0 the score is log P
    number = counted(sum(len(beam["rows"]) for beam in beams), "hypothesis")
    alt = (
        f"{number}. With k = {beams[-1]['k']}, α = 0 the best is"
        f" “{shown[0]['text']}”, score {shown[0]['p']:.2f}."
    )
    values = np.array([[row["p"], row["n"], row["p"]] for row in shown])
    shades = np.array([[0.0 if n else 0.5] * 3 for n in range(len(shown))])
    labels = [row["text"] or "(nothing)" for row in shown]
    head = ["log P", "tokens", "score"]
    still = table(title, alt, labels, head, values, shades=shades)
    data = {"beams": beams}
    summary = f"rerank view: {len(beams)} beam sizes, {counted(len(shown), 'hypothesis')} shown"
    return finish("rerank", data, title, alt, summary, still)


def _ranked(k: int, n: int, row: Mapping[str, Any], reference: str | None) -> dict[str, Any]:
    """A hypothesis as it stands on the page."""
    if missing := {"tokens", "log_prob"} - row.keys():
        raise ValueError(
            f"hypotheses[{k}][{n}] must have the key {min(missing)!r}, got {dict(row)}"
        )
    tokens = [str(token) for token in row["tokens"]]
    text = str(row.get("text", " ".join(tokens)))
    ranked: dict[str, Any] = {"text": text, "p": round(float(row["log_prob"]), 4)}
    ranked["n"] = len(tokens) + 1
    if reference is not None:
        ranked["bleu"] = round(sentence_bleu(text, reference).score, 1)
    return ranked


def hypothesis_view(
    references: str | Sequence[str],
    hypothesis: str,
    *,
    suggestions: Sequence[str] = (),
    tokenize: str = "13a",
    title: str = "Type a translation, and see its BLEU",
) -> View:
    """A field to type a hypothesis in: its matches, p_1 to p_4, brevity penalty and BLEU.

    The score is that of ``attnlib.metrics.sentence_bleu`` with its usual settings, to the last
    digit shown: smoothing "exp", effective order, case kept.

    Arguments: references, one text or several; hypothesis, what stands in the field at first;
    suggestions, more hypotheses, each a button; tokenize, "13a", "none" or "char". Returns the
    View. Raises ValueError where there is no reference, or for another tokenizer.

    >>> hypothesis_view("the cat sat on a mat", "the cat sat on the mat").alt
    'A field for a translation of which the reference is “the cat sat on a mat”. With “the cat sat
    on the mat” in it: matches 5 of 6, 3 of 5, 2 of 4, 1 of 3; brevity penalty 1.00; BLEU 53.73.'
    """
    texts = [references] if isinstance(references, str) else [str(text) for text in references]
    if not texts:
        raise ValueError("references must hold one text or more, got none")
    bleu = sentence_bleu(hypothesis, texts, tokenize=tokenize)
    pairs = list(zip(bleu.counts, bleu.totals))
    matches = ", ".join(f"{int(count)} of {int(total)}" for count, total in pairs)
    quoted = " or ".join(f"“{text}”" for text in texts)
    alt = (
        f"A field for a translation of which the reference is {quoted}. With “{hypothesis}” in"
        f" it: matches {matches}; brevity penalty {bleu.brevity_penalty:.2f};"
        f" BLEU {bleu.score:.2f}."
    )
    tokens = [TOKENIZERS[tokenize](text) for text in (hypothesis, texts[0])]
    if len(texts) == 1 and all(1 <= len(words) <= 12 for words in tokens):
        still = ngram_diagram(tokens[0], tokens[1], 2)
    else:
        rows, head = ["p 1", "p 2", "p 3", "p 4"], ["matches", "n-grams", "percent"]
        values = np.array([[*pair, p] for pair, p in zip(pairs, bleu.precisions)])
        still = table(title, alt, rows, head, values, digits=0)
    data = {"refs": texts, "start": hypothesis, "more": list(suggestions), "tokenize": tokenize}
    summary = f"hypothesis view: BLEU against {counted(len(texts), 'reference')}"
    return finish("hypothesis", data, title, alt, summary, still)
