"""Measures the desktop host against its budgets: ``python -m tests.desktop.measure``.

``make bench`` calls ``measure_relay``, ``measure_events``, and ``measure_label``. One run measures
the same request both directly to the portal's stand-in and through the real program.
"""

import http.client
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.desktop.host import ROOT, DesktopHost, run_desktop_process
from tests.desktop.printing import build_label
from tests.desktop.standins import StandInPrinter, write_ui

RELAY_BUDGET_MS = 1.5
LABEL_BUDGET_MS = 50.0
_PAGE = json.dumps({"data": [{"id": n, "name": "ROW " * 20} for n in range(20)]}).encode()

_EVENTS_PATH = "/api/events"
_PORTAL = f"""
import asyncio, time, uvicorn
page = {_PAGE!r}
async def send_times(send):
    headers = [(b"content-type", b"text/event-stream")]
    await send({{"type": "http.response.start", "status": 200, "headers": headers}})
    while True:
        event = b"data: %r\\n\\n" % time.monotonic()
        await send({{"type": "http.response.body", "body": event, "more_body": True}})
        await asyncio.sleep(0.005)
async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    if scope["path"] == "{_EVENTS_PATH}":
        return await send_times(send)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(page))]
    await send({{"type": "http.response.start", "status": 200, "headers": headers}})
    await send({{"type": "http.response.body", "body": page}})
import socket
sock = socket.socket()
sock.bind(("127.0.0.1", 0))
sock.listen(64)
print(sock.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False)).run(sockets=[sock])
"""


@dataclass(frozen=True)
class Figures:
    """Percentiles, in milliseconds."""

    p50: float
    p95: float


def _build_figures(samples: list[float]) -> Figures:
    sorted_samples = sorted(samples)
    return Figures(
        statistics.median(sorted_samples) * 1000,
        sorted_samples[int(len(sorted_samples) * 0.95)] * 1000,
    )


def _measure_calls(call: Callable[[], None], times: int) -> list[float]:
    samples = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        samples.append(time.perf_counter() - start)
    return samples


def _build_request(port: int, headers: dict[str, str]) -> Callable[[], None]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.connect()
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def call() -> None:
        connection.request("GET", "/api/v2/orders/remote-operations?take=20", headers=headers)
        answer = connection.getresponse()
        assert answer.read() == _PAGE

    return call


@contextmanager
def _run_portal() -> Iterator[tuple[int, DesktopHost]]:
    """Run the portal's stand-in, and yield its port and a desktop host in front of it."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        portal = subprocess.Popen(
            [sys.executable, "-c", _PORTAL], stdout=subprocess.PIPE, text=True
        )
        stack.callback(portal.wait)
        stack.callback(portal.kill)  # its stream of events never ends
        assert portal.stdout is not None
        port = int(portal.stdout.readline())
        yield port, stack.enter_context(_start_desktop(f"http://127.0.0.1:{port}", folder))


def _measure_events(port: int, headers: dict[str, str], times: int) -> Figures:
    """Measure the time from the sending of an event to its arrival."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", _EVENTS_PATH, headers=headers)
    answer = connection.getresponse()
    samples: list[float] = []
    while len(samples) < times:
        line = answer.readline()
        if line.startswith(b"data: "):
            # The clock is the system's, so both processes have the same.
            samples.append(time.monotonic() - float(line.removeprefix(b"data: ")))
    connection.close()
    return _build_figures(samples)


def measure_events(times: int = 400) -> tuple[Figures, Figures]:
    """Measure events directly and through the relay."""
    with _run_portal() as (port, host):
        return (
            _measure_events(port, {}, times),
            _measure_events(host.port, host.headers, times),
        )


def measure_relay(times: int = 1_000) -> tuple[Figures, Figures]:
    """Measure the same page directly and through the relay, alternately."""
    with _run_portal() as (port, host):
        direct_call, relayed_call = (
            _build_request(port, {}),
            _build_request(host.port, host.headers),
        )
        _measure_calls(direct_call, 100)
        _measure_calls(relayed_call, 100)
        direct: list[float] = []
        relay_times: list[float] = []
        for _ in range(times // 50):
            direct += _measure_calls(direct_call, 50)
            relay_times += _measure_calls(relayed_call, 50)
        return _build_figures(direct), _build_figures(relay_times)


def measure_label(times: int = 200) -> Figures:
    """Measure the time from the print request to the printer's first byte."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        host = stack.enter_context(_start_desktop("http://127.0.0.1:9", folder))
        page = stack.enter_context(host.open_page())
        printer = StandInPrinter()
        stack.callback(printer.close)
        body = {"name": "Zebra", "host": "127.0.0.1", "port": printer.port}
        key = page.post("/device/printers", json=body).json()["id"]
        job = {"printerId": key, "copies": 1, "labels": [build_label(1), build_label(2)]}
        samples = []
        for _ in range(times):
            printer.finished.clear()
            start = time.perf_counter()
            assert page.post("/device/print", json=job).status_code == 200
            assert printer.finished.wait(5)
            samples.append(printer.first_byte_at - start)
        return _build_figures(samples)


def _start_desktop(portal_url: str, folder: Path):
    ui = ROOT / "ui" / "dist"
    if not (ui / "index.html").is_file():
        ui = write_ui(folder / "ui")
    return run_desktop_process(portal_url, folder / "config", ui)


def main() -> int:
    """Print the figures, and return 1 if a budget is missed."""
    direct, relay_times = measure_relay()
    direct_event, relayed_event = measure_events()
    labels = measure_label()
    overhead = relay_times.p50 - direct.p50
    print(f"relay  p50 direct {direct.p50:.2f} ms, relayed {relay_times.p50:.2f} ms,", end=" ")
    print(f"overhead {overhead:.2f} ms (budget {RELAY_BUDGET_MS} ms)")
    print(f"event  p50 direct {direct_event.p50:.2f} ms, relayed {relayed_event.p50:.2f} ms")
    print(f"label  to first byte p50 {labels.p50:.1f} ms, p95 {labels.p95:.1f} ms", end=" ")
    print(f"(budget {LABEL_BUDGET_MS} ms)")
    return int(overhead > RELAY_BUDGET_MS or labels.p95 > LABEL_BUDGET_MS)


if __name__ == "__main__":
    sys.exit(main())
