"""The cells are torch's cells; unrolling and reading both ways are exact under padding."""

import pytest
import torch
from torch import nn

from attnlib.masking import lengths_to_mask
from attnlib.model import (
    GRUCell,
    LSTMCell,
    RNNCell,
    last_real,
    make_layer,
    read_both_ways,
    reverse_real,
    unroll,
)
from attnlib.model.recurrent import run_layer
from attnlib.model.single_step import run_single_step

PAIRS = [
    (RNNCell, nn.RNNCell, nn.RNN),
    (LSTMCell, nn.LSTMCell, nn.LSTM),
    (GRUCell, nn.GRUCell, nn.GRU),
]


def hidden_of(state):
    return state[0] if isinstance(state, tuple) else state


@pytest.mark.parametrize("ours, theirs, layer", PAIRS)
def test_a_cell_equals_torchs_in_values_and_all_gradients(ours, theirs, layer):
    cell, oracle = ours(5, 4).double(), theirs(5, 4).double()
    cell.load_state_dict(oracle.state_dict())
    x = torch.randn(3, 5, dtype=torch.float64, requires_grad=True)
    parts = [torch.randn(3, 4, dtype=torch.float64, requires_grad=True) for _ in range(2)]
    state = tuple(parts) if ours is LSTMCell else parts[0]
    results = []
    for module in (cell, oracle):
        new = module(x, state)
        total = sum(
            (part * (k + 2)).pow(2).sum()
            for k, part in enumerate(new if isinstance(new, tuple) else (new,))
        )
        inputs = [x, parts[0], *([parts[1]] if ours is LSTMCell else []), *module.parameters()]
        results.append((hidden_of(new), *torch.autograd.grad(total, inputs)))
    for mine, torchs in zip(*results):
        assert torch.allclose(mine, torchs, atol=1e-12)


@pytest.mark.parametrize("ours, theirs, layer", PAIRS)
def test_a_new_cell_draws_its_weights_as_torch_does(ours, theirs, layer):
    weights = torch.cat([p.detach().flatten() for p in ours(60, 64).parameters()])
    assert weights.abs().max() <= 1 / 8 and weights.abs().max() > 0.124
    assert abs(weights.mean()) < 0.005


@pytest.mark.parametrize("ours, theirs, layer", PAIRS)
def test_unrolling_a_cell_equals_torchs_layer(ours, theirs, layer):
    cell, oracle = ours(3, 4), layer(3, 4, batch_first=True)
    oracle.load_state_dict({f"{name}_l0": p for name, p in cell.state_dict().items()})
    inputs = torch.randn(2, 6, 3)
    outputs, state = unroll(cell, inputs)
    expected, last = oracle(inputs)
    assert torch.allclose(outputs, expected, atol=1e-6)
    assert torch.allclose(hidden_of(state), hidden_of(last)[0], atol=1e-6)


@pytest.mark.parametrize("ours, theirs, layer", PAIRS)
def test_the_last_state_of_a_padded_row_is_that_of_the_row_alone(ours, theirs, layer):
    cell, inputs, mask = ours(3, 4), torch.randn(3, 6, 3), lengths_to_mask(torch.tensor([6, 2, 1]))
    _, state = unroll(cell, inputs, mask=mask)
    for row, length in enumerate([6, 2, 1]):
        _, alone = unroll(cell, inputs[row : row + 1, :length])
        for part, expected in zip(
            state if isinstance(state, tuple) else (state,),
            alone if isinstance(alone, tuple) else (alone,),
        ):
            assert torch.allclose(part[row], expected[0], atol=1e-6)


def test_setting_the_forget_bias_leaves_the_other_gates_as_they_were():
    cell = LSTMCell(2, 3)
    before = cell.bias_ih.clone(), cell.bias_hh.clone()
    assert cell.set_forget_bias(-2.0) is cell
    for bias, old in zip((cell.bias_ih, cell.bias_hh), before):
        assert torch.equal(bias[:3], old[:3]) and torch.equal(bias[6:], old[6:])
    assert cell.bias_ih[3:6].tolist() == [-2.0] * 3 and cell.bias_hh[3:6].tolist() == [0.0] * 3


