"""HTTP shapes of the operations page, one for each panel."""

from datetime import datetime

from app.server.access.schemas import Shape


class PortalRead(Shape):
    """The portal's version, the schema's revision, and how long the process has run."""

    version: str
    revision: str
    uptime_seconds: float


class PoolRead(Shape):
    """How often and how long requests have waited for a connection since the start."""

    name: str
    waits: int
    mean_milliseconds: float


class DatabaseRead(Shape):
    """The database. ``lag_seconds`` is the lag of the slowest standby; None without a standby."""

    version: str
    bytes: int
    connections: int
    connections_max: int
    standbys: int
    lag_seconds: float | None
    changes_last_hour: int
    pools: list[PoolRead]


class TaskRead(Shape):
    """The jobs of a task; ``lag_seconds`` is how long the oldest waiting one has been due."""

    name: str
    waiting: int
    running: int
    failed: int
    lag_seconds: float


class FailedJob(Shape):
    """A job whose last try failed; without a next try, it waits for a person."""

    id: int
    task: str
    attempts: int
    failed_at: datetime | None
    next_try_at: datetime | None


class JobsRead(Shape):
    """Background jobs by task, and the newest that failed."""

    tasks: list[TaskRead]
    failed: list[FailedJob]
    workers: int


class DeliveryRead(Shape):
    """Messages of one kind: those that wait, and those sent or failed in the last 24 hours.

    ``next_try_at`` is the next time at which a waiting message is tried.
    """

    kind: str
    waiting: int
    next_try_at: datetime | None
    failed: int
    sent: int


class SenderRead(Shape):
    """The last success and failure of mail or fax."""

    name: str
    is_configured: bool
    last_success: datetime | None
    last_failure: datetime | None


class DeliveriesRead(Shape):
    """The state of messages that the portal sends."""

    kinds: list[DeliveryRead]
    senders: list[SenderRead]


class BackupRead(Shape):
    """The last backup; null values without one."""

    at: datetime | None
    age_seconds: float | None
    version: str | None
    bytes: int | None
    files: int | None
    is_overdue: bool


class AuditRead(Shape):
    """The seals of the audit log, and its last verification."""

    seal: int | None
    sealed_at: datetime | None
    unsealed_rows: int
    unsealed_since: datetime | None
    is_overdue: bool
    verified_at: datetime | None
    verified_rows: int | None
    trouble: str | None


class OperationsRead(Shape):
    """All panels."""

    portal: PortalRead
    database: DatabaseRead
    jobs: JobsRead
    deliveries: DeliveriesRead
    backup: BackupRead
    audit: AuditRead
