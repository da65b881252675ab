"""Withholds pathology reports and puts their tests on hold, as all families do (ADR 55)."""

from app.server.access.work import Work
from app.server.results.entry.family import Family, TestVersions
from app.server.results.entry.loading import OrderEntry
from app.server.results.entry.progress import ShownChange, update_progress
from app.server.results.pathology.loading import QUERY, collect_tests
from app.server.results.pathology.models import PathologyReport
from app.server.results.pathology.repository import ReportedTest
from app.server.results.pathology.schemas import PathologyEntry
from app.server.results.pathology.service.entry import KIND, build_entry, build_progress


def _list_tests(tests: list[ReportedTest]) -> list[TestVersions]:
    return [TestVersions(item.row, item.reports) for item in tests]


def _update_order(
    work: Work, entry: OrderEntry, tests: list[ReportedTest], change: ShownChange | None
) -> None:
    update_progress(work, entry, KIND, build_progress(tests), change=change)


FAMILY: Family[list[ReportedTest], PathologyEntry] = Family(
    table=PathologyReport.__tablename__,
    query=QUERY,
    build_record=collect_tests,
    list_tests=_list_tests,
    update=_update_order,
    build_entry=build_entry,
)
