"""SQL of the values of a kind, as they are on the wire."""

from functools import cache

from app.server.lab_data.kind import DataKind, Field, Links
from app.server.lab_data.lookups import LOOKUPS
from app.server.lists.lookups import quote_text


@cache
def build_values_json(kind: DataKind) -> str:
    """Return SQL for the values of a row ``t`` as a JSON object."""
    pairs = ", ".join(f"'{field.name}', {build_value(field)}" for field in kind.fields)
    return f"json_build_object({pairs})"


def build_value(field: Field) -> str:
    """Return SQL for the value of a field in the row ``t``."""
    column = f"t.{field.column}"
    if field.links:
        return _build_links(field, field.links)
    if field.type == "lookup":
        lookup = LOOKUPS[field.lookup]
        if lookup.key == f"k.{lookup.column}":
            return column
        return f"(SELECT {lookup.key} FROM {lookup.table} k WHERE k.{lookup.column} = {column})"
    if field.type == "choice":
        whens = " ".join(
            f"WHEN {_quote_value(stored_value)} THEN {_quote_value(choice)}"
            for choice, stored_value in field.choices.items()
            if stored_value is not None
        )
        return f"CASE {column} {whens} END"
    if field.type == "text":
        return f"nullif({column}, '')"
    # A JSON number would come back as a float, which changes its digits.
    return f"trim_scale({column})::text" if field.type == "number" else column


def _build_links(field: Field, links: Links) -> str:
    lookup = LOOKUPS[field.lookup]
    order = f"l.{links.position}" if links.position else lookup.key
    return (
        f"coalesce((SELECT array_agg({lookup.key} ORDER BY {order}) FROM {links.table} l "
        f"JOIN {lookup.table} k ON k.{lookup.column} = l.{links.other} "
        f"WHERE l.{links.own} = t.id), '{{}}')"
    )


def _quote_value(value: object) -> str:
    return quote_text(value) if isinstance(value, str) else str(value)


@cache
def build_rows_statement(kind: DataKind, condition: str = "true") -> str:
    """Return SQL of rows as one JSON text: their ids and values, in the order of the ids."""
    return (
        "SELECT coalesce(json_agg(json_build_array(r.id, r.row) ORDER BY r.id), '[]')::text FROM "
        f"(SELECT t.id, {build_values_json(kind)} AS row FROM {kind.table} t "
        f"WHERE {condition}) r"
    )


@cache
def build_resolve_statement(name: str) -> str:
    """Return SQL that finds what the texts ``%(keys)s`` refer to, as JSON."""
    lookup = LOOKUPS[name]
    return (
        "SELECT coalesce(json_agg(json_build_array("
        f"{lookup.key}, k.{lookup.column})), '[]') FROM {lookup.table} k "
        f"WHERE upper({lookup.key}) = ANY(%(keys)s::text[])"
    )


@cache
def build_offer_statement(name: str) -> str:
    """Return SQL of the first records that match ``%(letters)s``, exact and prefix first."""
    lookup = LOOKUPS[name]
    name_column = lookup.name or "NULL::text"
    key = f"upper({lookup.key})"
    return (
        "SELECT coalesce(json_agg(json_build_object('key', o.key, 'name', o.name) "
        "ORDER BY o.rank, o.key), '[]')::text FROM ("
        f"SELECT {lookup.key} AS key, {name_column} AS name, CASE WHEN {key} = %(letters)s THEN 0 "
        f"WHEN starts_with({key}, %(letters)s) THEN 1 ELSE 2 END AS rank FROM {lookup.table} k "
        f"WHERE {lookup.offered} AND (strpos({key}, %(letters)s) > 0 "
        f"OR strpos(upper({name_column}), %(letters)s) > 0) "
        "ORDER BY rank, key LIMIT %(max_count)s) o"
    )


@cache
def build_names_statement(name: str) -> str:
    """Return SQL of the records with the keys ``%(keys)s``, as JSON."""
    lookup = LOOKUPS[name]
    name_column = lookup.name or "NULL::text"
    return (
        "SELECT coalesce(json_agg("
        f"json_build_object('key', {lookup.key}, 'name', {name_column})), '[]')"
        f"::text FROM {lookup.table} k WHERE {lookup.key} = ANY(%(keys)s::text[])"
    )


@cache
def build_change_statement(kind: DataKind, columns: tuple[str, ...]) -> str:
    """Return SQL that changes columns of the rows in ``:rows``, a JSON array."""
    changes = ", ".join(f"{column} = x.{column}" for column in columns)
    return (
        f"UPDATE {kind.table} t SET {changes} "
        f"FROM json_populate_recordset(CAST(NULL AS {kind.table}), CAST(:rows AS json)) x "
        "WHERE x.id = t.id"
    )


HISTORY = (
    "SELECT coalesce(json_agg(json_build_object('at', h.at, 'user', h.name, 'action', h.action, "
    "'detail', h.detail) ORDER BY h.id DESC), '[]')::text FROM (SELECT a.id, a.at, a.action, "
    "a.detail, name_of_user(a.user_id) AS name FROM audit_events a WHERE a.kind = %(kind)s "
    "AND a.record_ids[1] = %(id)s ORDER BY a.id DESC LIMIT %(max_count)s) h"
)
"""The newest changes of a row."""
