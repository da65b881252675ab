"""Asking for forms to be sent: what is taken, what is refused, and who sees it."""

import asyncio
import uuid

import pytest
from fastapi import FastAPI

from app.contract import messages
from app.contract.enumerations import Role
from app.server.actor import worker
from app.server.database.repository import ScopedRepository
from app.server.requisitions.models import Requisition
from tests.server.transmissions.conftest import Open, by_mail, by_provider
from tests.server.world import World
from tests.standins.certificates import Certificate
from tests.standins.fax import FaxStandIn
from tests.standins.mail import MailStandIn

EMAIL, FAX = "office@clinic.example", "312-555-0199"


@pytest.fixture
async def office(open_office: Open, mail: MailStandIn, fax: FaxStandIn, certified: Certificate):
    """A lab that could send, and nobody who does it."""
    fax.url = "http://127.0.0.1:9/v2"
    return await open_office(worker=False, **by_mail(mail, certified), **by_provider(fax))


class TestAsking:
    """POST /api/v2/requisitions/transmission."""

    @pytest.mark.parametrize(
        ("kind", "value", "kept"),
        [
            ("email", EMAIL, EMAIL),
            ("EMAIL", f"  {EMAIL} ", EMAIL),
            ("Fax", FAX, FAX),
            ("fax", "3125550199", FAX),
        ],
    )
    async def test_it_is_accepted_with_who_gets_it(self, office, kind, value, kept) -> None:
        one, two = await office.requisition(), await office.requisition()
        answer = await office.send([two["id"], one["id"], two["id"]], kind, value)
        assert answer.status_code == 202, answer.text
        body = answer.json()
        assert body["status"] == "queued"
        [recipient] = body["recipients"]
        assert recipient["requisitionIds"] == [two["id"], one["id"]]
        assert (recipient["type"], recipient["destination"]) == (kind.upper(), kept)
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
    async def test_bad_input_is_named_and_nothing_is_sent(
        self, office, problem_of, body, field, message
    ) -> None:
        requisition = await office.requisition()
        answer = await office.http.post(
            "/api/v2/requisitions/transmission",
            headers=office.nurse.headers,
            json={"ids": [requisition["id"]], **body},
        )
        assert answer.status_code == 400, answer.text
        found = {e["field"]: e["message"] for e in problem_of(answer)["errors"]}
        assert message in found[field]
        assert await office.sent(requisition["id"]) == []

    async def test_a_canceled_one_stops_all_and_is_named(self, office, problem_of) -> None:
        one, two = await office.requisition(), await office.requisition()
        await office.http.post(
            f"/api/v2/requisitions/{two['id']}/cancel",
            headers=office.nurse.headers,
            json={"comment": "not needed"},
        )
        answer = await office.send([one["id"], two["id"]], "email", EMAIL)
        assert answer.status_code == 409
        assert problem_of(answer)["detail"] == (
            f"Requisition {two['code']} is CANCELED and can not be sent"
        )
        assert await office.sent(one["id"], two["id"]) == []

    async def test_a_foreign_one_stops_all(self, office, problem_of) -> None:
        own = await office.requisition()
        other_client = office.world.client()
        stranger = await office.world.person("Client Basic", client_ids=[other_client])
        foreign = await office.world.requisition(stranger, office.world.patient(other_client))
        answer = await office.send([own["id"], foreign["id"]], "email", EMAIL)
        nowhere = await office.send([own["id"], 2**50], "email", EMAIL)
        assert answer.status_code == 404
        assert answer.content == nowhere.content
        assert await office.sent(own["id"]) == []

    async def test_the_same_request_twice_is_sent_once(self, office) -> None:
        requisition = await office.requisition()
        headers = {**office.nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = {"ids": [requisition["id"]], "type": "email", "value": EMAIL}
        answers = [
            await office.http.post("/api/v2/requisitions/transmission", headers=headers, json=body)
            for _ in range(2)
        ]
        assert [a.status_code for a in answers] == [202, 202]
        assert answers[0].content == answers[1].content
        assert len(await office.sent(requisition["id"])) == 1

    async def test_it_does_not_wait_for_somebody_who_signs_the_same_ones(
        self, office, portal_app: FastAPI
    ) -> None:
        """Nor do the two wait for each other: a bulk act takes them from the oldest on, and the
        grid's newest comes first."""
        ids = [(await office.requisition())["id"] for _ in range(2)]
        signer = worker("sign the same ones")
        async with portal_app.state.portal.database.transaction(signer) as session:
            await ScopedRepository(session, signer).many(Requisition, ids, lock=True)
            answer = await asyncio.wait_for(office.send(ids[::-1], "email", EMAIL), 5)
        assert answer.status_code == 202, answer.text

    async def test_it_is_in_the_journal_without_the_address(self, office) -> None:
        requisition = await office.requisition()
        await office.send([requisition["id"]], "email", EMAIL)
        [(user, detail)] = office.world.rows(
            "SELECT user_id::text, detail::text FROM audit_events"
            " WHERE action = 'send' AND record_ids = %s::bigint[]",
            ([requisition["id"]],),
        )
        assert user == office.nurse.user_id
        assert '"EMAIL"' in detail
        assert EMAIL not in detail


class TestNotConfigured:
    """A lab that has named neither a mail server nor anybody for faxes."""

    @pytest.mark.parametrize(
        ("kind", "value", "words"),
        [
            ("email", EMAIL, "The lab has not configured sending e-mails"),
            ("fax", FAX, "The lab has not configured sending faxes"),
        ],
    )
    async def test_it_is_said_plainly(self, open_office, problem_of, kind, value, words) -> None:
        office = await open_office(worker=False)
        requisition = await office.requisition()
        answer = await office.send([requisition["id"]], kind, value)
        assert answer.status_code == 424
        assert problem_of(answer)["detail"] == words
        assert await office.sent(requisition["id"]) == []


class TestWhoSees:
    """GET /api/v2/requisitions/transmissions."""

    async def test_whoever_sees_the_requisition_sees_what_was_sent(self, office) -> None:
        world: World = office.world
        doctor = world.physician(office.client)
        patient = world.patient(office.client, physician=doctor)
        requisition = await world.requisition(office.nurse, patient, physicianId=doctor)
        await office.send([requisition["id"]], "email", EMAIL)
        for role, ids in (
            (Role.SUPERUSER, {}),
            (Role.LABORATORY, {}),
            (Role.CLIENT_ADMIN, {"client_ids": [office.client]}),
            (Role.PHYSICIAN, {"physician_ids": [doctor]}),
            (Role.PATIENT, {"patient_ids": [patient]}),
        ):
            person = await world.person(role, **ids)
            oldest = (await office.sent(requisition["id"], person=person))[-1]
            assert oldest["destination"] == EMAIL
            assert (await office.send([requisition["id"]], "fax", FAX, person)).status_code == 202

    async def test_others_learn_nothing(self, office) -> None:
        requisition = await office.requisition()
        await office.send([requisition["id"]], "email", EMAIL)
        stranger = await office.world.person("Client Basic", client_ids=[office.world.client()])
        answer = await office.http.get(
            "/api/v2/requisitions/transmissions",
            params={"ids": requisition["id"]},
            headers=stranger.headers,
        )
        assert answer.status_code == 404

    async def test_of_a_shared_one_each_client_sees_its_own_requisitions(self, office) -> None:
        world: World = office.world
        lab = await world.person(Role.LABORATORY)
        other_client = world.client()
        stranger = await world.person("Client Basic", client_ids=[other_client])
        own = await office.requisition()
        foreign = await world.requisition(stranger, world.patient(other_client))
        await office.send([own["id"], foreign["id"]], "fax", FAX, lab)
        [seen] = await office.sent(own["id"])
        assert seen["requisitionIds"] == [own["id"]]
        [seen] = await office.sent(foreign["id"], person=stranger)
        assert seen["requisitionIds"] == [foreign["id"]]

    async def test_the_newest_comes_first(self, office) -> None:
        requisition = await office.requisition()
        await office.send([requisition["id"]], "email", EMAIL)
        await office.send([requisition["id"]], "fax", FAX)
        found = await office.sent(requisition["id"])
        assert [each["type"] for each in found] == ["FAX", "EMAIL"]
