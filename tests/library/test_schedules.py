"""Schedules against their closed forms."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnlib.training import (
    constant_schedule,
    exponential_decay,
    inverse_sigmoid,
    linear_decay,
)

steps = st.integers(0, 10**7)
some = [
    constant_schedule(0.3),
    linear_decay(0.001, start=0.9, floor=0.2),
    exponential_decay(0.999),
    inverse_sigmoid(50),
]


@given(st.sampled_from(some), steps, steps)
def test_every_schedule_is_a_probability_that_never_rises(schedule, one, other):
    early, late = sorted((one, other))
    assert 0 <= schedule(late) <= schedule(early) <= 1


def test_linear_falls_by_the_slope_from_start_to_floor():
    schedule = linear_decay(0.1, start=0.9, floor=0.25)
    assert [schedule(i) for i in (0, 1, 6, 7, 1000)] == pytest.approx([0.9, 0.8, 0.3, 0.25, 0.25])
    assert linear_decay(1 / 5000)(5000) == 0
    assert linear_decay(1 / 5000)(2500) == 0.5
    assert linear_decay(0)(10**6) == 1.0


@given(st.floats(1, 1000), st.integers(0, 5000))
def test_inverse_sigmoid_is_the_formula_of_the_paper(rate, step):
    if step / rate < 700:
        expected = rate / (rate + math.exp(step / rate))
        assert inverse_sigmoid(rate)(step) == pytest.approx(expected, abs=1e-12)
