"""Greedy, exhaustive and sampling search over toy models, and what all searches promise."""

import itertools
import math
from collections import Counter
from typing import NamedTuple

import pytest
import torch
from library.toy_models import BOS, EOS, PAD, SIZE, WORDS, ToyModel, fixed_step

from attnlib.search import (
    SearchBudgetError,
    beam_search,
    exhaustive_search,
    greedy_search,
    sample_search,
)

ALL = [greedy_search, sample_search, beam_search, exhaustive_search]


def test_exhaustive_search_finds_what_brute_force_finds_in_fewer_nodes():
    model = ToyModel(0, sentences=30)
    for b, [hypothesis] in enumerate(model.search(exhaustive_search, max_length=4)):
        score, words = model.brute_force(4, sentence=b)[0]
        assert hypothesis.tokens == words
        assert hypothesis.log_prob == hypothesis.score == pytest.approx(score, abs=1e-5)
        _, weights = model.log_prob(b, [*words, EOS])
        assert torch.allclose(hypothesis.weights, torch.tensor(weights), atol=1e-6)
    assert 30 < len(model.calls) < 30 * (1 + 3 + 9 + 27) / 2
    short = [best.tokens for [best] in model.search(exhaustive_search, max_length=2)]
    assert short == [model.brute_force(2, sentence=b)[0][1] for b in range(30)]


def test_exhaustive_search_refuses_a_tree_that_is_too_large():
    model = ToyModel(0)
    [[best]] = model.search(exhaustive_search, max_length=4)
    nodes = len(model.calls)
    [[again]] = model.search(exhaustive_search, max_length=4, max_nodes=nodes)  # exactly enough
    assert again.tokens == best.tokens
    match = f"max_nodes must be larger, or max_length smaller, got {nodes - 1}"
    with pytest.raises(SearchBudgetError, match=match):
        model.search(exhaustive_search, max_length=4, max_nodes=nodes - 1)


def test_a_beam_of_one_is_greedy_search():
    ended = 0
    for seed in range(3):
        model = ToyModel(seed, sentences=60)
        greedy = model.search(greedy_search, max_length=4)
        for scoring in ({"alpha": 0.0}, {"alpha": 1.0, "stop": "first_finished"}):
            beam = model.search(beam_search, max_length=4, beam_size=1, **scoring)
            for [one], [other] in zip(greedy, beam):
                assert one.tokens == other.tokens
                assert one.finished == other.finished
                assert one.log_prob == pytest.approx(other.log_prob, abs=1e-6)
                assert torch.equal(one.weights, other.weights)
        ended += sum(h.finished for [h] in greedy)
    assert 60 < ended < 180  # both kinds were compared


@pytest.mark.parametrize("function", [greedy_search, beam_search, exhaustive_search])
def test_a_batch_of_sentences_is_each_sentence_alone(function):
    scoring = {"alpha": 0.6} if function is beam_search else {}
    for seed in range(10):
        model, limits = ToyModel(seed, sentences=7), [4, 1, 2, 4, 3, 4, 2]
        together = model.search(function, max_length=limits, **scoring)
        for b, limit in enumerate(limits):
            memory, state = model.memory[b : b + 1], model.state[b : b + 1]
            [alone] = function(model.step, memory, state, max_length=limit, **scoring)
            assert [h[:4] for h in alone] == [h[:4] for h in together[b]]
            assert all(torch.equal(x.weights, y.weights) for x, y in zip(alone, together[b]))


class Nested(NamedTuple):
    keys: torch.Tensor
    more: dict


def test_every_tensor_of_a_nested_state_follows_its_prefix_and_memory_is_never_tiled():
    """The state holds each prefix twice; the memory holds each sentence's number."""
    model, widths = ToyModel(3, sentences=5), []

    def step(tokens, memory, state):
        rows = memory.keys
        assert type(memory.more["copy"]) is tuple and type(state["prefix"]) is list
        assert type(memory) is Nested and memory.keys is not memory.more["copy"][0]
        assert torch.equal(rows, memory.more["copy"][0][:, 0]) and memory.more["word"] == "kept"
        number, (prefix, owner) = state["number"], state["prefix"]
        assert torch.equal(owner, rows.unsqueeze(1).expand(owner.shape))
        spelled = torch.zeros_like(number)
        for column in prefix.unbind(-1):
            spelled = torch.where(column > 0, spelled * SIZE + column, spelled)
        assert torch.equal(spelled, number)  # state (B, K) and state (B, K, T) agree
        widths.append((len(rows), memory.more["copy"][0].shape[0], tokens.shape[1]))
        log_probs, number, weights = model.step(tokens, rows, number)
        written = torch.where(tokens == BOS, 0, tokens).unsqueeze(-1)
        prefix = torch.cat([prefix[..., 1:], written], -1)
        return log_probs, {"number": number, "prefix": [prefix, owner]}, weights

    memory = Nested(torch.arange(5), {"copy": (torch.arange(5).unsqueeze(1),), "word": "kept"})
    state = {
        "number": model.state,
        "prefix": [torch.zeros(5, 1, 6, dtype=torch.long), torch.arange(5).unsqueeze(1)],
    }
    results = beam_search(step, memory, state, max_length=4, beam_size=4, alpha=0.5)
    assert [h[:4] for [h] in results] == [
        h[:4] for [h] in model.search(beam_search, max_length=4, beam_size=4, alpha=0.5)
    ]
    assert widths[0] == (5, 5, 1) and all(rows == size for rows, size, _ in widths)
    results = sample_search(step, memory, state, max_length=4, samples=3)
    assert [len(hypotheses) for hypotheses in results] == [3] * 5


