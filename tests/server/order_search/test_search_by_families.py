"""Conditions on a test's result find the results of all families (ADR 99)."""

from typing import Any

import pytest

from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.order_search.records import PATH, build_condition
from tests.server.results import family_benches
from tests.server.results.family_benches import CASES, Bench, Case
from tests.server.results.toxicology import bench as toxicology
from tests.server.world import World

_READERS = ("superuser", "lab", "admin", "nurse", "doctor")
_GRAM = {"code": "GRGPCCL", "quantity": "BOT1"}
_BLOOD_CULTURE = Case(
    "microbiology",
    "BCUL",
    "microbiology-results",
    {"source": "BLOOD", "findings": [_GRAM]},
    {
        "source": "BLOOD",
        "findings": [_GRAM],
        "organisms": [{"code": "SAURE", "quantity": "BOT2"}],
    },
    ("", ""),
)


async def search(world: World, person: Person, code: str, field: str, **condition: Any) -> set[int]:
    """Return the ids of the orders that a condition on a test's result finds."""
    rule = build_condition(
        field, condition["operator"], condition["value"], test=world.get_test_id(code)
    )
    answer = await world.http.post(
        PATH,
        headers=person.headers,
        json={"query": {"combinator": "and", "rules": [rule]}, "columns": []},
    )
    assert answer.status_code == 200, answer.text
    return {row["id"] for row in answer.json()["data"]}


async def find(bench: Bench, field: str, value: Any = True, operator: str = "=") -> set[str]:
    """Return who finds the order by a condition on its test's result."""
    return {
        name
        for name in _READERS
        if bench.order_id
        in await search(
            bench.world, bench.people[name], bench.case.code, field, operator=operator, value=value
        )
    }


async def add_readers(bench: Bench) -> None:
    """Add people of the other roles that may search."""
    world, client = bench.world, bench.client
    physician = world.create_physician(client)
    world.run_sql("UPDATE orders SET physician_id = %s WHERE id = %s", (physician, bench.order_id))
    bench.people |= {
        "superuser": await world.create_person(Role.SUPERUSER),
        "admin": await world.create_person(Role.CLIENT_ADMIN, client_ids=[client]),
        "doctor": await world.create_person(Role.PHYSICIAN, physician_ids=[physician]),
    }


@pytest.fixture(params=CASES)
async def bench(world: World, request: pytest.FixtureRequest) -> Bench:
    """An order with a released result, of each family except clinical results."""
    received_bench = await family_benches.receive_order(world, request.param)
    await add_readers(received_bench)
    await received_bench.publish(received_bench.case.first)
    return received_bench


class TestCorrected:
    """A test's result was corrected."""

    async def test_is_found_after_its_release(self, bench: Bench) -> None:
        everybody = set(_READERS)
        assert await find(bench, "resultCorrected") == set()
        assert await find(bench, "resultCorrected", value=False) == everybody
        await bench.enter(bench.case.corrected)
        assert await find(bench, "resultCorrected") == set()
        assert (await bench.release()).status_code == 200
        assert await find(bench, "resultCorrected") == everybody
        assert await find(bench, "resultCorrected", value=False) == set()

    @pytest.mark.parametrize("kind", ["review", "withdrawn"])
    async def test_a_withheld_correction_is_not_found(self, bench: Bench, kind: str) -> None:
        await bench.publish(bench.case.corrected)
        await bench.act("withhold", kind=kind, reason="SPECIMEN")
        for value in (True, False):
            assert await find(bench, "resultCorrected", value=value) == set()

    async def test_the_correction_of_a_withdrawn_result_is_found(self, bench: Bench) -> None:
        await bench.act("withhold", kind="withdrawn", reason="SPECIMEN")
        assert await find(bench, "resultCorrected") == set()
        await bench.publish(bench.case.corrected)
        assert await find(bench, "resultCorrected") == set(_READERS)

    async def test_another_client_does_not_find_it(self, bench: Bench) -> None:
        await bench.publish(bench.case.corrected)
        world = bench.world
        stranger = await world.create_person(Role.CLIENT_ADMIN, client_ids=[world.create_client()])
        code = bench.case.code
        ids = await search(world, stranger, code, "resultCorrected", operator="=", value=True)
        assert ids == set()


