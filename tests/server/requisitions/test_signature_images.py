"""Signature images: accepted formats, and the stored PNG."""

import asyncio
import base64
import io
import os
import threading
from typing import Any

import pytest
from PIL import ExifTags, Image

from app.basics.long_text import LongText
from app.contract import messages
from app.contract.limits import SIGNATURE_IMAGE_MAX_BYTES
from app.server import images
from app.server.images import STORED_MAX_BYTES, _convert_image, normalize_signature_image
from tests.server.accounts.builders import Person
from tests.server.world import World

BASE = "/api/v2/requisitions"
TOO_LONG = b"\x89PNG\r\n\x1a\n".ljust(SIGNATURE_IMAGE_MAX_BYTES + 1, b"\0")


async def sign_with_image(world: World, person: Person, requisition_id: int, image: str | None):
    """Sign in again, sign a requisition with an image and return the response."""
    await world.sign_in(person)
    return await world.http.post(
        f"{BASE}/sign-multiple",
        headers=person.headers,
        json={"image": image, "requisitionsIds": [requisition_id]},
    )


def encode_image(image: Image.Image, kind: str = "PNG", **options: Any) -> str:
    """Encode an image as a request sends it."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    return base64.b64encode(file.getvalue()).decode()


def load_image(world: World, requisition_id: int) -> bytes:
    """Load the image of a requisition's signature from the database."""
    return world.run_sql(
        "SELECT image FROM requisition_signatures WHERE requisition_id = %s", (requisition_id,)
    )


