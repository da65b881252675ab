"""Totals that are not counted again for a minute (ADR 20)."""

import time
from types import SimpleNamespace

import pytest

from tests.server.world import World

LIST = "/api/v2/requisitions/remote-operations"


class TestCappedTotals:
    """Totals that reached the cap, for people who see all clients."""

    async def test_counts_a_capped_total_again_after_a_minute(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        client = world.create_client()
        patient = world.create_patient(client)
        technician = await world.create_person("Laboratory")
        world.run_sql(
            "INSERT INTO requisitions (code, client_id, patient_id, patient_last_name,"
            " patient_first_name, patient_birth_date, patient_gender, status, collection_date,"
            " fasting, priority, bill_to) SELECT 'C' || %s || '-' || n, %s, %s, 'A', 'B',"
            " '1990-01-01', 'MALE', 1, '2026-01-01', 0, 'ROUTINE', 0"
            " FROM generate_series(1, 10001) n",
            (client, client, patient),
        )
        now = time.monotonic()
        monkeypatch.setattr("app.server.lists.capped.time", SimpleNamespace(monotonic=lambda: now))

        async def fetch_row_count_and_total(**query: str) -> tuple[int, int]:
            params = {"client": str(client), **query}
            answer = await world.http.get(LIST, headers=technician.headers, params=params)
            body = answer.json()
            return len(body["data"]), body["totalCount"]

        assert await fetch_row_count_and_total() == (20, 10_001)
        world.run_sql(
            "DELETE FROM requisitions WHERE client_id = %s AND code NOT LIKE '%%-7'", (client,)
        )
        assert await fetch_row_count_and_total() == (1, 10_001)
        # Other filters and other scopes are counted separately.
        assert await fetch_row_count_and_total(status="1") == (1, 1)
        nurse = await world.create_person("Client Basic", client_ids=[client])
        assert (await world.http.get(LIST, headers=nurse.headers)).json()["totalCount"] == 1
        now += 61
        assert await fetch_row_count_and_total() == (1, 1)
