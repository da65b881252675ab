"""Common steps of the tests of cumulative results."""

from tests.server.accounts.builders import Person
from tests.server.results.clinical.bench import Bench

EVER = "startDate=2000-01-01&endDate=2100-01-01"


async def read_results(
    bench: Bench, query: str = EVER, person: Person | None = None, kind="clinical"
):
    """Read cumulative results as the nurse or another person."""
    path = f"{bench.path}/{kind}-cumulative-results?{query}"
    return await bench.world.http.get(path, headers=(person or bench.nurse).headers)


async def list_results(bench: Bench, query: str = EVER, person: Person | None = None) -> list[dict]:
    """List the results of all orders, oldest order first."""
    answer = await read_results(bench, query, person)
    assert answer.status_code == 200, answer.text
    orders = [order for day in answer.json() for order in day["orders"]]
    return [result for order in reversed(orders) for result in order["results"]]
