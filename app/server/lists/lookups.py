"""Helpers of small lookups: their parameters, ids, and lists of fixed choices."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from fastapi import Depends, Request

from app.contract.choices import Choice
from app.contract.limits import TAKE_MAX
from app.server.access.parameters import require_known_parameters
from app.server.lists import filters
from app.server.lists.parsing import build_parameter_error, parse_id, parse_ids, parse_parameter
from app.server.lists.spec import Column, ListSpec


def allow_parameters(*names: str) -> Any:
    """Return a dependency that rejects query parameters other than these (400)."""

    async def check(request: Request) -> None:
        require_known_parameters(request.query_params, names)

    dependency: Callable[[Request], Awaitable[None]] = check
    return Depends(dependency)


def parse_id_parameter(request: Request, name: str) -> int | None:
    """Parse the id in a query parameter; None when it is missing, empty or 'null'.

    Raises:
        BadInput: the value is not an id.
    """
    text = request.query_params.get(name, "").strip()
    return parse_parameter(name, parse_id, text) if text and text != "null" else None


def parse_ids_parameter(request: Request, name: str, max_count: int = TAKE_MAX) -> list[int]:
    """Parse the ids in a repeated query parameter.

    Raises:
        BadInput: a value is not an id, or there are too many.
    """
    values = [value for value in request.query_params.getlist(name) if value.strip()]
    try:
        return parse_ids(values, max_count)
    except (ValueError, OverflowError) as error:
        raise build_parameter_error(name) from error


def build_choice_list(name: str, members: Iterable[Choice]) -> ListSpec:
    """Build a list of a closed choice of the contract, in its order."""
    rows = ", ".join(
        f"({quote_text(choice.id)}, {quote_text(choice.name)}, {i})"
        for i, choice in enumerate(members)
    )
    return ListSpec(
        name=name,
        table=f"(SELECT * FROM (VALUES {rows}) AS choice (id, name, place))",
        scope=None,
        columns=(
            Column("id", "t.id", str, sort="indexed", kind="text"),
            Column("name", "t.name", str, sort="indexed"),
            Column("place", "t.place", int, sort="indexed", is_hidden=True),
        ),
        filters=(filters.match_text("search", "upper(t.name)"),),
        default_sort="place",
        is_audited=False,
    )


def quote_text(text: str) -> str:
    """Quote one of our constant texts for SQL."""
    return "'" + text.replace("'", "''").replace("%", "%%") + "'"
