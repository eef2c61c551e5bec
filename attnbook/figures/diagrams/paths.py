"""What goes where, row by row: a soft lookup, what a decoder is fed, a beam, runs of words."""

from collections.abc import Mapping, Sequence
from typing import Any

from attnlib.checks import Number
from attnlib.figures import Array

from ..tree import Records, best_path, parse_tree
from .cells import MIDDLE, at_most
from .diagram import WIDTH, Diagram
from .page import Node, Page, Word, number, numbers, softmax


def lookup_diagram(
    words: Sequence[str], query: Array, keys: Array, values: Array, *, solved: bool = True
) -> Diagram:
    """A soft dictionary: the query meets every key, and the values are added up by weight.

    Arguments: words, two to five names of the entries; query (H,); keys (S, H); values (S,), one
    number per entry; solved, whether weights and answer are told, or left to the reader as "?".
    Score: the dot product; weights: softmax. Raises ValueError where shapes disagree or a number is
    not finite.

    >>> import torch
    >>> keys = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> lookup_diagram(["dog", "cat"], keys[0], keys, torch.tensor([2.0, 3.0])).alt[-12:]
    'answer 2.27.'
    """
    at_most("words", words, 5, 2)
    known, held = numbers("keys", keys, len(words), None), numbers("values", values, len(words))
    query_vector = numbers("query", query, known.shape[1])
    scores, weights = known @ query_vector, softmax(known @ query_vector)
    entries: list[str] = []
    page, end = Page(34 * len(words) + 188), 34 * len(words) + 80
    asks = page.box(112, 24, "query", f"{query_vector.size} numbers", "target", w=94, h=40)
    for n, (word, score, weight, value) in enumerate(zip(words, scores, weights, held)):
        y, high = 97 + 34 * n, 34
        (key,) = page.strip(41, y, [Word(word)], "source", w=70, h=high)
        (met,) = page.strip(112, y, [number(score)], w=44, h=high)
        text = number(weight) if solved else "?"
        page.strip(218, y, [text], "attention", shades=[weight if solved else 0.1], w=44, h=high)
        page.strip(300, y, [f"{value:g}"], "source", w=46, h=high)
        page.arrow(key, met, kind="source")
        entries.append(f"{word}: score {number(score)}, weight {text}, value {value:g}")
    middle, total = (80 + end) / 2, page.circle(259, end + 42, "Σ", "attention")
    page.arrow(asks, (112, 80), kind="target")
    page.arrow((134, middle), (196, middle), kind="attention")
    page.label(164, middle - 12, "softmax", "small")
    page.arrow((218, end), (218, total.y), total, kind="attention")
    page.arrow((300, end), (300, total.y), total, kind="source")
    answer = number(float(weights @ held)) if solved else "?"
    page.arrow(total, (259, end + 84))
    page.label(259, end + 97, f"answer {answer}")
    for x, y, head in ((41, end, "keys"), (112, end, "scores")):
        page.label(x, y + 14, head, "small")
    for x, head in ((218, "weights"), (300, "values")):
        page.label(x, 66, head, "small")
    return page.finish(
        "A soft lookup",
        f"From above comes the query, {query_vector.size} numbers. It is multiplied with each of"
        f" {len(words)} keys, which gives as many scores; a softmax turns the scores into weights;"
        " Σ adds up the values, each times its weight, to one answer."
        f" {'; '.join(entries)}; answer {answer}.",
    )


