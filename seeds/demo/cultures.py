"""Cultures of the demo lab, in all states, with resistant organisms and corrections."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from random import Random

from app.contract.enumerations import (
    CultureStage,
    CultureTermKind,
    Reporting,
    ResultKind,
    ResultStatus,
    SusceptibilityMethod,
)
from app.server.orders.rules import compute_order_status, set_family
from app.server.results.microbiology import rules
from app.server.results.microbiology.susceptibility import (
    BreakpointRow,
    CascadeRow,
    Limits,
    Subject,
    choose_limits,
    find_suppressed_antibiotics,
    format_limits,
    interpret_measurement,
    parse_measurement,
)
from seeds.demo import values
from seeds.demo.culture_cases import CASES, GRAM_STAINS, PRELIMINARY_CASES, Case, Isolate
from seeds.demo.records import DemoCulture, DemoOrder, DemoOrderTest
from seeds.reference import microbiology

RELEASED_BY = "LARA BENCH"
CORRECTED_SHARE = 0.04
PRELIMINARY_FIRST_SHARE = 0.5
_MIC = SusceptibilityMethod.MIC


def add_cultures(order: DemoOrder, collected_at: datetime, now: datetime) -> DemoOrder:
    """Give the order's microbiology tests cultures in place of their texts."""
    if not any(test.kind is ResultKind.MICROBIOLOGY for test in order.tests):
        return order
    rng = Random(f"cultures of {order.code}")
    tests = tuple(
        _add_cultures(rng, test, collected_at, now) if _is_culture(test) else test
        for test in order.tests
    )
    visible_cultures = [c for test in tests if (c := _find_visible(test.cultures))]
    critical = set_family(
        order.critical_kinds, ResultKind.MICROBIOLOGY, any(c.is_critical for c in visible_cultures)
    )
    abnormal = set_family(
        order.abnormal_kinds, ResultKind.MICROBIOLOGY, any(c.is_abnormal for c in visible_cultures)
    )
    times = [c.released_at for test in tests for c in test.cultures if c.released_at]
    times += [r.released_at for test in tests for r in test.results if r.released_at]
    times += [r.released_at for test in tests for r in test.reports if r.released_at]
    return replace(
        order,
        tests=tests,
        status=compute_order_status(test.status for test in tests if not test.is_panel),
        critical_kinds=critical,
        abnormal_kinds=abnormal,
        has_critical=critical != 0,
        has_abnormal=abnormal != 0,
        reported_at=max(times, default=None),
    )


def _is_culture(test: DemoOrderTest) -> bool:
    return test.kind is ResultKind.MICROBIOLOGY and not test.is_panel


def _find_visible(cultures: Sequence[DemoCulture]) -> DemoCulture | None:
    return next((c for c in reversed(cultures) if c.released_at is not None), None)


def _add_cultures(
    rng: Random, test: DemoOrderTest, collected_at: datetime, now: datetime
) -> DemoOrderTest:
    if not test.results:
        return test
    first = test.results[0]
    writer = _Writer(test.code, collected_at)
    case = _choose_case(rng, test, first.value)
    is_preliminary = test.status is ResultStatus.PRELIMINARY
    if first.released_at is None:
        cultures = [writer.write(1, case, first.entered_at)]
    elif is_preliminary:
        content = PRELIMINARY_CASES.get(test.code) or _to_preliminary(case)
        preliminary = writer.write(1, content, first.entered_at)
        cultures = [_release_culture(preliminary, CultureStage.PRELIMINARY, first.released_at)]
    else:
        cultures = _write_final(rng, writer, case, first.released_at, now)
    current = replace(cultures[-1], is_current=True)
    return replace(test, results=(), cultures=(*cultures[:-1], current))


def _write_final(
    rng: Random, writer: "_Writer", case: Case, released_at: datetime, now: datetime
) -> list[DemoCulture]:
    """Write a final culture, sometimes after a preliminary one or before a correction."""
    cultures: list[DemoCulture] = []
    has_growth = bool(case.isolates)
    if has_growth and rng.random() < PRELIMINARY_FIRST_SHARE:
        early = writer.write(1, _to_preliminary(case), released_at)
        cultures.append(_release_culture(early, CultureStage.PRELIMINARY, released_at))
    time = min(released_at + timedelta(hours=20 * len(cultures)), now)
    final = _release_culture(writer.write(len(cultures) + 1, case, time), CultureStage.FINAL, time)
    panel = case.isolates[0].mics if case.isolates else {}
    if panel and rng.random() < CORRECTED_SHARE:
        # The first release has a wrong MIC, and the second one corrects it.
        name, mic = next(iter(panel.items()))
        isolate = replace(case.isolates[0], mics={**panel, name: ">32" if mic != ">32" else "2"})
        wrong_case = replace(case, isolates=(isolate, *case.isolates[1:]))
        first = writer.write(len(cultures) + 1, wrong_case, time)
        cultures.append(_release_culture(first, CultureStage.FINAL, time))
        later = min(time + timedelta(hours=5), now)
        corrected_culture = writer.write(len(cultures) + 1, case, later)
        final = replace(
            _release_culture(corrected_culture, CultureStage.FINAL, later),
            reason_code="TRANSCRIPTION",
            reason="Typing error",
            explanation="The panel was read again.",
        )
    return [*cultures, final]


def _choose_case(rng: Random, test: DemoOrderTest, value: str) -> Case:
    cases = CASES.get(test.code)
    if cases is None:
        choices = values.load_catalog()[test.code].choices
        return Case(1, result=value if value in choices else None, findings=("NG",))
    return rng.choices(cases, [case.weight for case in cases])[0]


