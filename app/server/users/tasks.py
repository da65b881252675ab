"""The job that notifies a patient of a new account."""

from app.server.jobs.tasks import Task
from app.server.users.service.sign_up import notify_of_sign_up

TASKS = (Task("users.tell_sign_up", notify_of_sign_up),)
"""The function ``sign_up_patient`` of the database adds the job."""
