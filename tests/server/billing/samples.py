"""Samples of billing requests, for the tests of all routes."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "GET /api/v2/billing-information/payers/remote-operations/{bill_type_id}": Sample(
        query="?allPayers=true&take=100", omits_foreign=True
    ),
}


async def add_records(_world: World, home: Realm) -> None:
    """Name a bill type, which is reference data."""
    home.ids["bill_type_id"] = 1
