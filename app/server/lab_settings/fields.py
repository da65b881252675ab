"""The fields of the lab's settings, and the group and key under which each is stored."""

from typing import NamedTuple

from app.contract.limits import AUDIT_RETENTION_YEARS_DEFAULT, CRITICAL_MINUTES_DEFAULT
from app.server.lab_settings.rules import (
    CRITICAL_MINUTES,
    CRITICAL_RESULTS,
    SIGN_IN,
    VERIFICATION,
)


class SettingField(NamedTuple):
    """Where a field is stored, and its default."""

    group: str
    key: str
    default: object = None


FIELDS = {
    "logo": SettingField("logo", "logo"),
    "title": SettingField("report", "title"),
    "name": SettingField("report", "name"),
    "address": SettingField("report", "address"),
    "phone": SettingField("report", "phone"),
    "fax": SettingField("report", "fax"),
    "email": SettingField("report", "email"),
    "url": SettingField("report", "url"),
    "desktop_app_url": SettingField("report", "desktopAppUrl"),
    "clia": SettingField("report", "clia"),
    "director": SettingField("report", "director"),
    "contact_email": SettingField("support", "contactEmail"),
    "supply_email": SettingField("support", "supplyEmail"),
    "result_entry_enabled": SettingField("result-entry", "resultEntryEnabled", False),
    "result_entry_super_user": SettingField("result-entry", "resultEntrySuperUser", False),
    "result_entry_client_admin": SettingField("result-entry", "resultEntryClientAdmin", False),
    "result_entry_client_basic": SettingField("result-entry", "resultEntryClientBasic", False),
    "result_verification_required": SettingField("result-entry", VERIFICATION, False),
    "autoverification_enabled": SettingField("autoverification", "enabled", False),
    "missing_info_enabled": SettingField("missing-info", "enabled", True),
    "critical_minutes": SettingField(CRITICAL_RESULTS, CRITICAL_MINUTES, CRITICAL_MINUTES_DEFAULT),
    "abnormal_result": SettingField("toxicology", "abnormalResult"),
    "result_columns": SettingField("web-results", "tests", []),
    "second_factor_roles": SettingField(SIGN_IN, "secondFactorRoles", []),
    "audit_retention_years": SettingField("audit", "retentionYears", AUDIT_RETENTION_YEARS_DEFAULT),
    "time_zone": SettingField("time-zone", "name"),
}
"""By the name in ``schemas.LabSettingsWrite``."""

GROUPS = tuple(dict.fromkeys(field.group for field in FIELDS.values()))
SUPPORT_SETTING = "support"
TIME_ZONE_SETTING = "time-zone"
