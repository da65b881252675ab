"""The lab's settings about the order search and its dialogs (R 7, P 7)."""

from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.lab_settings.repository import SettingRepository
from app.server.orders.rules import ABNORMAL_RESULT
from app.server.orders.schemas import MissingInfoSettings, ResultSettings, WebResultSettings
from app.server.orders.service.read import list_result_columns

router = build_router("/api/v2/public-settings", "settings")
all_router = build_router("/api/settings", "settings")


@router.get("/missing-info")
@allow(ALL_ROLES)
async def read_missing_info_settings(work: InWork) -> MissingInfoSettings:
    """Whether the lab offers to fill in missing information; on by default."""
    group = await work.build_repository(SettingRepository).load_group("missing-info")
    return MissingInfoSettings(enabled=group.get("enabled", True))


@router.get("/web-results")
@allow(ALL_ROLES)
async def read_web_result_settings(work: InWork) -> WebResultSettings:
    """The tests, up to five, whose results have a column in the order search."""
    return WebResultSettings(tests=await list_result_columns(work))


@all_router.get("/results")
@allow(ALL_ROLES)
async def read_result_settings(work: InWork) -> ResultSettings:
    """The settings about results in one answer."""
    toxicology = await work.build_repository(SettingRepository).load_group("toxicology")
    return ResultSettings(
        abnormal_result=toxicology.get("abnormalResult") or ABNORMAL_RESULT,
        tests=await list_result_columns(work),
        enabled=(await read_missing_info_settings(work)).enabled,
    )
