"""Numbers of the lab's data are for the unit that their test had when they were entered."""

from app.contract import messages
from app.contract.enumerations import ResultStatus
from tests.server.lab_data.desk import Desk, Samples
from tests.server.lab_data.test_reported_results import find_row
from tests.server.results.clinical.bench import (
    Bench,
    receive_another_order,
    receive_order,
)

LIMITS = {"low": "3.5", "high": "5.1", "criticalLow": "2.8", "criticalHigh": "6.2"}
OTHER_LIMITS = {"low": "13.7", "high": "19.9", "criticalLow": "11", "criticalHigh": "24.2"}
AGES = {"ageFromDays": 0, "ageToDays": 60000}


class Analyte:
    """A test in mmol/L with a reference range, whose unit the lab changes."""

    def __init__(self, desk: Desk, code: str) -> None:
        self.desk, self.code = desk, code
        self.needs_unit = messages.LIMITS_IN_OTHER_UNIT.format(test=code, test_unit="mg/dL")

    async def change_unit(self, **values: str) -> None:
        """Change the unit to mg/dL, together with other values."""
        row = await find_row(self.desk, "lab-tests", f"column.code={self.code}")
        answer = await self.desk.change("lab-tests", row, unit="mg/dL", **values)
        assert answer.status_code == 200, answer.text

    async def change_range(self, **values: str) -> dict:
        """Change the range, and return the answer."""
        row = await find_row(self.desk, "reference-ranges", f"parent={self.code}")
        answer: dict = (await self.desk.change("reference-ranges", row, **values)).json()
        return answer

    async def find_flag(self, bench: Bench, value: str) -> str | None:
        """Enter a value in another order of the patient, and return its flag."""
        order = await receive_another_order(bench, self.code)
        answer = await order.enter(**{self.code: value})
        assert answer.status_code == 200, answer.text
        flag: str | None = (await order.get_row(self.code))["flag"]
        return flag


async def add_analyte(desk: Desk, samples: Samples, **columns: object) -> Analyte:
    """Add a test in mmol/L with a reference range."""
    code = f"ZU{samples.number}"
    desk.world.add_lab_test(code, unit="mmol/L", **columns)
    row = await desk.create("reference-ranges", test=code, **AGES, **LIMITS)
    assert row["values"]["unit"] == "mmol/L"
    return Analyte(desk, code)


async def count_unit_limits(desk: Desk, code: str) -> dict[str, int]:
    """Return the numbers of limits in the unit of a test, by the title of their kind."""
    row = await find_row(desk, "lab-tests", f"column.code={code}")
    return {limit["title"]: limit["count"] for limit in row["unitLimits"]}


class TestCounts:
    """A test says how many limits are in its unit, before somebody changes it."""

    async def test_counts_limits_in_use_by_kind(self, desk: Desk, samples: Samples) -> None:
        analyte = await add_analyte(desk, samples, possible_low=0, possible_high=30)
        code, world = analyte.code, desk.world
        assert await count_unit_limits(desk, code) == {"Reference Ranges": 1, "Bounds": 1}
        test_id = world.get_test_id(code)
        for sql in (
            # Three ranges that do not count: one of words, one that has ended, one in another unit.
            "INSERT INTO reference_ranges (test_id, gender, age_from_days, age_to_days, words)"
            " VALUES (%s, 'MALE', 0, 1, 'None')",
            "INSERT INTO reference_ranges (test_id, gender, age_from_days, age_to_days, low, unit,"
            " active) VALUES (%s, 'MALE', 1, 2, 3, 'mmol/L', false)",
            "INSERT INTO reference_ranges (test_id, gender, age_from_days, age_to_days, low, unit)"
            " VALUES (%s, 'MALE', 2, 3, 3, 'mg/dL')",
            "INSERT INTO reference_ranges (test_id, gender, age_from_days, age_to_days, low, unit)"
            " VALUES (%s, 'MALE', 3, 4, 3, 'mmol/L')",
            "INSERT INTO reflex_rules (code, test_id, added_test_id, condition, low, unit, source,"
            f" is_active) SELECT 'RULE{code}', x.id, g.id, 'above', 3, 'mmol/L', 'SOP', true"
            " FROM lab_tests x, lab_tests g WHERE x.id = %s AND g.code = 'GLU'",
            "INSERT INTO toxicology_tests (test_id, method, cut_off, unit)"
            " VALUES (%s, 'screen', 50, 'mmol/L')",
            "INSERT INTO autoverification_rules (test_id, low, high, unit, is_on, changed_at,"
            " version) VALUES (%s, 3, 5, 'mmol/L', true, now(), 1)",
        ):
            world.run_sql(sql, (test_id,))
        assert await count_unit_limits(desk, code) == {
            "Reference Ranges": 2,
            "Reflex Rules": 1,
            "Cutoffs": 1,
            "Bounds": 1,
            "Autoverification Rules": 1,
        }
        await analyte.change_unit(possibleHigh="500")
        assert await count_unit_limits(desk, code) == {"Reference Ranges": 1, "Bounds": 1}

    async def test_other_kinds_have_none(self, desk: Desk, samples: Samples) -> None:
        analyte = await add_analyte(desk, samples)
        row = await find_row(desk, "reference-ranges", f"parent={analyte.code}")
        assert row["unitLimits"] == []


