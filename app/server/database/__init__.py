"""Engine, pools, scope roles and policies, embedded PostgreSQL and migrations."""
