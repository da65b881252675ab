"""What the documents say: plain values, already worded where wording is a matter of the contract.

Date-times are the lab's wall clock. ``printed`` is passed in; nothing here asks for the time.
"""

from dataclasses import dataclass, field
from datetime import date, datetime

from app.contract.enumerations import ResultFlag


@dataclass(frozen=True)
class Lab:
    """The laboratory at the head of every page (42 CFR 493.1291(c)(2))."""

    name: str
    address: str
    phone: str | None = None
    fax: str | None = None
    email: str | None = None
    url: str | None = None


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
    """The patient as the record's snapshot has them; ``name`` is 'LAST, FIRST MIDDLE'."""

    code: str
    name: str
    birth_date: date
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
    """A diagnosis; ``supports`` names the tests it is linked to (empty: all of them)."""

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
class RequisitionPage:
    """A requisition form: what 42 CFR 493.1241(c) asks for, and what billing needs."""

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
    comments: str | None = None
    signature: Signature | None = None


@dataclass(frozen=True)
class RequisitionLogLine:
    """One requisition of the log; ``tests`` are the names of what was ordered."""

    code: str
    status: str
    collection: datetime | None
    patient: str
    birth_date: date
    client: str
    tests: tuple[str, ...]
    is_signed: bool
    unit: str | None = None
    room: str | None = None


@dataclass(frozen=True)
class RequisitionLog:
    """A list of requisitions in the order in which they were asked for."""

    lab: Lab
    printed: datetime
    lines: tuple[RequisitionLogLine, ...]


@dataclass(frozen=True)
class ResultLine:
    """A test of an order, in printing order.

    ``level`` indents below the panel; a panel has no value. ``value`` is ``None`` while nothing is
    released: the page then says so with ``status``. ``correction`` tells what stood before.
    """

    name: str
    value: str | None = None
    level: int = 0
    is_panel: bool = False
    flag: ResultFlag | None = None
    unit: str | None = None
    reference_range: str | None = None
    comments: tuple[str, ...] = ()
    status: str = ""
    is_corrected: bool = False
    correction: str | None = None


@dataclass(frozen=True)
class OrderResultsPage:
    """A result report: what 42 CFR 493.1291(c) asks for."""

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
    comment: str | None = None
    alert: str | None = None