def _to_preliminary(case: Case) -> Case:
    """Return what is known of a culture before its organisms are identified."""
    if not case.isolates:
        return replace(case, findings=("NGTD",) if case.result is None else ())
    stains = dict.fromkeys(
        GRAM_STAINS[isolate.code] for isolate in case.isolates if isolate.code in GRAM_STAINS
    )
    if not stains:
        return case
    isolates = tuple(Isolate(code, None) for code in stains)
    return replace(case, isolates=isolates, preliminary_comment="Identification follows.")


def _release_culture(culture: DemoCulture, stage: CultureStage, time: datetime) -> DemoCulture:
    return replace(
        culture, is_current=False, stage=stage, released_at=time, released_by_name=RELEASED_BY
    )


@dataclass(frozen=True)
class _Writer:
    """Writes the versions of one test's culture, judged by the lab's tables."""

    code: str
    collected: datetime

    def write(self, revision: int, case: Case, entered_at: datetime) -> DemoCulture:
        content = self._build_content(case)
        choices = values.load_catalog()[self.code].normal_choices
        return DemoCulture(
            revision=revision,
            is_current=False,
            content=content,
            is_critical=rules.is_critical(_load_critical(), content),
            is_abnormal=rules.is_abnormal(content, choices),
            breakpoint_edition=microbiology.list_breakpoints()[0].edition,
            reason_code=None,
            reason=None,
            explanation=None,
            entered_at=entered_at,
            stage=None,
            released_at=None,
            released_by_name=None,
        )

    def _build_content(self, case: Case) -> rules.Culture:
        if case.result is not None:
            return rules.Culture(collected_at=self.collected, result=case.result)
        return rules.Culture(
            source=case.source,
            source_name=_find_term(CultureTermKind.SOURCE, case.source).name
            if case.source
            else None,
            site=case.site,
            site_name=_find_term(CultureTermKind.SITE, case.site).name if case.site else None,
            collected_at=self.collected,
            findings=tuple(_build_finding(text) for text in case.findings),
            organisms=tuple(_build_organism(isolate, case.source) for isolate in case.isolates),
            comment=case.comment,
            preliminary_comment=case.preliminary_comment,
        )


def _build_finding(text: str) -> rules.Finding:
    """Build a finding from its code, and its quantity's code after a colon."""
    code, _, quantity = text.partition(":")
    term = _find_term(CultureTermKind.FINDING, code)
    name = _find_term(CultureTermKind.QUANTITY, quantity).name if quantity else None
    return rules.Finding(code, term.name, term.is_interim, term.is_critical, quantity or None, name)


def _build_organism(isolate: Isolate, source: str | None) -> rules.Organism:
    row = next(o for o in microbiology.list_organisms() if o.code == isolate.code)
    mark = _find_term(CultureTermKind.MARK, isolate.mark) if isolate.mark else None
    quantity = isolate.quantity
    return rules.Organism(
        code=row.code,
        group=row.group_code,
        name=row.name,
        is_flora=row.is_flora,
        is_interim=row.is_interim,
        quantity=quantity,
        quantity_name=_find_term(CultureTermKind.QUANTITY, quantity).name if quantity else None,
        mark=isolate.mark,
        mark_name=mark.name if mark else None,
        comment=isolate.comment,
        organism_comment=mark.words if mark else None,
        sensitivity=_build_panel(Subject(row.code, row.group_code), isolate.mics, source),
    )


def _build_panel(
    subject: Subject, mics: Mapping[str, str], source: str | None
) -> tuple[rules.Susceptibility, ...]:
    panel = []
    for antibiotic in microbiology.list_antibiotics():
        mic = mics.get(antibiotic.code)
        if mic is None:
            continue
        measurement = parse_measurement(_MIC, mic)
        limits = choose_limits(_load_breakpoints(), subject, antibiotic.code, _MIC, source)
        assert measurement and limits, (subject.code, antibiotic.code)
        panel.append(
            rules.Susceptibility(
                antibiotic=antibiotic.code,
                antibiotic_name=antibiotic.name,
                method=_MIC,
                value=mic,
                interpretation=interpret_measurement(_MIC, measurement, limits),
                is_manual=False,
                reporting=Reporting.CASCADE,
                is_suppressed=False,
                limits=format_limits(_MIC, limits),
                comment=None,
            )
        )
    flags = {susceptibility.antibiotic: susceptibility.interpretation for susceptibility in panel}
    hidden = find_suppressed_antibiotics(_load_cascade(), subject, source, flags)
    return tuple(
        replace(susceptibility, is_suppressed=susceptibility.antibiotic in hidden)
        for susceptibility in panel
    )


@cache
def _find_term(kind: CultureTermKind, code: str) -> microbiology.CultureTermRow:
    return next(t for t in microbiology.list_culture_terms() if (t.kind, t.code) == (kind, code))


@cache
def _load_breakpoints() -> tuple[BreakpointRow, ...]:
    return tuple(
        BreakpointRow(
            row.applies_to,
            row.antibiotic,
            row.method,
            row.source,
            Limits(row.susceptible, row.dose_dependent, row.resistant),
        )
        for row in microbiology.list_breakpoints()
    )


@cache
def _load_cascade() -> tuple[CascadeRow, ...]:
    return tuple(
        CascadeRow(
            row.applies_to,
            row.antibiotic,
            row.unless_antibiotic,
            frozenset(row.unless_interpretations),
            row.unless_source,
        )
        for row in microbiology.list_cascade_rules()
    )


@cache
def _load_critical() -> tuple[rules.CriticalRow, ...]:
    return tuple(
        rules.CriticalRow(row.source, row.applies_to, row.mark, row.finding)
        for row in microbiology.list_critical_rules()
    )
