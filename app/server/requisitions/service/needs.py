"""The specimens that the tests of a requisition need."""

from app.server.catalog.tubes import SpecimenNeed
from app.server.requisitions.repository import Parts


def build_needs(parts: Parts) -> list[SpecimenNeed]:
    """Build the specimen needs of a requisition's tests, as the catalog describes them now."""
    return [
        SpecimenNeed(
            row_id=row.id,
            parent_id=row.parent_id,
            test_id=test.id,
            container=test.container or "",
            specimen=test.specimen or "",
            required_ml=test.required_ml,
        )
        for row, test in parts.tests
    ]
