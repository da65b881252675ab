"""Jobs of exports."""

from app.contract.enumerations import ScopeKind
from app.server.database.scope import SIGNED_IN
from app.server.exports.service import names
from app.server.exports.service.run import run_export
from app.server.exports.service.sweep import sweep_exports
from app.server.jobs.tasks import Periodic, Task

_EXPORTERS = frozenset(SIGNED_IN) - {ScopeKind.PATIENT}

TASKS = (Task(names.RUN, run_export, deferred_by=_EXPORTERS),)
PERIODIC = (Periodic(Task(names.SWEEP, sweep_exports)),)
