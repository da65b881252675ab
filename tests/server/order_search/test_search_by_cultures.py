"""Conditions on cultures: specimens, organisms, marks, and antibiotics (ADR 114)."""

import json
from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.order_search.records import PATH, build_condition, join_conditions
from tests.server.order_search.test_export import OrderDesk
from tests.server.results import family_benches
from tests.server.results.family_benches import Bench, Case
from tests.server.results.microbiology.bench import build_organism
from tests.server.world import World

_READERS = ("superuser", "lab", "admin", "nurse", "doctor")
_COLUMNS = ["cultureSource", "cultureSite", "organism", "resistanceMark", "susceptibility"]
# Meropenem is suppressed unless the organism is resistant to ertapenem.
_COLI = {
    **build_organism(quantity="BOT1", CRO=">32", ETP="<=0.25", MEM="<=0.25", CIP="0.06"),
    "mark": "ESBL",
}
_BLOOD_CULTURE = Case(
    "microbiology",
    "BCUL",
    "microbiology-results",
    {"source": "BLOOD", "site": "RARM", "organisms": [_COLI]},
    {"source": "BLOOD", "findings": [{"code": "NG5"}], "reasonCode": "SPECIMEN"},
    words=("", ""),  # These tests do not read the texts.
)


def interpret(antibiotic: str, *interpretations: str, operator: str = "in") -> dict[str, Any]:
    """Build a condition on the interpretation of an antibiotic."""
    return build_condition("susceptibility", operator, list(interpretations), antibiotic=antibiotic)


FOUND = (
    build_condition("cultureSource", "=", "blood"),
    build_condition("cultureSite", "notNull"),
    build_condition("organism", "contains", "coli"),
    build_condition("resistanceMark", "=", "esbl"),
    interpret("CRO", "R", "I"),
    interpret("CIP", "R", "I", operator="notIn"),
)
"""Conditions that find the released culture."""
OPPOSITES = (
    build_condition("cultureSource", "!=", "blood"),
    build_condition("cultureSite", "null"),
    build_condition("organism", "doesNotContain", "coli"),
    build_condition("resistanceMark", "null"),
)
"""Conditions that find an order without the culture."""


async def search(world: World, person: Person, rule: Any, *columns: str) -> dict[int, Any]:
    """Return the rows that a condition finds, by the ids of the orders."""
    answer = await world.http.post(
        PATH,
        headers=person.headers,
        json={"query": join_conditions(rule), "columns": columns, "take": 100},
    )
    assert answer.status_code == 200, answer.text
    return {row["id"]: row for row in answer.json()["data"]}


async def find(bench: Bench, rule: Any) -> set[str]:
    """Return who finds the order."""
    return {
        name
        for name in _READERS
        if bench.order_id in await search(bench.world, bench.people[name], rule)
    }


async def show(bench: Bench, person: str) -> dict[str, Any]:
    """Return the order's columns of cultures, as a person sees them."""
    code = bench.world.run_sql("SELECT code FROM orders WHERE id = %s", (bench.order_id,))
    rule = build_condition("code", "=", code)
    return (await search(bench.world, bench.people[person], rule, *_COLUMNS))[bench.order_id]


@pytest.fixture
async def bench(world: World) -> Bench:
    """An order for a blood culture that is not entered yet, with readers of every role."""
    bench = await family_benches.receive_order(world, _BLOOD_CULTURE)
    client = bench.client
    physician = world.create_physician(client)
    world.run_sql("UPDATE orders SET physician_id = %s WHERE id = %s", (physician, bench.order_id))
    bench.people |= {
        "superuser": await world.create_person(Role.SUPERUSER),
        "admin": await world.create_person(Role.CLIENT_ADMIN, client_ids=[client]),
        "doctor": await world.create_person(Role.PHYSICIAN, physician_ids=[physician]),
    }
    return bench


