"""``python -m app admin create``: the first account."""

from pathlib import Path

import pytest

from app.server import admin
from app.server.admin import InvalidAccount, create_superuser, read_email, read_password
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
