"""Draws ZPL offline through npm's zpl-renderer-js, as a printer would."""

import shutil
import subprocess
from io import BytesIO
from pathlib import Path

from PIL import Image

_HERE = Path(__file__).parent


def render_zpl(zpl: str, width_in: float = 2, height_in: float = 1) -> Image.Image:
    """The label that ``zpl`` prints at 203 dpi.

    A missing renderer is a failure, never a skipped test: nothing else looks at our commands.
    """
    node = shutil.which("node")
    assert node, "node is not installed: the ZPL of our labels cannot be checked"
    assert (_HERE / "node_modules" / "zpl-renderer-js").is_dir(), (
        "zpl-renderer-js is not installed: run `npm --prefix tests/drawing/zpl_renderer ci`"
    )
    done = subprocess.run(
        [node, str(_HERE / "render.mjs"), str(width_in * 25.4), str(height_in * 25.4), "8"],
        input=zpl.encode("ascii"),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return Image.open(BytesIO(done.stdout)).convert("L")