class TestWords:
    """The text of a result."""

    async def test_finds_the_words_of_the_newest_version(self, bench: Bench) -> None:
        first, corrected = (word.upper() for word in bench.case.words)
        assert await find(bench, "resultText", first, "contains") == set(_READERS)
        assert await find(bench, "resultText", first, "doesNotContain") == set()
        await bench.publish(bench.case.corrected)
        assert await find(bench, "resultText", first, "contains") == set()
        assert await find(bench, "resultText", corrected, "contains") == set(_READERS)
        await bench.act("withhold", kind="review", reason="SPECIMEN")
        for operator in ("contains", "doesNotContain"):
            assert await find(bench, "resultText", corrected, operator) == set()


class TestPathology:
    """The reports in force count together."""

    @pytest.fixture
    async def report(self, world: World) -> Bench:
        """An order with a critical report."""
        bench = await family_benches.receive_order(world, "pathology")
        await add_readers(bench)
        text = "<p>Mela<strong>noma</strong></p><p>in situ; margins &lt; 1&nbsp;mm</p>"
        await bench.publish({**bench.case.first, "comment": text})
        return bench

    async def test_the_words_are_those_that_people_read(self, report: Bench) -> None:
        assert await find(report, "resultText", "melanoma in situ", "beginsWith")
        assert await find(report, "resultText", "margins < 1 mm", "contains")
        assert not await find(report, "resultText", "strong", "contains")

    async def test_an_addendum_adds_to_the_report(self, report: Bench) -> None:
        addendum = {
            "kind": 2,
            "comment": "<p>Benign after all.</p>",
            "signedOutBy": "DANA HALL, MD",
            "flag": "N",
        }
        await report.publish(addendum)
        for field in ("resultCritical", "resultAbnormal"):
            assert await find(report, field) == set(_READERS)
        assert await find(report, "resultFlag", ["AA"], "in") == set(_READERS)
        assert await find(report, "resultText", "melanoma", "doesNotContain") == set()
        assert await find(report, "resultText", "benign", "contains") == set(_READERS)
        assert await find(report, "resultCorrected") == set()

    async def test_a_revision_replaces_the_report(self, report: Bench) -> None:
        await report.publish({**report.case.corrected, "flag": "N"})
        for field in ("resultCritical", "resultAbnormal"):
            assert await find(report, field) == set()
            assert await find(report, field, value=False) == set(_READERS)
        assert await find(report, "resultFlag", ["N"], "in") == set(_READERS)
        assert await find(report, "resultText", "melanoma", "contains") == set()


class TestMicrobiology:
    """Cultures."""

    async def test_a_critical_culture_is_found(self, world: World) -> None:
        bench = await family_benches.receive_order(world, _BLOOD_CULTURE)
        await add_readers(bench)
        await bench.enter(_BLOOD_CULTURE.first)
        assert await find(bench, "resultCritical") == set()
        assert (await bench.release(kind="preliminary")).status_code == 200
        for field in ("resultCritical", "resultAbnormal"):
            assert await find(bench, field) == set(_READERS)
            assert await find(bench, field, value=False) == set()
        assert await find(bench, "resultFlag", ["AA"], "in") == set(_READERS)
        # Progress from a preliminary result is not a correction.
        answer = await bench.enter(_BLOOD_CULTURE.corrected)
        assert answer.status_code == 200, answer.text
        answer = await bench.release()
        assert answer.status_code == 200, answer.text
        assert await find(bench, "resultCorrected") == set()


