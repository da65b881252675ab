"""Fixtures of the desktop tests."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.desktop.host import DesktopHost, run_desktop_process, run_sidecar
from tests.desktop.standins import StandInPortal, serve_app, write_ui

SIGN_IN = {"loginId": "laboratory@demo.lab", "password": "Portal-2026!", "applicationId": "portal"}


@pytest.fixture
def portal() -> StandInPortal:
    """A stand-in for the portal; ``portal_url`` serves it."""
    return StandInPortal()


@pytest.fixture
def portal_url(portal: StandInPortal) -> Iterator[str]:
    """The stand-in's address on loopback."""
    with serve_app(portal.app) as url:
        yield url


@pytest.fixture
def ui_dir(tmp_path: Path) -> Path:
    """A stand-in for the built user interface."""
    return write_ui(tmp_path / "ui")


@pytest.fixture
def host(portal_url: str, tmp_path: Path, ui_dir: Path) -> Iterator[DesktopHost]:
    """A sidecar in this process, relaying to the stand-in portal."""
    with run_sidecar(portal_url, tmp_path / "config", ui_dir) as sidecar:
        yield sidecar


@pytest.fixture
def page(host: DesktopHost) -> Iterator[httpx.Client]:
    """An HTTP session with the headers of the app's window."""
    with host.open_page() as page:
        yield page


@pytest.fixture
def signed_in_page(page: httpx.Client) -> httpx.Client:
    """A page that is signed in."""
    assert page.post("/auth/login", json=SIGN_IN).status_code == 200
    return page


@pytest.fixture
def desktop_host(tmp_path: Path) -> Iterator[Callable[..., DesktopHost]]:
    """A function that starts the real program without a window, and opens its session."""
    with ExitStack() as stack:

        def start(portal_url: str, ui_dir: Path | None = None) -> DesktopHost:
            return stack.enter_context(
                run_desktop_process(portal_url, tmp_path / "desktop-config", ui_dir)
            )

        yield start
