"""Checks beyond types and lint rules, for ``make check``."""

import sys

from app.contract.message_imports import find_misplaced_messages, find_unused_messages
from app.dependencies import find_unused_dependencies
from app.server.completeness import find_unanswered_lists, find_undeclared_parts
from app.server.schema.baseline import find_unrevised_parts
from app.server.schema.frozen import find_unfrozen_changes
from app.server.schema.release import find_breaking_revisions


def run_checks() -> int:
    """Print all problems, each after its file's path; return 1 if there are any."""
    lines = [
        *find_misplaced_messages(),
        *find_unused_messages(),
        *find_undeclared_parts(),
        *find_unanswered_lists(),
        *find_unrevised_parts(),
        *find_unfrozen_changes(),
        *find_breaking_revisions(),
        *find_unused_dependencies(),
    ]
    for line in lines:
        sys.stderr.write(line + "\n")
    return 1 if lines else 0
