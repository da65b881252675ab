"""Reports missing samples and screens, misplaced builders, and deviating permissions."""

import sys

from tests.e2e.screens import find_missing_screens
from tests.rules.permissions import find_stale_baseline, find_unlisted_rules
from tests.rules.routes import find_deviating_routes
from tests.server.composition import find_borrowed_tests, find_misplaced_builders
from tests.server.samples import find_missing_samples

if __name__ == "__main__":
    lines = [
        *find_missing_samples(),
        *find_missing_screens(),
        *find_misplaced_builders(),
        *find_borrowed_tests(),
        *find_unlisted_rules(),
        *find_deviating_routes(),
        *find_stale_baseline(),
    ]
    for line in lines:
        sys.stderr.write(line + "\n")
    sys.exit(1 if lines else 0)
