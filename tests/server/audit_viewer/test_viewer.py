"""The audit viewer: its list, details, export, and access reports (ADR 67)."""

import io
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pypdf
import pytest

import app.server
from app.contract.enumerations import AuditGroup, Role
from app.server.audit.models import DENIED_ACTIONS
from app.server.audit_viewer import words
from app.server.audit_viewer.rules import DetailLine, list_detail
from tests.server.accounts.builders import PASSWORD, Person
from tests.server.exports.desk import Desk
from tests.server.world import World

PATH = "/api/v2/audit-events"
NONEXISTENT_ID = 9_007_199_254_740_000
Row = dict[str, Any]


@pytest.fixture
async def superuser(world: World) -> Person:
    """A Superuser."""
    return await world.create_person(Role.SUPERUSER)


@pytest.fixture
async def patient(world: World, nurse: Person) -> int:
    """A patient whose record the nurse read, and for whom the nurse saved a requisition."""
    patient = world.create_patient(nurse.client)
    await world.http.get(f"/api/v2/patients/{patient}", headers=nurse.headers)
    requisition = await world.save_requisition(nurse, patient, "GLU")
    nurse.ids.append(requisition["id"])
    nurse.codes.append(requisition["code"])
    return patient


async def search_rows(world: World, person: Person, **filters: Any) -> list[Row]:
    """Return the rows that a search finds."""
    answer = await world.http.get(PATH, headers=person.headers, params=filters)
    assert answer.status_code == 200, answer.text
    rows: list[Row] = answer.json()["data"]
    return rows


