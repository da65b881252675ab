"""Columns of the order and its requisition."""

from collections.abc import Mapping
from datetime import datetime

from app.contract.enumerations import LABELS, BillTo, Fasting, OrderStatus, Priority, ReasonKind
from app.server.lists.spec import Column
from app.server.order_search.columns.spec import (
    SearchColumn,
    get_column,
    name_members,
    name_texts,
    show_choice,
)
from app.server.order_search.rules import Kind

_ORDER = "Order"


def _list_statuses() -> Mapping[str, tuple[int, ...]]:
    """Return the statuses by the names under which they are shown (R 4)."""
    statuses_by_name: dict[str, tuple[int, ...]] = {}
    for status in OrderStatus:
        if status not in (OrderStatus.NONE, OrderStatus.ALL):
            label = LABELS[OrderStatus][status]
            statuses_by_name[label] = (*statuses_by_name.get(label, ()), int(status))
    return statuses_by_name


_STATUSES = _list_statuses()
_FASTING = name_members(Fasting)
_BILL_TO = name_members(BillTo, without=(BillTo.NONE,))
_REQUISITION = "(SELECT q.{column} FROM requisitions q WHERE q.id = t.requisition_id)"
_OF_REQUISITION = (
    "EXISTS (SELECT 1 FROM requisitions q WHERE q.id = t.requisition_id AND ({condition}))"
)
# The words of the reason as the order's page shows them (R 2.2).
_CANCELLATIONS = (
    "FROM order_tests ot LEFT JOIN reasons s ON s.code = ot.cancel_reason "
    f"AND s.kind = '{ReasonKind.CANCELLATION}' "
    "WHERE ot.order_id = t.id AND ot.canceled_at IS NOT NULL"
)
_CANCELLATION = (
    "nullif(concat_ws(', ', coalesce(s.words, ot.cancel_reason), nullif(ot.cancel_words, '')), '')"
)
_SHOWN_CANCELLATIONS = (
    "(SELECT coalesce(json_agg(d.words ORDER BY d.words), '[]'::json) "
    f"FROM (SELECT DISTINCT {_CANCELLATION} AS words {_CANCELLATIONS}) d "
    "WHERE d.words IS NOT NULL)"
)
_HAS_SITE = "EXISTS (SELECT 1 FROM unnest(t.collection_sites) AS site WHERE {condition})"

ORDER_COLUMNS: tuple[SearchColumn, ...] = (
    SearchColumn(
        "code",
        "Order Id",
        _ORDER,
        Kind.TEXT,
        "t.code",
        shown_column=get_column("codeValue", "code"),
        indexed_column=get_column("codeValue", "code"),
        is_selective=True,
    ),
    SearchColumn(
        "status",
        "Status",
        _ORDER,
        Kind.CHOICE,
        "t.status",
        choices=_STATUSES,
        shown_column=get_column("status"),
        has_day_index=True,
    ),
    SearchColumn(
        "collectionDate",
        "Collection date",
        _ORDER,
        Kind.MOMENT,
        "t.collection_date",
        shown_column=get_column("orderCollectionDate", "collectionDate"),
    ),
    SearchColumn(
        "receivedDate",
        "Received",
        _ORDER,
        Kind.MOMENT,
        "t.received_at",
        shown_column=get_column("orderDate", "receivedDate"),
    ),
    SearchColumn(
        "reportedDate",
        "Reported",
        _ORDER,
        Kind.MOMENT,
        "t.reported_at",
        may_be_empty=True,
        shown_column=Column("reportedDate", "t.reported_at", datetime | None),
    ),
    SearchColumn(
        "requisitionCode",
        "Requisition",
        _ORDER,
        Kind.TEXT,
        "q.code",
        wrap=_OF_REQUISITION,
        unscoped_wrap="t.requisition_id IN (SELECT q.id FROM requisitions q WHERE {condition})",
        shown_column=Column("requisitionCode", _REQUISITION.format(column="code"), str | None),
        is_selective=True,
    ),
    SearchColumn(
        "priority",
        "Priority",
        _ORDER,
        Kind.CHOICE,
        "q.priority",
        wrap=_OF_REQUISITION,
        choices=name_texts(Priority),
        shown_column=Column("priority", _REQUISITION.format(column="priority"), str | None),
    ),
    SearchColumn(
        "fasting",
        "Fasting",
        _ORDER,
        Kind.CHOICE,
        "q.fasting",
        wrap=_OF_REQUISITION,
        choices=_FASTING,
        shown_column=Column(
            "fasting", show_choice(_REQUISITION.format(column="fasting"), _FASTING), str | None
        ),
    ),
    SearchColumn(
        "billTo",
        "Bill to",
        _ORDER,
        Kind.CHOICE,
        "q.bill_to",
        wrap=_OF_REQUISITION,
        choices=_BILL_TO,
        shown_column=Column(
            "billTo", show_choice(_REQUISITION.format(column="bill_to"), _BILL_TO), str | None
        ),
    ),
    SearchColumn(
        "collectionSite",
        "Collection site",
        _ORDER,
        Kind.TEXT,
        "upper(site)",
        wrap=_HAS_SITE,
        may_be_empty=True,
        shown_column=Column("collectionSite", "array_to_string(t.collection_sites, ', ')", str),
    ),
    SearchColumn(
        "specimenCondition",
        "Specimen condition",
        _ORDER,
        Kind.TEXT,
        "upper(t.specimen_condition)",
        shown_column=Column("specimenCondition", "t.specimen_condition", str),
    ),
    SearchColumn(
        "cancellationReason",
        "Cancellation reason",
        _ORDER,
        Kind.TEXT,
        f"upper({_CANCELLATION})",
        wrap=f"EXISTS (SELECT 1 {_CANCELLATIONS} AND ({{condition}}))",
        may_be_empty=True,
        shown_column=Column("cancellationReason", _SHOWN_CANCELLATIONS, list[str]),
    ),
)
