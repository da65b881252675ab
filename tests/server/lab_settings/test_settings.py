"""The lab's settings: reading them, changing them, and who is affected."""

import base64
import io
import zlib
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from PIL import Image

from app.contract import messages
from app.server.lab_settings.rules import is_second_factor_required
from app.server.lab_settings.zone import apply_time_zone
from tests.server.accounts.builders import Person
from tests.server.results.clinical.bench import receive_order
from tests.server.world import World

PATH = "/api/system/lab-settings"


def encode_image(size: tuple[int, int], kind: str = "PNG") -> str:
    """Return a picture of this size as a data URL, which always claims to be a PNG."""
    buffer = io.BytesIO()
    Image.new("RGB", size, "navy").save(buffer, kind)
    return f"data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}"


def encode_base64(content: bytes) -> str:
    """Return bytes as base64 text."""
    return base64.b64encode(content).decode()


def build_bomb() -> str:
    """Return a small PNG that claims 40,000 by 40,000 pixels."""

    def build_chunk(name: bytes, content: bytes) -> bytes:
        checked_bytes = name + content
        return len(content).to_bytes(4) + checked_bytes + zlib.crc32(checked_bytes).to_bytes(4)

    head = (40_000).to_bytes(4) * 2 + bytes((8, 2, 0, 0, 0))
    png = (
        b"\x89PNG\r\n\x1a\n"
        + build_chunk(b"IHDR", head)
        + build_chunk(b"IDAT", zlib.compress(bytes(9)))
    )
    return encode_base64(png + build_chunk(b"IEND", b""))


class Desk:
    """A Superuser at the settings of the lab."""

    def __init__(self, world: World, person: Person) -> None:
        self.world, self.person = world, person

    async def read(self, person: Person | None = None) -> dict[str, Any]:
        """Read all settings."""
        answer = await self.world.http.get(PATH, headers=(person or self.person).headers)
        assert answer.status_code == 200, answer.text
        settings: dict[str, Any] = answer.json()
        return settings

    async def change(self, version: int | None = None, **values: Any) -> Any:
        """Change settings, and return the answer."""
        headers = dict(self.person.headers)
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await self.world.http.put(PATH, headers=headers, json=values)

    def find_audit(self) -> dict[str, Any]:
        """Return the newest detail of the audit log."""
        detail: dict[str, Any] = self.world.run_sql(
            "SELECT detail FROM audit_events WHERE kind = 'lab-settings' AND action = 'change'"
            " AND user_id = %s ORDER BY id DESC LIMIT 1",
            (self.person.user_id,),
        )
        return detail


@pytest.fixture
async def desk(world: World) -> AsyncIterator[Desk]:
    """A desk. Afterwards, the lab's settings are restored, because other tests read them."""
    before = world.fetch_rows("SELECT name, value::text FROM lab_settings")
    yield Desk(world, await world.create_person("Superuser"))
    world.run_sql("DELETE FROM lab_settings WHERE NOT name = ANY(%s)", ([n for n, _ in before],))
    for name, value in before:
        world.run_sql("UPDATE lab_settings SET value = %s::jsonb WHERE name = %s", (value, name))


