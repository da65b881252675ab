"""What the walks over all routes need of this slice."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "GET /api/v2/address/zip-code/{zip_code}/zip-code-extra": Sample(narrows=True),
}


async def add_records(_world: World, home: Realm) -> None:
    """A ZIP code is everybody's."""
    home.ids["zip_code"] = "60601"