class TestReleased:
    """A released culture."""

    async def test_is_found_and_shown_by_all_its_parts(self, bench: Bench) -> None:
        await bench.enter(_BLOOD_CULTURE.first)
        for rule in FOUND:
            assert await find(bench, rule) == set(), rule
        assert (await bench.release()).status_code == 200
        for rule in FOUND:
            assert await find(bench, rule) == set(_READERS), rule
        for rule in OPPOSITES:
            assert await find(bench, rule) == set(), rule
        for person in _READERS:
            row = await show(bench, person)
            assert row["organism"] == ["Escherichia coli"]
            assert row["resistanceMark"] == ["ESBL"]
            assert row["cultureSource"] == ["Blood"]
            assert len(row["cultureSite"]) == 1
            assert "Escherichia coli: " in row["susceptibility"]
            assert "Ceftriaxone R" in row["susceptibility"]

    async def test_a_suppressed_antibiotic_exists_for_nobody(self, bench: Bench) -> None:
        await bench.publish(_BLOOD_CULTURE.first)
        suppressed = bench.world.run_sql(
            "SELECT s.interpretation FROM culture_susceptibilities s JOIN cultures c "
            "ON c.id = s.culture_id WHERE c.order_id = %s AND s.antibiotic = 'MEM' "
            "AND s.is_suppressed",
            (bench.order_id,),
        )
        assert suppressed == "S"
        for operator in ("in", "notIn"):
            for interpretations in (("S",), ("R", "I", "SDD", "NS")):
                rule = interpret("MEM", *interpretations, operator=operator)
                assert await find(bench, rule) == set(), rule
        for person in _READERS:
            assert "Meropenem" not in json.dumps(await show(bench, person))

    @pytest.mark.parametrize("person", ["lab", "nurse"])
    async def test_a_suppressed_antibiotic_is_in_no_file(self, bench: Bench, person: str) -> None:
        await bench.publish(_BLOOD_CULTURE.first)
        desk = OrderDesk(bench.world)
        code = bench.world.run_sql("SELECT code FROM orders WHERE id = %s", (bench.order_id,))
        query = join_conditions(build_condition("code", "=", code), interpret("CIP", "S"))
        [row] = await desk.export(bench.people[person], query=query, columns=_COLUMNS)
        assert row["Source of a culture"] == "Blood"
        assert row["Resistance mark"] == "ESBL"
        assert "Ciprofloxacin S" in row["Antibiotic, interpretation"]
        assert "Meropenem" not in str(row)
        hidden_query = join_conditions(build_condition("code", "=", code), interpret("MEM", "S"))
        hidden_rows = await desk.export(bench.people[person], query=hidden_query, columns=_COLUMNS)
        assert hidden_rows == []

    async def test_the_interpretation_belongs_to_the_antibiotic(self, bench: Bench) -> None:
        await bench.publish(_BLOOD_CULTURE.first)
        assert await find(bench, interpret("CIP", "R")) == set()
        assert await find(bench, interpret("CIP", "S")) == set(_READERS)
        # An antibiotic that was not tested is neither equal nor unequal.
        for operator in ("in", "notIn"):
            assert await find(bench, interpret("VAN", "R", operator=operator)) == set()

    async def test_only_the_newest_version_counts(self, bench: Bench) -> None:
        await bench.publish(_BLOOD_CULTURE.first)
        await bench.publish(_BLOOD_CULTURE.corrected)
        for rule in FOUND[1:]:
            assert await find(bench, rule) == set(), rule
        assert await find(bench, FOUND[0]) == set(_READERS)
        assert (await show(bench, "nurse"))["susceptibility"] is None

    @pytest.mark.parametrize("kind", ["review", "withdrawn"])
    async def test_a_withheld_culture_exists_for_nobody(self, bench: Bench, kind: str) -> None:
        await bench.publish(_BLOOD_CULTURE.first)
        await bench.act("withhold", kind=kind, reason="SPECIMEN")
        for rule in FOUND:
            assert await find(bench, rule) == set(), rule
        for rule in (OPPOSITES[1], OPPOSITES[3]):
            assert await find(bench, rule) == set(_READERS), rule
        for person in _READERS:
            row = await show(bench, person)
            assert [row[name] for name in _COLUMNS] == [[], [], [], [], None]

    async def test_another_client_does_not_find_it(self, bench: Bench) -> None:
        await bench.publish(_BLOOD_CULTURE.first)
        world = bench.world
        stranger = await world.create_person(Role.CLIENT_ADMIN, client_ids=[world.create_client()])
        for rule in (*FOUND, *OPPOSITES):
            assert bench.order_id not in await search(world, stranger, rule), rule


