"""/api/v2/tests and /api/v2/diagnoses (O 7)."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import portal_router
from app.server.access.work import InWork
from app.server.catalog import lists
from app.server.catalog.repository import CatalogRepository
from app.server.catalog.schemas import TestTree, tree_of
from app.server.lists.service import answer

router = portal_router("/api/v2", "catalogue")


@router.get("/tests/remote-operations")
@allow(ALL_ROLES, transaction=False)
async def list_tests(request: Request) -> Response:
    """Search orderable tests."""
    return await answer(request, lists.tests)


@router.get("/tests/with-children")
@allow(ALL_ROLES)
async def tests_with_children(
    work: InWork, test_id: Annotated[list[int], Query(alias="testId", max_length=100)]
) -> list[TestTree]:
    """Tests with their members; unknown ids are left out."""
    trees = await CatalogRepository(work.session).trees(test_id)
    return [tree_of(node) for node in trees.values()]


@router.get("/diagnoses/remote-operations")
@allow(ALL_ROLES, transaction=False)
async def list_diagnoses(request: Request) -> Response:
    """Search billable ICD-10-CM codes."""
    return await answer(request, lists.diagnoses)
