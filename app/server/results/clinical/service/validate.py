"""Validates typed results before any of them is stored."""

from dataclasses import dataclass
from decimal import Decimal

from app.basics.errors import FieldError, NotFound, require_no_errors
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import ReasonKind, ResultType, Withholding
from app.server.lab_settings.rules import validate_reason as validate_listed_reason
from app.server.results.clinical.errors import CorrectionRequired
from app.server.results.clinical.loading import EntryRecord
from app.server.results.clinical.repository import TestWithResult
from app.server.results.clinical.rules import NUMERIC_TYPES, parse_value, split_unit
from app.server.results.clinical.schemas import ResultWrite
from app.server.results.clinical.service.units import is_in_other_unit
from app.server.results.entry.checks import (
    apply_dilution,
    ask_about_number,
    build_bounds,
    find_number_fault,
)
from app.server.results.entry.errors import AbsurdResult
from app.server.results.entry.rules import find_unit_fault
from app.server.results.entry.schemas import Reasoned

_WITH_UNIT = NUMERIC_TYPES | {ResultType.SPECIFIC_CUT_OFF, ResultType.OPEN_RESULT_WITH_UNIT}
"""The types whose numbers may be typed with the test's unit."""


@dataclass(frozen=True)
class TypedResult:
    """A typed result with its meaning.

    Attributes:
        value: None to withdraw the entry.
        measured: the value before it was multiplied by the dilution.
        is_comment_new: whether a comment came without a result and differs from the stored one.
    """

    item: TestWithResult
    write: ResultWrite
    value: str | None
    comment: str | None
    sign: str | None = None
    number: Decimal | None = None
    measured: str | None = None
    is_comment_new: bool = False

    @property
    def is_change(self) -> bool:
        """Whether the result differs from the current version, or repeats its measurement.

        The same value again is a change too if the first one was withdrawn.
        """
        current = self.item.current
        is_withdrawn = current is not None and current.withheld == Withholding.WITHDRAWN
        is_typed_again = self.write.is_repeat or (is_withdrawn and self.write.correction)
        if is_typed_again and self.value is not None:
            return True
        stored_parts = (
            (current.value, current.comment, current.measured) if current else (None, None, None)
        )
        return (self.value, self.comment, self.measured) != stored_parts

    @property
    def keeps_formula(self) -> bool:
        """Whether the value is still what the portal calculated, and only the comment is typed."""
        current = self.item.current
        return (
            current is not None
            and current.formula is not None
            and self.value == current.value
            and self.write.dilution is None
            and not self.write.is_repeat
        )

    @property
    def keeps_unit(self) -> bool:
        """Whether the value is still the one that was entered before the test got another unit.

        Such a value keeps its old unit, even if its comment is new or it is reported again.
        """
        current = self.item.current
        return (
            current is not None
            and is_in_other_unit(self.item, current)
            and (self.value, self.measured) == (current.value, current.measured)
            and not self.write.is_repeat
        )

    @property
    def correction(self) -> Reasoned | None:
        """The reason of a correction: the typed one, or that of the unreleased correction."""
        current = self.item.current
        if self.write.correction or current is None or current.reason is None:
            return self.write.correction
        return Reasoned(reason=current.reason, words=current.reason_words)


def parse_writes(record: EntryRecord, writes: list[ResultWrite]) -> list[TypedResult]:
    """Parse typed results, one for each analyte, without those that change nothing.

    Raises:
        NotFound: a test is a panel, or does not belong to this order.
        BadInput: a value does not fit its test; each error has the index of its result.
        CorrectionRequired: a released result is typed again without a reason.
        AbsurdResult: an implausible value is not confirmed.
    """
    items = {item.row.id: item for item in record.tests}
    errors: list[FieldError] = []
    typed_results: dict[int, TypedResult] = {}
    positions: dict[int, int] = {}
    for i, write in enumerate(writes):
        item = items.get(write.order_test_id)
        if item is None or item.row.is_panel:
            raise NotFound(messages.NOT_FOUND)
        result = _parse_write(record, item, write, i, errors)
        other = typed_results.setdefault(item.test.id, result)
        positions.setdefault(item.test.id, i)
        if (other.value, other.comment) != (result.value, result.comment):
            text = messages.RESULT_TYPED_TWICE.format(test=item.test.name)
            errors.append(FieldError(f"results.{i}.result", text))
    require_no_errors(errors)
    changed_results = {key: result for key, result in typed_results.items() if result.is_change}
    _require_corrections(changed_results, positions)
    _require_confirmations(changed_results, positions)
    return list(changed_results.values())


def validate_reason(
    record: EntryRecord,
    kind: ReasonKind,
    reason: Reasoned,
    field: str = "reason",
    *,
    stored_code: str | None = None,
) -> list[FieldError]:
    """Return the errors of a reason; OTHER also needs words.

    ``stored_code`` may be saved again, even if the lab no longer uses it.
    """
    words_field = field.replace("reason", "words")
    return validate_listed_reason(
        reason.reason,
        reason.words,
        record.reasons[kind],
        field,
        words_field,
        ended_codes=set(record.entry.get_ended_reasons(kind)) - {stored_code},
    )


