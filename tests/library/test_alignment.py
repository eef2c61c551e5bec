"""Alignment measures against hand counts, closed forms and an independent definition."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attnlib.data import Links, format_links, parse_links
from attnlib.metrics import aer, best_shift, links_from_weights, probability_mass

link_sets = st.frozensets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)
gold_links = st.builds(lambda sure, more: Links(sure, sure | more), link_sets, link_sets)


@given(gold_links)
def test_links_survive_writing_and_reading(links):
    assert parse_links(format_links(links)) == links


def test_links_from_weights_follow_the_largest_weight_of_each_row():
    weights = [[0.1, 0.7, 0.2], [0.4, 0.2, 0.4], [0.0, 0.0, 0.0], [0.0, 0.1, 0.9]]
    expected = {(1, 0), (0, 1), (2, 3)}  # the first of a tie; no link from a row of zeros
    assert links_from_weights(weights) == expected
    assert links_from_weights(np.array(weights)) == expected
    assert links_from_weights(torch.tensor(weights, requires_grad=True)) == expected
    assert links_from_weights(torch.zeros(0, 3)) == frozenset()


@given(gold_links)
def test_the_error_of_the_sure_links_themselves_is_zero(gold):
    assert aer(gold.sure, gold) == 0
    assert aer(gold.possible, Links(frozenset(), gold.possible)) == 0


@given(link_sets, gold_links)
def test_the_error_lies_between_zero_and_one(predicted, gold):
    assert 0 <= aer(predicted, gold) <= 1


@given(link_sets, link_sets)
def test_where_all_links_are_sure_the_error_is_one_minus_f1(predicted, sure):
    if predicted & sure:
        precision = len(predicted & sure) / len(predicted)
        recall = len(predicted & sure) / len(sure)
        f1 = 2 * precision * recall / (precision + recall)
        assert aer(predicted, Links(sure, sure)) == pytest.approx(1 - f1)


def test_the_error_of_a_worked_example():
    gold = parse_links("0-0 1-1 2?1 3?3")
    # A has 4 links: one sure, two more possible, one wrong. 1 − (1 + 3) / (4 + 2).
    assert aer({(0, 0), (2, 1), (3, 3), (0, 4)}, gold) == pytest.approx(1 - 4 / 6)


def test_the_error_of_a_corpus_sums_the_counts_first():
    golds = [parse_links("0-0"), parse_links("0-0 1-1 2-2")]
    links = [{(0, 0)}, {(0, 1), (1, 0), (2, 2)}]
    assert aer(links, golds) == pytest.approx(1 - (2 + 2) / (4 + 4))
    assert aer(links, golds) != pytest.approx(
        (aer(links[0], golds[0]) + aer(links[1], golds[1])) / 2
    )
    assert aer([], []) == 0


def test_possible_links_need_not_repeat_the_sure_ones():
    assert aer({(0, 0)}, Links(frozenset({(0, 0)}), frozenset())) == 0


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_the_best_shift_undoes_a_displacement_of_the_rows(shift):
    generator, weights, golds = torch.Generator().manual_seed(0), [], []
    for size in (5, 6, 7):
        order = torch.randperm(size, generator=generator).tolist()
        golds.append(Links(frozenset((j, t) for t, j in enumerate(order)), frozenset()))
        rows = torch.rand(size, size, generator=generator) * 0.5
        for t, j in enumerate(order):
            if 0 <= t - shift < size:
                rows[t - shift, j] = 1.0
        weights.append(rows)
        assert best_shift(rows, golds[-1]) == shift
    assert best_shift(weights, golds) == shift


def test_no_shift_wins_a_tie():
    assert best_shift([[1.0, 0.0]], parse_links("1-0")) == 0
    assert best_shift([[0.0, 1.0]], Links(frozenset(), frozenset())) == 0


def test_probability_mass_of_a_worked_example():
    weights = torch.tensor(
        [[0.5, 0.4, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6], [0.2, 0.2, 0.6], [1.0, 0.0, 0.0]]
    )
    gold = parse_links("0-0 1-0 2-1 1-2 2-2 0-3 2?4")  # word 4 has no sure link: left out
    assert probability_mass(weights, gold) == pytest.approx((0.9 + 0.3 + 0.9 + 0.2) / 4)


def test_measures_of_a_corpus_average_over_words_not_sentences():
    weights = [[[0.75, 0.25]], [[0.25, 0.75], [0.25, 0.75], [0.0, 1.0]]]
    golds = [parse_links("0-0"), parse_links("0-0 0-1 0-2")]
    assert probability_mass(weights, golds) == pytest.approx((0.75 + 0.25 + 0.25) / 4)
    assert math.isnan(probability_mass(weights[0], parse_links("0?0")))
    assert math.isnan(probability_mass([], []))
