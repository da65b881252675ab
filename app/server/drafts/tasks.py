"""The slice's background work, as workers know it."""

from app.server.drafts.service import forget_old_drafts
from app.server.jobs.tasks import Periodic, Task

PERIODIC = (Periodic(Task("requisitions.forget_old_drafts", forget_old_drafts)),)
