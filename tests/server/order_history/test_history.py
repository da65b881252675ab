"""The history of orders: the details report, and who received results before a correction."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from app.server.drawing_pool import Drawing
from tests.server.orders.practice import ORDERS, Practice, open_practice
from tests.server.paperwork.reading import extract_text
from tests.server.requisitions.builders import SIGNATURE
from tests.server.results.clinical.bench import Bench
from tests.server.world import World

DETAILS = "/api/v2/reports/order/details"
_ROLE_NAMES = {"nurse": "Client Basic", "physician": "Physician", "patient": "Patient"}


@pytest.fixture
async def practice(world: World) -> Practice:
    """A client with an order of glucose and potassium."""
    return await open_practice(world)


def build_bench(practice: Practice) -> Bench:
    """Return the practice's first order on the lab's bench."""
    people, order_id = practice.people, practice.orders[0]["orderId"]
    return Bench(practice.world, people["lab"], people["nurse"], order_id)


async def release_values(bench: Bench, **values: str) -> None:
    """Enter values, and release them."""
    answer = await bench.enter(**values)
    assert answer.status_code == 200, answer.text
    answer = await bench.release(*values)
    assert answer.status_code == 200, answer.text


async def correct_values(bench: Bench, **values: str) -> None:
    """Correct released values, and release the corrections."""
    answer = await bench.correct(**values)
    assert answer.status_code == 200, answer.text
    answer = await bench.release(*values)
    assert answer.status_code == 200, answer.text


async def print_details(practice: Practice, role: str) -> str:
    """Return the text of the details report as this person, without line breaks."""
    answer = await practice.world.http.get(
        DETAILS,
        headers=practice.people[role].headers,
        params={"ids": practice.orders[0]["orderId"]},
    )
    assert answer.status_code == 200, answer.text
    return " ".join(extract_text(answer.content).split())


class TestDetails:
    """The order with its history."""

    async def test_says_who_received_signed_released_corrected_and_read_an_order(
        self, practice: Practice
    ) -> None:
        bench, world = build_bench(practice), practice.world
        doctor = await world.sign_in(practice.people["physician"])
        sign_answer = await world.http.post(
            f"{ORDERS}/sign-multiple",
            headers=doctor.headers,
            json={"image": SIGNATURE, "ordersIds": [bench.order_id]},
        )
        assert sign_answer.status_code == 200, sign_answer.text
        await release_values(bench, GLU="90", K="4.1")
        await practice.acknowledge("nurse", bench.order_id)
        await correct_values(bench, GLU="92")
        text = await print_details(practice, "nurse")
        order = await bench.read_order()
        for expected in (
            "ORDER DETAILS",
            order["codeValue"],
            order["requisitionCode"],
            "Ordered",
            "Received",
            "Signed Ada Tester",
            "Results released",
            "Acknowledged",
            "Result corrected",
            "Results were released afterwards",
        ):
            assert expected in text, expected
        # Names of tests and people, but no values.
        assert "4.1" not in text

    async def test_steps_of_one_second_have_their_natural_order(self, practice: Practice) -> None:
        order_id = practice.orders[0]["orderId"]
        practice.world.run_sql(
            "UPDATE requisitions r SET created_at ="
            " (o.received_at + interval '0.9 seconds') AT TIME ZONE 'America/Chicago'"
            " FROM orders o WHERE o.id = %s AND r.id = o.requisition_id RETURNING 1",
            (order_id,),
        )
        history = (await print_details(practice, "nurse")).partition("HISTORY")[2]
        assert history.index("Ordered") < history.index("Received")

    async def test_describes_tests_as_the_order_page_does(self, practice: Practice) -> None:
        bench = build_bench(practice)
        await release_values(bench, GLU="90")
        await bench.enter(K="4.1")
        await bench.post("withhold", "GLU", kind="withdrawn", reason="SPECIMEN")
        nurse_text = await print_details(practice, "nurse")
        assert "GLUCOSE WITHDRAWN" in nurse_text
        assert "POTASSIUM PENDING" in nurse_text
        assert "UNRELEASED" not in nurse_text.partition("TESTS")[2]
        lab_text = await print_details(practice, "lab")
        assert "GLUCOSE WITHDRAWN" in lab_text
        assert "POTASSIUM UNRELEASED" in lab_text

    async def test_only_the_lab_reads_who_placed_and_lifted_a_hold(
        self, practice: Practice
    ) -> None:
        bench = build_bench(practice)
        await bench.post("holds", "K", reason="CONTROL", words="2-2s")
        [hold] = (await bench.get_row("K"))["holds"]
        answer = await practice.world.http.post(
            f"{bench.path}/holds/{hold['id']}/lift",
            headers=bench.lab.headers,
            json={"words": "New control"},
        )
        assert answer.status_code == 200, answer.text
        lab_text = await print_details(practice, "lab")
        for line in (
            "Test on hold Ada Tester POTASSIUM: Control out of range, 2-2s",
            "Hold lifted Ada Tester POTASSIUM: New control",
        ):
            assert line in lab_text
        for role in ("nurse", "physician", "patient"):
            text = await print_details(practice, role)
            assert "New control" not in text and "2-2s" not in text, role

    async def test_patients_see_no_names_of_the_labs_people(self, practice: Practice) -> None:
        bench = build_bench(practice)
        await release_values(bench, GLU="90")
        await practice.acknowledge("nurse", bench.order_id)
        text = await print_details(practice, "patient")
        assert "Results released" in text
        assert "Acknowledged" not in text
        assert "Ada Tester" not in text

    async def test_a_foreign_order_is_not_found(self, practice: Practice, world: World) -> None:
        other = await open_practice(world)
        ids = [practice.orders[0]["orderId"], other.orders[0]["orderId"]]
        answer = await world.http.post(
            DETAILS, headers=practice.people["nurse"].headers, json={"ids": ids}
        )
        assert answer.status_code == 404

    async def test_is_audited(self, practice: Practice) -> None:
        await print_details(practice, "nurse")
        rows = practice.world.fetch_rows(
            "SELECT detail FROM audit_events WHERE kind = 'order' AND action = 'print'"
            " AND record_ids = %s::bigint[]",
            ([practice.orders[0]["orderId"]],),
        )
        assert rows == [({"report": "details"},)]


class TestEarlierRecipients:
    """GET /api/v2/orders/{id}/earlier-recipients."""

    async def read(self, practice: Practice, role: str = "lab"):
        """Return who received the results before their last correction."""
        return await practice.world.http.get(
            f"{ORDERS}/{practice.orders[0]['orderId']}/earlier-recipients",
            headers=practice.people[role].headers,
        )

    async def test_lists_who_read_and_printed_before_the_correction(
        self, practice: Practice
    ) -> None:
        bench, world = build_bench(practice), practice.world
        await release_values(bench, GLU="90")
        await bench.read_results(practice.people["nurse"])
        await world.http.get(
            "/api/v2/reports/order/results",
            headers=practice.people["lab"].headers,
            params={"ids": bench.order_id},
        )
        await correct_values(bench, GLU="120")
        answer = await self.read(practice)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        assert body["correctedAt"]
        assert len(body["tests"]) == 1
        acts = {(row["role"], row["act"]): row["hasCurrent"] for row in body["recipients"]}
        assert acts == {("Client Basic", "read"): False, ("Laboratory", "print"): False}

    async def test_names_everybody_who_printed_the_old_result_during_the_correction(
        self, practice: Practice
    ) -> None:
        bench, people = build_bench(practice), practice.people
        await release_values(bench, GLU="90")

        async def print_results(role: str) -> bool:
            """Print the results, and return whether the print has the correction."""
            answer = await practice.world.http.get(
                "/api/v2/reports/order/results",
                headers=people[role].headers,
                params={"ids": bench.order_id},
            )
            text = " ".join(extract_text(answer.content).split())
            assert ("120 (corrected)" in text) == ("was 90" in text) == ("CORRECTED" in text)
            return "was 90" in text

        roles = ("nurse", "physician", "patient")
        *are_current, _ = await asyncio.gather(
            *(print_results(role) for role in roles), correct_values(bench, GLU="120")
        )
        rows = (await self.read(practice)).json()["recipients"]
        listed_roles = {row["role"] for row in rows}
        for role, is_current in zip(roles, are_current, strict=True):
            assert is_current or _ROLE_NAMES[role] in listed_roles
        assert all([await print_results(role) for role in roles])

    async def test_names_who_began_to_print_before_the_correction_and_ended_after_it(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        practice = await open_practice(world, 2)
        bench, nurse = build_bench(practice), practice.people["nurse"]
        await release_values(bench, GLU="90")
        await bench.read_results(nurse)
        monkeypatch.setattr("app.server.paperwork.service.report.BATCH", 1)
        batches: list[Sequence[Any]] = []
        add = Drawing.add

        async def correct_and_add(drawing: Drawing[Any], pages: Sequence[Any]) -> None:
            """Correct the result of the first batch, before it is drawn."""
            if not batches:
                await correct_values(bench, GLU="120")
            batches.append(pages)
            await add(drawing, pages)

        monkeypatch.setattr(Drawing, "add", correct_and_add)
        answer = await world.http.post(
            "/api/v2/reports/order/results/stream",
            headers=nurse.headers,
            json={"ids": [order["orderId"] for order in practice.orders]},
        )
        assert "event: done" in answer.text
        assert len(batches) == 2
        assert any(line.value == "90" for line in batches[0][0].results)
        # The other reports take an hour to draw.
        world.fetch_rows(
            "UPDATE audit_events SET at = at + interval '1 hour' WHERE action = 'print'"
            " AND record_ids @> %s::bigint[] RETURNING id",
            ([bench.order_id],),
        )
        rows = (await self.read(practice)).json()["recipients"]
        assert {row["act"]: row["hasCurrent"] for row in rows} == {"read": False, "print": False}

    async def test_says_who_also_got_the_correction(self, practice: Practice) -> None:
        bench, world = build_bench(practice), practice.world
        await release_values(bench, GLU="90")
        await bench.read_results(practice.people["nurse"])
        await bench.read_results(practice.people["physician"])
        await correct_values(bench, GLU="120")
        # An hour passes until the nurse reads again.
        world.fetch_rows(
            "UPDATE results SET released_at = released_at - interval '1 hour'"
            " WHERE order_id = %s RETURNING id",
            (bench.order_id,),
        )
        world.fetch_rows(
            "UPDATE audit_events SET at = at - interval '1 hour' WHERE record_ids = %s::bigint[]"
            " AND kind IN ('order', 'order-results') RETURNING id",
            ([bench.order_id],),
        )
        await bench.read_results(practice.people["nurse"])
        rows = (await self.read(practice)).json()["recipients"]
        assert {row["role"]: row["hasCurrent"] for row in rows} == {
            "Client Basic": True,
            "Physician": False,
        }

    async def test_is_empty_without_a_correction(self, practice: Practice) -> None:
        bench = build_bench(practice)
        await release_values(bench, GLU="90")
        await bench.read_results(practice.people["nurse"])
        body = (await self.read(practice)).json()
        assert body == {"correctedAt": None, "withheld": None, "tests": [], "recipients": []}

    @pytest.mark.parametrize("kind", ["review", "withdrawn"])
    async def test_lists_who_got_a_withheld_result(self, practice: Practice, kind: str) -> None:
        bench = build_bench(practice)
        await release_values(bench, GLU="90")
        await bench.read_results(practice.people["nurse"])
        await bench.post("withhold", "GLU", kind=kind, reason="SPECIMEN")
        body = (await self.read(practice)).json()
        assert (body["withheld"], body["tests"]) == (kind, ["GLUCOSE"])
        assert body["correctedAt"]
        assert [(row["role"], row["act"]) for row in body["recipients"]] == [
            ("Client Basic", "read")
        ]

    async def test_is_for_the_lab_only(self, practice: Practice) -> None:
        for role in ("nurse", "physician", "patient"):
            assert (await self.read(practice, role)).status_code == 403

    async def test_rejects_an_invalid_time(self, practice: Practice) -> None:
        answer = await practice.world.http.get(
            f"{ORDERS}/{practice.orders[0]['orderId']}/earlier-recipients",
            headers=practice.people["lab"].headers,
            params={"since": "yesterday"},
        )
        assert answer.status_code == 400
