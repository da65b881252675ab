"""GET /auth/storage-key: the key with which a browser encrypts a user's stored data."""

from base64 import b64decode

from app.contract.enumerations import Role
from tests.server.world import World


async def test_each_user_has_a_stable_key(world: World) -> None:
    keys = []
    for person in (
        await world.create_person(Role.PHYSICIAN),
        await world.create_person(Role.PATIENT),
    ):
        first_answer = await world.http.get("/auth/storage-key", headers=person.headers)
        await world.sign_in(person)
        second_answer = await world.http.get("/auth/storage-key", headers=person.headers)
        assert first_answer.status_code == 200
        assert first_answer.json() == second_answer.json()
        assert first_answer.headers["cache-control"] == "no-store"
        keys.append(first_answer.json()["key"])
    assert all(len(b64decode(key)) == 32 for key in keys)
    assert keys[0] != keys[1]


async def test_requires_sign_in(world: World) -> None:
    assert (await world.http.get("/auth/storage-key")).status_code == 401
