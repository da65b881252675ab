"""Writes ``shared/``: the vocabulary and the OpenAPI documents of both hosts.

The only module that knows both hosts; neither host knows it.
"""

import json
import sys
import tempfile
from pathlib import Path

from app.contract.export import write_json, write_vocabulary
from app.desktop.main import device_openapi
from app.server.main import build
from app.server.settings import Settings


def write(shared: Path, *, check: bool = False) -> int:
    """Write the files, or with ``check`` only compare; returns 1 when they differ."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        write_vocabulary(fresh)
        write_json(fresh / "api" / "portal.openapi.json", portal_openapi(fresh))
        write_json(fresh / "api" / "device.openapi.json", device_openapi())
        differing = [
            path.relative_to(fresh)
            for path in sorted(fresh.rglob("*.json"))
            if not _same(path, shared / path.relative_to(fresh))
        ]
        if not check:
            for path in differing:
                target = shared / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes((fresh / path).read_bytes())
            return 0
    for path in differing:
        sys.stderr.write(f"shared/{path} is not what the Python sources say: run `make contract`\n")
    return 1 if differing else 0


def portal_openapi(scratch: Path) -> dict[str, object]:
    """The OpenAPI document; the application is built over a database that is never opened."""
    app = build(Settings(data_dir=scratch), "postgresql://nobody@127.0.0.1:1/none")
    document: dict[str, object] = json.loads(json.dumps(app.openapi()))
    return document


def _same(left: Path, right: Path) -> bool:
    return right.exists() and left.read_bytes() == right.read_bytes()
