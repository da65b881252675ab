"""What the hosted portal says to browsers with every page."""

from app.basics.version import VERSION
from tests.server.world import World


class TestPolicy:
    """Content Security Policy: nothing runs and nothing looks but what the portal itself serves."""

    async def test_is_without_exceptions(self, world: World) -> None:
        policy = (await world.http.get("/health/live")).headers["content-security-policy"]
        assert "script-src 'self';" in policy and "style-src 'self';" in policy
        assert "unsafe" not in policy


async def test_capabilities_say_the_version(world: World) -> None:
    assert (await world.http.get("/capabilities")).json()["version"] == VERSION
