"""A virtual screen (Xvfb) and its screenshots."""

import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image


class Screen:
    """A virtual screen, whose frame buffer is a file in xwd format."""

    def __init__(self, display: str, folder: Path) -> None:
        self.display = display
        self._file = folder / "Xvfb_screen0"

    def take_picture(self) -> Image.Image:
        """Take a screenshot."""
        data = self._file.read_bytes()
        header = struct.unpack(">25I", data[:100])
        size, width, height = header[0], header[4], header[5]
        order, bits, line, colors = header[7], header[11], header[12], header[19]
        assert (bits, order) == (32, 0), (
            "the screen must have 24 bits, the least significant byte first"
        )
        start = size + colors * 12
        pixels = data[start : start + line * height]
        return Image.frombuffer("RGB", (width, height), pixels, "raw", "BGRX", line, 1)


@contextmanager
def run_virtual_screen(width: int = 1400, height: int = 950) -> Iterator[Screen]:
    """Run Xvfb on a free display number."""
    program = shutil.which("Xvfb")
    assert program is not None, "Xvfb is missing: install the package xvfb"
    with tempfile.TemporaryDirectory() as folder:
        read, write = os.pipe()
        process = subprocess.Popen(
            [program, "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24",
             "-fbdir", folder, "-nolisten", "tcp", "-noreset"],
            pass_fds=(write,),
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(write)
        try:
            with os.fdopen(read) as pipe:
                number = pipe.readline().strip()
            assert number, "Xvfb did not start"
            yield Screen(f":{number}", Path(folder))
        finally:
            process.terminate()
            process.wait(10)


def measure_color_shares(picture: Image.Image) -> dict[tuple[int, int, int], float]:
    """Return the share of the area that each color of a picture covers."""
    total = picture.width * picture.height
    color_counts = picture.getcolors(total) or []
    return {color: count / total for count, color in color_counts if isinstance(color, tuple)}
