"""Firefox and WebKit, driven by protocols of the W3C as Chromium is by its own: the same verbs, so
that a test written for one browser runs in all.

Firefox speaks WebDriver BiDi over a web socket (websocket-client, which JupyterLab brings along),
WebKit's driver the older WebDriver over HTTP. Both take the same words for mouse and keys.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from driven import LONG, PATIENCE, Chromium, Window

#: The names of keys that a test uses, as the protocols write them.
KEYS = {
    **{"Escape": "\ue00c", "Tab": "\ue004", "Enter": "\ue007", "Control": "\ue009"},
    **{"End": "\ue010", "Home": "\ue011"},
    **{"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"},
}
#: What Firefox would do on its own account, and what a page is told of the reader's wishes.
FIREFOX = {
    "app.update.enabled": False,
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
    "ui.prefersReducedMotion": 1,
}
THEMES = ("dark", "light")
#: What a page may ask for.
OWN = ("file:", "data:", "blob:", "about:")


def needs(program: str, package: str) -> str:
    """The path of a program, or a skipped test that says how to get it."""
    found = shutil.which(program)
    if found is None:
        pytest.skip(f"needs {program}: apt install {package}")
    return found


class Other(Window):
    """What Firefox and WebKit have in common: mouse and keys."""

    processes: list[subprocess.Popen]

    def act(self, *sources: dict) -> None:
        """Do what the sources say, side by side."""
        raise NotImplementedError

    def _point(self, kind: str, *actions: dict) -> None:
        pointer = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}}
        self.act({**pointer, "actions": list(actions)})

    def move(self, place: tuple[float, float]) -> None:
        self._point("mouse", _to(place))

    def drag(self, way: list[tuple[float, float]], kind: str = "mouse") -> None:
        down, up = ({"type": f"pointer{what}", "button": 0} for what in ("Down", "Up"))
        self._point(kind, _to(way[0]), down, *map(_to, way[1:]), up)

    def swipe(self, way: list[tuple[float, float]]) -> None:
        self.drag(way, "touch")

    def wrong(self) -> list[str]:
        """What the browser itself tells of errors and of requests since it was last asked."""
        return []  # WebKit's driver tells nothing

    def press(self, *keys: str) -> None:
        presses = [
            {"type": what, "value": KEYS.get(key, key)}
            for key in keys
            for what in ("keyDown", "keyUp")
        ]
        self.act({"type": "key", "id": "keys", "actions": presses})

    def close(self) -> None:
        for process in reversed(self.processes):
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _to(place: tuple[float, float]) -> dict:
    return {"type": "pointerMove", "x": round(place[0]), "y": round(place[1]), "duration": 0}


def _run(command: list[str], **options: Any) -> subprocess.Popen:
    """A program with all that it starts in a group of its own, which ends together."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, start_new_session=True, **{**quiet, **options})


