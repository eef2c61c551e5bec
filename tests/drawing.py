"""What tests of figures and views share: a trace of a beam, a browser, labels that can be read."""

from pathlib import Path
from typing import Any

import numpy as np
from driven import Chromium
from matplotlib.axes import Axes


def record(
    id: str, parent: str | None, step: int, token: str, log_prob: float, status: str = "live"
) -> dict[str, Any]:
    """A hypothesis of a beam search, as ``parse_tree`` takes them."""
    return {
        "id": id,
        "parent": parent,
        "step": step,
        "token": token,
        "log_prob": log_prob,
        "status": status,
    }


def assert_labels_apart(ax: Axes, slant: int, side: str) -> None:
    """The labels below or above an axis are drawn, slant as they should, and never overlap.

    Slanted ones end (or begin) at their place: they are aligned ``side``.
    """
    ax.figure.canvas.draw()
    labels = ax.get_xticklabels()
    assert {label.get_rotation() for label in labels} == {slant}
    (size,) = {label.get_fontsize() for label in labels}
    assert 6 <= size <= 10.5
    places = [label.get_transform().transform(label.get_position())[0] for label in labels]
    apart = min(np.diff(places)) * 72 / ax.figure.dpi  # points
    if slant:
        assert apart * np.sin(np.radians(slant)) >= 0.95 * size  # a line is as high as its font
        assert {label.get_rotation_mode() for label in labels} == {"anchor"}
        assert {label.get_ha() for label in labels} == {side}
    else:
        boxes = [label.get_window_extent() for label in labels]
        assert all(one.x1 < two.x0 for one, two in zip(boxes, boxes[1:]))


def browser(page: Path) -> str:
    """The page as a browser has drawn it, scripts run."""
    window = Chromium(page.parent)
    try:
        window.go(page.as_uri())
        return window.get("document.documentElement.outerHTML")
    finally:
        window.close()
