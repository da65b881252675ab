"""The first schema."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from app.server.schema.migrations import run_script

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply."""
    op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    op.execute("CREATE SEQUENCE patient_codes")
    op.execute("CREATE SEQUENCE requisition_codes")
    op.create_table(
        "audit_events",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column(
            "at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("record_ids", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("detail", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_events")),
    )
    op.create_index(op.f("ix_audit_events_kind_at"), "audit_events", ["kind", "at"], unique=False)
    op.create_table(
        "diagnoses",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("valid_from", sa.Date(), nullable=False),
        sa.Column("valid_to", sa.Date(), nullable=True),
        sa.Column("release", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_diagnoses")),
        sa.UniqueConstraint("code", name=op.f("uq_diagnoses_code")),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("request_hash", sa.LargeBinary(), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=True),
        sa.Column("headers", sa.Text(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_idempotency_keys")),
    )
    op.create_index(
        op.f("ix_idempotency_keys_created_at"), "idempotency_keys", ["created_at"], unique=False
    )
    op.create_table(
        "lab_settings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_lab_settings")),
    )
    op.create_table(
        "lab_tests",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("alternate_names", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("search_text", sa.Text(), nullable=False),
        sa.Column("is_panel", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("orderable", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("loinc", sa.Text(), nullable=True),
        sa.Column("specimen", sa.Text(), nullable=True),
        sa.Column("container", sa.Text(), nullable=True),
        sa.Column("unit", sa.Text(), nullable=True),
        sa.Column("result_type", sa.SmallInteger(), nullable=False),
        sa.Column(
            "choices", postgresql.ARRAY(sa.Text()), server_default=sa.text("'{}'"), nullable=False
        ),
        sa.Column(
            "normal_choices",
            postgresql.ARRAY(sa.Text()),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
        sa.Column("decimals", sa.SmallInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lab_tests")),
        sa.UniqueConstraint("code", name=op.f("uq_lab_tests_code")),
    )
    op.create_table(
        "medications",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_medications")),
        sa.UniqueConstraint("name", name=op.f("uq_medications_name")),
    )
    op.create_table(
        "payers",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("medicare_part_b", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_payers")),
        sa.UniqueConstraint("name", name=op.f("uq_payers_name")),
    )
    op.create_table(
        "sign_in_attempts",
        sa.Column("email_hash", sa.LargeBinary(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_failure_at", postgresql.TIMESTAMP(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("email_hash", name=op.f("pk_sign_in_attempts")),
    )
    op.create_table(
        "spent_sign_ins",
        sa.Column("token_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column(
            "spent_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("token_id", name=op.f("pk_spent_sign_ins")),
    )
    op.create_index(
        op.f("ix_spent_sign_ins_spent_at"), "spent_sign_ins", ["spent_at"], unique=False
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("username", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("first_name", sa.Text(), nullable=False),
        sa.Column("last_name", sa.Text(), nullable=False),
        sa.Column("active", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column(
            "client_ids",
            postgresql.ARRAY(sa.BigInteger()),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
        sa.Column(
            "physician_ids",
            postgresql.ARRAY(sa.BigInteger()),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
        sa.Column(
            "patient_ids",
            postgresql.ARRAY(sa.BigInteger()),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
        sa.Column("sign_image", sa.LargeBinary(), nullable=True),
        sa.Column("last_login_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "zip_codes",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("city", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_zip_codes")),
        sa.UniqueConstraint("code", name=op.f("uq_zip_codes_code")),
    )
    op.create_table(
        "clients",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("zip_code_id", sa.BigInteger(), nullable=True),
        sa.Column("zip_code_plus4", sa.Text(), nullable=True),
        sa.Column("phone", sa.Text(), nullable=True),
        sa.Column("fax", sa.Text(), nullable=True),
        sa.Column("web_access", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("default_bill_to", sa.SmallInteger(), nullable=True),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.ForeignKeyConstraint(
            ["zip_code_id"], ["zip_codes.id"], name=op.f("fk_clients_zip_code_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clients")),
        sa.UniqueConstraint("code", name=op.f("uq_clients_code")),
    )
    op.create_table(
        "panel_members",
        sa.Column("panel_id", sa.BigInteger(), nullable=False),
        sa.Column("test_id", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["panel_id"], ["lab_tests.id"], name=op.f("fk_panel_members_panel_id")
        ),
        sa.ForeignKeyConstraint(
            ["test_id"], ["lab_tests.id"], name=op.f("fk_panel_members_test_id")
        ),
        sa.PrimaryKeyConstraint("panel_id", "test_id", name=op.f("pk_panel_members")),
    )
    op.create_index(op.f("ix_panel_members_test_id"), "panel_members", ["test_id"], unique=False)
    op.create_table(
        "physicians",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("npi", sa.Text(), nullable=False),
        sa.Column("first_name", sa.Text(), nullable=False),
        sa.Column("last_name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("zip_code_id", sa.BigInteger(), nullable=True),
        sa.Column("phone", sa.Text(), nullable=True),
        sa.Column("fax", sa.Text(), nullable=True),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.ForeignKeyConstraint(
            ["zip_code_id"], ["zip_codes.id"], name=op.f("fk_physicians_zip_code_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_physicians")),
        sa.UniqueConstraint("npi", name=op.f("uq_physicians_npi")),
    )
    op.create_index(
        op.f("ix_physicians_last_name_first_name"),
        "physicians",
        ["last_name", "first_name"],
        unique=False,
    )
    op.create_table(
        "reference_ranges",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("test_id", sa.BigInteger(), nullable=False),
        sa.Column("gender", sa.Text(), nullable=True),
        sa.Column("age_from_days", sa.Integer(), nullable=False),
        sa.Column("age_to_days", sa.Integer(), nullable=False),
        sa.Column("low", sa.Numeric(), nullable=True),
        sa.Column("high", sa.Numeric(), nullable=True),
        sa.Column("critical_low", sa.Numeric(), nullable=True),
        sa.Column("critical_high", sa.Numeric(), nullable=True),
        sa.Column("words", sa.Text(), nullable=True),
        sa.Column("invented", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_id"], ["lab_tests.id"], name=op.f("fk_reference_ranges_test_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reference_ranges")),
    )
    op.create_index(
        op.f("ix_reference_ranges_test_id"), "reference_ranges", ["test_id"], unique=False
    )
    op.create_table(
        "registrations",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("application_id", sa.Text(), nullable=False),
        sa.Column("roles", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_registrations_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_registrations")),
    )
    op.create_index(op.f("ix_registrations_user_id"), "registrations", ["user_id"], unique=False)
    op.create_table(
        "user_sessions",
        sa.Column("id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("signed_in_at", postgresql.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("expires_at", postgresql.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("ended_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_user_sessions_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user_sessions")),
    )
    op.create_index(op.f("ix_user_sessions_user_id"), "user_sessions", ["user_id"], unique=False)
    op.create_table(
        "client_physicians",
        sa.Column("client_id", sa.BigInteger(), nullable=False),
        sa.Column("physician_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["clients.id"], name=op.f("fk_client_physicians_client_id")
        ),
        sa.ForeignKeyConstraint(
            ["physician_id"], ["physicians.id"], name=op.f("fk_client_physicians_physician_id")
        ),
        sa.PrimaryKeyConstraint("client_id", "physician_id", name=op.f("pk_client_physicians")),
    )
    op.create_index(
        op.f("ix_client_physicians_physician_id_client_id"),
        "client_physicians",
        ["physician_id", "client_id"],
        unique=False,
    )
    op.create_table(
        "refresh_tokens",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("used_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["user_sessions.id"],
            name=op.f("fk_refresh_tokens_session_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refresh_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_refresh_tokens_token_hash")),
    )
    op.create_index(
        op.f("ix_refresh_tokens_session_id"), "refresh_tokens", ["session_id"], unique=False
    )
    op.create_table(
        "units",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("client_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["clients.id"], name=op.f("fk_units_client_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_units")),
    )
    op.create_index(op.f("ix_units_client_id"), "units", ["client_id"], unique=False)
    op.create_table(
        "rooms",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("client_id", sa.BigInteger(), nullable=False),
        sa.Column("unit_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["clients.id"], name=op.f("fk_rooms_client_id")),
        sa.ForeignKeyConstraint(["unit_id"], ["units.id"], name=op.f("fk_rooms_unit_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rooms")),
    )
    op.create_index(op.f("ix_rooms_client_id"), "rooms", ["client_id"], unique=False)
    op.create_index(op.f("ix_rooms_unit_id"), "rooms", ["unit_id"], unique=False)
    op.create_table(
        "patients",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("client_id", sa.BigInteger(), nullable=False),
        sa.Column("unit_id", sa.BigInteger(), nullable=True),
        sa.Column("room_id", sa.BigInteger(), nullable=True),
        sa.Column("bed", sa.Text(), nullable=True),
        sa.Column("medical_record_id", sa.Text(), nullable=True),
        sa.Column("primary_physician_id", sa.BigInteger(), nullable=True),
        sa.Column("last_name", sa.Text(), nullable=False),
        sa.Column("first_name", sa.Text(), nullable=False),
        sa.Column("middle_name", sa.Text(), nullable=True),
        sa.Column("birth_date", sa.Date(), nullable=False),
        sa.Column("gender", sa.Text(), nullable=False),
        sa.Column("ssn_encrypted", sa.LargeBinary(), nullable=True),
        sa.Column("ssn_hash", sa.LargeBinary(), nullable=True),
        sa.Column("ssn_last4", sa.Text(), nullable=True),
        sa.Column("sexual_orientation_id", sa.Text(), nullable=True),
        sa.Column("gender_identity_id", sa.Text(), nullable=True),
        sa.Column("race", sa.Text(), nullable=True),
        sa.Column("ethnicity", sa.SmallInteger(), nullable=True),
        sa.Column("address", sa.Text(), nullable=True),
        sa.Column("zip_code_id", sa.BigInteger(), nullable=True),
        sa.Column("zip_code_plus4", sa.Text(), nullable=True),
        sa.Column(
            "same_as_client_address", sa.Boolean(), server_default=sa.text("false"), nullable=False
        ),
        sa.Column("phone", sa.Text(), nullable=True),
        sa.Column("mobile", sa.Text(), nullable=True),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["clients.id"], name=op.f("fk_patients_client_id")),
        sa.ForeignKeyConstraint(
            ["primary_physician_id"],
            ["physicians.id"],
            name=op.f("fk_patients_primary_physician_id"),
        ),
        sa.ForeignKeyConstraint(["room_id"], ["rooms.id"], name=op.f("fk_patients_room_id")),
        sa.ForeignKeyConstraint(["unit_id"], ["units.id"], name=op.f("fk_patients_unit_id")),
        sa.ForeignKeyConstraint(
            ["zip_code_id"], ["zip_codes.id"], name=op.f("fk_patients_zip_code_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_patients")),
        sa.UniqueConstraint("code", name=op.f("uq_patients_code")),
    )
    op.create_index(op.f("ix_patients_birth_date"), "patients", ["birth_date"], unique=False)
    op.create_index(
        op.f("ix_patients_client_id_last_name_first_name_id"),
        "patients",
        ["client_id", "last_name", "first_name", "id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_patients_last_name_first_name_id"),
        "patients",
        ["last_name", "first_name", "id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_patients_primary_physician_id"), "patients", ["primary_physician_id"], unique=False
    )
    op.create_index("uq_patients_ssn_hash", "patients", ["ssn_hash"], unique=True)
    op.create_table(
        "requisitions",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("client_id", sa.BigInteger(), nullable=False),
        sa.Column("physician_id", sa.BigInteger(), nullable=True),
        sa.Column("patient_id", sa.BigInteger(), nullable=False),
        sa.Column("patient_last_name", sa.Text(), nullable=False),
        sa.Column("patient_first_name", sa.Text(), nullable=False),
        sa.Column("patient_middle_name", sa.Text(), nullable=True),
        sa.Column("patient_birth_date", sa.Date(), nullable=False),
        sa.Column("patient_gender", sa.Text(), nullable=False),
        sa.Column("unit_id", sa.BigInteger(), nullable=True),
        sa.Column("unit_name", sa.Text(), nullable=True),
        sa.Column("room_name", sa.Text(), nullable=True),
        sa.Column("bed", sa.Text(), nullable=True),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("collection_date", postgresql.TIMESTAMP(precision=0), nullable=False),
        sa.Column("fasting", sa.SmallInteger(), nullable=False),
        sa.Column("priority", sa.Text(), nullable=False),
        sa.Column("bill_to", sa.SmallInteger(), nullable=False),
        sa.Column("comments", sa.Text(), nullable=True),
        sa.Column("cancel_comment", sa.Text(), nullable=True),
        sa.Column("has_signature", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.ForeignKeyConstraint(
            ["client_id"], ["clients.id"], name=op.f("fk_requisitions_client_id")
        ),
        sa.ForeignKeyConstraint(
            ["patient_id"], ["patients.id"], name=op.f("fk_requisitions_patient_id")
        ),
        sa.ForeignKeyConstraint(
            ["physician_id"], ["physicians.id"], name=op.f("fk_requisitions_physician_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requisitions")),
        sa.UniqueConstraint("code", name=op.f("uq_requisitions_code")),
    )
    op.create_index(
        op.f("ix_requisitions_client_id_collection_date_id"),
        "requisitions",
        ["client_id", "collection_date", "id"],
        unique=False,
        postgresql_include=["status", "has_signature"],
    )
    op.create_index(
        op.f("ix_requisitions_client_id_id"), "requisitions", ["client_id", "id"], unique=False
    )
    op.create_index(
        op.f("ix_requisitions_collection_date_id"),
        "requisitions",
        ["collection_date", "id"],
        unique=False,
        postgresql_include=["status", "has_signature"],
    )
    op.create_index(
        op.f("ix_requisitions_patient_id_id"), "requisitions", ["patient_id", "id"], unique=False
    )
    op.create_index(
        op.f("ix_requisitions_patient_last_name_id"),
        "requisitions",
        ["patient_last_name", "id"],
        unique=False,
    )
    op.create_index(
        op.f("ix_requisitions_physician_id_collection_date_id"),
        "requisitions",
        ["physician_id", "collection_date", "id"],
        unique=False,
        postgresql_include=["status", "has_signature"],
    )
    op.create_index(
        op.f("ix_requisitions_physician_id_id"),
        "requisitions",
        ["physician_id", "id"],
        unique=False,
    )
    op.create_table(
        "orders",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("requisition_id", sa.BigInteger(), nullable=False),
        sa.Column("client_id", sa.BigInteger(), nullable=False),
        sa.Column("physician_id", sa.BigInteger(), nullable=True),
        sa.Column("patient_id", sa.BigInteger(), nullable=False),
        sa.Column("patient_last_name", sa.Text(), nullable=False),
        sa.Column("patient_first_name", sa.Text(), nullable=False),
        sa.Column("patient_middle_name", sa.Text(), nullable=True),
        sa.Column("patient_birth_date", sa.Date(), nullable=False),
        sa.Column("patient_gender", sa.Text(), nullable=False),
        sa.Column("unit_id", sa.BigInteger(), nullable=True),
        sa.Column("unit_name", sa.Text(), nullable=True),
        sa.Column("room_name", sa.Text(), nullable=True),
        sa.Column("bed", sa.Text(), nullable=True),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.Column("has_critical", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("has_abnormal", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("collection_date", postgresql.TIMESTAMP(precision=0), nullable=False),
        sa.Column("received_at", postgresql.TIMESTAMP(precision=0), nullable=False),
        sa.Column("received_by", sa.Uuid(), nullable=True),
        sa.Column("reported_at", postgresql.TIMESTAMP(precision=0), nullable=True),
        sa.Column(
            "specimen_condition", sa.Text(), server_default=sa.text("'ACCEPTABLE'"), nullable=False
        ),
        sa.Column("report_comment", sa.Text(), nullable=True),
        sa.Column(
            "created_at",
            postgresql.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("version", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["clients.id"], name=op.f("fk_orders_client_id")),
        sa.ForeignKeyConstraint(["patient_id"], ["patients.id"], name=op.f("fk_orders_patient_id")),
        sa.ForeignKeyConstraint(
            ["physician_id"], ["physicians.id"], name=op.f("fk_orders_physician_id")
        ),
        sa.ForeignKeyConstraint(
            ["requisition_id"], ["requisitions.id"], name=op.f("fk_orders_requisition_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
        sa.UniqueConstraint("code", name=op.f("uq_orders_code")),
        sa.UniqueConstraint("requisition_id", name=op.f("uq_orders_requisition_id")),
    )
    op.create_index(
        op.f("ix_orders_client_id_collection_date_id"),
        "orders",
        ["client_id", "collection_date", "id"],
        unique=False,
        postgresql_include=["status"],
    )
    op.create_index(op.f("ix_orders_client_id_id"), "orders", ["client_id", "id"], unique=False)
    op.create_index(
        op.f("ix_orders_collection_date_id"),
        "orders",
        ["collection_date", "id"],
        unique=False,
        postgresql_include=["status"],
    )
    op.create_index(op.f("ix_orders_patient_id_id"), "orders", ["patient_id", "id"], unique=False)
    op.create_index(
        op.f("ix_orders_physician_id_collection_date_id"),
        "orders",
        ["physician_id", "collection_date", "id"],
        unique=False,
        postgresql_include=["status"],
    )
    op.create_index(
        op.f("ix_orders_physician_id_id"), "orders", ["physician_id", "id"], unique=False
    )
    op.create_table(
        "requisition_diagnoses",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("requisition_id", sa.BigInteger(), nullable=False),
        sa.Column("diagnosis_id", sa.BigInteger(), nullable=False),
        sa.Column("purpose", sa.Text(), server_default=sa.text("'main'"), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["diagnosis_id"], ["diagnoses.id"], name=op.f("fk_requisition_diagnoses_diagnosis_id")
        ),
        sa.ForeignKeyConstraint(
            ["requisition_id"],
            ["requisitions.id"],
            name=op.f("fk_requisition_diagnoses_requisition_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requisition_diagnoses")),
    )
    op.create_index(
        op.f("ix_requisition_diagnoses_requisition_id"),
        "requisition_diagnoses",
        ["requisition_id"],
        unique=False,
    )
    op.create_table(
        "requisition_medications",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("requisition_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["requisition_id"],
            ["requisitions.id"],
            name=op.f("fk_requisition_medications_requisition_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requisition_medications")),
    )
    op.create_index(
        op.f("ix_requisition_medications_requisition_id"),
        "requisition_medications",
        ["requisition_id"],
        unique=False,
    )
    op.create_table(
        "requisition_signatures",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("requisition_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("user_name", sa.Text(), nullable=False),
        sa.Column("image", sa.LargeBinary(), nullable=False),
        sa.Column("content_hash", sa.LargeBinary(), nullable=False),
        sa.Column("signed_at", postgresql.TIMESTAMP(precision=0), nullable=False),
        sa.Column("removed_at", postgresql.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["requisition_id"],
            ["requisitions.id"],
            name=op.f("fk_requisition_signatures_requisition_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requisition_signatures")),
    )
    op.create_index(
        op.f("ix_requisition_signatures_requisition_id"),
        "requisition_signatures",
        ["requisition_id"],
        unique=False,
    )
    op.create_index(
        "uq_requisition_signatures_current",
        "requisition_signatures",
        ["requisition_id"],
        unique=True,
        postgresql_where=sa.text("removed_at IS NULL"),
    )
    op.create_table(
        "requisition_tests",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("requisition_id", sa.BigInteger(), nullable=False),
        sa.Column("test_id", sa.BigInteger(), nullable=False),
        sa.Column("parent_id", sa.BigInteger(), nullable=True),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("is_confidential", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["requisition_tests.id"],
            name=op.f("fk_requisition_tests_parent_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["requisition_id"],
            ["requisitions.id"],
            name=op.f("fk_requisition_tests_requisition_id"),
        ),
        sa.ForeignKeyConstraint(
            ["test_id"], ["lab_tests.id"], name=op.f("fk_requisition_tests_test_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requisition_tests")),
    )
    op.create_index(
        op.f("ix_requisition_tests_parent_id"), "requisition_tests", ["parent_id"], unique=False
    )
    op.create_index(
        op.f("ix_requisition_tests_requisition_id"),
        "requisition_tests",
        ["requisition_id"],
        unique=False,
    )
    op.create_table(
        "order_tests",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("order_id", sa.BigInteger(), nullable=False),
        sa.Column("test_id", sa.BigInteger(), nullable=False),
        sa.Column("parent_id", sa.BigInteger(), nullable=True),
        sa.Column("level", sa.SmallInteger(), nullable=False),
        sa.Column("position", sa.SmallInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("is_panel", sa.Boolean(), nullable=False),
        sa.Column("is_confidential", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("status", sa.SmallInteger(), nullable=False),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_order_tests_order_id")),
        sa.ForeignKeyConstraint(
            ["parent_id"], ["order_tests.id"], name=op.f("fk_order_tests_parent_id")
        ),
        sa.ForeignKeyConstraint(["test_id"], ["lab_tests.id"], name=op.f("fk_order_tests_test_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_order_tests")),
    )
    op.create_index(op.f("ix_order_tests_order_id"), "order_tests", ["order_id"], unique=False)
    op.create_table(
        "results",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=False), nullable=False),
        sa.Column("order_id", sa.BigInteger(), nullable=False),
        sa.Column("order_test_id", sa.BigInteger(), nullable=False),
        sa.Column("revision", sa.SmallInteger(), nullable=False),
        sa.Column("is_current", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("flag", sa.Text(), nullable=True),
        sa.Column("unit", sa.Text(), nullable=True),
        sa.Column("reference_range", sa.Text(), nullable=True),
        sa.Column("range_comment", sa.Text(), nullable=True),
        sa.Column("entered_by", sa.Uuid(), nullable=True),
        sa.Column("entered_at", postgresql.TIMESTAMP(precision=0), nullable=False),
        sa.Column("released_by", sa.Uuid(), nullable=True),
        sa.Column("released_at", postgresql.TIMESTAMP(precision=0), nullable=True),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name=op.f("fk_results_order_id")),
        sa.ForeignKeyConstraint(
            ["order_test_id"], ["order_tests.id"], name=op.f("fk_results_order_test_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_results")),
    )
    op.create_index(op.f("ix_results_order_id"), "results", ["order_id"], unique=False)
    op.create_index(
        "uq_results_current",
        "results",
        ["order_test_id"],
        unique=True,
        postgresql_where=sa.text("is_current"),
    )
    op.create_index("uq_results_revision", "results", ["order_test_id", "revision"], unique=True)
    for script in ("0001_functions.sql", "0001_policies.sql"):
        run_script(script)
