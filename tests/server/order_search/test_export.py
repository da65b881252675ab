"""Exporting what an advanced search finds (ADR 51)."""

import io
from dataclasses import dataclass
from typing import Any

import httpx
import openpyxl
import psycopg
import pytest

from app.contract import messages
from app.contract.enumerations import Role
from app.server.order_search.columns import COLUMNS, get_columns
from app.server.order_search.service import export
from tests.server.accounts.builders import Person
from tests.server.exports.desk import Desk
from tests.server.order_search.records import (
    PATH,
    Clinic,
    build_clinic,
    build_condition,
    join_conditions,
)
from tests.server.world import World

_SHOWN_COLUMNS = [column.name for column in COLUMNS if column.shown_column]
_ROLES = {"lab": Role.LABORATORY, "nurse": Role.CLIENT_BASIC, "doctor": Role.PHYSICIAN}


@dataclass
class OrderDesk(Desk):
    """Requests exports of searches."""

    async def request(self, person: Person, **body: Any) -> httpx.Response:
        """Request an export of all orders, unless the body says otherwise."""
        return await self.world.http.post(f"{PATH}/export", headers=person.headers, json=body)

    def read_trouble(self, export_id: int) -> tuple[str, str]:
        """Return the state and the trouble of an export."""
        [row] = self.world.fetch_rows(
            "SELECT state, trouble FROM exports WHERE id = %s", (export_id,)
        )
        return row


@pytest.fixture
def desk(world: World) -> OrderDesk:
    """A desk that requests exports of searches as any person."""
    return OrderDesk(world)


def build_search(clinic: Clinic, *rules: dict[str, Any]) -> dict[str, Any]:
    """Build a search within the clinic."""
    own_codes = [
        build_condition("code", "=", clinic.get_code(order_id)) for order_id in clinic.orders
    ]
    return join_conditions(*rules, join_conditions(*own_codes, by="or"))


