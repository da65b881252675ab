"""Rules about cultures: what a version says, corrections, gaps, criticals, labels (R 4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.basics.dates import format_date_time
from app.basics.errors import FieldError
from app.contract import messages
from app.contract.enumerations import CultureStage, Reporting, ResultStatus, SusceptibilityMethod
from app.server.results.microbiology.susceptibility import Subject

EARLIEST_DATE = datetime.fromisoformat("1900-01-01")
"""Dates up to this one mean a missing date (R 4)."""
_PRESENT = "PRESENT"


@dataclass(frozen=True)
class Susceptibility:
    """An antibiotic of an organism: the value as entered, and its interpretation.

    ``is_manual`` says that the interpretation was set by hand. Only the lab sees a suppressed one.
    """

    antibiotic: str
    antibiotic_name: str
    method: SusceptibilityMethod
    value: str | None
    interpretation: str | None
    is_manual: bool
    reporting: Reporting
    is_suppressed: bool
    limits: str | None
    comment: str | None


@dataclass(frozen=True)
class Organism:
    """An isolate. A flora organism is not a pathogen; an interim one is not identified yet."""

    code: str
    group: str
    name: str
    is_flora: bool
    is_interim: bool
    quantity: str | None
    quantity_name: str | None
    mark: str | None
    mark_name: str | None
    comment: str | None
    organism_comment: str | None
    sensitivity: tuple[Susceptibility, ...] = ()

    @property
    def subject(self) -> Subject:
        """The organism as the tables of susceptibility name it."""
        return Subject(self.code, self.group)

    @property
    def reported_susceptibilities(self) -> tuple[Susceptibility, ...]:
        """The susceptibilities that clients see."""
        return tuple(antibiotic for antibiotic in self.sensitivity if not antibiotic.is_suppressed)


@dataclass(frozen=True)
class Finding:
    """A direct finding, such as that of a Gram stain; an interim one is never final."""

    code: str
    name: str
    is_interim: bool
    is_critical: bool
    quantity: str | None
    quantity_name: str | None


@dataclass(frozen=True)
class Culture:
    """The content of a version of a culture. Codes have their names at the time of entry."""

    source: str | None = None
    source_name: str | None = None
    site: str | None = None
    site_name: str | None = None
    collected_at: datetime | None = None
    result: str | None = None
    findings: tuple[Finding, ...] = ()
    organisms: tuple[Organism, ...] = ()
    comment: str | None = None
    preliminary_comment: str | None = None

    @property
    def is_blank(self) -> bool:
        """Whether the version has no content, so that nothing can be said about the specimen."""
        return not (
            self.result
            or self.findings
            or self.organisms
            or self.comment
            or self.preliminary_comment
        )


@dataclass(frozen=True)
class CriticalRow:
    """A row of the lab's table of critical cultures; None matches everything.

    A row that names neither organism, mark, nor finding means any growth of a pathogen.
    """

    source: str | None = None
    applies_to: str | None = None
    mark: str | None = None
    finding: str | None = None


@dataclass(frozen=True)
class Change:
    """A statement of a culture that differs between two versions; None where it is missing."""

    subject: str
    was: str | None
    now: str | None


@dataclass(frozen=True)
class _Statement:
    value: str
    is_interim: bool = False


def is_valid_date(moment: datetime | None) -> bool:
    """Whether a date of a culture is valid, which is after 1900-01-01 (R 4)."""
    return moment is not None and moment > EARLIEST_DATE


def format_label(status: ResultStatus, *, is_canceled: bool) -> str:
    """Return the label of a culture: PRELIMINARY, PENDING, CANCELED, or its status (R 4)."""
    if is_canceled:
        return ResultStatus.CANCELED.name
    return ResultStatus.PENDING.name if status is ResultStatus.UNRELEASED else status.name


def compute_status(*, has_entered: bool, released_stage: CultureStage | None) -> ResultStatus:
    """Return the status of a culture whose last release is of this stage, if any."""
    if released_stage is not None:
        is_final = released_stage is CultureStage.FINAL
        return ResultStatus.FINAL if is_final else ResultStatus.PRELIMINARY
    return ResultStatus.UNRELEASED if has_entered else ResultStatus.PENDING


def list_changes(old: Culture, new: Culture) -> list[Change]:
    """List the differences that clients can read, in the order of the report."""
    before, after = _list_statements(old), _list_statements(new)
    subjects = [*before, *(subject for subject in after if subject not in before)]
    changes = [
        Change(subject, _get_value(before.get(subject)), _get_value(after.get(subject)))
        for subject in subjects
    ]
    return [change for change in changes if change.was != change.now]


def is_correction(old: Culture, new: Culture, released_stage: CultureStage) -> bool:
    """Whether a version changes what the released one says, instead of adding to it.

    After a final release every difference is a correction. After a preliminary one, adding a
    statement or replacing an interim one is not.
    """
    if released_stage is CultureStage.FINAL:
        return bool(list_changes(old, new))
    after = _list_statements(new)
    return any(
        _contradicts_statement(after.get(subject), old_statement)
        for subject, old_statement in _list_statements(old).items()
    )


def describe_culture(content: Culture) -> str:
    """Describe a culture in one line, for a call: organisms, findings, or the result."""
    names = [organism.name for organism in content.organisms]
    names += [finding.name for finding in content.findings]
    return ", ".join(names) or content.result or ""


def find_gaps(
    test: str,
    culture: Culture,
    stage: CultureStage,
    *,
    has_choices: bool = False,
    released_stage: CultureStage | None = None,
) -> list[FieldError]:
    """Find the gaps that prevent the release of a culture at this stage."""
    gaps: list[FieldError] = []
    if released_stage is CultureStage.FINAL and stage is CultureStage.PRELIMINARY:
        return [FieldError("kind", messages.CULTURE_PRELIMINARY_AFTER_FINAL.format(test=test))]
    if has_choices:
        if culture.result is None:
            gaps.append(FieldError("result", messages.CULTURE_RESULT_REQUIRED.format(test=test)))
    elif not (culture.findings or culture.organisms):
        gaps.append(FieldError("findings", messages.CULTURE_EMPTY.format(test=test)))
    for i, organism in enumerate(culture.organisms):
        gaps += _find_organism_gaps(test, f"organisms.{i}", organism, stage)
    if stage is CultureStage.FINAL:
        gaps += _find_interim_statements(test, culture)
    return gaps


def is_critical(
    rows: Iterable[CriticalRow], culture: Culture, critical_choices: Sequence[str] = ()
) -> bool:
    """Whether a culture is critical by the lab's table, one of its findings, or its choice."""
    if culture.result is not None and _is_choice(culture.result, critical_choices):
        return True
    return any(finding.is_critical for finding in culture.findings) or any(
        _matches_row(row, culture) for row in rows
    )


