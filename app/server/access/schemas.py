"""The base of HTTP shapes: camelCase on the wire, snake_case in the house."""

from datetime import date, datetime
from enum import IntEnum
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from app.basics.errors import PortalError


def _read_date(value: Any) -> Any:
    """Also takes MM/DD/YYYY (DECISIONS, wire format); an empty text is no date. Of a day with a
    time the day counts; a number is neither."""
    if value is None or isinstance(value, date):
        return value
    if not isinstance(value, str):
        raise ValueError("a text is expected")
    text = value.strip()
    if not text:
        return None
    if "/" in text:
        return datetime.strptime(text, "%m/%d/%Y").date()  # noqa: DTZ007
    if text[10:11] not in ("", "T", " "):
        raise ValueError("no date")
    return date.fromisoformat(text[:10])


def _no_flag(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a number is expected")
    return value


RecordId = Annotated[int, BeforeValidator(_no_flag), Field(gt=-(2**53), lt=2**53)]
"""An id in a request; larger ones name nothing (DECISIONS, wire format), and true is not 1."""
WireDate = Annotated[date | None, BeforeValidator(_read_date)]
"""A day, ``yyyy-MM-dd`` or ``MM/DD/YYYY``; empty is None."""
Text = Annotated[str | None, Field(max_length=20_000)]
"""Text of a request; the rules of each form say how long it may really be."""


def word_or_number(kind: type[IntEnum]) -> BeforeValidator:
    """Takes an enumeration's number or its word, in any case and however its parts are joined
    ('Non Fasting', 'NON_FASTING', 'NonFasting')."""
    numbers = {_letters(word): int(member) for word, member in kind.__members__.items()}

    def read(value: Any) -> Any:
        if isinstance(value, str):
            text = value.strip()
            if text.isascii() and text.isdigit():
                return int(text)
            if _letters(text) in numbers:
                return numbers[_letters(text)]
            raise ValueError("unknown word")
        return _no_flag(value)

    return BeforeValidator(read, json_schema_input_type=int | str | None)


def _letters(word: str) -> str:
    return "".join(c for c in word.upper() if c not in " _-")


def bare_or_under(name: str) -> Any:
    """Takes a bare list as well as one under its name, in either case of the first letter."""

    def unwrap(value: Any) -> Any:
        if isinstance(value, list):
            return {name: value}
        other = name[0].upper() + name[1:]
        if isinstance(value, dict) and other in value:
            return {name: value[other], **value}
        return value

    return model_validator(mode="before")(unwrap)


class Shape(BaseModel):
    """A request or response body."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, from_attributes=True, extra="ignore"
    )


class Permission(Shape):
    """Whether this person may do something now; ``reason`` says why not."""

    allowed: bool
    reason: str | None

    @classmethod
    def of(cls, refusal: PortalError | None) -> Self:
        """A rule's answer: None is yes."""
        return cls(allowed=refusal is None, reason=refusal.detail if refusal else None)


class Named(Shape):
    """An id with a name."""

    id: int
    name: str
