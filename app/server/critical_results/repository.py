"""SQL of critical results."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, exists, func, or_, select

from app.contract.enumerations import ScopeKind
from app.contract.limits import CRITICAL_MINUTES_DEFAULT
from app.server.critical_results.models import (
    CriticalAlert,
    CriticalContact,
    CriticalItem,
    CriticalNotice,
)
from app.server.database.repository import Repository, lock_rows
from app.server.database.statements import format_rows
from app.server.lab_settings.rules import CRITICAL_MINUTES, CRITICAL_RESULTS
from app.server.orders.models import Order

MINUTES = (
    f"coalesce((SELECT (s.value->>'{CRITICAL_MINUTES}')::integer FROM lab_settings s "
    f"WHERE s.name = '{CRITICAL_RESULTS}'), {CRITICAL_MINUTES_DEFAULT})"
)
"""The lab's time limit in minutes."""

# An order has at most one open notice; new results restart the notice's time limit.
_RESTART = """ON CONFLICT (order_id) WHERE closed_at IS NULL DO UPDATE
    SET due_at = excluded.due_at, escalate_at = excluded.escalate_at, level = 0, told_at = NULL,
        version = critical_notices.version + 1"""
_OPEN_NOTICE = f"""
WITH released AS (
    SELECT i.* FROM json_populate_recordset(NULL::critical_items, %(items)s::json) i
    WHERE NOT EXISTS (
        SELECT 1 FROM critical_items c
        WHERE c.order_test_id = i.order_test_id AND c.released_at = i.released_at
            AND c.result = i.result
    )
), notice AS (
    INSERT INTO critical_notices (order_id, opened_at, due_at, escalate_at)
    SELECT %(order)s, now(), now() + make_interval(mins => {MINUTES}), now()
    WHERE EXISTS (SELECT 1 FROM released)
    {_RESTART}
    RETURNING id
)
INSERT INTO critical_items (notice_id, order_test_id, name, result, flag, released_at)
SELECT notice.id, r.order_test_id, r.name, r.result, r.flag, r.released_at FROM released r, notice
"""

# An item is valid while clients see it: a critical result as in ``items``, a correction as in
# ``shown``. If a result was shown again after a review, its item may have a later time of release.
_IS_VALID = """(
    EXISTS (
        SELECT 1 FROM json_populate_recordset(NULL::critical_items, %(items)s::json) c
        WHERE c.order_test_id = i.order_test_id AND c.released_at <= i.released_at
            AND c.result = i.result
    ) OR (i.corrects IS NOT NULL AND i.result = s.text)
)"""
# The lab may be recording a call about the results. A separate statement waits for that, because a
# statement that waits for a lock still reads the rows from before the wait.
_LOCK = """
SELECT 1 FROM critical_notices
WHERE order_id = %(order)s AND closed_at IS NULL FOR NO KEY UPDATE
"""
# A client that knows a value must be notified of its correction, even after the notice was closed.
# If the lab closed a notice during a review, and nobody had read the result back, the client must
# be notified when it sees the result again. A result has only one item for each time of release, so
# the item of the new notice gets a time at least a second later. A user who has the notice open
# must see these changes before recording a call, so the notice gets a new version.
_REPLACE = f"""
WITH shown AS (
    SELECT i.id, s.text, {_IS_VALID} AS is_valid
    FROM json_to_recordset(%(shown)s::json) AS s (order_test_id bigint, text text)
    JOIN critical_notices n ON n.order_id = %(order)s
    JOIN critical_items i ON i.notice_id = n.id AND i.order_test_id = s.order_test_id
), restored AS (
    UPDATE critical_items i SET replaced_at = NULL, replaced_by = NULL
    FROM shown s WHERE i.id = s.id AND s.is_valid AND i.replaced_at IS NOT NULL
    RETURNING i.notice_id
), replaced AS (
    UPDATE critical_items i SET replaced_at = now(), replaced_by = s.text
    FROM shown s
    WHERE i.id = s.id AND NOT s.is_valid
        AND (i.replaced_at IS NULL OR i.replaced_by IS DISTINCT FROM s.text)
    RETURNING i.id, i.notice_id, i.order_test_id, i.name, i.result, s.text
), correction AS (
    SELECT DISTINCT ON (r.order_test_id) r.* FROM replaced r
    WHERE r.text IS NOT NULL AND %(released_at)s::timestamp IS NOT NULL
        AND EXISTS (SELECT 1 FROM critical_calls k WHERE k.notice_id = r.notice_id AND k.is_told)
        AND NOT EXISTS (
            SELECT 1 FROM json_populate_recordset(NULL::critical_items, %(items)s::json) c
            WHERE c.order_test_id = r.order_test_id
        )
    ORDER BY r.order_test_id, r.id DESC
), shown_again AS (
    SELECT DISTINCT ON (i.order_test_id, i.result) i.order_test_id, i.name, i.result, i.flag,
        greatest(%(changed_at)s::timestamp, i.released_at + interval '1 second') AS released_at,
        i.corrects
    FROM shown s JOIN critical_items i ON i.id = s.id
    JOIN critical_notices n ON n.id = i.notice_id
    WHERE s.is_valid AND i.replaced_at IS NOT NULL
        AND n.closed_at IS NOT NULL AND n.told_at IS NULL
        AND NOT EXISTS (
            SELECT 1 FROM shown v JOIN critical_items x ON x.id = v.id
            JOIN critical_notices o ON o.id = x.notice_id
            WHERE v.is_valid AND x.order_test_id = i.order_test_id AND x.result = i.result
                AND (o.closed_at IS NULL OR o.told_at IS NOT NULL)
        )
    ORDER BY i.order_test_id, i.result, i.released_at DESC
), notice AS (
    INSERT INTO critical_notices (order_id, opened_at, due_at, escalate_at)
    SELECT %(order)s, now(), now() + make_interval(mins => {MINUTES}), now()
    WHERE EXISTS (SELECT 1 FROM correction) OR EXISTS (SELECT 1 FROM shown_again)
    {_RESTART}
    RETURNING id
), changed AS (
    UPDATE critical_notices n SET version = n.version + 1
    WHERE n.closed_at IS NULL AND NOT EXISTS (SELECT 1 FROM notice)
        AND n.id IN (SELECT notice_id FROM replaced UNION ALL SELECT notice_id FROM restored)
)
INSERT INTO critical_items (notice_id, order_test_id, name, result, flag, released_at, corrects)
SELECT notice.id, c.order_test_id, c.name, c.text, NULL, %(released_at)s, c.result
FROM correction c, notice
UNION ALL
SELECT notice.id, a.order_test_id, a.name, a.result, a.flag, a.released_at, a.corrects
FROM shown_again a, notice
ON CONFLICT (order_test_id, released_at, result) DO NOTHING
"""


