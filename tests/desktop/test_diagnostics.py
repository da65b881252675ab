"""The log files, and what 'Copy diagnostics' copies."""

import re
from pathlib import Path

import pytest
import structlog

from app.basics.version import VERSION
from app.desktop import logs
from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import run_desktop_process
from tests.desktop.standins import StandInPortal


class TestLogFiles:
    def test_log_files_rotate(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PORTAL_DESKTOP_DIR", str(tmp_path))
        monkeypatch.setattr(logs, "_FILE_BYTES", 500)
        before = structlog.get_config()
        try:
            logs.configure_logs(logs.SIDECAR_LOG)
            log = structlog.get_logger("test")
            for number in range(60):
                log.info("event", number=number)
        finally:
            structlog.configure(**before)
        files = sorted(p.name for p in (tmp_path / "logs").iterdir())
        assert files == ["lab-portal.log", *(f"lab-portal.log.{n}" for n in (1, 2, 3))]
        assert '"number": 59' in logs.read_last_lines(3)[-1]
        assert len(logs.read_last_lines(3)) == 3


class TestDiagnostics:
    def test_have_versions_connection_and_log_and_nothing_personal(
        self, tmp_path: Path, portal: StandInPortal, portal_url: str, ui_dir: Path
    ) -> None:
        with (
            run_desktop_process(portal_url, tmp_path / "config", ui_dir) as host,
            host.open_page() as page,
        ):
            page.post("/auth/login", json=SIGN_IN)
            page.get("/api/v2/patients/remote-operations?lastName=NIGHTINGALE")
            answer = page.post("/device/diagnostics/copy").json()
        text = answer["text"]
        assert f"Lab Portal {VERSION}" in text
        assert f"Portal: {portal_url}, answers" in text
        assert "Signed in: yes" in text
        assert "desktop app started" in text
        assert answer["isCopied"] is False
        assert answer["folder"] == str(tmp_path / "config" / "logs")
        personal = ["NIGHTINGALE", "demo.lab", *portal.access_tokens, *portal.refresh_tokens]
        assert not [word for word in personal if word in text]
        assert not re.search(str(Path.home()), text)
