"""Fetches pages of the list of requisitions."""

from tests.server.accounts.builders import Person
from tests.server.world import World

LIST = "/api/v2/requisitions/remote-operations"


async def fetch_page(world: World, person: Person, **query):
    """Fetch one page."""
    return await world.http.get(LIST, headers=person.headers, params=query)


async def fetch_ids(world: World, person: Person, **query) -> list[int]:
    """Fetch the ids of one page."""
    answer = await fetch_page(world, person, **query)
    assert answer.status_code == 200, answer.text
    return [row["id"] for row in answer.json()["data"]]


async def fetch_ids_by_cursor(world: World, person: Person, **query) -> list[int]:
    """Fetch the ids of all pages of two rows, following the cursor."""
    ids: list[int] = []
    after: dict[str, str] = {}
    for _ in range(10):
        body = (await fetch_page(world, person, take=2, **query, **after)).json()
        ids += [row["id"] for row in body["data"]]
        if body["next"] is None:
            break
        after = {"after": body["next"]}
    return ids
