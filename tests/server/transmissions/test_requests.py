"""Requesting transmissions: validation, and who sees them."""

import asyncio
import uuid

import pytest
from fastapi import FastAPI

from app.contract import messages
from app.contract.enumerations import Role
from app.server.actor import build_worker_actor
from app.server.database.repository import ScopedRepository
from app.server.requisitions.models import Requisition
from tests.server.world import World

EMAIL, FAX = "office@clinic.example", "312-555-0199"


class TestRequest:
    """POST /api/v2/requisitions/transmission."""

    @pytest.mark.parametrize(
        ("kind", "value", "stored_value"),
        [
            ("email", EMAIL, EMAIL),
            ("EMAIL", f"  {EMAIL} ", EMAIL),
            ("Fax", FAX, FAX),
            ("fax", "3125550199", FAX),
        ],
    )
    async def test_accepts_a_request_and_returns_the_recipient(
        self, office, kind, value, stored_value
    ) -> None:
        first, second = await office.save_requisition(), await office.save_requisition()
        answer = await office.send([second["id"], first["id"], second["id"]], kind, value)
        assert answer.status_code == 202, answer.text
        body = answer.json()
        assert body["status"] == "queued"
        [recipient] = body["recipients"]
        assert recipient["requisitionIds"] == [second["id"], first["id"]]
        assert (recipient["type"], recipient["destination"]) == (kind.upper(), stored_value)
        assert (recipient["attempts"], recipient["lastError"]) == (0, None)
        assert (recipient["sentAt"], recipient["deliveredAt"]) == (None, None)
        assert recipient["sentBy"] == "Ada Tester"

    @pytest.mark.parametrize(
        ("body", "field", "message"),
        [
            ({"type": "fax", "value": "three"}, "value", messages.FAX_INVALID),
            ({"type": "fax", "value": "312-555-019"}, "value", messages.FAX_INVALID),
            ({"type": "fax", "value": "312-555-0199,312-555-0198"}, "value", messages.FAX_INVALID),
            ({"type": "fax", "value": ""}, "value", messages.FAX_REQUIRED),
            ({"type": "fax"}, "value", messages.FAX_REQUIRED),
            ({"type": "email", "value": f"{EMAIL},b@b.example"}, "value", messages.EMAIL_INVALID),
            ({"type": "email", "value": f"{EMAIL};b@b.example"}, "value", messages.EMAIL_INVALID),
            ({"type": "email", "value": "office"}, "value", messages.EMAIL_INVALID),
            ({"type": "email", "value": "a@b.example\r\nBcc: c@d.example"}, "value", "invalid"),
            ({"type": "email", "value": "a:b@b.example"}, "value", messages.EMAIL_INVALID),
            ({"type": "email", "value": "a\u2028b@b.example"}, "value", messages.EMAIL_INVALID),
            ({"type": "email", "value": "   "}, "value", messages.EMAIL_REQUIRED),
            ({"type": "letter", "value": EMAIL}, "type", messages.VALUE_INVALID),
            ({"value": EMAIL}, "type", messages.VALUE_INVALID),
            ({"type": "email", "value": EMAIL, "ids": []}, "ids", messages.VALUE_REQUIRED),
            (
                {"type": "email", "value": EMAIL, "ids": list(range(1, 102))},
                "ids",
                messages.TOO_MANY_IDS.format(max=100),
            ),
            ({"type": "email", "value": EMAIL, "ids": "all"}, "ids", messages.VALUE_INVALID),
        ],
    )
    async def test_rejects_invalid_requests(
        self, office, parse_problem, body, field, message
    ) -> None:
        requisition = await office.save_requisition()
        answer = await office.http.post(
            "/api/v2/requisitions/transmission",
            headers=office.nurse.headers,
            json={"ids": [requisition["id"]], **body},
        )
        assert answer.status_code == 400, answer.text
        errors = {e["field"]: e["message"] for e in parse_problem(answer)["errors"]}
        assert message in errors[field]
        assert await office.list_transmissions(requisition["id"]) == []

    async def test_rejects_canceled_requisitions(self, office, parse_problem) -> None:
        first, second = await office.save_requisition(), await office.save_requisition()
        await office.http.post(
            f"/api/v2/requisitions/{second['id']}/cancel",
            headers=office.nurse.headers,
            json={"comment": "not needed"},
        )
        answer = await office.send([first["id"], second["id"]], "email", EMAIL)
        assert answer.status_code == 409
        assert parse_problem(answer)["detail"] == (
            f"Requisition {second['code']} is CANCELED and cannot be sent"
        )
        assert await office.list_transmissions(first["id"], second["id"]) == []

    async def test_other_clients_requisitions_look_nonexistent(self, office, parse_problem) -> None:
        own = await office.save_requisition()
        other_client = office.world.create_client()
        stranger = await office.world.create_person("Client Basic", client_ids=[other_client])
        foreign = await office.world.save_requisition(
            stranger, office.world.create_patient(other_client)
        )
        answer = await office.send([own["id"], foreign["id"]], "email", EMAIL)
        nonexistent = await office.send([own["id"], 2**50], "email", EMAIL)
        assert answer.status_code == 404
        assert answer.content == nonexistent.content
        assert await office.list_transmissions(own["id"]) == []

    async def test_the_same_idempotency_key_sends_once(self, office) -> None:
        requisition = await office.save_requisition()
        headers = {**office.nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = {"ids": [requisition["id"]], "type": "email", "value": EMAIL}
        answers = [
            await office.http.post("/api/v2/requisitions/transmission", headers=headers, json=body)
            for _ in range(2)
        ]
        assert [a.status_code for a in answers] == [202, 202]
        assert answers[0].content == answers[1].content
        assert len(await office.list_transmissions(requisition["id"])) == 1

    async def test_does_not_wait_for_locks_of_a_bulk_act(self, office, portal_app: FastAPI) -> None:
        """Bulk acts lock the oldest first, the grid sends the newest first; neither waits."""
        ids = [(await office.save_requisition())["id"] for _ in range(2)]
        signer = build_worker_actor("sign the same ones")
        async with portal_app.state.portal.database.transaction(signer) as transaction:
            await transaction.build_repository(ScopedRepository).load_in_scope(
                Requisition, ids, lock=True
            )
            answer = await asyncio.wait_for(office.send(ids[::-1], "email", EMAIL), 60)
        assert answer.status_code == 202, answer.text

    async def test_is_audited_without_the_address(self, office) -> None:
        requisition = await office.save_requisition()
        await office.send([requisition["id"]], "email", EMAIL)
        [(user, detail)] = office.world.fetch_rows(
            "SELECT user_id::text, detail::text FROM audit_events"
            " WHERE action = 'send' AND record_ids = %s::bigint[]",
            ([requisition["id"]],),
        )
        assert user == office.nurse.user_id
        assert '"EMAIL"' in detail
        assert EMAIL not in detail


class TestNotConfigured:
    """A lab without a mail server and a fax provider."""

    @pytest.mark.parametrize(
        ("kind", "value", "message"),
        [
            ("email", EMAIL, "The lab has not configured sending e-mails"),
            ("fax", FAX, "The lab has not configured sending faxes"),
        ],
    )
    async def test_answers_that_sending_is_not_configured(
        self, open_office, parse_problem, kind, value, message
    ) -> None:
        office = await open_office(worker=False)
        requisition = await office.save_requisition()
        answer = await office.send([requisition["id"]], kind, value)
        assert answer.status_code == 424
        assert parse_problem(answer)["detail"] == message
        assert await office.list_transmissions(requisition["id"]) == []


class TestVisibility:
    """GET /api/v2/requisitions/transmissions."""

    async def test_everybody_who_sees_the_requisition_sees_its_transmissions(self, office) -> None:
        world: World = office.world
        physician = world.create_physician(office.client)
        patient = world.create_patient(office.client, physician=physician)
        requisition = await world.save_requisition(office.nurse, patient, physicianId=physician)
        await office.send([requisition["id"]], "email", EMAIL)
        for role, ids in (
            (Role.SUPERUSER, {}),
            (Role.LABORATORY, {}),
            (Role.CLIENT_ADMIN, {"client_ids": [office.client]}),
            (Role.PHYSICIAN, {"physician_ids": [physician]}),
            (Role.PATIENT, {"patient_ids": [patient]}),
        ):
            person = await world.create_person(role, **ids)
            oldest = (await office.list_transmissions(requisition["id"], person=person))[-1]
            assert oldest["destination"] == EMAIL
            assert (await office.send([requisition["id"]], "fax", FAX, person)).status_code == 202

    async def test_other_clients_do_not_find_transmissions(self, office) -> None:
        requisition = await office.save_requisition()
        await office.send([requisition["id"]], "email", EMAIL)
        stranger = await office.world.create_person(
            "Client Basic", client_ids=[office.world.create_client()]
        )
        answer = await office.http.get(
            "/api/v2/requisitions/transmissions",
            params={"ids": requisition["id"]},
            headers=stranger.headers,
        )
        assert answer.status_code == 404

    async def test_each_client_sees_only_its_requisitions_of_a_shared_transmission(
        self, office
    ) -> None:
        world: World = office.world
        lab = await world.create_person(Role.LABORATORY)
        other_client = world.create_client()
        stranger = await world.create_person("Client Basic", client_ids=[other_client])
        own = await office.save_requisition()
        foreign = await world.save_requisition(stranger, world.create_patient(other_client))
        await office.send([own["id"], foreign["id"]], "fax", FAX, lab)
        [transmission] = await office.list_transmissions(own["id"])
        assert transmission["requisitionIds"] == [own["id"]]
        [transmission] = await office.list_transmissions(foreign["id"], person=stranger)
        assert transmission["requisitionIds"] == [foreign["id"]]

    async def test_lists_the_newest_first(self, office) -> None:
        requisition = await office.save_requisition()
        await office.send([requisition["id"]], "email", EMAIL)
        await office.send([requisition["id"]], "fax", FAX)
        transmissions = await office.list_transmissions(requisition["id"])
        assert [transmission["type"] for transmission in transmissions] == ["FAX", "EMAIL"]
