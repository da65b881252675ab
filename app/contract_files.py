"""Writes ``shared/``: the vocabulary, the permissions and the OpenAPI documents of both hosts.

The only module that knows both hosts; neither host knows it.
"""

import json
import sys
import tempfile
from pathlib import Path

from app.contract.compatibility import find_breaking_changes
from app.contract.export import write_json, write_vocabulary
from app.desktop.main import device_openapi
from app.server.main import build_app
from app.server.settings import Settings
from app.server.slices import SLICES

SHARED = Path(__file__).parents[1] / "shared"


def write(shared: Path, *, check: bool = False, release: bool = False) -> int:
    """Write the files, or with ``check`` only compare; returns 1 when they differ, or when a client
    of the last release would break. ``release``: what is there now is what is released."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        write_vocabulary(fresh)
        write_json(fresh / "vocabulary" / "permissions.json", permissions())
        write_json(fresh / "api" / "portal.openapi.json", portal_openapi(fresh))
        write_json(fresh / "api" / "device.openapi.json", device_openapi())
        differing = [
            path.relative_to(fresh)
            for path in sorted(fresh.rglob("*.json"))
            if not _same(path, shared / path.relative_to(fresh))
        ]
        if release:
            _copy_all(fresh / "api", shared / "released")
        broken = _broken(fresh / "api", shared / "released")
        if not check:
            for path in differing:
                target = shared / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes((fresh / path).read_bytes())
            differing = []
    for path in differing:
        sys.stderr.write(f"shared/{path} is not what the Python sources say: run `make contract`\n")
    for line in broken:
        sys.stderr.write(f"{line}: a client of the last release would break\n")
    return 1 if differing or broken else 0


def _copy_all(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for path in source.glob("*.json"):
        (target / path.name).write_bytes(path.read_bytes())


def _broken(now: Path, released: Path) -> list[str]:
    return [
        f"shared/released/{path.name}: {line}"
        for path in sorted(released.glob("*.json"))
        for line in find_breaking_changes(
            json.loads(path.read_text(encoding="utf-8")),
            json.loads((now / path.name).read_text(encoding="utf-8")),
        )
    ]


def permissions() -> dict[str, object]:
    """What the rules answer about each act that a slice declares, by role and state."""
    return {act.name: act.tabulate() for each in SLICES for act in each.acts}


def portal_openapi(scratch: Path) -> dict[str, object]:
    """The OpenAPI document; the application is built over a database that is never opened."""
    app = build_app(Settings(data_dir=scratch), "postgresql://nobody@127.0.0.1:1/none")
    document: dict[str, object] = json.loads(json.dumps(app.openapi()))
    return document


def _same(left: Path, right: Path) -> bool:
    return right.exists() and left.read_bytes() == right.read_bytes()
