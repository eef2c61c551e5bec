"""Recurrent networks: three cells from scratch, unrolled over time, and read in both directions.

The cells have torch's parameter names, shapes and gate order, so their weights can be exchanged
with ``nn.RNNCell``, ``nn.LSTMCell`` and ``nn.GRUCell`` by ``load_state_dict``. They are written to
be read; where speed counts, the models use the fused ``nn.LSTM``, ``nn.GRU`` and ``nn.RNN``.
"""

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from ..checks import as_int, as_number, check_name, check_sizes, require
from ..masking import check_floats, check_mask, check_padding, summary

Input: TypeAlias = Float[Tensor, "B E"]  # x_t of every row
Hidden: TypeAlias = Float[Tensor, "B H"]  # h_t
LSTMState = tuple[Tensor, Tensor]  # (hidden, cell), each (B, H)
State = Tensor | LSTMState


class _Cell(nn.Module):
    """Weights shared by the three cells: ``gates`` stacked blocks of H rows each."""

    gates = 1

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__()
        self.input_size = as_int("input_size", input_size)
        self.hidden_size = as_int("hidden_size", hidden_size)
        rows = self.gates * hidden_size
        self.weight_ih = nn.Parameter(torch.empty(rows, input_size))
        self.weight_hh = nn.Parameter(torch.empty(rows, hidden_size))
        self.bias_ih = nn.Parameter(torch.empty(rows))
        self.bias_hh = nn.Parameter(torch.empty(rows))  # redundant beside bias_ih; torch has both
        bound = 1 / math.sqrt(hidden_size)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -bound, bound)

    def from_input(self, x: Float[Tensor, "B E"]) -> Float[Tensor, "B GH"]:
        return x @ self.weight_ih.T + self.bias_ih

    def from_hidden(self, hidden: Float[Tensor, "B H"]) -> Float[Tensor, "B GH"]:
        return hidden @ self.weight_hh.T + self.bias_hh

    def start(self, x: Input) -> Hidden:
        check_floats(input=x)
        return x.new_zeros(*x.shape[:-1], self.hidden_size)

    def check(self, x: Input, *states: Hidden) -> None:
        """Refuse what does not fit the weights, and a state that would be spread over the rows."""
        check_floats(input=x)
        fits = x.dim() == 2 and x.shape[1] == self.input_size
        require(fits, "input", f"of shape (B, {self.input_size})", tuple(x.shape))
        rows = (x.shape[0], self.hidden_size)
        for state in states:
            check_floats(state=state)
            expected = f"of shape {rows}, one row for each of the input"
            require(state.shape == rows, "state", expected, tuple(state.shape))


class RNNCell(_Cell):
    """One step of a plain recurrent network (Elman 1990).

    h_t = tanh(W_ih x_t + b_ih + W_hh h_{t−1} + b_hh)

    Arguments of the call: x (B, E); state h_{t−1} (B, H), zeros where None. Returns h_t (B, H).
    Raises ValueError where x has another number of features, or the state another shape.

    >>> cell = RNNCell(1, 1)
    >>> _ = cell.load_state_dict({name: torch.ones_like(p) for name, p in cell.named_parameters()})
    >>> bool(torch.isclose(cell(torch.ones(1, 1)), torch.tensor(3.0).tanh()))
    True
    """

    def forward(self, x: Input, state: Hidden | None = None) -> Hidden:
        hidden = self.start(x) if state is None else state
        self.check(x, hidden)
        return torch.tanh(self.from_input(x) + self.from_hidden(hidden))


class LSTMCell(_Cell):
    """One step of a long short-term memory with a forget gate (Gers et al. 2000).

    i, f, o = σ(W_i* x_t + W_h* h_{t−1} + b)    g = tanh(W_ig x_t + W_hg h_{t−1} + b)
    c_t = f ⊙ c_{t−1} + i ⊙ g                   h_t = o ⊙ tanh(c_t)

    Gates lie in torch's order i, f, g, o. Arguments of the call: x (B, E); state (hidden, cell),
    each (B, H), zeros where None. Returns (hidden, cell). Raises ValueError as ``RNNCell`` does.

    >>> hidden, cell = LSTMCell(3, 2)(torch.zeros(4, 3))
    >>> hidden.shape, cell.shape
    (torch.Size([4, 2]), torch.Size([4, 2]))
    """

    gates = 4

    def forward(self, x: Input, state: LSTMState | None = None) -> LSTMState:
        pair = state is None or isinstance(state, tuple | list) and len(state) == 2
        require(pair, "state", "the pair (hidden, cell)", type(state))
        hidden, cell = state or (self.start(x), self.start(x))
        self.check(x, hidden, cell)
        i, f, g, o = (self.from_input(x) + self.from_hidden(hidden)).chunk(4, dim=-1)  # (B, H)
        cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
        hidden = torch.sigmoid(o) * torch.tanh(cell)
        return hidden, cell

    @torch.no_grad()
    def set_forget_bias(self, value: float) -> "LSTMCell":
        """Let the forget gate start at σ(value): torch has two biases, so one of them is zeroed.

        >>> cell = LSTMCell(3, 1).set_forget_bias(2.0)
        >>> cell.bias_ih[1].item() + cell.bias_hh[1].item()
        2.0
        """
        require(math.isfinite(as_number(value)), "value", "a finite number", value)
        block = slice(self.hidden_size, 2 * self.hidden_size)
        self.bias_ih[block] = value
        self.bias_hh[block] = 0.0
        return self


