"""Finds the tests and diagnoses that a record, or a person typing, names."""

from collections.abc import Collection, Sequence
from datetime import date

from app.basics.errors import FieldError
from app.basics.text import capitalise
from app.contract import messages
from app.server.access.work import Work
from app.server.catalog.models import Diagnosis, LabTest
from app.server.catalog.repository import CatalogRepository, is_valid_on
from app.server.catalog.rules import icd10_code
from app.server.catalog.schemas import (
    DiagnosisShape,
    DiagnosisValidity,
    DiagnosisWrite,
    TestTree,
    tree_of,
)
from app.server.clients.models import Client
from app.server.database.repository import ScopedRepository

_CODE_MIN, _CODE_MAX = 3, 8


async def best_match(work: Work, text: str, day: date) -> Diagnosis | None:
    """The code that was meant: the very code, or the only one that begins so, valid on the day.

    A category of several codes means none of them: guessing a diagnosis helps nobody.
    """
    code = icd10_code(text)
    if len(code) < _CODE_MIN or len(code) > _CODE_MAX:
        return None
    found = await work.repository(CatalogRepository).diagnoses_starting(code, day, limit=2)
    exact = [row for row in found if row.code == code]
    if exact or len(found) == 1:
        return (exact or found)[0]
    return None


async def validity(work: Work, ids: Sequence[int], day: date) -> DiagnosisValidity:
    """The release in use on the day, and those of the diagnoses that are not valid then; unknown
    ids are left out."""
    catalog = work.repository(CatalogRepository)
    found = await catalog.diagnoses_by_id(ids)
    return DiagnosisValidity(
        release=await catalog.release_on(day),
        ended=[DiagnosisShape.of(row) for row in found.values() if not is_valid_on(row, day)],
    )


async def visible_trees(work: Work, ids: Sequence[int]) -> list[TestTree]:
    """Tests with their members. Unknown ids are left out, and others' private tests as well."""
    trees = await work.repository(CatalogRepository).trees(ids)
    seen = await seen_tests(work, [node.test for node in trees.values()])
    return [tree_of(node) for node in trees.values() if node.test.id in seen]


async def seen_tests(work: Work, tests: Collection[LabTest]) -> set[int]:
    """The ids of those that are not private to clients of others."""
    owners = {test.client_id for test in tests if test.client_id is not None}
    seen = await work.repository(ScopedRepository).find_many(Client, list(owners))
    return {test.id for test in tests if test.client_id is None or test.client_id in seen}


async def chosen_diagnoses(
    work: Work,
    wanted: Sequence[DiagnosisWrite] | None,
    *,
    field: str,
    day: date | None,
    ended: str,
    kept: Collection[int] = (),
) -> tuple[list[int], list[FieldError]]:
    """The ids of diagnoses named by id or code, once each, and what is wrong with the others.

    The arguments are those of ``named_diagnoses``.
    """
    found, errors = await named_diagnoses(
        work, wanted, field=field, day=day, ended=ended, kept=kept
    )
    return list(dict.fromkeys(row.id for row in found if row is not None)), errors


async def named_diagnoses(
    work: Work,
    wanted: Sequence[DiagnosisWrite] | None,
    *,
    field: str,
    day: date | None,
    ended: str,
    kept: Collection[int] = (),
) -> tuple[list[Diagnosis | None], list[FieldError]]:
    """For each entry the diagnosis that it names by id or code; None where an error says why not.

    Args:
        field: the wire name of the list, for the errors.
        day: when the codes have to be valid; None when that is not known.
        ended: the message for a code that is not valid then; holds ``{code}``.
        kept: ids that the record has already and may keep, valid or not.
    """
    wanted = wanted or ()
    ids, codes = named_by(wanted)
    catalog = work.repository(CatalogRepository)
    known = [
        *(await catalog.diagnoses_by_id(ids)).values(),
        *(await catalog.diagnoses_by_code(codes)).values(),
    ]
    return judge_diagnoses(wanted, known, field=field, day=day, ended=ended, kept=kept)


def named_by(wanted: Sequence[DiagnosisWrite]) -> tuple[list[int], list[str]]:
    """The ids and, of those without one, the codes by which diagnoses are named."""
    ids = [entry.id for entry in wanted if entry.id is not None]
    return ids, [capitalise(entry.code) or "" for entry in wanted if entry.id is None]


def judge_diagnoses(
    wanted: Sequence[DiagnosisWrite],
    known: Collection[Diagnosis],
    *,
    field: str,
    day: date | None,
    ended: str,
    kept: Collection[int] = (),
) -> tuple[list[Diagnosis | None], list[FieldError]]:
    """What ``named_diagnoses`` answers, from the diagnoses that ``named_by`` names."""
    _, codes = named_by(wanted)
    by_id = {row.id: row for row in known}
    by_code = {row.code: row for row in known if row.code in codes}
    named: list[Diagnosis | None] = []
    errors: list[FieldError] = []
    for i, entry in enumerate(wanted):
        found = by_id.get(entry.id) if entry.id is not None else None
        found = found or by_code.get(capitalise(entry.code) or "")
        if found is None:
            errors.append(FieldError(f"{field}.{i}", messages.NOT_FOUND))
        elif day is not None and found.id not in kept and not is_valid_on(found, day):
            errors.append(FieldError(f"{field}.{i}", ended.format(code=found.code)))
            found = None
        named.append(found)
    return named, errors
