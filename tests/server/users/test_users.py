"""Administration of users over HTTP (P 2, P 4, P 5, P 6)."""

import asyncio
from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.accounts.builders import PASSWORD
from tests.server.users.desk import PATH, Desk
from tests.server.world import World

NEW = "Another-Horse-2!"


class TestApplication:
    """GET /api/system/application."""

    async def test_lists_the_roles_that_an_administrator_sees_and_gives(self, desk: Desk) -> None:
        http, path = desk.world.http, "/api/system/application"
        boss = (await http.get(path, headers=desk.boss.headers)).json()
        assert boss == {"roles": list(Role), "givenRoles": list(Role)}
        admin = (await http.get(path, headers=desk.admin.headers)).json()
        assert admin == {
            "roles": ["Client Admin", "Client Basic"],
            "givenRoles": ["Client Basic", "Patient"],
        }


class TestListing:
    """GET /api/system/users."""

    async def test_a_client_admin_sees_users_of_their_clients_only(self, desk: Desk) -> None:
        world = desk.world
        patient = world.create_patient(desk.client)
        own = [
            world.create_account("Client Basic", client_ids=[desk.client]),
            world.create_account("Client Basic", client_ids=[desk.client, desk.other_client]),
            world.create_account("Patient", patient_ids=[patient]),
        ]
        world.create_account("Client Basic", client_ids=[desk.other_client])
        world.create_account("Patient", patient_ids=[world.create_patient(desk.other_client)])
        answer = await desk.call(desk.admin, "GET", params={"take": 100})
        rows = {row["id"]: row for row in answer.json()["data"]}
        existing_ids = {desk.admin.user_id, desk.nurse.user_id}
        assert set(rows) == existing_ids | {person.user_id for person in own}
        assert [rows[p.user_id]["isWithin"] for p in own] == [True, False, True]
        assert rows[desk.admin.user_id]["isSelf"] and not rows[desk.admin.user_id]["isGiven"]

    async def test_a_patient_user_follows_the_patient_to_another_client(self, desk: Desk) -> None:
        patient = desk.world.create_patient(desk.client)
        person = desk.world.create_account("Patient", patient_ids=[patient])
        path = f"/{person.user_id}"
        assert (await desk.call(desk.admin, "GET", path)).status_code == 200
        desk.world.run_sql(
            "UPDATE patients SET client_id = %s WHERE id = %s", (desk.other_client, patient)
        )
        assert (await desk.call(desk.admin, "GET", path)).status_code == 404

    async def test_sorts_and_filters_by_names_and_role_only(self, desk: Desk) -> None:
        for last_name in ("Zuse", "Ada"):
            email = f"{last_name}{desk.admin.email}".lower()
            await desk.create(desk.boss, email, lastName=last_name)
        own = {"clientIds": desk.client, "role": "Client Basic"}
        answer = await desk.call(desk.boss, "GET", params={**own, "sort": "-lastName"})
        names = [row["lastName"] for row in answer.json()["data"]]
        assert names == sorted(names, reverse=True) and names[0] == "ZUSE"
        answer = await desk.call(desk.boss, "GET", params={**own, "column.lastName": "zus"})
        assert [row["lastName"] for row in answer.json()["data"]] == ["ZUSE"]
        for parameters in ({"sort": "email"}, {"column.email": "a"}, {"role": "King"}):
            assert (await desk.call(desk.boss, "GET", params=parameters)).status_code == 400

    async def test_hides_inactive_users_on_request(self, desk: Desk) -> None:
        inactive_user = desk.world.create_account("Client Basic", client_ids=[desk.client])
        desk.world.run_sql(
            "UPDATE users SET active = false WHERE id = %s", (inactive_user.user_id,)
        )
        shown_users = {}
        for active in ("true", "false"):
            answer = await desk.call(desk.admin, "GET", params={"active": active, "take": 100})
            shown_users[active] = {row["id"] for row in answer.json()["data"]}
        assert shown_users["false"] - shown_users["true"] == {inactive_user.user_id}
        assert shown_users["true"] == {desk.admin.user_id, desk.nurse.user_id}

    async def test_records_who_was_shown(self, desk: Desk) -> None:
        await desk.call(desk.admin, "GET")
        ids = desk.world.run_sql(
            "SELECT detail -> 'ids' FROM audit_events WHERE user_id = %s AND kind = 'users'",
            (desk.admin.user_id,),
        )
        assert set(ids) == {desk.admin.user_id, desk.nurse.user_id}

    @pytest.mark.parametrize("role", ["Laboratory", "Client Basic", "Physician", "Patient"])
    async def test_other_roles_have_no_list(self, desk: Desk, role: str) -> None:
        person = await desk.world.create_person(role)
        assert (await desk.call(person, "GET")).status_code == 403


