"""The lines of clinical results on the result report."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from app.contract import messages
from app.contract.enumerations import ReasonKind, ResultFlag
from app.drawing.pages import ResultLine
from app.server.access.work import Work
from app.server.paperwork.service.corrections import (
    format_correction,
    format_withheld,
)
from app.server.results.clinical import rules
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import (
    ClinicalResultRepository,
    TestWithResult,
)
from app.server.results.clinical.service.read import list_report_comments

_PENDING = "PENDING"
_CANCELED = "CANCELED"


@dataclass(frozen=True)
class CorrectionWords:
    """Who corrected results, if the report names them, and the lab's reasons."""

    names: Mapping[UUID, str]
    reasons: Mapping[str, str]


async def load_correction_words(
    work: Work, tests: Iterable[TestWithResult], *, is_preview: bool = False
) -> CorrectionWords:
    """Load the words that describe the corrections of these tests, of one or more orders."""
    pairs = [pair for item in tests for pair in _list_corrections(item, is_preview=is_preview)]
    if not pairs:
        return CorrectionWords({}, {})
    repository = work.build_repository(ClinicalResultRepository)
    reasons = await repository.load_reason_words(ReasonKind.CORRECTION)
    names: Mapping[UUID, str] = {}
    if work.actor.sees_user_names:
        names = await repository.load_user_names(new.entered_by for _, new in pairs)
    return CorrectionWords(names, reasons)


def build_clinical_lines(
    tests: Iterable[TestWithResult],
    words: CorrectionWords,
    lab_name: str,
    *,
    is_preview: bool = False,
) -> tuple[ResultLine, ...]:
    """Build the lines of an order's clinical tests; a preview shows what is entered, too."""
    builder = _LineBuilder(words, lab_name, is_preview=is_preview)
    return tuple(builder.build(item) for item in tests)


def _choose_version(item: TestWithResult, *, is_preview: bool) -> Result | None:
    """Return the version that a line shows; a canceled row shows none."""
    if item.is_row_canceled:
        return None
    return item.current if is_preview else item.released


def _list_corrections(
    item: TestWithResult, *, is_preview: bool
) -> list[tuple[Result | None, Result]]:
    """Return the earlier versions, each with the one that replaced it, newest first.

    A withdrawn value stays inside the lab; its correction is listed without it.
    """
    if item.is_row_canceled or (item.released is None and not is_preview):
        return []
    pairs: list[tuple[Result | None, Result]] = [
        (old if old and old.withheld is None else None, new)
        for old, new in item.listed_corrections
        if new.withheld is None
    ]
    current, released_version = item.current, item.released
    if is_preview and current and released_version and current.released_at is None:
        pairs.append((released_version, current))
    return pairs[::-1]


class _LineBuilder:
    """Builds result lines; ``words`` names the people and reasons behind corrections."""

    def __init__(self, words: CorrectionWords, lab_name: str, *, is_preview: bool) -> None:
        self._words = words
        self._lab_name = lab_name
        self._is_preview = is_preview

    def build(self, item: TestWithResult) -> ResultLine:
        """Build the line of a test."""
        version = _choose_version(item, is_preview=self._is_preview)
        pairs = _list_corrections(item, is_preview=self._is_preview)
        return ResultLine(
            name=item.row.name,
            value=version.value if version else None,
            level=item.row.level,
            is_panel=item.row.is_panel,
            flag=ResultFlag(version.flag) if version and version.flag else None,
            unit=version.unit if version else item.test.unit,
            reference_range=_describe_range(version) if version else None,
            comments=tuple(self._list_comments(item, version)) if version else (),
            status="" if version else _describe_missing(item),
            is_corrected=bool(pairs) or (item.is_corrected and not item.is_row_canceled),
            corrections=tuple(self._format_correction(old, new) for old, new in pairs),
        )

    def _list_comments(self, item: TestWithResult, version: Result) -> Iterator[str]:
        # Only a preview shows a result that is withheld.
        if withheld := format_withheld(item.row.withheld, item.row.withheld_at):
            yield withheld
        if item.row.needs_specimen:
            yield messages.SPECIMEN_NEEDED
        yield from (text for text in (version.range_comment, version.comment) if text)
        yield from list_report_comments(version, self._lab_name)

    def _format_correction(self, old: Result | None, new: Result) -> str:
        reason = self._words.reasons.get(new.reason, new.reason) if new.reason else None
        return format_correction(
            new.released_at,
            self._words.names.get(new.entered_by) if new.entered_by else None,
            (reason, new.reason_words),
            _format_change(old, new) if old else "",
        )


def _format_change(old: Result, new: Result) -> str:
    parts = [" ".join(part for part in (old.value, old.unit, old.flag) if part)]
    if old.reference_range and old.reference_range != new.reference_range:
        parts.append(f"range {old.reference_range}")
    if old.comment and old.comment != new.comment:
        parts.append(f"comment '{old.comment}'")
    return f"was {', '.join(parts)}"


def _describe_range(version: Result) -> str | None:
    if rules.has_no_range(version.number, version.flag, version.reference_range):
        return messages.RESULT_NO_RANGE
    return version.reference_range


def _describe_missing(item: TestWithResult) -> str:
    """Return why a test has no value: canceled, without a specimen, withheld, or pending."""
    if item.is_row_canceled:
        return _CANCELED
    if item.row.needs_specimen:
        return messages.SPECIMEN_NEEDED
    return format_withheld(item.row.withheld, item.row.withheld_at) or _PENDING
