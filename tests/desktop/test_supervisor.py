"""The app and its sidecar as two processes: what one does when the other is killed."""

import os
import select
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from app.contract import messages
from app.desktop.files import FileLock
from app.desktop.launch import Launch
from app.desktop.supervisor import SIDECAR_ARGUMENT, Supervisor, open_socket
from app.desktop.window.document_folder import DocumentFolder
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import DesktopHost, hand_over
from tests.desktop.printing import add_printer, build_label, start_job, wait_for_job
from tests.desktop.standins import StandInPortal, serve_app, wait_for, write_ui
from tests.desktop.zebra import Zebra

NOWHERE = "http://127.0.0.1:9"


def find_sidecar(app: int) -> psutil.Process:
    """Return the sidecar's process of an app."""
    [child] = [p for p in psutil.Process(app).children() if SIDECAR_ARGUMENT in p.cmdline()]
    return child


def kill_and_wait(process: psutil.Process) -> None:
    """Kill a process, and return when it has ended."""
    watch = os.pidfd_open(process.pid)
    process.kill()
    wait_for_end(watch)


def wait_for_end(watch: int) -> None:
    """Return when the process of a descriptor has ended."""
    readable, _, _ = select.select([watch], [], [], 60)
    os.close(watch)
    assert readable, "it still runs"


def call_app(page: httpx.Client, method: str, path: str, **more: Any) -> httpx.Response:
    """Call the app, and repeat the call as a browser does if the server closed the connection."""
    try:
        return page.request(method, path, **more)
    except httpx.RemoteProtocolError:
        return page.request(method, path, **more)


class RecordedHost:
    """An app whose windows are recorded instead of shown; the person always tries again."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.changes: list[tuple[str, str | None, str | None]] = []
        self.copied = ""
        self.chosen: Path | None = None
        self.questions: list[str] = []
        self.started_over = threading.Event()

    def open(self, path: str) -> None:
        self.opened.append(path)

    def change(self, name: str, act: str | None, title: str | None) -> None:
        self.changes.append((name, act, title))
        if title == "broken":
            raise RuntimeError

    def choose_file(self, name: str) -> Path | None:
        return self.chosen

    def copy(self, text: str) -> bool:
        self.copied = text
        return True

    def start_over(self) -> None:
        self.started_over.set()

    def ask_to_try_again(self, question: str) -> bool:
        self.questions.append(question)
        return True

    def close_all(self) -> None:
        raise AssertionError("closes no window")


class App:
    """A supervisor in this process, with recorded windows and a real sidecar."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.portal = StandInPortal()
        self.host = RecordedHost()
        self._launch = Launch()
        self._listener = open_socket()
        self._url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    @contextmanager
    def run(self) -> Iterator[None]:
        with serve_app(self.portal.app) as portal_url:
            arguments = ["--portal", portal_url]
            self.supervisor = Supervisor(self._listener, self._launch, arguments, self.host)
            self.supervisor.start()
            try:
                yield
            finally:
                self.supervisor.stop()

    def open_page(self, window: str) -> httpx.Client:
        code = self._launch.issue_code("/", window)
        return DesktopHost(self._url, hand_over(self._url, code), self.folder).open_page()

    def kill_sidecar(self) -> None:
        kill_and_wait(find_sidecar(os.getpid()))


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """One app for this file, on a computer without viewers of documents."""
    folder = tmp_path_factory.mktemp("app")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PORTAL_DESKTOP_DIR", str(folder / "config"))
        environment.setenv("PORTAL_UI_DIR", str(write_ui(folder / "ui")))
        environment.setenv("PORTAL_LOCAL_PRINTERS", "true")
        environment.setenv("PATH", str(folder))
        environment.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")  # no keyring
        running = App(folder)
        with running.run():
            yield running


