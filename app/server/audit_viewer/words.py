"""Descriptions of the acts in audit rows."""

from collections.abc import Mapping

from app.contract.enumerations import AuditGroup

_VIEW, _CHANGE, _RELEASE = AuditGroup.VIEWED, AuditGroup.CHANGED, AuditGroup.RELEASED
_SIGN, _SEND, _SIGN_IN = AuditGroup.SIGNED, AuditGroup.SENT, AuditGroup.SIGN_IN

ACTIONS: Mapping[str, tuple[str, AuditGroup]] = {
    "accept": ("Accepted", _SIGN),
    "acknowledge": ("Acknowledged", _SIGN),
    "add-tests": ("Added reflex tests to", _CHANGE),
    "alert": ("Alerted staff about", _SEND),
    "attach": ("Attached", _CHANGE),
    "autoverify": ("Released by rule", _RELEASE),
    "back-up": ("Backed up", _CHANGE),
    "begin": ("Began", _CHANGE),
    "cancel": ("Canceled", _CHANGE),
    "cancel-export": ("Canceled", _CHANGE),
    "cancel-tests": ("Canceled tests of", _CHANGE),
    "change": ("Changed", _CHANGE),
    "check-clients": ("Checked the clients of", _VIEW),
    "check-email": ("Checked an e-mail address of", _VIEW),
    "check-ssn": ("Checked the social security number of", _VIEW),
    "close": ("Closed", _CHANGE),
    "complete": ("Filled in missing information of", _CHANGE),
    "count": ("Counted", _VIEW),
    "create": ("Created", _CHANGE),
    "delete": ("Deleted", _CHANGE),
    "download": ("Downloaded", _SEND),
    "download-export": ("Downloaded", _SEND),
    "end-label-print": ("Reported the end of a print of labels of", _CHANGE),
    "enter": ("Entered", _CHANGE),
    "export": ("Exported", _SEND),
    "fail-export": ("Failed to make", _SEND),
    "find": ("Looked up", _VIEW),
    "finish-export": ("Finished", _SEND),
    "follow": ("Followed a link to", _VIEW),
    "give-up": ("Gave up", _CHANGE),
    "hold": ("Held", _RELEASE),
    "import": ("Imported", _CHANGE),
    "invite": ("Invited", _CHANGE),
    "keep": ("Stored", _CHANGE),
    "lift-hold": ("Lifted the hold of", _RELEASE),
    "list": ("Listed", _VIEW),
    "look-alikes": ("Compared with others", _VIEW),
    "preview": ("Previewed an import of", _VIEW),
    "print": ("Printed", _SEND),
    "print-labels": ("Printed labels of", _SEND),
    "read": ("Viewed", _VIEW),
    "read-diagnoses": ("Viewed the diagnoses of", _VIEW),
    "read-label-prints": ("Viewed the prints of labels of", _VIEW),
    "read-labels": ("Viewed the labels of", _VIEW),
    "read-medications": ("Viewed the medications of", _VIEW),
    "read-specimens": ("Viewed the specimens of", _VIEW),
    "receive": ("Received", _CHANGE),
    "receive-specimens": ("Received specimens of", _CHANGE),
    "record call": ("Recorded a call about", _CHANGE),
    "register": ("Registered", _CHANGE),
    "reinstate-tests": ("Reinstated tests of", _CHANGE),
    "release": ("Released", _RELEASE),
    "remove": ("Removed", _CHANGE),
    "remove-export": ("Removed", _CHANGE),
    "report-access": ("Printed the access report of", _SEND),
    "request-export": ("Requested", _SEND),
    "reset": ("Reset the sign-in of", _SIGN_IN),
    "restore": ("Showed again", _RELEASE),
    "restore-backup": ("Restored a backup of", _CHANGE),
    "restore-export": ("Restored", _CHANGE),
    "retry": ("Retried", _CHANGE),
    "see recipients": ("Viewed who got", _VIEW),
    "see transmissions": ("Viewed what was sent of", _VIEW),
    "send": ("Sent", _SEND),
    "send attempt": ("Tried to send", _SEND),
    "send test": ("Sent a test of", _SEND),
    "send-copy": ("Sent a copy of", _SEND),
    "sign": ("Signed", _SIGN),
    "switch off": ("Switched off", _CHANGE),
    "switch on": ("Switched on", _CHANGE),
    "tell-client": ("Told the client about", _SEND),
    "try out": ("Tried out", _VIEW),
    "unsign": ("Unsigned", _SIGN),
    "verify": ("Verified", _RELEASE),
    "withdraw": ("Withdrew", _RELEASE),
    "withhold": ("Withheld", _RELEASE),
    "write": ("Wrote", _CHANGE),
}
"""The acts of people, before the noun of ``KINDS``."""

