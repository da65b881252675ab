"""Loads a requisition and the records that a write refers to, by one statement (ADR 22)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.contract.enumerations import OrderStatus, ScopeKind
from app.server.access.work import Work
from app.server.billing import service as billing
from app.server.billing.repository import build_insurance_json
from app.server.billing.schemas import InsuranceRow
from app.server.catalog.models import Diagnosis, LabTest
from app.server.catalog.repository import TestNode, build_trees
from app.server.clients.models import Client
from app.server.database.base import declared_scopes
from app.server.database.records import build_row_json, build_rows_json, parse_record
from app.server.database.scope import Rows
from app.server.patients.models import Patient
from app.server.patients.service.read import build_holder
from app.server.physicians.models import Physician
from app.server.requisitions.models import (
    Requisition,
    RequisitionCopy,
    RequisitionDiagnosis,
    RequisitionInsurance,
    RequisitionMedication,
    RequisitionSignature,
    RequisitionTest,
)
from app.server.requisitions.repository import OrderOfRequisition, Parts, build_signed_content
from app.server.requisitions.rules import Copy, SignedContent

_SECRET = frozenset({"ssn_encrypted", "ssn_hash", "ssn_last4"})
_SEARCH_TEXT = frozenset({"search_text"})


@dataclass(frozen=True)
class References:
    """The ids and codes of other records in a write."""

    patient_id: int | None = None
    physician_id: int | None = None
    test_ids: Sequence[int] = ()
    diagnosis_ids: Sequence[int] = ()
    diagnosis_codes: Sequence[str] = ()
    insurance_count: int = 0


@dataclass
class RequisitionRecord:
    """A requisition with its parts and related records.

    Attributes:
        patient, client, primary_physician: the current records, not snapshots; None if outside the
            actor's scope.
        stored_patient_code: the code of the stored requisition's patient, even outside the scope.
    """

    requisition: Requisition
    parts: Parts
    insurance: list[RequisitionInsurance]
    copies: list[Copy]
    signature: RequisitionSignature | None
    order: OrderOfRequisition | None
    patient: Patient | None
    client: Client | None
    physician: Physician | None
    primary_physician: Physician | None
    stored_patient_code: str | None = None

    def build_signed_content(self) -> SignedContent:
        """Return the content that a signature covers."""
        parts = self.parts
        tests, diagnoses = [row for row, _ in parts.tests], [row for row, _ in parts.diagnoses]
        return build_signed_content(self.requisition, tests, diagnoses, parts.medications)


@dataclass(frozen=True)
class NewIds:
    """Reserved ids for the rows that a write may add, and the number of the next code."""

    requisition: int
    code_number: int
    tests: Sequence[int]
    insurance: Sequence[int]


@dataclass(frozen=True)
class RelatedRecords:
    """The records that a write refers to, within the actor's scope.

    Attributes:
        patient: the write's patient, or the stored requisition's when the write has none.
        outside_list: by client, the ids of tests that are not on the client's list.
    """

    patient: Patient | None
    unit_name: str | None
    room_name: str | None
    clients: Mapping[int, Client]
    physicians: Mapping[int, Physician]
    trees: Mapping[int, TestNode]
    outside_list: Mapping[int, frozenset[int]]
    diagnoses: Sequence[Diagnosis]
    insurance: Sequence[InsuranceRow]
    new_ids: NewIds


async def load_related_records(work: Work, references: References) -> RelatedRecords:
    """Load the records that a new requisition refers to."""
    row = await work.statements.fetch(
        _build_load_statement(work.actor.kind, is_stored=False), _build_parameters(None, references)
    )
    assert row is not None
    return _parse_related_records(row[0], references)


async def load_record(
    work: Work, requisition_id: int, references: References | None = None, *, lock: bool = False
) -> tuple[RequisitionRecord, RelatedRecords] | None:
    """Load a requisition and the records that a write refers to; None if it is out of scope.

    ``lock`` locks the requisition until the commit.
    """
    references = references or References()
    values = _build_parameters(requisition_id, references)
    if lock:
        # The lock has its own statement: a statement that waits for a lock still reads the parts
        # from before the wait.
        work.statements.add(_build_lock_statement(work.actor.kind), {"requisition": requisition_id})
    row = await work.statements.fetch(
        _build_load_statement(work.actor.kind, is_stored=True), values
    )
    assert row is not None
    if row[0]["record"] is None:
        return None
    related = _parse_related_records(row[0], references)
    return _parse_stored_record(row[0]["record"], related), related


def build_new_record(requisition: Requisition, related: RelatedRecords) -> RequisitionRecord:
    """Return a record of a new requisition, without parts."""
    patient = related.patient
    primary_id = patient.primary_physician_id if patient else None
    return RequisitionRecord(
        requisition=requisition,
        parts=Parts([], [], []),
        insurance=[],
        copies=[],
        signature=None,
        order=None,
        patient=patient,
        client=related.clients.get(requisition.client_id),
        physician=related.physicians.get(requisition.physician_id or 0),
        primary_physician=related.physicians.get(primary_id or 0),
    )


@dataclass(frozen=True)
class LockedRequisition:
    """A locked requisition with the status of its order, if it became one.

    ``content`` is what a signature covers; None unless it was requested.
    """

    requisition: Requisition
    order_status: OrderStatus | None
    content: SignedContent | None


async def lock_requisitions(
    work: Work, ids: Sequence[int], *, with_contents: bool = False
) -> dict[int, LockedRequisition]:
    """Lock requisitions in the order of their ids, and return them by id.

    ``with_contents`` adds the content that a signature covers. Requisitions outside the actor's
    scope are missing.
    """
    values = {"requisitions": list(ids), "with_contents": with_contents}
    # The locks have their own statement, as in ``load_record``.
    work.statements.add(_build_lock_many_statement(work.actor.kind), values)
    row = await work.statements.fetch(_build_load_many_statement(work.actor.kind), values)
    assert row is not None
    requisitions: dict[int, LockedRequisition] = {}
    for item in row[0]:
        requisition = parse_record(Requisition, item["requisition"])
        content = None
        if with_contents:
            content = build_signed_content(
                requisition,
                [parse_record(RequisitionTest, test) for test in item["tests"]],
                [parse_record(RequisitionDiagnosis, diagnosis) for diagnosis in item["diagnoses"]],
                [medication["name"] for medication in item["medications"]],
            )
        status = item["order_status"]
        requisitions[requisition.id] = LockedRequisition(
            requisition, OrderStatus(status) if status else None, content
        )
    return requisitions


def _build_parameters(requisition_id: int | None, references: References) -> dict[str, Any]:
    return {
        "requisition": requisition_id,
        "patient": references.patient_id,
        "physician": references.physician_id,
        "tests": list(references.test_ids),
        "diagnosis_ids": list(references.diagnosis_ids),
        "diagnosis_codes": list(references.diagnosis_codes),
        "insurance_count": references.insurance_count,
    }


def _build_scope_predicate(table: type[Any], kind: ScopeKind, alias: str) -> str:
    scope = declared_scopes[table.__tablename__]
    assert isinstance(scope, Rows)
    return scope.build_predicate(kind, alias)


@lru_cache(maxsize=16)
def _build_lock_statement(kind: ScopeKind) -> str:
    return (
        "SELECT 1 FROM requisitions r WHERE r.id = %(requisition)s "
        f"AND {_build_scope_predicate(Requisition, kind, 'r')} FOR NO KEY UPDATE"
    )


def _select_requisitions(kind: ScopeKind) -> str:
    return (
        "FROM requisitions r WHERE r.id = ANY(%(requisitions)s::bigint[]) "
        f"AND {_build_scope_predicate(Requisition, kind, 'r')}"
    )


@lru_cache(maxsize=16)
def _build_lock_many_statement(kind: ScopeKind) -> str:
    return f"SELECT 1 {_select_requisitions(kind)} ORDER BY r.id FOR NO KEY UPDATE"


@lru_cache(maxsize=16)
def _build_load_many_statement(kind: ScopeKind) -> str:
    parts = {
        "requisition": build_row_json(Requisition, "r"),
        # By table name, since the slice of orders imports this one.
        "order_status": "(SELECT x.status FROM orders x WHERE x.requisition_id = r.id)",
    }
    for name, table, alias, order in (
        ("tests", RequisitionTest, "o", "o.position"),
        ("diagnoses", RequisitionDiagnosis, "n", "n.purpose, n.position"),
        ("medications", RequisitionMedication, "m", "m.position"),
    ):
        by_requisition = f"WHERE %(with_contents)s::boolean AND {alias}.requisition_id = r.id"
        parts[name] = build_rows_json(table, alias, by_requisition, order=order)
    pairs = ", ".join(f"'{name}', {sql}" for name, sql in parts.items())
    rows = _select_requisitions(kind)
    return f"SELECT coalesce(json_agg(json_build_object({pairs})), '[]'::json) {rows}"


@lru_cache(maxsize=16)
def _build_load_statement(kind: ScopeKind, *, is_stored: bool) -> str:
    client = _build_scope_predicate(Client, kind, "c")
    patient_id = "%(patient)s::bigint"
    client_ids = "SELECT p.client_id FROM patient p"
    physician_ids = "%(physician)s::bigint, (SELECT p.primary_physician_id FROM patient p)"
    record_cte = ""
    if is_stored:
        patient_id = f"coalesce({patient_id}, (SELECT r.patient_id FROM record r))"
        client_ids += " UNION SELECT r.client_id FROM record r"
        physician_ids += ", (SELECT r.physician_id FROM record r)"
        record_cte = (
            "record AS MATERIALIZED (SELECT r.* FROM requisitions r "
            f"WHERE r.id = %(requisition)s AND {_build_scope_predicate(Requisition, kind, 'r')}), "
        )
    parts = {
        "patient": f"(SELECT {build_row_json(Patient, 'p', without=_SECRET)} FROM patient p)",
        "clients": build_rows_json(Client, "c", f"WHERE c.id IN ({client_ids}) AND {client}"),
        "unit": _build_place_name_query("units", "unit_id", client),
        "room": _build_place_name_query("rooms", "room_id", client),
        "physicians": build_rows_json(Physician, "d", f"WHERE d.id IN ({physician_ids})"),
        "tests": (
            "(SELECT coalesce("
            f"json_agg({build_row_json(LabTest, 't', without=_SEARCH_TEXT)}), '[]'::json) "
            "FROM lab_tests t WHERE t.id IN (SELECT o.id FROM ordered o))"
        ),
        "members": (
            "(SELECT coalesce(json_agg(json_build_array(m.panel_id, m.test_id) "
            "ORDER BY m.panel_id, m.position), '[]'::json) FROM panel_members m "
            "WHERE m.panel_id IN (SELECT o.id FROM ordered o))"
        ),
        # A client without a list may order every test; its private tests count as listed.
        "outside": (
            "(SELECT coalesce(json_object_agg(c.client_id, ARRAY(SELECT t.id FROM lab_tests t "
            "WHERE t.id = ANY(%(tests)s::bigint[]) AND t.client_id IS DISTINCT FROM c.client_id "
            "AND NOT EXISTS (SELECT 1 FROM client_tests l "
            "WHERE l.client_id = c.client_id AND l.test_id = t.id))), '{}'::json) "
            f"FROM ({client_ids}) c "
            "WHERE EXISTS (SELECT 1 FROM client_tests l WHERE l.client_id = c.client_id))"
        ),
        "diagnoses": build_rows_json(
            Diagnosis,
            "g",
            "WHERE g.id = ANY(%(diagnosis_ids)s::bigint[]) "
            "OR g.code = ANY(%(diagnosis_codes)s::text[])",
        ),
        "insurance": (
            f"(SELECT {build_insurance_json('p.id', 'p.zip_code_id')} FROM patient p "
            "WHERE %(insurance_count)s::int > 0)"
        ),
        "test_ids": "(SELECT json_agg(nextval('requisition_tests_id_seq')) FROM ordered)",
        "insurance_ids": (
            "(SELECT json_agg(nextval('requisition_insurance_id_seq')) "
            "FROM generate_series(1, %(insurance_count)s::int))"
        ),
    }
    if is_stored:
        parts["record"] = f"(SELECT {_build_record_json(kind)} FROM record r)"
    else:
        parts["id"] = "nextval('requisitions_id_seq')"
        parts["code_number"] = "nextval('requisition_codes')"
    pairs = ", ".join(f"'{name}', {sql}" for name, sql in parts.items())
    return (
        f"WITH RECURSIVE {record_cte}patient AS MATERIALIZED (SELECT p.* FROM patients p "
        f"WHERE p.id = {patient_id} AND {_build_scope_predicate(Patient, kind, 'p')}), "
        # A test of two panels appears twice, as it will be stored.
        "ordered (id) AS (SELECT unnest(%(tests)s::bigint[]) UNION ALL "
        "SELECT m.test_id FROM ordered o JOIN panel_members m ON m.panel_id = o.id) "
        "CYCLE id SET is_repeated USING path "
        f"SELECT json_build_object({pairs})"
    )


def _build_place_name_query(table: str, column: str, client: str) -> str:
    return (
        f"(SELECT u.name FROM {table} u JOIN clients c ON c.id = u.client_id "
        f"WHERE u.id = (SELECT p.{column} FROM patient p) AND {client})"
    )


def _build_record_json(kind: ScopeKind) -> str:
    by_requisition = "WHERE {0}.requisition_id = r.id"
    tests = (
        f"(SELECT coalesce(json_agg(json_build_array({build_row_json(RequisitionTest, 'o')}, "
        f"{build_row_json(LabTest, 't', without=_SEARCH_TEXT)}) ORDER BY o.position), '[]'::json) "
        "FROM requisition_tests o JOIN lab_tests t ON t.id = o.test_id "
        "WHERE o.requisition_id = r.id)"
    )
    diagnoses = (
        f"(SELECT coalesce(json_agg(json_build_array({build_row_json(RequisitionDiagnosis, 'n')}, "
        f"{build_row_json(Diagnosis, 'g', without=_SEARCH_TEXT)}) ORDER BY n.purpose, n.position), "
        "'[]'::json) FROM requisition_diagnoses n JOIN diagnoses g ON g.id = n.diagnosis_id "
        "WHERE n.requisition_id = r.id)"
    )
    medications = build_rows_json(
        RequisitionMedication, "m", by_requisition.format("m"), order="m.position"
    )
    insurance = build_rows_json(
        RequisitionInsurance, "i", by_requisition.format("i"), order="i.position"
    )
    copies = build_rows_json(RequisitionCopy, "k", by_requisition.format("k"), order="k.position")
    # By table name, since the slice of orders imports this one.
    orders = declared_scopes["orders"]
    assert isinstance(orders, Rows)
    return (
        f"json_build_object('requisition', {build_row_json(Requisition, 'r')}, 'tests', {tests}, "
        f"'diagnoses', {diagnoses}, 'medications', {medications}, 'insurance', {insurance}, "
        f"'copies', {copies}, "
        f"'signature', (SELECT {build_row_json(RequisitionSignature, 's')} "
        "FROM requisition_signatures s WHERE r.has_signature AND s.requisition_id = r.id "
        "AND s.removed_at IS NULL), "
        "'patient_code', code_of_patient(r.patient_id), "
        "'order', (SELECT json_build_array(x.id, x.code, x.status) FROM orders x "
        f"WHERE x.requisition_id = r.id AND {orders.build_predicate(kind, 'x')}))"
    )


def _parse_related_records(content: Mapping[str, Any], references: References) -> RelatedRecords:
    patient = parse_record(Patient, content["patient"]) if content["patient"] else None
    tests = {row["id"]: parse_record(LabTest, row) for row in content["tests"]}
    insurance = content["insurance"]
    return RelatedRecords(
        patient=patient,
        unit_name=content["unit"],
        room_name=content["room"],
        clients={row["id"]: parse_record(Client, row) for row in content["clients"]},
        physicians={row["id"]: parse_record(Physician, row) for row in content["physicians"]},
        trees=build_trees(references.test_ids, tests, content["members"]),
        outside_list={
            int(client_id): frozenset(ids) for client_id, ids in content["outside"].items()
        },
        diagnoses=[parse_record(Diagnosis, row) for row in content["diagnoses"]],
        insurance=billing.parse_rows(insurance, build_holder(patient))
        if insurance and patient
        else [],
        new_ids=NewIds(
            requisition=content.get("id", 0),
            code_number=content.get("code_number", 0),
            tests=content["test_ids"] or (),
            insurance=content["insurance_ids"] or (),
        ),
    )


def _parse_stored_record(content: Mapping[str, Any], related: RelatedRecords) -> RequisitionRecord:
    record = build_new_record(parse_record(Requisition, content["requisition"]), related)
    record.parts = Parts(
        [
            (parse_record(RequisitionTest, row), parse_record(LabTest, test))
            for row, test in content["tests"]
        ],
        [
            (parse_record(RequisitionDiagnosis, row), parse_record(Diagnosis, diagnosis))
            for row, diagnosis in content["diagnoses"]
        ],
        [row["name"] for row in content["medications"]],
    )
    record.stored_patient_code = content["patient_code"]
    record.insurance = [parse_record(RequisitionInsurance, row) for row in content["insurance"]]
    record.copies = [Copy(row["kind"], row["destination"]) for row in content["copies"]]
    if content["signature"]:
        record.signature = parse_record(RequisitionSignature, content["signature"])
    if content["order"]:
        order_id, code, status = content["order"]
        record.order = OrderOfRequisition(order_id, code, OrderStatus(status))
    return record
