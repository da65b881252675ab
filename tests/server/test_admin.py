"""``python -m app admin create`` and ``user reset``: first accounts and locked-out people."""

from pathlib import Path

import pytest

from app.server import admin
from app.server.accounts.guessable import build_own_words
from app.server.accounts.tokens import hash_secret
from app.server.admin import (
    InvalidAccount,
    create_superuser,
    read_email,
    read_password,
    reset_user,
)
from app.server.open_database import open_owner_database
from app.server.settings import Settings
from tests.server.accounts.builders import PASSWORD, Person
from tests.server.world import World

_PASSWORD = "First-Account-1!"


class TestCreating:
    """A new account of a Superuser."""

    async def test_can_sign_in_and_is_audited(self, world: World, owner_url: str) -> None:
        create_superuser(owner_url, "first@lab.test", _PASSWORD, "Ann", "Lee")
        body = {"loginId": "first@lab.test", "password": _PASSWORD}
        answer = await world.http.post("/auth/login", json=body)
        assert answer.status_code == 200
        assert answer.json()["user"]["role"] == "Superuser"
        count = world.run_sql(
            "SELECT count(*) FROM audit_events e JOIN users u ON e.detail->>'user' = u.id::text"
            " WHERE u.email = 'first@lab.test' AND e.action = 'create' AND e.kind = 'user'"
        )
        assert int(count) == 1

    def test_rejects_an_address_in_use(self, world: World, owner_url: str) -> None:
        create_superuser(owner_url, "second@lab.test", _PASSWORD, "Ann", "Lee")
        with pytest.raises(InvalidAccount, match="already an account"):
            create_superuser(owner_url, "second@lab.test", _PASSWORD, "Ann", "Lee")


class TestResetting:
    """Somebody who is locked out."""

    @pytest.fixture
    def locked_person(self, world: World) -> Person:
        """A person without the authenticator app, after too many failed sign-ins."""
        person = world.create_account("Superuser")
        world.run_sql(
            "INSERT INTO second_factors (user_id, sealed_secret, confirmed_at)"
            " VALUES (%s, 'lost', now())",
            (person.user_id,),
        )
        world.run_sql(
            "INSERT INTO sign_in_attempts (email_hash, failures, last_failure_at)"
            " VALUES (%s, 10, now())",
            (hash_secret(person.email),),
        )
        world.run_sql("DELETE FROM quota_counts")
        return person

    async def test_the_link_works_despite_second_factor_and_lock(
        self, world: World, owner_url: str, locked_person: Person
    ) -> None:
        person = await world.sign_in(locked_person)
        token = reset_user(owner_url, locked_person.email, mails_link=False)
        answer = await world.http.get("/auth/jwt/validate", headers=person.headers)
        assert answer.status_code == 401
        reset_body = {"changePasswordId": token, "password": "Another-Horse-2!"}
        assert (
            await world.http.post("/auth/user/reset-password", json=reset_body)
        ).status_code == 204
        body = {"loginId": locked_person.email, "password": "Another-Horse-2!"}
        assert (await world.http.post("/auth/login", json=body)).status_code == 200

    async def test_a_reset_removes_the_lock_at_once(
        self, world: World, owner_url: str, locked_person: Person
    ) -> None:
        body = {"loginId": locked_person.email, "password": PASSWORD}
        assert (await world.http.post("/auth/login", json=body)).status_code == 429
        reset_user(owner_url, locked_person.email, mails_link=False)
        assert (await world.http.post("/auth/login", json=body)).status_code == 200

    def test_is_audited_and_can_mail_the_link(
        self, world: World, owner_url: str, locked_person: Person
    ) -> None:
        assert reset_user(owner_url, locked_person.email, mails_link=True) is None
        due_count_sql = (
            "SELECT count(*) FROM password_recoveries WHERE user_id = %s AND next_try_at <= now()"
        )
        assert world.run_sql(due_count_sql, (locked_person.user_id,)) == 1
        audit_count_sql = (
            "SELECT count(*) FROM audit_events WHERE action = 'reset' AND detail->>'user' = %s"
        )
        assert world.run_sql(audit_count_sql, (locked_person.user_id,)) == 1

    def test_rejects_an_unknown_address(self, owner_url: str) -> None:
        with pytest.raises(InvalidAccount, match="no active account"):
            reset_user(owner_url, "ghost@lab.test", mails_link=False)


class TestRunningPortal:
    """Commands beside a portal with its own database."""

    def test_accounts_are_created_and_reset(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for folder in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
            folder.chmod(0o755)  # The user of the database must be able to enter the folders.
        monkeypatch.delenv("DATABASE_URL", raising=False)
        monkeypatch.setenv("PORTAL_DATA_DIR", str(tmp_path / "data"))
        monkeypatch.setenv("PORTAL_DEMO", "false")
        settings = Settings()
        settings.data_dir.mkdir(mode=0o711)
        password = tmp_path / "password"
        password.write_text(_PASSWORD)
        account = ["--email", "beside@lab.test"]
        with open_owner_database(settings, lambda _text: None):
            assert admin.run(["create", *account, "--password-file", str(password)]) == 0
            assert admin.run_user(["reset", *account]) == 0
        assert "/password-recovery#token=" in capsys.readouterr().out


class TestInput:
    """The e-mail address and the password."""

    @pytest.mark.parametrize("email", ["", "first", "first@", "@lab.test", "a b@lab.test"])
    def test_rejects_invalid_addresses(self, email: str) -> None:
        with pytest.raises(InvalidAccount):
            read_email(email)

    def test_reads_the_password_from_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "password"
        file.write_text(_PASSWORD + "\n")
        assert read_password(file) == _PASSWORD

    @pytest.mark.parametrize("password", ["", "short-1", "no-digits-here", "NoSymbol11"])
    def test_rejects_weak_passwords(self, tmp_path: Path, password: str) -> None:
        file = tmp_path / "password"
        file.write_text(password)
        with pytest.raises(InvalidAccount):
            read_password(file)

    @pytest.mark.parametrize("password", ["Summer-2026!", "Lindholm+Horse+1"])
    def test_rejects_guessable_passwords(self, tmp_path: Path, password: str) -> None:
        file = tmp_path / "password"
        file.write_text(password)
        with pytest.raises(InvalidAccount, match="Please choose"):
            read_password(file, build_own_words("ann", "Lindholm"))

    def test_rejects_missing_and_binary_files(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidAccount, match="cannot be read"):
            read_password(tmp_path / "missing")
        (tmp_path / "binary").write_bytes(b"\xff\xfe")
        with pytest.raises(InvalidAccount, match="cannot be read"):
            read_password(tmp_path / "binary")

    def test_says_what_to_do_without_a_terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
        with pytest.raises(InvalidAccount, match="--password-file"):
            read_password(None)

    def test_ends_with_a_message_and_touches_no_database(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("PORTAL_DATA_DIR", str(tmp_path / "data"))
        code = admin.run(["create", "--email", "first", "--password-file", str(tmp_path)])
        assert code == 1
        assert "Email is invalid" in capsys.readouterr().out
