"""Who is billed, changed for one or many at once."""

import pytest

from tests.server.world import World

BASE = "/api/v2/requisitions"


class TestChangeBillTo:
    """PUT change-bill-to."""

    async def test_changes_many_by_body_or_query(self, world: World, nurse, patient) -> None:
        made = [await world.requisition(nurse, patient) for _ in range(3)]
        ids = [each["id"] for each in made]
        answer = await world.http.put(
            f"{BASE}/change-bill-to",
            headers=nurse.headers,
            json={
                "billTo": "Patient",
                "ids": ids,
                "versions": {str(each["id"]): each["version"] for each in made},
            },
        )
        assert answer.status_code == 200
        assert answer.json() == {"data": [{"id": i, "version": 2} for i in ids]}
        answer = await world.http.put(
            f"{BASE}/change-bill-to",
            headers=nurse.headers,
            params={"billTo": "insurance", "ids": ids[:2]},
        )
        assert answer.status_code == 200
        kept = world.rows("SELECT bill_to FROM requisitions WHERE id = ANY(%s) ORDER BY id", (ids,))
        assert [row[0] for row in kept] == [0, 0, 2]

    async def test_what_the_body_leaves_out_is_taken_from_the_query(
        self, world: World, nurse, patient
    ) -> None:
        one, two = [(await world.requisition(nurse, patient))["id"] for _ in range(2)]
        for query, body, changed in (
            ({"billTo": "Patient", "ids": one}, {}, one),
            ({"billTo": "Patient", "ids": one}, {"ids": [two]}, two),
            ({"ids": two}, {"billTo": "Patient"}, two),
            ({"billTo": "Client", "ids": two}, {"billTo": "Patient"}, two),
        ):
            world.sql("UPDATE requisitions SET bill_to = 0 WHERE id = ANY(%s)", ([one, two],))
            answer = await world.http.put(
                f"{BASE}/change-bill-to", headers=nurse.headers, params=query, json=body
            )
            assert answer.status_code == 200, (query, body, answer.text)
            billed = world.rows(
                "SELECT id FROM requisitions WHERE id = ANY(%s) AND bill_to = 2", ([one, two],)
            )
            assert billed == [(changed,)]

    async def test_one_that_stops_it_stops_all_and_is_named(
        self, world: World, problem_of, nurse, patient, cancel
    ) -> None:
        good, bad = [await world.requisition(nurse, patient) for _ in range(2)]
        await cancel(bad["id"])
        answer = await world.http.put(
            f"{BASE}/change-bill-to",
            headers=nurse.headers,
            json={"billTo": "Patient", "ids": [good["id"], bad["id"]]},
        )
        assert answer.status_code == 409
        assert bad["code"] in problem_of(answer)["detail"]
        assert world.sql("SELECT bill_to FROM requisitions WHERE id = %s", (good["id"],)) == 1

    async def test_one_that_changed_meanwhile_is_named(
        self, world: World, problem_of, nurse, patient
    ) -> None:
        first, second = [await world.requisition(nurse, patient) for _ in range(2)]
        answer = await world.http.put(
            f"{BASE}/change-bill-to",
            headers=nurse.headers,
            json={
                "billTo": "Patient",
                "ids": [first["id"], second["id"]],
                "versions": {first["id"]: first["version"], second["id"]: 99},
            },
        )
        assert answer.status_code == 412
        assert second["code"] in problem_of(answer)["detail"]
        assert world.sql("SELECT bill_to FROM requisitions WHERE id = %s", (first["id"],)) == 1

    async def test_a_foreign_one_is_one_that_is_not_there(
        self, world: World, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        other = world.client()
        stranger = await world.person("Client Basic", client_ids=[other])
        theirs = await world.requisition(stranger, world.patient(other))
        answers = [
            await world.http.put(
                f"{BASE}/change-bill-to",
                headers=nurse.headers,
                json={"billTo": "Patient", "ids": [saved["id"], wanted]},
            )
            for wanted in (theirs["id"], 999_999_999)
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].content == answers[1].content
        ids = [saved["id"], theirs["id"]]
        kept = world.rows("SELECT DISTINCT bill_to FROM requisitions WHERE id = ANY(%s)", (ids,))
        assert kept == [(1,)]

    @pytest.mark.parametrize(
        "body",
        [{"billTo": "Patient", "ids": []}, {"ids": [1]}, {"billTo": "None", "ids": [1]}, {}],
    )
    async def test_says_what_is_missing(self, world: World, nurse, body) -> None:
        answer = await world.http.put(f"{BASE}/change-bill-to", headers=nurse.headers, json=body)
        assert answer.status_code == 400
