"""Training: one update, as every lecture shows it, and the loop that repeats it.

``update`` is a batch, its loss, the gradient, and a step. What a run needs besides stands in
modules of its own: ``run`` (seeds, learning rates, validation), ``state`` (what must survive a
stop), ``watch`` (whether losses are finite) and ``hooks`` (what may save it, or share it).
"""

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any, TypeVar

from torch.nn.utils import clip_grad_norm_
from tqdm.auto import tqdm

from ..checks import require
from ..data import Batch, Batches
from ..device import fork_rng
from .hooks import OneProcess, Saver
from .recipe import History, Recipe
from .run import Trainer
from .schedules import Schedule, constant_schedule
from .state import MakeOptimizer
from .trainable import Trainable

M = TypeVar("M", bound=Trainable)
FUNCTIONS = {  # what ``fit`` is given to call
    "score": "a function of the model",
    "teacher_forcing": "a schedule, as constant_schedule(0.5) makes one",
    "optimizer": "a function of parameter groups, as torch.optim.SGD is one",
    "after_update": "a function of the number of updates",
}


def update(trainer: Trainer) -> None:
    """One step down the gradient of the loss of one batch."""
    model, optimizer = trainer.model, trainer.run.optimizer
    batch, weight = trainer.begin()
    model.train()
    optimizer.zero_grad()
    loss = weight * trainer.loss(batch)  # forward: the cross-entropy of its tokens
    loss.backward()
    norm = clip_grad_norm_(model.parameters(), trainer.recipe.clip)
    trainer.monitor.check_losses(loss, norm)
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
    optimizer: MakeOptimizer | None = None,
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
    None: always gold); optimizer, which makes one of the parameters (None: Adam with β₂ = 0.98):
    they come in two groups, as torch's optimizers take them, the embedding tables
    (``"embeds": True``) and the others, whose learning rates the recipe sets before every step;
    after_update, called after every step with the number of updates made so far, 1 the first time;
    progress, whether to show a bar; checkpoint, what saves the run and resumes one, as
    ``attnlib.translator.Checkpoint`` does in a folder; processes, what shares every batch among
    several (``attnlib.translator.Processes``).

    Returns the History. Raises ValueError for a precision that the device does not have, for
    nothing to train and for an argument that is none of the above, and FloatingPointError where
    the loss, its gradient or the score is no longer a number; the weights are then those before
    that update.
    """
    functions = (score, teacher_forcing, optimizer, after_update)
    for (name, expected), function in zip(FUNCTIONS.items(), functions):
        require(function is None or callable(function), name, expected, function)
    if valid is not None:
        valid = list(valid)
        batched = all(isinstance(batch, Batch) for batch in valid)
        require(batched, "valid", "a list of what make_batch makes", [*map(type, valid[:3])])
    schedule = teacher_forcing or constant_schedule()
    trainer = Trainer(model, batches, recipe, schedule, optimizer, processes)
    opened = checkpoint.open(trainer) if checkpoint else nullcontext()
    with opened, fork_rng(trainer.device):
        _train(trainer, valid, score, after_update, checkpoint, progress)
    trainer.run.load_best()
    trainer.model.eval()
    return trainer.run.history


def _train(
    trainer: Trainer,
    valid: list[Batch] | None,
    score: Callable[[Any], float] | None,
    after_update: Callable[[int], object] | None,
    checkpoint: Saver | None,
    progress: bool,
) -> None:
    """Repeat ``update`` until the recipe is fulfilled; validate and save on the way."""
    run, processes = trainer.run, trainer.processes
    shown = progress and processes.rank == 0
    # Jupyter drops messages when it gets ten a second.
    bar = tqdm(
        total=trainer.recipe.updates,
        initial=run.history.updates,
        disable=not shown,
        mininterval=1.0,
    )
    with bar:
        while not trainer.is_finished:
            update(trainer)
            bar.update()
            if after_update:
                after_update(run.history.updates)
            if trainer.monitor.pending:
                continue  # the GPU is still busy; decide when its losses have arrived
            bar.set_postfix_str(f"loss {run.losses[-1]:.3f}", refresh=False)
            is_best = trainer.is_validation_due and trainer.validate(valid, score)
            if not checkpoint:
                continue
            stopped = checkpoint.stopped
            # If one process was asked to stop, all of them do.
            (stopping,) = processes.mean(float(stopped is not None))
            if trainer.is_validation_due or stopping:
                checkpoint.save(trainer, is_best)
            if stopping and not trainer.is_finished:
                raise stopped or KeyboardInterrupt
