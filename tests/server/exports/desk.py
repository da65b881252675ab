"""A desk at which people export results, for tests."""

import csv
import io
from dataclasses import dataclass
from typing import Any

import httpx

from app.server.exports.service import names
from app.server.exports.service.run import run_export
from tests.server.accounts.builders import Person
from tests.server.world import World

PATH = "/api/v2/result-exports"
EVER = {"startDate": "2000-01-01", "endDate": "2100-01-01"}


@dataclass
class Desk:
    """Requests exports over HTTP, and runs their jobs in the test's process."""

    world: World

    async def request(self, person: Person, **body: Any) -> httpx.Response:
        """Request an export of all days, unless the body says otherwise."""
        return await self.world.http.post(PATH, headers=person.headers, json={**EVER, **body})

    async def start(self, person: Person, **body: Any) -> int:
        """Request an export, and return its id."""
        answer = await self.request(person, **body)
        assert answer.status_code == 201, answer.text
        return int(answer.json()["id"])

    async def run(self, export_id: int) -> None:
        """Run the job of an export, as a worker does."""
        await run_export(self.world.app.state.portal, export_id)

    async def call(
        self, person: Person, method: str, export_id: int, part: str = ""
    ) -> httpx.Response:
        """Send a request about an export."""
        return await self.world.http.request(
            method, f"{PATH}/{export_id}{part}", headers=person.headers
        )

    async def read(self, person: Person, export_id: int) -> dict[str, Any]:
        """Read an export as its owner."""
        answer = await self.call(person, "GET", export_id)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def download(self, person: Person, export_id: int) -> bytes:
        """Download the file of an export."""
        answer = await self.call(person, "GET", export_id, "/file")
        assert answer.status_code == 200, answer.text
        return answer.content

    async def export(self, person: Person, **body: Any) -> list[dict[str, str]]:
        """Export as CSV, and return the rows by heading, without empty cells."""
        export_id = await self.start(person, **body)
        await self.run(export_id)
        assert (await self.read(person, export_id))["state"] == "done"
        return parse_csv(await self.download(person, export_id))

    def list_audited_ids(self, action: str, person: Person) -> list[list[int]]:
        """Return the record ids of each audited act of a person."""
        rows = self.world.fetch_rows(
            "SELECT record_ids FROM audit_events WHERE action = %s AND user_id = %s ORDER BY id",
            (action, person.user_id),
        )
        return [ids for (ids,) in rows]


def parse_csv(content: bytes) -> list[dict[str, str]]:
    """Return the rows of a CSV file by heading, without empty cells."""
    assert content.startswith(b"\xef\xbb\xbf")
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    return [{k: v for k, v in row.items() if v != ""} for row in csv.DictReader(text)]


def count_jobs(world: World, export_id: int) -> int:
    """Count the waiting jobs of an export."""
    return world.run_sql(
        "SELECT count(*) FROM jobs.procrastinate_jobs WHERE status = 'todo'"
        " AND task_name = %s AND (args ->> 'export_id')::bigint = %s",
        (names.RUN, export_id),
    )


def read_row(world: World, export_id: int, columns: str) -> tuple[Any, ...]:
    """Return columns of an export's row."""
    [row] = world.fetch_rows(f"SELECT {columns} FROM exports WHERE id = %s", (export_id,))
    return row


def list_stored_files(world: World) -> set[str]:
    """List the files of the portal's store."""
    folder = world.app.state.portal.settings.data_dir / "files"
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
