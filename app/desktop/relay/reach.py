"""Checks whether a lab portal answers at an address, and if not, why."""

from dataclasses import dataclass

import httpx
from pydantic import JsonValue

from app.desktop.errors import Cause, PortalUnreachable
from app.desktop.relay.portal import PROBE_PATH, Portal

_TIMEOUT_SECONDS = 4.0
_STARTING_STATUSES = frozenset({500, 502, 503, 504})


@dataclass(frozen=True)
class Reach:
    """The lab that answered and its portal's version, or why none did."""

    cause: Cause | None
    lab: dict[str, JsonValue] | None = None
    version: str = ""


async def check_portal(portal: Portal) -> Reach:
    """Return the lab whose portal answers, or the cause why none does."""
    try:
        answer = await portal.fetch("GET", PROBE_PATH, seconds=_TIMEOUT_SECONDS)
    except PortalUnreachable as error:
        return Reach(error.cause or Cause.BROKEN)
    if answer.status_code in _STARTING_STATUSES:
        return Reach(Cause.STARTING)
    if answer.is_redirect:
        return Reach(Cause.REDIRECTS)
    content = _read_content(answer)
    lab = content.get("lab")
    if not isinstance(lab, dict):
        return Reach(Cause.WRONG_PRODUCT)
    return Reach(None, lab, str(content.get("version", "")))


def _read_content(answer: httpx.Response) -> dict[str, JsonValue]:
    """Return the JSON object of an answer; empty for other content."""
    try:
        content = answer.json() if answer.status_code == httpx.codes.OK else None
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