class TestChanging:
    """PUT /api/system/lab-settings."""

    async def test_changes_only_the_sent_fields(self, desk: Desk) -> None:
        before = await desk.read()
        answer = await desk.change(phone="8155550111", director="  Ida Invented, MD ")
        after = answer.json()
        assert (after["phone"], after["director"]) == ("815-555-0111", "Ida Invented, MD")
        assert (after["name"], after["address"]) == (before["name"], before["address"])
        assert after["version"] == before["version"] + 1

    async def test_a_text_has_one_line(self, desk: Desk) -> None:
        answer = await desk.change(title=" Riverbend\r\nLab\u2028Portal ")
        assert answer.json()["title"] == "Riverbend Lab Portal"

    async def test_audits_old_and_new_values(self, desk: Desk) -> None:
        before = await desk.read()
        await desk.change(phone="815-555-0112", resultEntrySuperUser=False)
        assert desk.find_audit() == {
            "phone": {"old": before["phone"], "new": "815-555-0112"},
            "result_entry_super_user": {"old": True, "new": False},
        }

    async def test_appears_in_the_history_in_words(self, desk: Desk) -> None:
        before = await desk.read()
        tests = [desk.world.get_test_id(code) for code in ("GLU", "K")]
        await desk.change(resultColumns=tests, missingInfoEnabled=False, logo=encode_image((9, 9)))
        await desk.change(phone=None)
        laboratory = await desk.world.create_person("Laboratory")
        answer = await desk.world.http.get(f"{PATH}/history", headers=laboratory.headers)
        newest, older = answer.json()[:2]
        phone = {"name": "phone", "old": before["phone"], "new": ""}
        assert newest["changes"] == [phone]
        name = desk.world.run_sql("SELECT name_of_user(%s)", (desk.person.user_id,))
        assert newest["user"] == name
        changes = {change["name"]: change for change in older["changes"]}
        assert changes["resultColumns"]["new"] == "GLU, K"
        assert (changes["missingInfoEnabled"]["old"], changes["missingInfoEnabled"]["new"]) == (
            "on",
            "off",
        )
        assert changes["logo"]["new"] == "a picture"

    async def test_an_unchanged_save_keeps_the_version(self, desk: Desk) -> None:
        before = await desk.read()
        answer = await desk.change(name=before["name"], missingInfoEnabled=True)
        assert answer.json()["version"] == before["version"]

    async def test_rejects_a_stale_version(self, desk: Desk) -> None:
        version = (await desk.read())["version"]
        assert (await desk.change(version, title="First")).status_code == 200
        assert (await desk.change(version, title="Second")).status_code == 412
        assert (await desk.read())["title"] == "First"

    async def test_applies_to_the_next_request_of_others(self, desk: Desk, nurse: Person) -> None:
        await desk.change(resultEntryClientBasic=True, abnormalResult="SEE REPORT")
        entry_answer = await desk.world.http.get(
            "/api/system/settings/result-entry", headers=nurse.headers
        )
        assert entry_answer.json()["canEnterResults"]["allowed"] is True
        results_answer = await desk.world.http.get("/api/settings/results", headers=nurse.headers)
        assert results_answer.json()["abnormalResult"] == "SEE REPORT"

    async def test_limits_the_time_to_report_a_critical_result(self, desk: Desk) -> None:
        assert (await desk.read())["criticalMinutes"] == 30
        assert (await desk.change(criticalMinutes=5)).json()["criticalMinutes"] == 5
        bench = await receive_order(desk.world, "K")
        await bench.enter(K="7.2")
        assert (await bench.release()).status_code == 200
        limit = desk.world.run_sql(
            "SELECT due_at - opened_at FROM critical_notices WHERE order_id = %s",
            (bench.order_id,),
        )
        assert limit == timedelta(minutes=5)

    @pytest.mark.parametrize(
        ("values", "field", "message"),
        [
            ({"name": " "}, "name", messages.LAB_NAME_REQUIRED),
            ({"email": "lab at home"}, "email", messages.EMAIL_INVALID),
            ({"supplyEmail": "a@b@c.d"}, "supplyEmail", messages.EMAIL_INVALID),
            ({"phone": "555"}, "phone", messages.PHONE_INVALID),
            ({"fax": "815-555-01000"}, "fax", messages.FAX_INVALID),
            ({"url": "javascript:alert(1)"}, "url", messages.LAB_URL_INVALID),
            ({"desktopAppUrl": "file:///app"}, "desktopAppUrl", messages.LAB_URL_INVALID),
            ({"clia": "14X0000001"}, "clia", messages.LAB_CLIA_INVALID),
            ({"timeZone": "Mars/Olympus"}, "timeZone", messages.VALUE_INVALID),
            # Python knows this time zone on Debian, and PostgreSQL does not.
            ({"timeZone": "localtime"}, "timeZone", messages.VALUE_INVALID),
            ({"resultColumns": [9_007_199_254_740_000]}, "resultColumns", messages.VALUE_INVALID),
            (
                {"auditRetentionYears": 5},
                "auditRetentionYears",
                messages.AUDIT_RETENTION_INVALID.format(min=6, max=100),
            ),
            ({"title": "x" * 201}, "title", messages.VALUE_TOO_LONG.format(max=200)),
        ],
    )
    async def test_rejects_invalid_values(
        self, desk: Desk, values: dict[str, Any], field: str, message: str
    ) -> None:
        answer = await desk.change(**values)
        assert answer.status_code == 400
        assert answer.json()["errors"] == [{"field": field, "message": message}]

    async def test_stores_the_roles_that_need_a_second_factor(self, desk: Desk) -> None:
        answer = await desk.change(secondFactorRoles=["Client Admin", "Physician"])
        assert answer.json()["secondFactorRoles"] == ["Client Admin", "Physician"]
        assert (await desk.change(secondFactorRoles=["Janitor"])).status_code == 400
        stored_value = desk.world.run_sql("SELECT value FROM lab_settings WHERE name = 'sign-in'")
        assert is_second_factor_required(stored_value, "Physician")

    async def test_browsers_know_the_download_page_of_the_desktop_app(self, desk: Desk) -> None:
        url = "https://downloads.lab.example/app"
        answer = await desk.change(desktopAppUrl=url)
        assert answer.json()["desktopAppUrl"] == url
        capabilities_answer = await desk.world.http.get("/capabilities")
        assert capabilities_answer.json()["lab"]["desktopAppUrl"] == url

    async def test_has_at_most_five_columns(self, desk: Desk) -> None:
        rows = desk.world.fetch_rows(
            "SELECT id FROM lab_tests WHERE kind IN ('clinical', 'toxicology') AND NOT is_panel"
            " ORDER BY id LIMIT 6"
        )
        ids = [row[0] for row in rows]
        assert (await desk.change(resultColumns=ids)).status_code == 400
        answer = await desk.change(resultColumns=ids[4::-1])
        assert [column["id"] for column in answer.json()["resultColumns"]] == ids[4::-1]

    @pytest.mark.parametrize("code", ["UCUL", "SURG", "CBC"])
    async def test_rejects_a_column_that_would_never_show_a_result(
        self, desk: Desk, code: str
    ) -> None:
        tests = [desk.world.get_test_id(test) for test in ("K", code)]
        answer = await desk.change(resultColumns=tests)
        assert answer.status_code == 400, answer.text
        message = messages.RESULT_COLUMN_EMPTY.format(tests=code)
        assert answer.json()["errors"] == [{"field": "resultColumns", "message": message}]

    async def test_accepts_columns_of_clinical_and_toxicology_tests(self, desk: Desk) -> None:
        tests = [desk.world.get_test_id(test) for test in ("K", "QFEN")]
        assert (await desk.change(resultColumns=tests)).status_code == 200

    @pytest.mark.parametrize(("code", "is_offered"), [("K", True), ("UCUL", False), ("CBC", False)])
    async def test_offers_tests_with_a_value(self, desk: Desk, code: str, is_offered: bool) -> None:
        answer = await desk.world.http.get(
            "/api/v2/tests/remote-operations",
            headers=desk.person.headers,
            params={"code": code, "allTests": "true", "hasSingleValue": "true"},
        )
        codes = [row["code"] for row in answer.json()["data"]]
        assert codes == ([code] if is_offered else [])


