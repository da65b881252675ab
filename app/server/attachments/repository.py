"""SQL for uploads in progress."""

from datetime import timedelta

from sqlalchemy import delete, func

from app.contract.enumerations import ScopeKind
from app.server.attachments.models import PendingUpload
from app.server.database.base import Table, declared_scopes
from app.server.database.repository import Repository
from app.server.database.scope import Rows

INSERT_PENDING_UPLOAD = (
    "INSERT INTO pending_uploads (key, user_id) SELECT %(key)s, %(user)s::uuid "
    # A power cut must not leave stored bytes without a row that leads to them.
    "FROM set_config('synchronous_commit', 'on', true) RETURNING key"
)
"""Unlike the other writes of the read pool, this one waits until it is on the disk."""


def build_visibility_statement(table: type[Table], kind: ScopeKind) -> str:
    """Build the statement that says whether an actor of this kind sees the record ``id``."""
    scope = declared_scopes[table.__tablename__]
    assert isinstance(scope, Rows)
    condition = scope.build_predicate(kind, "t")
    return (
        f"SELECT EXISTS (SELECT 1 FROM {table.__tablename__} t "
        f"WHERE t.id = %(id)s::bigint AND {condition})"
    )


class UploadRepository(Repository):
    """Pending uploads."""

    async def delete(self, key: str) -> bool:
        """Delete a pending upload, and return whether it still existed."""
        deleted_key = await self.session.scalar(
            delete(PendingUpload).where(PendingUpload.key == key).returning(PendingUpload.key)
        )
        return deleted_key is not None

    async def delete_older(self, age: timedelta) -> list[str]:
        """Delete pending uploads older than this age, and return their keys."""
        keys = await self.session.scalars(
            delete(PendingUpload)
            .where(PendingUpload.created_at < func.now() - age)
            .returning(PendingUpload.key)
        )
        return list(keys)
