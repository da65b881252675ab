"""The real program without a window: start, stop, kill, and output."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest

from app.desktop.settings import Settings, parse_arguments, read_settings
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import ROOT, DesktopHost, run_desktop_process
from tests.desktop.printing import build_label
from tests.desktop.standins import StandInPortal, wait_for
from tests.modules import list_loaded_modules
from tests.standins.ports import reserve_port


def start_and_fail(*arguments: str, **environment: str) -> tuple[int, str]:
    """Return the exit code and error text of a start that must fail."""
    inherited_variables = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    # In the user's own folder, the start might find a running app.
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.run(
            [sys.executable, "-m", "app.desktop", *arguments],
            cwd=ROOT,
            env={**inherited_variables, "PORTAL_DESKTOP_DIR": folder, **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    return process.returncode, process.stderr


def read_arguments(*argv: str) -> Settings:
    """Read the settings as the program does with these arguments."""
    return read_settings(parse_arguments(list(argv)))


class TestStart:
    def test_answers_when_it_reports_ready(
        self, desktop_host: Callable[..., DesktopHost], portal_url: str, ui_dir: Path
    ) -> None:
        host = desktop_host(portal_url, ui_dir)
        with host.open_page() as page:
            assert page.get("/capabilities").json()["lab"]["title"] == "Invented Lab"

    def test_reads_the_portals_address_from_argument_environment_or_file(
        self, tmp_path: Path, ui_dir: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PORTAL_DESKTOP_DIR", str(tmp_path))
        monkeypatch.setenv("PORTAL_UI_DIR", str(ui_dir))
        monkeypatch.delenv("PORTAL_URL", raising=False)
        assert read_arguments().portal_url is None
        (tmp_path / "desktop.json").write_text('{"portalUrl": "https://file.example/"}')
        assert read_arguments().portal_url == "https://file.example"
        monkeypatch.setenv("PORTAL_URL", "https://environment.example/lab/")
        assert read_arguments().portal_url == "https://environment.example/lab"
        assert read_arguments("--portal", "http://localhost:9").portal_url == "http://localhost:9"

    @pytest.mark.parametrize(
        ("url", "message"),
        [
            ("http://portal.example", "https://"),
            ("ftp://x", "https://"),
            ("portal", "https://"),
            ("https://user:pw@portal.example", "host, a port, and a path"),
            ("https://portal.example?x=1", "host, a port, and a path"),
            ("https://portal.example:abc", "port"),
            ("https://portal.example:99999", "port"),
            ("https://portal.example:", "port"),
            ("https://[::1", "https://"),
            ("https://portal\u200b.example", "host in the portal's address is not valid"),
        ],
    )
    def test_rejects_an_unsafe_portal_address(self, ui_dir: Path, url: str, message: str) -> None:
        code, text = start_and_fail("--headless", "--portal", url, PORTAL_UI_DIR=str(ui_dir))
        assert code == 2
        assert message in text
        assert "Traceback" not in text

    def test_reports_a_missing_user_interface(self, tmp_path: Path) -> None:
        code, text = start_and_fail("--headless", PORTAL_UI_DIR=str(tmp_path))
        assert code == 2 and "not built" in text

    @pytest.mark.parametrize("name", ["", "instance.lock"])
    def test_reports_a_folder_in_which_nothing_can_be_stored(
        self, tmp_path: Path, ui_dir: Path, name: str
    ) -> None:
        folder = tmp_path / "config"
        if name:
            (folder / name).mkdir(parents=True)  # a folder where a file should be
        else:
            folder.touch()
        code, text = start_and_fail(
            "--headless", PORTAL_UI_DIR=str(ui_dir), PORTAL_DESKTOP_DIR=str(folder)
        )
        assert code == 2
        assert f"cannot store its settings in {folder}" in text
        assert "Traceback" not in text

    def test_shows_a_mistake_to_somebody_who_started_it_from_a_menu(
        self, tmp_path: Path, ui_dir: Path
    ) -> None:
        """Standard error is in a log then, so a program of the desktop shows the message."""
        program, shown = tmp_path / "zenity", tmp_path / "shown"
        program.write_text(f'#!/bin/sh\necho "$@" > {shown}.part\nmv {shown}.part {shown}\n')
        program.chmod(0o755)
        code, text = start_and_fail(
            "labportal://nowhere",
            PORTAL_UI_DIR=str(ui_dir),
            DISPLAY=":none",
            PATH=f"{tmp_path}:{os.environ['PATH']}",
        )
        assert code == 2
        wait_for(shown.exists)
        assert text.strip() in shown.read_text()

    def test_reports_a_missing_display(self, ui_dir: Path) -> None:
        code, text = start_and_fail(PORTAL_UI_DIR=str(ui_dir), WAYLAND_DISPLAY="")
        assert code == 2 and "DISPLAY" in text


class TestEnd:
    def test_exits_cleanly_on_sigterm(
        self, desktop_host: Callable[..., DesktopHost], portal_url: str, ui_dir: Path
    ) -> None:
        host = desktop_host(portal_url, ui_dir)
        assert host.process is not None and host.log is not None
        with host.open_page() as page, page.stream("GET", "/api/events") as events:
            next(events.iter_lines())
            host.process.send_signal(signal.SIGTERM)
            # The program does not wait for the page, whose stream of events is still open.
            assert host.process.wait(60) == 0
        assert "Traceback" not in host.log.read_text()

    def test_leaves_no_partial_file_when_killed_while_writing(
        self, tmp_path: Path, portal_url: str, ui_dir: Path
    ) -> None:
        folder = tmp_path / "config"
        for _ in range(3):
            with run_desktop_process(portal_url, folder, ui_dir) as host:
                assert host.process is not None
                stop, written = threading.Event(), threading.Semaphore(0)
                writer = threading.Thread(target=_write_until_stopped, args=(host, stop, written))
                writer.start()
                for _ in range(10):
                    assert written.acquire(timeout=60)
                host.process.kill()
                host.process.wait()
                stop.set()
                writer.join()
            stored_values = json.loads((folder / "preferences.json").read_bytes())
            # Each write is one letter, repeated.
            assert stored_values["grid.a"] == stored_values["grid.a"][0] * 8_000
        with run_desktop_process(portal_url, folder, ui_dir):
            names = sorted(p.name for p in folder.iterdir())
        assert not [name for name in names if name.endswith((".part", ".broken"))]


def _write_until_stopped(
    host: DesktopHost, stop: threading.Event, written: threading.Semaphore
) -> None:
    with host.open_page() as page:
        number = 0
        while not stop.is_set():
            number += 1
            value = chr(ord("a") + number % 26) * 8_000
            try:
                page.put("/device/preferences/grid.a", json={"value": value})
            except httpx.HTTPError:
                return
            written.release()


class TestSilence:
    def test_logs_no_personal_data_labels_or_tokens(
        self,
        desktop_host: Callable[..., DesktopHost],
        portal: StandInPortal,
        portal_url: str,
        ui_dir: Path,
    ) -> None:
        host = desktop_host(portal_url, ui_dir)
        assert host.log is not None
        with host.open_page() as page, reserve_port() as closed_port:
            page.post("/auth/login", json=SIGN_IN)
            page.get("/api/v2/patients/remote-operations?lastName=NIGHTINGALE")
            page.get("/secured/patients;lastName=NIGHTINGALE")
            printer = page.post(
                "/device/printers",
                json={"name": "Zebra", "host": "127.0.0.1", "port": closed_port},
            ).json()["id"]
            answer = page.post(
                "/device/print", json={"printerId": printer, "labels": [build_label()]}
            )
            assert answer.status_code == 503
        log = host.log
        wait_for(lambda: "print_failed" in log.read_text())
        log_text = log.read_text()
        forbidden_texts = [
            "NIGHTINGALE",
            "ÑAND",
            "SST",
            "demo.lab",
            *portal.access_tokens,
            *portal.refresh_tokens,
        ]
        assert not [word for word in forbidden_texts if word in log_text]


def test_an_upload_of_25_mb_is_not_held_in_memory(
    desktop_host: Callable[..., DesktopHost], portal_url: str, ui_dir: Path
) -> None:
    host = desktop_host(portal_url, ui_dir)
    assert host.process is not None
    [sidecar] = psutil.Process(host.process.pid).children()
    with host.open_page() as page:
        assert page.post("/auth/login", json=SIGN_IN).status_code == 200
        page.post("/api/upload", content=(b"p" * 65_536 for _ in range(4)))
        before = read_highest_memory(sidecar.pid)
        answer = page.post("/api/upload", content=(b"p" * 65_536 for _ in range(400)))
    assert answer.json()["length"] == 400 * 65_536
    assert read_highest_memory(sidecar.pid) - before < 5_000


def read_highest_memory(pid: int) -> int:
    """Return the highest resident memory of a process so far, in kB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0])


def test_desktop_imports_no_database_library() -> None:
    """Importing the whole desktop host loads neither SQLAlchemy, psycopg, nor the server."""
    modules = list_loaded_modules("app.desktop.main", "app.desktop.application")
    assert not [m for m in modules if m.startswith(("sqlalchemy", "psycopg", "app.server"))]


@pytest.mark.parametrize(
    ("module", "unneeded_modules"),
    [
        ("app.desktop.sidecar", {"PIL", "reportlab", "PySide6", "webview"}),
        ("app.desktop.window.host", {"fastapi", "httpx", "pydantic", "uvicorn", "PIL"}),
    ],
)
def test_processes_load_only_libraries_that_they_need(
    module: str, unneeded_modules: set[str]
) -> None:
    assert unneeded_modules.isdisjoint(list_loaded_modules(module))


def test_the_window_library_loads_only_the_classes_of_qt_that_it_uses() -> None:
    register = "from app.desktop.window.qt_names import register_qt_names as register\nregister()\n"
    modules = list_loaded_modules("webview.platforms.qt", before=register)
    assert "qtpy.QtWidgets" in modules
    # Only the original qtpy has this module; it imports every class of Qt.
    assert "qtpy._utils" not in modules
