"""The lab that performed a test, the same for all families (42 CFR 493.1291(c))."""

from collections.abc import Iterator

from app.contract import messages
from app.server.access.work import Work
from app.server.lab_settings.repository import SettingRepository

_SETTING = "report"
LAB_NAME = f"(SELECT s.value ->> 'name' FROM lab_settings s WHERE s.name = '{_SETTING}')"
"""SQL: the name that the lab has on its reports now."""


async def load_lab_name(work: Work) -> str | None:
    """Load the name that the lab has on its reports now."""
    group = await work.build_repository(SettingRepository).load_group(_SETTING)
    name: str | None = group.get("name")
    return name


def list_performers(performing_lab: str | None, lab_name: str | None) -> Iterator[str]:
    """Yield who performed a test, if that is not the lab as its reports name it now."""
    if performing_lab and performing_lab != lab_name:
        yield messages.RESULT_PERFORMED_BY.format(lab=performing_lab)
