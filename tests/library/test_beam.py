"""Beam search over toy models: what it finds, when it stops, and what its trace tells."""

import math
from collections import Counter

import pytest
import torch
from library.toy_models import BOS, EOS, PAD, WORDS, ToyModel, fixed_step

from attnlib.search import beam, beam_search, greedy_search

SCORES = [
    {"alpha": 0.0},
    {"alpha": 0.6},
    {"alpha": 1.0, "penalty": "power"},
    {"alpha": 2.0},
    {"alpha": -0.7},
    {"alpha": -1.0, "penalty": "power"},
]


@pytest.mark.parametrize("scoring", SCORES, ids=str)
@pytest.mark.parametrize("longest", [1, 2, 3, 4])
def test_where_few_hypotheses_exist_a_wide_beam_finds_them_all_and_no_more(scoring, longest):
    """...as brute force does, of models with tokens of probability 0."""
    counts, width = set(), len(WORDS) ** longest
    for seed in range(24 // longest):
        model = ToyModel(seed, longest=longest, real=2, never=0.6)
        listed = model.brute_force(longest, **scoring)
        listed = [one for one in listed if one[0] > -math.inf][:width]
        counts.add(len(listed))
        options = {**scoring, "max_length": longest}
        try:
            [hypotheses] = model.search(beam_search, **options, beam_size=width, n_best=width)
        except ValueError as problem:  # every path ends at a token that may not be written
            assert not listed and "probability above 0" in str(problem)
            continue
        assert [h.tokens for h in hypotheses if h.finished] == [words for _, words in listed]
        assert all(h.finished for h in hypotheses) or not listed  # else what was cut comes back
        for h, (score, words) in zip(hypotheses, listed):
            assert h.score == pytest.approx(score, abs=1e-5)
            _, weights = model.log_prob(0, [*words, EOS])
            assert torch.allclose(h.weights, torch.tensor(weights), atol=1e-6)
    assert min(counts) < max(counts) < width


@pytest.mark.parametrize("scoring", SCORES, ids=str)
def test_the_exact_stopping_rule_never_loses_against_never_stopping(scoring):
    model = ToyModel(7, sentences=60, longest=5, real=2)
    options = {**scoring, "max_length": 5, "beam_size": 3}
    slow = model.search(beam_search, stop="never", **options)
    assert model.sentence_steps() == 60 * 5
    fast = model.search(beam_search, **options)
    assert [(h.tokens, h.score) for [h] in fast] == [(h.tokens, h.score) for [h] in slow]
    assert model.sentence_steps() < 2 * 60 * 5 - 20  # and it does stop


@pytest.mark.parametrize(
    ("stop", "beam", "options", "end", "steps"),
    [
        ("never", 2, {}, 0.4, 9),
        ("first_finished", 2, {}, 0.4, 1),
        ("k_finished", 2, {}, 0.4, 2),  # one ending a step
        ("k_finished", 4, {}, 0.4, 4),
        ("current_length", 2, {}, 0.4, 2),  # 0.4 is more than 0.6² but not than 0.6
        ("exact", 2, {}, 0.4, 2),
        # The mean per token of the words, log 0.6, is more than that of any sentence that ends.
        ("current_length", 2, {"alpha": 1.0}, 0.4, 9),
        # The mean of an ending at once is log 0.61 = −0.49, of any that lives t log 0.39 / 9.
        ("exact", 2, {"alpha": 1.0}, 0.61, 5),
        ("exact", 2, {"alpha": 1.0}, 0.6, 6),
        # With s = n log P: an end at once is log 0.4 = −0.92, the next at best 2 log 0.6 = −1.02.
        ("exact", 2, {"alpha": -1.0}, 0.4, 1),
        # Here log 0.33 = −1.11 lies between 2 log 0.67 = −0.80 and 3 log 0.67 = −1.20.
        ("exact", 2, {"alpha": -1.0}, 0.33, 2),
    ],
)
def test_each_stopping_rule_stops_at_the_step_that_it_names(stop, beam, options, end, steps):
    inner, calls = fixed_step(0, 0, 0, end, 1 - end), []

    def step(*given):
        calls.append(given)
        return inner(*given)

    options = {"penalty": "power", "beam_size": beam, "stop": stop, **options}
    beam_search(step, torch.zeros(1), None, max_length=9, **options)
    assert len(calls) == steps


def test_prefixes_cut_at_max_length_are_labelled_and_only_returned_where_nothing_ended():
    # An eos is possible, but never among the best three tokens.
    start = (fixed_step(0.0, 0.4, 0, 1e-9, 0.35, 0.25), torch.zeros(1), None)
    [hypotheses] = beam_search(*start, max_length=3, beam_size=3, n_best=3, alpha=1.0)
    assert [h.finished for h in hypotheses] == [False] * 3
    assert hypotheses[0].tokens == [1, 1, 1]
    assert hypotheses[0].score == pytest.approx(3 * math.log(0.4) / (8 / 6))
    [[greedy]] = greedy_search(*start, max_length=3)
    assert (greedy.tokens, greedy.finished) == ([1, 1, 1], False)
    [hypotheses] = beam_search(*start, max_length=3, beam_size=4, n_best=3)
    assert [h.finished for h in hypotheses] == [True] * 3  # four tokens may be chosen: eos is one


def many_words(size):
    """A step over ``size`` tokens; what may follow depends on what was written, and on when: no
    two prefixes are equally probable."""
    table = 3 * torch.randn(8, 50, size, generator=torch.Generator().manual_seed(0))
    table[..., EOS] += 8
    table = table.log_softmax(-1)

    def step(tokens, memory, state):
        written, t = state
        written = (7 * written + tokens + memory.unsqueeze(1)) % 50
        return table[t, written], (written, t + 1), None

    start = torch.zeros(2, 1, dtype=torch.long)
    return step, torch.arange(2), (start, start)


def best_of_all(log_probs, total, count):
    """What ``beam._top_continuations`` returns, by sorting all K × V continuations."""
    size, best = log_probs.shape[2], log_probs.clone()
    best[..., [PAD, BOS, EOS]] = -math.inf
    scores = (total.unsqueeze(-1) + best).flatten(1)
    total, index = scores.topk(min(count, log_probs.shape[1] * (size - 3)))
    return total, index // size, index % size, best


@pytest.mark.parametrize("size", [50, 4000])
@pytest.mark.parametrize("width", [1, 5, 40])
def test_a_beam_finds_what_sorting_all_continuations_finds(monkeypatch, size, width):
    options = {"max_length": 8, "beam_size": width, "n_best": width, "alpha": 0.6}
    nodes, expected = [], []
    results = beam_search(*many_words(size), trace=nodes.append, **options)
    monkeypatch.setattr(beam, "_top_continuations", best_of_all)
    assert beam_search(*many_words(size), trace=expected.append, **options) == results
    assert nodes == expected
    assert any(node["token"] >= size - 32 for node in nodes) or width == 1


@pytest.mark.parametrize("seed", [17, 3])  # in the second, hypotheses end that are not the best
def test_the_trace_draws_the_beam_as_a_tree_and_changes_nothing(seed):
    model, records = ToyModel(seed, sentences=2), []
    options = {"max_length": 4, "beam_size": 2, "alpha": 1.0}
    plain = model.search(beam_search, **options)
    results = model.search(beam_search, **options, trace=records.append)
    assert [h[:4] for [h] in results] == [h[:4] for [h] in plain]
    by_id = {record["id"]: record for record in records}
    assert len(by_id) == len(records)
    seen = set()
    for record in records:  # parents come first, and log-probabilities add up along the path
        words, node = [], record
        while node["parent"] is not None:
            words.append(node["token"])
            node = by_id[node["parent"]]
        assert record["parent"] is None or record["parent"] in seen
        assert record["step"] == len(words)
        total, _ = model.log_prob(record["sentence"], words[::-1])
        assert record["log_prob"] == pytest.approx(total, abs=1e-5)
        ended = record["token"] == EOS
        assert record["status"] in (("finished", "best") if ended else ("live", "pruned"))
        seen.add(record["id"])
        if record["status"] == "best":
            assert words[:0:-1] == results[record["sentence"]][0].tokens
    counts = Counter((r["sentence"], r["step"], r["status"]) for r in records)
    assert counts[0, 1, "live"] == 2 and counts[0, 1, "pruned"] == 1
    assert any(r["status"] == "finished" for r in records) == (seed == 3)
    assert sum(r["status"] == "best" for r in records) == 2
