"""``change_access``: the only way to change roles and scopes, tried by raw SQL."""

from uuid import UUID, uuid4

import psycopg
import pytest

from tests.server.accounts.builders import Person
from tests.server.world import World

_CALL = "SELECT change_access(%s, %s, %s::bigint[], %s::bigint[], %s::bigint[])"
_ACCESS = (
    "SELECT r.roles[1], u.client_ids, u.physician_ids, u.patient_ids"
    " FROM users u JOIN registrations r ON r.user_id = u.id WHERE u.id = %s"
)


def change_access(
    app_url: str,
    actor: Person,
    user_id: str | UUID,
    role: str,
    *,
    clients: list[int] | None = None,
    physicians: list[int] | None = None,
    patients: list[int] | None = None,
    database_role: str = "as_client",
) -> bool:
    """Call the function as an actor; return whether it was allowed."""
    with psycopg.connect(app_url) as connection:
        connection.execute(
            "SELECT set_config('role', %s, true), set_config('app.user', %s, true)",
            (database_role, actor.user_id),
        )
        try:
            connection.execute(
                _CALL, (user_id, role, clients or [], physicians or [], patients or [])
            )
        except psycopg.errors.InsufficientPrivilege:
            return False
    return True


class TestSuperuser:
    """Superusers change the access of others."""

    async def test_changes_role_and_ids(self, world: World, app_url: str) -> None:
        superuser = world.create_account("Superuser")
        client = world.create_client()
        person = world.create_account("Client Basic", client_ids=[client])
        assert change_access(
            app_url,
            superuser,
            person.user_id,
            "Physician",
            physicians=[5],
            database_role="as_staff",
        )
        assert world.fetch_rows(_ACCESS, (person.user_id,)) == [("Physician", [], [5], [])]

    async def test_keeps_only_the_ids_of_the_role(self, world: World, app_url: str) -> None:
        superuser, person = world.create_account("Superuser"), world.create_account("Patient")
        ids = {"clients": [1], "physicians": [2], "patients": [3]}
        for role, stored_ids in (
            ("Client Admin", ([1], [], [])),
            ("Patient", ([], [], [3])),
            ("Superuser", ([], [], [])),
        ):
            change_access(app_url, superuser, person.user_id, role, **ids, database_role="as_staff")
            assert world.fetch_rows(_ACCESS, (person.user_id,)) == [(role, *stored_ids)]

    async def test_cannot_change_own_access(self, world: World, app_url: str) -> None:
        superuser = world.create_account("Superuser")
        assert not change_access(
            app_url, superuser, superuser.user_id, "Laboratory", database_role="as_staff"
        )

    async def test_loses_the_right_with_the_account(self, world: World, app_url: str) -> None:
        superuser, person = world.create_account("Superuser"), world.create_account("Patient")
        world.run_sql("UPDATE users SET active = false WHERE id = %s", (superuser.user_id,))
        assert not change_access(
            app_url, superuser, person.user_id, "Superuser", database_role="as_staff"
        )


class TestClientAdmin:
    """Client Admins give the roles Client Basic and Patient within their own clients."""

    async def test_gives_a_role_within_own_clients(self, world: World, app_url: str) -> None:
        client = world.create_client()
        admin = world.create_account("Client Admin", client_ids=[client])
        person = world.create_account("Client Basic", client_ids=[client])
        patient = world.create_patient(client)
        assert change_access(app_url, admin, person.user_id, "Patient", patients=[patient])
        assert world.fetch_rows(_ACCESS, (person.user_id,)) == [("Patient", [], [], [patient])]

    @pytest.mark.parametrize("role", ["Superuser", "Laboratory", "Client Admin", "Physician"])
    async def test_cannot_give_a_higher_role(self, world: World, app_url: str, role: str) -> None:
        client = world.create_client()
        admin = world.create_account("Client Admin", client_ids=[client])
        person = world.create_account("Client Basic", client_ids=[client])
        assert not change_access(app_url, admin, person.user_id, role, clients=[client])
        assert not change_access(app_url, admin, admin.user_id, role, clients=[client])

    async def test_cannot_reach_beyond_own_clients(self, world: World, app_url: str) -> None:
        client, other = world.create_client(), world.create_client()
        admin = world.create_account("Client Admin", client_ids=[client])
        own = world.create_account("Client Basic", client_ids=[client])
        shared_user = world.create_account("Client Basic", client_ids=[client, other])
        superuser = world.create_account("Superuser")
        foreign_patient = world.create_patient(other)
        for person, role, ids in (
            (own, "Client Basic", {"clients": [client, other]}),
            (own, "Client Basic", {"clients": [client], "physicians": [1]}),
            (own, "Patient", {"patients": [foreign_patient]}),
            (shared_user, "Client Basic", {"clients": [client]}),
            (superuser, "Client Basic", {"clients": [client]}),
        ):
            assert not change_access(app_url, admin, person.user_id, role, **ids), (role, ids)


class TestOthers:
    """Nobody else changes access."""

    @pytest.mark.parametrize("role", ["Client Basic", "Laboratory", "Physician", "Patient"])
    @pytest.mark.parametrize("database_role", ["as_staff", "as_client"])
    async def test_cannot_raise_themselves_or_others(
        self, world: World, app_url: str, role: str, database_role: str
    ) -> None:
        actor, other = world.create_account(role), world.create_account("Patient")
        for user_id in (actor.user_id, other.user_id, uuid4()):
            assert not change_access(
                app_url, actor, user_id, "Superuser", database_role=database_role
            )

    @pytest.mark.parametrize(
        "database_role",
        ["as_physician", "as_patient", "as_anonymous", "as_worker", "as_gatekeeper"],
    )
    async def test_other_database_roles_cannot_call_the_function(
        self, world: World, app_url: str, database_role: str
    ) -> None:
        superuser, person = world.create_account("Superuser"), world.create_account("Patient")
        assert not change_access(
            app_url, superuser, person.user_id, "Superuser", database_role=database_role
        )
