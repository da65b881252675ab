"""What was sent, where, and every try of it."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.server.schema.migrations import run_script

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "transmissions",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("key", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("destination", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempts", sa.SmallInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("requested_by", sa.Uuid(), nullable=False),
        sa.Column("requested_by_name", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("next_try_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("sent_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("delivered_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_transmissions")),
        sa.UniqueConstraint("key", name=op.f("uq_transmissions_key")),
    )
    op.create_index(
        "ix_transmissions_under_way",
        "transmissions",
        ["status"],
        unique=False,
        postgresql_where=sa.text("status IN ('queued', 'sending')"),
    )
    op.create_table(
        "send_attempts",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("transmission_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.SmallInteger(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("started_at", postgresql.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("ended_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["transmission_id"], ["transmissions.id"], name=op.f("fk_send_attempts_transmission_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_send_attempts")),
        sa.UniqueConstraint(
            "transmission_id", "number", name=op.f("uq_send_attempts_transmission_id_number")
        ),
    )
    op.create_table(
        "transmission_requisitions",
        sa.Column("transmission_id", sa.BigInteger(), nullable=False),
        sa.Column("requisition_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["requisition_id"],
            ["requisitions.id"],
            name=op.f("fk_transmission_requisitions_requisition_id"),
        ),
        sa.ForeignKeyConstraint(
            ["transmission_id"],
            ["transmissions.id"],
            name=op.f("fk_transmission_requisitions_transmission_id"),
        ),
        sa.PrimaryKeyConstraint(
            "transmission_id", "requisition_id", name=op.f("pk_transmission_requisitions")
        ),
    )
    op.create_index(
        op.f("ix_transmission_requisitions_requisition_id"),
        "transmission_requisitions",
        ["requisition_id"],
        unique=False,
    )
    run_script("0008_policies.sql")