class TestToxicology:
    """Verdicts decide what is abnormal or critical, as on the order page."""

    async def list_found(self, bench: toxicology.Bench, field: str, *codes: str) -> set[str]:
        """Return the tests by whose result the nurse finds the order."""
        found_codes = set()
        for code in codes:
            ids = await search(bench.world, bench.nurse, code, field, operator="=", value=True)
            if bench.order_id in ids:
                found_codes.add(code)
        return found_codes

    async def test_finds_unexpected_results(self, world: World) -> None:
        bench = await toxicology.receive_order(world, "PERCOCET")
        await bench.publish(QFEN="9", UBENZ="POSITIVE", QOXY="300", QOXA="<20", VCRE="80")
        codes = toxicology.CODES
        assert await self.list_found(bench, "resultCritical", *codes) == {"QFEN"}
        assert await self.list_found(bench, "resultAbnormal", *codes) == {"QFEN", "UBENZ"}
        await bench.act("withhold", "QFEN", kind="review", reason="SPECIMEN")
        assert await self.list_found(bench, "resultCritical", *codes) == set()
        assert await self.list_found(bench, "resultAbnormal", *codes) == {"UBENZ"}

    @pytest.mark.parametrize(("creatinine", "is_invalid"), [("3", True), ("80", False)])
    async def test_finds_the_test_of_an_invalid_specimen(
        self, world: World, creatinine: str, is_invalid: bool
    ) -> None:
        bench = await toxicology.receive_order(world)
        await bench.publish(**toxicology.NOTHING_DETECTED, VCRE=creatinine)
        codes = {"VCRE"} if is_invalid else set()
        assert await self.list_found(bench, "resultAbnormal", *toxicology.CODES) == codes

    async def test_compares_numbers_with_their_signs(self, world: World) -> None:
        bench = await toxicology.receive_order(world)
        await bench.publish(QFEN="9.5", QOXA="<20", UBENZ="NEGATIVE")
        for code, operator, value, is_met in (
            ("QFEN", ">", 9, True),
            ("QFEN", "between", [9, 10], True),
            ("QFEN", "<", 9, False),
            ("QOXA", "<", 20, True),
            ("QOXA", "<", 19, False),
            ("UBENZ", "!=", 1, False),
        ):
            ids = await search(
                world, bench.nurse, code, "resultNumber", operator=operator, value=value
            )
            assert (bench.order_id in ids) is is_met, (code, operator, value)

    async def test_a_result_of_two_panels_is_found(self, world: World) -> None:
        world.add_panel("SXTOX", "QFEN")
        world.add_panel("SYTOX", "QFEN", "QOXY")
        bench = await toxicology.receive_order(world, codes=("SXTOX", "SYTOX"))
        last_row = [row for row in (await bench.read_entry())["rows"] if row["code"] == "QFEN"][-1]
        await bench.world.http.put(
            f"{bench.path}/toxicology-entry",
            headers=bench.lab.headers,
            json={"results": [{"orderTestId": last_row["orderTestId"], "result": "9"}]},
        )
        assert (await bench.release()).status_code == 200
        for field in ("resultAbnormal", "resultCritical"):
            assert await self.list_found(bench, field, "QFEN") == {"QFEN"}

    async def test_a_panel_means_its_members(self, world: World) -> None:
        world.add_panel("PTOX", "QFEN", "QOXY")
        bench = await toxicology.receive_order(world, codes=("PTOX", "QDIA"))
        await bench.publish(QFEN="9", QOXY="0", QDIA="0")

        async def is_found(code: str, field: str, *, value: bool) -> bool:
            ids = await search(world, bench.nurse, code, field, operator="=", value=value)
            return bench.order_id in ids

        for code, is_critical in (("PTOX", True), ("QFEN", True), ("QOXY", False)):
            # A panel with a critical result is not found among panels without one.
            for value in (True, False):
                is_match = await is_found(code, "resultCritical", value=value)
                assert is_match is (value is is_critical), (code, value)
        assert await is_found("PTOX", "resultCorrected", value=False)
        await bench.publish(QDIA={"result": "1", "reasonCode": "REPEAT"})
        assert not await is_found("PTOX", "resultCorrected", value=True)
        await bench.publish(QOXY={"result": "1", "reasonCode": "REPEAT"})
        assert await is_found("PTOX", "resultCorrected", value=True)
        assert not await is_found("PTOX", "resultCorrected", value=False)
