"""The fields of the lab's settings, and the group and key under which each is stored."""

from typing import NamedTuple

from app.contract.limits import AUDIT_RETENTION_YEARS_DEFAULT, CRITICAL_MINUTES_DEFAULT
from app.server.lab_settings.rules import (
    CRITICAL_MINUTES,
    CRITICAL_RESULTS,
    SIGN_IN,
    VERIFICATION,
)


class Place(NamedTuple):
    """Where a field is stored, and its default."""

    group: str
    key: str
    default: object = None


FIELDS = {
    "logo": Place("logo", "logo"),
    "title": Place("report", "title"),
    "name": Place("report", "name"),
    "address": Place("report", "address"),
    "phone": Place("report", "phone"),
    "fax": Place("report", "fax"),
    "email": Place("report", "email"),
    "url": Place("report", "url"),
    "desktop_app_url": Place("report", "desktopAppUrl"),
    "clia": Place("report", "clia"),
    "director": Place("report", "director"),
    "contact_email": Place("support", "contactEmail"),
    "supply_email": Place("support", "supplyEmail"),
    "result_entry_enabled": Place("result-entry", "resultEntryEnabled", False),
    "result_entry_super_user": Place("result-entry", "resultEntrySuperUser", False),
    "result_entry_client_admin": Place("result-entry", "resultEntryClientAdmin", False),
    "result_entry_client_basic": Place("result-entry", "resultEntryClientBasic", False),
    "result_verification_required": Place("result-entry", VERIFICATION, False),
    "autoverification_enabled": Place("autoverification", "enabled", False),
    "missing_info_enabled": Place("missing-info", "enabled", True),
    "critical_minutes": Place(CRITICAL_RESULTS, CRITICAL_MINUTES, CRITICAL_MINUTES_DEFAULT),
    "abnormal_result": Place("toxicology", "abnormalResult"),
    "result_columns": Place("web-results", "tests", []),
    "second_factor_roles": Place(SIGN_IN, "secondFactorRoles", []),
    "audit_retention_years": Place("audit", "retentionYears", AUDIT_RETENTION_YEARS_DEFAULT),
    "time_zone": Place("time-zone", "name"),
}
"""By the name in ``schemas.LabSettingsWrite``."""

GROUPS = tuple(dict.fromkeys(place.group for place in FIELDS.values()))
SUPPORT_SETTING = "support"
TIME_ZONE_SETTING = "time-zone"
