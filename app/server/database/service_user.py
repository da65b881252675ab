"""Who PostgreSQL runs as: ourselves, or an unprivileged system user when we are root.

PostgreSQL refuses to run as root. A root portal (containers, first try on a server) hands it to
a system user of its own and makes sure that user can reach what it needs.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_NAME = "labportal"
_ROOT_HOME = Path("/var/lib/lab-portal")


@dataclass(frozen=True)
class ServiceUser:
    """The user that PostgreSQL runs as; ``uid`` None means ourselves."""

    uid: int | None = None
    gid: int | None = None

    def popen_arguments(self) -> dict[str, Any]:
        """What ``subprocess`` needs to become this user."""
        if self.uid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": [], "umask": 0o077}

    def own(self, path: Path) -> None:
        """Give ``path`` to this user."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)

    def can_reach(self, path: Path) -> bool:
        """Whether this user may enter ``path`` and every folder on the way to it."""
        if self.uid is None:
            return True
        for folder in (path, *path.parents):
            if not folder.exists():
                continue
            info = folder.stat()
            if info.st_uid == self.uid:
                allowed = bool(info.st_mode & 0o100)
            elif info.st_gid == self.gid:
                allowed = bool(info.st_mode & 0o010)
            else:
                allowed = bool(info.st_mode & 0o001)
            if not allowed:
                return False
        return True


def service_user() -> ServiceUser:
    """Ourselves, or as root the system user ``labportal`` (made when missing)."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return ServiceUser()
    import pwd  # noqa: PLC0415 - does not exist on Windows

    try:
        entry = pwd.getpwnam(_NAME)
    except KeyError:
        useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
        if useradd is None:
            entry = pwd.getpwnam("nobody")
        else:
            subprocess.run(
                [useradd, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", _NAME],
                check=False,  # two portals may race to make it; the look-up below decides
                capture_output=True,
            )
            entry = pwd.getpwnam(_NAME)
    return ServiceUser(entry.pw_uid, entry.pw_gid)


def reachable_folder(wanted: Path, user: ServiceUser) -> Path:
    """``wanted``, or a folder of its own below /var/lib when the user can not get there."""
    wanted.parent.mkdir(parents=True, exist_ok=True)
    if user.can_reach(wanted.parent):
        return wanted
    name = hashlib.sha256(str(wanted).encode()).hexdigest()[:12]
    folder = _ROOT_HOME / name
    folder.mkdir(parents=True, exist_ok=True)
    for opened in (_ROOT_HOME, folder):
        opened.chmod(0o755)
    return folder / "postgres"
