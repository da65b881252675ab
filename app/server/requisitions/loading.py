"""What a write, or an answer, needs of a requisition: loaded by one statement, as JSON (ADR 22)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.contract.enumerations import ScopeKind
from app.server.access.work import Work
from app.server.billing import service as billing
from app.server.billing.repository import insurance_json
from app.server.billing.schemas import InsuranceRow
from app.server.catalog.models import Diagnosis, LabTest
from app.server.catalog.repository import TestNode, plant_trees
from app.server.clients.models import Client
from app.server.database.base import declared_scopes
from app.server.database.records import read_record, row_json, rows_json
from app.server.database.scope import Rows
from app.server.patients.models import Patient
from app.server.patients.service.read import holder_of
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
from app.server.requisitions.repository import OrderOfRequisition, Parts, content_of
from app.server.requisitions.rules import Copy, SignedContent

_SECRET = frozenset({"ssn_encrypted", "ssn_hash", "ssn_last4"})
_SEARCHED = frozenset({"search_text"})


@dataclass(frozen=True)
class Naming:
    """The other records that a write names."""

    patient_id: int | None = None
    physician_id: int | None = None
    test_ids: Sequence[int] = ()
    diagnosis_ids: Sequence[int] = ()
    diagnosis_codes: Sequence[str] = ()
    insurance_count: int = 0


@dataclass
class RequisitionRecord:
    """A requisition with all that an answer says of it.

    ``patient``, ``client`` and ``primary_physician`` are as they are now; None where the actor
    does not see them.
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

    def content(self) -> SignedContent:
        """What a signature of it vouches for."""
        parts = self.parts
        tests, diagnoses = [row for row, _ in parts.tests], [row for row, _ in parts.diagnoses]
        return content_of(self.requisition, tests, diagnoses, parts.medications)


@dataclass(frozen=True)
class NewIds:
    """Ids that nobody else gets, for rows that a write may add; and the next code's number."""

    requisition: int
    code_number: int
    tests: Sequence[int]
    insurance: Sequence[int]


@dataclass(frozen=True)
class Known:
    """The records that a write names, as far as the actor sees them.

    ``patient`` is the one that the write names, without one that of the stored requisition.
    ``outside_list`` are the named tests that a client's own list does not have, by client.
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


async def load_known(work: Work, naming: Naming) -> Known:
    """What a new requisition names."""
    row = await work.statements.fetch(
        _statement(work.actor.kind, is_stored=False), _values(None, naming)
    )
    assert row is not None
    return _read_known(row[0], naming)


async def load_record(
    work: Work, requisition_id: int, naming: Naming | None = None, *, lock: bool = False
) -> tuple[RequisitionRecord, Known] | None:
    """A requisition within the actor's scope and what a change of it names; None: there is none.

    ``lock``: nobody else changes it until the commit.
    """
    naming = naming or Naming()
    values = _values(requisition_id, naming)
    if lock:
        # On its own: a statement that waited for the lock would show parts as of before.
        work.statements.add(_lock(work.actor.kind), {"requisition": requisition_id})
    row = await work.statements.fetch(_statement(work.actor.kind, is_stored=True), values)
    assert row is not None
    if row[0]["record"] is None:
        return None
    known = _read_known(row[0], naming)
    return _read_stored(row[0]["record"], known), known


def new_record(requisition: Requisition, known: Known) -> RequisitionRecord:
    """A requisition that is being made, still without parts."""
    patient = known.patient
    primary_id = patient.primary_physician_id if patient else None
    return RequisitionRecord(
        requisition=requisition,
        parts=Parts([], [], []),
        insurance=[],
        copies=[],
        signature=None,
        order=None,
        patient=patient,
        client=known.clients.get(requisition.client_id),
        physician=known.physicians.get(requisition.physician_id or 0),
        primary_physician=known.physicians.get(primary_id or 0),
    )


async def load_many(
    work: Work, ids: Sequence[int], *, with_contents: bool = False
) -> dict[int, tuple[Requisition, SignedContent | None]]:
    """Requisitions by id, locked in the order of ids, and what signatures of them vouch for; those
    that are not the actor's are missing."""
    values = {"requisitions": list(ids), "with_contents": with_contents}
    # On its own, as for one.
    work.statements.add(_lock_many(work.actor.kind), values)
    row = await work.statements.fetch(_many(work.actor.kind), values)
    assert row is not None
    found: dict[int, tuple[Requisition, SignedContent | None]] = {}
    for each in row[0]:
        requisition = read_record(Requisition, each["requisition"])
        content = None
        if with_contents:
            content = content_of(
                requisition,
                [read_record(RequisitionTest, test) for test in each["tests"]],
                [read_record(RequisitionDiagnosis, diagnosis) for diagnosis in each["diagnoses"]],
                [medication["name"] for medication in each["medications"]],
            )
        found[requisition.id] = requisition, content
    return found


