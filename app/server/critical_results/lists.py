"""The list of critical results that the lab has to report."""

from datetime import date, datetime

from app.contract.enumerations import CriticalStatus
from app.server.critical_results.schemas import CriticalItemSummary
from app.server.database.scope import Rows
from app.server.lists import filters
from app.server.lists.spec import Column, JoinedValue, ListSpec

_TABLE = (
    "(SELECT n.*, o.code, o.client_id, o.physician_id, "
    "o.patient_last_name, o.patient_first_name, o.patient_birth_date "
    "FROM critical_notices n JOIN orders o ON o.id = n.order_id)"
)
_STATUS = (
    f"(CASE WHEN t.closed_at IS NULL THEN {CriticalStatus.OPEN:d} "
    f"ELSE {CriticalStatus.CLOSED:d} END)"
)
_IS_OVERDUE = "(t.closed_at IS NULL AND t.told_at IS NULL AND t.due_at < now())"
_LAST_TOLD = (
    "(SELECT c.told_name FROM critical_calls c "
    "WHERE c.notice_id = page.id AND c.is_told ORDER BY c.id DESC LIMIT 1)"
)
_RESULTS = (
    "(SELECT coalesce(json_agg(json_build_object('name', i.name, 'result', i.result, "
    "'flag', i.flag, 'isReplaced', i.replaced_at IS NOT NULL, 'replacedBy', i.replaced_by, "
    "'corrects', i.corrects) ORDER BY i.id), '[]'::json) "
    "FROM critical_items i WHERE i.notice_id = page.id)"
)

critical_results = ListSpec(
    name="critical-results",
    table=_TABLE,
    scope=Rows(client="client_id", physician="physician_id"),
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("orderId", "t.order_id", int),
        Column("codeValue", "t.code", str, kind="text"),
        Column("openedAt", "t.opened_at", datetime, sort="indexed"),
        Column("dueAt", "t.due_at", datetime, sort="indexed"),
        Column("toldAt", "t.told_at", datetime | None),
        Column("closedAt", "t.closed_at", datetime | None),
        Column("isOverdue", _IS_OVERDUE, bool, kind="boolean"),
        Column("status", _STATUS, int, kind="number"),
        Column("patientLastName", "t.patient_last_name", str, kind="text"),
        Column("patientFirstName", "t.patient_first_name", str, kind="text"),
        Column("patientDoB", "t.patient_birth_date", date | None, kind="date"),
        Column(
            "client",
            "coalesce((SELECT c.name FROM clients c WHERE c.id = t.client_id), '')",
            str,
            kind="text",
        ),
        Column("version", "t.version", int),
    ),
    filters=(
        filters.match_mask("status", _STATUS, CriticalStatus.ALL),
        filters.match_ids("orderIds", "t.order_id"),
        filters.match_ids("clientIds", "t.client_id"),
        filters.match_ids("physicianIds", "t.physician_id"),
    ),
    joined_values=(
        JoinedValue("toldName", _LAST_TOLD, str | None),
        JoinedValue("results", _RESULTS, list[CriticalItemSummary]),
    ),
)
