"""Training: the loop, validation, the best weights, and a resume that changes nothing.

The randomness of an update (dropout, coins, which batch) depends on the seed and the update's
number alone. A run that was stopped and resumed therefore ends with the same weights as one that
was not, and a checkpoint needs no state of any random generator.
"""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import clip_grad_norm_
from tqdm.auto import tqdm

from ..data import Batch, Batches, make_batch
from ..device import autocast, choose_precision, own_randomness, seed_device
from ..model import Seq2Seq
from .checkpoint import RESUME, Run, identify, keeping, load_weights
from .distributed import Processes
from .loss import batch_loss, evaluating, teacher_forced_loss
from .recipe import History, Recipe
from .schedules import Schedule


def fit(
    model: Seq2Seq, batches: Batches, recipe: Recipe, *, valid: list[Batch] | None = None,
    score: Callable[[Seq2Seq], float] | None = None,
    teacher_forcing: Schedule | None = None, directory: Path | str | None = None,
    resume: bool = False, about: Mapping[str, Any] | None = None,
    beside: Mapping[str, Any] | None = None, progress: bool = True,
) -> History:  # fmt: skip
    """Train a model in place and leave it with its best weights.

    Arguments: batches, the training corpus; valid, batches whose teacher-forced loss is watched;
    score, model → number, higher is better, which decides what is best (−valid loss where None,
    and the last weights where there is no valid either); teacher_forcing, update → probability of
    the gold token (a schedule of ``attnlib.training``; None: always gold); directory, where
    checkpoints go; resume, go on from the one there, in the precision it was begun with unless
    the recipe names one; about, what else (JSON values) must be the same when the run is resumed;
    beside, JSON files (name → value) that are written there first, and whose digests the file of
    the best weights bears.

    Ctrl-C finishes the update, saves, and raises KeyboardInterrupt; what asks the program to end
    (SIGTERM, or SIGHUP when its terminal is closed) saves likewise and raises SystemExit. Under
    ``torchrun`` every process takes its share of every batch, and the weights are those that one
    process would have found, up to rounding; but dropout and coins are drawn by each for its own
    sentences, so that with them only their distribution is the same. A run may be resumed with
    more processes or fewer. Returns the History. Raises StorageError for a directory that cannot
    be used, that another process is training into or that holds another run, ValueError for a
    precision that the device does not have and for more processes than a batch has sentence
    pairs, and FloatingPointError where the loss, its gradient or the score is no longer a number;
    the weights are then those before that update.
    """
    if resume and directory is None:
        raise ValueError("resume needs the directory of the run to go on with, got none")
    folder = None if directory is None else Path(directory)
    trainer = _Trainer(model, batches, recipe, teacher_forcing or (lambda update: 1.0))
    run, processes = trainer.run, trainer.processes
    identity = identify(model, batches, recipe, about or {}) if folder else {}
    if folder and resume:
        begun = run.load(folder / RESUME, identity)
        if recipe.precision is None:
            trainer.precision = choose_precision(begun.get("precision"), trainer.device)
    identity["precision"] = trainer.precision
    # A notebook that gets ten messages a second loses some.
    seen: Any = {"disable": not progress or processes.rank > 0, "mininterval": 1.0}
    seen |= {"total": recipe.updates, "initial": run.history.updates}
    writes, stopped = folder if processes.rank == 0 else None, 0.0
    kept = keeping(run, writes, identity, beside or {}, resume)
    apart = own_randomness(trainer.device)
    with kept as save, apart, _stop_on_signals() as heard, tqdm(**seen) as bar:
        while not (over := not trainer.unseen and recipe.finished(run.history)) and not stopped:
            trainer.update()
            bar.update()
            if trainer.unseen:
                continue  # a GPU is at work, and nothing is decided before it has answered
            bar.set_postfix_str(f"loss {run.losses[-1]:.3f}", refresh=False)
            (stopped,) = processes.mean(float(bool(heard)))  # one that is asked stops them all
            due = recipe.finished(run.history) or run.history.updates % recipe.validate_every == 0
            best = due and trainer.validate(valid, score)
            if due or stopped:
                save(best)
    if not over:
        asked_to_end = [number for number in heard if number != signal.SIGINT]
        raise SystemExit(128 + asked_to_end[0]) if asked_to_end else KeyboardInterrupt
    load_weights(model, run.best)
    model.eval()
    return run.history


# After how many updates the host looks at their losses, for which it waits until a GPU has nothing
# left to do. CUDA's Adam can be told to skip a bad update that nobody has seen; not all others can.
_LOOK = {"cuda": 10}