@pytest.fixture
def page(app: App, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    """The page of a new window."""
    with app.open_page(request.node.name) as page:
        yield page


class TestKilledSidecar:
    def test_new_sidecar_has_the_same_address_for_the_same_window(
        self, app: App, page: httpx.Client
    ) -> None:
        app.host.started_over.clear()
        with page.stream("GET", "/api/events") as events:
            lines = events.iter_lines()
            next(lines)
            app.kill_sidecar()
            with pytest.raises(httpx.RemoteProtocolError):  # a call in progress breaks off
                list(lines)
        assert call_app(page, "GET", "/capabilities").json()["lab"]["title"] == "Invented Lab"
        assert app.host.started_over.wait(60)

    def test_lets_the_person_stay_signed_in_without_a_keyring(
        self, app: App, page: httpx.Client
    ) -> None:
        page.post("/auth/login", json=SIGN_IN)
        page.post("/auth/logout")
        page.post("/auth/login", json=SIGN_IN)
        before = page.get("/device/presence").json()["sessionsEnded"]
        app.kill_sidecar()
        assert call_app(page, "POST", "/api/v2/x", json={}).status_code == 200
        assert page.get("/device/presence").json()["sessionsEnded"] == before > 0

    def test_does_not_let_somebody_back_in_who_has_signed_out(
        self, app: App, page: httpx.Client
    ) -> None:
        page.post("/auth/login", json=SIGN_IN)
        page.post("/auth/logout")
        app.kill_sidecar()
        assert call_app(page, "GET", "/api/v2/x").status_code == 401

    def test_fails_its_print_job_and_prints_nothing_again(
        self, app: App, page: httpx.Client
    ) -> None:
        zebra = Zebra(paper=1)
        labels = [build_label(number) for number in range(3)]
        page.post("/auth/login", json=SIGN_IN)
        printer = add_printer(page, zebra.port)
        start_job(page, printer, "click-0001", *labels, codes=["R260000001"])
        wait_for_job(page, "click-0001", lambda job: bool(job["waitsFor"]))
        app.kill_sidecar()
        job = call_app(page, "GET", "/device/print-jobs/click-0001").json()
        assert (job["state"], job["error"]) == ("failed", messages.PRINT_APP_ENDED)
        assert (job["printed"], job["unknown"]) == (0, 3)
        again = start_job(page, printer, "click-0001", *labels, codes=["R260000001"])
        assert again["state"] == "failed"
        assert len(zebra.printed) == 1
        zebra.close()
        wait_for(lambda: any(str(x["path"]).endswith("/outcome") for x in app.portal.calls))
        [report] = [x for x in app.portal.calls if str(x["path"]).endswith("/outcome")]
        assert '"unknown": 3' in str(report["body"])

    def test_asks_the_person_if_it_dies_repeatedly(self, app: App, page: httpx.Client) -> None:
        app.host.questions.clear()
        while not app.host.questions:
            app.kill_sidecar()
            assert call_app(page, "GET", "/capabilities").status_code == 200
        assert app.host.questions == [
            messages.SIDECAR_DIES.format(folder=app.folder / "config" / "logs")
        ]

    def test_ends_an_app_without_windows_if_it_dies_repeatedly(
        self, desktop_host: Callable[..., DesktopHost], ui_dir: Path
    ) -> None:
        host = desktop_host(NOWHERE, ui_dir)
        assert host.process is not None
        with host.open_page() as page:
            for number in range(3):
                if number:
                    call_app(page, "GET", "/capabilities")
                kill_and_wait(find_sidecar(host.process.pid))
        assert host.process.wait(60) == 1


class TestAppWithoutWindows:
    """The sidecar of an app that shows no windows, as in tests and on servers."""

    def test_tells_the_page_to_open_screens_in_place(
        self, desktop_host: Callable[..., DesktopHost], ui_dir: Path
    ) -> None:
        with desktop_host(NOWHERE, ui_dir).open_page() as page:
            answer = page.post("/device/windows", json={"path": "/secured/results/lab"})
            assert answer.status_code == 424
            assert page.get("/capabilities").json()["canOpenWindows"] is False


class TestKilledApp:
    def test_ends_the_sidecar_and_frees_the_port(
        self, desktop_host: Callable[..., DesktopHost], portal_url: str, ui_dir: Path
    ) -> None:
        host = desktop_host(portal_url, ui_dir)
        assert host.process is not None
        watch = os.pidfd_open(find_sidecar(host.process.pid).pid)
        with host.open_page() as page, page.stream("GET", "/api/events") as events:
            next(events.iter_lines())
            host.process.kill()
            wait_for_end(watch)
        with socket.socket() as attempt:
            assert attempt.connect_ex(("127.0.0.1", host.port)) != 0

    def test_next_sidecar_waits_for_the_files_of_the_previous_one(self, tmp_path: Path) -> None:
        previous_lock, following_lock = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
        assert previous_lock.acquire()
        assert not following_lock.acquire()
        waiting_thread = threading.Thread(
            target=following_lock.acquire, kwargs={"waits": True}, daemon=True
        )
        waiting_thread.start()
        previous_lock.release()
        waiting_thread.join(60)
        assert not waiting_thread.is_alive()
        assert not previous_lock.acquire()


class TestDocuments:
    """The files of documents in a viewer exist as long as the app runs, and no longer."""

    @pytest.fixture(autouse=True)
    def temporary_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """The folder of temporary files, on a computer without viewers."""
        folder = tmp_path / "temporary"
        folder.mkdir()
        monkeypatch.setenv("TMPDIR", str(folder))
        monkeypatch.setattr("tempfile.tempdir", str(folder))
        monkeypatch.setenv("PATH", str(tmp_path))
        return folder

    @pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
    def test_documents_of_a_killed_sidecar_stay_until_the_app_ends(
        self,
        desktop_host: Callable[..., DesktopHost],
        ui_dir: Path,
        temporary_folder: Path,
        end: signal.Signals,
    ) -> None:
        host = desktop_host(NOWHERE, ui_dir)
        assert host.process is not None
        body = {"content": "aGVsbG8=", "mediaType": "text/plain", "name": "report"}
        with host.open_page() as page:
            for number in range(2):
                call_app(page, "POST", "/device/documents", json=body)
                assert len(list(temporary_folder.rglob("report.txt"))) == number + 1
                kill_and_wait(find_sidecar(host.process.pid))
            assert call_app(page, "GET", "/capabilities").status_code == 200
            files = list(temporary_folder.rglob("report.txt"))
            assert [file.read_bytes() for file in files] == [b"hello", b"hello"]
            watch = os.pidfd_open(find_sidecar(host.process.pid).pid)
        host.process.send_signal(end)
        wait_for_end(watch)
        host.process.wait(60)
        assert list(temporary_folder.iterdir()) == []

    def test_next_start_removes_documents_of_a_computer_that_lost_power(
        self, temporary_folder: Path
    ) -> None:
        running_folder = DocumentFolder()
        old_folder = temporary_folder / "lab-portal-documents-left"
        old_folder.mkdir()
        (old_folder / "lock").touch()
        (old_folder / "old.pdf").touch()
        started_folder = DocumentFolder()
        assert sorted(temporary_folder.iterdir()) == sorted(
            [running_folder.path, started_folder.path]
        )
        for folder in (running_folder, started_folder):
            folder.remove()
        assert list(temporary_folder.iterdir()) == []


class TestChannel:
    """The sidecar asks the app's process to do what only it can do, and gets its answers."""

    def test_carries_windows_files_and_the_clipboard(self, app: App, page: httpx.Client) -> None:
        assert page.get("/capabilities").json()["canOpenWindows"] is True
        page.post("/device/windows", json={"path": "/secured/patients"})
        page.put("/device/windows/current", json={"title": "broken"})
        page.put("/device/windows/current", json={"title": "Patients", "act": "guards"})
        copy_answer = page.post("/device/diagnostics/copy").json()
        assert copy_answer["isCopied"] is True
        assert app.host.copied == copy_answer["text"]
        assert app.host.opened == ["/secured/patients"]
        assert app.host.changes[-1][1:] == ("guards", "Patients")
        app.host.chosen = app.folder / "chosen.txt"
        body = {"content": "aGVsbG8=", "mediaType": "text/plain", "name": "report"}
        answer = page.post("/device/documents", json=body).json()
        assert answer["code"] == "no_viewer" and "chosen.txt" in answer["detail"]
        assert app.host.chosen.read_bytes() == b"hello"

    def test_a_closed_window_is_locked_out_of_every_later_sidecar(self, app: App) -> None:
        with app.open_page("closed") as page:
            app.supervisor.close_window("closed")
            wait_for(lambda: page.get("/capabilities").status_code == 403)
            app.kill_sidecar()
            assert call_app(page, "GET", "/capabilities").status_code == 403


class TestLaunch:
    """Codes and cookies outlive a sidecar, but not a window or a run of the app."""

    def test_a_cookie_is_known_to_the_next_sidecar(self) -> None:
        app = Launch()
        redemption = Launch(app.secret).redeem_code(app.issue_code("/x", "window"))
        assert redemption is not None and redemption[1] == "/x"
        assert Launch(app.secret).find_window(redemption[0]) == "window"
        assert Launch(app.secret, ["window"]).find_window(redemption[0]) is None
        assert Launch().find_window(redemption[0]) is None

    def test_cookies_and_codes_are_not_interchangeable(self) -> None:
        launch = Launch()
        code = launch.issue_code("/x", "window")
        redemption = launch.redeem_code(code)
        assert redemption is not None
        assert launch.redeem_code(redemption[0]) is None
        assert launch.find_window(code) is None

    def test_the_code_of_a_closed_window_is_invalid(self) -> None:
        launch = Launch()
        code = launch.issue_code("/", "window")
        launch.close_window("window")
        assert launch.redeem_code(code) is None
