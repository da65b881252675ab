"""Values of fields: parsed from forms and files, and formatted for files."""

import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal

from app.basics.errors import FieldError
from app.basics.text import clean_text, to_upper_case
from app.contract import messages
from app.contract.limits import LAB_DATA_ITEMS_MAX
from app.server.lab_data.kind import DataKind, Field, Value, Values

_NUMBER = re.compile(r"[+-]?[0-9]{1,12}(\.[0-9]{1,8})?")
_INTEGER = re.compile(r"[+-]?[0-9]{1,10}")
_BOOLEANS = {"YES": True, "TRUE": True, "1": True, "NO": False, "FALSE": False, "0": False}
SEPARATOR = "; "


class InvalidValue(ValueError):
    """A value that its field rejects; the argument is the message."""


def parse_values(
    kind: DataKind, raw_values: Mapping[str, object], current: Values | None
) -> tuple[dict[str, Value], list[FieldError]]:
    """Replace the current values, or a new row's defaults, with those that were sent.

    Returns all values, and the errors of the fields that were rejected.
    """
    values: dict[str, Value] = {}
    errors: list[FieldError] = []
    for field in kind.fields:
        before = field.default if current is None else current[field.name]
        if before is None and field.type in ("texts", "links"):
            before = []
        values[field.name] = before
        # A value that was stored before a rule existed stays until somebody changes it.
        is_unchanged = current is not None and raw_values.get(field.name) == before
        if field.name in raw_values and not is_unchanged:
            try:
                values[field.name] = parse_value(field, raw_values[field.name])
            except InvalidValue as error:
                errors.append(FieldError(field.name, str(error)))
                continue
        if field.required and values[field.name] in (None, []):
            message = messages.LAB_DATA_REQUIRED.format(label=field.label)
            errors.append(FieldError(field.name, message))
        elif current is not None and field.fixed and values[field.name] != before:
            message = messages.LAB_DATA_FIXED.format(label=field.label)
            errors.append(FieldError(field.name, message))
    return values, errors


def parse_value(field: Field, value: object) -> Value:
    """Parse a value of a form or of a file.

    Raises:
        InvalidValue: the field rejects it.
    """
    if field.type in ("texts", "links"):
        return _parse_items(field, value)
    if isinstance(value, str):
        value = clean_text(value)
    if value is None:
        return False if field.type == "boolean" else None
    return _PARSERS[field.type](field, value)


def _parse_text(field: Field, value: object) -> str | None:
    if not isinstance(value, str):
        raise InvalidValue(messages.VALUE_INVALID)
    text = to_upper_case(value) if field.upper else clean_text(value)
    if text is not None and field.convert is not None:
        text = field.convert(text)
    if text is not None and len(text) > field.max_length:
        raise InvalidValue(messages.VALUE_TOO_LONG.format(max=field.max_length))
    if text is not None and field.check is not None and (message := field.check(text)):
        raise InvalidValue(message)
    return text


def _parse_number(field: Field, value: object) -> str:
    text = "" if isinstance(value, bool) else str(value)
    if not _NUMBER.fullmatch(text):
        raise InvalidValue(messages.LAB_DATA_NO_NUMBER.format(label=field.label))
    return format_number(Decimal(text))


def _parse_integer(field: Field, value: object) -> int:
    text = "" if isinstance(value, bool) else str(value)
    if not _INTEGER.fullmatch(text) or not field.smallest <= int(text) <= field.largest:
        message = messages.LAB_DATA_NO_WHOLE_NUMBER.format(
            label=field.label, min=field.smallest, max=f"{field.largest:,}"
        )
        raise InvalidValue(message)
    return int(text)


def _parse_boolean(field: Field, value: object) -> bool:
    boolean = value if isinstance(value, bool) else _BOOLEANS.get(str(value).upper())
    if boolean is None:
        raise InvalidValue(messages.LAB_DATA_NO_BOOLEAN.format(label=field.label))
    return boolean


def _parse_choice(field: Field, value: object) -> str | None:
    if field.empty and field.empty.upper() == str(value).upper():
        return None
    for choice in field.choices:
        if choice.upper() == str(value).upper():
            return choice
    text = ", ".join(field.choices)
    raise InvalidValue(messages.LAB_DATA_NO_CHOICE.format(label=field.label, choices=text))


def _parse_items(field: Field, value: object) -> list[str]:
    items = value.split(";") if isinstance(value, str) else value or []
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise InvalidValue(messages.VALUE_INVALID)
    if any(";" in item for item in items):
        raise InvalidValue(messages.LAB_DATA_SEMICOLON.format(label=field.label))
    clean_items = (to_upper_case(item) if field.upper else clean_text(item) for item in items)
    distinct = list(dict.fromkeys(item for item in clean_items if item))
    if len(distinct) > LAB_DATA_ITEMS_MAX:
        message = messages.LAB_DATA_TOO_MANY.format(
            label=field.label, max=f"{LAB_DATA_ITEMS_MAX:,}"
        )
        raise InvalidValue(message)
    if any(len(item) > field.max_length for item in distinct):
        raise InvalidValue(messages.VALUE_TOO_LONG.format(max=field.max_length))
    choices = {choice.upper(): choice for choice in field.choices}
    if choices and not {item.upper() for item in distinct} <= set(choices):
        text = ", ".join(field.choices)
        raise InvalidValue(messages.LAB_DATA_NO_CHOICE.format(label=field.label, choices=text))
    return [choices[item.upper()] for item in distinct] if choices else distinct


_PARSERS: Mapping[str, Callable[[Field, object], Value]] = {
    "text": _parse_text,
    "lookup": _parse_text,
    "number": _parse_number,
    "integer": _parse_integer,
    "boolean": _parse_boolean,
    "choice": _parse_choice,
}


def format_number(number: Decimal) -> str:
    """Format a number without trailing zeros, as ``trim_scale`` does."""
    text = f"{number:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def format_value(value: Value) -> str:
    """Format a value for a file, and for the history."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, list):
        return SEPARATOR.join(value)
    return "" if value is None else str(value)


def get_identity(kind: DataKind, values: Values) -> tuple[Value, ...]:
    """Return what identifies a row, for comparison."""
    return tuple(
        value.upper() if isinstance(value, str) else value
        for value in (values[name] for name in kind.identity)
        if not isinstance(value, list)
    )


def describe_identity(kind: DataKind) -> str:
    """Return the labels of the fields that identify a row."""
    labels = [field.label for name in kind.identity if (field := kind.find_field(name))]
    return ", ".join(labels)


def describe_row(kind: DataKind, values: Values) -> str:
    """Return what people call a row: the values that identify it."""
    return " · ".join(text for name in kind.identity if (text := format_value(values[name])))


def list_keys(fields: Iterable[tuple[Field, Value]]) -> dict[str, set[str]]:
    """List the texts to look up, by lookup."""
    keys: dict[str, set[str]] = {}
    for field, value in fields:
        if field.lookup and value:
            texts = value if isinstance(value, list) else [str(value)]
            keys.setdefault(field.lookup, set()).update(texts)
    return keys
