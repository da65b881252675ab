"""Reads and changes the lab's settings, as one record with one version (ADR 63)."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from pydantic.alias_generators import to_camel

from app.basics.errors import BadInput, FieldError, require_allowed, require_no_errors
from app.basics.text import clean_text, mask_phone
from app.contract import messages
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.catalog.repository import CatalogRepository
from app.server.catalog.rules import has_single_value
from app.server.drawing_pool import DrawingPool
from app.server.images import format_data_url, normalize_logo
from app.server.lab_settings import rules
from app.server.lab_settings.fields import FIELDS
from app.server.lab_settings.repository import (
    AUDIT_KIND,
    SettingRepository,
    StoredChange,
    StoredSettings,
)
from app.server.lab_settings.schemas import (
    LabSettingsChange,
    LabSettingsRead,
    LabSettingsWrite,
    ResultColumnRead,
    SettingChange,
)

REPORT_FIELDS = ("name", "address", "phone", "fax", "email", "url", "title", "director", "clia")
LICENSE_FIELDS = ("name", "clia", "director", "url")
BILLING_FIELDS = ("name", "address", "phone", "fax", "email")
_PHONES = frozenset({"phone", "fax"})


async def read_settings(work: Work) -> LabSettingsRead:
    """Return all settings of the lab."""
    require_allowed(rules.judge_reading_settings(work.actor))
    settings = await work.build_repository(SettingRepository).load_settings()
    return await _build_settings(work, settings)


async def change_settings(work: Work, body: LabSettingsWrite) -> LabSettingsRead:
    """Change the settings that the body names; the audit log has old and new values.

    Raises:
        Forbidden, StaleVersion.
        BadInput: a value is invalid, or a column's test does not exist or never has a value.
        TooLarge, WrongKind: the logo is too large, or not an image.
    """
    require_allowed(rules.judge_changing_settings(work.actor))
    logo = None
    if body.logo:
        # Before the first statement, because a transaction should not wait for a picture's turn.
        drawing_pool = work.portal.get_part(DrawingPool)
        logo = await normalize_logo(drawing_pool, work.actor.user_text, body.logo)
    values = _clean_values(body, logo)
    ids = values.get("result_columns") or []
    tests = await work.build_repository(CatalogRepository).load_tests(ids)
    codes_without_value = [
        test.code
        for test in tests.values()
        if not has_single_value(test.kind, is_panel=test.is_panel)
    ]
    require_no_errors(rules.validate_settings(values, tests, codes_without_value))
    repository = work.build_repository(SettingRepository)
    zone = values.get("time_zone")
    if zone is not None and not await repository.knows_time_zone(zone):
        raise BadInput.of(FieldError("timeZone", messages.VALUE_INVALID))
    await repository.lock_settings()
    settings = await repository.load_settings()
    work.require_version(settings)
    changed_values = {n: v for n, v in values.items() if _get_value(settings, n) != v}
    if changed_values:
        groups: dict[str, dict[str, Any]] = {}
        for name, value in changed_values.items():
            field = FIELDS[name]
            group = groups.setdefault(field.group, dict(settings.groups.get(field.group, {})))
            group[field.key] = value
        await repository.save_groups(groups)
        detail = {
            name: {
                "old": _describe_value(name, _get_value(settings, name)),
                "new": _describe_value(name, value),
            }
            for name, value in changed_values.items()
        }
        await work.audit("change", AUDIT_KIND, [], detail)
        settings = await repository.load_settings()
    return await _build_settings(work, settings)


async def read_history(work: Work) -> list[LabSettingsChange]:
    """Return who changed which settings, newest first.

    Raises:
        Forbidden.
    """
    require_allowed(rules.judge_reading_settings(work.actor))
    changes = await work.build_repository(SettingRepository).load_history()
    ids = _collect_column_tests(changes)
    tests = await work.build_repository(CatalogRepository).load_tests(ids)
    codes = {i: test.code for i, test in tests.items()}
    return [
        LabSettingsChange(
            at=change.at,
            user=change.user,
            changes=[
                SettingChange(
                    name=to_camel(name),
                    old=rules.format_setting(name, values["old"], codes),
                    new=rules.format_setting(name, values["new"], codes),
                )
                for name, values in change.detail.items()
            ],
        )
        for change in changes
    ]


def _collect_column_tests(changes: Iterable[StoredChange]) -> list[int]:
    """Collect the ids of the tests that had a column before or after a change."""
    ids: set[int] = set()
    for change in changes:
        for test_ids in change.detail.get("result_columns", {}).values():
            ids.update(test_ids or ())
    return sorted(ids)


def _clean_values(body: LabSettingsWrite, logo: bytes | None) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in body.model_fields_set:
        value = getattr(body, name)
        if name == "logo":
            value = format_data_url(logo)
        elif isinstance(value, str):
            # Line breaks come with pasted text, and would be errors in subjects of e-mails.
            value = clean_text(" ".join(value.split()))
            value = mask_phone(value) if name in _PHONES else value
        elif value is None:
            value = FIELDS[name].default
        values[name] = value
    return values


def _get_value(settings: StoredSettings, name: str) -> Any:
    field = FIELDS[name]
    value = settings.groups.get(field.group, {}).get(field.key)
    return field.default if value is None else value


def _describe_value(name: str, value: Any) -> Any:
    """Describe a value for the audit log; the logo is described by its hash."""
    return sha256(value.encode()).hexdigest() if name == "logo" and value else value


async def _build_settings(work: Work, settings: StoredSettings) -> LabSettingsRead:
    values = {name: _get_value(settings, name) for name in FIELDS}
    ids = list(values.pop("result_columns"))
    tests = await work.build_repository(CatalogRepository).load_tests(ids)
    values["time_zone"] = values["time_zone"] or work.portal.settings.time_zone
    return LabSettingsRead(
        **values,
        result_columns=[
            ResultColumnRead(id=i, code=tests[i].code, name=tests[i].name)
            for i in ids
            if i in tests
        ],
        version=settings.version,
        can_change=Permission.of(rules.judge_changing_settings(work.actor)),
    )
