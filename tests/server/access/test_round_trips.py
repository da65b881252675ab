"""How often a write waits for PostgreSQL (ADR 21), counted on the wire."""

import uuid

from fastapi import FastAPI

from tests.server.wire import wire
from tests.server.world import World


async def test_the_claim_the_audit_row_and_the_answer_cost_no_round_trip(
    world: World, portal_app: FastAPI
) -> None:
    client = world.client()
    nurse = await world.person("Client Basic", client_ids=[client])
    headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
    draft = f"/api/v2/requisitions/drafts/{uuid.uuid4()}"
    await world.http.put(draft, headers=nurse.headers, json={"content": {}})
    with wire(portal_app.state.portal.database) as seen:
        answer = await world.http.delete(draft, headers=headers)
    assert answer.status_code == 204
    # Begin, scope and claim; the draft; its audit row, the kept answer and the commit.
    assert seen.round_trips == 3
    row = world.rows("SELECT status FROM idempotency_keys WHERE user_id = %s", (nurse.user_id,))
    assert row == [(204,)]
