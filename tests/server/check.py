"""For ``make check``: what the tests need of each slice and some slice lacks."""

import sys

from tests.server.samples import missing_samples

if __name__ == "__main__":
    lines = missing_samples()
    for line in lines:
        sys.stderr.write(line + "\n")
    sys.exit(1 if lines else 0)