class Firefox(Other):
    """Firefox, by WebDriver BiDi."""

    def __init__(self, folder: Path, width: int = 820, height: int = 900, theme: str = "light"):
        sockets = pytest.importorskip("websocket", reason="needs websocket-client: make e2e")
        program = needs("firefox-esr" if shutil.which("firefox-esr") else "firefox", "firefox-esr")
        dark_or_light = {"layout.css.prefers-color-scheme.content-override": THEMES.index(theme)}
        profile = folder / "firefox"
        profile.mkdir()
        wishes = (FIREFOX | dark_or_light).items()
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(wish)});" for name, wish in wishes]
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [program, "--headless", "--no-remote", "--profile", str(profile)]
        self.processes = [_run([*command, "--remote-debugging-port=0"])]
        place = _written(profile / "WebDriverBiDiServer.json", self.processes[0])
        address = json.loads(place.read_text(encoding="utf-8"))
        url = f"ws://{address['ws_host']}:{address['ws_port']}/session"
        self._socket = sockets.create_connection(url, suppress_origin=True, timeout=PATIENCE)
        self._number, self._events = 0, []
        self("session.new", capabilities={})
        self("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        # In the first tab the line for addresses keeps the focus, and no page would hear of one.
        self._page = self("browsingContext.create", type="tab")["context"]
        self._height = height
        self.resize(width)

    def __call__(self, method: str, **params: Any) -> dict:
        """Send a command and wait for its answer."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer["type"] == "event":
                self._events.append(answer)
            if answer.get("id") == self._number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]

    def resize(self, width: int) -> None:
        size = {"width": width, "height": self._height}
        self("browsingContext.setViewport", context=self._page, viewport=size)

    def go(self, url: str) -> None:
        self("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def get(self, script: str) -> Any:
        # As text, for the protocol has forms of its own for what a script answers.
        expression = f"Promise.resolve({script}).then(found => JSON.stringify([found]))"
        here = {"context": self._page}
        answer = self("script.evaluate", expression=expression, target=here, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])[0]

    def wrong(self) -> list[str]:
        self("session.status")  # what happened before has been told when this is answered
        events, self._events = self._events, []
        texts = [one["params"]["text"] for one in events if one["params"].get("level") == "error"]
        urls = [one["params"]["request"]["url"] for one in events if "request" in one["params"]]
        return texts + [url for url in urls if not url.startswith(OWN)]

    def act(self, *sources: dict) -> None:
        self("input.performActions", context=self._page, actions=list(sources))

    def close(self) -> None:
        self._socket.close()
        super().close()


class WebKit(Other):
    """WebKit as Safari has it, in the small browser that comes with its driver, on a screen that
    nobody sees: the whole screen is the page."""

    def __init__(self, folder: Path, width: int = 820, height: int = 900, theme: str = "light"):
        driver = needs("WebKitWebDriver", "webkit2gtk-driver")
        screen = needs("Xvfb", "xvfb")
        browser = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
        if not browser:
            pytest.skip("needs WebKit's MiniBrowser, which libwebkit2gtk brings along")
        reader, writer = os.pipe()
        size = ["-screen", "0", f"{width}x{height}x24"]
        self.processes = [
            _run([screen, "-displayfd", str(writer), "-nolisten", "tcp", *size], pass_fds=(writer,))
        ]
        os.close(writer)
        with open(reader, encoding="ascii") as answer:
            display = answer.readline().strip()
        # Its settings and what it remembers go into a folder that is thrown away.
        home = folder / "webkit"
        settings = home / "gtk-3.0" / "settings.ini"
        settings.parent.mkdir(parents=True)
        settings.write_text("[Settings]\ngtk-enable-animations=0\n", encoding="ascii")
        kept = {f"XDG_{name}_HOME": str(home) for name in ("CONFIG", "DATA", "CACHE")}
        look = {"DISPLAY": f":{display}", "GDK_BACKEND": "x11", "GTK_THEME": "Adwaita"}
        if theme == "dark":
            look["GTK_THEME"] += ":dark"
        port = _free_port()
        env = {**os.environ, **kept, **look}
        self.processes.append(_run([driver, f"--port={port}"], env=env))
        self._root = f"http://127.0.0.1:{port}/session"
        options = {"binary": str(browser[-1]), "args": ["--automation", "--full-screen"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        end = time.monotonic() + PATIENCE
        while True:
            try:
                session = self("", capabilities=wanted)
                break
            except urllib.error.URLError:  # the driver does not listen yet
                assert time.monotonic() < end, "WebKitWebDriver did not start"
                time.sleep(0.1)
        self._root += f"/{session['sessionId']}"
        self._height = height
        self.resize(width)

    def __call__(self, command: str, **params: Any) -> Any:
        """Send a command and wait for its answer."""
        body = json.dumps(params).encode()
        request = urllib.request.Request(self._root + command, body, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{command}: {error.read().decode()}") from None

    def resize(self, width: int) -> None:
        self("/window/rect", x=0, y=0, width=width, height=self._height)

    def go(self, url: str) -> None:
        self("/url", url=url)

    def get(self, script: str) -> Any:
        return self("/execute/sync", script=f"return ({script})", args=[])

    def act(self, *sources: dict) -> None:
        self("/actions", actions=list(sources))


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _written(path: Path, process: subprocess.Popen) -> Path:
    """A file, once a program has written it."""
    end = time.monotonic() + PATIENCE
    while not (path.is_file() and path.stat().st_size):
        assert process.poll() is None and time.monotonic() < end, f"{process.args[0]} did not start"
        time.sleep(0.05)
    return path


#: Every browser in which a test runs: the one of make test, and with make e2e the others.
BROWSERS = {"Chromium": Chromium, **({"Firefox": Firefox, "WebKit": WebKit} if LONG else {})}