def _parse_write(
    record: EntryRecord,
    item: TestWithResult,
    write: ResultWrite,
    index: int,
    errors: list[FieldError],
) -> TypedResult:
    value, comment = clean_text(write.result), clean_text(write.comment)
    if item.is_canceled:
        text = messages.RESULT_TEST_CANCELED.format(test=item.row.name)
        errors.append(FieldError(f"results.{index}.result", text))
    if write.correction is not None:
        field = f"results.{index}.correction.reason"
        unreleased = item.current if item.current and item.current.released_at is None else None
        errors += validate_reason(
            record,
            ReasonKind.CORRECTION,
            write.correction,
            field,
            stored_code=unreleased.reason if unreleased else None,
        )
    if value is None:
        # A released result can be corrected or withheld, but not emptied.
        current = item.current
        is_comment_new = comment is not None and comment != (current.comment if current else None)
        if current is not None and current.released_at is not None:
            errors.append(FieldError(f"results.{index}.result", messages.VALUE_REQUIRED))
        elif write.is_repeat:
            # An empty result withdraws the entry, and the first value with it.
            text = messages.RESULT_REPEAT_EMPTY.format(test=item.test.name)
            errors.append(FieldError(f"results.{index}.result", text))
        elif is_comment_new and not item.test.formula:
            # The comment of a withdrawn entry disappears with it, but a new comment must not be
            # lost. A test with a formula may get its result in this save.
            text = messages.RESULT_COMMENT_ALONE.format(test=item.test.name)
            errors.append(FieldError(f"results.{index}.result", text))
        return TypedResult(item, write, None, comment, is_comment_new=is_comment_new)
    result = _read_value(item, write, value, comment)
    message = _find_fault(item, result)
    if message:
        errors.append(FieldError(f"results.{index}.result", message))
    return result


def _read_value(
    item: TestWithResult, write: ResultWrite, value: str, comment: str | None
) -> TypedResult:
    test = item.test
    kind = ResultType(test.result_type)
    plain_value, unit = split_unit(value)
    if kind in _WITH_UNIT and unit and unit.upper() == (test.unit or "").upper():
        value = plain_value
    parsed_value = parse_value(kind, value)
    if parsed_value is None:
        value = next((c for c in test.choices if c.upper() == value.upper()), value)
        return TypedResult(item, write, value, comment)
    sign, number = parsed_value
    if write.dilution is None or kind is ResultType.TITER:
        return TypedResult(item, write, value, comment, sign or None, number)
    reported_value = apply_dilution(sign, number, write.dilution, test.decimals)
    parsed_product = parse_value(kind, reported_value)
    assert parsed_product is not None
    _, product = parsed_product
    return TypedResult(item, write, reported_value, comment, sign or None, product, value)


def _find_fault(item: TestWithResult, result: TypedResult) -> str | None:
    """Return why a value does not fit its test, or None."""
    if result.keeps_unit:
        return None
    test, value = item.test, result.value or ""
    kind = ResultType(test.result_type)
    fault = _find_unit_fault(item, result)
    if fault is None and result.number is None and not result.keeps_formula:
        is_choice = value in test.choices
        if kind in NUMERIC_TYPES or (kind is ResultType.SPECIFIC_CUT_OFF and not test.choices):
            fault = messages.RESULT_NOT_A_NUMBER.format(test=test.name)
        elif kind is ResultType.TITER and not is_choice:
            fault = messages.RESULT_NOT_A_TITER.format(test=test.name)
        elif test.choices and not is_choice:
            fault = messages.RESULT_NOT_A_CHOICE.format(test=test.name, value=value)
    if fault is None and result.write.dilution is not None and result.measured is None:
        fault = messages.RESULT_NOT_DILUTED.format(test=test.name)
    if fault is None and result.write.is_repeat and not _can_repeat(item):
        fault = messages.RESULT_NOTHING_TO_REPEAT.format(test=test.name)
    if fault is None and result.number is not None:
        fault = find_number_fault(test.name, result.sign or "", result.number, build_bounds(test))
    return fault


def _find_unit_fault(item: TestWithResult, result: TypedResult) -> str | None:
    """Return the fault of a wrong unit, which was sent separately or after the value."""
    test = item.test
    other = clean_text(result.write.unit)
    kind = ResultType(test.result_type)
    if result.number is None and kind in _WITH_UNIT:
        typed_unit = split_unit(result.value or "")[1]
        # An open result may be a sentence that begins with a number.
        is_unit = kind in NUMERIC_TYPES or (typed_unit is not None and " " not in typed_unit)
        other = other or (typed_unit if is_unit else None)
    return find_unit_fault(test.name, test.unit, other)


def _can_repeat(item: TestWithResult) -> bool:
    return item.current is not None and item.current.released_at is None


def _require_corrections(typed_results: dict[int, TypedResult], positions: dict[int, int]) -> None:
    errors = [
        FieldError(
            f"results.{positions[key]}.correction",
            messages.RESULT_NEEDS_CORRECTION.format(test=result.item.test.name),
        )
        for key, result in typed_results.items()
        if result.value is not None
        and result.item.newest_released is not None
        and result.correction is None
    ]
    if errors:
        raise CorrectionRequired.of(*errors)


def _require_confirmations(
    typed_results: dict[int, TypedResult], positions: dict[int, int]
) -> None:
    errors = []
    for key, result in typed_results.items():
        number, value, test = result.number, result.value, result.item.test
        if number is None or value is None or result.keeps_unit:
            continue
        sign = result.sign or ""
        question = ask_about_number(test.name, value, sign, number, build_bounds(test))
        if question is not None and not result.write.is_confirmed:
            errors.append(FieldError(f"results.{positions[key]}.result", question))
    if errors:
        raise AbsurdResult.of(*errors)
