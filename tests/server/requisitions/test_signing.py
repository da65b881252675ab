"""Signing requisitions and removing signatures."""

import asyncio
import time
import uuid

from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from tests.server.requisitions.builders import SIGNATURE
from tests.server.requisitions.steps import (
    BASE,
    add_panel,
    build_test_writes,
    change_status_meanwhile,
    remove_member,
    sign_requisitions,
)
from tests.server.world import World


class TestSigning:
    """POST sign-multiple and unsign."""

    async def test_signs_several_and_shows_the_signature(
        self, world: World, nurse, patient
    ) -> None:
        ids = [(await world.save_requisition(nurse, patient))["id"] for _ in range(3)]
        answer = await sign_requisitions(world, nurse, *ids)
        assert answer.status_code == 200
        assert [row["id"] for row in answer.json()["data"]] == ids
        signature = (
            await world.http.get(f"{BASE}/{ids[0]}/signature", headers=nurse.headers)
        ).json()
        assert signature["userName"] == "Ada Tester"
        assert signature["imageSignature"].startswith("data:image/png;base64,")

    async def test_a_requisition_contains_its_signature(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient)
        assert requisition["signature"] is None
        await sign_requisitions(world, nurse, requisition["id"])
        path = f"{BASE}/{requisition['id']}"
        signed_requisition = (await world.http.get(path, headers=nurse.headers)).json()
        signature = (await world.http.get(f"{path}/signature", headers=nurse.headers)).json()
        assert signed_requisition["signature"] == signature
        assert set(signature) == {"imageSignature", "userName", "signedDateTime"}

    async def test_signed_tests_can_be_sent_again_after_a_catalog_change(
        self, world: World, nurse, patient
    ) -> None:
        panel = add_panel(world)
        requisition = await world.save_requisition(nurse, patient, panel)
        await sign_requisitions(world, nurse, requisition["id"])
        remove_member(world, panel)
        answer = await world.http.post(
            f"{BASE}/{requisition['id']}",
            headers=nurse.headers,
            json={"tests": build_test_writes(requisition), "comments": "fasting since eight"},
        )
        assert answer.status_code == 200, answer.text
        assert answer.json()["tests"] == requisition["tests"]

    async def test_needs_a_fresh_sign_in_for_each_signature(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        first, second = [(await world.save_requisition(nurse, patient))["id"] for _ in range(2)]
        assert (await sign_requisitions(world, nurse, first)).status_code == 200
        second_answer = await world.http.post(
            f"{BASE}/sign-multiple",
            headers=nurse.headers,
            json={"image": SIGNATURE, "requisitionsIds": [second]},
        )
        assert second_answer.status_code == 403
        assert parse_problem(second_answer)["code"] == "reauthentication_required"

    async def test_rejects_an_old_sign_in(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        world.run_sql(
            "UPDATE user_sessions SET signed_in_at = now() - interval '121 seconds'"
            " WHERE user_id = %s",
            (nurse.user_id,),
        )
        session = world.run_sql(
            "SELECT id FROM user_sessions WHERE user_id = %s LIMIT 1", (nurse.user_id,)
        )
        tokens = world.app.state.portal.tokens

        nurse.token = tokens.mint(uuid.UUID(nurse.user_id), session, int(time.time()) - 121)
        answer = await world.http.post(
            f"{BASE}/sign-multiple",
            headers=nurse.headers,
            json={"image": SIGNATURE, "requisitionsIds": [requisition["id"]]},
        )
        assert answer.status_code == 403
        assert parse_problem(answer)["code"] == "reauthentication_required"

    async def test_signs_none_when_one_is_already_signed(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        unsigned_requisition, signed_requisition = [
            (await world.save_requisition(nurse, patient)) for _ in range(2)
        ]
        await sign_requisitions(world, nurse, signed_requisition["id"])
        answer = await sign_requisitions(
            world, nurse, unsigned_requisition["id"], signed_requisition["id"]
        )
        assert answer.status_code == 409
        assert signed_requisition["code"] in parse_problem(answer)["detail"]
        latest = (
            await world.http.get(f"{BASE}/{unsigned_requisition['id']}", headers=nurse.headers)
        ).json()
        assert latest["hasSignature"] is False

    async def test_does_not_sign_a_changed_version(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        path = f"{BASE}/{requisition['id']}"
        await world.http.post(path, headers=nurse.headers, json={"fasting": 1})
        answer = await sign_requisitions(
            world, nurse, requisition["id"], versions={requisition["id"]: requisition["version"]}
        )
        assert answer.status_code == 412
        problem = parse_problem(answer)
        assert problem["code"] == "content_changed"
        assert problem["updatedBy"] == "Ada Tester"

    async def test_names_all_requisitions_that_changed(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        requisitions = [await world.save_requisition(nurse, patient) for _ in range(3)]
        for requisition in requisitions[:2]:
            path = f"{BASE}/{requisition['id']}"
            await world.http.post(path, headers=nurse.headers, json={"fasting": 1})
        answer = await sign_requisitions(
            world,
            nurse,
            *[row["id"] for row in requisitions],
            versions={row["id"]: row["version"] for row in requisitions},
        )
        problem = parse_problem(answer)
        assert (answer.status_code, problem["code"]) == (412, "content_changed")
        codes = ", ".join(row["code"] for row in requisitions[:2])
        assert problem["detail"] == messages.REQUISITIONS_CHANGED_MEANWHILE.format(codes=codes)
        assert [error["field"] for error in problem["errors"]] == [
            f"versions.{row['id']}" for row in requisitions[:2]
        ]
        for requisition in requisitions:
            path = f"{BASE}/{requisition['id']}"
            latest = await world.http.get(path, headers=nurse.headers)
            assert latest.json()["hasSignature"] is False

    async def test_locks_signed_content_but_not_open_parts(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        await sign_requisitions(world, nurse, requisition["id"])
        path = f"{BASE}/{requisition['id']}"
        rejected_answer = await world.http.post(
            path, headers=nurse.headers, json={"diagnoses": [{"code": "I10"}]}
        )
        assert rejected_answer.status_code == 409
        assert parse_problem(rejected_answer)["code"] == "requisition_signed"
        assert (
            await world.http.post(
                path, headers=nurse.headers, json={"comments": "ok", "billTo": "Patient"}
            )
        ).status_code == 200

    async def test_only_the_signer_unsigns_and_the_history_stays(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        await sign_requisitions(world, nurse, requisition["id"])
        colleague = await world.create_person("Client Admin", client_ids=[nurse.client])
        path = f"{BASE}/{requisition['id']}/unsign"
        rejected_answer = await world.http.post(path, headers=colleague.headers, json={})
        assert rejected_answer.status_code == 409
        assert parse_problem(rejected_answer)["code"] == "signed_by_another"
        await world.sign_in(nurse)
        unsign_answer = await world.http.post(path, headers=nurse.headers, json={})
        assert unsign_answer.status_code == 200 and unsign_answer.json()["hasSignature"] is False
        assert (
            world.run_sql(
                "SELECT count(*) FROM requisition_signatures WHERE requisition_id = %s",
                (requisition["id"],),
            )
            == 1
        )

    async def test_rejects_unsigning_a_stale_version(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        await sign_requisitions(world, nurse, requisition["id"])
        path = f"{BASE}/{requisition['id']}"
        read_answer = await world.http.get(path, headers=nurse.headers)
        await world.http.post(path, headers=nurse.headers, json={"comments": "by a colleague"})
        await world.sign_in(nurse)
        rejected_answer = await world.http.post(
            f"{path}/unsign",
            headers={**nurse.headers, "If-Match": read_answer.headers["etag"]},
            json={},
        )
        assert rejected_answer.status_code == 412
        assert parse_problem(rejected_answer)["code"] == "stale_version"
        latest_answer = await world.http.get(path, headers=nurse.headers)
        assert latest_answer.json()["hasSignature"] is True

    async def test_concurrent_edit_and_signing_never_signs_unseen_content(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        path = f"{BASE}/{requisition['id']}"
        await world.sign_in(nurse)
        edit_answer, sign_answer = await asyncio.gather(
            world.http.post(
                path,
                headers={**nurse.headers, "If-Match": f'"{requisition["version"]}"'},
                json={"fasting": 1},
            ),
            world.http.post(
                f"{BASE}/sign-multiple",
                headers=nurse.headers,
                json={
                    "image": SIGNATURE,
                    "requisitionsIds": [requisition["id"]],
                    "versions": {requisition["id"]: requisition["version"]},
                },
            ),
        )
        assert sorted((edit_answer.status_code, sign_answer.status_code)) == [200, 412]

    async def test_rejects_an_empty_list_and_ids_of_other_clients(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        other_client = world.create_client()
        stranger = await world.create_person("Client Basic", client_ids=[other_client])
        foreign_requisition = await world.save_requisition(
            stranger, world.create_patient(other_client)
        )
        assert (await sign_requisitions(world, nurse)).status_code == 400
        assert (
            await sign_requisitions(world, nurse, requisition["id"], foreign_requisition["id"])
        ).status_code == 404
        latest = (await world.http.get(f"{BASE}/{requisition['id']}", headers=nurse.headers)).json()
        assert latest["hasSignature"] is False

    async def test_signing_increments_the_version(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient)
        path = f"{BASE}/{requisition['id']}"
        change_answer = await world.http.post(
            path, headers=nurse.headers, json={"comments": "once more"}
        )
        await sign_requisitions(world, nurse, requisition["id"])
        latest_answer = await world.http.get(path, headers=nurse.headers)
        assert (
            latest_answer.json()["version"]
            == change_answer.json()["version"] + 1
            == requisition["version"] + 2
        )

    async def test_a_requisition_canceled_meanwhile_stays_signed(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        await sign_requisitions(world, nurse, requisition["id"])
        await world.sign_in(nurse)
        path = f"{BASE}/{requisition['id']}"
        unsign = world.http.post(f"{path}/unsign", headers=nurse.headers, json={})
        answer = await change_status_meanwhile(
            world, requisition["id"], RequisitionStatus.CANCELED, unsign
        )
        assert answer.status_code == 409
        latest_answer = await world.http.get(path, headers=nurse.headers)
        assert latest_answer.json()["hasSignature"] is True

    async def test_signing_and_unsigning_are_audited(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient)
        await sign_requisitions(world, nurse, requisition["id"])
        await world.sign_in(nurse)
        await world.http.post(f"{BASE}/{requisition['id']}/unsign", headers=nurse.headers, json={})
        assert world.fetch_rows(
            "SELECT action, record_ids FROM audit_events WHERE kind = 'requisition'"
            " AND user_id = %s AND action LIKE '%%sign' ORDER BY id",
            (nurse.user_id,),
        ) == [("sign", [requisition["id"]]), ("unsign", [requisition["id"]])]
