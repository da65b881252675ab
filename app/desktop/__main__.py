"""``python -m app.desktop``, and the entry script of the packaged application."""

import sys

from app.desktop.main import run

if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
