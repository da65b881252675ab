"""What the hourly work does with sign-ins that are over."""

from fastapi import FastAPI

from app.server.accounts.tasks import forget_old
from app.server.accounts.tokens import hash_of
from tests.server.world import PASSWORD, Person, World


def kept(world: World, person: Person) -> dict[str, int]:
    """How many rows there are of this person."""
    counts = {
        "sessions": "user_sessions WHERE user_id = %s",
        "tokens": "refresh_tokens t JOIN user_sessions s ON s.id = session_id WHERE user_id = %s",
        "spent": "spent_sign_ins WHERE user_id = %s",
    }
    found = {
        name: world.sql(f"SELECT count(*) FROM {rows}", (person.user_id,))
        for name, rows in counts.items()
    }
    failures = "SELECT count(*) FROM sign_in_attempts WHERE email_hash = %s"
    return found | {"failures": world.sql(failures, (hash_of(person.email),))}


async def test_what_is_over_goes_and_what_counts_stays(world: World, portal_app: FastAPI) -> None:
    person = world.account("Superuser")
    for password in (PASSWORD, "wrong"):
        body = {"loginId": person.email, "password": password, "applicationId": "portal"}
        await world.http.post("/auth/login", json=body)
    world.sql(
        "INSERT INTO spent_sign_ins (token_id, user_id) VALUES (%s, %s)",
        (f"{person.user_id}:1", person.user_id),
    )
    one_each = {"sessions": 1, "tokens": 1, "spent": 1, "failures": 1}
    assert kept(world, person) == one_each
    await forget_old(portal_app.state.portal)
    assert kept(world, person) == one_each

    over = "now() - interval '25 hours'"
    user, email = (person.user_id,), (hash_of(person.email),)
    world.sql(f"UPDATE user_sessions SET expires_at = {over} WHERE user_id = %s", user)
    world.sql(f"UPDATE spent_sign_ins SET spent_at = {over} WHERE user_id = %s", user)
    world.sql(f"UPDATE sign_in_attempts SET last_failure_at = {over} WHERE email_hash = %s", email)
    await forget_old(portal_app.state.portal)
    assert kept(world, person) == dict.fromkeys(one_each, 0)
