"""What small lookups share: which parameters they take, ids, and lists of a few fixed choices."""

from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import Any

from fastapi import Depends, Request

from app.contract import messages
from app.contract.choices import Choice
from app.contract.limits import TAKE_MAX
from app.server.lists import filters
from app.server.lists.parsing import read_id, read_ids, read_with, refuse
from app.server.lists.spec import Column, ListSpec


def takes(*names: str) -> Any:
    """A dependency: the query may hold these parameters and no others (else 400)."""

    async def check(request: Request) -> None:
        names_known(request.query_params, names)

    checked: Callable[[Request], Awaitable[None]] = check
    return Depends(checked)


def names_known(given: Iterable[str], names: Collection[str]) -> None:
    """Refuse a query that holds a parameter of any other name.

    Raises:
        BadInput: it names the first such parameter.
    """
    for name in given:
        if name not in names:
            raise refuse(name, messages.PARAMETER_UNKNOWN.format(name=name))


def id_in(request: Request, name: str) -> int | None:
    """The id of a query parameter; None when there is none.

    Raises:
        BadInput: it is no id.
    """
    given = request.query_params.get(name, "").strip()
    return read_with(name, read_id, given) if given and given != "null" else None


def ids_in(request: Request, name: str, most: int = TAKE_MAX) -> list[int]:
    """The ids of a repeated query parameter.

    Raises:
        BadInput: one is no id, or there are too many.
    """
    given = [value for value in request.query_params.getlist(name) if value.strip()]
    try:
        return read_ids(given, most)
    except (ValueError, OverflowError) as error:
        raise refuse(name) from error


def choices(name: str, closed: Iterable[Choice]) -> ListSpec:
    """A closed list of the contract as a list like any other, in its own order."""
    rows = ", ".join(
        f"({_literal(choice.id)}, {_literal(choice.name)}, {i})" for i, choice in enumerate(closed)
    )
    return ListSpec(
        name=name,
        table=f"(SELECT * FROM (VALUES {rows}) AS choice (id, name, place))",
        scope=None,
        columns=(
            Column("id", "t.id", str, sort="indexed", kind="text"),
            Column("name", "t.name", str, sort="indexed"),
            Column("place", "t.place", int, sort="indexed", hidden=True),
        ),
        filters=(filters.text("search", "upper(t.name)"),),
        default_sort="place",
        audited=False,
    )


def _literal(words: str) -> str:
    return "'" + words.replace("'", "''").replace("%", "%%") + "'"
