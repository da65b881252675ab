"""Returns freed memory to the system (ADR 54), and pauses the garbage collection."""

import ctypes
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
_OPTIONS = {
    # Larger blocks, such as the body of an upload, go back to the system as soon as they are free.
    # By default, glibc raises this limit to 32 MB after the first of them.
    _M_MMAP_THRESHOLD: 1024 * 1024,
    # Free memory at the end of the heap that stays for the next request.
    _M_TRIM_THRESHOLD: 8 * 1024 * 1024,
    # Each arena has its own free memory; by default there are eight for each core.
    _M_ARENA_MAX: 2,
}


def release_freed_memory() -> None:
    """Make the C library return large freed blocks to the system, if it is glibc."""
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        for option, value in _OPTIONS.items():
            mallopt(option, value)


def measure_memory(process_id: int) -> int:
    """Measure the memory of a process in bytes; 0 if it is unknown."""
    try:
        pages = Path(f"/proc/{process_id}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def pause_collections() -> Iterator[None]:
    """Collect no garbage while modules load, which would take half as much time again.

    The objects of these modules stay, so later collections skip them.
    """
    gc.disable()
    yield
    gc.freeze()
    gc.enable()