class GRUCell(_Cell):
    """One step of a gated recurrent unit as torch defines it (after Cho et al. 2014a).

    r, z = σ(W_i* x_t + b_i* + W_h* h_{t−1} + b_h*)
    n = tanh(W_in x_t + b_in + r ⊙ (W_hn h_{t−1} + b_hn))    h_t = (1 − z) ⊙ n + z ⊙ h_{t−1}

    Gates lie in torch's order r, z, n. One difference from the paper: r multiplies after the matrix
    product. (Bahdanau et al. 2015, §A.1.1, write the same cell with z and 1 − z exchanged.)
    Arguments of the call: x (B, E); state h_{t−1} (B, H), zeros where None. Returns h_t (B, H).
    Raises ValueError as ``RNNCell`` does.

    >>> GRUCell(3, 2)(torch.zeros(4, 3)).shape
    torch.Size([4, 2])
    """

    gates = 3

    def forward(self, x: Input, state: Hidden | None = None) -> Hidden:
        hidden = self.start(x) if state is None else state
        self.check(x, hidden)
        r_in, z_in, n_in = self.from_input(x).chunk(3, dim=-1)  # (B, H)
        r_hid, z_hid, n_hid = self.from_hidden(hidden).chunk(3, dim=-1)  # (B, H)
        reset = torch.sigmoid(r_in + r_hid)
        update = torch.sigmoid(z_in + z_hid)
        candidate = torch.tanh(n_in + reset * n_hid)
        return (1 - update) * candidate + update * hidden


def unroll(
    cell: nn.Module,
    inputs: Float[Tensor, "B T E"],
    state: State | None = None,
    mask: Bool[Tensor, "B T"] | None = None,
) -> tuple[Float[Tensor, "B T H"], State]:
    """Run a cell over time, the loop that "recurrent" means.

    At padding (mask False) the state is carried on unchanged, so the returned state of every row
    is the one after its last real token, however much padding follows.

    Arguments: cell, one of the cells above or torch's; inputs (B, T, E); state as the cell takes
    it; mask (B, T) bool, True = real token. Returns the hidden states (B, T, H) and the last
    state. Raises ValueError for inputs without a time step, and a mask of another shape.

    >>> outputs, last = unroll(RNNCell(2, 3), torch.zeros(1, 5, 2))
    >>> outputs.shape, bool((outputs[:, -1] == last).all())
    (torch.Size([1, 5, 3]), True)
    """
    steps = isinstance(inputs, Tensor) and inputs.dim() == 3 and inputs.shape[1] > 0
    require(steps, "inputs", "at least one time step, (B, T, E)", summary(inputs))
    if mask is not None:
        check_mask(mask, *inputs.shape[:2])
    outputs = []
    for t in range(inputs.shape[1]):
        new: State = cell(inputs[:, t], state)
        if mask is not None:
            new = _keep_where_padded(mask[:, t].unsqueeze(1), new, state)
        state = new
        outputs.append(new[0] if isinstance(new, tuple) else new)
    return torch.stack(outputs, dim=1), new


def _keep_where_padded(real: Bool[Tensor, "B 1"], new: Any, old: Any) -> Any:
    """The new state of rows whose token is real; of the others the old one, at first zeros."""
    if isinstance(new, tuple):
        hidden, cell = old or (None, None)
        return _keep_where_padded(real, new[0], hidden), _keep_where_padded(real, new[1], cell)
    return torch.where(real, new, torch.zeros_like(new) if old is None else old)


LAYERS: dict[str, Any] = {"lstm": nn.LSTM, "gru": nn.GRU, "rnn": nn.RNN}


def make_layer(cell: str, input_size: int, hidden_size: int) -> nn.RNNBase:
    """torch's fused layer of a cell, batch first: "lstm", "gru" or "rnn".

    Raises ValueError for another cell, and suggests the nearest, or a size below 1.

    >>> make_layer("gru", 3, 2)
    GRU(3, 2, batch_first=True)
    """
    check_name("cell", cell, tuple(LAYERS))
    check_sizes(input_size=input_size, hidden_size=hidden_size)
    return LAYERS[cell](input_size, hidden_size, batch_first=True)  # type: ignore[no-any-return]


