"""Checks of a row that need other rows: what it refers to, and what it must differ from."""

from collections.abc import Collection, Mapping, Sequence

from app.basics.errors import FieldError
from app.contract import messages
from app.server.lab_data.kind import DataKind, Value, Values
from app.server.lab_data.repository import ResolvedKeys, StoredRow
from app.server.lab_data.values import describe_identity

Units = Mapping[str, str | None]
"""The units of tests, by their codes."""


def resolve_values(
    kind: DataKind,
    values: dict[str, Value],
    resolved_keys: ResolvedKeys,
    stored_values: Values | None = None,
) -> list[FieldError]:
    """Replace texts that name other rows with their stored spelling; reject unknown texts.

    A text that is the same in ``stored_values`` is not looked up again.
    """
    errors = []
    for field in kind.fields:
        value = values[field.name]
        if not field.lookup or not value:
            continue
        if stored_values is not None and value == stored_values[field.name]:
            continue
        records = resolved_keys.get(field.lookup, {})
        texts = value if isinstance(value, list) else [str(value)]
        unknown_text = next((text for text in texts if text.upper() not in records), None)
        if unknown_text is not None:
            message = messages.LAB_DATA_UNKNOWN.format(label=field.label, key=unknown_text)
            errors.append(FieldError(field.name, message))
            continue
        stored_texts = [records[text.upper()][0] for text in texts]
        values[field.name] = stored_texts if isinstance(value, list) else stored_texts[0]
    return errors


def complete_unit(kind: DataKind, values: dict[str, Value], units: Units, *, is_new: bool) -> None:
    """Fill in the test's unit for new limits without one; clear it in rows without limits."""
    if not kind.limits:
        return
    if not _has_limits(kind, values):
        values["unit"] = None
    elif is_new and values["unit"] is None:
        values["unit"] = units.get(str(values["test"]))


def validate_unit(kind: DataKind, values: Values, units: Units) -> list[FieldError]:
    """Validate that the limits of a row in use are in the unit that their test has now."""
    if not kind.limits or not is_active(kind, values) or not _has_limits(kind, values):
        return []
    test_unit = units.get(str(values["test"]))
    if values["unit"] == test_unit:
        return []
    text = messages.LIMITS_IN_OTHER_UNIT if test_unit else messages.LIMITS_IN_A_UNIT
    message = text.format(test=values["test"], test_unit=test_unit)
    return [FieldError("unit", message)]


def _has_limits(kind: DataKind, values: Values) -> bool:
    return any(values[name] is not None for name in kind.limits)


def validate_row(
    kind: DataKind,
    values: dict[str, Value],
    same_rows: Collection[StoredRow],
    siblings: Sequence[StoredRow],
    stored_row: StoredRow | None,
    units: Units,
    *,
    compares_siblings: bool = True,
) -> list[FieldError]:
    """Validate a row whose fields are valid by themselves.

    Args:
        same_rows: the stored rows with its identity.
        siblings: the stored rows with its parent.
        stored_row: the row before the change, if it exists.
        units: the units of tests, by their codes.
        compares_siblings: whether to compare the row with its siblings.
    """
    row_id = stored_row.id if stored_row else None
    errors = kind.validate(values) + validate_unit(kind, values, units)
    if stored_row is not None:
        errors += kind.validate_change(stored_row.values, values)
    if any(row.id != row_id for row in same_rows):
        message = messages.LAB_DATA_EXISTS.format(labels=describe_identity(kind))
        errors.append(FieldError(kind.identity[0], message))
    if compares_siblings and not errors and kind.compare is not None and is_active(kind, values):
        others = [
            row.values for row in siblings if row.id != row_id and is_active(kind, row.values)
        ]
        return kind.compare(values, others)
    return errors


def is_active(kind: DataKind, values: Values) -> bool:
    """Whether a row is in use."""
    return bool(values[kind.active_name]) if kind.active else True
