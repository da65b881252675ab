"""The indexes for letters anywhere that the first schema declared and did not make."""

from collections.abc import Sequence

from alembic import op

revision: str = "0010"
down_revision: str | None = "0009"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_INDEXES = {
    "ix_requisitions_patient_name_trgm": (
        "requisitions",
        ["patient_last_name", "patient_first_name"],
    ),
    "ix_lab_tests_search_text": ("lab_tests", ["search_text"]),
    "ix_diagnoses_search_text": ("diagnoses", ["search_text"]),
}


def upgrade() -> None:
    """Apply."""
    for name, (table, columns) in _INDEXES.items():
        op.create_index(
            name,
            table,
            columns,
            postgresql_using="gin",
            postgresql_ops=dict.fromkeys(columns, "gin_trgm_ops"),
        )
