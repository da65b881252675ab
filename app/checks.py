"""What neither types nor the linter can see, for ``make check``."""

import sys

from app.contract.gathered import misplaced_messages
from app.dependencies import unused_dependencies
from app.server.completeness import find_undeclared
from app.server.schema.baseline import without_revision
from app.server.schema.frozen import unfrozen_changes
from app.server.schema.release import breaking_revisions


def check() -> int:
    """Print what is amiss, each line led by its file; returns 1 when something is."""
    lines = [
        *misplaced_messages(),
        *find_undeclared(),
        *without_revision(),
        *unfrozen_changes(),
        *breaking_revisions(),
        *unused_dependencies(),
    ]
    for line in lines:
        sys.stderr.write(line + "\n")
    return 1 if lines else 0
