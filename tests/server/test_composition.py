"""Builders are in the slices' test folders, and no slice imports tests of another."""

from pathlib import Path

from tests.server.clients.builders import ClientBuilders
from tests.server.composition import find_borrowed_tests, find_misplaced_builders
from tests.server.world import World


class TestBuilders:
    """Builders of records."""

    def test_the_world_only_composes_them(self) -> None:
        assert find_misplaced_builders() == []

    def test_names_a_builder_in_the_world_itself(self) -> None:
        class Larger(World):
            def create_supply(self) -> int:
                """Create a supply."""
                return self.claim_number()

        assert find_misplaced_builders(Larger) == [
            "tests/server/world.py: create_supply belongs in builders.py of a slice's test folder"
        ]

    def test_names_builders_that_the_world_lacks(self) -> None:
        class Smaller(ClientBuilders):
            pass

        lines = find_misplaced_builders(Smaller)
        assert (
            "tests/server/patients/builders.py: PatientBuilders is not a base of World"
            " (tests/server/world.py)"
        ) in lines
        assert not any("ClientBuilders" in line for line in lines)


class TestBorrowedTests:
    """Imports from test modules."""

    def test_no_slice_imports_tests_of_another(self) -> None:
        assert find_borrowed_tests() == []

    def test_names_the_file_that_imports_from_another_slice(self, tmp_path: Path) -> None:
        module = "tests.server.results.clinical.test_results"
        for slice_ in ("orders", "results"):
            (tmp_path / slice_).mkdir()
            (tmp_path / slice_ / "test_reading.py").write_text(f"from {module} import Bench\n")
        assert find_borrowed_tests(tmp_path) == [
            f"tests/server/orders/test_reading.py: imports from {module}, a test module of another"
            " slice"
        ]