class TestList:
    """The list of rows."""

    async def test_says_who_did_what_to_which_record(
        self, world: World, superuser: Person, nurse: Person, patient: int
    ) -> None:
        rows = await search_rows(world, superuser, user=nurse.user_id)
        creation, read = rows[0], rows[-1]
        assert creation["what"] == "Created a requisition"
        assert creation["records"][0]["code"] == nurse.codes[0]
        assert (read["what"], read["role"]) == ("Viewed a patient", Role.CLIENT_BASIC)
        assert read["records"][0]["id"] == patient
        name = world.run_sql("SELECT name_of_user(%s)", (nurse.user_id,))
        assert {row["person"] for row in rows} == {name}

    async def test_a_patient_filter_finds_rows_of_requisitions_too(
        self, world: World, superuser: Person, nurse: Person, patient: int
    ) -> None:
        other = world.create_patient(nurse.client)
        await world.http.get(f"/api/v2/patients/{other}", headers=nurse.headers)
        rows = await search_rows(world, superuser, patient=patient)
        assert {row["what"] for row in rows} >= {"Viewed a patient", "Created a requisition"}
        # A requisition may have the same id as the other patient.
        shown_codes = {record["code"] for row in rows for record in row["records"]}
        code, others_code = (
            world.run_sql("SELECT code FROM patients WHERE id = %s", (id_,))
            for id_ in (patient, other)
        )
        assert code in shown_codes
        assert others_code not in shown_codes

    async def test_a_patient_filter_finds_denied_requests_too(
        self, world: World, superuser: Person, patient: int
    ) -> None:
        stranger = await world.create_person(Role.CLIENT_BASIC, client_ids=[world.create_client()])
        answer = await world.http.get(f"/api/v2/patients/{patient}", headers=stranger.headers)
        assert answer.status_code == 404
        [row] = await search_rows(world, superuser, patient=patient, outcome="denied")
        assert (row["what"], row["isDenied"]) == ("Was denied a request", True)
        name = world.run_sql("SELECT name_of_user(%s)", (stranger.user_id,))
        assert row["person"] == name

    async def test_finds_rows_by_the_code_of_a_requisition(
        self, world: World, superuser: Person, nurse: Person, patient: int
    ) -> None:
        await world.save_requisition(nurse, patient, "K")
        rows = await search_rows(world, superuser, code=nurse.codes[0].lower())
        assert [row["records"][0]["code"] for row in rows] == [nurse.codes[0]]

    async def test_finds_rows_by_action(
        self, world: World, superuser: Person, nurse: Person, patient: int
    ) -> None:
        rows = await search_rows(world, superuser, user=nurse.user_id, group="changed")
        assert [row["what"] for row in rows] == ["Created a requisition"]
        assert await search_rows(world, superuser, user=nurse.user_id, group="released") == []

    async def test_days_are_those_of_the_lab(
        self, world: World, superuser: Person, nurse: Person
    ) -> None:
        # At 1:30 a.m. in UTC, it is still the day before in Chicago.
        at = datetime(2025, 3, 2, 1, 30, tzinfo=UTC)
        world.run_sql(
            "INSERT INTO audit_events (at, user_id, role, action, kind, record_ids, request_id)"
            " VALUES (%s, %s, 'Client Basic', 'read', 'order', '{}', '')",
            (at, nurse.user_id),
        )
        day = {"startDate": "2025-03-01", "endDate": "2025-03-01"}
        assert len(await search_rows(world, superuser, user=nurse.user_id, **day)) == 1
        next_day = {"startDate": "2025-03-02", "endDate": "2025-03-02"}
        assert await search_rows(world, superuser, user=nurse.user_id, **next_day) == []

    async def test_following_the_cursor_shows_every_row_once(
        self, world: World, superuser: Person, nurse: Person, patient: int
    ) -> None:
        for _ in range(4):
            await world.http.get(f"/api/v2/patients/{patient}", headers=nurse.headers)
        filters = {"user": nurse.user_id, "take": "2"}
        ids: list[int] = []
        after = ""
        while True:
            answer = await world.http.get(
                PATH, headers=superuser.headers, params={**filters, "after": after}
            )
            ids += [row["id"] for row in answer.json()["data"]]
            after = answer.json()["next"]
            if after is None:
                break
        assert len(ids) == len(set(ids)) == 6
        assert ids == sorted(ids, reverse=True)

    async def test_a_sign_in_has_the_role_of_the_person(
        self, world: World, superuser: Person
    ) -> None:
        physician = world.create_account("Physician", physician_ids=[world.create_physician()])
        login = {"loginId": physician.email, "password": PASSWORD}
        session = (await world.http.post("/auth/login", json=login)).json()
        body = {"refreshToken": session["refreshToken"]}
        renewed_session = (await world.http.post("/auth/jwt/refresh", json=body)).json()
        headers = {"Authorization": f"JWT {renewed_session['token']}"}
        await world.http.post("/auth/logout", headers=headers)
        filters = {"user": session["user"]["id"], "group": "signIn"}
        rows = await search_rows(world, superuser, **filters)
        assert [row["what"] for row in rows] == [
            "Signed out",
            "Continued a session",
            "Signed in",
        ]
        assert {row["role"] for row in rows} == {Role.PHYSICIAN}

    async def test_an_act_before_the_sign_in_has_no_role(
        self, world: World, superuser: Person, nurse: Person
    ) -> None:
        world.run_sql(
            "INSERT INTO audit_events (user_id, role, action, kind, record_ids, request_id)"
            " VALUES (%s, 'gatekeeper', 'fail-sign-in', 'user', '{}', '') RETURNING id",
            (nurse.user_id,),
        )
        rows = await search_rows(world, superuser, user=nurse.user_id, group="signIn")
        assert (rows[0]["what"], rows[0]["role"]) == ("Failed to sign in", "")

    async def test_leaves_out_continued_sessions_on_request(
        self, world: World, superuser: Person, nurse: Person
    ) -> None:
        for action in ("sign-in", "refresh-session", "refresh-session"):
            world.run_sql(
                "INSERT INTO audit_events (user_id, role, action, kind, record_ids, request_id)"
                " VALUES (%s, 'gatekeeper', %s, 'user', '{}', '') RETURNING id",
                (nurse.user_id, action),
            )
        filters = {"user": nurse.user_id, "group": "signIn"}
        rows = await search_rows(world, superuser, **filters, withoutUpkeep="true")
        assert [row["what"] for row in rows] == ["Signed in"]
        assert len(await search_rows(world, superuser, **filters)) == 3

    async def test_reading_the_audit_log_is_audited(self, world: World, superuser: Person) -> None:
        await search_rows(world, superuser, user=superuser.user_id)
        rows = await search_rows(world, superuser, user=superuser.user_id)
        assert rows[0]["what"] == "Listed the audit log"


class TestDetail:
    """The detail of a row."""

    async def test_has_old_and_new_values_and_the_request(
        self, world: World, superuser: Person
    ) -> None:
        event = world.run_sql(
            "INSERT INTO audit_events (role, action, kind, record_ids, request_id, detail)"
            " VALUES ('worker', 'change', 'lab-settings', '{}', 'r-1',"
            ' \'{"phone": {"old": null, "new": "815-555-0100"}}\') RETURNING id'
        )
        answer = await world.http.get(f"{PATH}/{event}", headers=superuser.headers)
        body = answer.json()
        assert body["detail"] == [
            {"name": "Phone", "value": "815-555-0100", "old": None, "isChange": True}
        ]
        assert (body["requestId"], body["seal"]) == ("r-1", None)

    async def test_a_nonexistent_row_is_not_found(self, world: World, superuser: Person) -> None:
        answer = await world.http.get(f"{PATH}/{NONEXISTENT_ID}", headers=superuser.headers)
        assert answer.status_code == 404

    def test_is_shown_in_words(self) -> None:
        detail = {"fields": ["bill_to", "bed"], "isInUse": True, "rules": {"a": 1}, "user": None}
        assert list_detail(detail) == [
            DetailLine("Fields", "bill to, bed"),
            DetailLine("Is in use", "Yes"),
            DetailLine("Rules", '{"a": 1}'),
            DetailLine("User", None),
        ]


