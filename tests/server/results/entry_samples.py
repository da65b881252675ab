"""Requests of the operations that families of results share, for the tests of every route."""

from typing import Any

from tests.server.samples import Ids, Sample
from tests.server.world import World


def build_samples(family: str, test: str) -> dict[str, Sample]:
    """Build the samples of a family's withholding and holds; ``test`` names the id of its test."""

    def build_sample(**values: Any) -> Sample:
        def build_body(_: World, ids: Ids) -> dict[str, Any]:
            return {"orderTestIds": [ids[test]], **values}

        return Sample(build_body)

    path = f"POST /api/v2/orders/{{order_id}}/{family}"
    return {
        f"{path}-withhold": build_sample(kind="review", reason="REPEAT"),
        f"{path}-restore": build_sample(),
        f"{path}-holds": build_sample(reason="CONTROL"),
        f"{path}-holds/{{hold_id}}/lift": Sample({}),
    }
