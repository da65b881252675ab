"""The rows of exported results: each family, and what is never exported."""

import pytest

from app.contract.enumerations import OrderStatus, ReportKind
from tests.server.exports.desk import PATH, Desk
from tests.server.results.clinical.bench import (
    receive_another_order,
    receive_order,
)
from tests.server.results.microbiology.bench import build_organism, receive_cultures
from tests.server.results.pathology.bench import BIOPSY, SIGNER
from tests.server.results.pathology.bench import Bench as PathologyBench
from tests.server.results.toxicology.bench import NOTHING_DETECTED
from tests.server.results.toxicology.bench import receive_order as receive_toxicology_order
from tests.server.world import World


@pytest.fixture
def desk(world: World) -> Desk:
    """A desk that requests exports of results as any person."""
    return Desk(world)


def get_client_id(desk: Desk, order_id: int) -> int:
    """Return the client of an order."""
    return desk.world.run_sql("SELECT client_id FROM orders WHERE id = %s", (order_id,))


def add_numeric_test(world: World, code: str = "XEXP") -> None:
    """Add a test with a range and a LOINC code to the catalog."""
    world.add_lab_test(code, unit="mmol/L", decimals=1, method="ISE", loinc="2823-3")
    world.fetch_rows(
        "INSERT INTO reference_ranges (test_id, age_from_days, age_to_days, low, high,"
        " critical_low, critical_high, unit)"
        " SELECT id, 0, 60000, 3.5, 5.1, 2.8, 6.2, unit FROM lab_tests t"
        " WHERE code = %s AND NOT EXISTS (SELECT 1 FROM reference_ranges r"
        " WHERE r.test_id = t.id) RETURNING id",
        (code,),
    )


