"""Base classes and field types of request and response bodies: camelCase on the wire."""

from datetime import date
from enum import IntEnum
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from app.basics.dates import parse_day
from app.basics.errors import PortalError
from app.server.access.parameters import is_plain_id


def _parse_date(value: Any) -> Any:
    """Parse ISO dates and MM/DD/YYYY (DECISIONS, wire format).

    Empty text becomes None. Numbers are rejected.
    """
    if value is None or isinstance(value, date):
        return value
    if not isinstance(value, str):
        raise ValueError("a text is expected")
    return parse_day(value) if value.strip() else None


def _reject_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a number is expected")
    return value


def _require_plain_id(value: Any) -> Any:
    if isinstance(value, str) and not is_plain_id(value):
        raise ValueError("digits are expected")
    return _reject_boolean(value)


RecordId = Annotated[int, BeforeValidator(_require_plain_id), Field(gt=-(2**53), lt=2**53)]
"""An id in a request, a number or its digits.

No record has a larger id (DECISIONS, wire format). True is not 1, and '1_0' is not 10.
"""
WireDate = Annotated[date | None, BeforeValidator(_parse_date)]
"""A day, ``yyyy-MM-dd`` or ``MM/DD/YYYY``; empty is None."""
Text = Annotated[str | None, Field(max_length=20_000)]
"""Text in a request; each form's rules set its actual maximum length."""


def accept_word_or_number(kind: type[IntEnum]) -> BeforeValidator:
    """Accept an enumeration's number or its word in any spelling.

    Case and separators are ignored: 'Non Fasting', 'NON_FASTING', 'NonFasting'.
    """
    numbers = {_normalize_word(word): int(member) for word, member in kind.__members__.items()}

    def parse(value: Any) -> Any:
        if isinstance(value, str):
            text = value.strip()
            if text.isascii() and text.isdigit():
                return int(text)
            if _normalize_word(text) in numbers:
                return numbers[_normalize_word(text)]
            raise ValueError("unknown word")
        return _reject_boolean(value)

    return BeforeValidator(parse, json_schema_input_type=int | str | None)


def _normalize_word(word: str) -> str:
    return "".join(c for c in word.upper() if c not in " _-")


def accept_bare_list(name: str) -> Any:
    """Accept a bare list as well as an object with the list under ``name`` or ``Name``."""

    def unwrap(value: Any) -> Any:
        if isinstance(value, list):
            return {name: value}
        capitalized_name = name[0].upper() + name[1:]
        if isinstance(value, dict) and capitalized_name in value:
            return {name: value[capitalized_name], **value}
        return value

    return model_validator(mode="before")(unwrap)


class Shape(BaseModel):
    """A request or response body."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, from_attributes=True, extra="ignore"
    )


class Permission(Shape):
    """Whether the user may do something now; if not, ``reason`` explains why."""

    allowed: bool
    reason: str | None

    @classmethod
    def of(cls, denial: PortalError | None) -> Self:
        """Build the permission from a rule's answer; None allows."""
        return cls(**build_permission(denial))


def build_permission(denial: PortalError | None) -> dict[str, Any]:
    """Build the values of a ``Permission`` from a rule's answer; None allows."""
    return {"allowed": denial is None, "reason": denial.detail if denial else None}


class Named(Shape):
    """An id with a name."""

    id: int
    name: str
