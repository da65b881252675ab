"""The picture of a signature: what is taken, and what is kept of it."""

import asyncio
import base64
import io
import os
import threading
from typing import Any

import pytest
from PIL import ExifTags, Image

from app.contract import messages
from app.contract.limits import SIGNATURE_IMAGE_MAX_BYTES
from app.server.images import KEPT_MAX_BYTES, _png_of, png_of
from tests.server.world import Person, World

BASE = "/api/v2/requisitions"
TOO_LONG = b"\x89PNG\r\n\x1a\n".ljust(SIGNATURE_IMAGE_MAX_BYTES + 1, b"\0")


async def sign(world: World, person: Person, requisition_id: int, image: str | None):
    """A fresh sign-in and the signing."""
    await world.sign_in(person)
    return await world.http.post(
        f"{BASE}/sign-multiple",
        headers=person.headers,
        json={"image": image, "requisitionsIds": [requisition_id]},
    )


def encoded(picture: Image.Image, kind: str = "PNG", **how: Any) -> str:
    """As it is sent."""
    out = io.BytesIO()
    picture.save(out, kind, **how)
    return base64.b64encode(out.getvalue()).decode()


def kept(world: World, requisition_id: int) -> bytes:
    """As it is in the database."""
    return world.sql(
        "SELECT image FROM requisition_signatures WHERE requisition_id = %s", (requisition_id,)
    )


