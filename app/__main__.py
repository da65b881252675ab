"""``python -m app COMMAND`` runs a host or a tool."""

import sys
from collections.abc import Callable

from app.basics.version import VERSION

_USAGE = """usage: python -m app COMMAND | --version

  serve      run the hosted portal (PORTAL_PORT, PORTAL_DATA_DIR, DATABASE_URL)
  api        run one of the processes that answer requests; serve starts them (PORTAL_PROCESSES)
  work       run one more background worker for a portal (DATABASE_URL, or PORTAL_DATA_DIR)
  admin      create: create the account of a Superuser (--email, --password-file)
  user       reset: let in somebody who is locked out (--email, --mail)
  audit      verify: find changed and removed rows of the audit log;
             rotate-key: seal new rows with a new key
  backup     save database and files in an archive, keys in another (FILE or DIR, --keys FILE)
  restore    load a backup into an empty database (FILE, --keys FILE, --replace)
  desktop    run the desktop app (PORTAL_URL names the hosted portal)
  contract   write shared/ from the Python sources (--check: only compare,
             --release: record it as the last release)
  check      find undeclared slices and tables, missing revisions and unused dependencies
  revision   write the next revision of the schema (make revision NAME='add supplies')
"""


def _run_server(arguments: list[str]) -> int:
    from app.server.serve import run

    return run(arguments)


def _run_api(arguments: list[str]) -> int:
    from app.server.memory import pause_collections

    with pause_collections():
        from app.server.api import run

    return run(arguments)


def _run_worker(arguments: list[str]) -> int:
    from app.server.memory import pause_collections

    with pause_collections():
        from app.server.worker import run

    return run(arguments)


def _run_admin(arguments: list[str]) -> int:
    from app.server.admin import run

    return run(arguments)


def _run_user(arguments: list[str]) -> int:
    from app.server.admin import run_user

    return run_user(arguments)


def _run_audit(arguments: list[str]) -> int:
    from app.server.audit_command import run

    return run(arguments)


def _run_backup(arguments: list[str]) -> int:
    from app.server.backup.command import run_backup

    return run_backup(arguments)


def _run_restore(arguments: list[str]) -> int:
    from app.server.backup.command import run_restore

    return run_restore(arguments)


def _run_desktop(arguments: list[str]) -> int:
    from app.desktop.main import run_app

    return run_app(arguments)


def _write_contract(arguments: list[str]) -> int:
    from app.contract_files import SHARED, write_contract

    return write_contract(SHARED, check="--check" in arguments, release="--release" in arguments)


def _run_check(_arguments: list[str]) -> int:
    from app.checks import run_checks

    return run_checks()


def _write_revision(arguments: list[str]) -> int:
    from app.server.schema.revise import run

    return run(arguments)


_COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "serve": _run_server,
    "api": _run_api,
    "work": _run_worker,
    "admin": _run_admin,
    "user": _run_user,
    "audit": _run_audit,
    "backup": _run_backup,
    "restore": _run_restore,
    "desktop": _run_desktop,
    "contract": _write_contract,
    "check": _run_check,
    "revision": _write_revision,
}


def main() -> int:
    """Run the command of the command line, and return its exit code."""
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"{VERSION}\n")
        return 0
    command = _COMMANDS.get(sys.argv[1]) if len(sys.argv) > 1 else None
    if command is None:
        sys.stderr.write(_USAGE)
        return 2
    return command(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
