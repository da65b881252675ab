"""Credentials: one contract for the keyring and for memory."""

import sys
import threading
from pathlib import Path

import httpx
import pytest

from app.desktop.application import Workstation
from app.desktop.files import FileLock
from app.desktop.vault.choose import choose_vault
from app.desktop.vault.keyring_vault import KeyringVault, system_backend, works
from app.desktop.vault.memory import MemoryVault
from app.desktop.vault.port import Vault
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import running_sidecar
from tests.desktop.standins import StandInPortal


class Keyring:
    """A keyring backend as the keyring library's own ones behave."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.broken = False
        self.waits = threading.Event()
        self.waits.set()

    def _work(self) -> None:
        self.waits.wait(20)
        if self.broken:
            raise RuntimeError("locked")

    def get_password(self, service: str, username: str) -> str | None:
        self._work()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._work()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._work()
        del self.kept[service, username]


@pytest.fixture(params=["memory", "keyring"])
def vault(request: pytest.FixtureRequest) -> Vault:
    if request.param == "memory":
        return MemoryVault()
    return KeyringVault(Keyring(), "https://portal.example")


class TestContract:
    async def test_it_begins_empty(self, vault: Vault) -> None:
        assert await vault.load() is None

    async def test_it_gives_back_the_last_token(self, vault: Vault) -> None:
        await vault.save("one")
        await vault.save("two")
        assert await vault.load() == "two"

    async def test_it_forgets(self, vault: Vault) -> None:
        await vault.save("one")
        await vault.clear()
        await vault.clear()
        assert await vault.load() is None


class TestKeyring:
    async def test_what_is_kept_is_there_at_the_next_start(self) -> None:
        keyring = Keyring()
        await KeyringVault(keyring, "https://a.example").save("token")
        again = KeyringVault(keyring, "https://a.example")
        assert again.keeps
        assert await again.load() == "token"
        assert await KeyringVault(keyring, "https://b.example").load() is None

    async def test_one_that_fails_later_becomes_memory_and_says_so(self) -> None:
        keyring = Keyring()
        vault = KeyringVault(keyring, "https://a.example")
        await vault.save("one")
        keyring.broken = True
        await vault.save("two")
        assert not vault.keeps
        assert await vault.load() == "two"

    async def test_signing_out_clears_even_after_a_failure(self) -> None:
        keyring = Keyring()
        vault = KeyringVault(keyring, "https://a.example")
        await vault.save("one")
        keyring.broken = True
        await vault.save("two")
        keyring.broken = False
        await vault.clear()
        assert keyring.kept == {}

    async def test_one_that_hangs_is_given_up(self) -> None:
        keyring = Keyring()
        keyring.waits.clear()
        vault = KeyringVault(keyring, "https://a.example", seconds=0.2)
        await vault.save("one")
        assert not vault.keeps
        assert not works(keyring, seconds=0.2)
        assert not keyring.waits.is_set(), "it hangs still"
        keyring.waits.set()

    def test_the_probe_leaves_nothing_behind(self) -> None:
        keyring = Keyring()
        assert works(keyring)
        assert keyring.kept == {}

    @pytest.mark.parametrize("broken", ["raises", "lies"])
    def test_the_probe_finds_a_useless_one(self, broken: str) -> None:
        keyring = Keyring()
        if broken == "raises":
            keyring.broken = True
        else:
            keyring.get_password = lambda service, username: None
        assert not works(keyring)

    def test_the_backend_is_this_systems_own(self) -> None:
        backend = system_backend()
        assert backend is not None
        name = {"linux": "SecretService", "win32": "Windows", "darwin": "macOS"}[sys.platform]
        assert type(backend).__module__ == f"keyring.backends.{name}"


class TestChoice:
    async def test_without_a_keyring_memory(self, tmp_path: Path) -> None:
        vault, lock = await choose_vault(lambda: None, "https://a.example", tmp_path)
        assert isinstance(vault, MemoryVault) and not vault.keeps and lock is None

    async def test_without_a_desktop_session_memory(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
        vault, _ = await choose_vault(system_backend, "https://a.example", tmp_path)
        assert isinstance(vault, MemoryVault)

    async def test_a_second_instance_does_not_share_the_token(self, tmp_path: Path) -> None:
        keyring = Keyring()
        first, lock = await choose_vault(lambda: keyring, "https://a.example", tmp_path)
        assert isinstance(first, KeyringVault) and isinstance(lock, FileLock)
        second, _ = await choose_vault(lambda: keyring, "https://a.example", tmp_path)
        assert isinstance(second, MemoryVault)
        lock.release()


class TestSidecar:
    def test_a_sign_in_outlives_the_app_with_a_keyring(
        self, tmp_path: Path, ui_dir: Path, portal: StandInPortal, portal_url: str
    ) -> None:
        keyring = Keyring()
        station = Workstation(keyring=lambda: keyring)
        with running_sidecar(portal_url, tmp_path / "c", ui_dir, station) as host:
            page = httpx.Client(base_url=host.url, headers=host.headers)
            page.post("/auth/login", json=SIGN_IN)
            assert page.get("/capabilities").json()["keepsCredentials"] is True
        with running_sidecar(portal_url, tmp_path / "c", ui_dir, station) as host:
            page = httpx.Client(base_url=host.url, headers=host.headers)
            assert page.get("/api/v2/x").status_code == 200
            page.post("/auth/logout")
        assert keyring.kept == {}

    def test_no_token_is_ever_in_a_file(
        self, tmp_path: Path, signed_in: httpx.Client, portal: StandInPortal
    ) -> None:
        signed_in.put("/device/preferences/theme", json={"value": "dark"})
        signed_in.get("/api/v2/x")
        written = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
        for token in portal.access | portal.refresh:
            assert token.encode() not in written
