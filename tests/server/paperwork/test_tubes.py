"""How many tubes the tests of a requisition need, and what their labels say."""

import base64
import io
import uuid
from decimal import Decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from app.server.catalog.tubes import SpecimenNeed, Tubes, plan_tubes
from tests.server.world import Person, World

GOLD, LAVENDER = "Gold Top", "Lavender Top"
VOLUMES = {GOLD: Decimal("8.5"), LAVENDER: Decimal(4)}


def build_need(
    number: int, ml: str | None, container: str = GOLD, *, parent: int | None = None
) -> SpecimenNeed:
    """Build the need of row ``number``, whose test has the same id."""
    required_ml = None if ml is None else Decimal(ml)
    return SpecimenNeed(number, parent, number, container, "BLOOD", required_ml)


def count_tubes(*needs: SpecimenNeed) -> list[tuple[str, int]]:
    """Return the containers with their numbers of tubes."""
    return [(tubes.container, tubes.count) for tubes in plan_tubes(needs, VOLUMES)]


class TestPlanning:
    def test_volumes_of_tests_in_the_same_container_add_up(self) -> None:
        assert count_tubes(build_need(1, "4"), build_need(2, "4.5")) == [(GOLD, 1)]
        assert count_tubes(build_need(1, "4"), build_need(2, "4.6")) == [(GOLD, 2)]

    def test_containers_have_the_order_of_their_tests(self) -> None:
        needs = (build_need(1, "1", LAVENDER), build_need(2, "9"), build_need(3, "1", LAVENDER))
        assert count_tubes(*needs) == [(LAVENDER, 1), (GOLD, 2)]

    def test_one_tube_is_enough_without_volumes(self) -> None:
        assert count_tubes(build_need(1, None), build_need(2, None)) == [(GOLD, 1)]
        assert count_tubes(build_need(1, "50", "Jar")) == [("Jar", 1)]

    def test_specimens_do_not_share_a_container(self) -> None:
        serum = SpecimenNeed(2, None, 2, GOLD, "SERUM", Decimal(1))
        tubes = plan_tubes([build_need(1, "1"), serum], VOLUMES)
        assert tubes == (Tubes(GOLD, "BLOOD", 1), Tubes(GOLD, "SERUM", 1))

    def test_the_volume_of_a_panel_includes_its_members(self) -> None:
        panel = build_need(1, "8")
        assert count_tubes(panel, build_need(2, "8", parent=1), build_need(3, "8", parent=1)) == [
            (GOLD, 1)
        ]

    def test_members_in_another_container_need_another_tube(self) -> None:
        members = (build_need(2, "3", LAVENDER, parent=1), build_need(3, "3", LAVENDER, parent=1))
        assert count_tubes(build_need(1, "1"), *members) == [(GOLD, 1), (LAVENDER, 2)]

    def test_volumes_of_members_add_up_for_a_panel_without_a_volume(self) -> None:
        needs = [build_need(i, "4", LAVENDER, parent=1) for i in (2, 3, 4)]
        assert count_tubes(build_need(1, None, LAVENDER), *needs) == [(LAVENDER, 3)]

    def test_a_test_in_two_panels_counts_once(self) -> None:
        panels = [build_need(i, None) for i in (1, 2)]
        members = [SpecimenNeed(10 + i, i, 7, GOLD, "BLOOD", Decimal(8)) for i in (1, 2)]
        assert count_tubes(*panels, *members) == [(GOLD, 1)]

    def test_tests_without_a_container_need_no_tube(self) -> None:
        assert count_tubes(build_need(1, "5", "")) == []

    @given(st.lists(st.decimals("0.1", 20, places=1), min_size=1, max_size=30))
    def test_tubes_hold_all_tests_and_none_is_empty(self, required_volumes: list[Decimal]) -> None:
        needs = [
            SpecimenNeed(i, None, i, GOLD, "BLOOD", ml) for i, ml in enumerate(required_volumes)
        ]
        (tubes,) = plan_tubes(needs, VOLUMES)
        assert (
            (tubes.count - 1) * VOLUMES[GOLD] < sum(required_volumes) <= tubes.count * VOLUMES[GOLD]
        )


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
