"""What can be said of any module, and in which mode it is asked."""

from threading import Barrier, Thread

import pytest
from torch import nn

from attnlib.model import evaluating


def modes(model):
    return [part.training for part in model.modules()]


@pytest.mark.parametrize("training", [True, False])
def test_a_model_that_several_threads_evaluate_is_afterwards_in_the_mode_it_was_in(training):
    """One begins while another is inside, and ends after it; and the other way round."""
    model = nn.Sequential(nn.Dropout(), nn.Linear(2, 2)).train(training)
    model[1].train(not training)
    before, seen, begun, ended = modes(model), [], Barrier(3), Barrier(3)

    def ask(leaves_first):
        with evaluating(model):
            begun.wait(60)
            seen.append(modes(model))
            if not leaves_first:
                ended.wait(60)
                seen.append(modes(model))
        if leaves_first:
            ended.wait(60)

    threads = [Thread(target=ask, args=(first,)) for first in (True, False, True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert seen == [[False] * 3] * 4
    assert modes(model) == before


def test_a_part_may_be_evaluated_inside_of_the_whole_and_an_error_ends_both():
    model = nn.Sequential(nn.Dropout(), nn.Linear(2, 2))
    with evaluating(model):
        with pytest.raises(KeyError), evaluating(model[0]):
            raise KeyError
        assert not any(modes(model))
    assert all(modes(model))