def scheduled_sampling_diagram(
    gold: Sequence[str],
    written: Sequence[str],
    coins: Array,
    title: str = "What is fed: a coin for every token",
) -> Diagram:
    """Scheduled sampling, step by step: a coin decides between the right word and the prediction.

    Arguments: gold, two to six words of the right translation; written, as many that the decoder
    wrote; coins, one fewer: before each step but the first, whether gold is fed (True) or the word
    just written. All True is teacher forcing, all False free running; the title should say so.
    Raises ValueError where numbers differ.

    >>> scheduled_sampling_diagram(["I", "go"], ["I", "went"], [True])
    <diagram: What is fed: a coin for every token>
    """
    at_most("gold", gold, 6, 2)
    at_most("written", written, len(gold), len(gold))
    at_most("coins", coins, len(gold) - 1, len(gold) - 1)
    page, fed, before = Page(96 * len(gold) + 30), ["<sos>"], None
    page.label(290, 16, "gold", "small")
    page.label(160, 16, "written", "small")
    for t, predicted in enumerate(written, 1):
        y = 96 * t - 34
        state = page.box(62, y, f"$s_{t}$", kind="target", w=48)
        word = page.box(160, y, Word(predicted), kind="target", w=76, h=30)
        page.arrow(state, word)
        if before is None:
            page.arrow((62, 25), state)
            page.label(62, 14, Word("<sos>"))
        else:
            by_gold = bool(coins[t - 2])
            of_gold, of_own = ("", "faint") if by_gold else ("faint", "")
            coin = page.circle(222, y - 48, "✓" if by_gold else "✗", "gate")
            truth = page.box(290, y - 48, Word(gold[t - 2]), w=70, h=30, style=of_gold)
            fed.append(gold[t - 2] if by_gold else written[t - 2])
            page.arrow(before[0], state, kind="target")
            page.arrow(truth, coin, kind="gate", style=of_gold)
            page.arrow(before[1], (222, y - 96), coin, kind="gate", style=of_own)
            page.arrow(coin, (82, y - 48), (82, y - 16), kind="gate")
        before = (state, word)
    page.label(MIDDLE, page.height - 8, "✓ the right word is fed, ✗ its prediction", "small")
    return page.finish(
        title,
        f"{len(gold)} steps of a decoder from top to bottom, each with the word that it writes:"
        f" {' '.join(written)}. Between two steps a circle takes either the gold word from the"
        " right or the word just written, and hands it to the next step; what is not taken is"
        f" dotted. Fed, in this order: {' '.join(fed)}.",
    )


def beam_diagram(records: Records) -> Diagram:
    """A beam that follows its parents: which slot each hypothesis comes from, step after step.

    Arguments: records, the trace of a beam search as ``parse_tree`` takes it; pruned hypotheses are
    left out. Raises ValueError where the records make no tree or one step has more than four.

    >>> start = {"id": 0, "parent": None, "step": 0, "token": "<sos>", "log_prob": 0.0}
    >>> end = {"id": 1, "parent": 0, "step": 1, "token": "I", "log_prob": -0.5, "status": "best"}
    >>> beam_diagram([{**start, "status": "live"}, end]).alt[-34:]
    'Step 1: I −0.50 from slot 0, best.'
    """
    nodes = {i: n for i, n in parse_tree(records).items() if n["status"] != "pruned"}
    path, steps = best_path(nodes), sorted({node["step"] for node in nodes.values()})
    page, boxes, descriptions = Page(84 * len(steps) - 24), dict[Any, Node](), list[str]()
    slots: dict[Any, int] = {}
    page.label(36, 30, "from slot", "small")
    for row, step in enumerate(steps):
        hypotheses = {i: node for i, node in nodes.items() if node["step"] == step}
        order = sorted(hypotheses, key=lambda i: (ends(hypotheses[i]), -hypotheses[i]["log_prob"]))
        at_most(f"records at step {step}", order, 4)
        y, parents = 30 + 84 * row, []
        for slot, i in enumerate(order):
            node, parent = hypotheses[i], hypotheses[i]["parent"]
            kind = "gate" if ends(node) else "target"
            text, note = Word(node["token"]), number(node["log_prob"])
            boxes[i] = page.box(104 + 64 * slot, y, text, note, kind, w=56, h=42)
            slots[i] = slot
            if parent in boxes:
                width = 3.2 if i in path else 1.5
                page.arrow(boxes[parent].bottom, boxes[i].top, kind=kind, width=width)
                parents.append(str(slots[parent]))
                best = ", best" if i == (path or [None])[0] else ""
                descriptions.append(f"{node['token']} {note} from slot {slots[parent]}{best}")
        if parents:
            page.label(36, y, ", ".join(parents))
            descriptions[-len(parents) :] = [
                f"Step {step}: {'; '.join(descriptions[-len(parents) :])}."
            ]
    return page.finish(
        "A beam follows its parents",
        "A row of boxes for each step of a beam search, downward; each box holds the last word of a"
        " hypothesis and its log-probability, and an arrow comes from the hypothesis that it"
        f" extends; the best one's arrows are thick. {' '.join(descriptions)}",
    )


