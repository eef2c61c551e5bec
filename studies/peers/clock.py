"""Minutes of training that are the same for every program: the processor's, without pauses."""

import time
from collections.abc import Callable
from typing import Any


class Clock:
    """Ends a training after its minutes, and has it saved at equal parts of them.

    What saving takes is not counted. Minutes are the processor's, of this process: with one thread
    they are the clock's on a quiet machine, and what else a busy one does is not in them.

    Arguments: minutes of training; parts, how often it is saved, the last time at the end; now,
    seconds of the processor.
    """

    def __init__(
        self, minutes: float, parts: int = 3, now: Callable[[], float] = time.process_time
    ) -> None:
        self.minutes, self.parts, self.now = minutes, parts, now
        self.marks: list[dict[str, Any]] = []
        self.began: float | None = None
        self.paused = 0.0

    def over(self, update: int, save: Callable[[], str]) -> bool:
        """After an update, or before the first: whether to stop. ``save`` names what it wrote."""
        now = self.now()
        if self.began is None:
            self.began = now
        trained = (now - self.began - self.paused) / 60
        if trained >= self.minutes * (len(self.marks) + 1) / self.parts:
            found = {"minutes": round(trained, 3), "update": update, "checkpoint": save()}
            self.marks.append(found)
            self.paused += self.now() - now
        return len(self.marks) == self.parts
