"""Accepting the notice and the terms."""

from typing import Any

import httpx
import pytest

from app.contract import messages
from app.server.legal import rules
from tests.server.accounts.builders import Person
from tests.server.legal.samples import DOCUMENTS
from tests.server.world import World

PATH = "/api/system/legal"


async def read_documents(world: World, person: Person) -> dict[str, Any]:
    """Read the documents as a person."""
    documents: dict[str, Any] = (await world.http.get(PATH, headers=person.headers)).json()
    return documents


async def accept_documents(
    world: World, person: Person, documents: Any = DOCUMENTS
) -> httpx.Response:
    """Accept documents as a person."""
    body = {"documents": documents}
    return await world.http.post(f"{PATH}/acceptances", headers=person.headers, json=body)


class TestAccepting:
    """POST /api/system/legal/acceptances."""

    @pytest.mark.parametrize("role", ["Superuser", "Laboratory", "Physician", "Patient"])
    async def test_acceptance_is_due_once(self, world: World, role: str) -> None:
        person = await world.create_person(role)
        assert (await read_documents(world, person))["isDue"] is True
        answer = (await accept_documents(world, person)).json()
        assert answer["isDue"] is False
        assert all(document["acceptedAt"] for document in answer["documents"])
        assert (await read_documents(world, person)) == answer

    async def test_is_audited_once(self, world: World, nurse: Person) -> None:
        for _ in range(2):
            assert (await accept_documents(world, nurse)).status_code == 200
        details = world.fetch_rows(
            "SELECT detail FROM audit_events WHERE kind = 'legal-document' AND user_id = %s",
            (nurse.user_id,),
        )
        assert details == [({document["document"]: document["version"] for document in DOCUMENTS},)]

    async def test_acceptance_is_due_again_after_a_change(
        self, world: World, nurse: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await accept_documents(world, nurse)
        monkeypatch.setitem(rules.VERSIONS, rules.LegalDocument.TERMS, "2999-01-01")
        documents = await read_documents(world, nurse)
        assert documents["isDue"] is True
        assert [bool(document["acceptedAt"]) for document in documents["documents"]] == [
            True,
            False,
        ]

    async def test_rejects_a_version_that_is_not_in_force(
        self, world: World, nurse: Person
    ) -> None:
        answer = await accept_documents(
            world, nurse, [{"document": "terms", "version": "2001-01-01"}]
        )
        assert (answer.status_code, answer.json()["detail"]) == (409, messages.LEGAL_CHANGED)
        assert (await read_documents(world, nurse))["isDue"] is True

    async def test_acceptance_counts_for_one_person_only(self, world: World, nurse: Person) -> None:
        await accept_documents(world, nurse)
        other = await world.create_person("Client Basic", client_ids=[nurse.client])
        assert (await read_documents(world, other))["isDue"] is True
