"""The demo lab as plain records, which refer to each other by natural keys.

Keys: a client by ``code``, a unit or room by its name within the client, a physician by ``npi``,
a patient by ``index`` (0, 1, 2 ...), a test by ``code``, a diagnosis by ``code``, an account by
``email``. Date-times are the lab's wall clock. All people are invented.
"""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from app.contract.enumerations import (
    BillTo,
    CultureStage,
    Ethnicity,
    Fasting,
    Gender,
    OrderStatus,
    Priority,
    ReportKind,
    RequisitionStatus,
    ResultFlag,
    ResultKind,
    ResultStatus,
    Role,
)
from app.server.results.microbiology.rules import Culture


@dataclass(frozen=True, slots=True)
class LabInfo:
    """The lab's letterhead: the setting ``report``."""

    name: str
    address: str
    phone: str
    fax: str
    email: str
    url: str
    director: str
    clia: str


@dataclass(frozen=True, slots=True)
class DemoRoom:
    """A room of a client; ``unit`` is the name of its unit, if any."""

    unit: str | None
    name: str


@dataclass(frozen=True, slots=True)
class DemoClient:
    """A facility that orders tests."""

    code: str
    name: str
    address: str
    zip_code: str
    zip_code_plus4: str
    phone: str
    fax: str
    web_access: bool
    default_bill_to: BillTo
    requires_physician: bool
    units: tuple[str, ...]
    rooms: tuple[DemoRoom, ...]


@dataclass(frozen=True, slots=True)
class DemoPhysician:
    """An ordering physician and their clients."""

    npi: str
    first_name: str
    last_name: str
    address: str
    zip_code: str
    phone: str
    fax: str
    client_codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DemoPatient:
    """A patient; ``ssn`` has nine digits and begins with 666, which is never issued."""

    index: int
    code: str
    client_code: str
    unit: str | None
    room: str | None
    bed: str | None
    medical_record_id: str | None
    physician_npi: str
    last_name: str
    first_name: str
    middle_name: str | None
    birth_date: date
    gender: Gender
    ssn: str | None
    race: str
    ethnicity: Ethnicity
    sexual_orientation_id: str | None
    gender_identity_id: str | None
    address: str
    zip_code: str
    same_as_client_address: bool
    phone: str
    mobile: str | None
    email: str | None


@dataclass(frozen=True, slots=True)
class DemoResult:
    """One version of a result; ``released_at`` is ``None`` while only the lab sees it."""

    revision: int
    is_current: bool
    value: str
    sign: str | None
    number: Decimal | None
    comment: str | None
    flag: ResultFlag | None
    unit: str | None
    reference_range: str | None
    low: Decimal | None
    high: Decimal | None
    reason: str | None
    entered_at: datetime
    released_at: datetime | None
    method: str | None = None


@dataclass(frozen=True, slots=True)
class DemoPathologyReport:
    """A pathology report, an addendum, or a revision; ``kind`` is the kind that was entered."""

    revision: int
    kind: ReportKind
    content: str
    flag: ResultFlag | None
    signed_out_by: str
    reason_code: str | None
    reason: str | None
    explanation: str | None
    entered_at: datetime
    released_at: datetime | None
    released_by_name: str | None


@dataclass(frozen=True, slots=True)
class DemoCulture:
    """One version of a culture; ``stage`` is the stage of its release, if it is released."""

    revision: int
    is_current: bool
    content: Culture
    is_critical: bool
    is_abnormal: bool
    breakpoint_edition: str
    reason_code: str | None
    reason: str | None
    explanation: str | None
    entered_at: datetime
    stage: CultureStage | None
    released_at: datetime | None
    released_by_name: str | None


@dataclass(frozen=True, slots=True)
class DemoToxicologyResult:
    """One version of a toxicology result, with what it was judged by."""

    revision: int
    is_current: bool
    value: str
    is_detected: bool | None
    method: str
    unit: str | None
    cut_off: Decimal | None
    low: Decimal | None
    high: Decimal | None
    detection_window: str | None
    reason_code: str | None
    reason: str | None
    explanation: str | None
    entered_at: datetime
    released_at: datetime | None
    released_by_name: str | None


@dataclass(frozen=True, slots=True)
class DemoAssessment:
    """The verdicts on an order's toxicology results; their tests are positions in the order."""

    medications: tuple[str, ...]
    edition: str
    specimen_fault: str | None
    verdicts: tuple[dict[str, Any], ...]
    has_unexpected_positive: bool
    released_at: datetime