class TestAcceptedImages:
    """Accepted images: by content, up to 10 MB."""

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
            ("A" * ((10 * 1024 * 1024 + 90_000) // 3 * 4), 413, messages.SIGNATURE_TOO_BIG),
            (
                base64.b64encode(TOO_LONG).decode(),
                413,
                messages.SIGNATURE_TOO_BIG,
            ),
        ],
    )
    async def test_rejects_non_images(
        self, world: World, parse_problem, nurse, patient, image, status: int, message: str
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        answer = await sign_with_image(world, nurse, requisition["id"], image)
        assert answer.status_code == status
        assert parse_problem(answer)["detail"] == message
        latest = (await world.http.get(f"{BASE}/{requisition['id']}", headers=nurse.headers)).json()
        assert latest["hasSignature"] is False

    @pytest.mark.parametrize("start", ["", "data:image/png;base64,"])
    async def test_accepts_base64_in_lines(self, world: World, nurse, patient, start: str) -> None:
        requisition = await world.save_requisition(nurse, patient)
        text = encode_image(Image.new("RGB", (300, 200), "blue"))
        lines = "\r\n".join(text[i : i + 76] for i in range(0, len(text), 76))
        assert (
            await sign_with_image(world, nurse, requisition["id"], f"{start}{lines}")
        ).status_code == 200

    async def test_decoding_does_not_block_other_requests(
        self, world: World, nurse, patient, monkeypatch
    ) -> None:
        """Images are decoded in a thread, so the event loop can serve other requests."""
        is_read, others_are_served = threading.Event(), threading.Event()

        def read_slowly(text: str, field: str) -> bytes:
            is_read.set()
            assert others_are_served.wait(60)
            return _convert_image(text, field)

        monkeypatch.setattr("app.server.images._convert_image", read_slowly)
        requisition = await world.save_requisition(nurse, patient)
        image = encode_image(Image.new("RGB", (4000, 3000), "white"))
        sign_task = asyncio.create_task(sign_with_image(world, nurse, requisition["id"], image))
        assert await asyncio.to_thread(is_read.wait, 60)
        answer = await world.http.get(f"{BASE}/{requisition['id']}", headers=nurse.headers)
        assert answer.status_code == 200
        assert not sign_task.done()
        others_are_served.set()
        assert (await sign_task).status_code == 200

    @pytest.mark.parametrize(("kind", "status"), [("PNG", 413), ("JPEG", 200)])
    async def test_rejects_images_that_do_not_fit_in_memory(
        self, world: World, nurse, patient, kind: str, status: int
    ) -> None:
        """A large JPEG fits, because the decoder reads only every eighth pixel."""
        requisition = await world.save_requisition(nurse, patient)
        image = encode_image(Image.new("RGB", (5000, 4000), "white"), kind)
        answer = await sign_with_image(world, nurse, requisition["id"], image)
        assert answer.status_code == status
        if status == 413:
            assert answer.json()["detail"] == messages.SIGNATURE_TOO_MANY_PIXELS

    async def test_stays_in_a_file_until_it_is_decoded(
        self, world: World, nurse, patient, monkeypatch
    ) -> None:
        """The body and its text would take 23 MB more, for each picture in progress."""
        convert, decoded_types = images._convert_image, []

        def note(text: str | LongText, field: str) -> bytes:
            decoded_types.append(type(text))
            return convert(text, field)

        monkeypatch.setattr(images, "_convert_image", note)
        pixels = os.urandom(800 * 800 * 3)
        text = encode_image(Image.frombytes("RGB", (800, 800), pixels))
        for number in range(2):
            requisition = await world.save_requisition(nurse, patient)
            image = ["", "data:image/png;base64,"][number] + text
            answer = await sign_with_image(world, nurse, requisition["id"], image)
            assert answer.status_code == 200, answer.text
            assert load_image(world, requisition["id"]) == convert(text, "image")
        assert decoded_types == [LongText] * 2

    async def test_rejects_large_progressive_jpegs(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient)
        image = encode_image(Image.new("RGB", (5000, 4000), "white"), "JPEG", progressive=True)
        assert (await sign_with_image(world, nurse, requisition["id"], image)).status_code == 413

    async def test_a_person_has_few_images_in_progress(
        self, world: World, parse_problem, nurse, monkeypatch
    ) -> None:
        others_are_rejected = threading.Event()

        def convert_slowly(text: str, field: str) -> bytes:
            assert others_are_rejected.wait(60)
            return _convert_image(text, field)

        monkeypatch.setattr("app.server.images._convert_image", convert_slowly)
        image = encode_image(Image.new("RGB", (40, 30), "white"))
        pending_tasks = {
            asyncio.create_task(
                world.http.put(
                    f"/auth/user/{nurse.user_id}",
                    headers=nurse.headers,
                    json={"user": {"data": {"signImage": image}}},
                )
            )
            for _ in range(6)
        }
        rejections: list[Any] = []
        while len(rejections) < 2:
            finished_tasks, pending_tasks = await asyncio.wait(
                pending_tasks, return_when=asyncio.FIRST_COMPLETED
            )
            rejections += [task.result() for task in finished_tasks]
        assert [answer.status_code for answer in rejections] == [429, 429]
        assert parse_problem(rejections[0])["detail"] == messages.TOO_MANY_AT_ONCE
        assert int(rejections[0].headers["retry-after"]) > 0
        others_are_rejected.set()
        answers = await asyncio.gather(*pending_tasks)
        assert {answer.status_code for answer in answers} == {200}


class TestStoredImage:
    """The stored image: a small PNG of any upload."""

    @pytest.mark.parametrize("kind", ["JPEG", "PNG"])
    async def test_incompressible_images_become_small(
        self, world: World, nurse, patient, kind: str
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        noise = Image.frombytes("RGB", (1200, 600), os.urandom(1200 * 600 * 3))
        assert (
            await sign_with_image(world, nurse, requisition["id"], encode_image(noise, kind))
        ).status_code == 200
        image = load_image(world, requisition["id"])
        assert len(image) <= STORED_MAX_BYTES
        with Image.open(io.BytesIO(image)) as picture:
            assert picture.format == "PNG" and picture.width <= 900

    async def test_strokes_stay_sharp_on_a_transparent_background(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        drawing = Image.new("RGBA", (400, 200), (0, 0, 0, 0))
        drawing.paste((10, 20, 120, 255), (100, 90, 300, 110))
        await sign_with_image(world, nurse, requisition["id"], encode_image(drawing))
        with Image.open(io.BytesIO(load_image(world, requisition["id"]))) as picture:
            stored_picture = picture.convert("RGBA")
        assert stored_picture.size == (400, 200)
        assert stored_picture.getpixel((5, 5))[3] == 0
        assert stored_picture.getpixel((200, 100)) == (10, 20, 120, 255)

    async def test_rotates_photographs_upright(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient)
        photograph = Image.new("RGB", (1200, 600), "white")
        photograph.paste("black", (0, 0, 600, 600))
        exif = Image.Exif()
        exif[ExifTags.Base.Orientation] = 6  # rotate clockwise: the left side is the top
        await sign_with_image(
            world, nurse, requisition["id"], encode_image(photograph, "JPEG", exif=exif)
        )
        with Image.open(io.BytesIO(load_image(world, requisition["id"]))) as picture:
            stored_picture = picture.convert("RGBA").convert("L")
        assert stored_picture.size == (225, 450)
        assert stored_picture.getpixel((112, 20)) < 50
        assert stored_picture.getpixel((112, 430)) > 200

    async def test_does_not_rotate_images_with_unreadable_orientation(self) -> None:
        landscape = Image.new("RGB", (200, 100), "white")
        for exif in (b"Exif\x00\x00MM\x00*\xff\xff\xff\xff", b"Exif\x00\x00II*", b"\x00" * 40):
            image = encode_image(landscape, "JPEG", exif=exif)
            with Image.open(
                io.BytesIO(await normalize_signature_image(image, "person"))
            ) as picture:
                assert picture.size == (200, 100)
