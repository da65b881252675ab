"""Lists of bill types and payers (O 7, 'Lookups')."""

from app.server.lists import filters
from app.server.lists.spec import Column, JoinedValue, ListSpec

bill_types = ListSpec(
    name="bill-types",
    table="bill_types",
    scope=None,
    columns=(
        Column("id", "t.id", int, sort="indexed", kind="number"),
        Column("name", "t.name", str, sort="indexed", kind="text"),
        Column("position", "t.position", int, sort="window", is_hidden=True),
    ),
    base_condition="t.active",
    filters=(filters.match_text("search", "t.name"),),
    default_sort="position",
    is_audited=False,
)


def _build_payers(name: str, base_condition: str) -> ListSpec:
    return ListSpec(
        name=name,
        table="payers",
        scope=None,
        columns=(
            Column("id", "t.id", int, sort="indexed", kind="number"),
            Column("name", "t.name", str, sort="indexed", kind="text"),
            Column("billTypeId", "t.bill_type_id", int | None),
        ),
        base_condition=base_condition,
        filters=(filters.match_text("search", "t.name"),),
        joins='LEFT JOIN bill_types b ON b.id = page."billTypeId"',
        joined_values=(JoinedValue("billType", "b.name", str | None),),
        default_sort="name",
        is_audited=False,
    )


payers_of_bill_type = _build_payers(
    "payers-of-bill-type", "t.active AND t.bill_type_id = %(bill_type)s"
)
all_payers = _build_payers("payers", "t.active")
