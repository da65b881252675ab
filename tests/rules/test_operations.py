"""When the operations page warns, and which legal documents are due."""

from datetime import UTC, datetime, timedelta

from app.contract.limits import BACKUP_WARNING_HOURS, SEAL_WARNING_MINUTES
from app.server.legal.rules import (
    VERSIONS,
    LegalDocument,
    are_versions_in_force,
    list_due_documents,
)
from app.server.operations.rules import choose_latest, is_backup_overdue, is_seal_overdue

NOW = datetime(2026, 3, 4, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)
PRIVACY, TERMS = LegalDocument.PRIVACY, LegalDocument.TERMS


def test_a_backup_is_overdue_when_it_is_old_or_missing() -> None:
    oldest = NOW - timedelta(hours=BACKUP_WARNING_HOURS)
    assert is_backup_overdue(None, NOW)
    assert is_backup_overdue(oldest - MOMENT, NOW)
    assert not is_backup_overdue(oldest, NOW)


def test_seals_are_overdue_when_a_row_waits_for_long() -> None:
    oldest = NOW - timedelta(minutes=SEAL_WARNING_MINUTES)
    assert not is_seal_overdue(None, NOW)
    assert is_seal_overdue(oldest - MOMENT, NOW)
    assert not is_seal_overdue(oldest, NOW)


def test_chooses_the_latest_known_instant() -> None:
    assert choose_latest(NOW, None, NOW + MOMENT, NOW - MOMENT) == NOW + MOMENT
    assert choose_latest(None, None) is None


def test_a_document_is_due_until_its_version_in_force_is_accepted() -> None:
    assert list_due_documents([]) == [PRIVACY, TERMS]
    assert list_due_documents([(PRIVACY, VERSIONS[PRIVACY]), (TERMS, "of last year")]) == [TERMS]
    assert list_due_documents(list(VERSIONS.items())) == []


def test_only_versions_in_force_are_accepted() -> None:
    assert are_versions_in_force(list(VERSIONS.items()))
    assert not are_versions_in_force([(PRIVACY, VERSIONS[PRIVACY]), (TERMS, "of last year")])
