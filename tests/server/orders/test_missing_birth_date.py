"""Filling in a birth date that the lab's feed left out (R 4; ADR 89)."""

import asyncio

import pytest

from app.contract import messages
from tests.server.orders.billing_forms import BillingForm, open_billing_form
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World


def forget_birth_date(form: BillingForm) -> None:
    """Remove the birth date from the patient, the requisition, and the order."""
    world = form.world
    world.run_sql("UPDATE patients SET birth_date = NULL WHERE id = %s", (form.patient,))
    for table, record_id in (("requisitions", form.requisition), ("orders", form.order)):
        world.run_sql(f"UPDATE {table} SET patient_birth_date = NULL WHERE id = %s", (record_id,))


@pytest.fixture
async def form(world: World) -> BillingForm:
    """The form of an order that is billed to insurance and lacks everything."""
    return await open_billing_form(world)


class TestBirthDate:
    """Filling in a birth date that the lab's feed left out (ADR 89)."""

    async def test_fills_in_the_patient_the_order_and_the_requisition(
        self, form: BillingForm
    ) -> None:
        forget_birth_date(form)
        content = await form.read()
        assert (content["birthDate"], content["canChangeBirthDate"]["allowed"]) == (None, True)
        assert "birthDate" not in content["missing"]
        before = form.read_audit_rows()
        answer = await form.save(
            version=content["version"],
            patientVersion=content["patientVersion"],
            birthDate="03/04/1961",
            physicianId=form.physician,
        )
        assert answer.status_code == 200, answer.text
        order = answer.json()
        assert order["birthDate"] == "1961-03-04"
        assert order["canChangeBirthDate"]["allowed"] is False
        assert (order["version"], order["patientVersion"]) == (
            content["version"] + 1,
            content["patientVersion"] + 1,
        )
        assert order["completions"][0]["parts"] == ["orderingPhysician", "birthDate"]
        assert form.list_birth_dates() == ["1961-03-04"] * 3
        assert form.read_audit_rows()[len(before) :] == [
            ("change", "patient", [form.patient], {"fields": ["birth_date"]}),
            (
                "complete",
                "order",
                [form.order],
                {"fields": ["orderingPhysician", "birthDate"]},
            ),
        ]

    @pytest.mark.parametrize("signs", [False, True])
    async def test_can_be_filled_in_after_the_signature_but_not_changed(
        self, form: BillingForm, signs: bool
    ) -> None:
        await form.save(physicianId=form.physician)
        if signs:
            forget_birth_date(form)
            answer = await form.world.http.post(
                "/api/v2/orders/sign-multiple",
                headers=form.nurse.headers,
                json={"image": SIGNATURE, "ordersIds": [form.order]},
            )
            assert answer.status_code == 200, answer.text
            answer = await form.save(birthDate="1961-03-04")
            assert answer.status_code == 200, answer.text
            completion = answer.json()["completions"][-1]
            assert (completion["parts"], completion["wasSigned"]) == (["birthDate"], True)
            assert form.list_birth_dates() == ["1961-03-04"] * 3
        answer = await form.save(birthDate="1962-03-04")
        assert answer.status_code == 400
        [error] = answer.json()["errors"]
        assert error == {
            "field": "birthDate",
            "message": messages.MISSING_INFO_PERSON.format(label="Date of birth"),
        }

    @pytest.mark.parametrize(
        ("birth_date", "message"),
        [
            (None, messages.DATE_OF_BIRTH_REQUIRED),
            ("", messages.DATE_OF_BIRTH_REQUIRED),
            ("2199-01-01", messages.BIRTH_DATE_OUT_OF_RANGE),
            ("1899-12-31", messages.BIRTH_DATE_OUT_OF_RANGE),
            ("2026-03-05", messages.MISSING_INFO_COLLECTED_BEFORE),
        ],
    )
    async def test_has_the_rules_of_the_patient_form(
        self, form: BillingForm, birth_date: str | None, message: str
    ) -> None:
        forget_birth_date(form)
        answer = await form.save(physicianId=form.physician, birthDate=birth_date)
        assert answer.status_code == 400, answer.text
        assert answer.json()["errors"] == [{"field": "birthDate", "message": message}]
        assert form.list_birth_dates() == [None] * 3

    async def test_accepts_a_birth_on_the_day_of_the_collection(self, form: BillingForm) -> None:
        forget_birth_date(form)
        answer = await form.save(physicianId=form.physician, birthDate="2026-03-04")
        assert answer.status_code == 200, answer.text
        assert form.list_birth_dates() == ["2026-03-04"] * 3

    async def test_a_form_without_it_can_be_saved(self, form: BillingForm) -> None:
        forget_birth_date(form)
        answer = await form.save(physicianId=form.physician)
        assert (answer.status_code, answer.json()["birthDate"]) == (200, None)
        assert answer.json()["missing"] == ["diagnoses", "insuranceInformation"]

    async def test_an_order_takes_the_birth_date_that_its_patient_has_now(
        self, form: BillingForm
    ) -> None:
        forget_birth_date(form)
        form.world.run_sql(
            "UPDATE patients SET birth_date = '1961-03-04' WHERE id = %s", (form.patient,)
        )
        content = await form.read()
        assert (content["birthDate"], content["canChangeBirthDate"]["allowed"]) == (
            "1961-03-04",
            False,
        )
        answer = await form.save(physicianId=form.physician, birthDate="1961-03-04")
        assert answer.status_code == 200, answer.text
        assert answer.json()["patientVersion"] == content["patientVersion"]
        assert form.list_birth_dates() == ["1961-03-04"] * 3

    async def test_completes_insurance_that_the_patient_holds(self, form: BillingForm) -> None:
        forget_birth_date(form)
        form.world.run_sql(
            "UPDATE patients SET address = '1 MAIN ST',"
            " zip_code_id = (SELECT min(id) FROM zip_codes) WHERE id = %s",
            (form.patient,),
        )
        row = form.build_insurance(relationship="SELF", differentThanPatient=False)
        rest = {
            "physicianId": form.physician,
            "diagnoses": [form.build_diagnosis()],
            "insuranceInformation": [row],
        }
        answer = await form.save(**rest)
        assert answer.json()["missing"] == ["insuranceInformation"], answer.text
        [stored_row] = answer.json()["insuranceInformation"]
        row["id"] = stored_row["id"]
        answer = await form.save(
            patientVersion=answer.json()["patientVersion"], birthDate="1961-03-04", **rest
        )
        assert answer.json()["missing"] == [], answer.text

    async def test_only_people_who_write_patients_fill_it_in(self, form: BillingForm) -> None:
        await form.save(physicianId=form.physician)
        forget_birth_date(form)
        physician = await form.world.create_person("Physician", physician_ids=[form.physician])
        content = await form.read(physician)
        assert content["birthDate"] is None
        assert content["canChangeBirthDate"] == {
            "allowed": False,
            "reason": messages.MISSING_INFO_CLINIC,
        }
        answer = await form.save(physician, birthDate="1961-03-04")
        assert answer.status_code == 403
        answer = await form.save(physician, diagnoses=[form.build_diagnosis()])
        assert answer.status_code == 200, answer.text
        assert form.list_birth_dates() == [None] * 3
        answer = await form.save(form.lab, birthDate="1961-03-04")
        assert answer.status_code == 200, answer.text

    async def test_the_database_never_replaces_a_birth_date(self, form: BillingForm) -> None:
        form.world.run_sql(
            "INSERT INTO order_completions (order_id, user_id, user_name, parts, was_signed,"
            " birth_date, lacks_info, completed_at)"
            " VALUES (%s, gen_random_uuid(), 'X', '{}', false, '1961-03-04', true, now())",
            (form.order,),
        )
        assert form.list_birth_dates() == ["1970-01-02"] * 3

    async def test_two_people_cannot_fill_it_in_differently(self, form: BillingForm) -> None:
        forget_birth_date(form)
        version = (await form.read())["patientVersion"]
        answers = await asyncio.gather(
            *(
                form.save(
                    person,
                    birthDate=birth_date,
                    patientVersion=version,
                    physicianId=form.physician,
                )
                for person, birth_date in ((form.nurse, "1961-03-04"), (form.lab, "1962-03-04"))
            )
        )
        assert sorted(answer.status_code for answer in answers) == [200, 412]
        assert len(set(form.list_birth_dates())) == 1
