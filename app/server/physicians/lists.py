"""Lists of physicians."""

from dataclasses import replace

from app.basics.text import keep_digits, to_upper_case
from app.contract.limits import TAKE_MAX
from app.server.lists import filters
from app.server.lists.spec import Column, ListSpec

_OF_CLIENTS = (
    "t.id IN (SELECT l.physician_id FROM client_physicians l WHERE l.client_id = ANY({ids}))"
)


def _clean_npi(text: str) -> str | None:
    """Return the digits of an NPI; a text without digits stays, so that it matches nobody."""
    return keep_digits(text) or to_upper_case(text)


physicians = ListSpec(
    name="physicians",
    table="physicians",
    scope=None,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("npi", "t.npi", str, sort="indexed", kind="text"),
        Column("firstName", "t.first_name", str, sort="window", kind="text"),
        Column("lastName", "t.last_name", str, sort="indexed", kind="text"),
    ),
    filters=(
        filters.match_column("firstName"),
        filters.match_column("lastName"),
        filters.match_text("npi", "t.npi", clean=_clean_npi),
        filters.match_text("search", "t.last_name", "t.first_name", "t.npi"),
        filters.match_related_ids("patientClientId", _OF_CLIENTS, max_count=1),
        filters.match_related_ids("clientIds", _OF_CLIENTS),
        filters.match_ids("ids", "t.id", max_count=TAKE_MAX),
    ),
    default_sort="lastName,firstName",
    is_audited=False,
)

physicians_by_name = replace(
    physicians,
    name="physicians-by-name",
    filters=(
        filters.match_exact_text("firstname", "t.first_name"),
        filters.match_exact_text("lastname", "t.last_name"),
    ),
)
