"""What can be said of any module, and in which mode it is asked."""

import pytest
from torch import nn

from attnlib.model import evaluating


def modes(model):
    return [part.training for part in model.modules()]


def test_a_part_may_be_evaluated_inside_of_the_whole_and_an_error_ends_both():
    model = nn.Sequential(nn.Dropout(), nn.Linear(2, 2))
    model[1].eval()
    before = modes(model)
    with evaluating(model):
        with pytest.raises(KeyError), evaluating(model[0]):
            raise KeyError
        assert not any(modes(model))
    assert modes(model) == before == [True, True, False]
