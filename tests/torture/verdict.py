"""Compares the database, the bucket, and the mailbox of a site with what was acknowledged."""

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import psycopg
from psycopg.rows import dict_row

from app.contract.enumerations import OrderStatus, SendStatus
from app.server.transmissions.rules import Trouble
from tests.server.world import World
from tests.standins.mail import MailStandIn
from tests.standins.s3 import Bucket
from tests.torture.acts import COMMENT, MEDICATIONS, Case, Ledger

_STATE = """
SELECT p.id AS patient,
  count(r.id) AS requisitions,
  max(r.comments) AS comments,
  sum((SELECT count(*) FROM requisition_tests t WHERE t.requisition_id = r.id)) AS tests,
  sum((SELECT count(*) FROM requisition_medications m WHERE m.requisition_id = r.id))
    AS medications,
  sum((SELECT count(*) FROM audit_events a WHERE a.kind = 'requisition' AND a.action = 'create'
    AND a.record_ids[1] = r.id)) AS create_rows,
  sum((SELECT count(*) FROM requisition_signatures s WHERE s.requisition_id = r.id)) AS signatures,
  sum((SELECT count(*) FROM orders o WHERE o.requisition_id = r.id)) AS orders,
  sum((SELECT count(*) FROM order_tests t JOIN orders o ON o.id = t.order_id
    WHERE o.requisition_id = r.id)) AS order_tests,
  max((SELECT max(o.status) FROM orders o WHERE o.requisition_id = r.id)) AS order_status,
  sum((SELECT count(*) FROM results x JOIN orders o ON o.id = x.order_id
    WHERE o.requisition_id = r.id)) AS results,
  sum((SELECT count(*) FROM results x JOIN orders o ON o.id = x.order_id
    WHERE o.requisition_id = r.id AND x.released_at IS NOT NULL)) AS released,
  array_agg((SELECT d.key FROM requisition_documents d WHERE d.requisition_id = r.id)) AS keys,
  array_agg((SELECT d.sha256 FROM requisition_documents d WHERE d.requisition_id = r.id))
    AS digests,
  sum((SELECT count(*) FROM transmission_requisitions t WHERE t.requisition_id = r.id))
    AS transmissions,
  max((SELECT concat_ws(' ', x.status, x.trouble) FROM transmission_requisitions t
    JOIN transmissions x ON x.id = t.transmission_id WHERE t.requisition_id = r.id LIMIT 1)) AS sent
FROM patients p LEFT JOIN requisitions r ON r.patient_id = p.id
WHERE p.id = ANY(%s) GROUP BY p.id
"""
_UNDECIDED_STATE = f"{SendStatus.FAILED} {Trouble.UNCERTAIN}"


@dataclass
class Verdict:
    """What is wrong, in words with ids. The portal promises that the lists stay empty.

    Attributes:
        repeated_mails: mails that arrived more than once. A kill of a worker may repeat one
            (ADR 17), so they are compared with the number of kills.
        undecided: e-mails that were interrupted twice. Whether they arrived is unknown, and the
            portal asks the person (ADR 17).
    """

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    partial: list[str] = field(default_factory=list)
    repeated_mails: int = 0
    undecided: int = 0


def judge_cases(world: World, ledger: Ledger, bucket: Bucket, mail: MailStandIn) -> Verdict:
    """Compare every case with what is stored."""
    verdict = Verdict()
    ids = [case.patient for case in ledger.cases]
    with psycopg.connect(world.owner_url, row_factory=dict_row) as connection:
        states = {row["patient"]: row for row in connection.execute(_STATE, (ids,))}
    for case in ledger.cases:
        _judge_case(case, states[case.patient], bucket, verdict)
    mails = Counter(email.mail["Message-ID"] for email in mail.received)
    verdict.repeated_mails = sum(count - 1 for count in mails.values())
    return verdict


def _judge_case(case: Case, state: dict[str, Any], bucket: Bucket, verdict: Verdict) -> None:
    """Add what is wrong with a case; each step must be stored once as a whole, or not at all."""
    where = f"patient {case.patient}"
    if state["requisitions"] == 0:
        if case.is_acknowledged("save"):
            verdict.lost.append(f"{where}: requisition")
        return
    for name in ("requisitions", "create_rows", "signatures", "orders", "transmissions"):
        if state[name] > 1:
            verdict.doubled.append(f"{where}: {state[name]} {name}")
    if state["results"] > 1 or len(set(state["keys"])) > 1:
        verdict.doubled.append(f"{where}: results or documents")
    if (state["tests"], state["medications"], state["create_rows"]) != (1, len(MEDICATIONS), 1):
        verdict.partial.append(f"{where}: requisition {state}")
    if state["orders"] and state["order_tests"] != 1:
        verdict.partial.append(f"{where}: order without its test")
    if (state["order_status"] == OrderStatus.FINAL) != (state["released"] == 1):
        verdict.partial.append(f"{where}: status and release of the order differ")
    stored_steps = {
        "change": COMMENT in (state["comments"] or ""),
        "sign": state["signatures"] == 1,
        "send": state["transmissions"] == 1 and state["sent"] in ("sent", _UNDECIDED_STATE),
        "receive": state["orders"] == 1,
        "enter": state["results"] == 1,
        "release": state["released"] == 1,
        "attach": state["digests"] == [case.document_digest],
    }
    for step, is_stored in stored_steps.items():
        if case.is_acknowledged(step) and not is_stored:
            detail = f" ({state['sent']})" if step == "send" else ""
            verdict.lost.append(f"{where}: {step}{detail}")
    verdict.undecided += state["sent"] == _UNDECIDED_STATE
    for key in filter(None, state["keys"]):
        content = bucket.objects.get(f"/documents/portal/{key}")
        if content is None or hashlib.sha256(content).digest() != case.document_digest:
            verdict.partial.append(f"{where}: bytes of the document")
