"""Jobs of exports."""

from app.server.exports.service import names
from app.server.exports.service.run import run_export
from app.server.exports.service.sweep import sweep_exports
from app.server.jobs.tasks import Periodic, Task

TASKS = (Task(names.RUN, run_export),)
PERIODIC = (Periodic(Task(names.SWEEP, sweep_exports)),)
