"""Titles and field labels of a patient's timeline."""

import pytest

from app.contract.enumerations import TimelineKind
from app.server.patient_timeline.rules import TITLES, build_field_labels


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("last_name", "Last name"),
        ("client_id", "Client"),
        ("sexual_orientation_id", "Sexual orientation"),
        ("social_security_number", "SSN"),
        ("zip_code_name", "Zip code"),
        ("zip_code_plus4", "Zip plus 4"),
        ("medical_record_id", "Medical record id"),
        ("diagnoses", "Diagnoses"),
    ],
)
def test_labels_fields(name: str, label: str) -> None:
    assert build_field_labels([name]) == {name: label}


def test_every_kind_of_event_has_a_title() -> None:
    assert set(TITLES) == set(TimelineKind)
    assert all(TITLES.values())
