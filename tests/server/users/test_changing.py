"""Changes of users: who may change what, and what follows from it."""

from typing import Any

import pytest

from app.contract import messages
from tests.server.accounts.builders import PASSWORD, Person
from tests.server.users.desk import Desk


@pytest.fixture
def shared_user(desk: Desk) -> Person:
    """A user of the admin's client and of another."""
    return desk.world.create_account("Client Basic", client_ids=[desk.client, desk.other_client])


@pytest.fixture
async def basic_user(desk: Desk) -> Person:
    """A user of the admin's client, signed in."""
    return await desk.world.create_person("Client Basic", client_ids=[desk.client])


async def change_user(desk: Desk, actor: Person, person: Person, **values: Any) -> Any:
    """Change a user, and return the answer."""
    return await desk.call(actor, "PUT", f"/{person.user_id}", json=values)


async def is_signed_in(desk: Desk, person: Person) -> bool:
    """Whether the person's token still works."""
    answer = await desk.world.http.get("/auth/jwt/validate", headers=person.headers)
    return answer.status_code == 200


class TestChanging:
    """PUT /api/system/users/{id}."""

    async def test_changes_the_sent_fields(self, desk: Desk, basic_user: Person) -> None:
        answer = await change_user(
            desk, desk.boss, basic_user, lastName="Müller", email="X" + basic_user.email
        )
        record = answer.json()
        assert (record["lastName"], record["email"]) == ("MÜLLER", "x" + basic_user.email)
        assert (record["firstName"], record["data"]["clients"]) == ("ADA", [desk.client])

    async def test_keeps_only_the_ids_of_the_role(self, desk: Desk, basic_user: Person) -> None:
        physician = desk.world.create_physician(desk.client)
        data = {"clients": [desk.client], "physicians": [physician]}
        answer = await change_user(desk, desk.boss, basic_user, role="Physician", data=data)
        assert answer.json()["data"] == {"clients": [], "patients": [], "physicians": [physician]}

    async def test_the_role_of_the_registration_counts_where_the_user_has_none(
        self, desk: Desk, basic_user: Person
    ) -> None:
        registration = {"applicationId": "portal", "roles": ["Client Admin"]}
        data = {"clients": [desk.client]}
        denied_answer = await change_user(
            desk, desk.admin, basic_user, registration=registration, data=data
        )
        assert denied_answer.status_code == 400
        answer = await change_user(
            desk, desk.boss, basic_user, registration=registration, data=data
        )
        assert (answer.status_code, answer.json()["role"]) == (200, "Client Admin")

    async def test_the_second_of_two_administrators_gets_412(
        self, desk: Desk, basic_user: Person
    ) -> None:
        path = f"/{basic_user.user_id}"
        version = (await desk.call(desk.boss, "GET", path)).headers["ETag"]
        for actor, status in ((desk.boss, 200), (desk.admin, 412)):
            answer = await desk.call(
                actor, "PUT", path, json={"lastName": "New"}, headers={"If-Match": version}
            )
            assert answer.status_code == status

    async def test_an_email_in_use_is_rejected(self, desk: Desk, basic_user: Person) -> None:
        answer = await change_user(desk, desk.boss, basic_user, email=desk.admin.email)
        assert (answer.status_code, answer.json()["detail"]) == (409, messages.USER_EMAIL_IN_USE)

    async def test_a_new_email_ends_the_links_to_the_old_one(self, desk: Desk) -> None:
        record = await desk.create(desk.boss, f"old{desk.admin.email}")
        token = await desk.receive_token(record["email"])
        await desk.call(desk.boss, "PUT", f"/{record['id']}", json={"email": "new@other.lab"})
        assert (await desk.choose_password(token, "Another-1!")).status_code == 404

    async def test_records_the_names_of_changed_fields(
        self, desk: Desk, basic_user: Person
    ) -> None:
        await change_user(desk, desk.admin, basic_user, lastName="New")
        detail = desk.world.run_sql(
            "SELECT detail FROM audit_events WHERE user_id = %s AND action = 'change'",
            (desk.admin.user_id,),
        )
        assert detail == {"user": basic_user.user_id, "fields": ["last_name"]}


