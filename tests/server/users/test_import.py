"""Import of people from a CSV file, with a preview (ADR 60)."""

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from app.contract import messages
from app.contract.limits import USER_IMPORT_MAX_BYTES, USER_IMPORT_PART_ROWS
from tests.server.accounts.builders import Person
from tests.server.users.desk import PATH, Desk
from tests.server.world import World

HEADER = "Email,Last Name,First Name,Role,Codes"


def build_body(*lines: str, header: str = HEADER, encoding: str = "utf-8") -> dict[str, str]:
    """Build the body with a file of these lines."""
    content = "\r\n".join((header, *lines)).encode(encoding)
    return {"content": b64encode(content).decode()}


def get_code(desk: Desk, client: int) -> str:
    """Return the code of a client."""
    return str(desk.world.run_sql("SELECT code FROM clients WHERE id = %s", (client,)))


async def preview_file(desk: Desk, person: Person, body: Mapping[str, str]) -> dict[str, Any]:
    """Return the preview of a file."""
    answer = await desk.call(person, "POST", "/import/preview", json=body)
    assert answer.status_code == 200, answer.text
    preview: dict[str, Any] = answer.json()
    return preview


async def import_people(
    desk: Desk, person: Person, body: Mapping[str, Any], key: str
) -> httpx.Response:
    """Import a file with an idempotency key."""
    headers = {"Idempotency-Key": key}
    return await desk.call(person, "POST", "/import", json=body, headers=headers)


def count_users(desk: Desk, email: str) -> int:
    """Count the users with an e-mail address."""
    return int(desk.world.run_sql("SELECT count(*) FROM users WHERE email = %s", (email,)))


