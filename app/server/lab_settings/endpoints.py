"""/api/system/settings (P 7), and the lab's lists of reasons and collection sites."""

from fastapi import Response

from app.basics.errors import StaleVersion, WrongKind
from app.contract.enumerations import ReasonKind
from app.server.access.policy import ALL_ROLES, LOGO_BODY, allow
from app.server.access.routing import build_router
from app.server.access.schemas import Permission
from app.server.access.work import InWork, set_etag
from app.server.lab_settings import rules, service
from app.server.lab_settings.repository import ReasonRepository, SettingRepository
from app.server.lab_settings.schemas import (
    CollectionSiteShape,
    LabFields,
    LabLogo,
    LabSettingsChange,
    LabSettingsRead,
    LabSettingsWrite,
    ReasonShape,
    ResultEntrySettings,
)
from app.server.lab_settings.service import BILLING_FIELDS, LICENSE_FIELDS, REPORT_FIELDS

router = build_router("/api/system/settings", "settings")
reasons = build_router("/api/v2/reasons", "settings")
lab = build_router("/api/system/lab-settings", "settings")
sites = build_router("/api/v2/collection-sites", "settings")


@router.get("/report")
@allow(ALL_ROLES)
async def read_report(work: InWork) -> LabFields:
    """The lab's name and addresses for reports."""
    return await _read_fields(work, REPORT_FIELDS)


@router.get("/license")
@allow(ALL_ROLES)
async def read_license(work: InWork) -> LabFields:
    """The lab's name, CLIA number and director."""
    return await _read_fields(work, LICENSE_FIELDS)


@router.get("/billing")
@allow(ALL_ROLES)
async def read_billing(work: InWork) -> LabFields:
    """The lab's address and phone for questions about bills."""
    return await _read_fields(work, BILLING_FIELDS)


@router.get("/logo")
@allow(ALL_ROLES)
async def read_logo(work: InWork) -> LabLogo:
    """The lab's logo as a data URL."""
    group = await work.build_repository(SettingRepository).load_group("logo")
    return LabLogo(logo=group.get("logo"))


@router.get("/result-entry")
@allow(ALL_ROLES)
async def read_result_entry(work: InWork) -> ResultEntrySettings:
    """Who may enter results."""
    flags = {
        **rules.RESULT_ENTRY_OFF,
        rules.VERIFICATION: False,
        **await work.build_repository(SettingRepository).load_group("result-entry"),
    }
    return ResultEntrySettings(
        **flags,
        can_enter_results=Permission.of(rules.judge_result_entry(work.actor, flags)),
        can_release_results=Permission.of(rules.judge_result_release(work.actor)),
    )


@lab.get("")
@allow(rules.SETTINGS_READERS)
async def read_lab_settings(work: InWork, response: Response) -> LabSettingsRead:
    """All settings of the lab, as its screen shows them."""
    return set_etag(response, await service.read_settings(work))


@lab.get("/history")
@allow(rules.SETTINGS_READERS)
async def read_history(work: InWork) -> list[LabSettingsChange]:
    """Who changed which settings, newest first."""
    return await service.read_history(work)


@lab.put("")
@allow(rules.SETTINGS_CHANGERS, body=LOGO_BODY, errors=(StaleVersion, WrongKind))
async def change_lab_settings(
    body: LabSettingsWrite, work: InWork, response: Response
) -> LabSettingsRead:
    """Change settings of the lab."""
    return set_etag(response, await service.change_settings(work, body))


@reasons.get("")
@allow(ALL_ROLES)
async def list_reasons(kind: ReasonKind, work: InWork) -> list[ReasonShape]:
    """The lab's reasons of a kind, in its order."""
    rows = await work.build_repository(ReasonRepository).list_reasons(kind)
    return [ReasonShape.model_validate(row) for row in rows]


@sites.get("")
@allow(ALL_ROLES)
async def list_collection_sites(work: InWork) -> list[CollectionSiteShape]:
    """The places where the lab's clients have specimens collected, in the lab's order."""
    rows = await work.build_repository(ReasonRepository).list_collection_sites()
    return [CollectionSiteShape.model_validate(row) for row in rows]


async def _read_fields(work: InWork, names: tuple[str, ...]) -> LabFields:
    settings = await work.build_repository(SettingRepository).load_group("report")
    return LabFields(**{name: settings.get(name) for name in names})