def test_finished_sentences_are_dropped():
    def step(tokens, memory, state):  # sentence b ends after b words, then it would never end
        sizes.append(tokens.shape[0])
        log_probs = torch.full((*tokens.shape, SIZE), -math.inf)
        log_probs[..., 4] = math.log(0.5)
        log_probs[..., 5] = math.log(0.4)
        log_probs[..., EOS] = torch.where(memory.unsqueeze(1) == state, -1e-6, -math.inf)
        return log_probs, state + 1, None

    for function in (greedy_search, beam_search):
        sizes = []
        results = function(step, torch.arange(4), torch.zeros(4, 1), max_length=30)
        assert [len(h.tokens) for [h] in results] == [0, 1, 2, 3]
        assert sizes == [4, 3, 2, 1]
        assert all(h.weights is None for [h] in results)


def test_min_length_forbids_an_earlier_end_and_padding_is_never_written():
    for seed in range(10):
        model = ToyModel(seed)
        expected = model.brute_force(4, shortest=2)[0][1]
        [[hypothesis]] = model.search(beam_search, max_length=4, min_length=2, beam_size=64)
        assert hypothesis.tokens == expected
        [[hypothesis]] = model.search(greedy_search, max_length=4, min_length=2)
        assert len(hypothesis.tokens) >= 2
        [hypotheses] = model.search(sample_search, max_length=4, samples=9)
        assert not {PAD, BOS} & {token for h in hypotheses for token in h.tokens}
    # Neither padding, nor the start, nor an end that is too early takes the place of the only word.
    step, options = fixed_step(0.3, 0.05, 0.3, 0.2, 0.1, 0.05), {"max_length": 2, "min_length": 1}
    [[hypothesis]] = beam_search(step, torch.zeros(1), None, beam_size=1, **options)
    assert hypothesis.tokens == [4]


def test_sampling_frequencies_match_the_distribution():
    model, draw = ToyModel(1, longest=3, sharpness=1.0), torch.Generator().manual_seed(0)
    [hypotheses] = model.search(sample_search, max_length=3, samples=20_000, generator=draw)
    counts = Counter((tuple(h.tokens), h.finished) for h in hypotheses)
    keep = [*WORDS, EOS]
    rows = model.log_probs[0].exp()
    for count in range(3):
        for words in itertools.product(WORDS, repeat=count):
            expected, prefix = 1.0, 0
            for token in (*words, EOS):  # pad and sos are banned: renormalise without them
                expected *= float(rows[prefix, token] / rows[prefix, keep].sum())
                prefix = prefix * SIZE + token
            sigma = math.sqrt(20_000 * expected)
            assert abs(counts[words, True] - 20_000 * expected) < 5 * sigma + 1
    for h in hypotheses[:40]:
        total, looks = model.log_prob(0, [*h.tokens, *[EOS] * h.finished])
        assert h.log_prob == h.score == pytest.approx(total, abs=1e-5)
        assert torch.allclose(h.weights, torch.tensor(looks))


def first_tokens(**options):
    step, draw = fixed_step(0.0, 0.1, 0.0, 0.15, 0.4, 0.35), torch.Generator().manual_seed(1)
    [hypotheses] = sample_search(
        step, torch.zeros(1), None, max_length=1, samples=4000, generator=draw, **options
    )
    return Counter(h.tokens[0] if h.tokens else EOS for h in hypotheses)


def test_top_k_top_p_and_temperature_change_the_distribution_as_defined():
    assert set(first_tokens()) == {1, 3, 4, 5}
    assert set(first_tokens(top_k=2)) == {4, 5}
    assert set(first_tokens(top_p=0.4)) == {4}
    assert set(first_tokens(top_p=0.41)) == {4, 5}
    assert set(first_tokens(top_p=0.9)) == {3, 4, 5}
    assert set(first_tokens(top_k=3, top_p=0.8)) == {4, 5}  # .4 + .35 are .83 of the best three
    cold = first_tokens(temperature=0.5)  # p² / Σp²
    total = 0.1**2 + 0.15**2 + 0.4**2 + 0.35**2
    assert cold[4] / 4000 == pytest.approx(0.4**2 / total, abs=0.04)
    assert cold[1] / 4000 == pytest.approx(0.1**2 / total, abs=0.02)


def test_the_same_generator_draws_the_same_samples():
    model = ToyModel(2, sentences=3)
    draws = [
        model.search(sample_search, max_length=4, generator=torch.Generator().manual_seed(s))
        for s in (7, 7, 8)
    ]
    tokens = [[h.tokens for [h] in results] for results in draws]
    assert tokens[0] == tokens[1] != tokens[2]


