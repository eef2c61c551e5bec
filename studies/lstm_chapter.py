"""The recorded runs of chapter 2: what a plain RNN, an LSTM and a GRU learn about distance.

    python -m studies.lstm_chapter                  # data/runs/02_lstm.json
    python -m studies.lstm_chapter --series 02_gates  # data/runs/02_gates.json

Two tasks, at distances of 20, 50 and 100 steps, three seeds of everything, one thread. *Adding*: of
T random numbers two are marked, and their sum is wanted at the end. *Recall*, for the LSTM with
three forget biases: the first input is +1 or −1, random numbers follow, and the first is wanted at
the end. The plain RNN is also started in two ways that let more of the past through: with an
orthogonal matrix (Saxe, McClelland and Ganguli 2014), and with the identity, no biases and ReLU in
the place of tanh (Le, Jaitly and Hinton 2015). All networks have parameters within 5 %, the same
batches and the same number of updates. The learning rates of the plain RNNs on the adding problem
are the best of 1e-3, 3e-3 and 1e-2 at T = 20 (seed 1), which for the identity is the highest that
was tried, the LSTM's the better of 3e-3 and 1e-2, and the GRU has the LSTM's; recall, where 1e-2
failed, has 3e-3.

``02_gates`` asks where else a gate may start, on both tasks, with the same batches, rates and
updates. The cell of 1997 had no forget gate, and Hochreiter and Schmidhuber began the adding
problem with its input gates nearly shut, "to initially bias the input gate toward zero", with
biases of −3 and −6 (NIPS 9, 1997, Experiment 1; Neural Computation 9(8), 1997, §4 and §5.4): here
it is −3 in every unit, beside an LSTM of today that starts in the same way. A GRU has one gate for
keeping and writing; its bias of 3 opens the one and shuts the other.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnlib.device import seed_everything

from . import records, runner

DISTANCES = (20, 50, 100)
BATCH = 64
EVERY = 100  # updates between two validations
UPDATES = {"adding": 1500, "recall": 600}
VARIANTS = {
    "rnn": "plain RNN, torch's initial weights",
    "rnn-orthogonal": "plain RNN, orthogonal start",
    "rnn-identity": "ReLU RNN, identity start",
    "lstm-0": "LSTM, forget bias 0",
    "lstm-1": "LSTM, forget bias 1",
    "lstm-3": "LSTM, forget bias 3",
    "lstm-1997": "LSTM without a forget gate (f = 1)",
    "gru": "GRU, torch's initial weights",
}
RECALL = ("lstm-0", "lstm-1", "lstm-3")  # the task that separates the forget biases
GATES = {  # those of 02_gates
    "lstm-1997": VARIANTS["lstm-1997"],
    "lstm-1997-shut": "LSTM without a forget gate (f = 1), input bias −3",
    "lstm-3-shut": "LSTM, forget bias 3, input bias −3",
    "gru": VARIANTS["gru"],
    "gru-3": "GRU, update bias 3",
}
Batch = tuple[Tensor, Tensor]


def adding_data(count: int, length: int, generator: torch.Generator) -> Batch:
    """Numbers and marks (B, T, 2), one mark in each half, and the sums of the marked (B,)."""
    values = torch.rand(count, length, generator=generator)
    half = length // 2
    first = torch.randint(half, (count,), generator=generator)
    second = half + torch.randint(length - half, (count,), generator=generator)
    marks = torch.zeros(count, length)
    marks[torch.arange(count), first] = 1.0
    marks[torch.arange(count), second] = 1.0
    return torch.stack([values, marks], dim=-1), (values * marks).sum(1)


def recall_data(count: int, length: int, generator: torch.Generator) -> Batch:
    """A sign, then random numbers in another feature (B, T, 2), and the signs as 0 or 1 (B,)."""
    inputs = torch.zeros(count, length, 2)
    inputs[:, 1:, 0] = 2 * torch.rand(count, length - 1, generator=generator) - 1
    signs = torch.randint(2, (count,), generator=generator)
    inputs[:, 0, 1] = 2.0 * signs - 1
    return inputs, signs


@torch.no_grad()
def make_network(variant: str) -> nn.Module:
    """Two numbers a step in; the widths make parameters within 5 %."""
    kind = variant.partition("-")[0]
    if variant.endswith("-shut"):
        network = make_network(variant.removesuffix("-shut"))
        network.bias_ih_l0[: network.hidden_size] = -3.0  # the input gates' come first
        network.bias_hh_l0[: network.hidden_size] = 0.0
        return network
    if variant == "lstm-1997":
        network = nn.LSTM(2, 37, batch_first=True)
        for tensor in (network.weight_ih_l0, network.weight_hh_l0, network.bias_hh_l0):
            tensor[37:74] = 0.0
        network.bias_ih_l0[37:74] = 100.0  # σ(100) is 1 in single precision, and its slope 0
        return network
    if kind == "lstm":
        network = nn.LSTM(2, 32, batch_first=True)
        network.bias_ih_l0[32:64] = float(variant.partition("-")[2])
        network.bias_hh_l0[32:64] = 0.0
        return network
    if kind == "gru":
        network = nn.GRU(2, 37, batch_first=True)
        if variant == "gru-3":  # the second gate, z: what it lets through is the old state
            network.bias_ih_l0[37:74] = 3.0
            network.bias_hh_l0[37:74] = 0.0
        return network
    start = variant.partition("-")[2]
    bend = "relu" if start == "identity" else "tanh"
    network = nn.RNN(2, 66, batch_first=True, nonlinearity=bend)
    if start == "orthogonal":
        nn.init.orthogonal_(network.weight_hh_l0)
    elif start == "identity":  # Le et al. §2: I, zero biases, and inputs of standard deviation .001
        nn.init.eye_(network.weight_hh_l0)
        nn.init.normal_(network.weight_ih_l0, std=0.001)
        for bias in (network.bias_ih_l0, network.bias_hh_l0):
            nn.init.zeros_(bias)
    return network


def size(variant: str, model: nn.Module) -> int:
    """Parameters in use: the 1997 cell's forget gate is a constant."""
    total = sum(parameter.numel() for parameter in model.parameters())
    return total - 37 * (2 + 37 + 2) if variant.startswith("lstm-1997") else total


