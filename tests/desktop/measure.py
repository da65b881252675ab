"""Measures the desktop host against its budgets: ``python -m tests.desktop.measure``.

``make bench`` calls ``measure_relay``, ``measure_events``, and ``measure_labels``. One run measures
the same request both directly to the portal's stand-in and through the real program, and the same
labels both by a bare socket and by the real program.
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

import httpx

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
            # Both processes read the monotonic clock of the system.
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


@dataclass(frozen=True)
class RelayFigures:
    """The same page directly, through the relay, and by httpx, which adds its own time."""

    direct: Figures
    relayed: Figures
    httpx: Figures


def measure_relay(times: int = 1_000) -> RelayFigures:
    """Measure the same page in each way, alternately."""
    with _run_portal() as (port, host), httpx.Client(trust_env=False) as client:
        url = f"http://127.0.0.1:{port}/api/v2/orders/remote-operations?take=20"

        def call_by_httpx() -> None:
            assert client.get(url).content == _PAGE

        calls = (
            _build_request(port, {}),
            _build_request(host.port, host.headers),
            call_by_httpx,
        )
        samples: list[list[float]] = [[] for _ in calls]
        for call in calls:
            _measure_calls(call, 100)
        for _ in range(times // 50):
            for call, times_of_call in zip(calls, samples, strict=True):
                times_of_call.extend(_measure_calls(call, 50))
        return RelayFigures(*(_build_figures(one) for one in samples))


@dataclass(frozen=True)
class LabelFigures:
    """Times from the click to the printer's first and last byte; ``bare`` is without the app."""

    first_byte: Figures
    last_byte: Figures
    bare_first_byte: Figures
    bare_last_byte: Figures


def measure_labels(count: int, times: int) -> LabelFigures:
    """Measure print jobs of ``count`` labels, in turns with the same bytes by a bare socket."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        host = stack.enter_context(_start_desktop("http://127.0.0.1:9", folder))
        page = stack.enter_context(host.open_page())
        printer = StandInPrinter()
        stack.callback(printer.close)
        body = {"name": "Zebra", "host": "127.0.0.1", "port": printer.port}
        key = page.post("/device/printers", json=body).json()["id"]
        labels = [build_label(number) for number in range(count)]
        job = {"printerId": key, "copies": 1, "labels": labels}
        data = "".join(label["zpl"] + "\n" for label in labels).encode()

        def print_by_app() -> None:
            assert page.post("/device/print", json=job).status_code == 200

        def print_bare() -> None:
            with socket.create_connection(("127.0.0.1", printer.port)) as connection:
                connection.sendall(data)

        # In the first job, the app learns that the printer does not answer queries of its status.
        print_by_app()
        printer.wait_for_jobs()
        samples: tuple[list[float], ...] = ([], [], [], [])
        for _ in range(times):
            for call, firsts, lasts in (
                (print_by_app, samples[0], samples[1]),
                (print_bare, samples[2], samples[3]),
            ):
                printer.finished.clear()
                start = time.perf_counter()
                call()
                assert printer.finished.wait(5)
                firsts.append(printer.first_byte_at - start)
                lasts.append(printer.last_byte_at - start)
        assert set(printer.jobs) == {data}
        return LabelFigures(*(_build_figures(one) for one in samples))


def _start_desktop(portal_url: str, folder: Path):
    ui = ROOT / "ui" / "dist"
    if not (ui / "index.html").is_file():
        ui = write_ui(folder / "ui")
    return run_desktop_process(portal_url, folder / "config", ui)


def main() -> int:
    """Print the figures, and return 1 if a budget is missed."""
    relay = measure_relay()
    direct_event, relayed_event = measure_events()
    labels = measure_labels(2, 200).first_byte
    overhead = relay.relayed.p50 - relay.direct.p50
    print(
        f"relay  p50 direct {relay.direct.p50:.2f} ms, relayed {relay.relayed.p50:.2f} ms,", end=" "
    )
    print(f"by httpx {relay.httpx.p50:.2f} ms, overhead {overhead:.2f} ms", end=" ")
    print(f"(budget {RELAY_BUDGET_MS} ms)")
    print(f"event  p50 direct {direct_event.p50:.2f} ms, relayed {relayed_event.p50:.2f} ms")
    print(f"label  to first byte p50 {labels.p50:.1f} ms, p95 {labels.p95:.1f} ms", end=" ")
    print(f"(budget {LABEL_BUDGET_MS} ms)")
    return int(overhead > RELAY_BUDGET_MS or labels.p95 > LABEL_BUDGET_MS)


if __name__ == "__main__":
    sys.exit(main())
