"""Signs orders."""

from tests.server.accounts.builders import Person
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World

ORDERS = "/api/v2/orders"


async def sign_orders(
    world: World, person: Person, *ids: int, versions: dict[int, int] | None = None
):
    """Sign in again, sign these orders and return the response."""
    await world.sign_in(person)
    body = {"image": SIGNATURE, "ordersIds": list(ids)}
    if versions:
        body["versions"] = versions
    return await world.http.post(f"{ORDERS}/sign-multiple", headers=person.headers, json=body)


async def unsign_order(world: World, person: Person, order_id: int, **headers: str):
    """Sign in again, remove the signature and return the response."""
    await world.sign_in(person)
    return await world.http.post(
        f"{ORDERS}/{order_id}/unsign", headers={**person.headers, **headers}
    )
