"""How many tubes the tests of a requisition need."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from app.server.catalog.tubes import NumberedTube, SpecimenNeed, Tubes, list_tubes, plan_tubes

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
    """How many tubes of each kind hold the specimens of all tests."""

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
        assert count_tubes(build_need(1, "5", ""), build_need(2, "1")) == [(GOLD, 1)]

    @given(st.lists(st.decimals("0.1", 20, places=1), min_size=1, max_size=30))
    def test_tubes_hold_all_tests_and_none_is_empty(self, required_volumes: list[Decimal]) -> None:
        needs = [
            SpecimenNeed(i, None, i, GOLD, "BLOOD", ml) for i, ml in enumerate(required_volumes)
        ]
        (tubes,) = plan_tubes(needs, VOLUMES)
        assert (
            (tubes.count - 1) * VOLUMES[GOLD] < sum(required_volumes) <= tubes.count * VOLUMES[GOLD]
        )

    def test_the_volume_of_a_panel_includes_panels_within_it(self) -> None:
        needs = (build_need(1, "8"), build_need(2, None, parent=1), build_need(3, "8", parent=2))
        assert count_tubes(*needs) == [(GOLD, 1)]

    def test_a_panel_includes_only_members_with_its_container_and_specimen(self) -> None:
        serum = SpecimenNeed(2, 1, 2, GOLD, "SERUM", Decimal(9))
        tubes = plan_tubes([build_need(1, "8"), serum], VOLUMES)
        assert tubes == (Tubes(GOLD, "BLOOD", 1), Tubes(GOLD, "SERUM", 2))

    def test_a_member_without_its_panel_counts_itself(self) -> None:
        assert count_tubes(build_need(2, "9", parent=1)) == [(GOLD, 2)]

    def test_tubes_are_numbered_across_containers(self) -> None:
        tubes = list_tubes([build_need(1, "1", LAVENDER), build_need(2, "9")], VOLUMES)
        assert tubes == [
            NumberedTube(1, LAVENDER, "BLOOD"),
            NumberedTube(2, GOLD, "BLOOD"),
            NumberedTube(3, GOLD, "BLOOD"),
        ]
