"""Columns of the signature, the acknowledgment, and what is still to do."""

from app.contract.enumerations import Role
from app.server.lists.spec import Column
from app.server.order_search.columns.spec import NOT_PHYSICIANS, SearchColumn, get_column
from app.server.order_search.rules import Kind

_FOLLOW_UP = "Signature and follow-up"
_SIGNED_COLUMN = get_column("hasSignature", "signed")
_SIGNATURE = "FROM requisition_signatures g WHERE g.requisition_id = t.requisition_id"
_HAS_SIGNER = f"EXISTS (SELECT 1 {_SIGNATURE} AND g.removed_at IS NULL AND ({{condition}}))"
_SHOWN_SIGNER = f"(SELECT g.user_name {_SIGNATURE} AND g.removed_at IS NULL)"
_ACKNOWLEDGED_BY = "t.acknowledged_by_name"
# A later release re-opens an acknowledgment, whose name and time stay (ADR 35).
_IS_ACKNOWLEDGED = "(t.acknowledged_at IS NOT NULL AND NOT t.is_unread)"

FOLLOW_UP_COLUMNS: tuple[SearchColumn, ...] = (
    SearchColumn(
        "signed",
        "Signed",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        _SIGNED_COLUMN.sql,
        shown_column=_SIGNED_COLUMN,
    ),
    SearchColumn(
        "signedBy",
        "Signed by",
        _FOLLOW_UP,
        Kind.TEXT,
        "upper(g.user_name)",
        wrap=_HAS_SIGNER,
        shown_column=Column("signedBy", _SHOWN_SIGNER, str | None),
    ),
    SearchColumn(
        "acknowledged",
        "Acknowledged",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        _IS_ACKNOWLEDGED,
        shown_column=Column("acknowledged", _IS_ACKNOWLEDGED, bool),
    ),
    SearchColumn(
        "acknowledgedBy",
        "Acknowledged by",
        _FOLLOW_UP,
        Kind.TEXT,
        f"upper({_ACKNOWLEDGED_BY})",
        may_be_empty=True,
        shown_column=Column("acknowledgedBy", _ACKNOWLEDGED_BY, str | None),
    ),
    SearchColumn(
        "acknowledgedDate",
        "Acknowledged on",
        _FOLLOW_UP,
        Kind.MOMENT,
        "t.acknowledged_at",
        may_be_empty=True,
        shown_column=get_column("onlineAckDateTime", "acknowledgedDate"),
    ),
    SearchColumn(
        "missingInfo",
        "Missing information",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        get_column("hasMissingInfo").sql,
        shown_column=get_column("hasMissingInfo", "missingInfo"),
        has_day_index=True,
    ),
    SearchColumn(
        "awaitsCollection",
        "Needs a new collection",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        "t.awaits_collection",
        shown_column=get_column("awaitsCollection"),
        has_day_index=True,
    ),
    SearchColumn(
        "unread",
        "Has unread results",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        "t.is_unread",
        shown_column=get_column("isUnread", "unread"),
        roles=NOT_PHYSICIANS,
        has_day_index=True,
    ),
    SearchColumn(
        "unreadByPhysician",
        "Has unread results",
        _FOLLOW_UP,
        Kind.BOOLEAN,
        "t.is_unread_by_physician",
        shown_column=get_column("isUnreadByPhysician", "unreadByPhysician"),
        roles=frozenset({Role.PHYSICIAN}),
        has_day_index=True,
    ),
)
