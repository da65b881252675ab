"""The parts of a requisition: insurance, copies, documents; clients' own test lists."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.server.schema.migrations import run_script

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "pending_uploads",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_pending_uploads")),
    )
    op.create_index(
        op.f("ix_pending_uploads_created_at"), "pending_uploads", ["created_at"], unique=False
    )
    op.create_table(
        "client_tests",
        sa.Column("client_id", sa.BigInteger(), nullable=False),
        sa.Column("test_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["clients.id"], name=op.f("fk_client_tests_client_id")
        ),
        sa.ForeignKeyConstraint(
            ["test_id"], ["lab_tests.id"], name=op.f("fk_client_tests_test_id")
        ),
        sa.PrimaryKeyConstraint("client_id", "test_id", name=op.f("pk_client_tests")),
    )
    op.create_index(op.f("ix_client_tests_test_id"), "client_tests", ["test_id"], unique=False)
    op.create_table(
        "requisition_copies",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("requisition_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("destination", sa.Text(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["requisition_id"],
            ["requisitions.id"],
            name=op.f("fk_requisition_copies_requisition_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requisition_copies")),
    )
    op.create_index(
        op.f("ix_requisition_copies_requisition_id"),
        "requisition_copies",
        ["requisition_id"],
        unique=False,
    )
    op.create_table(
        "requisition_documents",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("requisition_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("removed_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("removed_by", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["requisition_id"],
            ["requisitions.id"],
            name=op.f("fk_requisition_documents_requisition_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requisition_documents")),
        sa.UniqueConstraint("key", name=op.f("uq_requisition_documents_key")),
    )
    op.create_index(
        op.f("ix_requisition_documents_requisition_id"),
        "requisition_documents",
        ["requisition_id"],
        unique=False,
    )
    op.create_index(
        "uq_requisition_documents_name",
        "requisition_documents",
        ["requisition_id", "name"],
        unique=True,
        postgresql_where=sa.text("removed_at IS NULL"),
    )
    op.create_table(
        "requisition_insurance",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("requisition_id", sa.BigInteger(), nullable=False),
        sa.Column("patient_insurance_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("snapshot", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ["patient_insurance_id"],
            ["patient_insurance.id"],
            name=op.f("fk_requisition_insurance_patient_insurance_id"),
        ),
        sa.ForeignKeyConstraint(
            ["requisition_id"],
            ["requisitions.id"],
            name=op.f("fk_requisition_insurance_requisition_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requisition_insurance")),
        sa.UniqueConstraint(
            "requisition_id",
            "patient_insurance_id",
            name=op.f("uq_requisition_insurance_requisition_id_patient_insurance_id"),
        ),
    )
    op.add_column("lab_tests", sa.Column("client_id", sa.BigInteger(), nullable=True))
    op.create_index(op.f("ix_lab_tests_client_id"), "lab_tests", ["client_id"], unique=False)
    op.create_foreign_key(
        op.f("fk_lab_tests_client_id"), "lab_tests", "clients", ["client_id"], ["id"]
    )
    op.add_column("requisition_diagnoses", sa.Column("test_id", sa.BigInteger(), nullable=True))
    op.create_foreign_key(
        op.f("fk_requisition_diagnoses_test_id"),
        "requisition_diagnoses",
        "lab_tests",
        ["test_id"],
        ["id"],
    )
    run_script("0005_policies.sql")
