"""Entering and releasing pathology reports, addenda, and revisions."""

from collections.abc import Iterable

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus, ReportKind, ResultFlag, ResultStatus
from app.contract.limits import PATHOLOGY_REPORT_MAX_LENGTH
from app.drawing.pages import ResultLine
from app.server.paperwork.service.pathology_lines import build_pathology_lines
from app.server.results.pathology.schemas import PathologyResult
from tests.server.paperwork.reading import extract_text
from tests.server.results.pathology.bench import BIOPSY, SIGNER, Bench
from tests.server.world import World


@pytest.fixture
async def bench(world: World) -> Bench:
    """A received order for a biopsy and glucose."""
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    requisition = await world.save_requisition(nurse, world.create_patient(client), "SURG", "GLU")
    answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    return Bench(world, lab, nurse, answer.json()[0]["orderId"])


class TestEntering:
    """PUT pathology-entry."""

    async def test_stores_sanitized_text_and_who_signs_out(self, bench: Bench) -> None:
        await bench.enter(f"{BIOPSY}<script>alert(1)</script>", signedOutBy="Dana Hall, MD")
        draft = (await bench.read_test())["draft"]
        assert (draft["comment"], draft["signedOutBy"]) == (BIOPSY, SIGNER)
        assert (draft["title"], draft["enteredBy"]) == ("Result Report", "Ada Tester")

    async def test_edits_an_entered_report_in_place(self, bench: Bench) -> None:
        await bench.enter()
        await bench.enter("<p>Atypical.</p>", flag="A")
        draft = (await bench.read_test())["draft"]
        assert (draft["comment"], draft["flag"]) == ("<p>Atypical.</p>", "A")
        assert bench.world.fetch_rows(
            "SELECT revision FROM pathology_reports WHERE order_id = %s", (bench.order_id,)
        ) == [(1,)]

    async def test_shows_clients_nothing_before_the_release(self, bench: Bench) -> None:
        await bench.enter()
        result = await bench.read_result(bench.nurse)
        assert (result["results"], result["label"]) == ([], "PENDING")
        [report] = (await bench.read_result(bench.lab))["results"]
        assert (report["status"], report["title"]) == (ReportKind.NORMAL, "Result Report")

    async def test_withdraws_an_entered_report_without_text(self, bench: Bench) -> None:
        await bench.enter()
        answer = await bench.enter(" ")
        [test] = answer.json()["tests"]
        assert (test["draft"], test["status"]) == (None, ResultStatus.PENDING)
        assert (await bench.read_order())["status"] == OrderStatus.PENDING
        await bench.publish("<p>Another text.</p>")
        [report] = (await bench.read_result(bench.nurse))["results"]
        assert report["comment"] == "<p>Another text.</p>"

    async def test_does_not_change_the_order_for_the_same_report(self, bench: Bench) -> None:
        first = (await bench.enter()).json()["version"]
        assert (await bench.enter()).json()["version"] == first

    async def test_rejects_a_stale_version(self, bench: Bench) -> None:
        version = (await bench.read_entry())["version"]
        first = await bench.enter(version=version)
        second = await bench.enter("<p>Other.</p>", version=version)
        assert (first.status_code, second.status_code) == (200, 412)

    async def test_needs_a_released_report_for_an_addendum(
        self, bench: Bench, parse_problem
    ) -> None:
        answer = await bench.enter(kind=ReportKind.ADDENDUM)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {
                "field": "kind",
                "message": messages.PATHOLOGY_KIND_FIRST.format(test="SURGICAL PATHOLOGY"),
            }
        ]

    async def test_a_released_report_cannot_be_entered_again(
        self, bench: Bench, parse_problem
    ) -> None:
        await bench.publish()
        answer = await bench.enter("<p>Overwritten.</p>")
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["message"] == messages.PATHOLOGY_KIND.format(
            test="SURGICAL PATHOLOGY"
        )

    async def test_rejects_a_text_that_is_too_long(self, bench: Bench) -> None:
        answer = await bench.enter("<p>" + "a" * PATHOLOGY_REPORT_MAX_LENGTH + "</p>")
        assert answer.status_code == 400

    @pytest.mark.parametrize("flag", ["HH", "S", "POS"])
    async def test_rejects_a_flag_that_judges_no_report(
        self, bench: Bench, parse_problem, flag: str
    ) -> None:
        answer = await bench.enter(flag=flag)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {"field": "flag", "message": messages.VALUE_INVALID}
        ]
        assert (await bench.read_test())["draft"] is None

    async def test_rejects_a_report_of_a_canceled_test(self, bench: Bench) -> None:
        bench.world.run_sql(
            "UPDATE order_tests SET status = %s WHERE order_id = %s AND kind = 'pathology'"
            " RETURNING 1",
            (ResultStatus.CANCELED, bench.order_id),
        )
        answer = await bench.enter()
        assert answer.status_code == 400

    async def test_rejects_tests_of_other_kinds(self, bench: Bench) -> None:
        test_id = bench.world.run_sql(
            "SELECT id FROM order_tests WHERE order_id = %s AND kind = 'clinical'",
            (bench.order_id,),
        )
        answer = await bench.world.http.put(
            f"{bench.path}/pathology-entry/{test_id}",
            headers=bench.lab.headers,
            json={"comment": BIOPSY},
        )
        assert answer.status_code == 404

    async def test_audits_reading_and_writing(self, bench: Bench) -> None:
        await bench.enter()
        await bench.release()
        await bench.enter(None)
        assert bench.world.fetch_rows(
            "SELECT action, record_ids FROM audit_events WHERE kind = 'order-results'"
            " AND user_id = %s AND action <> 'read' ORDER BY id",
            (bench.lab.user_id,),
        ) == [("enter", [bench.order_id]), ("release", [bench.order_id])]


