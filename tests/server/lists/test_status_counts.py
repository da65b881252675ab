"""The counts by status beside the status filter of the searches."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from app.contract.enumerations import OrderStatus, RequisitionStatus, Role
from app.server.lists import counts, statement
from tests.server.accounts.builders import Person
from tests.server.world import World

DAY = {"startDate": "2026-03-04", "endDate": "2026-03-04"}
RECORDS = ("requisitions", "orders")


async def fetch_part(world: World, person: Person, records: str, part: str, **query: Any) -> Any:
    """Read a part of a list of records."""
    path = f"/api/v2/{records}/{part}"
    answer = await world.http.get(path, headers=person.headers, params={**DAY, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
async def people(world: World) -> dict[str, Person]:
    """A nurse and a lab worker; the nurse's client has requisitions in every status."""
    client = world.create_client()
    nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
    lab = await world.create_person(Role.LABORATORY)
    nurse.client, patient = client, world.create_patient(client)
    ids = [(await world.save_requisition(nurse, patient))["id"] for _ in range(6)]
    world.run_sql("UPDATE requisitions SET has_signature = true WHERE id = %s", (ids[5],))
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": ids[:3]}
    )
    world.run_sql(
        "UPDATE orders SET status = %s, has_critical = true WHERE id = %s",
        (OrderStatus.FINAL, receive_answer.json()[0]["orderId"]),
    )
    await world.http.post(
        f"/api/v2/requisitions/{ids[3]}/cancel",
        headers=nurse.headers,
        json={"comment": "ordered twice"},
    )
    other_client = world.create_client()
    other = await world.create_person(Role.CLIENT_BASIC, client_ids=[other_client])
    await world.save_requisition(other, world.create_patient(other_client))
    return {"nurse": nurse, "lab": lab}


@pytest.fixture
def fetch_counts(world: World, people: dict[str, Person]) -> Callable[..., Awaitable[Any]]:
    """A function that reads the counts of a list in the nurse's client, as a nurse or the lab."""

    async def fetch_as(who: str, records: str, **query: Any) -> Any:
        filters = {"client": people["nurse"].client, **query}
        return await fetch_part(world, people[who], records, "status-counts", **filters)

    return fetch_as


class TestCounts:
    """The counts of each status under the other filters."""

    @pytest.mark.parametrize("who", ["nurse", "lab"])
    async def test_counts_equal_the_rows_of_each_status(
        self, world: World, people: dict[str, Person], fetch_counts, who: str
    ) -> None:
        expected: dict[str, dict[int, int]] = {
            "requisitions": {
                RequisitionStatus.PENDING: 2,
                RequisitionStatus.CANCELED: 1,
                RequisitionStatus.DONE: 3,
            },
            "orders": {OrderStatus.PENDING: 2, OrderStatus.FINAL: 1},
        }
        for records, by_status in expected.items():
            body = await fetch_counts(who, records)
            assert body == {
                "counts": {str(int(status)): n for status, n in by_status.items()},
                "totalCount": sum(by_status.values()),
                "totalIsCapped": False,
            }
            for status, n in by_status.items():
                page = await fetch_part(
                    world,
                    people[who],
                    records,
                    "remote-operations",
                    client=people["nurse"].client,
                    status=int(status),
                )
                assert page["totalCount"] == n

    @pytest.mark.parametrize("records", RECORDS)
    async def test_counts_ignore_the_chosen_status(self, fetch_counts, records: str) -> None:
        all_counts = await fetch_counts("nurse", records)
        assert await fetch_counts("nurse", records, status=1) == all_counts

    async def test_counts_follow_the_other_filters(self, fetch_counts) -> None:
        signed_counts = await fetch_counts("nurse", "requisitions", signature="signed")
        assert signed_counts["counts"] == {str(int(RequisitionStatus.PENDING)): 1}
        alerts = await fetch_counts("nurse", "orders", alertResults="true")
        assert alerts["counts"] == {str(int(OrderStatus.FINAL)): 1}
        other_day = {"startDate": "2026-03-05", "endDate": "2026-03-05"}
        assert (await fetch_counts("nurse", "orders", **other_day))["counts"] == {}

    @pytest.mark.parametrize("frequent_hits", [0, statement._SAMPLE_ROWS + 1])
    @pytest.mark.parametrize("who", ["nurse", "lab"])
    async def test_counts_follow_the_filter_row(
        self, fetch_counts, who: str, frequent_hits: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The counts are the same with an index of texts and without it."""
        monkeypatch.setattr(statement, "_FREQUENT_HITS", frequent_hits)
        statement.build_group_statement.cache_clear()
        for records, tests in (("requisitions", "tests"), ("orders", "testNames")):
            all_counts = await fetch_counts(who, records)
            assert await fetch_counts(who, records, **{f"column.{tests}": "glu"}) == all_counts
            empty_counts = await fetch_counts(who, records, **{f"column.{tests}": "no such"})
            assert (empty_counts["counts"], empty_counts["totalCount"]) == ({}, 0)
        statement.build_group_statement.cache_clear()

    async def test_counts_are_unknown_with_too_many_rows(
        self, fetch_counts, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for module in (statement, counts):
            monkeypatch.setattr(module, "TOTAL_COUNT_CAP", 4)
        statement.build_group_statement.cache_clear()
        body = await fetch_counts("nurse", "requisitions")
        assert body == {"counts": {}, "totalCount": 4, "totalIsCapped": True}
        statement.build_group_statement.cache_clear()

    async def test_counts_are_audited(
        self, world: World, people: dict[str, Person], fetch_counts
    ) -> None:
        await fetch_counts("nurse", "orders")
        audit_rows = world.fetch_rows(
            "SELECT action, kind, record_ids FROM audit_events WHERE user_id = %s"
            " ORDER BY id DESC LIMIT 1",
            (people["nurse"].user_id,),
        )
        assert audit_rows == [("count", "orders", [])]

    @pytest.mark.parametrize("name", ["sort", "skip", "flavor"])
    async def test_rejects_other_parameters(
        self, world: World, people: dict[str, Person], parse_problem, name: str
    ) -> None:
        path = f"/api/v2/orders/status-counts?{name}=1"
        answer = await world.http.get(path, headers=people["nurse"].headers)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == name
