"""Chromium without a window, asked by its own protocol over a WebSocket (Chrome DevTools Protocol)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

CHROMIUM = next((found for name in ("chromium", "google-chrome", "chrome") if (found := shutil.which(name))), None)
PATIENCE = 60.0
FIREFOX = next((found for name in ("firefox-esr", "firefox") if (found := shutil.which(name))), None)
_OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-port=0",
)


def require_browser() -> None:
    """Leave a test out where there is no browser; CI installs one."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")


class Browser:
    """One page of a browser that reaches no network."""

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM is not None
        words = [CHROMIUM, *_OPTIONS, f"--user-data-dir={folder}", "about:blank"]
        self._open = ExitStack()
        process = self._open.enter_context(
            subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )
        self._open.callback(process.kill)
        port = folder / "DevToolsActivePort"
        until = time.monotonic() + PATIENCE
        while not (port.exists() and port.read_text().count("\n")):
            assert time.monotonic() < until, "the browser does not start"
            time.sleep(0.05)
        number, path = port.read_text().split("\n")[:2]
        address = f"ws://127.0.0.1:{number}{path}"
        self._socket: ClientConnection = self._open.enter_context(connect(address, max_size=None))
        self._count = 0
        self._session = ""
        self.asked: list[str] = []
        """The addresses that were asked for since the last page was opened."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for part in ("Page", "Network", "Runtime", "Accessibility"):
            self.call(f"{part}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the answer to a command of the protocol."""
        self._count += 1
        asked = {"id": self._count, "method": method, "params": parameters}
        self._socket.send(json.dumps({**asked, "sessionId": self._session} if self._session else asked))
        while True:
            told = json.loads(self._socket.recv(PATIENCE))
            if told.get("method") == "Network.requestWillBeSent":
                self.asked.append(told["params"]["request"]["url"])
            if told.get("id") == self._count:
                assert "error" not in told, told
                answer: dict[str, Any] = told["result"]
                return answer

    def run(self, script: str) -> Any:
        """Return what an expression is worth in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def open(self, page: Path, *, until: str, fragment: str = "", patience: float = PATIENCE) -> None:
        """Open a page and wait until an expression holds in it."""
        self.asked.clear()
        self.call("Page.navigate", url="about:blank")
        self.asked.clear()
        self.call("Page.navigate", url=page.as_uri() + fragment)
        ends = time.monotonic() + patience
        while not self.run(f"document.readyState === 'complete' && Boolean({until})"):
            assert time.monotonic() < ends, self.run("document.body.innerText.slice(0, 500)")
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """Press a key."""
        number = {"Tab": 9, "Enter": 13}.get(key, 0)
        for kind in ("rawKeyDown", *["char"] * (key == "Enter"), "keyUp"):
            text = "\r" if kind == "char" else ""
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=number, text=text)

    def named(self, role: str) -> list[str]:
        """Return the names of what has a role for a screen reader."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [str(one.get("name", {}).get("value", "")) for one in nodes if one.get("role", {}).get("value") == role]


def shown_by_firefox(folder: Path, page: Path, until: str, wanted: str) -> Any:
    """Return what an expression is worth in a page when another holds there, in Firefox (WebDriver BiDi)."""
    assert FIREFOX is not None
    words = [FIREFOX, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(folder)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, env={**os.environ, "HOME": str(folder)}, **quiet) as process:  # type: ignore[call-overload]
        try:
            listening = next(found for line in process.stderr if (found := re.search(r"ws://\S+", line)))
            with connect(f"{listening[0]}/session", max_size=None) as socket:

                def call(method: str, **parameters: Any) -> Any:
                    socket.send(json.dumps({"id": 1, "method": method, "params": parameters}))
                    while (told := json.loads(socket.recv(PATIENCE))).get("id") != 1:
                        pass
                    assert told["type"] == "success", told
                    return told["result"]

                def run(script: str) -> Any:
                    asked = {"expression": script, "target": {"context": context}, "awaitPromise": False}
                    return call("script.evaluate", **asked)["result"].get("value")

                call("session.new", capabilities={})
                context = call("browsingContext.getTree")["contexts"][0]["context"]
                call("browsingContext.navigate", context=context, url=page.as_uri(), wait="complete")
                ends = time.monotonic() + 4 * PATIENCE
                while not run(f"Boolean({until})"):
                    assert time.monotonic() < ends, run("document.body.innerText.slice(0, 500)")
                    time.sleep(0.1)
                return run(wanted)
        finally:
            process.kill()