@pytest.mark.parametrize("value", [0.5, math.nan])
@pytest.mark.parametrize("function", ALL)
def test_one_logit_or_nan_among_many_log_probabilities_is_refused(function, value):
    for place in (EOS, 4, 1055):

        def step(tokens, memory, state):
            log_probs = torch.full((*tokens.shape, 1056), math.log(1 / 1056))
            log_probs[..., place] = value  # noqa: B023
            return log_probs, state, None

        with pytest.raises(ValueError, match="step must be a function that returns log-prob"):
            function(step, torch.zeros(1), None, max_length=3)


STUCK = "step must be .* some token that is not banned a probability above 0, got none in sentence"


@pytest.mark.parametrize("function", ALL)
def test_where_only_banned_tokens_are_possible_no_search_writes_one(function):
    """Sentence 0 may go on, sentence 1 is stuck, at once or after a word."""
    for stuck_at in (0, 1):

        def step(tokens, memory, state):
            free = torch.tensor([0.25, 0, 0.25, 0.0, 0.5]).log()
            stuck = torch.tensor([0.5, 0, 0.5, 0.0, 0.0]).log()
            here = (memory.unsqueeze(1) == 1) & (state == stuck_at)  # noqa: B023
            return torch.where(here.unsqueeze(2), stuck, free), state + 1, None

        start = (step, torch.arange(2), torch.zeros(2, 1, dtype=torch.long))
        if function is exhaustive_search:
            assert function(*start, max_length=3) == [[], []]
            continue
        with pytest.raises(ValueError, match=f"{STUCK} 1$"):
            function(*start, max_length=3)


def test_one_stuck_sample_of_several_is_enough_to_refuse():
    def step(tokens, memory, state):  # after a 4 nothing but padding, after a 1 the end
        table = torch.tensor([0, 0.5, 0, 0, 0.5]).log().repeat(*tokens.shape, 1)
        table[tokens == 4] = torch.tensor([1.0, 0, 0, 0, 0]).log()
        table[tokens == 1] = torch.tensor([0, 0, 0, 1.0, 0]).log()
        return table, state, None

    with pytest.raises(ValueError, match=f"{STUCK} 0$"):
        draw = torch.Generator().manual_seed(0)
        sample_search(step, torch.zeros(1), None, max_length=3, samples=16, generator=draw)


@pytest.mark.parametrize("function", ALL)
def test_where_only_the_end_is_possible_every_search_ends_there(function):
    """By the model, or because there is no other word: the vocabulary is smaller than the beam."""
    for probs in ((0.0, 0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)):
        for longest in (1, 4):
            [[hypothesis]] = function(fixed_step(*probs), torch.zeros(1), None, max_length=longest)
            assert (hypothesis.tokens, hypothesis.finished) == ([], True)
            assert hypothesis.log_prob == pytest.approx(0.0)
    if function in (greedy_search, beam_search):
        with pytest.raises(ValueError, match=f"{STUCK} 0$"):
            function(fixed_step(0, 0, 0, 1.0), torch.zeros(1), None, max_length=4, min_length=1)


def test_what_the_model_predicts_after_an_ending_does_not_matter():
    """One of two samples ends first; from then on the step has only nonsense for it."""
    for nonsense in (-math.inf, math.nan, 7.0):

        def step(tokens, memory, state):
            table = torch.tensor([0, 0, 0, 0.5, 0.5]).log().repeat(*tokens.shape, 1)
            table[tokens == EOS] = nonsense  # noqa: B023
            return table, state, None

        draw = torch.Generator().manual_seed(0)
        start = (step, torch.zeros(2), None)
        results = sample_search(*start, max_length=6, samples=8, generator=draw)
        assert len({len(h.tokens) for h in results[0]}) > 2
        for h in results[0] + results[1]:
            assert h.log_prob == pytest.approx((len(h.tokens) + h.finished) * math.log(0.5))


@pytest.mark.parametrize("temperature", [1e-320, 1e-45, 1e-3, 1e30, 1e300])
def test_no_temperature_is_too_low_or_too_high(temperature):
    counts = first_tokens(temperature=temperature)
    assert set(counts) == ({4} if temperature < 1 else {1, 3, 4, 5})


def test_an_empty_batch_gives_an_empty_list():
    for function in ALL:
        assert function(fixed_step(0.5, 0.5), torch.zeros(0), None, max_length=3) == []


def test_no_argument_is_changed_and_nothing_asks_for_gradients():
    model = ToyModel(0, sentences=2)
    model.log_probs.requires_grad_()
    model.weights.requires_grad_()
    before = [x.detach().clone() for x in (model.log_probs, model.weights, model.state)]
    for function in ALL:
        [[hypothesis], _] = model.search(function, max_length=4)
        assert not hypothesis.weights.requires_grad
    for old, new in zip(before, (model.log_probs, model.weights, model.state)):
        assert torch.equal(old, new)
