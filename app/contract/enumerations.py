"""Enumerations, with their numbers on the wire and in the database.

The numbers are the specification's (O 3, O 4, R 3). Several are bit flags, so that a filter can be
a mask. ``ALL`` is such a mask and never stored.
"""

from enum import IntEnum, StrEnum


class Role(StrEnum):
    """A user's role; the first role of the first registration counts (P 1)."""

    SUPERUSER = "Superuser"
    LABORATORY = "Laboratory"
    CLIENT_ADMIN = "Client Admin"
    CLIENT_BASIC = "Client Basic"
    PHYSICIAN = "Physician"
    PATIENT = "Patient"


class ScopeKind(StrEnum):
    """The kinds of scope that confine roles; each has its own database role.

    GATEKEEPER handles sign-in and sessions, and sees only accounts.
    """

    STAFF = "staff"
    CLIENT = "client"
    PHYSICIAN = "physician"
    PATIENT = "patient"
    ANONYMOUS = "anonymous"
    WORKER = "worker"
    GATEKEEPER = "gatekeeper"


class RequisitionStatus(IntEnum):
    """The status of a requisition, which is read-only once CANCELED or DONE (O 4)."""

    NONE = 0
    PENDING = 1
    CANCELED = 2
    DONE = 4
    ALL = 7


class SignatureFilter(StrEnum):
    """The signature radio of the requisition search (O 2.2)."""

    SIGNED = "signed"
    NOT_SIGNED = "notSigned"
    ALL = "all"


class OrderStatus(IntEnum):
    """The status of an order (R 3, 'Order status flags')."""

    NONE = 0
    PENDING = 1
    UNRELEASED = 2
    PARTIALLY_RELEASED = 4
    PARTIAL = 8
    FINAL = 16
    CANCELED = 32
    PRELIMINARY = 64
    ALL = 127


class ResultStatus(IntEnum):
    """The status of a result (R 3, 'Result status')."""

    PENDING = 1
    PRELIMINARY = 2
    UNRELEASED = 4
    NONE = 8
    FINAL = 16
    CANCELED = 32
    NA = 33


class ResultType(IntEnum):
    """The type of a result, which decides how it is entered and flagged (R 3)."""

    VALUE_VALUE = 1
    GREATER_EQUAL_VALUE = 2
    LESS_EQUAL_VALUE = 4
    GREATER_THAN_VALUE = 8
    LESS_THAN_VALUE = 16
    ALPHA_RESULTS = 32
    MICROBIOLOGY = 64
    ALPHA_MICROBIOLOGY = 128
    OPEN_RESULT_WITHOUT_UNIT = 256
    OPEN_RESULT_WITH_UNIT = 512
    SPECIFIC_CUT_OFF = 1024
    TITER = 2048
    NONE = 4096


class ResultKind(StrEnum):
    """The kind of a result, which has its own tab on the order results screen (R 2.2)."""

    CLINICAL = "clinical"
    MICROBIOLOGY = "microbiology"
    TOXICOLOGY = "toxicology"
    PATHOLOGY = "pathology"


class ReportKind(IntEnum):
    """The kind of a pathology report: entered, or released (R 3, 'Report kind')."""

    NORMAL = 0
    NORMAL_RELEASE = 1
    ADDENDUM = 2
    ADDENDUM_RELEASE = 3
    REVISED = 4
    REVISED_RELEASE = 5


class ToxicologyMethod(StrEnum):
    """What a toxicology test examines: a class of drugs, one substance, or the specimen itself."""

    SCREEN = "screen"
    CONFIRMATION = "confirmation"
    VALIDITY = "validity"


class ToxicologyVerdict(StrEnum):
    """Whether a toxicology result fits the reported medications (R 2.2)."""

    CONSISTENT = "consistent"
    UNEXPECTED_NEGATIVE = "unexpectedNegative"
    UNEXPECTED_POSITIVE = "unexpectedPositive"
    OTHER = "other"


class ResultFlag(StrEnum):
    """How a value compares with its reference range (DECISIONS, Results)."""

    NORMAL = "N"
    LOW = "L"
    HIGH = "H"
    CRITICAL_LOW = "LL"
    CRITICAL_HIGH = "HH"
    ABNORMAL = "A"
    CRITICAL_ABNORMAL = "AA"
    POSITIVE = "POS"
    NEGATIVE = "NEG"
    BELOW_RANGE = "<"
    ABOVE_RANGE = ">"
    SUSCEPTIBLE = "S"
    INTERMEDIATE = "I"
    RESISTANT = "R"
    SUSCEPTIBLE_DOSE_DEPENDENT = "SDD"
    NOT_SUSCEPTIBLE = "NS"


