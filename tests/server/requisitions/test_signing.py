"""Signing requisitions and removing signatures."""

import asyncio
import time
import uuid

import pytest

from app.contract.enumerations import RequisitionStatus
from tests.server.requisitions.steps import (
    BASE,
    add_panel,
    change_status_meanwhile,
    remove_member,
    sent_again,
    sign,
)
from tests.server.world import SIGNATURE, World


@pytest.fixture
def patient(world: World, nurse) -> int:
    """A patient of the nurse's client."""
    return world.patient(nurse.client)


class TestSigning:
    """sign-multiple and unsign."""

    async def test_signs_many_and_shows_the_signature(self, world: World, nurse, patient) -> None:
        ids = [(await world.requisition(nurse, patient))["id"] for _ in range(3)]
        answer = await sign(world, nurse, *ids)
        assert answer.status_code == 200
        assert [entry["id"] for entry in answer.json()["data"]] == ids
        seen = (await world.http.get(f"{BASE}/{ids[0]}/signature", headers=nurse.headers)).json()
        assert seen["userName"] == "Ada Tester"
        assert seen["imageSignature"].startswith("data:image/png;base64,")

    async def test_a_requisition_answers_with_its_signature(
        self, world: World, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        assert saved["signature"] is None
        await sign(world, nurse, saved["id"])
        path = f"{BASE}/{saved['id']}"
        signed = (await world.http.get(path, headers=nurse.headers)).json()
        seen = (await world.http.get(f"{path}/signature", headers=nurse.headers)).json()
        assert signed["signature"] == seen
        assert set(seen) == {"imageSignature", "userName", "signedDateTime"}

    async def test_what_was_signed_may_be_sent_again_when_the_catalogue_has_changed(
        self, world: World, nurse, patient
    ) -> None:
        panel = add_panel(world)
        saved = await world.requisition(nurse, patient, panel)
        await sign(world, nurse, saved["id"])
        remove_member(world, panel)
        answer = await world.http.post(
            f"{BASE}/{saved['id']}",
            headers=nurse.headers,
            json={"tests": sent_again(saved), "comments": "fasting since eight"},
        )
        assert answer.status_code == 200, answer.text
        assert answer.json()["tests"] == saved["tests"]

    async def test_needs_a_fresh_sign_in_and_spends_it(
        self, world: World, problem_of, nurse, patient
    ) -> None:
        first, second = [(await world.requisition(nurse, patient))["id"] for _ in range(2)]
        assert (await sign(world, nurse, first)).status_code == 200
        again = await world.http.post(
            f"{BASE}/sign-multiple",
            headers=nurse.headers,
            json={"image": SIGNATURE, "requisitionsIds": [second]},
        )
        assert again.status_code == 403
        assert problem_of(again)["code"] == "reauthentication_required"

    async def test_an_old_sign_in_does_not_sign(
        self, world: World, problem_of, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        world.sql(
            "UPDATE user_sessions SET signed_in_at = now() - interval '121 seconds'"
            " WHERE user_id = %s",
            (nurse.user_id,),
        )
        session = world.sql(
            "SELECT id FROM user_sessions WHERE user_id = %s LIMIT 1", (nurse.user_id,)
        )
        tokens = world.app.state.portal.tokens

        nurse.token = tokens.issue(uuid.UUID(nurse.user_id), session, int(time.time()) - 121)
        answer = await world.http.post(
            f"{BASE}/sign-multiple",
            headers=nurse.headers,
            json={"image": SIGNATURE, "requisitionsIds": [saved["id"]]},
        )
        assert answer.status_code == 403
        assert problem_of(answer)["code"] == "reauthentication_required"

    async def test_one_that_stops_it_stops_all(
        self, world: World, problem_of, nurse, patient
    ) -> None:
        open_, signed = [(await world.requisition(nurse, patient)) for _ in range(2)]
        await sign(world, nurse, signed["id"])
        answer = await sign(world, nurse, open_["id"], signed["id"])
        assert answer.status_code == 409
        assert signed["code"] in problem_of(answer)["detail"]
        now = (await world.http.get(f"{BASE}/{open_['id']}", headers=nurse.headers)).json()
        assert now["hasSignature"] is False

    async def test_content_changed_since_it_was_seen_is_not_signed(
        self, world: World, problem_of, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        path = f"{BASE}/{saved['id']}"
        await world.http.post(path, headers=nurse.headers, json={"fasting": 1})
        answer = await sign(world, nurse, saved["id"], versions={saved["id"]: saved["version"]})
        assert answer.status_code == 412
        assert problem_of(answer)["code"] == "content_changed"

    async def test_signed_content_is_not_changed_but_the_rest_is(
        self, world: World, problem_of, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        await sign(world, nurse, saved["id"])
        path = f"{BASE}/{saved['id']}"
        refused = await world.http.post(
            path, headers=nurse.headers, json={"diagnoses": [{"code": "I10"}]}
        )
        assert refused.status_code == 409
        assert problem_of(refused)["code"] == "requisition_signed"
        assert (
            await world.http.post(
                path, headers=nurse.headers, json={"comments": "ok", "billTo": "Patient"}
            )
        ).status_code == 200

    async def test_only_the_signer_unsigns_and_the_history_stays(
        self, world: World, problem_of, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        await sign(world, nurse, saved["id"])
        colleague = await world.person("Client Admin", client_ids=[nurse.client])
        path = f"{BASE}/{saved['id']}/unsign"
        refused = await world.http.post(path, headers=colleague.headers, json={})
        assert refused.status_code == 409
        assert problem_of(refused)["code"] == "signed_by_another"
        await world.sign_in(nurse)
        done = await world.http.post(path, headers=nurse.headers, json={})
        assert done.status_code == 200 and done.json()["hasSignature"] is False
        assert (
            world.sql(
                "SELECT count(*) FROM requisition_signatures WHERE requisition_id = %s",
                (saved["id"],),
            )
            == 1
        )

    async def test_unsigning_what_changed_since_it_was_read_is_refused(
        self, world: World, problem_of, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        await sign(world, nurse, saved["id"])
        path = f"{BASE}/{saved['id']}"
        seen = await world.http.get(path, headers=nurse.headers)
        await world.http.post(path, headers=nurse.headers, json={"comments": "by a colleague"})
        await world.sign_in(nurse)
        refused = await world.http.post(
            f"{path}/unsign", headers={**nurse.headers, "If-Match": seen.headers["etag"]}, json={}
        )
        assert refused.status_code == 412
        assert problem_of(refused)["code"] == "stale_version"
        now = await world.http.get(path, headers=nurse.headers)
        assert now.json()["hasSignature"] is True

    async def test_signing_while_another_edits_never_signs_the_unseen(
        self, world: World, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        path = f"{BASE}/{saved['id']}"
        await world.sign_in(nurse)
        edit, signed = await asyncio.gather(
            world.http.post(
                path,
                headers={**nurse.headers, "If-Match": f'"{saved["version"]}"'},
                json={"fasting": 1},
            ),
            world.http.post(
                f"{BASE}/sign-multiple",
                headers=nurse.headers,
                json={
                    "image": SIGNATURE,
                    "requisitionsIds": [saved["id"]],
                    "versions": {saved["id"]: saved["version"]},
                },
            ),
        )
        assert sorted((edit.status_code, signed.status_code)) == [200, 412]

    async def test_no_ids_and_foreign_ids(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(nurse, patient)
        other = world.client()
        stranger = await world.person("Client Basic", client_ids=[other])
        theirs = await world.requisition(stranger, world.patient(other))
        assert (await sign(world, nurse)).status_code == 400
        assert (await sign(world, nurse, saved["id"], theirs["id"])).status_code == 404
        now = (await world.http.get(f"{BASE}/{saved['id']}", headers=nurse.headers)).json()
        assert now["hasSignature"] is False

    async def test_signing_is_a_version(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(nurse, patient)
        path = f"{BASE}/{saved['id']}"
        changed = await world.http.post(path, headers=nurse.headers, json={"comments": "once more"})
        await sign(world, nurse, saved["id"])
        now = await world.http.get(path, headers=nurse.headers)
        assert now.json()["version"] == changed.json()["version"] + 1 == saved["version"] + 2

    async def test_what_is_canceled_meanwhile_keeps_its_signature(
        self, world: World, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        await sign(world, nurse, saved["id"])
        await world.sign_in(nurse)
        path = f"{BASE}/{saved['id']}"
        unsign = world.http.post(f"{path}/unsign", headers=nurse.headers, json={})
        answer = await change_status_meanwhile(
            world, saved["id"], RequisitionStatus.CANCELED, unsign
        )
        assert answer.status_code == 409
        now = await world.http.get(path, headers=nurse.headers)
        assert now.json()["hasSignature"] is True

    async def test_signing_and_unsigning_are_audited(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(nurse, patient)
        await sign(world, nurse, saved["id"])
        await world.sign_in(nurse)
        await world.http.post(f"{BASE}/{saved['id']}/unsign", headers=nurse.headers, json={})
        assert world.rows(
            "SELECT action, record_ids FROM audit_events WHERE kind = 'requisition'"
            " AND user_id = %s AND action LIKE '%%sign' ORDER BY id",
            (nurse.user_id,),
        ) == [("sign", [saved["id"]]), ("unsign", [saved["id"]])]
