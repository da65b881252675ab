"""Revisions that others build on never change: ``frozen.txt`` holds their digests."""

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
_HEAD = "# Digests of revisions and of what they read; `make revision` writes them.\n"
_LIBRARY = "procrastinate/sql/schema.sql"
"""The one script that is not ours: revision 0007 runs it from the installed library."""


def revision_files(migrations: Path = MIGRATIONS) -> dict[str, list[Path]]:
    """Number of a revision -> its file and the scripts that it reads."""
    found: dict[str, list[Path]] = {}
    for path in sorted(migrations.glob("versions/[0-9]*.py")):
        found[path.name[:4]] = [path, *sorted(migrations.glob(f"sql/{path.name[:4]}_*.sql"))]
    return found


def freeze(through: str, migrations: Path = MIGRATIONS) -> None:
    """Add the digests of all revisions up to this one; those that are there stay as they are."""
    digests = _present(migrations)
    frozen = _listed(migrations)
    for name in _names(through, migrations):
        frozen.setdefault(name, digests[name])
    lines = [f"{digest}  {name}\n" for name, digest in sorted(frozen.items())]
    (migrations / "frozen.txt").write_text(_HEAD + "".join(lines), encoding="utf-8")


def unfrozen_changes(migrations: Path = MIGRATIONS) -> list[str]:
    """A line for each frozen file that changed or is gone, and for each that ought to be frozen.

    Only the newest revision is open.
    """
    present, frozen = _present(migrations), _listed(migrations)
    lines = []
    for name, digest in frozen.items():
        if name not in present:
            lines.append(f"{_path(name)}: is gone, and databases were made with it")
        elif present[name] != digest:
            lines.append(
                f"{_path(name)}: has changed, and databases were made with what it was:"
                " write a new revision (make revision NAME='...')"
            )
    numbers = list(revision_files(migrations))
    for name in _names(numbers[-2], migrations) if len(numbers) > 1 else ():
        if name not in frozen:
            lines.append(
                f"{_path(name)}: another revision follows it: run `python -m app revision --freeze`"
            )
    for path in sorted(migrations.glob("sql/*")):
        if not any(path in paths for paths in revision_files(migrations).values()):
            lines.append(f"{_path(f'sql/{path.name}')}: belongs to no revision by its number")
    return lines


def _names(through: str, migrations: Path) -> Iterator[str]:
    for number, paths in revision_files(migrations).items():
        if number <= through:
            yield from (path.relative_to(migrations).as_posix() for path in paths)
        if number == "0007" <= through:
            yield _LIBRARY


def _present(migrations: Path) -> dict[str, str]:
    digests = {
        path.relative_to(migrations).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for paths in revision_files(migrations).values()
        for path in paths
    }
    library = files("procrastinate").joinpath("sql", "schema.sql").read_bytes()
    return {**digests, _LIBRARY: hashlib.sha256(library).hexdigest()}


def _listed(migrations: Path) -> dict[str, str]:
    listed = migrations / "frozen.txt"
    if not listed.exists():
        return {}
    lines = listed.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("  ", 1) for line in lines if not line.startswith("#"))
    return {name: digest for digest, name in pairs}


def _path(name: str) -> str:
    return name if name == _LIBRARY else f"app/server/schema/migrations/{name}"
