"""The hourly job that deletes old sign-ins."""

from fastapi import FastAPI

from app.server.accounts.tasks import delete_old_sign_ins
from app.server.accounts.tokens import hash_secret
from tests.server.accounts.builders import PASSWORD, Person
from tests.server.world import World


def count_rows(world: World, person: Person) -> dict[str, int]:
    """Count the person's rows in each table."""
    tables = {
        "sessions": "user_sessions WHERE user_id = %s",
        "tokens": "refresh_tokens t JOIN user_sessions s ON s.id = session_id WHERE user_id = %s",
        "spent": "spent_sign_ins WHERE user_id = %s",
    }
    counts = {
        name: world.run_sql(f"SELECT count(*) FROM {rows}", (person.user_id,))
        for name, rows in tables.items()
    }
    failures = "SELECT count(*) FROM sign_in_attempts WHERE email_hash = %s"
    return counts | {"failures": world.run_sql(failures, (hash_secret(person.email),))}


async def test_deletes_only_expired_rows(world: World, portal_app: FastAPI) -> None:
    person = world.create_account("Superuser")
    for password in (PASSWORD, "wrong"):
        body = {"loginId": person.email, "password": password, "applicationId": "portal"}
        await world.http.post("/auth/login", json=body)
    world.run_sql(
        "INSERT INTO spent_sign_ins (token_id, user_id) VALUES (%s, %s)",
        (f"{person.user_id}:1", person.user_id),
    )
    one_each = {"sessions": 1, "tokens": 1, "spent": 1, "failures": 1}
    assert count_rows(world, person) == one_each
    await delete_old_sign_ins(portal_app.state.portal)
    assert count_rows(world, person) == one_each

    yesterday = "now() - interval '25 hours'"
    user, email = (person.user_id,), (hash_secret(person.email),)
    world.run_sql(f"UPDATE user_sessions SET expires_at = {yesterday} WHERE user_id = %s", user)
    world.run_sql(f"UPDATE spent_sign_ins SET spent_at = {yesterday} WHERE user_id = %s", user)
    world.run_sql(
        f"UPDATE sign_in_attempts SET last_failure_at = {yesterday} WHERE email_hash = %s", email
    )
    await delete_old_sign_ins(portal_app.state.portal)
    assert count_rows(world, person) == dict.fromkeys(one_each, 0)
