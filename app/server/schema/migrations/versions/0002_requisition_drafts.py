"""Drafts of requisitions."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.server.schema.migrations import run_script

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "requisition_drafts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("requisition_id", sa.BigInteger(), nullable=True),
        sa.Column("patient_id", sa.BigInteger(), nullable=True),
        sa.Column("content", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("saved_at", postgresql.TIMESTAMP(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["patient_id"], ["patients.id"], name=op.f("fk_requisition_drafts_patient_id")
        ),
        sa.ForeignKeyConstraint(
            ["requisition_id"],
            ["requisitions.id"],
            name=op.f("fk_requisition_drafts_requisition_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requisition_drafts")),
    )
    op.create_index(
        op.f("ix_requisition_drafts_user_id_saved_at"),
        "requisition_drafts",
        ["user_id", "saved_at"],
        unique=False,
    )
    run_script("0002_policies.sql")