class TestClinical:
    """Clinical results."""

    async def test_has_the_order_the_patient_and_the_result(self, desk: Desk) -> None:
        add_numeric_test(desk.world)
        bench = await receive_order(desk.world, "XEXP")
        await bench.enter(XEXP="6.5", write={"comment": "HEMOLYZED"})
        await bench.release()
        order = await bench.read_order()
        [row] = await desk.export(bench.nurse)
        expected = {
            "Order": order["codeValue"],
            "Requisition": order["requisitionCode"],
            "Order Status": "FINAL",
            "Client": order["patientClient"]["name"],
            "Patient ID": order["patient"]["code"],
            "Last Name": order["patient"]["lastName"],
            "First Name": "PAT",
            "Birth Date": "1970-01-02",
            "Gender": "FEMALE",
            "Collected": "2026-03-04",
            "Section": "Clinical",
            "Test Code": "XEXP",
            "Test": "TEST XEXP",
            "LOINC": "2823-3",
            "Result": "6.5",
            "Number": "6.5",
            "Flag": "HH",
            "Unit": "mmol/L",
            "UCUM": "mmol/L",
            "Reference Range": "3.5 - 5.1",
            "Result Status": "FINAL",
            "Comment": "HEMOLYZED",
            "Method": "ISE",
        }
        assert {name: row.get(name) for name in expected} == expected
        assert "Corrected" not in row

    async def test_keeps_signed_values_as_text(self, desk: Desk) -> None:
        add_numeric_test(desk.world)
        bench = await receive_order(desk.world, "XEXP")
        await bench.enter(XEXP="<2.8")
        await bench.release()
        [row] = await desk.export(bench.nurse)
        assert (row["Result"], row["Number"], row["Sign"]) == ("<2.8", "2.8", "<")

    async def test_shows_the_correction_with_the_earlier_value(self, desk: Desk) -> None:
        add_numeric_test(desk.world)
        bench = await receive_order(desk.world, "XEXP")
        await bench.enter(XEXP="4.0")
        await bench.release()
        await bench.correct(XEXP="4.4")
        [before] = await desk.export(bench.nurse)
        assert (before["Result"], before["Result Status"]) == ("4.0", "FINAL")
        await bench.release()
        [row] = await desk.export(bench.nurse)
        assert (row["Result"], row["Earlier Result"]) == ("4.4", "4.0")
        assert (row["Result Status"], row["Corrected"]) == ("CORRECTED", "Yes")

    async def test_shows_the_unit_of_an_earlier_value_in_another_unit(self, desk: Desk) -> None:
        desk.world.add_lab_test("XUNIT", unit="mg/dL")
        bench = await receive_order(desk.world, "XUNIT")
        await bench.enter(XUNIT="90")
        await bench.release()
        desk.world.run_sql("UPDATE lab_tests SET unit = 'mmol/L' WHERE code = 'XUNIT'")
        await bench.correct(XUNIT="5")
        await bench.release()
        [row] = await desk.export(bench.nurse)
        assert (row["Result"], row["Unit"], row["Earlier Result"]) == ("5", "mmol/L", "90 mg/dL")

    @pytest.mark.parametrize("kind", ["review", "withdrawn"])
    async def test_leaves_out_withheld_results_even_for_the_lab(
        self, desk: Desk, kind: str
    ) -> None:
        add_numeric_test(desk.world)
        bench = await receive_order(desk.world, "XEXP", "COVID")
        await bench.enter(XEXP="4.0", COVID="NOT DETECTED")
        await bench.release()
        await bench.post("withhold", "XEXP", kind=kind, reason="REPEAT")
        client = get_client_id(desk, bench.order_id)
        for person in (bench.nurse, bench.lab):
            rows = await desk.export(person, clientIds=[client])
            assert [row["Test Code"] for row in rows] == ["COVID"]

    async def test_leaves_out_unreleased_results(self, desk: Desk) -> None:
        add_numeric_test(desk.world)
        bench = await receive_order(desk.world, "XEXP")
        await bench.enter(XEXP="4.0")
        client = get_client_id(desk, bench.order_id)
        for person in (bench.nurse, bench.lab):
            assert await desk.export(person, clientIds=[client]) == []

    async def test_names_the_panel_of_a_result(self, desk: Desk) -> None:
        add_numeric_test(desk.world)
        desk.world.add_panel("XEXPP", "XEXP")
        bench = await receive_order(desk.world, "XEXPP")
        await bench.enter(XEXP="4.0")
        await bench.release()
        [row] = await desk.export(bench.nurse)
        assert (row["Panel"], row["Test Code"]) == ("TEST XEXPP", "XEXP")
        [panel_row] = await desk.export(bench.nurse, testIds=[desk.world.get_test_id("XEXPP")])
        assert panel_row == row


