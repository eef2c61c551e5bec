"""Wrong answers to the exercises of chapter 2, and a part of the diagnosis meant for each."""


def _write(line: str) -> str:
    return (
        "def write_memory(cell, input_sum, forget_sum, candidate_sum):\n"
        "    import torch\n"
        "    i, f, g = input_sum, forget_sum, candidate_sum\n"
        f"    return {line}\n"
    )


def _lstm(*lines: str) -> str:
    """A learner's LSTM step: the lines after the sums of all four blocks."""
    head = (
        "def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):\n"
        "    import torch\n"
        "    h, c = state\n"
        "    a = torch.addmm(bias_ih, x, weight_ih.t()) + torch.addmm(bias_hh, h, weight_hh.t())\n"
        "    n = a.size(1) // 4\n"
    )
    return head + "".join(f"    {line}\n" for line in lines)


def _gru(*lines: str) -> str:
    """A learner's GRU step: the lines after the cutting of the weights."""
    head = (
        "def gru_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):\n"
        "    import torch\n"
        "    from torch.nn.functional import linear\n"
        "    wi, wh = weight_ih.chunk(3), weight_hh.chunk(3)\n"
        "    bi, bh = bias_ih.chunk(3), bias_hh.chunk(3)\n"
        "    h = state\n"
        "    r = torch.sigmoid(linear(x, wi[0], bi[0]) + linear(h, wh[0], bh[0]))\n"
        "    z = torch.sigmoid(linear(x, wi[1], bi[1]) + linear(h, wh[1], bh[1]))\n"
    )
    return head + "".join(f"    {line}\n" for line in lines)


def _bias(*lines: str) -> str:
    head = (
        "def with_forget_bias(bias_ih, bias_hh, value):\n"
        "    bias_ih, bias_hh = bias_ih.clone(), bias_hh.clone()\n"
        "    n = bias_ih.numel() // 4\n"
    )
    return head + "".join(f"    {line}\n" for line in (*lines, "return bias_ih, bias_hh"))


def _back(*lines: str) -> str:
    """A learner's backward step: the lines after the gates and the new cell state."""
    head = (
        "def lstm_step_back(grad_hidden, grad_cell, gates, cell, weight_hh):\n"
        "    import torch\n"
        "    n = cell.shape[1]\n"
        "    i, f, g, o = (gates[:, k * n:(k + 1) * n] for k in range(4))\n"
        "    new = torch.tanh(f * cell + i * g)\n"
    )
    return head + "".join(f"    {line}\n" for line in lines)


def _reach(*lines: str) -> str:
    """A learner's reach: the lines after the loop over time."""
    head = (
        "def lstm_reach(step, inputs, state):\n"
        "    import torch\n"
        "    hs, cs = [], []\n"
        "    for t in range(inputs.size(1)):\n"
        "        h, c = step(inputs[:, t], state)\n"
        "        state = (h, c)\n"
        "        hs.append(h)\n"
        "        cs.append(c)\n"
    )
    return head + "".join(f"    {line}\n" for line in lines)


def _adding(*lines: str) -> str:
    head = (
        "def adding_batch(values, first, second):\n"
        "    import torch\n"
        "    B, T = values.shape\n"
        "    inputs = torch.zeros(B, T, 2)\n"
    )
    return head + "".join(f"    {line}\n" for line in lines)


_SQUASH = ("i, f, g, o = a.chunk(4, 1)", "i, f, o = i.sigmoid(), f.sigmoid(), o.sigmoid()")
_SLOPES = (
    "d = torch.cat([dc * g * i * (1 - i), dc * cell * f * (1 - f), dc * i * (1 - g * g), do], 1)"
)
_DO = "do = grad_hidden * new * o * (1 - o)"
_DC = "dc = grad_cell + grad_hidden * o * (1 - new ** 2)"
_GRADS = "gs = torch.autograd.grad(hs[-1].sum(), cs)"
_NORMS = "r = torch.tensor([float(g.norm()) for g in reversed(gs)])"
_FILL = (
    "inputs[..., 0] = values",
    "for b in range(B):",
    "    inputs[b, first[b], 1] = 1",
    "    inputs[b, second[b], 1] = 1",
)