@dataclass(frozen=True)
class CriticalResult:
    """A released critical result; a test has one for each time of release."""

    order_test_id: int
    name: str
    result: str
    flag: str | None
    released_at: datetime


@dataclass(frozen=True)
class DueNotice:
    """A notice whose next contact must be alerted, with the client's contacts."""

    notice: CriticalNotice
    contacts: Sequence[CriticalContact]


class CriticalResultRepository(Repository):
    """Notices of critical results, where policies decide what the actor sees."""

    def open_notice(self, order_id: int, results: Sequence[CriticalResult]) -> None:
        """Add released critical results to the order's open notice, or to a new one.

        This happens at the commit. Results that a notice already has change nothing.
        """
        if results:
            items = format_rows(asdict(result) for result in results)
            self.statements.add(_OPEN_NOTICE, {"order": order_id, "items": items})

    def replace_results(
        self,
        order_id: int,
        results: Sequence[CriticalResult],
        shown_values: Mapping[int, str | None],
        changed_at: datetime,
        *,
        is_release: bool,
    ) -> None:
        """Mark the critical results of the order's notices that clients no longer see.

        This happens at the commit. After a release, the lab must report the correction to the
        people who know the result. After the end of a review, it must report a result whose notice
        was closed before anybody read it back.

        Args:
            results: the results of the family that are critical now.
            shown_values: what clients see of each test of the family.
            changed_at: the time of the release, or of the other change.
        """
        values = {
            "order": order_id,
            "items": format_rows(asdict(result) for result in results),
            "shown": format_rows(
                {"order_test_id": test_id, "text": text} for test_id, text in shown_values.items()
            ),
            "released_at": changed_at if is_release else None,
            "changed_at": changed_at,
        }
        self.statements.add(_LOCK, {"order": order_id})
        self.statements.add(_REPLACE, values)

    async def find_notice(self, notice_id: int, *, lock: bool = False) -> CriticalNotice | None:
        """Return the notice, or None when it does not exist or is out of scope."""
        statement = select(CriticalNotice).where(CriticalNotice.id == notice_id)
        return await self.session.scalar(lock_rows(statement) if lock else statement)

    async def load_due_notice(self) -> DueNotice | None:
        """Lock the open notice that has waited longest for its next contact; None if none is due.

        A notice waits while clients see none of its results (ADR 103).
        Notices that another worker has locked are left to it.
        """
        statement = (
            select(CriticalNotice, Order.client_id)
            .join(Order, Order.id == CriticalNotice.order_id)
            .where(CriticalNotice.closed_at.is_(None))
            .where(CriticalNotice.escalate_at <= func.now(), _has_shown_result(CriticalNotice.id))
            .order_by(CriticalNotice.escalate_at)
            .limit(1)
            .with_for_update(of=CriticalNotice, skip_locked=True)
        )
        row = (await self.session.execute(statement)).first()
        if row is None:
            return None
        notice, client_id = row
        contacts = await self.session.scalars(
            select(CriticalContact).where(
                CriticalContact.client_id == client_id, CriticalContact.active
            )
        )
        return DueNotice(notice, contacts.all())

    async def load_due_alert(self) -> CriticalAlert | None:
        """Lock the alert that has waited longest to be sent, or return None.

        While clients see no result of a notice, its alerts wait, unless the notice has ended.
        """
        is_over = exists().where(
            CriticalNotice.id == CriticalAlert.notice_id,
            or_(CriticalNotice.closed_at.is_not(None), CriticalNotice.told_at.is_not(None)),
        )
        statement = (
            select(CriticalAlert)
            .where(CriticalAlert.next_try_at <= func.now())
            .where(or_(is_over, _has_shown_result(CriticalAlert.notice_id)))
            .order_by(CriticalAlert.next_try_at)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        return await self.session.scalar(statement)


def _has_shown_result(notice_id: Any) -> ColumnElement[bool]:
    """Build the condition that clients see a result of the notice now.

    They see none while all are under review, withdrawn, or corrected to values that need no call.
    """
    return exists().where(CriticalItem.notice_id == notice_id, CriticalItem.replaced_at.is_(None))


_OF_NOTICE = "x.notice_id = n.id"
_HAS_FAILED = "x.email IS NOT NULL AND x.sent_at IS NULL AND x.next_try_at IS NULL"
_LAB_PARTS = {
    "items": (
        "critical_items",
        _OF_NOTICE,
        "'name', x.name, 'result', x.result, 'flag', x.flag, 'releasedAt', x.released_at, "
        "'isReplaced', x.replaced_at IS NOT NULL, 'replacedBy', x.replaced_by, "
        "'corrects', x.corrects",
    ),
    "contacts": (
        "critical_contacts",
        "x.active AND x.client_id = o.client_id",
        "'position', x.position, 'name', x.name, 'duty', x.duty, 'phone', x.phone, "
        "'email', x.email, 'hours', x.hours",
    ),
    "alerts": (
        "critical_alerts",
        _OF_NOTICE,
        "'position', x.position, 'name', x.name, 'email', x.email, "
        "'createdAt', x.created_at, 'sentAt', x.sent_at, "
        f"'hasFailed', {_HAS_FAILED}",
    ),
}
_CALLS = (
    "critical_calls",
    _OF_NOTICE,
    "'toldName', x.told_name, 'method', x.method, 'isTold', x.is_told, "
    "'hasReadBack', x.has_read_back, 'note', x.note, 'madeBy', x.made_by_name, "
    "'madeAt', x.made_at",
)


@lru_cache(maxsize=8)
def build_read_statement(kind: ScopeKind) -> str:
    """Build the statement that reads a notice with all its parts, or NULL when out of scope.

    Only the lab gets results, contacts, and alerts.
    """
    is_lab = kind is ScopeKind.STAFF
    lists = {"calls": _list_rows(*_CALLS)}
    for name, part in _LAB_PARTS.items():
        lists[name] = _list_rows(*part) if is_lab else "'[]'::json"
    pairs = ", ".join(f"'{name}', {sql}" for name, sql in lists.items())
    return f"""
SELECT (
    SELECT json_build_object(
        'id', n.id, 'version', n.version, 'orderId', o.id, 'codeValue', o.code,
        'clientName', coalesce(c.name, ''), 'clientPhone', c.phone,
        'patientLastName', o.patient_last_name, 'patientFirstName', o.patient_first_name,
        'patientBirthDate', o.patient_birth_date, 'collectionDate', o.collection_date,
        'physicianName', (SELECT p.last_name || ', ' || p.first_name
            FROM physicians p WHERE p.id = o.physician_id),
        'openedAt', n.opened_at, 'dueAt', n.due_at, 'toldAt', n.told_at,
        'isOverdue', n.closed_at IS NULL AND n.told_at IS NULL AND n.due_at < now(),
        'closedAt', n.closed_at, 'closedBy', n.closed_by_name, 'closingNote', n.closing_note,
        {pairs}
    )
    FROM critical_notices n
    JOIN orders o ON o.id = n.order_id LEFT JOIN clients c ON c.id = o.client_id
    WHERE n.id = %(notice)s AND {Order.__scope__.build_predicate(kind, "o")}
)
"""


def _list_rows(table: str, condition: str, pairs: str) -> str:
    return (
        f"(SELECT coalesce(json_agg(json_build_object({pairs}) ORDER BY x.id), '[]'::json) "
        f"FROM {table} x WHERE {condition})"
    )
