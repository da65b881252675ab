"""Samples of accounts' requests, for the tests of all routes."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

SAMPLES = {
    "POST /auth/login": Sample(),
    "POST /auth/jwt/refresh": Sample(),
    "POST /auth/logout": Sample(),
    "POST /auth/user/change-password": Sample(
        {"loginId": "nobody@test.lab", "currentPassword": "no", "password": "Another-1!"}
    ),
    "POST /auth/second-factor/setup": Sample({"password": "no"}),
    "POST /auth/second-factor/confirm": Sample({"code": "000000"}),
    "POST /auth/second-factor/recovery-codes": Sample({"password": "no", "code": "000000"}),
    "POST /auth/second-factor/turn-off": Sample({"password": "no", "code": "000000"}),
    "DELETE /auth/sessions": Sample(),
    "DELETE /auth/sessions/{session_id}": Sample(),
    "PUT /auth/user/{user_id}": Sample({"user": {"firstName": "Ada"}}),
}


async def add_records(world: World, home: Realm) -> None:
    """Add a second session of each person."""
    home.ids["session_id"] = {
        person.user_id: world.run_sql(
            "INSERT INTO user_sessions (user_id, signed_in_at, expires_at)"
            " VALUES (%s, now(), now() + interval '12 hours') RETURNING id",
            (person.user_id,),
        )
        for person in home.people.values()
    }
