"""The query parameters that a route accepts."""

from collections.abc import Collection, Iterable

from fastapi.dependencies.models import Dependant

from app.basics.errors import BadInput, FieldError
from app.contract import messages


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