class TestPreview:
    """POST /api/system/users/import/preview."""

    async def test_says_who_would_be_invited_and_changes_nothing(self, desk: Desk) -> None:
        email, code = f"one{desk.admin.email}", get_code(desk, desk.client)
        name = desk.world.run_sql("SELECT name FROM clients WHERE id = %s", (desk.client,))
        line = f" {email.upper()} ,O'Hara,renée,client basic,{code.lower()}; {code}"
        preview = await preview_file(desk, desk.admin, build_body(line))
        assert preview["accepted"] == 1
        assert preview["rows"] == [
            {
                "number": 2,
                "email": email.lower(),
                "lastName": "O'HARA",
                "firstName": "RENÉE",
                "role": "Client Basic",
                "assigned": [name],
                "errors": [],
            }
        ]
        assert count_users(desk, email) == 0

    async def test_says_what_is_wrong_with_each_row(self, desk: Desk) -> None:
        email, code = desk.admin.email, get_code(desk, desk.client)
        cases = {
            ",A,B,Laboratory,": [messages.EMAIL_REQUIRED],
            "nobody,A,B,Laboratory,": [messages.EMAIL_INVALID],
            f"a{email},,,Laboratory,": [
                messages.LAST_NAME_REQUIRED,
                messages.USER_FIRST_NAME_REQUIRED,
            ],
            f"b{email},{'L' * 101},B,Laboratory,": [messages.VALUE_TOO_LONG.format(max=100)],
            f"c{email},A,B,King,": [messages.USER_ROLE_REQUIRED],
            f"d{email},A,B": [messages.USER_ROLE_REQUIRED],
            f"e{email},A,B,Client Basic,": [messages.USER_CLIENT_REQUIRED],
            f"f{email},A,B,Physician,": [messages.USER_PHYSICIAN_REQUIRED],
            f"g{email},A,B,Patient,": [messages.USER_PATIENT_REQUIRED],
            f"h{email},A,B,Client Basic,{code};XX": ["Unknown codes: XX"],
            f"i{email},A,B,Client Basic,{code},XX": [messages.USER_IMPORT_COLUMNS],
            f"{desk.nurse.email.upper()},A,B,Laboratory,": [messages.USER_EMAIL_IN_USE],
            f"j{email},A,B,Laboratory,": [],
            f"J{email},A,B,Laboratory,,,": ["Same email as row 14"],
        }
        preview = await preview_file(desk, desk.boss, build_body(*cases))
        assert [row["errors"] for row in preview["rows"]] == list(cases.values())
        assert preview["accepted"] == 1

    async def test_codes_out_of_scope_are_unknown(self, desk: Desk) -> None:
        world, email = desk.world, desk.admin.email
        own, foreign = (
            world.run_sql(
                "SELECT code FROM patients WHERE id = %s", (world.create_patient(client),)
            )
            for client in (desk.client, desk.other_client)
        )
        other = get_code(desk, desk.other_client)
        preview = await preview_file(
            desk,
            desk.admin,
            build_body(
                f"a{email},A,B,Patient,{own}",
                f"b{email},A,B,Patient,{foreign}",
                f"c{email},A,B,Client Basic,{other}",
                f"d{email},A,B,Client Admin,{get_code(desk, desk.client)}",
            ),
        )
        assert [row["errors"] for row in preview["rows"]] == [
            [],
            [f"Unknown codes: {foreign}"],
            [f"Unknown codes: {other}"],
            [messages.USER_ROLE_REQUIRED],
        ]

    async def test_cannot_be_used_to_search_for_email_addresses(self, desk: Desk) -> None:
        def build_file(client: int) -> dict[str, str]:
            people = [
                desk.world.create_account("Client Basic", client_ids=[client]) for _ in range(31)
            ]
            code = get_code(desk, desk.client)
            return build_body(*(f"{person.email},A,B,Client Basic,{code}" for person in people))

        own, foreign = build_file(desk.client), build_file(desk.other_client)
        assert (await preview_file(desk, desk.admin, own))["accepted"] == 0
        answer = await desk.call(desk.admin, "POST", "/import/preview", json=foreign)
        assert answer.status_code == 429
        assert answer.json()["code"] == "quota_exceeded"
        assert (await preview_file(desk, desk.boss, foreign))["accepted"] == 0

    async def test_names_the_patient_of_a_code_and_audits_it(self, desk: Desk) -> None:
        patient = desk.world.create_patient(desk.client, last_name="LEE")
        code, first_name = (
            desk.world.run_sql(f"SELECT {column} FROM patients WHERE id = %s", (patient,))
            for column in ("code", "first_name")
        )
        body = build_body(f"a{desk.admin.email},A,B,Patient,{code}")
        preview = await preview_file(desk, desk.admin, body)
        assert preview["rows"][0]["assigned"] == [f"LEE, {first_name}"]
        patients = desk.world.run_sql(
            "SELECT detail -> 'patients' FROM audit_events WHERE user_id = %s"
            " AND action = 'preview-import'",
            (desk.admin.user_id,),
        )
        assert patients == [patient]

    async def test_skips_empty_rows_and_keeps_the_numbers_of_the_spreadsheet(
        self, desk: Desk
    ) -> None:
        body = build_body(f'a{desk.admin.email},"A\r\nB",C,Laboratory,', "", ",,,,", "x,A,B,Lab,")
        preview = await preview_file(desk, desk.boss, body)
        assert [row["number"] for row in preview["rows"]] == [2, 5]

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
    async def test_reads_files_of_spreadsheets(self, desk: Desk, encoding: str) -> None:
        line = f"a{desk.admin.email},Núñez,Zoë,Laboratory,"
        preview = await preview_file(desk, desk.boss, build_body(line, encoding=encoding))
        assert (preview["rows"][0]["lastName"], preview["accepted"]) == ("NÚÑEZ", 1)

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            (build_body("a", encoding="utf-16"), messages.USER_IMPORT_ENCODING),
            ({"content": b64encode(b"\x81,\x8d").decode()}, messages.USER_IMPORT_ENCODING),
            ({"content": b64encode(b"PK\x03\x04\x00").decode()}, messages.USER_IMPORT_ENCODING),
            (build_body("a", header="Mail,Name"), messages.USER_IMPORT_HEADER[:20]),
            (build_body("a", header=HEADER.replace(",", ";")), messages.USER_IMPORT_HEADER[:20]),
            ({"content": ""}, messages.USER_IMPORT_HEADER[:20]),
            (build_body(), messages.USER_IMPORT_EMPTY),
            (build_body('"a"b,c'), messages.USER_IMPORT_NO_CSV),
            ({"content": "no base64!"}, messages.USER_IMPORT_NO_CSV),
            (build_body(*["a@b.example,A,B,Laboratory,"] * 50_001), "this one has 50,001"),
            (
                {"content": b64encode(b"a" * (USER_IMPORT_MAX_BYTES + 1)).decode()},
                messages.USER_IMPORT_TOO_LARGE,
            ),
        ],
        ids=lambda value: value if isinstance(value, str) else "file",
    )
    async def test_rejects_files_that_it_cannot_read(
        self, desk: Desk, body: dict[str, str], message: str
    ) -> None:
        for path in ("/import/preview", "/import"):
            answer = await desk.call(desk.boss, "POST", path, json=body)
            assert answer.status_code == 400
            assert message in answer.json()["errors"][0]["message"]
            assert answer.json()["errors"][0]["field"] == "content"

    async def test_counts_a_long_file_and_shows_errors_first(self, desk: Desk) -> None:
        valid_lines = [
            f"n{n}{desk.admin.email},A,B,Laboratory," for n in range(USER_IMPORT_PART_ROWS * 2)
        ]
        preview = await preview_file(
            desk, desk.boss, build_body(*valid_lines, "=1+1,A,B,Laboratory,")
        )
        assert (preview["accepted"], preview["rejected"]) == (len(valid_lines), 1)
        assert len(preview["rows"]) == USER_IMPORT_PART_ROWS
        assert preview["rows"][0]["number"] == len(valid_lines) + 2
        assert preview["rows"][0]["errors"] == [messages.EMAIL_INVALID]

    async def test_reports_a_missing_mail_server_at_once(self, world: World) -> None:
        boss = await world.create_person("Superuser")
        body = build_body("a@test.lab,A,B,Laboratory,")
        for path in ("/import/preview", "/import"):
            answer = await world.http.post(PATH + path, headers=boss.headers, json=body)
            assert (answer.status_code, answer.json()["code"]) == (424, "mail_not_configured")


