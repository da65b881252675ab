"""The demo patients' insurance, responsible parties, diagnoses and medications."""

from __future__ import annotations

from app.server.seeding.copying import Connection, copy_rows, load_ids
from app.server.seeding.loaded_ids import LoadedIds
from seeds.demo.records import DemoLab


def insert_backgrounds(connection: Connection, lab: DemoLab, ids: LoadedIds) -> None:
    """Insert each patient's insurance, responsible parties, diagnoses and medications."""
    _insert_insurance(connection, lab, ids)
    copy_rows(
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
                ids.patients[background.patient_index],
                position,
                party.last_name,
                party.first_name,
                party.address,
                ids.zips[party.zip_code],
                party.zip_code_plus4,
                party.phone,
                party.mobile,
            )
            for background in lab.backgrounds
            for position, party in enumerate(background.parties, start=1)
        ),
    )
    copy_rows(
        connection,
        "patient_diagnoses",
        ("patient_id", "position", "diagnosis_id"),
        (
            (ids.patients[background.patient_index], position, ids.diagnoses[code])
            for background in lab.backgrounds
            for position, code in enumerate(background.diagnoses, start=1)
        ),
    )
    copy_rows(
        connection,
        "patient_medications",
        ("patient_id", "position", "name"),
        (
            (ids.patients[background.patient_index], position, name)
            for background in lab.backgrounds
            for position, name in enumerate(background.medications, start=1)
        ),
    )


def _insert_insurance(connection: Connection, lab: DemoLab, ids: LoadedIds) -> None:
    payers = load_ids(connection, "payers", "name")
    rows = connection.execute("SELECT name, bill_type_id FROM payers")
    bill_types = {str(name): bill_type for name, bill_type in rows}
    copy_rows(
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
                ids.patients[background.patient_index],
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
                ids.zips[row.zip_code] if row.zip_code else None,
                row.zip_code_plus4,
            )
            for background in lab.backgrounds
            for position, row in enumerate(background.insurance, start=1)
        ),
    )
