"""What the lab's settings mean."""

from typing import Any

from app.contract.enumerations import Role

REPORT_FIELDS = ("name", "address", "phone", "fax", "email", "url", "title", "director", "clia")
_RESULT_ENTRY_FLAGS = {
    Role.SUPERUSER: "resultEntrySuperUser",
    Role.CLIENT_ADMIN: "resultEntryClientAdmin",
    Role.CLIENT_BASIC: "resultEntryClientBasic",
}
RESULT_ENTRY_OFF = {
    "resultEntryEnabled": False,
    "resultEntrySuperUser": False,
    "resultEntryClientAdmin": False,
    "resultEntryClientBasic": False,
}


def may_enter_results(flags: dict[str, Any], role: Role | None) -> bool:
    """Laboratory when result entry is on; other roles by their own flag too (DECISIONS)."""
    if not flags.get("resultEntryEnabled"):
        return False
    if role is Role.LABORATORY:
        return True
    return role in _RESULT_ENTRY_FLAGS and bool(flags.get(_RESULT_ENTRY_FLAGS[role]))
