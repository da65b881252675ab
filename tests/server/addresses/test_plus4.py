"""ZIP code extensions, from a service that may be slow, broken or unreachable."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import httpx
import pytest
import structlog
from fastapi import FastAPI
from prometheus_client import REGISTRY

from app.contract import messages
from app.contract.enumerations import Role
from app.server.addresses.plus4 import (
    AddressService,
    AddressServiceFailed,
    HttpAddressService,
    NoAddressService,
    build_address_service,
)
from tests.server.accounts.builders import Person
from tests.server.world import World

STREET = "1 N ROSEDALE ST"
MATCH = [{"components": {"zipcode": "21229", "plus4_code": "3737"}}]


@dataclass
class StandIn:
    """A local address service with configurable answers."""

    port: int = 0
    status: int = 200
    body: bytes = json.dumps(MATCH).encode()
    delay: float = 0
    is_dripping: bool = False
    requests: list[tuple[str, dict[str, str], object]] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The URL of the service."""
        return f"http://127.0.0.1:{self.port}/street-address"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            line, *rest = head.strip().split("\r\n")
            headers = {k.lower(): v for k, v in (part.split(": ", 1) for part in rest)}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.requests.append((line, headers, json.loads(body)))
            await asyncio.sleep(self.delay)
            writer.write(
                f"HTTP/1.1 {self.status} X\r\nContent-Length: {len(self.body)}\r\n"
                "Connection: close\r\nContent-Type: application/json\r\n\r\n".encode()
            )
            for byte in self.body if self.is_dripping else b"":
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.05)
            if not self.is_dripping:
                writer.write(self.body)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@pytest.fixture
async def stand_in() -> AsyncIterator[StandIn]:
    """A running stand-in."""
    stand_in = StandIn()
    server = await asyncio.start_server(stand_in.serve, "127.0.0.1", 0)
    stand_in.port = server.sockets[0].getsockname()[1]
    yield stand_in
    server.close()


@pytest.fixture
async def service(stand_in: StandIn) -> AsyncIterator[AddressService]:
    """The real HTTP service, connected to the stand-in, with a timeout of 0.4 s."""
    service = build_address_service(stand_in.url, "an-id:a-token", 0.4)
    yield service
    await service.close()


def count_lookups(outcome: str) -> float:
    """Count the lookups with this outcome."""
    return REGISTRY.get_sample_value("portal_address_lookups_total", {"outcome": outcome}) or 0.0


class TestService:
    """The address service, in its two implementations."""

    async def test_finds_nothing_without_a_service(self) -> None:
        service = build_address_service(None, None, 1)
        assert isinstance(service, NoAddressService)
        assert await service.find_plus4("21229", STREET) == ""
        await service.close()

    async def test_the_http_service_finds_the_extension(
        self, stand_in: StandIn, service: AddressService
    ) -> None:
        before = count_lookups("found")
        assert isinstance(service, HttpAddressService)
        assert await service.find_plus4("21229", STREET) == "3737"
        ((line, headers, body),) = stand_in.requests
        assert line == "POST /street-address HTTP/1.1"
        assert headers["authorization"] == httpx.BasicAuth("an-id", "a-token")._auth_header
        assert body == [{"street": STREET, "zipcode": "21229", "candidates": 1}]
        assert count_lookups("found") == before + 1

    @pytest.mark.parametrize(
        "answer",
        [
            [],
            [{"components": {"zipcode": "60601", "plus4_code": "1111"}}],
            [{"components": {"zipcode": "21229"}}],
        ],
    )
    async def test_an_unknown_address_has_no_extension(
        self, stand_in: StandIn, service: AddressService, answer: object
    ) -> None:
        stand_in.body = json.dumps(answer).encode()
        assert await service.find_plus4("21229", STREET) == ""

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"<html>busy</html>",
            b"{}",
            b"[1]",
            b"[{}]",
            b"null",
            b"\xff\xfe\x00",
            b'[{"components": {"zipcode": "21229", "plus4_code": "<script>"}}]',
            b"[" * 200_000,
            b" " * 300_000 + b"[]",
        ],
    )
    async def test_invalid_answers_are_failures(
        self, stand_in: StandIn, service: AddressService, body: bytes
    ) -> None:
        stand_in.body = body
        with pytest.raises(AddressServiceFailed):
            await service.find_plus4("21229", STREET)

    @pytest.mark.parametrize("status", [301, 401, 402, 404, 429, 500, 503])
    async def test_other_statuses_are_failures(
        self, stand_in: StandIn, service: AddressService, status: int
    ) -> None:
        stand_in.status = status
        with pytest.raises(AddressServiceFailed):
            await service.find_plus4("21229", STREET)

    @pytest.mark.parametrize("slow", ["late", "dripping"])
    async def test_a_slow_service_is_a_failure(
        self, stand_in: StandIn, service: AddressService, slow: str
    ) -> None:
        stand_in.delay, stand_in.is_dripping = (5, False) if slow == "late" else (0, True)
        with pytest.raises(AddressServiceFailed):
            await asyncio.wait_for(service.find_plus4("21229", STREET), 2)

    async def test_an_unreachable_service_is_a_failure(self) -> None:
        for url in ("http://127.0.0.1:1/x", "http://nowhere.invalid/", "nonsense", "http://[::"):
            service = build_address_service(url, None, 0.4)
            with pytest.raises(AddressServiceFailed):
                await service.find_plus4("21229", STREET)
            await service.close()


