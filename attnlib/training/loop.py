"""Training: the loss, the loop, validation, the best weights, and a resume that changes nothing.

The randomness of an update (dropout, coins, which batch) depends on the seed and the update's
number alone. A run that was stopped and resumed therefore ends with the same weights as one that
was not, and a checkpoint needs no state of any random generator.
"""

import dataclasses
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, distributed, nn
from torch.nn.utils import clip_grad_norm_
from tqdm.auto import tqdm

from ..data import Batch, Batches, make_batch
from ..device import autocast, choose_precision
from ..files import StorageError
from ..model import Seq2Seq
from .checkpoint import load_weights, read_tensors, write_tensors
from .loss import token_cross_entropy

BEST, RESUME = "model.safetensors", "resume.safetensors"  # the two files of a run's directory


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How long and how fast to train. Give ``updates``, or ``minutes`` to train by the clock."""

    updates: int | None = 1000
    minutes: float | None = None
    learning_rate: float = 2e-3  # the peak, after the warm-up
    warmup: int = 100  # updates from 0 to the peak
    final_rate: float = 0.02  # what the linear decay ends at, as a share of the peak
    label_smoothing: float = 0.1
    clip: float = 1.0  # largest gradient norm (Pascanu et al. 2013)
    validate_every: int = 500  # updates between two validations, each also a checkpoint
    patience: int | None = None  # stop after so many validations without a new best
    precision: str | None = None  # "fp32", "bf16", or None: bf16 where it is fast
    seed: int = 1

    def __post_init__(self) -> None:
        if (self.updates is None) == (self.minutes is None):
            raise ValueError(f"give updates or minutes, got {self.updates} and {self.minutes}")
        for name in ("updates", "minutes", "learning_rate", "clip", "validate_every", "patience"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be larger than 0, got {value}")
        if self.warmup < 0 or self.seed < 0:
            raise ValueError(f"warmup and seed must be at least 0, got {self.warmup}, {self.seed}")

    def rate(self, update: int, done: float) -> float:
        """Learning rate of an update: linear warm-up, then linear decay over the share done.

        >>> recipe = Recipe(updates=100, learning_rate=1.0, warmup=10, final_rate=0.0)
        >>> recipe.rate(0, 0.0), recipe.rate(50, 0.5)
        (0.1, 0.5)
        """
        decay = 1 - (1 - self.final_rate) * min(done, 1.0)
        return self.learning_rate * min((update + 1) / max(self.warmup, 1), decay)


@dataclasses.dataclass
class History:
    """What happened: one row a validation, in lists of equal length, and where it stopped."""

    update: list[int] = dataclasses.field(default_factory=list)
    train_loss: list[float] = dataclasses.field(default_factory=list)  # nats, smoothed
    valid_loss: list[float] = dataclasses.field(default_factory=list)  # nats, teacher-forced
    score: list[float] = dataclasses.field(default_factory=list)  # higher is better
    best_update: int = 0
    best_score: float = float("-inf")
    updates: int = 0
    epoch: int = 0
    position: int = 0  # batches of this epoch already seen
    seconds: float = 0.0


def batch_loss(
    model: Seq2Seq,
    batch: Batch,
    label_smoothing: float = 0.0,
    teacher_forcing: float = 1.0,
    generator: torch.Generator | None = None,
) -> Float[Tensor, ""]:
    """Cross-entropy per real target token, in nats: padding is never even predicted."""
    features, _ = model.features(
        batch.src, batch.src_mask, batch.tgt_in, teacher_forcing, generator
    )
    logits = model.output(features[batch.tgt_mask])  # (N, V), N real tokens
    return token_cross_entropy(logits, batch.tgt_out[batch.tgt_mask], label_smoothing)


@torch.no_grad()
def teacher_forced_loss(model: Seq2Seq, batches: Iterable[Batch]) -> float:
    """Negative log-likelihood per token, in nats, *given the gold prefix at every step*.

    It is exact and cheap, but it is not what the model does when it translates: there it reads
    its own output. exp() of it is the perplexity. Raises ValueError where there is no batch.
    """
    device = next(model.parameters()).device
    was_training = model.training
    model.eval()
    total, tokens = 0.0, 0
    for batch in batches:
        count = int(batch.tgt_mask.sum())
        total += batch_loss(model, batch.to(device)).item() * count
        tokens += count
    model.train(was_training)
    if not tokens:
        raise ValueError("batches must hold at least one sentence, got none")
    return total / tokens


def fit(
    model: Seq2Seq,
    batches: Batches,
    recipe: Recipe,
    *,
    valid: list[Batch] | None = None,
    score: Callable[[Seq2Seq], float] | None = None,
    teacher_forcing: Callable[[int], float] | None = None,
    directory: Path | str | None = None,
    resume: bool = False,
    progress: bool = True,
) -> History:
    """Train a model in place and leave it with its best weights.

    Arguments: batches, the training corpus; valid, batches whose teacher-forced loss is watched;
    score, model → number, higher is better, which decides what is best (−valid loss where None,
    and the last weights where there is no valid either); teacher_forcing, update → probability of
    the gold token (attnlib.schedules; None: always gold); directory, where checkpoints go;
    resume, go on from the one there.

    Ctrl-C finishes the update, saves, and raises KeyboardInterrupt. Under ``torchrun`` every
    process takes its share of the batches and gradients are averaged. Returns the History.
    Raises StorageError for a directory that cannot be used and FloatingPointError where the loss
    is no longer a number.
    """
    run = _Run(model, batches, recipe, Path(directory) if directory else None)
    if resume:
        run.load()
    with torch.random.fork_rng(), _stop_on_interrupt() as stop:
        bar = tqdm(
            total=recipe.updates,
            initial=run.history.updates,
            disable=not progress or run.rank > 0,
            mininterval=1.0,  # seconds: a notebook that gets ten messages a second loses some
        )
        while not run.finished() and not run.agree(stop.is_set()):
            loss = run.update(teacher_forcing)
            bar.update()
            bar.set_postfix_str(f"loss {loss:.3f}", refresh=False)
            if run.finished() or run.history.updates % recipe.validate_every == 0:
                run.validate(valid, score)
        bar.close()
        if not run.finished():
            run.save()
            raise KeyboardInterrupt
    run.restore_best()
    return run.history


class _Run:
    """One training run: what must survive a stop (model, optimiser, history) and how to step."""

    def __init__(
        self, model: Seq2Seq, batches: Batches, recipe: Recipe, directory: Path | None
    ) -> None:
        self.model, self.batches, self.recipe, self.directory = model, batches, recipe, directory
        self.device = next(model.parameters()).device
        self.precision = choose_precision(recipe.precision, self.device)
        self.parameters = dict(model.named_parameters())  # a shared table appears once
        self.optimizer = _adam(list(self.parameters.values()))
        self.history = History()
        self.best: dict[str, Tensor] = {}
        self.losses: list[float] = []  # since the last validation
        joined = distributed.is_available() and distributed.is_initialized()
        self.rank = distributed.get_rank() if joined else 0
        self.world = distributed.get_world_size() if joined else 1
        self.stream = self._batches()

    def finished(self) -> bool:
        recipe, history = self.recipe, self.history
        if recipe.patience and len(history.update) - self._best_row() >= recipe.patience:
            return True
        return self._done() >= 1.0

    def agree(self, stop: bool) -> bool:
        """Whether to stop: yes for all processes as soon as one was asked, at the same update."""
        if self.world > 1:
            said = torch.tensor([float(stop), self.history.seconds], device=self.device)
            distributed.all_reduce(said, distributed.ReduceOp.MAX)
            stop, self.history.seconds = bool(said[0]), float(said[1])
        return stop

    def _done(self) -> float:
        if self.recipe.minutes is not None:
            return self.history.seconds / (60 * self.recipe.minutes)
        return self.history.updates / (self.recipe.updates or 1)

    def _best_row(self) -> int:
        """How many validations there were up to and including the best."""
        return sum(update <= self.history.best_update for update in self.history.update)

    def _batches(self) -> Iterator[Batch]:
        """This process's batches, from where the history stands, epoch after epoch."""
        while True:
            plan = self.batches.plan(self.history.epoch)
            while self.history.position + self.world <= len(plan):
                chosen = plan[self.history.position + self.rank]
                self.history.position += self.world
                src, tgt = self.batches.src, self.batches.tgt
                yield make_batch([src[i] for i in chosen], [tgt[i] for i in chosen])
            self.history.epoch, self.history.position = self.history.epoch + 1, 0

    def update(self, teacher_forcing: Callable[[int], float] | None) -> float:
        """One step down the gradient; returns the loss before it."""
        began, number = time.monotonic(), self.history.updates
        batch = next(self.stream).to(self.device)
        # One seed for every (run, update, process): nothing needs to be remembered.
        seed = (self.recipe.seed * 1_000_003 + number) * 64 + self.rank
        torch.manual_seed(seed)
        coins = torch.Generator().manual_seed(seed + 2**40)
        gold = 1.0 if teacher_forcing is None else teacher_forcing(number)
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate(number, self._done())
        self.model.train()
        with autocast(self.precision, self.device):
            loss = batch_loss(self.model, batch, self.recipe.label_smoothing, gold, coins)
        self.optimizer.zero_grad()
        loss.backward()
        self._average_gradients()
        clip_grad_norm_(self.parameters.values(), self.recipe.clip)
        self.optimizer.step()
        value = loss.item()
        if value != value:
            raise FloatingPointError(
                f"the loss of update {number} is not a number; try a smaller learning rate"
            )
        self.losses.append(value)
        self.history.updates += 1
        self.history.seconds += time.monotonic() - began
        return value

    def _average_gradients(self) -> None:
        if self.world > 1:
            for parameter in self.parameters.values():
                if parameter.grad is not None:
                    distributed.all_reduce(parameter.grad)
                    parameter.grad /= self.world

    def validate(self, valid: list[Batch] | None, score: Callable[[Seq2Seq], float] | None) -> None:
        """Note how good the model is, keep it where it is the best so far, and save."""
        history = self.history
        loss = teacher_forced_loss(self.model, valid) if valid else float("nan")
        self.model.eval()
        with torch.no_grad():
            # Without any measure the newest weights count as the best.
            value = score(self.model) if score else -loss if valid else float(history.updates)
        history.update.append(history.updates)
        history.train_loss.append(sum(self.losses) / max(len(self.losses), 1))
        history.valid_loss.append(loss)
        history.score.append(value)
        self.losses = []
        if value > history.best_score:
            history.best_score, history.best_update = value, history.updates
            self.best = {name: p.detach().clone() for name, p in self.parameters.items()}
            if self.directory and self.rank == 0:
                write_tensors(self.directory / BEST, self.best)
        self.save()

    def restore_best(self) -> None:
        load_weights(self.model, self.best)
        self.model.eval()

    def save(self) -> None:
        """Write the checkpoint from which this run can go on as if it had never stopped."""
        if self.directory is None or self.rank > 0:
            return
        tensors: dict[str, Tensor] = {f"model.{n}": p for n, p in self.parameters.items()}
        tensors.update({f"best.{name}": p for name, p in self.best.items()})
        for name, parameter in self.parameters.items():
            for key, value in self.optimizer.state[parameter].items():
                tensors[f"optimizer.{key}.{name}"] = value
        about = {"history": dataclasses.asdict(self.history), "losses": self.losses}
        about["recipe"] = dataclasses.asdict(self.recipe)
        write_tensors(self.directory / RESUME, tensors, about)

    def load(self) -> None:
        """Go back to the checkpoint in the directory."""
        if self.directory is None:
            raise ValueError("resume needs the directory of the run to go on with, got none")
        path = self.directory / RESUME
        tensors, about = read_tensors(path)
        groups: dict[str, dict[str, Tensor]] = {}
        for key, tensor in tensors.items():
            group, name = key.split(".", 1)
            groups.setdefault(group, {})[name] = tensor
        _check_same_recipe(about["recipe"], dataclasses.asdict(self.recipe), path)
        load_weights(self.model, groups.get("model", {}), path)
        self.best = {n: t.to(self.device) for n, t in groups.get("best", {}).items()}
        state = self.optimizer.state_dict()
        number = {name: k for k, name in enumerate(self.parameters)}
        for key, tensor in groups.get("optimizer", {}).items():
            moment, name = key.split(".", 1)
            state["state"].setdefault(number[name], {})[moment] = tensor
        self.optimizer.load_state_dict(state)  # which also knows what belongs on which device
        self.history = History(**about["history"])
        self.losses = about["losses"]


def _adam(parameters: list[nn.Parameter]) -> torch.optim.Adam:
    betas = (0.9, 0.98)
    try:
        return torch.optim.Adam(parameters, betas=betas, fused=True)
    except RuntimeError:  # an older torch fuses on CUDA alone; the numbers are the same
        return torch.optim.Adam(parameters, betas=betas)


def _check_same_recipe(saved: dict[str, Any], given: dict[str, Any], path: Path) -> None:
    for name, value in given.items():
        if saved.get(name) != value:
            raise StorageError(
                f"{path} was begun with {name}={saved.get(name)}, not {value}; resume it with the "
                "same settings or train into another directory"
            )


@contextmanager
def _stop_on_interrupt() -> Iterator[threading.Event]:
    """Turn the first Ctrl-C into a flag, so that no update is left half done; the second raises."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # only the main thread may change signal handlers
        return
    before = signal.getsignal(signal.SIGINT)

    def handler(number: int, frame: Any) -> None:
        stop.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, handler)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
