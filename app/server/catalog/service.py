"""Finds tests and diagnoses by id, by code, or by typed text."""

from collections.abc import Collection, Sequence
from datetime import date

from app.basics.errors import FieldError
from app.basics.text import to_upper_case
from app.contract import messages
from app.server.access.work import Work
from app.server.catalog.models import Diagnosis, LabTest
from app.server.catalog.repository import CatalogRepository, is_valid_on
from app.server.catalog.rules import normalize_icd10_code
from app.server.catalog.schemas import (
    DiagnosisShape,
    DiagnosisValidity,
    DiagnosisWrite,
    TestTree,
    build_tree,
)
from app.server.clients.models import Client
from app.server.database.repository import ScopedRepository

_CODE_MIN, _CODE_MAX = 3, 8


async def find_best_match(work: Work, text: str, day: date) -> Diagnosis | None:
    """Find the diagnosis of a typed code: an exact match, or the only code with this prefix.

    The code must be valid on the day. A category of several codes matches none, because a
    diagnosis must not be guessed.
    """
    code = normalize_icd10_code(text)
    if len(code) < _CODE_MIN or len(code) > _CODE_MAX:
        return None
    catalog = work.build_repository(CatalogRepository)
    candidates = await catalog.list_diagnoses_by_prefix(code, day, limit=2)
    exact = [row for row in candidates if row.code == code]
    if exact or len(candidates) == 1:
        return (exact or candidates)[0]
    return None


async def check_validity(work: Work, ids: Sequence[int], day: date) -> DiagnosisValidity:
    """Return the release in use on the day, and the diagnoses that are not valid then."""
    catalog = work.build_repository(CatalogRepository)
    diagnoses = await catalog.load_diagnoses_by_id(ids)
    return DiagnosisValidity(
        release=await catalog.find_release(day),
        ended=[DiagnosisShape.of(row) for row in diagnoses.values() if not is_valid_on(row, day)],
    )


async def list_visible_trees(work: Work, ids: Sequence[int]) -> list[TestTree]:
    """Return tests with their members; unknown ids and private tests out of scope are left out."""
    trees = await work.build_repository(CatalogRepository).load_trees(ids)
    visible_ids = await list_visible_ids(work, [node.test for node in trees.values()])
    return [build_tree(node) for node in trees.values() if node.test.id in visible_ids]


async def list_visible_ids(work: Work, tests: Collection[LabTest]) -> set[int]:
    """List the ids of the tests that are not private to a client out of scope."""
    owner_ids = {test.client_id for test in tests if test.client_id is not None}
    clients = await work.build_repository(ScopedRepository).load_in_scope(Client, list(owner_ids))
    return {test.id for test in tests if test.client_id is None or test.client_id in clients}


async def validate_diagnoses(
    work: Work,
    sent_diagnoses: Sequence[DiagnosisWrite] | None,
    *,
    field: str,
    day: date | None,
    expired_message: str,
    current_ids: Collection[int] = (),
) -> tuple[list[int], list[FieldError]]:
    """Find the distinct ids of the sent diagnoses, and the errors of invalid ones.

    The arguments are those of ``find_diagnoses``.
    """
    diagnoses, errors = await find_diagnoses(
        work,
        sent_diagnoses,
        field=field,
        day=day,
        expired_message=expired_message,
        current_ids=current_ids,
    )
    return list(dict.fromkeys(row.id for row in diagnoses if row is not None)), errors


async def find_diagnoses(
    work: Work,
    sent_diagnoses: Sequence[DiagnosisWrite] | None,
    *,
    field: str,
    day: date | None,
    expired_message: str,
    current_ids: Collection[int] = (),
) -> tuple[list[Diagnosis | None], list[FieldError]]:
    """Find the sent diagnoses by id or code, in order; None for each that has an error.

    Args:
        field: the wire name of the list, for the errors.
        day: the day on which the codes must be valid; None if unknown.
        expired_message: the message for a code that is not valid then, with ``{code}``.
        current_ids: ids that the record already has and may keep, valid or not.
    """
    sent_diagnoses = sent_diagnoses or ()
    ids, codes = collect_keys(sent_diagnoses)
    catalog = work.build_repository(CatalogRepository)
    candidates = [
        *(await catalog.load_diagnoses_by_id(ids)).values(),
        *(await catalog.load_diagnoses_by_code(codes)).values(),
    ]
    return match_diagnoses(
        sent_diagnoses,
        candidates,
        field=field,
        day=day,
        expired_message=expired_message,
        current_ids=current_ids,
    )


def collect_keys(sent_diagnoses: Sequence[DiagnosisWrite]) -> tuple[list[int], list[str]]:
    """Collect the ids of the sent diagnoses, and the codes of those without an id."""
    ids = [item.id for item in sent_diagnoses if item.id is not None]
    return ids, [to_upper_case(item.code) or "" for item in sent_diagnoses if item.id is None]


def match_diagnoses(
    sent_diagnoses: Sequence[DiagnosisWrite],
    candidates: Collection[Diagnosis],
    *,
    field: str,
    day: date | None,
    expired_message: str,
    current_ids: Collection[int] = (),
) -> tuple[list[Diagnosis | None], list[FieldError]]:
    """Match the sent diagnoses with loaded candidates; see ``find_diagnoses``."""
    _, codes = collect_keys(sent_diagnoses)
    by_id = {row.id: row for row in candidates}
    by_code = {row.code: row for row in candidates if row.code in codes}
    diagnoses: list[Diagnosis | None] = []
    errors: list[FieldError] = []
    for i, item in enumerate(sent_diagnoses):
        diagnosis = by_id.get(item.id) if item.id is not None else None
        diagnosis = diagnosis or by_code.get(to_upper_case(item.code) or "")
        if diagnosis is None:
            errors.append(FieldError(f"{field}.{i}", messages.NOT_FOUND))
        elif (
            day is not None and diagnosis.id not in current_ids and not is_valid_on(diagnosis, day)
        ):
            errors.append(FieldError(f"{field}.{i}", expired_message.format(code=diagnosis.code)))
            diagnosis = None
        diagnoses.append(diagnosis)
    return diagnoses, errors