NOT_ABNORMAL_FLAGS = frozenset({ResultFlag.NORMAL, ResultFlag.NEGATIVE, ResultFlag.SUSCEPTIBLE})
CRITICAL_FLAGS = frozenset(
    {ResultFlag.CRITICAL_LOW, ResultFlag.CRITICAL_HIGH, ResultFlag.CRITICAL_ABNORMAL}
)


class Withholding(StrEnum):
    """Why a released result is visible to nobody outside the lab."""

    REVIEW = "review"
    WITHDRAWN = "withdrawn"


class Reopening(StrEnum):
    """The event that has made an acknowledged order unread again."""

    RELEASE = "release"
    REVIEW = "review"
    WITHDRAWN = "withdrawn"
    RESTORED = "restored"
    VERDICT = "verdict"
    COMMENT = "comment"


class CriticalStatus(IntEnum):
    """Whether somebody still has to be notified of an order's critical results."""

    NONE = 0
    OPEN = 1
    CLOSED = 2
    ALL = 3


class TellingMethod(StrEnum):
    """How the lab notified somebody of critical results."""

    PHONE = "phone"
    IN_PERSON = "inPerson"
    FAX = "fax"
    MESSAGE = "message"


class ReasonKind(StrEnum):
    """The act that a reason from the lab's list explains."""

    CORRECTION = "correction"
    REJECTION = "rejection"
    CANCELLATION = "cancellation"
    HOLD = "hold"
    CONDITION = "condition"


class SpecimenState(StrEnum):
    """Whether a tube is still expected, was received, or was rejected."""

    EXPECTED = "expected"
    RECEIVED = "received"
    REJECTED = "rejected"


class SusceptibilityMethod(StrEnum):
    """How the susceptibility of an organism was measured."""

    MIC = "MIC"
    ETEST = "ETEST"
    ZONE = "ZONE"


class CultureStage(StrEnum):
    """Whether a release of a culture is preliminary or final."""

    PRELIMINARY = "preliminary"
    FINAL = "final"


class Reporting(StrEnum):
    """Whether clients see an antibiotic: as the lab's cascade says, or as set by hand."""

    CASCADE = "cascade"
    REPORTED = "reported"
    SUPPRESSED = "suppressed"


class CultureTermKind(StrEnum):
    """The subject of a term of the lab's microbiology lists."""

    SOURCE = "source"
    SITE = "site"
    QUANTITY = "quantity"
    FINDING = "finding"
    MARK = "mark"


class Fasting(IntEnum):
    """Whether the patient fasted before the collection (O 3)."""

    UNKNOWN = 0
    FASTING = 1
    NON_FASTING = 2


class Priority(StrEnum):
    """Requisition priority (O 3)."""

    STAT = "STAT"
    ROUTINE = "ROUTINE"
    RUSH = "RUSH"
    PRE_OPERATORY = "PRE-OPERATORY"


class OrderPriority(IntEnum):
    """Order priority (R 3)."""

    PREOPERATORY = 2
    ROUTINE = 4
    STAT = 8
    RUSH = 16
    NONE = 32


class BillTo(IntEnum):
    """Who pays (O 3); on the wire it is its name ('Insurance', 'Client', 'Patient')."""

    INSURANCE = 0
    CLIENT = 1
    PATIENT = 2
    NONE = 3


class Gender(StrEnum):
    """The sex of a person (O 3)."""

    MALE = "MALE"
    FEMALE = "FEMALE"
    UNKNOWN = "UNKNOWN"


class Ethnicity(IntEnum):
    """Ethnicity (O 3), with the same values in the patient form and the dialogs (DECISIONS)."""

    HISPANIC_OR_LATINO = 0
    NON_HISPANIC_OR_LATINO = 1
    UNKNOWN = 2


class LookAlikeReason(StrEnum):
    """Why a patient looks like the one being typed, the strongest reason first."""

    SAME_SSN = "sameSsn"
    SAME_BIRTH_DATE = "sameBirthDate"
    SAME_NAME = "sameName"
    NAMES_SWAPPED = "namesSwapped"
    SIMILAR_NAME = "similarName"


class TimelineKind(StrEnum):
    """The kind of an event on a patient's timeline."""

    REGISTERED = "registered"
    CHANGED = "changed"
    REQUISITION = "requisition"
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    CANCELED = "canceled"
    ORDER = "order"
    RELEASED = "released"


