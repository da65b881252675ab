"""Notifying a client by e-mail of a rejected specimen, without clinical content."""

import re
from dataclasses import dataclass

from app.server.main import build_portal
from app.server.transmissions.service.deliver import deliver_transmission
from app.server.transmissions.service.notify import notify_client
from tests.server.results.clinical.bench import Bench
from tests.server.transmissions.conftest import (
    Office,
    OpenOffice,
    build_mail_settings,
    connect_job_owner,
)
from tests.standins.certificates import Certificate
from tests.standins.mail import MailStandIn

ADDRESS = "notices@c.example"


@dataclass
class Rejection:
    """A received order whose first tube was rejected, in an office without a worker."""

    office: Office
    bench: Bench
    requisition_code: str

    async def run_jobs(self) -> None:
        """Run the job that notifies the client, and the deliveries that it created."""
        portal = build_portal(self.office.settings, self.office.app_url)
        await portal.database.open()
        try:
            for arguments in self.list_jobs("specimens.tell-client"):
                await notify_client(portal, **arguments)
            for arguments in self.list_jobs("transmissions.deliver"):
                await deliver_transmission(portal, **arguments)
        finally:
            await portal.senders.close()
            await portal.database.close()

    def list_jobs(self, task: str) -> list[dict]:
        """Return the arguments of the queued jobs of this task."""
        with connect_job_owner(self.office.world.owner.url) as connection:
            rows = connection.execute(
                "SELECT args - 'requestId' FROM procrastinate_jobs WHERE task_name = %s"
                " ORDER BY id",
                (task,),
            )
            return [arguments for (arguments,) in rows]

    def list_troubles(self) -> list[str | None]:
        """Return what the audit log says about the e-mails of the order."""
        rows = self.office.world.fetch_rows(
            "SELECT detail ->> 'trouble' FROM audit_events WHERE action = 'tell-client'"
            " AND record_ids @> ARRAY[%s::bigint] ORDER BY id",
            (self.bench.order_id,),
        )
        return [trouble for (trouble,) in rows]


async def reject_tube(
    open_office: OpenOffice, mail: MailStandIn, certificate: Certificate, address: str | None
) -> Rejection:
    """Receive an order of a client with this address for notices, and reject its tube."""
    office = await open_office(worker=False, **build_mail_settings(mail, certificate))
    office.world.run_sql(
        "UPDATE clients SET notice_email = %s WHERE id = %s RETURNING id", (address, office.client)
    )
    lab = await office.world.create_person("Laboratory")
    requisition = await office.save_requisition(
        tests=[{"test": {"id": office.world.get_test_id("K")}}]
    )
    receive_answer = await office.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    bench = Bench(office.world, lab, office.nurse, receive_answer.json()[0]["orderId"])
    tube = {"number": 1, "state": "rejected", "reason": "HEMOLYZED"}
    answer = await office.http.put(
        f"{bench.path}/specimens", headers=lab.headers, json={"tubes": [tube]}
    )
    assert answer.status_code == 200, answer.text
    assert (answer.json()["clientToCall"] is None) is (address is not None)
    return Rejection(office, bench, requisition["code"])


async def test_a_repeated_job_sends_one_email_without_clinical_content(
    open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
) -> None:
    with mail:
        rejection = await reject_tube(open_office, mail, certificate, ADDRESS)
        await rejection.run_jobs()
        await rejection.run_jobs()
    [email] = mail.received
    assert (email.to, email.is_encrypted) == ([ADDRESS], True)
    text = f"{email.mail['Subject']}\n{email.mail.get_content()}"
    bench = rejection.bench
    assert f"/secured/results/order;id={bench.order_id}" in text
    order = await bench.read_order()
    patient = order["patient"]
    secrets = ("POTASSIUM", "HEMOLYZED", order["codeValue"], rejection.requisition_code)
    for secret in (*secrets, patient["lastName"], patient["firstName"]):
        assert not re.search(rf"\b{re.escape(secret)}\b", text, re.I), secret
    assert rejection.list_troubles() == [None]


async def test_a_client_without_an_address_gets_no_email(
    open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
) -> None:
    with mail:
        rejection = await reject_tube(open_office, mail, certificate, None)
        await rejection.run_jobs()
    assert mail.received == []
    assert rejection.list_jobs("transmissions.deliver") == []
    assert rejection.list_troubles() == ["noAddress"]
