"""A user with several roles acts in one of them (O 1)."""

import httpx

from app.contract.enumerations import Role
from tests.server.world import World


async def _list_visible(world: World, headers: dict[str, str], patients: set[int]) -> set[int]:
    answer: httpx.Response = await world.http.get(
        "/api/v2/patients/ids", headers=headers, params={"ids": sorted(patients)}
    )
    return {row["id"] for row in answer.json()}


async def test_the_first_role_of_the_first_registration_counts(world: World) -> None:
    """Neither a second role nor a second registration widens the scope."""
    client, other = world.create_client(), world.create_client()
    mine, foreign = world.create_patient(client), world.create_patient(other)
    account = world.create_account(Role.CLIENT_BASIC, client_ids=[client])
    world.run_sql(
        "UPDATE registrations SET roles = %s WHERE user_id = %s",
        ([Role.CLIENT_BASIC, Role.SUPERUSER], account.user_id),
    )
    world.run_sql(
        "INSERT INTO registrations (user_id, application_id, roles) VALUES (%s, 'other', %s)",
        (account.user_id, [Role.SUPERUSER]),
    )
    person = await world.sign_in(account)
    profile_answer = await world.http.get("/auth/jwt/validate", headers=person.headers)
    assert profile_answer.json()["user"]["role"] == Role.CLIENT_BASIC
    assert await _list_visible(world, person.headers, {mine, foreign}) == {mine}
