"""The lines of toxicology results and verdicts on the result report."""

from collections.abc import Iterator

from app.contract import messages
from app.contract.enumerations import LABELS, ResultFlag, ResultStatus, ToxicologyVerdict
from app.drawing.pages import ResultLine
from app.server.paperwork.service.corrections import (
    describe_missing,
    format_correction,
    format_earlier_value,
    list_state_notes,
)
from app.server.results.toxicology.rules import Verdict
from app.server.results.toxicology.schemas import ToxicologyRow, ToxicologyVersion
from app.server.results.toxicology.service.read import (
    ToxicologyResults,
    build_alpha_rows,
    format_medication,
)

_SPECIMEN = "Specimen validity"
_INVALID = "INVALID"


def build_toxicology_lines(
    results: ToxicologyResults, *, is_preview: bool = False, is_named: bool = True
) -> tuple[ResultLine, ...]:
    """Build the lines of an invalid specimen, of the verdicts, and then of all tests.

    A preview shows entered values. With ``is_named``, a line names who released a correction.
    """
    tests = _list_test_lines(results, is_preview=is_preview, is_named=is_named)
    return (*_list_specimen_lines(results), *_list_verdict_lines(results), *tests)


def _list_specimen_lines(results: ToxicologyResults) -> Iterator[ResultLine]:
    """Yield a line with the reason why the specimen is invalid, if it is."""
    if results.specimen_fault:
        note = messages.TOXICOLOGY_SPECIMEN_INVALID.format(fault=results.specimen_fault)
        yield ResultLine(_SPECIMEN, _INVALID, flag=ResultFlag.ABNORMAL, comments=(note,))


def _list_verdict_lines(results: ToxicologyResults) -> Iterator[ResultLine]:
    for kind in ToxicologyVerdict:
        verdicts = [verdict for verdict in results.verdicts if verdict.kind == kind]
        if verdicts:
            yield ResultLine(LABELS[ToxicologyVerdict][kind], is_panel=True)
        for verdict in verdicts:
            yield _build_verdict_line(kind, verdict)


def _build_verdict_line(kind: ToxicologyVerdict, verdict: Verdict) -> ResultLine:
    values = {
        ToxicologyVerdict.UNEXPECTED_NEGATIVE: "NOT DETECTED",
        ToxicologyVerdict.OTHER: "Not judged",
    }
    is_unexpected = kind is ToxicologyVerdict.UNEXPECTED_POSITIVE
    notes = [verdict.why, *([messages.RESULT_PRESUMPTIVE] if verdict.is_presumptive else [])]
    return ResultLine(
        format_medication(verdict) or verdict.name,
        values.get(kind, "DETECTED"),
        level=1,
        flag=ResultFlag.ABNORMAL if is_unexpected else None,
        comments=tuple(note for note in notes if note),
    )


def _list_test_lines(
    results: ToxicologyResults, *, is_preview: bool, is_named: bool
) -> Iterator[ResultLine]:
    rows = build_alpha_rows(results, is_lab=is_preview)
    panels = {row.key for row in rows if row.is_panel}
    for row in rows:
        level = 1 if row.parent_key in panels else 0
        if row.is_panel:
            yield ResultLine(row.name, level=level, is_panel=True)
        else:
            yield _build_test_line(row, level, is_named=is_named)


def _format_earlier(version: ToxicologyVersion, next_comment: str | None) -> str:
    """Format a replaced result, with its comment unless the one that replaced it has the same."""
    value = " ".join(part for part in (version.result, version.unit) if part)
    if version.comment is None or version.comment == next_comment:
        return value
    return f"{value}, comment '{version.comment}'"


def _find_flag(row: ToxicologyRow) -> ResultFlag | None:
    if row.is_invalid:
        return ResultFlag.ABNORMAL
    return ResultFlag.POSITIVE if row.is_detected else None


def _build_test_line(row: ToxicologyRow, level: int, *, is_named: bool) -> ResultLine:
    notes = [*row.data.result_report_comments, *([row.data.comment] if row.data.comment else [])]
    if row.result is not None:
        notes += list_state_notes(row)
    if row.detection_window:
        notes.append(f"Detection window: {row.detection_window}")
    corrections = []
    # A result with a reason is a correction, even if it replaced a withdrawn result, which stays
    # inside the lab.
    is_corrected = bool(row.corrected_from) or (
        row.reason is not None and row.released_at is not None
    )
    if is_corrected:
        by = row.released_by if is_named else None
        reasons = (row.reason, row.explanation)
        comments = [*(version.comment for version in row.corrected_from), row.data.comment]
        earlier = [
            (version, _format_earlier(version, comments[index + 1]))
            for index, version in enumerate(row.corrected_from)
        ]
        change = f"was {earlier[-1][1]}" if earlier else ""
        corrections.append(format_correction(row.released_at, by, reasons, change))
        corrections += [
            format_earlier_value(words, version.released_at)
            for version, words in reversed(earlier[:-1])
        ]
    return ResultLine(
        row.name,
        row.result,
        level=level,
        flag=_find_flag(row),
        unit=row.unit,
        reference_range=f"Cut-off {row.cut_off}" if row.cut_off else row.validity_range,
        comments=tuple(notes),
        status=describe_missing(row, ResultStatus(row.status).name),
        is_corrected=is_corrected,
        corrections=tuple(corrections),
    )