class TestEndpoint:
    """GET /v2/address/zip-code/{zip}/zip-code-extra."""

    PATH = "/api/v2/address/zip-code"

    @pytest.fixture
    def configured_portal(
        self, portal_app: FastAPI, service: AddressService, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A portal whose address service is the stand-in."""
        monkeypatch.setattr(portal_app.state.portal, "addresses", service)

    async def find_plus4(
        self, world: World, person: Person, zip_code: str, **query: str
    ) -> httpx.Response:
        return await world.http.get(
            f"{self.PATH}/{zip_code}/zip-code-extra", headers=person.headers, params=query
        )

    async def test_is_empty_without_a_service(self, world: World, nurse: Person) -> None:
        answer = await self.find_plus4(world, nurse, "21229", address=STREET)
        assert (answer.status_code, answer.json()) == (200, "")

    @pytest.mark.usefixtures("configured_portal")
    async def test_returns_the_answer_of_the_service(
        self, world: World, nurse: Person, stand_in: StandIn
    ) -> None:
        answer = await self.find_plus4(world, nurse, "21229", address="1 n Rosedale  st")
        assert answer.json() == "3737"
        assert stand_in.requests[0][2] == [{"street": STREET, "zipcode": "21229", "candidates": 1}]

    @pytest.mark.usefixtures("configured_portal")
    @pytest.mark.parametrize(
        ("zip_code", "address"),
        [
            ("21229", ""),
            ("2122", STREET),
            ("abcde", STREET),
            ("２１２２９", STREET),
            ("21229", "\x00"),
        ],
    )
    async def test_does_not_look_up_incomplete_addresses(
        self, world: World, nurse: Person, stand_in: StandIn, zip_code: str, address: str
    ) -> None:
        answer = await self.find_plus4(world, nurse, zip_code, address=address)
        assert (answer.status_code, answer.json()) == (200, "")
        assert stand_in.requests == []

    @pytest.mark.usefixtures("configured_portal")
    async def test_truncates_a_long_address(
        self, world: World, nurse: Person, stand_in: StandIn
    ) -> None:
        await self.find_plus4(world, nurse, "21229", address="x" * 10_000)
        assert len(stand_in.requests[0][2][0]["street"]) == 200

    @pytest.mark.usefixtures("configured_portal")
    async def test_a_failure_is_answered_counted_and_logged_without_the_address(
        self, world: World, nurse: Person, stand_in: StandIn, parse_problem
    ) -> None:
        stand_in.status, stand_in.body = 500, f"no {STREET}".encode()
        before = count_lookups("failed")
        with structlog.testing.capture_logs() as lines:
            answer = await self.find_plus4(world, nurse, "21229", address=STREET)
        problem = parse_problem(answer)
        assert (answer.status_code, problem["code"]) == (503, "address_service_failed")
        assert problem["detail"] == messages.ZIP_CODE_PLUS4_UNAVAILABLE
        assert count_lookups("failed") == before + 1
        assert "ROSEDALE" not in json.dumps(lines).upper()

    async def test_rejects_unknown_parameters(self, world: World, nurse: Person) -> None:
        assert (await self.find_plus4(world, nurse, "21229", street=STREET)).status_code == 400


class TestZipCodes:
    """GET /v2/address/zip-code."""

    async def test_returns_an_object_or_null(self, world: World) -> None:
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[world.create_client()])
        path = "/api/v2/address/zip-code"
        answer = await world.http.get(path, headers=nurse.headers, params={"code": " 60601 "})
        assert (answer.json()["city"], answer.json()["state"]) == ("CHICAGO", "IL")
        for code in ("", "00000", "6060", "606011", "\x00", "x" * 10_000):
            answer = await world.http.get(path, headers=nurse.headers, params={"code": code})
            assert (answer.status_code, answer.json()) == (200, None), code
        assert (await world.http.get(f"{path}?zip=60601", headers=nurse.headers)).status_code == 400
