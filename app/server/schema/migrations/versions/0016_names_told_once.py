"""Names are told once, and indexes lead from a name to its patients and their requisitions."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.server.schema.migrations import run_script

revision: str = "0016"
down_revision: str | None = "0015"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_NAMES = {
    "patient_last_name": "patient_first_name",
    "patient_first_name": "patient_last_name",
}


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "patient_names",
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_patient_names")),
    )
    op.create_index(
        "ix_patient_names_trgm",
        "patient_names",
        ["name"],
        postgresql_using="gin",
        postgresql_ops={"name": "gin_trgm_ops"},
    )
    run_script("0016_policies.sql")
    run_script("0016_triggers.sql")
    op.drop_index("ix_requisitions_patient_name_trgm", "requisitions")
    op.drop_index("ix_requisitions_patient_last_name_id", "requisitions")
    op.drop_index("ix_patients_search_trgm", "patients")
    op.create_index(
        "ix_patients_code_trgm",
        "patients",
        ["code"],
        postgresql_using="gin",
        postgresql_ops={"code": "gin_trgm_ops"},
    )
    for name, other in _NAMES.items():
        op.create_index(
            f"ix_requisitions_{name}_collection_date_id",
            "requisitions",
            [name, "collection_date", "id"],
            postgresql_include=[other, "status", "has_signature"],
        )
