"""What 'About' shows: the version, and the notices and licenses of the package."""

from pathlib import Path

import httpx
import pytest

from app.basics.version import VERSION
from app.desktop import about


def test_has_the_version_and_the_notices_before_the_licenses(
    page: httpx.Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(about, "find_licenses", lambda: tmp_path)
    (tmp_path / "LGPL-3.0.txt").write_text("Lesser")
    (tmp_path / "THIRD-PARTY-NOTICES.txt").write_text("Works of others", encoding="utf-8")
    (tmp_path / "lab-portal.cdx.json").write_text("{}")
    assert page.get("/device/about").json() == {
        "version": VERSION,
        "licenses": [
            {"name": "THIRD-PARTY-NOTICES", "text": "Works of others"},
            {"name": "LGPL-3.0", "text": "Lesser"},
        ],
    }


def test_source_tree_has_no_license_texts(page: httpx.Client) -> None:
    assert page.get("/device/about").json()["licenses"] == []
