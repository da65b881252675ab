"""``make dev``: the portal with the demo lab and the interface, both reloading on save.

PostgreSQL keeps running when the portal restarts, so a change to Python code or SQL takes effect
within 5 seconds. Vite reloads the interface. The data is separate from that of ``make run``.
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from watchfiles import watch

from app.basics.terminal import say
from app.server.open_database import open_owner_database
from app.server.settings import Settings

_ROOT = Path(__file__).parents[2]
_WATCHED_FOLDERS = ("app", "seeds")


def main() -> int:
    """Run until Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    data = Path(os.environ.get("PORTAL_DATA_DIR", _ROOT / ".data" / "dev"))
    data.mkdir(parents=True, exist_ok=True, mode=0o711)
    settings = Settings(data_dir=data)
    with suppress(KeyboardInterrupt), open_owner_database(settings, say) as owner_url:
        port = _find_free_port()
        environment = {
            **os.environ,
            "DATABASE_URL": owner_url,
            "PORTAL_DATA_DIR": str(data),
            "PORTAL_PORT": str(port),
            "PORTAL_LOG_LEVEL": "WARNING",
            # One process loads the sources once: the portal is back in half the time.
            "PORTAL_PROCESSES": "1",
            "PORTAL_DRAWING_PROCESSES": "1",
        }
        with _run_interface(port):
            _serve_and_watch(environment)
    say("Stopped.")
    return 0


def _serve_and_watch(environment: dict[str, str]) -> None:
    """Run the portal and restart it after each change to its sources."""
    portal = _start_portal(environment)
    try:
        for _changes in watch(*(_ROOT / folder for folder in _WATCHED_FOLDERS)):
            say("  The portal's sources changed; restarting it ...")
            _stop_portal(portal)
            portal = _start_portal(environment)
    finally:
        _stop_portal(portal)


def _start_portal(environment: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "app", "serve"], cwd=_ROOT, env=environment, start_new_session=True
    )


def _stop_portal(portal: subprocess.Popen[bytes]) -> None:
    portal.send_signal(signal.SIGINT)
    try:
        portal.wait(15)
    except subprocess.TimeoutExpired:
        portal.kill()
        portal.wait()


@contextmanager
def _run_interface(port: int) -> Iterator[None]:
    """Run Vite's server, which forwards all other paths to the portal."""
    vite = subprocess.Popen(
        ["npm", "--prefix", "ui", "run", "--silent", "dev"],
        cwd=_ROOT,
        env={**os.environ, "PORTAL_ORIGIN": f"http://127.0.0.1:{port}"},
        start_new_session=True,
    )
    try:
        yield
    finally:
        os.killpg(vite.pid, signal.SIGTERM)
        vite.wait()


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    raise SystemExit(main())