class TestSessions:
    """A change of rights applies at once."""

    @pytest.mark.parametrize(
        "values",
        [{"role": "Client Admin"}, {"active": False}, {"role": "Laboratory"}],
        ids=["another role", "not active", "a role of the lab"],
    )
    async def test_sessions_end_when_the_role_changes_or_the_account_is_deleted(
        self, desk: Desk, basic_user: Person, values: dict[str, Any]
    ) -> None:
        assert await is_signed_in(desk, basic_user)
        assert (await change_user(desk, desk.boss, basic_user, **values)).status_code == 200
        assert not await is_signed_in(desk, basic_user)

    async def test_sessions_end_when_a_client_is_withdrawn_and_stay_when_one_is_added(
        self, desk: Desk, basic_user: Person
    ) -> None:
        both = [desk.client, desk.other_client]
        for clients, stays in ((both, True), ([desk.client], False)):
            await change_user(desk, desk.boss, basic_user, data={"clients": clients})
            assert await is_signed_in(desk, basic_user) is stays

    async def test_changing_a_name_does_not_end_sessions(
        self, desk: Desk, basic_user: Person
    ) -> None:
        await change_user(desk, desk.boss, basic_user, lastName="New")
        assert await is_signed_in(desk, basic_user)


class TestClientAdmins:
    """What a Client Admin may do with users of several clients, and of higher roles."""

    async def test_keeps_assignments_to_other_clients(
        self, desk: Desk, shared_user: Person
    ) -> None:
        record = (await desk.call(desk.admin, "GET", f"/{shared_user.user_id}")).json()
        locked_by_client = {row["id"]: row["isLocked"] for row in record["clients"]}
        assert locked_by_client == {desk.client: False, desk.other_client: True}
        answer = await change_user(desk, desk.admin, shared_user, data={"clients": [desk.client]})
        assert set(answer.json()["data"]["clients"]) == {desk.client, desk.other_client}

    async def test_removes_only_own_clients(self, desk: Desk, shared_user: Person) -> None:
        record = (await desk.call(desk.admin, "GET", f"/{shared_user.user_id}")).json()
        assert not record["canChangeEmail"]["allowed"]
        own_client = desk.world.create_client()
        desk.world.run_sql(
            "UPDATE users SET client_ids = client_ids || %s::bigint WHERE id = ANY(%s)",
            (own_client, [desk.admin.user_id, shared_user.user_id]),
        )
        await desk.world.sign_in(desk.admin)
        answer = await change_user(desk, desk.admin, shared_user, data={"clients": [desk.client]})
        assert set(answer.json()["data"]["clients"]) == {desk.client, desk.other_client}

    @pytest.mark.parametrize(
        "values", [{"email": "mine@test.lab"}, {"active": False}, {"role": "Patient"}]
    )
    async def test_does_not_change_the_email_of_a_user_with_other_clients(
        self, desk: Desk, shared_user: Person, values: dict[str, Any]
    ) -> None:
        answer = await change_user(desk, desk.admin, shared_user, **values)
        assert (answer.status_code, answer.json()["detail"]) == (403, messages.USER_OF_OTHERS)

    async def test_neither_deletes_nor_invites_a_user_with_other_clients(
        self, desk: Desk, shared_user: Person
    ) -> None:
        for method, path in (("DELETE", ""), ("POST", "/notification")):
            answer = await desk.call(desk.admin, method, f"/{shared_user.user_id}{path}")
            assert answer.status_code == 403

    async def test_does_not_change_other_client_admins(self, desk: Desk) -> None:
        colleague = desk.world.create_account("Client Admin", client_ids=[desk.client])
        for values in ({"lastName": "X"}, {"role": "Client Basic"}):
            answer = await change_user(desk, desk.admin, colleague, **values)
            assert answer.status_code == 403
        assert (await desk.call(desk.admin, "DELETE", f"/{colleague.user_id}")).status_code == 403

    async def test_sees_no_name_of_a_foreign_patient(self, desk: Desk) -> None:
        patients = [desk.world.create_patient(c) for c in (desk.client, desk.other_client)]
        person = desk.world.create_account("Patient", patient_ids=patients)
        record = (await desk.call(desk.admin, "GET", f"/{person.user_id}")).json()
        names = {row["id"]: (row["lastName"], row["isLocked"]) for row in record["patients"]}
        assert names[patients[1]] == (None, True)
        assert names[patients[0]][0] is not None

    async def test_a_right_lost_while_saving_changes_nothing(
        self, desk: Desk, basic_user: Person
    ) -> None:
        await desk.call(desk.admin, "GET", f"/{basic_user.user_id}")
        answer = await desk.world.commit_meanwhile(
            "UPDATE users SET client_ids = %s WHERE id = %s",
            ([desk.other_client], desk.admin.user_id),
            change_user(desk, desk.admin, basic_user, lastName="Stolen"),
        )
        assert answer.status_code in (403, 404)
        name = "SELECT last_name FROM users WHERE id = %s"
        assert desk.world.run_sql(name, (basic_user.user_id,)) == "Tester"


