"""Requests and records of this slice for the tests of every route."""

from base64 import b64encode

from tests.server.samples import Realm, Sample
from tests.server.world import World

_USER = {"email": "new@test.lab", "lastName": "NEW", "firstName": "NANCY"}
# Rejected before a mail server is needed; the portal in the tests of every route has none.
_PEOPLE = b64encode(b"Email,Name").decode()
SAMPLES = {
    "GET /api/system/users/exist-user": Sample(query="?email=nobody@test.lab"),
    "POST /api/system/users": Sample(
        lambda _world, ids: {
            **_USER,
            "role": "Client Basic",
            "data": {"clients": [ids["client_id"]]},
        }
    ),
    "POST /api/system/users/patients/{patient_id}": Sample(_USER),
    "POST /api/system/users/import": Sample({"content": _PEOPLE}),
    "POST /api/system/users/import/preview": Sample({"content": _PEOPLE}),
    "PUT /api/system/users/{account_id}": Sample({"lastName": "OTHER"}),
    "POST /api/system/anonymous-users/sign-up/{application_id}": Sample(
        {
            "lastName": "NOBODY",
            "firstName": "NANCY",
            "birthDate": "1961-03-04",
            "code": "P0000000",
            "email": "nobody@test.lab",
        }
    ),
    "DELETE /api/system/users/{account_id}": Sample(),
    "POST /api/system/users/{account_id}/notification": Sample(),
}
TABLES = (("users", "id", "account_id"),)


async def add_records(world: World, home: Realm) -> None:
    """Add a user that no other test uses."""
    person = world.create_account("Client Basic", client_ids=[home.ids["client_id"]])
    home.ids["account_id"] = person.user_id
    home.ids["application_id"] = "portal"
