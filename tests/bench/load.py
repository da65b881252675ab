"""Many connections asking at once; answers how long each took."""

import asyncio
import statistics
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """Milliseconds, and requests a second."""

    p50: float
    p95: float
    p99: float
    rate: float


async def ask(
    port: int, path: str, headers: dict[str, str], clients: int, requests: int
) -> Figures:
    """``clients`` keep-alive connections share ``requests`` GETs; every answer must be a 200."""
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    message = ("\r\n".join(lines) + "\r\n\r\n").encode()
    times: list[float] = []

    async def one(share: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(share):
            started = time.perf_counter()
            writer.write(message)
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                raise RuntimeError(head.split(b"\r\n", 1)[0].decode())
            length = int(head.lower().split(b"content-length: ", 1)[1].split(b"\r\n", 1)[0])
            await reader.readexactly(length)
            times.append(time.perf_counter() - started)
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(one(requests // clients) for _ in range(clients)))
    elapsed = time.perf_counter() - started
    ordered = sorted(times)
    return Figures(
        1000 * statistics.median(ordered),
        1000 * ordered[int(len(ordered) * 0.95) - 1],
        1000 * ordered[int(len(ordered) * 0.99) - 1],
        len(ordered) / elapsed,
    )
