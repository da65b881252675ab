"""Keeps a person's favorite panels, and says what of them can be ordered now."""

from collections.abc import Sequence

from app.basics.errors import FieldError, NotFound, require_no_errors
from app.basics.text import capitalise
from app.contract import messages
from app.contract.limits import FAVORITE_NAME_MAX, FAVORITE_TESTS_MAX, FAVORITES_MAX
from app.server.access.work import Work
from app.server.catalog.models import LabTest
from app.server.catalog.repository import CatalogRepository
from app.server.catalog.rules import TestOffer, is_bound_to_list, judge_ordering
from app.server.catalog.schemas import TestShape
from app.server.catalog.service import seen_tests
from app.server.favorite_panels.errors import FavoriteNameInUse
from app.server.favorite_panels.models import FavoritePanel
from app.server.favorite_panels.repository import FavoriteRepository
from app.server.favorite_panels.schemas import FavoriteRead, FavoriteWrite

_KIND = "favorite_panel"


async def favorites(work: Work, client_id: int | None) -> list[FavoriteRead]:
    """The actor's own by name, judged for a client (None: for any of the actor's)."""
    found = await work.repository(FavoriteRepository).all()
    return await _read(work, found, client_id)


async def add(work: Work, body: FavoriteWrite) -> FavoriteRead:
    """Keep a new one.

    Raises:
        BadInput: no name, no test, an unknown test, or too much of anything.
        FavoriteNameInUse: another one of the actor's is called so.
    """
    repository = work.repository(FavoriteRepository)
    await repository.hold()
    name, errors = _name(body.name)
    tests, wrong = await _tests(work, body, ())
    require_no_errors(errors + wrong)
    if await repository.count() >= FAVORITES_MAX:
        require_no_errors(
            [FieldError("name", messages.FAVORITES_TOO_MANY.format(max=FAVORITES_MAX))]
        )
    await _refuse_taken(repository, name, None)
    favorite = await repository.add(name)
    await repository.replace_tests(favorite.id, tests)
    await work.audit("create", _KIND, [favorite.id])
    return await _one(work, favorite)


async def change(work: Work, favorite_id: int, body: FavoriteWrite) -> FavoriteRead:
    """Rename one or choose its tests anew; what was not sent stays.

    Raises:
        NotFound, StaleVersion, BadInput, FavoriteNameInUse.
    """
    repository = work.repository(FavoriteRepository)
    await repository.hold()
    favorite = await _present(work, repository, favorite_id)
    errors: list[FieldError] = []
    name, tests = favorite.name, None
    if "name" in body.model_fields_set:
        name, errors = _name(body.name)
    if "tests" in body.model_fields_set:
        present = (await repository.tests([favorite.id])).get(favorite.id, [])
        tests, wrong = await _tests(work, body, present)
        errors += wrong
    require_no_errors(errors)
    await _refuse_taken(repository, name, favorite.id)
    favorite.name = name
    favorite.version += 1
    await repository.flush()
    if tests is not None:
        await repository.replace_tests(favorite.id, tests)
    await work.audit("change", _KIND, [favorite.id])
    return await _one(work, favorite)


async def remove(work: Work, favorite_id: int) -> None:
    """Delete one.

    Raises:
        NotFound, StaleVersion.
    """
    repository = work.repository(FavoriteRepository)
    await repository.remove(await _present(work, repository, favorite_id))
    await work.audit("delete", _KIND, [favorite_id])


async def _present(work: Work, repository: FavoriteRepository, favorite_id: int) -> FavoritePanel:
    favorite = await repository.one(favorite_id)
    if favorite is None:
        raise NotFound(messages.NOT_FOUND)
    work.require_version(favorite)
    return favorite


def _name(given: str | None) -> tuple[str, list[FieldError]]:
    name = capitalise(given) or ""
    if not name:
        return name, [FieldError("name", messages.SELECTION_REQUIRED.format(label="Name"))]
    if len(name) > FAVORITE_NAME_MAX:
        text = messages.VALUE_TOO_LONG.format(max=FAVORITE_NAME_MAX)
        return name, [FieldError("name", text)]
    return name, []


async def _tests(
    work: Work, body: FavoriteWrite, present: Sequence[int]
) -> tuple[list[int], list[FieldError]]:
    """The tests once each; one that the panel has already may stay, whatever became of it."""
    wanted = list(dict.fromkeys(test.id for test in body.tests or ()))
    if not wanted:
        return [], [FieldError("tests", messages.REQUISITION_TEST_REQUIRED)]
    if len(wanted) > FAVORITE_TESTS_MAX:
        return [], [FieldError("tests", messages.TOO_MANY_ROWS.format(max=FAVORITE_TESTS_MAX))]
    known = await work.repository(CatalogRepository).tests(wanted)
    seen = await seen_tests(work, known.values()) | set(present)
    return wanted, [
        FieldError(f"tests.{i}.id", messages.TEST_UNKNOWN)
        for i, test_id in enumerate(wanted)
        if test_id not in seen
    ]


async def _refuse_taken(repository: FavoriteRepository, name: str, besides: int | None) -> None:
    if await repository.name_is_taken(name, besides):
        raise FavoriteNameInUse.of(FieldError("name", messages.FAVORITE_NAME_IN_USE))


async def _one(work: Work, favorite: FavoritePanel) -> FavoriteRead:
    (read,) = await _read(work, [favorite], None)
    return read


async def _read(
    work: Work, found: Sequence[FavoritePanel], client_id: int | None
) -> list[FavoriteRead]:
    chosen = await work.repository(FavoriteRepository).tests([f.id for f in found])
    catalog = work.repository(CatalogRepository)
    known = await catalog.tests(list({each for ids in chosen.values() for each in ids}))
    seen = await seen_tests(work, known.values())
    outside: set[int] = set()
    if client_id is not None and is_bound_to_list(work.actor):
        outside = await catalog.outside_list(client_id, known.values())

    def can_be_ordered(test: LabTest) -> bool:
        offer = TestOffer(test.code, test.orderable, test.client_id, test.id in outside)
        # Without a client named, a private test is judged for its own.
        of_client = test.client_id if client_id is None else client_id
        return judge_ordering(work.actor, of_client, offer) is None

    read = []
    for favorite in found:
        # Another client's private test has no name here, not even for who once could order it.
        tests = [known[each] for each in chosen.get(favorite.id, []) if each in seen]
        read.append(
            FavoriteRead(
                id=favorite.id,
                version=favorite.version,
                name=favorite.name,
                tests=[TestShape.of(test) for test in tests if can_be_ordered(test)],
                unavailable=[TestShape.of(test) for test in tests if not can_be_ordered(test)],
            )
        )
    return read
