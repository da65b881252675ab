"""Withholds toxicology results and puts their tests on hold, as all families do (ADR 55)."""

from app.contract.enumerations import ResultKind
from app.server.access.work import Work
from app.server.results.entry.family import Family, TestVersions
from app.server.results.entry.loading import OrderEntry
from app.server.results.entry.progress import ShownChange, update_progress
from app.server.results.toxicology.loading import QUERY, collect_tests
from app.server.results.toxicology.models import ToxicologyResult
from app.server.results.toxicology.repository import MeasuredTest
from app.server.results.toxicology.schemas import ToxicologyEntry
from app.server.results.toxicology.service.assess import assess_results, build_entered_progress
from app.server.results.toxicology.service.entry import build_entry
from app.server.results.toxicology.service.release import get_released, store_assessment


def _list_tests(tests: list[MeasuredTest]) -> list[TestVersions]:
    return [TestVersions(item.row, item.versions) for item in tests if not item.row.is_panel]


def _update_order(
    work: Work, entry: OrderEntry, tests: list[MeasuredTest], change: ShownChange | None
) -> None:
    """Update the order, and remove verdicts that are based on a withheld result."""
    if change is None:
        progress = build_entered_progress(entry, tests)
        update_progress(work, entry, ResultKind.TOXICOLOGY, progress)
    else:
        assessment = assess_results(entry, tests, get_released)
        store_assessment(work, entry, tests, assessment, change)


FAMILY: Family[list[MeasuredTest], ToxicologyEntry] = Family(
    table=ToxicologyResult.__tablename__,
    query=QUERY,
    build_record=collect_tests,
    list_tests=_list_tests,
    update=_update_order,
    build_entry=build_entry,
)
