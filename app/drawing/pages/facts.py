"""The content of the documents as plain values, with texts already filled in.

Date-times are the lab's wall clock. ``printed`` is a parameter, so drawing needs no clock.
"""

from dataclasses import dataclass, field
from datetime import date, datetime

from app.contract.enumerations import ResultFlag


@dataclass(frozen=True)
class Lab:
    """The laboratory in the header of every page (42 CFR 493.1291(c)(2))."""

    name: str
    address: str
    phone: str | None = None
    fax: str | None = None
    email: str | None = None
    url: str | None = None
    director: str | None = None
    clia: str | None = None


@dataclass(frozen=True)
class Party:
    """A client or an ordering physician. ``address`` may have several lines."""

    name: str
    address: str | None = None
    phone: str | None = None
    fax: str | None = None
    npi: str | None = None
    code: str | None = None


@dataclass(frozen=True)
class PatientFacts:
    """The patient from the record's snapshot; ``name`` is 'LAST, FIRST MIDDLE'."""

    code: str
    name: str
    birth_date: date | None
    gender: str
    address: str | None = None
    phone: str | None = None
    medical_record_id: str | None = None
    unit: str | None = None
    room: str | None = None
    bed: str | None = None


@dataclass(frozen=True)
class OrderedTest:
    """An ordered test or panel; ``components`` are the names of a panel's members."""

    code: str
    name: str
    container: str | None = None
    specimen: str | None = None
    components: tuple[str, ...] = ()
    is_confidential: bool = False


@dataclass(frozen=True)
class DiagnosisLine:
    """A diagnosis; ``supports`` names the tests that it supports (empty: all)."""

    code: str
    description: str
    supports: tuple[str, ...] = ()


@dataclass(frozen=True)
class InsuranceLine:
    """One coverage, in the order in which it is billed."""

    payer: str
    insurance_id: str | None = None
    group_number: str | None = None
    relationship: str | None = None
    holder: str | None = None


@dataclass(frozen=True)
class Signature:
    """Who signed and when; ``image`` is a PNG."""

    name: str
    signed_at: datetime
    image: bytes | None = None


@dataclass(frozen=True)
class Cancellation:
    """Why, when and by whom a requisition was canceled; None where that is unknown or withheld."""

    comment: str | None = None
    canceled_at: datetime | None = None
    canceled_by: str | None = None


@dataclass(frozen=True)
class RequisitionPage:
    """The content of a requisition form (42 CFR 493.1241(c)) with billing."""

    lab: Lab
    code: str
    status: str
    printed: datetime
    patient: PatientFacts
    client: Party
    physician: Party | None
    collection: datetime | None
    fasting: str
    priority: str
    bill_to: str
    tests: tuple[OrderedTest, ...]
    diagnoses: tuple[DiagnosisLine, ...] = ()
    additional_diagnoses: tuple[DiagnosisLine, ...] = ()
    medications: tuple[str, ...] = ()
    insurance: tuple[InsuranceLine, ...] = ()
    copies: tuple[str, ...] = ()
    comments: str | None = None
    signature: Signature | None = None
    cancellation: Cancellation | None = None


@dataclass(frozen=True)
class RequisitionLogLine:
    """One requisition of the log; ``tests`` are the ordered tests and panels."""

    code: str
    status: str
    collection: datetime | None
    patient: str
    birth_date: date | None
    client: str
    tests: tuple[OrderedTest, ...]
    is_signed: bool
    unit: str | None = None
    room: str | None = None


@dataclass(frozen=True)
class RequisitionLog:
    """A list of requisitions in the requested order."""

    lab: Lab
    printed: datetime
    lines: tuple[RequisitionLogLine, ...]


@dataclass(frozen=True)
class AccessLine:
    """An access to a patient's records; ``records`` are codes."""

    at: datetime
    person: str
    role: str
    what: str
    records: str
    is_denied: bool = False


@dataclass(frozen=True)
class AccessReport:
    """Who saw or changed a patient's records, newest first; ``total`` counts all lines."""

    lab: Lab
    printed: datetime
    patient: str
    code: str
    birth_date: date | None
    first: date
    last: date
    total: int
    lines: tuple[AccessLine, ...]


