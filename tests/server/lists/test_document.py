"""The OpenAPI document of lists matches their answers."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, get_args

import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter
from sqlalchemy import Date, DateTime, Integer, types

from app.contract.enumerations import Role
from app.contract_files import build_portal_openapi
from app.server.access.media import EventStream
from app.server.access.routing import PortalRoute
from app.server.lists.document import get_page_model, get_row_model
from app.server.lists.spec import ListSpec
from app.server.order_search.columns import get_columns
from app.server.order_search.lists import build_list
from app.server.schema.tables import metadata
from app.server.slices import SLICES
from tests.server.samples import Realm, build_path, build_realm, list_routes
from tests.server.world import World

SPECS = [spec for slice_ in SLICES for spec in slice_.specs]
NEVER_NULL = {"rooms-of-unit": {"unitId"}}
"""Columns that are never null in a list, because the list filters by them."""
OPEN_PARTS = frozenset({"DraftRead.content", "ExportRead.parameters", "SavedSearchRead.query"})
"""What the interface stores and reads again: a form, filters, and a tree of conditions."""
SEARCHED_COLUMNS = [
    name for name, column in get_columns(Role.SUPERUSER).items() if column.shown_column is not None
]
ORDER_SEARCH = build_list(frozenset(SEARCHED_COLUMNS), frozenset())
"""The list of the advanced search, if it shows all columns."""
_KINDS: dict[type[types.TypeEngine[Any]], str] = {
    types.Boolean: "bool",
    Integer: "int",
    DateTime: "datetime",
    Date: "date",
    types.Text: "str",
    types.Uuid: "str",
}


def name_type(kind: types.TypeEngine[Any]) -> str:
    """Return the type of a column's values, as it is written in code."""
    if isinstance(kind, types.ARRAY):
        return f"list[{name_type(kind.item_type)}]"
    return next(name for known_type, name in _KINDS.items() if isinstance(kind, known_type))


def find_column_type(spec: ListSpec, sql: str) -> str | None:
    """Return the type of a plain column in its table; None for an expression."""
    plain = re.fullmatch(r"t\.(\w+)", sql)
    table = metadata.tables.get(spec.table)
    if plain is None or table is None:
        return None
    column = table.columns[plain[1]]
    name = name_type(column.type)
    return f"{name} | None" if column.nullable else name


def format_type(value_type: Any) -> str:
    """Format a type as it is written in code."""
    if isinstance(value_type, type):
        return value_type.__name__
    return str(value_type).replace("datetime.", "")


@pytest.mark.parametrize("spec", [*SPECS, ORDER_SEARCH], ids=lambda spec: spec.name)
def test_columns_have_the_types_of_their_tables(spec: ListSpec) -> None:
    for column in spec.columns:
        stored_type = find_column_type(spec, column.sql)
        if stored_type is not None:
            declared_type = (
                "datetime" if stored_type == "datetime" else format_type(column.value_type)
            )
            assert declared_type == stored_type, column.name


def list_documented_routes(app: FastAPI) -> list[tuple[PortalRoute, Any]]:
    """Return the routes whose JSON bypasses FastAPI's models, with their documented models."""
    return [
        (route, route.responses[200]["model"])
        for method, route in list_routes(app)
        if method == "GET" and "model" in route.responses.get(200, {})
        if route.response_class is not EventStream
    ]


def find_nullable_columns(spec: ListSpec) -> set[str]:
    """Return the columns of a row that may be null."""
    fields = get_row_model(spec).model_fields
    return {name for name, field in fields.items() if type(None) in get_args(field.annotation)}


