"""Builds patients and their lists."""

from datetime import date
from typing import Any

from tests.server.records import Records


class PatientBuilders(Records):
    """Inserts patients."""

    def create_patient(self, client_id: int, *, physician: int | None = None, **values: Any) -> int:
        """Create a patient of the client, and return the id."""
        n = self.claim_number()
        row = {
            "code": f"P{n:07d}",
            "client_id": client_id,
            "last_name": f"PATIENT{n}",
            "first_name": "PAT",
            "birth_date": date(1970, 1, 2),
            "gender": "FEMALE",
            "primary_physician_id": physician,
            **values,
        }
        names = ", ".join(row)
        placeholders = ", ".join(["%s"] * len(row))
        return int(
            self.run_sql(
                f"INSERT INTO patients ({names}) VALUES ({placeholders}) RETURNING id",
                tuple(row.values()),
            )
        )

    def add_patient_lists(self, patient_id: int) -> None:
        """Give the patient an insurance row, a responsible party, a diagnosis, and a medication."""
        for table, columns, values in (
            (
                "patient_insurance",
                "position, insurance_id, relationship, bill_type_id, payer_id",
                "1, 'OLD-1', 'SELF', (SELECT min(id) FROM bill_types),"
                " (SELECT min(id) FROM payers)",
            ),
            (
                "patient_responsible_parties",
                "position, last_name, first_name, address, zip_code_plus4, phone, zip_code_id",
                "1, 'PAYS', 'PAT', '2 MAIN ST', '1234', '312-555-0101',"
                " (SELECT min(id) FROM zip_codes)",
            ),
            ("patient_diagnoses", "position, diagnosis_id", "1, (SELECT min(id) FROM diagnoses)"),
            ("patient_medications", "position, name", "1, 'METFORMIN'"),
        ):
            self.run_sql(
                f"INSERT INTO {table} (patient_id, {columns}) VALUES (%s, {values})", (patient_id,)
            )