class TestExport:
    """The export of a search."""

    async def test_has_the_rows_in_words(
        self, world: World, superuser: Person, nurse: Person, patient: int
    ) -> None:
        desk = Desk(world)
        body = {"format": "csv", "patient": patient, "withoutUpkeep": True}
        answer = await world.http.post(f"{PATH}/export", headers=superuser.headers, json=body)
        assert answer.status_code == 200, answer.text
        await desk.run(answer.json()["id"])
        text = (await desk.download(superuser, answer.json()["id"])).decode("utf-8-sig")
        lines = text.splitlines()
        assert lines[0].startswith("Time,Person,Role,What,Outcome,Records")
        assert any("Created a requisition,Done" in line for line in lines)
        assert any("Viewed a patient,Done" in line for line in lines)


class TestAccessReport:
    """'Who looked at my record'."""

    async def read(self, world: World, person: Person, patient: int, query: str = "") -> str:
        """Return the words of the report."""
        path = f"{PATH}/access-report/{patient}{query}"
        answer = await world.http.get(path, headers=person.headers)
        assert answer.status_code == 200, answer.text
        pages = pypdf.PdfReader(io.BytesIO(answer.content)).pages
        return " ".join(" ".join(page.extract_text().split()) for page in pages)

    async def test_lists_all_accesses(
        self, world: World, superuser: Person, nurse: Person, patient: int
    ) -> None:
        text = await self.read(world, superuser, patient)
        assert "Viewed a patient" in text
        assert "Created a requisition" in text
        assert nurse.codes[0] in text
        assert world.run_sql("SELECT code FROM patients WHERE id = %s", (patient,)) in text

    async def test_is_audited_and_appears_in_the_next_report(
        self, world: World, superuser: Person, patient: int
    ) -> None:
        await self.read(world, superuser, patient)
        assert "Printed the access report of" in await self.read(world, superuser, patient)

    async def test_covers_the_requested_days(
        self, world: World, superuser: Person, patient: int
    ) -> None:
        day = (datetime.now(UTC) - timedelta(days=40)).date()
        text = await self.read(world, superuser, patient, f"?startDate={day}&endDate={day}")
        assert "0 accesses" in text

    async def test_an_unknown_patient_is_not_found(self, world: World, superuser: Person) -> None:
        path = f"{PATH}/access-report/{NONEXISTENT_ID}"
        answer = await world.http.get(path, headers=superuser.headers)
        assert answer.status_code == 404


class TestWords:
    """The words for rows."""

    def test_every_denied_action_has_a_sentence(self) -> None:
        assert set(words.DENIED) == set(DENIED_ACTIONS)

    def test_every_action_of_the_source_has_words(self) -> None:
        described_actions = {*words.ACTIONS, *words.ACCOUNT_ACTIONS, *words.DENIED}
        calls = re.compile(r"(?:\.audit|_audit|add_audit_row|build_audit_insert)\(([^)]*)", re.S)
        actions = set()
        for file in Path(app.server.__file__).parent.rglob("*.py"):
            for call in calls.findall(file.read_text()):
                if match := re.search(r'"([a-z][a-z -]*)"', call):
                    actions.add(match.group(1))
        assert {"read", "sign", "refuse"} <= actions
        kinds = set(words.KINDS)
        assert actions - described_actions - kinds == set()

    def test_every_action_is_in_one_group(self) -> None:
        groups = [words.list_actions(group) for group in AuditGroup]
        listed_actions = [action for group in groups for action in group]
        assert len(listed_actions) == len(set(listed_actions))
        missing_actions = {*words.ACTIONS, *words.ACCOUNT_ACTIONS, *words.DENIED} - set(
            listed_actions
        )
        assert missing_actions == {"refuse"}

    def test_unknown_words_are_shown_as_they_are(self) -> None:
        assert words.describe_act("shake-well", "odd-thing") == "Shake well odd thing"
