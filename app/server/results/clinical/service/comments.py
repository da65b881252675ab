"""Comments on calculated results, which stay when the result is calculated again (ADR 91).

The comment of a result that is NOT CALCULATED is the portal's reason, then what a person added.
"""

from collections.abc import Iterator

from app.contract import messages
from app.contract.enumerations import Withholding
from app.server.results.clinical.loading import EntryRecord
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import TestWithResult
from app.server.results.clinical.service.versions import format_value


def join_comment(reason: str | None, comment: str | None) -> str | None:
    """Join the reason why a result is NOT CALCULATED and the comment that a person typed."""
    return ". ".join(part for part in (reason, comment) if part) or None


def find_typed_comment(record: EntryRecord, item: TestWithResult, version: Result) -> str | None:
    """Return a person's comment on a version, without the portal's reason, or None."""
    if version.value != messages.RESULT_NOT_CALCULATED or version.formula is None:
        return version.comment
    _, comment = _split_comment(record, item, version.comment)
    return comment


def has_other_reason(
    record: EntryRecord, item: TestWithResult, version: Result, reason: str | None
) -> bool:
    """Whether a version is NOT CALCULATED for another reason than this one."""
    stored_reason, _ = _split_comment(record, item, version.comment)
    return reason is not None and stored_reason not in (None, reason)


def replace_typed_comment(
    record: EntryRecord, item: TestWithResult, version: Result, typed_comment: str
) -> None:
    """Replace a person's comment on a calculated version, but keep the portal's reason.

    The typed text may begin with the reason of the version that was on the screen.
    """
    reason = None
    if version.value == messages.RESULT_NOT_CALCULATED:
        reason, _ = _split_comment(record, item, version.comment)
    _, comment = _split_comment(record, item, typed_comment)
    version.comment = join_comment(reason, comment)
    version.comment_for = None


def drop_calculation_reason(
    record: EntryRecord, item: TestWithResult, typed_comment: str | None
) -> str | None:
    """Return the comment on a value that replaces NOT CALCULATED, without the portal's reason.

    Beside a measured value, the reason would look like a remark on that value.
    """
    current = item.current
    if current is None or current.formula is None:
        return typed_comment
    if current.value != messages.RESULT_NOT_CALCULATED:
        return typed_comment
    _, comment = _split_comment(record, item, typed_comment)
    return comment


def find_comment_to_keep(record: EntryRecord, item: TestWithResult) -> str | None:
    """Return the typed comment of the version that a new calculated result replaces, or None.

    The comment of a withdrawn result stays inside the lab.
    """
    version = item.current
    if version is None or version.formula is None or version.withheld == Withholding.WITHDRAWN:
        return None
    return find_typed_comment(record, item, version)


def find_comment_origin(record: EntryRecord, item: TestWithResult) -> str | None:
    """Return the unreleased value for which a person commented on a calculated result, or None.

    None for a comment that a correction took over: it was written for the released value.
    """
    version, released_result = item.current, item.newest_released
    if version is None or version.formula is None or version.released_at is not None:
        return None
    comment = find_typed_comment(record, item, version)
    if comment is None:
        return None
    if released_result and comment == find_typed_comment(record, item, released_result):
        return None
    return version.comment_for or format_value(version)


def corrects_comment(record: EntryRecord, item: TestWithResult) -> bool:
    """Whether the entered version of a calculated result corrects the released comment.

    Removing the comment is a correction only while the value is the released one.
    """
    current, released_result = item.current, item.newest_released
    if current is None or released_result is None or current is released_result:
        return False
    comment = find_typed_comment(record, item, current)
    if comment == find_typed_comment(record, item, released_result):
        return False
    return comment is not None or current.value == released_result.value


def describe_comment(record: EntryRecord, item: TestWithResult) -> str | None:
    """Return what to check about the comment on a recalculated result, or None.

    The comment may be about the earlier value, or be missing because the earlier
    result was withdrawn.
    """
    current = item.current
    if current is None or current.released_at is not None:
        return None
    comment = find_typed_comment(record, item, current)
    if comment is not None and current.comment_for is not None:
        return messages.RESULT_COMMENT_EARLIER.format(result=current.comment_for)
    replaced = record.entry.hide_withheld(_find_replaced_version(item))
    earlier_comment = find_typed_comment(record, item, replaced) if replaced else None
    if replaced is None or earlier_comment is None:
        return None
    result = format_value(replaced)
    if replaced.released_at is not None and replaced.withheld != Withholding.WITHDRAWN:
        is_same = comment == earlier_comment
        return messages.RESULT_COMMENT_EARLIER.format(result=result) if is_same else None
    if comment is not None:
        return None
    return messages.RESULT_COMMENT_WITHDRAWN.format(result=result, comment=earlier_comment)


def is_comment_hidden(record: EntryRecord, item: TestWithResult) -> bool:
    """Whether the comment on a recalculated result is from a result withheld from the actor."""
    replaced = _find_replaced_version(item)
    if replaced is None or record.entry.hide_withheld(replaced) is not None:
        return False
    earlier_comment = find_typed_comment(record, item, replaced)
    assert item.current is not None
    return earlier_comment is not None and earlier_comment == find_typed_comment(
        record, item, item.current
    )


def _find_replaced_version(item: TestWithResult) -> Result | None:
    """Return the version that the entered calculated result will replace, or None.

    It is the released version; without one, it is an entry that was withdrawn, for example while an
    input was on hold.
    """
    current, released_result = item.current, item.newest_released
    if current is None or current.formula is None or current.released_at is not None:
        return None
    if released_result is not None:
        return None if released_result.value == current.value else released_result
    return next(
        (version for version in reversed(item.versions) if version.revision < current.revision),
        None,
    )


def _split_comment(
    record: EntryRecord, item: TestWithResult, comment: str | None
) -> tuple[str | None, str | None]:
    """Split a comment into the portal's reason and a person's words; each may be None."""
    if not comment:
        return None, None
    # The longest one, because the name of an input may be part of another input's name.
    reason = max(
        (reason for reason in _list_reasons(record, item) if reason in comment),
        key=len,
        default=None,
    )
    if reason is None:
        return None, comment
    before, _, after = comment.partition(reason)
    words = " ".join(part for part in (before.strip(), after.lstrip(". ")) if part)
    return reason, words or None


def _list_reasons(record: EntryRecord, item: TestWithResult) -> Iterator[str]:
    """List all reasons why the result may be NOT CALCULATED."""
    yield messages.RESULT_FORMULA_NOT_VALID
    yield messages.RESULT_AGE_UNKNOWN
    for other in record.tests:
        if other.test.code in item.test.formula_inputs:
            for message in (
                messages.RESULT_INPUT_NOT_EXACT,
                messages.RESULT_INPUT_UNIT,
                messages.RESULT_INPUT_CANCELED,
            ):
                yield message.format(input=other.row.name)