class TestMicrobiology:
    """Cultures: one row per finding, and per organism and antibiotic."""

    async def test_has_a_row_per_organism_and_antibiotic(self, desk: Desk) -> None:
        bench = await receive_cultures(desk.world, "BCUL")
        await bench.publish(
            code="BCUL",
            source="BLOOD",
            organisms=[build_organism(CRO="<=0.5", ETP="<=0.25", MEM="<=0.25", CIP="0.06")],
        )
        rows = await desk.export(bench.nurse)
        organisms = [row for row in rows if "Organism" in row]
        assert {row["Section"] for row in rows} == {"Microbiology"}
        assert {row["Organism"] for row in organisms} == {"Escherichia coli"}
        assert "Ciprofloxacin" in {row["Antibiotic"] for row in organisms}
        cipro = next(row for row in organisms if row["Antibiotic"] == "Ciprofloxacin")
        assert (cipro["MIC or Zone"], cipro["Interpretation"]) == ("0.06", "S")
        assert all("SNOMED CT" not in row for row in rows)

    async def test_has_the_snomed_code_that_the_lab_entered(self, desk: Desk) -> None:
        change = "UPDATE organisms SET snomed = %s WHERE code = 'ECOLI'"
        desk.world.run_sql(change, ("112283007",))
        try:
            bench = await receive_cultures(desk.world, "UCUL")
            await bench.publish(source="URINE_CC", organisms=[build_organism()])
            rows = await desk.export(bench.nurse)
        finally:
            desk.world.run_sql(change, (None,))
        codes = {row["SNOMED CT"] for row in rows if "Organism" in row}
        assert codes == {"112283007"}

    async def test_leaves_out_suppressed_antibiotics_even_for_the_lab(self, desk: Desk) -> None:
        bench = await receive_cultures(desk.world, "BCUL")
        await bench.publish(
            code="BCUL",
            source="BLOOD",
            organisms=[build_organism(CRO="<=0.5", ETP="<=0.25", MEM="<=0.25", CIP="0.06")],
        )
        assert "Meropenem" in str(await bench.read_entry())
        client = get_client_id(desk, bench.order_id)
        for person in (bench.nurse, bench.lab):
            rows = await desk.export(person, clientIds=[client])
            assert "Ciprofloxacin" in str(rows)
            assert "Meropenem" not in str(rows)

    async def test_marks_preliminary_results(self, desk: Desk) -> None:
        bench = await receive_cultures(desk.world, "UCUL")
        await bench.publish("preliminary", organisms=[build_organism()])
        [row] = await desk.export(bench.nurse)
        assert (row["Organism"], row["Result Status"]) == ("Escherichia coli", "PRELIMINARY")

    async def test_has_the_preliminary_comment_only_while_preliminary(self, desk: Desk) -> None:
        bench = await receive_cultures(desk.world, "UCUL")
        await bench.publish(
            "preliminary", organisms=[build_organism()], preliminaryComment="Growth at 12 hours"
        )
        assert "Growth at 12 hours" in str(await desk.export(bench.nurse))
        assert (await bench.release()).status_code == 200
        [row] = await desk.export(bench.nurse)
        assert (row["Organism"], row["Result Status"]) == ("Escherichia coli", "FINAL")
        assert "Growth at 12 hours" not in str(row)


class TestToxicology:
    """Toxicology results."""

    async def test_has_value_cut_off_and_verdict(self, desk: Desk) -> None:
        bench = await receive_toxicology_order(desk.world, "OXYCODONE")
        await bench.publish(**{**NOTHING_DETECTED, "QOXA": "250", "VCRE": "100"})
        rows = {row["Test Code"]: row for row in await desk.export(bench.nurse)}
        assert rows["QOXA"]["Result"] == "250"
        assert rows["QOXA"]["Medication Verdict"] == "Unexpected Positive"
        assert {row["Section"] for row in rows.values()} == {"Toxicology"}

    async def test_flags_unexpected_drugs_and_invalid_specimens(self, desk: Desk) -> None:
        bench = await receive_toxicology_order(desk.world)
        await bench.publish(**{**NOTHING_DETECTED, "QOXA": "250", "QFEN": "9"}, VCRE="3")
        rows = await desk.export(bench.nurse)
        flags = {row["Test Code"]: row["Flag"] for row in rows if "Flag" in row}
        assert flags == {"QOXA": "A", "QFEN": "AA", "VCRE": "A"}

    async def test_says_that_a_screen_is_presumptive(self, desk: Desk) -> None:
        bench = await receive_toxicology_order(desk.world)
        await bench.publish(UBENZ="POSITIVE", QOXA="150", VCRE="100")
        desk.world.run_sql(
            "UPDATE toxicology_results SET method = NULL WHERE order_id = %s", (bench.order_id,)
        )
        methods = {row["Test Code"]: row["Method"] for row in await desk.export(bench.nurse)}
        assert methods == {
            "UBENZ": "Screen (presumptive)",
            "QOXA": "Confirmation",
            "VCRE": "Specimen validity",
        }


class TestPathology:
    """Pathology reports: one row per report and addendum."""

    async def test_has_the_report_in_force_and_its_addenda_as_text(self, desk: Desk) -> None:
        world = desk.world
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        lab = await world.create_person("Laboratory")
        requisition = await world.save_requisition(nurse, world.create_patient(client), "SURG")
        answer = await world.http.post(
            "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
        )
        bench = PathologyBench(world, lab, nurse, answer.json()[0]["orderId"])
        await bench.publish(BIOPSY)
        await bench.publish("<p>Stains confirm.</p>", kind=ReportKind.ADDENDUM)
        rows = await desk.export(nurse)
        assert [row["Report"] for row in rows] == ["Result Report", "Addendum 1"]
        assert rows[0]["Result"] == "Diagnosis\nBenign nevus."
        assert rows[0]["Signed Out By"] == SIGNER


