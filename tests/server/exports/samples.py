"""Requests and records of this slice for the tests of every route."""

import secrets

from app.contract.enumerations import Role
from app.server.attachments.store import FileStore
from app.server.exports.rules import EXPORTERS
from app.server.results.exports.rules import RESULT_EXPORTERS
from tests.server.samples import Realm, Sample
from tests.server.world import World

_PATH = "/api/v2/result-exports/{export_id}"
SAMPLES = {
    f"POST {_PATH}/cancel": Sample(),
    f"DELETE {_PATH}": Sample(),
    f"POST {_PATH}/restore": Sample(),
}
TABLES = (("exports", "id", "nurse_export_id"),)


async def add_records(world: World, home: Realm) -> None:
    """Add an export with a file of every person who may export."""
    files = world.app.state.portal.get_part(FileStore)
    # Nobody sees the exports of others, so each role reads its own.
    home.ids["export_id"] = {}
    for role in EXPORTERS:
        person = home.people[role]
        key = f"te/{secrets.token_hex(16)}"
        await files.put(key, b"Order\r\n")
        scope = [home.ids["client_id"]] if role in (Role.CLIENT_ADMIN, Role.CLIENT_BASIC) else []
        kind = "results" if role in RESULT_EXPORTERS else "orders"
        home.ids["export_id"][person.user_id] = world.run_sql(
            "INSERT INTO exports (user_id, kind, name, format, parameters, state, role, scope_ids,"
            " key, size, expires_at) VALUES (%s, %s, 'Rows', 'csv', '{}', 'done', %s, %s,"
            " %s, 7, now() + interval '1 day') RETURNING id",
            (person.user_id, kind, role, scope, key),
        )
    nurse = home.people[Role.CLIENT_BASIC]
    home.ids["nurse_export_id"] = home.ids["export_id"][nurse.user_id]
