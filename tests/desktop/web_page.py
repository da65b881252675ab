"""A page of the real app, used over the debugging protocol of its web engine.

Playwright cannot connect to Qt's web engine, which has no contexts.
"""

import itertools
import json
import subprocess
import time
from pathlib import Path

import httpx
from websockets.sync.client import connect

_STEP_SECONDS = 0.1


class _NoContext(Exception):
    """There is no JavaScript context yet, because another page is loading."""


class WebPage:
    """The first page of the app whose web engine listens on ``port``."""

    def __init__(self, port: int, seconds: float) -> None:
        self._seconds = seconds
        pages = httpx.get(f"http://127.0.0.1:{port}/json", trust_env=False).json()
        [address] = [page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page"]
        self._socket = connect(address, max_size=None)
        self._ids = itertools.count(1)

    def close(self) -> None:
        """Disconnect from the page."""
        self._socket.close()

    def wait_for(self, expression: str) -> None:
        """Wait until a JavaScript expression is true in the page."""
        deadline = time.monotonic() + self._seconds
        while not self._evaluate(f"Boolean({expression})"):
            text = self._evaluate("document.body && document.body.innerText")
            assert time.monotonic() < deadline, f"{expression} is false: {text}"
            time.sleep(_STEP_SECONDS)

    def type(self, selector: str, text: str) -> None:
        """Type into a field, as a keyboard does."""
        self.wait_for(f"document.querySelector({json.dumps(selector)})")
        self._evaluate(f"document.querySelector({json.dumps(selector)}).focus()")
        self._call("Input.insertText", text=text)

    def press_button(self, name: str, *, within: str = "body") -> None:
        """Press the button with this text in the element of this selector, once it is enabled."""
        button = (
            f"[...document.querySelectorAll({json.dumps(f'{within} button')})]"
            f".find(b => b.innerText.trim() === {json.dumps(name)} && !b.disabled)"
        )
        self.wait_for(button)
        self._evaluate(f"{button}.click()")

    def run(self, script: str) -> None:
        """Run JavaScript in the page."""
        self._evaluate(script)

    def _evaluate(self, expression: str) -> object:
        """Return the value of an expression; None while another page loads."""
        try:
            answer = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        except _NoContext:
            return None
        return answer["result"].get("value")

    def _call(self, method: str, **parameters: object) -> dict[str, dict[str, object]]:
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=self._seconds))
            if message.get("id") == number:
                if "context" in message.get("error", {}).get("message", ""):
                    raise _NoContext
                assert "error" not in message, message
                return message["result"]


def wait_for_debugger(
    port: int, process: subprocess.Popen[bytes], log: Path, seconds: float
) -> None:
    """Wait until the app's web engine listens."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        try:
            if httpx.get(f"http://127.0.0.1:{port}/json/version", trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError(log.read_text())
