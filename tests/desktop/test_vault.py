"""The vaults: keyring and memory have the same contract."""

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
import secretstorage

from app.desktop.application import Workstation
from app.desktop.vault.choose import choose_vault
from app.desktop.vault.keyring_vault import KeyringVault, find_system_backend, is_working
from app.desktop.vault.memory import MemoryVault
from app.desktop.vault.port import Vault
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import run_sidecar
from tests.desktop.keyring_daemon import run_keyring_daemon
from tests.desktop.standins import StandInPortal


class Keyring:
    """A keyring backend that behaves like those of the keyring library."""

    def __init__(self) -> None:
        self.stored: dict[tuple[str, str], str] = {}
        self.broken = False
        self.waits = threading.Event()
        self.waits.set()

    def _answer_or_fail(self) -> None:
        self.waits.wait(20)
        if self.broken:
            raise RuntimeError("locked")

    def get_password(self, service: str, username: str) -> str | None:
        self._answer_or_fail()
        return self.stored.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._answer_or_fail()
        self.stored[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._answer_or_fail()
        del self.stored[service, username]


@pytest.fixture(params=["memory", "keyring"])
def vault(request: pytest.FixtureRequest) -> Vault:
    if request.param == "memory":
        return MemoryVault()
    return KeyringVault(Keyring(), "https://portal.example")


class TestContract:
    async def test_is_empty_at_first(self, vault: Vault) -> None:
        assert await vault.load() is None

    async def test_returns_the_last_token(self, vault: Vault) -> None:
        await vault.save("one")
        await vault.save("two")
        assert await vault.load() == "two"

    async def test_forgets_the_token(self, vault: Vault) -> None:
        await vault.save("one")
        await vault.clear()
        await vault.clear()
        assert await vault.load() is None


class TestKeyring:
    async def test_stores_the_token_across_starts(self) -> None:
        keyring = Keyring()
        await KeyringVault(keyring, "https://a.example").save("token")
        again = KeyringVault(keyring, "https://a.example")
        assert again.is_persistent
        assert await again.load() == "token"
        assert await KeyringVault(keyring, "https://b.example").load() is None

    async def test_falls_back_to_memory_after_a_failure(self) -> None:
        keyring = Keyring()
        vault = KeyringVault(keyring, "https://a.example")
        await vault.save("one")
        keyring.broken = True
        await vault.save("two")
        assert not vault.is_persistent
        assert await vault.load() == "two"

    async def test_clears_the_token_even_after_a_failure(self) -> None:
        keyring = Keyring()
        vault = KeyringVault(keyring, "https://a.example")
        await vault.save("one")
        keyring.broken = True
        await vault.save("two")
        keyring.broken = False
        await vault.clear()
        assert keyring.stored == {}

    async def test_a_sign_out_during_a_slow_save_leaves_nothing_behind(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        is_saving, may_save = asyncio.Event(), asyncio.Event()

        async def call_keyring(_: object, __: float, call: Callable[[], str | None]) -> str | None:
            if not is_saving.is_set():  # the save, which is the first call
                is_saving.set()
                await may_save.wait()
            return call()

        monkeypatch.setattr(asyncio, "to_thread", call_keyring)
        keyring = Keyring()
        vault = KeyringVault(keyring, "https://a.example")
        save_task = asyncio.create_task(vault.save("one"))
        await is_saving.wait()
        clear_task = asyncio.create_task(vault.clear())
        await asyncio.sleep(0)  # the sign-out goes as far as it can
        may_save.set()
        await asyncio.gather(save_task, clear_task)
        assert keyring.stored == {}

    async def test_abandons_a_backend_that_hangs(self) -> None:
        keyring = Keyring()
        keyring.waits.clear()
        vault = KeyringVault(keyring, "https://a.example", seconds=0.2)
        await vault.save("one")
        assert not vault.is_persistent
        assert not is_working(keyring, seconds=0.2)
        assert not keyring.waits.is_set(), "it still hangs"
        keyring.waits.set()

    def test_probe_leaves_nothing_behind(self) -> None:
        keyring = Keyring()
        assert is_working(keyring)
        assert keyring.stored == {}

    @pytest.mark.parametrize("broken_call", ["raises", "lies"])
    def test_probe_detects_a_broken_backend(self, broken_call: str) -> None:
        keyring = Keyring()
        if broken_call == "raises":
            keyring.broken = True
        else:
            keyring.get_password = lambda service, username: None
        assert not is_working(keyring)

    def test_chooses_this_systems_backend(self) -> None:
        backend = find_system_backend()
        assert backend is not None
        name = {"linux": "SecretService", "win32": "Windows", "darwin": "macOS"}[sys.platform]
        assert type(backend).__module__ == f"keyring.backends.{name}"


class TestKeyringDaemon:
    """GNOME's keyring, as on a person's desktop."""

    @pytest.fixture
    def bus(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
        """The address of a session bus with an unlocked keyring."""
        with run_keyring_daemon(tmp_path / "keyring") as address:
            monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
            yield address

    async def test_stores_the_token_until_it_is_cleared(self, bus: str) -> None:
        vault = await choose_vault(find_system_backend, "https://a.example")
        assert vault.is_persistent
        await vault.save("token")
        again = await choose_vault(find_system_backend, "https://a.example")
        assert await again.load() == "token"
        await again.clear()
        assert await (await choose_vault(find_system_backend, "https://a.example")).load() is None

    async def test_keeps_the_token_encrypted_on_disk(self, bus: str, tmp_path: Path) -> None:
        vault = await choose_vault(find_system_backend, "https://a.example")
        await vault.save("token-to-look-for")
        files = list((tmp_path / "keyring").rglob("*.keyring"))
        assert files
        assert not any(b"token-to-look-for" in path.read_bytes() for path in files)

    async def test_uses_memory_while_the_keyring_is_locked(self, bus: str) -> None:
        with closing(secretstorage.dbus_init()) as connection:
            secretstorage.get_default_collection(connection).lock()
        vault = await choose_vault(find_system_backend, "https://a.example")
        assert isinstance(vault, MemoryVault)


class TestChoice:
    async def test_uses_memory_without_a_keyring(self) -> None:
        vault = await choose_vault(lambda: None, "https://a.example")
        assert isinstance(vault, MemoryVault) and not vault.is_persistent

    async def test_uses_memory_without_a_desktop_session(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
        vault = await choose_vault(find_system_backend, "https://a.example")
        assert isinstance(vault, MemoryVault)


class TestSidecar:
    def test_keeps_the_sign_in_across_restarts_with_a_keyring(
        self, tmp_path: Path, ui_dir: Path, portal: StandInPortal, portal_url: str
    ) -> None:
        keyring = Keyring()
        station = Workstation(keyring=lambda: keyring)
        folder = tmp_path / "c"
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            page.post("/auth/login", json=SIGN_IN)
            assert page.get("/capabilities").json()["keepsCredentials"] is True
        with run_sidecar(portal_url, folder, ui_dir, station) as host, host.open_page() as page:
            assert page.get("/api/v2/x").status_code == 200
            page.post("/auth/logout")
        assert keyring.stored == {}

    def test_writes_no_token_to_a_file(
        self, tmp_path: Path, signed_in_page: httpx.Client, portal: StandInPortal
    ) -> None:
        signed_in_page.put("/device/preferences/theme", json={"value": "dark"})
        signed_in_page.get("/api/v2/x")
        written = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
        for token in portal.access_tokens | portal.refresh_tokens:
            assert token.encode() not in written
