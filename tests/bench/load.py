"""Concurrent requests on many connections, with their response times."""

import asyncio
import statistics
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """Response times in milliseconds, and requests per second."""

    p50: float
    p95: float
    p99: float
    rate: float


Request = tuple[str, dict[str, str], bytes]
"""The path, headers, and body of a POST."""


async def send_gets(
    port: int, path: str, headers: dict[str, str], connections: int, requests: int
) -> Figures:
    """Send GETs over that many keep-alive connections; every answer must be a 200."""
    message = _build_message("GET", port, path, headers)
    return await _exchange_message(
        port, [message] * (requests // connections * connections), connections
    )


async def send_posts(port: int, requests: list[Request], connections: int) -> Figures:
    """Send POSTs over that many keep-alive connections; every answer must be a success."""
    messages = [
        _build_message("POST", port, path, {**headers, "Content-Type": "application/json"}, body)
        for path, headers, body in requests
    ]
    return await _exchange_message(port, messages, connections)


def _build_message(
    method: str, port: int, path: str, headers: dict[str, str], body: bytes | None = None
) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [] if body is None else [f"Content-Length: {len(body)}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + (body or b"")


async def _exchange_message(port: int, messages: list[bytes], connections: int) -> Figures:
    times: list[float] = []
    queue = iter(messages)

    async def send_all() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for message in queue:
            started_at = time.perf_counter()
            writer.write(message)
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 20"):
                raise RuntimeError(head.split(b"\r\n", 1)[0].decode())
            length = int(head.lower().split(b"content-length: ", 1)[1].split(b"\r\n", 1)[0])
            await reader.readexactly(length)
            times.append(time.perf_counter() - started_at)
        writer.close()

    started_at = time.perf_counter()
    await asyncio.gather(*(send_all() for _ in range(connections)))
    elapsed = time.perf_counter() - started_at
    sorted_times = sorted(times)
    return Figures(
        1000 * statistics.median(sorted_times),
        1000 * sorted_times[int(len(sorted_times) * 0.95) - 1],
        1000 * sorted_times[int(len(sorted_times) * 0.99) - 1],
        len(sorted_times) / elapsed,
    )
