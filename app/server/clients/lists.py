"""Lists of clients, units and rooms."""

from app.contract.enumerations import BillTo
from app.contract.limits import ROOM_PAGE_SIZE, TAKE_MAX
from app.server.addresses.schemas import ZipCodeShape
from app.server.clients.models import Client
from app.server.database.scope import Rows
from app.server.lists import filters
from app.server.lists.spec import Column, JoinedValue, ListSpec, build_word_expression

_ZIP_CODE = (
    "CASE WHEN z.id IS NULL THEN NULL ELSE json_build_object("
    "'id', z.id, 'code', z.code, 'city', z.city, 'state', z.state) END"
)

_SCOPE_FILTERS = (
    filters.match_ids("clientIds", "t.id"),
    filters.match_related_ids(
        "physicianIds",
        "t.id IN (SELECT l.client_id FROM client_physicians l WHERE l.physician_id = ANY({ids}))",
    ),
    filters.match_related_ids(
        "patientIds", "t.id IN (SELECT p.client_id FROM patients p WHERE p.id = ANY({ids}))"
    ),
)

clients = ListSpec(
    name="clients",
    table="clients",
    scope=Client.__scope__,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("code", "t.code", str, sort="indexed", kind="text"),
        Column("name", "t.name", str, sort="window", kind="text"),
        Column("webAccess", "t.web_access", bool),
        Column("address", "t.address", str | None),
        Column("zipCodeId", "t.zip_code_id", int | None, is_hidden=True),
        Column("zipCodePlus4", "t.zip_code_plus4", str | None),
        Column("phone", "t.phone", str | None),
        Column("fax", "t.fax", str | None),
        Column(
            "defaultBillTo",
            build_word_expression("t.default_bill_to", BillTo, without=BillTo.NONE),
            str | None,
        ),
        Column("requiresPhysician", "t.requires_physician", bool),
    ),
    filters=(
        filters.match_text("search", "t.name", "t.code"),
        filters.match_ids("ids", "t.id", max_count=TAKE_MAX),
        *_SCOPE_FILTERS,
    ),
    joins='LEFT JOIN zip_codes z ON z.id = page."zipCodeId"',
    joined_values=(
        JoinedValue("zipCode", _ZIP_CODE, ZipCodeShape | None),
        JoinedValue(
            "unitsCount",
            "(SELECT count(*) FROM units u WHERE u.active AND u.client_id = page.id)",
            int,
        ),
    ),
    default_sort="name",
    is_audited=False,
)

clients_by_name = ListSpec(
    name="clients-by-name",
    table="clients",
    scope=Client.__scope__,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("name", "t.name", str, sort="window", kind="text"),
    ),
    filters=(filters.match_text("search", "t.name", "t.code"), *_SCOPE_FILTERS),
    default_sort="name",
    is_audited=False,
)


def _build_client_scope(condition: str | None) -> str | None:
    if condition is None:
        return None
    client_condition = condition.replace("{t}", "c.")
    return f"{{t}}client_id IN (SELECT c.id FROM clients c WHERE {client_condition})"


# A unit or room is visible with its client; the table's policies say the same.
_CLIENT_SCOPE = Rows(
    client="client_id",
    physician=_build_client_scope(Client.__scope__.physician),
    patient=_build_client_scope(Client.__scope__.patient),
)

_DIGITS = 20
# Numbers inside the name compare as numbers: 2 comes before 11. Zeros in front give all numbers the
# same count of digits.
_NAME_ORDER = (
    f"regexp_replace(regexp_replace(t.name, '([0-9]+)', '{'0' * _DIGITS}\\1', 'g'), "
    f"'[0-9]*([0-9]{{{_DIGITS}}})', '\\1', 'g')"
)
_NAME = Column("name", "t.name", str, sort="window", kind="text", order_sql=_NAME_ORDER)

units = ListSpec(
    name="units",
    table="units",
    scope=_CLIENT_SCOPE,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        _NAME,
    ),
    base_condition="t.active AND t.client_id = %(client)s",
    filters=(filters.match_text("search", "t.name"),),
    default_sort="name",
    is_audited=False,
)

_ROOM_COLUMNS = (
    Column("id", "t.id", int, sort="indexed", kind="number"),
    _NAME,
    Column("unitId", "t.unit_id", int | None),
)

rooms_of_client = ListSpec(
    name="rooms-of-client",
    table="rooms",
    scope=_CLIENT_SCOPE,
    columns=_ROOM_COLUMNS,
    base_condition="t.active AND t.client_id = %(client)s",
    filters=(filters.match_text("search", "t.name"),),
    default_sort="name",
    is_audited=False,
    take=ROOM_PAGE_SIZE,
)

rooms_of_unit = ListSpec(
    name="rooms-of-unit",
    table="rooms",
    scope=_CLIENT_SCOPE,
    columns=_ROOM_COLUMNS,
    base_condition="t.active AND t.unit_id = %(unit)s",
    filters=(filters.match_text("search", "t.name"),),
    default_sort="name",
    is_audited=False,
    take=ROOM_PAGE_SIZE,
)