def ends(node: Mapping[str, Any]) -> bool:
    """Whether a hypothesis has ended: by its status, or by the sign in the id of a trace."""
    return node["status"] == "finished" or str(node["id"]).endswith("$")


def ngram_diagram(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> Diagram:
    """Which runs of n words of a hypothesis are found in the reference, each of its runs once.

    Arguments: hypothesis and reference, one to twelve tokens each; n from 1 to 4. The words name
    p_n, the clipped precision. Raises ValueError where there are more tokens or another n.

    >>> ngram_diagram("the cat sat".split(), "a cat sat".split(), 2).alt[-26:]
    'Found: cat sat. p 2 = 1/2.'
    """
    at_most("hypothesis", hypothesis, 12)
    at_most("reference", reference, 12)
    if n not in (1, 2, 3, 4):
        raise ValueError(f"n must be 1, 2, 3 or 4, got {n}")
    page = Page(32 * max(len(hypothesis), len(reference)) + 68)
    page.label(50, 14, "hypothesis", "small")
    page.label(WIDTH - 50, 14, "reference", "small")
    for x, words, kind in ((50, hypothesis, "target"), (WIDTH - 50, reference, "source")):
        for i, word in enumerate(words):
            page.box(x, 42 + 32 * i, Word(word), kind=kind, w=84, h=25)
    pairs = matches(hypothesis, reference, n)
    for i, j in pairs.items():
        left = bracket(page, 92, i, n, 1, found=j is not None)
        if j is not None:
            page.arrow(left, bracket(page, WIDTH - 92, j, n, -1), kind="attention", head=False)
    found = [" ".join(hypothesis[i : i + n]) for i, j in pairs.items() if j is not None]
    runs = "words" if n == 1 else f"runs of {n} words"
    page.label(MIDDLE, page.height - 12, f"{len(found)} of {len(pairs)} {runs} found")
    return page.finish(
        f"Matching {runs}",
        f"On the left the hypothesis, {' '.join(hypothesis)}, on the right the reference,"
        f" {' '.join(reference)}, a word a row. Each of the {len(pairs)} {runs} on the left that is"
        " found on the right is joined with its match by a line; no run on the right is used twice;"
        f" the others are dotted. Found: {', '.join(found) or 'none'}."
        f" p {n} = {len(found)}/{len(pairs)}.",
    )


def matches(hypothesis: Sequence[str], reference: Sequence[str], n: int) -> dict[int, int | None]:
    """Where each run of n words of the hypothesis is found in the reference, None for nowhere.

    >>> matches(["the", "the"], ["on", "the"], 1)
    {0: 1, 1: None}
    """
    free = list(range(len(reference) - n + 1))
    pairs: dict[int, int | None] = {}
    for i in range(len(hypothesis) - n + 1):
        run = list(hypothesis[i : i + n])
        pairs[i] = match = next((j for j in free if list(reference[j : j + n]) == run), None)
        if match is not None:
            free.remove(match)
    return pairs


def bracket(page: Page, x: Number, row: int, n: int, side: int, found: bool = True) -> Node:
    """A bracket beside n rows, on the right (1) or left (−1) of them; returns its middle."""
    first, last = 42 + 32 * row, 42 + 32 * (row + n - 1)
    out = x + side * (10 + 8 * (row % n))  # neighbors overlap, so they stand side by side
    style = "" if found else "faint"
    if n == 1:
        page.arrow((x, first), (out, first), kind="attention", style=style, head=False)
    else:
        way = ((x, first + 5), (out, first + 5), (out, last - 5), (x, last - 5))
        page.arrow(*way, kind="attention", style=style, head=False)
    return Node(out, (first + last) / 2)
