"""Periodic jobs of drafts."""

from app.server.drafts.service import delete_old_drafts
from app.server.jobs.tasks import Periodic, Task

PERIODIC = (Periodic(Task("requisitions.forget_old_drafts", delete_old_drafts)),)
