"""Requisitions: saving, signing, canceling, receiving, and everything that stops it."""

import asyncio
import time
import uuid

import pytest

from app.contract import messages
from tests.server.world import SIGNATURE, Person, World

BASE = "/api/v2/requisitions"


@pytest.fixture
def patient(world: World, nurse) -> int:
    """A patient of the nurse's client."""
    return world.patient(nurse.client)


async def sign(world: World, person: Person, *ids: int, **changes):
    """A fresh sign-in and the signing."""
    await world.sign_in(person)
    return await world.http.post(
        f"{BASE}/sign-multiple",
        headers=person.headers,
        json={"image": SIGNATURE, "requisitionsIds": list(ids), **changes},
    )


def _panel(world: World) -> str:
    """The code of a new panel with two members."""
    code = f"P{uuid.uuid4().hex[:8]}".upper()
    world.sql(
        "WITH panel AS (INSERT INTO lab_tests"
        " (code, name, search_text, is_panel, kind, result_type)"
        " SELECT %s, %s, %s, true, kind, result_type FROM lab_tests WHERE code = 'CBC'"
        " RETURNING id)"
        " INSERT INTO panel_members (panel_id, test_id, position)"
        " SELECT panel.id, m.test_id, m.position FROM panel, panel_members m"
        " WHERE m.panel_id = (SELECT id FROM lab_tests WHERE code = 'CBC')"
        " ORDER BY m.position LIMIT 2",
        (code, code, code),
    )
    return code


def _lose_a_member(world: World, panel: str) -> None:
    world.sql(
        "DELETE FROM panel_members m USING (SELECT max(position) AS last FROM panel_members"
        " WHERE panel_id = %s) f WHERE panel_id = %s AND position = f.last",
        (world.test_id(panel),) * 2,
    )


def _sent(saved: dict) -> list[dict]:
    """The tests of a requisition as a form sends them."""
    return [
        {"test": {"id": each["test"]["id"]}, "isConfidential": each["isConfidential"]}
        for each in saved["tests"]
    ]


