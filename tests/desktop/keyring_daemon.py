"""A real keyring (GNOME's) on a separate session bus."""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import secretstorage
from jeepney.io.blocking import open_dbus_connection

# Unlike the usual configuration, this one has no services that the bus could start by itself.
_BUS = """
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


@contextmanager
def run_keyring_daemon(data: Path) -> Iterator[str]:
    """Run an unlocked keyring whose files are in ``data``; yield the address of its bus."""
    # The path of a socket has at most 107 bytes, which a test's folder may exceed.
    with tempfile.TemporaryDirectory(prefix="keyring-") as folder:
        environment = {
            **os.environ,
            "HOME": str(data),
            "XDG_DATA_HOME": str(data),
            "XDG_RUNTIME_DIR": folder,
        }
        config = Path(folder) / "bus.conf"
        config.write_text(_BUS.format(folder=folder))
        with _run_bus(config, environment) as address:
            environment["DBUS_SESSION_BUS_ADDRESS"] = address
            with _run_keyring(environment):
                yield address


@contextmanager
def _run_bus(config: Path, environment: dict[str, str]) -> Iterator[str]:
    """Run a session bus, and yield its address."""
    bus = subprocess.Popen(
        ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert bus.stdout is not None
        address = bus.stdout.readline().strip()
        assert address, "dbus-daemon did not start"
        yield address
    finally:
        bus.terminate()
        bus.wait()


@contextmanager
def _run_keyring(environment: dict[str, str]) -> Iterator[None]:
    """Run an unlocked keyring until its default collection can be used."""
    keyring = subprocess.Popen(
        ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert keyring.stdin is not None
        keyring.stdin.write("password of the keyring")
        keyring.stdin.close()
        while not _is_unlocked(environment["DBUS_SESSION_BUS_ADDRESS"]):
            assert keyring.poll() is None, "gnome-keyring-daemon did not start"
            time.sleep(0.02)
        yield
    finally:
        keyring.terminate()
        keyring.wait()


def _is_unlocked(address: str) -> bool:
    with open_dbus_connection(address) as connection:
        try:
            collection = secretstorage.Collection(connection)
            return not collection.is_locked()
        except secretstorage.SecretStorageException:
            return False