class TestReleasing:
    """POST pathology-release."""

    async def test_shows_the_report_with_signer_and_releaser(self, bench: Bench) -> None:
        await bench.publish()
        result = await bench.read_result(bench.nurse)
        [report] = result["results"]
        assert (report["title"], report["status"]) == ("Result Report", ReportKind.NORMAL_RELEASE)
        assert (report["comment"], report["signedOutBy"]) == (BIOPSY, SIGNER)
        assert report["releasedBy"] == "Ada Tester"
        assert report["releasedAt"]
        order = await bench.read_order()
        assert (order["status"], order["reported"]) == (
            OrderStatus.PARTIAL,
            report["releasedAt"],
        )

    async def test_patients_and_physicians_read_released_reports(self, bench: Bench) -> None:
        await bench.publish()
        patient_id = (await bench.read_order())["patient"]["id"]
        patient = await bench.world.create_person("Patient", patient_ids=[patient_id])
        [report] = (await bench.read_result(patient))["results"]
        assert report["comment"] == BIOPSY

    async def test_patients_read_who_signed_out_and_not_who_released(self, bench: Bench) -> None:
        await bench.publish()
        patient_id = (await bench.read_order())["patient"]["id"]
        patient = await bench.world.create_person("Patient", patient_ids=[patient_id])
        [patient_report] = (await bench.read_result(patient))["results"]
        [nurse_report] = (await bench.read_result(bench.nurse))["results"]
        assert (nurse_report["releasedBy"], patient_report["releasedBy"]) == ("Ada Tester", None)
        assert patient_report["signedOutBy"] == nurse_report["signedOutBy"] is not None
        assert {**patient_report, "releasedBy": "Ada Tester"} == nurse_report

    async def test_addenda_and_revisions_leave_earlier_reports_legible(self, bench: Bench) -> None:
        await bench.publish()
        await bench.publish("<p>Stains agree.</p>", kind=ReportKind.ADDENDUM)
        await bench.publish(
            "<p>Dysplastic nevus.</p>",
            kind=ReportKind.REVISED,
            reasonCode="IDENTIFICATION",
            explanation="Slides were reviewed",
        )
        await bench.publish("<p>Margins are clear.</p>", kind=ReportKind.ADDENDUM)
        reports = (await bench.read_result(bench.nurse))["results"]
        assert [(r["title"], r["comment"], r["replacedBy"]) for r in reports] == [
            ("Result Report", BIOPSY, "Revision 1"),
            ("Addendum 1", "<p>Stains agree.</p>", None),
            ("Revision 1", "<p>Dysplastic nevus.</p>", None),
            ("Addendum 2", "<p>Margins are clear.</p>", None),
        ]
        assert reports[2]["explanation"] == "Slides were reviewed"

    async def test_a_new_report_has_another_title_than_a_withdrawn_one(self, bench: Bench) -> None:
        reason = {"kind": ReportKind.REVISED, "reasonCode": "IDENTIFICATION"}
        await bench.publish()
        await bench.publish("<p>Dysplastic nevus.</p>", **reason)
        test_id = (await bench.read_test())["orderTestId"]
        body = {"orderTestIds": [test_id], "kind": "withdrawn", "reason": "IDENTIFICATION"}
        answer = await bench.world.http.post(
            f"{bench.path}/pathology-withhold", headers=bench.lab.headers, json=body
        )
        assert answer.status_code == 200, answer.text
        await bench.publish("<p>Melanoma.</p>", **reason)
        [report] = (await bench.read_result(bench.nurse))["results"]
        assert (report["title"], report["comment"]) == ("Revision 2", "<p>Melanoma.</p>")
        titles = [r["title"] for r in (await bench.read_result(bench.lab))["results"]]
        assert titles == ["Result Report", "Revision 1", "Revision 2"]

    async def test_an_addendum_does_not_reopen_a_final_order(self, bench: Bench) -> None:
        await bench.publish()
        bench.world.run_sql(
            "UPDATE order_tests SET status = %s WHERE order_id = %s AND kind = 'clinical'"
            " RETURNING 1",
            (ResultStatus.FINAL, bench.order_id),
        )
        await bench.enter("<p>Stains agree.</p>", kind=ReportKind.ADDENDUM)
        assert (await bench.read_order())["status"] == OrderStatus.FINAL
        await bench.release()
        assert (await bench.read_order())["status"] == OrderStatus.FINAL

    @pytest.mark.parametrize(
        ("values", "message"),
        [
            ({"signedOutBy": None}, messages.PATHOLOGY_SIGNER_REQUIRED),
            (
                {"comment": "<h3>Diagnosis</h3><h3>Gross</h3><p>One fragment.</p>"},
                messages.PATHOLOGY_SECTION_EMPTY,
            ),
        ],
    )
    async def test_rejects_an_incomplete_report(
        self, bench: Bench, parse_problem, values: dict, message: str
    ) -> None:
        await bench.enter(**values)
        answer = await bench.release()
        assert answer.status_code == 400
        assert [error["message"] for error in parse_problem(answer)["errors"]] == [
            message.format(test="SURGICAL PATHOLOGY", section="Diagnosis")
        ]
        assert (await bench.read_result(bench.nurse))["results"] == []

    async def test_a_revision_needs_a_reason(self, bench: Bench) -> None:
        await bench.publish()
        for reason in ({"explanation": "Typing error"}, {"reasonCode": "OTHER"}):
            await bench.enter("<p>Changed.</p>", kind=ReportKind.REVISED, **reason)
            assert (await bench.release()).status_code == 400
        reason = {"reasonCode": "OTHER", "explanation": "Typing error"}
        await bench.enter("<p>Changed.</p>", kind=ReportKind.REVISED, **reason)
        assert (await bench.release()).status_code == 200

    async def test_rejects_a_release_without_an_entered_report(self, bench: Bench) -> None:
        assert (await bench.release()).status_code == 400
        await bench.publish()
        assert (await bench.release()).status_code == 400

    async def test_rejects_the_tests_of_another_order(self, bench: Bench) -> None:
        await bench.enter()
        foreign_id = (await bench.read_test())["orderTestId"] + 1_000_000
        assert (await bench.release(orderTestIds=[foreign_id])).status_code == 404
        assert (await bench.read_result(bench.nurse))["results"] == []

    async def test_releases_a_repeated_test_once(self, bench: Bench) -> None:
        await bench.enter()
        test_id = (await bench.read_test())["orderTestId"]
        assert (await bench.release(orderTestIds=[test_id, test_id])).status_code == 200
        detail = bench.world.run_sql(
            "SELECT detail FROM audit_events WHERE kind = 'order-results' AND action = 'release'"
            " AND record_ids = ARRAY[%s::bigint]",
            (bench.order_id,),
        )
        assert detail == {"tests": 1}

    async def test_a_critical_report_alerts_until_a_revision_says_otherwise(
        self, bench: Bench
    ) -> None:
        await bench.publish(flag="AA")
        assert (await bench.read_order())["alert"] == "CRITICAL"
        await bench.publish(kind=ReportKind.REVISED, reasonCode="SPECIMEN", flag="N")
        assert (await bench.read_order())["hasAlert"] is False


