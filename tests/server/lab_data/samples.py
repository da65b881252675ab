"""Sample requests of lab data, for the tests of all routes."""

from base64 import b64encode

from tests.server.samples import Realm, Sample
from tests.server.world import World

_NAME = "SAMPLAZOLAM 5 MG"
_FILE = b64encode(f"Name\n{_NAME}".encode()).decode()
SAMPLES = {
    "POST /api/v2/lab-data/{kind}": Sample({"values": {"name": _NAME}}),
    "PUT /api/v2/lab-data/{kind}/{row_id}": Sample({"values": {}}),
    "POST /api/v2/lab-data/{kind}/csv": Sample({"content": _FILE, "token": "none"}),
    "POST /api/v2/lab-data/{kind}/csv/preview": Sample({"content": _FILE}),
}


async def add_records(world: World, home: Realm) -> None:
    """Add a medication whose name nobody else has."""
    client = home.ids["client_id"]
    home.ids["kind"], home.ids["lookup"] = "medications", "clients"
    home.ids["row_id"] = world.run_sql(
        "INSERT INTO medications (name) VALUES (%s) RETURNING id", (f"SAMPLE OF {client}",)
    )
