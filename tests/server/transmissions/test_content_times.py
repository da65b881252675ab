"""Corrections while a fax with the earlier results is drawn or dialed (ADR 110)."""

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from app.basics.clock import get_utc_now
from app.server.transmissions.senders.port import Delivery
from app.server.transmissions.senders.telnyx import HttpFax
from app.server.transmissions.service import content, deliver, follow, outcomes
from tests.server.results.clinical.bench import Bench
from tests.server.transmissions.conftest import Office, OpenOffice, build_fax_settings
from tests.server.transmissions.results import (
    correct_values,
    list_earlier_recipients,
    list_sent,
    receive_order,
    release_values,
    send_results,
)
from tests.server.transmissions.test_copies import list_subjects, run_jobs
from tests.server.transmissions.test_fax import extract_pages
from tests.standins.fax import FaxStandIn

FAX = "312-555-0177"
COPIES = [{"type": "FAX", "destination": FAX}]
MOMENTS = ("drawing", "dialing")
pytestmark = pytest.mark.xdist_group("kills")


def interrupt(
    monkeypatch: pytest.MonkeyPatch, moment: str, act: Callable[[], Awaitable[None]]
) -> None:
    """Make drawing or dialing the first fax take an hour, and act once during that hour."""
    delay = timedelta()
    load, dial = content.load_delivery, HttpFax.send

    def read_clock() -> datetime:
        return get_utc_now() + delay

    async def act_once(when: str) -> None:
        nonlocal delay
        if when == moment and not delay:
            delay = timedelta(hours=1)
            await act()

    async def load_delivery(*arguments: Any) -> content.Draw:
        draw = await load(*arguments)

        async def draw_slowly() -> Delivery:
            await act_once("drawing")
            return await draw()

        return draw_slowly

    async def send(sender: HttpFax, delivery: Delivery) -> Any:
        await act_once("dialing")
        return await dial(sender, delivery)

    for module in (deliver, outcomes):
        monkeypatch.setattr(module, "get_utc_now", read_clock)
    monkeypatch.setattr(deliver, "load_delivery", load_delivery)
    monkeypatch.setattr(HttpFax, "send", send)


async def send_fax(office: Office, bench: Bench) -> None:
    """Send the results by fax in this process."""
    answer = await send_results(office, [bench.order_id], "fax", FAX)
    assert answer.status_code == 202, answer.text
    await deliver.deliver_transmission(office.world.app.state.portal, answer.json()["id"])


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_fax_that_was_read_before_a_correction_does_not_inform(
    open_office: OpenOffice, fax: FaxStandIn, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    with fax:
        office = await open_office(worker=False, **build_fax_settings(fax))
        bench = await receive_order(office, "GLU")
        await release_values(bench, GLU="90")
        interrupt(monkeypatch, moment, lambda: correct_values(bench, GLU="120"))
        await send_fax(office, bench)
        assert await list_earlier_recipients(bench) == [("send", FAX, None)]
        await send_fax(office, bench)
        # The provider has accepted the fax, and dials.
        assert await list_earlier_recipients(bench) == [("send", FAX, "sending")]
        [sent, _] = await list_sent(office, bench.order_id)
        for _ in range(5):
            await follow.follow_transmission(office.world.app.state.portal, sent["id"])
        assert await list_earlier_recipients(bench) == [("send", FAX, "current")]
        names = [row["media_name"] for row in fax.faxes]
        reports = [extract_pages(fax.documents[name])[1] for name in names]
    assert ["was 90" in report for report in reports] == [False, True]


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_copy_that_was_read_before_a_withdrawal_is_not_current(
    open_office: OpenOffice, fax: FaxStandIn, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    with fax:
        office = await open_office(worker=False, **build_fax_settings(fax))
        bench = await receive_order(office, additionalCopies=COPIES)
        await release_values(bench, GLU="90", K="4.1")
        await run_jobs(office)

        async def withdraw() -> None:
            answer = await bench.post("withhold", "K", kind="withdrawn", reason="SPECIMEN")
            assert answer.status_code == 200, answer.text

        interrupt(monkeypatch, moment, withdraw)
        [row] = await list_sent(office, bench.order_id)
        await deliver.deliver_transmission(office.world.app.state.portal, row["id"])
    cancel_answer = await bench.post("cancel", "K", reason="CLIENT")
    assert cancel_answer.status_code == 200, cancel_answer.text
    await run_jobs(office)
    assert await list_subjects(office, bench) == ["results", "correctedResults"]
