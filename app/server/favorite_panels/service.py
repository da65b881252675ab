"""Stores a user's favorite panels, and judges which of their tests can be ordered now."""

from collections.abc import Sequence

from app.basics.errors import FieldError, NotFound, require_no_errors
from app.basics.text import to_upper_case
from app.contract import messages
from app.contract.limits import FAVORITE_NAME_MAX, FAVORITE_TESTS_MAX, FAVORITES_MAX
from app.server.access.work import Work
from app.server.catalog.models import LabTest
from app.server.catalog.repository import CatalogRepository
from app.server.catalog.rules import TestOffer, is_bound_to_list, judge_ordering
from app.server.catalog.schemas import TestShape
from app.server.catalog.service import list_visible_ids
from app.server.favorite_panels.errors import FavoriteNameInUse
from app.server.favorite_panels.models import FavoritePanel
from app.server.favorite_panels.repository import FavoriteRepository
from app.server.favorite_panels.schemas import FavoriteRead, FavoriteWrite

_KIND = "favorite_panel"


async def list_favorites(work: Work, client_id: int | None) -> list[FavoriteRead]:
    """List the actor's favorite panels by name, with the tests that the client may order now."""
    favorites = await work.build_repository(FavoriteRepository).list_by_name()
    return await _build_reads(work, favorites, client_id)


async def create_favorite(work: Work, body: FavoriteWrite) -> FavoriteRead:
    """Create a favorite panel.

    Raises:
        BadInput: the name or the tests are missing or invalid, or a limit is exceeded.
        FavoriteNameInUse: the actor has another favorite panel with this name.
    """
    repository = work.build_repository(FavoriteRepository)
    await repository.lock_all()
    name, name_errors = _validate_name(body.name)
    tests, test_errors = await _validate_tests(work, body, ())
    require_no_errors(name_errors + test_errors)
    if await repository.count() >= FAVORITES_MAX:
        require_no_errors(
            [FieldError("name", messages.FAVORITES_TOO_MANY.format(max=FAVORITES_MAX))]
        )
    await _require_unused_name(repository, name, None)
    favorite = await repository.create(name)
    await repository.replace_tests(favorite.id, tests)
    await work.audit("create", _KIND, [favorite.id])
    return await _build_read(work, favorite)


async def update_favorite(work: Work, favorite_id: int, body: FavoriteWrite) -> FavoriteRead:
    """Rename a favorite panel, or replace its tests; absent fields stay unchanged.

    Raises:
        NotFound, StaleVersion, BadInput, FavoriteNameInUse.
    """
    repository = work.build_repository(FavoriteRepository)
    await repository.lock_all()
    favorite = await _get_favorite(work, repository, favorite_id)
    errors: list[FieldError] = []
    name, tests = favorite.name, None
    if "name" in body.model_fields_set:
        name, errors = _validate_name(body.name)
    if "tests" in body.model_fields_set:
        current_ids = (await repository.load_test_ids([favorite.id])).get(favorite.id, [])
        tests, test_errors = await _validate_tests(work, body, current_ids)
        errors += test_errors
    require_no_errors(errors)
    await _require_unused_name(repository, name, favorite.id)
    favorite.name = name
    favorite.version += 1
    await repository.flush()
    if tests is not None:
        await repository.replace_tests(favorite.id, tests)
    await work.audit("change", _KIND, [favorite.id])
    return await _build_read(work, favorite)


async def delete_favorite(work: Work, favorite_id: int) -> None:
    """Delete a favorite panel.

    Raises:
        NotFound, StaleVersion.
    """
    repository = work.build_repository(FavoriteRepository)
    await repository.delete(await _get_favorite(work, repository, favorite_id))
    await work.audit("delete", _KIND, [favorite_id])


async def _get_favorite(
    work: Work, repository: FavoriteRepository, favorite_id: int
) -> FavoritePanel:
    favorite = await repository.lock(favorite_id)
    if favorite is None:
        raise NotFound(messages.NOT_FOUND)
    work.require_version(favorite)
    return favorite


def _validate_name(text: str | None) -> tuple[str, list[FieldError]]:
    name = to_upper_case(text) or ""
    if not name:
        return name, [FieldError("name", messages.SELECTION_REQUIRED.format(label="Name"))]
    if len(name) > FAVORITE_NAME_MAX:
        message = messages.VALUE_TOO_LONG.format(max=FAVORITE_NAME_MAX)
        return name, [FieldError("name", message)]
    return name, []


async def _validate_tests(
    work: Work, body: FavoriteWrite, current_ids: Sequence[int]
) -> tuple[list[int], list[FieldError]]:
    """Return test ids without duplicates, and errors; tests already on the panel may stay."""
    test_ids = list(dict.fromkeys(test.id for test in body.tests or ()))
    if not test_ids:
        return [], [FieldError("tests", messages.REQUISITION_TEST_REQUIRED)]
    if len(test_ids) > FAVORITE_TESTS_MAX:
        return [], [FieldError("tests", messages.TOO_MANY_ROWS.format(max=FAVORITE_TESTS_MAX))]
    tests = await work.build_repository(CatalogRepository).load_tests(test_ids)
    visible_ids = await list_visible_ids(work, tests.values())
    known_ids = visible_ids | set(current_ids)
    return test_ids, [
        FieldError(f"tests.{i}.id", messages.TEST_UNKNOWN)
        for i, test_id in enumerate(test_ids)
        if test_id not in known_ids
    ]


async def _require_unused_name(
    repository: FavoriteRepository, name: str, except_id: int | None
) -> None:
    if await repository.is_name_in_use(name, except_id):
        raise FavoriteNameInUse.of(FieldError("name", messages.FAVORITE_NAME_IN_USE))


async def _build_read(work: Work, favorite: FavoritePanel) -> FavoriteRead:
    (read,) = await _build_reads(work, [favorite], None)
    return read


async def _build_reads(
    work: Work, favorites: Sequence[FavoritePanel], client_id: int | None
) -> list[FavoriteRead]:
    repository = work.build_repository(FavoriteRepository)
    test_ids = await repository.load_test_ids([favorite.id for favorite in favorites])
    catalog = work.build_repository(CatalogRepository)
    tests = await catalog.load_tests(
        list({test_id for ids in test_ids.values() for test_id in ids})
    )
    visible_ids = await list_visible_ids(work, tests.values())
    outside_ids: set[int] = set()
    if client_id is not None and is_bound_to_list(work.actor):
        outside_ids = await catalog.list_ids_outside_list(client_id, tests.values())

    def is_orderable(test: LabTest) -> bool:
        offer = TestOffer(
            test.code,
            is_orderable=test.orderable,
            owner_id=test.client_id,
            is_outside=test.id in outside_ids,
        )
        # Without a client, a private test is judged for its own client.
        ordering_client_id = test.client_id if client_id is None else client_id
        return judge_ordering(work.actor, ordering_client_id, offer) is None

    reads = []
    for favorite in favorites:
        # Another client's private tests stay hidden, even from a user who could order them before.
        visible_tests = [tests[i] for i in test_ids.get(favorite.id, []) if i in visible_ids]
        reads.append(
            FavoriteRead(
                id=favorite.id,
                version=favorite.version,
                name=favorite.name,
                tests=[TestShape.of(test) for test in visible_tests if is_orderable(test)],
                unavailable=[
                    TestShape.of(test) for test in visible_tests if not is_orderable(test)
                ],
            )
        )
    return reads