class TestCanceled:
    """The reason of a cancellation, and the condition of the specimens."""

    async def test_are_found_in_the_words_of_the_order(self, bench: Bench) -> None:
        words = build_condition("cancellationReason", "contains", "tube broke")
        assert await find(bench, words) == set()
        reason = (
            await bench.world.http.get(
                "/api/v2/reasons?kind=cancellation", headers=bench.people["lab"].headers
            )
        ).json()[0]
        ids = [(await bench.read_test())["orderTestId"]]
        answer = await bench.send(
            "POST",
            "cancel",
            {"orderTestIds": ids, "reason": reason["code"], "words": "tube broke"},
        )
        assert answer.status_code == 200, answer.text
        by_reason = build_condition("cancellationReason", "beginsWith", reason["words"])
        for rule in (words, by_reason, build_condition("cancellationReason", "notNull")):
            assert await find(bench, rule) == set(_READERS), rule
        assert await find(bench, build_condition("cancellationReason", "null")) == set()
        row = await search(
            bench.world, bench.people["nurse"], words, "cancellationReason", "specimenCondition"
        )
        assert row[bench.order_id]["cancellationReason"] == [f"{reason['words']}, tube broke"]

    async def test_finds_the_condition_of_the_specimens(self, bench: Bench) -> None:
        acceptable = build_condition("specimenCondition", "=", "acceptable")
        hemolyzed = build_condition("specimenCondition", "contains", "hemolyzed")
        assert await find(bench, acceptable) == set(_READERS)
        assert await find(bench, hemolyzed) == set()
        bench.world.run_sql(
            "UPDATE orders SET specimen_condition = 'SST: HEMOLYZED' WHERE id = %s",
            (bench.order_id,),
        )
        assert await find(bench, acceptable) == set()
        assert await find(bench, hemolyzed) == set(_READERS)


class TestRequests:
    """What the screen offers, and what it may not send."""

    async def test_offers_the_antibiotics_of_the_lab(self, world: World) -> None:
        client = world.create_client()
        for person in (
            await world.create_person(Role.LABORATORY),
            await world.create_person(Role.CLIENT_BASIC, client_ids=[client]),
            await world.create_person(Role.PHYSICIAN, physician_ids=[]),
        ):
            answer = await world.http.get(f"{PATH}/columns", headers=person.headers)
            columns = {column["name"]: column for column in answer.json()}
            column = columns["susceptibility"]
            assert column["needsAntibiotic"] is True
            assert {"value": "CIP", "label": "Ciprofloxacin"} in column["antibiotics"]
            assert columns["organism"]["antibiotics"] == []

    @pytest.mark.parametrize(
        ("condition", "field", "message"),
        [
            (
                build_condition("susceptibility", "in", ["R"]),
                "antibiotic",
                messages.SEARCH_ANTIBIOTIC_REQUIRED,
            ),
            (interpret(" ", "R"), "antibiotic", messages.SEARCH_ANTIBIOTIC_REQUIRED),
            (interpret("A" * 201, "R"), "antibiotic", messages.SEARCH_ANTIBIOTIC_REQUIRED),
            (interpret("CIP", "H"), "value.0", messages.VALUE_INVALID),
            (
                build_condition("organism", "=", "e", antibiotic="CIP"),
                "antibiotic",
                messages.SEARCH_MALFORMED,
            ),
        ],
    )
    async def test_rejects_a_condition_without_its_antibiotic(
        self, world: World, condition: Any, field: str, message: str
    ) -> None:
        person = await world.create_person(Role.LABORATORY)
        answer = await world.http.post(
            PATH, headers=person.headers, json={"query": join_conditions(condition)}
        )
        assert answer.status_code == 400
        assert answer.json()["errors"] == [{"field": f"query.rules.0.{field}", "message": message}]
