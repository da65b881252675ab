"""Exports: requests, the job, downloads, and what stops them."""

import asyncio
import io
from typing import Any

import psycopg
import pytest
from openpyxl import load_workbook

from app.contract import messages
from app.contract.limits import EXPORT_RETENTION_DAYS, EXPORTS_UNFINISHED_MAX
from app.server.attachments.store import FileStore
from tests.server.accounts.builders import Person
from tests.server.exports.desk import (
    EVER,
    PATH,
    Desk,
    count_jobs,
    list_stored_files,
    parse_csv,
    read_row,
)
from tests.server.exports.meanwhile import act_meanwhile
from tests.server.results.clinical.bench import Bench, receive_another_order


class TestRequesting:
    """POST, GET, and the quota."""

    async def test_is_listed_and_deferred(self, desk: Desk, bench: Bench) -> None:
        answer = await desk.request(bench.nurse, format="xlsx")
        assert answer.status_code == 201
        body = answer.json()
        assert (body["state"], body["format"], body["rowsWritten"]) == ("queued", "xlsx", 0)
        filters = {"clientIds": [], "testIds": [], "testCodes": [], "status": 127}
        assert body["parameters"] == {**EVER, **filters}
        assert count_jobs(desk.world, body["id"]) == 1
        list_answer = await desk.world.http.get(PATH, headers=bench.nurse.headers)
        assert list_answer.json() == [body]

    async def test_repeating_a_request_exports_once(self, desk: Desk, bench: Bench) -> None:
        headers = {**bench.nurse.headers, "Idempotency-Key": f"export-{bench.order_id}"}
        first_answer = await desk.world.http.post(PATH, headers=headers, json=EVER)
        second_answer = await desk.world.http.post(PATH, headers=headers, json=EVER)
        assert first_answer.json()["id"] == second_answer.json()["id"]

    async def test_limits_the_unfinished_exports_of_a_person(
        self, desk: Desk, bench: Bench
    ) -> None:
        answers = await asyncio.gather(
            *(desk.request(bench.nurse) for _ in range(EXPORTS_UNFINISHED_MAX + 1))
        )
        rejected_answers = [answer for answer in answers if answer.status_code == 409]
        assert len(rejected_answers) == 1
        assert rejected_answers[0].json()["code"] == "too_many_exports"
        assert str(EXPORTS_UNFINISHED_MAX) in rejected_answers[0].json()["detail"]
        assert (await desk.request(bench.lab)).status_code == 201

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"startDate": "2026-02-02", "endDate": "2026-02-01"}, "endDate"),
            ({"startDate": "soon"}, "startDate"),
            ({"format": "pdf"}, "format"),
            ({"status": 0}, "status"),
            ({"status": 128}, "status"),
            ({"testIds": [9_007_199_254_740_000]}, "testIds.0"),
            ({"clientIds": list(range(1, 102))}, "clientIds"),
            ({"testIds": ["x"]}, "testIds.0"),
        ],
    )
    async def test_rejects_invalid_filters(
        self, desk: Desk, bench: Bench, parse_problem, body: dict[str, Any], field: str
    ) -> None:
        [error] = parse_problem(await desk.request(bench.nurse, **body))["errors"]
        assert error["field"] == field


