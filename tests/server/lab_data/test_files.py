"""Files of lab data: what a preview says, and what an import changes."""

import pytest

from app.contract import messages
from tests.server.lab_data.desk import Desk, Samples


async def read_error(desk: Desk, kind: str, content: bytes | str) -> str:
    """Return the message about a file that cannot be read."""
    answer = await desk.preview(kind, content)
    assert answer.status_code == 400, answer.text
    return str(answer.json()["errors"][0]["message"])


class TestPreview:
    """POST {kind}/csv/preview."""

    async def test_reports_new_changed_and_invalid_rows(self, desk: Desk, samples: Samples) -> None:
        n = samples.number
        await desk.create("payers", name=f"PAYER {n}", billType="MEDICARE")
        await desk.create("payers", name=f"SAME {n}", billType="MEDICARE")
        content = (
            "Name,Bill type\n"
            f"payer {n},commercial\n"
            f"SAME {n},MEDICARE\n"
            f"NEW {n},MEDICARE\n"
            f"BAD {n},NOTHING\n"
            f"NEW {n},MEDICARE\n"
        )
        answer = (await desk.preview("payers", content)).json()
        counts = {name: answer[name] for name in ("added", "changed", "unchanged", "rejected")}
        assert counts == {"added": 1, "changed": 1, "unchanged": 1, "rejected": 2}
        invalid_row, repeated_row, changed_row, new_row = answer["rows"]
        assert (invalid_row["number"], repeated_row["number"]) == (5, 6)
        assert invalid_row["errors"] == ["Bill type: there is no 'NOTHING'"]
        assert repeated_row["errors"] == [
            messages.LAB_DATA_FILE_REPEATED.format(labels="Name", row=4)
        ]
        assert changed_row["changes"] == [
            {"label": "Bill type", "old": "MEDICARE", "new": "COMMERCIAL"}
        ]
        assert new_row["isNew"] and new_row["name"] == f"NEW {n}"

    async def test_names_the_column_of_each_error(self, desk: Desk) -> None:
        content = f"NPI,Last Name,First Name\n1,{'X' * 201},A\n"
        [row] = (await desk.preview("physicians", content)).json()["rows"]
        too_long = messages.VALUE_TOO_LONG.format(max=200)
        assert row["errors"] == [messages.NPI_INVALID, f"Last Name: {too_long}"]

    async def test_changes_nothing(self, desk: Desk, samples: Samples) -> None:
        before = await desk.export("medications")
        await desk.preview("medications", f"Name\nDRUG {samples.number}\n")
        assert await desk.export("medications") == before

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("", messages.LAB_DATA_FILE_COLUMN_MISSING.format(name="Name")),
            ("Name\n", messages.LAB_DATA_FILE_EMPTY),
            ("Bill type\nMEDICARE\n", messages.LAB_DATA_FILE_COLUMN_MISSING.format(name="Name")),
            ("Name,Price\nA,1\n", messages.LAB_DATA_FILE_COLUMN_UNKNOWN.format(name="Price")),
            ("Name,name\nA,A\n", messages.LAB_DATA_FILE_COLUMN_TWICE.format(name="Name")),
            ('Name\n"A\n', messages.LAB_DATA_FILE_NO_CSV),
            ("Name\nA\n".encode("utf-16"), messages.LAB_DATA_FILE_ENCODING),
        ],
    )
    async def test_says_why_a_file_cannot_be_read(
        self, desk: Desk, content: bytes | str, message: str
    ) -> None:
        assert await read_error(desk, "payers", content) == message

    async def test_reads_the_encoding_of_older_spreadsheets(
        self, desk: Desk, samples: Samples
    ) -> None:
        content = f"Name\nCAFÉ {samples.number}\n".encode("cp1252")
        [row] = (await desk.preview("medications", content)).json()["rows"]
        assert row["name"] == f"CAFÉ {samples.number}"

    async def test_rejects_rows_with_more_cells_than_the_header(self, desk: Desk) -> None:
        [row] = (await desk.preview("medications", "Name\nONE,TWO\n")).json()["rows"]
        assert row["errors"] == [messages.LAB_DATA_FILE_CELLS]

    async def test_finds_ranges_of_the_file_that_overlap(
        self, desk: Desk, samples: Samples
    ) -> None:
        test = samples.test
        heading = "Test,Sex,Age from (days),Age to (days),Low,High\n"
        content = f"{heading}{test},,0,6570,1,2\n{test},,365,60000,1,3\n{test},Male,0,60000,1,3\n"
        answer = (await desk.preview("reference-ranges", content)).json()
        errors_by_row = {row["number"]: row["errors"] for row in answer["rows"] if row["errors"]}
        assert errors_by_row == {2: [messages.RANGE_OVERLAPS], 3: [messages.RANGE_OVERLAPS]}


