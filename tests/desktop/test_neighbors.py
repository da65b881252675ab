"""The app beside portals of neighboring versions, whose answers lack or add fields."""

from pathlib import Path

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.desktop.conftest import SIGN_IN
from tests.desktop.host import run_sidecar
from tests.desktop.printing import add_printer, build_label, start_job, wait_for_job
from tests.desktop.standins import serve_app
from tests.desktop.zebra import Zebra


def build_portal(*, is_older: bool) -> Starlette:
    """Build a portal that knows fewer routes and fields than this app, or more."""

    async def send_capabilities(_: Request) -> Response:
        newer = {"version": "9.9.9", "canFly": True, "host": {"name": "server"}}
        return JSONResponse({"lab": {"title": "LAB"}, **({} if is_older else newer)})

    async def sign_in(_: Request) -> Response:
        tokens = {"token": "not a JWT", "refreshToken": "r"}
        user = {"id": 7} if is_older else {"id": "7", "firstName": "ADA", "lastName": None}
        return JSONResponse({**tokens, "user": user, **({} if is_older else {"next": [1]})})

    async def answer(request: Request) -> Response:
        if "label-prints" in request.url.path and is_older:
            return JSONResponse({"code": "not_found"}, 404)
        return JSONResponse({"path": request.url.path, "new": {"deep": [None]}})

    return Starlette(
        routes=[
            Route("/capabilities", send_capabilities),
            Route("/auth/login", sign_in, methods=["POST"]),
            Route("/{rest:path}", answer, methods=["GET", "PUT", "POST"]),
        ]
    )


class TestNeighbors:
    def test_an_older_portal_serves_this_app(self, tmp_path: Path, ui_dir: Path) -> None:
        self.check_main_job(tmp_path, ui_dir, is_older=True)

    def test_a_newer_portal_serves_this_app(self, tmp_path: Path, ui_dir: Path) -> None:
        self.check_main_job(tmp_path, ui_dir, is_older=False)

    def check_main_job(self, folder: Path, ui_dir: Path, *, is_older: bool) -> None:
        """Sign in, read a list, and print a label."""
        printer = Zebra()
        with (
            serve_app(build_portal(is_older=is_older)) as url,
            run_sidecar(url, folder / "config", ui_dir) as host,
            host.open_page() as page,
        ):
            connection = page.get("/capabilities").json()["portal"]
            assert connection["cause"] is None
            assert connection["newerVersion"] == (None if is_older else "9.9.9")
            assert page.post("/auth/login", json=SIGN_IN).json()["token"] is None
            list_answer = page.get("/api/v2/orders/remote-operations")
            assert list_answer.json()["new"] == {"deep": [None]}
            key = add_printer(page, printer.port, "Zebra", language="zpl")
            start_job(page, key, "job-00000001", build_label(), codes=["R260000001"])
            record = wait_for_job(page, "job-00000001")
            assert (record["state"], record["printed"]) == ("confirmed", 1)
            self.check_settings(page, is_older=is_older)
        printer.close()

    def check_settings(self, page: httpx.Client, *, is_older: bool) -> None:
        """Check the name of the person who set up the printer; an older portal sends none."""
        [stored_printer] = page.get("/device/printers").json()
        assert stored_printer["changedBy"] == (None if is_older else "ADA")