class TestLogo:
    """The logo, which is re-encoded."""

    async def test_stores_a_smaller_png(self, desk: Desk) -> None:
        answer = await desk.change(logo=encode_image((3_000, 1_000), "JPEG"))
        logo = answer.json()["logo"]
        assert logo.startswith("data:image/png;base64,")
        image = Image.open(io.BytesIO(base64.b64decode(logo.partition(",")[2])))
        assert (image.format, image.width <= 900) == ("PNG", True)
        capabilities_answer = await desk.world.http.get("/capabilities")
        assert capabilities_answer.json()["lab"]["logo"] == logo
        assert len(desk.find_audit()["logo"]["new"]) == 64

    @pytest.mark.parametrize(
        ("logo", "status", "message"),
        [
            (build_bomb(), 413, messages.SIGNATURE_TOO_MANY_PIXELS),
            (encode_image((5_000, 5_000)), 413, messages.SIGNATURE_TOO_MANY_PIXELS),
            (encode_base64(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), 415, messages.IMAGE_ONLY),
            (encode_base64(b"GIF89a"), 415, messages.IMAGE_ONLY),
            (encode_base64(bytes(2 * 1024 * 1024 + 1)), 413, messages.LOGO_TOO_BIG),
        ],
        ids=["bomb", "too many pixels", "SVG", "half a GIF", "too many bytes"],
    )
    async def test_rejects_decompression_bombs_and_svg(
        self, desk: Desk, logo: str, status: int, message: str
    ) -> None:
        answer = await desk.change(logo=logo)
        assert answer.status_code == status
        assert answer.json()["errors"] == [{"field": "logo", "message": message}]

    async def test_can_be_removed(self, desk: Desk) -> None:
        await desk.change(logo=encode_image((20, 20)))
        assert (await desk.change(logo=None)).json()["logo"] is None


class TestReading:
    """The calls of P 7."""

    async def test_the_calls_together_have_all_fields(self, desk: Desk, nurse: Person) -> None:
        lab = {
            "logo": encode_image((9, 9)),
            "address": "1 LAB ROAD, JOLIET, IL 60431",
            "url": "https://lab.example",
            "email": "office@lab.example",
            "fax": "815-555-0101",
        }
        assert (await desk.change(**lab)).status_code == 200
        fields: dict[str, Any] = {}
        for name in ("logo", "license", "billing", "report"):
            path = f"/api/system/settings/{name}"
            answer = await desk.world.http.get(path, headers=nurse.headers)
            fields |= {k: v for k, v in answer.json().items() if v is not None}
        assert (fields["name"], fields["phone"]) == ("TEST LAB", "815-555-0100")
        assert fields["logo"].startswith("data:image/png;base64,")
        for name in ("address", "url", "email", "fax"):
            assert fields[name] == lab[name], name

    async def test_laboratory_reads_all_and_changes_nothing(self, desk: Desk) -> None:
        settings = await desk.read(await desk.world.create_person("Laboratory"))
        assert settings["canChange"]["allowed"] is False

    @pytest.mark.parametrize("role", ["Laboratory", "Client Admin"])
    async def test_only_a_superuser_changes_the_settings(self, desk: Desk, role: str) -> None:
        person = await desk.world.create_person(role)
        answer = await desk.world.http.put(PATH, headers=person.headers, json={"title": "Mine"})
        assert answer.status_code == 403


class TestTimeZone:
    """The time zone, which every process applies without a restart."""

    async def test_is_applied_by_a_running_process(self, desk: Desk) -> None:
        portal = desk.world.app.state.portal
        before = portal.settings.time_zone
        try:
            await desk.change(timeZone="America/Denver")
            await apply_time_zone(portal)
            capabilities_answer = await desk.world.http.get("/capabilities")
            assert capabilities_answer.json()["lab"]["timeZone"] == "America/Denver"
        finally:
            portal.settings.time_zone = before
