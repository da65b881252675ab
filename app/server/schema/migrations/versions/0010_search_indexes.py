"""Indexes for letters anywhere in a name: those that the first schema declared and did not make,
and the names within the indexes of a client's and of a physician's requisitions."""

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
    for scope in ("client_id", "physician_id"):
        name = f"ix_requisitions_{scope}_id"
        op.drop_index(name, "requisitions")
        op.create_index(
            name,
            "requisitions",
            [scope, "id"],
            postgresql_include=["patient_last_name", "patient_first_name"],
        )