class TestFilters:
    """Days, clients, tests, and the status of orders."""

    async def test_days_are_collection_dates_and_inclusive(self, desk: Desk) -> None:
        add_numeric_test(desk.world)
        bench = await receive_order(desk.world, "XEXP")
        await bench.enter(XEXP="4.0")
        await bench.release()
        for (first_day, last_day), count in (
            (("2026-03-04", "2026-03-04"), 1),
            (("2026-03-05", "2026-03-31"), 0),
            (("2026-02-01", "2026-03-03"), 0),
        ):
            rows = await desk.export(bench.nurse, startDate=first_day, endDate=last_day)
            assert len(rows) == count, first_day

    async def test_filters_by_test_and_by_status(self, desk: Desk) -> None:
        add_numeric_test(desk.world)
        bench = await receive_order(desk.world, "XEXP", "COVID")
        await bench.enter(XEXP="4.0", COVID="NOT DETECTED")
        await bench.release()
        test = desk.world.get_test_id("COVID")
        assert [r["Test Code"] for r in await desk.export(bench.nurse, testIds=[test])] == ["COVID"]
        assert len(await desk.export(bench.nurse, status=OrderStatus.FINAL)) == 2
        assert await desk.export(bench.nurse, status=OrderStatus.PENDING) == []

    async def test_a_client_filter_never_widens_the_scope(self, desk: Desk) -> None:
        add_numeric_test(desk.world)
        bench = await receive_order(desk.world, "XEXP")
        other_bench = await receive_order(desk.world, "XEXP")
        for order_bench in (bench, other_bench):
            await order_bench.enter(XEXP="4.0")
            await order_bench.release()
        clients = [
            get_client_id(desk, order_bench.order_id) for order_bench in (bench, other_bench)
        ]
        own_rows = await desk.export(bench.nurse)
        assert len(own_rows) == 1
        assert await desk.export(bench.nurse, clientIds=clients) == own_rows
        assert await desk.export(bench.nurse, clientIds=[clients[1]]) == []
        assert len(await desk.export(bench.lab, clientIds=clients)) == 2

    async def test_is_audited_with_the_orders_that_were_exported(self, desk: Desk) -> None:
        add_numeric_test(desk.world)
        bench = await receive_order(desk.world, "XEXP")
        await bench.enter(XEXP="4.0")
        await bench.release()
        another = await receive_another_order(bench, "XEXP")
        await another.enter(XEXP="4.1")
        await another.release()
        await desk.export(bench.nurse)
        assert desk.list_audited_ids("export", bench.nurse) == [[bench.order_id, another.order_id]]
        assert len(desk.list_audited_ids("finish-export", bench.nurse)) == 1


class TestPreview:
    """GET preview."""

    async def test_counts_and_shows_the_first_rows(self, desk: Desk) -> None:
        add_numeric_test(desk.world)
        bench = await receive_order(desk.world, "XEXP", "COVID")
        await bench.enter(XEXP="4.0", COVID="NOT DETECTED")
        await bench.release()
        answer = await desk.world.http.get(
            f"{PATH}/preview",
            params={"startDate": "2026-03-04", "endDate": "2026-03-04"},
            headers=bench.nurse.headers,
        )
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert (body["orders"], body["rows"], body["isCapped"]) == (1, 2, False)
        names = [column["name"] for column in body["columns"]]
        assert names[:9] == [
            *("order", "patientId", "lastName", "firstName"),
            *("test", "result", "flag", "unit", "referenceRange"),
        ]
        assert [row[names.index("result")] for row in body["data"]] == ["4.0", "NOT DETECTED"]
        assert [row[names.index("testCode")] for row in body["data"]] == ["XEXP", "COVID"]
        assert desk.list_audited_ids("read", bench.nurse)[-1] == [bench.order_id]