class TestTaken:
    """Images by content, up to 10 MB."""

    @pytest.mark.parametrize(
        ("image", "status", "message"),
        [
            (None, 400, messages.NO_FILE),
            ("", 400, messages.NO_FILE),
            ("data:image/png;base64,bm90IGFuIGltYWdl", 415, messages.IMAGE_ONLY),
            ("%%%", 415, messages.IMAGE_ONLY),
            (
                "data:image/svg+xml;base64," + base64.b64encode(b"<svg onload='x'/>").decode(),
                415,
                messages.IMAGE_ONLY,
            ),
            ("A" * (11 * 1024 * 1024 * 4 // 3), 413, messages.SIGNATURE_TOO_BIG),
            (
                base64.b64encode(TOO_LONG).decode(),
                413,
                messages.SIGNATURE_TOO_BIG,
            ),
        ],
    )
    async def test_an_image_that_is_none_is_refused(
        self, world: World, problem_of, nurse, patient, image, status: int, message: str
    ) -> None:
        saved = await world.requisition(nurse, patient)
        answer = await sign(world, nurse, saved["id"], image)
        assert answer.status_code == status
        assert problem_of(answer)["detail"] == message
        now = (await world.http.get(f"{BASE}/{saved['id']}", headers=nurse.headers)).json()
        assert now["hasSignature"] is False

    @pytest.mark.parametrize("start", ["", "data:image/png;base64,"])
    async def test_lines_of_base64_are_taken(
        self, world: World, nurse, patient, start: str
    ) -> None:
        saved = await world.requisition(nurse, patient)
        text = encoded(Image.new("RGB", (300, 200), "blue"))
        lines = "\r\n".join(text[i : i + 76] for i in range(0, len(text), 76))
        assert (await sign(world, nurse, saved["id"], f"{start}{lines}")).status_code == 200

    async def test_others_are_served_while_a_large_one_is_looked_at(
        self, world: World, nurse, patient, monkeypatch
    ) -> None:
        """Pictures are read beside the event loop, so others are served meanwhile."""
        is_read, others_are_served = threading.Event(), threading.Event()

        def read_slowly(text: str, field: str) -> bytes:
            is_read.set()
            assert others_are_served.wait(60)
            return _png_of(text, field)

        monkeypatch.setattr("app.server.images._png_of", read_slowly)
        saved = await world.requisition(nurse, patient)
        image = encoded(Image.new("RGB", (4000, 3000), "white"))
        signing = asyncio.create_task(sign(world, nurse, saved["id"], image))
        assert await asyncio.to_thread(is_read.wait, 60)
        answer = await world.http.get(f"{BASE}/{saved['id']}", headers=nurse.headers)
        assert answer.status_code == 200
        assert not signing.done()
        others_are_served.set()
        assert (await signing).status_code == 200

    @pytest.mark.parametrize(("kind", "status"), [("PNG", 413), ("JPEG", 200)])
    async def test_only_what_fits_into_memory_is_read(
        self, world: World, nurse, patient, kind: str, status: int
    ) -> None:
        """A large JPEG does: of its pixels only every eighth is read."""
        saved = await world.requisition(nurse, patient)
        image = encoded(Image.new("RGB", (5000, 4000), "white"), kind)
        answer = await sign(world, nurse, saved["id"], image)
        assert answer.status_code == status
        if status == 413:
            assert answer.json()["detail"] == messages.SIGNATURE_TOO_MANY_PIXELS

    async def test_a_progressive_jpeg_is_in_memory_as_a_whole(
        self, world: World, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        image = encoded(Image.new("RGB", (5000, 4000), "white"), "JPEG", progressive=True)
        assert (await sign(world, nurse, saved["id"], image)).status_code == 413

    async def test_who_comes_while_many_wait_is_told_to_try_again(
        self, world: World, problem_of, nurse
    ) -> None:
        image = encoded(Image.new("RGB", (4000, 3000), "white"))
        answers = await asyncio.gather(
            *(
                world.http.put(
                    f"/auth/user/{nurse.user_id}",
                    headers=nurse.headers,
                    json={"user": {"data": {"signImage": image}}},
                )
                for _ in range(6)
            )
        )
        refused = [answer for answer in answers if answer.status_code != 200]
        assert [answer.status_code for answer in refused] == [503, 503]
        assert problem_of(refused[0])["detail"] == messages.SIGNATURES_BUSY
        assert int(refused[0].headers["retry-after"]) > 0


class TestKept:
    """A small PNG, whatever was sent."""

    @pytest.mark.parametrize("kind", ["JPEG", "PNG"])
    async def test_even_of_a_picture_that_can_not_be_packed(
        self, world: World, nurse, patient, kind: str
    ) -> None:
        saved = await world.requisition(nurse, patient)
        noise = Image.frombytes("RGB", (1200, 600), os.urandom(1200 * 600 * 3))
        assert (await sign(world, nurse, saved["id"], encoded(noise, kind))).status_code == 200
        image = kept(world, saved["id"])
        assert len(image) <= KEPT_MAX_BYTES
        with Image.open(io.BytesIO(image)) as opened:
            assert opened.format == "PNG" and opened.width <= 900

    async def test_strokes_stay_sharp_on_no_ground(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(nurse, patient)
        drawn = Image.new("RGBA", (400, 200), (0, 0, 0, 0))
        drawn.paste((10, 20, 120, 255), (100, 90, 300, 110))
        await sign(world, nurse, saved["id"], encoded(drawn))
        with Image.open(io.BytesIO(kept(world, saved["id"]))) as opened:
            seen = opened.convert("RGBA")
        assert seen.size == (400, 200)
        assert seen.getpixel((5, 5))[3] == 0
        assert seen.getpixel((200, 100)) == (10, 20, 120, 255)

    async def test_a_photograph_is_upright_however_the_phone_was_held(
        self, world: World, nurse, patient
    ) -> None:
        saved = await world.requisition(nurse, patient)
        taken = Image.new("RGB", (1200, 600), "white")
        taken.paste("black", (0, 0, 600, 600))
        exif = Image.Exif()
        exif[ExifTags.Base.Orientation] = 6  # to be turned clockwise: its left is the top
        await sign(world, nurse, saved["id"], encoded(taken, "JPEG", exif=exif))
        with Image.open(io.BytesIO(kept(world, saved["id"]))) as opened:
            seen = opened.convert("RGBA").convert("L")
        assert seen.size == (225, 450)
        assert seen.getpixel((112, 20)) < 50
        assert seen.getpixel((112, 430)) > 200

    async def test_one_that_says_nothing_readable_of_it_is_taken_as_it_lies(self) -> None:
        lying = Image.new("RGB", (200, 100), "white")
        for exif in (b"Exif\x00\x00MM\x00*\xff\xff\xff\xff", b"Exif\x00\x00II*", b"\x00" * 40):
            image = encoded(lying, "JPEG", exif=exif)
            with Image.open(io.BytesIO(await png_of(image))) as opened:
                assert opened.size == (200, 100)
