"""GET /v2/requisitions/{id}/copy: what a copy begins with, and what stays behind."""

import pytest

from tests.server.world import World

BASE = "/api/v2/requisitions"


@pytest.fixture
def copy_of(world: World, nurse):
    """What the nurse's copy of a requisition begins with."""

    async def do(requisition_id: int):
        answer = await world.http.get(f"{BASE}/{requisition_id}/copy", headers=nurse.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return do


def ending_test(world: World) -> int:
    """A test that nobody else orders, so that it can be withdrawn."""
    return world.sql(
        "INSERT INTO lab_tests (code, name, search_text, kind, result_type) VALUES"
        " ('OLD' || nextval('requisition_codes'), 'OLD TEST', 'OLD', 'clinical', 1) RETURNING id",
        (),
    )


def ending_diagnosis(world: World) -> tuple[int, str]:
    """A diagnosis that nobody else has, so that it can end."""
    identity = world.sql(
        "INSERT INTO diagnoses (code, description, search_text, valid_from, release) VALUES"
        " ('Q' || nextval('requisition_codes'), 'ENDING', 'ENDING', '2015-10-01', 'TEST')"
        " RETURNING id",
        (),
    )
    return identity, world.sql("SELECT code FROM diagnoses WHERE id = %s", (identity,))


class TestCopying:
    """What comes along."""

    async def test_takes_what_a_repeated_order_needs_and_saves_nothing(
        self, world: World, nurse, patient, insure, sign, copy_of
    ) -> None:
        first, second = insure(patient, "W-1"), insure(patient, "W-2", position=2)
        saved = await world.requisition(
            nurse,
            patient,
            priority="STAT",
            billTo="Client",
            comments="<p>Fragile vein</p>",
            diagnoses=[{"code": "I10"}],
            medications=[{"name": "LISINOPRIL 10 MG"}],
            billingInfo=[
                {"patientBillingInformationId": second, "position": 1},
                {"patientBillingInformationId": first, "position": 2},
            ],
        )
        await sign(nurse, saved["id"])
        before = world.sql("SELECT count(*) FROM requisitions", ())
        copy = await copy_of(saved["id"])
        assert copy["code"] == saved["code"]
        assert copy["patientId"] == patient
        assert copy["physician"] == saved["physician"]
        assert copy["billTo"] == "Client"
        assert copy["comments"] == "<p>Fragile vein</p>"
        chosen = [entry["test"]["code"] for entry in copy["tests"]]
        assert chosen == [entry["test"]["code"] for entry in saved["tests"]]
        assert [entry["code"] for entry in copy["diagnoses"]] == ["I10"]
        assert copy["medications"] == [{"name": "LISINOPRIL 10 MG"}]
        assert copy["billingInfo"] == [second, first]
        assert copy["left"] == []
        assert not {"collectionDate", "priority", "hasSignature", "additionalCopies"} & set(copy)
        assert world.sql("SELECT count(*) FROM requisitions", ()) == before

    async def test_leaves_behind_what_is_no_more_and_names_it(
        self, world: World, nurse, patient, insure, copy_of
    ) -> None:
        gone, stays = ending_test(world), world.test_id("GLU")
        ended, code = ending_diagnosis(world)
        insurance = insure(patient)
        saved = await world.requisition(
            nurse,
            patient,
            tests=[{"test": {"id": gone}}, {"test": {"id": stays}}],
            diagnoses=[{"id": ended}, {"code": "I10", "testId": gone}, {"code": "E11.9"}],
            billingInfo=[{"patientBillingInformationId": insurance}],
        )
        world.sql("UPDATE lab_tests SET orderable = false WHERE id = %s", (gone,))
        world.sql("UPDATE diagnoses SET valid_to = '2020-01-01' WHERE id = %s", (ended,))
        world.sql("UPDATE patient_insurance SET removed_at = now() WHERE id = %s", (insurance,))
        copy = await copy_of(saved["id"])
        assert [entry["test"]["id"] for entry in copy["tests"]] == [stays]
        assert [entry["code"] for entry in copy["diagnoses"]] == ["E11.9"]
        assert copy["billingInfo"] == []
        test = world.sql("SELECT code FROM lab_tests WHERE id = %s", (gone,))
        payer = saved["billingInformation"][0]["payer"]
        assert copy["left"] == [
            f"test {test}",
            f"diagnosis {code}",
            "diagnosis I10",
            f"insurance {payer}",
        ]

    async def test_of_a_canceled_one_is_possible(
        self, world: World, nurse, patient, cancel, copy_of
    ) -> None:
        saved = await world.requisition(nurse, patient)
        await cancel(saved["id"])
        assert (await copy_of(saved["id"]))["tests"]


class TestScope:
    """Whose requisitions may be copied."""

    async def test_a_foreign_one_is_as_if_it_were_not_there(
        self, world: World, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        other = await world.person("Client Basic", client_ids=[world.client()])
        answers = [
            await world.http.get(f"{BASE}/{each}/copy", headers=other.headers)
            for each in (saved["id"], 999_999_999)
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].json()["detail"] == answers[1].json()["detail"]

    async def test_a_patient_who_left_can_not_be_ordered_for(
        self, world: World, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        world.sql(
            "UPDATE patients SET client_id = %s, unit_id = NULL, room_id = NULL WHERE id = %s",
            (world.client(), patient),
        )
        answer = await world.http.get(f"{BASE}/{saved['id']}/copy", headers=nurse.headers)
        assert answer.status_code == 404
        assert saved["code"] in answer.json()["detail"]
