"""OpenAPI models of lists, made from their declarations.

PostgreSQL builds the JSON of a list, and no model validates it. These models serve
the OpenAPI document, and the tests that compare real answers with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, create_model

from app.contract.limits import TAKE_MAX
from app.server.lists.spec import ListSpec

Parameters = Mapping[str, Any]
"""Names of query parameters -> the types of their values."""

_NO_PARAMETERS: Parameters = MappingProxyType({})
_COLUMN_TYPES: Mapping[str | None, Any] = {"number": int, "boolean": bool}


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Page(_Answer):
    """A page of a list, with the total number of rows.

    Attributes:
        totalIsCapped: whether the count stopped at ``totalCount``, so there may be more rows.
        next: the ``after`` of the next page.
    """

    data: list[Any]
    totalCount: int  # noqa: N815
    totalIsCapped: bool  # noqa: N815
    next: str | None


@cache
def get_row_model(spec: ListSpec) -> type[BaseModel]:
    """Return the model of a row of the list."""
    fields: dict[str, Any] = {c.name: (c.value_type, ...) for c in spec.columns if not c.is_hidden}
    fields |= {joined.name: (joined.value_type, ...) for joined in spec.joined_values}
    return create_model(f"{_build_title(spec.name)}Row", __base__=_Answer, **fields)


@cache
def get_page_model(spec: ListSpec) -> type[Page]:
    """Return the model of a page of the list."""
    return build_page_model(f"{_build_title(spec.name)}Page", get_row_model(spec))


def build_page_model(name: str, row: type[BaseModel]) -> type[Page]:
    """Build the model of a page of rows, for pages that do not come from a declared list."""
    return create_model(name, __base__=Page, data=(list[row], ...))  # type: ignore[valid-type]


def document_page(
    spec: ListSpec,
    parameters: Parameters = _NO_PARAMETERS,
    *,
    model: type[Page] | None = None,
) -> dict[str, Any]:
    """Return route arguments that describe pages of the list in the OpenAPI document.

    ``parameters`` are those of the route in addition to the list's; ``model`` is the page if its
    rows are not those of the list.
    """
    paging = {"skip": int, "take": int, "sort": str, "after": str}
    filters = {list_filter.name: list_filter.value_type for list_filter in spec.filters}
    query = {**parameters, **paging, **filters, **list_column_filters(spec)}
    bounded_sorts = [column.name for column in spec.columns if column.sort == "window"]
    page_model = model or get_page_model(spec)
    return _build_document(page_model, query, _describe_sort(spec), bounded_sorts)


def list_column_filters(spec: ListSpec) -> dict[str, Any]:
    """List the parameters that filter by columns, with the types of their values."""
    return {
        f"column.{column.name}": _COLUMN_TYPES.get(column.kind, str)
        for column in spec.columns
        if column.kind is not None
    }


def document_rows(spec: ListSpec, allowed_names: Iterable[str]) -> dict[str, Any]:
    """Return route arguments that describe an array of the list's rows, without a page."""
    names = frozenset(allowed_names)
    parameters = {
        list_filter.name: list_filter.value_type
        for list_filter in spec.filters
        if list_filter.name in names
    }
    return _build_document(list[get_row_model(spec)], parameters)  # type: ignore[misc]


def document_answer(model: Any, parameters: Parameters = _NO_PARAMETERS) -> dict[str, Any]:
    """Return route arguments that describe JSON of this model, which is built without it."""
    return _build_document(model, parameters)


def _build_document(
    model: Any, parameters: Parameters, sort_text: str = "", bounded_sorts: Sequence[str] = ()
) -> dict[str, Any]:
    return {
        "responses": {200: {"model": model}},
        "openapi_extra": {
            "parameters": [
                _build_parameter(name, value_type, sort_text, bounded_sorts)
                for name, value_type in parameters.items()
            ]
        },
    }


def _build_parameter(
    name: str, value_type: Any, sort_text: str, bounded_sorts: Sequence[str]
) -> dict[str, Any]:
    parameter: dict[str, Any] = {"name": name, "in": "query", "required": False}
    schema = TypeAdapter(value_type).json_schema()
    if name == "skip":
        schema |= {"minimum": 0}
    elif name == "take":
        schema |= {"minimum": 1, "maximum": TAKE_MAX}
    elif name == "sort" and sort_text:
        parameter["description"] = sort_text
        # Grids sort by these keys only while the total is below the cap.
        parameter["x-bounded-sorts"] = list(bounded_sorts)
    return {**parameter, "schema": schema}


def _describe_sort(spec: ListSpec) -> str:
    names = [column.name for column in spec.columns if column.sort != "no"]
    return f"Up to three of these keys, with a minus for descending order: {', '.join(names)}."


def _build_title(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))
