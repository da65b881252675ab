"""The system user that PostgreSQL runs as.

PostgreSQL refuses to run as root. A portal that runs as root (in a container, or on a first try)
uses a dedicated system user and makes sure that this user can reach the files.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_USER_NAME = "labportal"
_ROOT_HOME = Path("/var/lib/lab-portal")


@dataclass(frozen=True)
class ServiceUser:
    """The user that PostgreSQL runs as; ``uid`` None means the current user."""

    uid: int | None = None
    gid: int | None = None

    def build_popen_arguments(self) -> dict[str, Any]:
        """Return the arguments of ``subprocess.Popen`` that start a process as this user."""
        if self.uid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": [], "umask": 0o077}

    def change_owner(self, path: Path) -> None:
        """Make this user the owner of ``path``."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)

    def can_reach(self, path: Path) -> bool:
        """Whether this user may enter ``path`` and all its parent folders."""
        return self.find_closed_folder(path) is None

    def find_closed_folder(self, path: Path) -> Path | None:
        """Find ``path`` or a parent folder that this user may not enter."""
        if self.uid is None:
            return None
        for folder in (path, *path.parents):
            if not folder.exists():
                continue
            info = folder.stat()
            if info.st_uid == self.uid:
                may_enter = bool(info.st_mode & 0o100)
            elif info.st_gid == self.gid:
                may_enter = bool(info.st_mode & 0o010)
            else:
                may_enter = bool(info.st_mode & 0o001)
            if not may_enter:
                return folder
        return None


def get_service_user() -> ServiceUser:
    """Return the current user, or for root the system user ``labportal``, created if missing."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return ServiceUser()
    import pwd  # noqa: PLC0415 - not available on Windows

    try:
        entry = pwd.getpwnam(_USER_NAME)
    except KeyError:
        useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
        if useradd is None:
            entry = pwd.getpwnam("nobody")
        else:
            subprocess.run(
                [
                    useradd,
                    "--system",
                    "--no-create-home",
                    "--shell",
                    "/usr/sbin/nologin",
                    _USER_NAME,
                ],
                check=False,  # two portals may race to create it; the lookup below decides
                capture_output=True,
            )
            entry = pwd.getpwnam(_USER_NAME)
    return ServiceUser(entry.pw_uid, entry.pw_gid)


def choose_reachable_folder(preferred_folder: Path, user: ServiceUser) -> Path:
    """Return ``preferred_folder``, or a folder below /var/lib when the user cannot reach it.

    The choice is final once a folder exists: permissions that change later must not lead to
    another, empty database.
    """
    preferred_folder.parent.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(str(preferred_folder).encode()).hexdigest()[:12]
    folder = _ROOT_HOME / name
    if preferred_folder.exists() or user.uid is None:
        return preferred_folder
    if user.can_reach(preferred_folder.parent) and not folder.exists():
        return preferred_folder
    folder.mkdir(parents=True, exist_ok=True)
    for parent in (_ROOT_HOME, folder):
        parent.chmod(0o755)
    return folder / "postgres"
