"""The order search of people who see all clients: filters, in every order of the rows."""

from itertools import product

import pytest

from tests.server.accounts.builders import Person
from tests.server.world import World

LIST = "/api/v2/orders/remote-operations"
_CANCELED, _FINAL, _PENDING = 32, 16, 1


class Orders:
    """Eight orders of one client in a separate year, with different values of each filter."""

    def __init__(self, world: World, lab: Person, year: int, rows: list[dict[str, int]]) -> None:
        self.world, self.lab, self.year, self.rows = world, lab, year, rows

    async def fetch_ids(self, **query: str | int) -> list[int]:
        """Return the ids of the rows that the search finds in the year, page by page."""
        days = {"startDate": f"{self.year}-01-01", "endDate": f"{self.year}-12-31"}
        ids: list[int] = []
        after: dict[str, str] = {}
        while True:
            answer = await self.world.http.get(
                LIST, headers=self.lab.headers, params={**days, "take": 3, **query, **after}
            )
            assert answer.status_code == 200, answer.text
            body = answer.json()
            ids += [row["id"] for row in body["data"]]
            if not body["next"]:
                assert len(ids) == body["totalCount"]
                return ids
            after = {"after": body["next"]}


@pytest.fixture
async def orders(world: World) -> Orders:
    """Eight orders in three statuses, two critical; later ids have earlier collection dates."""
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    requisitions = [
        await world.save_requisition(
            nurse, world.create_patient(client, last_name=f"QUILL{client}{letter}"), "GLU"
        )
        for letter in "ABCDEFGH"
    ]
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive",
        headers=lab.headers,
        json={"ids": [row["id"] for row in requisitions]},
    )
    assert receive_answer.status_code == 200, receive_answer.text
    year = 1100 + client % 800
    rows = []
    for n, order_id in enumerate(row["orderId"] for row in receive_answer.json()):
        row = {
            "id": order_id,
            "status": (_PENDING, _FINAL, _CANCELED, _FINAL)[n % 4],
            "critical": n in (1, 6),
            "day": 28 - n,
        }
        world.run_sql(
            "UPDATE orders SET collection_date = make_timestamp(%s, 3, %s, 23, 59, 59),"
            " status = %s, has_critical = %s WHERE id = %s",
            (year, row["day"], row["status"], row["critical"], order_id),
        )
        rows.append(row)
    return Orders(world, lab, year, rows)


_SORT_KEYS = {
    "-id": lambda row: -row["id"],
    "id": lambda row: row["id"],
    "-orderCollectionDate": lambda row: -row["day"],
    "orderCollectionDate": lambda row: row["day"],
}


class TestDaysAcrossClients:
    """Date filters across all clients: the page is merged from its days."""

    @pytest.mark.parametrize("sort", list(_SORT_KEYS))
    async def test_filters_by_status_and_critical_results(self, orders: Orders, sort: str) -> None:
        for mask, is_critical_only in product((1, 16, 32, 48, 127), (False, True)):
            ids = await orders.fetch_ids(
                status=mask, sort=sort, **({"criticalResults": "true"} if is_critical_only else {})
            )
            expected = [
                row["id"]
                for row in sorted(orders.rows, key=_SORT_KEYS[sort])
                if row["status"] & mask and (row["critical"] or not is_critical_only)
            ]
            assert ids == expected, (mask, is_critical_only)

    async def test_filters_by_columns(self, orders: Orders) -> None:
        newest_first = orders.rows[::-1]
        final = [row["id"] for row in newest_first if row["status"] == _FINAL]
        assert await orders.fetch_ids(**{"column.status": _FINAL}) == final
        critical = [row["id"] for row in newest_first if row["critical"]]
        assert await orders.fetch_ids(**{"column.hasAlert": "true"}) == critical
        third = orders.rows[2]
        day = f"{orders.year}-03-{third['day']}"
        assert await orders.fetch_ids(**{"column.orderCollectionDate": day}) == [third["id"]]

    async def test_finds_orders_with_missing_information(self, orders: Orders) -> None:
        # The requisitions of these tests have no physician, diagnosis, or insurance.
        newest_first = orders.rows[::-1]
        incomplete = [row["id"] for row in newest_first if row["status"] != _CANCELED]
        assert await orders.fetch_ids(missingInfo="true") == incomplete
        completed_id = incomplete.pop()
        orders.world.run_sql("UPDATE orders SET lacks_info = false WHERE id = %s", (completed_id,))
        assert await orders.fetch_ids(missingInfo="true") == incomplete
        finals = [row["id"] for row in newest_first if row["status"] == _FINAL]
        expected = [i for i in finals if i in incomplete]
        assert await orders.fetch_ids(missingInfo="true", status=_FINAL) == expected

    @pytest.mark.parametrize(
        ("name", "column"),
        [
            ("awaitsCollection", "awaits_collection"),
            ("unread", "is_unread"),
            ("unreadByPhysician", "is_unread_by_physician"),
        ],
    )
    async def test_filters_by_flags(self, orders: Orders, name: str, column: str) -> None:
        ids = [row["id"] for row in orders.rows]
        orders.world.run_sql(
            f"UPDATE orders SET {column} = id = ANY(%s) WHERE id = ANY(%s)", (ids[2:7:2], ids)
        )
        expected = ids[6:1:-2]
        assert await orders.fetch_ids(**{name: "true"}) == expected
        assert await orders.fetch_ids(**{name: "true"}, sort="id") == expected[::-1]
        assert await orders.fetch_ids(**{name: "true"}, status=_CANCELED) == [ids[6], ids[2]]

    async def test_both_days_are_inclusive(self, orders: Orders) -> None:
        days = {"startDate": f"{orders.year}-03-23", "endDate": f"{orders.year}-03-25"}
        expected = [row["id"] for row in orders.rows[::-1] if 23 <= row["day"] <= 25]
        assert await orders.fetch_ids(**days) == expected


