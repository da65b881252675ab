"""HTTP shapes of the lab's settings."""

from datetime import datetime

from app.contract.enumerations import Role
from app.server.access.schemas import Permission, RecordId, Shape, Text


class ResultEntrySettings(Shape):
    """Who may enter results, and whether the caller may enter and release them."""

    result_entry_enabled: bool
    result_entry_super_user: bool
    result_entry_client_admin: bool
    result_entry_client_basic: bool
    result_verification_required: bool
    can_enter_results: Permission
    can_release_results: Permission


class ReasonShape(Shape):
    """A reason to choose from a list."""

    code: str
    words: str


class CollectionSiteShape(Shape):
    """A place where specimens are collected."""

    name: str


class LabFields(Shape):
    """The lab's name, addresses and license; a field is null when the lab has not set it."""

    name: str | None = None
    title: str | None = None
    address: str | None = None
    phone: str | None = None
    fax: str | None = None
    email: str | None = None
    url: str | None = None
    clia: str | None = None
    director: str | None = None


class LabLogo(Shape):
    """The lab's logo as a data URL; null without one."""

    logo: str | None


class ResultColumnRead(Shape):
    """A test with a column in the order search."""

    id: int
    code: str
    name: str


class LabSettingsRead(LabFields):
    """All settings of the lab.

    Attributes:
        contact_email, supply_email: where messages and supply requests to the lab go.
        desktop_app_url: the page from which people download the desktop app.
    """

    logo: str | None
    desktop_app_url: str | None
    contact_email: str | None
    supply_email: str | None
    result_entry_enabled: bool
    result_entry_super_user: bool
    result_entry_client_admin: bool
    result_entry_client_basic: bool
    result_verification_required: bool
    autoverification_enabled: bool
    missing_info_enabled: bool
    critical_minutes: int
    abnormal_result: str | None
    result_columns: list[ResultColumnRead]
    second_factor_roles: list[Role]
    audit_retention_years: int
    time_zone: str
    version: int
    can_change: Permission


class SettingChange(Shape):
    """A setting before and after a change, as people read it; ``name`` is its name on the wire."""

    name: str
    old: str
    new: str


class LabSettingsChange(Shape):
    """Settings that somebody changed in one save."""

    at: datetime
    user: str | None
    changes: list[SettingChange]


class LabSettingsWrite(Shape):
    """PUT lab-settings: absent fields stay unchanged.

    ``logo`` is a data URL; ``result_columns`` are ids of tests.
    """

    logo: str | None = None
    title: Text = None
    name: Text = None
    address: Text = None
    phone: Text = None
    fax: Text = None
    email: Text = None
    url: Text = None
    desktop_app_url: Text = None
    clia: Text = None
    director: Text = None
    contact_email: Text = None
    supply_email: Text = None
    result_entry_enabled: bool | None = None
    result_entry_super_user: bool | None = None
    result_entry_client_admin: bool | None = None
    result_entry_client_basic: bool | None = None
    result_verification_required: bool | None = None
    autoverification_enabled: bool | None = None
    missing_info_enabled: bool | None = None
    critical_minutes: int | None = None
    abnormal_result: Text = None
    result_columns: list[RecordId] | None = None
    second_factor_roles: list[Role] | None = None
    audit_retention_years: int | None = None
    time_zone: Text = None
