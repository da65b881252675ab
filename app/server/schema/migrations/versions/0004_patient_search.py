"""Patients found fast by any of their names, their birth date, and what happened to them."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.server.schema.migrations import run_script

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_index(
        op.f("ix_patients_client_id_birth_date_id"), "patients", ["client_id", "birth_date", "id"]
    )
    op.create_index(
        op.f("ix_patients_client_id_first_name_id"), "patients", ["client_id", "first_name", "id"]
    )
    op.create_index(op.f("ix_patients_first_name_id"), "patients", ["first_name", "id"])
    op.create_index(
        "ix_patients_search_trgm",
        "patients",
        ["last_name", "first_name", "code"],
        postgresql_using="gin",
        postgresql_ops={
            "last_name": "gin_trgm_ops",
            "first_name": "gin_trgm_ops",
            "code": "gin_trgm_ops",
        },
    )
    op.create_index(
        "ix_audit_events_history",
        "audit_events",
        [sa.text("(record_ids[1])"), "kind"],
        postgresql_where=sa.text(
            "(kind = 'patient' AND action = 'change') OR"
            " (kind = 'requisition' AND action = 'cancel')"
        ),
    )
    run_script("0004_policies.sql")
    run_script("0004_functions.sql")
