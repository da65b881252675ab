"""/api/system/settings (P 7), and the lab's lists of reasons and collection sites."""

from typing import Any

from app.contract.enumerations import ReasonKind
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.schemas import Permission
from app.server.access.work import InWork
from app.server.lab_settings import rules
from app.server.lab_settings.repository import ReasonRepository, SettingRepository
from app.server.lab_settings.schemas import (
    CollectionSiteShape,
    ReasonShape,
    ResultEntrySettings,
)
from app.server.lab_settings.service import REPORT_FIELDS

router = build_router("/api/system/settings", "settings")
reasons = build_router("/api/v2/reasons", "settings")
sites = build_router("/api/v2/collection-sites", "settings")


@router.get("/report")
@allow(ALL_ROLES)
async def report(work: InWork) -> dict[str, Any]:
    """The lab's name and addresses for reports."""
    settings = await work.build_repository(SettingRepository).load_group("report")
    return {name: settings.get(name) for name in REPORT_FIELDS}


@router.get("/logo")
@allow(ALL_ROLES)
async def logo(work: InWork) -> dict[str, Any]:
    """The lab's logo as a data URL."""
    return {"logo": (await work.build_repository(SettingRepository).load_group("logo")).get("logo")}


@router.get("/result-entry")
@allow(ALL_ROLES)
async def result_entry(work: InWork) -> ResultEntrySettings:
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
