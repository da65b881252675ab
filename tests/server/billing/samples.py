"""What the walks over all routes need of this slice."""

from tests.server.samples import Realm
from tests.server.world import World


async def add_records(_world: World, home: Realm) -> None:
    """A bill type is everybody's."""
    home.ids["bill_type_id"] = 1
