"""People who use a portal whose processes are killed, and what it acknowledged to them."""

import asyncio
import base64
import hashlib
import os
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

import httpx
import psycopg

from tests.server.accounts.builders import Person
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World

T = TypeVar("T")
_REQUISITIONS = "/api/v2/requisitions"
_UNKNOWN_OUTCOME_STATUSES = frozenset({502, 503, 504})
"""Statuses after which a caller repeats its request under the same key."""
_QUOTA_EXCEEDED = 429
_PAUSE_SECONDS = 0.2
_REPEATS_MAX = 900
OFFICE = "office@clinic.example"
MEDICATIONS = ("METFORMIN", "ASPIRIN", "LISINOPRIL")
COMMENT = "fasting since eight"


class GaveUpError(Exception):
    """A person left after an answer that does not tell the outcome."""


class UnexpectedAnswerError(Exception):
    """The portal gave an answer that a correct caller cannot explain."""


class StepOutcome(StrEnum):
    """What a person knows about the outcome of a step."""

    UNKNOWN = "unknown"
    ACKNOWLEDGED = "acknowledged"


@dataclass
class Case:
    """A requisition, from saving to release; its patient has no other."""

    patient: int
    gives_up: bool
    steps: dict[str, StepOutcome] = field(default_factory=dict)
    requisition: int = 0
    version_tag: str = ""
    order: int = 0
    document_digest: bytes = b""

    def is_acknowledged(self, step: str) -> bool:
        """Whether the portal said that the step is done."""
        return self.steps.get(step) is StepOutcome.ACKNOWLEDGED


@dataclass
class Ledger:
    """All cases, and counts of requests by their outcome."""

    cases: list[Case] = field(default_factory=list)
    acknowledged_count: int = 0
    repeat_count: int = 0
    replay_count: int = 0
    abandoned_count: int = 0
    wait_count: int = 0
    unexpected: list[str] = field(default_factory=list)


@dataclass
class Team:
    """A nurse and a bench technician, who reach the portal through the proxy."""

    world: World
    nurse: Person
    lab: Person
    client: int
    glucose: int
    ledger: Ledger

    async def do_case(self, number: int, *, gives_up: bool) -> None:
        """Do the steps of a case; its number decides which ones.

        A person who ``gives_up`` repeats nothing after an unknown outcome.
        """
        case = Case(await self._create_patient(), gives_up)
        self.ledger.cases.append(case)
        try:
            await self._save(case)
            await self._change(case)
            if number % 2 == 0:
                await self._attach(case)
            if number % 3 == 0:
                await self._sign(case)
            if number % 3 == 1:
                await self._send(case)
            await self._receive(case)
            await self._enter(case)
            await self._post(case, "release", self.lab, f"/api/v2/orders/{case.order}/release", {})
        except GaveUpError:
            self.ledger.abandoned_count += 1
        except UnexpectedAnswerError as error:
            self.ledger.unexpected.append(str(error))

    async def _save(self, case: Case) -> None:
        body = {
            "patientId": case.patient,
            "collectionDate": "2026-03-04T00:00:00",
            "fasting": 0,
            "priority": "ROUTINE",
            "tests": [{"test": {"id": self.glucose}}],
            "medications": [{"name": name} for name in MEDICATIONS],
        }
        answer = await self._post(case, "save", self.nurse, _REQUISITIONS, body)
        case.requisition = answer.json()["id"]
        case.version_tag = answer.headers["etag"]

    async def _change(self, case: Case) -> None:
        body = {"comments": COMMENT}
        path = f"{_REQUISITIONS}/{case.requisition}"
        headers = {"If-Match": case.version_tag}
        await self._post(case, "change", self.nurse, path, body, headers)

    async def _attach(self, case: Case) -> None:
        content = b"%PDF-1.4\n" + os.urandom(20_000) + b"\n%%EOF\n"
        case.document_digest = hashlib.sha256(content).digest()
        body = {"fileName": "scan.pdf", "content": base64.b64encode(content).decode()}
        path = f"{_REQUISITIONS}/{case.requisition}/documents"
        await self._post(case, "attach", self.nurse, path, body)

    async def _sign(self, case: Case) -> None:
        # Each signature needs a fresh sign-in.
        await _repeat_while_down(lambda: self.world.start_session(self.nurse))
        body = {"image": SIGNATURE, "requisitionsIds": [case.requisition]}
        await self._post(case, "sign", self.nurse, f"{_REQUISITIONS}/sign-multiple", body)

    async def _send(self, case: Case) -> None:
        body = {"ids": [case.requisition], "type": "email", "value": OFFICE}
        await self._post(case, "send", self.nurse, f"{_REQUISITIONS}/transmission", body)

    async def _receive(self, case: Case) -> None:
        body = {"ids": [case.requisition]}
        answer = await self._post(case, "receive", self.lab, f"{_REQUISITIONS}/receive", body)
        case.order = answer.json()[0]["orderId"]

    async def _enter(self, case: Case) -> None:
        path = f"/api/v2/orders/{case.order}/result-entry"
        screen = (await self._request(case, self.lab, "GET", path)).json()
        rows = [{"orderTestId": row["orderTestId"], "result": "85"} for row in screen["rows"]]
        await self._write(case, "enter", self.lab, "PUT", path, {"results": rows})

    async def _post(
        self,
        case: Case,
        step: str,
        person: Person,
        path: str,
        body: object,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        return await self._write(case, step, person, "POST", path, body, headers)

    async def _write(
        self,
        case: Case,
        step: str,
        person: Person,
        method: str,
        path: str,
        body: object,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Send a write under one key until its outcome is known."""
        case.steps[step] = StepOutcome.UNKNOWN
        key = {"Idempotency-Key": uuid.uuid4().hex}
        answer = await self._request(case, person, method, path, body, {**key, **(headers or {})})
        case.steps[step] = StepOutcome.ACKNOWLEDGED
        self.ledger.acknowledged_count += 1
        self.ledger.replay_count += answer.headers.get("idempotent-replayed") == "true"
        return answer

    async def _request(
        self,
        case: Case,
        person: Person,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Send a request, and repeat it as the user interface does after an unknown outcome."""
        for _ in range(_REPEATS_MAX):
            with suppress(httpx.TransportError):
                answer = await self.world.http.request(
                    method, path, json=body, headers={**person.headers, **(headers or {})}
                )
                if answer.is_success:
                    return answer
                if answer.status_code == _QUOTA_EXCEEDED:
                    self.ledger.wait_count += 1
                    await asyncio.sleep(float(answer.headers["retry-after"]))
                    continue
                if answer.status_code not in _UNKNOWN_OUTCOME_STATUSES:
                    text = f"{method} {path}: {answer.status_code} {answer.text[:300]}"
                    raise UnexpectedAnswerError(text)
            if case.gives_up and method != "GET":
                raise GaveUpError
            self.ledger.repeat_count += 1
            await asyncio.sleep(_PAUSE_SECONDS)
        raise UnexpectedAnswerError(f"{method} {path}: no answer")

    async def _create_patient(self) -> int:
        return await _repeat_while_down(lambda: self.world.create_patient(self.client))


async def _repeat_while_down(act: Callable[[], T]) -> T:
    """Repeat an act on the database until it answers."""
    for _ in range(_REPEATS_MAX):
        with suppress(psycopg.OperationalError):
            return act()
        await asyncio.sleep(_PAUSE_SECONDS)
    raise UnexpectedAnswerError("the database does not answer")