def run_layer(
    layer: nn.RNNBase, inputs: Float[Tensor, "N T I"], state: Sequence[Float[Tensor, "N H"]]
) -> tuple[Float[Tensor, "N T H"], Sequence[Float[Tensor, "N H"]]]:
    """Run torch's layer from a first state: all hidden states, and the last state.

    Arguments: a batch-first layer; inputs (N, T, I); state, a sequence of (hidden, cell) for an
    LSTM and of (hidden,) for the others, each (N, H). The last state is such a sequence again.

    >>> layer = make_layer("gru", 2, 3)
    >>> outputs, (last,) = run_layer(layer, torch.zeros(4, 5, 2), [torch.zeros(4, 3)])
    >>> outputs.shape, bool((last == outputs[:, -1]).all())
    (torch.Size([4, 5, 3]), True)
    """
    first = [part.unsqueeze(0).contiguous() for part in state]  # (1, N, H); cuDNN takes no other
    if isinstance(layer, nn.LSTM):
        outputs, last = layer(inputs, tuple(first))
    else:
        outputs, hidden = layer(inputs, first[0])
        last = (hidden,)
    return outputs, [part.squeeze(0) for part in last]


def reverse_real(x: Float[Tensor, "B S F"], mask: Bool[Tensor, "B S"]) -> Float[Tensor, "B S F"]:
    """Reverse each row's real tokens and leave its padding at the end; its own undoing.

    Arguments: x (B, S, F), real tokens first; mask (B, S) bool, True = real token. Returns
    (B, S, F). Raises ValueError for a mask of another shape, or with padding before a real token.

    >>> x = torch.tensor([[[1.0], [2.0], [3.0], [0.0]]])
    >>> reverse_real(x, torch.tensor([[True, True, True, False]])).flatten().tolist()
    [3.0, 2.0, 1.0, 0.0]
    """
    check_padding(mask, "x", x)
    position = torch.arange(x.shape[1], device=x.device).expand(x.shape[:2])  # (B, S)
    mirrored = mask.sum(1, keepdim=True) - 1 - position  # negative at padding
    source = torch.where(mask, mirrored, position)
    return x.gather(1, source.unsqueeze(-1).expand_as(x))


def last_real(x: Float[Tensor, "B S F"], mask: Bool[Tensor, "B S"]) -> Float[Tensor, "B F"]:
    """Each row at its last real position, which ``x[:, -1]`` is only for the longest row.

    Arguments: x (B, S, F), real tokens first; mask (B, S) bool, True = real token. Returns (B, F);
    of a row without a real token beside others its first position. Raises ValueError for a mask of
    another shape, with padding before a real token, or without any.

    >>> x = torch.tensor([[[1.0], [2.0], [0.0]]])
    >>> last_real(x, torch.tensor([[True, True, False]])).tolist()
    [[2.0]]
    """
    check_padding(mask, "x", x)
    last = (mask.sum(1) - 1).clamp_min(0)
    return x[torch.arange(x.shape[0], device=x.device), last]


def read_forward(
    layer: nn.Module, inputs: Float[Tensor, "B S E"], mask: Bool[Tensor, "B S"]
) -> tuple[Float[Tensor, "B S H"], Float[Tensor, "B H"]]:
    """Read left to right: the states →h_j and the state after each row's last real token.

    Arguments: layer, a batch-first ``nn.LSTM``, ``nn.GRU`` or ``nn.RNN``; inputs (B, S, E); mask
    (B, S) bool, True = real token. Returns states (B, S, H), of which those at padding mean
    nothing, and the final state (B, H). Raises ValueError as ``last_real`` does.

    >>> mask = torch.tensor([[True, True, False]])
    >>> states, final = read_forward(nn.GRU(2, 3, batch_first=True), torch.zeros(1, 3, 2), mask)
    >>> bool((final == states[:, 1]).all())
    True
    """
    check_floats(inputs=inputs)
    check_padding(mask, "inputs", inputs)
    states, _ = layer(inputs)  # padding comes last, so no real state has seen it
    return states, last_real(states, mask)


def read_both_ways(
    forward_layer: nn.Module,
    backward_layer: nn.Module,
    inputs: Float[Tensor, "B S E"],
    mask: Bool[Tensor, "B S"],
) -> tuple[Float[Tensor, "B S D"], Float[Tensor, "B D"]]:
    """Bidirectional states h_j = [→h_j ; ←h_j] (Bahdanau et al. 2015, §3.2), exact under padding.

    The second layer reads each row's real tokens in reverse and its states are turned back, so it
    never meets padding first. That needs no packing and is the same on every device.

    Arguments: two batch-first layers; inputs (B, S, E); mask (B, S) bool, True = real token.
    Returns states (B, S, 2H) and the final states [→h_S ; ←h_1] (B, 2H). Raises ValueError as
    ``last_real`` does.

    >>> layers = [nn.GRU(2, 3, batch_first=True) for _ in range(2)]
    >>> states, final = read_both_ways(*layers, torch.zeros(4, 5, 2), torch.ones(4, 5).bool())
    >>> states.shape, final.shape
    (torch.Size([4, 5, 6]), torch.Size([4, 6]))
    """
    left_to_right, last = read_forward(forward_layer, inputs, mask)
    reversed_states, first = read_forward(backward_layer, reverse_real(inputs, mask), mask)
    right_to_left = reverse_real(reversed_states, mask)
    return torch.cat([left_to_right, right_to_left], dim=-1), torch.cat([last, first], dim=-1)
