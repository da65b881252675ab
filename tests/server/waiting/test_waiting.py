"""GET /v2/waiting: counts by role, and the searches that find exactly these rows."""

from datetime import date, timedelta
from typing import Any

import pytest

from app.contract import limits
from app.contract.enumerations import OrderStatus, Role
from app.server.access.reader import Reader
from app.server.lists import statement
from app.server.waiting import endpoints
from tests.server.accounts.builders import Person
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World

PATHS = {
    "requisitions": "/api/v2/requisitions/remote-operations",
    "orders": "/api/v2/orders/remote-operations",
    "criticalResults": "/api/v2/critical-results/remote-operations",
}
KINDS = {
    Role.SUPERUSER: ["critical", "toReceive", "cameIn"],
    Role.LABORATORY: ["critical", "toReceive", "cameIn"],
    Role.CLIENT_ADMIN: ["critical", "alerts", "toSign", "toCollect", "toRecollect"],
    Role.CLIENT_BASIC: ["critical", "alerts", "toSign", "toCollect", "toRecollect"],
    Role.PHYSICIAN: ["critical", "alerts", "toSign"],
    Role.PATIENT: [],
}


async def count_waiting(world: World, person: Person) -> dict[str, dict[str, Any]]:
    """Read the counts of a person's waiting work, by kind."""
    answer = await world.http.get("/api/v2/waiting", headers=person.headers)
    assert answer.status_code == 200, answer.text
    return {row["kind"]: row for row in answer.json()}


async def search_counted(world: World, person: Person, row: dict[str, Any]) -> dict[str, Any]:
    """Search with exactly the filters of a count."""
    names = ("startDate", "endDate", "status", "signature")
    filters = {name: row[name] for name in names if row[name] is not None}
    flags = ("awaitsCollection", "alertResults", "unread", "unreadByPhysician")
    filters |= {name: "true" for name in flags if row[name]}
    path = PATHS[row["searched"]]
    answer = await world.http.get(path, headers=person.headers, params=filters)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> date:
    """The current day in the lab, which does not change during a test."""
    day = date(2026, 3, 4)
    monkeypatch.setattr(endpoints, "get_lab_today", lambda _time_zone: day)
    return day


