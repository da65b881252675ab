"""The screens of the portal, each with an address where it has content."""

import re
from collections.abc import Iterator
from pathlib import Path

SCREENS = {
    "order search": "/secured/results/lab",
    "advanced order search": "/secured/results/advanced-search",
    "order results": "/secured/results/order;id=1500",
    "cumulative results": "/secured/results/cumulative;id=1500",
    "requisition search": "/secured/requisitions/search",
    "requisition": "/secured/requisitions/create;id=2990",
    "new requisition": "/secured/requisitions/create",
    "patients": "/secured/patients/search",
    "new patient": "/secured/patients/form",
    "critical results": "/secured/critical-results",
    "worklist": "/secured/result-entry",
    "result entry": "/secured/result-entry/order;id=2000",
    "autoverification": "/secured/autoverification",
    "result export": "/secured/result-export",
    "users": "/secured/system/users",
    "audit log": "/secured/system/audit-log",
    "operations": "/secured/system/operations",
    "terms": "/secured/terms&conditions",
    "privacy": "/secured/privacy",
    "help": "/secured/help",
    "contact us": "/secured/support/contact-us",
    "supply request": "/secured/support/supply-request",
    "lab data": "/secured/system/lab-data",
    "lab settings": "/secured/system/lab-settings",
}
REQUISITION_ACTIONS = (
    "Print Label",
    "Sign Requisitions",
    "Email Forms",
    "Fax Forms",
    "Update Bill To",
    "Print Requisitions",
    "Print Log",
)
"""The acts on selected requisitions, in the order of O 2.2."""

_PATHS = Path(__file__).parents[2] / "ui" / "src" / "lib" / "paths.ts"
_BEFORE_SIGN_IN = {"/login", "/auth-callback", "/password-recovery", "/patient-sign-up"}


def find_missing_screens() -> Iterator[str]:
    """Report each path of the interface that ``SCREENS`` lacks, one line per path."""
    tested_paths = {address.split(";")[0] for address in SCREENS.values()} | _BEFORE_SIGN_IN
    for path in re.findall(r"'(/.*)'", _PATHS.read_text()):
        if path not in tested_paths:
            yield f"tests/e2e/screens.py: no screen with the path {path}, which {_PATHS.name} has"
