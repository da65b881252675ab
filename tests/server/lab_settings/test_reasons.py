"""The lab's lists of reasons."""

from app.contract.enumerations import ReasonKind
from tests.server.accounts.builders import Person
from tests.server.world import World


class TestReasons:
    """GET /api/v2/reasons."""

    async def test_lists_the_reasons_of_a_kind_in_the_order_of_the_lab(
        self, world: World, nurse: Person
    ) -> None:
        for kind in ReasonKind:
            answer = await world.http.get(
                "/api/v2/reasons", headers=nurse.headers, params={"kind": kind}
            )
            rows = world.fetch_rows(
                "SELECT code, words FROM reasons WHERE kind = %s AND active"
                " ORDER BY position, code",
                (kind,),
            )
            assert rows
            assert answer.json() == [{"code": code, "words": words} for code, words in rows]

    async def test_rejects_unknown_kinds(self, world: World, nurse: Person) -> None:
        answer = await world.http.get(
            "/api/v2/reasons", headers=nurse.headers, params={"kind": "mood"}
        )
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "kind"
