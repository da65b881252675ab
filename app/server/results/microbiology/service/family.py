"""Withholds cultures and puts their tests on hold, as all families do (ADR 55)."""

from app.server.access.work import Work
from app.server.results.entry.family import Family, TestVersions
from app.server.results.entry.loading import OrderEntry
from app.server.results.entry.progress import ShownChange
from app.server.results.microbiology.loading import QUERY, CultureRecord, build_record
from app.server.results.microbiology.models import CultureVersion
from app.server.results.microbiology.repository import CultureChanges
from app.server.results.microbiology.schemas import MicrobiologyEntry
from app.server.results.microbiology.service.entry import build_entry, store_changes


def _list_tests(record: CultureRecord) -> list[TestVersions]:
    return [
        TestVersions(item.row, [version.row for version in item.versions]) for item in record.tests
    ]


def _update_order(
    work: Work, entry: OrderEntry, record: CultureRecord, change: ShownChange | None
) -> None:
    store_changes(work, record, CultureChanges(), change=change)


def _build_entry(work: Work, entry: OrderEntry, record: CultureRecord) -> MicrobiologyEntry:
    return build_entry(work, record)


FAMILY: Family[CultureRecord, MicrobiologyEntry] = Family(
    table=CultureVersion.__tablename__,
    query=QUERY,
    build_record=build_record,
    list_tests=_list_tests,
    update=_update_order,
    build_entry=_build_entry,
)