def _values(requisition_id: int | None, naming: Naming) -> dict[str, Any]:
    return {
        "requisition": requisition_id,
        "patient": naming.patient_id,
        "physician": naming.physician_id,
        "tests": list(naming.test_ids),
        "diagnosis_ids": list(naming.diagnosis_ids),
        "diagnosis_codes": list(naming.diagnosis_codes),
        "insurance_count": naming.insurance_count,
    }


def _scope(table: type[Any], kind: ScopeKind, alias: str) -> str:
    declared = declared_scopes[table.__tablename__]
    assert isinstance(declared, Rows)
    return declared.predicate(kind, alias)


@lru_cache(maxsize=16)
def _lock(kind: ScopeKind) -> str:
    return (
        "SELECT 1 FROM requisitions r WHERE r.id = %(requisition)s "
        f"AND {_scope(Requisition, kind, 'r')} FOR NO KEY UPDATE"
    )


def _wanted_many(kind: ScopeKind) -> str:
    return (
        "FROM requisitions r WHERE r.id = ANY(%(requisitions)s::bigint[]) "
        f"AND {_scope(Requisition, kind, 'r')}"
    )


@lru_cache(maxsize=16)
def _lock_many(kind: ScopeKind) -> str:
    return f"SELECT 1 {_wanted_many(kind)} ORDER BY r.id FOR NO KEY UPDATE"


@lru_cache(maxsize=16)
def _many(kind: ScopeKind) -> str:
    parts = {"requisition": row_json(Requisition, "r")}
    for name, table, alias, order in (
        ("tests", RequisitionTest, "o", "o.position"),
        ("diagnoses", RequisitionDiagnosis, "n", "n.purpose, n.position"),
        ("medications", RequisitionMedication, "m", "m.position"),
    ):
        of_record = f"WHERE %(with_contents)s::boolean AND {alias}.requisition_id = r.id"
        parts[name] = rows_json(table, alias, of_record, order=order)
    pairs = ", ".join(f"'{name}', {sql}" for name, sql in parts.items())
    return f"SELECT coalesce(json_agg(json_build_object({pairs})), '[]'::json) {_wanted_many(kind)}"