class TestRanges:
    """A range judges values in its own unit only."""

    async def test_judges_nothing_after_the_test_got_another_unit(
        self, desk: Desk, samples: Samples
    ) -> None:
        analyte = await add_analyte(desk, samples)
        bench = await receive_order(desk.world, analyte.code)
        await bench.enter(**{analyte.code: "4.0"})
        await analyte.change_unit()
        order = await receive_another_order(bench, analyte.code)
        await order.enter(**{analyte.code: "16"})
        row = await order.get_row(analyte.code)
        # As mmol/L, 16 would be a critical result.
        assert (row["flag"], row["referenceRange"], row["criticalHigh"]) == (None, None, None)
        assert row["unitNotice"] == messages.RESULT_RANGE_IN_OTHER_UNIT.format(
            unit="mmol/L", test_unit="mg/dL"
        )
        await order.release()
        [result] = (await order.read_results(order.nurse)).values()
        assert (result["unit"], result["flag"], result["hasNoRange"]) == ("mg/dL", None, True)
        pending = await receive_another_order(bench, analyte.code)
        [result] = (await pending.read_results(pending.nurse)).values()
        assert (result["unit"], result["referenceRange"]) == ("mg/dL", None)

    async def test_judges_again_once_its_limits_have_the_new_unit(
        self, desk: Desk, samples: Samples
    ) -> None:
        analyte = await add_analyte(desk, samples)
        bench = await receive_order(desk.world, analyte.code)
        await analyte.change_unit()
        rejected_change = await analyte.change_range(**OTHER_LIMITS)
        assert rejected_change["errors"] == [{"field": "unit", "message": analyte.needs_unit}]
        assert await analyte.find_flag(bench, "16") is None
        await analyte.change_range(**OTHER_LIMITS, unit="mg/dL")
        assert await analyte.find_flag(bench, "16") == "N"
        assert await analyte.find_flag(bench, "25") == "HH"

    async def test_a_general_range_does_not_replace_a_more_specific_one(
        self, desk: Desk, samples: Samples
    ) -> None:
        analyte = await add_analyte(desk, samples)
        await analyte.change_unit()
        # The range of all people stays in mmol/L; that of the patient's sex is in mg/dL.
        values = {**AGES, **OTHER_LIMITS, "test": analyte.code}
        await desk.create("reference-ranges", **values, gender="Female")
        bench = await receive_order(desk.world, analyte.code)
        desk.world.run_sql(
            "UPDATE orders SET patient_gender = 'FEMALE' WHERE id = %s", (bench.order_id,)
        )
        await bench.enter(**{analyte.code: "16"})
        assert (await bench.get_row(analyte.code))["flag"] == "N"
        desk.world.run_sql(
            "UPDATE orders SET patient_gender = 'MALE' WHERE id = %s", (bench.order_id,)
        )
        await bench.enter(**{analyte.code: "17"})
        assert (await bench.get_row(analyte.code))["flag"] is None

    async def test_a_file_from_before_the_change_is_rejected(
        self, desk: Desk, samples: Samples
    ) -> None:
        analyte = await add_analyte(desk, samples)
        header = "Test,Age from (days),Age to (days),Low,High,Unit,Sex\n"
        content = f"{header}{analyte.code},0,60000,3.4,5.2,mmol/L,\n"
        assert (await desk.preview("reference-ranges", content)).json()["changed"] == 1
        await analyte.change_unit()
        plan = (await desk.preview("reference-ranges", content)).json()
        assert (plan["changed"], plan["rejected"]) == (0, 1)
        assert plan["rows"][0]["errors"] == [analyte.needs_unit]
        # A new row without a unit has that of the test.
        content = f"{header}{analyte.code},0,60000,13,19,,Female\n"
        assert (await desk.load("reference-ranges", content))["added"] == 1
        rows = (await desk.send("GET", f"/reference-ranges?parent={analyte.code}")).json()["data"]
        assert sorted((row["unit"], row["gender"]) for row in rows) == [
            ("mg/dL", "Female"),
            ("mmol/L", None),
        ]

    async def test_an_ended_range_does_not_return_in_the_earlier_unit(
        self, desk: Desk, samples: Samples
    ) -> None:
        analyte = await add_analyte(desk, samples)
        row = await find_row(desk, "reference-ranges", f"parent={analyte.code}")
        assert (await desk.change("reference-ranges", row, active=False)).status_code == 200
        await analyte.change_unit()
        answer = await analyte.change_range(active=True)
        assert answer["errors"] == [{"field": "unit", "message": analyte.needs_unit}]

    async def test_the_release_of_many_orders_stops(self, desk: Desk, samples: Samples) -> None:
        analyte = await add_analyte(desk, samples)
        bench = await receive_order(desk.world, analyte.code)
        await analyte.change_unit()
        await bench.enter(**{analyte.code: "16"})
        answer = await desk.world.http.post(
            "/api/v2/orders/release-results",
            headers=bench.lab.headers,
            json={"ids": [bench.order_id]},
        )
        assert answer.status_code == 409, answer.text
        name = f"TEST {analyte.code}"
        assert messages.RELEASE_UNIT.format(test=name) in answer.json()["detail"]