def is_abnormal(culture: Culture, normal_choices: Sequence[str]) -> bool:
    """Whether a culture grew a pathogen, or has a result other than the normal ones."""
    is_result_abnormal = culture.result is not None and not _is_choice(
        culture.result, normal_choices
    )
    return is_result_abnormal or any(not organism.is_flora for organism in culture.organisms)


def _is_choice(result: str, choices: Iterable[str]) -> bool:
    """Whether a result is one of these choices of a test, in any case."""
    return result.upper() in {choice.upper() for choice in choices}


def _find_organism_gaps(
    test: str, field: str, organism: Organism, stage: CultureStage
) -> list[FieldError]:
    gaps = []
    if stage is CultureStage.FINAL and organism.quantity is None and not organism.is_flora:
        text = messages.ORGANISM_QUANTITY_REQUIRED.format(test=test, organism=organism.name)
        gaps.append(FieldError(f"{field}.quantity", text))
    for i, susceptibility in enumerate(organism.sensitivity):
        if susceptibility.interpretation is not None:
            continue
        message = (
            messages.ANTIBIOTIC_INCOMPLETE
            if susceptibility.value is None
            else messages.ANTIBIOTIC_NOT_INTERPRETED
        )
        text = message.format(
            test=test, organism=organism.name, antibiotic=susceptibility.antibiotic_name
        )
        gaps.append(FieldError(f"{field}.sensitivity.{i}.mic", text))
    return gaps


