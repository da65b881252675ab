"""Removes audit rows after their retention, all rows of a seal at once (ADR 66)."""

import json
from datetime import datetime

import structlog

from app.contract.limits import AUDIT_RETENTION_YEARS_DEFAULT, AUDIT_RETENTION_YEARS_MIN
from app.server.audit_seals.keys import SealKeys
from app.server.audit_seals.repository import Connection, SealRepository, subtract_years
from app.server.audit_seals.rules import Seal, sign_removal
from app.server.audit_seals.service.verify import check_seal

_log = structlog.get_logger("portal.audit")


def remove_expired_rows(connection: Connection, keys: SealKeys, now: datetime) -> int:
    """Remove the rows of expired seals, audit each removal, and return the number of rows.

    The seals stay. The rows of a broken seal, or of one whose key is missing, stay as evidence.
    """
    repository = SealRepository(connection)
    years = repository.load_retention_years(AUDIT_RETENTION_YEARS_DEFAULT)
    before = subtract_years(now, max(years, AUDIT_RETENTION_YEARS_MIN))
    stored_keys, removed_count = keys.load_all(), 0
    for seal in repository.list_expired_seals(before):
        with connection.transaction():
            repository.lock()
            removed_count += _remove_rows(repository, seal, stored_keys.get(seal.key_id))
    return removed_count


def _remove_rows(repository: SealRepository, seal: Seal, key: bytes | None) -> int:
    if key is None or check_seal(repository, seal, key) is not None:
        _log.error("expired audit rows stay: their seal cannot be verified", seal=seal.id)
        return 0
    count = repository.remove_rows(seal, sign_removal(key, seal))
    detail = {"seal": seal.id, "from": seal.first_id, "to": seal.last_id, "rows": count}
    repository.audit("remove", json.dumps(detail))
    return count
