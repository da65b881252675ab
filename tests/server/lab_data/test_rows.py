"""Rows of single kinds: rules, ends, and what people are offered."""

from typing import Any

import pytest
from psycopg.errors import CheckViolation

from app.contract import messages
from tests.server.lab_data.desk import Desk, Samples


async def create_invalid(desk: Desk, kind: str, values: dict[str, Any]) -> dict[str, str]:
    """Create an invalid row, and return the messages by field."""
    answer = await desk.send("POST", f"/{kind}", {"values": values})
    assert answer.status_code == 400, answer.text
    return {error["field"]: error["message"] for error in answer.json()["errors"]}


class TestRules:
    """Rules for a row."""

    @pytest.mark.parametrize("npi", ["2000000001", "123", "ABCDEFGHIJ"])
    async def test_rejects_an_invalid_npi(self, desk: Desk, samples: Samples, npi: str) -> None:
        values = {**samples.build("physicians"), "npi": npi}
        assert await create_invalid(desk, "physicians", values) == {"npi": messages.NPI_INVALID}

    async def test_rejects_an_unknown_reference(self, desk: Desk, samples: Samples) -> None:
        values = {**samples.build("units"), "client": "NOWHERE"}
        assert await create_invalid(desk, "units", values) == {
            "client": "Client: there is no 'NOWHERE'"
        }

    async def test_rejects_unknown_fields(self, desk: Desk) -> None:
        assert "price" in await create_invalid(desk, "payers", {"price": "1"})

    async def test_the_natural_key_cannot_change(self, desk: Desk, samples: Samples) -> None:
        row = await desk.create("organisms", **samples.build("organisms"))
        answer = await desk.change("organisms", row, code="OTHER")
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["message"] == messages.LAB_DATA_FIXED.format(label="Code")

    @pytest.mark.parametrize(
        ("unit", "note"),
        [
            ("mg/dL", messages.UNIT_IS_UCUM),
            ("IU/L", messages.UNIT_UCUM.format(code="[IU]/L")),
            ("gr/dl", messages.UNIT_WITHOUT_UCUM),
            (None, None),
        ],
    )
    async def test_a_test_says_which_ucum_code_its_unit_has(
        self, desk: Desk, samples: Samples, unit: str | None, note: str | None
    ) -> None:
        row = await desk.create("lab-tests", **{**samples.build("lab-tests"), "unit": unit})
        assert row["notes"].get("unit") == note
        answer = await desk.send("GET", f"/lab-tests/{row['id']}")
        assert answer.json()["notes"] == row["notes"]

    async def test_an_organism_says_that_its_snomed_code_is_the_labs_own(
        self, desk: Desk, samples: Samples
    ) -> None:
        row = await desk.create("organisms", **samples.build("organisms"))
        assert (row["values"]["snomed"], row["notes"]) == (None, {"snomed": messages.SNOMED_OF_LAB})
        answer = await desk.change("organisms", row, snomed="112283007")
        assert answer.json()["values"]["snomed"] == "112283007"

    async def test_a_room_has_a_unit_of_its_client(self, desk: Desk, samples: Samples) -> None:
        unit = await desk.create("units", **samples.build("units"))
        name = f"{unit['values']['client']} / {unit['values']['name']}"
        values = {"client": samples.client, "unit": name, "name": "101"}
        assert await create_invalid(desk, "rooms", values) == {"unit": messages.ROOM_OF_OTHER_UNIT}
        room = await desk.create("rooms", **{**values, "client": unit["values"]["client"]})
        assert room["values"]["unit"] == name

    async def test_ranges_of_the_same_people_do_not_overlap(
        self, desk: Desk, samples: Samples
    ) -> None:
        first = await desk.create("reference-ranges", **samples.build("reference-ranges"))
        other = {**first["values"], "ageFromDays": 365, "ageToDays": 730}
        assert await create_invalid(desk, "reference-ranges", other) == {
            "ageFromDays": messages.RANGE_OVERLAPS
        }
        assert (await desk.change("reference-ranges", first, active=False)).status_code == 200
        await desk.create("reference-ranges", **other)

    async def test_finds_ranges_for_any_sex(self, desk: Desk, samples: Samples) -> None:
        values = samples.build("reference-ranges")
        for sex in ("Female", None):
            await desk.create("reference-ranges", **{**values, "gender": sex})
        path = f"/reference-ranges?parent={values['test']}&column.gender="
        for text, sex in (("any", None), ("female", "Female")):
            [row] = (await desk.send("GET", path + text)).json()["data"]
            assert row["gender"] == sex

    async def test_any_sex_can_be_typed(self, desk: Desk, samples: Samples) -> None:
        values = {**samples.build("reference-ranges"), "gender": "any"}
        assert (await desk.create("reference-ranges", **values))["values"]["gender"] is None

    async def test_choices_of_a_toxicology_test_say_what_was_detected(
        self, desk: Desk, samples: Samples
    ) -> None:
        values = {
            **samples.build("lab-tests"),
            "kind": "Toxicology",
            "choices": ["Negative", "PRESUMPTIVE POSITIVE"],
        }
        assert set(await create_invalid(desk, "lab-tests", values)) == {"choices"}
        await desk.create("lab-tests", **{**values, "choices": ["Negative", "Positive"]})
        lines = (await desk.export("lab-tests")).decode().splitlines()
        content = "\n".join(
            line for line in lines if line.startswith(("\ufeffCode,", values["code"]))
        )
        content = content.replace("Negative; Positive", "Negative; INCONCLUSIVE")
        [planned_row] = (await desk.preview("lab-tests", content)).json()["rows"]
        [error] = planned_row["errors"]
        assert "NOT DETECTED" in error

    async def test_normal_and_critical_choices_are_among_the_choices(
        self, desk: Desk, samples: Samples
    ) -> None:
        values = {**samples.build("lab-tests"), "choices": ["Negative", "Positive"]}
        for name in ("normalChoices", "criticalChoices"):
            errors = await create_invalid(desk, "lab-tests", {**values, name: ["Postive"]})
            assert errors == {name: messages.CHOICE_NOT_LISTED.format(choice="POSTIVE")}
        marks = {"normalChoices": ["NEGATIVE"], "criticalChoices": ["positive"]}
        await desk.create("lab-tests", **{**values, **marks})

    async def test_a_formula_needs_its_inputs_and_a_source(
        self, desk: Desk, samples: Samples
    ) -> None:
        values = {**samples.build("lab-tests"), "formula": "vldl"}
        errors = await create_invalid(desk, "lab-tests", values)
        assert set(errors) == {"formulaInputs", "formulaSource"}
        test = samples.test
        values |= {"formulaInputs": [test], "formulaSource": "Invented"}
        row = await desk.create("lab-tests", **values)
        assert row["values"]["formulaInputs"] == [test]

    async def test_rejects_a_second_row_with_the_same_name(
        self, desk: Desk, samples: Samples
    ) -> None:
        values = samples.build("bill-types")
        await desk.create("bill-types", **values)
        assert set(await create_invalid(desk, "bill-types", values)) == {"name"}

    async def test_the_database_rejects_a_critical_rule_that_names_nothing(
        self, desk: Desk
    ) -> None:
        """Such a rule would make each culture critical, however it was inserted."""
        with pytest.raises(CheckViolation, match="names_something"):
            desk.world.run_sql("INSERT INTO critical_culture_rules (mark) VALUES (NULL)")
        row = await desk.create("critical-culture-rules", source="BLOOD FROM NOWHERE")
        with pytest.raises(CheckViolation, match="names_something"):
            desk.world.run_sql(
                "UPDATE critical_culture_rules SET source = NULL WHERE id = %s", (row["id"],)
            )

    async def test_unknown_kinds_and_rows_do_not_exist(self, desk: Desk) -> None:
        for path in ("/nothing", "/nothing/1", "/payers/999999999", "/payers/999999999/history"):
            assert (await desk.send("GET", path)).status_code == 404


