"""Starts the desktop host for tests, here and in the end-to-end tests.

``run_desktop_process`` runs the real program without a window, and hands the session over as a
window does. ``run_sidecar`` runs the same sidecar in this process, where tests can replace its
parts.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from app.desktop.application import Sidecar, Workstation
from app.desktop.guard import get_cookie_name
from app.desktop.launch import HAND_OVER_PATH, Launch
from app.desktop.settings import Network, Settings
from app.desktop.sidecar import SidecarServer
from app.desktop.supervisor import open_socket

ROOT = Path(__file__).parents[2]


@dataclass
class DesktopHost:
    """A running sidecar and the launch cookie of one window."""

    url: str
    cookie_value: str
    config_dir: Path
    launch: Launch | None = None
    process: subprocess.Popen[str] | None = None
    log: Path | None = None

    @property
    def port(self) -> int:
        """The port that the system chose."""
        return int(self.url.rpartition(":")[2])

    @property
    def cookie(self) -> dict[str, object]:
        """The launch cookie for Playwright: ``context.add_cookies([host.cookie])``."""
        return {
            "name": get_cookie_name(self.port),
            "value": self.cookie_value,
            "url": self.url,
            "httpOnly": True,
            "sameSite": "Strict",
        }

    @property
    def headers(self) -> dict[str, str]:
        """The headers that the app's window sends with a write."""
        return {
            "Origin": self.url,
            "Sec-Fetch-Site": "same-origin",
            "Cookie": f"{get_cookie_name(self.port)}={self.cookie_value}",
        }

    def open_page(self) -> httpx.Client:
        """Open an HTTP session that behaves like a window of the app."""
        return httpx.Client(base_url=self.url, headers=self.headers, timeout=60, trust_env=False)


def hand_over(url: str, code: str) -> str:
    """Exchange a one-time code for the launch cookie's value, as a window does."""
    answer = httpx.post(
        url + HAND_OVER_PATH,
        data={"code": code},
        headers={"Origin": url},
        trust_env=False,
        timeout=60,
    )
    assert answer.status_code == 303, answer.text
    return answer.cookies[get_cookie_name(int(url.rpartition(":")[2]))]


@contextmanager
def run_desktop_process(
    portal_url: str,
    config_dir: Path,
    ui_dir: Path | None = None,
    *,
    path: str | None = None,
    temp_dir: Path | None = None,
) -> Iterator[DesktopHost]:
    """Run ``python -m app.desktop --headless`` in front of a portal.

    ``ui_dir`` defaults to ui/dist. ``path`` is the PATH for the workstation's programs;
    ``temp_dir`` is where the host stores the documents that it opens or saves.
    """
    environment = {
        **os.environ,
        "PORTAL_DESKTOP_DIR": str(config_dir),
        "PORTAL_LOCAL_PRINTERS": "true",  # the tests' printers are on this computer
        "PATH": path or os.environ["PATH"],
    }
    if ui_dir is not None:
        environment["PORTAL_UI_DIR"] = str(ui_dir)
    if temp_dir is not None:
        environment["TMPDIR"] = str(temp_dir)
    log = config_dir.with_name(f"{config_dir.name}.log")
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "app.desktop", "--headless", "--portal", portal_url],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, f"the desktop host did not start: {log.read_text()}"
        ready_message = json.loads(line)
        cookie = hand_over(ready_message["url"], ready_message["code"])
        yield DesktopHost(ready_message["url"], cookie, config_dir, process=process, log=log)
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def run_sidecar(
    portal_url: str | None,
    config_dir: Path,
    ui_dir: Path,
    station: Workstation | None = None,
    *,
    local_printers: bool = True,
    names_in_titles: bool = False,
    network: Network | None = None,
    problem: str | None = None,
    fixed_by: str | None = None,
) -> Iterator[DesktopHost]:
    """Run the sidecar in this process, with the parts of ``station``."""
    launch = Launch()
    listener = open_socket()
    port = listener.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    settings = Settings(
        portal_url=portal_url,
        config_dir=config_dir,
        ui_dir=ui_dir,
        local_printers=local_printers,
        names_in_titles=names_in_titles,
        network=network or Network(),
        problem=problem,
        fixed_by=fixed_by,
    )
    server = SidecarServer(Sidecar(settings, port, launch, station or _build_station()).asgi)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        cookie = hand_over(url, launch.issue_code("/", "test"))
        yield DesktopHost(url, cookie, config_dir, launch=launch)
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def _build_station() -> Workstation:
    return Workstation(keyring=lambda: None)
