"""The process of the windows returns memory that it no longer needs (ADR 85)."""

import subprocess
import sys

_BLOCK, _COUNT = 64 * 1024, 1_000
_PROGRAM = f"""
import ctypes, psutil
from app.desktop.window.collection import return_free_memory
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
blocks = [ctypes.c_void_p(libc.malloc({_BLOCK})) for _ in range({_COUNT})]
for block in blocks:
    ctypes.memset(block, 1, {_BLOCK})
for block in blocks[:-1]:  # the last block keeps the C library from shrinking its heap
    libc.free(block)
before = psutil.Process().memory_info().rss
return_free_memory()
print(before - psutil.Process().memory_info().rss)
"""


def test_returns_free_blocks_below_a_used_one() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) > 0.9 * _BLOCK * _COUNT