@lru_cache(maxsize=16)
def _statement(kind: ScopeKind, *, is_stored: bool) -> str:
    client = _scope(Client, kind, "c")
    named = "%(patient)s::bigint"
    place = "SELECT p.client_id FROM patient p"
    doctors = "%(physician)s::bigint, (SELECT p.primary_physician_id FROM patient p)"
    with_record = ""
    if is_stored:
        named = f"coalesce({named}, (SELECT r.patient_id FROM record r))"
        place += " UNION SELECT r.client_id FROM record r"
        doctors += ", (SELECT r.physician_id FROM record r)"
        with_record = (
            "record AS MATERIALIZED (SELECT r.* FROM requisitions r "
            f"WHERE r.id = %(requisition)s AND {_scope(Requisition, kind, 'r')}), "
        )
    parts = {
        "patient": f"(SELECT {row_json(Patient, 'p', without=_SECRET)} FROM patient p)",
        "clients": rows_json(Client, "c", f"WHERE c.id IN ({place}) AND {client}"),
        "unit": _place_name("units", "unit_id", client),
        "room": _place_name("rooms", "room_id", client),
        "physicians": rows_json(Physician, "d", f"WHERE d.id IN ({doctors})"),
        "tests": (
            f"(SELECT coalesce(json_agg({row_json(LabTest, 't', without=_SEARCHED)}), '[]'::json) "
            "FROM lab_tests t WHERE t.id IN (SELECT o.id FROM ordered o))"
        ),
        "members": (
            "(SELECT coalesce(json_agg(json_build_array(m.panel_id, m.test_id) "
            "ORDER BY m.panel_id, m.position), '[]'::json) FROM panel_members m "
            "WHERE m.panel_id IN (SELECT o.id FROM ordered o))"
        ),
        # A client without a list has every test, and its own private ones are always on it.
        "outside": (
            "(SELECT coalesce(json_object_agg(c.client_id, ARRAY(SELECT t.id FROM lab_tests t "
            "WHERE t.id = ANY(%(tests)s::bigint[]) AND t.client_id IS DISTINCT FROM c.client_id "
            "AND NOT EXISTS (SELECT 1 FROM client_tests l "
            "WHERE l.client_id = c.client_id AND l.test_id = t.id))), '{}'::json) "
            f"FROM ({place}) c "
            "WHERE EXISTS (SELECT 1 FROM client_tests l WHERE l.client_id = c.client_id))"
        ),
        "diagnoses": rows_json(
            Diagnosis,
            "g",
            "WHERE g.id = ANY(%(diagnosis_ids)s::bigint[]) "
            "OR g.code = ANY(%(diagnosis_codes)s::text[])",
        ),
        "insurance": (
            f"(SELECT {insurance_json('p.id', 'p.zip_code_id')} FROM patient p "
            "WHERE %(insurance_count)s::int > 0)"
        ),
        "test_ids": "(SELECT json_agg(nextval('requisition_tests_id_seq')) FROM ordered)",
        "insurance_ids": (
            "(SELECT json_agg(nextval('requisition_insurance_id_seq')) "
            "FROM generate_series(1, %(insurance_count)s::int))"
        ),
    }
    if is_stored:
        parts["record"] = f"(SELECT {_record_json(kind)} FROM record r)"
    else:
        parts["id"] = "nextval('requisitions_id_seq')"
        parts["code_number"] = "nextval('requisition_codes')"
    pairs = ", ".join(f"'{name}', {sql}" for name, sql in parts.items())
    return (
        f"WITH RECURSIVE {with_record}patient AS MATERIALIZED (SELECT p.* FROM patients p "
        f"WHERE p.id = {named} AND {_scope(Patient, kind, 'p')}), "
        # A test that two panels have comes twice, as it will be stored.
        "ordered (id) AS (SELECT unnest(%(tests)s::bigint[]) UNION ALL "
        "SELECT m.test_id FROM ordered o JOIN panel_members m ON m.panel_id = o.id) "
        "CYCLE id SET is_repeated USING path "
        f"SELECT json_build_object({pairs})"
    )


def _place_name(table: str, column: str, client: str) -> str:
    return (
        f"(SELECT u.name FROM {table} u JOIN clients c ON c.id = u.client_id "
        f"WHERE u.id = (SELECT p.{column} FROM patient p) AND {client})"
    )


