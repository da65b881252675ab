"""Labels, and stand-ins for CUPS and the Windows spooler."""

import base64
import io
import stat
import sys
from pathlib import Path

from PIL import Image


def build_picture() -> str:
    """Return a small picture in base64."""
    file = io.BytesIO()
    Image.new("1", (40, 20), 1).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


PICTURE = build_picture()


def build_label(number: int = 1) -> dict[str, str]:
    """Build a label as the portal returns it."""
    return {
        "title": f"SST SERUM {number}",
        "image": PICTURE,
        "zpl": f"^XA^CI28^FO20,20^FH_^FDÑANDÚ {number}^FS^XZ",
        "epl": f'\nN\nA20,20,0,2,1,1,N,"ÑANDÚ {number}"\nP1\n',
    }


# A program that replaces each of CUPS's commands. Its queue is in files: ``jobs/<id>`` has the
# printed data, ``waiting`` the ids of unfinished jobs, and ``calls`` every command line.
_CUPS = """#!{python}
import pathlib, sys
home = pathlib.Path({home!r})
name = pathlib.Path(sys.argv[0]).name
arguments = sys.argv[1:]
with (home / "calls").open("a") as calls:
    calls.write(" ".join([name, *arguments]) + "\\n")
waiting = home / "waiting"
mode = (home / "mode").read_text()
if name == "lpstat" and "-v" in arguments:
    print("device for ZEBRA_Bench: socket://10.0.0.9:9100")
    print("device for Office: ipp://10.0.0.8/ipp/print")
elif name == "lpstat" and "-d" in arguments:
    print("system default destination: Office")
elif name == "lpstat" and "completed" in arguments:
    how = "aborted-by-system" if mode == "aborts" else "job-completed-successfully"
    for job in sorted((home / "jobs").iterdir()):
        print(f"{{job.name}}  root  1024   Sat 21 Nov 2026")
        print(f"\\tStatus: \\n\\tAlerts: {{how}}")
elif name == "lpstat" and "not-completed" in arguments:
    if mode == "slow" and waiting.exists():
        (home / "mode").write_text("works")
    elif mode != "dead":
        waiting.unlink(missing_ok=True)
    for job in (waiting.read_text().split() if waiting.exists() else []):
        print(f"{{job}}  root  1024   Sat 21 Nov 2026")
elif name == "lp":
    queue = arguments[arguments.index("-d") + 1]
    if mode == "refuses":
        print(f'lp: The printer or class does not exist.', file=sys.stderr)
        sys.exit(1)
    number = len(list((home / "jobs").iterdir())) + 1
    (home / "jobs" / f"{{queue}}-{{number}}").write_bytes(sys.stdin.buffer.read())
    waiting.write_text(f"{{queue}}-{{number}}")
    print(f"request id is {{queue}}-{{number}} (0 file(s))")
elif name == "cancel":
    waiting.unlink(missing_ok=True)
"""


class FakeCups:
    """Stand-ins for ``lp``, ``lpstat``, and ``cancel`` on the PATH.

    ``mode`` is works, slow, dead, aborts, or refuses.
    """

    def __init__(self, folder: Path) -> None:
        self.home = folder
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)
        (folder / "jobs").mkdir()
        (folder / "calls").touch()
        self.set_mode("works")
        for name in ("lp", "lpstat", "cancel"):
            program = self.bin / name
            program.write_text(_CUPS.format(python=sys.executable, home=str(folder)))
            program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def set_mode(self, mode: str) -> None:
        """Set the behavior of the printer behind the queues."""
        (self.home / "mode").write_text(mode)

    @property
    def calls(self) -> list[str]:
        """The command lines until now."""
        return (self.home / "calls").read_text().splitlines()

    @property
    def jobs(self) -> dict[str, bytes]:
        """The data that ``lp`` received, by request id."""
        return {job.name: job.read_bytes() for job in sorted((self.home / "jobs").iterdir())}


class FakeSpooler:
    """The calls of pywin32's ``win32print`` that we use."""

    def __init__(self, status: int = 0, *, leaves_after: int = 1) -> None:
        self.printed = b""
        self.documents: list[tuple[str, None, str]] = []
        self.deleted: list[int] = []
        self.open_handles = 0
        self._status = status
        self._left = leaves_after

    def GetDefaultPrinter(self) -> str:  # noqa: N802
        return "ZDesigner ZPL"

    def EnumPrinters(self, flags: int) -> list[tuple[int, str, str, str]]:  # noqa: N802
        return [(0, "", "ZDesigner ZPL", ""), (0, "", "Eltron EPL2", ""), (0, "", "Laser", "")]

    def OpenPrinter(self, name: str) -> str:  # noqa: N802
        if name == "gone":
            raise RuntimeError("The printer name is invalid.")
        self.open_handles += 1
        return name

    def ClosePrinter(self, handle: str) -> None:  # noqa: N802
        self.open_handles -= 1

    def StartDocPrinter(self, handle: str, level: int, info: tuple[str, None, str]) -> int:  # noqa: N802
        self.documents.append(info)
        return 41

    def EndDocPrinter(self, handle: str) -> None:  # noqa: N802
        pass

    def StartPagePrinter(self, handle: str) -> None:  # noqa: N802
        pass

    def EndPagePrinter(self, handle: str) -> None:  # noqa: N802
        pass

    def WritePrinter(self, handle: str, data: bytes) -> int:  # noqa: N802
        accepted = data[:1000]
        self.printed += accepted
        return len(accepted)

    def EnumJobs(self, handle: str, first: int, count: int, level: int) -> list[dict[str, int]]:  # noqa: N802
        self._left -= 1
        if self._left < 0 or 41 in self.deleted:
            return []
        return [{"JobId": 40, "Status": 0}, {"JobId": 41, "Status": self._status}]

    def SetJob(self, handle: str, job: int, level: int, info: None, command: int) -> None:  # noqa: N802
        assert command == 5
        self.deleted.append(job)
