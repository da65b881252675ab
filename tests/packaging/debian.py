"""A small Debian in a folder, as a clean computer that the package is installed on."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MIRROR = "http://deb.debian.org/debian"
PERSON = "nurse"

# Uses pivot_root, since chroot would deny user namespaces to Chromium's sandbox.
_ENTER = """
set -e
mount --bind "$1" "$1"
cd "$1"
mount --rbind /dev dev
mount --bind /etc/resolv.conf etc/resolv.conf
mkdir -p tmp/.X11-unix
mount --bind /tmp/.X11-unix tmp/.X11-unix
mount -t proc proc proc
pivot_root . mnt
umount -l mnt
shift
exec runuser -u "$1" -- env -C / "${@:2}"
"""
_NAMESPACES = ("--mount", "--propagation", "private", "--pid", "--fork", "--kill-child")


class Debian:
    """An installation; every command runs in its own mount and process namespaces."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command as root until it ends, and return what it prints."""
        process = subprocess.run(
            self._build_command("root", command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert not check or process.returncode == 0, f"{command}: {process.stdout}"
        return process.stdout

    @contextmanager
    def start(self, *command: str, log: Path) -> Iterator[subprocess.Popen[bytes]]:
        """Start a program as an ordinary user; kill it and its children at the end."""
        with log.open("wb") as output:
            process = subprocess.Popen(
                self._build_command(PERSON, command), stdout=output, stderr=output
            )
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def _build_command(self, person: str, command: tuple[str, ...]) -> list[str]:
        home = "/root" if person == "root" else f"/home/{person}"
        variables = [f"HOME={home}", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive"]
        enter = ["bash", "-c", _ENTER, "enter", str(self.root), person]
        return ["unshare", *_NAMESPACES, *enter, *variables, *command]


def install_debian(suite: str, folder: Path) -> Debian:
    """Install a minimal Debian release into ``folder``, with one user account."""
    root = folder / suite
    log = folder / f"{suite}.log"
    with log.open("w") as output:
        subprocess.run(
            ["mmdebstrap", "--variant=minbase", suite, str(root), MIRROR],
            stdout=output,
            stderr=output,
            env={**os.environ, "TMPDIR": str(folder)},
            check=True,
        )
    debian = Debian(root)
    debian.run("apt-get", "update")
    debian.run("useradd", "--create-home", PERSON)
    return debian
