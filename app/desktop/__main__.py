"""``python -m app.desktop``, and the entry script of the packaged application."""

import sys

from app.desktop.main import run_app

if __name__ == "__main__":
    sys.exit(run_app(sys.argv[1:]))
