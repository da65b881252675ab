"""HTTP shapes of the catalog."""

from typing import Self

from pydantic import Field

from app.server.access.schemas import RecordId, Shape
from app.server.catalog.models import Diagnosis, LabTest
from app.server.catalog.repository import TestNode


class TestShape(Shape):
    """A test as other records name it; ``type`` is TEST or PANEL."""

    __test__ = False

    id: int
    code: str
    name: str
    alternate_names: str
    type: str

    @classmethod
    def of(cls, test: LabTest) -> Self:
        """Build the response from a catalog row."""
        return cls(
            id=test.id,
            code=test.code,
            name=test.name,
            alternate_names=test.alternate_names,
            type="PANEL" if test.is_panel else "TEST",
        )


class TestTree(TestShape):
    """A test with its members; ``is_confidential`` is the default for requisitions of the test."""

    parent_id: int | None
    is_confidential: bool
    children: list["TestTree"]


def build_tree(node: TestNode, parent_id: int | None = None) -> TestTree:
    """Build the nested response of a test with its members."""
    return TestTree(
        **TestShape.of(node.test).model_dump(),
        parent_id=parent_id,
        is_confidential=node.test.is_confidential,
        children=[build_tree(child, node.test.id) for child in node.children],
    )


class DiagnosisWrite(Shape):
    """A diagnosis by id or by code."""

    id: RecordId | None = None
    code: str | None = Field(default=None, max_length=20)


class DiagnosisShape(Shape):
    """A diagnosis code with its description."""

    id: int
    code: str
    description: str

    @classmethod
    def of(cls, row: Diagnosis) -> Self:
        """Build the response from a catalog row."""
        return cls(id=row.id, code=row.code, description=row.description)


class DiagnosisValidity(Shape):
    """The ICD-10-CM release of a day, and the requested diagnoses not valid then.

    ``release`` is None if no code is valid on the day.
    """

    release: str | None
    ended: list[DiagnosisShape]
