"""Cancels tests of an order."""

from tests.server.results.clinical.bench import Bench


async def list_ids(bench: Bench) -> dict[str, int]:
    """List the ids of the order's tests and panels by name."""
    answer = await bench.world.http.get(f"{bench.path}/tests", headers=bench.nurse.headers)
    return {test["name"]: test["id"] for test in answer.json()}


async def cancel_tests(
    bench: Bench, *names: str, reason: str = "SPECIMEN", version: int | None = None, **body: object
):
    """Cancel tests by name, or all."""
    ids = await list_ids(bench)
    headers = {**bench.lab.headers}
    if version is not None:
        headers["If-Match"] = f'"{version}"'
    chosen_ids = [ids[name] for name in names] if names else None
    return await bench.world.http.post(
        f"{bench.path}/cancel",
        headers=headers,
        json={"orderTestIds": chosen_ids, "reason": reason, **body},
    )
