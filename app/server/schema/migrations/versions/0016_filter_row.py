"""Whatever the filter row asks for in requisitions is found by an index.

Names are told once, and an index leads from a name to everybody's rows; within a scope one index
answers alone.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from app.server.schema.migrations import run_script

revision: str = "0016"
down_revision: str | None = "0015"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_TEXTS = ["code", "unit_name", "room_name", "bed"]
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
    _index_letters("ix_patient_names_trgm", "patient_names", ["name"])
    run_script("0016_policies.sql")
    run_script("0016_triggers.sql")
    op.drop_index("ix_requisitions_patient_name_trgm", "requisitions")
    op.drop_index("ix_requisitions_patient_last_name_id", "requisitions")
    op.drop_index("ix_patients_search_trgm", "patients")
    _index_letters("ix_patients_code_trgm", "patients", ["code"])
    _index_letters("ix_requisitions_texts_trgm", "requisitions", _TEXTS)
    for scope in ("client_id", "physician_id"):
        op.drop_index(f"ix_requisitions_{scope}_id", "requisitions")
        op.create_index(
            f"ix_requisitions_{scope}_id",
            "requisitions",
            [scope, "id"],
            postgresql_include=[*_NAMES, "collection_date", "status", "has_signature", *_TEXTS],
        )
    op.create_index(
        "ix_requisitions_patient_birth_date_collection_date_id",
        "requisitions",
        ["patient_birth_date", "collection_date", "id"],
    )
    for name, other in _NAMES.items():
        op.create_index(
            f"ix_requisitions_{name}_collection_date_id",
            "requisitions",
            [name, "collection_date", "id"],
            postgresql_include=[other, "status", "has_signature"],
        )


def _index_letters(name: str, table: str, columns: list[str]) -> None:
    op.create_index(
        name,
        table,
        columns,
        postgresql_using="gin",
        postgresql_ops=dict.fromkeys(columns, "gin_trgm_ops"),
    )