class TestImport:
    """POST {kind}/csv."""

    async def test_applies_the_previewed_changes(self, desk: Desk, samples: Samples) -> None:
        n = samples.number
        row = await desk.create("payers", name=f"PAYER {n}", billType="MEDICARE")
        content = f"Name,Bill type\nPAYER {n},COMMERCIAL\nNEW {n},MEDICAID\nBAD {n},\n"
        answer = await desk.load("payers", content)
        assert (answer["added"], answer["changed"], answer["rejected"]) == (1, 1, 1)
        stored_row = (await desk.send("GET", f"/payers/{row['id']}")).json()
        assert stored_row["values"] == {**row["values"], "billType": "COMMERCIAL"}
        stored_rows = desk.world.fetch_rows(
            "SELECT name FROM payers WHERE name LIKE %s ORDER BY id", (f"%{n}",)
        )
        assert [name for (name,) in stored_rows] == [f"PAYER {n}", f"NEW {n}"]

    async def test_each_row_has_its_history(self, desk: Desk, samples: Samples) -> None:
        n = samples.number
        row = await desk.create("payers", name=f"PAYER {n}", billType="MEDICARE")
        await desk.load("payers", f"Name,Bill type\nPAYER {n},COMMERCIAL\n")
        newest, _created = await desk.read_history("payers", row)
        assert newest["action"] == "import"
        assert newest["fields"] == [{"label": "Bill type", "old": "MEDICARE", "new": "COMMERCIAL"}]

    async def test_leaves_columns_that_the_file_lacks_unchanged(
        self, desk: Desk, samples: Samples
    ) -> None:
        row = await desk.create("clients", **samples.build("clients"))
        code = row["values"]["code"]
        answer = await desk.load("clients", f"Code,Name\n{code},OTHER NAME\n")
        assert answer["changed"] == 1, answer
        stored_row = (await desk.send("GET", f"/clients/{row['id']}")).json()
        assert stored_row["values"] == {**row["values"], "name": "OTHER NAME"}

    async def test_a_blank_in_use_cell_does_not_end_a_row(
        self, desk: Desk, samples: Samples
    ) -> None:
        n = samples.number
        row = await desk.create("medications", name=f"OLD DRUG {n}")
        content = f"Name,In use\nOLD DRUG {n},\nNEW DRUG {n},\nENDED DRUG {n},no\n"
        answer = await desk.load("medications", content)
        assert (answer["added"], answer["changed"], answer["unchanged"]) == (2, 0, 1)
        stored_rows = desk.world.fetch_rows(
            "SELECT name, active FROM medications WHERE name LIKE %s ORDER BY id", (f"%{n}",)
        )
        assert stored_rows == [
            (row["name"], True),
            (f"NEW DRUG {n}", True),
            (f"ENDED DRUG {n}", False),
        ]

    async def test_replaces_links(self, desk: Desk, samples: Samples) -> None:
        row = await desk.create("clients", **samples.build("clients"))
        code = row["values"]["code"]
        await desk.load("clients", f"Code,Test list\n{code},GLU; k\n")
        stored_row = (await desk.send("GET", f"/clients/{row['id']}")).json()
        assert stored_row["values"]["tests"] == ["GLU", "K"]

    async def test_rejects_a_preview_that_is_out_of_date(
        self, desk: Desk, samples: Samples
    ) -> None:
        n = samples.number
        row = await desk.create("payers", name=f"PAYER {n}", billType="MEDICARE")
        content = f"Name,Bill type\nPAYER {n},COMMERCIAL\n"
        token = (await desk.preview("payers", content)).json()["token"]
        await desk.change("payers", row, medicarePartB=True)
        answer = await desk.apply("payers", content, token)
        assert (answer.status_code, answer.json()["code"]) == (409, "preview_outdated")
        stored_row = (await desk.send("GET", f"/payers/{row['id']}")).json()
        assert stored_row["values"]["billType"] == "MEDICARE"

    async def test_rejects_a_file_that_was_not_previewed(
        self, desk: Desk, samples: Samples
    ) -> None:
        token = (await desk.preview("medications", "Name\nSEEN\n")).json()["token"]
        answer = await desk.apply("medications", f"Name\nUNSEEN {samples.number}\n", token)
        assert answer.status_code == 409

    async def test_laboratory_imports_only_data_of_the_benches(self, lab_desk: Desk) -> None:
        assert (await lab_desk.preview("payers", "Name\nA\n")).status_code == 403
        assert (await lab_desk.preview("collection-sites", "Name\nA\n")).status_code == 200


class TestExport:
    """GET {kind}/csv."""

    async def test_spreadsheets_do_not_compute_cells(self, desk: Desk, samples: Samples) -> None:
        n = samples.number
        for name in (f"=HYPERLINK({n})", f"+{n}+1", f"@SUM{n}", f"-{n}-1", f"'=A{n}"):
            await desk.create("medications", name=name)
        text = (await desk.export("medications")).decode("utf-8-sig")
        cells = [line.split(",")[0].strip('"') for line in text.splitlines()]
        assert not [cell for cell in cells if cell.startswith(tuple("=+-@"))]
        answer = (await desk.preview("medications", text)).json()
        assert (answer["added"], answer["changed"], answer["rejected"]) == (0, 0, 0)

    async def test_is_audited(self, desk: Desk) -> None:
        await desk.export("payers")
        statement = (
            "SELECT count(*) FROM audit_events WHERE kind = 'lab-data-payers'"
            " AND action = 'export' AND user_id = %s"
        )
        assert desk.world.run_sql(statement, (desk.person.user_id,)) == 1