@asynccontextmanager
async def add_bare_records(world: World, home: Realm) -> AsyncIterator[None]:
    """Add records of the client in which every optional value is null.

    The rows of Lab Data are removed at the end: they break its rules, and other tests import all of
    its rows.
    """
    client = home.ids["client_id"]
    patient = world.create_patient(client, birth_date=None)
    world.run_sql("UPDATE orders SET patient_birth_date = NULL WHERE client_id = %s", (client,))
    await world.save_requisition(home.people[Role.CLIENT_BASIC], patient)
    world.run_sql("UPDATE clients SET default_bill_to = NULL WHERE id = %s", (client,))
    home.ids["unit_id"] = world.run_sql(
        "INSERT INTO units (client_id, name) VALUES (%s, 'EAST') RETURNING id", (client,)
    )
    for unit in (home.ids["unit_id"], None):
        world.run_sql(
            "INSERT INTO rooms (client_id, unit_id, name) VALUES (%s, %s, '1')", (client, unit)
        )
    test_id = world.run_sql(
        "INSERT INTO lab_tests (code, name, search_text, kind, result_type, client_id)"
        " VALUES (%s, 'BARE', 'BARE', 'CLINICAL', 0, %s) RETURNING id",
        (f"BARE{client}", client),
    )
    payer_id = world.run_sql(
        "INSERT INTO payers (name) VALUES (%s) RETURNING id", (f"BARE {client}",)
    )
    try:
        yield
    finally:
        world.run_sql("DELETE FROM lab_tests WHERE id = %s", (test_id,))
        world.run_sql("DELETE FROM payers WHERE id = %s", (payer_id,))


async def test_answers_match_the_document_including_nulls(
    world: World, portal_app: FastAPI
) -> None:
    home = await build_realm(world)
    pages = {
        get_page_model(spec): find_nullable_columns(spec) - NEVER_NULL.get(spec.name, set())
        for spec in SPECS
    }
    # The nullable columns of each page in which no row has had a null so far.
    without_null = {
        model: pages[model]
        for _route, model in list_documented_routes(portal_app)
        if model in pages
    }
    async with add_bare_records(world, home):
        for route, model in list_documented_routes(portal_app):
            for role in route.policy.roles & {Role.SUPERUSER, Role.CLIENT_BASIC}:
                path = build_path("GET", route, home.ids, home.people[role])
                answer = await world.http.get(path, headers=home.people[role].headers)
                assert answer.status_code == 200, path
                TypeAdapter(model).validate_json(answer.content)
                if model in without_null:
                    for row in answer.json()["data"]:
                        without_null[model] -= {k for k, value in row.items() if value is None}
    assert {model.__name__: names for model, names in without_null.items() if names} == {}


def find_untyped_parts(schema: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    """Return the parts of a schema that allow anything, by their path."""
    found_parts: list[str] = []
    seen_names: set[str] = set()

    def visit(part: dict[str, Any], path: str) -> None:
        name = part.get("$ref", "").rsplit("/", 1)[-1]
        if name:
            if name not in seen_names:
                seen_names.add(name)
                visit(schemas[name], name)
            return
        kinds = part.keys() & {"type", "const", "enum", "anyOf", "oneOf", "allOf"}
        if not kinds or part.get("additionalProperties") is True:
            found_parts.append(path)
        for key in ("anyOf", "oneOf", "allOf"):
            for alternative in part.get(key, ()):
                visit(alternative, path)
        for key, inner in part.get("properties", {}).items():
            visit(inner, f"{path}.{key}")
        for key in ("items", "additionalProperties"):
            if isinstance(part.get(key), dict):
                visit(part[key], f"{path}[]")

    visit(schema, "")
    return [part for part in found_parts if part not in OPEN_PARTS]


async def test_rows_of_the_advanced_search_match_its_columns_including_nulls(
    world: World,
) -> None:
    """Which columns are null depends on the order: a requisition or physician may be elsewhere."""
    home = await build_realm(world)
    async with add_bare_records(world, home):
        answer = await world.http.get(
            "/api/v2/orders/advanced-search",
            headers=home.people[Role.CLIENT_BASIC].headers,
            params={"columns": SEARCHED_COLUMNS},
        )
    assert answer.status_code == 200, answer.text
    get_page_model(ORDER_SEARCH).model_validate_json(answer.content)
    rows = answer.json()["data"]
    assert {row["birthDate"] for row in rows} == {None}
    assert all(row["patientCode"] for row in rows)


def test_every_answer_has_a_schema(tmp_path) -> None:
    document: dict[str, Any] = build_portal_openapi(tmp_path)
    schemas = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for status, answer in operation["responses"].items():
                if status.startswith("2") and status != "204":
                    assert answer.get("content"), f"{method} {path}"
                    for media in answer["content"].values():
                        assert find_untyped_parts(media.get("schema", {}), schemas) == [], path