class TestImport:
    """POST /api/system/users/import."""

    async def test_invites_the_people_of_the_valid_rows(self, desk: Desk) -> None:
        first, second = f"a{desk.admin.email}", f"b{desk.admin.email}"
        code = get_code(desk, desk.client)
        body = build_body(
            f"{first},Walker,Wanda,Client Basic,{code}",
            f"{second},Walker,,Client Basic,{code}",
        )
        answer = await import_people(desk, desk.admin, body, "k-valid")
        assert (answer.status_code, answer.json()["accepted"]) == (200, 1)
        assert answer.json()["rows"][1]["errors"] == [messages.USER_FIRST_NAME_REQUIRED]
        assert count_users(desk, second) == 0
        token = await desk.receive_token(first)
        assert (await desk.choose_password(token, "Another-Horse-2!")).status_code == 204
        session = (await desk.sign_in(first, "Another-Horse-2!")).json()
        assert session["user"]["data"]["clients"] == [desk.client]

    async def test_a_repeated_import_invites_nobody_twice(self, desk: Desk) -> None:
        emails = [f"{name}{desk.admin.email}" for name in "ab"]
        body = build_body(*(f"{email},A,B,Laboratory," for email in emails))
        answers = [await import_people(desk, desk.boss, body, "k-twice") for _ in range(2)]
        assert [answer.json()["accepted"] for answer in answers] == [2, 2]
        await desk.run_job()
        assert [len(desk.list_emails(email)) for email in emails] == [1, 1]

    async def test_a_long_file_is_imported_in_parts(
        self, desk: Desk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.server.users.import_rules.USER_IMPORT_PART_ROWS", 2)
        emails = [f"{name}{desk.admin.email}" for name in "abc"]
        body = build_body(*(f"{email},A,B,Laboratory," for email in emails))
        first = (await import_people(desk, desk.boss, body, "k-part-1")).json()
        assert (first["accepted"], first["nextRow"]) == (2, 4)
        assert [count_users(desk, email) for email in emails] == [1, 1, 0]
        rest = {**body, "firstRow": first["nextRow"]}
        second = (await import_people(desk, desk.boss, rest, "k-part-2")).json()
        assert (second["accepted"], second["nextRow"]) == (1, None)
        assert [count_users(desk, email) for email in emails] == [1, 1, 1]

    async def test_concurrent_imports_with_one_key_agree(self, desk: Desk) -> None:
        email = f"a{desk.admin.email}"
        body = build_body(f"{email},A,B,Laboratory,")
        answers = await asyncio.gather(
            *(import_people(desk, desk.boss, body, "k-both") for _ in range(2))
        )
        assert [answer.json()["accepted"] for answer in answers] == [1, 1]
        assert count_users(desk, email) == 1

    async def test_the_key_of_another_file_invites_nobody(self, desk: Desk) -> None:
        first, second = (f"{name}{desk.admin.email}" for name in "ab")
        await import_people(desk, desk.boss, build_body(f"{first},A,B,Laboratory,"), "k-file")
        body = build_body(f"{second},A,B,Laboratory,")
        answer = await import_people(desk, desk.boss, body, "k-file")
        assert answer.json()["rows"][0]["errors"] == [messages.IDEMPOTENCY_KEY_REUSED]
        assert count_users(desk, second) == 0

    async def test_a_row_that_became_invalid_does_not_stop_the_others(self, desk: Desk) -> None:
        emails = [f"{name}{desk.admin.email}" for name in "abc"]
        body = build_body(*(f"{email},A,B,Laboratory," for email in emails))
        assert (await preview_file(desk, desk.boss, body))["accepted"] == 3
        await desk.create(desk.boss, emails[1])
        answer = await import_people(desk, desk.boss, body, "k-late")
        assert [row["errors"] for row in answer.json()["rows"]] == [
            [],
            [messages.USER_EMAIL_IN_USE],
            [],
        ]
        assert [count_users(desk, email) for email in emails] == [1, 1, 1]

    async def test_a_client_admin_who_loses_the_client_meanwhile_invites_nobody(
        self, desk: Desk
    ) -> None:
        email = f"a{desk.admin.email}"
        body = build_body(f"{email},A,B,Client Basic,{get_code(desk, desk.client)}")
        answer = await desk.world.commit_meanwhile(
            "UPDATE users SET client_ids = %s WHERE id = %s",
            ([desk.other_client], desk.admin.user_id),
            import_people(desk, desk.admin, body, "k-lost"),
        )
        assert answer.json()["rows"][0]["errors"] == [messages.FORBIDDEN]
        assert count_users(desk, email) == 0
        denials = desk.world.run_sql(
            "SELECT count(*) FROM audit_events WHERE user_id = %s AND action = 'refuse'",
            (desk.admin.user_id,),
        )
        assert denials == 1

    async def test_each_person_is_in_the_audit_log(self, desk: Desk) -> None:
        body = build_body(*(f"{name}{desk.admin.email},A,B,Laboratory," for name in "ab"))
        await import_people(desk, desk.boss, body, "k-audit")
        create_count, import_count = (
            desk.world.run_sql(
                "SELECT count(*) FROM audit_events WHERE user_id = %s AND action = %s",
                (desk.boss.user_id, action),
            )
            for action in ("create", "import")
        )
        assert (create_count, import_count) == (2, 1)

    @pytest.mark.parametrize("role", ["Laboratory", "Client Basic", "Physician", "Patient"])
    async def test_is_for_administrators_only(self, desk: Desk, role: str) -> None:
        person = await desk.world.create_person(role)
        for path in ("/import/preview", "/import"):
            answer = await desk.call(person, "POST", path, json=build_body("a"))
            assert answer.status_code == 403