def _find_interim_statements(test: str, culture: Culture) -> list[FieldError]:
    """Find unidentified organisms, and the first interim finding."""
    gaps = [
        FieldError(
            f"organisms.{i}.code", messages.CULTURE_NOT_FINAL.format(test=test, name=organism.name)
        )
        for i, organism in enumerate(culture.organisms)
        if organism.is_interim
    ]
    interim_findings = [finding for finding in culture.findings if finding.is_interim]
    if interim_findings:
        text = messages.CULTURE_NOT_FINAL.format(test=test, name=interim_findings[0].name)
        gaps.append(FieldError("findings", text))
    return gaps


def _matches_row(row: CriticalRow, culture: Culture) -> bool:
    if row.source not in (None, culture.source):
        return False
    if row.finding is not None:
        return any(finding.code == row.finding for finding in culture.findings)
    return any(
        row.mark in (None, organism.mark) and organism.subject.is_covered_by(row.applies_to)
        for organism in culture.organisms
        if not organism.is_flora
    )


def _get_value(statement: _Statement | None) -> str | None:
    return statement.value if statement else None


def _contradicts_statement(new_statement: _Statement | None, old_statement: _Statement) -> bool:
    """Whether a new statement contradicts what a preliminary release said."""
    if old_statement.is_interim:
        return False
    return new_statement is None or old_statement.value not in (_PRESENT, new_statement.value)


def _list_statements(culture: Culture) -> dict[str, _Statement]:
    """Return what a culture shows to clients, by subject, without suppressed antibiotics.

    The preliminary comment is not among them, since it speaks of the work in progress.
    """
    statements: dict[str, _Statement] = {}
    for subject, value in (
        ("Source", culture.source_name),
        ("Collection site", culture.site_name),
        ("Collected", format_date_time(culture.collected_at) or None),
        ("Result", culture.result),
        ("Comment", culture.comment),
    ):
        _add_statement(statements, subject, value)
    for finding in culture.findings:
        value = finding.quantity_name or _PRESENT
        _add_statement(statements, finding.name, value, is_interim=finding.is_interim)
    for organism in culture.organisms:
        _add_organism(statements, organism)
    return statements


def _add_organism(statements: dict[str, _Statement], organism: Organism) -> None:
    is_interim = organism.is_interim
    value = organism.quantity_name or _PRESENT
    name = _add_statement(statements, organism.name, value, is_interim=is_interim)
    for part, text in (("marked", organism.mark_name), ("comment", organism.comment)):
        _add_statement(statements, f"{name}, {part}", text, is_interim=is_interim)
    for susceptibility in organism.reported_susceptibilities:
        words = " ".join(
            filter(
                None, (susceptibility.value, susceptibility.interpretation, susceptibility.comment)
            )
        )
        subject = f"{name}, {susceptibility.antibiotic_name}"
        _add_statement(statements, subject, words, is_interim=is_interim)


def _add_statement(
    statements: dict[str, _Statement], subject: str, value: str | None, *, is_interim: bool = False
) -> str:
    """Add a statement unless it is empty, and return its subject.

    The subject of a second isolate of the same organism gets a number.
    """
    name, count = subject, 1
    while name in statements:
        count += 1
        name = f"{subject} ({count})"
    if value:
        statements[name] = _Statement(value, is_interim)
    return name
