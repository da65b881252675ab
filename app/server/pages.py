"""Routes of the host itself: health, metrics and capabilities."""

from secrets import compare_digest

from fastapi import Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import select

from app.basics.clock import get_utc_now
from app.basics.errors import NotFound, Unavailable
from app.contract import messages
from app.server.access.policy import public
from app.server.access.routing import build_router
from app.server.actor import ANONYMOUS
from app.server.jobs import metrics as job_metrics
from app.server.lab_settings.models import LabSetting
from app.server.metrics import render_metrics
from app.server.transmissions import metrics as transmission_metrics

router = build_router("", "host")
_LAB_FIELDS = (
    "title",
    "name",
    "address",
    "phone",
    "email",
    "fax",
    "url",
    "desktopAppUrl",
    "logo",
)


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
async def capabilities(request: Request) -> dict[str, object]:
    """The features of this host, and the lab's public details."""
    portal = request.app.state.portal
    async with portal.database.transaction(ANONYMOUS) as session:
        rows = await session.scalars(
            select(LabSetting).where(LabSetting.name.in_(("report", "logo")))
        )
        settings: dict[str, object] = {}
        for row in rows:
            settings.update(row.value)
    return {
        "host": "server",
        "version": request.app.version,
        "canPrintLabels": False,
        "canOpenWindows": False,
        "keepsPreferences": False,
        "keepsCredentials": False,
        "lab": {
            **{name: settings.get(name) for name in _LAB_FIELDS},
            "timeZone": portal.settings.time_zone,
            "now": get_utc_now().isoformat(),
        },
    }
