"""The recorded runs of chapters 01b and 02b: how far back a recurrent network learns to remember.

    python -m studies.memory                       # data/runs/01b_waiting.json
    python -m studies.memory --series 02b_recall   # data/runs/02b_recall.json
    python -m studies.memory --series 02b_adding   # data/runs/02b_adding.json

*Waiting*, for plain networks of three initial matrices, is chapter 01b's task: the first of 1 + T
symbols is wanted at the end. Each network is asked after 200 updates, the chapter's budget, and
after ten times as many; the rate is the chapter's, chosen at 200 updates on seeds 1 to 3.

*Recall*, for the LSTM with three forget biases: the first of 50 inputs is +1 or −1, random numbers
follow, and the first is wanted at the end. Seed 0, which is not reported, tries four learning
rates with each; the one with the most right answers, of all validations together, is the one with
which seeds 1 to 5 learn.

*Adding*: of T random numbers two are marked, and their sum is wanted at the end. A plain RNN is
also started in two ways that let more of the past through: with an orthogonal matrix (Saxe,
McClelland and Ganguli 2014), and with the identity, no biases and ReLU in the place of tanh (Le,
Jaitly and Hinton 2015). The cell of 1997 had no forget gate, and Hochreiter and Schmidhuber began
this problem with its input gates nearly shut, "to initially bias the input gate toward zero", with
biases of −3 and −6 (NIPS 9, 1997, Experiment 1; Neural Computation 9(8), 1997, §4 and §5.4): here
it is −3 in every unit, beside an LSTM of today that starts in the same way. A GRU has one gate for
keeping and writing; its bias of 3 opens the one and shuts the other. The learning rates of the
plain RNNs are the best of 1e-3, 3e-3 and 1e-2 at T = 20 (seed 1), which for the identity is the
highest that was tried, the LSTM's is the better of 3e-3 and 1e-2, and all other gated cells have
the LSTM's.

In adding all networks have parameters within 5 % and the same batches.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from attnlib.device import seed_everything

from . import records, runner

Batch = tuple[Tensor, Tensor]

# Waiting ----------------------------------------------------------------------------------------

MATRICES: dict[str, Callable[[Tensor], Any]] = {
    "torch's default": lambda w: nn.init.uniform_(w, -(len(w) ** -0.5), len(w) ** -0.5),
    "orthogonal": nn.init.orthogonal_,
    "orthogonal × 1.5": lambda w: nn.init.orthogonal_(w, gain=1.5),
}
WAITS = (10, 20, 40)
ASKED_AFTER = (200, 2000)  # updates
WAITING_RATE = 1e-2


def waiting_data(count: int, wait: int, generator: torch.Generator) -> Batch:
    """Symbols (count, 1 + wait), and the first of each, one of eight."""
    first = torch.randint(8, (count, 1), generator=generator)
    noise = torch.randint(8, 16, (count, wait), generator=generator)
    return torch.cat([first, noise], dim=1), first[:, 0]


def run_waiting(matrix: str, wait: int, seed: int) -> dict[str, Any]:
    generator = seed_everything(seed)
    embed, rnn, output = nn.Embedding(16, 16), nn.RNN(16, 32, batch_first=True), nn.Linear(32, 8)
    MATRICES[matrix](rnn.weight_hh_l0.data)
    optimizer = torch.optim.Adam(nn.ModuleList([embed, rnn, output]).parameters(), WAITING_RATE)
    test, right = waiting_data(500, wait, torch.Generator().manual_seed(99)), []
    for update in range(1, ASKED_AFTER[-1] + 1):
        symbols, first = waiting_data(32, wait, generator)
        loss = F.cross_entropy(output(rnn(embed(symbols))[1][0]), first)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if update in ASKED_AFTER:
            with torch.no_grad():
                answers = output(rnn(embed(test[0]))[1][0]).argmax(1)
            right.append(round((answers == test[1]).double().mean().item(), 3))
    return {"date": records.today(), "right": right}


# Recall and adding ------------------------------------------------------------------------------

RECALL_LENGTH = 50
ADDING_LENGTHS = (50, 100)
BATCH = 64
EVERY = 100  # updates between two validations
UPDATES = {"adding": 1500, "recall": 3000}
CELLS = {
    "rnn": "plain RNN, torch's initial weights",
    "rnn-orthogonal": "plain RNN, orthogonal start",
    "rnn-identity": "ReLU RNN, identity start",
    "lstm-0": "LSTM, forget bias 0",
    "lstm-1": "LSTM, forget bias 1",
    "lstm-3": "LSTM, forget bias 3",
    "lstm-3-shut": "LSTM, forget bias 3, input bias −3",
    "lstm-1997": "LSTM without a forget gate (f = 1)",
    "lstm-1997-shut": "LSTM without a forget gate (f = 1), input bias −3",
    "gru": "GRU, torch's initial weights",
    "gru-3": "GRU, update bias 3",
}
RECALLING = ("lstm-0", "lstm-1", "lstm-3")
RATES = (3e-4, 1e-3, 3e-3, 1e-2)
CHOOSING = 0  # the seed that tries every rate of recall, and is not reported


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
def make_network(cell: str) -> nn.Module:
    """Two numbers a step in; the widths make parameters within 5 %."""
    kind = cell.partition("-")[0]
    if cell.endswith("-shut"):
        network = make_network(cell.removesuffix("-shut"))
        network.bias_ih_l0[: network.hidden_size] = -3.0  # the input gates' come first
        network.bias_hh_l0[: network.hidden_size] = 0.0
        return network
    if cell == "lstm-1997":
        network = nn.LSTM(2, 37, batch_first=True)
        for tensor in (network.weight_ih_l0, network.weight_hh_l0, network.bias_hh_l0):
            tensor[37:74] = 0.0
        network.bias_ih_l0[37:74] = 100.0  # σ(100) is 1 in single precision, and its slope 0
        return network
    if kind == "lstm":
        network = nn.LSTM(2, 32, batch_first=True)
        network.bias_ih_l0[32:64] = float(cell.partition("-")[2])
        network.bias_hh_l0[32:64] = 0.0
        return network
    if kind == "gru":
        network = nn.GRU(2, 37, batch_first=True)
        if cell == "gru-3":  # the second gate, z: what it lets through is the old state
            network.bias_ih_l0[37:74] = 3.0
            network.bias_hh_l0[37:74] = 0.0
        return network
    start = cell.partition("-")[2]
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


def size(cell: str, model: nn.Module) -> int:
    """Parameters in use: the 1997 cell's forget gate is a constant."""
    total = sum(parameter.numel() for parameter in model.parameters())
    return total - 37 * (2 + 37 + 2) if cell.startswith("lstm-1997") else total


