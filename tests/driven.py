"""A browser that a test drives as a reader would: mouse, finger and keyboard, over DevTools' pipe.

Chromium reads commands from file descriptor 3 and answers on 4, JSON with a zero byte after each.
The events are the browser's own, so what they do is what a reader's would do.
"""

import json
import os
import select
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from docs import chromium

#: make e2e sets it: the tests that take long are wanted too, and every browser that is here.
LONG = bool(os.environ.get("ATTNLIB_LONG"))
PATIENCE = 180  # seconds for an answer, on a machine that is busy with other things
_KEYS = {
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Home": 36,
    "End": 35,
    "Escape": 27,
    "Tab": 9,
    " ": 32,
}


def program() -> str:
    """The path of a Chromium or Chrome; the test is skipped where there is none."""
    found = chromium.program()
    if found is None:
        pytest.skip("no Chromium or Chrome on the PATH to use the views in")
    if os.name != "posix":
        pytest.skip("the pipe to a browser needs file descriptors as POSIX has them")
    return found


class Window:
    """A window of a browser without a screen. What differs by browser: how it is told to go
    somewhere, to compute something, to move its mouse and press its keys, and to end."""

    def open(self, html: str, folder: Path) -> None:
        """Show a page and wait until its scripts have run."""
        page = folder / "page.html"
        page.write_text(html, encoding="utf-8")
        self.go(page.as_uri())

    def go(self, url: str) -> None:
        """Show what is there and wait until its scripts have run."""
        raise NotImplementedError

    def get(self, script: str) -> Any:
        """The value of an expression in the page."""
        raise NotImplementedError

    def until(self, expression: str) -> Any:
        """The value of an expression, once it is true; a page that is being loaded has none."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(RuntimeError):  # the browser's: the page went while it was asked
                if found := self.get(f"(() => {{ try {{ return {expression}; }} catch {{}} }})()"):
                    return found
            time.sleep(0.05)
        raise AssertionError(f"never true: {expression}")

    def resize(self, width: int) -> None:
        """Make the page so many pixels wide."""
        raise NotImplementedError

    def place(self, element: str, right: float = 0.5, down: float = 0.5) -> tuple[float, float]:
        """Where an element is on the screen: a share of its width and of its height."""
        return tuple(
            self.get(
                f"(() => {{ const node = {element}; node.scrollIntoView({{block: 'center'}});"
                " const box = node.getBoundingClientRect();"
                f" return [box.x + box.width * {right}, box.y + box.height * {down}]; }})()"
            )
        )

    def move(self, place: tuple[float, float]) -> None:
        """The mouse goes to a place, and no button is pressed."""
        raise NotImplementedError

    def click(self, element: str, right: float = 0.5, down: float = 0.5) -> None:
        """A click with the mouse."""
        self.drag([self.place(element, right, down)])

    def drag(self, way: list[tuple[float, float]]) -> None:
        """Press the mouse at the first place, move over the others, let go at the last."""
        raise NotImplementedError

    def swipe(self, way: list[tuple[float, float]]) -> None:
        """Put a finger down at the first place, move it over the others, lift it."""
        raise NotImplementedError

    def press(self, *keys: str) -> None:
        """Press keys one after the other: names of keys, or single characters."""
        raise NotImplementedError

    def close(self) -> None:
        """End the browser."""
        raise NotImplementedError

    def tap(self, element: str) -> None:
        """What a finger does on iOS: it comes, it goes, it clicks, and nothing gets the focus."""
        self.get(
            f"(node => {{ const told = type => node.dispatchEvent(new PointerEvent(type, {{"
            " pointerType: 'touch', bubbles: !/enter|leave/.test(type) }));"
            " const { focus } = HTMLElement.prototype; HTMLElement.prototype.focus = () => {};"
            " ['pointerenter', 'pointermove', 'pointerleave'].forEach(told);"
            " for (let at = node.parentElement; at; at = at.parentElement) at.dispatchEvent("
            "new PointerEvent('pointerleave', { pointerType: 'touch' }));"
            " const box = node.getBoundingClientRect();"
            " node.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true,"
            " clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }));"
            f" HTMLElement.prototype.focus = focus; }})({element})"
        )


class Chromium(Window):
    """Chromium, or Chrome."""

    def __init__(self, folder: Path, width: int = 820, height: int = 900) -> None:
        ours, theirs = os.pipe(), os.pipe()  # what we say, what it says
        quiet = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--no-startup-window",
            "--force-prefers-reduced-motion",
        ]
        options = [*quiet, f"--user-data-dir={folder / 'profile'}", "--remote-debugging-pipe"]
        shell = f'exec "$0" "$@" 3<&{ours[0]} 4>&{theirs[1]}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, program(), *options],
            pass_fds=(ours[0], theirs[1]),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(ours[0])
        os.close(theirs[1])
        self._out, self._in = ours[1], theirs[0]
        self._buffer, self._number, self._session = b"", 0, ""
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self._session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._height = height
        self.resize(width)

    def __call__(self, method: str, **params: Any) -> dict:
        """Send a command and wait for its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            while b"\0" not in self._buffer:
                ready, _, _ = select.select([self._in], [], [], max(0, end - time.monotonic()))
                chunk = os.read(self._in, 1 << 16) if ready else b""
                if not chunk:
                    pytest.skip(f"the browser did not answer {method} within {PATIENCE} seconds")
                self._buffer += chunk
            line, self._buffer = self._buffer.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def resize(self, width: int) -> None:
        screen = {"height": self._height, "deviceScaleFactor": 1, "mobile": False}
        self("Emulation.setDeviceMetricsOverride", width=width, **screen)

    def go(self, url: str) -> None:
        self("Page.navigate", url=url)
        self.until(f"document.readyState === 'complete' && location.href === {url!r}")

    def get(self, script: str) -> Any:
        params = {"expression": script, "returnByValue": True, "awaitPromise": True}
        answer = self("Runtime.evaluate", **params)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", script))
        return answer["result"].get("value")

    def move(self, place: tuple[float, float]) -> None:
        self("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])

    def drag(self, way: list[tuple[float, float]]) -> None:
        mouse = {"button": "left", "clickCount": 1}
        self.move(way[0])
        self("Input.dispatchMouseEvent", type="mousePressed", x=way[0][0], y=way[0][1], **mouse)
        for x, y in way[1:]:
            self("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self("Input.dispatchMouseEvent", type="mouseReleased", x=way[-1][0], y=way[-1][1], **mouse)

    def swipe(self, way: list[tuple[float, float]]) -> None:
        for n, (x, y) in enumerate(way):
            kind = "touchMove" if n else "touchStart"
            self("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y}])
        self("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def press(self, *keys: str) -> None:
        for key in keys:
            code = {"windowsVirtualKeyCode": _KEYS[key]} if key in _KEYS else {}
            text = {"text": key} if len(key) == 1 else {}
            self("Input.dispatchKeyEvent", type="keyDown", key=key, **code, **text)
            self("Input.dispatchKeyEvent", type="keyUp", key=key, **code)

    def close(self) -> None:
        """End the browser, which ends when its pipe does."""
        for end in (self._out, self._in):
            os.close(end)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
