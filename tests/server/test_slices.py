"""The portal is made of what the slices' manifests declare."""

from dataclasses import replace

from app.server.completeness import undeclared
from app.server.schema.tables import TABLES, metadata
from app.server.slices import SLICES


def without(name: str, **emptied: tuple[()]) -> list[str]:
    """What is found missing once this slice's manifest is gone, or these fields of it are."""
    slices = []
    for each in SLICES:
        if each.name != name:
            slices.append(each)
        elif emptied:
            slices.append(replace(each, **emptied))
    return [line for line in undeclared(slices) if "manifest.py" not in line or not emptied]


class TestDeclared:
    """``undeclared``."""

    def test_nothing_is_left_out(self) -> None:
        assert undeclared() == []

    def test_names_the_file_of_a_router_that_is_left_out(self) -> None:
        assert without("patient_timeline", routers=()) == [
            "app/server/patient_timeline/endpoints.py: router is in no manifest that"
            " app/server/slices.py names"
        ]

    def test_names_the_file_of_a_list_that_is_left_out(self) -> None:
        [line] = without("orders", lists=())
        assert line.startswith("app/server/orders/lists.py: orders ")

    def test_names_the_file_of_a_table_that_is_left_out(self) -> None:
        [line] = without("results.clinical", models=())
        assert line.startswith("app/server/results/clinical/models.py: Result ")

    def test_names_the_file_of_a_task_that_is_left_out(self) -> None:
        lines = without("transmissions", tasks=())
        assert {line.partition(":")[0] for line in lines} == {"app/server/transmissions/tasks.py"}

    def test_names_the_file_of_periodic_work_that_is_left_out(self) -> None:
        [line] = without("drafts", periodic=())
        assert line.startswith("app/server/drafts/tasks.py: PERIODIC ")

    def test_names_the_file_of_an_act_that_is_left_out(self) -> None:
        [line] = without("catalog", acts=())
        assert line.startswith("app/server/catalog/acts.py: ACTS ")

    def test_names_a_slice_that_the_tuple_leaves_out(self) -> None:
        lines = without("drafts")
        assert any(line.startswith("app/server/drafts/manifest.py: ") for line in lines)

    def test_every_slice_is_named_as_its_folder(self) -> None:
        folders = {each.models[0].__package__ for each in SLICES if each.models}
        assert folders == {f"app.server.{each.name}" for each in SLICES if each.models}


def test_the_schema_has_the_tables_of_the_slices() -> None:
    assert {table.__tablename__ for table in TABLES} == set(metadata.tables)
