"""The list of users (P 2): sorted and filtered by name, and filtered by role."""

from datetime import datetime

from app.contract.enumerations import Role
from app.server.lists import filters
from app.server.lists.parsing import build_parameter_error
from app.server.lists.spec import Column, Filter, ListSpec, ParsedValues, quote_texts
from app.server.users.models import UserEntry
from app.server.users.rules import GIVEN_BY_CLIENT_ADMIN


def _parse_roles(values: list[str]) -> ParsedValues:
    roles = set(values)
    if not roles <= set(Role):
        raise build_parameter_error("role")
    return {"f_role": sorted(roles)}


users = ListSpec(
    name="users",
    table="user_directory",
    scope=UserEntry.__scope__,
    columns=(
        Column("id", "t.id", str),
        Column("number", "t.number", int),
        Column("email", "t.email", str),
        Column("lastName", "t.last_name", str, sort="indexed", kind="text"),
        Column("firstName", "t.first_name", str, sort="indexed", kind="text"),
        Column("lastLoginInstant", "t.last_login_at", datetime | None),
        Column("role", "t.role", str),
        Column("active", "t.active", bool),
        Column("version", "t.version", int),
        Column("isGiven", f"t.role IN ({quote_texts(GIVEN_BY_CLIENT_ADMIN)})", bool),
        Column(
            "isWithin",
            "%(ids)s::bigint[] = '{}' OR t.admin_client_ids <@ %(ids)s::bigint[]",
            bool,
        ),
        Column("isSelf", "t.id = nullif(%(user)s, '')::uuid", bool),
    ),
    filters=(
        filters.match_related_ids("clientIds", "t.admin_client_ids && {ids}"),
        filters.match_flag("active", "t.active"),
        Filter("role", _parse_roles, "t.role = ANY(%(f_role)s::text[])", list[str]),
    ),
    default_sort="lastName,firstName",
    has_uuids=True,
    has_small_scopes=True,
)