class _Trainer:
    """How a run takes its steps (batch, loss, mean gradient, Adam) and its examinations."""

    def __init__(self, model: Seq2Seq, batches: Batches, recipe: Recipe, gold: Schedule) -> None:
        self.model, self.batches, self.recipe, self.gold = model, batches, recipe, gold
        self.device = device = next(model.parameters()).device
        self.precision = choose_precision(recipe.precision, self.device)
        self.run, self.processes = Run(model), Processes()
        self.processes.require_work(batches.largest)
        self.loss, self.shares = self.processes.together(_Loss([model])), self._shares()
        # Before every validation all is seen.
        self.every = math.gcd(_LOOK.get(device.type, 1), recipe.validate_every, recipe.updates or 0)
        self.unseen: list[Tensor] = []  # loss and norm of the gradient, of each update

    def _shares(self) -> Iterator[tuple[Batch, float]]:
        """This process's share of every batch, from where the history stands, and its weight."""
        while True:
            history = self.run.history
            for pairs in self.batches.sentences(history.epoch, history.position):
                history.position += 1
                src, tgt, weight = self.processes.share(*pairs)
                yield make_batch(src, tgt), weight
            history.epoch, history.position = history.epoch + 1, 0

    def update(self) -> None:
        """One step down the gradient, which a GPU may still be taking afterwards."""
        began, history, recipe = time.monotonic(), self.run.history, self.recipe
        number, parameters = history.updates, self.run.parameters.values()
        batch, weight = next(self.shares)
        # One seed for every (run, update, process): nothing needs to be remembered.
        seed = (recipe.seed * 1_000_003 + number) * 64 + self.processes.rank
        seed_device(seed, self.device)
        coins = torch.Generator().manual_seed(seed + 2**40)
        self.model.train()
        with autocast(self.precision, self.device):
            loss = self.loss(batch, recipe.label_smoothing, self.gold(number), coins) * weight
        self.run.optimizer.zero_grad()
        loss.backward()
        norm = clip_grad_norm_(parameters, recipe.clip)
        self.unseen.append(torch.stack([loss.detach(), norm]))
        self.look(number, torch.stack(self.unseen))
        for group in self.run.optimizer.param_groups:
            group["lr"] = recipe.rate(number, recipe.done(history))
            group["lr"] *= recipe.embedding_rate if group["embeds"] else 1
        self.run.optimizer.step()
        (seconds,) = self.processes.mean(time.monotonic() - began)
        history.updates, history.seconds = number + 1, history.seconds + seconds

    def look(self, number: int, table: Tensor) -> None:
        """See the losses and norms (n, 2) of the updates up to this one that nobody has seen, or
        let Adam skip all from the first on that is not finite: it reaches no weight."""
        if (number + 1) % self.every:
            self.run.optimizer.found_inf = 1 - table.isfinite().all().float()  # type: ignore
            return
        for update, (loss, norm) in enumerate(table.tolist(), number + 1 - len(table)):
            (mean,) = self.processes.mean(loss)
            _require_finite(math.isfinite(mean), "loss", update)
            _require_finite(math.isfinite(norm), "gradient", update)
            self.run.losses.append(mean)
        self.unseen = []

    def validate(self, valid: list[Batch] | None, score: Callable[[Seq2Seq], float] | None) -> bool:
        """Note how good the model is, and keep it where it is the best so far; whether it is."""
        history, losses = self.run.history, self.run.losses
        loss = teacher_forced_loss(self.model, valid) if valid else float("nan")
        with evaluating(self.model):
            # Without any measure the newest weights count as the best.
            value = score(self.model) if score else -loss if valid else history.updates
        value, loss = self.processes.mean(float(value), loss)  # all judge alike
        _require_finite(not valid or math.isfinite(loss), "validation loss", history.updates)
        _require_finite(not math.isnan(value), "validation score", history.updates)
        history.update.append(history.updates)
        history.train_loss.append(sum(losses) / max(len(losses), 1))
        history.valid_loss.append(loss)
        history.score.append(value)
        self.run.losses = []
        if is_best := value > history.best_score or not self.run.best:
            self.run.keep_as_best(value)
        return is_best


class _Loss(nn.ModuleList):
    """A model whose output is its loss, which is how DistributedDataParallel wants it."""

    def forward(self, *given: Any) -> Tensor:
        return batch_loss(*self, *given)


def _require_finite(finite: bool, what: str, update: int) -> None:
    if not finite:
        found = f"the {what} of update {update} is not a number or not finite"
        advice = "try a smaller learning rate, or look for such numbers in the model"
        raise FloatingPointError(f"{found}; the weights were left as they are: {advice}")


@contextmanager
def _stop_on_signals() -> Iterator[list[int]]:
    """Note Ctrl-C and what asks a program to end, so that no update is left half done.

    The second Ctrl-C raises. What was to be ignored (``nohup``) or has a handler stays as it is.
    """
    heard: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield heard  # only the main thread may change signal handlers
        return
    before = {signal.SIGINT: signal.getsignal(signal.SIGINT)}
    for name in ("SIGTERM", "SIGHUP"):  # a terminal that is closed; Windows knows none
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            before[number] = signal.SIG_DFL

    def handler(number: int, frame: Any) -> None:
        heard.append(number)
        if number == signal.SIGINT:
            signal.signal(number, before[signal.SIGINT])

    for number in before:
        signal.signal(number, handler)
    try:
        yield heard
    finally:
        for number, was in before.items():
            signal.signal(number, was)