def learning_rate(variant: str, task: str) -> float:
    slow = ("rnn", "rnn-orthogonal")
    return 3e-3 if task == "recall" or variant in slow else 1e-2


def train(task: str, variant: str, length: int, seed: int) -> dict[str, Any]:
    generator = seed_everything(seed)
    network = make_network(variant)
    head = nn.Linear(network.hidden_size, 1 if task == "adding" else 2)
    model = nn.ModuleList([network, head])
    optimizer = torch.optim.Adam(model.parameters(), learning_rate(variant, task))
    make: Callable[..., Batch] = adding_data if task == "adding" else recall_data
    validation = make(500, length, torch.Generator().manual_seed(99))
    curve = []
    for update in range(1, UPDATES[task] + 1):
        inputs, wanted = make(BATCH, length, generator)
        answer = head(network(inputs)[0][:, -1])
        if task == "adding":
            loss = F.mse_loss(answer.squeeze(1), wanted)
        else:
            loss = F.cross_entropy(answer, wanted)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if update % EVERY == 0:
            with torch.no_grad():
                answer = head(network(validation[0])[0][:, -1])
            if task == "adding":
                score = F.mse_loss(answer.squeeze(1), validation[1])
            else:
                score = (answer.argmax(1) == validation[1]).float().mean()
            # JSON has no NaN; a network that has diverged has no score.
            curve.append(round(score.item(), 5) if score.isfinite() else None)
    return {"date": records.today(), "parameters": size(variant, model), "curve": curve}


def header() -> dict[str, Any]:
    return {
        "command": "python -m studies.lstm_chapter",
        "measured": "500 validation sequences: mean squared error (adding), accuracy (recall); "
        "null where the network has diverged",
        "updates": UPDATES,
        "every": EVERY,
        "batch": BATCH,
        **records.origin(),
        "variants": VARIANTS,
    }


def header_of_gates() -> dict[str, Any]:
    command = "python -m studies.lstm_chapter --series 02_gates"
    return {**header(), "command": command, "variants": GATES}


SERIES = {
    "02_lstm": runner.Series(
        "02_lstm",
        {"task": list(UPDATES), "variant": list(VARIANTS), "length": DISTANCES},
        train,
        header,
        skip=lambda task, variant, *_: task == "recall" and variant not in RECALL,
    ),
    "02_gates": runner.Series(
        "02_gates",
        {"task": list(UPDATES), "variant": list(GATES), "length": DISTANCES},
        train,
        header_of_gates,
        skip=lambda task, variant, *_: task == "adding" and variant in VARIANTS,  # in 02_lstm
    ),
}


if __name__ == "__main__":
    which = runner.option("--series", choices=list(SERIES), default="02_lstm")
    runner.main(__doc__, lambda series: SERIES[series], which)
