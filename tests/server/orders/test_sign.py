"""Signing orders, which share the signature of their requisition."""

from collections.abc import Awaitable, Callable

import pytest

from app.contract import messages
from app.contract.enumerations import OrderStatus
from tests.server.accounts.builders import Person
from tests.server.orders.signing import sign_orders, unsign_order
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World

ORDERS = "/api/v2/orders"
REQUISITIONS = "/api/v2/requisitions"
Receive = Callable[[Person], Awaitable[dict[str, int]]]


@pytest.fixture
async def receive(world: World) -> Receive:
    """A function that orders and receives tests; it returns the ids of requisition and order."""
    lab = await world.create_person("Laboratory")

    async def receive_order(nurse: Person) -> dict[str, int]:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client), "GLU")
        answer = await world.http.post(
            f"{REQUISITIONS}/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
        )
        return {"requisition": requisition["id"], "order": answer.json()[0]["orderId"]}

    return receive_order


async def read_record(world: World, person: Person, path: str) -> dict:
    """Read a record."""
    return (await world.http.get(path, headers=person.headers)).json()


class TestSigning:
    """POST /orders/sign-multiple."""

    async def test_signs_order_and_requisition(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        first, second = [await receive(nurse) for _ in range(2)]
        answer = await sign_orders(world, nurse, second["order"], first["order"])
        assert answer.status_code == 200, answer.text
        assert [row["id"] for row in answer.json()["data"]] == [second["order"], first["order"]]
        for ids in (first, second):
            order = await read_record(world, nurse, f"{ORDERS}/{ids['order']}")
            requisition = await read_record(world, nurse, f"{REQUISITIONS}/{ids['requisition']}")
            assert order["hasSignature"] is requisition["hasSignature"] is True
            assert order["canSign"]["allowed"] is False
            assert order["canUnsign"]["allowed"] is True
            signature = await read_record(world, nurse, f"{ORDERS}/{ids['order']}/signature")
            assert signature == await read_record(
                world, nurse, f"{REQUISITIONS}/{ids['requisition']}/signature"
            )

    async def test_signs_all_orders_or_none(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        stranger_client = world.create_client()
        stranger = await world.create_person("Client Basic", client_ids=[stranger_client])
        stranger.client = stranger_client
        own, foreign = await receive(nurse), await receive(stranger)
        answers = [
            await sign_orders(world, nurse, own["order"], other)
            for other in (foreign["order"], foreign["order"] + 1_000_000)
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].content == answers[1].content
        order = await read_record(world, nurse, f"{ORDERS}/{own['order']}")
        assert order["hasSignature"] is False

    @pytest.mark.parametrize("status", [OrderStatus.FINAL, OrderStatus.CANCELED])
    async def test_rejects_orders_that_are_final_or_canceled_on_both_paths(
        self, world: World, nurse: Person, receive: Receive, status: OrderStatus
    ) -> None:
        ids = await receive(nurse)
        world.run_sql(
            "UPDATE orders SET status = %s WHERE id = %s RETURNING id", (status, ids["order"])
        )
        reason = messages.ORDER_SIGNATURE_CLOSED.split("{code}")[1].format(status=status.name)
        answer = await sign_orders(world, nurse, ids["order"])
        assert answer.status_code == 409
        assert answer.json()["detail"].endswith(reason)
        other_answer = await world.http.post(
            f"{REQUISITIONS}/sign-multiple",
            headers=(await world.sign_in(nurse)).headers,
            json={"image": SIGNATURE, "requisitionsIds": [ids["requisition"]]},
        )
        assert (other_answer.status_code, other_answer.json()["detail"]) == (
            409,
            answer.json()["detail"],
        )
        order = await read_record(world, nurse, f"{ORDERS}/{ids['order']}")
        assert order["canSign"] == {"allowed": False, "reason": answer.json()["detail"]}

    async def test_does_not_sign_orders_that_changed_since_they_were_shown(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        ids = [(await receive(nurse))["order"] for _ in range(2)]
        orders = [await read_record(world, nurse, f"{ORDERS}/{i}") for i in ids]
        shown_versions = {order["id"]: order["version"] for order in orders}
        world.run_sql(
            "UPDATE orders SET version = version + 1 WHERE id = %s RETURNING id", (ids[1],)
        )
        stale_answer = await sign_orders(world, nurse, *ids, versions=shown_versions)
        message = messages.ORDER_CHANGED.format(code=orders[1]["codeValue"])
        problem = stale_answer.json()
        assert (stale_answer.status_code, problem.get("detail")) == (412, message)
        assert [error["field"] for error in problem["errors"]] == [f"versions.{ids[1]}"]
        for order_id in ids:
            order = await read_record(world, nurse, f"{ORDERS}/{order_id}")
            assert order["hasSignature"] is False
        shown_versions[ids[1]] += 1
        answer = await sign_orders(world, nurse, *ids, versions=shown_versions)
        assert answer.status_code == 200, answer.text

    async def test_names_all_orders_that_changed_since_they_were_shown(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        ids = [(await receive(nurse))["order"] for _ in range(7)]
        orders = [await read_record(world, nurse, f"{ORDERS}/{i}") for i in ids]
        shown_versions = {order["id"]: order["version"] for order in orders}
        codes = [order["codeValue"] for order in orders]
        for changed_count, names in (
            (2, f"{codes[0]}, {codes[1]}"),
            (7, f"{', '.join(codes[:5])} and 2 more"),
        ):
            world.run_sql(
                "UPDATE orders SET version = version + 1 WHERE id = ANY(%s)", (ids[:changed_count],)
            )
            answer = await sign_orders(world, nurse, *ids, versions=shown_versions)
            problem = answer.json()
            assert answer.status_code == 412
            assert problem["detail"] == messages.ORDERS_CHANGED.format(codes=names)
            assert [error["field"] for error in problem["errors"]] == [
                f"versions.{i}" for i in ids[:changed_count]
            ]
        for order_id in ids:
            order = await read_record(world, nurse, f"{ORDERS}/{order_id}")
            assert order["hasSignature"] is False

    async def test_names_the_order_that_is_already_signed(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        signed, other = [(await receive(nurse))["order"] for _ in range(2)]
        await sign_orders(world, nurse, signed)
        answer = await sign_orders(world, nurse, other, signed)
        order = await read_record(world, nurse, f"{ORDERS}/{signed}")
        reason = messages.ORDER_ALREADY_SIGNED.format(code=order["codeValue"])
        assert (answer.status_code, answer.json()["detail"]) == (409, reason)
        assert order["canSign"]["reason"] == reason
        order = await read_record(world, nurse, f"{ORDERS}/{other}")
        assert order["hasSignature"] is False

    async def test_rejects_missing_ids_and_images(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        answer = await sign_orders(world, nurse)
        [error] = answer.json()["errors"]
        assert (error["field"], error["message"]) == ("ordersIds", messages.VALUE_REQUIRED)
        ids = await receive(nurse)
        await world.sign_in(nurse)
        answer = await world.http.post(
            f"{ORDERS}/sign-multiple", headers=nurse.headers, json={"ordersIds": [ids["order"]]}
        )
        assert answer.status_code == 400

    async def test_audits_the_signed_orders(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        ids = await receive(nurse)
        await sign_orders(world, nurse, ids["order"])
        rows = world.fetch_rows(
            "SELECT action FROM audit_events WHERE kind = 'order' AND %s = ANY(record_ids)"
            " AND action = 'sign'",
            (ids["order"],),
        )
        assert len(rows) == 1


class TestUnsigning:
    """POST /orders/{id}/unsign."""

    async def test_removes_own_signature_from_both(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        ids = await receive(nurse)
        await sign_orders(world, nurse, ids["order"])
        answer = await unsign_order(world, nurse, ids["order"])
        assert answer.status_code == 200, answer.text
        assert answer.json()["hasSignature"] is False
        assert answer.json()["canSign"]["allowed"] is True
        requisition = await read_record(world, nurse, f"{REQUISITIONS}/{ids['requisition']}")
        assert requisition["hasSignature"] is False

    async def test_keeps_the_signature_of_another_user(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        ids = await receive(nurse)
        await sign_orders(world, nurse, ids["order"])
        colleague = await world.create_person("Client Admin", client_ids=[nurse.client])
        answer = await unsign_order(world, colleague, ids["order"])
        assert answer.status_code == 409
        assert (await read_record(world, nurse, f"{ORDERS}/{ids['order']}"))["hasSignature"] is True

    async def test_rejects_another_version_of_the_order(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        ids = await receive(nurse)
        await sign_orders(world, nurse, ids["order"])
        answer = await unsign_order(world, nurse, ids["order"], **{"If-Match": '"9"'})
        assert answer.status_code == 412

    async def test_rejects_an_order_that_changes_while_it_waits_for_the_lock(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        ids = await receive(nurse)
        await sign_orders(world, nurse, ids["order"])
        shown_order = await read_record(world, nurse, f"{ORDERS}/{ids['order']}")
        answer = await world.commit_meanwhile(
            "WITH locked AS (SELECT id FROM requisitions WHERE id = %s FOR UPDATE)"
            " UPDATE orders SET version = version + 1 FROM locked"
            " WHERE orders.requisition_id = locked.id",
            (ids["requisition"],),
            unsign_order(world, nurse, ids["order"], **{"If-Match": f'"{shown_order["version"]}"'}),
        )
        assert answer.status_code == 412
        order = await read_record(world, nurse, f"{ORDERS}/{ids['order']}")
        assert order["hasSignature"] is True


class TestUnsigningSeveral:
    """POST /orders/unsign-multiple."""

    async def unsign(
        self, world: World, person: Person, *ids: int, versions: dict[int, int] | None = None
    ):
        """Sign in again, remove these signatures, and return the response."""
        await world.sign_in(person)
        body = {"ordersIds": list(ids)} | ({"versions": versions} if versions else {})
        return await world.http.post(f"{ORDERS}/unsign-multiple", headers=person.headers, json=body)

    async def test_removes_own_signatures(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        ids = [(await receive(nurse))["order"] for _ in range(2)]
        await sign_orders(world, nurse, *ids)
        answer = await self.unsign(world, nurse, *reversed(ids))
        assert answer.status_code == 200, answer.text
        assert [row["id"] for row in answer.json()["data"]] == [*reversed(ids)]
        for order_id in ids:
            order = await read_record(world, nurse, f"{ORDERS}/{order_id}")
            assert order["hasSignature"] is False
        rows = world.fetch_rows(
            "SELECT record_ids FROM audit_events WHERE kind = 'order' AND action = 'unsign'"
            " AND %s = ANY(record_ids)",
            (ids[0],),
        )
        assert rows == [([*reversed(ids)],)]

    async def test_removes_all_signatures_or_none(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        own, colleagues_order, unsigned_order = [(await receive(nurse))["order"] for _ in range(3)]
        colleague = await world.create_person("Client Admin", client_ids=[nurse.client])
        await sign_orders(world, nurse, own)
        await sign_orders(world, colleague, colleagues_order)
        for other, text in (
            (colleagues_order, messages.ORDER_SIGNED_BY_OTHER),
            (unsigned_order, messages.ORDER_NOT_SIGNED),
        ):
            answer = await self.unsign(world, nurse, own, other)
            order = await read_record(world, nurse, f"{ORDERS}/{other}")
            detail = text.format(code=order["codeValue"])
            assert (answer.status_code, answer.json()["detail"]) == (409, detail)
        missing_answer = await self.unsign(world, nurse, own, unsigned_order + 1_000_000)
        assert missing_answer.status_code == 404
        assert (await self.unsign(world, nurse)).json()["errors"][0]["field"] == "ordersIds"
        assert (await read_record(world, nurse, f"{ORDERS}/{own}"))["hasSignature"] is True

    async def test_rejects_orders_that_changed_since_they_were_shown(
        self, world: World, nurse: Person, receive: Receive
    ) -> None:
        ids = [(await receive(nurse))["order"] for _ in range(2)]
        await sign_orders(world, nurse, *ids)
        orders = [await read_record(world, nurse, f"{ORDERS}/{i}") for i in ids]
        shown_versions = {order["id"]: order["version"] for order in orders}
        world.run_sql(
            "UPDATE orders SET version = version + 1 WHERE id = %s RETURNING id", (ids[1],)
        )
        stale_answer = await self.unsign(world, nurse, *ids, versions=shown_versions)
        message = messages.ORDER_CHANGED.format(code=orders[1]["codeValue"])
        problem = stale_answer.json()
        assert (stale_answer.status_code, problem["detail"]) == (412, message)
        assert [error["field"] for error in problem["errors"]] == [f"versions.{ids[1]}"]
        for order_id in ids:
            order = await read_record(world, nurse, f"{ORDERS}/{order_id}")
            assert order["hasSignature"] is True
        shown_versions[ids[1]] += 1
        answer = await self.unsign(world, nurse, *ids, versions=shown_versions)
        assert answer.status_code == 200, answer.text
