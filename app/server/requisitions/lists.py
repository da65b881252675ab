"""The requisition search (O 2.2)."""

from datetime import date, datetime

from app.contract.enumerations import RequisitionStatus, SignatureFilter
from app.contract.limits import TAKE_MAX
from app.server.lists import filters
from app.server.lists.spec import Column, Filter, Joined, ListSpec, Parsed, Window
from app.server.patients.lists import NAMES_TABLE
from app.server.requisitions.models import Requisition

_TESTS = (
    "(SELECT coalesce(json_agg(x.name ORDER BY rt.position), '[]'::json) "
    "FROM requisition_tests rt JOIN lab_tests x ON x.id = rt.test_id "
    "WHERE rt.requisition_id = page.id AND rt.parent_id IS NULL)"
)


def _parse_signature(values: list[str]) -> Parsed | None:
    signature = SignatureFilter(values[-1])
    if signature is SignatureFilter.ALL:
        return None
    return {"f_signature": signature is SignatureFilter.SIGNED}


requisitions = ListSpec(
    name="requisitions",
    table="requisitions",
    scope=Requisition.__scope__,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("code", "t.code", str, sort="indexed", kind="text", trigrams="t.code"),
        Column("collectionDate", "t.collection_date", datetime, sort="indexed", kind="moment"),
        Column(
            "patientLastName",
            "t.patient_last_name",
            str,
            sort="window",
            kind="text",
            names_table=NAMES_TABLE,
        ),
        Column(
            "patientFirstName",
            "t.patient_first_name",
            str,
            sort="window",
            kind="text",
            names_table=NAMES_TABLE,
        ),
        Column("patientBirthDate", "t.patient_birth_date", date, sort="window", kind="date"),
        Column("clientId", "t.client_id", int, kind="number"),
        Column(
            "unit",
            "coalesce(t.unit_name, '')",
            str,
            sort="window",
            kind="text",
            trigrams="t.unit_name",
        ),
        Column("room", "t.room_name", str | None, kind="text", trigrams="t.room_name"),
        Column("bed", "t.bed", str | None, kind="text", trigrams="t.bed"),
        Column("hasSignature", "t.has_signature", bool, kind="boolean"),
        Column("status", "t.status", int, sort="window", kind="number"),
        Column("version", "t.version", int),
    ),
    filters=(
        filters.from_day("startDate", "t.collection_date"),
        filters.to_day("endDate", "t.collection_date"),
        filters.ids("client", "t.client_id"),
        filters.ids("unit", "t.unit_id"),
        filters.ids("patient", "t.patient_id"),
        filters.mask("status", "t.status", RequisitionStatus.ALL),
        Filter("signature", _parse_signature, "t.has_signature = %(f_signature)s"),
        filters.ids("ids", "t.id", max_count=TAKE_MAX),
        filters.ids("clientIds", "t.client_id"),
        filters.ids("patientIds", "t.patient_id"),
        filters.ids("physicianIds", "t.physician_id"),
    ),
    joins='LEFT JOIN clients c ON c.id = page."clientId" '
    "LEFT JOIN orders o ON o.requisition_id = page.id",
    joined=(
        Joined("clientName", "c.name", str),
        Joined("tests", _TESTS, list[str]),
        Joined("orderId", "o.id", int | None),
    ),
    window=Window(
        first="startDate",
        last="endDate",
        column="collectionDate",
        selective=frozenset(
            {
                "client",
                "patient",
                "ids",
                "clientIds",
                "patientIds",
                "physicianIds",
                "column.clientId",
                "column.patientBirthDate",
            }
        ),
        day="t.collection_day",
        covered=frozenset({"status", "signature"}),
    ),
)
