"""Header fields that are stored as they are sent."""

from datetime import datetime

from app.server.database.records import record_of
from app.server.requisitions.models import Requisition
from app.server.requisitions.schemas import RequisitionWrite
from app.server.requisitions.service.header import differs, sent_columns

STORED = record_of(
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
    """What of a body goes straight into the record."""

    def test_are_those_that_were_given(self) -> None:
        body = RequisitionWrite(fasting=2, comments="x", patient_id=5)
        assert sent_columns(body, body.model_fields_set) == {"fasting": 2}

    def test_are_all_of_a_new_requisition(self) -> None:
        assert set(sent_columns(RequisitionWrite())) == {
            *("physician_id", "collection_date", "fasting", "priority"),
        }


class TestDiffers:
    """What a signature locks."""

    def test_only_by_another_value(self) -> None:
        assert not differs(STORED, {"fasting": 1, "priority": "STAT"})
        assert differs(STORED, {"fasting": 1, "priority": "ROUTINE"})

    def test_not_by_what_a_signature_leaves_open(self) -> None:
        assert not differs(STORED, {"comments": "changed", "bill_to": 2})
