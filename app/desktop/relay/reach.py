"""Checks whether a lab portal answers at an address, and if not, why."""

from dataclasses import dataclass

import httpx
from pydantic import JsonValue

from app.desktop.errors import Cause, PortalUnreachable
from app.desktop.relay.portal import PROBE_PATH, Portal

_SECONDS = 4.0
_STARTING = frozenset({500, 502, 503, 504})


@dataclass(frozen=True)
class Reach:
    """The lab that answered, or why none did."""

    cause: Cause | None
    lab: dict[str, JsonValue] | None = None


async def check_portal(portal: Portal) -> Reach:
    """Return which lab's portal answers, or the cause that none does."""
    try:
        answer = await portal.fetch("GET", PROBE_PATH, seconds=_SECONDS)
    except PortalUnreachable as error:
        return Reach(error.cause or Cause.BROKEN)
    if answer.status_code in _STARTING:
        return Reach(Cause.STARTING)
    if answer.is_redirect:
        return Reach(Cause.REDIRECTS)
    lab = _read_lab(answer)
    return Reach(None, lab) if lab is not None else Reach(Cause.WRONG_PRODUCT)


def _read_lab(answer: httpx.Response) -> dict[str, JsonValue] | None:
    """Return the lab of a portal's answer; None if the answer is not of a portal."""
    try:
        content = answer.json() if answer.status_code == httpx.codes.OK else None
    except ValueError:
        return None
    lab = content.get("lab") if isinstance(content, dict) else None
    return lab if isinstance(lab, dict) else None
