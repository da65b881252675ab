"""Errors of fields as plain values, for the tests of rules."""

from collections.abc import Iterable

from app.basics.errors import FieldError


def list_errors(errors: Iterable[FieldError]) -> list[tuple[str, str]]:
    """Return the field and the message of each error."""
    return [(error.field, error.message) for error in errors]
