"""SQL that all families of results share: holds, and the withholding of versions."""

from collections.abc import Iterable, Sequence

from app.server.access.work import Work
from app.server.database.statements import build_insert, build_update, format_rows
from app.server.orders.models import OrderTest
from app.server.results.entry.models import WITHHELD_COLUMNS, Releasable, ResultHold

_HOLD_COLUMNS = tuple(c.name for c in ResultHold.__table__.columns if c.name != "id")
_LIFTED_COLUMNS = ("lifted_at", "lifted_by", "lifted_words")
_MARK_COLUMNS = ("withheld", "withheld_at")
HOLDS_LOCK = 7_305_124
"""The advisory lock under which one transaction at a time places or lifts holds."""


def lock_holds(work: Work) -> None:
    """Wait, before the next read, until no other transaction places or lifts a hold.

    A hold on a test in every order can be placed and lifted from each of them, so the lock of one
    order is not enough.
    """
    work.statements.add("SELECT pg_advisory_xact_lock(%(lock)s::bigint)", {"lock": HOLDS_LOCK})


def store_holds(work: Work, holds: Iterable[ResultHold]) -> None:
    """Queue new holds; the commit stores them."""
    rows = _select_rows(holds, _HOLD_COLUMNS)
    work.statements.add(build_insert("result_holds", _HOLD_COLUMNS), {"rows": rows})


def store_lifted_hold(work: Work, hold: ResultHold) -> None:
    """Queue the end of a hold; the commit stores it."""
    rows = _select_rows([hold], ("id", *_LIFTED_COLUMNS))
    work.statements.add(build_update("result_holds", _LIFTED_COLUMNS), {"rows": rows})


def store_withheld(work: Work, table: str, versions: Sequence[Releasable]) -> None:
    """Queue the withholding of these versions, or its end; the commit stores it."""
    if versions:
        rows = _select_rows(versions, ("id", *WITHHELD_COLUMNS))
        work.statements.add(build_update(table, WITHHELD_COLUMNS), {"rows": rows})


def store_marks(work: Work, rows: Sequence[OrderTest]) -> None:
    """Queue the marks of withheld tests, which everybody sees; the commit stores them."""
    if rows:
        values = {"rows": _select_rows(rows, ("id", *_MARK_COLUMNS))}
        work.statements.add(build_update("order_tests", _MARK_COLUMNS), values)


def _select_rows(records: Iterable[object], columns: Sequence[str]) -> str:
    return format_rows({name: getattr(record, name) for name in columns} for record in records)