class TestEnds:
    """Rows that are no longer in use."""

    async def test_an_ended_medication_is_not_offered(self, desk: Desk, samples: Samples) -> None:
        row = await desk.create("medications", **samples.build("medications"))
        name = row["values"]["name"]
        path = "/api/v2/medications/remote-operations"

        async def count_offers() -> int:
            answer = await desk.world.http.get(
                path, params={"search": name}, headers=desk.person.headers
            )
            return len(answer.json()["data"])

        assert await count_offers() == 1
        assert (await desk.change("medications", row, active=False)).status_code == 200
        assert await count_offers() == 0

    async def test_an_ended_reason_is_not_offered(self, desk: Desk, samples: Samples) -> None:
        row = await desk.create("reasons", **samples.build("reasons"))
        code = row["values"]["code"]

        async def list_codes() -> list[str]:
            answer = await desk.world.http.get(
                "/api/v2/reasons?kind=hold", headers=desk.person.headers
            )
            return [reason["code"] for reason in answer.json()]

        assert code in await list_codes()
        assert (await desk.change("reasons", row, active=False)).status_code == 200
        assert code not in await list_codes()

    async def test_an_ended_unit_is_not_offered(self, desk: Desk, samples: Samples) -> None:
        row = await desk.create("units", **samples.build("units"))
        assert (await desk.change("units", row, active=False)).status_code == 200
        client = desk.world.run_sql("SELECT client_id FROM units WHERE id = %s", (row["id"],))
        answer = await desk.world.http.get(
            f"/api/v2/clients/{client}/units/remote-operations", headers=desk.person.headers
        )
        assert answer.json()["data"] == []


class TestOffers:
    """GET lookups/{lookup}."""

    async def test_offers_an_exact_key_first(self, desk: Desk) -> None:
        answer = await desk.send("GET", "/lookups/lab-tests?search=glu")
        assert answer.json()[0]["key"] == "GLU"

    async def test_returns_the_names_of_chosen_keys(self, desk: Desk) -> None:
        answer = await desk.send("GET", "/lookups/lab-tests?keys=GLU&keys=NOTHING")
        assert [offer["key"] for offer in answer.json()] == ["GLU"]
        assert answer.json()[0]["name"]

    async def test_an_unknown_lookup_does_not_exist(self, desk: Desk) -> None:
        assert (await desk.send("GET", "/lookups/users?search=a")).status_code == 404


class TestFilters:
    """The filter row of a kind's list."""

    async def test_finds_letters_in_any_case(self, desk: Desk, samples: Samples) -> None:
        n = samples.number
        await desk.create("collection-sites", name=f"North Site {n}", position=1)
        answer = await desk.send("GET", f"/collection-sites?column.name=north site {n}")
        assert [row["name"] for row in answer.json()["data"]] == [f"North Site {n}"]

    async def test_narrows_to_a_parent(self, desk: Desk, samples: Samples) -> None:
        row = await desk.create("units", **samples.build("units"))
        await desk.create("units", **{**samples.build("units"), "name": "OTHER"})
        answer = await desk.send("GET", f"/units?parent={row['values']['client']}")
        assert [found_row["id"] for found_row in answer.json()["data"]] == [row["id"]]
