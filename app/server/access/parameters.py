"""The query parameters that a route accepts."""

import re
from collections.abc import Collection, Iterable, Iterator

from fastapi.dependencies.models import Dependant
from starlette.datastructures import QueryParams

from app.basics.errors import BadInput, FieldError
from app.contract import messages

_PLAIN_ID = re.compile(r"[0-9]{1,18}")
"""The digits of an id. All ids of the database fit into 18 digits."""
_ID_END = 2**53
"""Every id of a record is smaller (DECISIONS, wire format)."""


def is_plain_id(text: str) -> bool:
    """Whether the text of an id is digits only; FastAPI would read '1_0' and '10.0' as 10."""
    return _PLAIN_ID.fullmatch(text) is not None


def list_query_parameters(dependant: Dependant) -> set[str]:
    """List the names of the query parameters of an endpoint and its dependencies."""
    names = {parameter.alias for parameter in dependant.query_params}
    return names.union(*(list_query_parameters(inner) for inner in dependant.dependencies))


def require_known_parameters(parameters: Iterable[str], known_names: Collection[str]) -> None:
    """Reject a query with a parameter of any other name.

    Raises:
        BadInput: names the first such parameter.
    """
    for name in parameters:
        if name not in known_names:
            raise BadInput.of(FieldError(name, messages.PARAMETER_UNKNOWN.format(name=name)))


def list_id_parameters(dependant: Dependant) -> Iterator[str]:
    """List the names of the query parameters that are ids."""
    for parameter in dependant.query_params:
        is_number = "int" in re.findall(r"\w+", str(parameter.field_info.annotation))
        if is_number and parameter.alias.lower().endswith(("id", "ids")):
            yield parameter.alias
    for inner in dependant.dependencies:
        yield from list_id_parameters(inner)


def require_plain_ids(parameters: QueryParams, names: Iterable[str]) -> None:
    """Reject ids that are too large or not digits only. The declared type rejects empty ones.

    Raises:
        BadInput: names the first such parameter.
    """
    for name in names:
        texts = [text for text in parameters.getlist(name) if text]
        if not all(is_plain_id(text) and int(text) < _ID_END for text in texts):
            raise BadInput.of(FieldError(name, messages.PARAMETER_INVALID.format(name=name)))
