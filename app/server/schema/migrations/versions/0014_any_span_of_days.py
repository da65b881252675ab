"""Any span of days, with letters or a state beside it, is answered from indexes alone."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0014"
down_revision: str | None = "0013"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_NAMES = ["patient_last_name", "patient_first_name"]
_STATE = ["status", "has_signature"]


def upgrade() -> None:
    """Apply."""
    day = sa.Computed("collection_date::date", persisted=True)
    op.add_column("requisitions", sa.Column("collection_day", sa.Date(), day, nullable=False))
    op.create_index(
        "ix_requisitions_collection_day_id",
        "requisitions",
        ["collection_day", "id"],
        postgresql_include=_STATE,
    )
    op.create_index(
        "ix_requisitions_status_has_signature_collection_date_id",
        "requisitions",
        [*_STATE, "collection_date", "id"],
    )
    for scope in ("client_id", "physician_id"):
        name = f"ix_requisitions_{scope}_id"
        op.drop_index(name, "requisitions")
        op.create_index(
            name,
            "requisitions",
            [scope, "id"],
            postgresql_include=[*_NAMES, "collection_date", *_STATE],
        )
