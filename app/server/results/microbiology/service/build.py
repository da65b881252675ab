"""Builds a culture from an entry, by the lab's tables."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from app.basics.clock import get_lab_now, place_on_lab_clock
from app.basics.errors import FieldError
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import CultureTermKind, Reporting, SusceptibilityMethod
from app.server.results.microbiology import rules
from app.server.results.microbiology.loading import LabTables
from app.server.results.microbiology.schemas import (
    CultureWrite,
    FindingWrite,
    OrganismWrite,
    SensitivityWrite,
)
from app.server.results.microbiology.susceptibility import (
    INTERPRETATIONS,
    Subject,
    choose_limits,
    find_impossible_antibiotics,
    find_suppressed_antibiotics,
    format_limits,
    interpret_measurement,
    parse_measurement,
)


def build_culture(
    body: CultureWrite,
    tables: LabTables,
    choices: Sequence[str],
    time_zone: str,
    birth_date: date | None,
) -> tuple[rules.Culture, list[FieldError]]:
    """Return the culture with interpretations and suppressions, and why it is rejected.

    Each error has the field's name on the wire ('organisms.0.sensitivity.1.mic'). What is rejected
    is left out of the culture. ``time_zone`` is the lab's, ``birth_date`` the patient's, if known.
    """
    return _Builder(body, tables, choices, time_zone, birth_date).build()


class _Builder:
    """Builds one culture, and collects its errors."""

    def __init__(
        self,
        body: CultureWrite,
        tables: LabTables,
        choices: Sequence[str],
        time_zone: str,
        birth_date: date | None,
    ) -> None:
        self._body = body
        self._tables = tables
        self._choices = choices
        self._time_zone = time_zone
        self._birth_date = birth_date
        self._errors: list[FieldError] = []

    def build(self) -> tuple[rules.Culture, list[FieldError]]:
        body = self._body
        source, source_name = self._find_name(CultureTermKind.SOURCE, body.source, "source")
        site, site_name = self._find_name(CultureTermKind.SITE, body.site, "site")
        findings = [self._build_finding(i, write) for i, write in enumerate(body.findings)]
        organisms = [self._build_organism(i, write) for i, write in enumerate(body.organisms)]
        self._reject_repeated_findings(findings)
        self._reject_contradictions(findings, organisms)
        culture = rules.Culture(
            source=source,
            source_name=source_name,
            site=site,
            site_name=site_name,
            collected_at=self._find_collection_time(),
            result=self._choose_result(),
            findings=tuple(finding for finding in findings if finding),
            organisms=tuple(organism for organism in organisms if organism),
            comment=clean_text(body.comment),
            preliminary_comment=clean_text(body.preliminary_comment),
        )
        return culture, self._errors

    def _find_collection_time(self) -> datetime | None:
        """Return the collection time on the lab's clock."""
        if self._body.collected is None:
            return None
        moment = place_on_lab_clock(self._body.collected, self._time_zone)
        if not rules.is_valid_date(moment):
            self._reject("collected", messages.CULTURE_DATE_INVALID)
            return None
        if moment > get_lab_now(self._time_zone):
            self._reject("collected", messages.CULTURE_DATE_IN_FUTURE)
            return None
        if self._birth_date is not None and moment.date() < self._birth_date:
            self._reject("collected", messages.CULTURE_DATE_BEFORE_BIRTH)
            return None
        return moment.replace(microsecond=0)

    def _reject(self, field: str, message: str) -> None:
        self._errors.append(FieldError(field, message))

    def _find_name(
        self, kind: CultureTermKind, code: str | None, field: str
    ) -> tuple[str | None, str | None]:
        """Return a term's code and name; both are None without a code."""
        if not code:
            return None, None
        term = self._tables.find_term(kind, code)
        if term is None:
            self._reject(field, messages.VALUE_INVALID)
            return None, None
        return term.code, term.name

    def _choose_result(self) -> str | None:
        value = clean_text(self._body.result)
        if value is None:
            return None
        choice = next((c for c in self._choices if c.upper() == value.upper()), None)
        if choice is None:
            self._reject("result", messages.VALUE_INVALID)
        return choice

    def _build_finding(self, index: int, write: FindingWrite) -> rules.Finding | None:
        term = self._tables.find_term(CultureTermKind.FINDING, write.code)
        if term is None:
            self._reject(f"findings.{index}.code", messages.VALUE_INVALID)
            return None
        quantity = self._find_name(
            CultureTermKind.QUANTITY, write.quantity, f"findings.{index}.quantity"
        )
        return rules.Finding(term.code, term.name, term.is_interim, term.is_critical, *quantity)

    def _reject_repeated_findings(self, findings: Sequence[rules.Finding | None]) -> None:
        """Reject a finding that is listed twice, perhaps with two quantities."""
        codes: set[str] = set()
        for i, finding in enumerate(findings):
            if finding is None:
                continue
            if finding.code in codes:
                text = messages.FINDING_TWICE.format(finding=finding.name)
                self._reject(f"findings.{i}.code", text)
            codes.add(finding.code)

    def _reject_contradictions(
        self,
        findings: Sequence[rules.Finding | None],
        organisms: Sequence[rules.Organism | None],
    ) -> None:
        """Reject 'No growth' together with an organism: readers might believe either."""
        organism = next((organism for organism in organisms if organism), None)
        if organism is None:
            return
        for i, finding in enumerate(findings):
            if finding is None:
                continue
            term = self._tables.find_term(CultureTermKind.FINDING, finding.code)
            if term is not None and term.excludes_growth:
                text = messages.CULTURE_CONTRADICTION.format(
                    finding=finding.name, organism=organism.name
                )
                self._reject(f"findings.{i}.code", text)

    def _build_organism(self, index: int, write: OrganismWrite) -> rules.Organism | None:
        field = f"organisms.{index}"
        name = self._tables.organisms.get(write.code) if write.code else None
        if name is None:
            message = messages.ORGANISM_UNKNOWN if write.code else messages.ORGANISM_REQUIRED
            self._reject(f"{field}.code", message)
            return None
        quantity, quantity_name = self._find_name(
            CultureTermKind.QUANTITY, write.quantity, f"{field}.quantity"
        )
        mark, mark_name = self._find_name(CultureTermKind.MARK, write.mark, f"{field}.mark")
        term = self._tables.find_term(CultureTermKind.MARK, mark)
        organism = rules.Organism(
            code=name.code,
            group=name.group_code,
            name=name.name,
            is_flora=name.is_flora,
            is_interim=name.is_interim,
            quantity=quantity,
            quantity_name=quantity_name,
            mark=mark,
            mark_name=mark_name,
            comment=clean_text(write.comment),
            organism_comment=term.words if term else None,
        )
        panel = self._build_panel(field, organism.subject, write.sensitivity)
        self._reject_impossible(field, organism, write.sensitivity, panel)
        return replace(organism, sensitivity=self._suppress_antibiotics(organism.subject, panel))

    def _build_panel(
        self, field: str, subject: Subject, writes: Sequence[SensitivityWrite]
    ) -> list[rules.Susceptibility]:
        panel: list[rules.Susceptibility] = []
        for i, write in enumerate(writes):
            row_field = f"{field}.sensitivity.{i}"
            antibiotic = self._tables.antibiotics.get(write.antibiotic)
            if antibiotic is None:
                self._reject(f"{row_field}.antibiotic", messages.ANTIBIOTIC_UNKNOWN)
            elif any(susceptibility.antibiotic == antibiotic.code for susceptibility in panel):
                text = messages.ANTIBIOTIC_TWICE.format(antibiotic=antibiotic.name)
                self._reject(f"{row_field}.antibiotic", text)
            else:
                panel.append(self._build_susceptibility(row_field, subject, write, antibiotic.name))
        return panel

    def _build_susceptibility(
        self, field: str, subject: Subject, write: SensitivityWrite, name: str
    ) -> rules.Susceptibility:
        method, value = write.method, clean_text(write.mic)
        limits = choose_limits(
            self._tables.breakpoints, subject, write.antibiotic, method, self._body.source
        )
        measurement = parse_measurement(method, value) if value else None
        if value and measurement is None:
            is_zone = method is SusceptibilityMethod.ZONE
            self._reject(f"{field}.mic", messages.ZONE_INVALID if is_zone else messages.MIC_INVALID)
        computed_interpretation = None
        if measurement and limits:
            computed_interpretation = interpret_measurement(method, measurement, limits)
        chosen_interpretation = write.interpretation
        if chosen_interpretation is not None and chosen_interpretation not in INTERPRETATIONS:
            self._reject(f"{field}.interpretation", messages.VALUE_INVALID)
            chosen_interpretation = None
        return rules.Susceptibility(
            antibiotic=write.antibiotic,
            antibiotic_name=name,
            method=method,
            value=value,
            interpretation=chosen_interpretation or computed_interpretation,
            is_manual=chosen_interpretation not in (None, computed_interpretation),
            reporting=write.reporting,
            is_suppressed=False,
            limits=format_limits(method, limits) if limits else None,
            comment=clean_text(write.comment),
        )

    def _reject_impossible(
        self,
        field: str,
        organism: rules.Organism,
        writes: Sequence[SensitivityWrite],
        panel: Sequence[rules.Susceptibility],
    ) -> None:
        """Reject S where the organism is resistant to the antibiotic, by nature or by its mark."""
        interpretations = {
            susceptibility.antibiotic: susceptibility.interpretation for susceptibility in panel
        }
        names = {
            susceptibility.antibiotic: susceptibility.antibiotic_name for susceptibility in panel
        }
        codes = [write.antibiotic for write in writes]
        resistances = self._tables.intrinsic_resistances
        for code in find_impossible_antibiotics(
            resistances, organism.subject, interpretations, organism.mark
        ):
            is_marked = (organism.mark, code) in resistances
            text = (
                messages.MARK_CONTRADICTION if is_marked else messages.INTRINSICALLY_RESISTANT
            ).format(organism=organism.name, antibiotic=names[code], mark=organism.mark_name)
            self._reject(f"{field}.sensitivity.{codes.index(code)}.interpretation", text)

    def _suppress_antibiotics(
        self, subject: Subject, panel: Sequence[rules.Susceptibility]
    ) -> tuple[rules.Susceptibility, ...]:
        interpretations = {
            susceptibility.antibiotic: susceptibility.interpretation for susceptibility in panel
        }
        suppressed_codes = find_suppressed_antibiotics(
            self._tables.cascade_rows, subject, self._body.source, interpretations
        )
        return tuple(
            replace(
                susceptibility,
                is_suppressed=susceptibility.reporting is Reporting.SUPPRESSED
                or (
                    susceptibility.reporting is Reporting.CASCADE
                    and susceptibility.antibiotic in suppressed_codes
                ),
            )
            for susceptibility in panel
        )
