"""What the portal tells a collector of traces that is installed beside it."""

import httpx
import pytest
from opentelemetry import trace

from tests.server.world import Person
from tests.standins.traces import Collector


class TestACollectorOfTraces:
    async def test_is_not_told_whom_people_search_for(
        self, http: httpx.AsyncClient, nurse: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        collector = Collector()
        monkeypatch.setattr(trace, "get_tracer_provider", lambda: collector)
        path = "/api/v2/patients/remote-operations?lastName=Garcia"
        answer = await http.get(path, headers=nurse.headers)
        assert answer.status_code == 200
        assert collector.spans == []
