"""Draws ZPL as a printer does, with the npm package zpl-renderer-js."""

import shutil
import subprocess
from io import BytesIO
from pathlib import Path

from PIL import Image

_HERE = Path(__file__).parent


def render_zpl(zpl: str, width_in: float = 2, height_in: float = 1) -> Image.Image:
    """Draw the label that ``zpl`` prints at 203 dpi.

    A missing renderer fails the test instead of skipping it: no other test reads our commands.
    """
    node = shutil.which("node")
    assert node, "node is not installed: the ZPL of our labels cannot be checked"
    assert (_HERE / "node_modules" / "zpl-renderer-js").is_dir(), (
        "zpl-renderer-js is not installed: run `npm --prefix tests/drawing/zpl_renderer ci`"
    )
    process = subprocess.run(
        [node, str(_HERE / "render.mjs"), str(width_in * 25.4), str(height_in * 25.4), "8"],
        input=zpl.encode("ascii"),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert process.returncode == 0, process.stderr.decode()
    return Image.open(BytesIO(process.stdout)).convert("L")
