"""Favorite panels; what a physician ordered last at a client, by index."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.server.schema.migrations import run_script

revision: str = "0009"
down_revision: str | None = "0008"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "favorite_panels",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_favorite_panels")),
        sa.UniqueConstraint("user_id", "name", name=op.f("uq_favorite_panels_user_id_name")),
    )
    op.create_table(
        "favorite_panel_tests",
        sa.Column("panel_id", sa.BigInteger(), nullable=False),
        sa.Column("test_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["panel_id"],
            ["favorite_panels.id"],
            name=op.f("fk_favorite_panel_tests_panel_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["test_id"], ["lab_tests.id"], name=op.f("fk_favorite_panel_tests_test_id")
        ),
        sa.PrimaryKeyConstraint("panel_id", "test_id", name=op.f("pk_favorite_panel_tests")),
    )
    op.create_index(
        op.f("ix_requisitions_client_id_physician_id_id"),
        "requisitions",
        ["client_id", "physician_id", "id"],
        unique=False,
    )
    run_script("0009_policies.sql")
