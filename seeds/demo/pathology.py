"""Pathology reports of the demo lab: reports, addenda, and revisions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    ReportKind,
    ResultFlag,
    ResultKind,
)
from app.server.orders.rules import set_family
from app.server.results.pathology.rules import find_replacements
from seeds.demo.records import DemoOrder, DemoOrderTest, DemoPathologyReport

SIGNERS = ("HELEN MARSH, MD", "TOMAS OKAFOR, MD")
"""The invented pathologists who sign out reports."""
RELEASED_BY = "LARA BENCH"
ADDENDUM_SHARE = 0.15
REVISION_SHARE = 0.2


@dataclass(frozen=True)
class _Case:
    """A specimen and its diagnosis; ``weight`` says how often it occurs."""

    weight: int
    specimen: str
    gross: str
    microscopic: str
    diagnosis: str
    flag: ResultFlag | None
    addendum: str
    revised_diagnosis: str
    revised_flag: ResultFlag


_PAP = (
    _Case(
        80,
        "Cervical cytology, liquid based",
        "Received 20 mL of cloudy fluid.",
        "Satisfactory for evaluation; endocervical component present.",
        "Negative for intraepithelial lesion or malignancy.",
        ResultFlag.NORMAL,
        "HPV of high risk: not detected.",
        "Atypical squamous cells of undetermined significance.",
        ResultFlag.ABNORMAL,
    ),
    _Case(
        20,
        "Cervical cytology, liquid based",
        "Received 20 mL of cloudy fluid.",
        "Satisfactory for evaluation; endocervical component present.",
        "Atypical squamous cells of undetermined significance.",
        ResultFlag.ABNORMAL,
        "HPV of high risk: detected, types other than 16 and 18.",
        "Low-grade squamous intraepithelial lesion.",
        ResultFlag.ABNORMAL,
    ),
)
_TISSUE = (
    _Case(
        60,
        "Skin, left forearm, shave biopsy",
        "A tan shave of skin, 0.8 x 0.6 x 0.1 cm, inked and submitted entirely.",
        "Nests of melanocytes mature with depth; no atypia is seen.",
        "Intradermal melanocytic nevus, completely removed.",
        ResultFlag.NORMAL,
        "Deeper levels show the same findings.",
        "Dysplastic nevus, mild; the margins are clear.",
        ResultFlag.ABNORMAL,
    ),
    _Case(
        30,
        "Colon, sigmoid, polypectomy",
        "A pink polyp, 0.6 cm, on a stalk of 0.3 cm; bisected and submitted entirely.",
        "Crowded tubular glands with elongated nuclei; no high-grade dysplasia.",
        "Tubular adenoma.",
        ResultFlag.ABNORMAL,
        "The stalk is free of adenoma on deeper levels.",
        "Tubulovillous adenoma.",
        ResultFlag.ABNORMAL,
    ),
    _Case(
        10,
        "Breast, right, core biopsy",
        "Three cores of yellow tissue, up to 1.4 cm long, submitted entirely.",
        "Irregular nests of atypical cells within dense stroma.",
        "Invasive ductal carcinoma, grade 2.",
        ResultFlag.CRITICAL_ABNORMAL,
        "Estrogen receptor positive, progesterone receptor positive, HER2 negative.",
        "Invasive ductal carcinoma, grade 3.",
        ResultFlag.CRITICAL_ABNORMAL,
    ),
)
_FLUID = (
    _Case(
        1,
        "Pleural fluid",
        "Received 60 mL of straw-colored fluid.",
        "Mesothelial cells, lymphocytes, and macrophages.",
        "Negative for malignant cells.",
        ResultFlag.NORMAL,
        "The cell block agrees.",
        "Atypical cells; a repeat specimen is recommended.",
        ResultFlag.ABNORMAL,
    ),
)
_CASES = {"PAP": _PAP, "CYTO": _FLUID, "SURG": _TISSUE}


def add_reports(order: DemoOrder, now: datetime) -> DemoOrder:
    """Return the order with reports in place of the plain results of its pathology tests."""
    if not any(test.kind is ResultKind.PATHOLOGY for test in order.tests):
        return order
    rng = Random(f"pathology {order.code}")
    tests = tuple(
        replace(test, results=(), reports=_build_reports(rng, test, now))
        if test.kind is ResultKind.PATHOLOGY
        else test
        for test in order.tests
    )
    flags = [flag for test in tests for flag in _list_flags_in_force(test.reports)]
    is_critical = any(flag in CRITICAL_FLAGS for flag in flags)
    is_abnormal = any(flag not in NOT_ABNORMAL_FLAGS for flag in flags)
    critical_kinds = set_family(order.critical_kinds, ResultKind.PATHOLOGY, is_critical)
    abnormal_kinds = set_family(order.abnormal_kinds, ResultKind.PATHOLOGY, is_abnormal)
    times = [order.reported_at, *(r.released_at for test in tests for r in test.reports)]
    return replace(
        order,
        tests=tests,
        reported_at=max((time for time in times if time is not None), default=None),
        critical_kinds=critical_kinds,
        abnormal_kinds=abnormal_kinds,
        has_critical=critical_kinds != 0,
        has_abnormal=abnormal_kinds != 0,
    )


def _build_reports(
    rng: Random, test: DemoOrderTest, now: datetime
) -> tuple[DemoPathologyReport, ...]:
    """Build the reports of a test at the times of its result; the last one may be unreleased."""
    if not test.results:
        return ()
    entered_at, released_at = test.results[0].entered_at, test.results[0].released_at
    cases = _CASES[test.code]
    case = rng.choices(cases, [case.weight for case in cases])[0]
    signer = rng.choice(SIGNERS)
    first = _Writer(case, signer, entered_at, released_at)
    reports = [first.write(1, ReportKind.NORMAL)]
    if released_at is None:
        return tuple(reports)
    if rng.random() < ADDENDUM_SHARE:
        time = min(released_at + timedelta(hours=20), now)
        reports.append(_Writer(case, signer, time, time).write(2, ReportKind.ADDENDUM))
    if rng.random() < REVISION_SHARE:
        time = min(released_at + timedelta(hours=45), now)
        # Some revisions wait for their release.
        writer = _Writer(case, signer, time, time if rng.random() < 0.5 else None)
        reports.append(writer.write(len(reports) + 1, ReportKind.REVISED))
    return tuple(reports)


def _list_flags_in_force(reports: Sequence[DemoPathologyReport]) -> list[ResultFlag]:
    """List the flags of the released reports that no revision replaces."""
    released_reports = [report for report in reports if report.released_at is not None]
    replacements = find_replacements([report.kind for report in released_reports])
    return [
        report.flag
        for report, replacement in zip(released_reports, replacements, strict=True)
        if replacement is None and report.flag is not None
    ]


@dataclass(frozen=True)
class _Writer:
    """Writes a report about a case; ``released`` is None while only the lab sees it."""

    case: _Case
    signer: str
    entered: datetime
    released: datetime | None

    def write(self, revision: int, kind: ReportKind) -> DemoPathologyReport:
        """Write the report, the addendum, or the revision of the case."""
        case, is_revised = self.case, kind is ReportKind.REVISED
        if kind is ReportKind.ADDENDUM:
            content, flag = f"<p>{case.addendum}</p>", case.flag
        elif is_revised:
            content = _format_report(case, case.revised_diagnosis)
            flag = case.revised_flag
        else:
            content, flag = _format_report(case, case.diagnosis), case.flag
        return DemoPathologyReport(
            revision=revision,
            kind=kind,
            content=content,
            flag=flag,
            signed_out_by=self.signer,
            reason_code="IDENTIFICATION" if is_revised else None,
            reason="Changed identification" if is_revised else None,
            explanation="A second pathologist reviewed the slides." if is_revised else None,
            entered_at=self.entered,
            released_at=self.released,
            released_by_name=RELEASED_BY if self.released else None,
        )


def _format_report(case: _Case, diagnosis: str) -> str:
    sections = {
        "Diagnosis": f"<strong>{diagnosis}</strong>",
        "Specimen": case.specimen,
        "Gross Description": case.gross,
        "Microscopic Description": case.microscopic,
    }
    return "".join(f"<h3>{heading}</h3><p>{text}</p>" for heading, text in sections.items())
