"""The audit viewer (ADR 67)."""

AUDIT_NONE = "No entries match this search"
AUDIT_SEALED = "Covered by seal {seal} of {at}."
AUDIT_NOT_SEALED = "Not sealed yet; that happens within a minute."
AUDIT_EXPORT_ABOUT = "All entries that the search finds, the newest first. The file names patients."
ACCESS_REPORT_NEEDS_PATIENT = "Choose a patient first"