class TestRows:
    """The rows of the file."""

    async def test_shows_its_conditions_only_to_its_owner(
        self, desk: OrderDesk, clinic: Clinic
    ) -> None:
        nurse, words = clinic.people["nurse"], "Orders: Last name is LOPEZ"
        answer = await desk.request(
            nurse, query=build_search(clinic), columns=["code"], summary=words
        )
        assert answer.json()["parameters"]["summary"] == words
        too_long_answer = await desk.request(nurse, columns=["code"], summary="x" * 2_001)
        assert too_long_answer.status_code == 400
        # The values of the conditions may be patients' names.
        audit_rows = desk.world.fetch_rows(
            "SELECT detail::text FROM audit_events WHERE action = 'request-export'"
            " AND user_id = %s",
            (nurse.user_id,),
        )
        assert len(audit_rows) == 1
        assert "LOPEZ" not in audit_rows[0][0]

    async def test_has_the_chosen_columns_in_their_order(
        self, desk: OrderDesk, clinic: Clinic
    ) -> None:
        order_id = await clinic.add_order(
            "GLU",
            "K",
            status=16,
            collection_date="2026-03-04T07:30:00",
            reported_at="2026-03-05T00:00:00",
            has_critical=True,
        )
        columns = ["status", "collectionDate", "code", "reportedDate", "hasCritical", "orderedTest"]
        [row] = await desk.export(
            clinic.people["nurse"], query=build_search(clinic), columns=columns
        )
        assert list(row.items()) == [
            ("Status", "FINAL"),
            ("Collection date", "2026-03-04 07:30"),
            ("Order Id", clinic.get_code(order_id)),
            ("Reported", "2026-03-05"),
            ("Has a critical result", "Yes"),
            ("Ordered test", "GLU, K"),
        ]

    @pytest.mark.parametrize("person", list(_ROLES))
    async def test_every_column_can_be_exported_in_both_formats(
        self, desk: OrderDesk, clinic: Clinic, person: str
    ) -> None:
        await clinic.add_order("GLU", status=16, reported_at="2026-03-05T10:00:00")
        await clinic.add_order("CBC", acknowledged_at="2026-03-07", acknowledged_by_name="A B")
        columns = [name for name in _SHOWN_COLUMNS if name in get_columns(_ROLES[person])]
        actor = clinic.people[person]
        body = {"query": build_search(clinic), "columns": columns}
        assert len(await desk.export(actor, **body, format="csv")) == 2
        export_id = await desk.start(actor, **body, format="xlsx")
        await desk.run(export_id)
        sheet = openpyxl.load_workbook(io.BytesIO(await desk.download(actor, export_id))).active
        assert sheet is not None
        labels = {column.name: column.label for column in COLUMNS}
        heading, *rows = sheet.iter_rows(values_only=True)
        assert list(heading) == [labels[name] for name in columns]
        assert len(rows) == 2

    async def test_has_all_rows_newest_first_across_batches(
        self, desk: OrderDesk, clinic: Clinic, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(export, "BATCH_ROWS", 2)
        for _ in range(5):
            await clinic.add_order("GLU")
        nurse = clinic.people["nurse"]
        # A sort without an index becomes the order of the ids.
        for sort, newest_first in ((None, True), ("id", False), ("lastName", True)):
            rows = await desk.export(nurse, query=build_search(clinic), columns=["code"], sort=sort)
            codes = [clinic.get_code(i) for i in sorted(clinic.orders, reverse=newest_first)]
            assert [row["Order Id"] for row in rows] == codes
        ids = sorted(clinic.orders, reverse=True)
        audit_rows = desk.list_audited_ids("export", nurse)[:3]
        assert audit_rows == [ids[:2], ids[2:4], ids[4:]]

    async def test_finds_the_same_orders_as_the_screen(
        self, desk: OrderDesk, clinic: Clinic
    ) -> None:
        first = await clinic.add_order("GLU", "K", has_critical=True)
        await clinic.add_order("GLU")
        clinic.add_result(first, "GLU", "250", flag="H")
        glucose = clinic.world.get_test_id("GLU")
        for rule in (
            build_condition("resultNumber", ">", 200, test=glucose),
            build_condition("lastName", "contains", "PATIENT"),
            build_condition("hasCritical", "=", True),
            build_condition("client", "in", [clinic.client]),
        ):
            for person in ("lab", "nurse"):
                rows = await desk.export(
                    clinic.people[person], query=build_search(clinic, rule), columns=["code"]
                )
                ids = await clinic.find(person, rule)
                assert {row["Order Id"] for row in rows} == {clinic.get_code(i) for i in ids}

    async def test_hidden_results_do_not_affect_the_rows(
        self, desk: OrderDesk, clinic: Clinic
    ) -> None:
        glucose = clinic.world.get_test_id("GLU")
        entered_order = await clinic.add_order("GLU")
        clinic.add_result(entered_order, "GLU", "300", released_at=None)
        withheld_order = await clinic.add_order("GLU")
        clinic.add_result(withheld_order, "GLU", "300", withheld="review")
        is_high = build_search(clinic, build_condition("resultNumber", ">", 200, test=glucose))
        for person in ("lab", "nurse", "doctor"):
            rows = await desk.export(clinic.people[person], query=is_high, columns=["code"])
            assert rows == []

    async def test_neutralizes_formulas_in_text(self, desk: OrderDesk, clinic: Clinic) -> None:
        await clinic.add_order("GLU", patient_first_name='=HYPERLINK("http://x")', room_name="-1")
        [row] = await desk.export(
            clinic.people["nurse"], query=build_search(clinic), columns=["firstName", "room"]
        )
        assert row == {"First name": '\'=HYPERLINK("http://x")', "Room": "-1"}

    async def test_relative_days_are_those_of_the_request(
        self, desk: OrderDesk, clinic: Clinic
    ) -> None:
        await clinic.add_order("GLU", collection_date="2026-03-04")
        nurse = clinic.people["nurse"]
        today = build_condition("collectionDate", "inLastDays", 1)
        export_id = await desk.start(nurse, query=build_search(clinic, today), columns=["code"])
        desk.world.run_sql(
            "UPDATE exports SET parameters = parameters || %s::jsonb WHERE id = %s RETURNING 1",
            ('{"today": "2026-03-04"}', export_id),
        )
        await desk.run(export_id)
        assert (await desk.read(nurse, export_id))["rowsWritten"] == 1


class TestScope:
    """Who may export, and what."""

    async def test_nobody_exports_orders_of_others(
        self, desk: OrderDesk, clinic: Clinic, world: World
    ) -> None:
        await clinic.add_order("GLU")
        stranger = await build_clinic(world)
        for person in ("admin", "nurse", "doctor"):
            rows = await desk.export(stranger.people[person], query=build_search(clinic))
            assert rows == []

    async def test_a_physician_exports_searches_but_no_results(
        self, desk: OrderDesk, clinic: Clinic
    ) -> None:
        order_id = await clinic.add_order("GLU")
        doctor = clinic.people["doctor"]
        [row] = await desk.export(doctor, query=build_search(clinic), columns=["code"])
        assert row == {"Order Id": clinic.get_code(order_id)}
        [list_answer] = (
            await desk.world.http.get("/api/v2/result-exports", headers=doctor.headers)
        ).json()
        assert (list_answer["kind"], list_answer["state"]) == ("orders", "done")
        assert (await Desk(desk.world).request(doctor)).status_code == 403

    async def test_a_patient_exports_nothing(self, desk: OrderDesk, world: World) -> None:
        patient = world.create_patient(world.create_client())
        person = await world.create_person("Patient", patient_ids=[patient])
        assert (await desk.request(person)).status_code == 403
        answer = await world.http.get("/api/v2/result-exports", headers=person.headers)
        assert answer.status_code == 403

    async def test_roles_without_result_exports_cannot_download_result_files(
        self, desk: OrderDesk, clinic: Clinic
    ) -> None:
        doctor = clinic.people["doctor"]
        export_id = await desk.start(doctor, query=build_search(clinic), columns=["code"])
        await desk.run(export_id)
        desk.world.run_sql(
            "UPDATE exports SET kind = 'results' WHERE id = %s RETURNING 1", (export_id,)
        )
        assert (await desk.call(doctor, "GET", export_id, "/file")).status_code == 403
        body = await desk.read(doctor, export_id)
        assert body["canDownload"]["allowed"] is False

    async def test_says_that_a_column_is_no_longer_available(
        self, desk: OrderDesk, clinic: Clinic
    ) -> None:
        doctor = clinic.people["doctor"]
        export_id = await desk.start(doctor, query=build_search(clinic), columns=["code"])
        desk.world.run_sql(
            "UPDATE exports SET parameters = parameters || %s::jsonb WHERE id = %s RETURNING 1",
            ('{"columns": ["code", "client"]}', export_id),
        )
        await desk.run(export_id)
        assert desk.read_trouble(export_id) == ("failed", "outdated")
        assert (await desk.read(doctor, export_id))["trouble"] == messages.EXPORT_OUTDATED

    async def test_the_audit_log_has_columns_and_no_conditions(
        self, desk: OrderDesk, clinic: Clinic
    ) -> None:
        nurse = clinic.people["nurse"]
        rule = build_condition("lastName", "=", "ZYXWVU")
        await desk.start(nurse, query=join_conditions(rule), columns=["code"])
        rows = desk.world.fetch_rows(
            "SELECT detail FROM audit_events WHERE action = 'request-export' AND user_id = %s",
            (nurse.user_id,),
        )
        filters = {"columns": ["code"], "sort": "-id"}
        assert rows == [({"source": "orders", "format": "csv", "filters": filters},)]


class TestRejecting:
    """Requests that cannot be exported."""

    @pytest.mark.parametrize(
        ("body", "field", "message"),
        [
            ({"columns": []}, "columns", messages.SEARCH_COLUMNS_REQUIRED),
            ({"columns": ["code", "salary"]}, "columns.1", messages.SEARCH_COLUMN_UNKNOWN),
            (
                {"query": join_conditions(build_condition("salary", "=", "1"))},
                "query.rules.0.field",
                messages.SEARCH_COLUMN_UNKNOWN,
            ),
        ],
    )
    async def test_rejects_an_invalid_search(
        self, desk: OrderDesk, clinic: Clinic, body: dict[str, Any], field: str, message: str
    ) -> None:
        answer = await desk.request(clinic.people["nurse"], **body)
        assert answer.status_code == 400
        assert [(e["field"], e["message"]) for e in answer.json()["errors"]] == [(field, message)]

    async def test_fails_when_a_statement_takes_too_long(
        self, desk: OrderDesk, clinic: Clinic, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lab = clinic.people["lab"]
        query = join_conditions(build_condition("organism", "contains", "coli"))
        export_id = await desk.start(lab, query=query, columns=["code"])
        monkeypatch.setattr(export, "_SECONDS_MAX", 0.05)
        with psycopg.connect(desk.world.owner_url) as connection:
            # While this lock is held, no statement on cultures can end.
            connection.execute("LOCK TABLE culture_organisms IN ACCESS EXCLUSIVE MODE")
            await desk.run(export_id)
        assert desk.read_trouble(export_id) == ("failed", "tooSlow")
        assert (await desk.read(lab, export_id))["trouble"] == messages.EXPORT_TOO_SLOW
