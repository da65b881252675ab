"""Detects API changes that break clients, and no others."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.contract.compatibility import ACCEPTED_CHANGES, find_breaking_changes, is_accepted
from app.contract_files import SHARED

NULL = {"type": "null"}


def build_text(*, optional: bool = False) -> dict[str, Any]:
    """Build the schema of a text."""
    return {"anyOf": [{"type": "string"}, NULL]} if optional else {"type": "string"}


def build_api(**changes: Any) -> dict[str, Any]:
    """Build a small API: a read with a filter, and a write of the same record."""
    parts = {
        "record": {"id": {"type": "integer"}, "name": build_text()},
        "record_required": ["id", "name"],
        "write": {"name": build_text(), "unit": build_text(optional=True)},
        "write_required": ["name"],
        "parameters": [{"name": "search", "in": "query", "schema": build_text()}],
        **changes,
    }
    record = {"$ref": "#/components/schemas/Record"}
    answer = {"content": {"application/json": {"schema": {"type": "array", "items": record}}}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Write"}}}}
    return {
        "paths": {
            "/records": {
                "get": {"parameters": parts["parameters"], "responses": {"200": answer}},
                "post": {
                    "requestBody": {**body, "required": True},
                    "responses": {
                        "201": {"content": {"application/json": {"schema": record}}},
                    },
                },
            }
        },
        "components": {
            "schemas": {
                "Record": {
                    "type": "object",
                    "properties": parts["record"],
                    "required": parts["record_required"],
                },
                "Write": {
                    "type": "object",
                    "properties": parts["write"],
                    "required": parts["write_required"],
                },
            }
        },
    }


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"record": {"id": {"type": "integer"}}}, "POST /records: answer.name is gone"),
        (
            {"record": {"id": {"type": "integer"}, "name": build_text(optional=True)}},
            "GET /records: answer[].name may be null",
        ),
        (
            {"record": {"id": build_text(), "name": build_text()}},
            "GET /records: answer[].id may be string",
        ),
        ({"record_required": ["id"]}, "GET /records: answer[].name may be missing"),
        ({"write": {"name": build_text()}}, "POST /records: body.unit is gone"),
        (
            {"write": {"name": build_text(), "unit": build_text()}},
            "POST /records: body.unit may not be null",
        ),
        ({"write_required": ["name", "unit"]}, "POST /records: body.unit is required"),
        (
            {
                "write": {
                    "name": {"enum": ["A"], "type": "string"},
                    "unit": build_text(optional=True),
                }
            },
            "POST /records: body.name accepts only some values",
        ),
        (
            {"write": {"name": {"type": "string", "maxLength": 30}}},
            "POST /records: body.name has a lower maxLength",
        ),
        (
            {"write": {"name": {"type": "string", "minLength": 1}}},
            "POST /records: body.name has a higher minLength",
        ),
        (
            {"write": {"name": {"type": "string", "pattern": "^A"}}},
            "POST /records: body.name has another pattern",
        ),
        ({"parameters": []}, "GET /records: query parameter search is gone"),
        (
            {
                "parameters": [
                    {"name": "search", "in": "query", "schema": build_text()},
                    {"name": "client", "in": "query", "required": True, "schema": build_text()},
                ]
            },
            "GET /records: query parameter client is required",
        ),
    ],
)
def test_names_breaking_changes(change: dict[str, Any], line: str) -> None:
    assert line in find_breaking_changes(build_api(), build_api(**change))


def test_names_texts_that_are_read_in_another_way() -> None:
    before, after = (
        build_api(record={"at": {"type": "string", "format": form}}) for form in ("date", "time")
    )
    assert "POST /records: answer.at has another format" in find_breaking_changes(before, after)


@pytest.mark.parametrize(
    "change",
    [
        {},
        {
            "record": {
                "id": {"type": "integer"},
                "name": build_text(),
                "unit": build_text(optional=True),
            }
        },
        {
            "write": {
                "name": build_text(optional=True),
                "unit": build_text(optional=True),
                "room": build_text(),
            }
        },
        {"write_required": []},
        {"parameters": [{"name": "search", "in": "query", "schema": build_text(optional=True)}]},
    ],
)
def test_accepts_additions(change: dict[str, Any]) -> None:
    assert find_breaking_changes(build_api(), build_api(**change)) == []


def test_accepts_items_in_a_list_that_was_always_empty() -> None:
    before, after = (
        build_api(
            record={
                "id": {"type": "integer"},
                "name": build_text(),
                "results": {"type": "array", "items": items},
            }
        )
        for items in (NULL, {"type": "object", "properties": {"testId": {"type": "integer"}}})
    )
    assert find_breaking_changes(before, after) == []
    assert find_breaking_changes(after, before) != []


def test_accepted_changes_are_real_ones() -> None:
    """Each accepted change still differs from the last release; a release empties the list."""
    old, new = (
        json.loads((SHARED / folder / "portal.openapi.json").read_text(encoding="utf-8"))
        for folder in ("released", "api")
    )
    changes = find_breaking_changes(old, new)
    for pattern in ACCEPTED_CHANGES:
        assert [line for line in changes if re.search(pattern, line)], pattern
    assert all(is_accepted(line) for line in changes)
    assert not is_accepted("GET /records: answer.birthDate is gone")


def test_names_a_removed_route() -> None:
    smaller = build_api()
    del smaller["paths"]["/records"]["post"]
    assert find_breaking_changes(build_api(), smaller) == ["POST /records: is gone"]


def find_answer_schemas(operations: dict[str, Any]) -> set[str]:
    """Find the names of the schemas that the operations of a path answer, alone or in a list."""
    return {
        schema["$ref"].rsplit("/", 1)[1]
        for operation in operations.values()
        for status, answer in operation["responses"].items()
        if status.startswith("2")
        for content in answer.get("content", {}).values()
        for schema in (content["schema"], content["schema"].get("items", {}))
        if "$ref" in schema
    }


@pytest.mark.parametrize("path", sorted((SHARED / "api").glob("*.json")), ids=lambda p: p.stem)
def test_checks_every_answer_of_our_api(path: Path) -> None:
    """Removing any property of an answer is reported."""
    document = json.loads(path.read_text(encoding="utf-8"))
    assert find_breaking_changes(document, document) == []
    answer_schemas = {
        name: {url: operations}
        for url, operations in document["paths"].items()
        for name in find_answer_schemas(operations)
    }
    assert answer_schemas
    smaller = copy.deepcopy(document)
    for name, paths in answer_schemas.items():
        fields = smaller["components"]["schemas"][name].pop("properties", {})
        smaller["components"]["schemas"][name]["properties"] = {}
        # Only one path that answers the schema, because comparing all paths would take seconds.
        lines = find_breaking_changes({**document, "paths": paths}, {**smaller, "paths": paths})
        for field in fields:
            assert any(line.endswith(f".{field} is gone") for line in lines), f"{name}.{field}"
        smaller["components"]["schemas"][name]["properties"] = fields
