"""Changing and searching patients."""

from app.contract import messages
from tests.server.patients.desk import VALID, mint_ssn, register_patient
from tests.server.world import World


class TestChanging:
    """PUT /v2/patients/{id}."""

    async def test_absent_fields_stay(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        patient = (await register_patient(world, nurse, client, email="ann@lee.test")).json()
        answer = await world.http.put(
            f"/api/v2/patients/{patient['id']}", headers=nurse.headers, json={"bed": "b2"}
        )
        changed_patient = answer.json()
        assert changed_patient["bed"] == "B2"
        assert {k: changed_patient[k] for k in VALID} == {k: patient[k] for k in VALID}
        assert changed_patient["email"] == "ann@lee.test"
        assert changed_patient["version"] == patient["version"] + 1

    async def test_null_clears_a_field(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        patient = (await register_patient(world, nurse, client, email="ann@lee.test")).json()
        answer = await world.http.put(
            f"/api/v2/patients/{patient['id']}", headers=nurse.headers, json={"email": None}
        )
        assert answer.json()["email"] is None

    async def test_rejects_a_stale_version(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        patient = (await register_patient(world, nurse, client)).json()
        headers = {**nurse.headers, "If-Match": f'"{patient["version"]}"'}
        path = f"/api/v2/patients/{patient['id']}"
        first_answer = await world.http.put(path, headers=headers, json={"bed": "1"})
        second_answer = await world.http.put(path, headers=headers, json={"bed": "2"})
        assert (first_answer.status_code, second_answer.status_code) == (200, 412)

    async def test_a_stale_version_names_the_person_who_saved_the_newer_one(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        colleague = await world.create_person("Client Basic", client_ids=[client])
        rename = "UPDATE users SET first_name = 'Grace', last_name = 'Colleague' WHERE id = %s"
        world.run_sql(rename, (colleague.user_id,))
        patient = (await register_patient(world, nurse, client)).json()
        path, body = f"/api/v2/patients/{patient['id']}", {"bed": "1"}
        change_answer = await world.http.put(path, headers=colleague.headers, json=body)
        assert change_answer.status_code == 200, change_answer.text
        headers = {**nurse.headers, "If-Match": f'"{patient["version"]}"'}
        stale_answer = await world.http.put(path, headers=headers, json=body)
        assert (stale_answer.status_code, stale_answer.json()["updatedBy"]) == (
            412,
            "Grace Colleague",
        )

    async def test_rejects_a_move_to_a_foreign_client(
        self, world: World, parse_problem, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        patient = (await register_patient(world, nurse, client)).json()
        answer = await world.http.put(
            f"/api/v2/patients/{patient['id']}",
            headers=nurse.headers,
            json={"clientId": world.create_client()},
        )
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == "clientId"


class TestSearching:
    """GET /v2/patients/remote-operations."""

    async def test_requires_both_names_outside_a_search_screen(
        self, world: World, parse_problem, nurse_and_client
    ) -> None:
        nurse, _ = nurse_and_client
        answer = await world.http.get(
            "/api/v2/patients/remote-operations",
            headers=nurse.headers,
            params={"fromSearch": "false", "lastName": "LEE"},
        )
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {"field": "firstName", "message": messages.SEARCH_FIRST_NAME_REQUIRED}
        ]
        answer = await world.http.get(
            "/api/v2/patients/remote-operations?fromSearch=false", headers=nurse.headers
        )
        assert parse_problem(answer)["errors"] == [
            {"field": "lastName", "message": messages.SEARCH_LAST_NAME_REQUIRED}
        ]

    async def test_finds_by_the_full_ssn_only(self, world: World, nurse_and_client) -> None:
        nurse, client = nurse_and_client
        number = mint_ssn(world)
        patient = (await register_patient(world, nurse, client, socialSecurityNumber=number)).json()
        path = "/api/v2/patients/remote-operations"
        list_answer = await world.http.get(path, headers=nurse.headers, params={"ssn": number})
        assert [row["id"] for row in list_answer.json()["data"]] == [patient["id"]]
        partial_answer = await world.http.get(
            path, headers=nurse.headers, params={"ssn": number[:4]}
        )
        assert partial_answer.status_code == 400

    async def test_audits_every_search_with_the_rows_shown(
        self, world: World, nurse_and_client
    ) -> None:
        nurse, client = nurse_and_client
        patient = (await register_patient(world, nurse, client)).json()
        await world.http.get("/api/v2/patients/remote-operations", headers=nurse.headers)
        audit_rows = world.fetch_rows(
            "SELECT action, kind, record_ids FROM audit_events WHERE user_id = %s ORDER BY id DESC",
            (nurse.user_id,),
        )
        assert ("list", "patients", [patient["id"]]) in audit_rows
