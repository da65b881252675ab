"""Plain header fields, which are stored as sent."""

from datetime import datetime

from app.server.database.records import build_record
from app.server.requisitions.models import Requisition
from app.server.requisitions.schemas import RequisitionWrite
from app.server.requisitions.service.header import get_sent_columns, has_header_changes

STORED_REQUISITION = build_record(
    Requisition,
    {
        "physician_id": 7,
        "collection_date": datetime.fromisoformat("2026-03-04T07:30:00"),
        "fasting": 1,
        "priority": "STAT",
        "comments": "as stored",
    },
)


class TestSentColumns:
    """The plain fields of a body."""

    def test_returns_the_requested_fields(self) -> None:
        body = RequisitionWrite(fasting=2, comments="x", patient_id=5)
        assert get_sent_columns(body, body.model_fields_set) == {"fasting": 2}

    def test_returns_all_fields_by_default(self) -> None:
        columns = set(RequisitionWrite.model_fields) & set(Requisition.__table__.columns.keys())
        expected = columns - {"patient_id", "bill_to", "comments"}
        assert set(get_sent_columns(RequisitionWrite())) == expected
        assert "collection_date" in expected


class TestHeaderChanges:
    """Changes to plain fields, which a signature locks."""

    def test_another_value_counts_as_a_change(self) -> None:
        assert not has_header_changes(STORED_REQUISITION, {"fasting": 1, "priority": "STAT"})
        assert has_header_changes(STORED_REQUISITION, {"fasting": 1, "priority": "ROUTINE"})

    def test_open_fields_do_not_count_as_changes(self) -> None:
        assert not has_header_changes(STORED_REQUISITION, {"comments": "changed", "bill_to": 2})
