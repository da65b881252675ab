"""Notices of critical results: opening, calls, closing, and who sees them."""

from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import CriticalStatus, Role
from tests.server.accounts.builders import Person
from tests.server.critical_results.steps import PATH, SUCCESSFUL_CALL, list_notices, post_act
from tests.server.results.clinical.bench import Bench, receive_order


@pytest.fixture
async def bench(world) -> Bench:
    """A received order with two tests."""
    return await receive_order(world, "GLU", "K")


async def read_notice(bench: Bench, person: Person | None = None) -> dict[str, Any]:
    """Read the newest notice of the bench's order."""
    [row, *_] = await list_notices(bench)
    answer = await bench.world.http.get(
        f"{PATH}/{row['id']}", headers=(person or bench.lab).headers
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def release_critical(bench: Bench) -> None:
    """Release a critical potassium and a normal glucose."""
    await bench.enter(K="7.2", GLU="90")
    await bench.release()


class TestOpening:
    """A release of a critical result opens a notice."""

    async def test_opens_with_the_release_and_names_the_result(self, bench: Bench) -> None:
        await bench.enter(K="7.2", GLU="90")
        assert await list_notices(bench) == []
        await bench.release("GLU")
        assert await list_notices(bench) == []
        await bench.release("K")
        [row] = await list_notices(bench)
        assert row["status"] == CriticalStatus.OPEN
        assert row["isOverdue"] is False
        assert [(r["name"], r["flag"]) for r in row["results"]] == [("POTASSIUM", "HH")]
        assert row["results"][0]["result"].startswith("7.2")

    async def test_a_second_critical_joins_the_open_notice_and_restarts_it(
        self, bench: Bench
    ) -> None:
        await bench.enter(K="7.2", GLU="15")
        await bench.release("K")
        assert (await post_act(bench, "calls", SUCCESSFUL_CALL)).json()["toldAt"] is not None
        await bench.release("GLU")
        notice = await read_notice(bench)
        assert [item["name"] for item in notice["items"]] == ["POTASSIUM", "GLUCOSE"]
        assert (notice["toldAt"], len(await list_notices(bench))) == (None, 1)

    async def test_a_comment_on_a_reported_result_does_not_open_a_second_notice(
        self, bench: Bench
    ) -> None:
        await release_critical(bench)
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        await post_act(bench, "close", {})
        await bench.enter(
            write={"comment": "CHECKED", "correction": {"reason": "TRANSCRIPTION"}}, K="7.2"
        )
        assert (await bench.release()).status_code == 200
        assert len(await list_notices(bench)) == 1

    async def test_a_corrected_critical_opens_another_notice(self, bench: Bench) -> None:
        await release_critical(bench)
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        await post_act(bench, "close", {})
        await bench.correct(K="7.9")
        await bench.release()
        newest, first = await list_notices(bench)
        assert newest["results"][0]["result"].startswith("7.9")
        assert (newest["status"], first["status"]) == (CriticalStatus.OPEN, CriticalStatus.CLOSED)

    async def test_two_concurrent_releases_open_one_notice(self, bench: Bench) -> None:
        await bench.enter(K="7.2", GLU="15")
        await bench.world.commit_meanwhile(
            "SELECT 1 FROM orders WHERE id = %s FOR UPDATE",
            (bench.order_id,),
            bench.release("K"),
        )
        await bench.release("GLU")
        [row] = await list_notices(bench)
        assert len(row["results"]) == 2


class TestCorrecting:
    """A correction of a critical result appears in the notice, and reaches earlier recipients."""

    async def test_shows_a_correction_to_a_normal_value(self, bench: Bench) -> None:
        await release_critical(bench)
        await bench.correct(K="4.1")
        assert not (await list_notices(bench))[0]["results"][0]["isReplaced"]
        assert (await bench.release()).status_code == 200
        [row] = await list_notices(bench)
        [item] = row["results"]
        assert (item["result"][:3], item["isReplaced"]) == ("7.2", True)
        assert item["replacedBy"].startswith("4.1")
        assert (row["status"], row["toldAt"]) == (CriticalStatus.OPEN, None)

    @pytest.mark.parametrize("is_closed", [False, True])
    async def test_asks_to_report_the_correction_of_a_reported_result(
        self, bench: Bench, is_closed: bool
    ) -> None:
        await release_critical(bench)
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        if is_closed:
            await post_act(bench, "close", {})
        await bench.correct(K="4.1")
        await bench.release()
        [row, *earlier_rows] = await list_notices(bench)
        assert (row["status"], row["toldAt"]) == (CriticalStatus.OPEN, None)
        correction = row["results"][-1]
        assert (correction["name"], correction["result"][:3]) == ("POTASSIUM", "4.1")
        assert (correction["corrects"][:3], correction["isReplaced"]) == ("7.2", False)
        earlier_result = (earlier_rows[0] if is_closed else row)["results"][0]
        assert (earlier_result["result"][:3], earlier_result["isReplaced"]) == ("7.2", True)

    async def test_a_second_correction_replaces_the_first(self, bench: Bench) -> None:
        await release_critical(bench)
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        for value in ("4.1", "4.3"):
            await bench.correct(K=value)
            await bench.release()
        [row] = await list_notices(bench)
        states = [(r["result"][:3], r["isReplaced"]) for r in row["results"]]
        assert states == [("7.2", True), ("4.1", True), ("4.3", False)]

    async def test_a_release_of_another_test_changes_nothing(self, bench: Bench) -> None:
        await bench.enter(K="7.2", GLU="90")
        await bench.release("K")
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        await bench.release("GLU")
        [row] = await list_notices(bench)
        assert [r["isReplaced"] for r in row["results"]] == [False]
        assert row["toldAt"] is not None

    async def test_says_that_a_result_is_under_review_until_it_is_shown_again(
        self, bench: Bench
    ) -> None:
        await release_critical(bench)
        await bench.post("withhold", "K", kind="review", reason="REPEAT")
        [item] = (await list_notices(bench))[0]["results"]
        assert (item["isReplaced"], item["replacedBy"]) == (True, None)
        await bench.post("restore", "K")
        [item] = (await list_notices(bench))[0]["results"]
        assert not item["isReplaced"]

    async def test_a_result_that_nobody_knows_opens_a_notice_when_its_review_ends(
        self, bench: Bench
    ) -> None:
        await release_critical(bench)
        await bench.post("withhold", "K", kind="review", reason="REPEAT")
        await post_act(bench, "close", {"note": "Under review"})
        for count in (2, 2):
            assert (await bench.post("restore", "K")).status_code == 200
            notices = await list_notices(bench)
            assert len(notices) == count
            assert notices[0]["status"] == CriticalStatus.OPEN
            [item] = notices[0]["results"]
            assert (item["name"], item["flag"], item["isReplaced"]) == ("POTASSIUM", "HH", False)
            await bench.post("withhold", "K", kind="review", reason="REPEAT")

    async def test_a_withdrawn_result_that_is_reported_again_opens_another_notice(
        self, bench: Bench
    ) -> None:
        await release_critical(bench)
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        await post_act(bench, "close", {})
        for table in ("results", "critical_items"):
            of_order = "order_test_id IN (SELECT id FROM order_tests WHERE order_id = %s)"
            bench.world.run_sql(
                f"UPDATE {table} SET released_at = released_at - interval '1 hour'"
                f" WHERE {of_order} RETURNING 1",
                (bench.order_id,),
            )
        await bench.post("withhold", "K", kind="withdrawn", reason="SPECIMEN")
        await bench.correct(K="7.2")
        assert (await bench.release("K")).status_code == 200
        notices = await list_notices(bench)
        assert [n["status"] for n in notices] == [CriticalStatus.OPEN, CriticalStatus.CLOSED]
        assert [r["isReplaced"] for r in notices[0]["results"]] == [False]

    async def test_a_known_result_opens_no_notice_when_its_review_ends(self, bench: Bench) -> None:
        await release_critical(bench)
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        await post_act(bench, "close", {})
        await bench.post("withhold", "K", kind="review", reason="REPEAT")
        await bench.post("restore", "K")
        [notice] = await list_notices(bench)
        assert [r["isReplaced"] for r in notice["results"]] == [False]

    async def test_a_result_of_a_notice_opened_by_a_review_can_be_reported_and_corrected(
        self, bench: Bench
    ) -> None:
        await release_critical(bench)
        await bench.post("withhold", "K", kind="review", reason="REPEAT")
        await post_act(bench, "close", {"note": "Under review"})
        await bench.post("restore", "K")
        await bench.correct(GLU="91")
        await bench.release()
        [notice, _] = await list_notices(bench)
        assert [r["isReplaced"] for r in notice["results"]] == [False]
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        await bench.correct(K="4.1")
        await bench.release()
        [notice, _] = await list_notices(bench)
        states = [(r["result"][:3], r["isReplaced"]) for r in notice["results"]]
        assert states == [("7.2", True), ("4.1", False)]

    async def test_a_correction_of_an_unreported_result_is_not_reported(self, bench: Bench) -> None:
        await release_critical(bench)
        await post_act(bench, "close", {"note": "Moved to another hospital"})
        await bench.correct(K="4.1")
        await bench.release()
        [row] = await list_notices(bench)
        assert row["status"] == CriticalStatus.CLOSED
        assert [r["isReplaced"] for r in row["results"]] == [True]


class TestReporting:
    """Calls, read-back, and closing."""

    async def test_records_who_was_notified_by_whom_and_how(self, bench: Bench) -> None:
        await release_critical(bench)
        unanswered_call = {"toldName": "Front desk", "method": "phone", "note": "no answer"}
        await post_act(bench, "calls", unanswered_call)
        answer = await post_act(bench, "calls", SUCCESSFUL_CALL)
        notice = answer.json()
        assert [
            (c["toldName"], c["method"], c["isTold"], c["hasReadBack"], c["madeBy"])
            for c in notice["calls"]
        ] == [
            ("Front desk", "phone", False, False, "Ada Tester"),
            ("Ann Nurse", "phone", True, True, "Ada Tester"),
        ]
        assert notice["toldAt"] is not None
        [row] = await list_notices(bench)
        assert row["toldName"] == "Ann Nurse"

    @pytest.mark.parametrize(
        ("body", "field", "message"),
        [
            ({"method": "phone"}, "toldName", messages.CRITICAL_NAME_REQUIRED),
            ({"toldName": " \u200b "}, "toldName", messages.CRITICAL_NAME_REQUIRED),
            ({"toldName": "ANN"}, "method", messages.CRITICAL_METHOD_REQUIRED),
            (
                {"toldName": "ANN", "method": "phone", "hasReadBack": True},
                "hasReadBack",
                messages.CRITICAL_READ_BACK_WITHOUT_CALL,
            ),
        ],
    )
    async def test_rejects_incomplete_calls(
        self, bench: Bench, parse_problem, body: dict[str, Any], field: str, message: str
    ) -> None:
        await release_critical(bench)
        answer = await post_act(bench, "calls", body)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0] == {"field": field, "message": message}
        assert (await read_notice(bench))["calls"] == []

    async def test_closes_after_a_read_back_or_with_a_reason(
        self, bench: Bench, parse_problem
    ) -> None:
        await release_critical(bench)
        rejected_answer = await post_act(bench, "close", {"note": " "})
        assert rejected_answer.status_code == 400
        assert parse_problem(rejected_answer)["detail"] == messages.CRITICAL_NOTE_REQUIRED
        close_answer = await post_act(bench, "close", {"note": "patient is in the emergency room"})
        assert close_answer.json()["closedBy"] == "Ada Tester"
        assert close_answer.json()["canTell"] == {
            "allowed": False,
            "reason": messages.CRITICAL_ALREADY_CLOSED,
        }
        for act, body in (("close", {"note": "again"}), ("calls", SUCCESSFUL_CALL)):
            rejected_answer = await post_act(bench, act, body)
            assert rejected_answer.status_code == 409
            assert parse_problem(rejected_answer)["code"] == "critical_result_closed"

    async def test_a_call_without_a_read_back_leaves_the_notice_open(self, bench: Bench) -> None:
        await release_critical(bench)
        call_answer = await post_act(bench, "calls", {**SUCCESSFUL_CALL, "hasReadBack": False})
        assert call_answer.status_code == 200
        assert call_answer.json()["toldAt"] is None
        assert (await post_act(bench, "close", {"note": None})).status_code == 400

    async def test_rejects_a_call_on_a_stale_version(self, bench: Bench) -> None:
        await release_critical(bench)
        version = (await read_notice(bench))["version"]
        first = await post_act(bench, "calls", SUCCESSFUL_CALL, **{"If-Match": f'"{version}"'})
        second = await post_act(bench, "calls", SUCCESSFUL_CALL, **{"If-Match": f'"{version}"'})
        assert (first.status_code, second.status_code) == (200, 412)
        assert len((await read_notice(bench))["calls"]) == 1

    @pytest.mark.parametrize("change", ["correction", "review", "restored"])
    async def test_rejects_a_call_that_read_results_from_before_a_change(
        self, bench: Bench, change: str
    ) -> None:
        await release_critical(bench)
        if change == "restored":
            await bench.post("withhold", "K", kind="review", reason="REPEAT")
        version = (await read_notice(bench))["version"]
        if change == "correction":
            await bench.correct(K="4.1")
            await bench.release()
        elif change == "review":
            await bench.post("withhold", "K", kind="review", reason="REPEAT")
        else:
            await bench.post("restore", "K")
        answer = await post_act(bench, "calls", SUCCESSFUL_CALL, **{"If-Match": f'"{version}"'})
        assert answer.status_code == 412
        notice = await read_notice(bench)
        assert (notice["calls"], notice["toldAt"]) == ([], None)
        assert notice["version"] == version + 1

    async def test_a_release_of_another_test_keeps_the_version(self, bench: Bench) -> None:
        await bench.enter(K="7.2", GLU="90")
        await bench.release("K")
        version = (await read_notice(bench))["version"]
        await bench.release("GLU")
        assert (await read_notice(bench))["version"] == version

    async def test_a_correction_waits_for_a_call_that_is_being_recorded(self, bench: Bench) -> None:
        await release_critical(bench)
        [row] = await list_notices(bench)
        await bench.correct(K="4.1")
        answer = await bench.world.commit_meanwhile(
            "WITH told AS (UPDATE critical_notices SET told_at = now(), version = version + 1"
            " WHERE id = %s RETURNING id)"
            " INSERT INTO critical_calls (notice_id, told_name, method, is_told, has_read_back,"
            " made_by, made_by_name, made_at)"
            " SELECT id, 'ANN', 'phone', true, true, %s, 'ADA', now() FROM told",
            (row["id"], bench.lab.user_id),
            bench.release("K"),
        )
        assert answer.status_code == 200, answer.text
        [row] = await list_notices(bench)
        assert [(r["result"][:3], r["isReplaced"]) for r in row["results"]] == [
            ("7.2", True),
            ("4.1", False),
        ]
        assert row["toldAt"] is None

    async def test_a_call_sent_twice_with_one_key_is_recorded_once(self, bench: Bench) -> None:
        await release_critical(bench)
        for _ in range(2):
            await post_act(
                bench, "calls", SUCCESSFUL_CALL, **{"Idempotency-Key": f"call-{bench.order_id}"}
            )
        assert len((await read_notice(bench))["calls"]) == 1

    async def test_is_audited(self, bench: Bench) -> None:
        await release_critical(bench)
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        await post_act(bench, "close", {})
        actions = bench.world.fetch_rows(
            "SELECT DISTINCT action FROM audit_events WHERE kind = 'critical-result'"
            " AND user_id = %s",
            (bench.lab.user_id,),
        )
        assert {action for (action,) in actions} == {"read", "record call", "close"}


