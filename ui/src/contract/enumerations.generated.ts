// Generated from shared/ by `npm run contract`; do not edit.

export const Role = {
  "SUPERUSER": "Superuser",
  "LABORATORY": "Laboratory",
  "CLIENT_ADMIN": "Client Admin",
  "CLIENT_BASIC": "Client Basic",
  "PHYSICIAN": "Physician",
  "PATIENT": "Patient"
} as const;
export type Role = (typeof Role)[keyof typeof Role];

export const ScopeKind = {
  "STAFF": "staff",
  "CLIENT": "client",
  "PHYSICIAN": "physician",
  "PATIENT": "patient",
  "ANONYMOUS": "anonymous",
  "WORKER": "worker",
  "GATEKEEPER": "gatekeeper"
} as const;
export type ScopeKind = (typeof ScopeKind)[keyof typeof ScopeKind];

export const RequisitionStatus = {
  "NONE": 0,
  "PENDING": 1,
  "CANCELED": 2,
  "DONE": 4,
  "ALL": 7
} as const;
export type RequisitionStatus = (typeof RequisitionStatus)[keyof typeof RequisitionStatus];
export const RequisitionStatusLabels: Readonly<Record<string, string>> = {
  "0": "NONE",
  "1": "PENDING",
  "2": "CANCELED",
  "4": "DONE",
  "7": "All"
};

export const SignatureFilter = {
  "SIGNED": "signed",
  "NOT_SIGNED": "notSigned",
  "ALL": "all"
} as const;
export type SignatureFilter = (typeof SignatureFilter)[keyof typeof SignatureFilter];

export const OrderStatus = {
  "NONE": 0,
  "PENDING": 1,
  "UNRELEASED": 2,
  "PARTIALLY_RELEASED": 4,
  "PARTIAL": 8,
  "FINAL": 16,
  "CANCELED": 32,
  "PRELIMINARY": 64,
  "ALL": 127
} as const;
export type OrderStatus = (typeof OrderStatus)[keyof typeof OrderStatus];
export const OrderStatusLabels: Readonly<Record<string, string>> = {
  "0": "NONE",
  "1": "PENDING",
  "2": "PENDING",
  "4": "PARTIAL",
  "8": "PARTIAL",
  "16": "FINAL",
  "32": "CANCELED",
  "64": "PARTIAL",
  "127": "All"
};

export const ResultStatus = {
  "PENDING": 1,
  "PRELIMINARY": 2,
  "UNRELEASED": 4,
  "NONE": 8,
  "FINAL": 16,
  "CANCELED": 32,
  "NA": 33
} as const;
export type ResultStatus = (typeof ResultStatus)[keyof typeof ResultStatus];

export const ResultType = {
  "VALUE_VALUE": 1,
  "GREATER_EQUAL_VALUE": 2,
  "LESS_EQUAL_VALUE": 4,
  "GREATER_THAN_VALUE": 8,
  "LESS_THAN_VALUE": 16,
  "ALPHA_RESULTS": 32,
  "MICROBIOLOGY": 64,
  "ALPHA_MICROBIOLOGY": 128,
  "OPEN_RESULT_WITHOUT_UNIT": 256,
  "OPEN_RESULT_WITH_UNIT": 512,
  "SPECIFIC_CUT_OFF": 1024,
  "TITER": 2048,
  "NONE": 4096
} as const;
export type ResultType = (typeof ResultType)[keyof typeof ResultType];

export const ResultKind = {
  "CLINICAL": "clinical",
  "MICROBIOLOGY": "microbiology",
  "TOXICOLOGY": "toxicology",
  "PATHOLOGY": "pathology"
} as const;
export type ResultKind = (typeof ResultKind)[keyof typeof ResultKind];

export const ReportKind = {
  "NORMAL": 0,
  "NORMAL_RELEASE": 1,
  "ADDENDUM": 2,
  "ADDENDUM_RELEASE": 3,
  "REVISED": 4,
  "REVISED_RELEASE": 5
} as const;
export type ReportKind = (typeof ReportKind)[keyof typeof ReportKind];

export const ToxicologyMethod = {
  "SCREEN": "screen",
  "CONFIRMATION": "confirmation",
  "VALIDITY": "validity"
} as const;
export type ToxicologyMethod = (typeof ToxicologyMethod)[keyof typeof ToxicologyMethod];

export const ToxicologyVerdict = {
  "CONSISTENT": "consistent",
  "UNEXPECTED_NEGATIVE": "unexpectedNegative",
  "UNEXPECTED_POSITIVE": "unexpectedPositive",
  "OTHER": "other"
} as const;
export type ToxicologyVerdict = (typeof ToxicologyVerdict)[keyof typeof ToxicologyVerdict];
export const ToxicologyVerdictLabels: Readonly<Record<string, string>> = {
  "consistent": "Consistent Result - Reported Medication Detected",
  "unexpectedNegative": "Inconsistent Result - Negative Results For Reported Medications",
  "unexpectedPositive": "Inconsistent Results - Positive Results For Drugs Not Reported",
  "other": "Other Reported Medications"
};

