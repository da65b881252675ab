"""Headers and capabilities of the hosted portal."""

from datetime import datetime

from app.basics.clock import get_utc_now
from app.basics.version import VERSION
from app.server.settings import Settings
from tests.server.world import World


class TestPolicy:
    """Content Security Policy: only scripts and styles of the portal itself."""

    async def test_has_no_exceptions(self, world: World) -> None:
        policy = (await world.http.get("/health/live")).headers["content-security-policy"]
        assert "script-src 'self';" in policy and "style-src 'self';" in policy
        assert "unsafe" not in policy


async def test_capabilities_include_the_clock_of_the_lab(world: World) -> None:
    before = get_utc_now()
    lab = (await world.http.get("/capabilities")).json()["lab"]
    assert lab["timeZone"] == Settings.model_fields["time_zone"].default
    assert before <= datetime.fromisoformat(lab["now"]) <= get_utc_now()


async def test_capabilities_include_the_version(world: World) -> None:
    assert (await world.http.get("/capabilities")).json()["version"] == VERSION
