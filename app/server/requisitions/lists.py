"""The requisition search (O 2.2)."""

from datetime import date, datetime

from app.contract.enumerations import RequisitionStatus, SignatureFilter
from app.contract.limits import TAKE_MAX
from app.server.lists import filters
from app.server.lists.spec import (
    Column,
    Filter,
    JoinedValue,
    ListSpec,
    Lookup,
    ParsedValues,
    Window,
)
from app.server.patients.lists import build_name_lookup
from app.server.patients.models import build_birth_order
from app.server.patients.search_indexes import ROOM_AND_BED
from app.server.requisitions.models import Requisition

PATIENT_NAMES = tuple(
    Column(
        name,
        f"t.{column}",
        str,
        sort="window",
        kind="text",
        lookup=build_name_lookup(f"t.{column}"),
    )
    for name, column in (
        ("patientLastName", "patient_last_name"),
        ("patientFirstName", "patient_first_name"),
    )
)
"""The names in the patient's snapshot."""
BIRTH_DATE = Column(
    "patientBirthDate",
    "t.patient_birth_date",
    date | None,
    sort="window",
    kind="date",
    order_sql=build_birth_order("t.patient_birth_date"),
)
"""The birth date in the patient's snapshot; rows without one sort before the others."""
UNIT = Column(
    "unit",
    "coalesce(t.unit_name, '')",
    str,
    sort="window",
    kind="text",
    trigrams="t.unit_name",
)
"""The unit in the patient's snapshot."""
CLIENT_NAME = Column(
    "clientName",
    "coalesce((SELECT c.name FROM clients c WHERE c.id = t.client_id), '')",
    str,
    sort="window",
    kind="text",
    lookup=Lookup(
        "clients",
        ("lookup.name",),
        "lookup.id",
        "t.client_id IN ({keys})",
        sql="t.client_id = ANY(ARRAY({keys}))",
    ),
)
"""The client, by its name."""
ROOM_AND_BED_COLUMN = Column(
    "roomAndBed",
    f"coalesce({ROOM_AND_BED.format(t='t.')}, '')",
    str,
    sort="window",
    kind="text",
    is_hidden=True,
    trigrams=ROOM_AND_BED.format(t="t."),
)
"""Room and bed as one text."""
_HAS_TEST = "t.test_ids && ARRAY({keys})"
TESTS = Column(
    "tests",
    "(SELECT coalesce(string_agg(x.code, ', ' ORDER BY o.n), '') "
    "FROM unnest(t.test_ids) WITH ORDINALITY o (id, n) JOIN lab_tests x ON x.id = o.id)",
    str,
    sort="window",
    kind="text",
    is_hidden=True,
    lookup=Lookup(
        "lab_tests",
        ("lookup.code", "lookup.name"),
        "lookup.id::integer",
        _HAS_TEST,
        sql=_HAS_TEST,
        is_sampled=True,
    ),
)
"""The ordered tests: filtered by the letters of a code or name, sorted by their codes."""
SELECTIVE_FILTERS = frozenset(
    {
        "client",
        "patient",
        "ids",
        "clientIds",
        "patientIds",
        "physicianIds",
        "column.clientId",
    }
)
"""The filters that leave few rows of a table with a patient's snapshot."""

# One subquery for both, because it runs for each row.
_ORDERED_TESTS = (
    "LEFT JOIN LATERAL ("
    "SELECT coalesce(json_agg(x.name ORDER BY rt.position), '[]'::json) AS names, "
    "coalesce(json_agg(x.code ORDER BY rt.position), '[]'::json) AS codes "
    "FROM requisition_tests rt JOIN lab_tests x ON x.id = rt.test_id "
    "WHERE rt.requisition_id = page.id AND rt.parent_id IS NULL) ordered ON true"
)


def _parse_signature(values: list[str]) -> ParsedValues | None:
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
        *PATIENT_NAMES,
        BIRTH_DATE,
        Column("clientId", "t.client_id", int, kind="number"),
        CLIENT_NAME,
        UNIT,
        Column("room", "t.room_name", str | None, kind="text", trigrams="t.room_name"),
        Column("bed", "t.bed", str | None, kind="text", trigrams="t.bed"),
        ROOM_AND_BED_COLUMN,
        TESTS,
        Column("testIds", "t.test_ids", list[int]),
        Column("hasSignature", "t.has_signature", bool, sort="window", kind="boolean"),
        Column("status", "t.status", int, sort="window", kind="number"),
        Column("version", "t.version", int),
    ),
    filters=(
        filters.match_days_from("startDate", "t.collection_date"),
        filters.match_days_until("endDate", "t.collection_date"),
        filters.match_ids("client", "t.client_id"),
        filters.match_ids("unit", "t.unit_id"),
        filters.match_ids("patient", "t.patient_id"),
        filters.match_mask("status", "t.status", RequisitionStatus.ALL),
        Filter("signature", _parse_signature, "t.has_signature = %(f_signature)s"),
        filters.match_ids("ids", "t.id", max_count=TAKE_MAX),
        filters.match_ids("clientIds", "t.client_id"),
        filters.match_ids("patientIds", "t.patient_id"),
        filters.match_ids("physicianIds", "t.physician_id"),
    ),
    joins=f"LEFT JOIN orders o ON o.requisition_id = page.id {_ORDERED_TESTS}",
    joined_values=(
        JoinedValue("tests", "ordered.names", list[str]),
        JoinedValue("testCodes", "ordered.codes", list[str]),
        JoinedValue("orderId", "o.id", int | None),
    ),
    window=Window(
        first="startDate",
        last="endDate",
        column="collectionDate",
        selective_filters=SELECTIVE_FILTERS | {"column.patientBirthDate"},
        day="t.collection_day",
        covered_filters=frozenset({"status", "signature", "column.status", "column.hasSignature"}),
    ),
)
