"""The desktop host sends nothing to a collector of traces."""

import pytest
from opentelemetry import trace

from tests.desktop.host import DesktopHost
from tests.standins.traces import Collector


class TestTraceCollector:
    def test_app_sends_nothing_to_a_collector_of_traces(
        self, host: DesktopHost, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        collector = Collector()
        monkeypatch.setattr(trace, "get_tracer_provider", lambda: collector)
        with host.open_page() as client:
            assert client.get("/device/preferences").status_code == 200
        assert collector.spans == []
