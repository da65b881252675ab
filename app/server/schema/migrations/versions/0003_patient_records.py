"""Insurance rows, responsible parties, diagnoses and medications of patients."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.server.schema.migrations import run_script

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "bill_types",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bill_types")),
        sa.UniqueConstraint("name", name=op.f("uq_bill_types_name")),
    )
    op.create_table(
        "patient_diagnoses",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("patient_id", sa.BigInteger(), nullable=False),
        sa.Column("diagnosis_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["diagnosis_id"], ["diagnoses.id"], name=op.f("fk_patient_diagnoses_diagnosis_id")
        ),
        sa.ForeignKeyConstraint(
            ["patient_id"], ["patients.id"], name=op.f("fk_patient_diagnoses_patient_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_patient_diagnoses")),
        sa.UniqueConstraint(
            "patient_id", "diagnosis_id", name=op.f("uq_patient_diagnoses_patient_id_diagnosis_id")
        ),
    )
    op.create_table(
        "patient_insurance",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("patient_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("bill_type_id", sa.BigInteger(), nullable=False),
        sa.Column("payer_id", sa.BigInteger(), nullable=False),
        sa.Column("insurance_id", sa.Text(), nullable=False),
        sa.Column("group_number", sa.Text(), nullable=True),
        sa.Column("relationship", sa.Text(), nullable=True),
        sa.Column(
            "different_than_patient", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
        sa.Column("last_name", sa.Text(), nullable=True),
        sa.Column("first_name", sa.Text(), nullable=True),
        sa.Column("middle_name", sa.Text(), nullable=True),
        sa.Column("birth_date", sa.Date(), nullable=True),
        sa.Column("gender", sa.Text(), nullable=True),
        sa.Column("phone", sa.Text(), nullable=True),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("zip_code_id", sa.BigInteger(), nullable=True),
        sa.Column("zip_code_plus4", sa.Text(), nullable=True),
        sa.Column("removed_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["bill_type_id"], ["bill_types.id"], name=op.f("fk_patient_insurance_bill_type_id")
        ),
        sa.ForeignKeyConstraint(
            ["patient_id"], ["patients.id"], name=op.f("fk_patient_insurance_patient_id")
        ),
        sa.ForeignKeyConstraint(
            ["payer_id"], ["payers.id"], name=op.f("fk_patient_insurance_payer_id")
        ),
        sa.ForeignKeyConstraint(
            ["zip_code_id"], ["zip_codes.id"], name=op.f("fk_patient_insurance_zip_code_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_patient_insurance")),
    )
    op.create_index(
        op.f("ix_patient_insurance_patient_id_position"),
        "patient_insurance",
        ["patient_id", "position"],
        unique=False,
        postgresql_where=sa.text("removed_at IS NULL"),
    )
    op.create_table(
        "patient_medications",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("patient_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["patient_id"], ["patients.id"], name=op.f("fk_patient_medications_patient_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_patient_medications")),
        sa.UniqueConstraint(
            "patient_id", "name", name=op.f("uq_patient_medications_patient_id_name")
        ),
    )
    op.create_table(
        "patient_responsible_parties",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("patient_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("last_name", sa.Text(), nullable=False),
        sa.Column("first_name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=True),
        sa.Column("zip_code_id", sa.BigInteger(), nullable=False),
        sa.Column("zip_code_plus4", sa.Text(), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("mobile", sa.Text(), nullable=True),
        sa.Column("fax", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["patient_id"], ["patients.id"], name=op.f("fk_patient_responsible_parties_patient_id")
        ),
        sa.ForeignKeyConstraint(
            ["zip_code_id"],
            ["zip_codes.id"],
            name=op.f("fk_patient_responsible_parties_zip_code_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_patient_responsible_parties")),
    )
    op.create_index(
        op.f("ix_patient_responsible_parties_patient_id"),
        "patient_responsible_parties",
        ["patient_id"],
        unique=False,
    )
    op.add_column("payers", sa.Column("bill_type_id", sa.BigInteger(), nullable=True))
    op.create_index(op.f("ix_payers_bill_type_id"), "payers", ["bill_type_id"], unique=False)
    op.create_foreign_key(
        op.f("fk_payers_bill_type_id"), "payers", "bill_types", ["bill_type_id"], ["id"]
    )
    run_script("0003_policies.sql")
