"""The slice's background work, as workers know it."""

from app.server.jobs.tasks import Task
from app.server.requisitions.service import drafts

HOURLY = (Task("requisitions.forget_old_drafts", drafts.forget_old),)
