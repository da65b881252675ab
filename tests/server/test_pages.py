"""Headers and capabilities of the hosted portal."""

from datetime import datetime
from unittest.mock import Mock

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from app.basics.clock import get_utc_now
from app.basics.version import VERSION
from app.contract import messages
from app.server.middleware import RequestFrame
from app.server.settings import Settings
from tests.server.world import World


class TestPolicy:
    """Content Security Policy: only scripts and styles of the portal itself."""

    async def test_content_policy_has_no_exceptions(self, world: World) -> None:
        policy = (await world.http.get("/health/live")).headers["content-security-policy"]
        assert "script-src 'self';" in policy and "style-src 'self';" in policy
        assert "unsafe" not in policy

    @pytest.mark.parametrize(
        ("method", "path", "status"),
        [
            ("GET", "/", 200),
            ("GET", "/secured/results/lab", 200),
            ("GET", "/health/live", 200),
            ("GET", "/capabilities", 200),
            ("GET", "/api/v2/requisitions/1", 401),
            ("GET", "/api/v2/nothing", 404),
            ("POST", "/api/v2/nothing", 404),
            ("DELETE", "/auth/nothing", 404),
            ("POST", "/secured/results/lab", 405),
            ("GET", "/%00", 404),
            ("DELETE", "/capabilities", 405),
            ("POST", "/auth/login", 400),
        ],
    )
    async def test_every_answer_has_the_headers(
        self, world: World, method: str, path: str, status: int
    ) -> None:
        address = httpx.URL("http://portal.test", raw_path=path.encode())
        answer = await world.http.request(method, address)
        assert answer.status_code == status
        policy = answer.headers["content-security-policy"].split("; ")
        assert {"object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} <= set(policy)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"

    async def test_answers_to_impossible_paths_do_not_grow(self, world: World) -> None:
        address = httpx.URL("http://portal.test", raw_path=b"/%00")
        first, second = [await world.http.get(address) for _ in range(2)]
        assert len(first.headers.raw) == len(second.headers.raw)
        assert second.headers["x-request-id"] == second.headers.get_list("x-request-id")[0]

    @pytest.mark.parametrize("path", ["/capabilities", "/metrics", "/health/ready"])
    async def test_answers_of_the_host_are_not_stored(self, world: World, path: str) -> None:
        assert (await world.http.get(path)).headers["cache-control"] == "no-store"


class TestUnexpectedErrors:
    """A fault in the portal, whose text may have data of a patient."""

    async def test_unexpected_errors_are_answered_and_logged_without_their_text(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def fail(_scope: Scope, _receive: Receive, _send: Send) -> None:
            raise ValueError("row of GARCIA")

        log = Mock()
        monkeypatch.setattr("app.server.problems._log", log)
        monkeypatch.setattr("app.server.middleware._log", log)
        transport = httpx.ASGITransport(RequestFrame(fail))
        async with httpx.AsyncClient(transport=transport, base_url="http://portal.test") as http:
            answer = await http.get("/api/v2/patients/1")
        assert answer.status_code == 500
        assert answer.json()["detail"] == messages.INTERNAL_ERROR
        log_text = repr(log.mock_calls)
        assert "ValueError" in log_text and "test_pages.py" in log_text
        assert "GARCIA" not in log_text + answer.text


class TestDisclosure:
    """Methods, documents, and folders that would reveal the inside of the server."""

    PATHS = ("/", "/capabilities", "/api/v2/requisitions", "/auth/login", "/assets/x.js")

    @pytest.mark.parametrize("path", PATHS)
    @pytest.mark.parametrize("method", ["TRACE", "TRACK", "CONNECT"])
    async def test_does_not_answer_methods_that_echo(
        self, world: World, method: str, path: str
    ) -> None:
        answer = await world.http.request(method, path, headers={"X-Echo": "echo-this"})
        assert answer.status_code == 405
        assert "echo-this" not in answer.text

    @pytest.mark.parametrize(
        ("method", "path", "allowed_methods"),
        [
            ("HEAD", "/api/v2/requisitions/{id}", "GET, POST"),
            ("HEAD", "/api/v2/requisitions/1", "GET, POST"),
            ("PATCH", "/api/v2/requisitions/1", "GET, POST"),
            ("HEAD", "/api/v2/requisitions/remote-operations", "GET"),
            ("HEAD", "/auth/jwt/validate", "GET"),
            ("GET", "/auth/login", "POST"),
            ("HEAD", "/auth/login", "POST"),
            ("HEAD", "/capabilities", "GET"),
            ("HEAD", "/health/live", "GET"),
            ("DELETE", "/capabilities", "GET"),
        ],
    )
    async def test_a_known_path_names_its_methods(
        self, world: World, method: str, path: str, allowed_methods: str
    ) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        requisition = await world.save_requisition(nurse, world.create_patient(client), "CBC")
        answer = await world.http.request(
            method, path.format(id=requisition["id"]), headers=nurse.headers
        )
        assert answer.status_code == 405
        assert answer.headers["allow"] == allowed_methods
        assert answer.headers["content-type"] == "application/problem+json"

    @pytest.mark.parametrize("path", ["/", "/login", "/favicon.svg", "/secured/results/lab"])
    async def test_pages_answer_head_requests(self, world: World, path: str) -> None:
        assert (await world.http.head(path)).status_code == 200

    @pytest.mark.parametrize("path", ["/api/v2/nothing", "/auth/nothing", "/health/nothing"])
    async def test_an_unknown_path_is_not_found(self, world: World, path: str) -> None:
        assert (await world.http.head(path)).status_code == 404

    @pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json", "/api/openapi.json"])
    async def test_the_document_of_the_api_is_not_served(self, world: World, path: str) -> None:
        answer = await world.http.get(path)
        assert "openapi" not in answer.text.lower().replace(path, "")

    @pytest.mark.parametrize("path", ["/assets", "/assets/", "/assets/."])
    async def test_folders_are_not_listed(self, world: World, path: str) -> None:
        address = httpx.URL("http://portal.test", raw_path=path.encode())
        assert (await world.http.get(address)).status_code == 404


async def test_capabilities_include_the_clock_of_the_lab(world: World) -> None:
    before = get_utc_now()
    lab = (await world.http.get("/capabilities")).json()["lab"]
    assert lab["timeZone"] == Settings.model_fields["time_zone"].default
    assert before <= datetime.fromisoformat(lab["now"]) <= get_utc_now()


async def test_capabilities_have_null_for_what_the_lab_has_not_set(world: World) -> None:
    with world.change_setting("report", {"name": "LAB OF TESTS", "clia": "14D"}):
        lab = (await world.http.get("/capabilities")).json()["lab"]
    facts = {name: value for name, value in lab.items() if name not in ("timeZone", "now", "logo")}
    assert facts == {
        "name": "LAB OF TESTS",
        **dict.fromkeys(("title", "address", "phone", "email", "fax", "url", "desktopAppUrl")),
    }


async def test_capabilities_include_the_version(world: World) -> None:
    assert (await world.http.get("/capabilities")).json()["version"] == VERSION
