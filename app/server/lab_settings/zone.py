"""The lab's time zone, which every process reads from the settings without a restart."""

import asyncio

import structlog

from app.basics.errors import PortalError
from app.server.access.parts import PortalParts
from app.server.actor import build_worker_actor
from app.server.lab_settings.fields import TIME_ZONE_SETTING
from app.server.lab_settings.repository import SettingRepository

_READER = build_worker_actor("follow the time zone")
_SECONDS = 5
_log = structlog.get_logger("portal.settings")


async def apply_time_zone(portal: PortalParts) -> None:
    """Use the time zone that the lab has chosen, or else the environment's."""
    async with portal.database.transaction(_READER) as transaction:
        group = await transaction.build_repository(SettingRepository).load_group(TIME_ZONE_SETTING)
    name = group.get("name")
    if name and name != portal.settings.time_zone:
        portal.settings.time_zone = name
        _log.info("time zone", name=name)


async def follow_time_zone(portal: PortalParts) -> None:
    """Apply changes of the time zone until canceled, whatever happens to the database."""
    while True:
        await asyncio.sleep(_SECONDS)
        try:
            await apply_time_zone(portal)
        except PortalError as error:
            _log.warning("the time zone waits for the database", kind=type(error).__name__)
