"""Backs up the keys to a separate archive, and restores them."""

import tarfile
from pathlib import Path

from app.server.audit_seals.rules import compute_key_id
from app.server.backup.archive import BrokenArchive, open_member, write_archive

_PREFIX = "keys/"
_LOGINS = frozenset({"database-owner", "database-app"})
"""Files with passwords of the database's logins; an existing database keeps its own."""


class OtherKeys(Exception):
    """The key folder has a different key of the same name; the message names it."""


def list_key_ids(folder: Path) -> dict[str, str]:
    """Return the ids of the keys by file name; an id does not reveal its key."""
    return {path.name: compute_key_id(path.read_bytes()) for path in _list_keys(folder)}


def back_up_keys(folder: Path, target: Path) -> int:
    """Write the keys to a separate archive, and return their number."""
    paths = _list_keys(folder)
    with write_archive(target) as archive:
        for path in paths:
            archive.add_file(f"{_PREFIX}{path.name}", path)
    return len(paths)


def restore_keys(archive: Path, folder: Path) -> None:
    """Put the keys into the folder, without overwriting existing ones.

    Raises:
        BrokenArchive: the archive has no keys.
        OtherKeys: the folder has a different key of the same name.
    """
    keys = _read_keys(archive)
    for name, content in keys.items():
        path = folder / name
        if path.exists() and path.read_bytes() != content and name not in _LOGINS:
            raise OtherKeys(
                f"{folder} has another {name}. Move the folder aside, or leave out --keys."
            )
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for name, content in keys.items():
        path = folder / name
        if not path.exists():
            path.touch(mode=0o600)
            path.write_bytes(content)


def find_missing_keys(expected_ids: dict[str, str], folder: Path) -> list[str]:
    """Return the names of keys that encrypted the data and are not in the folder."""
    present_ids = list_key_ids(folder)
    return sorted(
        name
        for name, key_id in expected_ids.items()
        if name not in _LOGINS and present_ids.get(name) != key_id
    )


def _list_keys(folder: Path) -> list[Path]:
    return sorted(p for p in folder.glob("*") if p.is_file() and not p.name.startswith("."))


def _read_keys(archive: Path) -> dict[str, bytes]:
    keys = {}
    try:
        with tarfile.open(archive, mode="r:") as tar:
            for member in tar:
                file = open_member(tar, member)
                name = member.name.removeprefix(_PREFIX)
                if file is None or not member.name.startswith(_PREFIX) or "/" in name:
                    raise BrokenArchive(f"{archive} is not an archive of keys.")
                keys[name] = file.read()
    except FileNotFoundError as error:
        raise BrokenArchive(f"There is no file {archive}.") from error
    except (OSError, tarfile.TarError) as error:
        raise BrokenArchive(f"{archive} is damaged, or is not an archive of keys.") from error
    if not keys:
        raise BrokenArchive(f"{archive} has no keys.")
    return keys
