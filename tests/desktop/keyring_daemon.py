"""A real keyring (GNOME's) on a session bus of its own."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import secretstorage
from jeepney.io.blocking import open_dbus_connection


@contextmanager
def run_keyring_daemon(folder: Path) -> Iterator[str]:
    """Run an unlocked keyring whose files are in this folder; yield the address of its bus."""
    folder.mkdir(mode=0o700)
    environment = {
        **os.environ,
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        # Without the system's files, the bus starts no keyring by itself.
        "XDG_DATA_DIRS": str(folder),
        "XDG_RUNTIME_DIR": str(folder),
    }
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address=1", "--nopidfile"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert bus.stdout is not None
        address = bus.stdout.readline().strip()
        assert address, "dbus-daemon did not start"
        keyring = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
            env={**environment, "DBUS_SESSION_BUS_ADDRESS": address},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert keyring.stdin is not None
            keyring.stdin.write("password of the keyring")
            keyring.stdin.close()
            with open_dbus_connection(address) as connection:
                while not secretstorage.check_service_availability(connection):
                    assert keyring.poll() is None, "gnome-keyring-daemon did not start"
                    time.sleep(0.02)
            yield address
        finally:
            keyring.terminate()
            keyring.wait()
    finally:
        bus.terminate()
        bus.wait()