ACCOUNT_ACTIONS: Mapping[str, str] = {
    "ask-second-factor": "Was asked for a second factor",
    "begin-second-factor": "Began to set up a second factor",
    "change-password": "Changed the password",
    "end-other-sessions": "Ended the other sessions",
    "end-session": "Ended a session",
    "refresh-session": "Continued a session",
    "replace-recovery-codes": "Replaced the recovery codes",
    "request-password": "Asked for a link to a new password",
    "reset-password": "Chose a new password by a link",
    "sign-in": "Signed in",
    "sign-out": "Signed out",
    "sign-up": "Signed up",
    "turn-off-second-factor": "Turned off the second factor",
    "turn-on-second-factor": "Turned on the second factor",
    "use-recovery-code": "Used a recovery code",
}
"""Sentences about acts of people on their own account."""

UPKEEP = "refresh-session"
"""Every open page does this every few minutes; these rows say little and hide the others."""

DENIED: Mapping[str, str] = {
    "fail-password-change": "Failed to change the password",
    "fail-second-factor": "Failed the second factor",
    "fail-sign-in": "Failed to sign in",
    "fail-sign-up": "Failed to sign up",
    "refuse": "Was denied a request",
    "refuse-sign-in": "Was denied a sign-in",
}
"""Sentences about denied acts."""

KINDS: Mapping[str, str] = {
    "access-report": "the access report",
    "audit-event": "an entry of the audit log",
    "audit-events": "the audit log",
    "audit-log": "old entries of the audit log",
    "autoverification-rule": "a rule of autoverification",
    "autoverification-rules": "the rules of autoverification",
    "autoverification-trial": "rules of autoverification",
    "bill-types": "bill types",
    "clients": "clients",
    "clients-by-name": "clients",
    "critical-result": "a critical result",
    "critical-results": "critical results",
    "diagnoses": "diagnoses",
    "export": "an export",
    "favorite_panel": "a favorite panel",
    "job": "a background job",
    "lab-settings": "the lab's settings",
    "legal-document": "notice and terms",
    "medications": "medications",
    "operations": "the operations page",
    "order": "an order",
    "order-document": "a document of an order",
    "order-results": "results",
    "order-search": "orders",
    "orders": "orders",
    "patient": "a patient",
    "patient-city": "cities of patients",
    "patient-draft": "a draft for a patient",
    "patient-timeline": "the timeline of a patient",
    "patients": "patients",
    "physicians": "physicians",
    "physicians-by-name": "physicians",
    "portal": "the portal",
    "request": "a request",
    "requisition": "a requisition",
    "requisition-document": "a document of a requisition",
    "requisition-signature": "the signature of a requisition",
    "requisitions": "requisitions",
    "rooms-of-client": "rooms",
    "rooms-of-unit": "rooms",
    "saved_search": "a saved search",
    "support-request": "a message to the lab",
    "tests": "tests",
    "tests-by-name": "tests",
    "units": "units",
    "user": "a user",
    "users": "users",
    "waiting": "waiting work",
}
"""The object of an act."""

PATIENT_KINDS = ("patient", "patients", "patient-timeline", "patient-draft")
REQUISITION_KINDS = (
    "requisition",
    "requisitions",
    "requisition-signature",
    "requisition-document",
)
ORDER_KINDS = ("order", "orders", "order-search", "order-results", "order-document")
CRITICAL_KINDS = ("critical-result", "critical-results")


def list_actions(group: AuditGroup) -> list[str]:
    """Return the actions of a group."""
    if group is AuditGroup.SIGN_IN:
        return sorted([*ACCOUNT_ACTIONS, *(name for name in DENIED if name != "refuse"), "reset"])
    return sorted(name for name, (_, action_group) in ACTIONS.items() if action_group is group)


def describe_act(action: str, kind: str) -> str:
    """Return what an audit row records, as a sentence without its person."""
    sentence = DENIED.get(action) or ACCOUNT_ACTIONS.get(action)
    if sentence is not None:
        return sentence
    verb = ACTIONS[action][0] if action in ACTIONS else action.replace("-", " ").capitalize()
    return f"{verb} {KINDS.get(kind, kind.replace('-', ' '))}"