WRONG = [
    # write_memory
    ("write_memory", _write("cell * f + i * g"), "The sums are used as they are"),
    ("write_memory", _write("cell * f.sigmoid() + g * i.sigmoid()"), "The candidate is not bent"),
    (
        "write_memory",
        _write("f.sigmoid() * cell + i.sigmoid() * g.sigmoid()"),
        "nothing negative can be written",
    ),
    (
        "write_memory",
        _write("i.sigmoid() * cell + f.sigmoid() * g.tanh()"),
        "The two gates are exchanged",
    ),
    (
        "write_memory",
        _write("torch.lerp(g.tanh(), cell, f.sigmoid())"),
        "that is one gate for both",
    ),
    (
        "write_memory",
        _write("cell - f.sigmoid() * cell + i.sigmoid() * g.tanh()"),
        "f = 1 keeps the memory",
    ),
    (
        "write_memory",
        _write("(f.sigmoid() * cell + i.sigmoid() * g.tanh()).tanh()"),
        "the tanh comes when it is read",
    ),
    # lstm_step
    (
        "lstm_step",
        _lstm(
            "i, f, o, g = a.chunk(4, dim=1)",
            "c = f.sigmoid() * c + i.sigmoid() * g.tanh()",
            "return o.sigmoid() * c.tanh(), c",
        ),
        "The blocks are read as i, f, o, g",
    ),
    (
        "lstm_step",
        _lstm(
            "f, i, g, o = a.split(n, dim=1)",
            "c = c * torch.sigmoid(f) + torch.sigmoid(i) * torch.tanh(g)",
            "return torch.sigmoid(o) * torch.tanh(c), c",
        ),
        "Input gate and forget gate are exchanged",
    ),
    (
        "lstm_step",
        _lstm(
            "i, f, g, o = torch.sigmoid(a).chunk(4, 1)",
            "c = f * c + i * g",
            "return o * torch.tanh(c), c",
        ),
        "The candidate g goes through a sigmoid",
    ),
    (
        "lstm_step",
        _lstm(*_SQUASH, "c = f * c + i * g.tanh()", "return o * c, c"),
        "the tanh of the cell state is missing",
    ),
    (
        "lstm_step",
        _lstm(*_SQUASH, "out = o * c.tanh()", "c = f * c + i * g.tanh()", "return out, c"),
        "made of the old cell state",
    ),
    (
        "lstm_step",
        _lstm(*_SQUASH, "c = c + i * g.tanh()", "return o * c.tanh(), c"),
        "Nothing is ever forgotten",
    ),
    (
        "lstm_step",
        "def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):\n"
        "    import torch\n"
        "    h, c = state\n"
        "    a = x @ weight_ih.T + h @ weight_hh.T + bias_ih\n"
        "    i, f, g, o = a.chunk(4, 1)\n"
        "    c = f.sigmoid() * c + i.sigmoid() * g.tanh()\n"
        "    return o.sigmoid() * c.tanh(), c\n",
        "One of the two biases is left out",
    ),
    (
        "lstm_step",
        _lstm(*_SQUASH, "c = f * c + i * g.tanh()", "return c, o * c.tanh()"),
        "exchanged on the way out",
    ),
    (
        "lstm_step",
        "def lstm_step(x, state, weight_ih, weight_hh, bias_ih, bias_hh):\n"
        "    import torch\n"
        "    c, h = state\n"
        "    return torch.lstm_cell(x, (h, c), weight_ih, weight_hh, bias_ih, bias_hh)\n",
        "exchanged on the way in",
    ),
    (
        "lstm_step",
        _lstm(*_SQUASH, "c = f * c + i * g.tanh()", "return o * c.tanh()"),
        "is returned, where a tuple is expected",
    ),
    # with_forget_bias
    (
        "with_forget_bias",
        _bias("bias_ih[n:2 * n] = value", "bias_hh[n:2 * n] = value"),
        "the gate gets the value twice",
    ),
    ("with_forget_bias", _bias("bias_ih[n:2 * n].fill_(value)"), "make its block zero"),
    (
        "with_forget_bias",
        _bias("bias_ih[:n] = value", "bias_hh[:n] = 0"),
        "the block of the input gate",
    ),
    (
        "with_forget_bias",
        _bias("bias_ih[-2 * n:-n] = value", "bias_hh[-2 * n:-n] = 0"),
        "the block of the candidate g",
    ),
    (
        "with_forget_bias",
        _bias("bias_ih[-n:] = value", "bias_hh[-n:] = 0"),
        "the block of the output gate",
    ),
    (
        "with_forget_bias",
        _bias("bias_ih[:] = value", "bias_hh[:] = 0"),
        "fills all four blocks",
    ),
    (
        "with_forget_bias",
        _bias("bias_ih[n:2 * n] = bias_ih[n:2 * n] + value"),
        "It should replace it",
    ),
    (
        "with_forget_bias",
        "def with_forget_bias(bias_ih, bias_hh, value):\n"
        "    n = len(bias_ih) // 4\n"
        "    bias_ih[n:2 * n] = value\n"
        "    bias_hh[n:2 * n] = 0.0\n"
        "    return bias_ih, bias_hh\n",
        "was changed by the call",
    ),
    # cell_path
    (
        "cell_path",
        "def cell_path(forget):\n"
        "    import torch\n"
        "    T = len(forget)\n"
        "    return torch.stack([forget[t:].prod(dim=0) for t in range(T)])",
        "one gate too many",
    ),
    (
        "cell_path",
        "def cell_path(forget):\n"
        "    import torch\n"
        "    rows = [forget[0]]\n"
        "    for f in forget[1:]:\n"
        "        rows.append(rows[-1] * f)\n"
        "    return torch.stack(rows)",
        "from the beginning up to t",
    ),
    (
        "cell_path",
        "def cell_path(forget):\n"
        "    import torch\n"
        "    return torch.stack([forget[t:].sum(dim=0) for t in range(len(forget))])",
        "The gates are added up",
    ),
    (
        "cell_path",
        "def cell_path(forget):\n    return forget.prod(0, keepdim=True).repeat(len(forget), 1)",
        "Every row is the product of all gates",
    ),
    (
        "cell_path",
        "def cell_path(forget):\n"
        "    import torch\n"
        "    done = torch.cumprod(forget, dim=0)\n"
        "    return done[-1:] / done",
        "where a gate is 0 this is 0/0",
    ),
    (
        "cell_path",
        "def cell_path(forget):\n"
        "    import torch\n"
        "    out = torch.ones_like(forget)\n"
        "    out[:-1] = forget[1:]\n"
        "    return out",
        "not the whole way to T",
    ),
    (
        "cell_path",
        "def cell_path(forget):\n"
        "    import torch\n"
        "    out = torch.zeros_like(forget)\n"
        "    for t in range(len(forget) - 1):\n"
        "        out[t] = forget[t + 1:].prod(0)\n"
        "    return out",
        "the derivative of something with respect to itself",
    ),
    # lstm_step_back
    (
        "lstm_step_back",
        _back("dc = grad_cell", _DO, _SLOPES, "return d @ weight_hh, dc * f"),
        "has a second part",
    ),
    (
        "lstm_step_back",
        _back(
            "dc = grad_hidden * o * (1 - new ** 2)", _DO, _SLOPES, "return d @ weight_hh, dc * f"
        ),
        "grad_cell is not used",
    ),
    (
        "lstm_step_back",
        _back("dc = grad_cell + grad_hidden * o", _DO, _SLOPES, "return d @ weight_hh, dc * f"),
        "its slope 1 − tanh²(c_t) is missing",
    ),
    (
        "lstm_step_back",
        _back("new = torch.tanh(cell)", _DC, _DO, _SLOPES, "return d @ weight_hh, dc * f"),
        "tanh is taken of the old cell state",
    ),
    (
        "lstm_step_back",
        _back(
            _DC,
            "d = torch.cat([dc * g, dc * cell, dc * i, grad_hidden * new], 1)",
            "return d @ weight_hh, dc * f",
        ),
        "multiply by the slopes",
    ),
    (
        "lstm_step_back",
        _back(
            _DC,
            "d = torch.cat([dc * g, dc * cell, dc * i, grad_hidden * new], 1)",
            "return (d * gates * (1 - gates)) @ weight_hh, dc * f",
        ),
        "The slope of g is that of a sigmoid",
    ),
    (
        "lstm_step_back",
        _back(_DC, "do = 0 * o", _SLOPES, "return d @ weight_hh, dc * f"),
        "The output gate depends on h_{t−1}, too",
    ),
    (
        "lstm_step_back",
        _back(_DC, _DO, _SLOPES, "return d @ weight_hh, dc"),
        "One step further back stands the forget gate",
    ),
    # lstm_reach
    (
        "lstm_reach",
        _reach(_GRADS, _NORMS, "return (r / r[0]).flip(0)"),
        "The list runs from the first step to the last",
    ),
    ("lstm_reach", _reach(_GRADS, _NORMS, "return r"), "These are the bare lengths"),
    (
        "lstm_reach",
        _reach("gs = torch.autograd.grad(h.sum(), hs)", _NORMS, "return r / r[0]"),
        "with respect to the hidden states",
    ),
    (
        "lstm_reach",
        _reach(
            _GRADS,
            "r = torch.stack([(g * g).sum() for g in gs[::-1]])",
            "return r / r[0]",
        ),
        "These are squares of lengths",
    ),
    (
        "lstm_reach",
        _reach("gs = torch.autograd.grad(torch.stack(hs).sum(), cs)", _NORMS, "return r / r[0]"),
        "The hidden states of all steps",
    ),
    ("lstm_reach", _reach(_GRADS, _NORMS, "return r / max(r)"), "by the largest of them"),
    ("lstm_reach", _reach(_GRADS, _NORMS, "return r / r[-1]"), "by the length at the first step"),
    # adding_batch
    (
        "adding_batch",
        _adding(
            "inputs[:, :, 0] = values",
            "inputs[:, first, 1] = 1",
            "inputs[:, second, 1] = 1",
            "return inputs, inputs.prod(-1).sum(-1)",
        ),
        "marks the positions of *all* rows",
    ),
    (
        "adding_batch",
        _adding(*_FILL, "return inputs, values.sum(dim=1)"),
        "the sum of all numbers",
    ),
    (
        "adding_batch",
        _adding(*_FILL, "t = values[inputs[..., 1] == 1].view(B, 2)", "return inputs, t.mean(1)"),
        "the mean of the two",
    ),
    (
        "adding_batch",
        _adding(
            *_FILL,
            "total = (values * inputs[..., 1]).sum(1)",
            "return inputs[..., [1, 0]], total",
        ),
        "The two features are exchanged",
    ),
    (
        "adding_batch",
        _adding(
            "inputs[..., 0] = values",
            "for b in range(B):",
            "    inputs[b, first[b] - 1, 1] = 1",
            "    inputs[b, second[b] - 1, 1] = 1",
            "return inputs, (inputs[..., 0] * inputs[..., 1]).sum(1)",
        ),
        "Positions are counted from 0",
    ),
    (
        "adding_batch",
        _adding(
            *_FILL, "rows = range(B)", "return inputs, values[rows, first] * values[rows, second]"
        ),
        "the product of the two",
    ),
    (
        "adding_batch",
        _adding(
            *_FILL,
            "inputs[..., 1] = inputs[..., 1] * values",
            "return inputs, inputs[..., 1].sum(1)",
        ),
        "Feature 1 holds the marked numbers themselves",
    ),
    # gru_step
    (
        "gru_step",
        _gru(
            "n = torch.tanh(linear(x, wi[2], bi[2]) + linear(r * h, wh[2], bh[2]))",
            "return (1 - z) * n + z * h",
        ),
        "*before* the matrix",
    ),
    (
        "gru_step",
        _gru(
            "n = torch.tanh(linear(x, wi[2], bi[2]) + r * linear(h, wh[2], bh[2]))",
            "return z * n + (1 - z) * h",
        ),
        "z works the other way round",
    ),
    (
        "gru_step",
        _gru(
            "n = torch.tanh(linear(x, wi[2], bi[2]) + linear(r * h, wh[2], bh[2]))",
            "return h + z * (n - h)",
        ),
        "Both conventions are those of Bahdanau",
    ),
    (
        "gru_step",
        _gru(
            "z, r = r, z",
            "n = torch.tanh(linear(x, wi[2], bi[2]) + r * linear(h, wh[2], bh[2]))",
            "return (1 - z) * n + z * h",
        ),
        "The blocks are read as z, r, n",
    ),
    (
        "gru_step",
        _gru(
            "n = torch.tanh(linear(x, wi[2], bi[2]) + r * linear(h, wh[2]) + bh[2])",
            "return (1 - z) * n + z * h",
        ),
        "stands inside the bracket",
    ),
    (
        "gru_step",
        _gru(
            "n = torch.tanh(r * (linear(x, wi[2], bi[2]) + linear(h, wh[2], bh[2])))",
            "return (1 - z) * n + z * h",
        ),
        "r multiplies the input's part",
    ),
    (
        "gru_step",
        _gru(
            "n = torch.tanh(linear(x, wi[2], bi[2]) + linear(h, wh[2], bh[2]))",
            "return n - z * n + z * h",
        ),
        "The reset gate r is not used",
    ),
    (
        "gru_step",
        _gru(
            "n = torch.sigmoid(linear(x, wi[2], bi[2]) + r * linear(h, wh[2], bh[2]))",
            "return (1 - z) * n + z * h",
        ),
        "The candidate n goes through a sigmoid",
    ),
]