class TestOneself:
    """Nobody changes their own role, assignments, or e-mail address."""

    @pytest.mark.parametrize("kind", ["boss", "admin"])
    async def test_users_change_only_their_own_names(self, desk: Desk, kind: str) -> None:
        actor: Person = getattr(desk, kind)
        assert (await change_user(desk, actor, actor, lastName="Self")).status_code == 200
        for values in (
            {"role": "Patient", "data": {"patients": [1]}},
            {"email": "self@test.lab"},
            {"active": False},
        ):
            answer = await change_user(desk, actor, actor, **values)
            assert (answer.status_code, answer.json()["detail"]) == (403, messages.USER_SELF)
        assert (await desk.call(actor, "DELETE", f"/{actor.user_id}")).status_code == 403

    async def test_a_client_admin_cannot_add_clients_to_themselves(self, desk: Desk) -> None:
        for clients in ([desk.client, desk.other_client], []):
            answer = await change_user(desk, desk.admin, desk.admin, data={"clients": clients})
            assert answer.status_code in (400, 403)


class TestDeleting:
    """DELETE /api/system/users/{id}."""

    async def test_ends_sign_ins_at_once_and_frees_the_email(
        self, desk: Desk, basic_user: Person
    ) -> None:
        assert (await desk.call(desk.admin, "DELETE", f"/{basic_user.user_id}")).status_code == 204
        assert not await is_signed_in(desk, basic_user)
        assert (await desk.sign_in(basic_user.email, PASSWORD)).status_code == 404
        assert (await desk.call(desk.boss, "GET", f"/{basic_user.user_id}")).status_code == 404
        await desk.create(desk.admin, basic_user.email)

    async def test_the_name_stays_in_the_history(self, desk: Desk, basic_user: Person) -> None:
        await desk.call(desk.admin, "DELETE", f"/{basic_user.user_id}")
        name = desk.world.run_sql("SELECT name_of_user(%s::uuid)", (basic_user.user_id,))
        assert name == "Ada Tester"

    async def test_a_deleted_user_cannot_be_invited_or_given_a_role(
        self, desk: Desk, basic_user: Person
    ) -> None:
        await desk.call(desk.boss, "DELETE", f"/{basic_user.user_id}")
        for method, path in (("PUT", ""), ("DELETE", ""), ("POST", "/notification")):
            answer = await desk.call(desk.boss, method, f"/{basic_user.user_id}{path}", json={})
            assert answer.status_code == 404


class TestInviting:
    """POST /api/system/users/{id}/notification."""

    async def test_sends_a_new_link_and_ends_the_earlier_one(self, desk: Desk) -> None:
        record = await desk.create(desk.admin, f"again{desk.admin.email}")
        first = await desk.receive_token(record["email"])
        answer = await desk.call(desk.admin, "POST", f"/{record['id']}/notification")
        assert answer.status_code == 200
        second = await desk.receive_token(record["email"])
        assert (await desk.choose_password(first, "Another-1!")).status_code == 404
        assert (await desk.choose_password(second, "Another-1!")).status_code == 204
