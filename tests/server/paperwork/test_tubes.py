"""What the labels of a requisition's tubes say."""

import base64
import io
import uuid
from typing import Any

from PIL import Image

from tests.server.accounts.builders import Person
from tests.server.world import World


def add_tests(world: World, *required_ml: float) -> list[str]:
    """Add serum tests that share a new container of 8.5 mL, and return their codes."""
    name = uuid.uuid4().hex[:8].upper()
    world.run_sql(
        "INSERT INTO containers (name, volume_ml) VALUES (%s, 8.5) RETURNING name", (f"SST {name}",)
    )
    codes = [f"{name}{i}" for i in range(len(required_ml))]
    for code, ml in zip(codes, required_ml, strict=True):
        world.run_sql(
            "INSERT INTO lab_tests (code, name, search_text, kind, result_type, container,"
            " specimen, required_ml) SELECT %s, %s, %s, kind, result_type, %s, 'SERUM', %s"
            " FROM lab_tests WHERE code = 'GLU' RETURNING id",
            (code, code, code, f"SST {name}", ml),
        )
    return codes


async def fetch_labels(world: World, nurse: Person, *codes: str) -> list[dict[str, Any]]:
    """Save a requisition of these tests, and return its labels."""
    requisition = await world.save_requisition(nurse, nurse.patient, *codes)
    path = f"/api/v2/requisitions/{requisition['id']}/labels"
    answer = await world.http.get(path, headers=nurse.headers)
    assert answer.status_code == 200
    labels: list[dict[str, Any]] = answer.json()
    return labels


class TestLabels:
    async def test_each_tube_has_a_label(self, world: World, nurse: Person) -> None:
        codes = add_tests(world, 4, 4, 4)
        labels = await fetch_labels(world, nurse, "CBC", *codes)
        # The first eight letters of a code are in its container's name.
        container = f"SST {codes[0][:8]} SERUM"
        assert [label["title"] for label in labels] == [
            "Lavender Top BLOOD",
            container,
            container,
            "REQUISITION FORM",
        ]
        for label, words in zip(labels, ("1 of 3", "2 of 3", "3 of 3", "3 tubes"), strict=True):
            assert f'"{words}"' in label["epl"]
            assert words in label["zpl"]

    async def test_labels_show_sex_and_specimen(self, world: World, nurse: Person) -> None:
        (code,) = add_tests(world, 1)
        tube, form = await fetch_labels(world, nurse, code)
        for label in (tube, form):
            assert "DOB 01/02/1970 F" in label["zpl"]
            assert '"DOB 01/02/1970 F"' in label["epl"]
        assert "SERUM" in tube["zpl"] and '"SERUM"' in tube["epl"]
        assert "SERUM" not in form["zpl"]
        image = Image.open(io.BytesIO(base64.b64decode(tube["image"])))
        # The specimen is at the right of the container's line.
        assert image.crop((330, 158, 406, 176)).convert("L").histogram()[0] > 0