class TestScope:
    """Who may enter, release, and read."""

    async def test_clients_without_the_flag_may_not_enter(self, bench: Bench) -> None:
        test_id = (await bench.read_test())["orderTestId"]
        answer = await bench.world.http.put(
            f"{bench.path}/pathology-entry/{test_id}",
            headers=bench.nurse.headers,
            json={"comment": BIOPSY},
        )
        assert answer.status_code == 403

    async def test_enabled_clients_enter_and_the_lab_releases(self, bench: Bench) -> None:
        test_id = (await bench.read_test())["orderTestId"]
        with bench.world.allow_result_entry("Enabled", "ClientBasic"):
            answer = await bench.world.http.put(
                f"{bench.path}/pathology-entry/{test_id}",
                headers=bench.nurse.headers,
                json={"comment": BIOPSY, "signedOutBy": SIGNER},
            )
        assert answer.status_code == 200
        assert (await bench.read_result(bench.nurse))["results"] == []
        release_answer = await bench.release()
        assert release_answer.status_code == 200
        assert len((await bench.read_result(bench.nurse))["results"]) == 1

    @pytest.mark.parametrize("act", ["pathology-results", "pathology-entry"])
    async def test_other_clients_see_no_order(self, bench: Bench, act: str) -> None:
        stranger = await bench.world.create_person(
            "Client Basic", client_ids=[bench.world.create_client()]
        )
        with bench.world.allow_result_entry("Enabled", "ClientBasic"):
            answer = await bench.world.http.get(f"{bench.path}/{act}", headers=stranger.headers)
        assert answer.status_code == 404


