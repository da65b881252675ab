"""FastAPI's own telemetry is disabled."""

import httpx
import pytest
from opentelemetry import trace

from tests.server.accounts.builders import Person
from tests.standins.traces import Collector


class TestTraceCollector:
    async def test_gets_no_queries_with_patient_names(
        self, http: httpx.AsyncClient, nurse: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        collector = Collector()
        monkeypatch.setattr(trace, "get_tracer_provider", lambda: collector)
        path = "/api/v2/patients/remote-operations?lastName=Garcia"
        answer = await http.get(path, headers=nurse.headers)
        assert answer.status_code == 200
        assert collector.spans == []
