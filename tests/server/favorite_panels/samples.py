"""Requests and records of this slice for the tests of every route."""

from app.contract.enumerations import Role
from tests.server.samples import NONEXISTENT_ID, Realm, Sample
from tests.server.world import World

SAMPLES = {
    "POST /api/v2/favorite-panels": Sample({"name": "MINE", "tests": [{"id": NONEXISTENT_ID}]}),
    "PUT /api/v2/favorite-panels/{favorite_id}": Sample({"name": "MINE"}),
    "DELETE /api/v2/favorite-panels/{favorite_id}": Sample(),
}
TABLES = (("favorite_panels", "id", "favorite_id"),)


async def add_records(world: World, home: Realm) -> None:
    """Add a favorite panel of the nurse."""
    home.ids["favorite_id"] = world.run_sql(
        "INSERT INTO favorite_panels (user_id, name) VALUES (%s, 'ONE') RETURNING id",
        (home.people[Role.CLIENT_BASIC].user_id,),
    )
