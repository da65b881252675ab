"""Writes ``shared/``: vocabulary, permissions, and the OpenAPI documents of both hosts.

It is the only module that imports both hosts, and neither imports it.
"""

import json
import sys
import tempfile
from pathlib import Path

from app.contract.compatibility import find_breaking_changes, is_accepted
from app.contract.export import write_json, write_vocabulary
from app.desktop.application import build_device_openapi
from app.server.access.document import document_errors
from app.server.main import build_app
from app.server.settings import Settings
from app.server.slices import SLICES

SHARED = Path(__file__).parents[1] / "shared"


def write_contract(shared: Path, *, check: bool = False, release: bool = False) -> int:
    """Write the files, and return 1 if the API would break programs that use the last release.

    Args:
        shared: the folder of the files.
        check: compare the files without writing them, and return 1 also when they differ.
        release: copy the OpenAPI documents to ``released``, for later comparisons.
    """
    with tempfile.TemporaryDirectory() as folder:
        new_folder = Path(folder)
        write_vocabulary(new_folder)
        write_json(new_folder / "vocabulary" / "permissions.json", build_permissions())
        write_json(new_folder / "api" / "portal.openapi.json", build_portal_openapi(new_folder))
        write_json(new_folder / "api" / "device.openapi.json", build_device_openapi())
        differing_files = [
            path.relative_to(new_folder)
            for path in sorted(new_folder.rglob("*.json"))
            if not _is_same(path, shared / path.relative_to(new_folder))
        ]
        if release:
            _copy_all(new_folder / "api", shared / "released")
        breaking_changes = _find_breaking_changes(new_folder / "api", shared / "released")
        if not check:
            for path in differing_files:
                target = shared / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes((new_folder / path).read_bytes())
            differing_files = []
    for path in differing_files:
        sys.stderr.write(f"shared/{path} differs from the Python sources: run `make contract`\n")
    for line in breaking_changes:
        sys.stderr.write(f"{line}: this breaks programs that use the last release\n")
    return 1 if differing_files or breaking_changes else 0


def _copy_all(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for path in source.glob("*.json"):
        (target / path.name).write_bytes(path.read_bytes())


def _find_breaking_changes(current: Path, released: Path) -> list[str]:
    return [
        f"shared/released/{path.name}: {line}"
        for path in sorted(released.glob("*.json"))
        for line in find_breaking_changes(
            json.loads(path.read_text(encoding="utf-8")),
            json.loads((current / path.name).read_text(encoding="utf-8")),
        )
        if not is_accepted(line)
    ]


def build_permissions() -> dict[str, object]:
    """Tabulate the answers of the permission rules for each act, by role and state."""
    return {act.name: act.tabulate() for slice_ in SLICES for act in slice_.acts}


def build_portal_openapi(scratch: Path) -> dict[str, object]:
    """Build the portal's OpenAPI document, without opening a database."""
    app = build_app(Settings(data_dir=scratch), "postgresql://nobody@127.0.0.1:1/none")
    document: dict[str, object] = json.loads(json.dumps(app.openapi()))
    document_errors(document, app.routes)
    return document


def _is_same(left: Path, right: Path) -> bool:
    return right.exists() and left.read_bytes() == right.read_bytes()
