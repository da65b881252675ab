"""Headers and capabilities of the hosted portal."""

from app.basics.version import VERSION
from tests.server.world import World


class TestPolicy:
    """Content Security Policy: only scripts and styles of the portal itself."""

    async def test_has_no_exceptions(self, world: World) -> None:
        policy = (await world.http.get("/health/live")).headers["content-security-policy"]
        assert "script-src 'self';" in policy and "style-src 'self';" in policy
        assert "unsafe" not in policy


async def test_capabilities_include_the_version(world: World) -> None:
    assert (await world.http.get("/capabilities")).json()["version"] == VERSION
