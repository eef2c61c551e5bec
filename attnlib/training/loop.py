"""Training: one update, as every lecture shows it, and the loop that repeats it.

``update`` is a batch, its loss, the gradient, and a step. What a run needs besides stands in
modules of its own: ``run`` (seeds, learning rates, validation), ``state`` (what must survive a
stop) and ``hooks`` (what may save it, or share it).
"""

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import TypeVar

from torch.nn.utils import clip_grad_norm_
from tqdm.auto import tqdm

from ..checks import require
from ..data import Batch, Batches
from ..device import fork_rng
from .hooks import OneProcess, Saver
from .recipe import History, Recipe
from .run import Trainer
from .schedules import Schedule, constant_schedule
from .trainable import Trainable

M = TypeVar("M", bound=Trainable)


def update(trainer: Trainer) -> None:
    """One step down the gradient of the loss of one batch."""
    model, optimizer = trainer.model, trainer.run.optimizer
    batch, weight = trainer.begin()
    model.train()
    optimizer.zero_grad()
    loss = weight * trainer.loss(batch)  # forward: the cross-entropy of its tokens
    loss.backward()
    norm = clip_grad_norm_(model.parameters(), trainer.recipe.clip)
    trainer.check_finite(loss, norm)
    trainer.set_learning_rates()
    optimizer.step()
    trainer.end()


def fit(
    model: M,
    batches: Batches,
    recipe: Recipe,
    *,
    valid: Iterable[Batch] | None = None,
    score: Callable[[M], float] | None = None,
    teacher_forcing: Schedule | None = None,
    after_update: Callable[[int], object] | None = None,
    progress: bool = True,
    checkpoint: Saver | None = None,
    processes: OneProcess | None = None,
) -> History:
    """Train a model in place and leave it with its best weights.

    Arguments: model, a ``Trainable``; batches, the training corpus; valid, batches whose
    teacher-forced loss is watched; score, model → number, higher is better, which decides what is
    best (−valid loss where None, and the last weights where there is no valid either);
    teacher_forcing, update → probability of the gold token (a schedule of ``attnlib.training``;
    None: always gold); after_update, called after every step with the number of updates made so
    far, 1 the first time; progress, whether to show a bar; checkpoint, what saves the run and
    resumes one, as ``attnlib.translator.Checkpoint`` does in a folder; processes, what shares every
    batch among several (``attnlib.translator.Processes``).

    Returns the History. Raises ValueError for a precision that the device does not have, for
    nothing to train and for an argument that is none of the above, and FloatingPointError where
    the loss, its gradient or the score is no longer a number; the weights are then those before
    that update.
    """
    functions: dict[str, object] = {"score": score, "teacher_forcing": teacher_forcing}
    functions["after_update"] = after_update
    for name, function in functions.items():
        require(function is None or callable(function), name, "a function", function)
    valid = list(valid or ())
    batched = all(isinstance(batch, Batch) for batch in valid)
    require(batched, "valid", "a list of what make_batch makes", [*map(type, valid[:3])])
    schedule = teacher_forcing or constant_schedule()
    trainer = Trainer(model, batches, recipe, schedule, processes)
    run, shown = trainer.run, progress and trainer.processes.rank == 0
    with checkpoint.open(trainer) if checkpoint else nullcontext(), fork_rng(trainer.device):
        # Jupyter drops messages when it gets ten a second.
        options = {"total": recipe.updates, "initial": run.history.updates, "mininterval": 1.0}
        with tqdm(**options, disable=not shown) as bar:
            while not recipe.finished(run.history):
                update(trainer)
                bar.set_postfix_str(f"loss {run.losses[-1]:.3f}", refresh=False)
                bar.update()
                if after_update:
                    after_update(run.history.updates)
                is_best = trainer.is_validation_due and trainer.validate(valid, score)
                if checkpoint:
                    _save(trainer, checkpoint, is_best)
    run.load_best()
    trainer.model.eval()
    return run.history


def _save(trainer: Trainer, checkpoint: Saver, is_best: bool) -> None:
    """Save at every validation, and where the training was asked to stop, and then end it."""
    stopped = checkpoint.stopped
    # If one process was asked to stop, all of them do.
    (stopping,) = trainer.processes.mean(float(stopped is not None))
    if trainer.is_validation_due or stopping:
        checkpoint.save(trainer, is_best)
    if stopping and not trainer.recipe.finished(trainer.run.history):
        raise stopped or KeyboardInterrupt
