"""Take ids before writing."""

from alembic import op

revision: str = "0017"
down_revision: str | None = "0016"
# The revision whose expansion this one brings to its end; see docs/adr/0021-frozen-revisions.md.
contracts: str | None = None

_SQL = r"""
-- Numbers of records
GRANT USAGE ON SEQUENCE patient_codes, requisition_codes TO as_staff, as_client, as_worker;
-- A write that answers without reading again takes the ids of its rows before it writes them.
GRANT USAGE ON SEQUENCE requisitions_id_seq, requisition_tests_id_seq, requisition_insurance_id_seq
    TO as_staff, as_client, as_worker;
GRANT USAGE ON SEQUENCE orders_id_seq, order_tests_id_seq, results_id_seq TO as_staff, as_worker;
"""


def upgrade() -> None:
    """Apply."""
    op.execute(_SQL)