class TestPrinting:
    """The reports on the result report of the order."""

    async def print_report(self, bench: Bench) -> str:
        """Return the text of the result report, as the nurse prints it."""
        answer = await bench.world.http.get(
            "/api/v2/reports/order/results",
            headers=bench.nurse.headers,
            params={"ids": bench.order_id},
        )
        assert answer.status_code == 200, answer.text
        return extract_text(answer.content)

    async def test_prints_nothing_before_the_release(self, bench: Bench) -> None:
        await bench.enter()
        text = await self.print_report(bench)
        assert "Benign nevus." not in text
        assert "PENDING" in text

    async def test_prints_addenda_and_replaced_reports(self, bench: Bench) -> None:
        await bench.publish()
        await bench.publish("<p>Stains are negative.</p>", kind=ReportKind.ADDENDUM)
        await bench.publish(
            "<p>Atypical nevus.</p>",
            kind=ReportKind.REVISED,
            reasonCode="IDENTIFICATION",
            explanation="Second opinion",
        )
        text = await self.print_report(bench)
        for part in (
            "Result Report (replaced by Revision 1)",
            "Benign nevus.",
            "Addendum 1",
            "Stains are negative.",
            "Revision 1",
            "Atypical nevus.",
            "Reason: Changed identification, Second opinion",
            f"Signed out by {SIGNER}; released",
        ):
            assert part in text
        assert text.index("Benign nevus.") < text.index("Addendum 1") < text.index("Atypical")

    async def test_marks_a_critical_report_until_it_is_replaced(self, bench: Bench) -> None:
        def list_flags(lines: Iterable[ResultLine]) -> list[ResultFlag | None]:
            return [line.flag for line in lines if line.level == 1]

        await bench.publish("<p>Melanoma.</p>", flag="AA")
        result = PathologyResult.model_validate(await bench.read_result(bench.nurse))
        assert list_flags(build_pathology_lines([result])) == [ResultFlag.CRITICAL_ABNORMAL]
        await bench.publish(
            "<p>Benign nevus.</p>", kind=ReportKind.REVISED, reasonCode="IDENTIFICATION"
        )
        result = PathologyResult.model_validate(await bench.read_result(bench.nurse))
        assert ResultFlag.CRITICAL_ABNORMAL not in list_flags(build_pathology_lines([result]))
