"""Validates typed toxicology results before any of them is stored."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.basics.errors import FieldError, NotFound, require_no_errors
from app.basics.text import clean_text, to_upper_case
from app.contract import messages
from app.contract.enumerations import ReasonKind, ResultStatus, ToxicologyMethod, Withholding
from app.server.lab_settings.rules import explains_why
from app.server.results.entry.checks import (
    apply_dilution,
    ask_about_number,
    build_bounds,
    find_number_fault,
)
from app.server.results.entry.errors import AbsurdResult
from app.server.results.entry.loading import OrderEntry
from app.server.results.entry.rules import find_unit_fault, name_unit
from app.server.results.toxicology import rules
from app.server.results.toxicology.loading import format_cut_off
from app.server.results.toxicology.repository import MeasuredTest, is_in_other_unit
from app.server.results.toxicology.rules import Reading
from app.server.results.toxicology.schemas import ToxicologyResultWrite

_Faults = list[tuple[str, str]]
"""Pairs of a field and its message."""


@dataclass(frozen=True)
class TypedResult:
    """A typed result with its meaning.

    Attributes:
        value: in upper case, without the test's own unit; None to withdraw the entry.
        measured: the value before it was multiplied by the dilution.
    """

    item: MeasuredTest
    write: ToxicologyResultWrite
    value: str | None
    comment: str | None
    measured: str | None = None

    @property
    def signed_number(self) -> tuple[str, Decimal] | None:
        """The comparison sign, or '', and the number of the value; None for a word."""
        return rules.parse_number(self.value or "")

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
    def is_unchanged(self) -> bool:
        """Whether the current version has the same content.

        A repeated measurement is a change, and so is a reason that reports a withdrawn value again.
        """
        current = self.item.current
        if current is None or self.write.is_repeat:
            return False
        if current.withheld == Withholding.WITHDRAWN and self.write.reason_code:
            return False
        stored_parts = (current.value, current.comment, current.measured)
        return (self.value, self.comment, self.measured) == stored_parts

    @property
    def reason(self) -> tuple[str | None, str | None]:
        """The code and words to store; to readers, a result with a reason is a correction."""
        if self.item.newest_released is None:
            return None, None
        return self.write.reason_code or None, clean_text(self.write.explanation)

    @property
    def is_reason_unchanged(self) -> bool:
        """Whether an unreleased entry has the sent reason; a released one is not compared."""
        current = self.item.current
        if current is None or current.released_at is not None:
            return True
        return (current.reason_code, current.explanation) == self.reason


def parse_writes(
    entry: OrderEntry, tests: Sequence[MeasuredTest], writes: Sequence[ToxicologyResultWrite]
) -> list[TypedResult]:
    """Parse typed results, one for each test, even if several panels contain it.

    Raises:
        NotFound: a test is a panel, or does not belong to this order.
        BadInput: a value does not fit its test; each error has the index of its result.
        AbsurdResult: an unusual value is not confirmed.
    """
    by_id = {item.row.id: item for item in tests if not item.row.is_panel}
    reasons: Mapping[str, str] = entry.parts["reasons"]
    ended_codes = entry.get_ended_reasons(ReasonKind.CORRECTION)
    typed_results: list[TypedResult] = []
    errors: list[FieldError] = []
    for index, write in enumerate(writes):
        item = by_id.get(write.order_test_id)
        if item is None:
            raise NotFound(messages.NOT_FOUND)
        result = _read_value(item, write)
        typed_results.append(result)
        errors += [
            FieldError(f"results.{index}.{name}", message)
            for name, message in _validate_result(result, reasons, ended_codes)
        ]
    errors += _find_contradictions(typed_results)
    require_no_errors(errors)
    _require_confirmations(typed_results)
    return list({id(result.item.versions): result for result in typed_results}.values())


def _read_value(item: MeasuredTest, write: ToxicologyResultWrite) -> TypedResult:
    comment = clean_text(write.comment)
    value = to_upper_case(write.result)
    plain_value, unit = rules.split_unit(value or "")
    if unit and unit == to_upper_case(item.test.unit):
        value = plain_value
    signed_number = rules.parse_number(value or "")
    if write.dilution is None or signed_number is None:
        return TypedResult(item, write, value, comment)
    product = apply_dilution(*signed_number, write.dilution, item.test.decimals)
    return TypedResult(item, write, product, comment, measured=value)


def _find_contradictions(typed_results: Sequence[TypedResult]) -> list[FieldError]:
    """Find tests of several panels for which two different results are entered."""
    errors = []
    first_results: dict[int, tuple[str | None, str | None]] = {}
    for index, typed_result in enumerate(typed_results):
        result = typed_result.value, typed_result.comment
        if first_results.setdefault(id(typed_result.item.versions), result) != result:
            message = messages.RESULT_TYPED_TWICE.format(test=typed_result.item.row.name)
            errors.append(FieldError(f"results.{index}.result", message))
    return errors


def _require_confirmations(typed_results: Sequence[TypedResult]) -> None:
    errors = []
    for index, result in enumerate(typed_results):
        signed_number, value = result.signed_number, result.value
        if signed_number is None or value is None or result.keeps_unit or result.is_unchanged:
            continue
        bounds = build_bounds(result.item.test)
        question = ask_about_number(result.item.row.name, value, *signed_number, bounds)
        if question is not None and not result.write.is_confirmed:
            errors.append(FieldError(f"results.{index}.result", question))
    if errors:
        raise AbsurdResult.of(*errors)


def _validate_result(
    result: TypedResult, reasons: Mapping[str, str], ended_codes: Collection[str]
) -> _Faults:
    item, write, name = result.item, result.write, result.item.row.name
    if item.row.status == ResultStatus.CANCELED:
        return [("result", messages.RESULT_TEST_CANCELED.format(test=name))]
    if result.value is None:
        return _validate_emptying(result)
    pairs = []
    if (message := _find_fault(result, result.value)) is not None:
        pairs.append(("result", message))
    if write.reason_code and write.reason_code not in reasons:
        pairs.append(("reasonCode", messages.VALUE_INVALID))
    elif write.reason_code in ended_codes and not _has_reason(result):
        pairs.append(("reasonCode", messages.REASON_ENDED))
    if item.newest_released is not None and not result.is_unchanged:
        if not write.reason_code:
            pairs.append(("reasonCode", messages.TOXICOLOGY_REASON_REQUIRED.format(test=name)))
        elif not explains_why(write.reason_code, write.explanation):
            pairs.append(("explanation", messages.REASON_NEEDS_WORDS))
    return pairs


def _validate_emptying(result: TypedResult) -> _Faults:
    """Validate a write without a value, which withdraws an unreleased entry and its comment."""
    current, name = result.item.current, result.item.row.name
    if current is not None and current.released_at is not None:
        # A released result can be corrected or withheld, but not emptied.
        return [("result", messages.VALUE_REQUIRED)]
    if result.write.is_repeat:
        # An empty result withdraws the entry, and the first value with it.
        return [("result", messages.RESULT_REPEAT_EMPTY.format(test=name))]
    if result.comment is not None and result.comment != (current.comment if current else None):
        return [("result", messages.RESULT_COMMENT_ALONE.format(test=name))]
    return []


def _has_reason(result: TypedResult) -> bool:
    """Whether the stored version has the sent reason, and is unreleased or stays unchanged."""
    current = result.item.current
    if current is None or current.reason_code != result.write.reason_code:
        return False
    return current.released_at is None or result.is_unchanged


def _find_fault(result: TypedResult, value: str) -> str | None:
    """Return why a value does not fit its test, or None."""
    if result.keeps_unit:
        return None
    item, name = result.item, result.item.row.name
    fault = _find_unit_fault(item, result.write, value) or _validate_value(item, value)
    if fault is None and result.write.dilution is not None and result.measured is None:
        fault = messages.RESULT_NOT_DILUTED.format(test=name)
    if fault is None and result.write.is_repeat and not _can_repeat(item):
        fault = messages.RESULT_NOTHING_TO_REPEAT.format(test=name)
    if fault is None and result.signed_number is not None:
        fault = find_number_fault(name, *result.signed_number, build_bounds(item.test))
    return fault


def _can_repeat(item: MeasuredTest) -> bool:
    return item.current is not None and item.current.released_at is None


def _find_unit_fault(item: MeasuredTest, write: ToxicologyResultWrite, value: str) -> str | None:
    """Return the fault of a typed unit that is not the test's."""
    if item.choices or rules.split_unit(value)[1] is None:
        return None
    # The message has the unit as typed; the value is in upper case.
    typed_unit = rules.split_unit(write.result or "")[1]
    return find_unit_fault(item.row.name, item.test.unit, typed_unit)