def train(task: str, cell: str, length: int, rate: float, seed: int) -> dict[str, Any]:
    generator = seed_everything(seed)
    network = make_network(cell)
    head = nn.Linear(network.hidden_size, 1 if task == "adding" else 2)
    model = nn.ModuleList([network, head])
    optimizer = torch.optim.Adam(model.parameters(), rate)
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
    return {"date": records.today(), "parameters": size(cell, model), "curve": curve}


def run_recall(cell: str, rate: float, seed: int) -> dict[str, Any]:
    return train("recall", cell, RECALL_LENGTH, rate, seed)


def chosen(cell: str) -> float | None:
    """The rate with the most right answers of the seed that chooses; None before its runs."""
    runs = records.read(records.path_of("02b_recall"), SERIES["02b_recall"].key)
    found = {
        rate: sum(run["curve"])
        for (name, rate, seed), run in runs.items()
        if (name, seed) == (cell, CHOOSING)
    }
    return max(found, key=lambda rate: found[rate]) if len(found) == len(RATES) else None


def run_adding(cell: str, length: int, seed: int) -> dict[str, Any]:
    rate = 3e-3 if cell in ("rnn", "rnn-orthogonal") else 1e-2
    return train("adding", cell, length, rate, seed)


# The series -------------------------------------------------------------------------------------


def header(series: str, what: str, **more: Any) -> dict[str, Any]:
    command = "python -m studies.memory" + (f" --series {series}" if series != FIRST else "")
    return {"what": what, "command": command, **more, **records.origin()}


def header_of_waiting() -> dict[str, Any]:
    what = "Share of 500 new strings whose first symbol is answered; guessing is right in 0.125."
    return header("01b_waiting", what, updates=ASKED_AFTER, rate=WAITING_RATE)


def header_of_recall() -> dict[str, Any]:
    return header(
        "02b_recall",
        "Share of 500 validation sequences of 50 steps whose first input is answered, every 100 "
        "updates; solved: more than 0.95. Guessing is right in 0.5.",
        updates=UPDATES["recall"],
        every=EVERY,
        batch=BATCH,
        rates={
            "tried": RATES,
            "by seed": CHOOSING,
        },
        variants={cell: CELLS[cell] for cell in RECALLING},
    )


def header_of_adding() -> dict[str, Any]:
    return header(
        "02b_adding",
        "Mean squared error of 500 validation sequences, every 100 updates; null where the network "
        "has diverged. Answering 1 every time has 0.167.",
        updates=UPDATES["adding"],
        every=EVERY,
        batch=BATCH,
        variants=CELLS,
    )


FIRST = "01b_waiting"
SERIES = {
    FIRST: runner.Series(
        FIRST,
        {"variant": list(MATRICES), "length": WAITS},
        run_waiting,
        header_of_waiting,
        seeds=range(4, 14),
    ),
    "02b_recall": runner.Series(
        "02b_recall",
        {"variant": RECALLING, "rate": RATES},
        run_recall,
        header_of_recall,
        skip=lambda cell, rate, seed: seed != CHOOSING and rate != chosen(cell),
        seeds=range(CHOOSING, 6),
    ),
    "02b_adding": runner.Series(
        "02b_adding",
        {"variant": list(CELLS), "length": ADDING_LENGTHS},
        run_adding,
        header_of_adding,
    ),
}


if __name__ == "__main__":
    which = runner.option("--series", choices=list(SERIES), default=FIRST)
    runner.main(__doc__, lambda series: SERIES[series], which)
