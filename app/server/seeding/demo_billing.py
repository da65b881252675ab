"""Billing of the demo lab's orders, some of which lack information (R 2.4)."""

from itertools import count
from typing import Any

from psycopg.types.json import Jsonb

from app.contract.enumerations import BillTo
from app.server.billing.repository import build_insurance_json
from app.server.billing.service import parse_rows
from app.server.database.records import build_row_json, parse_record
from app.server.orders.completeness import BillingState, find_missing_parts
from app.server.patients.models import Patient
from app.server.patients.service.read import build_holder
from app.server.seeding.copying import Connection, advance_sequences, copy_rows

_WITHOUT_DIAGNOSES = 12
"""The newest unsigned orders, one in three without a diagnosis."""

_REMOVE_DIAGNOSES = """
DELETE FROM requisition_diagnoses WHERE requisition_id IN (
    SELECT id FROM (
        SELECT r.id, row_number() OVER (ORDER BY o.id DESC) AS rank
        FROM orders o JOIN requisitions r ON r.id = o.requisition_id WHERE NOT r.has_signature
    ) newest WHERE rank <= %s AND rank %% 3 = 0
)
"""
_PATIENTS = (
    f"SELECT {build_row_json(Patient, 'p')}, {build_insurance_json('p.id', 'p.zip_code_id')} "
    "FROM patients p ORDER BY p.id"
)
_ORDERS = """
SELECT o.id, r.id, r.patient_id, r.bill_to, o.physician_id IS NOT NULL, EXISTS (
    SELECT 1 FROM requisition_diagnoses d WHERE d.requisition_id = r.id AND d.purpose = 'main'
)
FROM orders o JOIN requisitions r ON r.id = o.requisition_id ORDER BY o.id
"""
_COLUMNS = ("id", "requisition_id", "patient_insurance_id", "position", "snapshot")


def insert_billing(connection: Connection) -> None:
    """Bill the orders to their patients' insurance, and mark those that lack something."""
    connection.execute(_REMOVE_DIAGNOSES, (_WITHOUT_DIAGNOSES,))
    insurance = _load_insurance(connection)
    rows: list[tuple[Any, ...]] = []
    incomplete: list[int] = []
    row_ids = count(1)
    orders: Any = connection.execute(_ORDERS)
    for order_id, requisition_id, patient_id, bill_to, has_physician, has_diagnosis in orders:
        is_insured = bill_to == BillTo.INSURANCE
        billed_rows = insurance.get(patient_id, []) if is_insured else []
        for position, (insurance_id, snapshot) in enumerate(billed_rows, start=1):
            row = (next(row_ids), requisition_id, insurance_id, position, Jsonb(snapshot))
            rows.append(row)
        state = BillingState(
            has_physician=has_physician,
            has_diagnosis=has_diagnosis,
            bill_to=BillTo(bill_to),
            insurance=[snapshot for _, snapshot in billed_rows],
        )
        if find_missing_parts(state):
            incomplete.append(order_id)
    copy_rows(connection, "requisition_insurance", _COLUMNS, rows)
    advance_sequences(connection, "requisition_insurance")
    connection.execute("UPDATE orders SET lacks_info = true WHERE id = ANY(%s)", (incomplete,))


def _load_insurance(connection: Connection) -> dict[int, list[tuple[int, dict[str, Any]]]]:
    """Return the wire form of each patient's insurance rows, with their ids."""
    insurance = {}
    patients: Any = connection.execute(_PATIENTS)
    for patient_json, insurance_json in patients:
        patient = parse_record(Patient, patient_json)
        insurance[patient.id] = [
            (row.id, row.model_dump(mode="json", by_alias=True, exclude={"id"}))
            for row in parse_rows(insurance_json, build_holder(patient))
        ]
    return insurance