def _validate_value(item: MeasuredTest, value: str) -> str | None:
    name, reference = item.row.name, item.reference
    if reference and not item.fitting_reference and rules.parse_number(value) is not None:
        return messages.TOXICOLOGY_LIMITS_IN_OTHER_UNIT.format(
            test=name,
            unit=name_unit(reference.unit),
            test_unit=name_unit(item.test.unit),
        )
    if item.choices and value not in item.choices:
        return messages.RESULT_NOT_A_CHOICE.format(test=name, value=value)
    if item.reference is None:
        return None if item.choices else messages.TOXICOLOGY_TEST_UNKNOWN.format(test=name)
    if item.method is ToxicologyMethod.VALIDITY:
        is_valid = bool(item.choices) or rules.parse_number(value) is not None
        return None if is_valid else messages.RESULT_NOT_A_NUMBER.format(test=name)
    # The lab's own choices too must say whether something was detected.
    return _validate_reading(item, value, item.reference.cut_off)


def _validate_reading(item: MeasuredTest, value: str, cut_off: Decimal | None) -> str | None:
    name, reading = item.row.name, rules.parse_reading(value, cut_off)
    if reading is Reading.INVALID:
        return messages.TOXICOLOGY_NOT_A_RESULT.format(test=name)
    if reading is Reading.UNCLEAR:
        text = format_cut_off(cut_off, item.test.unit) or ""
        return messages.TOXICOLOGY_UNCLEAR.format(test=name, value=value, cut_off=text)
    return None
