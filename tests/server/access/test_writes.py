"""Writes are done once, on the version that was looked at, and committed before the answer."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.contract import messages
from app.server.access.idempotency import forget_old_answers
from tests.server.world import SIGNATURE, World


async def nurse_with_patient(world: World):
    """A nurse and a patient of the same client."""
    client = world.client()
    return await world.person("Client Basic", client_ids=[client]), world.patient(client)


def registration(client: int, **values: str) -> dict:
    """A new patient."""
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


def count(world: World, patient: int) -> int:
    """How many requisitions a patient has."""
    return world.sql("SELECT count(*) FROM requisitions WHERE patient_id = %s", (patient,))


class TestIdempotency:
    """The same save sent twice."""

    async def test_gives_the_first_answer_again_and_saves_once(self, world: World) -> None:
        nurse, patient = await nurse_with_patient(world)
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = world.requisition_body(patient)
        first = await world.http.post("/api/v2/requisitions", headers=headers, json=body)
        second = await world.http.post("/api/v2/requisitions", headers=headers, json=body)
        assert (first.status_code, second.status_code) == (201, 201)
        assert first.content == second.content
        assert second.headers["etag"] == first.headers["etag"]
        assert second.headers["idempotent-replayed"] == "true"
        assert count(world, patient) == 1

    async def test_sent_at_the_same_moment_saves_once(self, world: World) -> None:
        nurse, patient = await nurse_with_patient(world)
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = world.requisition_body(patient)
        answers = await asyncio.gather(
            *(world.http.post("/api/v2/requisitions", headers=headers, json=body) for _ in range(5))
        )
        assert {a.status_code for a in answers} == {201}
        assert len({a.content for a in answers}) == 1
        assert count(world, patient) == 1

    async def test_a_key_of_another_request_is_refused(self, world: World, problem_of) -> None:
        nurse, patient = await nurse_with_patient(world)
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = world.requisition_body(patient)
        await world.http.post("/api/v2/requisitions", headers=headers, json=body)
        body["fasting"] = 1
        answer = await world.http.post("/api/v2/requisitions", headers=headers, json=body)
        assert answer.status_code == 409
        assert problem_of(answer)["code"] == "idempotency_key_reused"

    async def test_keys_of_two_people_do_not_meet(self, world: World) -> None:
        first, patient = await nurse_with_patient(world)
        second, other_patient = await nurse_with_patient(world)
        key = uuid.uuid4().hex
        for person, whose in ((first, patient), (second, other_patient)):
            answer = await world.http.post(
                "/api/v2/requisitions",
                headers={**person.headers, "Idempotency-Key": key},
                json=world.requisition_body(whose),
            )
            assert answer.status_code == 201
            assert answer.json()["patientId"] == whose

    async def test_a_refused_write_may_be_sent_again_with_its_key(self, world: World) -> None:
        nurse, patient = await nurse_with_patient(world)
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        bad = {**world.requisition_body(patient), "tests": []}
        good = world.requisition_body(patient)
        refused = await world.http.post("/api/v2/requisitions", headers=headers, json=bad)
        saved = await world.http.post("/api/v2/requisitions", headers=headers, json=good)
        assert (refused.status_code, saved.status_code) == (400, 201)


class TestKeptAnswers:
    """What is kept for a second try is patients' data."""

    async def test_nobody_reads_them_in_the_database(self, world: World) -> None:
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client])
        key = uuid.uuid4().hex
        answer = await world.http.post(
            "/api/v2/patients",
            headers={**nurse.headers, "Idempotency-Key": key},
            json=registration(client, socialSecurityNumber="666-12-3498"),
        )
        assert answer.status_code == 201
        assert answer.json()["socialSecurityNumber"] == "666-12-3498"
        kept = world.sql("SELECT body FROM idempotency_keys WHERE key = %s", (key,))
        assert b"3498" not in kept and b"QUILL" not in kept

    async def test_an_access_lost_meanwhile_shows_nothing(
        self, world: World, problem_of, portal_app: FastAPI
    ) -> None:
        client = world.client()
        nurse = await world.person("Client Basic", client_ids=[client, world.client()])
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = registration(client)
        first = await world.http.post("/api/v2/patients", headers=headers, json=body)
        assert first.status_code == 201
        world.sql(
            "UPDATE users SET client_ids = array_remove(client_ids, %s) WHERE id = %s",
            (client, nurse.user_id),
        )
        portal_app.state.portal.authentication.forget()
        answer = await world.http.post("/api/v2/patients", headers=headers, json=body)
        assert answer.status_code == 409
        assert problem_of(answer)["code"] == "idempotency_key_reused"
        assert "QUILL" not in answer.text

    async def test_a_report_is_not_kept_but_made_anew(self, world: World) -> None:
        nurse, patient = await nurse_with_patient(world)
        saved = await world.requisition(nurse, patient)
        key = uuid.uuid4().hex
        for _ in range(2):
            answer = await world.http.post(
                "/api/v2/reports/requisition",
                headers={**nurse.headers, "Idempotency-Key": key},
                json={"ids": [saved["id"]]},
            )
            assert answer.status_code == 200
            assert "idempotent-replayed" not in answer.headers
        assert world.sql("SELECT count(*) FROM idempotency_keys WHERE key = %s", (key,)) == 0

    async def test_of_a_draft_none_is_kept(self, world: World) -> None:
        nurse, _ = await nurse_with_patient(world)
        path = f"/api/v2/requisitions/drafts/{uuid.uuid4()}"
        key = uuid.uuid4().hex
        for content in ({"comments": "one"}, {"comments": "two"}):
            answer = await world.http.put(
                path, headers={**nurse.headers, "Idempotency-Key": key}, json={"content": content}
            )
            assert (answer.status_code, answer.json()["content"]) == (200, content)
        assert world.sql("SELECT count(*) FROM idempotency_keys WHERE key = %s", (key,)) == 0

    async def test_are_forgotten_after_a_day(
        self, world: World, portal_app: FastAPI, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.server.access.idempotency._FORGET_AT_ONCE", 2)
        nurse, patient = await nurse_with_patient(world)
        for _ in range(6):
            await world.requisition(nurse, patient)
        mine = "SELECT count(*) FROM idempotency_keys WHERE user_id = %s"
        world.sql(
            "UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second'"
            " WHERE key = ANY(ARRAY(SELECT key FROM idempotency_keys WHERE user_id = %s LIMIT 5))",
            (nurse.user_id,),
        )
        assert world.sql(mine, (nurse.user_id,)) == 6
        assert await forget_old_answers(portal_app.state.portal) >= 5
        assert world.sql(mine, (nurse.user_id,)) == 1


class TestVersions:
    """Two saves of one requisition at once."""

    async def test_the_second_is_told_and_changes_nothing(self, world: World, problem_of) -> None:
        nurse, patient = await nurse_with_patient(world)
        saved = await world.requisition(nurse, patient)
        path = f"/api/v2/requisitions/{saved['id']}"
        headers = {**nurse.headers, "If-Match": f'"{saved["version"]}"'}
        answers = await asyncio.gather(
            world.http.post(path, headers=headers, json={"comments": "first"}),
            world.http.post(path, headers=headers, json={"comments": "second"}),
        )
        assert sorted(a.status_code for a in answers) == [200, 412]
        stale = next(a for a in answers if a.status_code == 412)
        kept = next(a for a in answers if a.status_code == 200)
        assert problem_of(stale)["code"] == "stale_version"
        now = (await world.http.get(path, headers=nurse.headers)).json()
        assert now["comments"] == kept.json()["comments"]
        assert now["version"] == saved["version"] + 1

    async def test_reads_give_the_version_as_etag(self, world: World) -> None:
        nurse, patient = await nurse_with_patient(world)
        saved = await world.requisition(nurse, patient)
        answer = await world.http.get(f"/api/v2/requisitions/{saved['id']}", headers=nurse.headers)
        assert answer.headers["etag"] == f'"{saved["version"]}"'

    async def test_a_version_that_is_none_is_a_400(self, world: World, problem_of) -> None:
        nurse, patient = await nurse_with_patient(world)
        saved = await world.requisition(nurse, patient)
        answer = await world.http.post(
            f"/api/v2/requisitions/{saved['id']}",
            headers={**nurse.headers, "If-Match": "latest"},
            json={"comments": "x"},
        )
        assert answer.status_code == 400
        assert problem_of(answer)["errors"][0]["field"] == "If-Match"


class TestCommit:
    """The answer leaves after the commit."""

    async def test_a_commit_that_fails_is_not_answered_with_success(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        nurse, patient = await nurse_with_patient(world)
        whole = AsyncSession.flush

        async def flush_and_doom(self, *args):
            await whole(self, *args)
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

        monkeypatch.setattr(AsyncSession, "flush", flush_and_doom)
        answer = await world.http.post(
            "/api/v2/requisitions",
            headers={**nurse.headers, "Idempotency-Key": uuid.uuid4().hex},
            json=world.requisition_body(patient),
        )
        monkeypatch.undo()
        assert answer.status_code == 409
        assert count(world, patient) == 0


class TestBodies:
    """Bodies that are none."""

    @pytest.mark.parametrize("body", ["{", "[1,", '{"tests": ', "\x00", "not json"])
    async def test_broken_json_says_so(self, world: World, problem_of, body: str) -> None:
        nurse, _ = await nurse_with_patient(world)
        answer = await world.http.post(
            "/api/v2/requisitions",
            headers={**nurse.headers, "Content-Type": "application/json"},
            content=body,
        )
        assert answer.status_code == 400
        assert problem_of(answer)["detail"] == messages.BODY_NOT_JSON

    async def test_wrong_types_name_the_field_and_not_the_value(
        self, world: World, problem_of
    ) -> None:
        nurse, patient = await nurse_with_patient(world)
        body = {**world.requisition_body(patient), "tests": "SECRET-VALUE"}
        answer = await world.http.post("/api/v2/requisitions", headers=nurse.headers, json=body)
        assert answer.status_code == 400
        assert problem_of(answer)["errors"][0]["field"] == "tests"
        assert "SECRET-VALUE" not in answer.text

    async def test_a_body_over_the_limit_is_a_413(self, world: World, problem_of) -> None:
        nurse, _ = await nurse_with_patient(world)
        answer = await world.http.post(
            "/api/v2/requisitions", headers=nurse.headers, content=b"x" * (41 * 1024 * 1024)
        )
        assert answer.status_code == 413
        assert problem_of(answer)["code"] == "too_large"

    @pytest.mark.parametrize("key", [None, "k-1"])
    async def test_one_whose_length_nobody_declared_is_a_413_too(
        self, world: World, problem_of, key: str | None
    ) -> None:
        nurse, _ = await nurse_with_patient(world)

        async def chunks() -> AsyncIterator[bytes]:
            for _ in range(41):
                yield b" " * (1024 * 1024)

        headers = {**nurse.headers, "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        answer = await world.http.post("/api/v2/requisitions", headers=headers, content=chunks())
        assert answer.status_code == 413
        assert problem_of(answer)["detail"] == messages.BODY_TOO_LARGE

    async def test_those_that_come_slowly_keep_nobody_from_writing(
        self, world: World, portal_app: FastAPI
    ) -> None:
        nurse, patient = await nurse_with_patient(world)
        signing = {"requisitionsIds": [(await world.requisition(nurse, patient))["id"]]}
        rest = asyncio.Event()
        connections = portal_app.state.portal.settings.write_pool_size
        all_are_read = asyncio.Barrier(connections + 1)

        async def slowly() -> AsyncIterator[bytes]:
            yield json.dumps({**signing, "image": SIGNATURE}).encode()[:-1]
            await all_are_read.wait()
            await rest.wait()
            yield b"}"

        slow = [
            asyncio.create_task(
                world.http.post(
                    "/api/v2/requisitions/sign-multiple",
                    headers={**nurse.headers, "Content-Type": "application/json"},
                    content=slowly(),
                )
            )
            for _ in range(connections)
        ]
        try:
            await all_are_read.wait()
            await world.requisition(nurse, patient)
            assert not any(each.done() for each in slow)
        finally:
            rest.set()
            answers = await asyncio.gather(*slow)
        # One sign-in serves one act.
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses == [200] + [403] * (connections - 1)

    async def test_unknown_paths_are_problem_json_too(self, world: World, problem_of) -> None:
        answer = await world.http.get("/api/v2/nothing-here")
        assert answer.status_code == 404
        assert problem_of(answer)["code"] == "not_found"
