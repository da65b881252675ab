"""The demo patients' insurance, responsible parties, diagnoses and medications."""

from __future__ import annotations

from app.server.seeding.copying import Connection, copy, ids_by
from app.server.seeding.known import Known
from seeds.demo.records import DemoLab


def load(connection: Connection, lab: DemoLab, known: Known) -> None:
    """Write what is known of each patient besides the form."""
    _load_insurance(connection, lab, known)
    copy(
        connection,
        "patient_responsible_parties",
        (
            "patient_id",
            "position",
            "last_name",
            "first_name",
            "address",
            "zip_code_id",
            "zip_code_plus4",
            "phone",
            "mobile",
        ),
        (
            (
                known.patients[each.patient_index],
                position,
                party.last_name,
                party.first_name,
                party.address,
                known.zips[party.zip_code],
                party.zip_code_plus4,
                party.phone,
                party.mobile,
            )
            for each in lab.backgrounds
            for position, party in enumerate(each.parties, start=1)
        ),
    )
    copy(
        connection,
        "patient_diagnoses",
        ("patient_id", "position", "diagnosis_id"),
        (
            (known.patients[each.patient_index], position, known.diagnoses[code])
            for each in lab.backgrounds
            for position, code in enumerate(each.diagnoses, start=1)
        ),
    )
    copy(
        connection,
        "patient_medications",
        ("patient_id", "position", "name"),
        (
            (known.patients[each.patient_index], position, name)
            for each in lab.backgrounds
            for position, name in enumerate(each.medications, start=1)
        ),
    )


def _load_insurance(connection: Connection, lab: DemoLab, known: Known) -> None:
    payers = ids_by(connection, "payers", "name")
    rows = connection.execute("SELECT name, bill_type_id FROM payers")
    bill_types = {str(name): bill_type for name, bill_type in rows}
    copy(
        connection,
        "patient_insurance",
        (
            "patient_id",
            "position",
            "bill_type_id",
            "payer_id",
            "insurance_id",
            "group_number",
            "relationship",
            "different_than_patient",
            "last_name",
            "first_name",
            "birth_date",
            "gender",
            "phone",
            "address",
            "zip_code_id",
            "zip_code_plus4",
        ),
        (
            (
                known.patients[each.patient_index],
                position,
                bill_types[row.payer],
                payers[row.payer],
                row.insurance_id,
                row.group_number,
                row.relationship,
                row.zip_code is not None,
                row.last_name,
                row.first_name,
                row.birth_date,
                row.gender,
                row.phone,
                row.address,
                known.zips[row.zip_code] if row.zip_code else None,
                row.zip_code_plus4,
            )
            for each in lab.backgrounds
            for position, row in enumerate(each.insurance, start=1)
        ),
    )
