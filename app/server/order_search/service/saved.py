"""Stores a user's searches. A search is stored only if it could be run."""

import json
from collections.abc import Mapping
from typing import Any

from app.basics.clock import get_lab_today
from app.basics.errors import FieldError, NotFound, require_no_errors
from app.basics.text import clean_text
from app.contract import messages
from app.contract.limits import SAVED_SEARCH_MAX_BYTES, SAVED_SEARCHES_MAX
from app.server.access.work import Work
from app.server.order_search.errors import SearchNameInUse
from app.server.order_search.models import SavedSearch
from app.server.order_search.repository import SavedSearchRepository
from app.server.order_search.rules import QUERY, is_name_in_use, validate_name
from app.server.order_search.schemas import OrderSearchRequest, SavedSearchRead, SavedSearchWrite
from app.server.order_search.service.search import NEWEST_FIRST, choose_columns, prepare_search

_KIND = "saved_search"


async def list_searches(work: Work) -> list[SavedSearchRead]:
    """Return the actor's saved searches by name."""
    searches = await work.build_repository(SavedSearchRepository).list_by_name()
    return [SavedSearchRead.model_validate(search) for search in searches]


async def create_search(work: Work, body: SavedSearchWrite) -> SavedSearchRead:
    """Save a search under a new name.

    Raises:
        BadInput: the name or the search is invalid, or a limit is exceeded.
        SearchNameInUse: the actor has another search with this name.
    """
    repository = work.build_repository(SavedSearchRepository)
    await repository.lock_all()
    name = clean_text(body.name) or ""
    require_no_errors(validate_name(name))
    values = _build_content(work, body, {"query": body.query or {"rules": []}})
    if await repository.count() >= SAVED_SEARCHES_MAX:
        message = messages.SAVED_SEARCHES_TOO_MANY.format(max=SAVED_SEARCHES_MAX)
        require_no_errors([FieldError("name", message)])
    await _require_unused_name(repository, name, None)
    search = await repository.create(name, values["query"], values["columns"], values["sort"])
    await work.audit("create", _KIND, [search.id])
    return SavedSearchRead.model_validate(search)


async def update_search(work: Work, search_id: int, body: SavedSearchWrite) -> SavedSearchRead:
    """Rename a saved search, or replace its content; absent fields stay unchanged.

    Raises:
        NotFound, StaleVersion, BadInput, SearchNameInUse.
    """
    repository = work.build_repository(SavedSearchRepository)
    await repository.lock_all()
    search = await _get_search(work, repository, search_id)
    if "name" in body.model_fields_set:
        name = clean_text(body.name) or ""
        require_no_errors(validate_name(name))
        await _require_unused_name(repository, name, search.id)
        search.name = name
    if body.model_fields_set & {"query", "columns", "sort"}:
        stored_content = {"query": search.query, "columns": search.columns, "sort": search.sort}
        for field, value in _build_content(work, body, stored_content).items():
            setattr(search, field, value)
    search.version += 1
    await repository.flush()
    await work.audit("change", _KIND, [search.id])
    return SavedSearchRead.model_validate(search)


async def delete_search(work: Work, search_id: int) -> None:
    """Delete a saved search.

    Raises:
        NotFound, StaleVersion.
    """
    repository = work.build_repository(SavedSearchRepository)
    await repository.delete(await _get_search(work, repository, search_id))
    await work.audit("delete", _KIND, [search_id])


def _build_content(
    work: Work, body: SavedSearchWrite, stored_content: Mapping[str, Any]
) -> dict[str, Any]:
    """Return query, columns, and sort: those sent, otherwise the stored ones, if they can run."""
    sent_fields = body.model_dump(include=body.model_fields_set & {"query", "columns", "sort"})
    content = {
        **stored_content,
        **{name: value for name, value in sent_fields.items() if value is not None},
    }
    request = OrderSearchRequest(
        query=content["query"], columns=content.get("columns"), sort=content.get("sort")
    )
    prepare_search(work.actor, request, get_lab_today(work.portal.settings.time_zone))
    if len(json.dumps(content["query"])) > SAVED_SEARCH_MAX_BYTES:
        require_no_errors([FieldError(QUERY, messages.SAVED_SEARCH_TOO_LARGE)])
    return {
        "query": content["query"],
        "columns": choose_columns(work.actor, content.get("columns")),
        "sort": content.get("sort") or NEWEST_FIRST,
    }


async def _get_search(work: Work, repository: SavedSearchRepository, search_id: int) -> SavedSearch:
    search = await repository.lock(search_id)
    if search is None:
        raise NotFound(messages.NOT_FOUND)
    work.require_version(search)
    return search


async def _require_unused_name(
    repository: SavedSearchRepository, name: str, except_id: int | None
) -> None:
    if is_name_in_use(name, await repository.list_names(except_id)):
        raise SearchNameInUse.of(FieldError("name", messages.SAVED_SEARCH_NAME_IN_USE))
