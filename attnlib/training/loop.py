"""Training: one update, as every lecture shows it, and the loop that repeats it.

``update`` is a batch, its loss, the gradient, and a step. What a run needs besides stands in
modules of its own: ``run`` (seeds, learning rates, validation), ``checkpoint`` (what is kept, and
how a run goes on from it), ``watch`` (whether losses are numbers), ``distributed`` (several
processes) and ``signals`` (Ctrl-C).
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from torch.nn.utils import clip_grad_norm_
from tqdm.auto import tqdm

from ..checks import require
from ..data import Batch, Batches
from ..translator.storage import load_weights
from .checkpoint import MakeOptimizer
from .recipe import History, Recipe
from .run import Training
from .schedules import Schedule, constant
from .signals import stop_on_signals, stopped_by
from .trainable import Trainable

M = TypeVar("M", bound=Trainable)
FUNCTIONS = {  # what ``fit`` is given to call
    "score": "a function of the model",
    "teacher_forcing": "a schedule, as constant(0.5) makes one",
    "optimizer": "a function of parameter groups, as torch.optim.SGD is one",
    "after_update": "a function of the number of updates",
}


def update(training: Training) -> None:
    """One step down the gradient of the loss of one batch."""
    model, optimizer = training.model, training.run.optimizer
    batch = training.begin()
    model.train()
    optimizer.zero_grad()
    loss = training.loss(batch)  # forward: the cross-entropy of its tokens
    loss.backward()
    norm = clip_grad_norm_(model.parameters(), training.recipe.clip)
    training.watch.require_numbers(loss, norm)
    training.set_rates()
    optimizer.step()
    training.end()


def fit(
    model: M,
    batches: Batches,
    recipe: Recipe,
    *,
    valid: Iterable[Batch] | None = None,
    score: Callable[[M], float] | None = None,
    teacher_forcing: Schedule | None = None,
    directory: Path | str | None = None,
    resume: bool = False,
    about: Mapping[str, Any] | None = None,
    beside: Mapping[str, Any] | None = None,
    progress: bool = True,
    optimizer: MakeOptimizer | None = None,
    after_update: Callable[[int], object] | None = None,
) -> History:
    """Train a model in place and leave it with its best weights.

    Arguments: model, a ``Trainable``; batches, the training corpus; valid, batches whose
    teacher-forced loss is watched; score, model → number, higher is better, which decides what is
    best (−valid loss where None, and the last weights where there is no valid either);
    teacher_forcing, update → probability of the gold token (a schedule of ``attnlib.training``;
    None: always gold); directory, where checkpoints go; resume, go on from the one there, in the
    precision it was begun with unless the recipe names one; about, what else (JSON values) must be
    the same when the run is resumed; beside, JSON files (name → value) that are written there
    first, and whose digests the file of the best weights bears; optimizer, which makes one of the
    parameters (None: Adam with β₂ = 0.98): they come in two groups, as torch's optimizers take
    them, the embedding tables (``"embeds": True``) and the others, whose learning rates the recipe
    sets before every step; after_update, called after every step with the number of updates made so
    far, 1 the first time.

    Ctrl-C finishes the update, saves, and raises KeyboardInterrupt; what asks the program to end
    (SIGTERM, or SIGHUP when its terminal is closed) saves likewise and raises SystemExit. Under
    ``torchrun`` every process takes its share of every batch, and the weights are those that one
    process would have found, up to rounding; but dropout and coins are drawn by each for its own
    sentences, so that with them only their distribution is the same. A run may be resumed with
    more processes or fewer. Returns the History. Raises StorageError for a directory that cannot
    be used, that another process is training into or that holds another run, ValueError for a
    precision that the device does not have, for more processes than a batch has sentence pairs,
    for nothing to train and for an argument that is none of the above, and FloatingPointError
    where the loss, its gradient or the score is no longer a number; the weights are then those
    before that update.
    """
    functions = (score, teacher_forcing, optimizer, after_update)
    for (name, wanted), function in zip(FUNCTIONS.items(), functions):
        require(function is None or callable(function), name, wanted, function)
    if valid is not None:
        valid = list(valid)
        batched = all(isinstance(batch, Batch) for batch in valid)
        require(batched, "valid", "a list of what make_batch makes", [*map(type, valid[:3])])
    training = Training(model, batches, recipe, teacher_forcing or constant(), optimizer)
    run, processes = training.run, training.processes
    keeps = training.kept(directory, resume, about or {}, beside or {})
    # Jupyter drops messages when it gets ten a second.
    seen: Any = {"disable": not progress or processes.rank > 0, "mininterval": 1.0}
    seen |= {"total": recipe.updates, "initial": run.history.updates}
    stopped = 0.0
    with keeps as save, stop_on_signals() as heard, tqdm(**seen) as bar:
        while not training.over and not stopped:
            update(training)
            bar.update()
            if after_update:
                after_update(run.history.updates)
            if training.watch.unseen:
                continue  # the GPU is still busy; decide when its losses have arrived
            bar.set_postfix_str(f"loss {run.losses[-1]:.3f}", refresh=False)
            (stopped,) = processes.mean(float(bool(heard)))  # a signal to one process stops all
            due = training.due
            best = due and training.validate(valid, score)
            if due or stopped:
                save(best)
    if not training.over:
        raise stopped_by(heard)
    load_weights(training.model, run.best)
    training.model.eval()
    return run.history
