"""What the OpenAPI document says of a list: its rows and its query, from the declaration.

A list answers JSON that PostgreSQL has made, which no model reads on its way: these models are
for the document, and for the tests that hold the real answers against them.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, create_model

from app.contract.limits import TAKE_MAX
from app.server.lists.spec import ListSpec

Parameters = Mapping[str, Any]
"""Names of query parameters -> the types of their values."""

_NONE: Parameters = MappingProxyType({})
_COLUMN_TAKES: Mapping[str | None, Any] = {"number": int, "boolean": bool}


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Page(_Answer):
    """A page of a list, with the number of rows behind it.

    ``totalIsCapped``: there are at least as many. ``next`` is what ``after`` takes.
    """

    data: list[Any]
    totalCount: int  # noqa: N815
    totalIsCapped: bool  # noqa: N815
    next: str | None


@cache
def row_model(spec: ListSpec) -> type[BaseModel]:
    """One row of the list."""
    fields: dict[str, Any] = {c.name: (c.holds, ...) for c in spec.columns if not c.hidden}
    fields |= {joined.name: (joined.holds, ...) for joined in spec.joined}
    return create_model(f"{_title(spec.name)}Row", __base__=_Answer, **fields)


@cache
def page_model(spec: ListSpec) -> type[Page]:
    """A page of the list."""
    return page_of(f"{_title(spec.name)}Page", row_model(spec))


def page_of(name: str, row: type[BaseModel]) -> type[Page]:
    """A page of these rows, for what answers in pages without being a declared list."""
    return create_model(name, __base__=Page, data=(list[row], ...))  # type: ignore[valid-type]


def answers_page(spec: ListSpec, takes: Parameters = _NONE) -> dict[str, Any]:
    """Arguments of a route that answers pages; ``takes``: parameters of the route's own."""
    paging = {"skip": int, "take": int, "sort": str, "after": str}
    filters = {each.name: each.takes for each in spec.filters}
    columns = {
        f"column.{each.name}": _COLUMN_TAKES.get(each.kind, str)
        for each in spec.columns
        if each.kind is not None
    }
    return _documented(page_model(spec), {**takes, **paging, **filters, **columns}, _sorts(spec))


def answers_rows(spec: ListSpec, allowed: Iterable[str]) -> dict[str, Any]:
    """Arguments of a route that answers rows without a page around them."""
    takes = {each.name: each.takes for each in spec.filters if each.name in frozenset(allowed)}
    return _documented(list[row_model(spec)], takes)  # type: ignore[misc]


def answers(model: Any, takes: Parameters = _NONE) -> dict[str, Any]:
    """Arguments of a route that answers JSON of this model, made elsewhere than by it."""
    return _documented(model, takes)


def _documented(model: Any, takes: Parameters, sorts: str = "") -> dict[str, Any]:
    return {
        "responses": {200: {"model": model}},
        "openapi_extra": {
            "parameters": [_parameter(name, kind, sorts) for name, kind in takes.items()]
        },
    }


def _parameter(name: str, kind: Any, sorts: str) -> dict[str, Any]:
    parameter: dict[str, Any] = {"name": name, "in": "query", "required": False}
    schema = TypeAdapter(kind).json_schema()
    if name == "skip":
        schema |= {"minimum": 0}
    elif name == "take":
        schema |= {"minimum": 1, "maximum": TAKE_MAX}
    elif name == "sort" and sorts:
        parameter["description"] = sorts
    return {**parameter, "schema": schema}


def _sorts(spec: ListSpec) -> str:
    names = [column.name for column in spec.columns if column.sort != "no"]
    return f"Up to three of these, a minus before those that descend: {', '.join(names)}."


def _title(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))
