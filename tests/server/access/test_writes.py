"""Idempotency, version checks, commits and request bodies of writes."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.contract import messages
from app.server.access.idempotency import delete_old_answers
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World


async def create_nurse_with_patient(world: World):
    """Create a nurse and a patient of the same client."""
    client = world.create_client()
    nurse = await world.create_person("Client Basic", client_ids=[client])
    return nurse, world.create_patient(client)


def build_registration(client: int, **values: str) -> dict:
    """Build the request body of a new patient."""
    return {
        "clientId": client,
        "lastName": "Quill",
        "address": "1 Main St",
        "zipCodeName": "60601",
        "zipCodePlus4": "1234",
        "firstName": "Ada",
        "birthDate": "1980-02-03",
        "gender": "FEMALE",
        **values,
    }


def count_requisitions(world: World, patient: int) -> int:
    """Count a patient's requisitions."""
    return world.run_sql("SELECT count(*) FROM requisitions WHERE patient_id = %s", (patient,))


class TestIdempotency:
    """Idempotency keys."""

    async def test_repeats_the_first_answer_and_saves_once(self, world: World) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = world.build_requisition_body(patient)
        first_answer = await world.http.post("/api/v2/requisitions", headers=headers, json=body)
        second_answer = await world.http.post("/api/v2/requisitions", headers=headers, json=body)
        assert (first_answer.status_code, second_answer.status_code) == (201, 201)
        assert first_answer.content == second_answer.content
        assert second_answer.headers["etag"] == first_answer.headers["etag"]
        assert second_answer.headers["idempotent-replayed"] == "true"
        assert count_requisitions(world, patient) == 1

    async def test_concurrent_requests_save_once(self, world: World) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = world.build_requisition_body(patient)
        answers = await asyncio.gather(
            *(world.http.post("/api/v2/requisitions", headers=headers, json=body) for _ in range(5))
        )
        assert {a.status_code for a in answers} == {201}
        assert len({a.content for a in answers}) == 1
        assert count_requisitions(world, patient) == 1

    async def test_rejects_a_key_of_another_request(self, world: World, parse_problem) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = world.build_requisition_body(patient)
        await world.http.post("/api/v2/requisitions", headers=headers, json=body)
        body["fasting"] = 1
        answer = await world.http.post("/api/v2/requisitions", headers=headers, json=body)
        assert answer.status_code == 409
        assert parse_problem(answer)["code"] == "idempotency_key_reused"

    async def test_two_people_may_use_the_same_key(self, world: World) -> None:
        first, patient = await create_nurse_with_patient(world)
        second, other_patient = await create_nurse_with_patient(world)
        key = uuid.uuid4().hex
        for person, own_patient in ((first, patient), (second, other_patient)):
            answer = await world.http.post(
                "/api/v2/requisitions",
                headers={**person.headers, "Idempotency-Key": key},
                json=world.build_requisition_body(own_patient),
            )
            assert answer.status_code == 201
            assert answer.json()["patientId"] == own_patient

    async def test_a_rejected_write_frees_its_key(self, world: World) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        bad_body = {**world.build_requisition_body(patient), "tests": []}
        good_body = world.build_requisition_body(patient)
        rejected_answer = await world.http.post(
            "/api/v2/requisitions", headers=headers, json=bad_body
        )
        accepted_answer = await world.http.post(
            "/api/v2/requisitions", headers=headers, json=good_body
        )
        assert (rejected_answer.status_code, accepted_answer.status_code) == (400, 201)


