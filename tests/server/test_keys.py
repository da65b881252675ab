"""The folder of keys."""

from pathlib import Path

from app.server.keys import KeyFolder


def test_only_the_owner_can_read_the_keys(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    assert KeyFolder(folder).load_secret("one.key") == KeyFolder(folder).load_secret("one.key")
    assert [file.name for file in folder.iterdir()] == ["one.key"]
    assert folder.stat().st_mode & 0o077 == 0
    assert (folder / "one.key").stat().st_mode & 0o077 == 0
