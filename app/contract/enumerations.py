"""Enumerations and their numbers, as they travel on the wire and rest in the database.

The numbers are the specification's (O 3, O 4, R 3); several are bit flags so that a filter
can be a mask. ``ALL`` members are masks for filters and never a stored state.
"""

from enum import IntEnum, StrEnum


class Role(StrEnum):
    """What a person may do; the first role of the first registration counts (P 1)."""

    SUPERUSER = "Superuser"
    LABORATORY = "Laboratory"
    CLIENT_ADMIN = "Client Admin"
    CLIENT_BASIC = "Client Basic"
    PHYSICIAN = "Physician"
    PATIENT = "Patient"


class ScopeKind(StrEnum):
    """The kinds of scope a role is confined to; each has a database role of its own.

    GATEKEEPER is sign-in and session handling: it sees accounts and nothing else.
    """

    STAFF = "staff"
    CLIENT = "client"
    PHYSICIAN = "physician"
    PATIENT = "patient"
    ANONYMOUS = "anonymous"
    WORKER = "worker"
    GATEKEEPER = "gatekeeper"


class RequisitionStatus(IntEnum):
    """O 4. A requisition is read-only once CANCELED or DONE."""

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
    """R 3, 'Order status flags'."""

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
    """R 3, 'Result status'."""

    PENDING = 1
    PRELIMINARY = 2
    UNRELEASED = 4
    NONE = 8
    FINAL = 16
    CANCELED = 32
    NA = 33


class ResultType(IntEnum):
    """R 3, 'Result type flags': how a result is written and judged."""

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
    """The tab of the order results screen a test's result is shown on (R 2.2)."""

    CLINICAL = "clinical"
    MICROBIOLOGY = "microbiology"
    TOXICOLOGY = "toxicology"
    PATHOLOGY = "pathology"


class ResultFlag(StrEnum):
    """How a value stands against its reference range (DECISIONS, Results)."""

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


class Fasting(IntEnum):
    """O 3."""

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
    """O 3; answers as its name ('Insurance', 'Client', 'Patient')."""

    INSURANCE = 0
    CLIENT = 1
    PATIENT = 2
    NONE = 3


class Gender(StrEnum):
    """O 3."""

    MALE = "MALE"
    FEMALE = "FEMALE"
    UNKNOWN = "UNKNOWN"


class Ethnicity(IntEnum):
    """O 3; the patient form has the same three values as the dialogs (DECISIONS)."""

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
    """What happened to a patient, or for them."""

    REGISTERED = "registered"
    CHANGED = "changed"
    REQUISITION = "requisition"
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    CANCELED = "canceled"
    ORDER = "order"
    RELEASED = "released"


class CopyType(StrEnum):
    """Where an additional copy or a transmission goes."""

    EMAIL = "EMAIL"
    FAX = "FAX"


class SendStatus(StrEnum):
    """What became of an e-mail or a fax.

    QUEUED waits for its first or its next try. An e-mail ends as SENT, which means that a mail
    server took it: nobody tells more. A fax stays SENDING while the provider dials.
    """

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    DELIVERED = "delivered"
    FAILED = "failed"


class PrinterLanguage(StrEnum):
    """The command languages of label printers we write (O 9)."""

    ZPL = "zpl"
    EPL = "epl"


LABELS: dict[type, dict[object, str]] = {
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
    SendStatus: {
        SendStatus.QUEUED: "Waiting",
        SendStatus.SENDING: "Sending",
        SendStatus.SENT: "Sent",
        SendStatus.DELIVERED: "Delivered",
        SendStatus.FAILED: "Failed",
    },
}
"""What a person reads for a number; the UI's own labels come from here as well."""
