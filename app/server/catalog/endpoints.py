"""/api/v2/tests, /api/v2/diagnoses and /api/v2/medications (O 7)."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.basics.clock import lab_today
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import portal_router
from app.server.access.work import InWork
from app.server.catalog import lists
from app.server.catalog.repository import CatalogRepository
from app.server.catalog.schemas import DiagnosisShape, TestTree, tree_of
from app.server.catalog.service import best_match
from app.server.lists.lookups import takes
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


@router.get("/diagnoses/best-match", dependencies=[takes("code")])
@allow(ALL_ROLES)
async def best_diagnosis(work: InWork, code: str = "") -> DiagnosisShape | None:
    """The diagnosis of a code as somebody typed it; null when none is meant clearly."""
    today = lab_today(work.portal.settings.time_zone)
    found = await best_match(work.session, code, today)
    return DiagnosisShape.of(found) if found else None


@router.get("/medications/remote-operations")
@allow(ALL_ROLES, transaction=False)
async def list_medications(request: Request) -> Response:
    """Search the names of medications."""
    return await answer(request, lists.medications)