class TestStatusOrder:
    """Sorting by status."""

    async def test_groups_all_statuses_shown_as_partial(self, orders: Orders) -> None:
        statuses = [1, 64, 16, 8, 32, 4, 2, 64]
        for row, status in zip(orders.rows, statuses, strict=True):
            row["status"] = status
            orders.world.run_sql("UPDATE orders SET status = %s WHERE id = %s", (status, row["id"]))
        status_by_id = {row["id"]: row["status"] for row in orders.rows}
        sorted_statuses = [status_by_id[id_] for id_ in await orders.fetch_ids(sort="status")]
        assert set(sorted_statuses[:2]) == {1, 2}
        assert set(sorted_statuses[2:6]) == {4, 8, 64}
        assert sorted_statuses[6:] == [16, 32]
        backwards = [status_by_id[id_] for id_ in await orders.fetch_ids(sort="-status")]
        assert backwards == sorted_statuses[::-1]
        answer = await orders.world.http.get(
            "/api/v2/orders/status-counts",
            headers=orders.lab.headers,
            params={"startDate": f"{orders.year}-01-01", "endDate": f"{orders.year}-12-31"},
        )
        expected = {"1": 1, "2": 1, "4": 1, "8": 1, "16": 1, "32": 1, "64": 2}
        assert answer.json()["counts"] == expected


class TestLetters:
    """Letters of a name and of a code, with and without dates."""

    @pytest.mark.parametrize("has_dates", [True, False])
    async def test_finds_names_by_letters_anywhere(self, orders: Orders, has_dates: bool) -> None:
        dates = {} if has_dates else {"startDate": "", "endDate": ""}
        ids = [row["id"] for row in orders.rows]
        name = orders.world.run_sql("SELECT patient_last_name FROM orders WHERE id = %s", (ids[0],))
        prefix = name[:-1]
        for letters, expected in (
            (prefix, ids[::-1]),
            (prefix[2:].lower(), ids[::-1]),
            (f"{prefix}c", [ids[2]]),
            (f"{prefix}x", []),
        ):
            shown_ids = await orders.fetch_ids(**{"column.patientLastName": letters}, **dates)
            assert shown_ids == expected, letters

    async def test_finds_codes_by_letters_anywhere(self, orders: Orders) -> None:
        ids = [row["id"] for row in orders.rows]
        code = orders.world.run_sql("SELECT code FROM orders WHERE id = %s", (ids[3],))
        assert await orders.fetch_ids(**{"column.codeValue": code[1:].lower()}) == [ids[3]]
        assert await orders.fetch_ids(**{"column.codeValue": f"{code}9"}) == []


class TestAlertBadges:
    """A row has the badges of its order (R 2.1, R 4)."""

    @pytest.mark.parametrize("label", ["OUTSIDE", "", None])
    async def test_are_those_of_the_order(
        self, world: World, orders: Orders, label: str | None
    ) -> None:
        cases = list(product((False, True), repeat=2))
        ids = [row["id"] for row in orders.rows[: len(cases)]]
        for order_id, flags in zip(ids, cases, strict=True):
            world.run_sql(
                "UPDATE orders SET has_critical = %s, has_unexpected_positive = %s WHERE id = %s",
                (*flags, order_id),
            )
        with world.change_setting("toxicology", {"abnormalResult": label}):
            answer = await world.http.get(
                LIST, headers=orders.lab.headers, params={"ids": ids, "take": 100}
            )
            rows = {row["id"]: row for row in answer.json()["data"]}
            for order_id, (is_critical, is_unexpected) in zip(ids, cases, strict=True):
                order_answer = await world.http.get(
                    f"/api/v2/orders/{order_id}", headers=orders.lab.headers
                )
                order = order_answer.json()
                badges = [*(["CRITICAL"] * is_critical), *([label or "ABNORMAL"] * is_unexpected)]
                row = rows[order_id]
                assert row["alertBadges"] == order["alertBadges"] == badges
                assert row["alert"] == order["alert"]
