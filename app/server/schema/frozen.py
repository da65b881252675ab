"""Keeps revisions unchanged once others follow them: ``frozen.txt`` has their digests."""

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

MIGRATIONS = Path(__file__).parent / "migrations"
_HEAD = "# Digests of revisions and of the files that they read; `make revision` writes them.\n"
_LIBRARY = "procrastinate/sql/schema.sql"
"""A script of an installed library, which a revision runs."""
_LIBRARY_REVISION = "0007"


def find_revision_files(migrations: Path = MIGRATIONS) -> dict[str, list[Path]]:
    """Return the file of each revision and the scripts that it reads, by number."""
    paths_by_number: dict[str, list[Path]] = {}
    for path in sorted(migrations.glob("versions/[0-9]*.py")):
        paths_by_number[path.name[:4]] = [
            path,
            *sorted(migrations.glob(f"sql/{path.name[:4]}_*.sql")),
        ]
    return paths_by_number


def freeze_revisions(through: str, migrations: Path = MIGRATIONS) -> None:
    """Add the missing digests of all revisions up to this one."""
    digests = _compute_digests(migrations)
    frozen_digests = _load_frozen_digests(migrations)
    for name in _list_names(through, migrations):
        frozen_digests.setdefault(name, digests[name])
    lines = [f"{digest}  {name}\n" for name, digest in sorted(frozen_digests.items())]
    (migrations / "frozen.txt").write_text(_HEAD + "".join(lines), encoding="utf-8")


def freeze_earlier(migrations: Path = MIGRATIONS) -> None:
    """Add the missing digests of all revisions that another one follows."""
    freeze_revisions(list(find_revision_files(migrations))[-2], migrations)


def find_unfrozen_changes(migrations: Path = MIGRATIONS) -> list[str]:
    """Return a line for each revision file that is missing, has changed, or must be frozen.

    Only the newest revision may change.
    """
    digests = _compute_digests(migrations)
    frozen_digests = _load_frozen_digests(migrations)
    lines = []
    for name, digest in frozen_digests.items():
        if name not in digests:
            lines.append(f"{_format_path(name)}: is missing, but databases were made with it")
        elif digests[name] != digest:
            lines.append(
                f"{_format_path(name)}: has changed, but databases were made with the old text:"
                " write a new revision (make revision NAME='...')"
            )
    numbers = list(find_revision_files(migrations))
    for name in _list_names(numbers[-2], migrations) if len(numbers) > 1 else ():
        if name not in frozen_digests:
            lines.append(
                f"{_format_path(name)}: another revision follows it:"
                " run make revision NAME='...', which freezes it"
            )
    for path in sorted(migrations.glob("sql/*")):
        if not any(path in paths for paths in find_revision_files(migrations).values()):
            lines.append(
                f"{_format_path(f'sql/{path.name}')}: belongs to no revision by its number"
            )
    return lines


def _list_names(through: str, migrations: Path) -> Iterator[str]:
    for number, paths in find_revision_files(migrations).items():
        if number > through:
            return
        yield from (path.relative_to(migrations).as_posix() for path in paths)
        if number == _LIBRARY_REVISION:
            yield _LIBRARY


def _compute_digests(migrations: Path) -> dict[str, str]:
    digests = {
        path.relative_to(migrations).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for paths in find_revision_files(migrations).values()
        for path in paths
    }
    library = files("procrastinate").joinpath("sql", "schema.sql").read_bytes()
    return {**digests, _LIBRARY: hashlib.sha256(library).hexdigest()}


def _load_frozen_digests(migrations: Path) -> dict[str, str]:
    path = migrations / "frozen.txt"
    if not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("  ", 1) for line in lines if not line.startswith("#"))
    return {name: digest for digest, name in pairs}


def _format_path(name: str) -> str:
    return name if name == _LIBRARY else f"app/server/schema/migrations/{name}"
