"""Routes of the host itself: health, metrics and capabilities."""

from datetime import datetime
from secrets import compare_digest
from typing import Literal

from fastapi import Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import select

from app.basics.clock import get_utc_now
from app.basics.errors import NotFound, Unavailable
from app.contract import messages
from app.server.access.policy import public
from app.server.access.routing import build_router
from app.server.access.schemas import Shape
from app.server.actor import ANONYMOUS
from app.server.jobs import metrics as job_metrics
from app.server.lab_settings.models import LabSetting
from app.server.metrics import render_metrics
from app.server.transmissions import metrics as transmission_metrics

router = build_router("", "host")


class PublicLab(Shape):
    """The lab's public details and clock; a detail is null if the lab has not set it.

    Attributes:
        desktop_app_url: the page from which people download the desktop app.
        logo: a data URL.
        time_zone: its IANA name.
    """

    title: str | None
    name: str | None
    address: str | None
    phone: str | None
    email: str | None
    fax: str | None
    url: str | None
    desktop_app_url: str | None
    logo: str | None
    time_zone: str
    now: datetime


class PortalCapabilities(Shape):
    """What the hosted portal can do: nothing that needs a workstation."""

    host: Literal["server"] = "server"
    version: str
    can_print_labels: bool = False
    can_open_windows: bool = False
    keeps_preferences: bool = False
    keeps_credentials: bool = False
    lab: PublicLab


@router.get("/health/live")
@public()
async def live() -> dict[str, str]:
    """The process runs."""
    return {"status": "live"}


@router.get("/health/ready")
@public()
async def ready(request: Request) -> dict[str, str]:
    """The process runs and the database answers."""
    if not await request.app.state.portal.database.is_available():
        raise Unavailable(messages.UNAVAILABLE)
    return {"status": "ready"}


@router.get("/metrics", include_in_schema=False)
@public()
async def metrics(request: Request) -> Response:
    """Prometheus metrics, for collectors that have the token of the settings."""
    token = request.app.state.portal.settings.metrics_token
    authorization = request.headers.get("authorization", "").encode()
    if token is None or not compare_digest(
        authorization, f"Bearer {token.get_secret_value()}".encode()
    ):
        raise NotFound(messages.NOT_FOUND)
    portal = request.app.state.portal
    metric_groups = [
        await transmission_metrics.count_transmissions(portal),
        *await job_metrics.count_jobs(portal),
    ]
    return Response(render_metrics(metric_groups), media_type=CONTENT_TYPE_LATEST)


@router.get("/capabilities")
@public()
async def capabilities(request: Request) -> PortalCapabilities:
    """The features of this host, and the lab's public details."""
    portal = request.app.state.portal
    async with portal.database.transaction(ANONYMOUS) as transaction:
        rows = await transaction.session.scalars(
            select(LabSetting).where(LabSetting.name.in_(("report", "logo")))
        )
        settings = {name: value for row in rows for name, value in row.value.items()}
    return PortalCapabilities(
        version=request.app.version,
        lab=PublicLab.model_validate(
            {
                **dict.fromkeys(PublicLab.model_fields),
                **settings,
                "time_zone": portal.settings.time_zone,
                "now": get_utc_now(),
            }
        ),
    )
