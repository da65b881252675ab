"""Samples of address requests, for the tests of all routes."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "GET /api/v2/address/zip-code/{zip_code}/zip-code-extra": Sample(omits_foreign=True),
}


async def add_records(_world: World, home: Realm) -> None:
    """Name a ZIP code, which is reference data."""
    home.ids["zip_code"] = "60601"