@pytest.mark.parametrize("ours, theirs, layer", PAIRS)
def test_unrolling_goes_on_from_a_state(ours, theirs, layer):
    cell, inputs = ours(3, 4), torch.randn(2, 6, 3)
    mask = lengths_to_mask(torch.tensor([6, 1]))
    whole, end = unroll(cell, inputs, mask=mask)
    first, state = unroll(cell, inputs[:, :2], mask=mask[:, :2])
    rest, last = unroll(cell, inputs[:, 2:], state, mask[:, 2:])
    assert torch.equal(torch.cat([first, rest], dim=1), whole)
    assert torch.equal(hidden_of(last), hidden_of(end))


def test_reversing_twice_gives_the_batch_again_and_padding_stays_at_the_end():
    x, mask = torch.randn(3, 5, 2), lengths_to_mask(torch.tensor([5, 3, 1]))
    once = reverse_real(x, mask)
    assert torch.equal(once[1, :3], x[1, :3].flip(0)) and torch.equal(once[1, 3:], x[1, 3:])
    assert torch.equal(reverse_real(once, mask), x)


@pytest.mark.parametrize("layer", [nn.RNN, nn.LSTM, nn.GRU])
def test_reading_both_ways_equals_torchs_packed_bidirectional_layer(layer):
    lengths = torch.tensor([6, 4, 1])
    oracle = layer(3, 4, batch_first=True, bidirectional=True)
    ahead, back = layer(3, 4, batch_first=True), layer(3, 4, batch_first=True)
    weights = oracle.state_dict()
    ahead.load_state_dict({n: p for n, p in weights.items() if not n.endswith("_reverse")})
    back.load_state_dict(
        {n.removesuffix("_reverse"): p for n, p in weights.items() if n.endswith("_reverse")}
    )
    inputs, mask = torch.randn(3, 6, 3), lengths_to_mask(lengths)
    packed = nn.utils.rnn.pack_padded_sequence(inputs, lengths, batch_first=True)
    outputs, last = oracle(packed)
    expected, _ = nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True)
    states, final = read_both_ways(ahead, back, inputs, mask)
    assert torch.allclose(states[mask], expected[mask], atol=1e-6)
    assert torch.allclose(final, torch.cat(list(hidden_of(last)), dim=-1), atol=1e-6)


def test_a_cell_may_be_unrolled_over_padding_anywhere():
    cell, inputs = GRUCell(3, 4), torch.randn(2, 4, 3)
    first = lengths_to_mask(torch.tensor([4, 2]))
    hole = torch.tensor([[True, True, True, True], [True, False, True, False]])
    for mask in (first.flip(1), ~first, hole):
        _, state = unroll(cell, inputs, mask=mask)
        for row, real in enumerate(mask):
            if real.any():
                _, alone = unroll(cell, inputs[row : row + 1, real])
                assert torch.allclose(state[row], alone[0], atol=1e-6)


def test_a_batch_of_no_sentences_is_read_and_turned():
    x, mask = torch.randn(0, 4, 3), torch.ones(0, 4).bool()
    layers = (nn.GRU(3, 4, batch_first=True) for _ in range(2))
    states, final = read_both_ways(*layers, x, mask)
    assert (states.shape, final.shape) == ((0, 4, 8), (0, 8))
    assert reverse_real(x, mask).shape == x.shape and last_real(x, mask).shape == (0, 3)


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_a_single_step_is_what_the_layer_computes_of_one_with_the_same_gradients(cell: str) -> None:
    layer = make_layer(cell, 3, 4)
    inputs = torch.randn(5, 1, 3, requires_grad=True)
    state = [torch.randn(5, 4) for _ in range(2 if cell == "lstm" else 1)]
    results = []
    for run in (run_layer, run_single_step):
        outputs, last = run(layer, inputs, state)
        leaves = [inputs, *layer.parameters()]
        results.append([outputs, *last, *torch.autograd.grad(outputs.square().sum(), leaves)])
    torch.testing.assert_close(*results)
