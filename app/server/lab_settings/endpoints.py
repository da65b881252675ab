"""/api/system/settings (P 7)."""

from typing import Any

from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import portal_router
from app.server.access.work import InWork
from app.server.lab_settings.repository import SettingRepository
from app.server.lab_settings.service import REPORT_FIELDS, RESULT_ENTRY_OFF

router = portal_router("/api/system/settings", "settings")


@router.get("/report")
@allow(ALL_ROLES)
async def report(work: InWork) -> dict[str, Any]:
    """The lab's name and addresses as they stand on reports."""
    found = await work.repository(SettingRepository).group("report")
    return {name: found.get(name) for name in REPORT_FIELDS}


@router.get("/logo")
@allow(ALL_ROLES)
async def logo(work: InWork) -> dict[str, Any]:
    """The lab's logo as a data URL."""
    return {"logo": (await work.repository(SettingRepository).group("logo")).get("logo")}


@router.get("/result-entry")
@allow(ALL_ROLES)
async def result_entry(work: InWork) -> dict[str, Any]:
    """Who may enter results."""
    return {**RESULT_ENTRY_OFF, **await work.repository(SettingRepository).group("result-entry")}
