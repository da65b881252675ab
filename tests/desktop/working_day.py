"""The real app through a working day, in short: ``make test-slow``.

Each round reads an order's results, opens its requisition, prints the labels, and goes back. The
next round works on another order, since a requisition lists each print of its labels.
"""

import json
import os
from collections.abc import Iterator
from itertools import cycle

import httpx
import pytest

from app.server.seeding import DEMO_PASSWORD
from tests.desktop.grid import measure_memory, open_grid, run_app
from tests.desktop.screen import run_virtual_screen
from tests.desktop.standins import StandInPrinter
from tests.desktop.web_page import WebPage
from tests.standins import demo_lab

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
        orders = cycle(_list_orders(demo_portal))
        memory = []
        for number in range(ROUNDS):
            _work(page, *next(orders))
            printer.wait_for_jobs(number + 1)
            memory.append(sum(measure_memory(process.pid).values()))
            if number % 20 == 0:
                print(f"round {number}: {memory[-1]} MB, {len(printer.jobs)} print jobs")
        assert process.poll() is None
    assert len(printer.jobs) == ROUNDS
    # The first half loads each screen and fills caches: a page keeps the answers of the last five
    # minutes. The heap of JavaScript grows and shrinks, so the lowest values are compared.
    tenth, half = max(1, ROUNDS // 10), ROUNDS // 2
    early, late = memory[half : half + tenth], memory[-tenth:]
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


def _list_orders(portal: str) -> list[tuple[int, int]]:
    """Return the ids of the orders in the grid, each with its requisition's."""
    with httpx.Client(base_url=portal) as http:
        login = {"loginId": "clientbasic@demo.lab", "password": DEMO_PASSWORD}
        token = http.post("/auth/login", json=login).json()["token"]
        headers = {"Authorization": f"JWT {token}"}
        orders = http.get("/api/v2/orders/remote-operations", headers=headers).json()["data"]
    return [(order["id"], order["requisitionId"]) for order in orders]


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