export const ResultFlag = {
  "NORMAL": "N",
  "LOW": "L",
  "HIGH": "H",
  "CRITICAL_LOW": "LL",
  "CRITICAL_HIGH": "HH",
  "ABNORMAL": "A",
  "CRITICAL_ABNORMAL": "AA",
  "POSITIVE": "POS",
  "NEGATIVE": "NEG",
  "BELOW_RANGE": "<",
  "ABOVE_RANGE": ">",
  "SUSCEPTIBLE": "S",
  "INTERMEDIATE": "I",
  "RESISTANT": "R",
  "SUSCEPTIBLE_DOSE_DEPENDENT": "SDD",
  "NOT_SUSCEPTIBLE": "NS"
} as const;
export type ResultFlag = (typeof ResultFlag)[keyof typeof ResultFlag];

export const Withholding = {
  "REVIEW": "review",
  "WITHDRAWN": "withdrawn"
} as const;
export type Withholding = (typeof Withholding)[keyof typeof Withholding];

export const Reopening = {
  "RELEASE": "release",
  "REVIEW": "review",
  "WITHDRAWN": "withdrawn",
  "RESTORED": "restored",
  "VERDICT": "verdict",
  "COMMENT": "comment"
} as const;
export type Reopening = (typeof Reopening)[keyof typeof Reopening];

export const CriticalStatus = {
  "NONE": 0,
  "OPEN": 1,
  "CLOSED": 2,
  "ALL": 3
} as const;
export type CriticalStatus = (typeof CriticalStatus)[keyof typeof CriticalStatus];

export const TellingMethod = {
  "PHONE": "phone",
  "IN_PERSON": "inPerson",
  "FAX": "fax",
  "MESSAGE": "message"
} as const;
export type TellingMethod = (typeof TellingMethod)[keyof typeof TellingMethod];

export const ReasonKind = {
  "CORRECTION": "correction",
  "REJECTION": "rejection",
  "CANCELLATION": "cancellation",
  "HOLD": "hold",
  "CONDITION": "condition"
} as const;
export type ReasonKind = (typeof ReasonKind)[keyof typeof ReasonKind];

export const SpecimenState = {
  "EXPECTED": "expected",
  "RECEIVED": "received",
  "REJECTED": "rejected"
} as const;
export type SpecimenState = (typeof SpecimenState)[keyof typeof SpecimenState];
export const SpecimenStateLabels: Readonly<Record<string, string>> = {
  "expected": "Not received",
  "received": "Received",
  "rejected": "Rejected"
};

export const SusceptibilityMethod = {
  "MIC": "MIC",
  "ETEST": "ETEST",
  "ZONE": "ZONE"
} as const;
export type SusceptibilityMethod = (typeof SusceptibilityMethod)[keyof typeof SusceptibilityMethod];

export const CultureStage = {
  "PRELIMINARY": "preliminary",
  "FINAL": "final"
} as const;
export type CultureStage = (typeof CultureStage)[keyof typeof CultureStage];

export const Reporting = {
  "CASCADE": "cascade",
  "REPORTED": "reported",
  "SUPPRESSED": "suppressed"
} as const;
export type Reporting = (typeof Reporting)[keyof typeof Reporting];

export const CultureTermKind = {
  "SOURCE": "source",
  "SITE": "site",
  "QUANTITY": "quantity",
  "FINDING": "finding",
  "MARK": "mark"
} as const;
export type CultureTermKind = (typeof CultureTermKind)[keyof typeof CultureTermKind];

export const Fasting = {
  "UNKNOWN": 0,
  "FASTING": 1,
  "NON_FASTING": 2
} as const;
export type Fasting = (typeof Fasting)[keyof typeof Fasting];
export const FastingLabels: Readonly<Record<string, string>> = {
  "0": "UNKNOWN",
  "1": "FASTING",
  "2": "NON FASTING"
};

export const Priority = {
  "STAT": "STAT",
  "ROUTINE": "ROUTINE",
  "RUSH": "RUSH",
  "PRE_OPERATORY": "PRE-OPERATORY"
} as const;
export type Priority = (typeof Priority)[keyof typeof Priority];

export const OrderPriority = {
  "PREOPERATORY": 2,
  "ROUTINE": 4,
  "STAT": 8,
  "RUSH": 16,
  "NONE": 32
} as const;
export type OrderPriority = (typeof OrderPriority)[keyof typeof OrderPriority];

