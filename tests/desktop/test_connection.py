"""A portal out of reach: each cause has its own sentence, with the address and what to do."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from app.contract import messages
from app.desktop.errors import Cause, PortalUnreachable
from app.desktop.relay.causes import SENTENCES
from app.desktop.relay.portal import Portal, Upload, Watch
from app.desktop.settings import Network
from tests.desktop.host import run_sidecar
from tests.desktop.standins import StandInPortal, open_listener, serve_app
from tests.standins.certificates import create_certificate
from tests.standins.ports import bind_port, reserve_port


def build_app(answer: Response) -> Starlette:
    """Build an app that answers every request in the same way."""

    async def reply(_: Request) -> Response:
        return answer

    return Starlette(routes=[Route("/{rest:path}", reply)])


@contextmanager
def run_raw_server(answer: bytes | None) -> Iterator[str]:
    """Run a server that sends an answer to each connection and closes it; None sends nothing."""
    listener = open_listener()
    open_connections = []

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            if answer is None:
                open_connections.append(connection)
            else:
                connection.sendall(answer)
                connection.close()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for connection in open_connections:
            connection.close()


@pytest.fixture
def workstation(tmp_path: Path, ui_dir: Path, monkeypatch: pytest.MonkeyPatch) -> "Workstation":
    """A workstation whose app can be started in front of anything."""
    monkeypatch.setattr("app.desktop.relay.reach._TIMEOUT_SECONDS", 1.0)
    return Workstation(tmp_path, ui_dir)


class Workstation:
    """Starts the app and reads what its first page learns about the connection."""

    def __init__(self, folder: Path, ui_dir: Path) -> None:
        self.folder = folder
        self._ui_dir = ui_dir

    def read_connection(self, portal_url: str, network: Network | None = None) -> dict[str, Any]:
        """Return what the page learns about the portal."""
        with (
            run_sidecar(portal_url, self.folder / "config", self._ui_dir, network=network) as host,
            host.open_page() as page,
        ):
            answer = page.get("/capabilities").json()
        assert answer["lab"] is None
        return dict(answer["portal"])


class TestCauses:
    """Each fault is produced for real, and the page learns its cause."""

    def test_every_cause_has_its_own_sentences(self) -> None:
        assert set(SENTENCES) == set(Cause) - {Cause.SETTINGS}
        assert len({problem for problem, _ in SENTENCES.values()}) == len(SENTENCES)

    def test_reports_that_nothing_listens_on_the_port(self, workstation: Workstation) -> None:
        with reserve_port() as port:
            url = f"http://127.0.0.1:{port}"
            assert workstation.read_connection(url) == {
                "address": url,
                "cause": "not_listening",
                "problem": f"Nothing accepts connections at {url}.",
                "advice": messages.PORTAL_NOT_LISTENING_ADVICE,
                "newerVersion": None,
            }

    def test_reports_an_unknown_host_name(self, workstation: Workstation) -> None:
        connection = workstation.read_connection("https://portal.invalid", Network("none"))
        assert connection["cause"] == "unknown_host"
        assert connection["problem"] == "The name portal.invalid is not known on this network."

    def test_reports_an_unknown_certificate_authority(
        self, workstation: Workstation, portal: StandInPortal
    ) -> None:
        certificate = create_certificate(workstation.folder)
        with serve_app(portal.app, certificate=certificate) as url:
            assert workstation.read_connection(url)["cause"] == "untrusted"

    def test_reports_a_certificate_with_another_name(
        self, workstation: Workstation, portal: StandInPortal
    ) -> None:
        certificate = create_certificate(workstation.folder, "127.0.0.2")
        network = Network(authority=certificate.authority)
        with serve_app(portal.app, certificate=certificate) as url:
            assert workstation.read_connection(url, network)["cause"] == "wrong_name"

    def test_reports_an_expired_certificate(
        self, workstation: Workstation, portal: StandInPortal
    ) -> None:
        certificate = create_certificate(workstation.folder, age=timedelta(days=2))
        network = Network(authority=certificate.authority)
        with serve_app(portal.app, certificate=certificate) as url:
            assert workstation.read_connection(url, network)["cause"] == "expired"

    def test_reports_a_port_without_https(
        self, workstation: Workstation, portal: StandInPortal
    ) -> None:
        with serve_app(portal.app) as url:
            https_url = url.replace("http:", "https:")
            assert workstation.read_connection(https_url)["cause"] == "tls"

    def test_reports_a_proxy_that_is_down(self, workstation: Workstation) -> None:
        with reserve_port() as port:
            proxy = f"http://ada:secret@127.0.0.1:{port}"
            connection = workstation.read_connection("https://portal.invalid", Network(proxy))
        assert connection["cause"] == "proxy"
        assert connection["problem"] == f"The proxy http://127.0.0.1:{port} cannot be reached."

    def test_reports_a_portal_that_hangs(self, workstation: Workstation) -> None:
        with run_raw_server(answer=None) as url:
            connection = workstation.read_connection(url)
        assert connection["cause"] == "timeout"
        assert connection["problem"] == f"{url} does not answer."

    def test_reports_a_portal_that_hangs_before_its_certificate(
        self, workstation: Workstation
    ) -> None:
        with run_raw_server(answer=None) as url:
            https_url = url.replace("http:", "https:")
            assert workstation.read_connection(https_url)["cause"] == "timeout"

    def test_reports_a_broken_connection(self, workstation: Workstation) -> None:
        with run_raw_server(answer=b"") as url:
            assert workstation.read_connection(url)["cause"] == "broken"

    @pytest.mark.parametrize(
        ("answer", "cause"),
        [
            (HTMLResponse("<h1>Wiki</h1>"), "wrong_product"),
            (HTMLResponse("nothing here", 404), "wrong_product"),
            (JSONResponse({"host": "another", "lab": "yes"}), "wrong_product"),
            (JSONResponse(["lab"]), "wrong_product"),
            (RedirectResponse("http://guest.example/sign-in"), "redirects"),
            (HTMLResponse("Bad Gateway", 502), "starting"),
            (JSONResponse({"status": 503}, 503), "starting"),
        ],
    )
    def test_reports_a_host_that_is_not_the_portal(
        self, workstation: Workstation, answer: Response, cause: str
    ) -> None:
        with serve_app(build_app(answer)) as url:
            assert workstation.read_connection(url)["cause"] == cause

    def test_reports_no_cause_when_the_portal_is_back(
        self, tmp_path: Path, ui_dir: Path, portal: StandInPortal
    ) -> None:
        with (
            reserve_port() as port,
            run_sidecar(f"http://127.0.0.1:{port}", tmp_path / "c", ui_dir) as host,
            host.open_page() as page,
        ):
            assert page.get("/capabilities").json()["portal"]["cause"] == "not_listening"
            with serve_app(portal.app, bind_port(port)):
                answer = page.get("/capabilities").json()
        assert answer["portal"]["cause"] is None
        assert answer["lab"]["title"] == "Invented Lab"

    def test_reports_wrong_settings(self, tmp_path: Path, ui_dir: Path) -> None:
        with (
            run_sidecar(None, tmp_path / "c", ui_dir, problem="a stray comma") as host,
            host.open_page() as page,
        ):
            connection = page.get("/capabilities").json()["portal"]
            call = page.get("/api/v2/x")
        assert connection == {
            "address": None,
            "cause": "settings",
            "problem": "a stray comma",
            "advice": messages.SETTINGS_ADVICE,
            "newerVersion": None,
        }
        assert call.status_code == 503


class SlowPortal:
    """A portal that answers a slow call only after it was asked twice whether it is up."""

    def __init__(self) -> None:
        self._questions = asyncio.Semaphore(0)
        self.app = Starlette(
            routes=[
                Route("/capabilities", self._send_capabilities),
                Route("/api/slow", self._answer_slowly),
            ]
        )

    async def _send_capabilities(self, _: Request) -> Response:
        self._questions.release()
        return JSONResponse({"lab": {}})

    async def _answer_slowly(self, _: Request) -> Response:
        for _question in range(2):
            await self._questions.acquire()
        return Response("done")


class CollectingPortal:
    """A portal that answers only uploads, after reading their whole body."""

    def __init__(self) -> None:
        self.questions = 0
        self.app = Starlette(
            routes=[
                Route("/capabilities", self._stay_silent),
                Route("/api/upload", self._collect, methods=["POST"]),
            ]
        )

    async def _stay_silent(self, _: Request) -> Response:
        self.questions += 1
        return await asyncio.Future()

    async def _collect(self, request: Request) -> Response:
        return Response(str(len(await request.body())))


class TestSlowUploads:
    """An upload that makes progress does not count as hung, however long it takes."""

    @staticmethod
    def collect_watches(monkeypatch: pytest.MonkeyPatch) -> list[Watch]:
        """Return the list to which the relay's watches are added; their timers never run out."""
        watches: list[Watch] = []

        class KnownWatch(Watch):
            def __init__(self, _: float, *rest: Any) -> None:
                super().__init__(3_600, *rest)
                watches.append(self)

        monkeypatch.setattr("app.desktop.relay.portal.Watch", KnownWatch)
        return watches

    def test_the_portal_is_not_asked_while_the_body_moves(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.desktop.relay.portal._PROBE_SECONDS", 0.1)
        watches = self.collect_watches(monkeypatch)

        async def yield_parts() -> AsyncIterator[bytes]:
            for _ in range(4):
                yield b"part"
                # The line is slow: the timer ends before the next part.
                watches[0].check()

        async def call(url: str) -> bytes:
            portal = Portal(url)
            try:
                answer = await portal.send("POST", b"/api/upload", body=yield_parts())
                return await answer.aread()
            finally:
                await portal.aclose()

        stand_in = CollectingPortal()
        with serve_app(stand_in.app) as url:
            assert asyncio.run(call(url)) == b"16"
        assert stand_in.questions == 0

    async def test_a_question_that_came_late_ends_nothing(self) -> None:
        upload, was_asked = Upload(None), asyncio.Event()

        async def is_answering() -> bool:
            upload.parts += 1  # the line was busy with the body
            was_asked.set()
            return False

        async with asyncio.timeout(None) as limit:
            watch = Watch(3_600, limit, is_answering, upload)
            watch.check()
            await was_asked.wait()
            await asyncio.sleep(0)
            assert limit.when() is None
            watch.cancel()

    def test_an_upload_that_stands_still_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("app.desktop.relay.portal._PROBE_SECONDS", 0.1)
        watches = self.collect_watches(monkeypatch)

        async def yield_parts() -> AsyncIterator[bytes]:
            yield b"part"
            watches[0].check()  # after progress
            watches[0].check()
            await asyncio.Future()

        async def call(url: str) -> None:
            portal = Portal(url)
            try:
                await portal.send("POST", b"/api/upload", body=yield_parts())
            finally:
                await portal.aclose()

        with serve_app(CollectingPortal().app) as url, pytest.raises(PortalUnreachable) as raised:
            asyncio.run(call(url))
        assert raised.value.cause is Cause.TIMEOUT

    def test_a_complete_body_is_sent_in_parts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        watches = self.collect_watches(monkeypatch)

        async def call(url: str) -> bytes:
            portal = Portal(url)
            try:
                answer = await portal.send("POST", b"/api/upload", body=b"x" * 300_000)
                return await answer.aread()
            finally:
                await portal.aclose()

        with serve_app(CollectingPortal().app) as url:
            assert asyncio.run(call(url)) == b"300000"
        assert watches[0].upload.parts == 5

    def test_the_system_buffers_little_of_a_body(self) -> None:
        accepted_bytes = 0

        async def yield_parts() -> AsyncIterator[bytes]:
            nonlocal accepted_bytes
            while True:
                yield b"x" * 65_536
                accepted_bytes += 65_536

        async def call(url: str) -> None:
            portal = Portal(url)
            try:
                await portal.send("POST", b"/api/upload", body=yield_parts(), seconds=0.5)
            finally:
                await portal.aclose()

        with socket.socket() as listener:
            # A portal that reads nothing, and whose system buffers little.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            with pytest.raises(PortalUnreachable):
                asyncio.run(call(f"http://127.0.0.1:{listener.getsockname()[1]}"))
        assert accepted_bytes < 1_000_000


class TestHungPortal:
    """A call without an answer ends if the portal does not answer anything else either."""

    def test_a_call_to_a_hung_portal_ends(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("app.desktop.relay.portal._PROBE_SECONDS", 0.2)

        async def call(url: str) -> None:
            portal = Portal(url, probe_after=0.1)
            try:
                await portal.send("GET", b"/api/v2/orders")
            finally:
                await portal.aclose()

        with run_raw_server(answer=None) as url, pytest.raises(PortalUnreachable) as raised:
            asyncio.run(call(url))
        assert raised.value.cause is Cause.TIMEOUT

    def test_a_slow_call_continues_while_the_portal_answers(self) -> None:
        async def call(url: str) -> bytes:
            portal = Portal(url, probe_after=0.05)
            try:
                answer = await portal.send("GET", b"/api/slow")
                return await answer.aread()
            finally:
                await portal.aclose()

        with ExitStack() as stack:
            url = stack.enter_context(serve_app(SlowPortal().app))
            assert asyncio.run(call(url)) == b"done"