class TestFiles:
    """The file of an export."""

    async def test_is_a_workbook_with_the_rows(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse, format="xlsx")
        await desk.run(export_id)
        answer = await desk.call(bench.nurse, "GET", export_id, "/file")
        assert answer.headers["content-type"].endswith("spreadsheetml.sheet")
        assert answer.headers["content-length"] == str(len(answer.content))
        sheet = load_workbook(io.BytesIO(answer.content))["Results"]
        rows = list(sheet.iter_rows(values_only=True))
        row = dict(zip(rows[0], rows[1], strict=True))
        assert (row["Test Code"], row["Number"], row["Result"]) == ("XEXPJ", 4, "4.0")

    async def test_names_no_person_in_its_name(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        answer = await desk.call(bench.nurse, "GET", export_id, "/file")
        name = (await desk.read(bench.nurse, export_id))["name"]
        assert name.startswith("results-20")
        assert name.endswith(f"-{export_id}.csv")
        assert f'filename="{name}"' in answer.headers["content-disposition"]

    async def test_reports_progress_size_and_expiry(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        body = await desk.read(bench.nurse, export_id)
        assert (body["state"], body["rowsWritten"], body["rowsExpected"]) == ("done", 1, 1)
        assert body["size"] == len(await desk.download(bench.nurse, export_id))
        days = desk.world.run_sql(
            "SELECT extract(day FROM expires_at - finished_at)::int FROM exports WHERE id = %s",
            (export_id,),
        )
        assert days == EXPORT_RETENTION_DAYS

    async def test_neutralizes_formulas_in_text(self, desk: Desk, bench: Bench) -> None:
        desk.world.fetch_rows(
            "UPDATE orders SET patient_first_name = '=HYPERLINK(\"http://x\")' WHERE id = %s"
            " RETURNING id",
            (bench.order_id,),
        )
        [row] = await desk.export(bench.nurse)
        assert row["First Name"] == '\'=HYPERLINK("http://x")'

    async def test_reads_all_batches_in_order(
        self, desk: Desk, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.server.results.exports.service.BATCH_ORDERS", 2)
        monkeypatch.setattr("app.server.results.exports.service._COUNTED_ORDERS", 2)
        for value in ("4.1", "4.2", "4.3", "4.4"):
            another = await receive_another_order(bench, "XEXPJ")
            await another.enter(XEXPJ=value)
            await another.release()
        rows = await desk.export(bench.nurse)
        assert [row["Result"] for row in rows] == ["4.0", "4.1", "4.2", "4.3", "4.4"]
        assert [len(ids) for ids in desk.list_audited_ids("export", bench.nurse)] == [2, 2, 1]

    async def test_nobody_else_sees_the_export(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        for part in ("", "/file"):
            assert (await desk.call(bench.lab, "GET", export_id, part)).status_code == 404
        assert (await desk.call(bench.lab, "DELETE", export_id)).status_code == 404
        with psycopg.connect(desk.world.owner_url) as connection:
            connection.execute("SET LOCAL ROLE as_staff")
            connection.execute("SELECT set_config('app.user', %s, true)", (bench.lab.user_id,))
            assert connection.execute("SELECT count(*) FROM exports").fetchone() == (0,)

    async def test_says_that_the_file_was_lost(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        (key,) = read_row(desk.world, export_id, "key")
        await desk.world.app.state.portal.get_part(FileStore).delete(key)
        answer = await desk.call(bench.nurse, "GET", export_id, "/file")
        assert (answer.status_code, answer.json()["detail"]) == (404, messages.EXPORT_FILE_LOST)

    async def test_says_that_there_is_no_file_yet(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        answer = await desk.call(bench.nurse, "GET", export_id, "/file")
        assert (answer.status_code, answer.json()["detail"]) == (404, messages.EXPORT_NOT_READY)


class TestAccess:
    """The owner's rights when the job runs, when it ends, and at the download."""

    async def test_fails_when_the_role_was_withdrawn(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        self._change_role(desk, bench.nurse, "Patient")
        await desk.run(export_id)
        state, trouble, key = read_row(desk.world, export_id, "state, trouble, key")
        assert (state, trouble, key) == ("failed", "accessWithdrawn", None)
        self._change_role(desk, bench.nurse, "Client Basic")
        await desk.world.sign_in(bench.nurse)
        body = await desk.read(bench.nurse, export_id)
        assert body["trouble"] == messages.EXPORT_ACCESS_WITHDRAWN

    async def test_fails_when_the_account_was_closed(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        desk.world.run_sql("UPDATE users SET active = false WHERE id = %s", (bench.nurse.user_id,))
        await desk.run(export_id)
        assert read_row(desk.world, export_id, "trouble") == ("accessWithdrawn",)

    async def test_exports_only_current_clients(self, desk: Desk, bench: Bench) -> None:
        export_id = await desk.start(bench.nurse)
        self._change_clients(desk, bench.nurse, desk.world.create_client())
        await desk.run(export_id)
        await desk.world.sign_in(bench.nurse)
        assert parse_csv(await desk.download(bench.nurse, export_id)) == []

    async def test_fails_when_a_client_was_withdrawn_while_it_ran(
        self, desk: Desk, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        export_id = await desk.start(bench.nurse)
        other_client = desk.world.create_client()
        act_meanwhile(monkeypatch, lambda: self._change_clients(desk, bench.nurse, other_client))
        before = list_stored_files(desk.world)
        await desk.run(export_id)
        assert read_row(desk.world, export_id, "state, trouble") == ("failed", "accessWithdrawn")
        assert list_stored_files(desk.world) == before

    async def test_the_file_stays_closed_after_a_client_was_withdrawn(
        self, desk: Desk, bench: Bench
    ) -> None:
        export_id = await desk.start(bench.nurse)
        await desk.run(export_id)
        self._change_clients(desk, bench.nurse, desk.world.create_client())
        await desk.world.sign_in(bench.nurse)
        answer = await desk.call(bench.nurse, "GET", export_id, "/file")
        assert (answer.status_code, answer.json()["detail"]) == (
            404,
            messages.EXPORT_ACCESS_CHANGED,
        )

    @staticmethod
    def _change_role(desk: Desk, person: Person, role: str) -> None:
        desk.world.run_sql(
            "UPDATE registrations SET roles = %s WHERE user_id = %s RETURNING 1",
            ([role], person.user_id),
        )

    @staticmethod
    def _change_clients(desk: Desk, person: Person, client: int) -> None:
        desk.world.run_sql(
            "UPDATE users SET client_ids = %s WHERE id = %s RETURNING 1",
            ([client], person.user_id),
        )