class TestCreating:
    """POST /api/system/users."""

    async def test_invites_by_mail_and_lets_the_user_in(self, desk: Desk) -> None:
        email = f"New.{desk.admin.email}"
        record = await desk.create(desk.admin, email)
        assert (record["email"], record["lastName"]) == (email.lower(), "WALKER")
        assert record["username"].startswith(email.lower().partition("@")[0])
        assert 10_000 <= int(record["username"][-5:]) <= 99_999
        assert (await desk.sign_in(email, PASSWORD)).status_code == 404
        token = await desk.receive_token(email.lower())
        text = desk.list_emails(email.lower())[-1].mail.get_content()
        assert "72 hours" in text and "Wanda" not in text and "WALKER" not in text
        assert (await desk.choose_password(token, NEW)).status_code == 204
        session = (await desk.sign_in(email, NEW)).json()
        assert session["user"]["data"]["clients"] == [desk.client]

    async def test_an_invitation_outlives_the_ten_minutes_of_a_recovery(self, desk: Desk) -> None:
        record = await desk.create(desk.boss, f"slow{desk.admin.email}")
        token = await desk.receive_token(record["email"])
        desk.world.run_sql(
            "UPDATE password_recoveries SET created_at = now() - interval '71 hours',"
            " expires_at = expires_at - interval '71 hours' WHERE user_id = %s",
            (record["id"],),
        )
        assert (await desk.choose_password(token, NEW)).status_code == 204

    @pytest.mark.parametrize(
        ("values", "field", "message"),
        [
            ({"email": ""}, "email", messages.EMAIL_REQUIRED),
            ({"email": "nobody"}, "email", messages.EMAIL_INVALID),
            ({"lastName": " "}, "lastName", messages.LAST_NAME_REQUIRED),
            ({"firstName": None}, "firstName", messages.USER_FIRST_NAME_REQUIRED),
            ({"role": "", "registration": None}, "role", messages.USER_ROLE_REQUIRED),
            ({"data": {}}, "data.clients", messages.USER_CLIENT_REQUIRED),
            (
                {"role": "Physician", "data": {"clients": [1]}},
                "data.physicians",
                messages.USER_PHYSICIAN_REQUIRED,
            ),
            ({"role": "Patient", "data": {}}, "data.patients", messages.USER_PATIENT_REQUIRED),
            ({"data": {"clients": [9_007_199]}}, "data.clients", messages.NOT_FOUND),
        ],
    )
    async def test_rejects_the_same_input_as_the_form(
        self, desk: Desk, values: dict[str, Any], field: str, message: str
    ) -> None:
        body = {**desk.build_user(f"bad{desk.admin.email}"), **values}
        answer = await desk.call(desk.boss, "POST", json=body)
        assert answer.status_code == 400
        assert {"field": field, "message": message} in answer.json()["errors"]

    async def test_an_email_can_be_used_only_once(self, desk: Desk) -> None:
        stranger = desk.world.create_account("Client Basic", client_ids=[desk.other_client])
        email = stranger.email.upper()
        answer = await desk.call(desk.admin, "POST", json=desk.build_user(email))
        assert (answer.status_code, answer.json()["detail"]) == (409, "Email in use")
        for address, expected in ((email, True), ("nobody@test.lab", False)):
            answer = await desk.call(desk.admin, "GET", "/exist-user", params={"email": address})
            assert answer.json() is expected

    async def test_two_concurrent_administrators_cannot_use_the_same_email(
        self, desk: Desk
    ) -> None:
        body = desk.build_user(f"race{desk.admin.email}")
        answers = await asyncio.gather(
            desk.call(desk.boss, "POST", json=body), desk.call(desk.admin, "POST", json=body)
        )
        assert sorted(answer.status_code for answer in answers) == [201, 409]

    async def test_a_repeated_request_creates_one_user(self, desk: Desk) -> None:
        body, key = desk.build_user(f"twice{desk.admin.email}"), {"Idempotency-Key": "k1"}
        first = await desk.call(desk.boss, "POST", json=body, headers=key)
        again = await desk.call(desk.boss, "POST", json=body, headers=key)
        assert (first.status_code, again.json()["id"]) == (201, first.json()["id"])

    @pytest.mark.parametrize("role", ["Superuser", "Laboratory", "Client Admin", "Physician"])
    async def test_a_client_admin_cannot_give_a_higher_role(self, desk: Desk, role: str) -> None:
        body = desk.build_user(f"high{desk.admin.email}", role)
        assert (await desk.call(desk.admin, "POST", json=body)).status_code == 400

    async def test_a_client_admin_cannot_assign_foreign_clients_or_patients(
        self, desk: Desk
    ) -> None:
        foreign = desk.world.create_patient(desk.other_client)
        for role, data in (
            ("Client Basic", {"clients": [desk.client, desk.other_client]}),
            ("Patient", {"patients": [foreign]}),
        ):
            body = desk.build_user(f"far{desk.admin.email}", role, data=data)
            assert (await desk.call(desk.admin, "POST", json=body)).status_code == 400

    async def test_a_client_admin_who_loses_the_client_meanwhile_creates_nobody(
        self, desk: Desk
    ) -> None:
        answer = await desk.world.commit_meanwhile(
            "UPDATE users SET client_ids = %s WHERE id = %s",
            ([desk.other_client], desk.admin.user_id),
            desk.call(desk.admin, "POST", json=desk.build_user(f"late{desk.admin.email}")),
        )
        assert answer.status_code == 403

    async def test_nobody_is_created_without_a_mail_server(self, world: World) -> None:
        boss = await world.create_person("Superuser")
        body = {
            "email": f"no{boss.email}",
            "lastName": "A",
            "firstName": "B",
            "role": "Laboratory",
        }
        answer = await world.http.post(PATH, headers=boss.headers, json=body)
        assert (answer.status_code, answer.json()["code"]) == (424, "mail_not_configured")


class TestPatientUsers:
    """POST /api/system/users/patients/{id}."""

    async def test_fills_missing_fields_from_the_patient(self, desk: Desk) -> None:
        email = f"patient{desk.admin.email}"
        patient = desk.world.create_patient(desk.client, last_name="LEE", email=email)
        answer = await desk.call(desk.admin, "POST", f"/patients/{patient}", json={})
        record = answer.json()
        assert (answer.status_code, record["role"]) == (201, "Patient")
        assert (record["email"], record["lastName"]) == (email, "LEE")
        assert record["data"]["patients"] == [patient]

    async def test_a_foreign_patient_does_not_exist(self, desk: Desk) -> None:
        patient = desk.world.create_patient(desk.other_client)
        body = {"email": f"p{desk.admin.email}"}
        answer = await desk.call(desk.admin, "POST", f"/patients/{patient}", json=body)
        assert answer.status_code == 404