class CopyType(StrEnum):
    """The destination of an additional copy or a transmission."""

    EMAIL = "EMAIL"
    FAX = "FAX"


class ExportState(StrEnum):
    """The state of an export: RUNNING ends with a file (DONE), a reason (FAILED), or CANCELED."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELED = "canceled"


class AuditGroup(StrEnum):
    """The kind of act that an audit row records."""

    VIEWED = "viewed"
    CHANGED = "changed"
    RELEASED = "released"
    SIGNED = "signed"
    SENT = "sent"
    SIGN_IN = "signIn"


class AuditOutcome(StrEnum):
    """Whether the portal did the requested act."""

    DONE = "done"
    DENIED = "denied"


class ExportFormat(StrEnum):
    """The format of an exported file."""

    CSV = "csv"
    XLSX = "xlsx"


class SendStatus(StrEnum):
    """The status of an e-mail or a fax.

    QUEUED waits for its first or next attempt. SENT is the last status of an e-mail, which a mail
    server has accepted. A fax stays SENDING while the provider dials.
    """

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    DELIVERED = "delivered"
    FAILED = "failed"


class PrinterLanguage(StrEnum):
    """The command languages that the app writes for label printers (O 9)."""

    ZPL = "zpl"
    EPL = "epl"


LABELS: dict[type, dict[object, str]] = {
    AuditGroup: {
        AuditGroup.VIEWED: "Viewed",
        AuditGroup.CHANGED: "Changed",
        AuditGroup.RELEASED: "Verified, released, withheld",
        AuditGroup.SIGNED: "Signed, acknowledged",
        AuditGroup.SENT: "Printed, sent, exported",
        AuditGroup.SIGN_IN: "Signed in, passwords",
    },
    AuditOutcome: {AuditOutcome.DONE: "Done", AuditOutcome.DENIED: "Denied"},
    RequisitionStatus: {
        RequisitionStatus.NONE: "NONE",
        RequisitionStatus.PENDING: "PENDING",
        RequisitionStatus.CANCELED: "CANCELED",
        RequisitionStatus.DONE: "DONE",
        RequisitionStatus.ALL: "All",
    },
    OrderStatus: {
        OrderStatus.NONE: "NONE",
        OrderStatus.PENDING: "PENDING",
        OrderStatus.UNRELEASED: "PENDING",
        OrderStatus.PARTIALLY_RELEASED: "PARTIAL",
        OrderStatus.PARTIAL: "PARTIAL",
        OrderStatus.FINAL: "FINAL",
        OrderStatus.CANCELED: "CANCELED",
        OrderStatus.PRELIMINARY: "PARTIAL",
        OrderStatus.ALL: "All",
    },
    Fasting: {
        Fasting.UNKNOWN: "UNKNOWN",
        Fasting.FASTING: "FASTING",
        Fasting.NON_FASTING: "NON FASTING",
    },
    BillTo: {
        BillTo.INSURANCE: "INSURANCE",
        BillTo.CLIENT: "CLIENT",
        BillTo.PATIENT: "PATIENT",
        BillTo.NONE: "NONE",
    },
    Ethnicity: {
        Ethnicity.HISPANIC_OR_LATINO: "Hispanic Or Latino",
        Ethnicity.NON_HISPANIC_OR_LATINO: "Non Hispanic Or Latino",
        Ethnicity.UNKNOWN: "Unknown",
    },
    ToxicologyVerdict: {
        ToxicologyVerdict.CONSISTENT: "Consistent Result - Reported Medication Detected",
        ToxicologyVerdict.UNEXPECTED_NEGATIVE: (
            "Inconsistent Result - Negative Results For Reported Medications"
        ),
        ToxicologyVerdict.UNEXPECTED_POSITIVE: (
            "Inconsistent Results - Positive Results For Drugs Not Reported"
        ),
        ToxicologyVerdict.OTHER: "Other Reported Medications",
    },
    SpecimenState: {
        SpecimenState.EXPECTED: "Not received",
        SpecimenState.RECEIVED: "Received",
        SpecimenState.REJECTED: "Rejected",
    },
    SendStatus: {
        SendStatus.QUEUED: "Waiting",
        SendStatus.SENDING: "Sending",
        SendStatus.SENT: "Sent",
        SendStatus.DELIVERED: "Delivered",
        SendStatus.FAILED: "Failed",
    },
}
"""The labels of values for people, in the portal and in the UI."""