class TestSaving:
    """POST /v2/requisitions and /{id}."""

    @pytest.mark.parametrize(
        ("change", "field", "message"),
        [
            ({"patientId": None}, "patientId", messages.REQUISITION_PATIENT_REQUIRED),
            ({"tests": []}, "tests", messages.REQUISITION_TEST_REQUIRED),
            ({"tests": [{"test": {"id": 999999}}]}, "tests.0.test.id", messages.TEST_UNKNOWN),
            (
                {"collectionDate": None},
                "collectionDate",
                messages.REQUISITION_COLLECTION_DATE_REQUIRED,
            ),
            ({"fasting": None}, "fasting", messages.REQUISITION_FASTING_REQUIRED),
            ({"fasting": 7}, "fasting", messages.VALUE_INVALID),
            ({"priority": "SOON"}, "priority", messages.VALUE_INVALID),
            ({"diagnoses": [{"code": "NOPE"}]}, "diagnoses.0", messages.NOT_FOUND),
            (
                {"diagnoses": [{"code": "Z99.0"}]},
                "diagnoses.0",
                messages.DIAGNOSIS_NOT_BILLABLE.format(code="Z99.0"),
            ),
            ({"physicianId": 999999999}, "physicianId", messages.NOT_FOUND),
        ],
    )
    async def test_says_what_is_wrong(
        self, world: World, problem_of, nurse, patient, change, field: str, message: str
    ) -> None:
        body = {**world.requisition_body(patient), **change}
        answer = await world.http.post(BASE, headers=nurse.headers, json=body)
        assert answer.status_code == 400
        assert {"field": field, "message": message} in problem_of(answer)["errors"]

    async def test_takes_words_and_american_dates(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(
            nurse,
            patient,
            fasting="non fasting",
            billTo="patient",
            priority="Pre-operatory",
            collectionDate="03/04/2026 07:30",
        )
        assert saved["fasting"] == 2
        assert saved["billTo"] == "Patient"
        assert saved["priority"] == "PRE-OPERATORY"
        assert saved["collectionDate"] == "2026-03-04T07:30:00"

    @pytest.mark.parametrize(
        ("sent", "kept"),
        [
            ("2026-11-21", "2026-11-21T00:00:00"),
            ("2026-11-21T08:30", "2026-11-21T08:30:00"),
            ("2026-11-21T08:30:15.250", "2026-11-21T08:30:15"),
            ("2026-11-21 08:30:00", "2026-11-21T08:30:00"),
            (" 11/21/2026 08:30:05 ", "2026-11-21T08:30:05"),
            ("11/21/2026", "2026-11-21T00:00:00"),
            # The lab of these tests is in Chicago: six hours behind in winter, five in summer.
            ("2026-11-21T14:30:00Z", "2026-11-21T08:30:00"),
            ("2026-07-01T02:30:00+02:00", "2026-06-30T19:30:00"),
            ("2026-11-21 09:30-0500", "2026-11-21T08:30:00"),
        ],
    )
    async def test_a_collection_time_is_read_whole(
        self, world: World, nurse, patient, sent: str, kept: str
    ) -> None:
        saved = await world.requisition(nurse, patient, collectionDate=sent)
        assert saved["collectionDate"] == kept
        answer = await world.http.post(
            f"{BASE}/{saved['id']}", headers=nurse.headers, json={"collectionDate": sent}
        )
        assert answer.json()["collectionDate"] == kept

    @pytest.mark.parametrize(
        "sent",
        [
            *(0, 1_790_000_000, 1.5, True, [], "0001-01-01T00:00:00", "1899-12-31", "2200-01-01"),
            *("tomorrow", "2026-11-21x08:30", "2026-11-21T08:30:00 or so", "2026-11-21T25:00"),
            *("2026-02-30", "02/30/2026", "11/21/2026 08:30:00:00", "20261121", "2026-W47-6"),
        ],
    )
    async def test_what_is_no_collection_time_is_refused(
        self, world: World, problem_of, nurse, patient, sent
    ) -> None:
        body = world.requisition_body(patient, collectionDate=sent)
        answer = await world.http.post(BASE, headers=nurse.headers, json=body)
        assert answer.status_code == 400
        errors = problem_of(answer)["errors"]
        assert errors == [{"field": "collectionDate", "message": messages.VALUE_INVALID}]

    async def test_tests_sent_again_stay_as_they_are(self, world: World, nurse, patient) -> None:
        panel = _panel(world)
        saved = await world.requisition(nurse, patient, panel, "GLU")
        again = saved | {"tests": _sent(saved)}
        path = f"{BASE}/{saved['id']}"
        _lose_a_member(world, panel)
        kept = (await world.http.post(path, headers=nurse.headers, json=again)).json()
        assert kept["tests"] == saved["tests"]
        turned = (
            await world.http.post(path, headers=nurse.headers, json={"tests": again["tests"][::-1]})
        ).json()
        assert [each["test"]["code"] for each in turned["tests"]] == ["GLU", panel]
        assert len(turned["tests"][1]["children"]) == 1

    async def test_a_member_names_its_panel(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(nurse, patient, "CBC")
        [panel] = saved["tests"]
        assert panel["parentTestId"] is None
        assert {each["parentTestId"] for each in panel["children"]} == {panel["test"]["id"]}

    async def test_lists_absent_stay_and_empty_clear(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(
            nurse, patient, "CBC", diagnoses=[{"code": "I10"}], medications=[{"name": "aspirin"}]
        )
        path = f"{BASE}/{saved['id']}"
        kept = (
            await world.http.post(path, headers=nurse.headers, json={"comments": "hello"})
        ).json()
        assert kept["diagnoses"] == saved["diagnoses"]
        assert kept["medications"] == [{"name": "ASPIRIN"}]
        cleared = (
            await world.http.post(
                path, headers=nurse.headers, json={"diagnoses": [], "medications": None}
            )
        ).json()
        assert cleared["diagnoses"] == [] and cleared["medications"] == []
        assert [t["test"]["code"] for t in cleared["tests"]] == ["CBC"]

    async def test_carries_a_snapshot_of_the_patient(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(nurse, patient)
        elsewhere = world.client()
        world.sql(
            "UPDATE patients SET last_name = 'MARRIED', client_id = %s WHERE id = %s",
            (elsewhere, patient),
        )
        now = (await world.http.get(f"{BASE}/{saved['id']}", headers=nurse.headers)).json()
        assert now["patient"]["lastName"] == saved["patient"]["lastName"]
        listed = await world.http.get(f"{BASE}/remote-operations", headers=nurse.headers)
        assert listed.json()["data"][0]["patientLastName"] == saved["patient"]["lastName"]
        assert listed.json()["totalCount"] == 1

    async def test_codes_are_letter_year_and_seven_digits(
        self, world: World, nurse, patient
    ) -> None:
        code = (await world.requisition(nurse, patient))["code"]
        assert code[0] == "R" and len(code) == 10 and code[1:].isdigit()


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
        panel = _panel(world)
        saved = await world.requisition(nurse, patient, panel)
        await sign(world, nurse, saved["id"])
        _lose_a_member(world, panel)
        answer = await world.http.post(
            f"{BASE}/{saved['id']}",
            headers=nurse.headers,
            json={"tests": _sent(saved), "comments": "fasting since eight"},
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


class TestStatus:
    """Cancel and receive along the transition table."""

    async def test_cancel_needs_a_comment(self, world: World, problem_of, nurse, patient) -> None:
        saved = await world.requisition(nurse, patient)
        answer = await world.http.post(
            f"{BASE}/{saved['id']}/cancel", headers=nurse.headers, json={"comment": "  "}
        )
        assert answer.status_code == 400
        assert problem_of(answer)["errors"][0]["message"] == messages.CANCEL_COMMENT_REQUIRED

    async def test_canceled_is_read_only_and_not_signed_or_received(
        self, world: World, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        lab = await world.person("Laboratory")
        path = f"{BASE}/{saved['id']}"
        canceled = await world.http.post(
            f"{path}/cancel", headers=nurse.headers, json={"comment": "wrong patient"}
        )
        assert canceled.json()["status"] == 2
        change = await world.http.post(path, headers=nurse.headers, json={"comments": "x"})
        received = await world.http.post(
            f"{BASE}/receive", headers=lab.headers, json={"ids": [saved["id"]]}
        )
        signed = await sign(world, nurse, saved["id"])
        assert [a.status_code for a in (change, received, signed)] == [409, 409, 409]

    async def test_done_is_not_canceled_and_may_still_be_signed(
        self, world: World, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        lab = await world.person("Laboratory")
        await world.http.post(f"{BASE}/receive", headers=lab.headers, json={"code": saved["code"]})
        cancel = await world.http.post(
            f"{BASE}/{saved['id']}/cancel", headers=nurse.headers, json={"comment": "late"}
        )
        assert cancel.status_code == 409
        assert (await sign(world, nurse, saved["id"])).status_code == 200

    async def test_received_twice_begins_one_order(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(nurse, patient)
        lab = await world.person("Laboratory")
        answers = await asyncio.gather(
            *(
                world.http.post(f"{BASE}/receive", headers=lab.headers, json={"ids": [saved["id"]]})
                for _ in range(3)
            )
        )
        assert sorted(a.status_code for a in answers) == [200, 409, 409]
        assert (
            world.sql("SELECT count(*) FROM orders WHERE requisition_id = %s", (saved["id"],)) == 1
        )

    async def test_receiving_many_is_all_or_nothing(
        self, world: World, problem_of, nurse, patient
    ) -> None:
        good, bad = [(await world.requisition(nurse, patient)) for _ in range(2)]
        await world.http.post(
            f"{BASE}/{bad['id']}/cancel", headers=nurse.headers, json={"comment": "no"}
        )
        lab = await world.person("Laboratory")
        answer = await world.http.post(
            f"{BASE}/receive", headers=lab.headers, json={"ids": [good["id"], bad["id"]]}
        )
        assert answer.status_code == 409
        assert bad["code"] in problem_of(answer)["detail"]
        assert world.sql("SELECT status FROM requisitions WHERE id = %s", (good["id"],)) == 1

    async def test_an_unknown_code_is_not_found(self, world: World) -> None:
        lab = await world.person("Laboratory")
        answer = await world.http.post(
            f"{BASE}/receive", headers=lab.headers, json={"code": "R990000000"}
        )
        assert answer.status_code == 404
