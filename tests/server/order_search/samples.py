"""Requests and records of this slice for the tests of every route."""

from app.contract.enumerations import Role
from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "POST /api/v2/orders/advanced-search": Sample(
        lambda _, ids: {
            "query": {
                "combinator": "and",
                "rules": [{"field": "physician", "operator": "in", "value": [ids["physician_id"]]}],
            }
        },
        omits_foreign=True,
    ),
    "POST /api/v2/orders/advanced-search/export": Sample({"columns": ["salary"]}),
    "POST /api/v2/orders/saved-searches": Sample({"name": "Mine", "columns": ["salary"]}),
    "PUT /api/v2/orders/saved-searches/{saved_search_id}": Sample({"name": "Mine"}),
    "DELETE /api/v2/orders/saved-searches/{saved_search_id}": Sample(),
}
TABLES = (("saved_searches", "id", "saved_search_id"),)


async def add_records(world: World, home: Realm) -> None:
    """Add a saved search of the nurse."""
    home.ids["saved_search_id"] = world.run_sql(
        "INSERT INTO saved_searches (user_id, name, query, columns, sort)"
        """ VALUES (%s, 'One', '{"rules": []}', '["code"]', '-id') RETURNING id""",
        (home.people[Role.CLIENT_BASIC].user_id,),
    )
