"""The comment on an order: who writes and reads it, and what a late change means (ADR 97)."""

from typing import Any

import httpx
import psycopg
import pytest

from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import ORDER_COMMENT_MAX_LENGTH
from tests.server.accounts.builders import Person
from tests.server.paperwork.reading import extract_text
from tests.server.results.clinical.bench import Bench, receive_order
from tests.server.world import World

TEXT = "Sample was hemolyzed; potassium may be too high."


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order of potassium, which the lab has just received."""
    return await receive_order(world, "K")


async def write_comment(
    bench: Bench, comment: str | None, version: int | None = None, person: Person | None = None
) -> httpx.Response:
    """Write the comment on the order."""
    headers = {**(person or bench.lab).headers}
    if version is not None:
        headers["If-Match"] = f'"{version}"'
    return await bench.world.http.put(
        f"{bench.path}/report-comment", headers=headers, json={"comment": comment}
    )


async def read_order(bench: Bench, person: Person) -> dict[str, Any]:
    """Read the order as a person."""
    answer = await bench.world.http.get(bench.path, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def print_document(bench: Bench, document: str, person: Person) -> str:
    """Print a document of the order, and return its text."""
    answer = await bench.world.http.get(
        f"/api/v2/reports/order/{document}",
        headers=person.headers,
        params={"ids": bench.order_id},
    )
    assert answer.status_code == 200, answer.text
    return " ".join(extract_text(answer.content).split())


async def release_potassium(bench: Bench) -> None:
    """Release the result of the order, and acknowledge it as the nurse."""
    await bench.enter(K="4.0")
    assert (await bench.release()).status_code == 200
    answer = await bench.world.http.put(
        "/api/v2/orders/acknowledge",
        headers=bench.nurse.headers,
        params={"ids": bench.order_id, "username": "Tester, Ada"},
        json={},
    )
    assert answer.status_code == 200, answer.text


class TestWriting:
    """PUT /orders/{id}/report-comment."""

    async def test_readers_see_it_at_once(self, bench: Bench) -> None:
        version = (await bench.read_order())["version"]
        answer = await write_comment(bench, f"  {TEXT} ", version)
        assert answer.status_code == 200, answer.text
        assert (answer.json()["reportComment"], answer.json()["version"]) == (TEXT, version + 1)
        assert answer.headers["ETag"] == f'"{version + 1}"'
        order = await bench.read_order()
        assert (order["reportComment"], order["commentChange"]) == (TEXT, None)
        assert TEXT in await print_document(bench, "results", bench.nurse)
        assert (await bench.read_entry())["reportComment"] == TEXT

    async def test_a_comment_before_the_release_reopens_nothing(self, bench: Bench) -> None:
        await write_comment(bench, TEXT)
        order = await bench.read_order()
        assert (order["isUnread"], order["reopened"]) == (False, None)

    async def test_the_same_text_changes_nothing(self, bench: Bench) -> None:
        await write_comment(bench, TEXT)
        version = (await bench.read_order())["version"]
        answer = await write_comment(bench, TEXT, version)
        assert answer.json()["version"] == version
        rows = bench.world.fetch_rows(
            "SELECT comment FROM order_comments WHERE order_id = %s", (bench.order_id,)
        )
        assert rows == [(TEXT,)]

    @pytest.mark.parametrize("empty", [None, "", "  \n "])
    async def test_an_empty_comment_removes_it(self, bench: Bench, empty: str | None) -> None:
        await write_comment(bench, TEXT)
        assert (await write_comment(bench, empty)).status_code == 200
        assert (await bench.read_order())["reportComment"] is None
        assert "Comments" not in await print_document(bench, "results", bench.nurse)

    async def test_a_stale_version_changes_nothing(self, bench: Bench) -> None:
        version = (await bench.read_order())["version"]
        await write_comment(bench, TEXT, version)
        answer = await write_comment(bench, "Another text", version)
        assert (answer.status_code, answer.json()["code"]) == (412, "stale_version")
        assert (await bench.read_order())["reportComment"] == TEXT

    async def test_does_not_replace_a_comment_written_while_it_waits_for_the_lock(
        self, bench: Bench
    ) -> None:
        version = (await bench.read_order())["version"]
        answer = await bench.world.commit_meanwhile(
            "UPDATE orders SET report_comment = %s, version = version + 1 WHERE id = %s",
            (TEXT, bench.order_id),
            write_comment(bench, "Another text", version),
        )
        assert (answer.status_code, answer.json()["code"]) == (412, "stale_version")
        assert (await bench.read_order())["reportComment"] == TEXT

    async def test_a_longer_comment_is_rejected(self, bench: Bench) -> None:
        longest = "x" * ORDER_COMMENT_MAX_LENGTH
        assert (await write_comment(bench, longest)).status_code == 200
        answer = await write_comment(bench, f"{longest}x")
        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == ["comment"]
        assert (await bench.read_order())["reportComment"] == longest

    @pytest.mark.parametrize("role", [Role.CLIENT_ADMIN, Role.CLIENT_BASIC, Role.PHYSICIAN])
    async def test_only_people_who_release_results_write_it(self, bench: Bench, role: Role) -> None:
        client_id = bench.world.run_sql(
            "SELECT client_id FROM orders WHERE id = %s", (bench.order_id,)
        )
        scope: dict[str, Any] = {"client_ids": [client_id]}
        if role is Role.PHYSICIAN:
            scope = {"physician_ids": [bench.world.create_physician(client_id)]}
        person = await bench.world.create_person(role, **scope)
        assert (await write_comment(bench, TEXT, person=person)).status_code == 403
        assert (await bench.read_order())["reportComment"] is None

    async def test_a_superuser_writes_it(self, bench: Bench) -> None:
        superuser = await bench.world.create_person(Role.SUPERUSER)
        assert (await write_comment(bench, TEXT, person=superuser)).status_code == 200

    async def test_a_nonexistent_order_is_not_found(self, bench: Bench) -> None:
        answer = await bench.world.http.put(
            "/api/v2/orders/999999999/report-comment",
            headers=bench.lab.headers,
            json={"comment": TEXT},
        )
        assert answer.status_code == 404

    async def test_a_canceled_order_keeps_its_comment(self, bench: Bench) -> None:
        await write_comment(bench, TEXT)
        canceled_answer = await bench.post("cancel", reason="DUPLICATE")
        assert canceled_answer.status_code == 200, canceled_answer.text
        answer = await write_comment(bench, "Another text")
        assert (answer.status_code, answer.json()["code"]) == (409, "order_read_only")
        assert (await bench.read_order())["reportComment"] == TEXT

    async def test_is_audited_without_its_text(self, bench: Bench) -> None:
        await write_comment(bench, TEXT)
        await write_comment(bench, None)
        rows = bench.world.fetch_rows(
            "SELECT action, detail, user_id::text FROM audit_events WHERE kind = 'order' "
            "AND record_ids = ARRAY[%s::bigint] AND action LIKE '%%comment' ORDER BY id",
            (bench.order_id,),
        )
        expected = {"afterRelease": False}
        assert rows == [
            ("comment", expected, bench.lab.user_id),
            ("remove-comment", expected, bench.lab.user_id),
        ]


class TestLateChanges:
    """A comment that is written or changed after results were released."""

    async def test_opens_the_acknowledgment_again(self, bench: Bench) -> None:
        await release_potassium(bench)
        assert (await bench.read_order())["isUnread"] is False
        await write_comment(bench, TEXT)
        order = await bench.read_order()
        assert (order["isUnread"], order["isUnreadByPhysician"]) == (True, True)
        assert order["reopened"]["kind"] == "comment"

    async def test_says_who_changed_it_and_when(self, bench: Bench) -> None:
        await write_comment(bench, "First text")
        await release_potassium(bench)
        await write_comment(bench, TEXT)
        change = (await bench.read_order())["commentChange"]
        assert change["changedBy"] == "Ada Tester"
        bench.world.run_sql(
            "UPDATE orders SET comment_changed_at = '2026-03-04 09:15' WHERE id = %s",
            (bench.order_id,),
        )
        note = messages.ORDER_COMMENT_CHANGED_BY.format(
            at="03/04/2026 09:15 AM", person="Ada Tester"
        )
        assert note in await print_document(bench, "results", bench.nurse)

    async def test_names_nobody_to_patients(self, bench: Bench) -> None:
        await release_potassium(bench)
        await write_comment(bench, TEXT)
        patient_id = (await bench.read_order())["patient"]["id"]
        patient = await bench.world.create_person(Role.PATIENT, patient_ids=[patient_id])
        order = await read_order(bench, patient)
        assert (order["reportComment"], order["commentChange"]["changedBy"]) == (TEXT, None)
        for document in ("results", "details"):
            assert "Ada Tester" not in await print_document(bench, document, patient)

    async def test_the_details_have_every_version_for_the_lab_alone(self, bench: Bench) -> None:
        await write_comment(bench, "First text")
        await release_potassium(bench)
        await write_comment(bench, TEXT)
        text = await print_document(bench, "details", bench.lab)
        assert "First text" in text
        assert text.count("Comment written") == 2
        text = await print_document(bench, "details", bench.nurse)
        assert "First text" not in text
        assert text.count("Comment changed") == 1


class TestEarlierComments:
    """GET /orders/{id}/report-comments."""

    async def test_lists_them_newest_first(self, bench: Bench) -> None:
        for comment in ("First text", TEXT, None):
            await write_comment(bench, comment)
        answer = await bench.world.http.get(
            f"{bench.path}/report-comments", headers=bench.lab.headers
        )
        assert answer.status_code == 200, answer.text
        rows = [(row["comment"], row["writtenBy"]) for row in answer.json()]
        assert rows == [(None, "Ada Tester"), (TEXT, "Ada Tester"), ("First text", "Ada Tester")]

    async def test_readers_outside_the_lab_see_none(self, bench: Bench) -> None:
        await write_comment(bench, TEXT)
        answer = await bench.world.http.get(
            f"{bench.path}/report-comments", headers=bench.nurse.headers
        )
        assert answer.status_code == 403
        with (
            psycopg.connect(bench.world.owner_url) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute("SET LOCAL ROLE as_client")
            connection.execute("SELECT 1 FROM order_comments")