export const BillTo = {
  "INSURANCE": 0,
  "CLIENT": 1,
  "PATIENT": 2,
  "NONE": 3
} as const;
export type BillTo = (typeof BillTo)[keyof typeof BillTo];
export const BillToLabels: Readonly<Record<string, string>> = {
  "0": "INSURANCE",
  "1": "CLIENT",
  "2": "PATIENT",
  "3": "NONE"
};

export const Gender = {
  "MALE": "MALE",
  "FEMALE": "FEMALE",
  "UNKNOWN": "UNKNOWN"
} as const;
export type Gender = (typeof Gender)[keyof typeof Gender];

export const Ethnicity = {
  "HISPANIC_OR_LATINO": 0,
  "NON_HISPANIC_OR_LATINO": 1,
  "UNKNOWN": 2
} as const;
export type Ethnicity = (typeof Ethnicity)[keyof typeof Ethnicity];
export const EthnicityLabels: Readonly<Record<string, string>> = {
  "0": "Hispanic Or Latino",
  "1": "Non Hispanic Or Latino",
  "2": "Unknown"
};

export const LookAlikeReason = {
  "SAME_SSN": "sameSsn",
  "SAME_BIRTH_DATE": "sameBirthDate",
  "SAME_NAME": "sameName",
  "NAMES_SWAPPED": "namesSwapped",
  "SIMILAR_NAME": "similarName"
} as const;
export type LookAlikeReason = (typeof LookAlikeReason)[keyof typeof LookAlikeReason];

export const TimelineKind = {
  "REGISTERED": "registered",
  "CHANGED": "changed",
  "REQUISITION": "requisition",
  "SIGNED": "signed",
  "UNSIGNED": "unsigned",
  "CANCELED": "canceled",
  "ORDER": "order",
  "RELEASED": "released"
} as const;
export type TimelineKind = (typeof TimelineKind)[keyof typeof TimelineKind];

export const CopyType = {
  "EMAIL": "EMAIL",
  "FAX": "FAX"
} as const;
export type CopyType = (typeof CopyType)[keyof typeof CopyType];

export const ExportState = {
  "QUEUED": "queued",
  "RUNNING": "running",
  "DONE": "done",
  "FAILED": "failed",
  "CANCELED": "canceled"
} as const;
export type ExportState = (typeof ExportState)[keyof typeof ExportState];

export const AuditGroup = {
  "VIEWED": "viewed",
  "CHANGED": "changed",
  "RELEASED": "released",
  "SIGNED": "signed",
  "SENT": "sent",
  "SIGN_IN": "signIn"
} as const;
export type AuditGroup = (typeof AuditGroup)[keyof typeof AuditGroup];
export const AuditGroupLabels: Readonly<Record<string, string>> = {
  "viewed": "Viewed",
  "changed": "Changed",
  "released": "Verified, released, withheld",
  "signed": "Signed, acknowledged",
  "sent": "Printed, sent, exported",
  "signIn": "Signed in, passwords"
};

export const AuditOutcome = {
  "DONE": "done",
  "DENIED": "denied"
} as const;
export type AuditOutcome = (typeof AuditOutcome)[keyof typeof AuditOutcome];
export const AuditOutcomeLabels: Readonly<Record<string, string>> = {
  "done": "Done",
  "denied": "Denied"
};

export const ExportFormat = {
  "CSV": "csv",
  "XLSX": "xlsx"
} as const;
export type ExportFormat = (typeof ExportFormat)[keyof typeof ExportFormat];

export const SendStatus = {
  "QUEUED": "queued",
  "SENDING": "sending",
  "SENT": "sent",
  "DELIVERED": "delivered",
  "FAILED": "failed"
} as const;
export type SendStatus = (typeof SendStatus)[keyof typeof SendStatus];
export const SendStatusLabels: Readonly<Record<string, string>> = {
  "queued": "Waiting",
  "sending": "Sending",
  "sent": "Sent",
  "delivered": "Delivered",
  "failed": "Failed"
};

export const PrinterLanguage = {
  "ZPL": "zpl",
  "EPL": "epl"
} as const;
export type PrinterLanguage = (typeof PrinterLanguage)[keyof typeof PrinterLanguage];

export const NOT_ABNORMAL_FLAGS = [
  "N",
  "NEG",
  "S"
] as const;
export type NOT_ABNORMAL_FLAGS = (typeof NOT_ABNORMAL_FLAGS)[keyof typeof NOT_ABNORMAL_FLAGS];

export const CRITICAL_FLAGS = [
  "AA",
  "HH",
  "LL"
] as const;
export type CRITICAL_FLAGS = (typeof CRITICAL_FLAGS)[keyof typeof CRITICAL_FLAGS];
