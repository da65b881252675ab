"""What the walks over all routes need of this slice."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "GET /api/v2/billing-information/payers/remote-operations/{bill_type_id}": Sample(
        query="?allPayers=true&take=100", narrows=True
    ),
}


async def add_records(_world: World, home: Realm) -> None:
    """A bill type is everybody's."""
    home.ids["bill_type_id"] = 1
