"""A real cupsd, with queues whose backends succeed or fail in each way."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.desktop.printers.ipp import IppClient

# A backend gets the job's file as its sixth argument, or the job on its standard input. The URI of
# the queue's device tells the backend what to do.
_BACKEND = """#!/bin/sh
home={home}
case "$DEVICE_URI" in
  */works|*Zebra*) cat ${{6:+"$6"}} > "$home/jobs/$1.part"
    mv "$home/jobs/$1.part" "$home/jobs/$1" ;;
  */fails) exit 1 ;;
  */holds) exit 3 ;;
  */stops) exit 4 ;;
  */cancels) exit 5 ;;
  */empty) echo "STATE: +media-empty-error" >&2; exec sleep 1000 ;;
  */hangs) exec sleep 1000 ;;
  */roll) [ -e "$home/paper" ] || echo "STATE: +media-empty-error" >&2
    until [ -e "$home/paper" ]; do sleep 0.05; done
    echo "STATE: -media-empty-error" >&2 ;;
  */third-fails) echo >> "$home/count"
    [ "$(wc -l < "$home/count")" -ne 3 ] || exit 1 ;;
esac
"""
_QUEUE = """<Printer {name}>
DeviceURI {uri}
State {state}
Accepting {accepting}
ErrorPolicy {policy}
</Printer>
"""
_PPD = """*PPD-Adobe: "4.3"
*FormatVersion: "4.3"
*FileVersion: "1"
*LanguageVersion: English
*LanguageEncoding: ISOLatin1
*PCFileName: "TEST.PPD"
*Manufacturer: "{maker}"
*Product: "({model})"
*ModelName: "{model}"
*ShortNickName: "{model}"
*NickName: "{model}"
*PSVersion: "(3010.000) 0"
*cupsFilter: "image/png 0 -"
*1284DeviceID: "MFG:{maker};CMD:{commands};MDL:{model};"
*OpenUI *PageSize/Size: PickOne
*DefaultPageSize: A
*PageSize A: "<<>>setpagedevice"
*CloseUI: *PageSize
*OpenUI *PageRegion/Size: PickOne
*DefaultPageRegion: A
*PageRegion A: "<<>>setpagedevice"
*CloseUI: *PageRegion
*DefaultImageableArea: A
*ImageableArea A: "0 0 144 72"
*DefaultPaperDimension: A
*PaperDimension A: "144 72"
"""
_SERVER = """
Listen {socket}
LogLevel none
Browsing Off
WebInterface No
DefaultAuthType None
JobRetryInterval 1
<Location />
  Order allow,deny
  Allow all
</Location>
<Policy default>
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
"""
_FILES = """
ServerRoot {home}/etc
ServerBin {home}/lib
DataDir /usr/share/cups
CacheDir {home}/cache
StateDir {home}/run
RequestRoot {home}/spool
TempDir {home}/temp
AccessLog {home}/access
ErrorLog {home}/error
PageLog {home}/page
"""
_MODES = ("works", "fails", "holds", "stops", "cancels", "empty", "hangs", "roll", "third-fails")


class RealCups:
    """A running cupsd; ``client`` calls it, and ``jobs`` are the bytes that devices received."""

    process: subprocess.Popen[bytes]

    def __init__(self, home: Path) -> None:
        self.home = home
        self.socket = str(home / "run" / "cups.sock")
        self.client = IppClient(self.socket)

    @property
    def jobs(self) -> list[bytes]:
        """The data that devices received, in order."""
        files = [file for file in (self.home / "jobs").iterdir() if file.suffix != ".part"]
        return [file.read_bytes() for file in sorted(files, key=lambda file: int(file.name))]

    def forget_jobs(self) -> None:
        """Remove what devices have received."""
        for file in (self.home / "jobs").iterdir():
            file.unlink()

    @contextmanager
    def freeze(self) -> Iterator[None]:
        """Suspend cupsd for a while: the system accepts connections, and nobody answers them."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def take_paper(self) -> None:
        """Take the roll out of the printer of the queue ``roll``."""
        (self.home / "paper").unlink(missing_ok=True)

    def load_paper(self) -> None:
        """Put a roll into the printer of the queue ``roll``."""
        (self.home / "paper").touch()

    def count_unfinished_jobs(self) -> int:
        """Return the number of jobs that have not ended."""
        listing = subprocess.run(
            ["lpstat", "-h", self.socket, "-W", "not-completed", "-o"],
            capture_output=True,
            text=True,
            check=True,
        )
        return len(listing.stdout.splitlines())


def _write_files(home: Path) -> None:
    home.chmod(0o755)
    for name in ("etc/ppd", "lib/backend", "cache", "run", "spool", "temp", "jobs"):
        (home / name).mkdir(parents=True)
    for name in ("jobs", "temp", "spool"):
        (home / name).chmod(0o777)  # backends run as another user
    home.joinpath("count").touch()
    home.joinpath("count").chmod(0o666)
    for name in ("filter", "daemon", "notifier", "monitor"):
        (home / "lib" / name).symlink_to(f"/usr/lib/cups/{name}")
    backend = home / "lib" / "backend" / "labtest"
    backend.write_text(_BACKEND.format(home=home))
    backend.chmod(0o755)
    queues = [
        _QUEUE.format(
            name=mode.replace("-", "_"),
            uri=f"labtest:/{mode}",
            state="Idle",
            accepting="Yes",
            policy="stop-printer" if mode == "stops" else "abort-job",
        )
        for mode in _MODES
    ]
    for name, uri, state, accepts_jobs in (
        ("off", "labtest:/works", "Stopped", "Yes"),
        ("closed", "labtest:/works", "Idle", "No"),
        ("front_desk", "labtest://Zebra%20Technologies/ZTC%20ZD420-300dpi", "Idle", "Yes"),
        ("driver", "labtest:/works", "Idle", "Yes"),
        ("old_desk", "labtest:/works", "Idle", "Yes"),
    ):
        queues.append(
            _QUEUE.format(
                name=name, uri=uri, state=state, accepting=accepts_jobs, policy="abort-job"
            )
        )
    (home / "etc" / "printers.conf").write_text("".join(queues))
    ppds = home / "etc" / "ppd"
    (ppds / "driver.ppd").write_text(_PPD.format(maker="Office", model="Laser", commands="PCL"))
    (ppds / "old_desk.ppd").write_text(_PPD.format(maker="Eltron", model="LP2824", commands="EPL2"))


@contextmanager
def run_cups(settings: str = "") -> Iterator[RealCups]:
    """Run cupsd on a private socket, with further lines of its settings."""
    program = shutil.which("cupsd", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program is not None, "cupsd is missing: install the package cups-daemon"
    with tempfile.TemporaryDirectory(prefix="cups-") as folder:
        cups = RealCups(Path(folder))
        _write_files(cups.home)
        server, files = cups.home / "etc" / "cupsd.conf", cups.home / "etc" / "cups-files.conf"
        server.write_text(_SERVER.format(socket=cups.socket) + settings)
        files.write_text(_FILES.format(home=cups.home))
        process = cups.process = subprocess.Popen(
            [program, "-f", "-c", str(server), "-s", str(files)], stderr=subprocess.PIPE
        )
        try:
            _wait_until_ready(cups, process)
            yield cups
        finally:
            process.terminate()
            process.wait(20)
            if process.stderr is not None:
                process.stderr.close()


def _wait_until_ready(cups: RealCups, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 30
    while True:
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(cups.socket)
                return
            except OSError:
                assert process.poll() is None, process.stderr and process.stderr.read()
                assert time.monotonic() < end, "cupsd does not answer"
                time.sleep(0.02)
