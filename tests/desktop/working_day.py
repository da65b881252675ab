"""The real app through a working day, in short: ``make test-slow``.

Each round reads an order's results, opens a requisition, prints its labels, and goes back.
"""

import json
import os
from collections.abc import Iterator

import httpx
import pytest

from app.server.seeding import DEMO_PASSWORD
from tests.desktop.grid import measure_memory, open_grid, run_app
from tests.desktop.screen import run_virtual_screen
from tests.desktop.standins import StandInPrinter
from tests.desktop.web_page import WebPage
from tests.e2e import demo_lab

# Fifty requisitions an hour, for eight hours.
ROUNDS = int(os.environ.get("TEST_ROUNDS", "400"))
GROWTH_MB = 40
_ADD_PRINTER = """
fetch('/device/printers', {{
  method: 'POST', referrerPolicy: 'same-origin', body: JSON.stringify({body}),
  headers: {{'Content-Type': 'application/json'}}
}}).then((answer) => {{ window.printerStatus = answer.status; }})
"""


@pytest.fixture
def demo_portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A portal with the demo lab."""
    data = tmp_path_factory.mktemp("portal") / "data"
    demo_lab.copy_data(tmp_path_factory, data)
    with demo_lab.run_portal(data, data.with_suffix(".log")) as url:
        yield url


@pytest.mark.timeout(3_600)
def test_memory_stays_flat_through_a_working_day(demo_portal: str) -> None:
    printer = StandInPrinter()
    with (
        run_virtual_screen() as screen,
        run_app(demo_portal, screen.display) as (process, page, _),
    ):
        open_grid(page)
        _add_printer(page, printer)
        order_id, requisition_id = _find_order(demo_portal)
        memory = []
        for number in range(ROUNDS):
            _work(page, order_id, requisition_id)
            printer.wait_for_jobs(number + 1)
            memory.append(sum(measure_memory(process.pid).values()))
            if number % 20 == 0:
                print(f"round {number}: {memory[-1]} MB, {len(printer.jobs)} print jobs")
        assert process.poll() is None
    assert len(printer.jobs) == ROUNDS
    # The first rounds load each screen once. The heap of JavaScript grows and shrinks.
    tenth = max(1, ROUNDS // 10)
    early, late = memory[tenth : 2 * tenth], memory[-tenth:]
    assert min(late) - min(early) < GROWTH_MB, memory


def _add_printer(page: WebPage, printer: StandInPrinter) -> None:
    body = {
        "name": "Front desk",
        "host": "127.0.0.1",
        "port": printer.port,
        "language": "zpl",
        "dpi": 203,
    }
    page.run(_ADD_PRINTER.format(body=json.dumps(body)))
    page.wait_for("window.printerStatus === 201")


def _find_order(portal: str) -> tuple[int, int]:
    """Return the ids of an order in the grid and of its requisition."""
    with httpx.Client(base_url=portal) as http:
        login = {"loginId": "clientbasic@demo.lab", "password": DEMO_PASSWORD}
        token = http.post("/auth/login", json=login).json()["token"]
        headers = {"Authorization": f"JWT {token}"}
        [order, *_] = http.get("/api/v2/orders/remote-operations", headers=headers).json()["data"]
    return order["id"], order["requisitionId"]


def _work(page: WebPage, order_id: int, requisition_id: int) -> None:
    """Read the results of an order, and print the labels of its requisition."""
    _open(page, f"/secured/results/order;id={order_id}", "L")
    _open(page, f"/secured/requisitions/create;id={requisition_id}", "Edit Requisition")
    page.press_button("Labels")
    page.press_button("Print", within="[role=dialog]")
    page.wait_for("document.body.innerText.includes('Labels sent to Front desk')")
    _open(page, "/secured/requisitions/search", "Requisition Search")
    page.press_button("Search")
    page.wait_for("document.querySelectorAll('[role=row]').length > 2")


def _open(page: WebPage, path: str, heading: str) -> None:
    """Open a screen as links do, without loading the page."""
    page.run(f"history.pushState(null, '', {json.dumps(path)})")
    page.run("dispatchEvent(new PopStateEvent('popstate', {state: null}))")
    page.wait_for(f"document.querySelector('h1')?.innerText.startsWith({json.dumps(heading)})")
