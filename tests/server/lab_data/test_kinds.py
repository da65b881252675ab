"""Every kind of lab data: rows, history, roles, and files."""

from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from app.server.lab_data.kind import DataKind, Field
from app.server.lab_data.kinds import KINDS
from app.server.lab_data.lists import build_list
from app.server.lists.document import get_page_model
from tests.server.lab_data.desk import Desk, Samples

ALL = [pytest.param(kind, id=key) for key, kind in KINDS.items()]


def choose_change(kind: DataKind, row: dict[str, Any]) -> tuple[Field, dict[str, Any]]:
    """Choose a field without rules, and return it with another value for it."""
    bound_names = {*kind.identity, *(["unit"] if kind.limits else [])}
    free_fields = [f for f in kind.fields if not (f.fixed or f.check or f.name in bound_names)]
    field = next(f for t in ("text", "boolean", "number") for f in free_fields if f.type == t)
    value = row["values"][field.name]
    return field, {field.name: {"text": "OTHER", "boolean": not value, "number": "9"}[field.type]}


@pytest.mark.parametrize("kind", ALL)
class TestEveryKind:
    """Rules for all kinds."""

    async def test_stores_a_new_row_and_lists_it(
        self, desk: Desk, samples: Samples, kind: DataKind
    ) -> None:
        values = samples.build(kind.key)
        row = await desk.create(kind.key, **values)
        assert {name: row["values"][name] for name in values} == values
        answer = await desk.send("GET", f"/{kind.key}?take=5&sort=-id")
        assert answer.status_code == 200, answer.text
        get_page_model(build_list(kind)).model_validate_json(answer.content)
        [first, *_] = answer.json()["data"]
        assert first == {"id": row["id"], **row["values"]}
        read_answer = await desk.send("GET", f"/{kind.key}/{row['id']}")
        assert read_answer.json() == row

    async def test_records_who_changed_what(
        self, desk: Desk, samples: Samples, kind: DataKind
    ) -> None:
        row = await desk.create(kind.key, **samples.build(kind.key))
        field, change = choose_change(kind, row)
        change_answer = await desk.change(kind.key, row, **change)
        assert change_answer.status_code == 200, change_answer.text
        newest, first = await desk.read_history(kind.key, row)
        assert (first["action"], newest["action"]) == ("create", "change")
        assert [item["label"] for item in newest["fields"]] == [field.label]
        assert newest["fields"][0]["old"] != newest["fields"][0]["new"]

    async def test_rejects_a_stale_version(
        self, desk: Desk, samples: Samples, kind: DataKind
    ) -> None:
        row = await desk.create(kind.key, **samples.build(kind.key))
        _field, change = choose_change(kind, row)
        assert (await desk.change(kind.key, row, **change)).status_code == 200
        assert (await desk.change(kind.key, row, **change)).status_code == 412

    async def test_names_each_missing_field(self, desk: Desk, kind: DataKind) -> None:
        answer = await desk.send("POST", f"/{kind.key}", {"values": {}})
        assert answer.status_code == 400
        required_fields = {f.name for f in kind.fields if f.required and f.default is None}
        errors = {error["field"]: error["message"] for error in answer.json()["errors"]}
        labels = {f.name: f.label for f in kind.fields}
        for name in required_fields:
            assert errors[name] == messages.LAB_DATA_REQUIRED.format(label=labels[name])

    async def test_rejects_the_same_row_twice(
        self, desk: Desk, samples: Samples, kind: DataKind
    ) -> None:
        values = samples.build(kind.key)
        row = await desk.create(kind.key, **values)
        answer = await desk.send("POST", f"/{kind.key}", {"values": row["values"]})
        assert answer.status_code == 400, answer.text
        assert "Another row has the same" in answer.json()["errors"][0]["message"]

    async def test_only_editors_can_create_rows(
        self, lab_desk: Desk, samples: Samples, kind: DataKind
    ) -> None:
        answer = await lab_desk.send("POST", f"/{kind.key}", {"values": samples.build(kind.key)})
        is_allowed = Role.LABORATORY in kind.editors
        assert answer.status_code == (201 if is_allowed else 403), answer.text
        assert (await lab_desk.send("GET", f"/{kind.key}")).status_code == 200

    async def test_an_exported_file_changes_nothing(
        self, desk: Desk, samples: Samples, kind: DataKind
    ) -> None:
        await desk.create(kind.key, **samples.build(kind.key))
        preview = await desk.preview(kind.key, await desk.export(kind.key))
        assert preview.status_code == 200, preview.text
        answer = preview.json()
        assert answer["rows"] == []
        assert (answer["added"], answer["changed"], answer["rejected"]) == (0, 0, 0)
        assert answer["unchanged"] > 0