class TestCounts:
    """The number shown is the number of rows found."""

    async def build_people(self, world: World, today: date) -> dict[Role, Person]:
        """Return people of one client, with requisitions around the bounds of each search."""
        client = world.create_client()
        physician = world.create_physician(client)
        patient = world.create_patient(client)
        people = {
            Role.CLIENT_BASIC: await world.create_person(Role.CLIENT_BASIC, client_ids=[client]),
            Role.CLIENT_ADMIN: await world.create_person(Role.CLIENT_ADMIN, client_ids=[client]),
            Role.PHYSICIAN: await world.create_person(Role.PHYSICIAN, physician_ids=[physician]),
            Role.PATIENT: await world.create_person(Role.PATIENT, patient_ids=[patient]),
            Role.LABORATORY: await world.create_person(Role.LABORATORY),
            Role.SUPERUSER: await world.create_person(Role.SUPERUSER),
        }
        nurse, requisitions = people[Role.CLIENT_BASIC], []
        ahead, back = limits.WAITING_TO_SIGN_DAYS_AHEAD, limits.WAITING_TO_SIGN_DAYS
        for days in (0, 0, 0, 0, -1, -14, -15, -back, -back - 1, 1, ahead, ahead + 1):
            values = {"collectionDate": f"{today + timedelta(days)}T00:00:00"}
            if days >= 0:
                values["physicianId"] = physician
            requisitions.append(await world.save_requisition(nurse, patient, **values))
        signed_id, received_id, canceled_id = (row["id"] for row in requisitions[:3])
        await world.sign_in(nurse)
        for path, who, body in (
            ("sign-multiple", nurse, {"image": SIGNATURE, "requisitionsIds": [signed_id]}),
            ("receive", people[Role.LABORATORY], {"ids": [received_id]}),
            (f"{canceled_id}/cancel", nurse, {"comment": "ordered twice"}),
        ):
            url = f"/api/v2/requisitions/{path}"
            answer = await world.http.post(url, headers=who.headers, json=body)
            assert answer.status_code == 200, answer.text
        return people

    async def test_counts_equal_the_rows_of_each_search_and_role(
        self, world: World, today: date
    ) -> None:
        people = await self.build_people(world, today)
        for role, person in people.items():
            rows = await count_waiting(world, person)
            assert list(rows) == KINDS[role], role
            for row in rows.values():
                page = await search_counted(world, person, row)
                assert (row["count"], row["isCapped"]) == (page["totalCount"], False), (role, row)

    async def test_counts_cover_the_scope_only(self, world: World, today: date) -> None:
        people = await self.build_people(world, today)
        counts = await count_waiting(world, people[Role.CLIENT_BASIC])
        # To sign: pending, unsigned, from 90 days ago to 30 days ahead. To collect: pending, today.
        assert {kind: row["count"] for kind, row in counts.items()} == {
            "critical": 0,
            "alerts": 0,
            "toSign": 7,
            "toCollect": 2,
            "toRecollect": 0,
        }
        to_sign = (await count_waiting(world, people[Role.PHYSICIAN]))["toSign"]
        assert to_sign["count"] == 3
        assert (to_sign["startDate"], to_sign["endDate"]) == (
            str(today - timedelta(limits.WAITING_TO_SIGN_DAYS)),
            str(today + timedelta(limits.WAITING_TO_SIGN_DAYS_AHEAD)),
        )

    async def test_counts_change_when_the_lab_receives(self, world: World, today: date) -> None:
        people = await self.build_people(world, today)
        lab, nurse = people[Role.LABORATORY], people[Role.CLIENT_BASIC]
        patient = world.create_patient(world.create_client())
        requisition = await world.save_requisition(
            await world.create_person(Role.SUPERUSER), patient, collectionDate=f"{today}T08:00:00"
        )
        before, nurse_before = await count_waiting(world, lab), await count_waiting(world, nurse)
        assert before["cameIn"]["status"] == OrderStatus.PENDING | OrderStatus.UNRELEASED
        answer = await world.http.post(
            "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
        )
        assert answer.status_code == 200, answer.text
        after = await count_waiting(world, lab)
        assert after["toReceive"]["count"] == before["toReceive"]["count"] - 1
        assert after["cameIn"]["count"] == before["cameIn"]["count"] + 1
        assert await count_waiting(world, nurse) == nurse_before

    async def test_counts_depend_on_the_alerts_that_a_user_has_read(
        self, world: World, today: date
    ) -> None:
        people = await self.build_people(world, today)
        nurse, physician = people[Role.CLIENT_BASIC], people[Role.PHYSICIAN]
        answer = await world.http.get(PATHS["orders"], headers=nurse.headers)
        [order_id] = [row["id"] for row in answer.json()["data"]]
        world.run_sql(
            "UPDATE orders SET has_critical = true, is_unread = true,"
            " is_unread_by_physician = true WHERE id = %s",
            (order_id,),
        )

        async def count() -> list[int]:
            return [(await count_waiting(world, p))["alerts"]["count"] for p in (nurse, physician)]

        assert await count() == [1, 1]
        world.run_sql("UPDATE orders SET is_unread = false WHERE id = %s", (order_id,))
        assert await count() == [0, 1]
        world.run_sql("UPDATE orders SET is_unread_by_physician = false WHERE id = %s", (order_id,))
        assert await count() == [0, 0]

    async def test_counts_stop_at_the_cap(
        self, world: World, today: date, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        people = await self.build_people(world, today)
        monkeypatch.setattr(statement, "TOTAL_COUNT_CAP", 3)
        monkeypatch.setattr("app.server.waiting.service.TOTAL_COUNT_CAP", 3)
        counts = await count_waiting(world, people[Role.CLIENT_BASIC])
        assert (counts["toSign"]["count"], counts["toSign"]["isCapped"]) == (2, True)
        assert (counts["toCollect"]["count"], counts["toCollect"]["isCapped"]) == (2, False)


class TestCost:
    """One statement, with its audit row."""

    async def test_counting_takes_one_statement_with_an_audit_row(
        self, world: World, nurse: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        statements = []
        fetch_row = Reader.fetch_row

        async def count(reader: Reader, text: str, values: dict[str, Any]) -> tuple[Any, ...]:
            statements.append(text)
            return await fetch_row(reader, text, values)

        monkeypatch.setattr(Reader, "fetch_row", count)
        await count_waiting(world, nurse)
        assert len(statements) == 1
        audit = world.fetch_rows(
            "SELECT action, kind, record_ids FROM audit_events WHERE user_id = %s", (nurse.user_id,)
        )
        assert audit == [("count", "waiting", [])]

    async def test_counting_runs_no_statement_for_patients(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        patient = world.create_patient(world.create_client())
        person = await world.create_person(Role.PATIENT, patient_ids=[patient])
        monkeypatch.delattr(Reader, "fetch_row")
        assert await count_waiting(world, person) == {}