@dataclass(frozen=True)
class ResultLine:
    """A test of an order, in printing order.

    Attributes:
        value: None for a panel, and before the release; the page then shows ``status``.
        level: the depth of the test in its panels, by which the line is indented.
        interpretation: of the susceptibility to an antibiotic, printed beside its value.
        corrections: the earlier values in words, newest first.
    """

    name: str
    value: str | None = None
    level: int = 0
    is_panel: bool = False
    flag: ResultFlag | None = None
    interpretation: ResultFlag | None = None
    unit: str | None = None
    reference_range: str | None = None
    comments: tuple[str, ...] = ()
    status: str = ""
    is_corrected: bool = False
    corrections: tuple[str, ...] = ()


@dataclass(frozen=True)
class OrderResultsPage:
    """The content of a result report (42 CFR 493.1291(c)).

    Attributes:
        alerts: each is a bold word and its explanation.
        comment_note: when and by whom the comment was changed after a release.
        watermark: drawn across each page of a report that nobody may rely on.
    """

    lab: Lab
    code: str
    requisition_code: str
    status: str
    printed: datetime
    patient: PatientFacts
    client: Party
    physician: Party | None
    collected: datetime | None
    received: datetime | None
    reported: datetime | None
    specimen_condition: str
    specimens: tuple[str, ...] = ()
    fasting: str = ""
    results: tuple[ResultLine, ...] = field(default=())
    cancellations: tuple[str, ...] = ()
    additions: tuple[str, ...] = ()
    comment: str | None = None
    comment_note: str = ""
    alerts: tuple[tuple[str, str], ...] = ()
    watermark: str = ""


@dataclass(frozen=True)
class OrderLogLine:
    """One order of the log; ``place`` is unit and room."""

    code: str
    status: str
    collected: datetime
    received: datetime
    reported: datetime | None
    patient: str
    birth_date: date | None
    client: str
    place: str
    tests: tuple[OrderedTest, ...]
    is_signed: bool
    is_acknowledged: bool
    alert: str = ""


@dataclass(frozen=True)
class OrderLog:
    """A list of orders in the requested order."""

    lab: Lab
    printed: datetime
    lines: tuple[OrderLogLine, ...]


@dataclass(frozen=True)
class HistoryLine:
    """An event of an order: when, what, by whom, and more about it."""

    at: datetime
    event: str
    person: str = ""
    detail: str = ""


@dataclass(frozen=True)
class OrderDetailsPage:
    """An order with its tests (name, status, level) and its history, oldest event first."""

    lab: Lab
    code: str
    requisition_code: str
    status: str
    printed: datetime
    patient: PatientFacts
    client: Party
    physician: Party | None
    collected: datetime
    received: datetime
    reported: datetime | None
    bill_to: str
    tests: tuple[tuple[str, str, int], ...]
    history: tuple[HistoryLine, ...]


@dataclass(frozen=True)
class CumulativeColumn:
    """An order of a cumulative report."""

    collected: datetime
    code: str
    client: str | None


@dataclass(frozen=True)
class CumulativeCell:
    """A result of an order; ``notes`` are smaller lines below it."""

    text: str
    flag: ResultFlag | None = None
    is_abnormal: bool = False
    is_critical: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class CumulativeLine:
    """The results of one series, a cell per column; None where an order has no such result.

    ``about`` is what all of them share besides the name: unit, method, source.
    """

    name: str
    about: str
    reference_range: str
    cells: tuple[CumulativeCell | None, ...]


@dataclass(frozen=True)
class CumulativeSection:
    """The results of one kind, newest order first."""

    title: str
    columns: tuple[CumulativeColumn, ...]
    lines: tuple[CumulativeLine, ...]


@dataclass(frozen=True)
class CumulativePage:
    """The content of the cumulative report of one patient."""

    lab: Lab
    printed: datetime
    patient: PatientFacts
    sections: tuple[CumulativeSection, ...]