class TestReading:
    """Clients see the notice of a critical result, but only the lab sees in it which result."""

    async def test_the_client_sees_the_notice_without_results_and_contacts(
        self, bench: Bench
    ) -> None:
        await release_critical(bench)
        await post_act(bench, "calls", SUCCESSFUL_CALL)
        [row] = await list_notices(bench, bench.nurse)
        assert (row["results"], row["toldName"]) == ([], "Ann Nurse")
        notice = await read_notice(bench, bench.nurse)
        assert (notice["items"], notice["contacts"], notice["alerts"]) == ([], [], [])
        assert len(notice["calls"]) == 1
        assert notice["canTell"]["allowed"] is False

    async def test_other_clients_see_nothing(self, bench: Bench, nurse: Person) -> None:
        await release_critical(bench)
        [row] = await list_notices(bench)
        foreign_answer = await bench.world.http.get(f"{PATH}/{row['id']}", headers=nurse.headers)
        missing_answer = await bench.world.http.get(
            f"{PATH}/{row['id'] + 10**9}", headers=nurse.headers
        )
        assert (foreign_answer.status_code, foreign_answer.content) == (404, missing_answer.content)
        assert await list_notices(bench, nurse) == []

    async def test_a_physician_sees_the_notices_of_their_orders(self, bench: Bench) -> None:
        world = bench.world
        client = world.run_sql("SELECT client_id FROM orders WHERE id = %s", (bench.order_id,))
        physician = world.create_physician(client)
        person = await world.create_person(Role.PHYSICIAN, physician_ids=[physician])
        await release_critical(bench)
        assert await list_notices(bench, person) == []
        world.run_sql(
            "UPDATE orders SET physician_id = %s WHERE id = %s RETURNING 1",
            (physician, bench.order_id),
        )
        assert len(await list_notices(bench, person)) == 1
