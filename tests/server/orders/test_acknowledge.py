"""Acknowledging orders: who, what was seen, and releases afterwards."""

from app.contract import messages
from tests.server.orders.practice import ORDERS, open_practice
from tests.server.world import World


class TestAcknowledging:
    """PUT /orders/acknowledge."""

    async def test_only_acknowledgment_by_a_physician_counts_for_physicians(
        self, world: World
    ) -> None:
        practice = await open_practice(world)
        order_id = practice.orders[0]["orderId"]
        early_answer = await practice.acknowledge("nurse", order_id)
        assert (early_answer.status_code, early_answer.json()["code"]) == (
            409,
            "nothing_to_acknowledge",
        )
        await practice.release(order_id, "GLU")
        row = await practice.fetch_row("nurse", order_id)
        assert row["isUnread"] is row["isUnreadByPhysician"] is True
        answer = await practice.acknowledge("nurse", order_id)
        assert answer.status_code == 200, answer.text
        row = await practice.fetch_row("nurse", order_id)
        assert (row["isUnread"], row["isUnreadByPhysician"]) == (False, True)
        shown_row = answer.json()["data"][0]
        assert row["onlineAckUser"] == shown_row["onlineAckUser"] != "Somebody, Else"
        assert row["onlineAckDateTime"] == shown_row["onlineAckDateTime"]
        assert (await practice.fetch_row("patient", order_id))["onlineAckUser"] is None
        await practice.acknowledge("physician", order_id)
        row = await practice.fetch_row("physician", order_id)
        assert row["isUnread"] is row["isUnreadByPhysician"] is False

    async def test_a_release_reopens_the_order_and_notifies_the_acknowledger(
        self, world: World
    ) -> None:
        practice = await open_practice(world)
        order_id = practice.orders[0]["orderId"]
        await practice.release(order_id, "GLU")
        await practice.acknowledge("physician", order_id)
        assert (await practice.read("physician", order_id))["reopened"] is None
        await practice.release(order_id, "K")
        row = await practice.fetch_row("physician", order_id)
        assert row["isUnread"] is row["isUnreadByPhysician"] is True
        order = await practice.read("physician", order_id)
        assert order["reopened"]["changed"] >= order["reopened"]["acknowledged"]
        assert order["reopened"]["kind"] == "release"
        assert (await practice.read("nurse", order_id))["reopened"] is None
        await practice.acknowledge("physician", order_id)
        assert (await practice.read("physician", order_id))["reopened"] is None

    async def test_withholding_reopens_the_order_and_notifies_the_acknowledger(
        self, world: World
    ) -> None:
        practice = await open_practice(world)
        order_id = practice.orders[0]["orderId"]
        await practice.release(order_id, "GLU")
        for kind in ("review", "restored", "withdrawn"):
            await practice.acknowledge("physician", order_id)
            await practice.withhold(order_id, "GLU", kind)
            row = await practice.fetch_row("physician", order_id)
            assert row["isUnread"] is row["isUnreadByPhysician"] is True, kind
            assert (await practice.read("physician", order_id))["reopened"]["kind"] == kind

    async def test_the_withdrawal_of_the_only_result_can_be_acknowledged(
        self, world: World
    ) -> None:
        practice = await open_practice(world)
        order_id = practice.orders[0]["orderId"]
        await practice.release(order_id, "GLU")
        await practice.withhold(order_id, "GLU", "withdrawn")
        assert (await practice.read("physician", order_id))["canAcknowledge"]["allowed"] is True
        for role in ("nurse", "physician"):
            assert (await practice.acknowledge(role, order_id)).status_code == 200
        row = await practice.fetch_row("physician", order_id)
        assert row["isUnread"] is row["isUnreadByPhysician"] is False

    async def test_rejects_results_that_changed_since_they_were_shown(self, world: World) -> None:
        practice = await open_practice(world, count=2)
        first, second = (order["orderId"] for order in practice.orders)
        for order_id in (first, second):
            await practice.release(order_id, "GLU")
        shown_versions = {
            i: (await practice.fetch_row("nurse", i))["version"] for i in (first, second)
        }
        await practice.release(second, "K")
        answer = await practice.acknowledge("nurse", first, second, versions=shown_versions)
        assert answer.status_code == 412
        text = messages.ORDER_RESULTS_CHANGED.format(code=practice.orders[1]["orderCode"])
        assert answer.json()["errors"] == [{"field": f"versions.{second}", "message": text}]
        assert (await practice.fetch_row("nurse", first))["isUnread"] is True
        await practice.release(first, "K")
        answer = await practice.acknowledge("nurse", first, second, versions=shown_versions)
        codes = ", ".join(order["orderCode"] for order in practice.orders)
        text = messages.ORDERS_RESULTS_CHANGED.format(codes=codes)
        assert (answer.status_code, answer.json()["detail"]) == (412, text)

    async def test_rejects_a_version_that_does_not_exist_yet(self, world: World) -> None:
        practice = await open_practice(world)
        order_id = practice.orders[0]["orderId"]
        await practice.release(order_id, "GLU")
        version = (await practice.fetch_row("nurse", order_id))["version"]
        answer = await practice.acknowledge("nurse", order_id, versions={order_id: version + 1})
        assert answer.status_code == 412
        assert (await practice.fetch_row("nurse", order_id))["isUnread"] is True

    async def test_entered_results_do_not_count_as_a_change(self, world: World) -> None:
        practice = await open_practice(world)
        order_id = practice.orders[0]["orderId"]
        await practice.release(order_id, "GLU")
        shown_versions = {order_id: (await practice.fetch_row("nurse", order_id))["version"]}
        read_answer = await world.http.get(
            f"{ORDERS}/{order_id}/result-entry", headers=practice.people["lab"].headers
        )
        rows = read_answer.json()["rows"]
        test = next(row["orderTestId"] for row in rows if row["code"] == "K")
        entry_answer = await world.http.put(
            f"{ORDERS}/{order_id}/result-entry",
            headers=practice.people["lab"].headers,
            json={"results": [{"orderTestId": test, "result": "4"}]},
        )
        assert entry_answer.status_code == 200, entry_answer.text
        answer = await practice.acknowledge("nurse", order_id, versions=shown_versions)
        assert answer.status_code == 200, answer.text

    async def test_stays_unread_if_results_are_released_meanwhile(self, world: World) -> None:
        practice = await open_practice(world)
        order_id = practice.orders[0]["orderId"]
        await practice.release(order_id, "GLU")
        release = "UPDATE orders SET version = version + 1, shown_version = version + 1"
        answer = await world.commit_meanwhile(
            f"{release} WHERE id = %s", (order_id,), practice.acknowledge("physician", order_id)
        )
        assert answer.status_code == 200, answer.text
        assert (await practice.fetch_row("physician", order_id))["isUnreadByPhysician"] is True
        assert (await practice.read("physician", order_id))["reopened"] is not None

    async def test_a_new_physician_has_not_read_the_results(self, world: World) -> None:
        practice = await open_practice(world, count=2)
        released, pending = (order["orderId"] for order in practice.orders)
        await practice.release(released, "GLU")
        for role in ("nurse", "physician"):
            await practice.acknowledge(role, released)
        client = world.run_sql("SELECT client_id FROM orders WHERE id = %s", (released,))
        new_physician_id = world.create_physician(client)
        practice.people["new physician"] = await world.create_person(
            "Physician", physician_ids=[new_physician_id]
        )
        for order_id in (released, pending):
            for body in ({"comments": "<p>Called.</p>"}, {"physicianId": new_physician_id}):
                answer = await world.http.put(
                    f"{ORDERS}/{order_id}/billing-information",
                    headers=practice.people["nurse"].headers,
                    json=body,
                )
                assert answer.status_code == 200, answer.text
                row = await practice.fetch_row("nurse", order_id)
                is_moved_after_release = "physicianId" in body and order_id == released
                assert row["isUnreadByPhysician"] is is_moved_after_release
                assert row["isUnread"] is False
        await practice.acknowledge("new physician", released)
        row = await practice.fetch_row("new physician", released)
        assert row["isUnreadByPhysician"] is False

    async def test_filters_unread_orders(self, world: World) -> None:
        practice = await open_practice(world, count=2)
        first, second = (order["orderId"] for order in practice.orders)
        for order_id in (first, second):
            await practice.release(order_id, "GLU")
        await practice.acknowledge("nurse", first)
        for role, query, expected in (
            ("nurse", {"unread": "true"}, [second]),
            ("physician", {"unreadByPhysician": "true"}, [second, first]),
            ("nurse", {"column.acknowledgedBy": "tester"}, [first]),
            ("lab", {"unread": "true", "ids": [first, second]}, [second]),
            (
                "nurse",
                {"column.hasSignature": "false", "sort": "-onlineAckDateTime"},
                [first, second],
            ),
        ):
            answer = await world.http.get(
                f"{ORDERS}/remote-operations",
                headers=practice.people[role].headers,
                params={"startDate": "2026-03-01", "endDate": "2026-03-31", **query},
            )
            assert answer.status_code == 200, answer.text
            ids = [row["id"] for row in answer.json()["data"]]
            assert ids == expected, (role, query)
