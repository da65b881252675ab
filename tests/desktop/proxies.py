"""Real proxies: tinyproxy for HTTP, perhaps behind TLS, and microsocks for SOCKS5."""

import asyncio
import contextlib
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.desktop.standins import wait_for
from tests.standins.certificates import Certificate
from tests.standins.ports import reserve_port

NAME, PASSWORD = "bench", "pw.1"
QUOTED_SIGN_IN = "bench:pw%2E1"


@dataclass(frozen=True)
class RunningProxy:
    """A proxy and the log of its connections."""

    address: str
    log: Path

    def has_connected(self, port: int) -> bool:
        """Whether the proxy has connected a client to this port."""
        return f"127.0.0.1:{port}" in self.log.read_text()


def _find_program(program: str) -> str:
    path = shutil.which(program)
    assert path is not None, f"{program} is missing: see tests/tools/system_packages.sh"
    return path


@contextmanager
def run_http_proxy(folder: Path, *, has_password: bool = False) -> Iterator[RunningProxy]:
    """Run tinyproxy."""
    with reserve_port() as port:
        settings = folder / "tinyproxy.conf"
        lines = [f"Port {port}", "Listen 127.0.0.1", "Timeout 60", "LogLevel Connect"]
        lines += ["MaxClients 20", "DisableViaHeader Yes"]
        if has_password:
            lines.append(f"BasicAuth {NAME} {PASSWORD}")
        settings.write_text("\n".join(lines) + "\n")
        command = [_find_program("tinyproxy"), "-d", "-c", str(settings)]
        sign_in = f"{QUOTED_SIGN_IN}@" if has_password else ""
        with _run_proxy(command, port, folder / "tinyproxy.log") as log:
            yield RunningProxy(f"http://{sign_in}127.0.0.1:{port}", log)


@contextmanager
def run_tls_front(proxy: RunningProxy, certificate: Certificate) -> Iterator[RunningProxy]:
    """Run a TLS front, like stunnel, that decrypts what clients send and passes it to a proxy."""
    sign_in, at, host_and_port = proxy.address.removeprefix("http://").rpartition("@")
    host, _, port = host_and_port.partition(":")

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        plain_reader, plain_writer = await asyncio.open_connection(host, int(port))
        with contextlib.suppress(OSError):
            await asyncio.gather(
                _pass_on_bytes(reader, plain_writer), _pass_on_bytes(plain_reader, writer)
            )

    loop = asyncio.new_event_loop()
    context = certificate.build_server_context()
    server = loop.run_until_complete(asyncio.start_server(connect, "127.0.0.1", 0, ssl=context))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    front = server.sockets[0].getsockname()[1]
    try:
        yield RunningProxy(f"https://{sign_in}{at}127.0.0.1:{front}", proxy.log)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()


async def _pass_on_bytes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on everything, and close the writer at the end of the stream."""
    while piece := await reader.read(65_536):
        writer.write(piece)
        await writer.drain()
    writer.close()


@contextmanager
def run_socks_proxy(folder: Path, *, has_password: bool = False) -> Iterator[RunningProxy]:
    """Run microsocks."""
    with reserve_port() as port:
        command = [_find_program("microsocks"), "-i", "127.0.0.1", "-p", str(port)]
        if has_password:
            command += ["-u", NAME, "-P", PASSWORD]
        sign_in = f"{QUOTED_SIGN_IN}@" if has_password else ""
        with _run_proxy(command, port, folder / "microsocks.log") as log:
            yield RunningProxy(f"socks5://{sign_in}127.0.0.1:{port}", log)


@contextmanager
def _run_proxy(command: list[str], port: int, log: Path) -> Iterator[Path]:
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        wait_for(lambda: _accepts_connections(port) or process.poll() is not None)
        assert process.poll() is None, log.read_text()
        yield log
    finally:
        process.terminate()
        process.wait(10)


def _accepts_connections(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