def _record_json(kind: ScopeKind) -> str:
    of_record = "WHERE {0}.requisition_id = r.id"
    tests = (
        f"(SELECT coalesce(json_agg(json_build_array({row_json(RequisitionTest, 'o')}, "
        f"{row_json(LabTest, 't', without=_SEARCHED)}) ORDER BY o.position), '[]'::json) "
        "FROM requisition_tests o JOIN lab_tests t ON t.id = o.test_id "
        "WHERE o.requisition_id = r.id)"
    )
    diagnoses = (
        f"(SELECT coalesce(json_agg(json_build_array({row_json(RequisitionDiagnosis, 'n')}, "
        f"{row_json(Diagnosis, 'g', without=_SEARCHED)}) ORDER BY n.purpose, n.position), "
        "'[]'::json) FROM requisition_diagnoses n JOIN diagnoses g ON g.id = n.diagnosis_id "
        "WHERE n.requisition_id = r.id)"
    )
    medications = rows_json(RequisitionMedication, "m", of_record.format("m"), order="m.position")
    insurance = rows_json(RequisitionInsurance, "i", of_record.format("i"), order="i.position")
    copies = rows_json(RequisitionCopy, "k", of_record.format("k"), order="k.position")
    # By the table's name: the slice of orders stands above this one.
    orders = declared_scopes["orders"]
    assert isinstance(orders, Rows)
    return (
        f"json_build_object('requisition', {row_json(Requisition, 'r')}, 'tests', {tests}, "
        f"'diagnoses', {diagnoses}, 'medications', {medications}, 'insurance', {insurance}, "
        f"'copies', {copies}, "
        f"'signature', (SELECT {row_json(RequisitionSignature, 's')} "
        "FROM requisition_signatures s WHERE r.has_signature AND s.requisition_id = r.id "
        "AND s.removed_at IS NULL), "
        "'order', (SELECT json_build_array(x.id, x.code) FROM orders x "
        f"WHERE x.requisition_id = r.id AND {orders.predicate(kind, 'x')}))"
    )


def _read_known(loaded: Mapping[str, Any], naming: Naming) -> Known:
    patient = read_record(Patient, loaded["patient"]) if loaded["patient"] else None
    tests = {row["id"]: read_record(LabTest, row) for row in loaded["tests"]}
    insurance = loaded["insurance"]
    return Known(
        patient=patient,
        unit_name=loaded["unit"],
        room_name=loaded["room"],
        clients={row["id"]: read_record(Client, row) for row in loaded["clients"]},
        physicians={row["id"]: read_record(Physician, row) for row in loaded["physicians"]},
        trees=plant_trees(naming.test_ids, tests, loaded["members"]),
        outside_list={int(each): frozenset(ids) for each, ids in loaded["outside"].items()},
        diagnoses=[read_record(Diagnosis, row) for row in loaded["diagnoses"]],
        insurance=billing.read_rows(insurance, holder_of(patient)) if insurance and patient else [],
        new_ids=NewIds(
            requisition=loaded.get("id", 0),
            code_number=loaded.get("code_number", 0),
            tests=loaded["test_ids"] or (),
            insurance=loaded["insurance_ids"] or (),
        ),
    )


def _read_stored(stored: Mapping[str, Any], known: Known) -> RequisitionRecord:
    record = new_record(read_record(Requisition, stored["requisition"]), known)
    record.parts = Parts(
        [
            (read_record(RequisitionTest, row), read_record(LabTest, test))
            for row, test in stored["tests"]
        ],
        [
            (read_record(RequisitionDiagnosis, row), read_record(Diagnosis, diagnosis))
            for row, diagnosis in stored["diagnoses"]
        ],
        [row["name"] for row in stored["medications"]],
    )
    record.insurance = [read_record(RequisitionInsurance, row) for row in stored["insurance"]]
    record.copies = [Copy(row["kind"], row["destination"]) for row in stored["copies"]]
    if stored["signature"]:
        record.signature = read_record(RequisitionSignature, stored["signature"])
    record.order = OrderOfRequisition(*stored["order"]) if stored["order"] else None
    return record
