"""Physicians as a list."""

from app.basics.text import capitalise, digits
from app.server.lists import filters
from app.server.lists.spec import Column, ListSpec

physicians = ListSpec(
    name="physicians",
    table="physicians",
    scope=None,
    columns=(
        Column("id", "t.id", sort="indexed", kind="number"),
        Column("npi", "t.npi", sort="indexed", kind="text"),
        Column("firstName", "t.first_name", sort="window", kind="text"),
        Column("lastName", "t.last_name", sort="indexed", kind="text"),
    ),
    filters=(
        filters.prefix("firstName", "t.first_name", capitalise),
        filters.prefix("lastName", "t.last_name", capitalise),
        filters.prefix("npi", "t.npi", digits),
        filters.text("search", "t.last_name", "t.first_name", "t.npi"),
        filters.ids(
            "patientClientId",
            "(SELECT l.client_id FROM client_physicians l WHERE l.physician_id = t.id "
            "AND l.client_id = ANY(%(f_patientClientId)s) LIMIT 1)",
        ),
        filters.ids(
            "clientIds",
            "(SELECT l.client_id FROM client_physicians l WHERE l.physician_id = t.id "
            "AND l.client_id = ANY(%(f_clientIds)s) LIMIT 1)",
        ),
    ),
    default_sort="lastName,firstName",
    audited=False,
)
