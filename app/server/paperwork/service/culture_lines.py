"""The lines of cultures on the result report."""

from collections.abc import Iterable, Iterator

from app.basics.dates import format_date_time
from app.contract.enumerations import ResultFlag, ResultStatus, SusceptibilityMethod
from app.drawing.pages import ResultLine
from app.server.paperwork.service.corrections import (
    describe_missing,
    format_correction,
    list_state_notes,
)
from app.server.results.microbiology.schemas import (
    CorrectionShape,
    MicrobiologyResult,
    OrganismShape,
    SensitivityShape,
)

_MISSING = "not reported"
_UNITS = {
    SusceptibilityMethod.MIC: "µg/mL",
    SusceptibilityMethod.ETEST: "µg/mL",
    SusceptibilityMethod.ZONE: "mm",
}
"""A zone of 18 mm and an MIC of 18 have opposite meanings."""


def build_culture_lines(
    cultures: Iterable[MicrobiologyResult], *, is_preview: bool = False, is_named: bool = True
) -> tuple[ResultLine, ...]:
    """Build the lines of released cultures; one that is not released is a single line.

    A preview shows what is entered, too. With ``is_named``, a line names who released a correction.
    """
    return tuple(
        line
        for culture in cultures
        for line in _list_lines(culture, is_preview=is_preview, is_named=is_named)
    )


def _list_lines(
    culture: MicrobiologyResult, *, is_preview: bool, is_named: bool
) -> Iterator[ResultLine]:
    is_shown = culture.revision > 0 if is_preview else culture.released_at is not None
    if not is_shown:
        yield ResultLine(culture.name, status=describe_missing(culture, culture.label))
        return
    facts = [*culture.sources, *([culture.collection_site] if culture.collection_site else [])]
    if culture.collected:
        facts.append(f"collected {format_date_time(culture.collected)}")
    notes = list_state_notes(culture)
    if facts:
        notes.append(", ".join(facts))
    if culture.preliminary_released and culture.preliminary_result_comment:
        notes.append(culture.preliminary_result_comment)
    yield ResultLine(
        culture.name,
        value=_format_value(culture),
        flag=ResultFlag.CRITICAL_ABNORMAL if culture.is_critical else None,
        comments=(*notes, *culture.result_report_comments),
        is_corrected=bool(culture.corrections),
        corrections=tuple(
            _format_correction(correction, is_named=is_named) for correction in culture.corrections
        ),
    )
    for finding in culture.findings:
        yield ResultLine(finding.name, finding.culture_quantity_name or "Present", level=1)
    for organism in culture.organisms:
        yield from _list_organism_lines(organism)


def _format_value(culture: MicrobiologyResult) -> str:
    """Return the result, or the label of a culture without one; a preliminary one says so."""
    if culture.result and culture.preliminary_released:
        return f"{culture.result} ({ResultStatus.PRELIMINARY.name})"
    return culture.result or culture.label


def _list_organism_lines(organism: OrganismShape) -> Iterator[ResultLine]:
    name = f"{organism.name} ({organism.mark})" if organism.mark else organism.name
    comments = (organism.organism_comment, organism.comment)
    yield ResultLine(
        name,
        organism.culture_quantity_name or "Present",
        level=1,
        comments=tuple(comment for comment in comments if comment),
    )
    for susceptibility in organism.sensitivity:
        yield _build_susceptibility_line(susceptibility)


def _build_susceptibility_line(susceptibility: SensitivityShape) -> ResultLine:
    return ResultLine(
        susceptibility.antibiotic_name,
        susceptibility.mic or "",
        level=2,
        interpretation=susceptibility.microbiology_interpretation_type,
        unit=_UNITS[susceptibility.method] if susceptibility.mic else None,
        comments=(susceptibility.comment,) if susceptibility.comment else (),
    )


def _format_correction(correction: CorrectionShape, *, is_named: bool) -> str:
    changes = "; ".join(
        f"{change.subject}: was {change.was or _MISSING}, is {change.now or _MISSING}"
        for change in correction.changes
    )
    reasons = (correction.reason, correction.explanation)
    by = correction.released_by if is_named else None
    return format_correction(correction.released_at, by, reasons, changes)
