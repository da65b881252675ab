"""Every part of a slice is declared in a manifest."""

from dataclasses import replace

from app.server.completeness import find_unanswered_lists, find_undeclared_parts
from app.server.schema.tables import TABLES, metadata
from app.server.slices import SLICES


def find_undeclared_without(name: str, **empty_fields: tuple[()]) -> list[str]:
    """List what is undeclared without the slice's manifest, or without these of its fields."""
    slices = []
    for slice_ in SLICES:
        if slice_.name != name:
            slices.append(slice_)
        elif empty_fields:
            slices.append(replace(slice_, **empty_fields))
    return [
        line
        for line in find_undeclared_parts(slices)
        if "manifest.py" not in line or not empty_fields
    ]


class TestUndeclared:
    """Undeclared parts."""

    def test_every_part_is_declared(self) -> None:
        assert find_undeclared_parts() == []

    def test_names_the_file_of_an_undeclared_router(self) -> None:
        assert find_undeclared_without("patient_timeline", routers=()) == [
            "app/server/patient_timeline/endpoints.py: router is in no manifest that"
            " app/server/slices.py names"
        ]

    def test_names_the_file_of_an_undeclared_list(self) -> None:
        [line] = find_undeclared_without("orders", lists=())
        assert line.startswith("app/server/orders/lists.py: orders ")

    def test_names_the_file_of_an_undeclared_table(self) -> None:
        lines = find_undeclared_without("results.clinical", models=())
        assert {" ".join(line.split()[:2]) for line in lines} == {
            "app/server/results/clinical/models.py: Result"
        }

    def test_names_the_file_of_an_undeclared_task(self) -> None:
        lines = find_undeclared_without("transmissions", tasks=())
        assert {line.partition(":")[0] for line in lines} == {"app/server/transmissions/tasks.py"}

    def test_names_the_file_of_an_undeclared_periodic_job(self) -> None:
        [line] = find_undeclared_without("drafts", periodic=())
        assert line.startswith("app/server/drafts/tasks.py: PERIODIC ")

    def test_names_the_file_of_an_undeclared_act(self) -> None:
        [line] = find_undeclared_without("catalog", acts=())
        assert line.startswith("app/server/catalog/acts.py: ACTS ")

    def test_names_the_file_of_an_undeclared_source_of_exports(self) -> None:
        lines = find_undeclared_without("results.exports", exports=())
        path = "app/server/results/exports/sources.py"
        assert {line.partition(":")[0] for line in lines} == {path}

    def test_names_a_slice_that_is_not_listed(self) -> None:
        lines = find_undeclared_without("drafts")
        assert any(line.startswith("app/server/drafts/manifest.py: ") for line in lines)

    def test_every_slice_has_the_name_of_its_folder(self) -> None:
        folders = {slice_.models[0].__package__ for slice_ in SLICES if slice_.models}
        assert folders == {f"app.server.{slice_.name}" for slice_ in SLICES if slice_.models}


class TestUnansweredLists:
    """Lists without a route."""

    def test_every_list_has_a_route(self) -> None:
        assert find_unanswered_lists() == []

    def test_names_the_file_of_a_list_without_a_route(self) -> None:
        slices = [
            replace(slice_, routers=()) if slice_.name == "orders" else slice_ for slice_ in SLICES
        ]
        assert find_unanswered_lists(slices) == [
            "app/server/orders/lists.py: orders is answered by no route"
        ]


def test_the_schema_has_all_tables_of_the_slices() -> None:
    assert {table.__tablename__ for table in TABLES} == set(metadata.tables)