@dataclass(frozen=True, slots=True)
class DemoOrderTest:
    """A test of an order; ``parent`` is the ``position`` of its panel in the order."""

    code: str
    name: str
    kind: ResultKind
    is_panel: bool
    is_confidential: bool
    parent: int | None
    level: int
    position: int
    status: ResultStatus
    results: tuple[DemoResult, ...]
    reports: tuple[DemoPathologyReport, ...] = ()
    toxicology: tuple[DemoToxicologyResult, ...] = ()
    cultures: tuple[DemoCulture, ...] = ()


@dataclass(frozen=True, slots=True)
class DemoOrder:
    """The order of a received requisition, which has the client, patient, and so on."""

    code: str
    status: OrderStatus
    received_at: datetime
    reported_at: datetime | None
    specimen_condition: str
    report_comment: str | None
    has_critical: bool
    has_abnormal: bool
    critical_kinds: int
    abnormal_kinds: int
    tests: tuple[DemoOrderTest, ...]
    assessment: DemoAssessment | None = None


@dataclass(frozen=True, slots=True)
class DemoRequisitionTest:
    """A test or panel member of a requisition; ``parent`` as in an order."""

    code: str
    parent: int | None
    level: int
    position: int
    is_confidential: bool


@dataclass(frozen=True, slots=True)
class DemoSignature:
    """The account that signed, and the time; the image is the account's."""

    email: str
    name: str
    signed_at: datetime


@dataclass(frozen=True, slots=True)
class DemoRequisition:
    """A requisition, with its order if the lab has received it.

    ``unit``, ``room`` and ``bed`` are the patient's of that day. ``number`` is the running number
    in ``code``; numbers ascend with the collection date.
    """

    number: int
    code: str
    client_code: str
    physician_npi: str
    patient_index: int
    unit: str | None
    room: str | None
    bed: str | None
    status: RequisitionStatus
    created_at: datetime
    collection_date: datetime
    fasting: Fasting
    priority: Priority
    bill_to: BillTo
    comments: str | None
    cancel_comment: str | None
    tests: tuple[DemoRequisitionTest, ...]
    diagnoses: tuple[str, ...]
    medications: tuple[str, ...]
    signature: DemoSignature | None
    order: DemoOrder | None


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """An account; ``active`` accounts have the demo password.

    Inactive accounts belong to physicians who signed requisitions; nobody can sign in with them.
    """

    email: str
    first_name: str
    last_name: str
    role: Role
    active: bool
    client_codes: tuple[str, ...] = ()
    physician_npis: tuple[str, ...] = ()
    patient_indexes: tuple[int, ...] = ()
    sign_image: bytes | None = None


@dataclass(frozen=True, slots=True)
class DemoTestList:
    """A client's test list; a client without a list may order everything."""

    client_code: str
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DemoTestCode:
    """A code by which a client calls a test."""

    client_code: str
    code: str
    test: str


@dataclass(frozen=True, slots=True)
class DemoFavorite:
    """A favorite panel of an account."""

    email: str
    name: str
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DemoInsurance:
    """An invented insurance row; its insurance id begins with DEMO.

    For SELF the fields from names on are empty, as they are the patient's. ``zip_code`` is given
    only where it differs from the patient's.
    """

    payer: str
    insurance_id: str
    group_number: str | None
    relationship: str
    last_name: str | None = None
    first_name: str | None = None
    birth_date: date | None = None
    gender: Gender | None = None
    phone: str | None = None
    address: str | None = None
    zip_code: str | None = None
    zip_code_plus4: str | None = None


@dataclass(frozen=True, slots=True)
class DemoParty:
    """A person responsible for a patient's bills."""

    last_name: str
    first_name: str
    address: str
    zip_code: str
    zip_code_plus4: str
    phone: str
    mobile: str | None


@dataclass(frozen=True, slots=True)
class DemoBackground:
    """A patient's insurance, parties, diagnoses (by code), and medications (by name)."""

    patient_index: int
    insurance: tuple[DemoInsurance, ...]
    parties: tuple[DemoParty, ...]
    diagnoses: tuple[str, ...]
    medications: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DemoHistory:
    """A patient with years of monthly results; her index follows those of the other patients."""

    patient: DemoPatient
    requisitions: tuple[DemoRequisition, ...]


@dataclass(frozen=True, slots=True)
class DemoLab:
    """All records, in an order in which they can be loaded.

    ``history`` is not among ``patients`` and ``requisitions``.
    """

    as_of: date
    lab: LabInfo
    clients: tuple[DemoClient, ...]
    physicians: tuple[DemoPhysician, ...]
    patients: tuple[DemoPatient, ...]
    backgrounds: tuple[DemoBackground, ...]
    accounts: tuple[DemoAccount, ...]
    requisitions: tuple[DemoRequisition, ...]
    test_lists: tuple[DemoTestList, ...]
    test_codes: tuple[DemoTestCode, ...]
    favorites: tuple[DemoFavorite, ...]
    history: DemoHistory