class TestStoredAnswers:
    """Answers stored under idempotency keys, which contain patient data."""

    async def test_stored_answers_are_encrypted_in_the_database(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        key = uuid.uuid4().hex
        answer = await world.http.post(
            "/api/v2/patients",
            headers={**nurse.headers, "Idempotency-Key": key},
            json=build_registration(client, socialSecurityNumber="666-12-3498"),
        )
        assert answer.status_code == 201
        assert answer.json()["socialSecurityNumber"] == "666-12-3498"
        body = world.run_sql("SELECT body FROM idempotency_keys WHERE key = %s", (key,))
        assert b"3498" not in body and b"QUILL" not in body

    async def test_stored_answers_are_withheld_after_the_access_changed(
        self, world: World, parse_problem, portal_app: FastAPI
    ) -> None:
        client = world.create_client()
        nurse = await world.create_person(
            "Client Basic", client_ids=[client, world.create_client()]
        )
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = build_registration(client)
        first_answer = await world.http.post("/api/v2/patients", headers=headers, json=body)
        assert first_answer.status_code == 201
        world.run_sql(
            "UPDATE users SET client_ids = array_remove(client_ids, %s) WHERE id = %s",
            (client, nurse.user_id),
        )
        portal_app.state.portal.authentication.clear_cache()
        answer = await world.http.post("/api/v2/patients", headers=headers, json=body)
        assert answer.status_code == 409
        assert parse_problem(answer)["code"] == "idempotency_key_reused"
        assert "QUILL" not in answer.text

    async def test_reports_are_not_stored(self, world: World) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        requisition = await world.save_requisition(nurse, patient)
        key = uuid.uuid4().hex
        for _ in range(2):
            answer = await world.http.post(
                "/api/v2/reports/requisition",
                headers={**nurse.headers, "Idempotency-Key": key},
                json={"ids": [requisition["id"]]},
            )
            assert answer.status_code == 200
            assert "idempotent-replayed" not in answer.headers
        assert world.run_sql("SELECT count(*) FROM idempotency_keys WHERE key = %s", (key,)) == 0

    async def test_draft_writes_are_not_stored(self, world: World) -> None:
        nurse, _ = await create_nurse_with_patient(world)
        path = f"/api/v2/requisitions/drafts/{uuid.uuid4()}"
        key = uuid.uuid4().hex
        for content in ({"comments": "one"}, {"comments": "two"}):
            answer = await world.http.put(
                path, headers={**nurse.headers, "Idempotency-Key": key}, json={"content": content}
            )
            assert (answer.status_code, answer.json()["content"]) == (200, content)
        assert world.run_sql("SELECT count(*) FROM idempotency_keys WHERE key = %s", (key,)) == 0

    async def test_stored_answers_are_deleted_after_a_day(
        self, world: World, portal_app: FastAPI, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.server.access.idempotency._DELETE_BATCH", 2)
        nurse, patient = await create_nurse_with_patient(world)
        for _ in range(6):
            await world.save_requisition(nurse, patient)
        count_own = "SELECT count(*) FROM idempotency_keys WHERE user_id = %s"
        world.run_sql(
            "UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second'"
            " WHERE key = ANY(ARRAY(SELECT key FROM idempotency_keys WHERE user_id = %s LIMIT 5))",
            (nurse.user_id,),
        )
        assert world.run_sql(count_own, (nurse.user_id,)) == 6
        assert await delete_old_answers(portal_app.state.portal) >= 5
        assert world.run_sql(count_own, (nurse.user_id,)) == 1


class TestVersions:
    """Version checks."""

    async def test_a_stale_save_is_rejected_and_changes_nothing(
        self, world: World, parse_problem
    ) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        requisition = await world.save_requisition(nurse, patient)
        path = f"/api/v2/requisitions/{requisition['id']}"
        headers = {**nurse.headers, "If-Match": f'"{requisition["version"]}"'}
        answers = await asyncio.gather(
            world.http.post(path, headers=headers, json={"comments": "first"}),
            world.http.post(path, headers=headers, json={"comments": "second"}),
        )
        assert sorted(a.status_code for a in answers) == [200, 412]
        stale_answer = next(a for a in answers if a.status_code == 412)
        winner = next(a for a in answers if a.status_code == 200)
        assert parse_problem(stale_answer)["code"] == "stale_version"
        latest = (await world.http.get(path, headers=nurse.headers)).json()
        assert latest["comments"] == winner.json()["comments"]
        assert latest["version"] == requisition["version"] + 1

    async def test_reads_return_the_version_as_etag(self, world: World) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        requisition = await world.save_requisition(nurse, patient)
        answer = await world.http.get(
            f"/api/v2/requisitions/{requisition['id']}", headers=nurse.headers
        )
        assert answer.headers["etag"] == f'"{requisition["version"]}"'

    async def test_rejects_an_invalid_version(self, world: World, parse_problem) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        requisition = await world.save_requisition(nurse, patient)
        answer = await world.http.post(
            f"/api/v2/requisitions/{requisition['id']}",
            headers={**nurse.headers, "If-Match": "latest"},
            json={"comments": "x"},
        )
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == "If-Match"


class TestCommit:
    """The commit before the answer."""

    async def test_a_failed_commit_answers_with_an_error(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        original_flush = AsyncSession.flush

        async def flush_and_break_commit(self, *args):
            await original_flush(self, *args)
            # A deferred constraint fails only when the transaction commits.
            await self.execute(text("RESET ROLE"))
            await self.execute(
                text(
                    "CREATE TEMP TABLE IF NOT EXISTS doomed (id int PRIMARY KEY, other int "
                    "REFERENCES doomed (id) DEFERRABLE INITIALLY DEFERRED) ON COMMIT DROP"
                )
            )
            await self.execute(text("INSERT INTO doomed VALUES (1, 2) ON CONFLICT DO NOTHING"))
            await self.execute(text("SET LOCAL ROLE as_client"))

        monkeypatch.setattr(AsyncSession, "flush", flush_and_break_commit)
        answer = await world.http.post(
            "/api/v2/requisitions",
            headers={**nurse.headers, "Idempotency-Key": uuid.uuid4().hex},
            json=world.build_requisition_body(patient),
        )
        monkeypatch.undo()
        assert answer.status_code == 409
        assert count_requisitions(world, patient) == 0


class TestBodies:
    """Invalid request bodies."""

    @pytest.mark.parametrize("body", ["{", "[1,", '{"tests": ', "\x00", "not json"])
    async def test_rejects_broken_json(self, world: World, parse_problem, body: str) -> None:
        nurse, _ = await create_nurse_with_patient(world)
        answer = await world.http.post(
            "/api/v2/requisitions",
            headers={**nurse.headers, "Content-Type": "application/json"},
            content=body,
        )
        assert answer.status_code == 400
        assert parse_problem(answer)["detail"] == messages.BODY_NOT_JSON

    async def test_wrong_types_name_the_field_and_not_the_value(
        self, world: World, parse_problem
    ) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        body = {**world.build_requisition_body(patient), "tests": "SECRET-VALUE"}
        answer = await world.http.post("/api/v2/requisitions", headers=nurse.headers, json=body)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == "tests"
        assert "SECRET-VALUE" not in answer.text

    async def test_rejects_a_body_over_the_limit(self, world: World, parse_problem) -> None:
        nurse, _ = await create_nurse_with_patient(world)
        answer = await world.http.post(
            "/api/v2/requisitions", headers=nurse.headers, content=b"x" * (41 * 1024 * 1024)
        )
        assert answer.status_code == 413
        assert parse_problem(answer)["code"] == "too_large"

    @pytest.mark.parametrize("key", [None, "k-1"])
    async def test_rejects_a_large_body_of_undeclared_length(
        self, world: World, parse_problem, key: str | None
    ) -> None:
        nurse, _ = await create_nurse_with_patient(world)

        async def send_chunks() -> AsyncIterator[bytes]:
            for _ in range(41):
                yield b" " * (1024 * 1024)

        headers = {**nurse.headers, "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        answer = await world.http.post(
            "/api/v2/requisitions", headers=headers, content=send_chunks()
        )
        assert answer.status_code == 413
        assert parse_problem(answer)["detail"] == messages.BODY_TOO_LARGE

    async def test_slow_bodies_do_not_block_other_writes(
        self, world: World, portal_app: FastAPI
    ) -> None:
        nurse, patient = await create_nurse_with_patient(world)
        signing_body = {"requisitionsIds": [(await world.save_requisition(nurse, patient))["id"]]}
        may_end = asyncio.Event()
        connection_count = portal_app.state.portal.settings.write_pool_size
        all_are_read = asyncio.Barrier(connection_count + 1)

        async def send_slowly() -> AsyncIterator[bytes]:
            yield json.dumps({**signing_body, "image": SIGNATURE}).encode()[:-1]
            await all_are_read.wait()
            await may_end.wait()
            yield b"}"

        slow_requests = [
            asyncio.create_task(
                world.http.post(
                    "/api/v2/requisitions/sign-multiple",
                    headers={**nurse.headers, "Content-Type": "application/json"},
                    content=send_slowly(),
                )
            )
            for _ in range(connection_count)
        ]
        try:
            await all_are_read.wait()
            await world.save_requisition(nurse, patient)
            assert not any(request.done() for request in slow_requests)
        finally:
            may_end.set()
            answers = await asyncio.gather(*slow_requests)
        # One request signs, because a sign-in allows only one signature. The others are denied, or
        # are beyond the number of images that the portal decodes for a person at once.
        statuses = [answer.status_code for answer in answers]
        assert statuses.count(200) == 1
        assert set(statuses) <= {200, 403, 429}

    async def test_unknown_paths_are_problem_json_too(self, world: World, parse_problem) -> None:
        answer = await world.http.get("/api/v2/nothing-here")
        assert answer.status_code == 404
        assert parse_problem(answer)["code"] == "not_found"