class TestBounds:
    """The bounds of a test change together with its unit."""

    async def test_a_unit_does_not_change_alone(self, desk: Desk, samples: Samples) -> None:
        bounds = {"possible_low": 0, "possible_high": 20, "plausible_high": 9}
        analyte = await add_analyte(desk, samples, **bounds)
        row = await find_row(desk, "lab-tests", f"column.code={analyte.code}")
        answer = await desk.change("lab-tests", row, unit="mg/dL", plausibleHigh="35")
        # Zero is zero in every unit.
        message = messages.BOUND_IN_OTHER_UNIT.format(label="Possible high", unit="mg/dL")
        assert answer.json()["errors"] == [{"field": "possibleHigh", "message": message}]
        content = f"Code,Unit\n{analyte.code},mg/dL\n"
        plan = (await desk.preview("lab-tests", content)).json()
        assert (plan["changed"], plan["rejected"]) == (0, 1)
        await analyte.change_unit(possibleHigh="78", plausibleHigh="35")


class TestEnteredResults:
    """A result from before the change keeps its unit."""

    async def test_a_comment_does_not_move_it_to_the_new_unit(
        self, desk: Desk, samples: Samples
    ) -> None:
        analyte = await add_analyte(desk, samples, possible_low=1, possible_high=20)
        bench = await receive_order(desk.world, analyte.code)
        await bench.enter(**{analyte.code: "5.9"})
        await analyte.change_unit(possibleLow="10", possibleHigh="78")
        row = await bench.get_row(analyte.code)
        assert (row["unit"], row["resultUnit"]) == ("mg/dL", "mmol/L")
        in_other_unit = messages.RESULT_IN_OTHER_UNIT.format(unit="mmol/L", test_unit="mg/dL")
        assert row["unitNotice"].startswith(in_other_unit)
        # 5.9 is not possible in mg/dL.
        write = {"comment": "Not hemolyzed"}
        answer = await bench.enter(write=write, **{analyte.code: "5.9"})
        assert answer.status_code == 200, answer.text
        await bench.release()
        [result] = (await bench.read_results(bench.nurse)).values()
        seen = (result["result"], result["unit"], result["flag"], result["referenceRange"])
        assert seen == ("5.9", "mmol/L", "H", "3.5 - 5.1")
        # A comment on the released result keeps its unit, too.
        correction = {"comment": "Repeated", "correction": {"reason": "TRANSCRIPTION"}}
        await bench.enter(write=correction, **{analyte.code: "5.9"})
        await bench.release()
        [result] = (await bench.read_results(bench.nurse)).values()
        assert (result["comment"], result["unit"], result["flag"]) == ("Repeated", "mmol/L", "H")
        # A typed value is in the test's current unit.
        await bench.correct(**{analyte.code: "23"})
        row = await bench.get_row(analyte.code)
        assert (row["resultUnit"], row["status"]) == ("mg/dL", ResultStatus.UNRELEASED)


class TestReflexRules:
    """The limits of a reflex rule are for a unit, too."""

    async def test_adds_nothing_after_the_test_got_another_unit(
        self, desk: Desk, samples: Samples
    ) -> None:
        analyte = await add_analyte(desk, samples)
        added_code = f"ZA{samples.number}"
        desk.world.add_lab_test(added_code)
        rule = await desk.create(
            "reflex-rules",
            code=f"ZR{samples.number}",
            test=analyte.code,
            condition="Above",
            low="10",
            addedTest=added_code,
            source="Test",
            isActive=True,
        )
        assert rule["values"]["unit"] == "mmol/L"
        bench = await receive_order(desk.world, analyte.code)
        await analyte.change_unit()
        await bench.enter(**{analyte.code: "16"})
        row = await bench.get_row(analyte.code)
        notice = messages.RESULT_REFLEX_IN_OTHER_UNIT.format(
            rule=rule["values"]["code"], unit="mmol/L", test_unit="mg/dL"
        )
        assert row["unitNotice"].endswith(notice)
        await bench.release()
        assert [row["code"] for row in (await bench.read_entry())["rows"]] == [analyte.code]
        answer = await desk.change("reflex-rules", rule, low="15", unit="mg/dL")
        assert answer.status_code == 200, answer.text
        order = await receive_another_order(bench, analyte.code)
        await order.enter(**{analyte.code: "16"})
        await order.release()
        codes = [row["code"] for row in (await order.read_entry())["rows"]]
        assert codes == [analyte.code, added_code]
