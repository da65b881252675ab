"""Rejects an act on several records when some have changed since they were shown (ADR 100)."""

from collections.abc import Sequence
from typing import Protocol

from app.basics.errors import FieldError, StaleVersion
from app.contract import messages

_NAMED_MAX = 5
"""The number of records that a sentence names; the field errors name all of them."""


class CodedRecord(Protocol):
    """A record that people know by its code."""

    @property
    def id(self) -> int:
        """Its id."""
        ...

    @property
    def code(self) -> str:
        """Its code."""
        ...


def find_stale(
    records: Sequence[CodedRecord],
    message: str,
    message_of_many: str,
    kind: type[StaleVersion] = StaleVersion,
) -> StaleVersion | None:
    """Return the error about these changed ``records``, or None if there are none.

    The problem names all of them, and each gets ``message`` with its code. If it named one, a
    second try would sign the others in versions that nobody has seen.
    """
    errors = tuple(
        FieldError(f"versions.{record.id}", message.format(code=record.code)) for record in records
    )
    if not errors:
        return None
    if len(errors) == 1:
        return kind(errors[0].message, errors=errors)
    names = _list_codes([record.code for record in records])
    return kind(message_of_many.format(codes=names), errors=errors)


def _list_codes(codes: Sequence[str]) -> str:
    names = ", ".join(codes[:_NAMED_MAX])
    if len(codes) <= _NAMED_MAX:
        return names
    return messages.AND_MORE.format(names=names, count=len(codes) - _NAMED_MAX)
